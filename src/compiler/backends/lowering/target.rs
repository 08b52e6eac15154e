//! What a backend implements to be compiled for by phases.

use super::{super::specialization::is_dynamic, Lowering, Stored};
use crate::pipelines::Phase;
use halo_runtime::{
    BackendOption, CompileOptions, Device, Error, Executable, Plan, Result, host::HostPlatform,
    object_code::CodeForm,
};
use melior::ir::Module;

/// A device, as a compiler by phases sees it.
///
/// A value is the target of one compilation: what [`configured`](Self::configured) makes
/// of the target that the backend is registered with.
pub trait Target: Clone + Send + Sync + 'static {
    /// The phases in their order. Their names do not depend on the target.
    fn phases(&self) -> Vec<Phase>;

    /// Makes the executable of a program of static shapes:
    /// [`run_phases`](Lowering::run_phases), and then whatever runs the module.
    ///
    /// # Errors
    /// Those of the phases; execution if loading fails.
    fn executable(&self, lowering: Lowering<'_, Self>) -> Result<Box<dyn Executable>>;

    /// Where executables run; by default, on the host.
    ///
    /// # Errors
    /// Execution if there is no such device.
    fn device(&self) -> Result<Device> {
        Ok(HostPlatform::device())
    }

    /// The target that the options of a compilation ask for; by default, the same.
    ///
    /// # Errors
    /// Invalid input for an option that it does not take.
    fn configured(&self, _options: &CompileOptions) -> Result<Self> {
        Ok(self.clone())
    }

    /// The target of the same code in object files, which another process runs; by default,
    /// the same.
    #[must_use]
    fn for_objects(self) -> Self {
        self
    }

    /// Makes what threads need before their first code, so that the first program does not
    /// wait for it. By default that is nothing.
    ///
    /// # Errors
    /// Those of a compilation.
    fn warm_up(&self, _options: &CompileOptions) -> Result<()> {
        Ok(())
    }

    /// The target of the same code, made quicker, for shapes that a program meets for the
    /// first time; the same results must come from it. By default there is none, and all code
    /// is fully optimized.
    fn quick(&self) -> Option<Self> {
        None
    }

    /// The options of [`CompileOptions::backend`] that it takes.
    fn options(&self) -> &'static [BackendOption] {
        &[]
    }

    /// What it makes behind the phases and can show as text, such as assembly: name and
    /// summary.
    fn artifacts(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// One of the [`artifacts`](Self::artifacts) of a module that went through all
    /// phases.
    ///
    /// # Errors
    /// Execution if it cannot be made.
    fn artifact(&self, _lowering: &mut Lowering<'_, Self>, name: &str) -> Result<String> {
        Err(Error::internal(format!("'{name}' is not made")))
    }

    /// What code depends on beside the program, [`CompileOptions::backend`] and
    /// [`CompileOptions::no_constant_folding`], as text: the processor, or the generation of
    /// devices. A target that returns one has its executables in the
    /// [cache](CompileOptions::cache), if there is one: what
    /// [`executable`](Self::executable) gives to [`Lowering::store`] comes back as
    /// [`restored`](Self::restored).
    fn cache_identity(&self) -> Option<String> {
        None
    }

    /// Makes the executable of what the cache kept, and binds its custom calls.
    ///
    /// # Errors
    /// If that fails; the program is compiled then.
    fn restored(&self, _stored: Stored, _options: &CompileOptions) -> Result<Box<dyn Executable>> {
        Err(Error::internal("the target keeps no executables"))
    }

    /// Whether it makes plans.
    fn makes_plans(&self) -> bool {
        false
    }

    /// Makes the plan of a program of static shapes, phases included.
    ///
    /// # Errors
    /// As [`executable`](Self::executable), and where it makes no plans.
    fn plan(&self, _lowering: &mut Lowering<'_, Self>) -> Result<Plan> {
        Err(Error::invalid("the backend makes no plans"))
    }

    /// The answer to [`Compiler::targets`](halo_runtime::Compiler::targets).
    ///
    /// # Errors
    /// Invalid input for an unknown system, and where it makes no machine code.
    fn targets(&self, _triple: Option<&str>) -> Result<String> {
        Err(Error::invalid("the backend makes no machine code"))
    }

    /// What [`object`](Self::object) makes; by default, nothing.
    fn code_form(&self) -> Option<CodeForm> {
        None
    }

    /// Makes the code of a program of static shapes, phases included: the function `symbol` ([`EntryPoint`](halo_runtime::host::abi::EntryPoint)).
    ///
    /// # Errors
    /// As [`executable`](Self::executable), and where it makes no objects.
    fn object(&self, _lowering: &mut Lowering<'_, Self>, _symbol: &str) -> Result<Vec<u8>> {
        Err(Error::invalid("the backend makes no object files"))
    }

    /// What an object file runs on, to be read.
    fn object_target(&self, _options: &CompileOptions) -> String {
        String::new()
    }

    /// Whether a program is to be compiled when its inputs are known, and anew for each
    /// shape of them; by default, if it has a dynamic shape.
    fn specializes(&self, module: &Module) -> bool {
        is_dynamic(module)
    }
}
