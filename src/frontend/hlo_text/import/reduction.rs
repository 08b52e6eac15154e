//! Ops whose computation is a region on elements.

use super::{Result, failure, instruction::Instruction, values::Tree};
use halo_hlo_text::{Value as AttributeValue, Window};
use halo_ir::Attribute;

/// `reduce`: arrays, then as many start values.
pub fn reduce<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    let dimensions = i.integers("dimensions")?;
    let op = i
        .op("stablehlo.reduce")
        .operands(&i.values()?)
        .attribute(
            "dimensions",
            halo_ir::i64_array_attribute(i.importer.context, &dimensions),
        )
        .region(i.region("to_apply")?);
    i.many(op.results(&i.result_types()?))
}

/// The window of an op; of rank 0 where none is written.
pub fn window(i: &Instruction) -> Result<Window> {
    match i.attribute("window") {
        None => Ok(Window::default()),
        Some(AttributeValue::Window(window)) => Ok(window.clone()),
        Some(_) => Err(failure("attribute 'window' must be a window")),
    }
}

/// One number of each dimension of a window.
pub fn along_window<'m>(
    i: &Instruction<'_, 'm>,
    window: &Window,
    number: fn(&halo_hlo_text::WindowDimension) -> i64,
) -> Attribute<'m> {
    let numbers: Vec<i64> = window.dimensions.iter().map(number).collect();
    halo_ir::i64_array_attribute(i.importer.context, &numbers)
}

/// The padding of a window, low and high of each dimension.
pub fn window_padding<'m>(i: &Instruction<'_, 'm>, window: &Window) -> Result<Attribute<'m>> {
    let row = |it: &halo_hlo_text::WindowDimension| vec![it.padding_low, it.padding_high];
    let rows: Vec<Vec<i64>> = window.dimensions.iter().map(row).collect();
    i.importer.matrix(&rows, 2)
}

/// `select-and-scatter`
pub fn select_and_scatter<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    let window = window(i)?;
    let dilated = |it: &halo_hlo_text::WindowDimension| {
        it.base_dilation != 1 || it.window_dilation != 1 || it.window_reversal
    };
    if window.dimensions.iter().any(dilated) {
        return super::attributes::as_custom_call(i);
    }
    let op = i
        .op("stablehlo.select_and_scatter")
        .operands(&i.values()?)
        .attribute("window_dimensions", along_window(i, &window, |it| it.size))
        .attribute("window_strides", along_window(i, &window, |it| it.stride))
        .attribute("padding", window_padding(i, &window)?)
        .region(i.region("select")?)
        .region(i.region("scatter")?);
    i.one(op.result(i.result_type()?))
}

/// `map`. Without dimensions it is over all.
pub fn map<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    let dimensions = match i.attribute("dimensions") {
        Some(_) => i.integers("dimensions")?,
        None => (0..i.result_array()?.dimensions.len() as i64).collect(),
    };
    let op = i
        .op("stablehlo.map")
        .operands(&i.values()?)
        .attribute(
            "dimensions",
            halo_ir::i64_array_attribute(i.importer.context, &dimensions),
        )
        .region(i.region("to_apply")?);
    i.one(op.result(i.result_type()?))
}

/// `sort`
pub fn sort<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    let dimension = i.dimension()?;
    let stable = halo_ir::bool_attribute(i.importer.context, i.boolean("is_stable")?);
    let op = i
        .op("stablehlo.sort")
        .operands(&i.values()?)
        .attribute("dimension", i.importer.integer_attribute(64, dimension))
        .attribute("is_stable", stable)
        .region(i.region("to_apply")?);
    i.many(op.results(&i.result_types()?))
}

/// `scan`: inputs, then as many start values as there are carries.
pub fn scan<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    let context = i.importer.context;
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
    let segments = |first: usize| {
        let sizes = [first as i32, carries as i32];
        melior::ir::attribute::DenseI32ArrayAttribute::new(context, &sizes)
    };
    let mut op = i
        .op("chlo.scan")
        .operands(&values)
        .attribute(
            "dimension",
            i.importer.integer_attribute(64, i.dimension()?),
        )
        .attribute(
            "is_reverse",
            halo_ir::bool_attribute(context, i.boolean("is_reverse")?),
        )
        .attribute("operandSegmentSizes", segments(inputs))
        .attribute("resultSegmentSizes", segments(outputs))
        .region(i.region("to_apply")?);
    if i.attribute("is_associative").is_some() {
        let associative = halo_ir::bool_attribute(context, i.boolean("is_associative")?);
        op = op.attribute("is_associative", associative);
    }
    i.many(op.results(&results))
}
