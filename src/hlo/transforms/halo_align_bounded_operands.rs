//! `--halo-align-bounded-operands`: sizes of bounded values as XLA takes them.
//!
//! XLA combines a value whose size is bounded, as of what `set_dimension_size`
//! made, with one of the size that is its bound, such as a constant: the elements
//! beyond the size count for nothing. Here both have the size that is found at
//! run time.
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
//! Two bounded values have the smaller one of their sizes, unless they have one
//! size by what they are made of. The same holds for the indices of a scatter and
//! its updates. A slice goes as far as there are elements,
//! where its limit is that of the bound:
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
//! A reshape to several computed sizes is its operand, and a conditional on a
//! constant whose results have computed sizes is the branch that is taken.
//!
//! A call of `PadToStatic`, which makes an array of the size of the bounds and
//! numbers of the sizes, is a `dynamic_pad` with zeros.

mod constant_branches;
mod pad_to_static;

use crate::{
    semantics::{Dim, dims_of},
    transforms::emit,
};
use halo_ir::pass::{PassDeclaration, PassFailure, PassInvocation, emit_error};
use halo_ir::stablehlo::attributes::ScatterDimensionNumbers;
use halo_ir::{
    BuildError, Builder, Operation, RewriteError, Value, attribute_of, collect_operations,
    defining_operation, i64_array_value, integer_attribute, integer_attribute_value, integer_type,
    name_of, operands_of, result_types_of, set_operand, tensor_type, value_key, with_builder,
};
use melior::ir::{ValueLike, operation::OperationLike};
use pad_to_static::is_pad_to_static;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration {
    argument: "halo-align-bounded-operands",
    summary: "Cut operands to the sizes of bounded ones, and slices to what there is",
    anchor: "",
    dependent_dialects: &["stablehlo"],
    options: &[],
    run,
};

/// Whether an op has one shape for all of its operands.
fn is_elementwise(name: &str) -> bool {
    matches!(
        name.strip_prefix("stablehlo.").unwrap_or_default(),
        "add"
            | "and"
            | "atan2"
            | "clamp"
            | "compare"
            | "complex"
            | "divide"
            | "maximum"
            | "minimum"
            | "multiply"
            | "or"
            | "power"
            | "remainder"
            | "select"
            | "shift_left"
            | "shift_right_arithmetic"
            | "shift_right_logical"
            | "subtract"
            | "xor"
    )
}

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    if let Err(error) = constant_branches::take(pass.operation()) {
        emit_error(
            pass.operation().location(),
            &format!("internal error: {error}"),
        );
        return Err(PassFailure);
    }
    for operation in collect_operations(pass.operation(), is_concerned) {
        let aligned = with_builder(operation, |b| match name_of(operation) {
            SLICE => shorten(b, operation),
            RESHAPE => forward(b, operation),
            _ if is_pad_to_static(operation) => pad_to_static::expand(b, operation),
            SCATTER => Ok(align(b, operation, groups_of_scatter(operation))?),
            _ => Ok(align(b, operation, groups(operation))?),
        });
        let message = match aligned {
            Ok(()) => continue,
            Err(RewriteError::NoMatch) => continue,
            Err(RewriteError::Invalid(error)) => format!("internal error: {error}"),
        };
        emit_error(operation.location(), &message);
        return Err(PassFailure);
    }
    Ok(())
}

const RESHAPE: &str = "stablehlo.reshape";
const SCATTER: &str = "stablehlo.scatter";
const SLICE: &str = "stablehlo.slice";

fn is_concerned(operation: Operation) -> bool {
    let name = name_of(operation);
    is_elementwise(name) || matches!(name, RESHAPE | SCATTER | SLICE) || is_pad_to_static(operation)
}

