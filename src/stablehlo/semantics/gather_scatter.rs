//! Ops that read or write slices at computed indices.
//!
//! The same lists describe for both how an index vector selects a slice, so their rules are shared.

use super::{body::expect_reducer, prelude::*};

/// Fails unless the entries of a list are strictly ascending.
fn expect_ascending(name: &str, entries: &[i64]) -> VerifyResult {
    match entries.windows(2).find(|pair| pair[0] >= pair[1]) {
        None => Ok(()),
        Some(pair) => Err(format!(
            "'{name}' has {} before {}, but must ascend",
            pair[0], pair[1]
        )),
    }
}

/// Fails if two lists share an entry.
fn expect_disjoint(left: (&str, &[i64]), right: (&str, &[i64])) -> VerifyResult {
    match left.1.iter().find(|entry| right.1.contains(entry)) {
        None => Ok(()),
        Some(entry) => Err(format!("'{}' and '{}' both have {entry}", left.0, right.0)),
    }
}

/// The mapping from index vectors to slices: the lists that `gather` and `scatter` share, with the
/// name of each list.
struct Indexing<'a, T> {
    /// The sliced tensor.
    operand: &'a Tensor<T>,
    /// The tensor of index vectors.
    indices: &'a Tensor<T>,
    /// Dimensions of size one that slices omit.
    left_out: (&'a str, &'a [i64]),
    operand_batching: (&'a str, &'a [i64]),
    indices_batching: (&'a str, &'a [i64]),
    /// The dimension of the operand for each entry of an index vector.
    index_map: (&'a str, &'a [i64]),
    index_vector: i64,
}

impl<T: Ty> Indexing<'_, T> {
    /// `gather`: (C2), (C3), (C6) to (C8), (C10), (C11), (C13) to (C19).
    /// `scatter`: (C9) to (C22).
    fn check(&self) -> VerifyResult {
        let (operand, indices) = (self.operand, self.indices);
        let of_operand = operand.subject.to_string();
        let of_indices = indices.subject.to_string();
        let rank = indices.rank() as i64;
        if !(0..=rank).contains(&self.index_vector) {
            return Err(format!(
                "'index_vector_dim' is {}, but {of_indices} has rank {rank}",
                self.index_vector
            ));
        }
        let vector = indices.dim(self.index_vector).unwrap_or(Dim::Static(1));
        let size = self.index_map.1.len() as i64;
        if !vector.agrees_with(Dim::Static(size)) {
            return Err(format!(
                "'{}' has {size} entries, but index vectors have {vector}",
                self.index_map.0
            ));
        }
        for (name, list) in [self.left_out, self.operand_batching] {
            expect_dimensions(name, list, operand.rank(), &of_operand)?;
            expect_ascending(name, list)?;
        }
        expect_disjoint(self.left_out, self.operand_batching)?;
        let (name, list) = self.indices_batching;
        expect_dimensions(name, list, indices.rank(), &of_indices)?;
        expect_unique(name, list)?;
        expect_disjoint(
            self.indices_batching,
            ("index_vector_dim", &[self.index_vector]),
        )?;
        expect_size(
            name,
            list.len(),
            self.operand_batching.1.len(),
            &format!("'{}' has", self.operand_batching.0),
        )?;
        for (from, to) in self.operand_batching.1.iter().zip(list) {
            let (left, right) = (operand.dims[*from as usize], indices.dims[*to as usize]);
            if !left.agrees_with(right) {
                return Err(format!(
                    "dimension {to} of {of_indices} has size {right}, but dimension {from} of \
                     {of_operand} has size {left}"
                ));
            }
        }
        let (name, list) = self.index_map;
        expect_dimensions(name, list, operand.rank(), &of_operand)?;
        expect_unique(name, list)?;
        expect_disjoint(self.index_map, self.operand_batching)
    }

    /// The dimensions of the indices except the index vectors.
    fn batch_dims(&self) -> Vec<Dim> {
        (0_i64..)
            .zip(&self.indices.dims)
            .filter(|(index, _)| *index != self.index_vector)
            .map(|(_, dim)| *dim)
            .collect()
    }

    /// Returns true if a slice has this dimension of the operand.
    fn keeps(&self, dimension: i64) -> bool {
        !self.left_out.1.contains(&dimension) && !self.operand_batching.1.contains(&dimension)
    }
}

