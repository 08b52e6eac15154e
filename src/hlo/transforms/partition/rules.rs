//! Which dimensions of an op's results go along with which dimensions of its operands.
//!
//! If a dimension of an operand is divided into tiles, so can be the dimension of a result that
//! goes along with it. The order is that of preference, where two dimensions of operands ask
//! for one of a result, or for the same partitions.
//!
//! ```text
//! dot_general(lhs[m, k], rhs[k, n])     result 0 from lhs 0, result 1 from rhs 1
//! reduce(x[a, b, c], dimensions = [1])  result 0 from x 0, result 1 from x 2
//! ```

use super::elementwise;
use halo_ir::ops::{OperationExt, stablehlo};
use halo_ir::{Operation, Value, operands_of, results_of, static_shape_of};
use melior::ir::ValueLike;

/// A dimension of an operand, and the one of a result that goes along with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Along {
    pub operand: usize,
    pub from: usize,
    pub to: usize,
}

/// Those of one result of an op; none where nothing is known of it.
pub fn along(op: Operation, result: usize) -> Vec<Along> {
    let operands = operands_of(op);
    let Some(to) = results_of(op).get(result).copied().and_then(sizes) else {
        return Vec::new();
    };
    let from = |operand: usize| operands.get(operand).copied().and_then(sizes);
    if elementwise::is_elementwise(op) || keeps_dimensions(op) {
        let operands =
            (0..operands.len()).filter(|one| from(*one).map(|own| own.len()) == Some(to.len()));
        return operands.flat_map(|one| same(one, to.len())).collect();
    }
    if op.isa::<stablehlo::OptimizationBarrierOp>() || op.isa::<stablehlo::WhileOp>() {
        return same(result, to.len()).collect();
    }
    if let Some(sort) = op.cast::<stablehlo::SortOp>() {
        let sorted = usize::try_from(sort.dimension());
        return same(result, to.len())
            .filter(|along| Ok(along.to) != sorted)
            .collect();
    }
    if let Some(transpose) = op.cast::<stablehlo::TransposeOp>() {
        return pairs(0, transpose.permutation().into_iter().zip(0..));
    }
    if let Some(broadcast) = op.cast::<stablehlo::BroadcastInDimOp>() {
        return pairs(0, (0..).zip(broadcast.broadcast_dimensions()));
    }
    if op.isa::<stablehlo::ReshapeOp>() {
        return from(0).map(|from| reshaped(&from, &to)).unwrap_or_default();
    }
    if let Some(reduce) = op.cast::<stablehlo::ReduceOp>() {
        let reduced = reduce.dimensions();
        let rank = from(result).map_or(0, |from| from.len() as i64);
        let kept = (0..rank).filter(|dimension| !reduced.contains(dimension));
        return pairs(result, kept.zip(0..));
    }
    if let Some(product) = op.cast::<stablehlo::DotGeneralOp>() {
        return product_dimensions(product, [from(0), from(1)]);
    }
    if let Some(gather) = op.cast::<stablehlo::GatherOp>() {
        return gathered(gather, from(0));
    }
    Vec::new()
}

