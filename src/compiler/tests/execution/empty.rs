//! Ops that combine no elements, with bodies that return values from around them: no body runs.

use super::{expect, f32s};
use halo_core::Literal;

/// The initial value is the result of a reduction of nothing; the elements of a reduction of some
/// are not.
#[test]
fn reductions_of_nothing_are_initial_values() {
    expect(
        "func.func @main(%x: tensor<0xf32>, %m: tensor<2x0xf32>, %one: tensor<1xf32>, %y: tensor<f32>, %i: tensor<f32>) -> (tensor<f32>, tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>) {
           %0 = stablehlo.reduce(%x init: %i) across dimensions = [0] : (tensor<0xf32>, tensor<f32>) -> tensor<f32>
             reducer(%a: tensor<f32>, %b: tensor<f32>) {
               stablehlo.return %y : tensor<f32>
             }
           %1 = stablehlo.reduce(%m init: %i) across dimensions = [1] : (tensor<2x0xf32>, tensor<f32>) -> tensor<2xf32>
             reducer(%a: tensor<f32>, %b: tensor<f32>) {
               stablehlo.return %y : tensor<f32>
             }
           %2 = stablehlo.reduce(%m init: %i) across dimensions = [0, 1] : (tensor<2x0xf32>, tensor<f32>) -> tensor<f32>
             reducer(%a: tensor<f32>, %b: tensor<f32>) {
               stablehlo.return %y : tensor<f32>
             }
           %3 = stablehlo.reduce(%x init: %i) across dimensions = [0] : (tensor<0xf32>, tensor<f32>) -> tensor<f32>
             reducer(%a: tensor<f32>, %b: tensor<f32>) {
               %c = stablehlo.constant dense<3.0> : tensor<f32>
               stablehlo.return %c : tensor<f32>
             }
           %4 = stablehlo.reduce(%one init: %i) across dimensions = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<f32>
             reducer(%a: tensor<f32>, %b: tensor<f32>) {
               stablehlo.return %y : tensor<f32>
             }
           return %0, %1, %2, %3, %4 : tensor<f32>, tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>
         }",
        &[
            f32s(&[0], &[]),
            f32s(&[2, 0], &[]),
            f32s(&[1], &[4.0]),
            f32s(&[], &[7.0]),
            f32s(&[], &[5.0]),
        ],
        &[
            "dense<5.000000e+00> : tensor<f32>",
            "dense<5.000000e+00> : tensor<2xf32>",
            "dense<5.000000e+00> : tensor<f32>",
            "dense<5.000000e+00> : tensor<f32>",
            "dense<7.000000e+00> : tensor<f32>",
        ],
    );
}

/// The size is known at run time only.
#[test]
fn reductions_of_unknown_sizes_may_be_of_nothing() {
    let code = "func.func @main(%x: tensor<?xf32>, %y: tensor<f32>, %i: tensor<f32>) -> tensor<f32> {
           %0 = stablehlo.reduce(%x init: %i) across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
             reducer(%a: tensor<f32>, %b: tensor<f32>) {
               stablehlo.return %y : tensor<f32>
             }
           return %0 : tensor<f32>
         }";
    for (elements, expected) in [(&[][..], 5), (&[1.0, 2.0][..], 7)] {
        expect(
            code,
            &[
                f32s(&[elements.len()], elements),
                f32s(&[], &[7.0]),
                f32s(&[], &[5.0]),
            ],
            &[&format!("dense<{expected}.000000e+00> : tensor<f32>")],
        );
    }
}

/// Windows of padding alone have elements: those of the padding.
#[test]
fn windows_updates_and_sorts_of_nothing() {
    expect(
        "func.func @main(%x: tensor<0xf32>, %t: tensor<3xf32>, %y: tensor<f32>, %i: tensor<f32>, %at: tensor<0x1xi32>) -> (tensor<2xf32>, tensor<3xf32>, tensor<0xf32>, tensor<0xf32>, tensor<3xf32>) {
           %0 = \"stablehlo.reduce_window\"(%x, %i) <{window_dimensions = array<i64: 2>, padding = dense<[[1, 2]]> : tensor<1x2xi64>}> ({
           ^bb0(%a: tensor<f32>, %b: tensor<f32>):
             stablehlo.return %y : tensor<f32>
           }) : (tensor<0xf32>, tensor<f32>) -> tensor<2xf32>
           %1 = \"stablehlo.scatter\"(%t, %at, %x) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
           ^bb0(%a: tensor<f32>, %b: tensor<f32>):
             stablehlo.return %y : tensor<f32>
           }) : (tensor<3xf32>, tensor<0x1xi32>, tensor<0xf32>) -> tensor<3xf32>
           %2 = \"stablehlo.map\"(%x) <{dimensions = array<i64: 0>}> ({
           ^bb0(%a: tensor<f32>):
             stablehlo.return %y : tensor<f32>
           }) : (tensor<0xf32>) -> tensor<0xf32>
           %3 = \"stablehlo.sort\"(%x) <{dimension = 0 : i64}> ({
           ^bb0(%a: tensor<f32>, %b: tensor<f32>):
             %less = stablehlo.compare LT, %y, %i : (tensor<f32>, tensor<f32>) -> tensor<i1>
             stablehlo.return %less : tensor<i1>
           }) : (tensor<0xf32>) -> tensor<0xf32>
           %4 = \"stablehlo.select_and_scatter\"(%t, %x, %i) <{window_dimensions = array<i64: 4>}> ({
           ^bb0(%a: tensor<f32>, %b: tensor<f32>):
             %ge = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
             stablehlo.return %ge : tensor<i1>
           }, {
           ^bb0(%a: tensor<f32>, %b: tensor<f32>):
             stablehlo.return %y : tensor<f32>
           }) : (tensor<3xf32>, tensor<0xf32>, tensor<f32>) -> tensor<3xf32>
           return %0, %1, %2, %3, %4 : tensor<2xf32>, tensor<3xf32>, tensor<0xf32>, tensor<0xf32>, tensor<3xf32>
         }",
        &[
            f32s(&[0], &[]),
            f32s(&[3], &[1.0, 2.0, 3.0]),
            f32s(&[], &[7.0]),
            f32s(&[], &[5.0]),
            Literal::from_slice::<i32>(&[0, 1], &[]).unwrap(),
        ],
        &[
            "dense<7.000000e+00> : tensor<2xf32>",
            "dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>",
            "dense<> : tensor<0xf32>",
            "dense<> : tensor<0xf32>",
            "dense<5.000000e+00> : tensor<3xf32>",
        ],
    );
}
