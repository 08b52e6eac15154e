//! `--halo-duplicate-producers`: computes elementwise values again in each user, for devices on
//! which memory is slower than arithmetic.
//!
//! The rows of a softmax that do not fit into the fast memory of a block are stored between two
//! kernels, as are values that a sum over rows and a sum over columns read, since the two have
//! different blocks:
//!
//! ```mlir
//! %0 = linalg.generic ins(%x, %mean : tensor<64x100xf32>, tensor<64x1xf32>) { subf }
//! %1 = linalg.generic {iterator_types = ["parallel", "reduction"]} ins(%0) { addf }
//! %2 = linalg.generic {iterator_types = ["reduction", "parallel"]} ins(%0, %y) { mulf, addf }
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = linalg.generic ins(%x, %mean : tensor<64x100xf32>, tensor<64x1xf32>) { subf }
//! %1 = linalg.generic {iterator_types = ["parallel", "reduction"]} ins(%0) { addf }
//! %2 = linalg.generic ins(%x, %mean : tensor<64x100xf32>, tensor<64x1xf32>) { subf }
//! %3 = linalg.generic {iterator_types = ["reduction", "parallel"]} ins(%2, %y) { mulf, addf }
//! ```
//!
//! and `--halo-fuse-elementwise` fuses each copy into its user. An op is duplicated if it is short
//! and reads at most one operand of its size, so that its users read no more than before, if all
//! users can be fused with it, and if their reductions have different blocks or too large ones. It is
//! not if a sum over rows would then read an operand that is not by row, such as a scale, since
//! `--halo-form-fusion-groups` leaves out contractions.

use super::{
    blocks_around_loops,
    fuse_elementwise::{can_fuse_copy, reduces},
};
use crate::loops::elementwise::Elementwise;
use halo_ir::prelude::*;
use std::collections::HashSet;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// The bytes of a value that a block keeps for a reduction
        tile_bytes: u64 = 40960,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-duplicate-producers",
    "Compute elementwise values again in each of several reductions",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["linalg"])
.options::<Options>();

/// The maximal ops of a body that is cheaper to run again than to store its result.
const FEW_OPS: usize = 8;

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let options = pass.options::<Options>();
    for block in blocks_around_loops(pass.operation()) {
        // Users before producers, whose users are their copies, too.
        for op in block.operations().into_iter().rev() {
            if let Some(uses) = uses_to_split(op, &options) {
                for (user, number) in uses.into_iter().skip(1) {
                    let copy = with_builder(user, |b| b.clone_op(op, &mut ValueMap::new()));
                    user.set_operand(number, copy.results()[0]);
                }
            }
        }
    }
    Ok(())
}

/// The uses of an op if each should get a copy of it.
fn uses_to_split<'c>(op: Operation<'c>, options: &Options) -> Option<Vec<(Operation<'c>, usize)>> {
    let producer = Elementwise::of(op).filter(|_| op.results().len() == 1)?;
    let (result, uses) = (op.results()[0], op.results()[0].uses());
    let shape = result.ty().static_shape()?;
    let size = |value: &Value| value.ty().sizes().into_iter().fold(1, i64::saturating_mul);
    let is_large = |input: &&Value| size(input).saturating_mul(2) > size(&result);
    let is_short = producer.length() <= FEW_OPS
        && producer.inputs.iter().filter(is_large).count() <= 1
        && producer.has_empty_outputs()
        && !producer.reads_outputs();
    if uses.len() < 2 || !is_short {
        return None;
    }
    let mut reduced = HashSet::new();
    let mut largest = 0;
    for (user, number) in &uses {
        if user.block() != op.block() || !can_fuse_copy(op, *user, *number) {
            return None;
        }
        if reduces(*user) {
            let kinds = linalg::GenericOp::from_unchecked(*user).iterator_types();
            let map = user.indexing_map(*number)?;
            let is_reduced = |position: &usize| {
                super::dimension(&map, *position)
                    .is_some_and(|dim| kinds[dim] == IteratorType::Reduction)
            };
            let dims: Vec<usize> = (0..shape.len()).filter(is_reduced).collect();
            // The group of a sum over rows has all operands by row.
            let is_of_rows = dims.last().is_some_and(|dim| dim + 1 == shape.len());
            let is_by_row = |map: &AffineMap| {
                let mut rows =
                    (0..shape.len()).filter(|dim| !dims.contains(dim) && shape[*dim] > 1);
                map.result_count() == 0 || rows.all(|dim| super::position_of(map, dim).is_some())
            };
            if is_of_rows && !producer.maps[..producer.inputs.len()].iter().all(is_by_row) {
                return None;
            }
            let elements = dims.iter().map(|dim| shape[*dim]).fold(1, i64::saturating_mul);
            largest = largest.max(elements);
            reduced.insert(dims);
        }
    }
    let bytes = result.ty().element_type().byte_width()?.saturating_mul(largest as u64);
    (reduced.len() > 1 || bytes > options.tile_bytes).then_some(uses)
}
