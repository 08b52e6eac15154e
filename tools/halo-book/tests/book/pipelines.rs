//! The pages of backends: their phases, with the passes of each.

use crate::{Generated, cell, passes};
use halo::{
    compiler::{
        backends,
        pipelines::{Phase, c, cpu, cuda, emulator, interpreter},
    },
    ir::{
        pass::PassDeclaration,
        pipeline::{PassReference, Pipeline, ScheduledPass, Step},
    },
    runtime::{Backend, Registry},
};
use libtest_mimic::Failed;
use std::fmt::Write;

/// The backends in the order of the book, with the target that the options of passes on a page are
/// for, if they depend on one: the target of [`halo-opt`'s
/// pipelines](halo::compiler::pipelines::register_pipelines).
fn backends() -> Vec<(&'static str, &'static str, Vec<Phase>)> {
    let gpu = cuda::Parameters::reference();
    let kernels = cuda::kernel_phases(&gpu);
    let emulated = kernels.into_iter().chain(emulator::phases(false));
    vec![
        (
            "cpu",
            "a processor with vectors of 256 bits",
            cpu::phases(&cpu::Parameters::REFERENCE),
        ),
        ("cuda", "`sm_90`", cuda::phases(&gpu)),
        ("cuda-emulator", "kernels of `cuda`", emulated.collect()),
        ("c", "", c::phases()),
        ("interpreter", "", interpreter::phases()),
    ]
}

pub fn generate(pages: &mut Generated) -> Result<(), Failed> {
    let mut registry = Registry::new();
    backends::register(&mut registry);
    let mut index = String::from(
        "# Pipelines\n\nEach backend is a list of phases, and each phase a list of passes. \
         `--compile-to=`, `--emit=` and `--dump-dir=` take the names of phases; \
         `halo-opt --halo-cpu-phase-hlo` and its like run one of them. What stands behind the \
         phases with passes is made of the last module: artifacts, such as assembly. \
         [backends.md](../backends.md#the-pipeline-of-another-backend) says how passes are inserted, \
         replaced and removed.\n",
    );
    for (name, target, phases) in backends() {
        let backend = registry.backend(name).map_err(|error| error.to_string())?;
        write!(
            index,
            "\n## [`{name}`]({name}.md)\n\n{}.\n\n| phase | the program after it |\n|---|---|\n",
            sentence(backend.summary)
        )?;
        for phase in &*backend.compiler.description().phases {
            let name_of = if phases.iter().any(|known| known.name == phase.name) {
                format!("[`{0}`]({name}.md#{0})", phase.name)
            } else {
                format!("`{}`", phase.name)
            };
            writeln!(index, "| {name_of} | {} |", cell(&phase.summary))?;
        }
        let page = page(backend, target, &phases)?;
        pages.insert(format!("docs/pipelines/{name}.md"), page);
    }
    pages.insert("docs/pipelines/index.md".to_owned(), index);
    Ok(())
}

/// A text with a capital first letter.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

fn page(backend: &Backend, target: &str, phases: &[Phase]) -> Result<String, Failed> {
    let name = backend.name;
    let mut text = format!("# The backend `{name}`\n\n{}.", sentence(backend.summary));
    match target {
        "" => text.push('\n'),
        target => writeln!(text, " The options of passes below are those for {target}.")?,
    }
    let options = backend.compiler.description().options;
    if !options.is_empty() {
        text.push_str("\n| `--backend-option=` | values, the default first | |\n|---|---|---|\n");
        for option in options {
            let values: Vec<String> =
                option.values.iter().map(|value| format!("`{value}`")).collect();
            writeln!(
                text,
                "| `{}` | {} | {} |",
                option.name,
                values.join(", "),
                cell(option.summary)
            )?;
        }
    }
    for phase in phases {
        write!(text, "\n## {}\n\n{}.\n\n", phase.name, phase.summary)?;
        steps(&mut text, &phase.pipeline, 0)?;
    }
    let artifacts = backend.compiler.description().phases.iter();
    let artifacts = artifacts.filter(|known| {
        known.name != "input" && phases.iter().all(|phase| phase.name != known.name)
    });
    let artifacts: Vec<String> = artifacts
        .map(|artifact| format!("- `{}`: {}\n", artifact.name, artifact.summary))
        .collect();
    if !artifacts.is_empty() {
        write!(text, "\n## Artifacts\n\n{}", artifacts.concat())?;
    }
    Ok(text)
}

/// The passes as a list; passes on nested ops are nested lists.
fn steps(text: &mut String, pipeline: &Pipeline, indent: usize) -> Result<(), Failed> {
    for (position, step) in pipeline.steps.iter().enumerate() {
        let number = position + 1;
        match step {
            Step::Pass(pass) => {
                writeln!(text, "{:indent$}{number}. {}", "", scheduled(pass)?)?;
            }
            Step::Nested { anchor, pipeline } => {
                writeln!(text, "{:indent$}{number}. on each `{anchor}`:", "")?;
                steps(text, pipeline, indent + 4)?;
            }
        }
    }
    Ok(())
}

fn scheduled(pass: &ScheduledPass) -> Result<String, Failed> {
    let name = pass.name();
    let link = match &pass.pass {
        PassReference::Declared(declaration) => passes::link(declaration)?,
        PassReference::Upstream(name) => format!("https://mlir.llvm.org/docs/Passes/#-{name}"),
    };
    let options: Vec<String> =
        pass.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    Ok(if options.is_empty() {
        format!("[`{name}`]({link})")
    } else {
        format!("[`{name}`]({link}) `{}`", options.join(" "))
    })
}

/// Links from the page of a pass to the phases that run it.
pub fn users_of(pass: &'static PassDeclaration) -> Vec<String> {
    let mut users = Vec::new();
    for (name, _, phases) in backends() {
        for phase in phases.iter().filter(|phase| runs(&phase.pipeline, pass)) {
            users.push(format!(
                "[{name}/{0}](../pipelines/{name}.md#{0})",
                phase.name
            ));
        }
    }
    users
}

fn runs(pipeline: &Pipeline, pass: &'static PassDeclaration) -> bool {
    pipeline.steps.iter().any(|step| match step {
        Step::Pass(scheduled) => match scheduled.pass {
            PassReference::Declared(declared) => declared.argument == pass.argument,
            PassReference::Upstream(_) => false,
        },
        Step::Nested { pipeline, .. } => runs(pipeline, pass),
    })
}
