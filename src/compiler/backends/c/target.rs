//! The target for C compilers: the phases, and the text of the last one.

use crate::{
    lowering::Lowering,
    pipelines::{Phase, c},
    target::{Artifact, ObjectGenerator, Purpose, Target},
};
use halo_backend::{
    CompileOptions, Specialize,
    object_code::{
        CodeForm, entry_symbol, loaded,
        runner::{self, Runner},
        sizes_symbol,
    },
};
use halo_codegen::c::lower_to_emitc::{PREAMBLE, entry_name, sizes_name};
use halo_ir::{emitc::to_c, prelude::*};
use halo_runtime::{Error, Executable, Result, host::HostExecutable};

/// A C compiler, and the runner of its programs.
#[derive(Clone)]
pub(super) struct CTarget {
    runner: Runner,
    /// Whether code of dynamic shape is for all shapes.
    is_for_all_shapes: bool,
}

/// The compiler command for this machine.
const NATIVE: [&str; 2] = ["cc", "-march=native"];

/// The name of the artifact.
const C: &str = "c";
/// The line of `--timing` of the C compiler.
const COMPILER: &str = "compiler";

impl Default for CTarget {
    fn default() -> Self {
        Self {
            runner: Runner {
                command: Vec::new(),
                linker: NATIVE.map(str::to_owned).to_vec(),
            },
            is_for_all_shapes: false,
        }
    }
}

impl Target for CTarget {
    fn phases(&self) -> Vec<Phase> {
        c::phases()
    }

    fn configured(&self, options: &CompileOptions, purpose: Purpose) -> Result<Self> {
        let processor = &options.processor;
        let given = [&processor.triple, &processor.cpu, &processor.features];
        if given.into_iter().any(Option::is_some) {
            return Err(Error::invalid(
                "the C compiler chooses the processor: give it its own options, such as \
                 --linker='cc -march=x86-64-v3'",
            ));
        }
        Ok(Self {
            runner: processor.runner.clone().unwrap_or_else(|| self.runner.clone()),
            is_for_all_shapes: options.specialize == Specialize::Never
                || purpose == Purpose::Object,
        })
    }

    fn compiles_all_shapes(&self) -> bool {
        self.is_for_all_shapes
    }

    fn artifacts(&self) -> &'static [Artifact<Self>] {
        &[Artifact {
            name: C,
            summary: "C11",
            text: |_, lowering| text(lowering),
        }]
    }

    fn executable(&self, mut lowering: Lowering<'_>) -> Result<Box<dyn Executable>> {
        let code = self.object(&mut lowering, &entry_symbol(runner::NAME))?;
        let code = lowering.take_object_code(runner::NAME, (CodeForm::C, code));
        let registry = lowering.registry(&code.custom_calls)?;
        let start = lowering.session.begin(COMPILER);
        let executable: Box<dyn Executable> = if self.runner.command.is_empty() {
            // SAFETY: The pass that generated the code follows the interface.
            let mut code = unsafe { loaded::load(code, &self.runner.linker)? };
            code.arena_largest = std::mem::take(&mut lowering.metadata.arena_largest);
            let threads = lowering.session.options.thread_count();
            // SAFETY: As above; signature, arena and call sites belong to the code.
            Box::new(unsafe { HostExecutable::new(code, threads, &registry)? })
        } else {
            self.runner.executable(code, &registry)?
        };
        let time = start.elapsed();
        lowering.session.report(COMPILER, time);
        lowering.session.record(|record| record.times.machine_code = time.as_secs_f64());
        Ok(executable)
    }

    fn objects(&self) -> Option<&dyn ObjectGenerator> {
        Some(self)
    }
}

impl ObjectGenerator for CTarget {
    fn form(&self) -> CodeForm {
        CodeForm::C
    }

    fn object(&self, lowering: &mut Lowering<'_>, symbol: &str) -> Result<Vec<u8>> {
        lowering.run_phases()?;
        let name = &lowering.signature.name;
        let rename = |function: &str, symbol: &str| {
            let function = lowering.function(function)?;
            function.set_attribute("sym_name", string_attribute(lowering.context(), symbol));
            Ok::<_, Error>(())
        };
        rename(&entry_name(name), symbol)?;
        if lowering.metadata.size_checks.is_some() {
            rename(&sizes_name(name), &sizes_symbol(symbol))?;
        }
        Ok(text(lowering)?.into_bytes())
    }

    fn description(&self, _options: &CompileOptions) -> String {
        "C11".to_owned()
    }
}

/// Prints the program, or emits diagnostics.
fn text(lowering: &mut Lowering<'_>) -> Result<String> {
    let start = lowering.session.begin(C);
    let text = to_c(lowering.module());
    let text = text.ok_or_else(|| Error::internal("the program was not printed as C"))?;
    let text = format!("{PREAMBLE}\n{text}");
    lowering.session.report(C, start.elapsed());
    lowering.session.dump((C, "c"), || text.clone())?;
    Ok(text)
}
