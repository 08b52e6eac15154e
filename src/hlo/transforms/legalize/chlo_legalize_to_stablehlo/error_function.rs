//! The error function, its complement and its inverse.

use crate::transforms::legalize::{
    formula::Expression, stablehlo_complex_math_expander::double_word,
};

/// `erf(x) = x T(x^2) / U(x^2)` on [-1, 1] (Cephes, ndtr.c).
const DOUBLE_T: [f64; 5] = [
    9.604973739870516,
    90.02601972038427,
    2232.005345946843,
    7003.325141128051,
    55592.30130103949,
];

/// As above.
const DOUBLE_U: [f64; 6] = [
    1.0,
    33.56171416475031,
    521.3579497801527,
    4594.323829709801,
    22629.000061389095,
    49267.39426086359,
];

/// `erfc(x) = e^(-x^2) P(x) / Q(x)` on [1, 8] (Cephes, ndtr.c).
const DOUBLE_P: [f64; 9] = [
    2.461969814735305e-10,
    0.5641895648310689,
    7.463210564422699,
    48.63719709856814,
    196.5208329560771,
    526.4451949954773,
    934.5285271719576,
    1027.5518868951572,
    557.5353353693994,
];

/// As above.
const DOUBLE_Q: [f64; 9] = [
    1.0,
    13.228195115474499,
    86.70721408859897,
    354.9377788878199,
    975.7085017432055,
    1823.9091668790973,
    2246.3376081871097,
    1656.6630919416134,
    557.5353408177277,
];

/// `erfc(x) = e^(-x^2) R(x) / S(x)` from 8 on (Cephes, ndtr.c).
const DOUBLE_R: [f64; 6] = [
    0.5641895835477551,
    1.275366707599781,
    5.019050422511805,
    6.160210979930536,
    7.4097426995044895,
    2.9788666537210022,
];

/// As above.
const DOUBLE_S: [f64; 7] = [
    1.0,
    2.2605286322011726,
    9.396035249380015,
    12.048953980809666,
    17.08144507475659,
    9.608968090632859,
    3.369076451000815,
];

/// `erf(x) = x T(x^2)` on [-1, 1] (Cephes, ndtrf.c).
const SINGLE_T: [f64; 7] = [
    7.853861353153693e-5,
    -0.0008010193625184903,
    0.005188327685732524,
    -0.02685381193529856,
    0.1128358514861418,
    -0.37612625824233,
    1.12837916572671,
];

/// `erfc(x) = e^(-x^2) P(1/x^2) / x` on [1, 2] (Cephes, ndtrf.c).
const SINGLE_P: [f64; 9] = [
    0.02326819970068386,
    -0.1387039388740657,
    0.3687424674597105,
    -0.5824733027278666,
    0.6210004621745983,
    -0.4944515323274145,
    0.3404879937665872,
    -0.2741127028184656,
    0.5638259427386472,
];

/// `erfc(x) = e^(-x^2) R(1/x^2) / x` from 2 on (Cephes, ndtrf.c).
const SINGLE_R: [f64; 8] = [
    -10.47766399936249,
    12.97719955372516,
    -7.495518717768503,
    2.921019019210786,
    -1.0152652792027,
    0.4218463358204948,
    -0.2820767439740514,
    0.5641895067754075,
];

/// `erf(x) = x ALPHA(x^2) / BETA(x^2)` on [-4, 4] (Eigen's rational function).
const SINGLE_ALPHA: [f64; 7] = [
    -2.72614225801306e-10,
    2.77068142495902e-8,
    -2.10102402082508e-6,
    -5.69250639462346e-5,
    -0.000734990630326855,
    -0.00295459980854025,
    -0.0160960333262415,
];

/// As above.
const SINGLE_BETA: [f64; 5] = [
    -1.45660718464996e-5,
    -0.000213374055278905,
    -0.00168282697438203,
    -0.00737332916720468,
    -0.0142647390514189,
];

/// `erf_inv(x) = x P(w) / Q(w)` with `w = -log(1 - x^2)` from 0 to 16; relative error 2^-26 (Remez
/// algorithm). Coefficients have descending order of degree.
const SINGLE_INVERSE_P: [f64; 6] = [
    1.8240178178530186e-05,
    0.00048281741328537464,
    0.005823176354169846,
    0.044685594737529755,
    0.22988449037075043,
    0.6646702289581299,
];

