//! Convolutions of all sizes, compared with the interpreter. This file has grouped float
//! convolutions, whose patches are packed from the image.

use super::{compile, options, program, registry};
use halo_backend::{CompileOptions, ProcessorOptions};
use halo_core::{ElementType, Literal};

/// A convolution of an image.
#[derive(Clone, Copy, Debug)]
pub struct Convolution {
    /// Whether channels are the last dimension of the image, or precede the rows.
    pub has_channels_last: bool,
    /// The elements of the image and of the kernel.
    pub element: &'static str,
    pub batch: usize,
    pub size: [usize; 2],
    pub channels: usize,
    pub groups: usize,
    pub window: [usize; 2],
    pub features: usize,
    pub stride: usize,
    pub dilation: usize,
    /// Padding before and after each dimension of the image.
    pub pad: [usize; 2],
}

/// The first layer of a network on a camera image.
pub const CONVOLUTION: Convolution = Convolution {
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
    /// Compares on this machine and on older processors of its family.
    pub fn check(self) {
        let (code, inputs) = self.program();
        check(&code, &inputs);
    }

    /// Compares on ARM64 processors, too.
    pub fn check_everywhere(self) {
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
        let y = of(result, self.sum());
        let layout = if self.has_channels_last {
            "b, 0, 1, f"
        } else {
            "b, f, 0, 1"
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

    /// The elements of the result.
    fn sum(&self) -> &'static str {
        match self.element {
            "i8" | "ui8" | "i16" => "i32",
            element => element,
        }
    }

    /// The shapes of the image, the kernel and the result.
    pub fn shapes(&self) -> [[usize; 4]; 3] {
        let [height, width] = [0, 1].map(|dim| {
            let window = (self.window[dim] - 1) * self.dilation + 1;
            (self.size[dim] + self.pad[0] + self.pad[1] - window) / self.stride + 1
        });
        let of_layout = |[height, width]: [usize; 2], channels| {
            if self.has_channels_last {
                [self.batch, height, width, channels]
            } else {
                [self.batch, channels, height, width]
            }
        };
        let [down, across] = self.window;
        [
            of_layout(self.size, self.channels),
            [down, across, self.channels / self.groups, self.features],
            of_layout([height, width], self.features),
        ]
    }
}

/// All numbers of the type, with the minimum and the maximum more often. Floats are small integers,
/// so that sums do not depend on the order of additions.
pub fn numbers(shape: &[usize], element: &str, seed: usize) -> Literal {
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
        "f32" | "f16" | "bf16" => {
            let floats = (0..count).map(|index| (index * index * seed / 3 % 7) as f32 - 3.0);
            let floats = Literal::from_slice(shape, &floats.collect::<Vec<_>>()).unwrap();
            match element {
                "bf16" => floats.convert(ElementType::BF16),
                "f16" => floats.convert(ElementType::F16),
                _ => Ok(floats),
            }
        }
        _ => {
            let signed = bytes.map(u8::cast_signed);
            Literal::from_slice(shape, &signed.collect::<Vec<_>>())
        }
    }
    .unwrap()
}

/// Checks the results of a program on this machine, and on processors of its family with only
/// pairwise products, against the interpreter, and returns them.
pub fn check(code: &str, inputs: &[Literal]) -> Vec<Literal> {
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

/// Like `check`, but on ARM64 processors, too.
pub fn check_everywhere(code: &str, inputs: &[Literal]) {
    let expected = check(code, inputs);
    for (processor, executable) in compile::executables_with_products(code) {
        let outputs = executable.run(inputs).unwrap();
        assert_eq!(outputs, expected, "{processor}: {code}");
    }
}

/// Older processors whose code this machine can run: 128-bit and 256-bit vectors, without products
/// of bytes.
fn older_processors() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        return vec!["x86-64-v2", "x86-64-v3"];
    }
    Vec::new()
}

const GROUPED: Convolution = Convolution {
    element: "f32",
    size: [18, 16],
    window: [3, 3],
    stride: 1,
    pad: [1, 1],
    ..CONVOLUTION
};

/// The rows of a tile are pixels of one line of the image or of several; the pixels of a group are
/// not contiguous, and groups have many or few channels and features.
#[test]
fn groups_of_features_are_multiplied() {
    for (channels, groups, features) in [(64, 2, 48), (32, 8, 32), (20, 4, 16), (16, 2, 130)] {
        let grouped = Convolution {
            channels,
            groups,
            features,
            ..GROUPED
        };
        grouped.check();
        Convolution {
            size: [11, 13],
            stride: 2,
            pad: [0, 1],
            batch: 2,
            ..grouped
        }
        .check();
    }
}

/// If the stride equals the dilation, rows of patches overlap at every second pixel.
#[test]
fn dilated_windows_of_groups_are_multiplied() {
    for (stride, dilation, pad) in [(2, 2, [2, 2]), (1, 2, [3, 1]), (3, 2, [0, 0])] {
        Convolution {
            channels: 16,
            groups: 2,
            features: 24,
            size: [19, 21],
            stride,
            dilation,
            pad,
            ..GROUPED
        }
        .check();
    }
    // Without groups, too.
    for channels in [5, 12] {
        Convolution {
            channels,
            stride: 2,
            dilation: 2,
            pad: [2, 2],
            size: [20, 32],
            ..GROUPED
        }
        .check();
    }
}

/// Vectors of columns that begin before the image or end after it are gathered, for all element
/// types.
#[test]
fn edges_of_images_are_gathered() {
    for (element, stride) in [
        ("bf16", 1),
        ("bf16", 2),
        ("f16", 1),
        ("f32", 2),
        ("i8", 1),
        ("i16", 2),
    ] {
        Convolution {
            has_channels_last: false,
            element,
            size: [14, 14],
            channels: 8,
            features: 16,
            stride,
            ..GROUPED
        }
        .check_everywhere();
    }
}

/// Many groups, of which each task computes several, and channels before rows.
#[test]
fn many_groups_are_multiplied() {
    for element in ["f32", "bf16", "i8"] {
        let many = Convolution {
            element,
            channels: 160,
            groups: 40,
            features: 160,
            size: [8, 9],
            ..GROUPED
        };
        many.check_everywhere();
        Convolution {
            has_channels_last: false,
            ..many
        }
        .check();
    }
}

/// Groups of features on all backends.
#[test]
fn all_backends_multiply_groups() {
    let (code, inputs) = Convolution {
        channels: 12,
        groups: 3,
        features: 24,
        ..GROUPED
    }
    .program();
    let expected = check(&code, &inputs);
    for outputs in super::run(&code, &inputs) {
        assert_eq!(outputs, expected, "{code}");
    }
}
