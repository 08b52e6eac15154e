//! `--halo-expand-communication`: what processes say to one another, as calls of
//! the runtime.
//!
//! Backends need not know how processes meet: each op that communicates becomes
//! custom calls, whose names and meanings [`halo_runtime::communication::calls`]
//! has, and ordinary ops for what is computed. A collective is started, which
//! gives a ticket; then the process waits for its group, takes what each member
//! brought in a loop, and ends. So the group may have any size, also one that
//! is known only when the program runs, and every body, element type and
//! dimension is the matter of the ops in the loop. `async_start` is the start,
//! `async_done` the rest.
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
//! %t = stablehlo.custom_call @halo.collective_start(%x) {backend_config =
//!        "stablehlo.all_reduce channel=0 grouping=cross_replica rows=0,1"}
//!        : (tensor<4xf32>) -> tensor<i64>
//! %place, %size = stablehlo.custom_call @halo.collective_wait(%t) : ...
//! %first = stablehlo.custom_call @halo.collective_member(%t, %zero) : ...
//! %r:2 = stablehlo.while(%i = %one, %sum = %first) : tensor<i64>, tensor<4xf32>
//! cond {
//!   %more = stablehlo.compare LT, %i, %size : (tensor<i64>, tensor<i64>) -> tensor<i1>
//!   stablehlo.return %more : tensor<i1>
//! } do {
//!   %y = stablehlo.custom_call @halo.collective_member(%t, %i) : ...
//!   %next = "stablehlo.map"(%sum, %y) ({ ... }) : ...
//!   ...
//! }
//! stablehlo.custom_call @halo.collective_end(%t) : (tensor<i64>) -> ()
//! ```
//!
//! `replica_id`, `partition_id`, `send`, `recv`, `infeed`, `outfeed`, and what a
//! program tells the interpreter, `run_parallel` among it, are one call each.
//! Tokens stay, for `--halo-flatten-tuples` to remove.

mod asynchronous;
mod collectives;

use crate::{
    communication::{is_collective, transfer},
    semantics::op::Op,
};
use halo_ir::ops::{Op as _, OperationExt, check, interpreter, stablehlo};
use halo_ir::pass::{PassDeclaration, PassFailure, PassInvocation, emit_error};
use halo_ir::{
    Builder, Operation, RewriteError, RewriteResult, Type, Value, attribute_list, attribute_of,
    collect_operations, integer_attribute_value, name_of, operands_of, result_types_of,
    string_attribute, string_value, symbol_value, with_builder,
};
use halo_runtime::communication::{
    calls,
    run_parallel::{Programs, RUN_PARALLEL},
};
use melior::ir::operation::OperationLike;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration {
    argument: "halo-expand-communication",
    summary: "Express communication between processes by calls of the runtime",
    anchor: "",
    dependent_dialects: &["stablehlo"],
    options: &[],
    run,
};

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let root = pass.operation();
    // What has an op in its body that is expanded comes before that op.
    for op in collect_operations(root, |op| op.isa::<stablehlo::AsyncStartOp>()) {
        expand_one(op, asynchronous::expand)?;
    }
    for op in collect_operations(root, |op| expansion(name_of(op)).is_some()) {
        if let Some(expand) = expansion(name_of(op)) {
            expand_one(op, expand)?;
        }
    }
    Ok(())
}

type Expand = for<'c> fn(&Builder<'c>, Operation<'c>) -> RewriteResult;

fn expand_one<'c>(op: Operation<'c>, expand: Expand) -> Result<(), PassFailure> {
    let (name, location) = (name_of(op).to_owned(), op.location());
    with_builder(op, |b| expand(b, op)).map_err(|error| {
        let message = match error {
            RewriteError::Invalid(message) => message,
            error => error.to_string(),
        };
        emit_error(location, &format!("'{name}' op {message}"));
        PassFailure
    })
}

