//! Ops that apply a function to many elements.

use super::{body::expect_reducer, prelude::*, window::Window};

/// Splits the operands into inputs and inits.
fn inputs_and_inits<O: Op>(op: O) -> Result<[Vec<Tensor<O::Type>>; 2], String> {
    let count = op.operand_count() / 2;
    if !op.operand_count().is_multiple_of(2) {
        return Err(format!(
            "has {} operands, but needs as many inputs as initial values",
            op.operand_count()
        ));
    }
    if count == 0 {
        return Err("has no operands to reduce".to_string());
    }
    let inputs = (0..count).map(|number| op.operand(number)).collect::<Result<_, _>>()?;
    let inits = (count..2 * count).map(|number| op.operand(number)).collect::<Result<_, _>>()?;
    Ok([inputs, inits])
}

/// Fails unless all tensors have one shape.
fn expect_one_shape<T: Ty>(tensors: &[Tensor<T>]) -> VerifyResult {
    let Some((first, rest)) = tensors.split_first() else {
        return Ok(());
    };
    rest.iter().try_for_each(|tensor| tensor.expect_shape_of(first))
}

/// Results of one shape with an element type each.
fn reduced<T: Ty>(elements: Vec<T>, shape: &[Dim]) -> Inference<T> {
    let results = elements.into_iter();
    Ok(results.map(|element| Inferred::tensor(shape.to_vec(), element)).collect())
}

/// The combined shape of inputs that have one shape.
fn common_shape<T: Ty>(inputs: &[Tensor<T>]) -> Vec<Dim> {
    let mut shape = inputs.first().map_or_else(Vec::new, |input| input.dims.clone());
    for input in inputs {
        for (dim, other) in shape.iter_mut().zip(&input.dims) {
            *dim = dim.meet(*other);
        }
    }
    shape
}

/// Section `reduce`: (C1) to (C8).
pub fn reduce<O: Op>(op: O) -> Inference<O::Type> {
    let [inputs, inits] = inputs_and_inits(op)?;
    expect_one_shape(&inputs)?;
    let name = "dimensions";
    let dimensions = op.integers(name)?;
    expect_dimensions(name, &dimensions, inputs[0].rank(), "operand 0")?;
    expect_unique(name, &dimensions)?;
    let kept: Vec<Dim> = (0_i64..)
        .zip(common_shape(&inputs))
        .filter(|(index, _)| !dimensions.contains(index))
        .map(|(_, dim)| dim)
        .collect();
    let elements = expect_reducer(&op.function(0)?, &inputs, &inits, &kept)?;
    reduced(elements, &kept)
}

/// Section `reduce_window`: (C1) to (C16).
pub fn reduce_window<O: Op>(op: O) -> Inference<O::Type> {
    let [inputs, inits] = inputs_and_inits(op)?;
    expect_one_shape(&inputs)?;
    for init in &inits {
        init.expect_rank(0)?;
    }
    let rank = inputs[0].rank();
    let sizes = op.integers("window_dimensions")?;
    let window = Window::read(op, rank, sizes)?;
    let elements = expect_reducer(&op.function(0)?, &inputs, &inits, &[])?;
    reduced(elements, &window.positions(&common_shape(&inputs)))
}

/// Section `select_and_scatter`: (C1) to (C12).
pub fn select_and_scatter<O: Op>(op: O) -> Inference<O::Type> {
    let (operand, source, init) = (op.operand(0)?, op.operand(1)?, op.operand(2)?);
    init.expect_rank(0)?;
    source.expect_element_of(&operand)?;
    let rank = operand.rank();
    let sizes = op.optional_integers("window_dimensions").unwrap_or_else(|| vec![1; rank]);
    let window = Window::new(rank, "window_dimensions", sizes)?
        .with_strides(op, "window_strides")?
        .with_padding(op, "padding")?;
    let select = op.function(0)?;
    select.expect_argument_count(2)?;
    select.expect_predicate()?;
    for number in 0..2 {
        let argument = select.argument(number)?;
        argument.expect_rank(0)?;
        argument.expect_element_of(&operand)?;
    }
    let sources = std::slice::from_ref(&source);
    let elements = expect_reducer(&op.function(1)?, sources, std::slice::from_ref(&init), &[])?;
    source.expect_inferred_shape(&window.positions(&operand.dims))?;
    reduced(elements, &operand.dims)
}

/// Section `map`: (C1) to (C4).
pub fn map<O: Op>(op: O) -> Inference<O::Type> {
    let inputs = op.tensors()?;
    let Some(first) = inputs.first() else {
        return Err("has no operands to map".to_string());
    };
    expect_one_shape(&inputs)?;
    let dimensions = op.integers("dimensions")?;
    expect_size(
        "dimensions",
        dimensions.len(),
        first.rank(),
        "operand 0 has rank",
    )?;
    if let Some((index, dimension)) =
        (0_i64..).zip(&dimensions).find(|(index, dimension)| index != *dimension)
    {
        return Err(format!(
            "attribute 'dimensions' has {dimension} at position {index}, but must name all \
             dimensions in order"
        ));
    }
    let body = op.function(0)?;
    body.expect_argument_count(op.operand_count())?;
    for number in 0..op.operand_count() {
        let argument = body.argument(number)?;
        argument.expect_rank(0)?;
        argument.expect_element_of(&op.operand(number)?)?;
    }
    let returned = body.expect_returned(1)?;
    let value = Tensor::new(returned[0].0, returned[0].1)?;
    value.expect_rank(0)?;
    one(Inferred::tensor(common_shape(&inputs), value.element))
}

/// Section `sort`: (C1) to (C5).
pub fn sort<O: Op>(op: O) -> Inference<O::Type> {
    let count = op.operand_count();
    let inputs = op.tensors()?;
    let Some(first) = inputs.first() else {
        return Err("has no operands to sort".to_string());
    };
    expect_one_shape(&inputs)?;
    let rank = first.rank() as i64;
    let dimension = op.optional_integer("dimension").unwrap_or(-1);
    // A scalar has one element, which is sorted along any dimension.
    if rank > 0 && !(-rank..rank).contains(&dimension) {
        return Err(format!(
            "attribute 'dimension' is {dimension}, but operand 0 has rank {rank}"
        ));
    }
    let comparator = op.function(0)?;
    comparator.expect_argument_count(2 * count)?;
    for number in 0..2 * count {
        let argument = comparator.argument(number)?;
        argument.expect_rank(0)?;
        argument.expect_element_of(&inputs[number / 2])?;
    }
    comparator.expect_predicate()?;
    // All inputs have one shape: any of them may have a known size.
    let shape = common_shape(&inputs);
    Ok(inputs
        .iter()
        .map(|input| {
            if dims_of(input.ty).is_some_and(|dims| dims == shape) {
                Inferred::like(input)
            } else {
                Inferred::tensor(shape.clone(), input.element)
            }
        })
        .collect())
}
