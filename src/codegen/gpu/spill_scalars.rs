//! `--halo-spill-scalars`: spills loop-carried scalars of host loops to rank-0 buffers.
//!
//! The host of a GPU runs loops and conditionals around kernels without any computation. Kernels
//! read and write the loop-carried scalars, which are therefore stored in rank-0 buffers. Loops
//! with only scalar code run in one kernel and are not changed.
//!
//! ```mlir
//! %0 = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %start) -> f32 {
//!   linalg.generic ... outs(%x : memref<64xf32>) { ... %a ... }
//!   %next = arith.mulf %a, %a : f32
//!   scf.yield %next : f32
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! %buffer = memref.alloc() : memref<f32>
//! memref.store %start, %buffer[] : memref<f32>
//! scf.for %i = %c0 to %c8 step %c1 {
//!   %a = memref.load %buffer[] : memref<f32>
//!   linalg.generic ... outs(%x : memref<64xf32>) { ... %a ... }
//!   %next = arith.mulf %a, %a : f32
//!   memref.store %next, %buffer[] : memref<f32>
//! }
//! %0 = memref.load %buffer[] : memref<f32>
//! ```
//!
//! Canonicalization removes unused results of loops and of `scf.if`, such as a buffer that all
//! branches return. MLIR 22 has no such pattern for `scf.index_switch`: this pass removes them, so
//! that its branches have kernels.

use super::linalg_to_kernels::{is_parallel_loop, is_scatter};
use halo_ir::{ops::halo, prelude::*};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-spill-scalars",
    "Spill scalars of loops and conditionals around kernels to memory",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["memref", "scf"]);

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let is_unused = |result: &Value| result.is_unused();
    pass.for_each(
        |op| op.isa::<scf::IndexSwitchOp>() && op.results().iter().any(is_unused),
        |b, op| drop_unused_results(b, op),
    )?;
    pass.for_each(
        |op| passes_scalars(op) && is_around_kernels(op),
        |b, op| spill(b, op),
    )
}

fn is_control(op: Operation) -> bool {
    matches!(
        op.name(),
        scf::WhileOp::NAME | scf::ForOp::NAME | scf::IfOp::NAME | scf::IndexSwitchOp::NAME
    )
}

/// Returns true if a loop or conditional carries or returns only scalars.
fn passes_scalars(op: Operation) -> bool {
    let mut passed = op.results();
    if op.isa::<scf::WhileOp>() {
        passed.extend(op.operands());
    }
    let is_scalar = |value: &Value| !value.ty().is_memref() && !value.ty().is_tensor();
    is_control(op) && !passed.is_empty() && passed.iter().all(is_scalar)
}

/// Returns true if the host runs an op: it contains a kernel and is not inside one.
fn is_around_kernels(op: Operation) -> bool {
    let mut parent = op.parent();
    while let Some(around) = parent {
        if around.is_structured() || is_parallel_loop(around) {
            return false;
        }
        parent = around.parent();
    }
    let is_kernel = |inner: Operation| {
        inner.is_structured()
            || is_scatter(inner)
            || is_parallel_loop(inner)
            || matches!(
                inner.name(),
                gpu::LaunchOp::NAME
                    | halo::CustomCallOp::NAME
                    | halo::GemmOp::NAME
                    | memref::CopyOp::NAME
            )
    };
    !op.collect_nested(is_kernel).is_empty()
}

/// Rebuilds an op without results and carried values.
fn spill<'c>(b: &Builder<'c>, op: Operation<'c>) {
    let mut operands = op.operands();
    let results = match op.name() {
        scf::WhileOp::NAME => {
            let buffers = start(b, &operands);
            operands.clear();
            spill_while(b, op, &buffers)
        }
        scf::ForOp::NAME => {
            let buffers = start(b, &operands.split_off(3));
            if let Some(body) = op.body(0) {
                read_arguments(b, body, 1, &buffers);
                end_with_stores(b, body, 0, &buffers);
            }
            buffers
        }
        _ => {
            let buffers = op
                .results()
                .into_iter()
                .map(|result| memref::alloc_aligned(b, &[], result.ty()))
                .collect::<Vec<_>>();
            for region in 0..op.region_count() {
                if let Some(branch) = op.body(region) {
                    end_with_stores(b, branch, 0, &buffers);
                }
            }
            buffers
        }
    };
    rebuild(b, op, &operands, &[]);
    let loaded = results.iter().map(|buffer| memref::load(b, *buffer, &[])).collect::<Vec<_>>();
    b.replace(op, &loaded)
}

