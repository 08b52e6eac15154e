//! Custom calls that represent ops.
//!
//! StableHLO has no dynamic versions of these ops, so exporters write custom calls with the ops'
//! attributes as operands:
//!
//! | target | op | additional operands |
//! |---|---|---|
//! | `stablehlo.dynamic_reduce_window` | `reduce_window` | sizes, strides, dilations of operand and window, padding |
//! | `stablehlo.dynamic_rng_bit_generator` | `rng_bit_generator` | the shape of the result |
//! | `stablehlo.dynamic_top_k` | `chlo.top_k` | `k` |
//! | `stablehlo.dynamic_approx_top_k` | `sort`, then slices | `k` |
//!
//! `ApproxTopK`, where `k` is an attribute, is one of them too. Both need only approximate results,
//! so an exact sort is valid.
//!
//! ```mlir
//! %k = stablehlo.constant dense<3> : tensor<i32>
//! %0:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k)
//!   : (tensor<4x8xf32>, tensor<i32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0:2 = chlo.top_k(%x, k = 3) : tensor<4x8xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
//! ```

use super::{constant, has_static_result, operand};
use halo_ir::{Region, dense_from_integers, prelude::*, stablehlo::attributes::RngAlgorithm};

/// The op that a call represents.
#[derive(Clone, Copy)]
enum Target {
    ReduceWindow,
    RngBitGenerator,
    TopK,
    ApproxTopK,
}

fn target_of(call: Operation) -> Option<Target> {
    let call = call.cast::<stablehlo::CustomCallOp>()?;
    Some(match call.call_target_name() {
        "stablehlo.dynamic_reduce_window" => Target::ReduceWindow,
        "stablehlo.dynamic_rng_bit_generator" => Target::RngBitGenerator,
        "stablehlo.dynamic_top_k" => Target::TopK,
        "ApproxTopK" | "stablehlo.dynamic_approx_top_k" => Target::ApproxTopK,
        _ => return None,
    })
}

/// Returns true if an op is a call that represents an op.
pub fn stands_for_op(operation: Operation) -> bool {
    target_of(operation).is_some()
}

/// Replaces the call by the op, if its attribute operands are constant.
///
/// # Errors
/// Returns no match otherwise.
pub(super) fn replace<'c>(b: &Builder<'c>, call: Operation<'c>) -> RewriteResult {
    let declared = call.result_types();
    let target = target_of(call).ok_or_else(|| no_match("it calls no function that is known"))?;
    let values = match target {
        Target::ReduceWindow => reduce_window(b, call, Some(&declared))?.results(),
        Target::RngBitGenerator if has_static_result(call) => {
            let algorithm = call
                .attribute("rng_algorithm")
                .and_then(RngAlgorithm::from_attribute)
                .ok_or_else(|| no_match("it has no algorithm"))?;
            let [state, bits] = declared[..] else {
                return Err(no_match("it has another number of results"));
            };
            let operand = operand(call, 0)?;
            let new = stablehlo::rng_bit_generator(b, algorithm, operand, state, bits);
            vec![new.output_state(), new.output()]
        }
        Target::RngBitGenerator => return Err(RewriteError::NoMatch),
        Target::TopK => {
            let new = chlo::TopKOp::build(b, operand(call, 0)?, count(call, 1)?);
            let new = new.result_types(&declared).insert();
            vec![new.values(), new.indices()]
        }
        Target::ApproxTopK => approx_top_k(b, call, &declared)?,
    };
    b.replace(call, &values);
    Ok(())
}

/// The result types, as far as they follow from the operands; `None` if the op is not one of these
/// calls, or too little is known.
pub fn inferred_types(call: Operation<'_>) -> Option<Vec<Type<'_>>> {
    let declared = call.result_types();
    match target_of(call)? {
        Target::ReduceWindow => with_builder(call, |b| {
            let op = reduce_window(b, call, None).ok()?.operation();
            let types = op.result_types();
            b.erase(op);
            Some(types)
        }),
        Target::RngBitGenerator => {
            let sizes = constant(operand(call, 1).ok()?).ok()?;
            let [state, bits] = declared[..] else {
                return None;
            };
            let known = sizes.iter().all(|size| *size >= 0);
            known.then(|| vec![state, tensor_type(&sizes, bits.element_type())])
        }
        Target::TopK => {
            let mut shape = operand(call, 0).ok()?.ty().static_shape()?;
            let k = count(call, 1).ok()?;
            let last = shape.last_mut().filter(|last| (0..=**last).contains(&k))?;
            *last = k;
            let mut types = declared;
            for ty in &mut types {
                *ty = tensor_type(&shape, ty.element_type());
            }
            Some(types)
        }
        // Its calls contain the shapes of their results.
        Target::ApproxTopK => None,
    }
}

/// The number of a constant operand.
fn count(call: Operation, number: usize) -> RewriteResult<i64> {
    match constant(operand(call, number)?)?[..] {
        [count] => Ok(count),
        _ => Err(no_match("the count is no constant")),
    }
}

/// With the given result types, or the inferred ones.
fn reduce_window<'c>(
    b: &Builder<'c>,
    call: Operation<'c>,
    results: Option<&[Type<'c>]>,
) -> RewriteResult<stablehlo::ReduceWindowOp<'c>> {
    let count = call.result_count();
    let operands = call.operands();
    if operands.len() != 2 * count + 5 {
        return Err(no_match("it has another number of operands"));
    }
    let (inputs, rest) = operands.split_at(count);
    let (initial, sizes) = rest.split_at(count);
    let padding = constant(sizes[4])?;
    let ty = tensor_type(
        &[padding.len() as i64 / 2, 2],
        integer_type(b.context(), 64),
    );
    let padding = dense_from_integers(ty, &padding)
        .ok_or_else(|| no_match("a type takes no such constant"))?;
    let window = constant(sizes[0])?;
    Ok(
        stablehlo::ReduceWindowOp::build(b, inputs, initial, &window, body(b, call)?)
            .window_strides(&constant(sizes[1])?)
            .base_dilations(&constant(sizes[2])?)
            .window_dilations(&constant(sizes[3])?)
            .padding(padding)
            .maybe(results, |window, types| window.result_types(types))
            .insert(),
    )
}

