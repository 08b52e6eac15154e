//! `reduce-window`.
//!
//! XLA skips the elements of a window in the padding and in the gaps between dilated elements;
//! StableHLO fills them with the start values, which are also the initial values. The results are
//! equal if the start values are neutral. If they may not be, and the neutral elements of the
//! computation are known, the windows are reduced from those, and the start values are combined
//! once:
//!
//! ```mlir
//! %0 = "stablehlo.reduce_window"(%x, %zero) ({ ... add ... }) {padding = dense<1> ...}
//! %1 = stablehlo.add %0, %start
//! ```
//!
//! Any other computation gets [flags for the elements that exist](super::flagged_window).

use super::{
    failure::Failure,
    flagged_window,
    instruction::Instruction,
    reduction::{along_window, window, window_padding},
    types::static_sizes,
    values::Tree,
};
use halo_core::{ElementType, element_type::Class};
use halo_hlo_text::{Arguments, HloComputation, HloInstruction, Opcode, Window};
use halo_ir::{Region, ops::Build, prelude::*};

/// `reduce-window`: arrays, then their start values.
pub fn reduce_window<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let window = window(i)?;
    if window.dimensions.iter().any(|it| it.window_reversal) {
        return super::attributes::as_custom_call(i);
    }
    let values = i.values()?;
    if !has_gaps(&window) || !is_static(i) {
        return i.many(over(i, &window, &values)?);
    }
    let Some(joins) = joins(i)? else {
        return flagged_window::reduce_window(i, &window);
    };
    let (arrays, starts) = values.split_at(joins.len().min(values.len()));
    let mut changed = Vec::new();
    for (join, start) in joins.iter().zip(starts) {
        changed.push(match apart(i, join, *start)? {
            Some(neutral) => neutral,
            None => *start,
        });
    }
    let operands = [arrays, &changed].concat();
    let results = i.finish(over(i, &window, &operands)?)?.results();
    let parts = joins.iter().zip(starts).zip(changed).zip(results);
    let parts = parts.map(|(((join, start), changed), result)| {
        if *start == changed {
            return Ok(result);
        }
        let ty = result.ty();
        let spread = stablehlo::BroadcastInDimOp::build(&i.builder, *start, &[], ty);
        let start = i.step(spread)?;
        let op = i.op(join.name).operands(&[start, result]);
        i.step(op.result(result.ty()))
    });
    let parts = parts.collect::<Result<Vec<_>, Failure>>()?;
    i.importer.assemble(&i.source.shape, &parts)
}

/// The op on arrays and start values, with the results of the instruction.
fn over<'m>(
    i: &Instruction<'_, 'm>,
    window: &Window,
    operands: &[Value<'m>],
) -> Result<Build<'m, stablehlo::ReduceWindowOp<'m>>, Failure> {
    let (arrays, starts) = operands.split_at(operands.len() / 2);
    let op = windowed(i, window, (arrays, starts), i.region("to_apply")?)?;
    Ok(op.result_types(&i.result_types()?))
}

/// The op on arrays and start values, without its results.
pub fn windowed<'m>(
    i: &Instruction<'_, 'm>,
    window: &Window,
    (arrays, starts): (&[Value<'m>], &[Value<'m>]),
    body: Region<'m>,
) -> Result<Build<'m, stablehlo::ReduceWindowOp<'m>>, Failure> {
    let sizes = along_window(window, |it| it.size);
    let op = stablehlo::ReduceWindowOp::build(&i.builder, arrays, starts, &sizes, body);
    Ok(op
        .window_strides(&along_window(window, |it| it.stride))
        .base_dilations(&along_window(window, |it| it.base_dilation))
        .window_dilations(&along_window(window, |it| it.window_dilation))
        .padding(window_padding(i, window)?))
}

/// Returns true if windows may contain padding or gaps.
fn has_gaps(window: &Window) -> bool {
    let mut dimensions = window.dimensions.iter();
    dimensions.any(|it| it.padding_low > 0 || it.padding_high > 0 || it.base_dilation != 1)
}

