//! Reads and writes at index vectors.

use super::{
    body::Body,
    call::clamp_to_i64,
    indexing::{for_each_index, gather as gather_elements, position, position_in, strides},
    prelude::*,
    slicing::clamp_start,
};
use halo_core::{Literal, Scalar, Shape};
use halo_ir::stablehlo::attributes::{GatherDimensionNumbers, ScatterDimensionNumbers};

/// The dimensions below `rank` that are not listed.
fn others(rank: usize, listed: &[i64]) -> Vec<usize> {
    (0..rank).filter(|dim| !listed.contains(&(*dim as i64))).collect()
}

/// The components of an index for some dimensions.
fn select(index: &[usize], dims: &[usize]) -> Vec<usize> {
    dims.iter().map(|dim| index[*dim]).collect()
}

/// The index vector that `indices` holds for a batch.
fn index_vector(indices: &Literal, batch: &[usize], vector_dim: usize, length: usize) -> Vec<i64> {
    let strides = strides(indices.dims());
    (0..length)
        .map(|number| {
            let mut index = batch.to_vec();
            if vector_dim < indices.shape().rank() {
                index.insert(vector_dim, number);
            }
            clamp_to_i64(indices.get_i128(position(&index, &strides)))
        })
        .collect()
}

/// Section `gather`.
pub fn gather(call: &Call) -> Evaluated {
    let sizes = call.dimensions("slice_sizes")?;
    single(gather_slices(call, &sizes)?)
}

/// Section `dynamic_gather`: `gather` whose slice sizes are an operand.
pub fn dynamic_gather(call: &Call) -> Evaluated {
    single(gather_slices(call, &call.sizes(2)?)?)
}

fn gather_slices(call: &Call, sizes: &[usize]) -> Result<Literal, Failure> {
    let (operand, indices) = (call.tensor(0)?, call.tensor(1)?);
    let numbers = call.op.required("dimension_numbers", GatherDimensionNumbers::from_attribute)?;
    check_batches(
        (operand, &numbers.operand_batching_dims),
        (indices, &numbers.start_indices_batching_dims),
    )?;
    let rank = operand.shape().rank();
    if sizes.len() != rank {
        return Err("has slice sizes for another rank".into());
    }
    let vector_dim = numbers.index_vector_dim as usize;
    // The shape of the result: slice dimensions at `offset_dims`, index dimensions in between.
    let kept: Vec<i64> = [
        &numbers.collapsed_slice_dims[..],
        &numbers.operand_batching_dims,
    ]
    .concat();
    let offset_sizes = select(sizes, &others(rank, &kept));
    let batch_sizes = select(
        indices.dims(),
        &others(indices.shape().rank(), &[numbers.index_vector_dim]),
    );
    let result_rank = offset_sizes.len() + batch_sizes.len();
    let batch_dims = others(result_rank, &numbers.offset_dims);
    if numbers.offset_dims.len() != offset_sizes.len() || batch_dims.len() != batch_sizes.len() {
        return Err("has dimension numbers that do not fit its operands".into());
    }
    let offset_dims: Vec<usize> = numbers.offset_dims.iter().map(|dim| *dim as usize).collect();
    let mut dims = vec![0; result_rank];
    for (dim, size) in batch_dims.iter().zip(&batch_sizes) {
        dims[*dim] = *size;
    }
    for (dim, size) in offset_dims.iter().zip(&offset_sizes) {
        dims[*dim] = *size;
    }
    let slice_dims = others(rank, &kept);
    let operand_strides = strides(operand.dims());
    let shape = Shape::new(operand.element_type(), dims)?;
    let is_empty = |dim: &i64| sizes.get(*dim as usize).is_none_or(|size| *size == 0);
    if shape.element_count() > 0 && kept.iter().any(is_empty) {
        return Err("takes elements of slices that have none".into());
    }
    gather_elements(operand, shape, |index| {
        let batch = select(index, &batch_dims);
        let start = index_vector(indices, &batch, vector_dim, numbers.start_index_map.len());
        let mut full_start = vec![0; rank];
        for (dim, value) in numbers.start_index_map.iter().zip(start) {
            full_start[*dim as usize] = value;
        }
        let mut from = clamp_start(&full_start, operand.dims(), sizes)?;
        batch_indices(
            &mut from,
            &batch,
            &numbers.operand_batching_dims,
            &numbers.start_indices_batching_dims,
            vector_dim,
        );
        for (dim, offset) in slice_dims.iter().zip(select(index, &offset_dims)) {
            from[*dim] += offset;
        }
        Ok(Some(position(&from, &operand_strides)))
    })
}

/// Checks that batching dimensions have one size, which dynamic types do not guarantee.
fn check_batches(
    (operand, operand_dims): (&Literal, &[i64]),
    (indices, indices_dims): (&Literal, &[i64]),
) -> Result<(), Failure> {
    for (of_operand, of_indices) in operand_dims.iter().zip(indices_dims) {
        let size = operand.dims().get(*of_operand as usize);
        if size != indices.dims().get(*of_indices as usize) {
            let message = format!(
                "has batching dimensions {of_operand} of {} and {of_indices} of {}, which differ",
                operand.shape(),
                indices.shape()
            );
            return Err(message.into());
        }
    }
    Ok(())
}

/// Adds the batch components that are indices of batching dimensions.
fn batch_indices(
    index: &mut [usize],
    batch: &[usize],
    operand_dims: &[i64],
    indices_dims: &[i64],
    vector_dim: usize,
) {
    for (operand_dim, indices_dim) in operand_dims.iter().zip(indices_dims) {
        let indices_dim = *indices_dim as usize;
        let number = indices_dim - usize::from(vector_dim < indices_dim);
        index[*operand_dim as usize] += batch[number];
    }
}

