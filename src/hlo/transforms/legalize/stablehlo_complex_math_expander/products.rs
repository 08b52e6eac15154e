//! Matrix products of complex numbers as real ones, which have kernels with tiles of registers.
//!
//! With the parts of one operand side by side along the contracting dimension, and the other one as
//! a matrix of 2 x 2 blocks, one real product has both parts of the result:
//!
//! ```text
//!                 [  c  d ]
//! [ a  b ]   x    [ -d  c ]   =   [ ac - bd   ad + bc ]
//! ```
//!
//! The smaller operand becomes the blocks.

use crate::matchers::{ensure, static_shape};
use halo_ir::prelude::*;

/// Products with fewer multiplications per element that is rearranged are computed as they are.
const WORTHWHILE: i64 = 4;
/// Smaller products are computed as they are.
const SMALL: i64 = 1 << 16;

/// An operand of a product.
struct Factor<'c> {
    value: Value<'c>,
    sizes: Vec<i64>,
    /// The first contracting dimension.
    contracting: usize,
    /// The last dimension that is neither batched nor contracted.
    free: Option<usize>,
    /// The number of such dimensions.
    free_count: usize,
}

impl<'c> Factor<'c> {
    fn new(value: Value<'c>, batching: &[i64], contracting: &[i64]) -> RewriteResult<Self> {
        let sizes = static_shape(value.ty())?;
        let is_free = |dimension: &usize| {
            let dimension = *dimension as i64;
            !batching.contains(&dimension) && !contracting.contains(&dimension)
        };
        let free: Vec<usize> = (0..sizes.len()).filter(is_free).collect();
        let Some(contracting) = contracting.first() else {
            return Err(no_match("it has no sums"));
        };
        Ok(Self {
            value,
            sizes,
            contracting: *contracting as usize,
            free: free.last().copied(),
            free_count: free.len(),
        })
    }

    fn elements(&self) -> i64 {
        self.sizes.iter().product()
    }

    fn parts(&self, b: &Builder<'c>) -> [Value<'c>; 2] {
        [
            stablehlo::real(b, self.value),
            stablehlo::imag(b, self.value),
        ]
    }

    /// `[ a b ]`
    fn row(&self, b: &Builder<'c>) -> Value<'c> {
        stablehlo::concatenate(b, &self.parts(b), self.contracting as i64)
    }

    /// `[[ c d ] [ -d c ]]`
    fn blocks(&self, b: &Builder<'c>, free: usize) -> Value<'c> {
        let [real, imaginary] = self.parts(b);
        let negated = stablehlo::negate(b, imaginary);
        let row = |parts| stablehlo::concatenate(b, parts, free as i64);
        let rows = [row(&[real, imaginary]), row(&[negated, real])];
        stablehlo::concatenate(b, &rows, self.contracting as i64)
    }
}

/// Replaces a product of complex numbers by one of their parts.
pub fn rewrite<'c>(b: &Builder<'c>, op: stablehlo::DotGeneralOp<'c>) -> RewriteResult {
    let operands = [op.lhs(), op.rhs()];
    let are_complex = operands.iter().all(|operand| operand.ty().element_type().is_complex());
    ensure(are_complex, "it is not of complex numbers")?;
    let numbers = op.dot_dimension_numbers();
    let lhs = Factor::new(
        op.lhs(),
        &numbers.lhs_batching_dimensions,
        &numbers.lhs_contracting_dimensions,
    )?;
    let rhs = Factor::new(
        op.rhs(),
        &numbers.rhs_batching_dimensions,
        &numbers.rhs_contracting_dimensions,
    )?;
    let sizes = static_shape(op.result().ty())?;
    let elements: i64 = sizes.iter().product();
    let terms: i64 = numbers
        .lhs_contracting_dimensions
        .iter()
        .map(|dimension| lhs.sizes[*dimension as usize])
        .product();
    let multiplications = elements.saturating_mul(terms);
    let rearranged = lhs.elements() + rhs.elements() + elements;
    ensure(
        multiplications >= SMALL && multiplications / WORTHWHILE >= rearranged,
        "it is small",
    )?;
    let is_left = rhs.free.is_none() || (lhs.free.is_some() && lhs.elements() < rhs.elements());
    let batch = numbers.lhs_batching_dimensions.len();
    let (operands, doubled) = match (lhs.free, rhs.free) {
        (Some(free), _) if is_left => {
            let doubled = batch + lhs.free_count - 1;
            ([lhs.blocks(b, free), rhs.row(b)], doubled)
        }
        (_, Some(free)) => ([lhs.row(b), rhs.blocks(b, free)], sizes.len() - 1),
        _ => return Err(no_match("it is not of matrices")),
    };
    let mut real_sizes = sizes.clone();
    real_sizes[doubled] *= 2;
    let real = operands[0].ty().element_type();
    let result = tensor_type(&real_sizes, real);
    let product = stablehlo::dot_like(b, op, operands, &numbers, result);
    let part = |number: i64| {
        let (mut starts, mut limits) = (vec![0; sizes.len()], sizes.clone());
        starts[doubled] = number * sizes[doubled];
        limits[doubled] += starts[doubled];
        stablehlo::slice(b, product, &starts, &limits, &vec![1; sizes.len()])
    };
    let result = stablehlo::complex(b, part(0), part(1));
    b.replace_merged(op.operation(), result)
}
