//! Factorizations of matrices, triangular and tridiagonal systems, eigenvalues.
//!
//! A matrix is a slice in column-major order, without gaps.

mod matrix;
mod number;
mod reflection;
mod scale;

mod cholesky;
mod eigen;
mod hessenberg;
mod lu;
mod pivoted_qr;
mod qr;
mod schur;
mod singular;
mod symmetric;
mod triangular;
mod tridiagonal;
mod tridiagonal_solve;

#[cfg(test)]
mod testing;

pub use faer::{MatMut, MatRef};
pub use matrix::Matrix;
pub use number::Number;
pub use singular::Factors;
pub use triangular::{Transpose, Triangle};
pub use tridiagonal::Tridiagonal;
pub use tridiagonal_solve::Diagonals;

/// The failure of a factorization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The leading minor of this order is not positive definite.
    NotPositiveDefinite(usize),
    /// An iteration did not converge, as on NaN.
    NoConvergence,
}
