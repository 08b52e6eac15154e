//! The number types, and all functions on matrices of them.

use std::ops::Range;

use faer::{MatMut, MatRef};
use num_complex::Complex;

use crate::linear_algebra::matrix::{self, Field, Matrix};
use crate::linear_algebra::{
    Diagonals, Failure, Triangle, Tridiagonal, cholesky, eigen, hessenberg, lu, pivoted_qr, qr,
    schur, singular, symmetric, triangular, tridiagonal, tridiagonal_solve,
};

/// `f32`, `f64`, and complex numbers of them, with the functions on matrices of them. Each panics
/// if a slice is shorter than its size, as indexing does, or if the sizes of matrices do not match.
pub trait Number: Copy + Send + Sync + 'static {
    /// The type of a modulus.
    type Real: Copy + Send + Sync + 'static;

    /// The number nearest to a real `f64`.
    fn from_f64(value: f64) -> Self;

    /// The complex conjugate.
    fn conjugate(self) -> Self;

    /// `a = l l^H`: writes the lower triangle of `l`. Only the lower triangle of `a` is
    /// read.
    ///
    /// # Errors
    /// Returns an error if `a` is not positive definite; the contents of `l` are then arbitrary.
    fn cholesky(a: MatRef<'_, Self>, l: MatMut<'_, Self>) -> Result<(), Failure>;

    /// Copies a matrix to one of the same size.
    fn copy(from: MatRef<'_, Self>, to: MatMut<'_, Self>);

    /// `op(a) x = b`, or `x op(a) = b` from the right; `x` replaces `b`.
    fn solve_triangular(a: MatRef<'_, Self>, b: MatMut<'_, Self>, triangle: Triangle);

    /// `p a = l u` with partial pivoting: `l` without its unit diagonal below the diagonal, `u` on
    /// and above it. Row `i` was exchanged with row `pivots[i]`. Returns the first column without a
    /// pivot, if any.
    fn lu(a: &mut [Self], size: Matrix, pivots: &mut [usize]) -> Option<usize>;

    /// `a = q r` in LAPACK's format: `r` on and above the diagonal, below it the vectors `v` of the
    /// reflections `1 - tau v v^H`, whose product is `q`; the first component of each, a 1, is left
    /// out.
    fn qr(a: &mut [Self], size: Matrix, taus: &mut [Self]);

    /// Replaces the output of [`qr`](Self::qr) by the first columns of `q`.
    fn form_q(a: &mut [Self], size: Matrix, taus: &[Self]);

    /// Replaces `c` by `op(q) c` or `c op(q)`, where `q` is the whole product of the reflections
    /// that [`qr`](Self::qr) stored, and `op` the identity or the adjoint. The dimension of `c`
    /// that is not multiplied is passed separately.
    fn multiply_q(
        a: &[Self],
        size: Matrix,
        taus: &[Self],
        c: (&mut [Self], usize),
        left_and_adjoint: (bool, bool),
    );

    /// [`qr`](Self::qr) with column pivoting, so that the diagonal of `r` decreases: column
    /// `order[j]` of `a` became column `j`. Columns for which `first` is true come before the
    /// others, in their order.
    fn pivoted_qr(
        a: &mut [Self],
        size: Matrix,
        first: &[bool],
        order: &mut [usize],
        taus: &mut [Self],
    );

    /// `a = q t q^H` with a tridiagonal `t` for a Hermitian matrix of which a triangle is read, in
    /// LAPACK's format: that triangle holds `t`, and outside it the vectors of the reflections
    /// whose product is `q`, without the 1 of each.
    fn tridiagonal(
        a: &mut [Self],
        lower: bool,
        form: Tridiagonal<'_, Self::Real>,
        taus: &mut [Self],
    );

    /// The eigenvalues of a Hermitian matrix, ascending, and optionally its eigenvectors, which
    /// replace `a`. Only the lower triangle is read.
    ///
    /// # Errors
    /// Returns an error if the iteration does not converge.
    fn symmetric_eigen(
        a: &mut [Self],
        values: &mut [Self::Real],
        vectors: bool,
    ) -> Result<(), Failure>;

    /// `a = u diag(s) v^H` with descending `s`.
    ///
    /// # Errors
    /// Returns an error if the iteration does not converge.
    fn singular(
        a: &[Self],
        size: Matrix,
        values: &mut [Self::Real],
        factors: Option<singular::Factors<'_, Self>>,
    ) -> Result<(), Failure>;

    /// The eigenvalues of a square matrix, and optionally its left and right eigenvectors, of norm
    /// 1 with a real largest component. The values and vectors of a real matrix come in conjugate
    /// pairs, the one with the positive imaginary part first.
    ///
    /// # Errors
    /// Returns an error if the iteration does not converge.
    fn eigen(
        a: &[Self],
        values: &mut [Complex<Self::Real>],
        left: Option<&mut [Complex<Self::Real>]>,
        right: Option<&mut [Complex<Self::Real>]>,
    ) -> Result<(), Failure>;

    /// `a = q h q^H` in LAPACK's format: `h` on, above and just below the diagonal, below it the
    /// vectors of the reflections whose product is `q`, without the 1 of each. The part that is not
    /// upper triangular is in the rows and columns of `active`.
    fn hessenberg(a: &mut [Self], size: usize, active: Range<usize>, taus: &mut [Self]);

    /// `a = z t z^H` with an upper triangular `t`, which replaces `a`, and a unitary `z`, which is
    /// optional. Real matrices have, for each pair of conjugate eigenvalues, a block of 2 by 2 on
    /// the diagonal, whose two diagonal elements are equal and whose others differ in sign.
    ///
    /// # Errors
    /// Returns the number of eigenvalues, from the first, that did not converge.
    fn schur(
        a: &mut [Self],
        values: &mut [Complex<Self::Real>],
        vectors: Option<&mut [Self]>,
    ) -> Result<(), usize>;

    /// Solves a system with a tridiagonal matrix for each column of `b`, which the
    /// solution replaces.
    ///
    /// # Errors
    /// Returns the number of the first pivot that is 0; the contents of `b` are then arbitrary.
    fn solve_tridiagonal(diagonals: Diagonals<'_, Self>, b: &mut [Self]) -> Result<(), usize>;

    /// The same, but pivots that are so small that the solution would overflow are moved away from
    /// 0.
    fn solve_tridiagonal_perturbed(diagonals: Diagonals<'_, Self>, b: &mut [Self]);
}

macro_rules! number {
    ($type:ty, $real:ty, $from:expr, $cholesky:path, $eigen:path, $schur:path) => {
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
                matrix::copy(from, to);
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

            fn multiply_q(
                a: &[Self],
                size: Matrix,
                taus: &[Self],
                c: (&mut [Self], usize),
                left_and_adjoint: (bool, bool),
            ) {
                qr::multiply(a, size, taus, c, left_and_adjoint);
            }

            fn pivoted_qr(
                a: &mut [Self],
                size: Matrix,
                first: &[bool],
                order: &mut [usize],
                taus: &mut [Self],
            ) {
                pivoted_qr::factor(a, size, first, order, taus);
            }

            fn tridiagonal(
                a: &mut [Self],
                lower: bool,
                form: Tridiagonal<'_, Self::Real>,
                taus: &mut [Self],
            ) {
                tridiagonal::reduce(a, lower, form, taus);
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

            fn hessenberg(a: &mut [Self], size: usize, active: Range<usize>, taus: &mut [Self]) {
                hessenberg::reduce(a, size, active, taus);
            }

            fn schur(
                a: &mut [Self],
                values: &mut [Complex<Self::Real>],
                vectors: Option<&mut [Self]>,
            ) -> Result<(), usize> {
                $schur(a, values, vectors)
            }

            fn solve_tridiagonal(
                diagonals: Diagonals<'_, Self>,
                b: &mut [Self],
            ) -> Result<(), usize> {
                tridiagonal_solve::solve(diagonals, b)
            }

            fn solve_tridiagonal_perturbed(diagonals: Diagonals<'_, Self>, b: &mut [Self]) {
                tridiagonal_solve::solve_perturbed(diagonals, b);
            }
        }
    };
}

number!(
    f32,
    f32,
    std::convert::identity,
    cholesky::real,
    eigen::real,
    schur::real
);
number!(
    f64,
    f64,
    std::convert::identity,
    cholesky::real,
    eigen::real,
    schur::real
);
number!(
    Complex<f32>,
    f32,
    Complex::from,
    cholesky::complex,
    eigen::complex,
    schur::complex
);
number!(
    Complex<f64>,
    f64,
    Complex::from,
    cholesky::complex,
    eigen::complex,
    schur::complex
);
