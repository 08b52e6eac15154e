//! `--stablehlo-compatibility-expander`: expresses newer ops in older versions of StableHLO.
//!
//! A version before 1.1.0 has no batching dimensions of `gather` and `scatter`: they become
//! components of the indices. A version before 1.4.0 has no `tan`, and one before 1.9.0 no ranges
//! in locations: their starts are kept. The expansion loses information, so it is only for programs
//! that older readers must accept.
//!
//! ```mlir
//! %0 = stablehlo.tan %a : tensor<4xf32>
//! ```
//!
//! becomes, for `target=1.0.0`,
//!
//! ```mlir
//! %0 = stablehlo.sine %a : tensor<4xf32>
//! %1 = stablehlo.cosine %a : tensor<4xf32>
//! %2 = stablehlo.divide %0, %1 : tensor<4xf32>
//! ```

use halo_hlo::matchers::{ensure, static_shape};
use halo_ir::{
    apply_without_folding,
    ops::Op as _,
    prelude::*,
    stablehlo::attributes::{GatherDimensionNumbers, ScatterDimensionNumbers},
};

pass_options! {
    /// The options of the pass.
    struct Options {
        /// The version to write for, of the form #.#.#
        target: String = "",
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "stablehlo-compatibility-expander",
    "Express newer StableHLO ops by those of an older version",
    run,
)
.dependent_dialects(&["stablehlo"])
.options::<Options>()
.source(include_str!("stablehlo_compatibility_expander.rs"));

/// Patterns, each with the first version that does not need it.
fn patterns() -> [((u32, u32, u32), Pattern<'static>); 3] {
    [
        ((1, 1, 0), Pattern::new::<stablehlo::GatherOp>(gather)),
        ((1, 1, 0), Pattern::new::<stablehlo::ScatterOp>(scatter)),
        ((1, 4, 0), Pattern::new::<stablehlo::TanOp>(tan)),
    ]
}

fn parse_version(text: &str) -> Option<(u32, u32, u32)> {
    let parts = text.split('.').map(|part| part.parse().ok()).collect::<Option<Vec<u32>>>()?;
    match parts[..] {
        [major, minor, patch] => Some((major, minor, patch)),
        _ => None,
    }
}

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let text = pass.options::<Options>().target;
    let Some(target) = parse_version(&text) else {
        emit_error(
            pass.operation().location(),
            &format!("the target version must be of the form #.#.#, but is '{text}'"),
        );
        return Err(PassFailure);
    };
    let patterns: Vec<Pattern> = patterns()
        .into_iter()
        .filter(|(version, _)| target < *version)
        .map(|(_, pattern)| pattern)
        .collect();
    apply_without_folding(pass, &patterns)?;
    if target < LOCATION_RANGES {
        drop_location_ranges(pass.operation());
    }
    Ok(())
}

/// The first version that supports location ranges.
const LOCATION_RANGES: (u32, u32, u32) = (1, 9, 0);

/// Replaces the ranges in all locations by their starts.
fn drop_location_ranges(root: Operation) {
    let context = root.context();
    let mut operations = root.collect_nested(|_| true);
    operations.push(root);
    for op in operations {
        op.set_location(op.location().without_ranges(context));
        for argument in op.blocks().into_iter().flat_map(Block::arguments) {
            let location = argument.location();
            argument.set_argument_location(location.without_ranges(context));
        }
    }
}

/// For a real number the sine divided by the cosine. For `x + iy`, with `t` the tangent of `x` and
/// `h` the hyperbolic tangent of `y`, `(t + ih) / (1 - ith)`.
fn tan<'c>(b: &Builder<'c>, op: stablehlo::TanOp<'c>) -> RewriteResult {
    let operand = op.operand();
    let ty = operand.ty();
    let quotient = |x: Value<'c>| -> Result<Value<'c>, RewriteError> {
        let sine = stablehlo::sine(b, x);
        let cosine = stablehlo::cosine(b, x);
        Ok(stablehlo::divide(b, sine, cosine))
    };
    let result = if let Some(part) = ty.element_type().complex_element() {
        let part = ty.with_element_type(part);
        let tangent = quotient(stablehlo::real(b, operand))?;
        let hyperbolic = stablehlo::tanh(b, stablehlo::imag(b, operand));
        let numerator = stablehlo::complex(b, tangent, hyperbolic);
        let one = stablehlo::number(b, part, 1.0)?;
        let product = stablehlo::multiply(b, tangent, hyperbolic);
        let denominator = stablehlo::complex(b, one, stablehlo::negate(b, product));
        stablehlo::divide(b, numerator, denominator)
    } else {
        ensure(ty.element_type().is_float(), "the elements are no floats")?;
        quotient(operand)?
    };
    b.replace_merged(op.operation(), result)
}

