//! Ops whose result sizes are operands. Constant sizes are checked like the attributes of the
//! static ops.

use super::{prelude::*, quantization::expect_moved, shape::broadcast_dimensions, slicing::padded};

/// The shape in a vector of sizes: static sizes if they are constant, else only the rank.
fn sizes<O: Op>(op: O, operand: usize) -> Result<Option<Vec<Dim>>, String> {
    if let Some(values) = op.constant_operand(operand) {
        expect_at_least(&format!("operand {operand}"), &values, 0)?;
        return Ok(Some(values.into_iter().map(Dim::Static).collect()));
    }
    let vector = op.operand(operand)?;
    vector.expect_rank(1)?;
    let rank = vector.dims[0].size().and_then(|rank| usize::try_from(rank).ok());
    Ok(rank.map(|rank| vec![Dim::Dynamic; rank]))
}

/// The operand's element type for a result, unless it is quantized with other parameters.
fn plain_element<T: Ty>(operand: &Tensor<T>) -> Option<T> {
    operand.element.quantized().is_none().then_some(operand.element)
}

/// Section `dynamic_broadcast_in_dim`: (C7), the result has the computed shape.
pub fn infer_dynamic_broadcast_in_dim<O: Op>(op: O) -> Inference<O::Type> {
    one(Inferred::Tensor {
        dims: sizes(op, 1)?,
        element: plain_element(&op.operand(0)?),
    })
}

/// Section `dynamic_broadcast_in_dim`: (C1) to (C10).
pub fn dynamic_broadcast_in_dim<O: Op>(op: O) -> VerifyResult {
    let (operand, result) = (op.operand(0)?, op.result(0)?);
    let dimensions = broadcast_dimensions(op, &operand, &result)?;
    let sizes = sizes(op, 1)?;
    for (index, dimension) in dimensions.iter().enumerate() {
        let from = operand.dims[index];
        let at = *dimension as usize;
        let computed = sizes.as_ref().and_then(|sizes| sizes.get(at).copied());
        let to = computed.unwrap_or(Dim::Dynamic).meet(result.dims[at]);
        if from != Dim::Static(1) && !from.agrees_with(to) {
            return Err(format!(
                "dimension {index} of operand 0 has size {from}, but dimension {dimension} of \
                 result 0 has size {to}"
            ));
        }
    }
    let mut hints = Vec::new();
    for name in [
        "known_expanding_dimensions",
        "known_nonexpanding_dimensions",
    ] {
        let list = op.optional_integers(name).unwrap_or_default();
        expect_dimensions(name, &list, operand.rank(), "operand 0")?;
        hints.extend(list);
        expect_unique(name, &hints)?;
    }
    super::shape::broadcast_quantization(&operand, &result, &dimensions)
}

/// Section `dynamic_reshape`: (C4), the result has the computed shape.
pub fn infer_dynamic_reshape<O: Op>(op: O) -> Inference<O::Type> {
    one(Inferred::Tensor {
        dims: sizes(op, 1)?,
        element: plain_element(&op.operand(0)?),
    })
}

/// Section `dynamic_reshape`: (C1) to (C5).
pub fn dynamic_reshape<O: Op>(op: O) -> VerifyResult {
    let (operand, result) = (op.operand(0)?, op.result(0)?);
    expect_moved(&result, &operand, |_| None)?;
    result.expect_element_count_of(&operand)?;
    let Some(from) = operand.element_count() else {
        return Ok(());
    };
    if let Some(sizes) = op.constant_operand(1) {
        let to = sizes.iter().try_fold(1_i64, |count, size| count.checked_mul(*size));
        if to != Some(from) {
            return Err(format!(
                "operand 1 is the shape of {} elements, but operand 0 has {from} elements",
                to.map_or("too many".to_string(), |to| to.to_string())
            ));
        }
    }
    Ok(())
}

/// Section `dynamic_iota`: (C2), the result has the computed shape.
pub fn infer_dynamic_iota<O: Op>(op: O) -> Inference<O::Type> {
    one(Inferred::Tensor {
        dims: sizes(op, 0)?,
        element: None,
    })
}

/// Section `dynamic_iota`: (C1).
pub fn dynamic_iota<O: Op>(op: O) -> VerifyResult {
    super::shape::iota(op)
}

