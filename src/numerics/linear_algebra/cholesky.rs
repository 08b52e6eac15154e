//! Cholesky's factorization.
//!
//! The lower triangle is factored in a separate buffer, in which vectors may reach above the
//! diagonal and below the last row, and whose columns are padded against conflicts of sets in the
//! L1 cache.

use std::array::from_fn;
use std::ops::Range;

use bytemuck::{cast_slice, cast_slice_mut, pod_read_unaligned};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{
    LltError, LltParams, LltRegularization, cholesky_in_place, cholesky_in_place_scratch,
};
use faer::linalg::matmul::triangular::{BlockStructure, matmul_with_conj};
use faer::prelude::ReborrowMut;
use faer::{Accum, Conj, MatMut, MatRef, Par};
use num_traits::Float;
use pulp::{Simd, WithSimd};

use crate::linear_algebra::Failure;
use crate::linear_algebra::matrix::{BLOCK, Field};

/// Columns that are computed together, and, as vectors, the rows: their sums are in
/// registers.
const COLUMNS: usize = 4;
const VECTORS: usize = 2;

/// The largest matrix that is factored without matrix products, and the number of columns after
/// which a product updates the remaining part of a larger one.
const SMALL: usize = 256;
const PANEL: usize = 128;

/// `a = l l^T` for the lower triangles of both.
pub(crate) fn real<T: Field + Float>(a: MatRef<'_, T>, l: MatMut<'_, T>) -> Result<(), Failure> {
    in_buffer(a, l, |buffer, size| {
        let width = if size <= SMALL { SMALL } else { PANEL };
        for first in (0..size).step_by(width) {
            let columns = first..size.min(first + width);
            pulp::Arch::new().dispatch(Panel {
                buffer,
                size,
                columns: columns.clone(),
            })?;
            update(buffer, size, columns);
        }
        Ok(())
    })
}

/// `a = l l^H` for the lower triangles of both.
pub(crate) fn complex<T: Field>(a: MatRef<'_, T>, l: MatMut<'_, T>) -> Result<(), Failure> {
    in_buffer(a, l, |buffer, size| {
        let params = faer::Spec::<LltParams, T>::default();
        let mut memory = MemBuffer::new(cholesky_in_place_scratch::<T>(size, Par::Seq, params));
        let outcome = cholesky_in_place(
            MatMut::from_column_major_slice_with_stride_mut(buffer, size, size, stride(size)),
            LltRegularization::default(),
            Par::Seq,
            MemStack::new(&mut memory),
            params,
        );
        match outcome {
            Ok(_) => Ok(()),
            Err(LltError::NonPositivePivot { index }) => {
                Err(Failure::NotPositiveDefinite(index + 1))
            }
        }
    })
}

/// Calls a function on the lower triangle of a matrix in a buffer.
fn in_buffer<T: Field>(
    a: MatRef<'_, T>,
    l: MatMut<'_, T>,
    run: impl FnOnce(&mut [T], usize) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let size = a.nrows();
    let stride = stride(size);
    let mut buffer = vec![T::zero(); size.next_multiple_of(COLUMNS) * stride];
    let whole = MatMut::from_column_major_slice_with_stride_mut(&mut buffer, size, size, stride);
    copy_lower(a, whole);
    run(&mut buffer, size)?;
    let whole = MatRef::from_column_major_slice_with_stride(&buffer, size, size, stride);
    copy_lower(whole, l);
    Ok(())
}

/// The stride of columns in a buffer: an odd number of groups of 16 elements, three of which are
/// padding below the last row, as much as the vectors of any processor.
fn stride(size: usize) -> usize {
    ((size.div_ceil(16) + 3) | 1) * 16
}

