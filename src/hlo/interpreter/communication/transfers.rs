//! Sections `infeed`, `outfeed`, `send` and `recv`.

use super::super::{call::Call, evaluator::Evaluated, value::Value};
use super::values::{tensors, with_token};
use crate::communication::transfer;

/// Section `infeed`: the next values of the queue, which `run_parallel` or the
/// application fills.
pub fn infeed(call: &Call) -> Evaluated {
    let process = &call.evaluator.process;
    Ok(with_token(process.cluster.infeed(process.number())?))
}

/// Section `outfeed`: appends to the queue, which the application may read.
pub fn outfeed(call: &Call) -> Evaluated {
    let values = tensors(call.operands)?;
    call.evaluator.process.cluster.outfeed(values);
    Ok(vec![Value::Token])
}

/// Section `send`: to any receiver on the channel, or to the processes that this one is paired
/// with.
pub fn send(call: &Call) -> Evaluated {
    let values = tensors(call.operands)?;
    transfer(call.op)?.send(&call.evaluator.process, &values)?;
    Ok(vec![Value::Token])
}

/// Section `recv`.
pub fn recv(call: &Call) -> Evaluated {
    let values = transfer(call.op)?.receive(&call.evaluator.process)?;
    Ok(with_token(values))
}
