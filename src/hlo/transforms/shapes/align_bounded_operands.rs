//! `--halo-align-bounded-operands`: aligns the sizes of bounded operands as in XLA.
//!
//! XLA combines a value of bounded size, such as the result of `set_dimension_size`, with a value
//! whose static size is the bound, such as a constant: elements beyond the size are ignored. This
//! pass gives both the run-time size.
//!
//! ```mlir
//! %0 = stablehlo.multiply %x, %two
//!   : (tensor<?xf32, #stablehlo.bounds<5>>, tensor<5xf32>) -> tensor<?xf32, #stablehlo.bounds<5>>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %n = stablehlo.get_dimension_size %x, dim = 0
//!   : (tensor<?xf32, #stablehlo.bounds<5>>) -> tensor<i32>
//! %cut = stablehlo.set_dimension_size %two, %n, dim = 0
//!   : (tensor<5xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<5>>
//! %0 = stablehlo.multiply %x, %cut : tensor<?xf32, #stablehlo.bounds<5>>
//! ```
//!
//! Two bounded values get the smaller one of their sizes, unless their
//! definitions show that these are equal. The same holds for the indices of a
//! scatter and its updates. A slice whose limit is the bound ends at the size:
//!
//! ```mlir
//! %0 = stablehlo.slice %x [1:5:2]
//!   : (tensor<?xf32, #stablehlo.bounds<5>>) -> tensor<?xf32, #stablehlo.bounds<2>>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %n = stablehlo.get_dimension_size %x, dim = 0
//!   : (tensor<?xf32, #stablehlo.bounds<5>>) -> tensor<i32>
//! %start = stablehlo.minimum %one, %n : tensor<i32>
//! %limit = stablehlo.minimum %five, %n : tensor<i32>
//! ...
//! %0 = stablehlo.real_dynamic_slice %x, %starts, %limits, %strides
//!   : (tensor<?xf32, #stablehlo.bounds<5>>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>)
//!   -> tensor<?xf32, #stablehlo.bounds<2>>
//! ```
//!
//! A reshape to several computed sizes is replaced by its operand, and a conditional on a constant
//! whose results have computed sizes by the taken branch.
//!
//! A call of `PadToStatic`, which returns an array of the bound's size and its sizes, becomes a
//! `dynamic_pad` with zeros.

mod constant_branches;
mod pad_to_static;

use crate::semantics::{Dim, dims_of};
use halo_ir::prelude::*;
use pad_to_static::is_pad_to_static;
pub(super) use pad_to_static::pad_to_bounds;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-align-bounded-operands",
    "Cut operands to the sizes of bounded ones, and slices to the elements in bounds",
    run,
)
.dependent_dialects(&["stablehlo"]);

/// Returns true if an op requires one shape for all of its operands.
fn is_elementwise(name: &str) -> bool {
    matches!(
        name,
        stablehlo::AddOp::NAME
            | stablehlo::AndOp::NAME
            | stablehlo::Atan2Op::NAME
            | stablehlo::ClampOp::NAME
            | stablehlo::CompareOp::NAME
            | stablehlo::ComplexOp::NAME
            | stablehlo::DivOp::NAME
            | stablehlo::MaxOp::NAME
            | stablehlo::MinOp::NAME
            | stablehlo::MulOp::NAME
            | stablehlo::OrOp::NAME
            | stablehlo::PowOp::NAME
            | stablehlo::RemOp::NAME
            | stablehlo::SelectOp::NAME
            | stablehlo::ShiftLeftOp::NAME
            | stablehlo::ShiftRightArithmeticOp::NAME
            | stablehlo::ShiftRightLogicalOp::NAME
            | stablehlo::SubtractOp::NAME
            | stablehlo::XorOp::NAME
    )
}

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    if let Err(error) = constant_branches::take(pass.operation()) {
        return Err(PassFailure::at(
            pass.operation(),
            format_args!("internal error: {error}"),
        ));
    }
    for operation in pass.operation().collect_nested(is_concerned) {
        let aligned = with_builder(operation, |b| {
            if let Some(slice) = operation.cast() {
                shorten(b, slice)
            } else if let Some(reshape) = operation.cast() {
                forward(b, reshape)
            } else if is_pad_to_static(operation) {
                pad_to_static::expand(b, operation)
            } else if let Some(scatter) = operation.cast() {
                align(b, operation, groups_of_scatter(scatter));
                Ok(())
            } else {
                align(b, operation, groups(operation));
                Ok(())
            }
        });
        let message = match aligned {
            Ok(()) => continue,
            Err(error) if error.is_no_match() => continue,
            Err(error) => format!("internal error: {error}"),
        };
        return Err(PassFailure::at(operation, &message));
    }
    Ok(())
}

