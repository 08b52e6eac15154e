//! Fourier transforms, matrix factorizations and sorting on slices.
//!
//! What is here comes from libraries, [rustfft], [realfft] and [faer], or is built on
//! their products and substitutions where LAPACK fixes a form that they do not
//! give. The functions know nothing of programs, shapes or buffers: handlers of
//! custom calls and the interpreter call them.
//!
//! The crate stands apart because a factorization in four number types takes
//! the compiler longer than all of the runtime.
//!
//! A matrix is a slice of its columns, one after the other, without gaps.

/// Calls a body for ranges that together are 0 to a count, on several threads, each range
/// but the last a multiple of a grain long.
pub type ParallelFor<'a> = &'a (dyn Fn(i64, i64, &(dyn Fn(i64, i64) + Sync)) + Sync);

/// The one that uses the thread that calls it.
pub const SEQUENTIAL: ParallelFor<'static> = &|count, _, body| {
    if count > 0 {
        body(0, count);
    }
};

pub mod fourier;
pub mod sort;

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
