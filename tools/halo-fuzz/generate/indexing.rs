//! Ops whose indices are data.

use super::{Precision, Value, Writer, array, list};

/// The dimension numbers of a gather or a scatter, which are the same.
struct Numbers {
    /// Dimensions of the operand that are collapsed in windows.
    collapsed: Vec<i64>,
    batching: Vec<i64>,
    indices_batching: Vec<i64>,
    /// The dimension of the operand for each component of an index.
    index_map: Vec<i64>,
    index_vector_dim: i64,
    /// The dimensions of the windows in the result.
    offsets: Vec<i64>,
    slice_sizes: Vec<i64>,
    /// The indices.
    indices: Value,
    /// The sizes of the result of a gather, the updates of a scatter.
    result: Vec<i64>,
}

impl Writer<'_> {
    fn numbers(&mut self, operand: &Value) -> Numbers {
        let (mut collapsed, mut batching) = (vec![], vec![]);
        let (mut slice_sizes, mut window) = (vec![], vec![]);
        for (dim, size) in operand.dims.iter().enumerate() {
            let dim = dim as i64;
            match self.pick.below(5) {
                0 if *size > 0 && batching.is_empty() => {
                    batching.push(dim);
                    slice_sizes.push(1);
                }
                1 | 2 if *size > 0 => {
                    collapsed.push(dim);
                    slice_sizes.push(1);
                }
                choice => {
                    let part = if choice == 3 {
                        self.pick.between(0, *size)
                    } else {
                        *size
                    };
                    slice_sizes.push(part);
                    window.push(part);
                }
            }
        }
        // Indices for some of the unbatched dimensions.
        let mut index_map: Vec<i64> = (0..operand.dims.len() as i64)
            .filter(|dim| !batching.contains(dim))
            .filter(|dim| collapsed.contains(dim) || self.pick.once_in(2))
            .collect();
        let order = self.order(index_map.len());
        index_map = order.iter().map(|at| index_map[*at as usize]).collect();
        // The batch dimensions of the indices, beginning with the operand's.
        let mut batch: Vec<i64> = batching.iter().map(|dim| operand.dims[*dim as usize]).collect();
        for _ in 0..self.pick.below(3) {
            batch.push(self.pick.between(0, 4).max(1));
        }
        let mut indices_dims = batch.clone();
        let depth = index_map.len() as i64;
        let (index_vector_dim, implicit) = if depth == 1 && self.pick.once_in(2) {
            (batch.len(), true)
        } else {
            (self.pick.below(batch.len() + 1), false)
        };
        if !implicit {
            indices_dims.insert(index_vector_dim, depth);
        }
        let indices_batching: Vec<i64> = (0..batching.len())
            .map(|dim| {
                if !implicit && dim >= index_vector_dim {
                    dim as i64 + 1
                } else {
                    dim as i64
                }
            })
            .collect();
        // The positions of the window's dimensions in the result.
        let rank = batch.len() + window.len();
        let mut offsets = self.order(rank);
        offsets.truncate(window.len());
        offsets.sort_unstable();
        let (mut batch, mut window) = (batch.into_iter(), window.into_iter());
        let result = (0..rank as i64)
            .map(|dim| {
                if offsets.contains(&dim) {
                    window.next().unwrap_or(1)
                } else {
                    batch.next().unwrap_or(1)
                }
            })
            .collect();
        let element = *self.pick.one(&["i32", "i32", "i64", "i8", "ui32", "ui8", "ui64"]);
        let text = self.elements(element, &indices_dims, Self::index);
        let indices = self.constant_text(&text, element, indices_dims);
        Numbers {
            collapsed,
            batching,
            indices_batching,
            index_map,
            index_vector_dim: index_vector_dim as i64,
            offsets,
            slice_sizes,
            indices,
            result,
        }
    }

    /// An index, occasionally far out of bounds.
    fn index(&mut self, element: &str) -> String {
        let low = if element.starts_with('u') { 0 } else { -2 };
        if self.pick.once_in(8) {
            self.scalar(element)
        } else {
            self.pick.between(low, 6).to_string()
        }
    }

    pub(super) fn gather(&mut self) {
        let element = *self.pick.one(super::ELEMENTS);
        let value = self.any_with((element, &[3, 4]), |value| value.dims.len() > 1);
        let numbers = self.numbers(&value);
        let attributes = format!(
            "dimension_numbers = #stablehlo.gather<offset_dims = [{}], collapsed_slice_dims = \
             [{}], operand_batching_dims = [{}], start_indices_batching_dims = [{}], \
             start_index_map = [{}], index_vector_dim = {}>, slice_sizes = {}",
            list(&numbers.offsets),
            list(&numbers.collapsed),
            list(&numbers.batching),
            list(&numbers.indices_batching),
            list(&numbers.index_map),
            numbers.index_vector_dim,
            array(&numbers.slice_sizes)
        );
        let result = (value.element, numbers.result);
        let operands = [&value, &numbers.indices];
        let name = "gather";
        self.emit(name, &operands, &attributes, "", result, value.precision);
    }

    pub(super) fn scatter(&mut self) {
        let element = *self.pick.one(super::ELEMENTS);
        let value = self.exact_with((element, &[3, 4]), |value| value.dims.len() > 1);
        let numbers = self.numbers(&value);
        let updates = self.constant_of(value.element, numbers.result);
        let attributes = format!(
            "scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [{}], \
             inserted_window_dims = [{}], input_batching_dims = [{}], \
             scatter_indices_batching_dims = [{}], scatter_dims_to_operand_dims = [{}], \
             index_vector_dim = {}>",
            list(&numbers.offsets),
            list(&numbers.collapsed),
            list(&numbers.batching),
            list(&numbers.indices_batching),
            list(&numbers.index_map),
            numbers.index_vector_dim,
        );
        let (body, precision) = self.body(value.element);
        let operands = [&value, &numbers.indices, &updates];
        let result = (value.element, value.dims.clone());
        let name = "scatter";
        self.emit(name, &operands, &attributes, &body, result, precision);
    }

    pub(super) fn dynamic_slice(&mut self) {
        let value = self.ranked();
        let sizes: Vec<i64> = value.dims.iter().map(|dim| self.pick.between(0, *dim)).collect();
        let element = *self.pick.one(&["i32", "i64", "ui8", "i8", "ui32", "ui64"]);
        let starts: Vec<Value> = sizes.iter().map(|_| self.constant_of(element, vec![])).collect();
        let mut operands = vec![&value];
        operands.extend(&starts);
        let attributes = format!("slice_sizes = {}", array(&sizes));
        let result = (value.element, sizes);
        let name = "dynamic_slice";
        let slice = self.emit(name, &operands, &attributes, "", result, value.precision);
        let target = match value.precision {
            Precision::Exact => self.like(&value),
            _ => value.clone(),
        };
        let mut operands = vec![&target, &slice];
        operands.extend(&starts);
        let name = "dynamic_update_slice";
        let result = (value.element, value.dims.clone());
        self.emit(name, &operands, "", "", result, value.precision);
    }
}
