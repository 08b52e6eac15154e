//! `--halo-decompose-all-reduces`: decomposes large all_reduces.
//!
//! Among three members or more, an `all_reduce` of 32 KiB and more becomes a `reduce_scatter` and
//! an `all_gather`: a member sends `2 (n - 1) / n` of its operand instead of `n - 1` times it.
//! `--halo-asynchronous-collectives` can overlap each of the two exchanges with computation.
//! Elements are combined in the order of the members as before, so results have the same bits.
//!
//! ```mlir
//! %0 = "stablehlo.all_reduce"(%a) ({ add }) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}
//!     : (tensor<100x100xf32>) -> tensor<100x100xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = stablehlo.reshape %a : (tensor<100x100xf32>) -> tensor<10000xf32>
//! %1 = stablehlo.pad %0, %zero, low = [0], high = [2], interior = [0] : ... -> tensor<10002xf32>
//! %2 = "stablehlo.reduce_scatter"(%1) ({ add }) {scatter_dimension = 0 : i64, ...} : (tensor<10002xf32>) -> tensor<3334xf32>
//! %3 = "stablehlo.all_gather"(%2) {all_gather_dim = 0 : i64, ...} : (tensor<3334xf32>) -> tensor<10002xf32>
//! %4 = stablehlo.slice %3 [0:10000] : (tensor<10002xf32>) -> tensor<10000xf32>
//! %5 = stablehlo.reshape %4 : (tensor<10000xf32>) -> tensor<100x100xf32>
//! ```
//!
//! The elements of several operands are concatenated. An `all_reduce` that is started by an
//! `async_start` of the program is not decomposed here, but by `--halo-expand-communication`, and
//! so is a `cross_replica_sum`.

use crate::communication::{collective, parts_of_reduction};
use crate::semantics::op::Op;
use halo_ir::prelude::*;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-decompose-all-reduces",
    "Make a reduce_scatter and an all_gather of each large all_reduce",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["stablehlo"]);

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let module = pass.operation();
    for op in module.collect_nested(|op| op.isa::<stablehlo::AllReduceOp>()) {
        let is_started = op.parent().is_some_and(|parent| parent.isa::<stablehlo::AsyncStartOp>());
        let collective = collective(Op::Built(op)).ok();
        let parts = collective.and_then(|collective| parts_of_reduction(op, &collective));
        if let Some(parts) = parts.filter(|_| !is_started && is_of_one_type(op)) {
            with_builder(op, |b| decompose(&b.at(op.location()), op, parts as i64))
                .map_err(|error| PassFailure::internal(op, error))?;
        }
    }
    Ok(())
}

/// Returns true if operands, and results, have the same element type.
fn is_of_one_type(op: Operation) -> bool {
    let operands = op.operands().into_iter().map(|operand| operand.ty());
    let is_one = |types: Vec<Type>| types.windows(2).all(|pair| pair[0] == pair[1]);
    is_one(operands.map(Type::element_type).collect())
        && is_one(op.result_types().into_iter().map(Type::element_type).collect())
}

fn decompose<'c>(b: &Builder<'c>, op: Operation<'c>, parts: i64) -> RewriteResult {
    let reduce = op.cast::<stablehlo::AllReduceOp>();
    let reduce = reduce.ok_or_else(|| no_match("no all_reduce"))?;
    let types = op.result_types();
    let result = types.first().ok_or_else(|| no_match("no results"))?.element_type();
    let (flat, sizes) = flattened(b, &op.operands())?;
    let elements: i64 = sizes.iter().sum();
    let part = (elements + parts - 1) / parts;
    let element = flat.ty().element_type();
    let padded = match part * parts - elements {
        0 => flat,
        missing => {
            let zero = stablehlo::number(b, tensor_type(&[], element), 0.0)?;
            stablehlo::pad(b, flat, zero, &[0], &[missing], &[0])
        }
    };
    let body = op.body(0).ok_or_else(|| no_match("no body"))?;
    let arguments = body.arguments().types();
    let region = stablehlo::region(b, &arguments, |b, arguments| b.clone_body(body, arguments));
    let (groups, channel) = (reduce.replica_groups(), reduce.channel_handle());
    let own = tensor_type(&[part], result);
    let scatter = stablehlo::ReduceScatterOp::build(b, padded, 0, groups, own, region)
        .maybe(channel.as_ref(), |op, channel| op.channel_handle(channel))
        .use_global_device_ids(reduce.use_global_device_ids())
        .insert();
    let whole = tensor_type(&[part * parts], result);
    let gather = stablehlo::AllGatherOp::build(b, &[scatter.result()], 0, groups, &[whole])
        .maybe(channel.as_ref(), |op, channel| op.channel_handle(channel))
        .use_global_device_ids(reduce.use_global_device_ids())
        .insert();
    let gathered = gather.results()[0];
    let mut start = 0;
    let mut results = Vec::with_capacity(types.len());
    for (size, ty) in sizes.into_iter().zip(types) {
        let value = stablehlo::vector_part(b, gathered, start, start + size);
        results.push(stablehlo::reshape(b, value, ty));
        start += size;
    }
    b.replace(op, &results);
    Ok(())
}

/// The concatenated elements of values, and the number of elements of each.
fn flattened<'c>(b: &Builder<'c>, values: &[Value<'c>]) -> RewriteResult<(Value<'c>, Vec<i64>)> {
    let mut lines = Vec::with_capacity(values.len());
    let mut sizes = Vec::with_capacity(values.len());
    for value in values {
        let ty = value.ty();
        let shape = ty.static_shape().ok_or_else(|| no_match("no static sizes"))?;
        let size = shape.iter().product();
        let line = tensor_type(&[size], ty.element_type());
        lines.push(stablehlo::reshape(b, *value, line));
        sizes.push(size);
    }
    let flat = match lines[..] {
        [line] => line,
        _ => stablehlo::concatenate(b, &lines, 0),
    };
    Ok((flat, sizes))
}
