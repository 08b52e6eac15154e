//! Ops whose computation is a region on elements.

use super::{
    failure::{Failure, failure},
    instruction::Instruction,
    values::Tree,
};
use halo_hlo_text::{Value as AttributeValue, Window};
use halo_ir::prelude::*;

/// `reduce`: arrays, then their start values.
pub fn reduce<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let dimensions = i.integers("dimensions")?;
    let values = i.values()?;
    let (arrays, starts) = values.split_at(values.len() / 2);
    let body = i.region("to_apply")?;
    let op = stablehlo::ReduceOp::build(&i.builder, arrays, starts, &dimensions, body);
    i.many(op.result_types(&i.result_types()?))
}

/// The window of an op; of rank 0 if not written.
pub fn window(i: &Instruction) -> Result<Window, Failure> {
    match i.attribute("window") {
        None => Ok(Window::default()),
        Some(AttributeValue::Window(window)) => Ok(window.clone()),
        Some(_) => Err(failure("attribute 'window' must be a window")),
    }
}

/// One number of each dimension of a window.
pub fn along_window(
    window: &Window,
    number: fn(&halo_hlo_text::WindowDimension) -> i64,
) -> Vec<i64> {
    window.dimensions.iter().map(number).collect()
}

/// The padding of a window, low and high of each dimension.
pub fn window_padding<'m>(
    i: &Instruction<'_, 'm>,
    window: &Window,
) -> Result<Attribute<'m>, Failure> {
    let row = |it: &halo_hlo_text::WindowDimension| vec![it.padding_low, it.padding_high];
    let rows: Vec<Vec<i64>> = window.dimensions.iter().map(row).collect();
    i.importer.matrix(&rows, 2)
}

/// `select-and-scatter`
pub fn select_and_scatter<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let window = window(i)?;
    let dilated = |it: &halo_hlo_text::WindowDimension| {
        it.base_dilation != 1 || it.window_dilation != 1 || it.window_reversal
    };
    if window.dimensions.iter().any(dilated) {
        return super::attributes::as_custom_call(i);
    }
    let [operand, source, start] = i.fixed()?;
    let (select, scatter) = (i.region("select")?, i.region("scatter")?);
    let op =
        stablehlo::SelectAndScatterOp::build(&i.builder, operand, source, start, select, scatter)
            .window_dimensions(&along_window(&window, |it| it.size))
            .window_strides(&along_window(&window, |it| it.stride))
            .padding(window_padding(i, &window)?);
    i.one(op.result_types(&[i.result_type()?]))
}

/// `map`. Without dimensions it is over all.
pub fn map<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let dimensions = match i.attribute("dimensions") {
        Some(_) => i.integers("dimensions")?,
        None => (0..i.result_array()?.dimensions.len() as i64).collect(),
    };
    let (values, computation) = (i.values()?, i.region("to_apply")?);
    let op = stablehlo::MapOp::build(&i.builder, &values, &dimensions, computation);
    i.one(op.result_types(&[i.result_type()?]))
}

/// `sort`
pub fn sort<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let dimension = i.dimension()?;
    let is_stable = i.boolean("is_stable")?;
    let op = stablehlo::SortOp::build(&i.builder, &i.values()?, i.region("to_apply")?)
        .dimension(dimension)
        .is_stable(is_stable);
    i.many(op.result_types(&i.result_types()?))
}

/// `scan`: inputs, then the start values of the carries.
pub fn scan<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let values = i.values()?;
    let carries = i.expected_integer("num_carries")?;
    let carries = usize::try_from(carries).unwrap_or(usize::MAX);
    let results = i.result_types()?;
    let counts = (
        values.len().checked_sub(carries),
        results.len().checked_sub(carries),
    );
    let (Some(inputs), Some(outputs)) = counts else {
        return Err(failure(format!(
            "there are {carries} carries, but {} operands and {} results",
            values.len(),
            results.len()
        )));
    };
    let (inputs, inits) = values.split_at(inputs);
    let (outputs, carries) = results.split_at(outputs);
    let (dimension, body) = (i.dimension()?, i.region("to_apply")?);
    let mut op = chlo::ScanOp::build(&i.builder, inputs, inits, dimension, outputs, carries, body)
        .is_reverse(i.boolean("is_reverse")?);
    if i.attribute("is_associative").is_some() {
        op = op.is_associative(i.boolean("is_associative")?);
    }
    i.many(op)
}