/// Fails unless two disjoint lists and the batching dimensions cover all dimensions of a tensor.
fn expect_complete<T: Ty>(operand: &Tensor<T>, lists: [(&str, usize); 3]) -> VerifyResult {
    let sum: usize = lists.iter().map(|(_, size)| size).sum();
    if sum == operand.rank() {
        return Ok(());
    }
    Err(format!(
        "{} has rank {}, but '{}', '{}' and '{}' have {sum} entries together",
        operand.subject,
        operand.rank(),
        lists[0].0,
        lists[1].0,
        lists[2].0
    ))
}

/// Puts slice dimensions at `offset_dims` and batch dimensions at the remaining positions.
fn combine(batch: Vec<Dim>, slice: Vec<Dim>, offset_dims: &[i64]) -> Vec<Dim> {
    let rank = batch.len() + slice.len();
    let (mut batch, mut slice) = (batch.into_iter(), slice.into_iter());
    (0..rank as i64)
        .filter_map(|index| {
            if offset_dims.contains(&index) {
                slice.next()
            } else {
                batch.next()
            }
        })
        .collect()
}

/// Section `gather`: (C1) to (C23).
pub fn gather<O: Op>(op: O) -> Inference<O::Type> {
    let sizes = op.integers("slice_sizes")?;
    gather_slices(op, Some(sizes))
}

/// Section `dynamic_gather`: the same, with slice sizes in operand 2.
pub fn dynamic_gather<O: Op>(op: O) -> Inference<O::Type> {
    let rank = op.operand(0)?.rank() as i64;
    op.operand(2)?
        .expect_shape(&[Dim::Static(rank)], "the rank of operand 0 implies")?;
    gather_slices(op, op.constant_operand(2))
}

fn gather_slices<O: Op>(op: O, sizes: Option<Vec<i64>>) -> Inference<O::Type> {
    let (operand, indices) = (op.operand(0)?, op.operand(1)?);
    let numbers = required("dimension_numbers", op.gather_dimension_numbers())?;
    let offset = &numbers.offset_dims;
    expect_complete(
        &operand,
        [
            ("offset_dims", offset.len()),
            ("collapsed_slice_dims", numbers.collapsed_slice_dims.len()),
            ("operand_batching_dims", numbers.operand_batching_dims.len()),
        ],
    )?;
    let indexing = Indexing {
        operand: &operand,
        indices: &indices,
        left_out: ("collapsed_slice_dims", &numbers.collapsed_slice_dims),
        operand_batching: ("operand_batching_dims", &numbers.operand_batching_dims),
        indices_batching: (
            "start_indices_batching_dims",
            &numbers.start_indices_batching_dims,
        ),
        index_map: ("start_index_map", &numbers.start_index_map),
        index_vector: numbers.index_vector_dim,
    };
    indexing.check()?;
    expect_ascending("offset_dims", offset)?;
    let batch = indexing.batch_dims();
    expect_dimensions(
        "offset_dims",
        offset,
        batch.len() + offset.len(),
        "the result",
    )?;
    if let Some(sizes) = &sizes {
        expect_size(
            "slice_sizes",
            sizes.len(),
            operand.rank(),
            "operand 0 has rank",
        )?;
        expect_at_least("slice_sizes", sizes, 0)?;
        for (index, (size, dim)) in (0_i64..).zip(sizes.iter().zip(&operand.dims)) {
            if dim.limit().is_some_and(|limit| *size > limit) {
                return Err(format!(
                    "attribute 'slice_sizes' has {size} for dimension {index}, but operand 0 has \
                     size {dim} there"
                ));
            }
            if !indexing.keeps(index) && *size > 1 {
                return Err(format!(
                    "attribute 'slice_sizes' has {size} for dimension {index}, which slices leave \
                     out and which must have size 0 or 1"
                ));
            }
        }
    }
    let slice: Vec<Dim> = (0..operand.rank())
        .filter(|index| indexing.keeps(*index as i64))
        .map(|index| {
            let size = sizes.as_ref().map(|sizes| sizes[index]);
            size.map_or(Dim::Dynamic, Dim::Static)
        })
        .collect();
    let mut result = batch.iter().chain(&slice);
    if sizes.is_some_and(|sizes| sizes.contains(&0))
        && result.all(|dim| dim.size().is_some_and(|size| size > 0))
    {
        return Err(
            "attribute 'slice_sizes' has 0 for a dimension that slices leave out, but the result \
             has elements"
                .to_string(),
        );
    }
    one(Inferred::tensor(
        combine(batch, slice, offset),
        operand.element,
    ))
}