/// Section `scatter`: in row-major order of the updates; an update whose index is outside of the
/// inputs is skipped.
pub fn scatter(call: &Call) -> Evaluated {
    let count = (call.operands.len().saturating_sub(1)) / 2;
    let inputs = call.tensors(0..count)?;
    let indices = call.tensor(count)?;
    let updates = call.tensors(count + 1..2 * count + 1)?;
    let numbers = call.op.required(
        "scatter_dimension_numbers",
        ScatterDimensionNumbers::from_attribute,
    )?;
    let vector_dim = numbers.index_vector_dim as usize;
    let (first, update) = match (inputs.first(), updates.first()) {
        (Some(input), Some(update)) => (*input, *update),
        _ => return Err("has no operands".into()),
    };
    let rank = first.shape().rank();
    let scatter_dims = others(update.shape().rank(), &numbers.update_window_dims);
    let of_indices = others(indices.shape().rank(), &[numbers.index_vector_dim]);
    let batches = select(indices.dims(), &of_indices);
    let fits = |update: &&Literal| {
        update.shape().rank() == scatter_dims.len() + numbers.update_window_dims.len()
            && select(update.dims(), &scatter_dims) == batches
            && update.dims() == updates[0].dims()
    };
    if let Some(update) = updates.iter().find(|update| !fits(update)) {
        let (update, indices) = (update.shape(), indices.shape());
        return Err(format!("has updates {update} for indices {indices}").into());
    }
    check_batches(
        (first, &numbers.input_batching_dims),
        (indices, &numbers.scatter_indices_batching_dims),
    )?;
    let window_dims: Vec<usize> =
        numbers.update_window_dims.iter().map(|dim| *dim as usize).collect();
    let inserted: Vec<i64> = [
        &numbers.inserted_window_dims[..],
        &numbers.input_batching_dims,
    ]
    .concat();
    let operand_window_dims = others(rank, &inserted);
    let mut results = inputs
        .iter()
        .enumerate()
        .map(|(number, input)| {
            let element = call.result_element(number)?;
            Ok((*input).convert(element)?)
        })
        .collect::<Result<Vec<Literal>, Failure>>()?;
    let elements: Vec<_> = results.iter().map(Literal::element_type).collect();
    let body = Body::new(call, 0, elements.repeat(2));
    for_each_index(update.dims(), |from, index| {
        let batch = select(index, &scatter_dims);
        let length = numbers.scatter_dims_to_operand_dims.len();
        let start = index_vector(indices, &batch, vector_dim, length);
        let mut offsets = vec![0; rank];
        batch_indices(
            &mut offsets,
            &batch,
            &numbers.input_batching_dims,
            &numbers.scatter_indices_batching_dims,
            vector_dim,
        );
        for (dim, offset) in operand_window_dims.iter().zip(select(index, &window_dims)) {
            offsets[*dim] += offset;
        }
        let mut to: Vec<i64> = offsets.into_iter().map(|offset| offset as i64).collect();
        for (dim, value) in numbers.scatter_dims_to_operand_dims.iter().zip(start) {
            let part = &mut to[*dim as usize];
            *part = part.saturating_add(value);
        }
        let Some(to) = position_in(&to, first.dims()) else {
            return Ok(());
        };
        let arguments: Vec<Scalar> = results
            .iter()
            .map(|result| result.get(to))
            .chain(updates.iter().map(|update| update.get(from)))
            .collect();
        for (result, value) in results.iter_mut().zip(body.apply(&arguments)?) {
            result.set(to, value);
        }
        Ok(())
    })?;
    Ok(results.into_iter().map(Into::into).collect())
}

/// `torch_index_select`: elements of `operand` along dimension `dim` at the positions in `index`,
/// for each batch of the first `batch_dims` dimensions. Out-of-bounds positions are clamped.
pub fn torch_index_select(call: &Call) -> Evaluated {
    let (operand, index) = (call.tensor(0)?, call.tensor(1)?);
    let rank = operand.shape().rank();
    let (dim, batch_dims) = (call.op.integer("dim")?, call.op.integer("batch_dims")?);
    let dim = usize::try_from(if dim < 0 { dim + rank as i64 } else { dim }).unwrap_or(rank);
    let batch_dims = if batch_dims < 0 {
        batch_dims + index.shape().rank() as i64
    } else {
        batch_dims
    };
    let batch = usize::try_from(batch_dims).unwrap_or(usize::MAX);
    if dim >= rank || batch > dim || batch > index.shape().rank() {
        return Err(format!("has no dimension {dim} after {batch} batch dimensions").into());
    }
    let inner = &index.dims()[batch..];
    let dims = [&operand.dims()[..dim], inner, &operand.dims()[dim + 1..]].concat();
    let (operand_strides, index_strides) = (strides(operand.dims()), strides(index.dims()));
    let shape = Shape::new(operand.element_type(), dims)?;
    let last = operand.dims()[dim] as i128 - 1;
    single(gather_elements(operand, shape, |at| {
        let selector = [&at[..batch], &at[dim..dim + inner.len()]].concat();
        let number = index.get_i128(position(&selector, &index_strides));
        let number = number.clamp(0, last.max(0)) as usize;
        let from = [&at[..dim], &[number], &at[dim + inner.len()..]].concat();
        Ok(Some(position(&from, &operand_strides)))
    })?)
}