fn is_concerned(operation: Operation) -> bool {
    let name = operation.name();
    is_elementwise(name)
        || matches!(
            name,
            stablehlo::ReshapeOp::NAME | stablehlo::ScatterOp::NAME | stablehlo::SliceOp::NAME
        )
        || is_pad_to_static(operation)
}

/// A reshape to several computed sizes, which equal the operand's.
fn forward<'c>(b: &Builder<'c>, reshape: stablehlo::ReshapeOp<'c>) -> RewriteResult {
    let (operand, result) = (reshape.operand(), reshape.result().ty());
    let dims = dims_of(result).unwrap_or_default();
    let open = dims.iter().filter(|dim| dim.size().is_none()).count();
    if open < 2 {
        return Err(no_match("at most one dimension has no size"));
    }
    let value = if operand.ty() == result {
        operand
    } else {
        stablehlo::convert(b, operand, result)
    };
    b.replace(reshape.operation(), &[value]);
    Ok(())
}

/// Dimensions of the same size, each with the index of its operand.
type Group = Vec<(usize, usize)>;

/// The groups of an elementwise op.
fn groups(operation: Operation) -> Vec<Group> {
    let operands = operation.operands();
    let ranks = operands.iter().map(|value| dims_of(value.ty()).map_or(0, |dims| dims.len()));
    let ranks: Vec<usize> = ranks.collect();
    let all = 0..ranks.iter().copied().max().unwrap_or_default();
    let having = |dimension: usize| {
        let operands = ranks.iter().enumerate();
        let operands = operands.filter(move |(_, rank)| dimension < **rank);
        operands.map(|(operand, _)| (operand, dimension)).collect()
    };
    all.map(having).collect()
}

/// The groups of a scatter: each index has an update.
fn groups_of_scatter(scatter: stablehlo::ScatterOp) -> Vec<Group> {
    let numbers = scatter.scatter_dimension_numbers();
    let inputs = scatter.inputs().len();
    let operands = scatter.operation().operands();
    let rank = |operand: usize| {
        let ty = operands.get(operand).map(|value| value.ty());
        ty.and_then(dims_of).map_or(0, |dims| dims.len())
    };
    let of_indices = (0..rank(inputs)).filter(|dim| *dim as i64 != numbers.index_vector_dim);
    let is_window = |dim: &usize| numbers.update_window_dims.contains(&(*dim as i64));
    let of_updates = (0..rank(inputs + 1)).filter(|dim| !is_window(dim));
    let group = |(index, update)| {
        let updates = (inputs + 1..operands.len()).map(|operand| (operand, update));
        std::iter::once((inputs, index)).chain(updates).collect()
    };
    of_indices.zip(of_updates).map(group).collect()
}

fn align<'c>(b: &Builder<'c>, operation: Operation<'c>, groups: Vec<Group>) {
    for group in groups {
        let operands = operation.operands();
        let dims = group.into_iter().filter_map(|(number, dimension)| {
            let value = *operands.get(number)?;
            let dim = *dims_of(value.ty())?.get(dimension)?;
            Some((number, dimension, value, dim))
        });
        let dims: Vec<_> = dims.collect();
        let bounded = dims.iter().filter_map(|(_, dimension, value, dim)| match dim {
            Dim::Bounded(bound) => Some((*bound, *value, *dimension)),
            _ => None,
        });
        let bounded: Vec<(i64, Value, usize)> = bounded.collect();
        let Some(((bound, first, dimension), others)) = bounded.split_first() else {
            continue;
        };
        let source = Source::of(*first, *dimension);
        let differ =
            |(_, value, dimension): &(i64, Value, usize)| Source::of(*value, *dimension) != source;
        let differ = others.iter().any(differ);
        let is_cut = |dim: &Dim| match dim {
            Dim::Static(size) => size == bound,
            Dim::Bounded(_) => differ,
            Dim::Dynamic => false,
        };
        let cuts: Vec<_> = dims.iter().filter(|(_, _, _, dim)| is_cut(dim)).collect();
        if cuts.is_empty() {
            continue;
        }
        let mut size = stablehlo::get_dimension_size(b, *first, *dimension as i64);
        if differ {
            for (_, value, dimension) in others {
                let other = stablehlo::get_dimension_size(b, *value, *dimension as i64);
                size = stablehlo::minimum(b, size, other);
            }
        }
        for (number, dimension, value, _) in cuts {
            let cut = stablehlo::set_dimension_size(b, *value, size, *dimension as i64);
            operation.set_operand(*number, cut);
        }
    }
}