/// Prepends a component for each batching dimension to each index vector.
fn batched_positions<'c>(
    b: &Builder<'c>,
    indices: Value<'c>,
    vector_dim: i64,
    batching_dims: &[i64],
) -> Result<Value<'c>, RewriteError> {
    let shape = static_shape(indices.ty())?;
    let rank = shape.len() as i64;
    let largest = batching_dims
        .iter()
        .map(|dimension| shape.get(*dimension as usize).copied())
        .try_fold(0, |largest, size| Some(largest.max(size?)))
        .ok_or_else(|| no_match("a dimension is out of range"))?;
    let mut indices = indices;
    let element = indices.ty().element_type();
    // The sizes of the batching dimensions must fit the type, too.
    let width = element
        .integer_width()
        .ok_or_else(|| no_match("the element type has no width"))?;
    let usable = if element.is_unsigned() {
        width
    } else {
        width - 1
    };
    if usable < 63 && largest >= 1 << usable {
        let wide = if largest <= i64::from(i32::MAX) {
            32
        } else {
            64
        };
        indices = stablehlo::convert_elements(b, indices, integer_type(b.context(), wide));
    }
    let element = indices.ty().element_type();
    let mut single = shape.clone();
    if vector_dim == rank {
        single.push(1);
        indices = stablehlo::reshape(b, indices, tensor_type(&single, element));
    } else {
        *single
            .get_mut(vector_dim as usize)
            .ok_or_else(|| no_match("a dimension is out of range"))? = 1;
    }
    let mut parts = Vec::new();
    for dimension in batching_dims {
        parts.push(stablehlo::iota(
            b,
            *dimension,
            tensor_type(&single, element),
        ));
    }
    parts.push(indices);
    let mut whole = static_shape(indices.ty())?;
    *whole
        .get_mut(vector_dim as usize)
        .ok_or_else(|| no_match("a dimension is out of range"))? += batching_dims.len() as i64;
    Ok(stablehlo::concatenate(b, &parts, vector_dim))
}

/// The dimensions of two lists, in order.
fn merged(left: &[i64], right: &[i64]) -> Vec<i64> {
    let mut all = [left, right].concat();
    all.sort_unstable();
    all
}

/// Returns true if sorted indices stay sorted after the batching components are prepended, which
/// then increase with the index.
fn stays_sorted(batching: &[i64], indices_batching: &[i64], start_index_map: &[i64]) -> bool {
    indices_batching.is_sorted() && [batching, start_index_map].concat().is_sorted()
}

fn gather<'c>(b: &Builder<'c>, op: stablehlo::GatherOp<'c>) -> RewriteResult {
    let (operand, indices) = (op.operand(), op.start_indices());
    let numbers = op.dimension_numbers();
    let batching = &numbers.operand_batching_dims;
    ensure(!batching.is_empty(), "there are no batching dimensions")?;
    let positions = batched_positions(
        b,
        indices,
        numbers.index_vector_dim,
        &numbers.start_indices_batching_dims,
    )?;
    let stays_sorted = stays_sorted(
        batching,
        &numbers.start_indices_batching_dims,
        &numbers.start_index_map,
    );
    let new_numbers = GatherDimensionNumbers {
        offset_dims: numbers.offset_dims.clone(),
        collapsed_slice_dims: merged(batching, &numbers.collapsed_slice_dims),
        operand_batching_dims: Vec::new(),
        start_indices_batching_dims: Vec::new(),
        start_index_map: [&batching[..], &numbers.start_index_map].concat(),
        index_vector_dim: numbers.index_vector_dim,
    };
    let new = stablehlo::GatherOp::build(b, operand, positions, &new_numbers, &op.slice_sizes())
        .attributes_of(op)
        .result_types(&[op.result().ty()])
        .insert();
    if new.indices_are_sorted() && !stays_sorted {
        new.set_indices_are_sorted(false);
    }
    b.replace(op.operation(), &[new.result()]);
    Ok(())
}

fn scatter<'c>(b: &Builder<'c>, op: stablehlo::ScatterOp<'c>) -> RewriteResult {
    let numbers = op.scatter_dimension_numbers();
    let batching = &numbers.input_batching_dims;
    ensure(!batching.is_empty(), "there are no batching dimensions")?;
    let positions = batched_positions(
        b,
        op.scatter_indices(),
        numbers.index_vector_dim,
        &numbers.scatter_indices_batching_dims,
    )?;
    let stays_sorted = stays_sorted(
        batching,
        &numbers.scatter_indices_batching_dims,
        &numbers.scatter_dims_to_operand_dims,
    );
    let new_numbers = ScatterDimensionNumbers {
        update_window_dims: numbers.update_window_dims.clone(),
        inserted_window_dims: merged(batching, &numbers.inserted_window_dims),
        input_batching_dims: Vec::new(),
        scatter_indices_batching_dims: Vec::new(),
        scatter_dims_to_operand_dims: [&batching[..], &numbers.scatter_dims_to_operand_dims]
            .concat(),
        index_vector_dim: numbers.index_vector_dim,
    };
    let types = op.result_types();
    let (inputs, updates) = (op.inputs(), op.updates());
    let body = op.take_region(0).ok_or_else(|| no_match("its region is absent"))?;
    let new = stablehlo::ScatterOp::build(b, &inputs, positions, &updates, &new_numbers, body)
        .attributes_of(op)
        .result_types(&types)
        .insert();
    if new.indices_are_sorted() && !stays_sorted {
        new.set_indices_are_sorted(false);
    }
    b.replace(op.operation(), &new.results());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered() {
        assert_eq!(parse_version("1.10.2"), Some((1, 10, 2)));
        assert!(parse_version("1.10.0") > parse_version("1.4.0"));
        assert_eq!(parse_version("1.0"), None);
        assert_eq!(parse_version("current"), None);
    }
}
