//! Comparison of a computed literal with the expected one.
//!
//! Every rule finds the worst element, whether it passes or not, so that a failure is one readable
//! line and a success can report the margin. NaN equals NaN under every rule; an infinity is close
//! to itself only.

use std::cmp::Ordering;
use std::fmt;

use crate::{ElementType, Error, Literal, Result, Scalar, Shape};

/// The maximum distance of an element from the expected one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// Not at all.
    Exact,
    /// At most this many units in the last place of the element type; integers by their difference;
    /// complex numbers per component.
    Ulp(u64),
    /// numpy's `allclose`: `|actual - expected| <= absolute + relative *
    /// |expected|`, complex numbers by modulus.
    Close { relative: f64, absolute: f64 },
    /// `|actual - expected| <= limit`, complex numbers per component.
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

/// An element and its distance from the expected one.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The index, outermost dimension first.
    pub index: Vec<usize>,
    pub actual: Scalar,
    pub expected: Scalar,
    /// `|actual - expected|`; NaN if exactly one of them is.
    pub absolute: f64,
    /// The distance in units in the last place, for integers their
    /// difference; `u64::MAX` if exactly one of the values is NaN, or
    /// exactly one is an infinity of its sign.
    pub ulp: u64,
}

/// The result of a comparison of two literals.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    pub rule: Rule,
    pub shape: Shape,
    /// The number of elements that violate the rule.
    pub mismatches: usize,
    /// The worst element by the rule; `None` if all are equal.
    pub worst: Option<Difference>,
}

impl Comparison {
    /// Returns true if no element violates the rule.
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
/// Returns an error if their shapes differ.
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
        let pairs = actual.bytes().chunks(width).zip(expected.bytes().chunks(width));
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
            if worst.as_ref().is_none_or(|(_, worst)| distance.is_worse_than(worst)) {
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
    /// The error by this rule: zero for equal values; `None`, worse than any number, for
    /// incomparable values.
    severity: Option<f64>,
    zeros_differ: bool,
}

impl Distance {
    fn new(element_type: ElementType, actual: Scalar, expected: Scalar, rule: Rule) -> Self {
        let Distance {
            absolute,
            ulp,
            zeros_differ,
            ..
        } = match (actual, expected) {
            (Scalar::Complex(a), Scalar::Complex(b)) => {
                let re = Self::of_floats(element_type, a.re, b.re);
                let im = Self::of_floats(element_type, a.im, b.im);
                let absolute = match rule.tolerance {
                    Tolerance::Close { .. } => re.absolute.hypot(im.absolute),
                    // Not f64::max, which would drop a NaN.
                    _ if re.absolute > im.absolute || re.absolute.is_nan() => re.absolute,
                    _ => im.absolute,
                };
                Self {
                    absolute,
                    ulp: re.ulp.max(im.ulp),
                    severity: None,
                    zeros_differ: re.zeros_differ || im.zeros_differ,
                }
            }
            (Scalar::Float(a), Scalar::Float(b)) => Self::of_floats(element_type, a, b),
            _ => Self::of_integers(actual.to_i128(), expected.to_i128()),
        };
        let zeros_differ = zeros_differ && rule.signed_zeros;
        let severity = match rule.tolerance {
            _ if ulp == u64::MAX || zeros_differ => None,
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
            zeros_differ,
        }
    }

    fn of_integers(actual: i128, expected: i128) -> Self {
        let distance = actual.abs_diff(expected);
        Self {
            absolute: distance as f64,
            ulp: u64::try_from(distance).map_or(u64::MAX - 1, |ulp| ulp.min(u64::MAX - 1)),
            severity: None,
            zeros_differ: false,
        }
    }

    fn of_floats(element_type: ElementType, actual: f64, expected: f64) -> Self {
        let ordinal = |value: f64| {
            let format = element_type.float_format()?;
            format.ordinal(format.from_f64(value))
        };
        let ulp = match (ordinal(actual), ordinal(expected)) {
            (None, None) => 0,
            (Some(mine), Some(other)) if mine == other => 0,
            (Some(mine), Some(other)) if actual.is_finite() && expected.is_finite() => {
                mine.abs_diff(other)
            }
            _ => u64::MAX,
        };
        Self {
            absolute: if ulp == 0 {
                0.0
            } else {
                (actual - expected).abs()
            },
            ulp,
            severity: None,
            zeros_differ: actual == 0.0
                && expected == 0.0
                && actual.is_sign_negative() != expected.is_sign_negative(),
        }
    }

    fn keeps(&self, tolerance: Tolerance) -> bool {
        if self.zeros_differ {
            return false;
        }
        match (tolerance, self.severity) {
            (Tolerance::Exact, _) => self.ulp == 0,
            (Tolerance::Ulp(max), _) => self.ulp <= max,
            (_, None) => false,
            (Tolerance::Close { .. }, Some(severity)) => severity <= 1.0,
            (Tolerance::Absolute(limit), Some(severity)) => severity <= limit,
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

#[cfg(test)]
#[path = "compare_tests.rs"]
mod tests;
