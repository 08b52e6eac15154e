//! Products of small integers, which use dot products on groups of adjacent elements.

use super::compile;
use halo_core::Literal;

/// All pairs of extremes occur, at which 32-bit sums wrap around. The first size is divisible by
/// two but not by four, the second by four, and the third by the tiles of AMX.
#[test]
fn products_of_small_integers_are_exact() {
    for size in [66, 68, 128] {
        check_products(size);
    }
}

fn check_products(size: usize) {
    let extremes = [i16::MIN, i16::MAX, 0, -1, 1, -12_345];
    let number = |index: usize| extremes[index * index / 7 % extremes.len()];
    // Rows and columns with only the minimum are multiplied once.
    let numbers: Vec<i16> = (0..size * size)
        .map(|index| {
            if index < size {
                i16::MIN
            } else {
                number(index)
            }
        })
        .collect();
    let bytes: Vec<i8> = numbers.iter().map(|number| (number >> 8) as i8).collect();
    let unsigned: Vec<u8> = bytes.iter().map(|number| number.cast_unsigned()).collect();
    let product = |lhs: &dyn Fn(usize, usize) -> i32, rhs: &dyn Fn(usize, usize) -> i32| {
        let element = |index: usize| {
            let (row, column) = (index / size, index % size);
            (0..size).fold(0_i32, |sum, k| {
                sum.wrapping_add(lhs(row, k).wrapping_mul(rhs(k, column)))
            })
        };
        (0..size * size).map(element).collect::<Vec<i32>>()
    };
    let shape = [size, size];
    let words = |row: usize, column: usize| i32::from(numbers[row * size + column]);
    let signed = |row: usize, column: usize| i32::from(bytes[row * size + column]);
    let counts = |row: usize, column: usize| i32::from(unsigned[row * size + column]);
    let expected = [
        // The second operand is transposed: its rows are not contiguous.
        product(&words, &|k, column| words(column, k)),
        product(&counts, &signed),
        product(&|row, k| counts(k, row), &counts),
        product(&signed, &signed),
        product(&signed, &|k, column| counts(column, k)),
        product(&|row, k| signed(k, row), &signed),
    ];
    let code = "
func.func @main(%w: tensor<SxSxi16>, %s: tensor<SxSxi8>, %u: tensor<SxSxui8>)
    -> (tensor<SxSxi32>, tensor<SxSxi32>, tensor<SxSxi32>, tensor<SxSxi32>, tensor<SxSxi32>,
        tensor<SxSxi32>) {
  %0 = stablehlo.dot_general %w, %w, contracting_dims = [1] x [1]
    : (tensor<SxSxi16>, tensor<SxSxi16>) -> tensor<SxSxi32>
  %1 = stablehlo.dot_general %u, %s, contracting_dims = [1] x [0]
    : (tensor<SxSxui8>, tensor<SxSxi8>) -> tensor<SxSxi32>
  %2 = stablehlo.dot_general %u, %u, contracting_dims = [0] x [0]
    : (tensor<SxSxui8>, tensor<SxSxui8>) -> tensor<SxSxi32>
  %3 = stablehlo.dot_general %s, %s, contracting_dims = [1] x [0]
    : (tensor<SxSxi8>, tensor<SxSxi8>) -> tensor<SxSxi32>
  %4 = stablehlo.dot_general %s, %u, contracting_dims = [1] x [1]
    : (tensor<SxSxi8>, tensor<SxSxui8>) -> tensor<SxSxi32>
  %5 = stablehlo.dot_general %s, %s, contracting_dims = [0] x [0]
    : (tensor<SxSxi8>, tensor<SxSxi8>) -> tensor<SxSxi32>
  return %0, %1, %2, %3, %4, %5 : tensor<SxSxi32>, tensor<SxSxi32>, tensor<SxSxi32>,
    tensor<SxSxi32>, tensor<SxSxi32>, tensor<SxSxi32>
}"
    .replace("SxS", &format!("{size}x{size}"));
    let inputs = [
        Literal::from_slice(&shape, &numbers).unwrap(),
        Literal::from_slice(&shape, &bytes).unwrap(),
        Literal::from_slice(&shape, &unsigned).unwrap(),
    ];
    let expected = expected.map(|values| Literal::from_slice(&shape, &values).unwrap());
    for outputs in super::run(&code, &inputs) {
        assert_eq!(outputs, expected, "{size}");
    }
    if size > 66 {
        for (processor, executable) in compile::executables_with_products(&code) {
            let outputs = executable.run(&inputs).unwrap();
            assert_eq!(outputs, expected, "{size} on {processor}");
        }
    }
}

