//! The models of the training steps exported by JAX (`export.py`): their parameters, their inputs,
//! and the results of a step.

use halo_core::{Literal, npy};
use std::path::{Path, PathBuf};

/// A parameter and its sharding.
pub struct Parameter {
    pub shape: &'static [usize],
    /// Whether it is divided by tensor parallelism.
    pub by_tensor: bool,
}

const fn whole(shape: &'static [usize]) -> Parameter {
    Parameter {
        shape,
        by_tensor: false,
    }
}

const fn divided(shape: &'static [usize]) -> Parameter {
    Parameter {
        shape,
        by_tensor: true,
    }
}

pub struct Model {
    /// The name of the file with the results.
    pub name: &'static str,
    pub parameters: &'static [Parameter],
    /// The sizes of the activations between blocks.
    pub activations: &'static [usize],
    /// Whether each parameter has two moments, and the step has a number.
    pub is_adam: bool,
    batch: fn() -> Vec<Literal>,
}

const BATCH: usize = 64;
const WIDTH: usize = 16;
const HIDDEN: usize = 32;
const SEQUENCES: usize = 8;
const LENGTH: usize = 8;
const HEADS: usize = 8;
const HEAD: usize = 4;
const VOCABULARY: usize = 32;
/// The number of iterations of the loop.
pub const BLOCKS: usize = 2;

const MLP_PARAMETERS: &[Parameter] = &[
    divided(&[WIDTH, HIDDEN]),
    divided(&[HIDDEN]),
    divided(&[HIDDEN, WIDTH]),
    divided(&[WIDTH, HIDDEN]),
    divided(&[HIDDEN]),
    divided(&[HIDDEN, WIDTH]),
];

/// Two blocks of a multilayer perceptron.
pub const MLP: Model = Model {
    name: "mlp",
    parameters: MLP_PARAMETERS,
    activations: &[BATCH, WIDTH],
    is_adam: false,
    batch: rows,
};

pub const MLP_ADAM: Model = Model {
    name: "mlp_adam",
    is_adam: true,
    ..MLP
};

/// A decoder of one block: attention and a perceptron.
pub const DECODER: Model = Model {
    name: "decoder",
    parameters: &[
        whole(&[VOCABULARY, WIDTH]),
        divided(&[WIDTH, HEADS, HEAD]),
        divided(&[WIDTH, HEADS, HEAD]),
        divided(&[WIDTH, HEADS, HEAD]),
        divided(&[HEADS, HEAD, WIDTH]),
        divided(&[WIDTH, HIDDEN]),
        divided(&[HIDDEN, WIDTH]),
        whole(&[WIDTH, VOCABULARY]),
    ],
    activations: &[SEQUENCES, LENGTH, WIDTH],
    is_adam: false,
    batch: tokens,
};

const MANY: usize = 8 * VOCABULARY;

/// The same with a vocabulary larger than the positions in a batch, whose embedding and logits are
/// divided, too.
pub const VOCABULARY_DECODER: Model = Model {
    name: "vocabulary",
    parameters: &[
        divided(&[MANY, WIDTH]),
        divided(&[WIDTH, HEADS, HEAD]),
        divided(&[WIDTH, HEADS, HEAD]),
        divided(&[WIDTH, HEADS, HEAD]),
        divided(&[HEADS, HEAD, WIDTH]),
        divided(&[WIDTH, HIDDEN]),
        divided(&[HIDDEN, WIDTH]),
        divided(&[WIDTH, MANY]),
    ],
    batch: many_tokens,
    ..DECODER
};

/// A decoder whose blocks are iterations of a loop over their parameters.
pub const LOOP: Model = Model {
    name: "loop",
    parameters: &[
        whole(&[VOCABULARY, WIDTH]),
        divided(&[BLOCKS, WIDTH, HEADS, HEAD]),
        divided(&[BLOCKS, WIDTH, HEADS, HEAD]),
        divided(&[BLOCKS, WIDTH, HEADS, HEAD]),
        divided(&[BLOCKS, HEADS, HEAD, WIDTH]),
        divided(&[BLOCKS, WIDTH, HIDDEN]),
        divided(&[BLOCKS, HIDDEN, WIDTH]),
        whole(&[WIDTH, VOCABULARY]),
    ],
    ..DECODER
};

/// The folder of this file, relative to the folder of a crate.
pub fn folder() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join("src/compiler/tests/training")
}

fn literal(shape: &[usize], numbers: impl Iterator<Item = f32>) -> Literal {
    Literal::from_slice(shape, &numbers.collect::<Vec<_>>()).unwrap()
}

/// Multiples of 1/256 between -1/4 and 1/4, as in `export.py`.
fn numbers(shape: &[usize], seed: usize) -> Literal {
    let count: usize = shape.iter().product();
    let number = |at: usize| ((at * 7919 + seed * 104_729) % 127) as f32 - 63.0;
    literal(shape, (0..count).map(|at| number(at) / 256.0))
}

fn rows() -> Vec<Literal> {
    [100, 101].map(|seed| numbers(&[BATCH, WIDTH], seed)).into()
}

/// Sequences, and the next token of each.
fn tokens() -> Vec<Literal> {
    tokens_in_steps(1)
}

fn many_tokens() -> Vec<Literal> {
    tokens_in_steps(8)
}

fn tokens_in_steps(step: usize) -> Vec<Literal> {
    let token = move |at: usize| (at * 7 % VOCABULARY * step) as i32;
    let from = |first: usize| {
        let rows = (0..SEQUENCES).flat_map(|row| {
            (0..LENGTH).map(move |column| token(row * (LENGTH + 1) + column + first))
        });
        Literal::from_slice(&[SEQUENCES, LENGTH], &rows.collect::<Vec<_>>()).unwrap()
    };
    vec![from(0), from(1)]
}

impl Model {
    /// The arguments of a step.
    pub fn inputs(&self) -> Vec<Literal> {
        let parameters = self.parameters.iter().enumerate();
        let mut inputs: Vec<Literal> =
            parameters.map(|(seed, parameter)| numbers(parameter.shape, seed)).collect();
        if self.is_adam {
            for parameter in self.parameters.iter().chain(self.parameters) {
                let count = parameter.shape.iter().product();
                inputs.push(literal(parameter.shape, std::iter::repeat_n(0.0, count)));
            }
            inputs.push(literal(&[], std::iter::once(0.0)));
        }
        inputs.extend((self.batch)());
        inputs
    }

    /// The results of a step computed by JAX: parameters, for Adam also moments and the number of
    /// the step, and the loss.
    pub fn results(&self) -> Vec<Literal> {
        let path = folder().join(format!("{}.npy", self.name));
        let all = npy::read(&path, None).unwrap();
        let mut rest = all.as_slice::<f32>().unwrap();
        let copies = if self.is_adam { 3 } else { 1 };
        let shapes = self.parameters.iter().map(|parameter| parameter.shape);
        let shapes = shapes.cycle().take(copies * self.parameters.len());
        let scalars = if self.is_adam { 2 } else { 1 };
        let shapes = shapes.chain(std::iter::repeat_n(&[][..], scalars));
        let results = shapes.map(|shape| {
            let (own, others) = rest.split_at(shape.iter().product());
            rest = others;
            literal(shape, own.iter().copied())
        });
        let results = results.collect();
        assert!(rest.is_empty(), "{}", path.display());
        results
    }
}
