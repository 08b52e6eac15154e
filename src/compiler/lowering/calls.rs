//! The functions that a program calls at run time: functions of the application, and programs that
//! it runs in parallel.

use super::Lowering;
use crate::session::cache::Stored;
use halo_backend::CompileOptions;
use halo_core::Position;
use halo_runtime::{
    CustomCallRegistry, CustomCallSite, Device, Error, Executable, Plan, PlanExecutable, Result,
    communication::run_parallel::{self, Executables, Programs, RUN_PARALLEL},
};
use std::sync::Arc;

impl Lowering<'_> {
    /// Loads a plan of this program on a device, after storing it in the cache, if there is one.
    ///
    /// # Errors
    /// Returns the errors of [`registry`](Self::registry), and an execution error if loading fails.
    pub fn load_plan(&self, plan: Plan, device: Device) -> Result<Box<dyn Executable>> {
        self.session.store(|| Stored::of_plan(&plan))?;
        let registry = self.registry(&plan.custom_calls)?;
        Ok(Box::new(PlanExecutable::load(plan, device, &registry)?))
    }

    /// The custom calls that the program may use, including handlers for programs that it runs in
    /// parallel, each compiled separately.
    ///
    /// # Errors
    /// Returns the errors of compiling these programs.
    pub fn registry(&self, sites: &[CustomCallSite]) -> Result<Arc<CustomCallRegistry>> {
        let sites = sites.iter().filter(|site| site.target == RUN_PARALLEL);
        let mut executables = Executables::new();
        for site in sites {
            let programs = Programs::from_attributes(&site.attributes).map_err(Error::internal)?;
            for name in programs.names() {
                if !executables.contains_key(name) {
                    let executable = Arc::from(self.compile_part(name, &site.location)?);
                    executables.insert(name.to_owned(), executable);
                }
            }
        }
        let custom_calls = &self.session.options.custom_calls;
        if executables.is_empty() {
            return Ok(Arc::clone(custom_calls));
        }
        let mut registry = (**custom_calls).clone();
        registry.register(RUN_PARALLEL, run_parallel::handler(executables));
        Ok(Arc::new(registry))
    }

    fn compile_part(&self, name: &str, location: &str) -> Result<Box<dyn Executable>> {
        let session = &self.session;
        let mut enclosing = session.enclosing.to_vec();
        enclosing.push(self.signature.name.clone());
        if enclosing.iter().any(|outer| outer == name) {
            let message = format!("'interpreter.run_parallel' op runs '{name}' inside of itself");
            return Err(Error::invalid_at(Position::parse(location), message));
        }
        let options = CompileOptions {
            entry: Some(name.to_owned()),
            dump_dir: session.options.dump_dir.as_ref().map(|dir| dir.join(name)),
            // Its processes are a separate grid.
            partitioning: None,
            external_constants: false,
            record: None,
            ..session.options.clone()
        };
        (self.compile_part)(session.program, &options, &enclosing)
    }
}
