//! The reference interpreter: what every op of StableHLO does, on literals.
//!
//! It is written to be read beside the specification: one function an op, in
//! files by the specification's families, each of which follows the formula of
//! its section. It is correct before it is fast, and serves as the oracle of
//! the other backends, as the constant folder, and as the example of a backend
//! that generates no code.
//!
//! A value is a [`Value`]: a literal, a token, a tuple or a future. Shapes are
//! those of the values, not of the types, so that dynamic programs run as they
//! are. Quantized tensors are the literals of their stored integers; an op that
//! computes with them does so on the numbers that they represent
//! ([`quantization`]).
//!
//! # What the specification leaves to the implementation
//!
//! | subject | here |
//! |---|---|
//! | floats | one op rounds once: it is computed in `f64` (complex ones in a pair of them) and rounded to the element type |
//! | elementary functions | those of the platform's `libm` for `f64`; complex ones as [`complex`](scalar::complex) says |
//! | `dot_general`, `convolution` | products and sums one after the other, each rounded as elements are; in `f32` where these are narrower floats |
//! | `reduce`, `reduce_window`, `scatter` | in row-major order, from the initial value, each step rounded as the body says |
//! | `convert` to integers | toward zero, saturating; NaN becomes 0 |
//! | integer division by zero | all bits one; the remainder is the dividend |
//! | shifts by the width or more | 0, or all sign bits |
//! | `rng` | PCG64, seeded anew for each run of a program |
//! | `rng_bit_generator` | `THREE_FRY` and `PHILOX` as XLA has them; `DEFAULT` is `PHILOX` |
//! | indices out of bounds | `gather`, `dynamic_slice` and their like clamp, `scatter` leaves out the window |
//! | replica groups that do not fit, participants that never come | an error at the op that waits |
//! | `infeed`, `recv` from the host | the queues that [`run_parallel`](communication) or the application fills; an error where they are empty and nobody is to fill them |
//! | `get_dimension_size` of what `set_dimension_size` made | the size that was set; growing fills with zeros |

pub mod call;
pub mod communication;
pub mod evaluator;
pub mod quantization;
pub mod scalar;
pub mod value;

mod body;
mod checks;
mod control_flow;
mod convolution;
mod custom_call;
mod dot;
mod dynamic;
mod elementwise;
mod fft;
mod gather_scatter;
mod indexing;
mod linear_algebra;
mod normalization;
mod ops;
mod probes;
mod random;
mod reduction;
mod registered;
mod shape;
mod slicing;
mod sort;

/// The names that most functions on ops use.
mod prelude {
    pub use super::{
        call::{Call, single},
        evaluator::{Evaluated, Failure},
    };
}

pub use call::Call;
pub use evaluator::{Environment, Evaluated, Evaluator, Failure};
pub use ops::{is_interpreted, is_pure};
pub use registered::{AlreadyEvaluated, Evaluate, register_evaluation};
pub use value::Value;

use halo_core::Literal;
use halo_ir::prelude::*;
use halo_runtime::Error;

/// Evaluates one op that has no effects on constant operands. This is constant
/// folding: [`literals`](crate::literals) converts attributes.
///
/// # Errors
/// Execution, with the op's location, if the op cannot be evaluated:
/// it has effects, or the specification does not define it for its operands.
pub fn evaluate_pure(operation: Operation, operands: &[Literal]) -> Result<Vec<Literal>, Error> {
    if !ops::is_pure(operation.name()) {
        let name = operation.name();
        return Err(Error::execution(format!("'{name}' is not evaluated alone")));
    }
    let environment = Environment::default();
    let evaluator = Evaluator::new(&environment);
    let operands: Vec<Value> = operands.iter().cloned().map(Value::from).collect();
    literals_of(evaluator.evaluate(operation, &operands)?)
}

/// Evaluates a region of an op, which uses nothing from around it, on constant
/// arguments.
///
/// # Errors
/// Execution, with the op's location, if an op of the region cannot be evaluated.
pub fn evaluate_region(
    operation: Operation,
    number: usize,
    arguments: &[Literal],
) -> Result<Vec<Literal>, Error> {
    let environment = Environment::default();
    let evaluator = Evaluator::new(&environment);
    let arguments: Vec<Value> = arguments.iter().cloned().map(Value::from).collect();
    literals_of(evaluator.apply(operation, number, &arguments)?)
}

fn literals_of(results: Vec<Value>) -> Result<Vec<Literal>, Error> {
    results
        .into_iter()
        .map(|value| match value {
            Value::Tensor(literal) => {
                Ok(std::sync::Arc::try_unwrap(literal).unwrap_or_else(|shared| (*shared).clone()))
            }
            _ => Err(Error::execution("the result is not a tensor")),
        })
        .collect()
}
