//! Patches of an image whose channels precede the spatial dimensions: the columns of rhs.
//!
//! At one position of the window, the columns of a panel are contiguous in the image, or have
//! stride two, within a row of the result, or in the whole image if its rows have the same length.
//! A vector of columns is loaded from each run that it overlaps:
//!
//! ```text
//! columns  .. 54 55 | 0  1 ..      run after run
//! image    .. 54 55 - 58 59 ..     one vector from 54 on, one from 58 - 2 on
//! ```
//!
//! The positions of a vector in the image are the same for each position of the window, apart from
//! a common offset. So addresses and indices of the columns are computed before the loop over k.
//! Padding is selected after the loads. A vector that would cross the start or the end of the
//! buffer is a masked gather. Groups along k join vectors from several positions of the window;
//! after the last position, the last one is repeated, where lhs has zeros.

use super::patches::{Address, Patches, Run};
use crate::contraction::{
    pack::Panel,
    plan::even_division::ceil_div,
    vectors::{store_vector, zero_vector},
};
use halo_ir::prelude::*;

/// The maximum number of runs from which a vector is loaded.
pub(super) const MOST_RUNS: i64 = 5;

/// The maximum number of runs that a vector of columns overlaps.
pub(super) fn runs_of_vector(run: Run, lanes: i64) -> i64 {
    match run.length % lanes {
        0 => 1,
        _ => 1 + ceil_div(lanes - 1, run.length),
    }
}

/// A vector of columns at the first position of the window.
struct Columns<'c> {
    /// The offset of the first column in the panel.
    offset: Value<'c>,
    /// The column numbers.
    numbers: Value<'c>,
    /// The start in the flat view of the vector in the first run.
    start: Value<'c>,
    /// The starts of vectors in later runs, and the first lane that each provides.
    later: Vec<(Value<'c>, Value<'c>)>,
    /// Indices along the padded dimensions of the image.
    indices: Vec<Value<'c>>,
}

impl<'c> Patches<'c> {
    /// Packs a panel of columns over a range of k.
    pub(super) fn pack_columns(
        &self,
        builder: &Builder<'c>,
        panel: &Panel<'_, 'c>,
        (lower, upper): (Value<'c>, Value<'c>),
    ) {
        let batch = self.batch_indices(builder, panel);
        let vectors = (0..panel.width / panel.lanes)
            .map(|number| self.columns(builder, panel, number * panel.lanes))
            .collect::<Vec<_>>();
        let load = |builder: &Builder<'c>, k: Value<'c>| {
            let window = index::delinearize(builder, k, &self.sizes[self.k.clone()]);
            let first_column = vec![index::constant(builder, 0); self.sizes.len() - self.k.end];
            let place = self.address(builder, &[&batch[..], &window, &first_column].concat());
            let load = |columns| self.load_columns(builder, panel, columns, &place);
            vectors.iter().map(load).collect::<Vec<_>>()
        };
        scf::for_each(builder, (lower, upper, panel.unit()), |builder, k| {
            let values = match panel.group {
                None => load(builder, k),
                Some(group) => {
                    let lanes = vec![panel.lanes; vectors.len()];
                    group.collect(builder, &lanes, |builder, place| {
                        let k = index::add(builder, k, place);
                        load(builder, panel.k_in_operand(builder, k))
                    })
                }
            };
            let row = panel.position(builder, k, lower);
            for (columns, value) in vectors.iter().zip(values) {
                let indices = [&panel.indices[..], &[row, columns.offset]].concat();
                store_vector(builder, value, panel.target, &indices, None);
            }
        })
    }

    /// The vector of columns at an offset in a panel.
    fn columns(&self, builder: &Builder<'c>, panel: &Panel<'_, 'c>, offset: i64) -> Columns<'c> {
        let lanes = panel.lanes;
        let ty = vector_type(&[lanes], integer_type(builder.context(), 32));
        let offset = index::constant(builder, offset);
        let first = index::add(builder, panel.first, offset);
        let lane_numbers = vector::step(builder, vector_type(&[lanes], first.ty()));
        let lane_numbers = arith::index_cast(builder, lane_numbers, ty);
        let start = self.column_address(builder, first);
        let length = index::constant(builder, self.run.length);
        let run = index::div(builder, first, length);
        let mut later = Vec::new();
        for number in 1..runs_of_vector(self.run, lanes) {
            let next = index::add(builder, run, number);
            let next = index::mul(builder, next, length);
            let lane = index::sub(builder, next, first);
            let before = index::mul(builder, lane, self.run.stride);
            let address = self.column_address(builder, next);
            let start = index::sub(builder, address, before);
            let lane = splat(builder, lane, ty);
            let lanes = arith::cmpi(builder, CmpIPredicate::Sge, lane_numbers, lane);
            later.push((start, lanes));
        }
        let numbers = splat(builder, first, ty);
        let numbers = arith::addi(builder, numbers, lane_numbers);
        let padded = (0..self.indices.len()).filter(|position| self.is_padded(*position));
        let indices = padded
            .map(|position| {
                let index = &self.indices[position];
                self.sum_over_columns(builder, numbers, |dim| index.coefficient(dim))
            })
            .collect::<Vec<_>>();
        Columns {
            offset,
            numbers,
            start,
            later,
            indices,
        }
    }

    /// The position of a column in the flat view, at index 0 along all other dimensions.
    fn column_address(&self, builder: &Builder<'c>, column: Value<'c>) -> Value<'c> {
        let dims = self.k.end..self.sizes.len();
        let indices = index::delinearize(builder, column, &self.sizes[dims.clone()]);
        let mut address = index::constant(builder, 0);
        for (dim, index) in dims.zip(indices) {
            let stride = self.stride(dim).unwrap_or_default();
            let offset = index::mul(builder, index, stride);
            address = index::add(builder, address, offset);
        }
        address
    }

