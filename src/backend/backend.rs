//! Backends by name.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use halo_runtime::host::{HostPlatform, HostTransferManager};
use halo_runtime::{Device, Error, Platform, Platforms, Result, TransferManager};

use crate::guard::GuardedCompiler;
use crate::{CompileOptions, Compiler, PipelineEdit};

/// The components that compile for a platform and run there.
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
    /// A backend that runs on the host: its executables are, for example,
    /// [`HostFunctionExecutable`](halo_runtime::host::HostFunctionExecutable)s.
    pub fn host(
        name: &'static str,
        summary: &'static str,
        compiler: impl Compiler + 'static,
    ) -> Self {
        Self {
            name,
            summary,
            platform: Arc::new(HostPlatform::new()),
            compiler: Arc::new(compiler),
            transfer_manager: Arc::new(HostTransferManager),
        }
    }

    /// Returns the backend with edits to its pipeline, which are applied before
    /// [`CompileOptions::pipeline_edits`].
    ///
    /// # Errors
    /// Returns the errors of [`Compiler::check_pipeline`].
    pub fn with_edits(&self, edits: Vec<PipelineEdit>) -> Result<Self> {
        let compiler = self.guarded(edits);
        compiler.check_pipeline(&CompileOptions::default())?;
        Ok(Self {
            compiler: Arc::new(compiler),
            ..self.clone()
        })
    }

    fn guarded(&self, edits: Vec<PipelineEdit>) -> GuardedCompiler {
        GuardedCompiler {
            backend: self.name,
            edits,
            inner: self.compiler.clone(),
        }
    }

    /// Checks that name and summary are valid on command lines and in lists.
    fn check_name(&self) -> Result<()> {
        let name = self.name;
        let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let of_name = |byte: u8| is_letter(byte) || matches!(byte, b'-' | b'_' | b'.');
        if !name.bytes().next().is_some_and(is_letter) || !name.bytes().all(of_name) {
            return Err(Error::invalid(format!(
                "'{}' cannot be the name of a backend: that is of lower-case letters, digits \
                 and hyphens",
                name.escape_debug()
            )));
        }
        if self.summary.trim().is_empty() || self.summary.contains('\n') {
            Err(Error::invalid(format!(
                "the summary of backend '{name}' must be one line"
            )))
        } else {
            Ok(())
        }
    }

    /// Returns true if this machine has a device of the platform. A program can be compiled without
    /// one.
    pub fn has_device(&self) -> bool {
        self.platform.device_count() > 0
    }
}

/// The backends of an application. The first one registered is the default.
///
/// An application that only runs [plans](halo_runtime::Plan) has [`Platforms`] instead.
#[derive(Default)]
pub struct Registry {
    backends: Vec<Backend>,
    /// Platforms for plans.
    platforms: Platforms,
    lacking: Vec<LackingBackend>,
    families: Vec<Family>,
    /// The backends of families by name, each loaded once.
    loaded: Mutex<Vec<&'static Backend>>,
}

/// Backends `NAME:FILE`, each in a file.
struct Family {
    name: &'static str,
    load: LoadBackend,
}

/// Loads the backend in a file.
type LoadBackend = fn(&Path) -> Result<Backend>;

/// A backend that this build lacks.
struct LackingBackend {
    name: &'static str,
    /// The way to build with it, for the end of a message.
    remedy: &'static str,
}

impl Registry {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a backend. Panics of its compiler and its executables become errors.
    ///
    /// # Errors
    /// Returns an invalid-input error if a backend has its name, or it has no proper name.
    pub fn register(&mut self, backend: Backend) -> Result<()> {
        let name = backend.name;
        if self.backends.iter().any(|present| present.name == name) {
            Err(Error::invalid(format!(
                "a backend '{name}' is registered already"
            )))
        } else {
            self.replace(backend)
        }
    }

