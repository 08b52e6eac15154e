//! Factorizations of matrices, triangular and tridiagonal systems, eigenvalues.
//!
//! A matrix is a slice of its columns, one after the other, without gaps.

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

/// Why a factorization has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The leading part of so many rows is not positive definite.
    NotPositiveDefinite(usize),
    /// An iteration did not come to an end, as on NaN.
    NoConvergence,
}
