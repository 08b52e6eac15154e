//! The target for NVIDIA GPUs: phases, plans, and code generation for kernels by LLVM.

use crate::{
    backends::{
        kernel_code::{self, LLVM_IR},
        planning,
    },
    lowering::Lowering,
    pipelines::{
        Phase,
        cuda::{KERNELS as KERNEL_PHASE, Parameters, Vendor, phases},
    },
    target::{Artifact, PlanGenerator, Purpose, Target},
};
use halo_backend::{BackendOption, CompileOptions};
use halo_codegen::gpu::gpu_contractions::provider::Provider;
use halo_ir::pass::{OptionKind, OptionType};
use halo_llvm::target::TargetDescription;
use halo_runtime::{
    Device, Error, Executable, Plan, Platform, Result, TransferManager, plan::PlanTarget,
};
use std::{str::FromStr, sync::Arc};

/// The provider of matrix products.
const DOT: BackendOption = BackendOption {
    name: "gpu-dot",
    summary: "What computes matrix products on a GPU",
    values: match Provider::KIND {
        OptionKind::Words(words) => words,
        _ => &[],
    },
};

/// A GPU generation, and the provider of matrix products.
#[derive(Clone)]
pub(super) struct CudaTarget {
    platform: Arc<dyn Platform>,
    transfer_manager: Arc<dyn TransferManager>,
    architecture: Architecture,
    dot: Provider,
}

impl CudaTarget {
    pub(super) fn new(
        platform: Arc<dyn Platform>,
        transfer_manager: Arc<dyn TransferManager>,
    ) -> Self {
        Self {
            platform,
            transfer_manager,
            architecture: Architecture::default(),
            dot: Provider::Codegen,
        }
    }

    /// The provider of matrix products: if the option does not determine it, a library is not
    /// chosen unless the machine's device has it.
    fn dot(&self, choice: Provider) -> Provider {
        let lacks = |platform: &Arc<dyn Platform>| {
            let device = platform.executor(0);
            device.is_ok_and(|device| device.load_gemm_library().is_err())
        };
        match choice {
            Provider::Auto if lacks(&self.platform) => Provider::Codegen,
            _ => choice,
        }
    }

    /// The architecture of the machine's device, or the oldest one if there is no device.
    fn own_architecture(&self) -> Architecture {
        self.platform
            .executor(0)
            .ok()
            .and_then(|executor| executor.description().architecture.clone())
            .and_then(|name| name.parse().ok())
            .unwrap_or_default()
    }
}

/// The generation of a GPU: `sm_80` and up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Architecture {
    /// The number after `sm_`.
    number: u32,
    /// Set for architecture-specific instructions, `sm_90a`.
    specific: bool,
}

impl Default for Architecture {
    fn default() -> Self {
        Self {
            number: 80,
            specific: false,
        }
    }
}

/// The generations that LLVM supports, each with the first PTX version that has it.
const KNOWN: &[(u32, &str)] = &[
    (80, "+ptx70"),
    (86, "+ptx71"),
    (87, "+ptx74"),
    (89, "+ptx78"),
    (90, "+ptx78"),
    (100, "+ptx86"),
    (101, "+ptx86"),
    (103, "+ptx88"),
    (120, "+ptx87"),
    (121, "+ptx88"),
];

impl Architecture {
    /// NVIDIA's name.
    pub fn name(self) -> String {
        let suffix = if self.specific { "a" } else { "" };
        format!("sm_{}{suffix}", self.number)
    }

    /// The PTX version, as an LLVM feature.
    fn features(self) -> &'static str {
        let known = KNOWN.iter().find(|(number, _)| *number == self.number);
        match known {
            Some((90, _)) if self.specific => "+ptx80",
            Some((_, features)) => features,
            None => "",
        }
    }
}

impl FromStr for Architecture {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let digits = text.strip_prefix("sm_").unwrap_or_default();
        let (digits, specific) = match digits.strip_suffix('a') {
            Some(digits) => (digits, true),
            None => (digits, false),
        };
        let number = digits.parse().ok();
        let known = number.filter(|number| KNOWN.iter().any(|(known, _)| known == number));
        match known {
            Some(number) if !specific || number >= 90 => Ok(Self { number, specific }),
            _ => {
                let names: Vec<String> = KNOWN.iter().map(|(n, _)| format!("sm_{n}")).collect();
                Err(Error::invalid(format!(
                    "unknown GPU architecture '{text}'; there are: {}",
                    names.join(", ")
                )))
            }
        }
    }
}

impl Target for CudaTarget {
    fn phases(&self) -> Vec<Phase> {
        phases(&Parameters {
            architecture: self.architecture.name().into(),
            dot: self.dot,
            vendor: Vendor::Nvidia,
        })
    }

    fn options(&self) -> &'static [BackendOption] {
        &[DOT]
    }

    fn configured(&self, options: &CompileOptions, _: Purpose) -> Result<Self> {
        let architecture = match &options.architecture {
            Some(name) => name.parse()?,
            None => self.own_architecture(),
        };
        let provider = Provider::parse(options.backend.get(&DOT)).unwrap_or(Provider::Auto);
        Ok(Self {
            architecture,
            dot: self.dot(provider),
            ..self.clone()
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
                name: PTX,
                summary: "The kernels in PTX",
                text: |target, lowering| target.code(lowering, PTX),
            },
        ]
    }

    fn device(&self) -> Result<Device> {
        Ok(Device {
            executor: self.platform.executor(0)?,
            transfer_manager: self.transfer_manager.clone(),
        })
    }

    fn executable(&self, mut lowering: Lowering<'_>) -> Result<Box<dyn Executable>> {
        let plan = self.plan(&mut lowering)?;
        lowering.load_plan(plan, self.device()?)
    }

    fn cache_identity(&self) -> Option<String> {
        Some(format!("{} {:?}", self.architecture.name(), self.dot))
    }

    fn plans(&self) -> Option<&dyn PlanGenerator> {
        Some(self)
    }
}

impl PlanGenerator for CudaTarget {
    fn plan(&self, lowering: &mut Lowering<'_>) -> Result<Plan> {
        lowering.run_through(KERNEL_PHASE)?;
        let target = PlanTarget {
            platform: "cuda".to_owned(),
            architecture: self.architecture.name(),
        };
        let mut plan = planning::plan_of(lowering, target)?;
        lowering.run_phases()?;
        if !plan.kernels.is_empty() {
            plan.code = self.code(lowering, PTX)?.into_bytes();
        }
        Ok(plan)
    }
}

const PTX: &str = "ptx";

impl CudaTarget {
    fn code(&self, lowering: &mut Lowering<'_>, artifact: &str) -> Result<String> {
        let target = TargetDescription {
            triple: "nvptx64-nvidia-cuda".to_owned(),
            cpu: self.architecture.name(),
            features: self.architecture.features().to_owned(),
            sve_bits: None,
            streaming_bits: None,
            system: None,
        };
        kernel_code::text(lowering, &target, artifact, (PTX, "ptx"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn architectures_are_known_or_refused() {
        let parse = |text: &str| text.parse::<Architecture>().map(Architecture::name);
        assert_eq!(parse("sm_80").unwrap(), "sm_80");
        assert_eq!(parse("sm_90a").unwrap(), "sm_90a");
        for wrong in ["sm_70", "sm_80a", "90", "sm_", "gfx90a", "sm_999"] {
            let message = parse(wrong).unwrap_err().to_string();
            assert!(message.starts_with(&format!("unknown GPU architecture '{wrong}'")));
        }
    }
}