    /// The sum of the column indices along the dimensions of the patches, each times a factor.
    fn sum_over_columns(
        &self,
        builder: &Builder<'c>,
        columns: Value<'c>,
        factor: impl Fn(usize) -> i64,
    ) -> Value<'c> {
        let constant = |value: i64| arith::constant(builder, columns.ty(), value);
        let mut sum = constant(0);
        let mut weight = 1;
        for dim in (self.k.end..self.sizes.len()).rev() {
            if factor(dim) != 0 {
                let index = arith::divui(builder, columns, constant(weight));
                let index = arith::remui(builder, index, constant(self.sizes[dim]));
                let index = arith::muli(builder, index, constant(factor(dim)));
                sum = arith::addi(builder, sum, index);
            }
            weight *= self.sizes[dim];
        }
        sum
    }

    /// The elements of some columns at a position of the window.
    fn load_columns(
        &self,
        builder: &Builder<'c>,
        panel: &Panel<'_, 'c>,
        columns: &Columns<'c>,
        place: &Address<'c>,
    ) -> Value<'c> {
        let mut are_inside = None;
        for (indices, (index, size)) in columns.indices.iter().zip(&place.bounded) {
            let ty = indices.ty();
            let index = splat(builder, *index, ty);
            let index = arith::addi(builder, *indices, index);
            let size = arith::constant(builder, ty, *size);
            let fits = arith::cmpi(builder, CmpIPredicate::Ult, index, size);
            are_inside = Some(both(builder, are_inside, fits));
        }
        let elements: i64 = self.flat.ty().static_shape().iter().flatten().product();
        let fits = |start: Value<'c>| {
            index::compare(
                builder,
                CmpIPredicate::Ule,
                start,
                elements - panel.lanes * self.run.stride,
            )
        };
        let start = index::add(builder, columns.start, place.start);
        let mut is_in_buffer = fits(start);
        let mut later = Vec::new();
        for (start, lanes) in &columns.later {
            let start = index::add(builder, *start, place.start);
            is_in_buffer = both(builder, Some(is_in_buffer), fits(start));
            later.push((start, *lanes));
        }
        let loaded = scf::if_else(
            builder,
            is_in_buffer,
            |builder| {
                let mut value = self.load_run(builder, start, panel.lanes);
                for (start, lanes) in later {
                    let run = self.load_run(builder, start, panel.lanes);
                    value = arith::select(builder, lanes, run, value);
                }
                vec![value]
            },
            |builder| {
                let value = self.gather(builder, panel, columns, (place.start, are_inside));
                vec![value]
            },
        );
        let value = loaded.results()[0];
        self.padded(builder, panel, value, are_inside)
    }

    /// Loads a vector of one run.
    fn load_run(&self, builder: &Builder<'c>, start: Value<'c>, lanes: i64) -> Value<'c> {
        let element = self.flat.ty().element_type();
        let ty = vector_type(&[lanes * self.run.stride], element);
        let value = vector::load(builder, self.flat, &[start], ty);
        match self.run.stride {
            1 => value,
            _ => vector::deinterleave(builder, value).res1(),
        }
    }

    /// Gathers the elements of some columns that are in bounds.
    fn gather(
        &self,
        builder: &Builder<'c>,
        panel: &Panel<'_, 'c>,
        columns: &Columns<'c>,
        (start, are_inside): (Value<'c>, Option<Value<'c>>),
    ) -> Value<'c> {
        let (lanes, numbers) = (panel.lanes, columns.numbers);
        let limit = arith::constant(builder, numbers.ty(), panel.limit);
        let are_columns = arith::cmpi(builder, CmpIPredicate::Ult, numbers, limit);
        let mask = both(builder, are_inside, are_columns);
        let stride = |dim| self.stride(dim).unwrap_or_default();
        let addresses = self.sum_over_columns(builder, numbers, stride);
        let start = splat(builder, start, addresses.ty());
        let addresses = arith::addi(builder, addresses, start);
        let element = self.flat.ty().element_type();
        let zeros = zero_vector(builder, element, lanes);
        let origin = index::constant(builder, 0);
        let ty = vector_type(&[lanes], element);
        vector::gather(builder, self.flat, &[origin], addresses, mask, zeros, ty)
    }
}

/// Broadcasts an index to a vector of another integer type.
fn splat<'c>(builder: &Builder<'c>, index: Value<'c>, ty: Type<'c>) -> Value<'c> {
    let index = arith::index_cast(builder, index, ty.element_type());
    vector::broadcast(builder, index, ty)
}

/// The conjunction of conditions.
fn both<'c>(builder: &Builder<'c>, first: Option<Value<'c>>, second: Value<'c>) -> Value<'c> {
    match first {
        Some(first) => arith::andi(builder, first, second),
        None => second,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_has_a_part_of_so_many_runs() {
        let count = |length| runs_of_vector(Run { length, stride: 1 }, 16);
        assert_eq!(count(3136), 1);
        assert_eq!(count(56), 2);
        assert_eq!(count(15), 2);
        // The last element of one, two whole ones, and the first of another.
        assert_eq!(count(7), 4);
        assert_eq!(count(1), 16);
    }
}
