//! Comparing a computed literal with the expected one.
//!
//! Every rule finds the worst element, whether it passes or not, so that a
//! failure is one readable line and a success can say how close it was. NaN
//! equals NaN under every rule; an infinity is close to itself alone.

use std::cmp::Ordering;
use std::fmt;

use crate::{ElementType, Error, Literal, Result, Scalar, Shape};

/// How far an element may be from the expected one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// Not at all.
    Exact,
    /// At most so many units in the last place of the element type; integers
    /// by their difference; complex numbers in either part.
    Ulp(u64),
    /// numpy's `allclose`: `|actual - expected| <= absolute + relative *
    /// |expected|`, complex numbers by modulus.
    Close { relative: f64, absolute: f64 },
    /// `|actual - expected| <= limit`, complex numbers in either part.
    Absolute(f64),
}

/// A tolerance, and whether -0 counts as different from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    pub tolerance: Tolerance,
    pub signed_zeros: bool,
}

impl Rule {
    pub const EXACT: Self = Self::new(Tolerance::Exact);

    /// A rule to which zeros of either sign are equal.
    pub const fn new(tolerance: Tolerance) -> Self {
        Self {
            tolerance,
            signed_zeros: false,
        }
    }

    pub const fn ulp(max: u64) -> Self {
        Self::new(Tolerance::Ulp(max))
    }

    pub const fn close(relative: f64, absolute: f64) -> Self {
        Self::new(Tolerance::Close { relative, absolute })
    }

    /// The same rule, but zeros of different sign never match.
    pub const fn with_signed_zeros(self) -> Self {
        Self {
            signed_zeros: true,
            ..self
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tolerance {
            Tolerance::Exact => formatter.write_str("exact"),
            Tolerance::Ulp(max) => write!(formatter, "at most {max} ULP"),
            Tolerance::Close { relative, absolute } => {
                write!(formatter, "rtol {relative:e}, atol {absolute:e}")
            }
            Tolerance::Absolute(limit) => write!(formatter, "at most {limit:e}"),
        }
    }
}

/// An element and how far it is from the expected one.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The index, outermost dimension first.
    pub index: Vec<usize>,
    pub actual: Scalar,
    pub expected: Scalar,
    /// `|actual - expected|`; NaN if exactly one of them is.
    pub absolute: f64,
    /// The distance in units in the last place, for integers their
    /// difference; `u64::MAX` if exactly one of the values is NaN.
    pub ulp: u64,
}

/// What comparing two literals found.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    pub rule: Rule,
    pub shape: Shape,
    /// How many elements break the rule.
    pub mismatches: usize,
    /// The element that is worst by the rule; `None` if all are equal.
    pub worst: Option<Difference>,
}

impl Comparison {
    /// Whether all elements keep the rule.
    pub fn passed(&self) -> bool {
        self.mismatches == 0
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(worst) = &self.worst else {
            return write!(
                formatter,
                "all {} elements equal",
                self.shape.element_count()
            );
        };
        if self.passed() {
            write!(
                formatter,
                "all {} elements match",
                self.shape.element_count()
            )?;
        } else {
            write!(
                formatter,
                "{} of {} elements differ",
                self.mismatches,
                self.shape.element_count()
            )?;
        }
        let element_type = self.shape.element_type();
        let text = |value| crate::print::scalar_text(element_type, value);
        write!(
            formatter,
            " ({}); worst at {:?}: {}, expected {} (off by {:e}",
            self.rule,
            worst.index,
            text(worst.actual),
            text(worst.expected),
            worst.absolute
        )?;
        match worst.ulp {
            u64::MAX => formatter.write_str(")"),
            ulp if element_type.float_format().is_some() => write!(formatter, ", {ulp} ULP)"),
            _ => formatter.write_str(")"),
        }
    }
}

/// Compares `actual` with `expected` element by element.
///
/// # Errors
/// If their shapes differ.
pub fn compare(actual: &Literal, expected: &Literal, rule: Rule) -> Result<Comparison> {
    if actual.shape() != expected.shape() {
        return Err(Error::ShapeMismatch {
            actual: actual.shape().clone(),
            expected: expected.shape().clone(),
        });
    }
    let shape = actual.shape();
    let mut mismatches = 0;
    let mut worst: Option<(usize, Distance)> = None;
    if actual.bytes() != expected.bytes() {
        let width = shape.element_type().byte_width();
        let pairs = actual
            .bytes()
            .chunks(width)
            .zip(expected.bytes().chunks(width));
        for (position, (left, right)) in pairs.enumerate() {
            if left == right {
                continue;
            }
            let (left, right) = (actual.get(position), expected.get(position));
            let distance = Distance::new(shape.element_type(), left, right, rule);
            if distance.severity == Some(0.0) {
                continue;
            }
            mismatches += usize::from(!distance.keeps(rule.tolerance));
            if (worst.as_ref()).is_none_or(|(_, worst)| distance.is_worse_than(worst)) {
                worst = Some((position, distance));
            }
        }
    }
    Ok(Comparison {
        rule,
        shape: shape.clone(),
        mismatches,
        worst: worst.map(|(position, distance)| Difference {
            index: shape.multi_index(position),
            actual: actual.get(position),
            expected: expected.get(position),
            absolute: distance.absolute,
            ulp: distance.ulp,
        }),
    })
}

