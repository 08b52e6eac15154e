//! Traits for the numbers of factorizations, slices as matrices, and products.

use bytemuck::Pod;
use faer::prelude::ReborrowMut;
use faer::{Accum, Conj, MatMut, MatRef, Par, linalg::matmul::matmul_with_conj};
use faer_traits::ComplexField;
use num_traits::{Float, NumAssign};

/// The size of a matrix: rows, then columns.
pub type Matrix = (usize, usize);

/// The arithmetic that the factorizations here need.
pub(crate) trait Field:
    ComplexField<Real: Float> + Copy + NumAssign + Pod + std::ops::Neg<Output = Self>
{
    fn conj(self) -> Self {
        Self::conj_impl(&self)
    }

    fn real(self) -> Self::Real {
        Self::real_part_impl(&self)
    }

    fn imaginary(self) -> Self::Real {
        Self::imag_part_impl(&self)
    }

    /// The quotient, which overflows only if the result does.
    fn divided_by(self, other: Self) -> Self {
        if Self::IS_REAL {
            self / other
        } else {
            self * Self::recip_impl(&other)
        }
    }
}

impl<T> Field for T where
    T: ComplexField<Real: Float> + Copy + NumAssign + Pod + std::ops::Neg<Output = T>
{
}

/// A slice as a matrix.
pub(crate) fn view<T>(a: &[T], (rows, columns): Matrix) -> MatRef<'_, T> {
    MatRef::from_column_major_slice(&a[..rows * columns], rows, columns)
}

/// A slice as a mutable matrix.
pub(crate) fn view_mut<T>(a: &mut [T], (rows, columns): Matrix) -> MatMut<'_, T> {
    MatMut::from_column_major_slice_mut(&mut a[..rows * columns], rows, columns)
}

/// Copies a matrix, in blocks that fit the L1 cache also if one matrix is column-major and the
/// other row-major.
pub(crate) fn copy<T: Field>(from: MatRef<'_, T>, mut to: MatMut<'_, T>) {
    if from.row_stride() == to.row_stride() {
        return to.copy_from(from);
    }
    let (rows, columns) = from.shape();
    for first in (0..columns).step_by(BLOCK) {
        for top in (0..rows).step_by(BLOCK) {
            let size = (BLOCK.min(rows - top), BLOCK.min(columns - first));
            let from = from.submatrix(top, first, size.0, size.1);
            to.rb_mut().submatrix_mut(top, first, size.0, size.1).copy_from(from);
        }
    }
}

/// The rows and columns that are copied together.
pub(crate) const BLOCK: usize = 16;

/// A factor of a product.
pub(crate) fn plain<T>(a: MatRef<'_, T>) -> (MatRef<'_, T>, Conj) {
    (a, Conj::No)
}

/// The transposed conjugate of a matrix as a factor of a product.
pub(crate) fn adjoint<T>(a: MatRef<'_, T>) -> (MatRef<'_, T>, Conj) {
    (a.transpose(), Conj::Yes)
}

/// `c = a b`
pub(crate) fn product<T: Field>(
    c: MatMut<'_, T>,
    a: (MatRef<'_, T>, Conj),
    b: (MatRef<'_, T>, Conj),
) {
    matmul_with_conj(
        c,
        Accum::Replace,
        a.0,
        a.1,
        b.0,
        b.1,
        T::one_impl(),
        Par::Seq,
    );
}

/// `c -= a b`
pub(crate) fn subtract_product<T: Field>(
    c: MatMut<'_, T>,
    a: (MatRef<'_, T>, Conj),
    b: (MatRef<'_, T>, Conj),
) {
    matmul_with_conj(c, Accum::Add, a.0, a.1, b.0, b.1, -T::one_impl(), Par::Seq);
}