/// Tasks pack the only panel of columns themselves, in blocks of k.
#[test]
fn blocks_of_a_deep_product_of_few_columns_are_added() {
    let (rows, depth, columns) = (81, 2304, 24);
    let number = |index: usize| (index * 37 % 251) as u8;
    let lhs: Vec<i8> = (0..rows * depth).map(|index| number(index).cast_signed()).collect();
    let rhs: Vec<i8> = (0..depth * columns).map(|index| number(index + 5).cast_signed()).collect();
    let sum = |row: usize, column: usize| -> i32 {
        (0..depth)
            .map(|k| i32::from(lhs[row * depth + k]) * i32::from(rhs[k * columns + column]))
            .sum()
    };
    let expected: Vec<i32> =
        (0..rows * columns).map(|index| sum(index / columns, index % columns)).collect();
    let code = format!(
        "func.func @main(%x: tensor<{rows}x{depth}xi8>, %w: tensor<{depth}x{columns}xi8>)
             -> tensor<{rows}x{columns}xi32> {{
           %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
             : (tensor<{rows}x{depth}xi8>, tensor<{depth}x{columns}xi8>)
             -> tensor<{rows}x{columns}xi32>
           return %0 : tensor<{rows}x{columns}xi32>
         }}"
    );
    let inputs = [
        Literal::from_slice(&[rows, depth], &lhs).unwrap(),
        Literal::from_slice(&[depth, columns], &rhs).unwrap(),
    ];
    check(
        &code,
        &inputs,
        &Literal::from_slice(&[rows, columns], &expected).unwrap(),
    );
}

/// Compares on this machine and on other processors.
fn check(code: &str, inputs: &[Literal], expected: &Literal) {
    for outputs in super::run(code, inputs) {
        assert_eq!(outputs, std::slice::from_ref(expected), "{code}");
    }
    for (processor, executable) in compile::executables_with_products(code) {
        let outputs = executable.run(inputs).unwrap();
        assert_eq!(
            outputs,
            std::slice::from_ref(expected),
            "{processor}: {code}"
        );
    }
}

/// The sizes of a convolution of a square image.
#[derive(Clone, Copy)]
struct Convolution {
    /// Whether channels are the last dimension of the image, or precede the rows.
    has_channels_last: bool,
    is_signed: bool,
    batch: usize,
    size: usize,
    channels: usize,
    window: usize,
    features: usize,
    stride: usize,
    pad: usize,
}

/// Groups along k are channels at one position of the window: groups of four, whole tiles of AMX,
/// and a run of channels with several blocks of k. If the channels are first, positions of the
/// window are joined.
#[test]
fn convolutions_of_small_integers_are_exact() {
    let convolution = Convolution {
        has_channels_last: true,
        is_signed: true,
        batch: 1,
        size: 9,
        channels: 64,
        window: 3,
        features: 40,
        stride: 1,
        pad: 1,
    };
    check_convolution(convolution);
    check_convolution(Convolution {
        is_signed: false,
        batch: 2,
        channels: 12,
        stride: 2,
        ..convolution
    });
    check_convolution(Convolution {
        channels: 6,
        features: 24,
        pad: 0,
        ..convolution
    });
    check_convolution(Convolution {
        size: 5,
        channels: 2240,
        window: 1,
        stride: 2,
        pad: 0,
        ..convolution
    });
    let first = Convolution {
        has_channels_last: false,
        is_signed: false,
        ..convolution
    };
    check_convolution(first);
    check_convolution(Convolution {
        is_signed: true,
        batch: 2,
        channels: 6,
        stride: 2,
        ..first
    });
}