struct Distance {
    absolute: f64,
    ulp: u64,
    /// What the rule measures: zero for equal values; `None`, worse than any
    /// number, for values that no tolerance makes equal.
    severity: Option<f64>,
}

impl Distance {
    fn new(element_type: ElementType, actual: Scalar, expected: Scalar, rule: Rule) -> Self {
        let (absolute, ulp, comparable) = match (actual, expected) {
            (Scalar::Complex(a), Scalar::Complex(b)) => {
                let re = PartDistance::new(element_type, a.re, b.re, rule);
                let im = PartDistance::new(element_type, a.im, b.im, rule);
                let absolute = match rule.tolerance {
                    Tolerance::Close { .. } => re.absolute.hypot(im.absolute),
                    // Not f64::max, which would drop a NaN.
                    _ if re.absolute > im.absolute || re.absolute.is_nan() => re.absolute,
                    _ => im.absolute,
                };
                (absolute, re.ulp.max(im.ulp), re.comparable && im.comparable)
            }
            (Scalar::Float(a), Scalar::Float(b)) => {
                let part = PartDistance::new(element_type, a, b, rule);
                (part.absolute, part.ulp, part.comparable)
            }
            _ => {
                let distance = actual.to_i128().abs_diff(expected.to_i128());
                // Differences of 64-bit numbers fit.
                let ulp = u64::try_from(distance).unwrap_or(u64::MAX - 1);
                (distance as f64, ulp.min(u64::MAX - 1), true)
            }
        };
        let severity = match rule.tolerance {
            _ if !comparable => None,
            Tolerance::Exact | Tolerance::Ulp(_) => Some(ulp as f64),
            Tolerance::Absolute(_) => Some(absolute),
            Tolerance::Close {
                relative,
                absolute: atol,
            } => {
                let expected = expected.to_complex().norm();
                // Within the rule exactly if at most 1, and 0 / 0 is equality.
                let allowed = if expected.is_finite() {
                    atol + relative * expected
                } else {
                    atol
                };
                Some(if absolute == 0.0 {
                    0.0
                } else {
                    absolute / allowed
                })
            }
        };
        Self {
            absolute,
            ulp,
            severity,
        }
    }

    fn keeps(&self, tolerance: Tolerance) -> bool {
        let Some(severity) = self.severity else {
            return false;
        };
        match tolerance {
            Tolerance::Exact => self.ulp == 0,
            Tolerance::Ulp(max) => self.ulp <= max,
            Tolerance::Close { .. } => severity <= 1.0,
            Tolerance::Absolute(limit) => severity <= limit,
        }
    }

    fn is_worse_than(&self, other: &Self) -> bool {
        let severity = match (self.severity, other.severity) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (Some(mine), Some(other)) => mine.total_cmp(&other),
        };
        let absolute = self.absolute.total_cmp(&other.absolute);
        severity.then(self.ulp.cmp(&other.ulp)).then(absolute) == Ordering::Greater
    }
}

/// The distance of two floats.
struct PartDistance {
    absolute: f64,
    ulp: u64,
    comparable: bool,
}

