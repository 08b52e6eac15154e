//! The extensions that a crate adds to Halo.

use halo_backend::{Backend, Environment, Registry};
use halo_compiler::{backends, pipelines::Edits};
use halo_hlo::interpreter::{AlreadyEvaluated, Evaluate, register_evaluation};
use halo_ir::{
    dialect::{self, DeclarationError, DialectDeclaration},
    pass::{AlreadyRegistered, PassDeclaration, PipelineError, register_pass, register_pipeline},
    pipeline::Pipeline,
    translate::TranslationDeclaration,
};
use halo_runtime::{
    CustomCallRegistry, Error as RuntimeError,
    custom_call::{CustomCall, Handler},
};
use std::sync::Arc;
use thiserror::Error;

/// Dialects, passes, pipelines, backends and edits of their pipelines, custom calls and
/// translations that a crate adds to Halo.
///
/// The main functions of the tools take a plug-in, as [`opt::main`](crate::opt::main) does. A
/// library calls [`install`](Self::install).
///
/// `docs/first_pass.md` builds a tool with one.
#[derive(Clone, Default)]
pub struct Plugin {
    /// The name in messages and in help; empty if a tool of Halo adds passes, which help lists with
    /// Halo's.
    pub name: &'static str,
    /// Its version, which `--version` of a tool prints.
    pub version: &'static str,
    /// Dialects that are declared in Rust.
    pub dialects: Vec<&'static DialectDeclaration>,
    /// The interpreter's functions for ops of these dialects, by op name.
    pub evaluations: Vec<(&'static str, Evaluate)>,
    /// Passes, which all pipelines can name.
    pub passes: Vec<&'static PassDeclaration>,
    /// Pipelines, which `halo-opt` offers as options.
    pub pipelines: Vec<NamedPipeline>,
    /// Backends. One with the name of an existing backend replaces it.
    pub backends: Vec<Backend>,
    /// Changes to the pipelines of backends, by the names of these.
    pub edits: Vec<(&'static str, Edits)>,
    /// Functions that `stablehlo.custom_call` may name, in addition to Halo's.
    pub custom_calls: Vec<(&'static str, Handler)>,
    /// Formats that `halo-translate` reads or writes.
    pub translations: Vec<&'static TranslationDeclaration>,
}

/// A named pipeline.
#[derive(Clone, Debug)]
pub struct NamedPipeline {
    /// The name, without leading dashes.
    pub argument: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// The passes, for the body of a module.
    pub pipeline: Pipeline,
}

/// The reason for which a plug-in cannot be installed.
#[derive(Clone, Debug, Error)]
pub enum PluginError {
    /// The name of a dialect is already registered, or its declaration is invalid.
    #[error("plug-in '{plugin}': {error}")]
    Dialect {
        plugin: &'static str,
        error: DeclarationError,
    },
    /// The interpreter evaluates an op already.
    #[error("plug-in '{plugin}': {error}")]
    Evaluation {
        plugin: &'static str,
        error: AlreadyEvaluated,
    },
    /// The name of a pass or a pipeline is already registered.
    #[error("plug-in '{plugin}': {error}")]
    AlreadyRegistered {
        plugin: &'static str,
        error: AlreadyRegistered,
    },
    /// A pipeline sets an unsupported option of a pass, or runs it on another op than it declares.
    #[error("plug-in '{plugin}': pipeline '{pipeline}': {error}")]
    Pipeline {
        plugin: &'static str,
        pipeline: &'static str,
        error: PipelineError,
    },
    /// The name of a backend is invalid, or an edit names an item that the backend does not have.
    #[error("plug-in '{plugin}': {error}")]
    Backend {
        plugin: &'static str,
        error: RuntimeError,
    },
}

impl Plugin {
    /// An empty plug-in.
    #[must_use]
    pub fn new(name: &'static str, version: &'static str) -> Self {
        Self {
            name,
            version,
            ..Self::default()
        }
    }

    /// Adds a dialect that is declared in Rust.
    #[must_use]
    pub fn dialect(mut self, dialect: &'static DialectDeclaration) -> Self {
        self.dialects.push(dialect);
        self
    }

    /// Adds the interpreter's function for an op of a dialect of the plug-in.
    #[must_use]
    pub fn evaluation(mut self, op: &'static str, evaluate: Evaluate) -> Self {
        self.evaluations.push((op, evaluate));
        self
    }

    /// Adds a pass.
    #[must_use]
    pub fn pass(mut self, pass: &'static PassDeclaration) -> Self {
        self.passes.push(pass);
        self
    }

    /// Adds a pipeline under a name.
    #[must_use]
    pub fn pipeline(
        mut self,
        argument: &'static str,
        summary: &'static str,
        pipeline: Pipeline,
    ) -> Self {
        self.pipelines.push(NamedPipeline {
            argument,
            summary,
            pipeline,
        });
        self
    }

    /// Adds a backend, or replaces the one with its name.
    #[must_use]
    pub fn backend(mut self, backend: Backend) -> Self {
        self.backends.push(backend);
        self
    }

    /// Edits the pipeline of a backend, the plug-in's or Halo's.
    #[must_use]
    pub fn edit(mut self, backend: &'static str, edits: Edits) -> Self {
        self.edits.push((backend, edits));
        self
    }

    /// Adds a function that `stablehlo.custom_call` may name.
    #[must_use]
    pub fn custom_call(
        mut self,
        name: &'static str,
        handler: impl Fn(&mut CustomCall<'_>) -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.custom_calls.push((name, Arc::new(handler)));
        self
    }

    /// Adds a format of `halo-translate`.
    #[must_use]
    pub fn translation(mut self, translation: &'static TranslationDeclaration) -> Self {
        self.translations.push(translation);
        self
    }

    /// Adds Halo's passes, and the plug-in's extensions, to the registries of the process, and
    /// returns the environment of programs. A process installs a plug-in once.
    ///
    /// # Errors
    /// Returns an error if a pass or a pipeline has a name that is taken, a pipeline or an edit of
    /// one names an item that does not exist, or a backend has an invalid name.
    pub fn install(&self) -> Result<Environment, PluginError> {
        Self::install_all(std::slice::from_ref(self))
    }

    /// Installs several plug-ins, in their order: each can use and replace the extensions of
    /// earlier ones.
    ///
    /// # Errors
    /// Returns the errors of [`install`](Self::install).
    pub fn install_all(plugins: &[Self]) -> Result<Environment, PluginError> {
        halo_compiler::register_passes();
        let mut registry = Registry::new();
        backends::register(&mut registry);
        let mut custom_calls = CustomCallRegistry::default();
        for plugin in plugins {
            plugin.register_ir()?;
            plugin.add_backends(&mut registry)?;
            for (name, handler) in &plugin.custom_calls {
                let handler = Arc::clone(handler);
                custom_calls.register(*name, move |call| handler(call));
            }
        }
        Ok(Environment {
            registry,
            custom_calls: Arc::new(custom_calls),
        })
    }

    /// Registers the dialects, the passes and the pipelines.
    fn register_ir(&self) -> Result<(), PluginError> {
        let plugin = self.name;
        for dialect in &self.dialects {
            dialect::register(dialect).map_err(|error| PluginError::Dialect { plugin, error })?;
        }
        for (op, evaluate) in &self.evaluations {
            register_evaluation(op, *evaluate)
                .map_err(|error| PluginError::Evaluation { plugin, error })?;
        }
        let taken = |error| PluginError::AlreadyRegistered { plugin, error };
        for pass in &self.passes {
            register_pass(pass).map_err(taken)?;
        }
        for named in &self.pipelines {
            let pipeline = named.argument;
            named.pipeline.check().map_err(|error| PluginError::Pipeline {
                plugin,
                pipeline,
                error,
            })?;
            register_pipeline(pipeline, named.summary, &named.pipeline).map_err(taken)?;
        }
        Ok(())
    }

    /// Adds the backends, and applies the edits.
    fn add_backends(&self, registry: &mut Registry) -> Result<(), PluginError> {
        let plugin = self.name;
        let wrong = |error| PluginError::Backend { plugin, error };
        for backend in &self.backends {
            registry.replace(backend.clone()).map_err(wrong)?;
        }
        for (name, edits) in &self.edits {
            let edited = registry.backend(name).and_then(|backend| edits.apply_to(backend));
            registry.replace(edited.map_err(wrong)?).map_err(wrong)?;
        }
        Ok(())
    }
}
