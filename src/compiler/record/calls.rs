//! The calls of the entry after the phase `kernels`, and the called kernels.

use super::{CallKind, CallPurpose, CompilationRecord, Kernel, KernelCall, Node, stamps::Stamp};
use halo_codegen::{
    instrument_kernels::{callers, touched_bytes},
    loops::sizes::size_in_bytes,
};
use halo_ir::{
    diagnostics::file_line_column,
    ops::halo::{CustomCallOp, ENTRY, KERNEL, ParallelCallOp},
    prelude::*,
};
use halo_runtime::run_observer::{COPY, KERNEL_END, KERNEL_START};

use std::collections::BTreeMap;

/// The functions of a module that are kernels, by name.
type Functions<'c> = BTreeMap<String, Operation<'c>>;

/// Adds the calls and kernels of a module to a record that has its nodes and its arena.
pub fn add(record: &mut CompilationRecord, module: Operation) {
    let functions = module.body(0).map(Block::operations).unwrap_or_default();
    let entry = functions.iter().find(|op| op.has_attribute(ENTRY));
    let entry = entry.or_else(|| functions.iter().find(|op| op.isa::<func::FuncOp>()));
    let Some(entry) = entry.copied() else {
        return;
    };
    let kernels = kernels(module);
    let mut times = Vec::new();
    for op in entry.collect_nested(|_| true) {
        let Some(called) = called(op, &kernels) else {
            continue;
        };
        let mut call = call(op, entry, called, &kernels);
        call.nodes.retain(|node| (*node as usize) < record.nodes.len());
        call.kernel = (call.kind == CallKind::Kernel)
            .then(|| kernel_number(record, &call.name))
            .flatten();
        record.calls.push(call);
        let time = Stamp::Time.numbers(op.location()).into_iter().next();
        times.push(time.map_or(0, u64::from));
    }
    if let Some(arena) = &mut record.arena {
        arena.call_times = times;
    }
    count_flops(&record.nodes, &mut record.calls);
}

/// The index of a kernel, which is added if it is new.
fn kernel_number(record: &mut CompilationRecord, name: &str) -> Option<u32> {
    let known = record.kernels.iter().position(|kernel| kernel.name == name);
    let number = known.unwrap_or_else(|| {
        record.kernels.push(Kernel {
            name: name.to_owned(),
            ..Kernel::default()
        });
        record.kernels.len() - 1
    });
    u32::try_from(number).ok()
}

fn call(
    op: Operation,
    entry: Operation,
    (kind, name): (CallKind, String),
    kernels: &Functions,
) -> KernelCall {
    let function = kernels.get(&name).copied();
    let callers = callers(op.location()).into_iter();
    KernelCall {
        kind,
        purpose: purpose(op, kind, (&name, function)),
        kernel: None,
        location: file_line_column(op.location()).unwrap_or_default(),
        callers: callers.filter_map(file_line_column).collect(),
        nodes: Stamp::Node.numbers(op.location()).into_iter().collect(),
        bytes: if kind == CallKind::Function {
            function_bytes(op)
        } else {
            touched_bytes(op, function).and_then(|bytes| u64::try_from(bytes).ok())
        },
        count: count(op, entry),
        name,
        ..KernelCall::default()
    }
}

fn purpose(
    op: Operation,
    kind: CallKind,
    (name, function): (&str, Option<Operation>),
) -> CallPurpose {
    match function {
        Some(_) if name.contains("_pack_") => CallPurpose::Pack,
        Some(function) if does_arithmetic(function) => CallPurpose::Compute,
        Some(function) if !reads_memory(function) => CallPurpose::Fill,
        None if kind == CallKind::Function => CallPurpose::Compute,
        None if op.name() == "gpu.memset" => CallPurpose::Fill,
        _ => CallPurpose::Move,
    }
}

/// Distributes the operations of nodes over calls. Calls that fill, move or pack have none. A
/// product is divided among the calls that compute it; other nodes count for each of their calls.
fn count_flops(nodes: &[Node], calls: &mut [KernelCall]) {
    let mut of_nodes: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for (number, call) in calls.iter().enumerate() {
        for node in call.nodes.iter().map(|node| *node as usize) {
            if call.purpose == CallPurpose::Compute {
                of_nodes[node].push(number);
            }
        }
    }
    for (node, of_node) in nodes.iter().zip(of_nodes) {
        let runs: u64 = of_node.iter().map(|call| calls[*call].count.max(1)).sum();
        for call in of_node {
            let call = &mut calls[call];
            let parts = if node.parent.is_some() {
                // The trip count of the loop around the node is unknown.
                1
            } else if is_product(&node.name) {
                runs
            } else {
                call.count.max(1)
            };
            call.flops = call.flops.saturating_add(node.flops / parts);
            let transcendentals = node.transcendentals / parts;
            call.transcendentals = call.transcendentals.saturating_add(transcendentals);
        }
    }
}