/// Sorts the elements by the comparator of the call, and takes the first ones.
fn approx_top_k<'c>(
    b: &Builder<'c>,
    call: Operation<'c>,
    declared: &[Type<'c>],
) -> RewriteResult<Vec<Value<'c>>> {
    let configuration = ["mhlo.backend_config", "backend_config"]
        .into_iter()
        .find_map(|name| call.attribute(name))
        .ok_or_else(|| no_match("it has no configuration"))?;
    let number =
        |name: &str| configuration.dictionary_entry(name).and_then(Attribute::integer_value);
    let inputs = call.operands();
    let inputs = inputs
        .get(..declared.len())
        .ok_or_else(|| no_match("it has another number of operands"))?;
    let dimension = number("reduction_dim")
        .ok_or_else(|| no_match("the configuration has no reduction_dim"))?;
    let first = inputs.first().ok_or_else(|| no_match("it has no input"))?;
    let mut limits = first.ty().static_shape().ok_or_else(|| no_match("a shape is dynamic"))?;
    let limit = usize::try_from(dimension).ok();
    let limit = limit
        .and_then(|dimension| limits.get_mut(dimension))
        .ok_or_else(|| no_match("a dimension is out of range"))?;
    let k = match number("top_k") {
        Some(k) => k,
        None => count(call, 2 * declared.len())?,
    };
    // Without aggregation, there are more results than `k`.
    let kept = declared.first().and_then(|ty| ty.static_shape());
    let kept = kept.and_then(|shape| shape.get(dimension as usize).copied());
    let kept = kept.unwrap_or(k);
    if !(0..=*limit).contains(&kept) {
        return Err(no_match("the number of kept elements is out of range"));
    }
    *limit = kept;
    let sorted = stablehlo::SortOp::build(b, inputs, body(b, call)?)
        .dimension(dimension)
        .is_stable(true)
        .insert();
    let (zeros, ones) = (vec![0; limits.len()], vec![1; limits.len()]);
    let parts = sorted.results().into_iter();
    parts
        .map(|value| Ok(stablehlo::slice(b, value, &zeros, &limits, &ones)))
        .collect()
}

/// The function in a call's computation attribute, as a region.
fn body<'c>(b: &Builder<'c>, call: Operation<'c>) -> RewriteResult<Region<'c>> {
    let names = (call.cast::<stablehlo::CustomCallOp>()).map(|call| call.called_computations());
    let name = names.unwrap_or_default().first().copied();
    let name = name.ok_or_else(|| no_match("it has no name"))?;
    let mut module = call;
    while let Some(parent) = module.parent() {
        module = parent;
    }
    let function = module
        .body(0)
        .map(Block::operations)
        .unwrap_or_default()
        .into_iter()
        .filter_map(|op| op.cast::<func::FuncOp>())
        .find(|function| function.sym_name() == name);
    let function = function.and_then(|function| function.operation().body(0));
    let function = function.ok_or_else(|| no_match("it calls no function of the module"))?;
    let parameters = function.arguments();
    let types = parameters.types();
    stablehlo::region(b, &types, |b, arguments| {
        let mut map: ValueMap =
            parameters.iter().zip(arguments).map(|(from, to)| (from.key(), *to)).collect();
        for op in function.operations() {
            if let Some(returned) = op.cast::<func::ReturnOp>() {
                let returned = returned.operands().into_iter();
                return Ok(returned.map(|value| mapped(&map, value)).collect());
            }
            b.clone_op(op, &mut map);
        }
        Err(no_match("the function has no result"))
    })
}
