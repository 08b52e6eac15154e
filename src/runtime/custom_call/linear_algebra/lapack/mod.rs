//! The LAPACK calls that JAX exports for CPUs, in their typed version: names like
//! `lapack_spotrf_ffi`, one for each of the number types `s`, `d`, `c`, `z`.
//!
//! Matrices are the last two dimensions of the operands, in any layout; the dimensions before them
//! are a batch. `info` is 0, or LAPACK's error code for a matrix; the call itself then succeeds,
//! and the code that JAX exports replaces the results by NaN.

mod eigen;
mod hessenberg;
mod lu;
mod pivoted_qr;
mod potrf;
pub(super) mod qr;
pub(super) mod routines;
mod schur;
mod singular;
pub(super) mod symmetric;
mod tridiagonal;
mod tridiagonal_solve;
mod trsm;

#[cfg(test)]
mod tests;

use crate::custom_call::CustomCallRegistry;

pub(super) fn register(registry: &mut CustomCallRegistry) {
    potrf::register(registry);
    trsm::register(registry);
    lu::register(registry);
    qr::register(registry);
    symmetric::register(registry);
    singular::register(registry);
    eigen::register(registry);
    hessenberg::register(registry);
    schur::register(registry);
    pivoted_qr::register(registry);
    tridiagonal::register(registry);
    tridiagonal_solve::register(registry);
}
