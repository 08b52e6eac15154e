//! The Hurwitz zeta function, and the polygamma functions derived from it.

use super::gamma;
use crate::transforms::legalize::formula::Expression;

/// The number of terms that are summed directly.
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

/// The sum of `(q + n)^-x` over all `n >= 0`: some terms directly, the others by the
/// Euler-Maclaurin formula (Johansson, "Rigorous high-precision computation of the Hurwitz zeta
/// function and its derivatives", 2015, formula 5). The formula needs its last base well to the
/// right of zero, so that negative `q` lose accuracy, as in the reference implementation.
pub fn zeta<'f, 'c>(x: Expression<'f, 'c>, q: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let (zero, one) = (x.constant(0.0), x.constant(1.0));
    let exponent = -x;
    let mut base = q;
    let mut sum = q.power(exponent);
    for _ in 0..DIRECT_TERMS {
        base = base + one;
        sum = sum + base.power(exponent);
    }
    base = base + one;
    let term = base.power(exponent);
    let pole = x.constant(1.0);
    let integral = term * base / (x - pole);

    // The corrections are nested, so that none of the products overflows.
    let reciprocal = one / (base * base);
    let mut corrections = zero;
    let degrees = FACTORIALS_BY_BERNOULLI.len();
    let (last, others) = FACTORIALS_BY_BERNOULLI.split_last().unwrap_or((&12.0, &[]));
    for (index, factor) in others.iter().enumerate() {
        let offset = (2 * (degrees - index) - 2) as f64;
        let factors = (x + offset) * (x + (offset - 1.0));
        corrections = factors * (reciprocal * (corrections + 1.0 / factor));
    }
    let half = x.constant(0.5);
    let ratio = x / base;
    let first = x.constant(1.0 / last);
    let tail = term * (half + ratio * (first + corrections));
    let accurate = sum + integral + tail;

    // Terms that vanish need no correction.
    let vanishes = term.abs().lt(sum.abs() * x.limits().smallest);
    let result = vanishes.select(sum, accurate);

    let nan = x.constant(f64::NAN);
    let result = x.lt(pole).select(nan, result);
    // Left of zero, powers are real only for integers, and integers are poles.
    let left = q.le(zero);
    let result = left.and(x.ne(x.floor())).select(nan, result);
    let infinity = x.constant(f64::INFINITY);
    let is_pole = left.and(q.eq(q.floor()));
    let two = x.constant(2.0);
    let is_even = x.eq(x.floor()).and((x % two).eq(zero));
    let result = is_pole.select(is_even.select(infinity, nan), result);
    x.eq(one).select(infinity, result)
}

/// The `n`-th derivative of `digamma`: `(-1)^(n + 1) n! zeta(n + 1, x)`; NaN
/// where `n` is not a natural number.
pub fn polygamma<'f, 'c>(n: Expression<'f, 'c>, x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let (one, two) = (x.constant(1.0), x.constant(2.0));
    let sign = two * (n % two) - one;
    let order = n + one;
    let factorial = gamma::log_gamma(order).exp();
    let zeta = zeta(order, x);
    let derivative = sign * factorial * zeta;
    let zero = n.constant(0.0);
    let is_first = n.eq(zero);
    let result = is_first.select(gamma::digamma(x), derivative);
    let is_unnatural = n.ne(n.floor()).or(n.lt(zero));
    is_unnatural.select(n.constant(f64::NAN), result)
}
