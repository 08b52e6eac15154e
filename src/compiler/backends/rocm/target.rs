//! The target for AMD GPUs: phases, and code generation for kernels by LLVM.

use super::no_devices;
use crate::{
    backends::kernel_code::{self, LLVM_IR, gpu_of_vendor},
    lowering::Lowering,
    pipelines::{
        Phase,
        rocm::{phases, reference},
    },
    target::{Artifact, Purpose, Target},
};
use halo_backend::CompileOptions;
use halo_core::machine::{Gpu, Vendor};
use halo_llvm::target::TargetDescription;
use halo_runtime::{Device, Executable, Result};

/// A GPU generation.
#[derive(Clone)]
pub(super) struct RocmTarget {
    gpu: Gpu,
}

impl Default for RocmTarget {
    fn default() -> Self {
        Self { gpu: reference() }
    }
}

const ASSEMBLY: &str = "asm";

impl Target for RocmTarget {
    fn phases(&self) -> Vec<Phase> {
        phases(self.gpu)
    }

    fn configured(&self, options: &CompileOptions, _: Purpose) -> Result<Self> {
        let given = options.architecture.as_deref().map(|name| gpu_of_vendor(name, Vendor::Amd));
        Ok(Self {
            gpu: given.transpose()?.unwrap_or_else(reference),
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
            cpu: self.gpu.name.to_owned(),
            features: String::new(),
            sve_bits: None,
            streaming_bits: None,
            system: None,
        };
        kernel_code::text(lowering, &target, artifact, (ASSEMBLY, "s"))
    }
}
