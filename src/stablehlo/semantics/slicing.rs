//! Ops that slice or concatenate tensors.

use super::prelude::*;

/// Section `slice`: (C1) to (C5); (C1) is in ODS.
pub fn slice<O: Op>(op: O) -> Inference<O::Type> {
    let operand = op.operand(0)?;
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
        // The sum cannot overflow: `limit - start` is not negative.
        let span = limit - start;
        shape.push(Dim::Static(span / stride + i64::from(span % stride != 0)));
    }
    one(Inferred::tensor(shape, operand.element))
}

/// Fails unless all start indices of a dynamic slice have one type, and their number is the rank of
/// operand 0.
fn start_indices<O: Op>(op: O, first: usize, rank: usize) -> VerifyResult {
    let count = op.operand_count() - first.min(op.operand_count());
    if count != rank {
        return Err(format!(
            "has {count} start indices, but operand 0 has rank {rank}"
        ));
    }
    let Some(index) = op.operands().into_iter().nth(first) else {
        return Ok(());
    };
    op.operands()
        .into_iter()
        .skip(first + 1)
        .try_for_each(|other| expect_same_type(other, index))
}

/// Section `dynamic_slice`: (C1) to (C5).
pub fn dynamic_slice<O: Op>(op: O) -> Inference<O::Type> {
    let operand = op.operand(0)?;
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
    let shape: Vec<Dim> = sizes.into_iter().map(Dim::Static).collect();
    one(Inferred::tensor(shape, operand.element))
}

/// Section `dynamic_update_slice`: (C1) to (C6).
pub fn dynamic_update_slice<O: Op>(op: O) -> Inference<O::Type> {
    let (operand, update) = (op.operand(0)?, op.operand(1)?);
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
    one(Inferred::like(&operand))
}

/// Section `concatenate`: (C2), (C4), (C6); the others are in ODS.
pub fn concatenate<O: Op>(op: O) -> Inference<O::Type> {
    let first = op.operand(0)?;
    let dimension = op.integer("dimension")?;
    expect_dimensions("dimension", &[dimension], first.rank(), "operand 0")?;
    let along = dimension as usize;
    let mut shape = first.dims.clone();
    for number in 1..op.operand_count() {
        let input = op.operand(number)?;
        if input.rank() != first.rank() {
            input.expect_shape_of(&first)?;
        }
        for (index, (dim, sum)) in input.dims.iter().zip(&mut shape).enumerate() {
            if index == along {
                *sum = sum.plus(*dim);
            } else if dim.agrees_with(*sum) {
                *sum = sum.meet(*dim);
            } else {
                return Err(format!(
                    "dimension {index} of operand {number} has size {dim}, but that of operand 0 \
                     has size {sum}"
                ));
            }
        }
    }
    one(Inferred::tensor(shape, first.element))
}

/// Section `pad`: (C2) to (C4); (C1) is in ODS.
pub fn pad<O: Op>(op: O) -> Inference<O::Type> {
    let operand = op.operand(0)?;
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
    let shape = padded(&operand.dims, &low, &high, &interior)?;
    one(Inferred::tensor(shape, operand.element))
}

/// (C4) of `pad` and `dynamic_pad`. The lists have an entry for each dimension.
pub fn padded(
    dims: &[Dim],
    low: &[i64],
    high: &[i64],
    interior: &[i64],
) -> Result<Vec<Dim>, String> {
    let edges = low.iter().zip(high);
    dims.iter()
        .zip(edges.zip(interior))
        .enumerate()
        .map(|(index, (dim, ((low, high), interior)))| {
            let Some(limit) = dim.limit() else {
                return Ok(Dim::Dynamic);
            };
            let holes = (limit - 1).max(0).checked_mul(*interior);
            let size = holes
                .and_then(|holes| limit.checked_add(holes)?.checked_add(*low)?.checked_add(*high));
            match size {
                Some(size) if size >= 0 => Ok(dim.map(|_| size)),
                _ => Err(format!(
                    "padding makes dimension {index} of size {}",
                    size.map_or("too large".to_owned(), |size| size.to_string())
                )),
            }
        })
        .collect()
}

/// Section `get_dimension_size`: (C1).
pub fn get_dimension_size<O: Op>(op: O) -> Inference<O::Type> {
    let dimension = op.integer("dimension")?;
    let rank = op.operand(0)?.rank();
    expect_dimensions("dimension", &[dimension], rank, "operand 0")?;
    one(Inferred::Type(op.integer_type(32, false).tensor_of(&[])))
}

/// The op `set_dimension_size`, which has no section in the specification: the old size becomes the
/// bound, unless the new one is a constant that equals it.
pub fn set_dimension_size<O: Op>(op: O) -> Inference<O::Type> {
    let operand = op.operand(0)?;
    op.operand(1)?.expect_rank(0)?;
    let dimension = op.integer("dimension")?;
    expect_dimensions("dimension", &[dimension], operand.rank(), "operand 0")?;
    let mut shape = operand.dims.clone();
    let constant = op.constant_elements(1).and_then(|(_, values)| values.first().copied());
    let dim = &mut shape[dimension as usize];
    *dim = match (dim.limit(), constant) {
        (Some(limit), Some(size)) if limit == size => Dim::Static(size),
        (Some(limit), _) => Dim::Bounded(limit),
        (None, _) => Dim::Dynamic,
    };
    one(Inferred::tensor(shape, operand.element))
}

/// The op `torch_index_select`, which has no section in the specification: the unbatched dimensions
/// of the indices replace the dimension. `dim` and `batch_dims` may be negative, and the batch
/// dimensions, which are the first of both operands, come before `dim`.
pub fn torch_index_select<O: Op>(op: O) -> Inference<O::Type> {
    let (operand, index) = (op.operand(0)?, op.operand(1)?);
    let (dimension, batch) = (op.integer("dim")?, op.integer("batch_dims")?);
    let rank = operand.rank() as i64;
    let at = match dimension {
        _ if (0..rank).contains(&dimension) => dimension,
        _ if (-rank..0).contains(&dimension) => dimension + rank,
        _ => {
            return Err(format!(
                "attribute 'dim' is {dimension}, but operand 0 has rank {rank}"
            ));
        }
    };
    let index_rank = index.rank() as i64;
    let skip = match batch {
        _ if (0..=index_rank).contains(&batch) => batch,
        _ if (-index_rank..0).contains(&batch) => batch + index_rank,
        _ => {
            return Err(format!(
                "attribute 'batch_dims' is {batch}, but operand 1 has rank {index_rank}"
            ));
        }
    };
    if skip > at {
        return Err(format!(
            "attribute 'batch_dims' is {batch}, but attribute 'dim' is {dimension}, which must \
             not be a batch dimension"
        ));
    }
    let (at, skip) = (at as usize, skip as usize);
    let mut shape = operand.dims.clone();
    for (number, (dim, other)) in shape.iter_mut().zip(&index.dims).take(skip).enumerate() {
        if !dim.agrees_with(*other) {
            return Err(format!(
                "dimension {number} of operand 1 has size {other}, but that of operand 0 has size \
                 {dim}"
            ));
        }
        *dim = dim.meet(*other);
    }
    shape.splice(at..=at, index.dims[skip..].iter().copied());
    one(Inferred::tensor(shape, operand.element))
}