/// Returns true if arrays and results have static sizes.
fn is_static(i: &Instruction) -> bool {
    let results = super::types::leaves(&i.source.shape).into_iter();
    let mut shapes = results.chain(i.operand_shapes.iter().copied());
    shapes.all(|shape| super::types::array_of(shape).is_ok_and(|it| static_sizes(it).is_some()))
}

/// The op that the windows of an array are reduced by.
struct Join {
    name: &'static str,
    element: ElementType,
    neutral: Neutral,
}

/// The ops of a computation that reduces each array by an op with a known neutral element.
fn joins(i: &Instruction) -> Result<Option<Vec<Join>>, Failure> {
    let computation = i.computation("to_apply")?;
    let count = i.operands.len() / 2;
    let mut joins = Vec::new();
    for number in 0..count {
        let element = i.operand_array(number)?.element_type;
        let opcode = opcode_of(computation, number, count);
        let Some((name, neutral)) = opcode.and_then(|opcode| neutral(opcode, element)) else {
            return Ok(None);
        };
        joins.push(Join {
            name,
            element,
            neutral,
        });
    }
    Ok(Some(joins))
}

/// The neutral element as initial value, if the start value may differ.
fn apart<'m>(
    i: &Instruction<'_, 'm>,
    join: &Join,
    start: Value<'m>,
) -> Result<Option<Value<'m>>, Failure> {
    let scalar = i.importer.tensor_of(&[], join.element)?;
    let neutral = match join.neutral {
        Neutral::Integer(value) => halo_ir::dense_from_integers(scalar, &[value]),
        Neutral::Float(value) => halo_ir::dense_number(scalar, value),
    };
    let Some(neutral) = neutral else {
        return Ok(None);
    };
    if constant_of(start).is_some_and(|value| is_same(value, neutral)) {
        return Ok(None);
    }
    let op = stablehlo::ConstantOp::build(&i.builder, neutral, scalar);
    i.step(op).map(Some)
}

fn constant_of(value: Value<'_>) -> Option<Attribute<'_>> {
    value.defining_op()?.attribute("value")
}

/// Zeros are the same, whatever their sign.
fn is_same(one: Attribute, other: Attribute) -> bool {
    let is_zero = |value: Attribute| value.splat_number() == Some(0.0);
    one == other || is_zero(one) && is_zero(other)
}

/// The opcode that a computation of several arrays applies to the two elements of one of them, if
/// it is a single one.
fn opcode_of(computation: &HloComputation, number: usize, count: usize) -> Option<Opcode> {
    let find = |name: &str| {
        let mut all = computation.instructions.iter();
        all.find(|it: &&HloInstruction| it.name == name)
    };
    let root = computation.root()?;
    let result = match root.opcode {
        Opcode::Tuple => find(root.operands().get(number)?)?,
        _ if count == 1 => root,
        _ => return None,
    };
    let [one, other] = result.operands() else {
        return None;
    };
    let parameter = |name: &String| match find(name)?.arguments {
        Arguments::Parameter(number) => Some(number),
        _ => None,
    };
    let both = [parameter(one)?, parameter(other)?];
    let expected = [number, count.checked_add(number)?];
    (both == expected || both == [expected[1], expected[0]]).then_some(result.opcode)
}

enum Neutral {
    Integer(i64),
    Float(f64),
}

/// The op of an opcode, and its neutral element.
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
        Opcode::Add if is_number => (stablehlo::AddOp::NAME, zero),
        Opcode::Multiply if is_number => (stablehlo::MulOp::NAME, one),
        Opcode::Maximum => (stablehlo::MaxOp::NAME, lowest),
        Opcode::Minimum => (stablehlo::MinOp::NAME, highest),
        Opcode::And if class == Class::Signed => (stablehlo::AndOp::NAME, Integer(-1)),
        Opcode::And if has_bits => (stablehlo::AndOp::NAME, highest),
        Opcode::Or if has_bits => (stablehlo::OrOp::NAME, zero),
        _ => return None,
    })
}
