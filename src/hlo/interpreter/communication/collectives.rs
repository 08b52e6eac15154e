//! Collectives: ops in which all processes of a group take part.
//!
//! Each has two steps: a process contributes its operands to the collective, and computes its
//! results from all contributions. `async_start` is the first step, `async_done` the second.
//!
//! `unsafe` is needed to read the op of a future.

use super::super::{
    body::Body,
    call::Call,
    evaluator::{Evaluated, Failure},
    slicing::{join, strided_slice},
    value::{Pending, RawOperation, Value},
};
use super::values::tensors;
use crate::communication::{collective, is_collective};
use crate::semantics::op::Op;
use halo_core::{Literal, Scalar};
use halo_ir::prelude::*;
use halo_runtime::communication::{Movement, Ticket};
use std::sync::Arc;

macro_rules! collectives {
    ($($(#[$doc:meta])* $name:ident)+) => {
        $(
            $(#[$doc])*
            pub fn $name(call: &Call) -> Evaluated {
                finish(call, start(call)?)
            }
        )+
    };
}

collectives! {
    /// Section `all_gather`.
    all_gather
    /// Section `all_reduce`.
    all_reduce
    /// Section `all_to_all`.
    all_to_all
    /// Section `collective_broadcast`.
    collective_broadcast
    /// Section `collective_permute`.
    collective_permute
    /// Section `collective_reduce`: processes other than the root get zeros.
    collective_reduce
    /// `cross-replica-sum`: `all_reduce` with addition.
    cross_replica_sum
    /// Section `reduce_scatter`.
    reduce_scatter
}

/// The first step: contributes the operands.
fn start(call: &Call) -> Result<Ticket, Failure> {
    let collective = collective(call.op)?;
    let process = &call.evaluator.process;
    let mut values = tensors(call.operands)?;
    if collective.has_dynamic_root {
        values.pop();
    }
    if collective.movement() == Movement::AllToAll {
        let count = collective.group(process)?.map_or(1, |group| group.len());
        let slices = values.iter().map(|value| sliced(call, value, count));
        values = slices.collect::<Result<_, _>>()?;
    }
    Ok(collective.start(process, &values)?)
}

/// The slices of an operand for `count` members, concatenated along a new first dimension.
fn sliced(call: &Call, operand: &Literal, count: usize) -> Result<Arc<Literal>, Failure> {
    let name = if call.op.isa::<stablehlo::AllToAllOp>() {
        let expected = call.op.integer("split_count")?;
        if expected != count as i64 {
            return Err(format!("splits {expected} ways in a group of {count}").into());
        }
        "split_dimension"
    } else {
        "scatter_dimension"
    };
    let split = dimension(call, name, operand)?;
    let parts = (0..count)
        .map(|number| {
            let part = part(operand, split, number, count)?;
            let dims: Vec<usize> = [&[1], part.dims()].concat();
            Ok(part.reshape(&dims)?)
        })
        .collect::<Result<Vec<_>, Failure>>()?;
    let parts: Vec<&Literal> = parts.iter().collect();
    Ok(Arc::new(join(&parts, 0)?))
}

/// The second step: waits for the others and computes the results.
fn finish(call: &Call, ticket: Ticket) -> Evaluated {
    let Some(met) = ticket.wait(&call.evaluator.process)? else {
        return zeros(call);
    };
    let (brought, place) = (met.members, met.place);
    if call.op.isa::<stablehlo::CollectivePermuteOp>() {
        let values = brought.first().ok_or("receives nothing")?;
        return Ok(values.iter().cloned().map(Value::Tensor).collect());
    }
    let gathered = |number: usize| -> Result<Vec<&Literal>, Failure> {
        brought
            .iter()
            .map(|values| {
                let value = values.get(number).ok_or("meets ops of fewer operands")?;
                Ok(&**value)
            })
            .collect()
    };
    let roots = root_operand(call)?;
    let count = call.operands.len() - usize::from(roots.is_some());
    let root = |number: usize| {
        let chosen = roots.map_or(0, |roots| {
            roots.get_i128(number.min(roots.element_count() - 1))
        });
        usize::try_from(chosen)
            .ok()
            .filter(|root| *root < brought.len())
            .ok_or_else(|| {
                Failure::from(format!("has root {chosen} in a group of {}", brought.len()))
            })
    };
    (0..count)
        .map(|number| {
            let parts = gathered(number)?;
            let result = match call.op.name() {
                stablehlo::AllGatherOp::NAME => {
                    join(&parts, dimension(call, "all_gather_dim", parts[0])?)?
                }
                stablehlo::AllToAllOp::NAME => {
                    join(&parts, dimension(call, "concat_dimension", parts[0])?)?
                }
                stablehlo::CollectiveBroadcastOp::NAME => parts[root(number)?].clone(),
                stablehlo::CollectiveReduceOp::NAME if root(number)? != place => {
                    Literal::try_zeros(reduce(call, &parts)?.shape().clone())?
                }
                _ => reduce(call, &parts)?,
            };
            Ok(result.into())
        })
        .collect()
}

/// The operand with the roots, if there is one: for each data operand, the position of its root in
/// the group.
fn root_operand<'a>(call: &Call<'a, '_, '_>) -> Result<Option<&'a Literal>, Failure> {
    if call.op.flag("has_dynamic_root") {
        let roots = call.tensor(call.operands.len() - 1)?;
        match roots.element_count() {
            0 => Err("names no root".into()),
            _ => Ok(Some(roots)),
        }
    } else {
        Ok(None)
    }
}

fn dimension(call: &Call, name: &str, operand: &Literal) -> Result<usize, Failure> {
    call.dimension(name, operand.shape().rank())
}

fn zeros(call: &Call) -> Evaluated {
    let count = call.operands.len() - usize::from(root_operand(call)?.is_some());
    (0..count)
        .map(|number| Ok(Literal::try_zeros(call.tensor(number)?.shape().clone())?.into()))
        .collect()
}

/// One of `count` equal parts along a dimension.
fn part(
    operand: &Literal,
    dimension: usize,
    number: usize,
    count: usize,
) -> Result<Literal, Failure> {
    let size = operand.dims()[dimension];
    if !size.is_multiple_of(count) {
        return Err(format!(
            "cannot split dimension {dimension} of {} by {count}",
            operand.shape()
        )
        .into());
    }
    let rank = operand.shape().rank();
    let mut start = vec![0; rank];
    let mut limit: Vec<i64> = operand.dims().iter().map(|dim| *dim as i64).collect();
    start[dimension] = (number * (size / count)) as i64;
    limit[dimension] = start[dimension] + (size / count) as i64;
    strided_slice(operand, &start, &limit, &vec![1; rank])
}

/// Combines the operands element by element, in the order of the group.
fn reduce(call: &Call, operands: &[&Literal]) -> Result<Literal, Failure> {
    let element = call.result_element(0)?;
    let body = if call.op.isa::<stablehlo::CrossReplicaSumOp>() {
        None
    } else {
        Some(Body::new(call, 0, vec![element; 2]))
    };
    let mut result = operands[0].convert(element)?;
    for operand in &operands[1..] {
        if operand.dims() != result.dims() {
            return Err(format!("meets {} and {}", result.shape(), operand.shape()).into());
        }
        for position in 0..result.element_count() {
            let pair = [result.get(position), operand.get(position)];
            let value = match &body {
                Some(body) => *body.apply(&pair)?.first().ok_or("has a body without a result")?,
                None => sum(pair),
            };
            result.set(position, value);
        }
    }
    Ok(result)
}

fn sum([left, right]: [Scalar; 2]) -> Scalar {
    match (left, right) {
        (Scalar::Bool(left), right) => (left | right.to_bool()).into(),
        (Scalar::Int(left), right) => (left + right.to_i128()).into(),
        (Scalar::Float(left), right) => (left + right.to_f64()).into(),
        (Scalar::Complex(left), right) => (left + right.to_complex()).into(),
    }
}

/// Section `async_start`: the first step of the collective in its body. Any other body is evaluated
/// immediately.
pub fn async_start(call: &Call) -> Evaluated {
    let pending = match single_collective(call) {
        Some(collective) => {
            let inner = Call {
                op: Op::Built(collective),
                ..*call
            };
            Pending::Started {
                ticket: start(&inner)?,
                collective: raw(collective),
                operands: call.operands.to_vec(),
            }
        }
        None => Pending::Done(call.region(0, call.operands)?),
    };
    Ok(vec![Value::Future(Arc::new(pending))])
}

fn raw(operation: Operation) -> RawOperation {
    RawOperation(operation.to_raw())
}

/// The collective in the body of an `async_start`, if the body only applies it to its arguments and
/// returns its results.
fn single_collective<'c>(call: &Call<'_, '_, 'c>) -> Option<Operation<'c>> {
    let block = call.op.block(0)?;
    let [collective, terminator] = block.operations()[..] else {
        return None;
    };
    let same = |left: &[halo_ir::Value], right: &[halo_ir::Value]| {
        left.len() == right.len() && left.iter().zip(right).all(|(l, r)| l.key() == r.key())
    };
    let arguments = block.arguments();
    let returned = terminator.operands();
    (is_collective(collective.name())
        && same(&collective.operands(), &arguments)
        && same(&returned, &collective.results()))
    .then_some(collective)
}

/// Section `async_done`: the second step of the collective.
pub fn async_done(call: &Call) -> Evaluated {
    let Value::Future(pending) = call.operand(0)? else {
        return Err("expects a future".into());
    };
    match &**pending {
        Pending::Done(values) => Ok(values.clone()),
        Pending::Started {
            ticket,
            collective,
            operands,
        } => {
            // SAFETY: The op belongs to the module that is being evaluated.
            let operation = unsafe { melior::ir::OperationRef::from_raw(collective.0) };
            let inner = Call {
                op: Op::Built(operation),
                operands,
                evaluator: call.evaluator,
                scope: call.scope,
            };
            finish(&inner, ticket.clone())
        }
    }
}
