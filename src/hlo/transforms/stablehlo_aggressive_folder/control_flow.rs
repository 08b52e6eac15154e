//! Branches on constants, and loops that never run.

use super::Options;
use crate::matchers::{constant_of, ensure, operands};
use halo_ir::{
    Builder, Operation, OptionPattern, RewriteError, RewriteResult, attribute_of, body_of,
    is_unused, name_of, operands_of, results_of, splat_integer, terminator_of, visit,
};
use melior::ir::{ValueLike, attribute::BoolAttribute, operation::OperationLike};

type Pattern = OptionPattern<Options>;

pub(super) static PATTERNS: &[Pattern] = &[
    Pattern::new("stablehlo.case", branch),
    Pattern::new("stablehlo.if", branch),
    Pattern::new("stablehlo.while", dead_loop),
    Pattern::new("stablehlo.while", loop_without_iteration),
];

/// The branch that a constant chooses takes the op's place.
fn branch<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [index] = operands(op)?;
    let number = constant_of(index)
        .and_then(splat_integer)
        .ok_or(RewriteError::NoMatch)?;
    let count = op.region_count();
    ensure(count > 0)?;
    let chosen = match name_of(op) {
        "stablehlo.if" => usize::from(number == 0),
        // An index out of range means the last branch.
        _ => usize::try_from(number)
            .ok()
            .filter(|number| *number < count)
            .unwrap_or(count - 1),
    };
    let body = body_of(op, chosen).ok_or(RewriteError::NoMatch)?;
    let returned = operands_of(terminator_of(body).ok_or(RewriteError::NoMatch)?);
    let results = results_of(op);
    ensure(returned.len() == results.len())?;
    for (value, result) in returned.iter().zip(&results) {
        ensure(value.r#type() == result.r#type())?;
    }
    let values = b.inline_before(body, op, &[])?;
    b.replace(op, &values)?;
    Ok(())
}

/// Fails unless the condition of a loop is the constant false.
fn expect_never_entered(op: Operation) -> RewriteResult {
    let condition = body_of(op, 0).ok_or(RewriteError::NoMatch)?;
    let terminator = terminator_of(condition).ok_or(RewriteError::NoMatch)?;
    let [holds] = operands(terminator)?;
    ensure(constant_of(holds).and_then(splat_integer) == Some(0))
}

/// A loop that is never entered gives what it was given.
fn loop_without_iteration<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    expect_never_entered(op)?;
    let (carried, results) = (operands_of(op), results_of(op));
    ensure(carried.len() == results.len() && results.iter().any(|result| !is_unused(*result)))?;
    for (value, result) in carried.iter().zip(&results) {
        ensure(value.r#type() == result.r#type())?;
    }
    for (value, result) in carried.into_iter().zip(results) {
        b.replace_uses(result, value);
    }
    Ok(())
}

/// A loop that is never entered and whose results nothing uses is dropped, where
/// ops that declare no effects are known to have none.
fn dead_loop<'c>(b: &Builder<'c>, op: Operation<'c>, options: &Options) -> RewriteResult {
    ensure(options.no_undeclared_effects)?;
    expect_never_entered(op)?;
    ensure(results_of(op).into_iter().all(is_unused))?;
    let mut declared = false;
    visit(op, &mut |nested| declared |= declares_effects(nested));
    ensure(!declared)?;
    b.erase(op)?;
    Ok(())
}

/// Whether an op says that it has effects of its own.
fn declares_effects(op: Operation) -> bool {
    let Some(name) = name_of(op).strip_prefix("stablehlo.") else {
        return false;
    };
    match name {
        "custom_call" => attribute_of(op, "has_side_effect")
            .and_then(halo_ir::attribute_as::<BoolAttribute>)
            .is_none_or(|flag| flag.value()),
        "infeed" | "outfeed" | "recv" | "send" | "rng" | "reduce_scatter" | "cross-replica-sum" => {
            true
        }
        _ => ["all_", "async_", "collective_"]
            .iter()
            .any(|prefix| name.starts_with(prefix)),
    }
}
