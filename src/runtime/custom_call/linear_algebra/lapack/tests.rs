//! Calls as JAX lowers them. The expected numbers are from the same calls of jaxlib 0.10.2 on a
//! CPU.

use halo_core::{Complex, ElementType, Layout, Literal, Scalar, Shape};

use crate::custom_call::{Attribute, Attributes, CustomCallRegistry, CustomCallSite};

pub(super) type Wide = Complex<f64>;

/// An operand of a type, from its elements in row-major order.
pub(super) fn operand(ty: &str, elements: &[Wide]) -> Literal {
    let shape: Shape = ty.parse().unwrap();
    assert_eq!(shape.dims().iter().product::<usize>(), elements.len());
    let kind = shape.element_type();
    Literal::from_fn(shape, |position| match kind {
        ElementType::Complex64 | ElementType::Complex128 => Scalar::Complex(elements[position]),
        ElementType::I32 => Scalar::Int(elements[position].re as i128),
        _ => Scalar::Float(elements[position].re),
    })
}

pub(super) fn reals(elements: &[f64]) -> Vec<Wide> {
    elements.iter().map(|element| Wide::from(*element)).collect()
}

/// The call of a routine, with column-major matrices, as LAPACK requires.
pub(super) fn site(
    target: &str,
    attributes: &[(&str, Attribute)],
    operands: &[Literal],
    results: &[&str],
) -> CustomCallSite {
    let columns_together = |shape: &Shape| {
        let rank = shape.rank();
        let mut order: Vec<usize> = (0..rank).rev().collect();
        if rank >= 2 {
            order.swap(0, 1);
        }
        Layout::new(order).unwrap()
    };
    let operands: Vec<Shape> = operands.iter().map(|operand| operand.shape().clone()).collect();
    let results: Vec<Shape> = results.iter().map(|result| result.parse().unwrap()).collect();
    let attributes = attributes.iter();
    CustomCallSite {
        operand_layouts: operands.iter().map(columns_together).collect(),
        result_layouts: results.iter().map(columns_together).collect(),
        attributes: Attributes(
            attributes.map(|(name, value)| ((*name).to_owned(), value.clone())).collect(),
        ),
        ..CustomCallSite::new(target, operands, results)
    }
}

/// The results of a call, in row-major order.
#[track_caller]
pub(super) fn call(
    target: &str,
    attributes: &[(&str, Attribute)],
    operands: &[Literal],
    results: &[&str],
) -> Vec<Vec<Wide>> {
    let registry = CustomCallRegistry::default();
    let site = site(target, attributes, operands, results);
    let results = registry.call(&site, operands).unwrap();
    let elements = |result: &Literal| {
        let numbers = 0..result.element_count();
        numbers.map(|number| result.get_complex(number)).collect()
    };
    results.iter().map(elements).collect()
}

#[track_caller]
pub(super) fn assert_near(actual: &[Wide], expected: &[Wide], tolerance: f64) {
    assert_eq!(actual.len(), expected.len());
    for (number, (actual, expected)) in actual.iter().zip(expected).enumerate() {
        assert!(
            (actual - expected).norm() <= tolerance,
            "{number}: {actual}, not {expected}"
        );
    }
}

/// A letter, as an option of LAPACK.
pub(super) fn letter(letter: char) -> Attribute {
    Attribute::Number(ElementType::Ui8, Scalar::Int(letter as i128))
}

pub(super) fn integer(value: i128) -> Attribute {
    Attribute::Number(ElementType::I32, Scalar::Int(value))
}

/// A matrix of 4 by 4.
pub(super) const A: [f64; 16] = [
    1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 6.0,
];

/// The same with the rotated matrix as its imaginary part.
pub(super) fn complex_a() -> Vec<Wide> {
    let element = |index: usize| {
        let (row, column) = (index / 4, index % 4);
        Wide::new(A[index], A[column * 4 + 3 - row])
    };
    (0..16).map(element).collect()
}

/// The types of a routine's names, with the types of their real parts and a tolerance.
pub(super) const TYPES: [(&str, &str, &str, f64); 4] = [
    ("s", "f32", "f32", 1e-4),
    ("d", "f64", "f64", 1e-12),
    ("c", "complex<f32>", "f32", 1e-4),
    ("z", "complex<f64>", "f64", 1e-12),
];

#[test]
fn empty_matrices_of_routines_with_one_operand() {
    let attributes = [("uplo", letter('L')), ("mode", letter('V'))];
    for (prefix, element, real, _) in TYPES {
        for (count, size) in [(0_usize, 2_usize), (2, 0)] {
            let matrix = format!("tensor<{count}x{size}x{size}x{element}>");
            let vector = |element: &str| format!("tensor<{count}x{size}x{element}>");
            let info = format!("tensor<{count}xi32>");
            let symmetric = if element == real { "syevd" } else { "heevd" };
            let calls = [
                ("potrf", vec![matrix.clone(), info.clone()]),
                ("getrf", vec![matrix.clone(), vector("i32"), info.clone()]),
                ("geqrf", vec![matrix.clone(), vector(element)]),
                (symmetric, vec![matrix.clone(), vector(real), info.clone()]),
            ];
            for (name, results) in calls {
                let results: Vec<&str> = results.iter().map(String::as_str).collect();
                let target = format!("lapack_{prefix}{name}_ffi");
                let found = call(&target, &attributes, &[operand(&matrix, &[])], &results);
                assert!(found.iter().flatten().all(|value| *value == Wide::default()));
            }
        }
    }
}

#[test]
fn operands_of_another_type_are_an_error() {
    let a = [operand("tensor<2x2xf32>", &reals(&[1.0; 4]))];
    let site = site("lapack_dgehrd_ffi", &[], &a, &[]);
    let error = CustomCallRegistry::default().call(&site, &a).unwrap_err();
    assert!(
        error.to_string().contains("not of the type that the name says"),
        "{error}"
    );
}
