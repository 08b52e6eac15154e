//! Comparisons and choices.

use super::Options;
use crate::{
    matchers::{
        constant_of, defined_by, dims, ensure, has_one_use, is_all_ones, is_integral, is_zero,
        operands, result_type, static_shape,
    },
    transforms::emit,
};
use halo_ir::stablehlo::attributes::ComparisonDirection as Direction;
use halo_ir::{
    Builder, Operation, OptionPattern, RewriteError, RewriteResult, attribute_of, dense_integers,
    element_type, integer_width, splat_integer, with_element_type,
};
use halo_ir::{dense_from_integers, element_count, is_dense};
use melior::ir::ValueLike;

type Pattern = OptionPattern<Options>;

pub(super) static PATTERNS: &[Pattern] = &[
    Pattern::new("stablehlo.compare", constant_to_rhs),
    Pattern::new("stablehlo.compare", same_operands),
    Pattern::new("stablehlo.compare", with_boolean_constant),
    Pattern::new("stablehlo.select", by_broadcast_of_not),
    Pattern::new("stablehlo.select", by_constant),
    Pattern::new("stablehlo.select", by_not),
    Pattern::new("stablehlo.select", same_outcomes),
];

fn direction_of(op: Operation) -> Result<Direction, RewriteError> {
    attribute_of(op, "comparison_direction")
        .and_then(Direction::from_attribute)
        .ok_or(RewriteError::NoMatch)
}

/// The direction that holds of the swapped operands.
fn swapped(direction: Direction) -> Direction {
    match direction {
        Direction::Eq | Direction::Ne => direction,
        Direction::Ge => Direction::Le,
        Direction::Gt => Direction::Lt,
        Direction::Le => Direction::Ge,
        Direction::Lt => Direction::Gt,
    }
}

/// Of integers: `compare(constant, x)` -> the swapped comparison.
fn constant_to_rhs<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [lhs, rhs] = operands(op)?;
    ensure(is_integral(lhs) && constant_of(lhs).is_some() && constant_of(rhs).is_none())?;
    let direction = swapped(direction_of(op)?);
    let new = emit::with_operands(b, op, &[rhs, lhs])?;
    halo_ir::set_attribute(
        new,
        "comparison_direction",
        direction.to_attribute(b.context()),
    );
    emit::replace_with(b, op, new)?;
    Ok(())
}

/// Of integers: `x == x`, `x <= x`, `x >= x` -> true; the others -> false.
fn same_operands<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [lhs, rhs] = operands(op)?;
    let r#type = result_type(op)?;
    ensure(lhs == rhs && is_integral(lhs))?;
    static_shape(r#type)?;
    let holds = matches!(
        direction_of(op)?,
        Direction::Eq | Direction::Ge | Direction::Le
    );
    let value = emit::number(b, r#type, f64::from(u8::from(holds)))?;
    b.replace(op, &[value])?;
    Ok(())
}

/// Of booleans: `x != false`, `x == true` -> `x`; `x == false`, `x != true` ->
/// `not(x)`
fn with_boolean_constant<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [lhs, rhs] = operands(op)?;
    ensure(
        integer_width(element_type(lhs.r#type())) == Some(1) && lhs.r#type() == result_type(op)?,
    )?;
    let constant = match (is_zero(rhs), is_all_ones(rhs)) {
        (true, false) => false,
        (false, true) => true,
        _ => return Err(RewriteError::NoMatch),
    };
    let result = match (direction_of(op)?, constant) {
        (Direction::Ne, false) | (Direction::Eq, true) => lhs,
        (Direction::Eq, false) | (Direction::Ne, true) => emit::unary(b, "stablehlo.not", lhs)?,
        _ => return Err(RewriteError::NoMatch),
    };
    b.replace(op, &[result])?;
    Ok(())
}

/// `select(p, x, x)` -> `x`
fn same_outcomes<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [_, on_true, on_false] = operands(op)?;
    ensure(on_true == on_false && on_true.r#type() == result_type(op)?)?;
    b.replace(op, &[on_true])?;
    Ok(())
}

/// `select(constant, t, f)` -> `t` or `f`, or the mixture of two constants.
fn by_constant<'c>(b: &Builder<'c>, op: Operation<'c>, options: &Options) -> RewriteResult {
    let [pred, on_true, on_false] = operands(op)?;
    let r#type = result_type(op)?;
    let predicate = constant_of(pred).ok_or(RewriteError::NoMatch)?;
    if let Some(choice) = splat_integer(predicate) {
        let chosen = if choice != 0 { on_true } else { on_false };
        ensure(chosen.r#type() == r#type)?;
        b.replace(op, &[chosen])?;
        return Ok(());
    }
    ensure(element_count(r#type).is_some_and(|count| count <= options.element_limit))?;
    let (Some(on_true), Some(on_false)) = (constant_of(on_true), constant_of(on_false)) else {
        return Err(RewriteError::NoMatch);
    };
    ensure(is_dense(on_true) && is_dense(on_false))?;
    let choices = dense_integers(predicate).ok_or(RewriteError::NoMatch)?;
    let (Some(on_true), Some(on_false)) = (dense_integers(on_true), dense_integers(on_false))
    else {
        return Err(RewriteError::NoMatch);
    };
    let mixed: Vec<i64> = choices
        .iter()
        .zip(on_true.iter().zip(&on_false))
        .map(|(choice, (on_true, on_false))| if *choice != 0 { *on_true } else { *on_false })
        .collect();
    let value = dense_from_integers(r#type, &mixed).ok_or(RewriteError::NoMatch)?;
    let result = emit::constant(b, value, r#type)?;
    b.replace(op, &[result])?;
    Ok(())
}

/// `select(not(p), t, f)` -> `select(p, f, t)`
fn by_not<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [pred, on_true, on_false] = operands(op)?;
    let [inner] = operands(defined_by(pred, "stablehlo.not")?)?;
    let new = emit::with_operands(b, op, &[inner, on_false, on_true])?;
    emit::replace_with(b, op, new)?;
    Ok(())
}

/// `select(broadcast(not(p)), t, f)` -> `select(broadcast(p), f, t)`
fn by_broadcast_of_not<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [pred, on_true, on_false] = operands(op)?;
    let broadcast = defined_by(pred, "stablehlo.broadcast_in_dim")?;
    ensure(has_one_use(pred))?;
    let [wide] = operands(broadcast)?;
    let [inner] = operands(defined_by(wide, "stablehlo.not")?)?;
    let dimensions = dims(broadcast, "broadcast_dimensions")?;
    let element = element_type(inner.r#type());
    let result = with_element_type(pred.r#type(), element);
    let pred = emit::broadcast_in_dim(b, inner, &dimensions, result)?;
    let new = emit::with_operands(b, op, &[pred, on_false, on_true])?;
    emit::replace_with(b, op, new)?;
    Ok(())
}
