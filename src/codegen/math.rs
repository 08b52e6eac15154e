//! Elementary functions as arithmetic.
//!
//! Each function is straight-line arithmetic with selects, so that LLVM can vectorize loops around
//! it, unlike loops with calls. Errors are at most 4 ULP; `docs/numerics.md` lists them with the
//! speed.
//!
//! Functions that dominate the time of neural networks ([`single`]) are computed in f32. Other
//! functions ([`double`]) are computed in f64, which halves the number of lanes but permits simple
//! formulas, since the additional bits absorb their errors.
//!
//! GPU kernels have no libm, and need the remaining functions of f64 with errors below 1 ULP:
//! [`double_trigonometric`], [`double_arctangent`] and [`double_power`].
//!
//! The coefficients are minimax polynomials from the Remez algorithm in 40 digits. Coefficients for
//! f32 were rounded one at a time, lowest degree first, and the others fitted again each time.

pub mod bf16_as_integers;
pub mod double;
pub mod double_arctangent;
pub mod double_double;
pub mod double_power;
pub mod double_trigonometric;
pub mod expand_bf16;
pub mod expand_math;
pub mod expand_remainder;
pub mod single;
pub mod trigonometric;
