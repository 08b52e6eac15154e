//! `reduce-window`.
//!
//! XLA passes over what a window sees of the padding and of the gaps between
//! dilated elements; StableHLO fills them with the start value, which it begins
//! with, too. That is the same where the start value changes nothing. Where it
//! may, and the computation is one of those whose neutral element is known, the
//! windows are reduced from that, and the start value joins once:
//!
//! ```mlir
//! %0 = "stablehlo.reduce_window"(%x, %zero) ({ ... add ... }) {padding = dense<1> ...}
//! %1 = stablehlo.add %0, %start
//! ```

use super::{
    Result,
    instruction::Instruction,
    reduction::{along_window, window, window_padding},
    types::static_sizes,
    values::Tree,
};
use crate::ir::{self, Attribute, Value, attribute_of, defining_operation};
use halo_core::{ElementType, element_type::Class};
use halo_hlo_text::{Arguments, HloComputation, Opcode, Window};

/// `reduce-window`
pub fn reduce_window<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    let window = window(i)?;
    if window.dimensions.iter().any(|it| it.window_reversal) {
        return super::attributes::as_custom_call(i);
    }
    let mut values = i.values()?;
    let start = apart(i, &window, &values)?;
    if let (Some(start), Some(place)) = (&start, values.get_mut(1)) {
        *place = start.neutral;
    }
    let op = i
        .op("stablehlo.reduce_window")
        .operands(&values)
        .attribute("window_dimensions", along_window(i, &window, |it| it.size))
        .attribute("window_strides", along_window(i, &window, |it| it.stride))
        .attribute(
            "base_dilations",
            along_window(i, &window, |it| it.base_dilation),
        )
        .attribute(
            "window_dilations",
            along_window(i, &window, |it| it.window_dilation),
        )
        .attribute("padding", window_padding(i, &window)?)
        .region(i.region("to_apply")?)
        .results(&i.result_types()?);
    let (Some(start), [_]) = (start, &i.result_types()?[..]) else {
        return i.many(op);
    };
    let reduced = ir::results_of(i.finish(op)?);
    let spread = i
        .op("stablehlo.broadcast_in_dim")
        .operands(&[start.value])
        .attribute(
            "broadcast_dimensions",
            ir::i64_array_attribute(i.importer.context, &[]),
        );
    let mut operands = vec![i.step(spread.result(i.result_type()?))?];
    operands.extend(reduced);
    let op = i.op(start.joins).operands(&operands);
    Ok(Tree::Value(i.step(op.result(i.result_type()?))?))
}

/// A start value that is not to be seen where there are no elements.
struct Start<'m> {
    value: Value<'m>,
    neutral: Value<'m>,
    /// The op that joins it to what windows give.
    joins: &'static str,
}

/// The start value, where it may change what a window sees beside elements.
fn apart<'m>(
    i: &Instruction<'_, 'm>,
    window: &Window,
    values: &[Value<'m>],
) -> Result<Option<Start<'m>>> {
    let mut dimensions = window.dimensions.iter();
    let has_gaps =
        dimensions.any(|it| it.padding_low > 0 || it.padding_high > 0 || it.base_dilation != 1);
    let [_, start] = values else {
        return Ok(None);
    };
    let Some(opcode) = opcode_of(i.computation("to_apply")?) else {
        return Ok(None);
    };
    let element = i.operand_array(0)?.element_type;
    let Some((joins, neutral)) = neutral(opcode, element) else {
        return Ok(None);
    };
    if !has_gaps || static_sizes(i.result_array()?).is_none() {
        return Ok(None);
    }
    let scalar = i.importer.tensor_of(&[], element)?;
    let neutral = match neutral {
        Neutral::Integer(value) => ir::dense_from_integers(scalar, &[value]),
        Neutral::Float(value) => ir::dense_number(scalar, value),
    };
    let Some(neutral) = neutral else {
        return Ok(None);
    };
    if constant_of(*start).is_some_and(|value| is_same(value, neutral)) {
        return Ok(None);
    }
    let op = i.op("stablehlo.constant").attribute("value", neutral);
    Ok(Some(Start {
        value: *start,
        neutral: i.step(op.result(scalar))?,
        joins,
    }))
}

fn constant_of(value: Value<'_>) -> Option<Attribute<'_>> {
    attribute_of(defining_operation(value)?.0, "value")
}

/// Zeros are the same, whatever their sign.
fn is_same(one: Attribute, other: Attribute) -> bool {
    let is_zero = |value| ir::splat_number(value) == Some(0.0);
    one == other || is_zero(one) && is_zero(other)
}

/// The opcode of a computation that applies one to its two parameters.
fn opcode_of(computation: &HloComputation) -> Option<Opcode> {
    let root = computation.root()?;
    let [one, other] = root.operands() else {
        return None;
    };
    let mut parameters = computation
        .instructions
        .iter()
        .filter(|it| matches!(it.arguments, Arguments::Parameter(_)));
    let both = parameters.all(|it| it.name == *one || it.name == *other);
    (both && one != other && computation.instructions.len() == 3).then_some(root.opcode)
}

enum Neutral {
    Integer(i64),
    Float(f64),
}

/// The op of an opcode, and the value that it leaves others as they are with.
fn neutral(opcode: Opcode, element: ElementType) -> Option<(&'static str, Neutral)> {
    use Neutral::{Float, Integer};
    let class = element.class();
    let width = element.bit_width();
    let (zero, one) = match class {
        Class::Float => (Float(0.0), Float(1.0)),
        _ => (Integer(0), Integer(1)),
    };
    let (lowest, highest) = match class {
        Class::Signed => (
            Integer(i64::MIN >> (64 - width)),
            Integer(i64::MAX >> (64 - width)),
        ),
        Class::Unsigned => (Integer(0), Integer((u64::MAX >> (64 - width)) as i64)),
        Class::Boolean => (Integer(0), Integer(1)),
        Class::Float => (Float(f64::NEG_INFINITY), Float(f64::INFINITY)),
        Class::Complex => return None,
    };
    let is_number = class != Class::Boolean;
    let has_bits = class != Class::Float;
    Some(match opcode {
        Opcode::Add if is_number => ("stablehlo.add", zero),
        Opcode::Multiply if is_number => ("stablehlo.multiply", one),
        Opcode::Maximum => ("stablehlo.maximum", lowest),
        Opcode::Minimum => ("stablehlo.minimum", highest),
        Opcode::And if class == Class::Signed => ("stablehlo.and", Integer(-1)),
        Opcode::And if has_bits => ("stablehlo.and", highest),
        Opcode::Or if has_bits => ("stablehlo.or", zero),
        _ => return None,
    })
}
