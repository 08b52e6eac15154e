//! Every pass and pipeline of Halo, in alphabetical order.

use crate::pipelines;
use halo_hlo::transforms;
use halo_ir::{
    context_pool::ContextPool,
    pass::{PassDeclaration, register_pass},
};
use melior::Context;
use std::sync::{LazyLock, Once};

/// The lists of the crates that make code, each in alphabetical order.
static CODE: &[&[&PassDeclaration]] = &[
    halo_codegen::PASSES,
    #[cfg(feature = "gpu-emulator")]
    halo_gpu_emulator::PASSES,
];

/// All passes of Halo, in alphabetical order of their arguments.
pub static PASSES: LazyLock<Vec<&PassDeclaration>> = LazyLock::new(|| {
    let mut passes = [transforms::PASSES, &CODE.concat()].concat();
    passes.sort_by_key(|pass| pass.argument);
    passes
});

/// Adds upstream's and Halo's passes and pipelines to the program-wide
/// registry, once.
pub fn register_passes() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        halo_hlo::register_passes();
        for declaration in CODE.iter().copied().flatten() {
            // A pass that was registered under this name before replaces it.
            let _ = register_pass(declaration);
        }
        pipelines::register_pipelines();
    });
}

/// The contexts that programs are compiled in.
pub(crate) static CONTEXTS: ContextPool = ContextPool::new(context);

/// A context that knows the dialects of programs, and the passes on them.
pub fn context() -> Context {
    register_passes();
    halo_hlo::context()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn passes_are_in_alphabetical_order() {
        for list in [transforms::PASSES].iter().chain(CODE) {
            let names: Vec<&str> = list.iter().map(|pass| pass.argument).collect();
            assert!(names.is_sorted(), "{names:?}");
        }
        assert!(
            PASSES
                .windows(2)
                .all(|two| two[0].argument != two[1].argument)
        );
    }

    #[test]
    fn passes_say_what_they_do() {
        for pass in PASSES.iter() {
            assert!(
                pass.summary.len() > 20,
                "--{} has no summary",
                pass.argument
            );
            for option in pass.options {
                assert!(
                    option.description.len() > 10,
                    "option {} of --{} has no description",
                    option.name,
                    pass.argument
                );
            }
        }
    }

    /// One pass, one file, one lit test, one stem; and the file's documentation
    /// shows the pass's name and IR.
    #[test]
    fn passes_have_a_file_and_a_lit_test() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let sources = root.join("src");
        for pass in PASSES.iter() {
            let source = find(&sources, pass.argument, "rs")
                .unwrap_or_else(|| panic!("no file of its name documents --{}", pass.argument));
            assert!(
                source.contains("//! ```mlir"),
                "the documentation of --{} shows no IR",
                pass.argument
            );
            assert!(
                find(&root.join("lit-tests"), pass.argument, "mlir").is_some(),
                "no lit test of its name runs --{}",
                pass.argument
            );
        }
    }

    /// What the files of a pass are called: `expand_math.rs` and `expand_math.mlir` for
    /// `--halo-expand-math`.
    fn stem(argument: &str) -> String {
        let name = argument.strip_prefix("halo-").unwrap_or(argument);
        name.replace('-', "_")
    }

    /// The text of the file, named after the pass or in a folder that is, that begins
    /// with the pass's documentation or has a RUN line with the pass.
    fn find(folder: &Path, argument: &str, extension: &str) -> Option<String> {
        let stem = stem(argument);
        folder.read_dir().ok()?.flatten().find_map(|entry| {
            let path = entry.path();
            if path.is_dir() {
                return find(&path, argument, extension);
            }
            let named = [path.file_stem(), folder.file_name()].contains(&Some(stem.as_ref()));
            if !named || path.extension()? != extension {
                return None;
            }
            let text = std::fs::read_to_string(path).ok()?;
            let found = match extension {
                "rs" => text.starts_with(&format!("//! `--{argument}`")),
                _ => text.lines().any(|line| {
                    line.starts_with("// RUN:")
                        && line
                            .split([' ', '(', ')', ',', '{', '='])
                            .any(|word| word.trim_start_matches('-').trim_matches('"') == argument)
                }),
            };
            found.then_some(text)
        })
    }
}