/// Fails unless operands are vectors with an entry for each dimension.
fn expect_vectors<O: Op>(op: O, numbers: std::ops::Range<usize>, rank: usize) -> VerifyResult {
    for number in numbers {
        op.operand(number)?
            .expect_shape(&[Dim::Static(rank as i64)], "the rank of operand 0 implies")?;
    }
    Ok(())
}

/// Section `dynamic_pad`: (C1) to (C4).
pub fn dynamic_pad<O: Op>(op: O) -> Inference<O::Type> {
    let (operand, padding) = (op.operand(0)?, op.operand(1)?);
    padding.expect_element_of(&operand)?;
    expect_vectors(op, 2..5, operand.rank())?;
    let interior = op.constant_operand(4);
    if let Some(interior) = &interior {
        expect_at_least("operand 4", interior, 0)?;
    }
    let shape = match (op.constant_operand(2), op.constant_operand(3), interior) {
        (Some(low), Some(high), Some(interior)) => padded(&operand.dims, &low, &high, &interior)?,
        _ => vec![Dim::Dynamic; operand.rank()],
    };
    one(Inferred::tensor(shape, operand.element))
}

/// The op `real_dynamic_slice`, which has no section in the specification; the rules of `slice`
/// apply to constant operands.
pub fn real_dynamic_slice<O: Op>(op: O) -> Inference<O::Type> {
    let operand = op.operand(0)?;
    let rank = operand.rank();
    expect_vectors(op, 1..4, rank)?;
    let lists = [1, 2, 3].map(|number| op.constant_operand(number));
    let [Some(starts), Some(limits), Some(strides)] = lists else {
        let shape = match op.constant_spans() {
            Some(spans) => spans.into_iter().map(Dim::Static).collect(),
            None => vec![Dim::Dynamic; rank],
        };
        return one(Inferred::tensor(shape, operand.element));
    };
    expect_at_least("operand 1", &starts, 0)?;
    expect_at_least("operand 3", &strides, 1)?;
    let spans = starts.iter().zip(&limits).zip(&strides);
    let shape = spans
        .enumerate()
        .map(
            |(index, ((start, limit), stride))| match limit.checked_sub(*start) {
                Some(span) if span >= 0 => {
                    Ok(Dim::Static(span / stride + i64::from(span % stride != 0)))
                }
                _ => Err(format!(
                    "dimension {index} starts at {start}, but its limit is {limit}"
                )),
            },
        )
        .collect::<Result<_, _>>()?;
    one(Inferred::tensor(shape, operand.element))
}

/// Section `rng`: (C1) to (C3).
pub fn rng<O: Op>(op: O) -> Inference<O::Type> {
    let (a, b) = (op.operand(0)?, op.operand(1)?);
    b.expect_element_of(&a)?;
    let distribution = required("rng_distribution", op.case("rng_distribution"))?;
    if distribution == "NORMAL" && !a.element.is_float() {
        return Err(format!(
            "operand 0 has element type {}, but a {distribution} distribution is one of floats",
            a.element
        ));
    }
    one(Inferred::Tensor {
        dims: sizes(op, 2)?,
        element: Some(a.element),
    })
}

/// Section `rng_bit_generator`: (C1), (C2). Only the bit size of an integer state is checked;
/// existing programs have float states.
pub fn rng_bit_generator<O: Op>(op: O) -> VerifyResult {
    let (state, output) = (op.operand(0)?, op.result(0)?);
    output.expect_element_of(&state)?;
    output.expect_shape_of(&state)?;
    let algorithm = required("rng_algorithm", op.case("rng_algorithm"))?;
    let words: &[i64] = match algorithm {
        "DEFAULT" => return Ok(()),
        "THREE_FRY" => &[2],
        _ => &[2, 3],
    };
    let (Some(width), Some(count)) = (state.element.integer_width(), state.element_count()) else {
        return Ok(());
    };
    let bits = count.saturating_mul(i64::from(width));
    if words.iter().any(|words| words * 64 == bits) {
        return Ok(());
    }
    let needed: Vec<String> = words.iter().map(|words| words.to_string()).collect();
    Err(format!(
        "operand 0 has type {}, but the state of {algorithm} has {} words of 64 bits",
        state.ty,
        needed.join(" or ")
    ))
}