/// Subtracts the product of the columns of a panel from the columns after it.
fn update<T: Field>(buffer: &mut [T], size: usize, columns: Range<usize>) {
    let stride = stride(size);
    let (known, rest) = buffer.split_at_mut(columns.end * stride);
    let known = &known[columns.start * stride..];
    let rows = size - columns.end;
    let known = MatRef::from_column_major_slice_with_stride(known, size, columns.len(), stride)
        .subrows(columns.end, rows);
    let rest = MatMut::from_column_major_slice_with_stride_mut(rest, size, rows, stride);
    matmul_with_conj(
        rest.subrows_mut(columns.end, rows),
        BlockStructure::TriangularLower,
        Accum::Add,
        known,
        BlockStructure::Rectangular,
        Conj::No,
        known.transpose(),
        BlockStructure::Rectangular,
        Conj::No,
        -T::one(),
        Par::Seq,
    );
}

/// Some columns, from which the earlier ones are already subtracted.
struct Panel<'a, T> {
    buffer: &'a mut [T],
    size: usize,
    columns: Range<usize>,
}

impl<T: Field + Float> WithSimd for Panel<'_, T> {
    type Output = Result<(), Failure>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Self::Output {
        // The first vectors must have all rows of a block on the diagonal.
        match lanes::<T, S>() {
            1 => self.factor::<S, COLUMNS>(simd),
            _ => self.factor::<S, VECTORS>(simd),
        }
    }
}

/// The elements of a vector.
const fn lanes<T: Field, S: Simd>() -> usize {
    size_of::<T::SimdVec<S>>() / size_of::<T>()
}

impl<T: Field + Float> Panel<'_, T> {
    #[inline(always)]
    fn factor<S: Simd, const V: usize>(self, simd: S) -> Result<(), Failure> {
        let stride = stride(self.size);
        let lanes = lanes::<T, S>();
        for column in self.columns.clone().step_by(COLUMNS) {
            let (known, columns) = self.buffer.split_at_mut(column * stride);
            let mut block = Block {
                simd,
                known: &known[self.columns.start * stride..],
                columns: &mut columns[..COLUMNS * stride],
                stride,
                first: column,
                factor: [[T::zero(); COLUMNS]; COLUMNS],
                inverses: [T::zero(); COLUMNS],
            };
            let mut row = column - column % lanes;
            let sums = block.sums::<V>(row);
            block.write(row, &sums);
            block.factor_diagonal(COLUMNS.min(self.columns.end - column))?;
            block.solve(row, sums);
            block.write_diagonal();
            row += V * lanes;
            while row + lanes < self.size {
                let sums = block.sums::<V>(row);
                block.solve(row, sums);
                row += V * lanes;
            }
            if row < self.size {
                let sums = block.sums::<1>(row);
                block.solve(row, sums);
            }
        }
        Ok(())
    }
}

/// Columns that are computed together.
struct Block<'a, T: Field, S> {
    simd: S,
    /// The columns factored before the panel.
    known: &'a [T],
    columns: &'a mut [T],
    stride: usize,
    /// The number of the first column.
    first: usize,
    /// The factor of the rows on the diagonal.
    factor: [[T; COLUMNS]; COLUMNS],
    /// The reciprocals of its diagonal elements.
    inverses: [T; COLUMNS],
}