/// The origin of the size of a dimension.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Source<'c> {
    /// A computed size.
    Number(Value<'c>),
    /// The size of a dimension of a value.
    Value(Value<'c>, usize),
}

impl<'c> Source<'c> {
    /// The source of the size of a dimension.
    pub(super) fn of(value: Value<'c>, dimension: usize) -> Self {
        let mut at = (value, dimension);
        loop {
            let (value, dimension) = at;
            let Some(operation) = value.defining_op() else {
                return Self::Value(value, dimension);
            };
            let operands = operation.operands();
            let next = if let Some(cut) = operation.cast::<stablehlo::SetDimensionSizeOp>() {
                if cut.dimension() == dimension as i64 {
                    return match measured(cut.size()) {
                        Some(at) => Self::of(at.0, at.1),
                        None => Self::Number(cut.size()),
                    };
                }
                Some(cut.operand())
            } else if operation.isa::<stablehlo::TransposeOp>() {
                None
            } else if is_elementwise(operation.name()) {
                // Its operands are already aligned.
                operands.iter().copied().find(|operand| {
                    let dims = dims_of(operand.ty()).unwrap_or_default();
                    matches!(dims.get(dimension), Some(Dim::Bounded(_)))
                })
            } else if let [only] = operands[..] {
                // Of one shape, and of one operand.
                (dims_of(only.ty()) == dims_of(value.ty())).then_some(only)
            } else {
                None
            };
            match next {
                Some(value) => at = (value, dimension),
                None => return Self::Value(value, dimension),
            }
        }
    }
}

/// The value and dimension whose size a scalar is.
fn measured(size: Value<'_>) -> Option<(Value<'_>, usize)> {
    let measured = size.defined_by::<stablehlo::GetDimensionSizeOp>()?;
    Some((measured.operand(), measured.dimension().try_into().ok()?))
}

/// A slice to the end of a bounded operand, with a bounded result. A slice of static size is
/// unchanged.
fn shorten<'c>(b: &Builder<'c>, slice: stablehlo::SliceOp<'c>) -> RewriteResult {
    let (operand, result) = (slice.operand(), slice.result().ty());
    let (from, to) = (dims_of(operand.ty()), dims_of(result));
    let (from, to) = (from.unwrap_or_default(), to.unwrap_or_default());
    let is_bounded = |dimension: usize| {
        matches!(from.get(dimension), Some(Dim::Bounded(_)))
            && to.get(dimension).is_some_and(|dim| dim.size().is_none())
    };
    if !(0..from.len()).any(is_bounded) {
        return Err(no_match("no dimension is bounded"));
    }
    let integer = integer_type(b.context(), 32);
    let (scalar, single) = (tensor_type(&[], integer), tensor_type(&[1], integer));
    let vector = |offsets: &[i64]| {
        let parts = offsets.iter().enumerate().map(|(dimension, offset)| {
            let offset = stablehlo::integers(b, scalar, &[*offset])?;
            let offset = if is_bounded(dimension) {
                let size = stablehlo::get_dimension_size(b, operand, dimension as i64);
                stablehlo::minimum(b, offset, size)
            } else {
                offset
            };
            Ok(stablehlo::reshape(b, offset, single))
        });
        let parts = parts.collect::<RewriteResult<Vec<_>>>()?;
        Ok::<_, RewriteError>(stablehlo::concatenate(b, &parts, 0))
    };
    let (starts, limits) = (
        vector(&slice.start_indices())?,
        vector(&slice.limit_indices())?,
    );
    let strides = slice.strides();
    let count = tensor_type(&[strides.len() as i64], integer);
    let strides = stablehlo::integers(b, count, &strides)?;
    let value = stablehlo::real_dynamic_slice(b, operand, starts, limits, strides, result);
    b.replace(slice.operation(), &[value]);
    Ok(())
}
