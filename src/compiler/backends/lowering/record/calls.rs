//! The calls that the entry makes behind the phase `kernels`, and the kernels that it calls.

use super::{
    call_buffers::{Entry, buffers},
    stamps::Stamp,
};
use halo_codegen::{
    instrument_kernels::{callers, touched_bytes},
    loops::sizes::size_in_bytes,
};
use halo_ir::{
    Operation, Value, attribute_of, block_argument, body_of, collect_operations,
    diagnostics::file_line_column,
    element_type, is_index, is_inside, is_memref, name_of, operands_of, operations_of,
    ops::{
        OperationExt, arith, func, gpu,
        halo::{CustomCallOp, ENTRY, KERNEL, ParallelCallOp},
        scf,
    },
    parent_operation, results_of, string_value, symbol_path,
};
use halo_runtime::{
    compilation_record::{
        CallKind, CallPurpose, CompilationRecord, Kernel, KernelCall, Loop, Tasks,
    },
    run_observer::{COPY, KERNEL_END, KERNEL_START},
};
use melior::ir::{ValueLike, operation::OperationLike};
use std::collections::{BTreeMap, HashMap};

/// The functions of a module that are kernels, by name.
type Functions<'c> = BTreeMap<String, Operation<'c>>;

/// Adds the calls and kernels of a module to a record that has its nodes and its arena.
pub fn add(record: &mut CompilationRecord, module: Operation) {
    let functions = body_of(module, 0).map(operations_of).unwrap_or_default();
    let entry = functions.iter().find(|op| op.has_attribute(ENTRY));
    let entry = entry.or_else(|| functions.iter().find(|op| op.isa::<func::FuncOp>()));
    let Some(entry) = entry.copied() else {
        return;
    };
    let kernels = kernels(module);
    let mut times = Vec::new();
    let mut numbers: HashMap<String, u32> = HashMap::new();
    for op in collect_operations(entry, |_| true) {
        let Some((kind, name)) = called(op, &kernels) else {
            continue;
        };
        let kernel = kernels.get(&name).filter(|_| kind == CallKind::Kernel);
        let kernel = kernel.map(|function| {
            *numbers.entry(name.clone()).or_insert_with(|| {
                record.kernels.push(Kernel {
                    name: name.clone(),
                    loops: loops(*function),
                    ..Kernel::default()
                });
                (record.kernels.len() - 1) as u32
            })
        });
        let nodes: Vec<u32> = Stamp::Node.numbers(op.location()).into_iter().collect();
        let nodes: Vec<u32> = nodes
            .into_iter()
            .filter(|node| (*node as usize) < record.nodes.len())
            .collect();
        let number = record.calls.len() as u32;
        for node in &nodes {
            if let Some(node) = record.nodes.get_mut(*node as usize) {
                node.calls.push(number);
            }
        }
        let time = Stamp::Time.numbers(op.location()).into_iter().next();
        times.push(time.map_or(0, u64::from));
        let function = kernels.get(&name).copied();
        let purpose = match function {
            Some(_) if name.contains("_pack_") => CallPurpose::Pack,
            Some(function) if does_arithmetic(function) => CallPurpose::Compute,
            Some(function) if !reads_memory(function) => CallPurpose::Fill,
            None if kind == CallKind::Function => CallPurpose::Compute,
            None if name_of(op) == "gpu.memset" => CallPurpose::Fill,
            _ => CallPurpose::Move,
        };
        let call = KernelCall {
            kind,
            purpose,
            kernel,
            location: file_line_column(op.location()).unwrap_or_default(),
            callers: (callers(op.location()).into_iter())
                .filter_map(file_line_column)
                .collect(),
            nodes,
            tasks: tasks(op),
            bytes: match kind {
                CallKind::Function => function_bytes(op),
                _ => touched_bytes(op, function).and_then(|bytes| u64::try_from(bytes).ok()),
            },
            count: count(op, entry),
            flops: 0,
            transcendentals: 0,
            buffers: buffers(op, function, &Entry::of(entry, record), time),
            name,
        };
        record.calls.push(call);
    }
    if let Some(arena) = &mut record.arena {
        arena.call_times = times;
    }
    count_flops(record);
}

