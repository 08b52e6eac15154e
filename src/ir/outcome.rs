//! The results of functions that fill regions.

use std::convert::Infallible;

/// A value of a type, or a `Result` of it: a body that cannot fail results in the op, one that may
/// fail in a `Result` of the op.
///
/// ```
/// use halo_ir::{prelude::*, ops::scf::ForOp};
///
/// /// A loop whose body cannot fail.
/// fn doubled<'c>(b: &Builder<'c>, range: [Value<'c>; 3], x: Value<'c>) -> ForOp<'c> {
///     let [lower, upper, step] = range;
///     scf::for_(b, (lower, upper, step), &[x], |b, _, x| vec![arith::addf(b, x[0], x[0])])
/// }
///
/// /// A loop whose body may fail.
/// fn summed<'c>(
///     b: &Builder<'c>,
///     range: [Value<'c>; 3],
///     x: Value<'c>,
/// ) -> RewriteResult<ForOp<'c>> {
///     let [lower, upper, step] = range;
///     scf::for_(b, (lower, upper, step), &[x], |b, index, x| {
///         let Some(kind) = x[0].ty().float_kind() else {
///             return Err(no_match("the sum is not of floats"));
///         };
///         let _ = (kind, index);
///         Ok(vec![arith::addf(b, x[0], x[0])])
///     })
/// }
/// ```
pub trait Outcome<T>: Sized {
    /// The error of a body that may fail.
    type Failure;
    /// The same outcome of another value.
    type Of<U>;

    /// The outcome as a `Result`.
    fn into_result(self) -> Result<T, Self::Failure>;

    /// The outcome of a `Result`.
    fn of<U>(result: Result<U, Self::Failure>) -> Self::Of<U>;
}

impl<T> Outcome<T> for T {
    type Failure = Infallible;
    type Of<U> = U;

    fn into_result(self) -> Result<T, Infallible> {
        Ok(self)
    }

    fn of<U>(result: Result<U, Infallible>) -> U {
        match result {
            Ok(value) => value,
            Err(failure) => match failure {},
        }
    }
}

impl<T, E> Outcome<T> for Result<T, E> {
    type Failure = E;
    type Of<U> = Result<U, E>;

    fn into_result(self) -> Self {
        self
    }

    fn of<U>(result: Result<U, E>) -> Result<U, E> {
        result
    }
}