impl PartDistance {
    fn new(element_type: ElementType, actual: f64, expected: f64, rule: Rule) -> Self {
        let ordinal = |value: f64| {
            let format = element_type.float_format()?;
            format.ordinal(format.from_f64(value))
        };
        let ulp = match (ordinal(actual), ordinal(expected)) {
            (Some(actual), Some(expected)) => actual.abs_diff(expected),
            (None, None) => 0,
            _ => u64::MAX,
        };
        let zeros_differ = rule.signed_zeros
            && actual == 0.0
            && expected == 0.0
            && actual.is_sign_negative() != expected.is_sign_negative();
        let absolute = if ulp == 0 {
            0.0
        } else {
            (actual - expected).abs()
        };
        // In units in the last place an infinity has a place, after the
        // largest number; by difference it is far from everything.
        let by_difference = matches!(
            rule.tolerance,
            Tolerance::Close { .. } | Tolerance::Absolute(_)
        );
        Self {
            absolute,
            ulp,
            comparable: ulp != u64::MAX
                && !zeros_differ
                && !(by_difference && absolute == f64::INFINITY),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_complex::Complex;

    fn literal<T: crate::NativeType>(elements: &[T]) -> Literal {
        Literal::from_slice(&[elements.len()], elements).unwrap()
    }

    fn check<T: crate::NativeType>(actual: &[T], expected: &[T], rule: Rule) -> Comparison {
        compare(&literal(actual), &literal(expected), rule).unwrap()
    }

    #[test]
    fn exact() {
        assert!(check(&[1, 2], &[1, 2], Rule::EXACT).passed());
        let found = check(&[1, 5, 9], &[1, 2, 8], Rule::EXACT);
        assert_eq!(
            found.to_string(),
            "2 of 3 elements differ (exact); worst at [1]: 5, expected 2 (off by 3e0)"
        );
    }

    #[test]
    fn nan_equals_nan_and_nothing_else() {
        let other_nan = f32::from_bits(0xffc0_0001);
        for rule in [Rule::EXACT, Rule::ulp(3), Rule::close(1e-3, 1e9)] {
            assert!(check(&[f32::NAN], &[other_nan], rule).passed());
            assert!(!check(&[f32::NAN, 0.0], &[1.0, 0.0], rule).passed());
            assert!(!check(&[1.0], &[f32::NAN], rule).passed());
        }
        let found = check(&[0.5_f32, f32::NAN], &[9.0, 1.0], Rule::EXACT);
        assert_eq!(found.worst.unwrap().index, [1]);
    }

    #[test]
    fn zeros() {
        assert!(check(&[0.0_f32], &[-0.0], Rule::EXACT).passed());
        for rule in [Rule::EXACT, Rule::ulp(1), Rule::close(1.0, 1.0)] {
            assert!(!check(&[0.0_f32], &[-0.0], rule.with_signed_zeros()).passed());
        }
    }

    #[test]
    fn units_in_the_last_place() {
        let off = |ulps| f32::from_bits(1.0_f32.to_bits() + ulps);
        assert!(check(&[off(3)], &[1.0], Rule::ulp(3)).passed());
        let found = check(&[1.0, off(4)], &[1.0, 1.0], Rule::ulp(3));
        assert_eq!(
            found.to_string(),
            "1 of 2 elements differ (at most 3 ULP); worst at [1]: 1.00000048, \
             expected 1.000000e+00 (off by 4.76837158203125e-7, 4 ULP)"
        );
        // Across zero: the smallest numbers of either sign are two apart.
        let tiny = f32::from_bits(1);
        assert_eq!(check(&[tiny], &[-tiny], Rule::ulp(2)).worst.unwrap().ulp, 2);
        assert!(check(&[f32::MAX], &[f32::INFINITY], Rule::ulp(1)).passed());
        assert!(!check(&[f32::MAX], &[f32::NEG_INFINITY], Rule::ulp(1 << 20)).passed());
    }

    #[test]
    fn ulps_are_those_of_the_element_type() {
        use crate::{bf16, f16};
        let found = check(&[bf16::from_f32(1.0078125)], &[bf16::ONE], Rule::ulp(1));
        assert_eq!((found.passed(), found.worst.unwrap().ulp), (true, 1));
        let found = check(&[f16::from_f32(1.0078125)], &[f16::ONE], Rule::ulp(1));
        assert_eq!((found.passed(), found.worst.unwrap().ulp), (false, 8));
    }

    #[test]
    fn numpys_allclose() {
        // np.allclose(a, b, rtol=1e-2, atol=1e-3) of each pair.
        let cases = [
            (100.9_f64, 100.0, true),
            (101.2, 100.0, false),
            (0.0009, 0.0, true),
            (0.0011, 0.0, false),
            (f64::INFINITY, f64::INFINITY, true),
            (f64::INFINITY, 1.0, false),
            (1.0, f64::INFINITY, false),
            (f64::NEG_INFINITY, f64::INFINITY, false),
        ];
        for (actual, expected, close) in cases {
            let found = check(&[actual], &[expected], Rule::close(1e-2, 1e-3));
            assert_eq!(found.passed(), close, "{actual} {expected}");
        }
        assert!(check(&[1.0], &[1.0], Rule::close(0.0, 0.0)).passed());
        assert!(!check(&[1.0], &[2.0], Rule::close(0.0, 0.0)).passed());
    }

    #[test]
    fn the_worst_by_a_relative_rule_is_the_relatively_worst() {
        let found = check(&[1000.5_f32, 0.2], &[1000.0, 0.1], Rule::close(1e-3, 0.0));
        assert_eq!((found.mismatches, found.worst.unwrap().index), (1, vec![1]));
    }

    #[test]
    fn complex_numbers() {
        let expected = [Complex::new(3.0_f32, 4.0)];
        assert!(
            check(
                &[Complex::new(3.0, 4.04)],
                &expected,
                Rule::close(1e-2, 0.0)
            )
            .passed()
        );
        assert!(
            !check(
                &[Complex::new(3.0, 4.06)],
                &expected,
                Rule::close(1e-2, 0.0)
            )
            .passed()
        );
        let both = [Complex::new(3.0009_f32, 4.0009)];
        assert!(check(&both, &expected, Rule::new(Tolerance::Absolute(1e-3))).passed());
        assert!(!check(&[Complex::new(f32::NAN, 4.0)], &expected, Rule::ulp(3)).passed());
    }

    #[test]
    fn integers_of_64_bits_are_not_rounded() {
        let found = check(&[i64::MAX], &[i64::MAX - 1], Rule::EXACT);
        assert!(!found.passed());
        assert!(!check(&[u64::MAX], &[0], Rule::ulp(3)).passed());
    }

    #[test]
    fn shapes_must_agree() {
        let error = compare(&literal(&[1_i32]), &literal(&[1_u32]), Rule::EXACT).unwrap_err();
        assert_eq!(
            error.to_string(),
            "shapes differ: tensor<1xi32> against tensor<1xui32>"
        );
    }
}
