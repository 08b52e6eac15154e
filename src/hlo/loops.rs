//! How often loops iterate.

use halo_ir::ops::{ValueExt, stablehlo};
use halo_ir::stablehlo::attributes::ComparisonDirection;
use halo_ir::{Operation, Value, arguments_of, body_of, operands_of, splat_integer, terminator_of};

/// How often a `while` iterates that counts in constant steps from one constant to another; `None`
/// for any other one.
pub fn trip_count(op: Operation) -> Option<u64> {
    let (condition, body) = (body_of(op, 0)?, body_of(op, 1)?);
    let verdict = *operands_of(terminator_of(condition)?).first()?;
    let compare = verdict.defined_by::<stablehlo::CompareOp>()?;
    let is_counter = |argument: &Value| *argument == compare.lhs();
    let counter = arguments_of(condition).iter().position(is_counter)?;
    let next = *operands_of(terminator_of(body)?).get(counter)?;
    let argument = *arguments_of(body).get(counter)?;
    let sum = next.defined_by::<stablehlo::AddOp>()?;
    let step = match (sum.lhs() == argument, sum.rhs() == argument) {
        (true, false) => sum.rhs(),
        (false, true) => sum.lhs(),
        _ => return None,
    };
    let start = i128::from(constant(*operands_of(op).get(counter)?)?);
    let (step, bound) = (constant(step)?, i128::from(constant(compare.rhs())?));
    let step = i128::from(step);
    let last = match compare.comparison_direction() {
        ComparisonDirection::Lt if step > 0 => bound - 1,
        ComparisonDirection::Le if step > 0 => bound,
        _ => return None,
    };
    u64::try_from(((last - start).max(-step) + step) / step).ok()
}

/// The number that a scalar is.
fn constant(value: Value) -> Option<i64> {
    splat_integer(value.defined_by::<stablehlo::ConstantOp>()?.value())
}