fn check_convolution(of: Convolution) {
    let Convolution {
        has_channels_last,
        is_signed,
        batch,
        size,
        channels,
        window,
        features,
        stride,
        pad,
    } = of;
    let places = (size + 2 * pad - window) / stride + 1;
    let numbers = |count: usize| (0..count).map(|index| (index * index * 13 % 509) as u8);
    let image: Vec<u8> = numbers(batch * size * size * channels).collect();
    let kernel: Vec<u8> = numbers(window * window * channels * features).collect();
    let at = |number: usize, y: usize, x: usize, channel: usize| {
        let inside = |place: usize| place.checked_sub(pad).filter(|place| *place < size);
        let pixel = inside(y).zip(inside(x));
        pixel.map(|(y, x)| {
            image[if has_channels_last {
                ((number * size + y) * size + x) * channels + channel
            } else {
                ((number * channels + channel) * size + y) * size + x
            }]
        })
    };
    let of_layout = |number, side, channels| {
        if has_channels_last {
            [number, side, side, channels]
        } else {
            [number, channels, side, side]
        }
    };
    let image_shape = of_layout(batch, size, channels);
    let kernel_shape = [window, window, channels, features];
    let result_shape = of_layout(batch, places, features);
    let of_shape = |shape: [usize; 4], element: &str| {
        format!(
            "tensor<{}x{element}>",
            shape.map(|size| size.to_string()).join("x")
        )
    };
    let byte = if is_signed { "i8" } else { "ui8" };
    let (image_type, kernel_type) = (of_shape(image_shape, byte), of_shape(kernel_shape, byte));
    let result_type = of_shape(result_shape, "i32");
    let layout = if has_channels_last {
        "b, 0, 1, f"
    } else {
        "b, f, 0, 1"
    };
    let code = format!(
        "func.func @main(%x: {image_type}, %w: {kernel_type}) -> {result_type} {{
           %0 = stablehlo.convolution(%x, %w) dim_numbers = [{layout}]x[0, 1, i, o]->[{layout}],
             window = {{stride = [{stride}, {stride}], pad = [[{pad}, {pad}], [{pad}, {pad}]]}}
             {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
             : ({image_type}, {kernel_type}) -> {result_type}
           return %0 : {result_type}
         }}"
    );
    let number = |byte: u8| {
        if is_signed {
            i32::from(byte.cast_signed())
        } else {
            i32::from(byte)
        }
    };
    let mut sums = vec![0_i32; batch * places * places * features];
    let pixels = places * places;
    for (index, sum) in sums.iter_mut().enumerate() {
        let (image, index) = (index / (features * pixels), index % (features * pixels));
        let (pixel, feature) = if has_channels_last {
            (index / features, index % features)
        } else {
            (index % pixels, index / pixels)
        };
        let (y, x) = (pixel / places, pixel % places);
        for k in 0..window * window * channels {
            let (place, channel) = (k / channels, k % channels);
            let (down, across) = (place / window, place % window);
            let element = at(image, y * stride + down, x * stride + across, channel);
            let weight = number(kernel[k * features + feature]);
            *sum += element.map_or(0, number) * weight;
        }
    }
    let expected = Literal::from_slice(&result_shape, &sums).unwrap();
    let literal = |shape: &[usize], bytes: &[u8]| {
        if is_signed {
            let signed: Vec<i8> = bytes.iter().map(|byte| byte.cast_signed()).collect();
            Literal::from_slice(shape, &signed).unwrap()
        } else {
            Literal::from_slice(shape, bytes).unwrap()
        }
    };
    let inputs = [
        literal(&image_shape, &image),
        literal(&kernel_shape, &kernel),
    ];
    check(&code, &inputs, &expected);
}
