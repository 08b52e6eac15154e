//! Ops whose results have sizes that are operands. Where these are constants,
//! they are checked like the attributes of the static ops.

use super::{
    op::{Op, expect_at_least, expect_dimensions, expect_size, expect_unique},
    quantization::expect_moved,
    tensor::{Dim, Tensor, Verdict},
};

/// Fails unless a vector of sizes has one entry for each dimension of a result
/// and the result has these sizes where they are constants.
fn expect_sizes(op: Op, operand: usize, result: &Tensor) -> Verdict {
    let sizes = op.operand(operand)?;
    if !sizes.dims[0].agrees_with(Dim::Static(result.rank() as i64)) {
        return Err(format!(
            "operand {operand} has {} entries, but result 0 has rank {}",
            sizes.dims[0],
            result.rank()
        ));
    }
    if let Some(values) = op.constant_operand(operand) {
        expect_at_least(&format!("operand {operand}"), &values, 0)?;
        let shape: Vec<Dim> = values.into_iter().map(Dim::Static).collect();
        result.expect_shape(&shape, &format!("operand {operand} is"))?;
    }
    Ok(())
}

/// Section `dynamic_broadcast_in_dim`: (C1) to (C10).
pub fn dynamic_broadcast_in_dim(op: Op) -> Verdict {
    let (operand, result) = (op.operand(0)?, op.result(0)?);
    let name = "broadcast_dimensions";
    let dimensions = op.integers(name)?;
    expect_size(name, dimensions.len(), operand.rank(), "operand 0 has rank")?;
    expect_dimensions(name, &dimensions, result.rank(), "result 0")?;
    expect_unique(name, &dimensions)?;
    expect_sizes(op, 1, &result)?;
    let sizes = op.constant_operand(1);
    for (index, dimension) in dimensions.iter().enumerate() {
        let from = operand.dims[index];
        let to = match &sizes {
            Some(sizes) => Dim::Static(sizes[*dimension as usize]),
            None => result.dims[*dimension as usize],
        };
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
    if operand.element == result.element {
        return Ok(());
    }
    super::shape::broadcast_quantization(&operand, &result, &dimensions)
}

/// Section `dynamic_reshape`: (C1) to (C5).
pub fn dynamic_reshape(op: Op) -> Verdict {
    let (operand, result) = (op.operand(0)?, op.result(0)?);
    expect_moved(&result, &operand, |_| None)?;
    if let (Some(from), Some(to)) = (operand.element_count(), result.element_count())
        && from != to
    {
        return Err(format!(
            "result 0 has {to} elements, but operand 0 has {from} elements"
        ));
    }
    expect_sizes(op, 1, &result)?;
    if let (Some(from), Some(sizes)) = (operand.element_count(), op.constant_operand(1)) {
        let to = sizes
            .iter()
            .try_fold(1_i64, |count, size| count.checked_mul(*size));
        if to != Some(from) {
            return Err(format!(
                "operand 1 is the shape of {} elements, but operand 0 has {from} elements",
                to.map_or("too many".to_string(), |to| to.to_string())
            ));
        }
    }
    Ok(())
}

/// Section `dynamic_iota`: (C1), (C2).
pub fn dynamic_iota(op: Op) -> Verdict {
    let result = op.result(0)?;
    let name = "iota_dimension";
    expect_dimensions(name, &[op.integer(name)?], result.rank(), "result 0")?;
    expect_sizes(op, 0, &result)
}

/// Section `dynamic_pad`: (C1) to (C4).
pub fn dynamic_pad(op: Op) -> Verdict {
    let (operand, padding, result) = (op.operand(0)?, op.operand(1)?, op.result(0)?);
    padding.expect_element_of(&operand)?;
    result.expect_element_of(&operand)?;
    result.expect_rank(operand.rank())?;
    for number in 2..5 {
        op.operand(number)?.expect_shape(
            &[Dim::Static(operand.rank() as i64)],
            "the rank of operand 0 implies",
        )?;
    }
    let interior = op.constant_operand(4);
    if let Some(interior) = &interior {
        expect_at_least("operand 4", interior, 0)?;
    }
    if let (Some(low), Some(high), Some(interior)) =
        (op.constant_operand(2), op.constant_operand(3), interior)
    {
        let shape: Vec<Dim> = operand
            .dims
            .iter()
            .enumerate()
            .map(|(index, dim)| {
                dim.map(|size| {
                    size + (size - 1).max(0) * interior[index] + low[index] + high[index]
                })
            })
            .collect();
        result.expect_inferred_shape(&shape)?;
    }
    Ok(())
}

/// Section `real_dynamic_slice`: ranks agree.
pub fn real_dynamic_slice(op: Op) -> Verdict {
    let (operand, result) = (op.operand(0)?, op.result(0)?);
    result.expect_element_of(&operand)?;
    result.expect_rank(operand.rank())?;
    for number in 1..4 {
        op.operand(number)?.expect_shape(
            &[Dim::Static(operand.rank() as i64)],
            "the rank of operand 0 implies",
        )?;
    }
    Ok(())
}

/// The op `set_dimension_size`, which the specification has no section for.
pub fn set_dimension_size(op: Op) -> Verdict {
    let (operand, result) = (op.operand(0)?, op.result(0)?);
    op.operand(1)?.expect_rank(0)?;
    let dimension = op.integer("dimension")?;
    expect_dimensions("dimension", &[dimension], operand.rank(), "operand 0")?;
    result.expect_element_of(&operand)?;
    let mut shape = operand.dims.clone();
    shape[dimension as usize] = Dim::Dynamic;
    result.expect_inferred_shape(&shape)
}

/// Section `rng`: (C1) to (C3).
pub fn rng(op: Op) -> Verdict {
    let (a, b, result) = (op.operand(0)?, op.operand(1)?, op.result(0)?);
    b.expect_element_of(&a)?;
    result.expect_element_of(&a)?;
    use halo_dialects::{attributes::RngDistribution, ir::is_float};
    let distribution = op.required("rng_distribution", RngDistribution::from_attribute)?;
    if distribution == RngDistribution::Normal && !is_float(a.element) {
        return Err(format!(
            "operand 0 has element type {}, but a {distribution} distribution is one of floats",
            a.element
        ));
    }
    expect_sizes(op, 2, &result)
}

/// Section `rng_bit_generator`: (C1), (C2).
pub fn rng_bit_generator(op: Op) -> Verdict {
    let (state, output) = (op.operand(0)?, op.result(0)?);
    output.expect_element_of(&state)?;
    output.expect_shape_of(&state)
}
