//! Constants, and ops that rearrange or repeat elements.

use super::{prelude::*, quantization::expect_moved, tensor::elements_agree};

/// Section `constant`: (C1). A quantized result has its stored integers as elements, and a type
/// from the program.
pub fn infer_constant<O: Op>(op: O) -> Inference<O::Type> {
    one(Inferred::Default(required("value", op.value_type())?))
}

/// Section `constant`: (C1).
pub fn constant<O: Op>(op: O) -> VerifyResult {
    let value = required("value", op.value_type())?;
    let result = op.result(0)?;
    if value == result.ty {
        return Ok(());
    }
    let element = value.element_type();
    let fits = elements_agree(element, result.element)
        || result.element.quantized().is_some_and(|quantized| {
            element.integer_width() == quantized.storage.bit_width()
                && (!element.is_unsigned() || !quantized.is_signed)
        });
    if fits && value.dims().is_some_and(|dims| dims == result.dims) {
        return Ok(());
    }
    Err(format!(
        "attribute 'value' has type {value}, but {} has type {}",
        result.subject, result.ty
    ))
}

/// Section `iota`: (C1).
pub fn iota<O: Op>(op: O) -> VerifyResult {
    let dimension = op.integer("iota_dimension")?;
    expect_dimensions(
        "iota_dimension",
        &[dimension],
        op.result(0)?.rank(),
        "result 0",
    )
}

/// The op `broadcast`, which has no section in the specification: the new sizes precede the
/// dimensions of the operand.
pub fn broadcast<O: Op>(op: O) -> Inference<O::Type> {
    let operand = op.operand(0)?;
    let sizes = op.integers("broadcast_sizes")?;
    expect_at_least("broadcast_sizes", &sizes, 0)?;
    let shape: Vec<Dim> =
        sizes.into_iter().map(Dim::Static).chain(operand.dims.iter().copied()).collect();
    one(Inferred::tensor(shape, operand.element))
}

/// The dimensions of the result that an operand is broadcast into.
pub fn broadcast_dimensions<O: Op>(
    op: O,
    operand: &Tensor<O::Type>,
    result: &Tensor<O::Type>,
) -> Result<Vec<i64>, String> {
    let name = "broadcast_dimensions";
    let dimensions = op.integers(name)?;
    expect_size(name, dimensions.len(), operand.rank(), "operand 0 has rank")?;
    expect_dimensions(name, &dimensions, result.rank(), "result 0")?;
    expect_unique(name, &dimensions)?;
    Ok(dimensions)
}

/// Section `broadcast_in_dim`: (C1) to (C6).
pub fn broadcast_in_dim<O: Op>(op: O) -> VerifyResult {
    let (operand, result) = (op.operand(0)?, op.result(0)?);
    let dimensions = broadcast_dimensions(op, &operand, &result)?;
    for (index, dimension) in dimensions.iter().enumerate() {
        let (from, to) = (operand.dims[index], result.dims[*dimension as usize]);
        if from != Dim::Static(1) && !from.agrees_with(to) {
            return Err(format!(
                "dimension {index} of operand 0 has size {from}, but dimension {dimension} of \
                 result 0 has size {to}"
            ));
        }
    }
    broadcast_quantization(&operand, &result, &dimensions)
}

/// (C1) and (C6): element types are compatible, and the quantized dimension maps to the result's.
pub fn broadcast_quantization<T: Ty>(
    operand: &Tensor<T>,
    result: &Tensor<T>,
    dimensions: &[i64],
) -> VerifyResult {
    // A broadcast quantized dimension repeats its only scale.
    let repeated = operand
        .element
        .quantized()
        .and_then(|quantized| quantized.axis)
        .is_some_and(|axis| operand.dim(axis) == Some(Dim::Static(1)));
    if repeated {
        result.expect_element_of(operand)?;
        return repeated_scales(operand, result, dimensions);
    }
    expect_moved(result, operand, |axis| {
        dimensions.get(usize::try_from(axis).ok()?).copied()
    })
}

/// The part of (C6) for a quantized dimension of size one.
fn repeated_scales<T: Ty>(
    operand: &Tensor<T>,
    result: &Tensor<T>,
    dimensions: &[i64],
) -> VerifyResult {
    let (Some(from), Some(to)) = (operand.element.quantized(), result.element.quantized()) else {
        return Ok(());
    };
    let expected = from.axis.and_then(|axis| dimensions.get(usize::try_from(axis).ok()?).copied());
    if to.axis != expected {
        return Err(format!(
            "{} has element type {}, but the quantized dimension of {} becomes another dimension",
            result.subject, result.element, operand.subject
        ));
    }
    if from.parameters.len() == 1
        && to.parameters.iter().any(|parameter| *parameter != from.parameters[0])
    {
        return Err(format!(
            "{} has element type {}, but {} has element type {}, which has other scales or zero \
             points",
            result.subject, result.element, operand.subject, operand.element
        ));
    }
    Ok(())
}

