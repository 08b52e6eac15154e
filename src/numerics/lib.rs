//! Fourier transforms, matrix factorizations and sorting on slices.
//!
//! The algorithms come from the libraries [rustfft], [realfft] and [faer], or are built on their
//! products and substitutions for results in the formats of LAPACK that they do not provide. The
//! functions do not depend on programs, shapes or buffers: handlers of custom calls and the
//! interpreter call them.
//!
//! The crate is separate because a factorization in four number types takes longer to compile than
//! all of the runtime. The cargo feature `linear-algebra` enables the factorizations, and faer.

/// Calls a body for ranges that cover 0 to a count, on several threads; the length of each range
/// but the last is a multiple of a grain.
pub type ParallelFor<'a> = &'a (dyn Fn(i64, i64, &(dyn Fn(i64, i64) + Sync)) + Sync);

/// Runs on the calling thread.
pub const SEQUENTIAL: ParallelFor<'static> = &|count, _, body| {
    if count > 0 {
        body(0, count);
    }
};

pub mod fourier;
#[cfg(feature = "linear-algebra")]
pub mod linear_algebra;
pub mod sort;
