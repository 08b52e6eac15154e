//! `--halo-expand-communication`: lowers communication to ops of the dialect `halo`.
//!
//! This makes backends independent of communication: each communicating op becomes ops of `halo`,
//! which are later lowered to runtime calls ([`halo_runtime::communication::calls`]), and ordinary
//! ops for the computation. A collective is started, which returns a ticket; then the process waits
//! for its group, reads each member's contribution in a loop, and ends. So the group may have any
//! size, even a dynamic one, and ordinary ops in the loop handle every body, element type and
//! dimension. `async_start` is the start, `async_done` the remaining steps.
//!
//! If each member needs only a part of another one's operand, operands are contributed in slices
//! along a new first dimension, so that no more is sent: for `all_to_all`, `reduce_scatter`, and an
//! `all_reduce` of 32 KiB and more among three members or more, which reduces a part on each member
//! and gathers the parts.
//!
//! ```mlir
//! %0 = "stablehlo.all_reduce"(%x) ({
//! ^bb0(%p: tensor<f32>, %q: tensor<f32>):
//!   %s = stablehlo.add %p, %q : tensor<f32>
//!   stablehlo.return %s : tensor<f32>
//! }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %t = halo.collective_start "stablehlo.all_reduce"(%x) {channel = 0 : i64,
//!        grouping = #halo.grouping<cross_replica>, groups = [array<i64: 0, 1>]} : tensor<4xf32>
//! %place, %size = halo.collective_wait "stablehlo.all_reduce" %t
//! %first = halo.collective_member "stablehlo.all_reduce" %t[%zero] : tensor<4xf32>
//! %r:2 = stablehlo.while(%i = %one, %sum = %first) : tensor<i64>, tensor<4xf32>
//! cond {
//!   %more = stablehlo.compare LT, %i, %size : (tensor<i64>, tensor<i64>) -> tensor<i1>
//!   stablehlo.return %more : tensor<i1>
//! } do {
//!   %y = halo.collective_member "stablehlo.all_reduce" %t[%i] : tensor<4xf32>
//!   %next = "stablehlo.map"(%sum, %y) ({ ... }) : ...
//!   ...
//! }
//! halo.collective_end "stablehlo.all_reduce" %t
//! ```
//!
//! `send`, `recv`, `infeed`, `outfeed` and `run_parallel` become one op each.
//! `--halo-flatten-tuples` removes the tokens.

mod asynchronous;
mod collectives;
mod slices;

use crate::{
    communication::{group_attribute, is_collective, transfer},
    semantics::op::Op,
};
use halo_ir::{
    ops::{halo, interpreter},
    prelude::*,
};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-expand-communication",
    "Expand communication between processes to ops of halo and loops",
    run,
)
.dependent_dialects(&["halo", "stablehlo"]);

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let root = pass.operation();
    // An op whose body contains an expanded op is visited before that op.
    for op in root.collect_nested(|op| op.isa::<stablehlo::AsyncStartOp>()) {
        expand_one(op, asynchronous::expand)?;
    }
    for op in root.collect_nested(|op| expansion(op.name()).is_some()) {
        if let Some(expand) = expansion(op.name()) {
            expand_one(op, expand)?;
        }
    }
    Ok(())
}

type Expand = for<'c> fn(&Builder<'c>, Operation<'c>) -> RewriteResult;

fn expand_one<'c>(op: Operation<'c>, expand: Expand) -> Result<(), PassFailure> {
    let (name, location) = (op.name().to_owned(), op.location());
    with_builder(op, |b| expand(b, op)).map_err(|error| {
        let message = match error {
            RewriteError::Invalid(message) => message,
            error => error.to_string(),
        };
        emit_error(location, &format!("'{name}' op {message}"));
        PassFailure
    })
}

/// The expansion function for an op name.
fn expansion(name: &str) -> Option<Expand> {
    Some(match name {
        stablehlo::SendOp::NAME => send,
        stablehlo::RecvOp::NAME => recv,
        stablehlo::InfeedOp::NAME => infeed,
        stablehlo::OutfeedOp::NAME => outfeed,
        interpreter::RunParallelOp::NAME => run_parallel,
        name if is_collective(name) => collectives::expand,
        _ => return None,
    })
}

/// The channel of a transfer, and the pairs of processes.
fn channel_and_pairs(op: Operation) -> RewriteResult<(i64, Vec<Vec<i64>>)> {
    let transfer = transfer(Op::Built(op)).map_err(RewriteError::Invalid)?;
    Ok((transfer.channel, group_attribute(&transfer)))
}

fn send<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let (channel, pairs) = channel_and_pairs(op)?;
    let (inputs, types) = (op.operands(), op.result_types());
    let sent = halo::send(b, &inputs, channel, &slices(&pairs), &types);
    b.replace(op, &sent.tokens());
    Ok(())
}

fn recv<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let (channel, pairs) = channel_and_pairs(op)?;
    let (tokens, types) = (op.operands(), op.result_types());
    let received = halo::recv(b, &tokens, channel, &slices(&pairs), &types);
    b.replace(op, &received.results());
    Ok(())
}

fn infeed<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let fed = halo::infeed(b, &op.operands(), &op.result_types());
    b.replace(op, &fed.results());
    Ok(())
}

fn outfeed<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let fed = halo::outfeed(b, &op.operands(), &op.result_types());
    b.replace(op, &fed.tokens());
    Ok(())
}

fn slices<T>(rows: &[Vec<T>]) -> Vec<&[T]> {
    rows.iter().map(Vec::as_slice).collect()
}

/// The functions become separate programs, so symbols become strings.
fn run_parallel<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let run = interpreter::RunParallelOp::from_unchecked(op);
    let (inputs, types) = (op.operands(), op.result_types());
    let parallel = halo::RunParallelOp::build(b, &inputs, &slices(&run.programs()), &types)
        .maybe(run.infeed().as_deref(), |parallel, names| {
            parallel.infeed(names)
        })
        .insert();
    b.replace(op, &parallel.results());
    Ok(())
}
