//! Backends by name.

use std::sync::Arc;

use crate::{Compiler, Error, Platform, Result, TransferManager};

/// What it takes to compile for a platform and run there.
#[derive(Clone)]
pub struct Backend {
    /// As it stands in `--backend=`.
    pub name: &'static str,
    /// One line: what it runs on and how.
    pub summary: &'static str,
    pub platform: Arc<dyn Platform>,
    pub compiler: Arc<dyn Compiler>,
    pub transfer_manager: Arc<dyn TransferManager>,
}

impl Backend {
    /// Whether this machine has a device to run on. A program can be compiled
    /// without one.
    pub fn has_device(&self) -> bool {
        self.platform.device_count() > 0
    }
}

/// The backends of an application. The first one registered is the default.
#[derive(Default)]
pub struct Registry {
    backends: Vec<Backend>,
}

impl Registry {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a backend, or replaces the one of the same name in its place.
    pub fn register(&mut self, backend: Backend) {
        match self.backends.iter_mut().find(|b| b.name == backend.name) {
            Some(present) => *present = backend,
            None => self.backends.push(backend),
        }
    }

    /// All backends in the order of registration.
    pub fn backends(&self) -> &[Backend] {
        &self.backends
    }

    /// Those of the backends that have a device in this machine.
    pub fn usable(&self) -> impl Iterator<Item = &Backend> {
        self.backends.iter().filter(|backend| backend.has_device())
    }

    /// The backend that runs what names none.
    ///
    /// # Errors
    /// Invalid input if nothing is registered.
    pub fn default_backend(&self) -> Result<&Backend> {
        self.backends
            .first()
            .ok_or_else(|| Error::invalid("this build has no backend"))
    }

    /// The backend of this name.
    ///
    /// # Errors
    /// Invalid input that lists the backends there are.
    pub fn backend(&self, name: &str) -> Result<&Backend> {
        self.backends
            .iter()
            .find(|backend| backend.name == name)
            .ok_or_else(|| {
                let names: Vec<&str> = self.backends.iter().map(|b| b.name).collect();
                Error::invalid(format!(
                    "unknown backend '{name}'; there are: {}",
                    names.join(", ")
                ))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::{HostPlatform, HostTransferManager};
    use crate::{CompileOptions, Executable, PhaseDescription, Program};

    struct NoCompiler;

    impl Compiler for NoCompiler {
        fn phases(&self) -> &[PhaseDescription] {
            &[
                PhaseDescription {
                    name: "parse",
                    summary: "the program as read",
                },
                PhaseDescription {
                    name: "object",
                    summary: "machine code",
                },
            ]
        }

        fn compile(&self, program: &Program, _: &CompileOptions) -> Result<Box<dyn Executable>> {
            Err(Error::invalid(format!("{} is not compiled", program.name)))
        }

        fn compile_to(&self, _: &Program, phase: &str, _: &CompileOptions) -> Result<String> {
            self.phase(phase).map(|phase| phase.summary.to_owned())
        }
    }

    fn backend(name: &'static str, summary: &'static str) -> Backend {
        Backend {
            name,
            summary,
            platform: Arc::new(HostPlatform::new()),
            compiler: Arc::new(NoCompiler),
            transfer_manager: Arc::new(HostTransferManager),
        }
    }

    #[test]
    fn by_name_with_a_default() {
        let mut registry = Registry::new();
        assert!(registry.default_backend().is_err());
        registry.register(backend("cpu", "first"));
        registry.register(backend("interpreter", "second"));
        registry.register(backend("cpu", "again"));
        assert_eq!(registry.backends().len(), 2);
        assert_eq!(registry.default_backend().unwrap().summary, "again");
        assert_eq!(registry.backend("interpreter").unwrap().summary, "second");
        assert_eq!(
            registry.backend("tpu").err().unwrap().to_string(),
            "unknown backend 'tpu'; there are: cpu, interpreter"
        );
    }

    #[test]
    fn unknown_phases_list_the_known() {
        let program = Program {
            name: "a.mlir".to_owned(),
            code: Vec::new(),
        };
        let options = CompileOptions::default();
        let text = NoCompiler.compile_to(&program, "object", &options);
        assert_eq!(text.unwrap(), "machine code");
        let error = NoCompiler.compile_to(&program, "link", &options);
        assert_eq!(
            error.unwrap_err().to_string(),
            "unknown phase 'link'; there are: parse, object"
        );
    }
}
