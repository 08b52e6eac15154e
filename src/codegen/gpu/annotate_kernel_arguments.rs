//! `--halo-annotate-kernel-arguments`: annotates kernels for code generation.
//!
//! Outlining turns kernels into functions. Two properties follow only from the launches: arguments
//! that do not overlap others are marked `noalias`, so that loads can move across stores and use
//! the read-only cache; and buffers are aligned to at least 16 bytes. Pointers are tensor maps
//! ([`mark_grid_constants`](super::mark_grid_constants)). Private memory is moved to
//! the start of a kernel, where it is a static stack allocation.
//!
//! ```mlir
//! gpu.launch_func @kernels::@k blocks in ... args(%a : memref<4xf32>, %b : memref<4xf32>)
//! gpu.func @k(%a: memref<4xf32>, %b: memref<4xf32>) kernel {
//!   scf.for ... { %0 = memref.alloca() : memref<2xf32> ... }
//! ```
//!
//! becomes
//!
//! ```mlir
//! gpu.func @k(%a: memref<4xf32> {llvm.align = 16 : i64, llvm.noalias},
//!     %b: memref<4xf32> {llvm.align = 16 : i64, llvm.noalias}) kernel {
//!   %0 = memref.alloca() : memref<2xf32>
//!   scf.for ... { ... }
//! ```

use super::{
    mark_grid_constants::{TENSOR_MAP, TENSOR_MAP_BYTES},
    outline_scalar_code::KERNELS,
    slices::{Range, range_of},
};
use crate::{function::empty_dictionary, loops::aliases::Aliases};
use halo_ir::prelude::*;
use std::collections::HashMap;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-annotate-kernel-arguments",
    "Annotate arguments of kernels that do not alias, and hoist private memory",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["gpu", "llvm", "memref"]);

fn run(invocation: &mut PassInvocation) -> Result<(), PassFailure> {
    let module = invocation.operation();
    let mut free: HashMap<String, Vec<bool>> = HashMap::new();
    for launch in module.collect_nested(|op| op.isa::<gpu::LaunchFuncOp>()) {
        let Some(launch) = launch.cast::<gpu::LaunchFuncOp>() else {
            continue;
        };
        let Some(kernel) = kernel_of(launch) else {
            continue;
        };
        let now = overlap_free(&launch.kernel_operands());
        free.entry(kernel.to_owned())
            .and_modify(|all| {
                for (one, other) in all.iter_mut().zip(&now) {
                    *one &= *other;
                }
            })
            .or_insert(now);
    }
    for kernel in module.collect_nested(|op| op.isa::<gpu::GPUFuncOp>()) {
        allocate_private_memory(kernel);
        let name = kernel.attribute("sym_name").and_then(Attribute::string_value);
        if let Some(free) = name.and_then(|name| free.get(name)) {
            mark(kernel, free);
        }
    }
    Ok(())
}

/// The kernel that a launch starts.
pub fn kernel_of<'c>(launch: gpu::LaunchFuncOp<'c>) -> Option<&'c str> {
    match launch.kernel().symbol_path()?[..] {
        [KERNELS, name] => Some(name),
        _ => None,
    }
}

fn overlap_free(arguments: &[Value]) -> Vec<bool> {
    let ranges: Vec<Option<Range>> = arguments.iter().map(|value| range_of(*value)).collect();
    (0..arguments.len())
        .map(|number| {
            arguments[number].ty().is_memref()
                && (0..arguments.len()).all(|other| {
                    other == number
                        || !arguments[other].ty().is_memref()
                        || match (&ranges[number], &ranges[other]) {
                            (Some(one), Some(two)) => !one.overlaps(two),
                            _ => false,
                        }
                })
        })
        .collect()
}

fn mark(kernel: Operation, free: &[bool]) {
    let context = kernel.context();
    let Some(body) = kernel.body(0) else {
        return;
    };
    let parse = |text: &str| Attribute::parse(context, text).or_else(|| empty_dictionary(context));
    let Some(pointer) = Type::parse(context, "!llvm.ptr") else {
        return;
    };
    let has_barrier =
        !kernel.collect_nested(|operation| operation.isa::<gpu::BarrierOp>()).is_empty();
    let attributes: Vec<Attribute> = body
        .arguments()
        .iter()
        .zip(free)
        .filter_map(|(argument, free)| {
            let free = *free && !(has_barrier && is_exchanged(*argument));
            match (argument.ty().is_memref(), free) {
                (true, true) => parse("{llvm.align = 16 : i64, llvm.noalias}"),
                (true, false) => parse("{llvm.align = 16 : i64}"),
                _ if argument.ty() == pointer => {
                    parse(&format!("{{{TENSOR_MAP} = {TENSOR_MAP_BYTES} : i64}}"))
                }
                _ => parse("{}"),
            }
        })
        .collect();
    if attributes.len() == free.len() {
        kernel.set_attribute("arg_attrs", array_attribute(context, &attributes));
    }
}

/// Returns true if a kernel both reads and writes a buffer: after a barrier the buffer may hold
/// values of another thread, which LLVM excludes for `noalias` memory.
fn is_exchanged(argument: Value) -> bool {
    let is = |operation: &Operation, verbs: [&str; 3]| {
        let verb = operation.name().rsplit('.').next().unwrap_or_default();
        verbs.iter().any(|known| verb.contains(known))
    };
    let users = Aliases::of(argument).users;
    let reads = users.iter().any(|user| is(user, ["load", "read", "copy"]));
    let writes = users.iter().any(|user| is(user, ["store", "write", "atomic"]));
    reads && writes
}

fn allocate_private_memory(kernel: Operation) {
    let Some(first) = kernel.body(0).and_then(|body| body.operations().first().copied()) else {
        return;
    };
    for allocation in kernel.collect_nested(|op| op.isa::<memref::AllocaOp>()) {
        if allocation.operands().is_empty() && allocation.result_count() == 1 && allocation != first
        {
            allocation.move_before(first);
        }
    }
}