/// As above.
const SINGLE_INVERSE_Q: [f64; 6] = [
    9.685866189101944e-07,
    0.00013466512609738857,
    0.0014071293408051133,
    0.0241412203758955,
    0.0630476102232933,
    0.75,
];

/// `erf_inv(x) = x p(w)` of f64 with `w = -log(1 - x^2)`: in `w - 3.125` for `w < 6.25` (Giles,
/// "Approximating the erfinv function", GPU Computing Gems, 2010).
const DOUBLE_INVERSE_CENTRAL: [f64; 23] = [
    -3.64441206401782e-21,
    -1.6850591381820166e-19,
    1.28584807152564e-18,
    1.1157877678025181e-17,
    -1.333171662854621e-16,
    2.0972767875968562e-17,
    6.637638134358324e-15,
    -4.054566272975207e-14,
    -8.151934197605472e-14,
    2.6335093153082323e-12,
    -1.2975133253453532e-11,
    -5.415412054294628e-11,
    1.0512122733215323e-9,
    -4.112633980346984e-9,
    -2.9070369957882005e-8,
    4.2347877827932404e-7,
    -1.3654692000834679e-6,
    -1.3882523362786469e-5,
    0.00018673420803405714,
    -0.000740702534166267,
    -0.006033670871430149,
    0.24015818242558962,
    1.6536545626831027,
];

/// As above: in `sqrt(w) - 3.25` for `w < 16`.
const DOUBLE_INVERSE_MIDDLE: [f64; 19] = [
    2.2137376921775787e-9,
    9.075656193888539e-8,
    -2.7517406297064545e-7,
    1.8239629214389228e-8,
    1.5027403968909828e-6,
    -4.013867526981546e-6,
    2.9234449089955446e-6,
    1.2475304481671779e-5,
    -4.7318229009055734e-5,
    6.828485145957318e-5,
    2.4031110387097894e-5,
    -0.0003550375203628475,
    0.0009532893797373805,
    -0.0016882755560235047,
    0.002491442096107851,
    -0.003751208507569241,
    0.005370914553590064,
    1.0052589676941592,
    3.0838856104922208,
];

/// As above: in `sqrt(w) - 5` from 16 on.
const DOUBLE_INVERSE_TAIL: [f64; 17] = [
    -2.7109920616438573e-11,
    -2.555641816996525e-10,
    1.5076572693500548e-9,
    -3.789465440126737e-9,
    7.61570120807834e-9,
    -1.496002662714924e-8,
    2.914795345090108e-8,
    -6.771199775845234e-8,
    2.2900482228026655e-7,
    -9.9298272942317e-7,
    4.526062597223154e-6,
    -1.968177810553167e-5,
    7.599527703001776e-5,
    -0.00021503011930044477,
    -0.00013871931833623122,
    1.0103004648645344,
    4.849906401408584,
];

/// The accuracy of `e^(-x^2)`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Power {
    /// With a rounded square: the relative error is up to `x^2` ULP, which does not matter if the
    /// result is rounded to a narrower type, or added to one.
    Rounded,
    /// With the square in twice the precision.
    Exact,
}

/// `erf(x)` on [-1, 1].
fn central<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let square = x * x;
    if x.is_double() {
        x * square.polynomial(&DOUBLE_T) / square.polynomial(&DOUBLE_U)
    } else {
        x * square.polynomial(&SINGLE_T)
    }
}