/// The static sizes of a tensor.
fn sizes(value: Value) -> Option<Vec<i64>> {
    static_shape_of(value.r#type())
}

fn same(operand: usize, rank: usize) -> impl Iterator<Item = Along> {
    (0..rank).map(move |dimension| Along {
        operand,
        from: dimension,
        to: dimension,
    })
}

fn pairs(operand: usize, dimensions: impl Iterator<Item = (i64, i64)>) -> Vec<Along> {
    let pair = |(from, to)| {
        Some(Along {
            operand,
            from: usize::try_from(from).ok()?,
            to: usize::try_from(to).ok()?,
        })
    };
    dimensions.filter_map(pair).collect()
}

/// Ops whose result has the dimensions of their operands, if perhaps other sizes.
fn keeps_dimensions(op: Operation) -> bool {
    op.isa::<stablehlo::SliceOp>()
        || op.isa::<stablehlo::DynamicSliceOp>()
        || op.isa::<stablehlo::DynamicUpdateSliceOp>()
        || op.isa::<stablehlo::PadOp>()
        || op.isa::<stablehlo::ConcatenateOp>()
        || op.isa::<stablehlo::ReverseOp>()
        || op.isa::<stablehlo::ReduceWindowOp>()
        || op.isa::<stablehlo::ScatterOp>()
}

/// Dimensions that are split or merged go along with the outermost of them.
fn reshaped(from: &[i64], to: &[i64]) -> Vec<Along> {
    let mut along = Vec::new();
    let (mut begin, mut at) = (0, 0);
    while begin < from.len() && at < to.len() {
        let (first, first_to) = (begin, at);
        let (mut size, mut size_to) = (from[begin], to[at]);
        while size != size_to {
            let (count, position, sizes) = match size < size_to {
                true => (&mut size, &mut begin, from),
                false => (&mut size_to, &mut at, to),
            };
            *position += 1;
            let Some(next) = sizes.get(*position) else {
                return along;
            };
            *count *= next;
        }
        // Dimensions of size 1 are divided no further.
        let outermost = |sizes: &[i64], range: std::ops::RangeInclusive<usize>| {
            range
                .clone()
                .find(|one| sizes[*one] != 1)
                .unwrap_or(*range.start())
        };
        let source = outermost(from, first..=begin);
        let target = outermost(to, first_to..=at);
        along.push(Along {
            operand: 0,
            from: source,
            to: target,
        });
        (begin, at) = (begin + 1, at + 1);
    }
    along
}

fn product_dimensions(op: stablehlo::DotGeneralOp, from: [Option<Vec<i64>>; 2]) -> Vec<Along> {
    let numbers = op.dot_dimension_numbers();
    let batching = [
        numbers.lhs_batching_dimensions,
        numbers.rhs_batching_dimensions,
    ];
    let contracting = [
        numbers.lhs_contracting_dimensions,
        numbers.rhs_contracting_dimensions,
    ];
    let mut along = Vec::new();
    for (operand, dimensions) in batching.iter().enumerate() {
        along.extend(pairs(operand, dimensions.iter().copied().zip(0..)));
    }
    let mut next = batching[0].len() as i64;
    for (operand, sizes) in from.iter().enumerate() {
        let rank = sizes.as_ref().map_or(0, Vec::len) as i64;
        let is_free =
            |one: &i64| !batching[operand].contains(one) && !contracting[operand].contains(one);
        let free: Vec<i64> = (0..rank).filter(is_free).collect();
        let count = free.len() as i64;
        along.extend(pairs(operand, free.into_iter().zip(next..)));
        next += count;
    }
    along
}

/// Dimensions of which a gather takes all.
fn gathered(op: stablehlo::GatherOp, operand: Option<Vec<i64>>) -> Vec<Along> {
    let numbers = op.dimension_numbers();
    let slice = op.slice_sizes();
    let operand = operand.unwrap_or_default();
    let is_kept = |one: &i64| {
        !numbers.collapsed_slice_dims.contains(one) && !numbers.operand_batching_dims.contains(one)
    };
    let kept = (0..operand.len() as i64).filter(is_kept);
    let kept = kept.zip(numbers.offset_dims.iter().copied());
    let whole = kept.filter(|(from, _)| slice.get(*from as usize) == operand.get(*from as usize));
    pairs(0, whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reshapes_keep_the_outermost_dimension() {
        let pairs = |from: &[i64], to: &[i64]| -> Vec<(usize, usize)> {
            let along = reshaped(from, to).into_iter();
            along.map(|along| (along.from, along.to)).collect()
        };
        assert_eq!(pairs(&[8, 6], &[2, 4, 6]), [(0, 0), (1, 2)]);
        assert_eq!(pairs(&[2, 4, 6], &[8, 6]), [(0, 0), (2, 1)]);
        assert_eq!(pairs(&[1, 8], &[8, 1]), [(1, 0)]);
        assert_eq!(pairs(&[4, 6], &[6, 4]), [(0, 0)]);
        assert_eq!(pairs(&[0, 3], &[3, 0]), []);
        assert_eq!(pairs(&[], &[1]), []);
    }
}
