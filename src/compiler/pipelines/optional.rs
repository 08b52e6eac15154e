//! Passes without which every program compiles, to slower code: optimizations.

use halo_codegen::{
    cleanup::{canonicalize, cse},
    cpu, fusion,
};
use halo_hlo::transforms::{collectives, simplify};
use halo_ir::pass::PassDeclaration;

/// The passes of the backends that can be removed.
pub static OPTIONAL: &[&PassDeclaration] = &[
    &collectives::asynchronous_collectives::PASS,
    &collectives::combine_collectives::PASS,
    &collectives::decompose_all_reduces::PASS,
    &collectives::hoist_collectives::PASS,
    &simplify::split_long_sums::PASS,
    &simplify::stablehlo_aggressive_simplification::PASS,
    &simplify::while_loop_unroller::PASS,
    &fusion::duplicate_producers::PASS,
    &fusion::fold_add_into_dest::PASS,
    &fusion::fold_unit_reshapes::PASS,
    &fusion::form_fusion_groups::PASS,
    &fusion::fuse_contraction_chains::PASS,
    &fusion::fuse_contraction_operands::PASS,
    &fusion::fuse_elementwise::PASS,
    &fusion::fuse_gathers::PASS,
    &fusion::fuse_multi_output::PASS,
    &fusion::generalize_insertions::PASS,
    &fusion::rematerialize::PASS,
    &fusion::split_concatenations::PASS,
    &fusion::split_reductions::PASS,
    &fusion::uplift_while_to_for::PASS,
    &cpu::fuse_parallel_loops::PASS,
    &cpu::lower_contractions::PASS,
    &cpu::nontemporal_stores::PASS,
    &cpu::split_entries::PASS,
    &cpu::split_kernels::PASS,
    &cpu::vectorize_loops::PASS,
];

/// Passes that can be removed for most programs. Loops of unknown bounds and scans of unknown sizes
/// are among the others.
pub static CLEANUP: &[&PassDeclaration] = &[&canonicalize::PASS, &cse::PASS];

/// Returns true if a list has a pass of a name.
pub fn has(list: &[&PassDeclaration], name: &str) -> bool {
    list.iter().any(|pass| pass.argument == name)
}
