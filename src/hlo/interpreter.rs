//! The reference interpreter: the semantics of every op of StableHLO, on literals.
//!
//! It is written to be read next to the specification: one function per op, in files by the
//! specification's families, each following the formula of its section. Correctness comes before
//! speed. It is the oracle of the other backends, the constant folder, and an example of a backend
//! without code generation.
//!
//! A value is a [`Value`]: a literal, a token, a tuple or a future. Shapes come from the values,
//! not from the types, so that dynamic programs run unchanged. Quantized tensors are the literals
//! of their stored integers; an op that computes with them uses the numbers that they represent
//! ([`quantization`]).
//!
//! # Behaviour that the specification leaves open
//!
//! | subject | here |
//! |---|---|
//! | floats | one op rounds once: it is computed in `f64` (complex ones in a pair of them) and rounded to the element type |
//! | elementary functions | the platform's `libm` for `f64`; complex ones in [`complex`](scalar::complex) |
//! | `dot_general`, `convolution` | sequential products and sums, each rounded to the element type; in `f32` for narrower floats |
//! | `reduce`, `reduce_window`, `scatter` | in row-major order, from the initial value, each step rounded by the body |
//! | `convert` to integers | toward zero, saturating; NaN becomes 0 |
//! | integer division by zero | all bits one; the remainder is the dividend |
//! | shifts by the width or more | 0, or all sign bits |
//! | `rng` | PCG64, seeded for each run of a program |
//! | `rng_bit_generator` | `THREE_FRY` and `PHILOX` as in XLA; `DEFAULT` is `PHILOX` |
//! | indices out of bounds | `gather`, `dynamic_slice` and similar ops clamp, `scatter` skips the window |
//! | invalid replica groups, participants that never arrive | an error at the op that waits |
//! | `infeed`, `recv` from the host | the queues that [`run_parallel`](communication) or the application fills; an error if they stay empty |
//! | `get_dimension_size` of a `set_dimension_size` | the size that was set; growing fills with zeros |

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
mod evaluation;
mod fft;
mod gather_scatter;
mod indexing;
mod linear_algebra;
mod normalization;
mod ops;
mod prelude;
mod probes;
mod random;
mod reduction;
mod registered;
mod shape;
mod slicing;
mod sort;

pub use call::Call;
pub use evaluator::{Environment, Evaluated, Evaluator, Failure};
pub use ops::{is_interpreted, is_pure};
pub use registered::{AlreadyEvaluated, Evaluate, register_evaluation};
pub use value::Value;

use halo_core::Literal;
use halo_ir::prelude::*;
use halo_runtime::Error;

/// Evaluates one op without effects on constant operands, for constant folding:
/// [`literals`](crate::literals) converts attributes.
///
/// # Errors
/// Returns an execution error, with the op's location, if the op has effects, or the specification
/// does not define it for its operands.
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

/// Evaluates a region of an op without captures on constant arguments.
///
/// # Errors
/// Returns an execution error, with the op's location, if an op of the region cannot be evaluated.
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
