//! Comparison of the results of two backends.
//!
//! Whether they differ is decided element by element, as in `halo-run --expect`. The size of the
//! difference is relative to the largest element of the tensor: sums that nearly cancel have few
//! correct digits in any order, and such an element would look as wrong as a miscompiled one.
//! Programs that amplify rounding, such as the sine of a large sum, differ by much without a bug;
//! the reference on perturbed inputs shows how much of a difference is due to that.

use crate::{cli::Cli, interest::Difference};
use halo::core::{Literal, Scalar, compare, random::Generator};

/// The difference of results, `None` if there is none. `noisy` gives the expected results on
/// perturbed inputs, if available.
///
/// # Errors
/// Returns an error if the number of results differs.
pub fn difference(
    cli: &Cli,
    actual: &[Literal],
    expected: &[Literal],
    noisy: impl FnOnce() -> Vec<Literal>,
) -> Result<Option<Difference>, String> {
    if actual.len() != expected.len() {
        return Err(format!(
            "{} results are given where {} are expected",
            actual.len(),
            expected.len()
        ));
    }
    let pairs = actual.iter().zip(expected).enumerate();
    let found: Vec<(usize, Difference)> = pairs
        .filter_map(|(number, (actual, expected))| {
            let found = of_result(cli, number, actual, expected)?;
            Some((number, found))
        })
        .collect();
    if found.is_empty() {
        return Ok(None);
    }
    let noisy = noisy();
    let (mut worst, mut first): (Option<Difference>, _) = (None, None);
    for (number, mut found) in found {
        found.noise = match noisy.get(number) {
            Some(noisy) if noisy.shape() == expected[number].shape() => {
                degree(noisy, &expected[number]).0
            }
            _ => 0.0,
        };
        if found.is_finite && found.is_clear() {
            first = first.or(Some(number));
        }
        let rank = |of: &Difference| (of.is_finite, of.is_clear(), of.degree);
        if worst.as_ref().is_none_or(|worst| rank(worst) < rank(&found)) {
            worst = Some(found);
        }
    }
    Ok(worst.map(|worst| Difference { first, ..worst }))
}

fn of_result(cli: &Cli, number: usize, actual: &Literal, expected: &Literal) -> Option<Difference> {
    let format = expected.element_type().real_part().float_format();
    let rule = cli.rule(format.map(|format| format.mantissa_bits));
    let comparison = match compare(actual, expected, rule) {
        Ok(comparison) if comparison.passed() => return None,
        Ok(comparison) => comparison.to_string(),
        // Shapes that are determined at run time.
        Err(error) => {
            return Some(Difference {
                degree: f64::INFINITY,
                noise: 0.0,
                is_finite: true,
                first: None,
                text: format!("result {number}: {error}"),
            });
        }
    };
    let (degree, is_finite) = degree(actual, expected);
    Some(Difference {
        degree,
        noise: 0.0,
        is_finite,
        first: None,
        text: format!("result {number}: {comparison}"),
    })
}

/// An input whose floats are perturbed by a few units in the last place.
pub fn rounded_otherwise(input: &Literal) -> Literal {
    let Some(format) = input.element_type().real_part().float_format() else {
        return input.clone();
    };
    // Types with few digits are perturbed by one unit.
    let units = if format.mantissa_bits < 16 { 1.0 } else { 4.0 };
    let step = units * 0.5_f64.powi(format.mantissa_bits as i32);
    let mut signs = Generator::new(0);
    Literal::from_fn(input.shape().clone(), |position| {
        let sign = if signs.bits() >> 63 == 0 { 1.0 } else { -1.0 };
        let factor = 1.0 + sign * step;
        match input.get(position) {
            Scalar::Float(value) => Scalar::Float(value * factor),
            Scalar::Complex(value) => Scalar::Complex(value * factor),
            other => other,
        }
    })
}

