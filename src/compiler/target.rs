//! The interface that a backend implements.

use crate::{lowering::Lowering, pipelines::Phase, session::cache::Stored, specialization};
use halo_backend::{BackendOption, CompileOptions, object_code::CodeForm};
use halo_runtime::{Device, Error, Executable, Plan, PlanExecutable, Result, host::HostPlatform};
use melior::ir::Module;

/// A device that phases compile for.
///
/// [`phases`](Self::phases) and [`executable`](Self::executable) suffice for a device. A value is
/// the target of one compilation, returned by [`configured`](Self::configured) of the registered
/// target.
pub trait Target: Clone + Send + Sync + 'static {
    /// The phases in order. Their names do not depend on the target.
    fn phases(&self) -> Vec<Phase>;

    /// Makes the executable of a program of static shapes: [`run_phases`](Lowering::run_phases),
    /// and then target-specific code generation.
    ///
    /// # Errors
    /// Returns the errors of the phases, or an execution error if loading fails.
    fn executable(&self, lowering: Lowering<'_>) -> Result<Box<dyn Executable>>;

    /// The supported options of [`CompileOptions::backend`].
    fn options(&self) -> &'static [BackendOption] {
        &[]
    }

    /// Returns the target for the options of a compilation; by default, the same.
    ///
    /// # Errors
    /// Returns invalid input for an unsupported option.
    fn configured(&self, _options: &CompileOptions, _purpose: Purpose) -> Result<Self> {
        Ok(self.clone())
    }

    /// The baseline tier: a target that compiles faster and gives the same results, for the first
    /// occurrence of a shape. By default there is none, and all code is fully optimized.
    fn baseline(&self) -> Option<Self> {
        None
    }

    /// The device of executables; by default, the host.
    ///
    /// # Errors
    /// Returns an execution error if there is no such device.
    fn device(&self) -> Result<Device> {
        Ok(HostPlatform::device())
    }

    /// Texts of a module after all phases, such as assembly.
    fn artifacts(&self) -> &'static [Artifact<Self>] {
        &[]
    }

    /// The generator of plans, if executables are plans.
    fn plans(&self) -> Option<&dyn PlanGenerator> {
        None
    }

    /// The generator of code that applications link, if there is such code.
    fn objects(&self) -> Option<&dyn ObjectGenerator> {
        None
    }

    /// Other inputs of the code than the program, [`CompileOptions::backend`] and
    /// [`CompileOptions::no_constant_folding`], as text: the processor, or the generation of
    /// devices. A target that returns one has its executables in the
    /// [cache](CompileOptions::cache), if there is one: the data that
    /// [`executable`](Self::executable) passes to [`Session::store`](crate::Session::store) is
    /// passed to [`restored`](Self::restored).
    fn cache_identity(&self) -> Option<String> {
        None
    }

    /// Makes the executable from its cache entry, and binds its custom calls; by default, from a
    /// plan, which [`Lowering::load_plan`] has stored.
    ///
    /// # Errors
    /// Returns an error if the entry cannot be restored; the program is compiled then.
    fn restored(&self, stored: Stored, options: &CompileOptions) -> Result<Box<dyn Executable>> {
        let (plan, device) = (stored.into_plan()?, self.device()?);
        let executable = PlanExecutable::load(plan, device, &options.custom_calls)?;
        Ok(Box::new(executable))
    }

    /// Returns true if programs can call functions of the host anywhere.
    fn calls_host(&self) -> bool {
        true
    }

    /// Returns true if a program is compiled at run time, once per input shape; by default, if it
    /// has a dynamic shape.
    fn specializes(&self, module: &Module) -> bool {
        !self.compiles_all_shapes() && specialization::is_dynamic(module)
    }

    /// Returns true if the code of a program of dynamic shape is for all shapes.
    fn compiles_all_shapes(&self) -> bool {
        false
    }

    /// Creates the state that threads need to compile, so that the first program does not wait for
    /// it. Does nothing by default.
    ///
    /// # Errors
    /// Returns the errors of a compilation.
    fn warm_up(&self, _options: &CompileOptions) -> Result<()> {
        Ok(())
    }
}

/// The purpose of a compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// An executable, or text for readers.
    Run,
    /// An object file, which runs in another process.
    Object,
}

/// A text of a module after all phases, such as assembly.
pub struct Artifact<T> {
    /// The name in `--compile-to=`.
    pub name: &'static str,
    /// One line about the text.
    pub summary: &'static str,
    /// Generates the text; fails with an execution error if it cannot.
    pub text: fn(&T, &mut Lowering<'_>) -> Result<String>,
}

/// Generates plans.
pub trait PlanGenerator {
    /// Makes the plan of a program of static shapes, including phases.
    ///
    /// # Errors
    /// Like [`Target::executable`].
    fn plan(&self, lowering: &mut Lowering<'_>) -> Result<Plan>;
}

/// Generates code that applications link.
pub trait ObjectGenerator {
    /// The form of the code.
    fn form(&self) -> CodeForm;

    /// Generates the code of a program of static shapes, including phases: the function `symbol`
    /// ([`EntryPoint`](halo_runtime::host::abi::EntryPoint)).
    ///
    /// # Errors
    /// Like [`Target::executable`].
    fn object(&self, lowering: &mut Lowering<'_>, symbol: &str) -> Result<Vec<u8>>;

    /// A description of the processor of the code, for readers.
    fn description(&self, options: &CompileOptions) -> String;

    /// Implements [`Compiler::targets`](halo_backend::Compiler::targets).
    ///
    /// # Errors
    /// Returns invalid input for an unknown system, or if the code is not machine code.
    fn targets(&self, _triple: Option<&str>) -> Result<String> {
        Err(Error::invalid("the backend makes no machine code"))
    }
}