/// Section `scatter`: (C1) to (C25).
pub fn scatter<O: Op>(op: O) -> Inference<O::Type> {
    let count = op.operand_count() / 2;
    if count == 0 {
        return Err("has no operands to scatter into".to_string());
    }
    let inputs = (0..count).map(|number| op.operand(number)).collect::<Result<Vec<_>, _>>()?;
    let indices = op.operand(count)?;
    let updates = (count + 1..2 * count + 1)
        .map(|number| op.operand(number))
        .collect::<Result<Vec<_>, _>>()?;
    for list in [&inputs, &updates] {
        for tensor in &list[1..] {
            tensor.expect_shape_of(&list[0])?;
        }
    }
    for (update, input) in updates.iter().zip(&inputs) {
        update.expect_element_of(input)?;
    }
    let numbers = required("scatter_dimension_numbers", op.scatter_dimension_numbers())?;
    let window_dims = &numbers.update_window_dims;
    let (operand, update) = (&inputs[0], &updates[0]);
    expect_complete(
        operand,
        [
            ("update_window_dims", window_dims.len()),
            ("inserted_window_dims", numbers.inserted_window_dims.len()),
            ("input_batching_dims", numbers.input_batching_dims.len()),
        ],
    )?;
    let indexing = Indexing {
        operand,
        indices: &indices,
        left_out: ("inserted_window_dims", &numbers.inserted_window_dims),
        operand_batching: ("input_batching_dims", &numbers.input_batching_dims),
        indices_batching: (
            "scatter_indices_batching_dims",
            &numbers.scatter_indices_batching_dims,
        ),
        index_map: (
            "scatter_dims_to_operand_dims",
            &numbers.scatter_dims_to_operand_dims,
        ),
        index_vector: numbers.index_vector_dim,
    };
    indexing.check()?;
    expect_ascending("update_window_dims", window_dims)?;
    let batch = indexing.batch_dims();
    update.expect_rank(batch.len() + window_dims.len())?;
    expect_dimensions(
        "update_window_dims",
        window_dims,
        update.rank(),
        &update.subject.to_string(),
    )?;
    let window = (0..operand.rank())
        .filter(|index| indexing.keeps(*index as i64))
        .map(|index| operand.dims[index]);
    for (dimension, whole) in window_dims.iter().zip(window) {
        let part = update.dims[*dimension as usize];
        if let (Some(size), Some(limit)) = (part.size(), whole.limit())
            && size > limit
        {
            return Err(format!(
                "dimension {dimension} of {} has size {part}, but the window of {} has size {whole} \
                 there",
                update.subject, operand.subject
            ));
        }
    }
    let windows = window_dims.iter().map(|dimension| update.dims[*dimension as usize]);
    let shape = combine(batch, windows.collect(), window_dims);
    update.expect_shape(&shape, "its windows and the indices imply")?;
    // The updates have the element types of the inputs, and are not scalars.
    let elements = expect_reducer(&op.function(0)?, &inputs, &[], &[])?;
    Ok(elements
        .into_iter()
        .zip(inputs)
        .map(|(element, input)| Inferred::tensor(input.dims, element))
        .collect())
}
