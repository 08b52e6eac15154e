//! Convolutions and products of small integers whose sizes are not a multiple of the group,
//! compared with the interpreter.
//!
//! `integer_products.rs` has the divisible ones.

use super::convolutions::{CONVOLUTION, Convolution, check, check_everywhere, numbers};
use halo_core::Literal;

/// Groups of four that begin in one line of the window and end in the next.
#[test]
fn windows_of_three_channels_are_multiplied() {
    for element in ["i8", "ui8"] {
        Convolution {
            element,
            ..CONVOLUTION
        }
        .check_everywhere();
    }
    Convolution {
        window: [3, 3],
        stride: 1,
        pad: [0, 2],
        batch: 2,
        ..CONVOLUTION
    }
    .check();
    Convolution {
        window: [5, 3],
        stride: 3,
        pad: [1, 0],
        features: 5,
        ..CONVOLUTION
    }
    .check();
    // Pairs of 16 bits are not groups of four.
    Convolution {
        element: "i16",
        window: [3, 3],
        ..CONVOLUTION
    }
    .check();
}

/// Short lines, and lines that are too short to be packed from the image, so that the patches are
/// stored.
#[test]
fn short_runs_are_multiplied() {
    let small = Convolution {
        window: [5, 5],
        stride: 1,
        pad: [2, 2],
        ..CONVOLUTION
    };
    for channels in [1, 2] {
        Convolution { channels, ..small }.check_everywhere();
    }
    Convolution {
        dilation: 2,
        pad: [4, 4],
        ..small
    }
    .check();
    Convolution {
        dilation: 3,
        stride: 2,
        pad: [1, 6],
        element: "ui8",
        window: [3, 2],
        ..small
    }
    .check();
}

/// The channels at one position of the window are a separate contiguous run, because lines extend
/// beyond the image, and the runs of several blocks of k begin at group boundaries.
#[test]
fn runs_of_channels_are_multiplied() {
    let deep = Convolution {
        size: [7, 6],
        window: [3, 3],
        features: 20,
        stride: 1,
        pad: [1, 1],
        ..CONVOLUTION
    };
    for (channels, element) in [
        (9, "i8"),
        (30, "ui8"),
        (130, "i8"),
        (350, "ui8"),
        (333, "i8"),
    ] {
        Convolution {
            channels,
            element,
            ..deep
        }
        .check();
    }
    // A run that is longer than a block.
    Convolution {
        channels: 1235,
        window: [1, 2],
        ..deep
    }
    .check_everywhere();
}

/// If channels precede the rows, groups consist of positions of the window.
#[test]
fn channels_before_rows_are_multiplied() {
    let first = Convolution {
        has_channels_last: false,
        ..CONVOLUTION
    };
    for (element, window, stride) in [("i8", [7, 7], 2), ("ui8", [3, 5], 1), ("i16", [3, 3], 1)] {
        Convolution {
            element,
            window,
            stride,
            ..first
        }
        .check();
    }
    Convolution {
        batch: 2,
        channels: 5,
        window: [3, 3],
        dilation: 2,
        pad: [2, 1],
        ..first
    }
    .check();
}

/// Groups of features, and one channel each.
#[test]
fn groups_of_features_are_multiplied() {
    for has_channels_last in [true, false] {
        let grouped = Convolution {
            has_channels_last,
            window: [3, 3],
            stride: 1,
            pad: [1, 1],
            ..CONVOLUTION
        };
        for (channels, groups, features) in [(10, 2, 24), (15, 3, 15), (6, 6, 6)] {
            Convolution {
                channels,
                groups,
                features,
                ..grouped
            }
            .check();
        }
        Convolution {
            channels: 12,
            groups: 4,
            features: 32,
            ..grouped
        }
        .check_everywhere();
    }
}

