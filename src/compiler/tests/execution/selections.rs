//! Reductions that select an element, such as `argmax`.

use super::run;
use halo_core::Literal;

/// `jax.numpy.argmax` of a matrix of f32 along a dimension.
fn argmax(shape: [usize; 2], dimension: usize) -> String {
    let ([rows, columns], size) = (shape, shape[1 - dimension]);
    let matrix = format!("{rows}x{columns}");
    format!(
        "func.func @main(%a: tensor<{matrix}xf32>) -> tensor<{size}xi32> {{
           %i = stablehlo.iota dim = {dimension} : tensor<{matrix}xi32>
           %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
           %zero = stablehlo.constant dense<0> : tensor<i32>
           %0:2 = stablehlo.reduce(%a init: %low), (%i init: %zero) across dimensions = [{dimension}]
               : (tensor<{matrix}xf32>, tensor<{matrix}xi32>, tensor<f32>, tensor<i32>)
               -> (tensor<{size}xf32>, tensor<{size}xi32>)
             reducer(%x: tensor<f32>, %y: tensor<f32>) (%m: tensor<i32>, %n: tensor<i32>) {{
             %1 = stablehlo.compare GT, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
             %2 = stablehlo.compare NE, %x, %x, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
             %3 = stablehlo.or %1, %2 : tensor<i1>
             %4 = stablehlo.compare EQ, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
             %5 = stablehlo.compare LT, %m, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
             %6 = stablehlo.and %4, %5 : tensor<i1>
             %7 = stablehlo.or %3, %6 : tensor<i1>
             %8 = stablehlo.select %3, %x, %y : tensor<i1>, tensor<f32>
             %9 = stablehlo.select %7, %m, %n : tensor<i1>, tensor<i32>
             stablehlo.return %8, %9 : tensor<f32>, tensor<i32>
           }}
           return %0#1 : tensor<{size}xi32>
         }}"
    )
}

/// The result of `numpy.argmax`: the first NaN, or else the first of the largest.
fn first_largest(values: impl Iterator<Item = f32>) -> i32 {
    let mut best = (f32::NEG_INFINITY, 0);
    for (number, value) in values.enumerate() {
        if !best.0.is_nan() && (value.is_nan() || value > best.0) {
            best = (value, number);
        }
    }
    best.1 as i32
}

/// Rows with ties, one value, infinities, zeros of both signs and NaN.
fn rows(count: usize, size: usize) -> Vec<f32> {
    let element = |row: usize, column: usize| match row % 8 {
        0 => ((row * 31 + column * 17) % 5) as f32,
        1 => 7.0,
        2 => -(column as f32),
        3 => column as f32,
        4 if column + 1 == size || column == size / 3 => f32::NAN,
        5 if column == size / 2 => 0.0,
        5 => -0.0,
        6 => f32::NEG_INFINITY,
        _ => ((row * 7919 + column * 104_729) % 1009) as f32 - 500.0,
    };
    (0..count)
        .flat_map(|row| (0..size).map(move |column| element(row, column)))
        .collect()
}

#[test]
fn first_of_the_largest_in_a_row() {
    for size in [3, 10, 32, 33, 100, 1000] {
        let values = rows(24, size);
        let expected: Vec<i32> =
            values.chunks(size).map(|row| first_largest(row.iter().copied())).collect();
        let input = Literal::from_slice(&[24, size], &values).unwrap();
        for outputs in run(&argmax([24, size], 1), &[input]) {
            assert_eq!(outputs[0].as_slice::<i32>().unwrap(), expected, "{size}");
        }
    }
}

#[test]
fn first_of_the_largest_in_a_column() {
    let (count, size) = (24, 70);
    let values = rows(count, size);
    let expected: Vec<i32> = (0..size)
        .map(|column| first_largest((0..count).map(|row| values[row * size + column])))
        .collect();
    let input = Literal::from_slice(&[count, size], &values).unwrap();
    for outputs in run(&argmax([count, size], 0), &[input]) {
        assert_eq!(outputs[0].as_slice::<i32>().unwrap(), expected);
    }
}

/// The body selects the first of equal values.
#[test]
fn ties_without_indices() {
    let size = 100;
    let code =
        argmax([24, size], 1).replace("%7 = stablehlo.or %3, %6", "%7 = stablehlo.or %3, %3");
    let values = rows(24, size);
    // The body keeps an index only if its value is larger: the last of equals wins.
    let last_largest = |row: &[f32]| {
        let mut best = (f32::NEG_INFINITY, 0);
        for (number, value) in row.iter().enumerate() {
            if !(best.0 > *value || best.0.is_nan()) {
                best = (*value, number);
            }
        }
        best.1 as i32
    };
    let expected: Vec<i32> = values.chunks(size).map(last_largest).collect();
    let input = Literal::from_slice(&[24, size], &values).unwrap();
    for outputs in run(&code, &[input]) {
        assert_eq!(outputs[0].as_slice::<i32>().unwrap(), expected);
    }
}

/// `argmin` of unsigned bytes, with indices of 64 bits that are compared as unsigned.
#[test]
fn smallest_of_bytes() {
    let code = "func.func @main(%a: tensor<3x200xui8>) -> (tensor<3xui8>, tensor<3xui64>) {
           %i = stablehlo.iota dim = 1 : tensor<3x200xui64>
           %high = stablehlo.constant dense<255> : tensor<ui8>
           %zero = stablehlo.constant dense<0> : tensor<ui64>
           %0:2 = stablehlo.reduce(%a init: %high), (%i init: %zero) across dimensions = [1]
               : (tensor<3x200xui8>, tensor<3x200xui64>, tensor<ui8>, tensor<ui64>)
               -> (tensor<3xui8>, tensor<3xui64>)
             reducer(%x: tensor<ui8>, %y: tensor<ui8>) (%m: tensor<ui64>, %n: tensor<ui64>) {
             %1 = stablehlo.compare LT, %x, %y : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
             %2 = stablehlo.compare EQ, %x, %y : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
             %3 = stablehlo.compare LT, %m, %n : (tensor<ui64>, tensor<ui64>) -> tensor<i1>
             %4 = stablehlo.and %2, %3 : tensor<i1>
             %5 = stablehlo.or %1, %4 : tensor<i1>
             %6 = stablehlo.minimum %x, %y : tensor<ui8>
             %7 = stablehlo.select %5, %m, %n : tensor<i1>, tensor<ui64>
             stablehlo.return %6, %7 : tensor<ui8>, tensor<ui64>
           }
           return %0#0, %0#1 : tensor<3xui8>, tensor<3xui64>
         }";
    let values: Vec<u8> = (0..600_usize).map(|number| (number * 37 % 251) as u8 / 2 + 3).collect();
    let smallest = |row: &[u8]| {
        let value = *row.iter().min().unwrap();
        let at = row.iter().position(|other| *other == value).unwrap();
        (value, at as u64)
    };
    let (expected, places): (Vec<u8>, Vec<u64>) = values.chunks(200).map(smallest).unzip();
    let input = Literal::from_slice(&[3, 200], &values).unwrap();
    for outputs in run(code, &[input]) {
        assert_eq!(outputs[0].as_slice::<u8>().unwrap(), expected);
        assert_eq!(outputs[1].as_slice::<u64>().unwrap(), places);
    }
}
