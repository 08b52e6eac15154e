//! The phases of the CUDA backend up to its kernels, and then code of the host.

use super::{Checks, kernel_object};
use crate::{
    backends::{
        lowering::{self, Lowering, Target, descriptions},
        planning,
    },
    pipelines::{
        Phase,
        cuda::{Parameters, kernel_phases},
    },
};
use halo_core::Literal;
use halo_gpu_emulator::{EmulatorPlatform, NAME};
use halo_runtime::{
    CompileOptions, Compiler, Device, Error, Executable, PhaseDescription, Plan, PlanExecutable,
    Platform, Program, Result, host::HostTransferManager, plan::PlanTarget,
};
use std::{
    sync::{Arc, LazyLock},
    time::Instant,
};

/// Compiles for the emulator.
pub(super) struct EmulatorCompiler {
    target: EmulatorTarget,
}

impl EmulatorCompiler {
    pub(super) fn new(platform: Arc<EmulatorPlatform>, checks: Checks) -> Self {
        Self {
            target: EmulatorTarget { platform, checks },
        }
    }
}

/// The phases up to the kernels. Whatever the options, kernels compute
/// products: there is no library.
fn phases() -> Vec<Phase> {
    kernel_phases(&Parameters::REFERENCE)
}

static DESCRIPTIONS: LazyLock<Vec<PhaseDescription>> = LazyLock::new(|| descriptions(&phases()));

#[derive(Clone)]
struct EmulatorTarget {
    platform: Arc<EmulatorPlatform>,
    checks: Checks,
}

impl Target for EmulatorTarget {
    fn device(&self) -> Result<Device> {
        Ok(Device {
            executor: self.platform.executor(0)?,
            transfer_manager: Arc::new(HostTransferManager),
        })
    }

    fn executable(&self, mut lowering: Lowering<'_, '_, Self>) -> Result<Box<dyn Executable>> {
        let plan = self.plan(&mut lowering)?;
        let registry = lowering.registry(&plan.custom_calls)?;
        Ok(Box::new(PlanExecutable::load(
            plan,
            self.device()?,
            &registry,
        )?))
    }
}

impl EmulatorTarget {
    fn plan(&self, lowering: &mut Lowering<'_, '_, Self>) -> Result<Plan> {
        for phase in phases() {
            lowering.run(&phase)?;
        }
        let target = PlanTarget {
            platform: NAME.to_owned(),
            architecture: "host".to_owned(),
        };
        let mut plan = planning::plan_of(lowering, target)?;
        let start = Instant::now();
        if let Some(kernels) = planning::kernels_of(&lowering.module) {
            plan.code = kernel_object(lowering.context, kernels, self.checks)?;
        }
        lowering.report("asm", start.elapsed());
        Ok(plan)
    }
}

impl Compiler for EmulatorCompiler {
    fn phases(&self) -> &[PhaseDescription] {
        &DESCRIPTIONS
    }

    fn compile(&self, program: &Program, options: &CompileOptions) -> Result<Box<dyn Executable>> {
        lowering::compile(&self.target, program, options)
    }

    fn recorded_inputs(&self, program: &Program) -> Result<Option<Vec<Literal>>> {
        halo_frontend::recorded_inputs(program)
    }

    fn compile_to(
        &self,
        program: &Program,
        phase: &str,
        options: &CompileOptions,
    ) -> Result<String> {
        let last = &self.phase(phase)?.name;
        let context = crate::context();
        let target = self.target.clone();
        let mut lowering = Lowering::new(target, &context, program, options, &[])?;
        let text = lowering.run_to(&phases(), last)?;
        text.ok_or_else(|| Error::internal(format!("no phase is named '{last}'")))
    }
}
