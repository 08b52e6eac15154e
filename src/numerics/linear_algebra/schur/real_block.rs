//! The Schur form of real matrices of 2 by 2, standardized as in LAPACK's `lanv2`.

use num_traits::Float;

/// A matrix of two rows.
pub(super) type Block<R> = [[R; 2]; 2];

/// The cosine and the sine of a rotation `[[c, s], [-s, c]]`.
pub(super) type Rotation<R> = (R, R);

/// Rotates a matrix so that it is upper triangular if its eigenvalues are real, or else has two
/// equal elements on the diagonal and off-diagonal elements of different signs.
pub(super) fn standardize<R: Float>(block: Block<R>) -> (Block<R>, Rotation<R>) {
    let (zero, one) = (R::zero(), R::one());
    let half = one / (one + one);
    let [[a, b], [c, d]] = block;
    if c == zero {
        return (block, (one, zero));
    }
    if b == zero {
        return ([[d, -c], [zero, a]], (zero, one));
    }
    if a - d == zero && b.signum() != c.signum() {
        return (block, (one, zero));
    }
    let p = half * (a - d);
    let larger = b.abs().max(c.abs());
    let smaller = b.abs().min(c.abs()) * b.signum() * c.signum();
    let scale = p.abs().max(larger);
    let discriminant = (p / scale) * p + (larger / scale) * smaller;
    let four = one / (half * half);
    if discriminant >= four * R::epsilon() {
        let root = scale.sqrt() * discriminant.sqrt();
        let z = p + if p.is_sign_negative() { -root } else { root };
        let norm = c.hypot(z);
        let block = [[d + z, b - c], [zero, d - (larger / z) * smaller]];
        return (block, (z / norm, c / norm));
    }
    equalize(block)
}

/// The same for eigenvalues that are complex, or real and almost equal: first, the elements on the
/// diagonal are made equal.
fn equalize<R: Float>([[a, b], [c, d]]: Block<R>) -> (Block<R>, Rotation<R>) {
    let (zero, one) = (R::zero(), R::one());
    let half = one / (one + one);
    let (sum, difference) = (b + c, a - d);
    let norm = sum.hypot(difference);
    let cosine = (half * (one + sum.abs() / norm)).sqrt();
    let sine = -(half * difference / (norm * cosine)) * sum.signum();
    let (aa, bb) = (a * cosine + b * sine, -a * sine + b * cosine);
    let (cc, dd) = (c * cosine + d * sine, -c * sine + d * cosine);
    let (a, b) = (aa * cosine + cc * sine, bb * cosine + dd * sine);
    let (c, d) = (-aa * sine + cc * cosine, -bb * sine + dd * cosine);
    let mean = half * (a + d);
    if c == zero {
        return ([[mean, b], [zero, mean]], (cosine, sine));
    }
    if b == zero {
        return ([[mean, -c], [zero, mean]], (-sine, cosine));
    }
    if b.signum() != c.signum() {
        return ([[mean, b], [c, mean]], (cosine, sine));
    }
    let (root_b, root_c) = (b.abs().sqrt(), c.abs().sqrt());
    let p = root_b * root_c * c.signum();
    let norm = (b + c).abs().sqrt();
    let (inner_cosine, inner_sine) = (root_b / norm, root_c / norm);
    let rotation = (
        cosine * inner_cosine - sine * inner_sine,
        cosine * inner_sine + sine * inner_cosine,
    );
    ([[mean + p, b - c], [zero, mean - p]], rotation)
}
