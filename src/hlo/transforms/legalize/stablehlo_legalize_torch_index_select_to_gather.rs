//! `--stablehlo-legalize-torch-index-select-to-gather`: converts `torch_index_select` to `gather`.
//!
//! The selected dimension is collapsed; the first `batch_dims` dimensions of the operand and of the
//! index are batching dimensions.
//!
//! ```mlir
//! %0 = "stablehlo.torch_index_select"(%a, %i) <{dim = 1 : i64, batch_dims = 0 : i64}>
//!        : (tensor<4x5xf32>, tensor<3xi32>) -> tensor<4x3xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = "stablehlo.gather"(%a, %i) <{
//!        dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1],
//!                                              start_index_map = [1], index_vector_dim = 1>,
//!        slice_sizes = array<i64: 4, 1>
//!      }> : (tensor<4x5xf32>, tensor<3xi32>) -> tensor<4x3xf32>
//! ```

use halo_ir::{apply_without_folding, prelude::*, stablehlo::attributes::GatherDimensionNumbers};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "stablehlo-legalize-torch-index-select-to-gather",
    "Express torch_index_select by gather",
    |pass| apply_without_folding(pass, &patterns()),
)
.dependent_dialects(&["stablehlo"]);

fn patterns() -> Vec<Pattern<'static>> {
    vec![Pattern::new::<stablehlo::TorchIndexSelectOp>(select)]
}

fn select<'c>(b: &Builder<'c>, op: stablehlo::TorchIndexSelectOp<'c>) -> RewriteResult {
    let (operand, index) = (op.operand(), op.index());
    let invalid = |message: &str| RewriteError::Invalid(format!("torch_index_select {message}"));
    let sizes = operand
        .ty()
        .static_shape()
        .ok_or_else(|| invalid("is supported on operands of static shape only"))?;
    let rank = sizes.len() as i64;
    let index_rank =
        index.ty().shape().ok_or_else(|| no_match("a tensor is unranked"))?.len() as i64;
    // Both may be negative.
    let mut dim = op.dim();
    let mut batch = op.batch_dims();
    if dim < 0 {
        dim += rank;
    }
    if batch < 0 {
        batch += index_rank;
    }
    if !(0..rank).contains(&dim) || batch < 0 || batch > dim || batch > index_rank {
        return Err(invalid(
            "needs 'batch_dims' up to 'dim', and 'dim' to be a dimension",
        ));
    }
    let selected = index_rank - batch;
    let batches: Vec<i64> = (0..batch).collect();
    let numbers = GatherDimensionNumbers {
        offset_dims: (batch..dim).chain(dim + selected..rank - 1 + selected).collect(),
        collapsed_slice_dims: vec![dim],
        operand_batching_dims: batches.clone(),
        start_indices_batching_dims: batches,
        start_index_map: vec![dim],
        index_vector_dim: index_rank,
    };
    let slice: Vec<i64> = (0..rank)
        .zip(&sizes)
        .map(|(dimension, size)| {
            if dimension < batch || dimension == dim {
                1
            } else {
                *size
            }
        })
        .collect();
    let new = stablehlo::GatherOp::build(b, operand, index, &numbers, &slice)
        .result_types(&[op.result().ty()])
        .value();
    b.replace_merged(op.operation(), new)
}