fn is_product(name: &str) -> bool {
    matches!(
        name,
        "stablehlo.dot_general" | "stablehlo.dot" | "stablehlo.convolution"
    )
}

/// Returns true if a kernel computes on elements, and not only on indices.
fn does_arithmetic(kernel: Operation) -> bool {
    let computes = |op: Operation| {
        let name = op.name();
        let of_numbers = || {
            let results = op.results();
            results.first().is_some_and(|result| !result.ty().element_type().is_index())
        };
        match name.split_once('.') {
            Some(("math" | "complex" | "amx" | "nvgpu", _)) => true,
            Some(("arith", kind)) => {
                !kind.starts_with("constant") && !kind.starts_with("cmp") && of_numbers()
            }
            Some(("vector", "fma" | "contract" | "reduction" | "outerproduct")) => true,
            Some(("llvm", "call_intrinsic")) => true,
            Some(("gpu", kind)) => kind.starts_with("subgroup_mma_compute"),
            _ => false,
        }
    };
    !kernel.collect_nested(computes).is_empty()
}

/// Returns true if a kernel reads elements of buffers.
fn reads_memory(kernel: Operation) -> bool {
    let reads = |op: Operation| {
        let is_taken = |value: &Value| value.ty().is_memref();
        let has_elements = |value: &Value| !value.ty().is_memref() && !value.ty().is_index();
        op.operands().iter().any(is_taken) && op.results().iter().any(has_elements)
            || op.name() == "memref.copy"
    };
    !kernel.collect_nested(reads).is_empty()
}

fn kernels(module: Operation<'_>) -> Functions<'_> {
    let functions =
        module.collect_nested(|op| op.has_attribute(KERNEL) || op.isa::<gpu::GPUFuncOp>());
    let named = |function: Operation<'_>| {
        let name = function.attribute("sym_name").and_then(Attribute::string_value);
        name.map(str::to_owned)
    };
    let functions = functions.into_iter();
    functions.filter_map(|function| Some((named(function)?, function))).collect()
}

/// The callee of an op of the entry, if the op is a call.
fn called(op: Operation, kernels: &Functions) -> Option<(CallKind, String)> {
    if let Some(call) = op.cast::<ParallelCallOp>() {
        return Some((CallKind::Kernel, call.callee().to_owned()));
    }
    if let Some(call) = op.cast::<func::CallOp>() {
        let name = call.callee();
        return kernels.contains_key(name).then(|| (CallKind::Kernel, name.to_owned()));
    }
    if op.isa::<gpu::LaunchFuncOp>() {
        let path = op.attribute("kernel").and_then(Attribute::symbol_path)?;
        return Some((CallKind::Kernel, (*path.last()?).to_owned()));
    }
    if let Some(call) = op.cast::<CustomCallOp>() {
        let target = call.target();
        let is_measurement = [KERNEL_START, KERNEL_END].contains(&target);
        return (!is_measurement).then(|| (CallKind::Function, target.to_owned()));
    }
    let name = op.name();
    if matches!(name, "memref.copy" | "gpu.memcpy" | "gpu.memset") {
        return Some((CallKind::Copy, COPY.to_owned()));
    }
    name.starts_with("halo.").then(|| (CallKind::Function, name.to_owned()))
}

/// The bytes of all buffer arguments of a function.
fn function_bytes(op: Operation) -> Option<u64> {
    let buffers = op.operands().into_iter().map(|value| value.ty());
    buffers
        .filter(|of| of.is_memref())
        .try_fold(0_u64, |sum, of| sum.checked_add(size_in_bytes(of)?))
}

/// The execution count of an op, if all enclosing loops have known trip counts.
fn count(op: Operation, entry: Operation) -> u64 {
    let mut count = 1_u64;
    let mut parent = op.parent();
    while let Some(around) = parent.filter(|around| around.is_inside(entry)) {
        if let Some(iterations) = iterations(around) {
            count = count.saturating_mul(iterations);
        }
        parent = around.parent();
    }
    count
}

/// The trip count of a loop with constant bounds.
fn iterations(op: Operation) -> Option<u64> {
    let [lower, upper, step] = op.operands().get(..3)?.try_into().ok()?;
    if !op.isa::<scf::ForOp>() {
        return None;
    }
    let [lower, upper, step] = [lower, upper, step].map(arith::constant_index);
    let (length, step) = (upper?.checked_sub(lower?)?, step.filter(|step| *step > 0)?);
    u64::try_from(length).ok().map(|length| length.div_ceil(step as u64))
}
