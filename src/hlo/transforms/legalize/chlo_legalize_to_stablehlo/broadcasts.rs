//! Ops whose operands broadcast.
//!
//! Static sizes are compared at compile time. If one is dynamic, the common shape is computed from
//! the results of `get_dimension_size`: a dimension of size one takes the size of the other
//! operand.

use crate::transforms::shapes::mixed_sizes::{self, MixedSize, MixedSizes};
use halo_ir::{diagnostics::with_diagnostics, prelude::*, stablehlo::attributes::ComparisonType};

/// Each op with its counterpart without broadcasting.
static OPS: &[(&str, &str)] = &[
    (chlo::BroadcastAddOp::NAME, stablehlo::AddOp::NAME),
    (chlo::BroadcastAndOp::NAME, stablehlo::AndOp::NAME),
    (chlo::BroadcastAtan2Op::NAME, stablehlo::Atan2Op::NAME),
    (chlo::BroadcastCompareOp::NAME, stablehlo::CompareOp::NAME),
    (chlo::BroadcastComplexOp::NAME, stablehlo::ComplexOp::NAME),
    (chlo::BroadcastDivOp::NAME, stablehlo::DivOp::NAME),
    (chlo::BroadcastMaxOp::NAME, stablehlo::MaxOp::NAME),
    (chlo::BroadcastMinOp::NAME, stablehlo::MinOp::NAME),
    (chlo::BroadcastMulOp::NAME, stablehlo::MulOp::NAME),
    (chlo::BroadcastNextAfterOp::NAME, chlo::NextAfterOp::NAME),
    (chlo::BroadcastOrOp::NAME, stablehlo::OrOp::NAME),
    (chlo::BroadcastPolygammaOp::NAME, chlo::PolygammaOp::NAME),
    (chlo::BroadcastPowOp::NAME, stablehlo::PowOp::NAME),
    (chlo::BroadcastRemOp::NAME, stablehlo::RemOp::NAME),
    (chlo::BroadcastSelectOp::NAME, stablehlo::SelectOp::NAME),
    (
        chlo::BroadcastShiftLeftOp::NAME,
        stablehlo::ShiftLeftOp::NAME,
    ),
    (
        chlo::BroadcastShiftRightArithmeticOp::NAME,
        stablehlo::ShiftRightArithmeticOp::NAME,
    ),
    (
        chlo::BroadcastShiftRightLogicalOp::NAME,
        stablehlo::ShiftRightLogicalOp::NAME,
    ),
    (chlo::BroadcastSubOp::NAME, stablehlo::SubtractOp::NAME),
    (chlo::BroadcastXorOp::NAME, stablehlo::XorOp::NAME),
    (chlo::BroadcastZetaOp::NAME, chlo::ZetaOp::NAME),
];

/// The patterns of broadcasting ops.
pub fn patterns() -> impl Iterator<Item = Pattern<'static>> {
    OPS.iter().map(|(name, _)| Pattern::named(*name, decompose))
}

/// Broadcasts the operands to one shape, then creates the op without a
/// broadcast. The condition of a select may stay a scalar.
fn decompose<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let all = op.operands();
    let is_choice = op.isa::<chlo::BroadcastSelectOp>();
    let has_scalar = |value: &Value| value.ty().shape().is_some_and(|shape| shape.is_empty());
    let kept = usize::from(is_choice && all.first().is_some_and(has_scalar));
    let (scalars, operands) = all.split_at(kept);
    if same_bounds(b, operands) {
        return apply(b, op, &all);
    }
    let shapes = operands
        .iter()
        .map(|operand| MixedSizes::of(b, *operand))
        .collect::<Result<Vec<_>, _>>()?;
    let rank = shapes.iter().map(|shape| shape.0.len()).max().unwrap_or(0);
    // Explicit dimensions map the dimensions of the operand of lower rank.
    let explicit = op.attribute("broadcast_dimensions").and_then(Attribute::i64_array_value);
    let dimension_maps = shapes
        .iter()
        .map(|shape| placement(shape.0.len(), rank, explicit.as_deref()))
        .collect::<Result<Vec<_>, _>>()?;
    let common = common(b, &shapes, &dimension_maps, rank)?;
    let broadcast = operands
        .iter()
        .zip(shapes.iter().zip(&dimension_maps))
        .map(|(operand, (shape, dimensions))| {
            if shape.is_same(&common) {
                Ok(*operand)
            } else {
                Ok(common.broadcast(b, *operand, dimensions))
            }
        })
        .collect::<RewriteResult<Vec<Value>>>()?;
    apply(b, op, &[scalars, &broadcast].concat())
}

