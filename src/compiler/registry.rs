//! Every pass and pipeline of the compiler, in alphabetical order.

use crate::pipelines;
use halo_hlo::transforms;
use halo_ir::{
    context_pool::ContextPool,
    pass::{PassDeclaration, register_pass},
};
use melior::Context;
use std::sync::{LazyLock, Once};

/// The pass lists of the code generation crates, each in alphabetical order.
static CODE: &[&[&PassDeclaration]] = &[
    halo_codegen::PASSES,
    #[cfg(feature = "gpu-emulator")]
    halo_gpu_emulator::PASSES,
];

/// All passes of the compiler, in alphabetical order of their arguments.
pub static PASSES: LazyLock<Vec<&PassDeclaration>> = LazyLock::new(|| {
    let mut passes = [transforms::PASSES, &CODE.concat()].concat();
    passes.sort_by_key(|pass| pass.argument);
    passes
});

/// Adds upstream's and Halo's passes and pipelines to the global registry, once.
pub fn register_passes() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        halo_hlo::register_passes();
        for declaration in CODE.iter().copied().flatten() {
            // It replaces a pass that was registered under this name before.
            let _ = register_pass(declaration);
        }
        pipelines::register_pipelines();
    });
}

/// The contexts of compilations.
pub(crate) static CONTEXTS: ContextPool = ContextPool::new(context);

/// A context with the dialects of programs, and the passes on them.
pub fn context() -> Context {
    register_passes();
    halo_hlo::context()
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo_lit_tests::passes::missing;
    use std::path::Path;

    #[test]
    fn passes_are_in_alphabetical_order() {
        for list in [transforms::PASSES].iter().chain(CODE) {
            let names: Vec<&str> = list.iter().map(|pass| pass.argument).collect();
            assert!(names.is_sorted(), "{names:?}");
        }
        assert!(PASSES.windows(2).all(|two| two[0].argument != two[1].argument));
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

    #[test]
    fn passes_have_a_file_and_a_lit_test() {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for pass in PASSES.iter() {
            assert_eq!(missing(&sources, pass.argument), None);
        }
    }
}
