//! Reproducers of passes that crash, panic or leave invalid IR.
//!
//! A crash may happen at any time, so the reproducer is prepared before passes run: the program at
//! the beginning of the first phase, with the passes of all phases. If a pass fails and the process
//! continues, its passes are run again, one by one, and the file has the program before the failing
//! pass, and only that pass.
//!
//! A pass that rejects a program writes none: that is an error in the program.

use crate::{pipelines::Phase, registry::CONTEXTS};
use halo_backend::{Program, ReproducerOptions};
use halo_ir::OperationExt;
use halo_ir::{OwnedModule, pipeline::Pipeline, reproducer::CrashWatch};
use halo_runtime::Error;
use melior::ir::Module;

/// The maximum size of a program, whose text is printed before its passes run.
const MOST_BYTES: usize = 1 << 20;

/// The program at its first phase, and the passes since then.
pub struct Reproducer<'a> {
    options: &'a ReproducerOptions,
    program: String,
    /// The phases that have begun or follow, pass by pass.
    passes: Vec<Pipeline>,
    /// The passes as text.
    pipeline: String,
}

impl<'a> Reproducer<'a> {
    /// Records a program, if it is small enough, and reproducers are enabled.
    pub fn of(
        options: Option<&'a ReproducerOptions>,
        source: &Program,
        module: &Module<'_>,
    ) -> Option<Self> {
        let options = options.filter(|_| source.code.len() <= MOST_BYTES)?;
        Some(Self {
            options,
            program: module.as_operation().to_string(),
            passes: Vec::new(),
            pipeline: String::new(),
        })
    }

    /// Watches for crashes in phases, until the returned value is dropped.
    pub fn watch<'p>(&mut self, phases: impl Iterator<Item = &'p Phase>) -> Option<CrashWatch> {
        for pass in phases.flat_map(Phase::passes).map(|part| part.pipeline) {
            if !self.passes.is_empty() {
                self.pipeline.push(',');
            }
            self.pipeline.push_str(&pass.to_string());
            self.passes.push(pass);
        }
        self.watch_for(&self.program, &self.pipeline)
    }

    /// Writes the reproducer, if the error is a fault of a pass.
    pub fn note(&self, watch: Option<CrashWatch>, error: &Error) {
        let Some(watch) = watch.filter(|_| is_fault(error)) else {
            return;
        };
        match self.failing_pass() {
            Some((program, pass)) => {
                drop(watch);
                if let Some(watch) = self.watch_for(&program, &pass.to_string()) {
                    watch.write();
                }
            }
            // The failure does not occur again.
            None => watch.write(),
        }
    }

    fn watch_for(&self, program: &str, pipeline: &str) -> Option<CrashWatch> {
        let path = self.options.path.to_string_lossy();
        CrashWatch::start(&self.options.tool, &path, &text(program, pipeline))
    }

    /// The first pass that fails on its program, and that program.
    fn failing_pass(&self) -> Option<(String, Pipeline)> {
        let program = Program {
            name: "reproducer".to_owned(),
            code: self.program.clone().into_bytes(),
        };
        let bytes = program.code.len();
        let module = OwnedModule::in_context_of(&CONTEXTS, bytes, |context| {
            halo_frontend::parse(context, &program)
        });
        let mut module = module.ok()?;
        for pass in &self.passes {
            let before = module.module().as_operation().to_string();
            let run = module.edit(|context, module| halo_hlo::run_pipeline(context, module, pass));
            let is_valid = || OperationExt::verify(module.operation());
            if run.is_err() || !is_valid() {
                return Some((before, pass.clone()));
            }
        }
        None
    }
}

/// Returns true if an error is an internal error.
fn is_fault(error: &Error) -> bool {
    let says = |text: &str| text.contains("internal error");
    match error {
        Error::Internal(_) => true,
        Error::InvalidInput { diagnostics, .. } => {
            diagnostics.iter().any(|error| says(&error.message))
        }
        other => says(&other.to_string()),
    }
}

/// A program and the passes that `halo-opt --run-reproducer` runs on it.
fn text(program: &str, pipeline: &str) -> String {
    let pipeline = pipeline.replace('\\', "\\5C").replace('"', "\\22");
    format!(
        "{program}\n{{-#\n  external_resources: {{\n    mlir_reproducer: {{\n      pipeline: \
         \"builtin.module({pipeline})\",\n      disable_threading: true,\n      verify_each: \
         true\n    }}\n  }}\n#-}}\n"
    )
}
