//! Fourier transforms, matrix factorizations and sorting on slices.
//!
//! What is here comes from libraries, [rustfft], [realfft] and [faer], or is built on
//! their products and substitutions where LAPACK fixes a form that they do not
//! give. The functions know nothing of programs, shapes or buffers: handlers of
//! custom calls and the interpreter call them.
//!
//! The crate stands apart because a factorization in four number types takes
//! the compiler longer than all of the runtime. The cargo feature `linear-algebra`
//! has the factorizations, and faer with them.

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
#[cfg(feature = "linear-algebra")]
pub mod linear_algebra;
pub mod sort;
