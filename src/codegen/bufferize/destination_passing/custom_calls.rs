//! Gives the results of custom calls destinations.
//!
//! A handler writes its results to buffers of the caller. Tensors cannot express that a call with
//! unknown effects overwrites one of them. Therefore the destinations of calls are bufferized
//! before all other tensors, and the results are loaded from them after the call:
//! ```mlir
//! %0 = halo.custom_call "f"(%x) {...} : (tensor<4xf32>) -> tensor<4xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %place = memref.alloc() : memref<4xf32>
//! halo.custom_call "f"(%x) outs(%place : memref<4xf32>) {...} : (tensor<4xf32>) -> ()
//! %0 = bufferization.to_tensor %place restrict writable : memref<4xf32> to tensor<4xf32>
//! ```

use super::empty::{flat, flattened};
use halo_ir::{
    ops::{bufferization, halo::CustomCallOp},
    prelude::*,
};

/// Rewrites all custom calls.
pub fn add_destinations(module: Operation) -> Result<(), PassFailure> {
    let calls = module.collect_nested(|op| op.isa::<CustomCallOp>());
    for call in calls.into_iter().filter_map(|op| op.cast::<CustomCallOp>()) {
        with_builder(call.operation(), |b| write_results(b, call))
            .map_err(|error| PassFailure::at(call.operation(), error))?;
    }
    Ok(())
}

/// The buffer that a tensor's elements are written to.
fn destination_type<'c>(ty: Type<'c>) -> RewriteResult<Type<'c>> {
    let ty = flat(ty).unwrap_or(ty);
    ty.static_shape()
        .map(|shape| memref_type(&shape, ty.element_type()))
        .ok_or_else(|| {
            RewriteError::Invalid(format!(
                "a custom call returns {ty}, and only tensors of static shape can be returned"
            ))
        })
}

/// Makes a call write its results to new buffers.
fn write_results<'c>(b: &Builder<'c>, call: CustomCallOp<'c>) -> RewriteResult {
    let results = call.operation().result_types();
    let destinations = results
        .iter()
        .map(|ty| Ok(memref::alloc(b, &[], &[], destination_type(*ty)?)))
        .collect::<RewriteResult<Vec<_>>>()?;
    let inputs = call.inputs().into_iter();
    let inputs = inputs.map(|input| flattened(b, input)).collect::<Vec<_>>();
    let outputs = [call.outputs(), destinations.clone()].concat();
    let (target, types) = (call.target(), (call.operand_types(), call.result_types()));
    let (operand_orders, result_orders) = (call.operand_layouts(), call.result_layouts());
    CustomCallOp::build(b, &inputs, &outputs, target, &types.0, &types.1, &[])
        .maybe(call.backend_config(), |call, config| {
            call.backend_config(config)
        })
        .maybe(call.dictionary(), |call, entries| call.dictionary(entries))
        .maybe(operand_orders.as_deref(), |call, orders| {
            call.operand_layouts(&orders.iter().map(Vec::as_slice).collect::<Vec<_>>())
        })
        .maybe(result_orders.as_deref(), |call, orders| {
            call.result_layouts(&orders.iter().map(Vec::as_slice).collect::<Vec<_>>())
        })
        .insert();
    let values = destinations
        .into_iter()
        .zip(results)
        .map(|(destination, ty)| {
            if flat(ty).is_some() {
                return Ok(tensor::empty(b, &[], ty));
            }
            let tensor = bufferization::ToTensorOp::build(b, destination, ty);
            Ok(tensor.restrict(true).writable(true).value())
        })
        .collect::<RewriteResult<Vec<_>>>()?;
    b.replace(call.operation(), &values);
    Ok(())
}
