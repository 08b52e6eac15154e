//! The programs of `models/` and their arguments.

use halo_backend::Program;
use halo_core::{Literal, Shape, ShapePattern, random::Generator};
use std::{
    ops::Range,
    path::{Path, PathBuf},
};

/// The distribution of an argument's elements.
#[derive(Clone, Copy)]
pub enum Values {
    /// Integers from 0 to below the bound.
    Below(u64),
    /// Floats with a limited number of different values, so that some are equal.
    OneOf(u64),
    /// Floats from 0.5 to 1.5.
    Positive,
    /// The position of the element in the argument.
    Positions,
    /// A matrix far from singular: both triangles are significant compared to the diagonal, which
    /// is slightly more than the number of rows.
    Regular,
    /// Like `Regular`, but symmetric, and so positive definite.
    Definite,
}

use Values::{Below, Definite, OneOf, Positions, Positive, Regular};

/// A program of `models/`.
pub struct Model {
    /// The name of its file.
    pub name: &'static str,
    /// The distributions of the arguments that are not uniform in [-1, 1).
    pub values: &'static [(Range<usize>, Values)],
}

const fn model(name: &'static str, values: &'static [(Range<usize>, Values)]) -> Model {
    Model { name, values }
}

/// All models.
pub const MODELS: &[Model] = &[
    // The largest models first, so that no processor is idle at the end.
    model("resnet18", &[(81..101, Positive)]),
    model("gpt2_block", &[]),
    model("gpt2_decode", &[(1..2, Below(16))]),
    model("encoder_block", &[]),
    model("mlp_sgd", &[(1..2, Below(10))]),
    model("lstm_scan", &[]),
    model("random_normal", &[]),
    model("bmm_f32", &[]),
    model("cholesky", &[(0..1, Definite)]),
    model("conv2d", &[]),
    model("cumsum", &[]),
    model("depthwise_conv", &[]),
    model("embedding", &[(1..2, Below(40))]),
    model("embedding_grad_scatter", &[(1..2, Below(20))]),
    model("fft", &[]),
    model("gelu_chain", &[]),
    model("layernorm", &[]),
    model("matmul_bf16", &[]),
    model("matmul_f32_64", &[]),
    model("matmul_f32_100", &[]),
    model("matmul_f32_odd", &[]),
    model("matvec_f32", &[]),
    model("maxpool", &[]),
    model("mlp_fwd", &[]),
    model("reduce_sum", &[]),
    model("softmax", &[]),
    model("sort", &[(0..1, OneOf(200))]),
    model("sort_pairs", &[(0..1, OneOf(200)), (1..2, Positions)]),
    model("topk", &[(0..1, OneOf(200))]),
    model("transpose", &[]),
    model("trsm", &[(0..1, Regular)]),
];

/// The folder of the programs.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gpu/models")
}

/// Returns the model of a name.
pub fn named(name: &str) -> &'static Model {
    let found = MODELS.iter().find(|model| model.name == name);
    found.unwrap_or_else(|| panic!("there is no model '{name}'"))
}

impl Model {
    pub fn program(&self) -> Program {
        Program::read(&folder().join(format!("{}.mlir", self.name))).unwrap()
    }

    /// Returns arguments with the shapes of a program.
    pub fn arguments(&self, shapes: &[ShapePattern]) -> Vec<Literal> {
        let mut generator = Generator::new(1);
        let argument = |(number, shape): (usize, &ShapePattern)| {
            let shape = shape.to_shape().unwrap();
            let kind = self.values.iter().find(|(args, _)| args.contains(&number));
            match kind {
                Some((_, values)) => values.literal(&shape, &mut generator),
                None => generator.literal(&shape).expect("memory"),
            }
        };
        shapes.iter().enumerate().map(argument).collect()
    }
}

impl Values {
    fn literal(self, shape: &Shape, generator: &mut Generator) -> Literal {
        let mut literal = Literal::zeros(shape.clone());
        let rows = *shape.dims().first().unwrap_or(&1);
        for position in 0..shape.element_count() {
            let (row, column) = (position / rows, position % rows);
            let unit = generator.unit_interval();
            match self {
                Below(end) => literal.set(position, (unit * end as f64) as i64),
                OneOf(count) => {
                    let step = (unit * count as f64).floor();
                    literal.set(position, step / 8.0 - 10.0);
                }
                Positive => literal.set(position, 0.5 + unit),
                Positions => literal.set(position, position as i64),
                Definite if column < row => {
                    let mirrored = literal.get(column * rows + row);
                    literal.set(position, mirrored);
                }
                Regular | Definite if row == column => {
                    literal.set(position, rows as f64 + unit);
                }
                Regular | Definite => literal.set(position, 2.0 * unit - 1.0),
            }
        }
        literal
    }
}

#[test]
fn every_program_is_named() {
    let files = std::fs::read_dir(folder()).unwrap();
    let mut files: Vec<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .filter_map(|file| file.strip_suffix(".mlir").map(str::to_owned))
        .collect();
    let mut names: Vec<&str> = MODELS.iter().map(|model| model.name).collect();
    files.sort();
    names.sort_unstable();
    assert_eq!(names, files);
}
