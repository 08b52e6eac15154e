//! The target for AMD GPUs: phases, and code generation for kernels by LLVM.

use super::no_devices;
use crate::{
    backends::kernel_code::{self, LLVM_IR},
    lowering::Lowering,
    pipelines::{Phase, rocm::phases},
    target::{Artifact, Purpose, Target},
};
use halo_backend::CompileOptions;
use halo_llvm::target::TargetDescription;
use halo_runtime::{Device, Error, Executable, Result};
use std::str::FromStr;

/// A GPU generation.
#[derive(Clone, Default)]
pub(super) struct RocmTarget {
    architecture: Architecture,
}

/// AMD's name of a GPU generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Architecture(&'static str);

/// Server architectures, CDNA, and workstation architectures, RDNA.
const KNOWN: &[&str] = &[
    "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1030", "gfx1100", "gfx1101", "gfx1102", "gfx1151",
    "gfx1200", "gfx1201",
];

impl Default for Architecture {
    fn default() -> Self {
        Self(crate::pipelines::rocm::REFERENCE)
    }
}

impl FromStr for Architecture {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let known = KNOWN.iter().find(|known| **known == text);
        known.map(|known| Self(known)).ok_or_else(|| {
            Error::invalid(format!(
                "unknown GPU architecture '{text}'; there are: {}",
                KNOWN.join(", ")
            ))
        })
    }
}

const ASSEMBLY: &str = "asm";

impl Target for RocmTarget {
    fn phases(&self) -> Vec<Phase> {
        phases(self.architecture.0)
    }

    fn configured(&self, options: &CompileOptions, _: Purpose) -> Result<Self> {
        let given = options.architecture.as_deref().map(str::parse);
        Ok(Self {
            architecture: given.transpose()?.unwrap_or_default(),
        })
    }

    fn artifacts(&self) -> &'static [Artifact<Self>] {
        &[
            Artifact {
                name: LLVM_IR,
                summary: "LLVM IR of the kernels after LLVM's optimizer",
                text: |target, lowering| target.code(lowering, LLVM_IR),
            },
            Artifact {
                name: ASSEMBLY,
                summary: "The kernels in AMD's assembly",
                text: |target, lowering| target.code(lowering, ASSEMBLY),
            },
        ]
    }

    fn device(&self) -> Result<Device> {
        Err(no_devices())
    }

    fn executable(&self, _lowering: Lowering<'_>) -> Result<Box<dyn Executable>> {
        Err(no_devices())
    }
}

impl RocmTarget {
    fn code(&self, lowering: &mut Lowering<'_>, artifact: &str) -> Result<String> {
        let target = TargetDescription {
            triple: "amdgcn-amd-amdhsa".to_owned(),
            cpu: self.architecture.0.to_owned(),
            features: String::new(),
            sve_bits: None,
            streaming_bits: None,
            system: None,
        };
        kernel_code::text(lowering, &target, artifact, (ASSEMBLY, "s"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn architectures_are_known_or_refused() {
        assert_eq!(
            "gfx942".parse::<Architecture>().unwrap(),
            Architecture("gfx942")
        );
        for wrong in ["gfx", "sm_90", "gfx9999", ""] {
            let message = wrong.parse::<Architecture>().unwrap_err().to_string();
            assert!(message.starts_with(&format!("unknown GPU architecture '{wrong}'")));
        }
    }
}
