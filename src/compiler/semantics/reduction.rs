//! Ops that apply a function to many elements.

use super::{
    body::{Body, expect_reducer},
    op::{Op, expect_dimensions, expect_size, expect_unique},
    tensor::{Dim, Tensor, Verdict, expect_same_type},
    window::Window,
};
use halo_dialects::ir::Type;

/// The first half of the operands, then the second.
fn inputs_and_inits(op: Op<'_>) -> Result<(Vec<Tensor<'_>>, Vec<Tensor<'_>>), String> {
    let count = op.operand_count() / 2;
    if count == 0 {
        return Err("has no operands to reduce".to_string());
    }
    let inputs = (0..count)
        .map(|number| op.operand(number))
        .collect::<Result<_, _>>()?;
    let inits = (count..2 * count)
        .map(|number| op.operand(number))
        .collect::<Result<_, _>>()?;
    Ok((inputs, inits))
}

/// Fails unless all tensors have one shape.
fn expect_one_shape(tensors: &[Tensor]) -> Verdict {
    let Some((first, rest)) = tensors.split_first() else {
        return Ok(());
    };
    rest.iter()
        .try_for_each(|tensor| tensor.expect_shape_of(first))
}

/// Fails unless results have the shape and the element types given.
fn expect_reduced(op: Op, elements: &[Type], shape: &[Dim]) -> Verdict {
    op.expect_result_count(elements.len(), "the number of inputs is")?;
    for (number, element) in elements.iter().enumerate() {
        let result = op.result(number)?;
        result.expect_element(*element, "the body gives")?;
        result.expect_inferred_shape(shape)?;
    }
    Ok(())
}

/// Section `reduce`: (C1) to (C8).
pub fn reduce(op: Op) -> Verdict {
    let (inputs, inits) = inputs_and_inits(op)?;
    expect_one_shape(&inputs)?;
    let name = "dimensions";
    let dimensions = op.integers(name)?;
    expect_dimensions(name, &dimensions, inputs[0].rank(), "operand 0")?;
    expect_unique(name, &dimensions)?;
    let kept: Vec<Dim> = (0..inputs[0].rank())
        .filter(|index| !dimensions.contains(&(*index as i64)))
        .map(|index| {
            // Any of the inputs may know the size.
            let dims = inputs.iter().map(|input| input.dims[index]);
            dims.reduce(|best, dim| best.size().map_or(dim, Dim::Static))
                .unwrap_or(Dim::Dynamic)
        })
        .collect();
    let elements = expect_reducer(Body::new(op, 0)?, &inputs, &inits, &kept)?;
    expect_reduced(op, &elements, &kept)
}

/// Section `reduce_window`: (C1) to (C16).
pub fn reduce_window(op: Op) -> Verdict {
    let (inputs, inits) = inputs_and_inits(op)?;
    expect_one_shape(&inputs)?;
    for init in &inits {
        init.expect_rank(0)?;
    }
    let rank = inputs[0].rank();
    let sizes = op.integers("window_dimensions")?;
    let window = Window::new(rank, "window_dimensions", sizes)?
        .with_strides(op, "window_strides")?
        .with_base_dilations(op, "base_dilations")?
        .with_dilations(op, "window_dilations")?
        .with_padding(op, "padding")?;
    let elements = expect_reducer(Body::new(op, 0)?, &inputs, &inits, &[])?;
    expect_reduced(op, &elements, &window.positions(&inputs[0].dims))
}

/// Section `select_and_scatter`: (C1) to (C12).
pub fn select_and_scatter(op: Op) -> Verdict {
    let (operand, source, init) = (op.operand(0)?, op.operand(1)?, op.operand(2)?);
    init.expect_rank(0)?;
    source.expect_element_of(&operand)?;
    let rank = operand.rank();
    let sizes = op
        .optional_integers("window_dimensions")
        .unwrap_or_else(|| vec![1; rank]);
    let window = Window::new(rank, "window_dimensions", sizes)?
        .with_strides(op, "window_strides")?
        .with_padding(op, "padding")?;
    let select = Body::new(op, 0)?;
    select.expect_argument_count(2)?;
    select.expect_predicate()?;
    for number in 0..2 {
        let argument = select.argument(number)?;
        argument.expect_rank(0)?;
        argument.expect_element_of(&operand)?;
    }
    let sources = std::slice::from_ref(&source);
    let elements = expect_reducer(Body::new(op, 1)?, sources, std::slice::from_ref(&init), &[])?;
    source.expect_inferred_shape(&window.positions(&operand.dims))?;
    let result = op.result(0)?;
    result.expect_shape_of(&operand)?;
    match elements.first() {
        Some(element) => result.expect_element(*element, "region 1 gives"),
        None => Ok(()),
    }
}

/// Section `map`: (C2) to (C4); (C1) is in ODS.
pub fn map(op: Op) -> Verdict {
    let first = op.operand(0)?;
    let dimensions = op.integers("dimensions")?;
    expect_size(
        "dimensions",
        dimensions.len(),
        first.rank(),
        "operand 0 has rank",
    )?;
    if let Some((index, dimension)) = (0_i64..)
        .zip(&dimensions)
        .find(|(index, dimension)| index != *dimension)
    {
        return Err(format!(
            "attribute 'dimensions' has {dimension} at position {index}, but must name all \
             dimensions in order"
        ));
    }
    let body = Body::new(op, 0)?;
    body.expect_argument_count(op.operand_count())?;
    for number in 0..op.operand_count() {
        let argument = body.argument(number)?;
        argument.expect_rank(0)?;
        argument.expect_element_of(&op.operand(number)?)?;
    }
    let returned = body.expect_returned(1)?;
    let value = Tensor::new(returned[0].0, returned[0].1)?;
    value.expect_rank(0)?;
    let result = op.result(0)?;
    result.expect_element(value.element, "region 0 returns")?;
    result.expect_shape_of(&first)
}

/// Section `sort`: (C2) to (C5); (C1) is in ODS.
pub fn sort(op: Op) -> Verdict {
    let count = op.operand_count();
    op.expect_result_count(count, "the number of operands is")?;
    let rank = op.operand(0)?.rank() as i64;
    let dimension = op
        .attribute("dimension")
        .and_then(halo_dialects::ir::integer_attribute_value)
        .unwrap_or(-1);
    // A scalar has one element, which is in order along any dimension.
    if rank > 0 && !(-rank..rank).contains(&dimension) {
        return Err(format!(
            "attribute 'dimension' is {dimension}, but operand 0 has rank {rank}"
        ));
    }
    op.results()
        .zip(op.operands())
        .try_for_each(|(result, operand)| expect_same_type(result, operand))?;
    let comparator = Body::new(op, 0)?;
    comparator.expect_argument_count(2 * count)?;
    for number in 0..2 * count {
        let argument = comparator.argument(number)?;
        argument.expect_rank(0)?;
        argument.expect_element_of(&op.operand(number / 2)?)?;
    }
    comparator.expect_predicate()
}
