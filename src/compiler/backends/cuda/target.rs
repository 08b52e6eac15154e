//! The target for NVIDIA GPUs: phases, plans, and code generation for kernels by LLVM.

use crate::{
    backends::{
        kernel_code::{self, F32_PRODUCTS, LLVM_IR, f32_products, gpu_of_vendor, words},
        planning,
    },
    lowering::Lowering,
    pipelines::{
        Phase,
        cuda::{KERNELS as KERNEL_PHASE, Parameters, phases},
    },
    target::{Artifact, PlanGenerator, Purpose, Target},
};
use halo_backend::{BackendOption, CompileOptions};
use halo_codegen::gpu::gpu_contractions::provider::{F32Products, Provider};
use halo_core::machine::{GPUS, Gpu, Vendor};
use halo_ir::pass::OptionType;
use halo_llvm::target::TargetDescription;
use halo_runtime::{Device, Executable, Plan, Platform, Result, TransferManager, plan::PlanTarget};
use std::sync::Arc;

/// The provider of matrix products.
const DOT: BackendOption = BackendOption {
    name: "gpu-dot",
    summary: "What computes matrix products on a GPU",
    values: words(Provider::KIND),
};

/// A GPU generation, and the computation of matrix products.
#[derive(Clone)]
pub(super) struct CudaTarget {
    platform: Arc<dyn Platform>,
    transfer_manager: Arc<dyn TransferManager>,
    gpu: Gpu,
    dot: Provider,
    f32: F32Products,
}

impl CudaTarget {
    pub(super) fn new(
        platform: Arc<dyn Platform>,
        transfer_manager: Arc<dyn TransferManager>,
    ) -> Self {
        Self {
            platform,
            transfer_manager,
            gpu: OLDEST,
            dot: Provider::Codegen,
            f32: F32Products::Auto,
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
    fn own_architecture(&self) -> Gpu {
        self.platform
            .executor(0)
            .ok()
            .and_then(|executor| executor.description().architecture.clone())
            .and_then(|name| Gpu::parse(&name))
            .unwrap_or(OLDEST)
    }
}

/// The architecture of code for machines without a GPU: the oldest one.
const OLDEST: Gpu = GPUS[0];

impl Target for CudaTarget {
    fn phases(&self) -> Vec<Phase> {
        phases(&Parameters {
            gpu: self.gpu,
            dot: self.dot,
            f32: self.f32,
        })
    }

    fn options(&self) -> &'static [BackendOption] {
        &[DOT, F32_PRODUCTS]
    }

    fn configured(&self, options: &CompileOptions, _: Purpose) -> Result<Self> {
        let gpu = match &options.architecture {
            Some(name) => gpu_of_vendor(name, Vendor::Nvidia)?,
            None => self.own_architecture(),
        };
        let provider = Provider::parse(options.backend.get(&DOT)).unwrap_or(Provider::Auto);
        Ok(Self {
            gpu,
            dot: self.dot(provider),
            f32: f32_products(options),
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
        Some(format!("{} {:?} {:?}", self.gpu.name, self.dot, self.f32))
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
            architecture: self.gpu.name.to_owned(),
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
            cpu: self.gpu.name.to_owned(),
            features: self.gpu.ptx.to_owned(),
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
        let parse = |text: &str| gpu_of_vendor(text, Vendor::Nvidia).map(|gpu| gpu.name);
        assert_eq!(parse("sm_80").unwrap(), "sm_80");
        assert_eq!(parse("sm_90a").unwrap(), "sm_90a");
        for wrong in ["sm_70", "sm_80a", "90", "sm_", "gfx90a", "sm_999"] {
            let message = parse(wrong).unwrap_err().to_string();
            assert!(message.starts_with(&format!("unknown GPU architecture '{wrong}'")));
        }
    }
}
