//! The interface that a backend implements.

use super::{super::specialization::is_dynamic, Lowering, Stored};
use crate::pipelines::Phase;
use halo_runtime::{
    BackendOption, CompileOptions, Device, Error, Executable, Plan, Result, host::HostPlatform,
    object_code::CodeForm,
};
use melior::ir::Module;

/// A device that phases compile for.
///
/// A value is the target of one compilation, returned by [`configured`](Self::configured) of the
/// registered target.
pub trait Target: Clone + Send + Sync + 'static {
    /// The phases in order. Their names do not depend on the target.
    fn phases(&self) -> Vec<Phase>;

    /// Makes the executable of a program of static shapes: [`run_phases`](Lowering::run_phases),
    /// and then target-specific code generation.
    ///
    /// # Errors
    /// Returns the errors of the phases, or an execution error if loading fails.
    fn executable(&self, lowering: Lowering<'_, Self>) -> Result<Box<dyn Executable>>;

    /// The device of executables; by default, the host.
    ///
    /// # Errors
    /// Returns an execution error if there is no such device.
    fn device(&self) -> Result<Device> {
        Ok(HostPlatform::device())
    }

    /// Returns the target for the options of a compilation; by default, the same.
    ///
    /// # Errors
    /// Returns invalid input for an unsupported option.
    fn configured(&self, _options: &CompileOptions) -> Result<Self> {
        Ok(self.clone())
    }

    /// The target for object files, which run in another process; by default, the same.
    #[must_use]
    fn for_objects(self) -> Self {
        self
    }

    /// Creates the state that threads need to compile, so that the first program does not wait for
    /// it. Does nothing by default.
    ///
    /// # Errors
    /// Returns the errors of a compilation.
    fn warm_up(&self, _options: &CompileOptions) -> Result<()> {
        Ok(())
    }

    /// The baseline tier: a target that compiles faster and gives the same results, for the first
    /// occurrence of a shape. By default there is none, and all code is fully optimized.
    fn quick(&self) -> Option<Self> {
        None
    }

    /// The supported options of [`CompileOptions::backend`].
    fn options(&self) -> &'static [BackendOption] {
        &[]
    }

    /// Artifacts after the phases that can be printed as text, such as assembly: name and summary.
    fn artifacts(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// One of the [`artifacts`](Self::artifacts) of a module after all phases.
    ///
    /// # Errors
    /// Returns an execution error if it cannot be generated.
    fn artifact(&self, _lowering: &mut Lowering<'_, Self>, name: &str) -> Result<String> {
        Err(Error::internal(format!("'{name}' is not made")))
    }

    /// Other inputs of the code than the program, [`CompileOptions::backend`] and
    /// [`CompileOptions::no_constant_folding`], as text: the processor, or the generation of
    /// devices. A target that returns one has its executables in the
    /// [cache](CompileOptions::cache), if there is one: the data that
    /// [`executable`](Self::executable) passes to [`Lowering::store`] is passed to
    /// [`restored`](Self::restored).
    fn cache_identity(&self) -> Option<String> {
        None
    }

    /// Makes the executable from its cache entry, and binds its custom calls.
    ///
    /// # Errors
    /// Returns an error if the entry cannot be restored; the program is compiled then.
    fn restored(&self, _stored: Stored, _options: &CompileOptions) -> Result<Box<dyn Executable>> {
        Err(Error::internal("the target keeps no executables"))
    }

    /// Returns true if the target makes plans.
    fn makes_plans(&self) -> bool {
        false
    }

    /// Makes the plan of a program of static shapes, including phases.
    ///
    /// # Errors
    /// Like [`executable`](Self::executable); returns an error if the target makes no plans.
    fn plan(&self, _lowering: &mut Lowering<'_, Self>) -> Result<Plan> {
        Err(Error::invalid("the backend makes no plans"))
    }

    /// Implements [`Compiler::targets`](halo_runtime::Compiler::targets).
    ///
    /// # Errors
    /// Returns invalid input for an unknown system, or if the target generates no machine code.
    fn targets(&self, _triple: Option<&str>) -> Result<String> {
        Err(Error::invalid("the backend makes no machine code"))
    }

    /// The form of the output of [`object`](Self::object); `None` if it is unsupported.
    fn code_form(&self) -> Option<CodeForm> {
        None
    }

    /// Generates the code of a program of static shapes, including phases: the function `symbol`
    /// ([`EntryPoint`](halo_runtime::host::abi::EntryPoint)).
    ///
    /// # Errors
    /// Like [`executable`](Self::executable); returns an error if the target makes no objects.
    fn object(&self, _lowering: &mut Lowering<'_, Self>, _symbol: &str) -> Result<Vec<u8>> {
        Err(Error::invalid("the backend makes no object files"))
    }

    /// A description of the processor of an object file, for readers.
    fn object_target(&self, _options: &CompileOptions) -> String {
        String::new()
    }

    /// Returns true if a program is compiled at run time, once per input shape; by default, if it
    /// has a dynamic shape.
    fn specializes(&self, module: &Module) -> bool {
        is_dynamic(module)
    }
}