/// `erfc(x)` outside of (-1, 1).
fn tails<'f, 'c>(x: Expression<'f, 'c>, power: Power) -> Expression<'f, 'c> {
    let (argument, square, rest) = match power {
        Power::Rounded => (x, x * x, None),
        Power::Exact => {
            // Beyond this it is zero, and no power or polynomial overflows.
            let argument = x.abs().min(if x.is_double() { 27.5 } else { 10.5 });
            let (square, rest) = double_word::square(argument);
            (argument, square, Some(rest))
        }
    };
    let negated = -square;
    let exponential = || {
        let power = negated.exp();
        rest.map_or(power, |rest| power - power * rest)
    };
    let (right, two) = if x.is_double() {
        let power = exponential();
        let size = argument.abs();
        let near = power * size.polynomial(&DOUBLE_P) / size.polynomial(&DOUBLE_Q);
        let far = power * size.polynomial(&DOUBLE_R) / size.polynomial(&DOUBLE_S);
        (size.lt(8.0).select(near, far), None)
    } else {
        let size = argument.abs();
        let one = x.constant(1.0);
        let reciprocal = one / square;
        let factor = exponential() * (one / size);
        let two = x.constant(2.0);
        let is_near = size.lt(two);
        let near = reciprocal.polynomial(&SINGLE_P);
        let far = reciprocal.polynomial(&SINGLE_R);
        (factor * is_near.select(near, far), Some(two))
    };
    let (right, zero) = match power {
        Power::Rounded => {
            let vanishes = negated.lt(-x.limits().largest.ln());
            let zero = x.constant(0.0);
            (vanishes.select(zero, right), zero)
        }
        Power::Exact => (right, x.constant(0.0)),
    };
    let is_left = x.lt(zero);
    let two = two.unwrap_or_else(|| x.constant(2.0));
    is_left.select(two - right, right)
}

/// `erf(x)`
pub fn erf<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    if x.is_double() {
        let near = central(x);
        let one = x.constant(1.0);
        let far = one - tails(x, Power::Rounded);
        return x.abs().lt(one).select(near, far);
    }
    let x = x.clamp(-4.0, 4.0);
    let square = x * x;
    let numerator = square.polynomial(&SINGLE_ALPHA);
    let denominator = square.polynomial(&SINGLE_BETA);
    (x * numerator / denominator).clamp(-1.0, 1.0)
}

fn complement<'f, 'c>(x: Expression<'f, 'c>, power: Power) -> Expression<'f, 'c> {
    let far = tails(x, power);
    let one = x.constant(1.0);
    let near = one - central(x);
    x.abs().lt(one).select(near, far)
}

/// `erfc(x) = 1 - erf(x)`
pub fn erfc<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    complement(x, Power::Exact)
}

/// `erfc(x)` for operands and results of a narrower type.
pub fn erfc_of_narrow<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    complement(x, Power::Rounded)
}

/// The number whose error function is `x`.
pub fn erf_inv<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let factor = if x.is_double() {
        inverse_double(-(x * -x).log1p())
    } else {
        let one = x.constant(1.0);
        // The difference of two squares has the digits that the square alone loses near one.
        let w = -((one - x) * (one + x)).log();
        w.polynomial(&SINGLE_INVERSE_P) / w.polynomial(&SINGLE_INVERSE_Q)
    };
    let inside = factor * x;
    // The polynomials are undefined at the ends.
    let is_end = x.abs().eq(1.0);
    is_end.select(x * f64::INFINITY, inside)
}

/// `p(w)` of f64: the polynomials of the tails have fewer coefficients, and keep their value for
/// the other coefficients.
fn inverse_double<'f, 'c>(w: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let is_central = w.lt(6.25);
    let is_inner = w.lt(16.0);
    let root = w.sqrt();
    let central = w - 3.125;
    let middle = w.constant(3.25);
    let shift = is_inner.select(middle, 5.0);
    let argument = is_central.select(central, root - shift);

    let (tail, middle) = (DOUBLE_INVERSE_TAIL.len(), DOUBLE_INVERSE_MIDDLE.len());
    let inner = |number: usize| {
        let central = w.constant(DOUBLE_INVERSE_CENTRAL[number]);
        is_central.select(central, DOUBLE_INVERSE_MIDDLE[number])
    };
    let all = (0..tail).map(|number| is_inner.select(inner(number), DOUBLE_INVERSE_TAIL[number]));
    let mut sum = horner(argument, all);
    for number in tail..middle {
        let next = inner(number) + sum * argument;
        sum = is_inner.select(next, sum);
    }
    for coefficient in &DOUBLE_INVERSE_CENTRAL[middle..] {
        let coefficient = w.constant(*coefficient);
        let next = coefficient + sum * argument;
        sum = is_central.select(next, sum);
    }
    sum
}

/// A polynomial, highest degree first, by Horner's rule.
fn horner<'f, 'c>(
    argument: Expression<'f, 'c>,
    coefficients: impl Iterator<Item = Expression<'f, 'c>>,
) -> Expression<'f, 'c> {
    let sum = coefficients.reduce(|sum, coefficient| coefficient + sum * argument);
    sum.unwrap_or_else(|| argument.constant(0.0))
}
