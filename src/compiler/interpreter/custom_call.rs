//! Section `custom_call`: handlers by name.

use super::{
    call::Call,
    control_flow::text,
    evaluator::{Evaluated, Failure},
};
use crate::custom_calls;
use crate::literals;
use halo_core::{Literal, Shape};
use halo_dialects::diagnostics::place;
use halo_runtime::CustomCallSite;
use melior::ir::operation::OperationLike;

/// Calls the handler that is registered for the target. Annotations of sharding
/// and placement are the identity on one device.
pub fn custom_call(call: &Call) -> Evaluated {
    let target = text(call, "call_target_name")?;
    let registry = &call.evaluator.environment.custom_calls;
    if !registry.contains(target) && custom_calls::is_annotation(target) {
        return Ok(call.operands.to_vec());
    }
    let operands: Vec<Literal> = call
        .tensors(0..call.operands.len())?
        .into_iter()
        .cloned()
        .collect();
    let results = (0..call.op.result_count())
        .map(|number| Ok(literals::shape_of(call.op.result_type(number)?)?))
        .collect::<Result<Vec<Shape>, Failure>>()?;
    let operation = call.operation()?;
    let shapes: Vec<Shape> = (operands.iter())
        .map(|operand| operand.shape().clone())
        .collect();
    let layouts = |name: &str, shapes: &[Shape]| {
        let ranks = shapes.iter().map(Shape::rank);
        custom_calls::layouts(call.op.attribute(name), ranks)
    };
    let site = CustomCallSite {
        operand_layouts: layouts("operand_layouts", &shapes)?,
        result_layouts: layouts("result_layouts", &results)?,
        backend_config: custom_calls::configuration(operation),
        attributes: custom_calls::plain_attributes(custom_calls::attributes(operation)),
        location: place(operation.location()).unwrap_or_default(),
        ..CustomCallSite::new(target, shapes, results)
    };
    let results = registry.call(&site, &operands)?;
    Ok(results.into_iter().map(Into::into).collect())
}
