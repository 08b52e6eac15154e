//! A `reduce-window` whose computation has no known neutral element.
//!
//! Every array has a companion of flags for its elements: true everywhere, so that padding and
//! gaps, which have the start values, are false. The computation is applied to elements only, and a
//! second reduction, of two elements each, applies the start values once:
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
    failure::Failure, instruction::Instruction, reduce_window::windowed, types::static_sizes,
    values::Tree,
};
use halo_core::ElementType;
use halo_hlo_text::Window;
use halo_ir::{Region, prelude::*};

/// `reduce-window`, whose results have known sizes.
pub fn reduce_window<'m>(i: &Instruction<'_, 'm>, window: &Window) -> Result<Tree<'m>, Failure> {
    let importer = i.importer;
    let values = i.values()?;
    let (arrays, starts) = values.split_at(values.len() / 2);
    let (Some(array), Some(sizes)) = (arrays.first(), result_sizes(i)?) else {
        return Err(super::failure::failure("expected arrays of known size"));
    };
    let truth = importer.element_type(ElementType::I1)?;
    let is_element = array.ty().with_element_type(truth);
    let is_element = importer.filled(&i.builder, is_element, 1)?;
    let r#false = importer.number(&i.builder, ElementType::I1, 0)?;
    let r#true = importer.number(&i.builder, ElementType::I1, 1)?;

    let mut types = i.result_types()?;
    types.push(importer.tensor_of(&sizes, ElementType::I1)?);
    let flagged = [arrays, &[is_element]].concat();
    let inits = [starts, &[r#false]].concat();
    let op = windowed(i, window, (&flagged, &inits), combine(i, starts)?)?;
    let reduced = i.create(op.result_types(&types))?.results();

    let begin = [starts, &[r#true]].concat();
    let pairs = begin.into_iter().zip(reduced);
    let pairs = pairs.map(|(start, result)| one_above_the_other(i, start, result, &sizes));
    let pairs = pairs.collect::<Result<Vec<_>, Failure>>()?;
    let body = combine(i, starts)?;
    let op = stablehlo::ReduceOp::build(&i.builder, &pairs, &inits, &[0], body);
    let mut results = i.create(op.result_types(&types))?.results();
    results.pop();
    importer.assemble(&i.source.shape, &results)
}

fn result_sizes(i: &Instruction) -> Result<Option<Vec<i64>>, Failure> {
    let shapes = super::types::leaves(&i.source.shape);
    let first = shapes.first().map(|shape| super::types::array_of(shape));
    Ok(first.transpose()?.and_then(static_sizes))
}

/// The computation on flagged elements, and whether there are any.
fn combine<'m>(i: &Instruction<'_, 'm>, starts: &[Value<'m>]) -> Result<Region<'m>, Failure> {
    let importer = i.importer;
    let computation = i.computation("to_apply")?;
    let truth = importer.tensor_of(&[], ElementType::I1)?;
    let mut half = starts.types();
    half.push(truth);
    let types = [&half[..], &half[..]].concat();
    i.builder.region(&types, |builder, arguments| {
        let (one, other) = arguments.split_at(arguments.len() / 2);
        let (Some((is_one, one)), Some((is_other, other))) = (one.split_last(), other.split_last())
        else {
            return Err(super::failure::failure("expected two elements"));
        };
        let parameters = one.iter().chain(other).copied().map(Tree::Value).collect();
        let both = importer.instructions(builder, computation, parameters)?;
        let both = importer.flatten(builder, &both)?;
        let mut results = Vec::new();
        for ((both, one), other) in both.into_iter().zip(one).zip(other) {
            let any = stablehlo::select(builder, *is_other, both, *one);
            results.push(stablehlo::select(builder, *is_one, any, *other));
        }
        results.push(stablehlo::or(builder, *is_one, *is_other));
        stablehlo::return_(builder, &results);
        Ok(())
    })
}

/// The start values everywhere, and the results of windows below.
fn one_above_the_other<'m>(
    i: &Instruction<'_, 'm>,
    start: Value<'m>,
    result: Value<'m>,
    sizes: &[i64],
) -> Result<Value<'m>, Failure> {
    let shape = |count: i64| {
        let sizes = [&[count], sizes].concat();
        halo_ir::tensor_type(&sizes, result.ty().element_type())
    };
    let spread = stablehlo::BroadcastInDimOp::build(&i.builder, start, &[], shape(1));
    let above = i.step(spread)?;
    let below = i.step(stablehlo::ReshapeOp::build(&i.builder, result, shape(1)))?;
    let op = stablehlo::ConcatenateOp::build(&i.builder, &[above, below], 0);
    i.step(op.result_types(&[shape(2)]))
}
