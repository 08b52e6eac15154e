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
    let inf = f32::INFINITY;
    assert!(check(&[inf, -inf], &[inf, -inf], Rule::ulp(0)).passed());
    for other in [f32::MAX, 0.0, -inf, f32::NAN] {
        assert!(!check(&[inf], &[other], Rule::ulp(u64::MAX - 1)).passed());
        assert!(check(&[inf], &[other], Rule::ulp(u64::MAX)).passed());
    }
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