/// Gives each call its part of the arithmetic of its nodes. Calls that only fill or pack have
/// none. A product is divided among the calls that compute it; other nodes are computed by each
/// of their calls, as often as these run.
fn count_flops(record: &mut CompilationRecord) {
    let calls = &mut record.calls;
    for node in &record.nodes {
        let of_node: Vec<usize> = (node.calls.iter())
            .map(|call| *call as usize)
            .filter(|call| {
                let call = calls.get(*call);
                call.is_some_and(|call| call.purpose == CallPurpose::Compute)
            })
            .collect();
        let runs: u64 = of_node.iter().map(|call| calls[*call].count.max(1)).sum();
        for call in of_node {
            let call = &mut calls[call];
            let parts = match (node.parent, is_product(&node.name)) {
                // How often the loop around it runs is not known.
                (Some(_), _) => 1,
                (None, true) => runs,
                (None, false) => call.count.max(1),
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

/// Whether a kernel computes on elements, and not only on indices.
fn does_arithmetic(kernel: Operation) -> bool {
    let computes = |op: Operation| {
        let name = name_of(op);
        let of_numbers = || {
            let results = results_of(op);
            results
                .first()
                .is_some_and(|result| !is_index(element_type(result.r#type())))
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
    !collect_operations(kernel, computes).is_empty()
}

/// Whether a kernel reads elements of buffers.
fn reads_memory(kernel: Operation) -> bool {
    let reads = |op: Operation| {
        let is_taken = |value: &Value| is_memref(value.r#type());
        let has_elements = |value: &Value| !is_memref(value.r#type()) && !is_index(value.r#type());
        operands_of(op).iter().any(is_taken) && results_of(op).iter().any(has_elements)
            || name_of(op) == "memref.copy"
    };
    !collect_operations(kernel, reads).is_empty()
}

fn kernels(module: Operation<'_>) -> Functions<'_> {
    let functions = collect_operations(module, |op| {
        op.has_attribute(KERNEL) || op.isa::<gpu::GPUFuncOp>()
    });
    let named = |function: Operation<'_>| {
        let name = attribute_of(function, "sym_name").and_then(string_value);
        name.map(str::to_owned)
    };
    let functions = functions.into_iter();
    functions
        .filter_map(|function| Some((named(function)?, function)))
        .collect()
}

/// What an op of the entry calls, if it calls anything.
fn called(op: Operation, kernels: &Functions) -> Option<(CallKind, String)> {
    if let Some(call) = op.cast::<ParallelCallOp>() {
        return Some((CallKind::Kernel, call.callee().to_owned()));
    }
    if let Some(call) = op.cast::<func::CallOp>() {
        let name = call.callee();
        return kernels
            .contains_key(name)
            .then(|| (CallKind::Kernel, name.to_owned()));
    }
    if op.isa::<gpu::LaunchFuncOp>() {
        let path = attribute_of(op, "kernel").and_then(symbol_path)?;
        return Some((CallKind::Kernel, (*path.last()?).to_owned()));
    }
    if let Some(call) = op.cast::<CustomCallOp>() {
        let target = call.target();
        let is_measurement = [KERNEL_START, KERNEL_END].contains(&target);
        return (!is_measurement).then(|| (CallKind::Function, target.to_owned()));
    }
    let name = name_of(op);
    if matches!(name, "memref.copy" | "gpu.memcpy" | "gpu.memset") {
        return Some((CallKind::Copy, COPY.to_owned()));
    }
    name.starts_with("halo.")
        .then(|| (CallKind::Function, name.to_owned()))
}

/// How the iterations are divided into tasks.
fn tasks(op: Operation) -> Option<Tasks> {
    let call = op.cast::<ParallelCallOp>()?;
    let [begin, end] = [call.begin(), call.end()].map(arith::constant_index);
    let count = begin.zip(end).map(|(begin, end)| end.saturating_sub(begin));
    Some(Tasks {
        iterations: count.and_then(|count| u64::try_from(count).ok()),
        least: call.grain().try_into().ok()?,
    })
}

/// The bytes of all buffers that a function gets.
fn function_bytes(op: Operation) -> Option<u64> {
    let buffers = operands_of(op).into_iter().map(|value| value.r#type());
    buffers
        .filter(|of| is_memref(*of))
        .try_fold(0_u64, |sum, of| sum.checked_add(size_in_bytes(of)?))
}

/// How often an op runs, where it is in loops of known counts only.
fn count(op: Operation, entry: Operation) -> u64 {
    let mut count = 1_u64;
    let mut parent = parent_operation(op);
    while let Some(around) = parent.filter(|around| is_inside(*around, entry)) {
        if let Some(iterations) = iterations(around) {
            count = count.saturating_mul(iterations);
        }
        parent = parent_operation(around);
    }
    count
}

/// How many iterations a loop has, if its bounds are constants.
fn iterations(op: Operation) -> Option<u64> {
    let [lower, upper, step] = operands_of(op).get(..3)?.try_into().ok()?;
    if !op.isa::<scf::ForOp>() {
        return None;
    }
    let [lower, upper, step] = [lower, upper, step].map(arith::constant_index);
    let (length, step) = (upper?.checked_sub(lower?)?, step.filter(|step| *step > 0)?);
    u64::try_from(length)
        .ok()
        .map(|length| length.div_ceil(step as u64))
}

/// The loops of a kernel, the outermost first.
fn loops(kernel: Operation) -> Vec<Loop> {
    let mut all = Vec::new();
    add_loops(kernel, 0, &mut all);
    all
}

fn add_loops(around: Operation, depth: u32, all: &mut Vec<Loop>) {
    for op in children(around) {
        if !is_loop(op) {
            add_loops(op, depth, all);
            continue;
        }
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        count_ops(op, &mut counts);
        let mut ops: Vec<(String, u32)> = counts
            .into_iter()
            .map(|(name, count)| (name.to_owned(), count))
            .collect();
        ops.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        all.push(Loop {
            depth,
            text: loop_text(op),
            iterations: iterations(op),
            ops,
        });
        add_loops(op, depth + 1, all);
    }
}

/// Counts the ops of a loop that are in no inner one.
fn count_ops<'c>(around: Operation<'c>, counts: &mut BTreeMap<&'c str, u32>) {
    for op in children(around) {
        let name = name_of(op);
        if !matches!(name, "scf.yield" | "arith.constant") {
            *counts.entry(name).or_default() += 1;
        }
        if !is_loop(op) {
            count_ops(op, counts);
        }
    }
}

fn children(op: Operation<'_>) -> Vec<Operation<'_>> {
    let blocks = op.regions().flat_map(halo_ir::blocks_of);
    blocks.flat_map(operations_of).collect()
}

fn is_loop(op: Operation) -> bool {
    op.isa::<scf::ForOp>() || op.isa::<scf::ParallelOp>() || op.isa::<scf::WhileOp>()
}

/// Such as `scf.for 0 to 64 step 8`.
fn loop_text(op: Operation) -> String {
    let operands = operands_of(op);
    let Some([lower, upper, step]) = operands.get(..3).filter(|_| op.isa::<scf::ForOp>()) else {
        return name_of(op).to_owned();
    };
    let carried = operands.len() - 3;
    let mut text = format!("scf.for {} to {}", bound(*lower), bound(*upper));
    if arith::constant_index(*step) != Some(1) {
        text.push_str(&format!(" step {}", bound(*step)));
    }
    if carried > 0 {
        text.push_str(&format!(", {carried} values go to the next iteration"));
    }
    text
}

fn bound(value: Value) -> String {
    if let Some(number) = arith::constant_index(value) {
        return number.to_string();
    }
    match block_argument(value) {
        Some((_, 0)) => "begin".to_owned(),
        Some((_, 1)) => "end".to_owned(),
        _ => "n".to_owned(),
    }
}
