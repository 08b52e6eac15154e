//! Constraints on shapes as shape assertions, and regions that assume them.

use super::{
    shape_types,
    values::{cast, integer},
};
use crate::custom_calls::SHAPE_ASSERTION;
use halo_ir::{ops::shape, prelude::*};

/// The patterns that the option `legalize-constraints` adds.
pub fn patterns() -> Vec<Pattern<'static>> {
    vec![
        Pattern::new::<shape::CstrBroadcastableOp>(|b, op| {
            let condition = shape_types::broadcastable(b, &op.shapes())?;
            expect(b, op.operation(), condition, "Shape assertion failed")
        }),
        Pattern::new::<shape::CstrEqOp>(|b, op| {
            let condition = shape_types::equal(b, &op.shapes())?;
            expect(b, op.operation(), condition, "Shape assertion failed")
        }),
        Pattern::new::<shape::CstrRequireOp>(|b, op| {
            let boolean = tensor_type(&[], integer_type(b.context(), 1));
            let condition = integer(b, op.pred(), boolean)?;
            expect(b, op.operation(), condition, op.msg())
        }),
        Pattern::new::<shape::AssumingAllOp>(|b, op| {
            for input in op.inputs() {
                expect_assertion(input)?;
            }
            let witness = shape::const_witness(b, true);
            b.replace(op.operation(), &[witness]);
            Ok(())
        }),
    ]
}

/// The patterns that the option `inline-assuming` adds.
pub fn inlining() -> Vec<Pattern<'static>> {
    vec![
        Pattern::new::<shape::AssumingOp>(inline),
        Pattern::new::<shape::ConstWitnessOp>(|b, op| {
            if !op.result().is_unused() {
                return Err(no_match("it is used"));
            }
            b.erase(op.operation());
            Ok(())
        }),
    ]
}

/// Replaces a constraint by a shape assertion.
fn expect<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    condition: Value<'c>,
    message: &str,
) -> RewriteResult {
    let condition = cast(b, condition, tensor_type(&[], integer_type(b.context(), 1)))?;
    let message = string_attribute(b.context(), message);
    stablehlo::CustomCallOp::build(b, &[condition], SHAPE_ASSERTION, &[])
        .has_side_effect(true)
        .attribute("error_message", message)
        .insert();
    let witness = shape::const_witness(b, true);
    b.replace(op, &[witness]);
    Ok(())
}

/// Checks that the constraint of a witness became an assertion.
fn expect_assertion(witness: Value) -> RewriteResult {
    match witness.defined_by::<shape::ConstWitnessOp>() {
        Some(constant) if constant.passing() => Ok(()),
        _ => Err(no_match("a constraint is not asserted")),
    }
}

/// Moves the ops of a region in front of the op that assumes an asserted constraint.
fn inline<'c>(b: &Builder<'c>, op: shape::AssumingOp<'c>) -> RewriteResult {
    expect_assertion(op.witness())?;
    let operation = op.operation();
    let body = operation.body(0).ok_or_else(|| no_match("it has no body"))?;
    let results = b.inline_before(body, operation, &[]);
    b.replace(operation, &results);
    Ok(())
}
