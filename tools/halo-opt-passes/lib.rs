//! Passes that only `halo-opt` has: no pipeline runs them, and no other tool is linked with them.
//!
//! Some process StableHLO's test ops or show inferred types, the others convert programs from and
//! for other compilers. An opt-like tool of another repository adds [`PASSES`] to its
//! `halo::Plugin`.

pub mod hlo_test_broadcast;
pub mod hlo_test_infer;
pub mod hlo_test_speculatability;
pub mod interpreter_instrument_with_probe;
pub mod stablehlo_check_shape_assertions;
pub mod stablehlo_compatibility_expander;
pub mod stablehlo_convert_to_signless;
pub mod stablehlo_legalize_qdq_to_quantized_op;
pub mod stablehlo_legalize_quantized_op_to_qdq;
pub mod stablehlo_target_independent_optimization;
pub mod test_infer;

use halo_ir::pass::PassDeclaration;

/// The passes, in alphabetical order of their arguments.
pub static PASSES: &[&PassDeclaration] = &[
    &test_infer::PASS,
    &hlo_test_broadcast::PASS,
    &hlo_test_infer::PASS,
    &hlo_test_speculatability::PASS,
    &interpreter_instrument_with_probe::PASS,
    &stablehlo_check_shape_assertions::PASS,
    &stablehlo_compatibility_expander::PASS,
    &stablehlo_convert_to_signless::PASS,
    &stablehlo_legalize_qdq_to_quantized_op::PASS,
    &stablehlo_legalize_quantized_op_to_qdq::PASS,
    &stablehlo_target_independent_optimization::PASS,
];

#[cfg(test)]
mod tests {
    use super::PASSES;
    use halo_lit_tests::passes::missing;
    use halo_shared as _;
    use std::path::Path;

    #[test]
    fn passes_are_in_alphabetical_order() {
        let names: Vec<&str> = PASSES.iter().map(|pass| pass.argument).collect();
        assert!(names.is_sorted(), "{names:?}");
    }

    #[test]
    fn passes_have_a_file_and_a_lit_test() {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR"));
        for pass in PASSES {
            assert_eq!(missing(sources, pass.argument), None);
            let heading = format!("//! `--{}`", pass.argument);
            assert!(pass.source.starts_with(&heading), "{heading}");
        }
    }
}
