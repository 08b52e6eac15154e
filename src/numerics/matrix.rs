//! The numbers and the shape of a matrix.

use bytemuck::Pod;
use faer::prelude::ReborrowMut;
use faer::{Accum, Conj, MatMut, MatRef, Par, linalg::matmul::matmul_with_conj};
use faer_traits::ComplexField;
use num_complex::Complex;
use num_traits::{Float, NumAssign};

use crate::{Failure, Triangle, cholesky, eigen, lu, qr, singular, symmetric, triangular};

/// The size of a matrix: rows, then columns.
pub type Matrix = (usize, usize);

/// `f32`, `f64`, and complex numbers of them, with the functions on matrices of
/// them. Each panics where a slice is shorter than its size says, as indexing
/// does, or where the sizes of matrices do not fit each other.
pub trait Number: Copy + Send + Sync + 'static {
    /// The type of a modulus.
    type Real: Copy + Send + Sync + 'static;

    /// The number with imaginary part 0 that `f64` holds, rounded.
    fn from_f64(value: f64) -> Self;

    /// The number with the opposite imaginary part.
    fn conjugate(self) -> Self;

    /// `a = l l^H`: writes the lower triangle of `l`. Only the lower triangle of `a` is
    /// read.
    ///
    /// # Errors
    /// If `a` is not positive definite; what is then in `l` is arbitrary.
    fn cholesky(a: MatRef<'_, Self>, l: MatMut<'_, Self>) -> Result<(), Failure>;

    /// Copies a matrix to one of the same size.
    fn copy(from: MatRef<'_, Self>, to: MatMut<'_, Self>);

    /// `op(a) x = b`, or `x op(a) = b` from the right; `x` replaces `b`.
    fn solve_triangular(a: MatRef<'_, Self>, b: MatMut<'_, Self>, triangle: Triangle);

    /// `p a = l u` with partial pivoting: `l` without its ones below, `u` on
    /// and above the diagonal. Row `i` was exchanged with row `pivots[i]`.
    /// Returns the first column without a pivot, if any.
    fn lu(a: &mut [Self], size: Matrix, pivots: &mut [usize]) -> Option<usize>;

    /// `a = q r` in LAPACK's form: `r` on and above the diagonal, below it the
    /// vectors `v` of the reflections `1 - tau v v^H`, of whose product `q`
    /// consists; the first component of each, a 1, is left out.
    fn qr(a: &mut [Self], size: Matrix, taus: &mut [Self]);

    /// Writes the first columns of `q` over what [`qr`](Self::qr) left.
    fn form_q(a: &mut [Self], size: Matrix, taus: &[Self]);

    /// The eigenvalues of a Hermitian matrix, ascending, and its eigenvectors
    /// over `a` if they are wanted. Only the lower triangle is read.
    ///
    /// # Errors
    /// If the iteration does not converge.
    fn symmetric_eigen(
        a: &mut [Self],
        values: &mut [Self::Real],
        vectors: bool,
    ) -> Result<(), Failure>;

    /// `a = u diag(s) v^H` with descending `s`.
    ///
    /// # Errors
    /// If the iteration does not converge.
    fn singular(
        a: &[Self],
        size: Matrix,
        values: &mut [Self::Real],
        factors: Option<singular::Factors<'_, Self>>,
    ) -> Result<(), Failure>;

    /// The eigenvalues of a square matrix, and, where they are wanted, its left
    /// and right eigenvectors, of norm 1 with a real largest component. The
    /// values and vectors of a real matrix come in pairs of conjugates, the one
    /// with the positive imaginary part first.
    ///
    /// # Errors
    /// If the iteration does not converge.
    fn eigen(
        a: &[Self],
        values: &mut [Complex<Self::Real>],
        left: Option<&mut [Complex<Self::Real>]>,
        right: Option<&mut [Complex<Self::Real>]>,
    ) -> Result<(), Failure>;
}

macro_rules! number {
    ($type:ty, $real:ty, $from:expr, $cholesky:path, $eigen:path) => {
        impl Number for $type {
            type Real = $real;

            fn from_f64(value: f64) -> Self {
                $from(value as $real)
            }

            fn conjugate(self) -> Self {
                Field::conj(self)
            }

            fn cholesky(a: MatRef<'_, Self>, l: MatMut<'_, Self>) -> Result<(), Failure> {
                $cholesky(a, l)
            }

            fn copy(from: MatRef<'_, Self>, to: MatMut<'_, Self>) {
                copy(from, to);
            }

            fn solve_triangular(a: MatRef<'_, Self>, b: MatMut<'_, Self>, triangle: Triangle) {
                triangular::solve(a, b, triangle);
            }

            fn lu(a: &mut [Self], size: Matrix, pivots: &mut [usize]) -> Option<usize> {
                lu::factor(a, size, pivots)
            }

            fn qr(a: &mut [Self], size: Matrix, taus: &mut [Self]) {
                qr::factor(a, size, taus);
            }

            fn form_q(a: &mut [Self], size: Matrix, taus: &[Self]) {
                qr::form_q(a, size, taus);
            }

            fn symmetric_eigen(
                a: &mut [Self],
                values: &mut [Self::Real],
                vectors: bool,
            ) -> Result<(), Failure> {
                symmetric::eigen(a, values, vectors)
            }

            fn singular(
                a: &[Self],
                size: Matrix,
                values: &mut [Self::Real],
                factors: Option<singular::Factors<'_, Self>>,
            ) -> Result<(), Failure> {
                singular::values(a, size, values, factors)
            }

            fn eigen(
                a: &[Self],
                values: &mut [Complex<Self::Real>],
                left: Option<&mut [Complex<Self::Real>]>,
                right: Option<&mut [Complex<Self::Real>]>,
            ) -> Result<(), Failure> {
                $eigen(a, values, left, right)
            }
        }
    };
}

number!(
    f32,
    f32,
    std::convert::identity,
    cholesky::real,
    eigen::real
);
number!(
    f64,
    f64,
    std::convert::identity,
    cholesky::real,
    eigen::real
);
number!(
    Complex<f32>,
    f32,
    Complex::from,
    cholesky::complex,
    eigen::complex
);
number!(
    Complex<f64>,
    f64,
    Complex::from,
    cholesky::complex,
    eigen::complex
);

/// What the factorizations here compute with.
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

    /// The quotient, which overflows only where it is too large itself.
    fn divided_by(self, other: Self) -> Self {
        match Self::IS_REAL {
            true => self / other,
            false => self * Self::recip_impl(&other),
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

/// A slice as a matrix that is written.
pub(crate) fn view_mut<T>(a: &mut [T], (rows, columns): Matrix) -> MatMut<'_, T> {
    MatMut::from_column_major_slice_mut(&mut a[..rows * columns], rows, columns)
}

/// Copies a matrix, by blocks that the first cache holds also where one has its columns
/// together and the other its rows.
fn copy<T: Field>(from: MatRef<'_, T>, mut to: MatMut<'_, T>) {
    if from.row_stride() == to.row_stride() {
        return to.copy_from(from);
    }
    let (rows, columns) = from.shape();
    for first in (0..columns).step_by(BLOCK) {
        for top in (0..rows).step_by(BLOCK) {
            let size = (BLOCK.min(rows - top), BLOCK.min(columns - first));
            let from = from.submatrix(top, first, size.0, size.1);
            to.rb_mut()
                .submatrix_mut(top, first, size.0, size.1)
                .copy_from(from);
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