/// Inserts an op before another one, with its attributes and regions.
fn rebuild<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    operands: &[Value<'c>],
    results: &[Type<'c>],
) -> Operation<'c> {
    b.set_before(op);
    let mut spec = b.op(op.name()).operands(operands).results(results);
    for (name, attribute) in op.attributes() {
        spec = spec.attribute(name, attribute);
    }
    for region in 0..op.region_count() {
        spec = spec.region(op.take_region(region).unwrap_or_default());
    }
    spec.insert()
}

/// Rebuilds a conditional without the results that nothing uses.
fn drop_unused_results<'c>(b: &Builder<'c>, op: Operation<'c>) {
    let used = op.results().into_iter().map(|result| !result.is_unused()).collect::<Vec<_>>();
    let kept = |values: Vec<Value<'c>>| {
        values
            .into_iter()
            .zip(&used)
            .filter_map(|(value, used)| used.then_some(value))
            .collect::<Vec<_>>()
    };
    for region in 0..op.region_count() {
        if let Some(end) = op.body(region).and_then(Block::terminator) {
            end_with(b, end, &kept(end.operands()));
        }
    }
    let results = kept(op.results());
    let rebuilt = rebuild(b, op, &op.operands(), &results.types());
    for (old, new) in results.into_iter().zip(rebuilt.results()) {
        b.replace_uses(old, new);
    }
    b.erase(op)
}

/// Allocates buffers for values and stores them there.
fn start<'c>(b: &Builder<'c>, values: &[Value<'c>]) -> Vec<Value<'c>> {
    values
        .iter()
        .map(|value| {
            let buffer = memref::alloc_aligned(b, &[], value.ty());
            memref::store(b, *value, buffer, &[]);
            buffer
        })
        .collect()
}

/// Makes the regions of a loop use the buffers of its carried values. Returns the buffers of the
/// values that the condition forwards.
fn spill_while<'c>(b: &Builder<'c>, op: Operation<'c>, buffers: &[Value<'c>]) -> Vec<Value<'c>> {
    let (Some(before), Some(after)) = (op.body(0), op.body(1)) else {
        return Vec::new();
    };
    let carried = read_arguments(b, before, 0, buffers);
    b.set_before(op);
    let passed = before
        .terminator()
        .map(Operation::operands)
        .unwrap_or_default()
        .iter()
        .skip(1)
        .map(
            |value| match carried.iter().position(|other| other == value) {
                Some(number) => buffers[number],
                None => memref::alloc_aligned(b, &[], value.ty()),
            },
        )
        .collect::<Vec<_>>();
    end_with_stores(b, before, 1, &passed);
    read_arguments(b, after, 0, &passed);
    end_with_stores(b, after, 0, buffers);
    passed
}

/// Replaces the arguments of a block, from number `first` on, by loads from their buffers.
fn read_arguments<'c>(
    b: &Builder<'c>,
    block: Block<'c>,
    first: usize,
    buffers: &[Value<'c>],
) -> Vec<Value<'c>> {
    b.set_to_start(block);
    let arguments = block.arguments();
    let mut loaded = Vec::new();
    for (argument, buffer) in arguments.iter().skip(first).zip(buffers) {
        let value = memref::load(b, *buffer, &[]);
        argument.replace_uses_with(value);
        loaded.push(value);
    }
    for _ in first..arguments.len() {
        block.erase_argument(first);
    }
    loaded
}

/// Stores the operands of a terminator from number `first` on, and removes these operands. A value
/// loaded from the same buffer is not stored.
fn end_with_stores<'c>(b: &Builder<'c>, block: Block<'c>, first: usize, buffers: &[Value<'c>]) {
    let Some(end) = block.terminator() else {
        return;
    };
    b.set_before(end);
    let operands = end.operands();
    for (value, buffer) in operands.iter().skip(first).zip(buffers) {
        let is_there = value
            .defining_op()
            .is_some_and(|load| load.isa::<memref::LoadOp>() && load.operands() == [*buffer]);
        if !is_there {
            memref::store(b, *value, *buffer, &[]);
        }
    }
    end_with(b, end, &operands[..first]);
}

/// Replaces the operands of a terminator.
fn end_with<'c>(b: &Builder<'c>, end: Operation<'c>, operands: &[Value<'c>]) {
    b.set_before(end);
    b.at(end.location()).op(end.name()).operands(operands).insert();
    b.erase(end)
}