/// A reshape to several computed sizes, which are those of the operand.
fn forward<'c>(b: &Builder<'c>, reshape: Operation<'c>) -> Result<(), RewriteError> {
    let (operands, results) = (operands_of(reshape), result_types_of(reshape));
    let ([operand], [result]) = (&operands[..], &results[..]) else {
        return Err(RewriteError::NoMatch);
    };
    let dims = dims_of(*result).unwrap_or_default();
    let open = dims.iter().filter(|dim| dim.size().is_none()).count();
    if open < 2 {
        return Err(RewriteError::NoMatch);
    }
    let value = match operand.r#type() == *result {
        true => *operand,
        false => b.value("stablehlo.convert", &[*operand], *result)?,
    };
    b.replace(reshape, &[value])?;
    Ok(())
}

/// Dimensions that are of one size, each with the number of its operand.
type Group = Vec<(usize, usize)>;

/// The groups of an elementwise op.
fn groups(operation: Operation) -> Vec<Group> {
    let operands = operands_of(operation);
    let ranks = operands
        .iter()
        .map(|value| dims_of(value.r#type()).map_or(0, |dims| dims.len()));
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
fn groups_of_scatter(scatter: Operation) -> Vec<Group> {
    let numbers = attribute_of(scatter, "scatter_dimension_numbers");
    let numbers = numbers.and_then(ScatterDimensionNumbers::from_attribute);
    let (Some(numbers), operands) = (numbers, operands_of(scatter)) else {
        return Vec::new();
    };
    let inputs = operands.len() / 2;
    let rank = |operand: usize| {
        let r#type = operands.get(operand).map(|value| value.r#type());
        r#type.and_then(dims_of).map_or(0, |dims| dims.len())
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

fn align<'c>(
    b: &Builder<'c>,
    operation: Operation<'c>,
    groups: Vec<Group>,
) -> Result<(), BuildError> {
    for group in groups {
        let operands = operands_of(operation);
        let dims = group.into_iter().filter_map(|(number, dimension)| {
            let value = *operands.get(number)?;
            let dim = *dims_of(value.r#type())?.get(dimension)?;
            Some((number, dimension, value, dim))
        });
        let dims: Vec<_> = dims.collect();
        let bounded = dims
            .iter()
            .filter_map(|(_, dimension, value, dim)| match dim {
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
        let mut size = size_of(b, *first, *dimension)?;
        if differ {
            for (_, value, dimension) in others {
                let other = size_of(b, *value, *dimension)?;
                size = emit::binary(b, "stablehlo.minimum", size, other)?;
            }
        }
        for (number, dimension, value, _) in cuts {
            set_operand(operation, *number, cut(b, *value, size, *dimension)?);
        }
    }
    Ok(())
}

/// What the size of a value is told apart by.
#[derive(Clone, Copy, PartialEq)]
enum Source {
    /// A size that was computed.
    Number(usize),
    /// That of a dimension of a value.
    Value(usize, usize),
}

impl Source {
    /// Where the size of a dimension comes from.
    fn of(value: Value, dimension: usize) -> Self {
        let mut at = (value, dimension);
        loop {
            let (value, dimension) = at;
            let Some((operation, _)) = defining_operation(value) else {
                return Self::Value(value_key(value), dimension);
            };
            let operands = operands_of(operation);
            let name = name_of(operation);
            let said = attribute_of(operation, "dimension").and_then(integer_attribute_value);
            let next = match (name, &operands[..]) {
                ("stablehlo.set_dimension_size", [_, size]) if said == Some(dimension as i64) => {
                    return match measured(*size) {
                        Some(at) => Self::of(at.0, at.1),
                        None => Self::Number(value_key(*size)),
                    };
                }
                ("stablehlo.set_dimension_size", [whole, _]) => Some(*whole),
                ("stablehlo.transpose", _) => None,
                // Its operands are aligned already.
                _ if is_elementwise(name) => operands.iter().copied().find(|operand| {
                    let dims = dims_of(operand.r#type()).unwrap_or_default();
                    matches!(dims.get(dimension), Some(Dim::Bounded(_)))
                }),
                // Of one shape, and of one operand.
                (_, [only]) if dims_of(only.r#type()) == dims_of(value.r#type()) => Some(*only),
                _ => None,
            };
            match next {
                Some(value) => at = (value, dimension),
                None => return Self::Value(value_key(value), dimension),
            }
        }
    }
}

/// The value and dimension of which a number is the size.
fn measured(size: Value<'_>) -> Option<(Value<'_>, usize)> {
    let (operation, _) = defining_operation(size)?;
    if name_of(operation) != "stablehlo.get_dimension_size" {
        return None;
    }
    let dimension = attribute_of(operation, "dimension").and_then(integer_attribute_value)?;
    Some((*operands_of(operation).first()?, dimension.try_into().ok()?))
}

/// The size of a value along a dimension.
fn size_of<'c>(
    b: &Builder<'c>,
    value: Value<'c>,
    dimension: usize,
) -> Result<Value<'c>, BuildError> {
    let dimension = integer_attribute(integer_type(b.context(), 64), dimension as i64);
    b.op("stablehlo.get_dimension_size")
        .operands(&[value])
        .attribute("dimension", dimension)
        .infer_results()
        .value()
}

/// A value with a size along a dimension.
fn cut<'c>(
    b: &Builder<'c>,
    whole: Value<'c>,
    size: Value<'c>,
    dimension: usize,
) -> Result<Value<'c>, BuildError> {
    let dimension = integer_attribute(integer_type(b.context(), 64), dimension as i64);
    b.op("stablehlo.set_dimension_size")
        .operands(&[whole, size])
        .attribute("dimension", dimension)
        .infer_results()
        .value()
}

/// A slice that ends with the elements there are, where its operand and its
/// result are bounded. One of fixed size keeps its limits.
fn shorten<'c>(b: &Builder<'c>, slice: Operation<'c>) -> Result<(), RewriteError> {
    let list = |name| attribute_of(slice, name).and_then(i64_array_value);
    let (Some(starts), Some(limits), Some(strides), [operand], [result]) = (
        list("start_indices"),
        list("limit_indices"),
        list("strides"),
        &operands_of(slice)[..],
        &result_types_of(slice)[..],
    ) else {
        return Err(RewriteError::NoMatch);
    };
    let (from, to) = (dims_of(operand.r#type()), dims_of(*result));
    let (from, to) = (from.unwrap_or_default(), to.unwrap_or_default());
    let is_bounded = |dimension: usize| {
        matches!(from.get(dimension), Some(Dim::Bounded(_)))
            && to.get(dimension).is_some_and(|dim| dim.size().is_none())
    };
    if !(0..from.len()).any(is_bounded) {
        return Err(RewriteError::NoMatch);
    }
    let integer = integer_type(b.context(), 32);
    let (scalar, single) = (tensor_type(&[], integer), tensor_type(&[1], integer));
    let vector = |places: &[i64]| {
        let parts = places.iter().enumerate().map(|(dimension, place)| {
            let place = emit::integers(b, scalar, &[*place])?;
            let place = match is_bounded(dimension) {
                true => {
                    let size = size_of(b, *operand, dimension)?;
                    emit::binary(b, "stablehlo.minimum", place, size)?
                }
                false => place,
            };
            Ok(b.value("stablehlo.reshape", &[place], single)?)
        });
        let parts = parts.collect::<Result<Vec<_>, RewriteError>>()?;
        let along = integer_attribute(integer_type(b.context(), 64), 0);
        let op = b.op("stablehlo.concatenate").operands(&parts);
        let vector = op.attribute("dimension", along).infer_results().value()?;
        Ok::<_, RewriteError>(vector)
    };
    let (starts, limits) = (vector(&starts)?, vector(&limits)?);
    let count = tensor_type(&[strides.len() as i64], integer);
    let strides = emit::integers(b, count, &strides)?;
    let operands = [*operand, starts, limits, strides];
    let value = b.value("stablehlo.real_dynamic_slice", &operands, *result)?;
    b.replace(slice, &[value])?;
    Ok(())
}