    /// Replaces the backend of the same name, or adds one.
    ///
    /// # Errors
    /// Returns an invalid-input error if it has no proper name.
    pub fn replace(&mut self, backend: Backend) -> Result<()> {
        backend.check_name()?;
        let backend = Backend {
            compiler: Arc::new(backend.guarded(Vec::new())),
            ..backend
        };
        match self.backends.iter_mut().find(|present| present.name == backend.name) {
            Some(present) => *present = backend,
            None => self.backends.push(backend),
        }
        Ok(())
    }

    /// Names a backend that this build lacks, so that the error of [`backend`](Self::backend)
    /// explains how to build with it.
    pub fn lacks(&mut self, name: &'static str, remedy: &'static str) {
        self.lacking.push(LackingBackend { name, remedy });
    }

    /// Adds the backends `NAME:FILE`, which are loaded when [`backend`](Self::backend) names them, and
    /// stay loaded until the process ends.
    pub fn register_family(&mut self, name: &'static str, load: fn(&Path) -> Result<Backend>) {
        self.families.retain(|family| family.name != name);
        self.families.push(Family { name, load });
    }

    /// The backend of a family; `None` if the name is not of one.
    fn in_family(&self, name: &str) -> Result<Option<&Backend>> {
        let Some((family, file)) = name.split_once(':') else {
            return Ok(None);
        };
        let Some(family) = self.families.iter().find(|own| own.name == family) else {
            return Ok(None);
        };
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(backend) = loaded.iter().find(|backend| backend.name == name) {
            return Ok(Some(backend));
        }
        let backend = (family.load)(Path::new(file))?;
        let name = Box::leak(name.to_owned().into_boxed_str());
        let backend = Backend { name, ..backend };
        let compiler = Arc::new(backend.guarded(Vec::new()));
        let backend = Box::leak(Box::new(Backend {
            compiler,
            ..backend
        }));
        loaded.push(backend);
        Ok(Some(backend))
    }

    /// Adds a platform for plans, or replaces the platform of the same name. Platforms of
    /// registered backends need not be added.
    pub fn register_platform(
        &mut self,
        platform: Arc<dyn Platform>,
        transfer_manager: Arc<dyn TransferManager>,
    ) {
        self.platforms.register(platform, transfer_manager);
    }

    /// All platforms, each name once: first the platforms added for plans, then the platforms of
    /// backends.
    pub fn platforms(&self) -> Platforms {
        let mut platforms = self.platforms.clone();
        for Backend {
            platform,
            transfer_manager,
            ..
        } in &self.backends
        {
            platforms.register_if_absent(Arc::clone(platform), Arc::clone(transfer_manager));
        }
        platforms
    }

