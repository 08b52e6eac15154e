//! What a crate adds to Halo.

use halo_compiler::{backends, pipelines::Edits};
use halo_hlo::interpreter::{AlreadyEvaluated, Evaluate, register_evaluation};
use halo_ir::{
    dialect::{self, DeclarationError, DialectDeclaration},
    pass::{AlreadyRegistered, PassDeclaration, PipelineError, register_pass, register_pipeline},
    pipeline::Pipeline,
    translate::TranslationDeclaration,
};
use halo_runtime::{
    Backend, CustomCallRegistry, Environment, Error as RuntimeError, Registry,
    custom_call::{CustomCall, Handler},
};
use std::sync::Arc;
use thiserror::Error;

/// Dialects, passes, pipelines, backends and edits of their pipelines, custom calls and
/// translations that a crate adds to Halo's own.
///
/// The main functions of the tools take one, as [`opt::main`](crate::opt::main) does. A
/// library calls [`install`](Self::install).
///
/// `docs/first_pass.md` makes a tool with one.
#[derive(Clone, Default)]
pub struct Plugin {
    /// The name in messages and in help; empty where a tool of Halo adds passes, which help
    /// lists with Halo's own.
    pub name: &'static str,
    /// Its version, which `--version` of a tool prints.
    pub version: &'static str,
    /// Dialects that are declared in Rust.
    pub dialects: Vec<&'static DialectDeclaration>,
    /// What the interpreter computes for ops of these, by their names.
    pub evaluations: Vec<(&'static str, Evaluate)>,
    /// Passes, which all pipelines can name.
    pub passes: Vec<&'static PassDeclaration>,
    /// Pipelines, which `halo-opt` offers as options.
    pub pipelines: Vec<NamedPipeline>,
    /// Backends. One with the name of an existing backend replaces it.
    pub backends: Vec<Backend>,
    /// Changes to the pipelines of backends, by the names of these.
    pub edits: Vec<(&'static str, Edits)>,
    /// Functions that `stablehlo.custom_call` may name, beside Halo's own.
    pub custom_calls: Vec<(&'static str, Handler)>,
    /// Formats that `halo-translate` reads or writes.
    pub translations: Vec<&'static TranslationDeclaration>,
}

/// A pipeline under a name of its own.
#[derive(Clone, Debug)]
pub struct NamedPipeline {
    /// The name, without leading dashes.
    pub argument: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// The passes, for the body of a module.
    pub pipeline: Pipeline,
}

/// Why a plug-in cannot be installed.
#[derive(Clone, Debug, Error)]
pub enum PluginError {
    /// A dialect has a name that is taken, or its declaration is wrong.
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
    /// A pass or a pipeline has a name that is taken.
    #[error("plug-in '{plugin}': {error}")]
    AlreadyRegistered {
        plugin: &'static str,
        error: AlreadyRegistered,
    },
    /// A pipeline gives a pass an option that it does not have, or runs it on another op
    /// than it declares.
    #[error("plug-in '{plugin}': pipeline '{pipeline}': {error}")]
    Pipeline {
        plugin: &'static str,
        pipeline: &'static str,
        error: PipelineError,
    },
    /// A backend has a name that cannot be written, or an edit names something that the
    /// backend does not have.
    #[error("plug-in '{plugin}': {error}")]
    Backend {
        plugin: &'static str,
        error: RuntimeError,
    },
}

impl Plugin {
    /// A plug-in that adds nothing yet.
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

    /// Adds what the interpreter computes for an op of a dialect of the plug-in.
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

    /// Adds a backend, or replaces the one of its name.
    #[must_use]
    pub fn backend(mut self, backend: Backend) -> Self {
        self.backends.push(backend);
        self
    }

    /// Changes the pipeline of a backend, the plug-in's own or Halo's.
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

    /// Adds Halo's own passes, and what the plug-in has, to the registries of the program,
    /// and returns what programs are compiled by and may call. A program installs a
    /// plug-in once.
    ///
    /// # Errors
    /// If a pass or a pipeline has a name that is taken, a pipeline or an edit of one names
    /// something that is not there, or a backend has a bad name.
    pub fn install(&self) -> Result<Environment, PluginError> {
        Self::install_all(std::slice::from_ref(self))
    }

    /// Installs several plug-ins, in their order: each can use and replace what those before
    /// it add.
    ///
    /// # Errors
    /// As [`install`](Self::install).
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
