//! Every pass and pipeline of Halo, in alphabetical order.

use crate::{codegen, conversion, passes, pipelines, semantics};
use halo_ir::pass::{PassDeclaration, register_pass, register_upstream_passes};
use std::sync::Once;

/// The passes, in alphabetical order of their arguments.
pub static PASSES: &[&PassDeclaration] = &[
    &passes::batch_norm_expander::PASS,
    &passes::chlo_legalize_to_stablehlo::PASS,
    &passes::halo_align_bounded_operands::PASS,
    &codegen::buffer_assignment::PASS,
    &codegen::bufferize::PASS,
    &codegen::destination_passing::PASS,
    &codegen::detensorize::PASS,
    &codegen::gpu::emulate_kernels::PASS,
    &codegen::expand_bf16::PASS,
    &passes::halo_expand_communication::PASS,
    &codegen::expand_math::PASS,
    &codegen::gpu::expand_remainder::PASS,
    &codegen::gpu::finish_kernels::PASS,
    &passes::halo_flatten_tuples::PASS,
    &codegen::fuse_elementwise::PASS,
    &codegen::gpu::contractions::PASS,
    &codegen::gpu::host_code_to_kernels::PASS,
    &codegen::insert_tensor_copies::PASS,
    &codegen::gpu::kernel_entries::PASS,
    &codegen::gpu::linalg_to_kernels::PASS,
    &codegen::linalg_to_loops::PASS,
    &codegen::gpu::lower_bf16_mma::PASS,
    &codegen::lower_contractions::PASS,
    &codegen::gpu::lower_kernel_math::PASS,
    &codegen::runtime_abi::PASS,
    &codegen::outline_kernels::PASS,
    &codegen::gpu::spill_scalars::PASS,
    &passes::halo_test_infer::PASS,
    &codegen::uplift_while_to_for::PASS,
    &codegen::widen_bool_memory::PASS,
    &passes::hlo_legalize_to_stablehlo::PASS,
    &passes::hlo_test_broadcast::PASS,
    &passes::hlo_test_infer::PASS,
    &passes::hlo_test_speculatability::PASS,
    &passes::interpreter_instrument_with_probe::PASS,
    &passes::rng_bit_generator_expander::PASS,
    &passes::set_dimension_size_expander::PASS,
    &passes::shape_legalize_to_stablehlo::PASS,
    &passes::stablehlo_aggressive_folder::PASS,
    &passes::stablehlo_aggressive_simplification::PASS,
    &passes::stablehlo_canonicalize_dynamism::PASS,
    &passes::stablehlo_check_shape_assertions::PASS,
    &passes::stablehlo_compatibility_expander::PASS,
    &passes::stablehlo_complex_math_expander::PASS,
    &passes::stablehlo_convert_to_signless::PASS,
    &passes::stablehlo_legalize_composite_to_call::PASS,
    &passes::stablehlo_legalize_deprecated_ops::PASS,
    &passes::stablehlo_legalize_einsum_to_dot_general::PASS,
    &passes::stablehlo_legalize_qdq_to_quantized_op::PASS,
    &passes::stablehlo_legalize_quant_to_math::PASS,
    &passes::stablehlo_legalize_quantized_op_to_qdq::PASS,
    &conversion::stablehlo_to_linalg::PASS,
    &passes::stablehlo_legalize_torch_index_select_to_gather::PASS,
    &passes::stablehlo_refine_arguments::PASS,
    &passes::stablehlo_refine_shapes::PASS,
    &passes::stablehlo_target_independent_optimization::PASS,
    &passes::stablehlo_wrap_in_composite::PASS,
];

/// Adds upstream's and Halo's passes and pipelines to the program-wide
/// registry, once.
pub fn register_passes() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        semantics::install();
        register_upstream_passes();
        for declaration in PASSES {
            register_pass(declaration);
        }
        pipelines::register_pipelines();
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn passes_are_in_alphabetical_order() {
        let names: Vec<&str> = PASSES.iter().map(|pass| pass.argument).collect();
        assert!(names.is_sorted(), "{names:?}");
    }

    #[test]
    fn passes_say_what_they_do() {
        for pass in PASSES {
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
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for pass in PASSES {
            let source = find(root, pass.argument, "rs")
                .unwrap_or_else(|| panic!("no source file documents --{}", pass.argument));
            assert!(
                source.contains("//! ```mlir"),
                "the documentation of --{} shows no IR",
                pass.argument
            );
            assert!(
                find(&root.join("../../lit-tests"), pass.argument, "mlir").is_some(),
                "no lit test runs --{}",
                pass.argument
            );
        }
    }

    /// The text of a file that begins with the pass's documentation or has a RUN
    /// line with the pass.
    fn find(folder: &Path, argument: &str, extension: &str) -> Option<String> {
        folder.read_dir().ok()?.flatten().find_map(|entry| {
            let path = entry.path();
            if path.is_dir() {
                return find(&path, argument, extension);
            }
            if path.extension()? != extension {
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