/// What makes other ops of an op of this name.
fn expansion(name: &str) -> Option<Expand> {
    Some(match name {
        stablehlo::ReplicaIdOp::NAME => |b, op| forward(b, op, calls::REPLICA_ID, "", false),
        stablehlo::PartitionIdOp::NAME => |b, op| forward(b, op, calls::PARTITION_ID, "", false),
        stablehlo::SendOp::NAME => |b, op| transferred(b, op, calls::SEND),
        stablehlo::RecvOp::NAME => |b, op| transferred(b, op, calls::RECV),
        stablehlo::InfeedOp::NAME => |b, op| forward(b, op, calls::INFEED, "", true),
        stablehlo::OutfeedOp::NAME => |b, op| forward(b, op, calls::OUTFEED, "", true),
        interpreter::PrintOp::NAME => |b, op| forward(b, op, calls::PRINT, "", true),
        interpreter::ProbeOp::NAME => probe,
        interpreter::RunParallelOp::NAME => run_parallel,
        check::ExpectSerializedEqOp::NAME => expect_serialized_eq,
        name if is_collective(name) => collectives::expand,
        _ => return None,
    })
}

/// A call of the runtime.
fn call<'c>(
    b: &Builder<'c>,
    target: &str,
    config: &str,
    operands: &[Value<'c>],
    results: &[Type<'c>],
) -> Result<Vec<Value<'c>>, RewriteError> {
    call_with(b, target, config, true, operands, results)
}

fn call_with<'c>(
    b: &Builder<'c>,
    target: &str,
    config: &str,
    has_side_effect: bool,
    operands: &[Value<'c>],
    results: &[Type<'c>],
) -> Result<Vec<Value<'c>>, RewriteError> {
    let call = stablehlo::CustomCallOp::build(b, operands, target, results)
        .has_side_effect(has_side_effect)
        .backend_config(string_attribute(b.context(), config))
        .insert()?;
    Ok(call.results())
}

/// One call with the op's operands and results.
fn forward<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    target: &str,
    config: &str,
    has_side_effect: bool,
) -> RewriteResult {
    let (operands, results) = (operands_of(op), result_types_of(op));
    let values = call_with(b, target, config, has_side_effect, &operands, &results)?;
    b.replace(op, &values)?;
    Ok(())
}

fn transferred<'c>(b: &Builder<'c>, op: Operation<'c>, target: &str) -> RewriteResult {
    let config = transfer(Op::Built(op)).map_err(RewriteError::Invalid)?;
    forward(b, op, target, &config.to_string(), true)
}

fn probe_id<'c>(op: Operation<'c>) -> Result<&'c str, RewriteError> {
    let name = attribute_of(op, "probe_id").and_then(string_value);
    name.ok_or_else(|| RewriteError::Invalid("has no attribute 'probe_id'".into()))
}

fn probe<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let operands = operands_of(op);
    let config = format!("probe {}", probe_id(op)?);
    call(b, calls::PROBE, &config, &operands, &[])?;
    b.replace(op, &operands)?;
    Ok(())
}

fn expect_serialized_eq<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let run = attribute_of(op, "iter").and_then(integer_attribute_value);
    let config = format!("{} {}", run.unwrap_or(0), probe_id(op)?);
    forward(b, op, calls::EXPECT_SERIALIZED_EQ, &config, true)
}

/// The functions are programs of their own, which the backend compiles when it
/// finds the call.
fn run_parallel<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let names = |list| -> Result<Vec<String>, RewriteError> {
        let names = attribute_list(list).into_iter().filter_map(symbol_value);
        names
            .map(|name| match name.contains('\n') {
                true => Err(RewriteError::Invalid(format!(
                    "runs {name:?}, and names of programs are on one line"
                ))),
                false => Ok(name.to_owned()),
            })
            .collect()
    };
    let rows = attribute_of(op, "programs").map(attribute_list);
    let infeed = attribute_of(op, "infeed");
    let programs = Programs {
        rows: (rows.unwrap_or_default().into_iter())
            .map(names)
            .collect::<Result<_, _>>()?,
        infeed: infeed.map_or(Ok(Vec::new()), names)?,
    };
    forward(b, op, RUN_PARALLEL, &programs.to_string(), true)
}