/// Returns true if all operands have one shape with the same bounds, which represents the same
/// sizes.
fn same_bounds<'c>(b: &Builder<'c>, operands: &[Value<'c>]) -> bool {
    let bit = integer_type(b.context(), 1);
    let mut shapes = operands.iter().map(|operand| operand.ty().with_element_type(bit));
    shapes.next().is_some_and(|first| {
        first.to_string().contains("bounds") && shapes.all(|other| other == first)
    })
}

/// The mapping of the dimensions of an operand.
fn placement(own: usize, rank: usize, explicit: Option<&[i64]>) -> RewriteResult<Vec<i64>> {
    match explicit {
        Some(explicit) if own < rank => {
            let valid = explicit.len() == own
                && explicit.is_sorted_by(|a, b| a < b)
                && explicit.iter().all(|dimension| (0..rank as i64).contains(dimension));
            if valid {
                Ok(explicit.to_vec())
            } else {
                Err(RewriteError::Invalid(format!(
                    "broadcast_dimensions {explicit:?} do not place {own} dimensions among {rank}"
                )))
            }
        }
        _ => Ok((rank - own..rank).map(|dimension| dimension as i64).collect()),
    }
}

/// The shape that NumPy's rule gives for several shapes.
fn common<'c>(
    b: &Builder<'c>,
    shapes: &[MixedSizes<'c>],
    dimension_maps: &[Vec<i64>],
    rank: usize,
) -> RewriteResult<MixedSizes<'c>> {
    let mut common = vec![MixedSize::Static(1); rank];
    for (shape, dimensions) in shapes.iter().zip(dimension_maps) {
        for (mixed_size, dimension) in shape.0.iter().zip(dimensions) {
            let Some(entry) = common.get_mut(*dimension as usize) else {
                continue;
            };
            *entry = match (*entry, *mixed_size) {
                (MixedSize::Static(1), other) | (other, MixedSize::Static(1)) => other,
                (MixedSize::Static(left), MixedSize::Static(right)) if left != right => {
                    return Err(RewriteError::Invalid(format!(
                        "operands do not broadcast: dimension {dimension} has sizes {left} and \
                         {right}"
                    )));
                }
                // The other one has this size or size one.
                (MixedSize::Static(size), _) | (_, MixedSize::Static(size)) => {
                    MixedSize::Static(size)
                }
                (MixedSize::Dynamic(left), MixedSize::Dynamic(right)) => {
                    let one = mixed_sizes::scalar(b, 1);
                    let grows = stablehlo::compare(b, left, one, ComparisonDirection::Eq);
                    MixedSize::Dynamic(stablehlo::select(b, grows, right, left))
                }
            };
        }
    }
    Ok(MixedSizes(common))
}

/// The op without broadcasting, on operands of one shape.
fn apply<'c>(b: &Builder<'c>, op: Operation<'c>, operands: &[Value<'c>]) -> RewriteResult {
    let (_, name) = *OPS
        .iter()
        .find(|(broadcast, _)| op.name() == *broadcast)
        .ok_or(RewriteError::NoMatch)?;
    let mut spec = b.op(name).operands(operands).results(&op.result_types());
    for (name, attribute) in op.attributes() {
        // CHLO has separate enums.
        let direction = ComparisonDirection::from_attribute(attribute);
        let kind = ComparisonType::from_attribute(attribute);
        spec = match (name, direction, kind) {
            ("broadcast_dimensions", ..) => spec,
            (_, Some(direction), _) => spec.attribute(name, direction.to_attribute(b.context())),
            (_, _, Some(kind)) => spec.attribute(name, kind.to_attribute(b.context())),
            _ => spec.attribute(name, attribute),
        };
    }
    let new = spec.insert();
    // CHLO supports element types that the other op may not.
    let (is_valid, errors) = with_diagnostics(b.context(), || new.verify());
    if !is_valid {
        let reason = errors.first().map_or("", |error| &error.message);
        return Err(RewriteError::Invalid(format!(
            "'{}' op has no form for its types: {reason}",
            op.name()
        )));
    }
    b.replace(op, &new.results());
    Ok(())
}
