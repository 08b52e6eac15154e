//! The emulator's target: the phases of the CUDA backend up to its kernels, followed by code
//! generation for the host.

use super::{Checks, host, kernel_object};
use crate::{
    backends::{
        kernel_code::{F32_PRODUCTS, f32_products, gpu_of},
        planning,
    },
    lowering::Lowering,
    pipelines::{
        Phase,
        cuda::{Parameters, kernel_phases},
    },
    target::{Purpose, Target},
};
use halo_backend::{BackendOption, CompileOptions};
use halo_codegen::gpu::gpu_contractions::provider::F32Products;
use halo_core::machine::Gpu;
use halo_gpu_emulator::{EmulatorPlatform, NAME};
use halo_runtime::{
    Device, Executable, Plan, Platform, Result, host::HostTransferManager, plan::PlanTarget,
};
use std::sync::Arc;

/// The checks while kernels run.
const CHECKS: BackendOption = BackendOption {
    name: "checks",
    summary: "What kernels are checked for: what shows without a run, or races and bounds too",
    values: &["rules", ACCESSES],
};
const ACCESSES: &str = "accesses";

#[derive(Clone)]
pub(super) struct EmulatorTarget {
    pub platform: Arc<EmulatorPlatform>,
    pub checks: Checks,
    /// The architecture that kernels are for.
    pub gpu: Gpu,
    pub f32: F32Products,
}

impl Target for EmulatorTarget {
    /// The phases up to the kernels. Kernels always compute products, because there is no library.
    fn phases(&self) -> Vec<Phase> {
        kernel_phases(&Parameters {
            f32: self.f32,
            ..Parameters::of(self.gpu)
        })
    }

    fn options(&self) -> &'static [BackendOption] {
        &[CHECKS, F32_PRODUCTS]
    }

    fn configured(&self, options: &CompileOptions, _: Purpose) -> Result<Self> {
        Ok(Self {
            platform: self.platform.clone(),
            checks: match options.backend.get(&CHECKS) {
                ACCESSES => Checks::Accesses,
                _ => Checks::Rules,
            },
            gpu: match &options.architecture {
                Some(name) => gpu_of(name)?,
                None => self.gpu,
            },
            f32: f32_products(options),
        })
    }

    fn device(&self) -> Result<Device> {
        Ok(Device {
            executor: self.platform.executor(0)?,
            transfer_manager: Arc::new(HostTransferManager),
        })
    }

    fn executable(&self, mut lowering: Lowering<'_>) -> Result<Box<dyn Executable>> {
        let plan = self.kernels_and_plan(&mut lowering)?;
        lowering.load_plan(plan, self.device()?)
    }

    fn cache_identity(&self) -> Option<String> {
        Some(format!(
            "{:?} {:?} {} {:?}",
            host(),
            self.checks,
            self.gpu.name,
            self.f32
        ))
    }
}

impl EmulatorTarget {
    /// The plan, with an object file of the host as its code.
    fn kernels_and_plan(&self, lowering: &mut Lowering<'_>) -> Result<Plan> {
        lowering.run_phases()?;
        let target = PlanTarget {
            platform: NAME.to_owned(),
            architecture: "host".to_owned(),
        };
        let mut plan = planning::plan_of(lowering, target)?;
        let start = lowering.session.begin("asm");
        if let Some(kernels) = planning::kernels_of(lowering.module()) {
            plan.code = kernel_object(lowering.context(), kernels, self.checks)?;
        }
        lowering.session.report("asm", start.elapsed());
        Ok(plan)
    }
}
