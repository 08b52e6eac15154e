//! The elementary functions as arithmetic.
//!
//! Each function is a straight line of arithmetic and selects, so that LLVM
//! vectorizes the loops around it, which it cannot do around a call. Errors are
//! below 1.5 ULP for f32, which the tests of this crate hold against values
//! computed in high precision.
//!
//! The functions that networks spend their time in ([`single`]) work in f32
//! itself. The rest ([`double`]) goes through f64, which halves the lanes but
//! lets plain formulas do: there are bits to spare for their errors.
//!
//! What kernels of GPUs need of f64 beyond is exact to the last bit or so, in
//! [`double_trigonometric`], [`double_arctangent`] and [`double_power`]: there is
//! no libm that could stand in.
//!
//! The coefficients are minimax polynomials from the Remez algorithm in 40
//! digits; those for f32 were rounded one at a time, lowest degree first, each
//! time fitting the others again.

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
