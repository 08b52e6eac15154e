//! A `reduce-window` whose computation has no neutral element that is known.
//!
//! Every array has a companion that says which elements there are: true
//! everywhere, so that padding and gaps, which hold the start values, are false.
//! The computation is applied to elements only, and a second reduction, of two
//! elements each, joins the start values once:
//!
//! ```mlir
//! %0:2 = "stablehlo.reduce_window"(%x, %true, %start, %false) ({
//! ^bb0(%a: tensor<f32>, %is_a: tensor<i1>, %b: tensor<f32>, %is_b: tensor<i1>):
//!   %both = ...                                      // the computation of %a and %b
//!   %any = stablehlo.select %is_b, %both, %a
//!   %c = stablehlo.select %is_a, %any, %b
//!   %is_c = stablehlo.or %is_a, %is_b
//!   stablehlo.return %c, %is_c
//! }) {padding = dense<1> ...}
//! %1 = stablehlo.concatenate %starts, %0#0, dim = 0
//! %2 = stablehlo.concatenate %trues, %0#1, dim = 0
//! %3:2 = stablehlo.reduce(%1 init: %start), (%2 init: %false) across dimensions = [0] ...
//! ```

use super::{
    Result, instruction::Instruction, reduce_window::windowed, types::static_sizes, values::Tree,
};
use halo_core::ElementType;
use halo_hlo_text::Window;
use halo_ir::Region;
use halo_ir::{Type, Value};
use melior::ir::ValueLike;

/// `reduce-window`, whose results have known sizes.
pub fn reduce_window<'m>(i: &Instruction<'_, 'm>, window: &Window) -> Result<Tree<'m>> {
    let importer = i.importer;
    let values = i.values()?;
    let (arrays, starts) = values.split_at(values.len() / 2);
    let (Some(array), Some(sizes)) = (arrays.first(), result_sizes(i)?) else {
        return Err(super::failure("expected arrays of known size"));
    };
    let truth = importer.element_type(ElementType::I1)?;
    let is_element = halo_ir::with_element_type(array.r#type(), truth);
    let is_element = importer.filled(&i.builder, is_element, 1)?;
    let r#false = importer.number(&i.builder, ElementType::I1, 0)?;
    let r#true = importer.number(&i.builder, ElementType::I1, 1)?;

    let mut types = i.result_types()?;
    types.push(importer.tensor_of(&sizes, ElementType::I1)?);
    let operands = [arrays, &[is_element], starts, &[r#false]].concat();
    let op = windowed(i, window, &operands)?.region(combine(i, starts)?);
    let reduced = halo_ir::results_of(i.create(op.results(&types))?);

    let begin = [starts, &[r#true]].concat();
    let pairs = begin.into_iter().zip(reduced);
    let pairs = pairs.map(|(start, result)| one_above_the_other(i, start, result, &sizes));
    let mut operands = pairs.collect::<Result<Vec<_>>>()?;
    operands.extend_from_slice(starts);
    operands.push(r#false);
    let op = i
        .op("stablehlo.reduce")
        .operands(&operands)
        .attribute(
            "dimensions",
            halo_ir::i64_array_attribute(importer.context, &[0]),
        )
        .region(combine(i, starts)?);
    let mut results = halo_ir::results_of(i.create(op.results(&types))?);
    results.pop();
    importer.assemble(&i.source.shape, &results)
}

fn result_sizes(i: &Instruction) -> Result<Option<Vec<i64>>> {
    let shapes = super::types::leaves(&i.source.shape);
    let first = shapes.first().map(|shape| super::types::array_of(shape));
    Ok(first.transpose()?.and_then(static_sizes))
}

/// The computation on elements that are there, and whether there are any.
fn combine<'m>(i: &Instruction<'_, 'm>, starts: &[Value<'m>]) -> Result<Region<'m>> {
    let importer = i.importer;
    let computation = i.computation("to_apply")?;
    let truth = importer.tensor_of(&[], ElementType::I1)?;
    let mut half: Vec<Type> = starts.iter().map(|start| start.r#type()).collect();
    half.push(truth);
    let types = [&half[..], &half[..]].concat();
    i.builder.region(&types, |builder, arguments| {
        let (one, other) = arguments.split_at(arguments.len() / 2);
        let (Some((is_one, one)), Some((is_other, other))) = (one.split_last(), other.split_last())
        else {
            return Err(super::failure("expected two elements"));
        };
        let parameters = one.iter().chain(other).copied().map(Tree::Value).collect();
        let both = importer.instructions(builder, computation, parameters)?;
        let both = importer.flatten(builder, &both)?;
        let mut results = Vec::new();
        for ((both, one), other) in both.into_iter().zip(one).zip(other) {
            let r#type = one.r#type();
            let any = builder.value("stablehlo.select", &[*is_other, both, *one], r#type)?;
            results.push(builder.value("stablehlo.select", &[*is_one, any, *other], r#type)?);
        }
        results.push(builder.value("stablehlo.or", &[*is_one, *is_other], truth)?);
        builder.op("stablehlo.return").operands(&results).insert()?;
        Ok(())
    })
}

/// The start value everywhere, and below it what windows give.
fn one_above_the_other<'m>(
    i: &Instruction<'_, 'm>,
    start: Value<'m>,
    result: Value<'m>,
    sizes: &[i64],
) -> Result<Value<'m>> {
    let shape = |count: i64| {
        let sizes = [&[count], sizes].concat();
        halo_ir::tensor_type(&sizes, halo_ir::element_type(result.r#type()))
    };
    let spread = i
        .op("stablehlo.broadcast_in_dim")
        .operands(&[start])
        .attribute(
            "broadcast_dimensions",
            halo_ir::i64_array_attribute(i.importer.context, &[]),
        );
    let above = i.step(spread.result(shape(1)))?;
    let op = i.op("stablehlo.reshape").operands(&[result]);
    let below = i.step(op.result(shape(1)))?;
    let op = i
        .op("stablehlo.concatenate")
        .operands(&[above, below])
        .attribute("dimension", i.importer.integer_attribute(64, 0));
    i.step(op.result(shape(2)))
}
