//! Sums of squares in twice the precision.
//!
//! A pair of floats represents their sum. The algorithms come from Dekker ("A floating-point
//! technique for extending the available precision", 1971) and Knuth (2Sum); they hold in any
//! binary format that rounds to nearest.

use crate::transforms::legalize::formula::Expression;

/// The sum of two numbers, and its rounding error (2Sum).
fn two_sum<'f, 'c>(
    a: Expression<'f, 'c>,
    b: Expression<'f, 'c>,
) -> (Expression<'f, 'c>, Expression<'f, 'c>) {
    let sum = a + b;
    let second = sum - a;
    (sum, (a - (sum - second)) + (b - second))
}

/// The square of a number, and its rounding error (Dekker's product on
/// Veltkamp's halves). The number must be small enough for its square, and the
/// number times the splitter, not to overflow.
pub fn square<'f, 'c>(x: Expression<'f, 'c>) -> (Expression<'f, 'c>, Expression<'f, 'c>) {
    let scaled = x * x.limits().splitter;
    let high = scaled - (scaled - x);
    let low = x - high;
    let square = x * x;
    let cross = high * low;
    (square, ((high * high - square) + cross + cross) + low * low)
}

/// `first + x^2 + y^2` for a number `first`, rounded after summation.
pub fn add_squares<'f, 'c>(
    first: Expression<'f, 'c>,
    x: Expression<'f, 'c>,
    y: Expression<'f, 'c>,
) -> Expression<'f, 'c> {
    let (x_high, x_low) = square(x);
    let (y_high, y_low) = square(y);
    let mut sum = first;
    let mut rest: Option<Expression<'f, 'c>> = None;
    for term in [y_high, x_high, y_low, x_low] {
        let (next, left_out) = two_sum(sum, term);
        sum = next;
        rest = Some(rest.map_or(left_out, |rest| rest + left_out));
    }
    rest.map_or(sum, |rest| sum + rest)
}