impl<T: Field + Float, S: Simd> Block<'_, T, S> {
    /// Some rows of the columns, less the product of the columns factored so far.
    #[inline(always)]
    fn sums<const V: usize>(&self, row: usize) -> [[T::SimdVec<S>; V]; COLUMNS] {
        let context = T::simd_ctx(self.simd);
        let length = V * lanes::<T, S>();
        let mut columns = self.columns.chunks_exact(self.stride);
        let mut sums = from_fn(|_| match columns.next() {
            Some(column) => vectors::<T, S, V>(&column[row..][..length]),
            None => [T::simd_splat(&context, &T::zero()); V],
        });
        for known in self.known.chunks_exact(self.stride) {
            let values = vectors::<T, S, V>(&known[row..][..length]);
            let factors = &known[self.first..][..COLUMNS];
            for (sums, factor) in sums.iter_mut().zip(factors) {
                let factor = T::simd_splat(&context, &-*factor);
                for (sum, value) in sums.iter_mut().zip(values) {
                    *sum = T::simd_mul_add(&context, factor, value, *sum);
                }
            }
        }
        sums
    }

    /// Factors the rows on the diagonal, for `width` columns.
    #[inline(always)]
    fn factor_diagonal(&mut self, width: usize) -> Result<(), Failure> {
        for row in 0..width {
            for column in 0..=row {
                let mut sum = self.columns[column * self.stride + self.first + row];
                for known in 0..column {
                    sum -= self.factor[row][known] * self.factor[column][known];
                }
                if column < row {
                    self.factor[row][column] = sum * self.inverses[column];
                } else if sum > T::zero() {
                    let root = Float::sqrt(sum);
                    self.factor[row][row] = root;
                    self.inverses[row] = Float::recip(root);
                } else {
                    return Err(Failure::NotPositiveDefinite(self.first + row + 1));
                }
            }
        }
        Ok(())
    }

    /// Divides rows of sums by the diagonal factor, and stores them.
    #[inline(always)]
    fn solve<const V: usize>(&mut self, row: usize, mut sums: [[T::SimdVec<S>; V]; COLUMNS]) {
        let context = T::simd_ctx(self.simd);
        for column in 0..COLUMNS {
            let (known, rest) = sums.split_at_mut(column);
            for (known, factor) in known.iter().zip(&self.factor[column]) {
                let factor = T::simd_splat(&context, &-*factor);
                for (sum, known) in rest[0].iter_mut().zip(known) {
                    *sum = T::simd_mul_add(&context, factor, *known, *sum);
                }
            }
            let inverse = T::simd_splat(&context, &self.inverses[column]);
            for sum in &mut rest[0] {
                *sum = T::simd_mul(&context, *sum, inverse);
            }
        }
        self.write(row, &sums);
    }

    #[inline(always)]
    fn write<const V: usize>(&mut self, row: usize, values: &[[T::SimdVec<S>; V]; COLUMNS]) {
        let columns = self.columns.chunks_exact_mut(self.stride);
        for (values, column) in values.iter().zip(columns) {
            let elements = &mut column[row..][..V * lanes::<T, S>()];
            cast_slice_mut::<T, u8>(elements).copy_from_slice(cast_slice(values));
        }
    }

    /// Writes the factor of the rows on the diagonal.
    #[inline(always)]
    fn write_diagonal(&mut self) {
        for (number, column) in self.columns.chunks_exact_mut(self.stride).enumerate() {
            for row in number..COLUMNS {
                column[self.first + row] = self.factor[row][number];
            }
        }
    }
}

/// Elements as vectors.
#[inline(always)]
fn vectors<T: Field, S: Simd, const V: usize>(elements: &[T]) -> [T::SimdVec<S>; V] {
    let lanes = lanes::<T, S>();
    from_fn(|number| pod_read_unaligned(cast_slice(&elements[number * lanes..][..lanes])))
}

