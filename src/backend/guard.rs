//! The boundary between backends and their users.
//!
//! A backend may be in an external crate. The registry returns each compiler inside a
//! [`GuardedCompiler`], and each executable inside a [`GuardedExecutable`]: a panic becomes an
//! error that names the backend, and unsupported options are refused before the backend is called.

use std::num::NonZeroUsize;
use std::sync::Arc;

use halo_core::{Literal, panics};
use halo_runtime::{
    Device, DeviceBuffer, Error, Executable, ExecuteOptions, Plan, Result, Shardings, Signature,
};

use crate::{
    CompileOptions, Compiler, CompilerDescription, ObjectCode, PipelineEdit, Program,
    prediction::Prediction,
};

/// A compiler whose panics become errors, and the edits of its pipeline that are applied before the
/// edits of each compilation.
pub(crate) struct GuardedCompiler {
    pub backend: &'static str,
    pub edits: Vec<PipelineEdit>,
    pub inner: Arc<dyn Compiler>,
}

fn guarded<T>(backend: &str, run: impl FnOnce() -> Result<T>) -> Result<T> {
    panics::catch(run).unwrap_or_else(|panic| {
        Err(Error::internal(format!(
            "backend '{backend}' panicked: {panic}"
        )))
    })
}

impl GuardedCompiler {
    /// Calls the compiler after checking that it supports the options.
    fn call<T>(
        &self,
        options: &CompileOptions,
        run: impl FnOnce(&dyn Compiler, &CompileOptions) -> Result<T>,
    ) -> Result<T> {
        guarded(self.backend, || {
            let options = &self.with_edits(options);
            if !self.inner.description().has_passes {
                options.expect_no_edits()?;
            }
            run(&*self.inner, options)
        })
    }

    fn with_edits(&self, options: &CompileOptions) -> CompileOptions {
        let mut options = options.clone();
        options.pipeline_edits.splice(0..0, self.edits.iter().cloned());
        options
    }
}

impl Compiler for GuardedCompiler {
    fn description(&self) -> &CompilerDescription {
        self.inner.description()
    }

    fn warm_up(&self, options: &CompileOptions) -> Result<()> {
        self.call(options, |compiler, options| compiler.warm_up(options))
    }

    fn compile(&self, program: &Program, options: &CompileOptions) -> Result<Box<dyn Executable>> {
        let inner = self.call(options, |compiler, options| {
            compiler.compile(program, options)
        })?;
        let backend = self.backend;
        Ok(Box::new(GuardedExecutable { backend, inner }))
    }

    fn compile_to(
        &self,
        program: &Program,
        phase: &str,
        options: &CompileOptions,
    ) -> Result<String> {
        self.call(options, |compiler, options| {
            compiler.compile_to(program, phase, options)
        })
    }

    fn plan(&self, program: &Program, options: &CompileOptions) -> Result<Plan> {
        self.call(options, |compiler, options| compiler.plan(program, options))
    }

    fn targets(&self, triple: Option<&str>) -> Result<String> {
        guarded(self.backend, || self.inner.targets(triple))
    }

    fn object_code(
        &self,
        program: &Program,
        name: &str,
        options: &CompileOptions,
    ) -> Result<ObjectCode> {
        self.call(options, |compiler, options| {
            compiler.object_code(program, name, options)
        })
    }

    fn recorded_inputs(&self, program: &Program) -> Result<Option<Vec<Literal>>> {
        guarded(self.backend, || self.inner.recorded_inputs(program))
    }

    fn shardings(&self, program: &Program, partitions: NonZeroUsize) -> Result<Shardings> {
        guarded(self.backend, || self.inner.shardings(program, partitions))
    }

    fn predict(
        &self,
        program: &Program,
        topology: &Program,
        options: &CompileOptions,
    ) -> Result<Prediction> {
        guarded(self.backend, || {
            self.inner.predict(program, topology, &self.with_edits(options))
        })
    }

    fn check_phase(&self, name: &str, options: &CompileOptions) -> Result<()> {
        guarded(self.backend, || {
            self.inner.check_phase(name, &self.with_edits(options))
        })
    }

    fn check_pipeline(&self, options: &CompileOptions) -> Result<()> {
        guarded(self.backend, || {
            self.inner.check_pipeline(&self.with_edits(options))
        })
    }
}

/// An executable whose panics become errors. Entries of a stream are guarded by the stream.
struct GuardedExecutable {
    backend: &'static str,
    inner: Box<dyn Executable>,
}

impl Executable for GuardedExecutable {
    fn signature(&self) -> &Signature {
        self.inner.signature()
    }

    fn device(&self) -> &Device {
        self.inner.device()
    }

    fn execute_into(
        &self,
        options: &ExecuteOptions<'_>,
        inputs: &[DeviceBuffer],
        outputs: &[DeviceBuffer],
    ) -> Result<()> {
        guarded(self.backend, || {
            self.inner.execute_into(options, inputs, outputs)
        })
    }

    fn execute(
        &self,
        options: &ExecuteOptions<'_>,
        inputs: &[DeviceBuffer],
    ) -> Result<Vec<DeviceBuffer>> {
        guarded(self.backend, || self.inner.execute(options, inputs))
    }

    fn finish_compilation(&self) -> bool {
        guarded(self.backend, || Ok(self.inner.finish_compilation())).unwrap_or_default()
    }

    fn on_device(&self, device: &Device) -> Result<Box<dyn Executable>> {
        let backend = self.backend;
        let inner = guarded(backend, || self.inner.on_device(device))?;
        Ok(Box::new(Self { backend, inner }))
    }

    fn is_enqueued_whole(&self) -> bool {
        guarded(self.backend, || Ok(self.inner.is_enqueued_whole())).unwrap_or_default()
    }

    fn temporary_bytes(&self) -> Option<usize> {
        guarded(self.backend, || Ok(self.inner.temporary_bytes())).unwrap_or_default()
    }

    fn allocate_outputs(&self) -> Result<Vec<DeviceBuffer>> {
        guarded(self.backend, || self.inner.allocate_outputs())
    }

    fn run_with(&self, options: &ExecuteOptions<'_>, inputs: &[Literal]) -> Result<Vec<Literal>> {
        guarded(self.backend, || self.inner.run_with(options, inputs))
    }
}