/// Zero points of the image and of the result, and padding by the former.
#[test]
fn quantized_convolutions_are_those_of_the_interpreter() {
    for (channels, groups, zero_point) in [(3, 1, 4), (1, 1, -128), (6, 2, 127), (4, 4, 9)] {
        let convolution = Convolution {
            channels,
            groups,
            features: 16,
            window: [3, 3],
            pad: [1, 1],
            ..CONVOLUTION
        };
        let [image, kernel, result] = convolution.shapes();
        let of = |shape: [usize; 4], parameters: &str| {
            let sizes = shape.map(|size| size.to_string()).join("x");
            let quantized = format!("tensor<{sizes}x!quant.uniform<i8:f32, {parameters}>>");
            (format!("tensor<{sizes}xi8>"), quantized)
        };
        let (x, qx) = of(image, &format!("0.5:{zero_point}"));
        let (w, qw) = of(kernel, "0.25");
        let (y, qy) = of(result, "64.0:-3");
        let code = format!(
            "func.func @main(%xs: {x}, %ws: {w}) -> {y} {{
               %x = stablehlo.bitcast_convert %xs : ({x}) -> {qx}
               %w = stablehlo.bitcast_convert %ws : ({w}) -> {qw}
               %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
                 window = {{stride = [2, 2], pad = [[1, 1], [1, 1]]}}
                 {{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}}
                 : ({qx}, {qw}) -> {qy}
               %1 = stablehlo.bitcast_convert %0 : ({qy}) -> {y}
               return %1 : {y}
             }}"
        );
        check_everywhere(
            &code,
            &[numbers(&image, "i8", 7), numbers(&kernel, "i8", 5)],
        );
    }
}

/// Matrices whose last group of rows, columns or both has one, two or three numbers, also with
/// several blocks of k; and the smallest sizes.
#[test]
fn products_with_a_part_of_a_group_are_exact() {
    for (rows, depth, columns) in [
        (33, 9, 40),
        (40, 5, 70),
        (70, 147, 64),
        (20, 2050, 34),
        (17, 4619, 24),
        (130, 67, 150),
    ] {
        for is_transposed in [false, true] {
            let element = if is_transposed { "ui8" } else { "i8" };
            let of = product([rows, depth, columns], [element, "i8"], [is_transposed; 2]);
            check(&of.0, &of.1);
        }
    }
    for elements in [["i8", "ui8"], ["ui8", "ui8"], ["i8", "i8"], ["i16", "i16"]] {
        let of = product([70, 147, 64], elements, [false, true]);
        check_everywhere(&of.0, &of.1);
    }
}

/// A product of matrices, and its operands.
fn product(
    [rows, depth, columns]: [usize; 3],
    elements: [&str; 2],
    [is_lhs_transposed, is_rhs_transposed]: [bool; 2],
) -> (String, [Literal; 2]) {
    let shape = |[rows, columns]: [usize; 2], is_transposed: bool| {
        if is_transposed {
            [columns, rows]
        } else {
            [rows, columns]
        }
    };
    let lhs = shape([rows, depth], is_lhs_transposed);
    let rhs = shape([depth, columns], is_rhs_transposed);
    let x = format!("tensor<{}x{}x{}>", lhs[0], lhs[1], elements[0]);
    let w = format!("tensor<{}x{}x{}>", rhs[0], rhs[1], elements[1]);
    let y = format!("tensor<{rows}x{columns}xi32>");
    let contracted = [
        1 - usize::from(is_lhs_transposed),
        usize::from(is_rhs_transposed),
    ];
    let code = format!(
        "func.func @main(%x: {x}, %w: {w}) -> {y} {{
           %0 = stablehlo.dot_general %x, %w, contracting_dims = [{}] x [{}] : ({x}, {w}) -> {y}
           return %0 : {y}
         }}",
        contracted[0], contracted[1]
    );
    let inputs = [numbers(&lhs, elements[0], 7), numbers(&rhs, elements[1], 5)];
    (code, inputs)
}