/// Copies the lower triangle of a square matrix, in blocks that fit the L1 cache also if one matrix
/// is column-major and the other row-major.
fn copy_lower<T: Field>(from: MatRef<'_, T>, mut to: MatMut<'_, T>) {
    let size = from.nrows();
    if from.row_stride() == to.row_stride() {
        return to.copy_from_triangular_lower(from);
    }
    for first in (0..size).step_by(BLOCK) {
        let columns = BLOCK.min(size - first);
        for top in (first..size).step_by(BLOCK) {
            let rows = BLOCK.min(size - top);
            let from = from.submatrix(top, first, rows, columns);
            let mut to = to.rb_mut().submatrix_mut(top, first, rows, columns);
            if top == first {
                to.copy_from_triangular_lower(from)
            } else {
                to.copy_from(from)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use num_complex::Complex;

    use super::*;
    use crate::linear_algebra::Number;

    /// A factor whose numbers and products are exact, and which is well conditioned.
    fn factor_of(size: usize) -> Vec<Complex<f64>> {
        let element = |index: usize| {
            let (row, column) = (index % size, index / size);
            let part = |number: usize| (number % 5) as f64 / 256.0 - 0.0078125;
            match row.cmp(&column) {
                std::cmp::Ordering::Less => Complex::new(0.0, 0.0),
                std::cmp::Ordering::Equal => Complex::new(1.0 + (row % 3) as f64, 0.0),
                std::cmp::Ordering::Greater => {
                    Complex::new(part(7 * row + 3 * column), part(row + 2 * column))
                }
            }
        };
        (0..size * size).map(element).collect()
    }

    /// Factors `l l^H`, of which only the lower triangle is given, and compares the factor with
    /// `l`; elements above its diagonal must not change.
    fn check<T: Number>(
        size: usize,
        convert: impl Fn(Complex<f64>) -> T,
        back: impl Fn(T) -> Complex<f64>,
        tolerance: f64,
    ) {
        let l: Vec<Complex<f64>> =
            factor_of(size).into_iter().map(|value| back(convert(value))).collect();
        let nan = convert(Complex::new(f64::NAN, 0.0));
        let (mut columns, mut rows) = (vec![nan; size * size], vec![nan; size * size]);
        for column in 0..size {
            for row in column..size {
                let products =
                    (0..=column).map(|k| l[k * size + row] * l[k * size + column].conj());
                columns[column * size + row] = convert(products.sum());
                rows[row * size + column] = columns[column * size + row];
            }
        }
        let mut found = [vec![nan; size * size], vec![nan; size * size]];
        let [by_columns, by_rows] = &mut found;
        let a = MatRef::from_column_major_slice(&columns, size, size);
        let to = MatMut::from_column_major_slice_mut(by_columns, size, size);
        assert_eq!(T::cholesky(a, to), Ok(()));
        let a = MatRef::from_row_major_slice(&rows, size, size);
        let to = MatMut::from_row_major_slice_mut(by_rows, size, size);
        assert_eq!(T::cholesky(a, to), Ok(()));
        for column in 0..size {
            for row in 0..size {
                let both = [
                    by_columns[column * size + row],
                    by_rows[row * size + column],
                ];
                for value in both.map(&back) {
                    let near = (value - l[column * size + row]).norm() < tolerance;
                    assert!(
                        if row < column { value.is_nan() } else { near },
                        "{size}: {row}, {column}: {value}"
                    );
                }
            }
        }
    }

    #[test]
    fn factors_of_all_sizes_and_types() {
        for size in [
            0, 1, 2, 3, 4, 5, 8, 15, 17, 31, 64, 100, 255, 256, 257, 300, 389,
        ] {
            check::<f64>(size, |value| value.re, |value| value.into(), 1e-9);
            check::<f32>(
                size,
                |value| value.re as f32,
                |value| f64::from(value).into(),
                1e-3,
            );
            check::<Complex<f64>>(size, |value| value, |value| value, 1e-9);
        }
        let narrow = |value: Complex<f64>| Complex::new(value.re as f32, value.im as f32);
        let wide = |value: Complex<f32>| Complex::new(value.re.into(), value.im.into());
        check::<Complex<f32>>(70, narrow, wide, 1e-3);
    }

    #[test]
    fn the_first_minor_that_is_not_positive_is_told() {
        for (size, order) in [(1, 1), (5, 3), (20, 20), (300, 131), (300, 270)] {
            for value in [0.0, -1.0, f32::NAN] {
                let mut a = vec![0.0_f32; size * size];
                for row in 0..size {
                    a[row * size + row] = if row + 1 == order { value } else { 1.0 };
                }
                let mut l = a.clone();
                let a = MatRef::from_column_major_slice(&a, size, size);
                let l = MatMut::from_column_major_slice_mut(&mut l, size, size);
                assert_eq!(
                    f32::cholesky(a, l),
                    Err(Failure::NotPositiveDefinite(order))
                );
            }
        }
    }
}