    /// A device of the platform of this name.
    ///
    /// # Errors
    /// Returns the errors of [`Platforms::device`].
    pub fn device(&self, platform: &str, ordinal: usize) -> Result<Device> {
        self.platforms().device(platform, ordinal)
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

    /// The backends that have a device in this machine.
    pub fn usable(&self) -> impl Iterator<Item = &Backend> {
        self.backends.iter().filter(|backend| backend.has_device())
    }

    /// The backend for programs that do not name one.
    ///
    /// # Errors
    /// Returns an invalid-input error if nothing is registered.
    pub fn default_backend(&self) -> Result<&Backend> {
        self.backends.first().ok_or_else(|| Error::invalid("this build has no backend"))
    }

    /// The backend of this name.
    ///
    /// # Errors
    /// Returns an invalid-input error that lists the backends; the error of loading one of a family.
    pub fn backend(&self, name: &str) -> Result<&Backend> {
        if let Some(backend) = self.in_family(name)? {
            return Ok(backend);
        }
        self.backends.iter().find(|backend| backend.name == name).ok_or_else(|| {
            let lacking = self.lacking.iter().find(|lacking| lacking.name == name);
            Error::invalid(match lacking {
                Some(LackingBackend { remedy, .. }) => {
                    format!("this build lacks the backend '{name}'; {remedy}")
                }
                None => {
                    let names = self.backend_names();
                    format!("unknown backend '{name}'; there are: {names}")
                }
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CompilerDescription, PhaseDescription, Program};
    use halo_core::Literal;
    use halo_runtime::host::HostFunctionExecutable;
    use halo_runtime::{DeviceBuffer, Executable, ExecuteOptions, Signature};
    use std::borrow::Cow;

    struct NoCompiler;

    impl Compiler for NoCompiler {
        fn description(&self) -> &CompilerDescription {
            static DESCRIPTION: CompilerDescription = CompilerDescription::of_phases(&[
                PhaseDescription {
                    name: Cow::Borrowed("parse"),
                    summary: Cow::Borrowed("the program as read"),
                },
                PhaseDescription {
                    name: Cow::Borrowed("object"),
                    summary: Cow::Borrowed("machine code"),
                },
            ]);
            &DESCRIPTION
        }

        fn compile(&self, program: &Program, _: &CompileOptions) -> Result<Box<dyn Executable>> {
            Err(Error::invalid(format!("{} is not compiled", program.name)))
        }

        fn compile_to(&self, _: &Program, phase: &str, _: &CompileOptions) -> Result<String> {
            self.phase(phase).map(|phase| phase.summary.clone().into_owned())
        }
    }

    fn backend(name: &'static str, summary: &'static str) -> Backend {
        Backend::host(name, summary, NoCompiler)
    }

    #[test]
    fn by_name_with_a_default() {
        let mut registry = Registry::new();
        assert!(registry.default_backend().is_err());
        registry.register(backend("cpu", "first")).unwrap();
        registry.register(backend("interpreter", "second")).unwrap();
        registry.replace(backend("cpu", "again")).unwrap();
        assert_eq!(registry.backends().len(), 2);
        assert_eq!(registry.default_backend().unwrap().summary, "again");
        assert_eq!(registry.backend("interpreter").unwrap().summary, "second");
        assert_eq!(
            registry.backend("tpu").err().unwrap().to_string(),
            "unknown backend 'tpu'; there are: cpu, interpreter"
        );
        registry.lacks("tpu", "'make tpu' builds it");
        assert_eq!(
            registry.backend("tpu").err().unwrap().to_string(),
            "this build lacks the backend 'tpu'; 'make tpu' builds it"
        );
        registry.register(backend("tpu", "third")).unwrap();
        assert_eq!(registry.backend("tpu").unwrap().summary, "third");
    }

    #[test]
    fn backends_of_a_family_are_loaded_once() {
        let mut registry = Registry::new();
        registry.register_family("file", |file| {
            let summary = if file == Path::new("a:b.so") {
                "right"
            } else {
                "wrong"
            };
            Ok(backend("any", summary))
        });
        let loaded = registry.backend("file:a:b.so").unwrap();
        assert_eq!((loaded.name, loaded.summary), ("file:a:b.so", "right"));
        assert!(std::ptr::eq(
            loaded,
            registry.backend("file:a:b.so").unwrap()
        ));
        assert!(registry.backend("other:a.so").is_err());
    }

    #[test]
    fn platforms_of_backends_follow_platforms_for_plans() {
        let mut registry = Registry::new();
        registry.register(backend("cpu", "first")).unwrap();
        let host = registry.device("host", 0).unwrap();
        assert_eq!(host.executor.platform(), "host");
        registry.register_platform(Arc::new(HostPlatform::new()), Arc::new(HostTransferManager));
        assert_eq!(registry.platforms().iter().count(), 1);
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

    #[test]
    fn names_are_checked() {
        let mut registry = Registry::new();
        let mut message = |name, summary| {
            let outcome = registry.register(backend(name, summary));
            outcome.err().map(|error| error.to_string())
        };
        assert_eq!(message("my-npu2", "first"), None);
        assert_eq!(
            message("my-npu2", "second").unwrap(),
            "a backend 'my-npu2' is registered already"
        );
        for name in ["", "My", "a b", "-x", "x\n"] {
            assert_eq!(
                message(name, "bad").unwrap(),
                format!(
                    "'{}' cannot be the name of a backend: that is of lower-case letters, \
                     digits and hyphens",
                    name.escape_debug()
                )
            );
        }
        for summary in ["", "two\nlines"] {
            assert_eq!(
                message("other", summary).unwrap(),
                "the summary of backend 'other' must be one line"
            );
        }
        assert_eq!(registry.backend_names(), "my-npu2");
    }

    /// Panics during compilation, or returns an executable that panics.
    struct Panicking;

    impl Compiler for Panicking {
        fn description(&self) -> &CompilerDescription {
            static DESCRIPTION: CompilerDescription = CompilerDescription::of_phases(&[]);
            &DESCRIPTION
        }

        fn compile(&self, program: &Program, _: &CompileOptions) -> Result<Box<dyn Executable>> {
            assert!(program.name != "bad", "no rule for '{}'", program.name);
            let signature = Signature {
                name: "main".to_owned(),
                inputs: Vec::new(),
                outputs: vec!["tensor<i64>".parse().unwrap()],
                ..Signature::default()
            };
            Ok(Box::new(Strange(HostFunctionExecutable::new(
                signature,
                |_| Ok(vec![Literal::scalar(7i64)]),
            ))))
        }

        fn compile_to(&self, _: &Program, _: &str, _: &CompileOptions) -> Result<String> {
            unreachable!("no phases")
        }
    }

    struct Strange(HostFunctionExecutable);

    impl Executable for Strange {
        fn signature(&self) -> &Signature {
            self.0.signature()
        }

        fn device(&self) -> &Device {
            self.0.device()
        }

        fn execute_into(
            &self,
            _: &ExecuteOptions<'_>,
            _: &[DeviceBuffer],
            _: &[DeviceBuffer],
        ) -> Result<()> {
            panic!("out of instructions")
        }
    }

    #[test]
    fn panics_of_backends_are_errors_that_name_them() {
        let mut registry = Registry::new();
        let backend = Backend::host("npu", "panics", Panicking);
        registry.register(backend).unwrap();
        let compiler = &registry.backend("npu").unwrap().compiler;
        let program = |name: &str| Program {
            name: name.to_owned(),
            code: Vec::new(),
        };
        let options = CompileOptions::default();
        let message = |result: Result<()>| result.unwrap_err().to_string();
        let compiled = compiler.compile(&program("bad"), &options);
        assert_eq!(
            message(compiled.map(drop)),
            "internal error: backend 'npu' panicked: no rule for 'bad'"
        );
        let text = compiler.compile_to(&program("good"), "x", &options);
        assert_eq!(
            message(text.map(drop)),
            "internal error: backend 'npu' panicked: internal error: entered unreachable code: \
             no phases"
        );
        let executable = compiler.compile(&program("good"), &options).unwrap();
        for _ in 0..2 {
            assert_eq!(
                message(executable.run(&[]).map(drop)),
                "internal error: backend 'npu' panicked: out of instructions"
            );
        }
    }

    #[test]
    fn backends_without_passes_refuse_edits() {
        let mut registry = Registry::new();
        registry.register(backend("npu", "a backend")).unwrap();
        let npu = registry.backend("npu").unwrap();
        let edits = vec![PipelineEdit::insert("hlo:cse").unwrap()];
        let refused = "--insert-passes=hlo:cse: the backend has no passes that can be named";
        let error = npu.with_edits(edits.clone()).err().unwrap();
        assert_eq!(error.to_string(), refused);
        let options = CompileOptions {
            pipeline_edits: edits,
            ..CompileOptions::default()
        };
        let program = Program {
            name: "a.mlir".to_owned(),
            code: Vec::new(),
        };
        let error = npu.compiler.compile(&program, &options).err().unwrap();
        assert_eq!(error.to_string(), refused);
    }
}