/// Section `reshape`: (C1) to (C3).
pub fn reshape<O: Op>(op: O) -> VerifyResult {
    let (operand, result) = (op.operand(0)?, op.result(0)?);
    let open: Vec<&Dim> = result.dims.iter().filter(|dim| dim.size().is_none()).collect();
    // Several unknown sizes can only equal the operand's.
    let limits = |dims: &[Dim]| dims.iter().map(|dim| dim.limit()).collect::<Vec<_>>();
    let is_known = open.len() < 2 || limits(&result.dims) == limits(&operand.dims);
    if open.contains(&&Dim::Dynamic) || !is_known {
        return Err(format!(
            "{} must be statically shaped or have a single bounded dimension, but has type {}",
            result.subject, result.ty
        ));
    }
    result.expect_element_count_of(&operand)?;
    expect_moved(&result, &operand, |_| None)?;
    let axes = [&operand, &result].map(|tensor| {
        let axis = tensor.element.quantized()?.axis?;
        let axis = usize::try_from(axis).ok()?;
        let before = tensor.dims.get(..axis)?;
        let before = before.iter().try_fold(1_i64, |count, dim| count.checked_mul(dim.size()?));
        Some((tensor.dims.get(axis)?.size()?, before?))
    });
    if let [Some((from_size, from_before)), Some((to_size, to_before))] = axes {
        if from_size != to_size {
            return Err(format!(
                "the quantized dimension of result 0 has size {to_size}, but that of operand 0 \
                 has size {from_size}"
            ));
        }
        if from_before != to_before {
            return Err(format!(
                "{to_before} elements come before the quantized dimension of result 0, but \
                 {from_before} before that of operand 0"
            ));
        }
    }
    Ok(())
}

/// The result type of `reshape`, if all of its dimensions except one are known, and all of the
/// operand's.
pub fn refine_reshape<O: Op>(op: O) -> Option<O::Type> {
    let (operand, result) = (op.operand(0).ok()?, op.result(0).ok()?);
    let count = operand.element_count()?;
    let mut sizes: Vec<Option<i64>> = result.dims.iter().map(|dim| dim.size()).collect();
    let mut known = sizes.iter().flatten();
    let known = known.try_fold(1_i64, |product, size| product.checked_mul(*size))?;
    let [open] = &mut sizes.iter_mut().filter(|size| size.is_none()).collect::<Vec<_>>()[..] else {
        return None;
    };
    if known == 0 || count % known != 0 {
        return None;
    }
    **open = Some(count / known);
    let sizes = sizes.into_iter().collect::<Option<Vec<_>>>()?;
    Some(
        result
            .element
            .tensor_of(&sizes.into_iter().map(Dim::Static).collect::<Vec<_>>()),
    )
}

/// Section `transpose`: (C1) to (C4), except for the quantized dimension.
pub fn infer_transpose<O: Op>(op: O) -> Inference<O::Type> {
    let operand = op.operand(0)?;
    let name = "permutation";
    let permutation = op.integers(name)?;
    expect_size(
        name,
        permutation.len(),
        operand.rank(),
        "operand 0 has rank",
    )?;
    expect_dimensions(name, &permutation, operand.rank(), "operand 0")?;
    expect_unique(name, &permutation)?;
    let shape: Vec<Dim> =
        permutation.iter().map(|dimension| operand.dims[*dimension as usize]).collect();
    // A moved quantized dimension changes the element type.
    let moved = operand.element.quantized().is_some_and(|q| q.axis.is_some());
    one(if moved {
        Inferred::shape(shape)
    } else {
        Inferred::tensor(shape, operand.element)
    })
}

/// Section `transpose`: (C1), (C4), the quantized dimension moves with the others.
pub fn transpose<O: Op>(op: O) -> VerifyResult {
    let permutation = op.integers("permutation")?;
    expect_moved(&op.result(0)?, &op.operand(0)?, |axis| {
        Some(permutation.iter().position(|from| *from == axis)? as i64)
    })
}

/// Section `reverse`: (C1) to (C3).
pub fn reverse<O: Op>(op: O) -> Inference<O::Type> {
    let operand = op.operand(0)?;
    let dimensions = op.integers("dimensions")?;
    expect_unique("dimensions", &dimensions)?;
    expect_dimensions("dimensions", &dimensions, operand.rank(), "operand 0")?;
    one(Inferred::like(&operand))
}

/// The bits of one element; `None` for a type without a fixed width.
fn element_bits<T: Ty>(element: T) -> Option<i64> {
    if let Some(quantized) = element.quantized() {
        return quantized.storage.bit_width().map(i64::from);
    }
    match element.complex_element() {
        Some(part) => Some(2 * i64::from(part.bit_width()?)),
        None => element.bit_width().map(i64::from),
    }
}

/// Section `bitcast_convert`: (C1), (C2).
pub fn bitcast_convert<O: Op>(op: O) -> VerifyResult {
    let (operand, result) = (op.operand(0)?, op.result(0)?);
    if operand.element.is_complex() != result.element.is_complex() {
        return Err(format!(
            "result 0 has element type {}, but operand 0 has element type {}, and bits do not \
             convert between real and complex types",
            result.element, operand.element
        ));
    }
    let (Some(from), Some(to)) = (element_bits(operand.element), element_bits(result.element))
    else {
        return Ok(());
    };
    if from == to {
        return result.expect_shape_of(&operand);
    }
    let (wide, narrow, ratio) = if from > to {
        (&operand, &result, (from, to))
    } else {
        (&result, &operand, (to, from))
    };
    if ratio.0 % ratio.1 != 0 {
        return Err(format!(
            "{} has elements of {} bits, but {} of {} bits, which is not a divisor",
            wide.subject, ratio.0, narrow.subject, ratio.1
        ));
    }
    let mut shape = wide.dims.clone();
    shape.push(Dim::Static(ratio.0 / ratio.1));
    narrow.expect_shape(&shape, &format!("the bits of {} make", wide.subject))
}

/// Section `bitcast_convert`: (C2), the shape inferred from the operand and the declared element
/// type of the result.
pub fn infer_bitcast_convert<O: Op>(op: O) -> Inference<O::Type> {
    let (operand, result) = (op.operand(0)?, op.result(0)?);
    let (Some(from), Some(to)) = (element_bits(operand.element), element_bits(result.element))
    else {
        return one(Inferred::unknown());
    };
    let mut shape = operand.dims;
    if from > to && to > 0 {
        shape.push(Dim::Static(from / to));
    } else if from < to {
        shape.pop();
    }
    one(Inferred::shape(shape))
}
