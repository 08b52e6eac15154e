//! The Hurwitz zeta function, and the polygamma functions made of it.

use super::gamma;
use crate::passes::formula::Expression;

/// Terms of the sum that are added one by one.
const DIRECT_TERMS: usize = 9;

/// `(2k)! / B_2k` for `k` from 12 down to 1, with the Bernoulli numbers `B`.
const FACTORIALS_BY_BERNOULLI: [f64; 12] = [
    -7.166165256175667e18,
    1.8152105401943546e17,
    -4597978722407473.0,
    116467828143500.67,
    -2950130727918.164,
    74724249600.0,
    -1892437580.3183792,
    47900160.0,
    -1209600.0,
    30240.0,
    -720.0,
    12.0,
];

/// The sum of `(q + n)^-x` over all `n >= 0`: some terms as they are, the rest
/// by the Euler-Maclaurin formula (Johansson, "Rigorous high-precision
/// computation of the Hurwitz zeta function and its derivatives", 2015,
/// formula 5). The formula needs its last base well to the right of zero, so that
/// negative `q` lose accuracy, as they do in the reference implementation.
pub fn zeta<'f, 'c>(x: Expression<'f, 'c>, q: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let exponent = -x;
    let mut base = q;
    let mut sum = q.power(exponent);
    for _ in 0..DIRECT_TERMS {
        base = base + 1.0;
        sum = sum + base.power(exponent);
    }
    base = base + 1.0;
    let term = base.power(exponent);
    let integral = term * base / (x - 1.0);

    // The corrections are nested, so that none of the products overflows.
    let reciprocal = 1.0 / (base * base);
    let mut corrections = x.constant(0.0);
    let degrees = FACTORIALS_BY_BERNOULLI.len();
    let (last, others) = FACTORIALS_BY_BERNOULLI.split_last().unwrap_or((&12.0, &[]));
    for (index, factor) in others.iter().enumerate() {
        let offset = (2 * (degrees - index) - 2) as f64;
        corrections =
            (x + offset) * (x + (offset - 1.0)) * (reciprocal * (corrections + 1.0 / factor));
    }
    let tail = term * (x / base * (corrections + 1.0 / last) + 0.5);
    let accurate = (sum + integral) + tail;

    // Terms that vanish have nothing to correct.
    let converged = term.abs().lt(sum.abs() * x.limits().smallest);
    let result = converged.select(sum, accurate);

    let nan = x.constant(f64::NAN);
    let infinity = x.constant(f64::INFINITY);
    let result = x.lt(1.0).select(nan, result);
    // Left of zero powers are real only for integers, and integers are poles.
    let left = q.le(0.0);
    let result = left.and(x.ne(x.floor())).select(nan, result);
    let is_pole = left.and(q.eq(q.floor()));
    let is_even = x.eq(x.floor()).and((x % 2.0).eq(0.0));
    let result = is_pole.select(is_even.select(infinity, nan), result);
    x.eq(1.0).select(infinity, result)
}

/// The `n`-th derivative of `digamma`: `(-1)^(n + 1) n! zeta(n + 1, x)`; NaN
/// where `n` is not a natural number.
pub fn polygamma<'f, 'c>(n: Expression<'f, 'c>, x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let sign = 2.0 * (n % 2.0) - 1.0;
    let order = n + 1.0;
    let derivative = sign * gamma::lgamma(order).exp() * zeta(order, x);
    let result = n.eq(0.0).select(gamma::digamma(x), derivative);
    let is_natural = n.eq(n.floor()).and(n.ge(0.0));
    is_natural.select(result, f64::NAN)
}
