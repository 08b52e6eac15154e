//! Tensors among the operands and results of communication.

use super::super::{evaluator::Failure, value::Value};
use halo_runtime::communication::Values;

/// The tensors among values; tokens are not sent to other processes.
pub fn tensors(values: &[Value]) -> Result<Values, Failure> {
    let kept = values.iter().filter(|value| !matches!(value, Value::Token));
    kept.map(|value| match value {
        Value::Tensor(literal) => Ok(std::sync::Arc::clone(literal)),
        other => Err(format!("expects a tensor, but {} was given", other.kind()).into()),
    })
    .collect()
}

/// Received values, followed by a token.
pub fn with_token(values: Values) -> Vec<Value> {
    let tensors = values.into_iter().map(Value::Tensor);
    tensors.chain([Value::Token]).collect()
}
