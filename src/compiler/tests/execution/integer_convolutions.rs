//! Convolutions and products of small integers that no group of neighbours divides, compared with
//! the interpreter.
//!
//! `integer_products.rs` has those that groups divide.

use super::{compile, options, program, registry};
use halo_core::Literal;
use halo_runtime::{CompileOptions, ProcessorOptions};

/// A convolution of an image.
#[derive(Clone, Copy, Debug)]
struct Convolution {
    /// Whether channels are the last dimension of the image, or are before the rows.
    has_channels_last: bool,
    /// The elements of the image and of the kernel.
    element: &'static str,
    batch: usize,
    size: [usize; 2],
    channels: usize,
    groups: usize,
    window: [usize; 2],
    features: usize,
    stride: usize,
    dilation: usize,
    /// Before and behind each dimension of the image.
    pad: [usize; 2],
}

/// That of a camera's image by the first layer of a network.
const CONVOLUTION: Convolution = Convolution {
    has_channels_last: true,
    element: "i8",
    batch: 1,
    size: [19, 20],
    channels: 3,
    groups: 1,
    window: [7, 7],
    features: 40,
    stride: 2,
    dilation: 1,
    pad: [3, 3],
};

impl Convolution {
    /// By code for this machine and others of its family.
    fn check(self) {
        let (code, inputs) = self.program();
        check(&code, &inputs);
    }

    /// By code for processors of ARM64, too.
    fn check_everywhere(self) {
        let (code, inputs) = self.program();
        check_everywhere(&code, &inputs);
    }

    fn program(&self) -> (String, [Literal; 2]) {
        let [image, kernel, result] = self.shapes();
        let of = |shape: [usize; 4], element: &str| {
            let sizes = shape.map(|size| size.to_string()).join("x");
            format!("tensor<{sizes}x{element}>")
        };
        let (x, w) = (of(image, self.element), of(kernel, self.element));
        let y = of(result, "i32");
        let layout = match self.has_channels_last {
            true => "b, 0, 1, f",
            false => "b, f, 0, 1",
        };
        let Self {
            stride,
            dilation,
            groups,
            pad: [low, high],
            ..
        } = *self;
        let code = format!(
            "func.func @main(%x: {x}, %w: {w}) -> {y} {{
               %0 = stablehlo.convolution(%x, %w) dim_numbers = [{layout}]x[0, 1, i, o]->[{layout}],
                 window = {{stride = [{stride}, {stride}], pad = [[{low}, {high}], [{low}, {high}]],
                            rhs_dilate = [{dilation}, {dilation}]}}
                 {{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}}
                 : ({x}, {w}) -> {y}
               return %0 : {y}
             }}"
        );
        let inputs = [
            numbers(&image, self.element, 7),
            numbers(&kernel, self.element, 5),
        ];
        (code, inputs)
    }

    /// Those of the image, of the kernel and of the result.
    fn shapes(&self) -> [[usize; 4]; 3] {
        let [height, width] = [0, 1].map(|dim| {
            let window = (self.window[dim] - 1) * self.dilation + 1;
            (self.size[dim] + self.pad[0] + self.pad[1] - window) / self.stride + 1
        });
        let of_layout = |[height, width]: [usize; 2], channels| match self.has_channels_last {
            true => [self.batch, height, width, channels],
            false => [self.batch, channels, height, width],
        };
        let [down, across] = self.window;
        [
            of_layout(self.size, self.channels),
            [down, across, self.channels / self.groups, self.features],
            of_layout([height, width], self.features),
        ]
    }
}

/// All numbers of the type, the least and the greatest more often.
fn numbers(shape: &[usize], element: &str, seed: usize) -> Literal {
    let count = shape.iter().product();
    let bytes = (0..count).map(|index: usize| match index * index % 11 {
        0 => 0x80,
        1 => 0x7f,
        2 => 0xff,
        _ => (index * index * seed / 3 % 251) as u8,
    });
    match element {
        "ui8" => Literal::from_slice(shape, &bytes.collect::<Vec<_>>()),
        "i16" => {
            let words = bytes.map(|byte| (i16::from(byte) - 128) * 256);
            Literal::from_slice(shape, &words.collect::<Vec<_>>())
        }
        _ => {
            let signed = bytes.map(u8::cast_signed);
            Literal::from_slice(shape, &signed.collect::<Vec<_>>())
        }
    }
    .unwrap()
}

/// The results of a program by code for this machine, and for those of its family with products
/// of pairs alone. They are those of the interpreter, which are returned.
fn check(code: &str, inputs: &[Literal]) -> Vec<Literal> {
    let registry = registry();
    let interpreter = &registry.backend("interpreter").unwrap().compiler;
    let interpreter = interpreter.compile(&program(code), &options()).unwrap();
    let expected = interpreter.run(inputs).unwrap();
    for cpu in older_processors().into_iter().map(Some).chain([None]) {
        let options = CompileOptions {
            processor: ProcessorOptions {
                cpu: cpu.map(str::to_owned),
                ..ProcessorOptions::default()
            },
            ..options()
        };
        let outputs = compile::cpu_executable(code, &options).run(inputs).unwrap();
        assert_eq!(outputs, expected, "{cpu:?}: {code}");
    }
    expected
}

/// Those by code for processors of ARM64, too.
fn check_everywhere(code: &str, inputs: &[Literal]) {
    let expected = check(code, inputs);
    for (processor, executable) in compile::executables_with_products(code) {
        let outputs = executable.run(inputs).unwrap();
        assert_eq!(outputs, expected, "{processor}: {code}");
    }
}

/// Those whose code this machine runs: of 128 and of 256 bits, without products of bytes.
fn older_processors() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        return vec!["x86-64-v2", "x86-64-v3"];
    }
    Vec::new()
}

/// Fours begin in one line of the window and end in the next.
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
    // Pairs of 16 bits are no fours.
    Convolution {
        element: "i16",
        window: [3, 3],
        ..CONVOLUTION
    }
    .check();
}

/// Lines that are short, and such that are too short to be packed from the image, whose patches are
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

/// Channels at one place of the window are a run of their own, since lines leave the image, and
/// the runs of several blocks of k begin where groups do.
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
    // A run that is longer than a block should be.
    Convolution {
        channels: 1235,
        window: [1, 2],
        ..deep
    }
    .check_everywhere();
}

/// Where channels are before the rows, groups are of places of the window.
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

/// Rows, columns and both of matrices of which the last group has one number, two and three, also
/// in several blocks of k; and the smallest.
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
    let shape = |[rows, columns]: [usize; 2], is_transposed: bool| match is_transposed {
        true => [columns, rows],
        false => [rows, columns],
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
