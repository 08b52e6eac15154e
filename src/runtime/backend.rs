//! Backends by name, and platforms by name for compiled programs.

use std::sync::Arc;

use crate::{Compiler, Device, Error, Platform, Result, TransferManager};

/// The parts that compile for a platform and run there.
#[derive(Clone)]
pub struct Backend {
    /// As in `--backend=`.
    pub name: &'static str,
    /// One line: the platform and the method of execution.
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

/// A platform without a compiler.
struct Runner {
    platform: Arc<dyn Platform>,
    transfer_manager: Arc<dyn TransferManager>,
}

/// The backends of an application. The first one registered is the default.
///
/// An application that only runs [plans](crate::Plan) registers platforms in
/// their place.
#[derive(Default)]
pub struct Registry {
    backends: Vec<Backend>,
    runners: Vec<Runner>,
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

    /// Adds a platform for plans, or replaces the one of the same name in its
    /// place. Those of backends need not be added.
    pub fn register_platform(
        &mut self,
        platform: Arc<dyn Platform>,
        transfer_manager: Arc<dyn TransferManager>,
    ) {
        let runner = Runner {
            platform,
            transfer_manager,
        };
        let name = runner.platform.name();
        match (self.runners.iter_mut()).find(|present| present.platform.name() == name) {
            Some(present) => *present = runner,
            None => self.runners.push(runner),
        }
    }

    /// All platforms, each name once: those added for plans, then those of
    /// backends.
    pub fn platforms(&self) -> Vec<&Arc<dyn Platform>> {
        let mut platforms: Vec<&Arc<dyn Platform>> = Vec::new();
        for (platform, _) in self.with_transfer_managers() {
            if !platforms
                .iter()
                .any(|known| known.name() == platform.name())
            {
                platforms.push(platform);
            }
        }
        platforms
    }

    /// A device of the platform of this name.
    ///
    /// # Errors
    /// Invalid input that lists the platforms, or the platform's error
    /// for the device.
    pub fn device(&self, platform: &str, ordinal: usize) -> Result<Device> {
        let found = self
            .with_transfer_managers()
            .find(|(candidate, _)| candidate.name() == platform);
        let (platform, transfer_manager) = found.ok_or_else(|| {
            let platforms = self.platforms();
            let names: Vec<&str> = platforms.iter().map(|platform| platform.name()).collect();
            Error::invalid(format!(
                "unknown platform '{platform}'; there are: {}",
                names.join(", ")
            ))
        })?;
        Ok(Device {
            executor: platform.executor(ordinal)?,
            transfer_manager: Arc::clone(transfer_manager),
        })
    }

    fn with_transfer_managers(
        &self,
    ) -> impl Iterator<Item = (&Arc<dyn Platform>, &Arc<dyn TransferManager>)> {
        let runners = self.runners.iter();
        let own = runners.map(|runner| (&runner.platform, &runner.transfer_manager));
        let backends = self.backends.iter();
        own.chain(backends.map(|backend| (&backend.platform, &backend.transfer_manager)))
    }

    /// All backends in the order of registration.
    pub fn backends(&self) -> &[Backend] {
        &self.backends
    }

    /// Their names, as messages and help list them.
    pub fn backend_names(&self) -> String {
        let names: Vec<&str> = self.backends.iter().map(|backend| backend.name).collect();
        names.join(", ")
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
                let names = self.backend_names();
                Error::invalid(format!("unknown backend '{name}'; there are: {names}"))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::{HostPlatform, HostTransferManager};
    use crate::{CompileOptions, Executable, PhaseDescription, Program};
    use std::borrow::Cow;

    struct NoCompiler;

    impl Compiler for NoCompiler {
        fn phases(&self) -> &[PhaseDescription] {
            &[
                PhaseDescription {
                    name: Cow::Borrowed("parse"),
                    summary: Cow::Borrowed("the program as read"),
                },
                PhaseDescription {
                    name: Cow::Borrowed("object"),
                    summary: Cow::Borrowed("machine code"),
                },
            ]
        }

        fn compile(&self, program: &Program, _: &CompileOptions) -> Result<Box<dyn Executable>> {
            Err(Error::invalid(format!("{} is not compiled", program.name)))
        }

        fn compile_to(&self, _: &Program, phase: &str, _: &CompileOptions) -> Result<String> {
            self.phase(phase)
                .map(|phase| phase.summary.clone().into_owned())
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
    fn platforms_by_name() {
        let mut registry = Registry::new();
        let message = |registry: &Registry| registry.device("cuda", 0).err().unwrap().to_string();
        assert_eq!(message(&registry), "unknown platform 'cuda'; there are: ");
        registry.register(backend("cpu", "first"));
        assert_eq!(
            registry.device("host", 0).unwrap().executor.platform(),
            "host"
        );
        for _ in 0..2 {
            let host = Arc::new(HostPlatform::new());
            registry.register_platform(host, Arc::new(HostTransferManager));
        }
        assert_eq!(registry.platforms().len(), 1);
        assert_eq!(
            message(&registry),
            "unknown platform 'cuda'; there are: host"
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
