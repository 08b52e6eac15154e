//! Ops that take parts of tensors, or put tensors together.

use super::{
    op::{Op, expect_at_least, expect_dimensions, expect_size},
    tensor::{Dim, Verdict, expect_same_type},
};

/// Section `slice`: (C1) to (C5); (C1) is in ODS.
pub fn slice(op: Op) -> Verdict {
    let (operand, result) = (op.operand(0)?, op.result(0)?);
    let starts = op.integers("start_indices")?;
    let limits = op.integers("limit_indices")?;
    let strides = op.integers("strides")?;
    for (name, list) in [
        ("start_indices", &starts),
        ("limit_indices", &limits),
        ("strides", &strides),
    ] {
        expect_size(name, list.len(), operand.rank(), "operand 0 has rank")?;
    }
    expect_at_least("start_indices", &starts, 0)?;
    expect_at_least("strides", &strides, 1)?;
    let mut shape = Vec::with_capacity(operand.rank());
    for (index, dim) in operand.dims.iter().enumerate() {
        let (start, limit, stride) = (starts[index], limits[index], strides[index]);
        if start > limit {
            return Err(format!(
                "dimension {index} starts at {start}, but its limit is {limit}"
            ));
        }
        if let Some(size) = dim.limit()
            && limit > size
        {
            return Err(format!(
                "dimension {index} has limit {limit}, but operand 0 has size {dim} there"
            ));
        }
        shape.push(dim.size().map_or(Dim::Dynamic, |_| {
            Dim::Static((limit - start + stride - 1) / stride)
        }));
    }
    result.expect_inferred_shape(&shape)
}

/// Fails unless all start indices of a dynamic slice have one type and are as
/// many as the dimensions of operand 0.
fn start_indices(op: Op, first: usize, rank: usize) -> Verdict {
    let count = op.operand_count() - first.min(op.operand_count());
    if count != rank {
        return Err(format!(
            "has {count} start indices, but operand 0 has rank {rank}"
        ));
    }
    let Some(index) = op.operands().nth(first) else {
        return Ok(());
    };
    op.operands()
        .skip(first + 1)
        .try_for_each(|other| expect_same_type(other, index))
}

/// Section `dynamic_slice`: (C1) to (C5).
pub fn dynamic_slice(op: Op) -> Verdict {
    let (operand, result) = (op.operand(0)?, op.result(0)?);
    let sizes = op.integers("slice_sizes")?;
    start_indices(op, 1, operand.rank())?;
    expect_size(
        "slice_sizes",
        sizes.len(),
        operand.rank(),
        "operand 0 has rank",
    )?;
    expect_at_least("slice_sizes", &sizes, 0)?;
    for (index, (size, dim)) in sizes.iter().zip(&operand.dims).enumerate() {
        if dim.limit().is_some_and(|limit| *size > limit) {
            return Err(format!(
                "attribute 'slice_sizes' has {size} for dimension {index}, but operand 0 has size \
                 {dim} there"
            ));
        }
    }
    result.expect_element_of(&operand)?;
    let shape: Vec<Dim> = sizes.into_iter().map(Dim::Static).collect();
    result.expect_inferred_shape(&shape)
}

/// Section `dynamic_update_slice`: (C1) to (C6).
pub fn dynamic_update_slice(op: Op) -> Verdict {
    let (operand, update, result) = (op.operand(0)?, op.operand(1)?, op.result(0)?);
    update.expect_element_of(&operand)?;
    if update.rank() != operand.rank() {
        return Err(format!(
            "operand 1 has rank {}, but operand 0 has rank {}",
            update.rank(),
            operand.rank()
        ));
    }
    start_indices(op, 2, operand.rank())?;
    for (index, (part, whole)) in update.dims.iter().zip(&operand.dims).enumerate() {
        if let (Some(size), Some(limit)) = (part.size(), whole.limit())
            && size > limit
        {
            return Err(format!(
                "dimension {index} of operand 1 has size {part}, but operand 0 has size {whole} \
                 there"
            ));
        }
    }
    expect_same_type(
        (result.subject, result.r#type),
        (operand.subject, operand.r#type),
    )
}

/// Section `concatenate`: (C2), (C4), (C6); the others are in ODS.
pub fn concatenate(op: Op) -> Verdict {
    let (first, result) = (op.operand(0)?, op.result(0)?);
    let dimension = op.integer("dimension")?;
    expect_dimensions("dimension", &[dimension], first.rank(), "operand 0")?;
    let along = dimension as usize;
    let mut shape = first.dims.clone();
    for number in 1..op.operand_count() {
        let input = op.operand(number)?;
        if input.rank() != first.rank() {
            return input.expect_shape_of(&first);
        }
        for (index, dim) in input.dims.iter().enumerate() {
            if index == along {
                shape[along] = match (shape[along], *dim) {
                    (Dim::Static(sum), Dim::Static(size)) => Dim::Static(sum + size),
                    (sum, size) => match (sum.limit(), size.limit()) {
                        (Some(sum), Some(size)) => Dim::Bounded(sum + size),
                        _ => Dim::Dynamic,
                    },
                };
            } else if !dim.agrees_with(first.dims[index]) {
                return Err(format!(
                    "dimension {index} of operand {number} has size {dim}, but that of operand 0 \
                     has size {}",
                    first.dims[index]
                ));
            } else if shape[index].size().is_none() && dim.size().is_some() {
                shape[index] = *dim;
            }
        }
    }
    result.expect_inferred_shape(&shape)
}

/// Section `pad`: (C2) to (C4); (C1) is in ODS.
pub fn pad(op: Op) -> Verdict {
    let (operand, result) = (op.operand(0)?, op.result(0)?);
    let low = op.integers("edge_padding_low")?;
    let high = op.integers("edge_padding_high")?;
    let interior = op.integers("interior_padding")?;
    for (name, list) in [
        ("edge_padding_low", &low),
        ("edge_padding_high", &high),
        ("interior_padding", &interior),
    ] {
        expect_size(name, list.len(), operand.rank(), "operand 0 has rank")?;
    }
    expect_at_least("interior_padding", &interior, 0)?;
    let shape: Vec<Dim> = operand
        .dims
        .iter()
        .enumerate()
        .map(|(index, dim)| {
            dim.map(|size| size + (size - 1).max(0) * interior[index] + low[index] + high[index])
        })
        .collect();
    if let Some(index) = shape
        .iter()
        .position(|dim| dim.limit().is_some_and(|size| size < 0))
    {
        return Err(format!(
            "padding makes dimension {index} of size {}",
            shape[index].limit().unwrap_or_default()
        ));
    }
    result.expect_inferred_shape(&shape)
}

/// Section `get_dimension_size`: (C1).
pub fn get_dimension_size(op: Op) -> Verdict {
    op.result(0)?.expect_rank(0)?;
    let dimension = op.integer("dimension")?;
    expect_dimensions(
        "dimension",
        &[dimension],
        op.operand(0)?.rank(),
        "operand 0",
    )
}
