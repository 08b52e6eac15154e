//! Indices of unsigned types, the greatest of which are out of bounds: slices are clamped, and
//! updates out of bounds are skipped.

use super::expect;
use halo_core::Literal;

/// A program of gathers, slices, updates and scatters at two indices.
fn program(element: &str, arguments: &str, indices: &str) -> String {
    let (scalar, vector) = (format!("tensor<{element}>"), format!("tensor<1x{element}>"));
    let column = format!("tensor<2x1x{element}>");
    let pair = format!("tensor<2x{element}>");
    format!(
        "func.func @main({arguments}) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<5xi32>, tensor<5xi32>) {{
{indices}
           %x = stablehlo.constant dense<[10, 11, 12, 13, 14]> : tensor<5xi32>
           %u = stablehlo.constant dense<[-1, -2]> : tensor<2xi32>
           %v = stablehlo.reshape %s : ({scalar}) -> {vector}
           %c = stablehlo.reshape %p : ({pair}) -> {column}
           %0 = \"stablehlo.gather\"(%x, %v) <{{dimension_numbers = #stablehlo.gather<offset_dims = [0], start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 2>}}> : (tensor<5xi32>, {vector}) -> tensor<2xi32>
           %1 = \"stablehlo.gather\"(%x, %c) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}}> : (tensor<5xi32>, {column}) -> tensor<2xi32>
           %2 = stablehlo.dynamic_slice %x, %s, sizes = [2] : (tensor<5xi32>, {scalar}) -> tensor<2xi32>
           %3 = stablehlo.dynamic_update_slice %x, %u, %s : (tensor<5xi32>, tensor<2xi32>, {scalar}) -> tensor<5xi32>
           %4 = \"stablehlo.scatter\"(%x, %c, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
           ^bb0(%a: tensor<i32>, %b: tensor<i32>):
             stablehlo.return %b : tensor<i32>
           }}) : (tensor<5xi32>, {column}, tensor<2xi32>) -> tensor<5xi32>
           return %0, %1, %2, %3, %4 : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<5xi32>, tensor<5xi32>
         }}"
    )
}

const EXPECTED: &[&str] = &[
    "dense<[13, 14]> : tensor<2xi32>",
    "dense<[14, 12]> : tensor<2xi32>",
    "dense<[13, 14]> : tensor<2xi32>",
    "dense<[10, 11, 12, -1, -2]> : tensor<5xi32>",
    "dense<[10, 11, -2, 13, 14]> : tensor<5xi32>",
];

/// Index types and values, all of which are out of bounds.
const INDICES: &[(&str, u64)] = &[
    ("ui4", 15),
    ("ui8", 128),
    ("ui8", 255),
    ("ui16", 1 << 15),
    ("ui32", 1 << 31),
    ("ui32", u32::MAX as u64),
    ("ui64", 1 << 63),
    ("ui64", u64::MAX),
    ("ui64", 1 << 32),
];

#[test]
fn constants_are_beyond_all_positions() {
    for (element, number) in INDICES {
        let indices = format!(
            "           %s = stablehlo.constant dense<{number}> : tensor<{element}>
           %p = stablehlo.constant dense<[{number}, 2]> : tensor<2x{element}>"
        );
        expect(&program(element, "", &indices), &[], EXPECTED);
    }
}

#[test]
fn arguments_are_beyond_all_positions() {
    for (element, number) in INDICES {
        let arguments = format!("%s: tensor<{element}>, %p: tensor<2x{element}>");
        let literal = |text: String| Literal::parse(&text, None).unwrap();
        let inputs = [
            literal(format!("dense<{number}> : tensor<{element}>")),
            literal(format!("dense<[{number}, 2]> : tensor<2x{element}>")),
        ];
        expect(&program(element, &arguments, ""), &inputs, EXPECTED);
    }
}