/// The largest error relative to the largest finite element, and whether an element with a finite
/// reference is wrong.
fn degree(actual: &Literal, expected: &Literal) -> (f64, bool) {
    if expected.element_type().real_part().float_format().is_none() {
        // Any difference of integers is an error.
        let is_same = actual.bytes() == expected.bytes();
        return (if is_same { 0.0 } else { f64::INFINITY }, true);
    }
    let size = |value: Scalar| value.to_complex().norm();
    let (mut scale, mut error, mut lost, mut strange) = (0.0_f64, 0.0_f64, false, false);
    for position in 0..expected.element_count() {
        let (left, right) = (actual.get(position), expected.get(position));
        if !size(right).is_finite() {
            strange |= size(left).is_finite() || size(left).is_nan() != size(right).is_nan();
            continue;
        }
        scale = scale.max(size(right));
        if size(left).is_finite() {
            error = error.max((left.to_complex() - right.to_complex()).norm())
        } else {
            lost = true
        }
    }
    let degree = match scale {
        _ if lost => f64::INFINITY,
        0.0 if error > 0.0 => f64::INFINITY,
        0.0 => 0.0,
        scale => error / scale,
    };
    if degree > 0.0 || !strange {
        (degree, true)
    } else {
        (f64::INFINITY, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn cli(arguments: &[&str]) -> Cli {
        Cli::parse_from(["halo-reduce"].iter().chain(arguments))
    }

    fn of(actual: &[f32], expected: &[f32]) -> Option<Difference> {
        let literal = |of: &[f32]| vec![Literal::from_slice(&[of.len()], of).unwrap()];
        difference(&cli(&[]), &literal(actual), &literal(expected), Vec::new).unwrap()
    }

    #[test]
    fn noise_is_that_of_the_reference() {
        let literal = |of: &[f32]| vec![Literal::from_slice(&[of.len()], of).unwrap()];
        let of = |noisy: &[f32]| {
            let (actual, expected) = (literal(&[1.0, 0.5]), literal(&[1.0, 1.0]));
            difference(&cli(&[]), &actual, &expected, || literal(noisy)).unwrap().unwrap()
        };
        assert!(of(&[1.0, 1.000001]).is_clear());
        assert!(!of(&[0.7, 1.0]).is_clear());
    }

    #[test]
    fn inputs_are_rounded_otherwise() {
        let input = Literal::from_slice(&[2], &[1.0_f32, -3.0]).unwrap();
        let other = rounded_otherwise(&input);
        for position in 0..2 {
            let (one, other) = (input.get_f64(position), other.get_f64(position));
            assert!(one != other && (one - other).abs() < 1e-5, "{one} {other}");
        }
        let integers = Literal::from_slice(&[2], &[1_i32, -3]).unwrap();
        assert_eq!(rounded_otherwise(&integers), integers);
    }

    #[test]
    fn errors_are_relative_to_the_tensor() {
        assert_eq!(of(&[1.0, 2.0], &[1.0, 2.0]), None);
        // Wrong by the tolerance, but small relative to the other element.
        let found = of(&[100.0, 1.01e-4], &[100.0, 1.0e-4]).unwrap();
        assert!(found.degree < 1e-7 && found.is_finite, "{found:?}");
        let found = of(&[100.0, 50.0], &[100.0, 100.0]).unwrap();
        assert!((found.degree - 0.5).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn what_is_no_number_counts_where_one_is_expected() {
        let found = of(&[f32::NAN, 1.0], &[1.0, 1.0]).unwrap();
        assert!(found.degree.is_infinite() && found.is_finite);
        let found = of(&[1.0, 1.0], &[f32::NAN, 1.0]).unwrap();
        assert!(!found.is_finite);
        assert_eq!(of(&[f32::NAN], &[f32::NAN]), None);
    }

    #[test]
    fn narrow_floats_have_few_digits() {
        assert_eq!(
            cli(&[]).rule(Some(7)),
            halo::core::Rule::close(0.03125, 1e-8)
        );
        assert_eq!(
            cli(&["--rtol=0.5"]).rule(Some(7)),
            halo::core::Rule::close(0.5, 1e-8)
        );
        assert_eq!(cli(&[]).rule(None), halo::core::Rule::EXACT);
    }
}
