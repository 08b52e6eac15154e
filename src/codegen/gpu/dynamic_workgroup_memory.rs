//! `--halo-dynamic-workgroup-memory`: takes workgroup memory of more than 48 KB from the launch.
//!
//! A kernel of NVIDIA's GPUs may declare 48 KB of workgroup memory. A launch can give it more, all
//! of which is one buffer:
//!
//! ```mlir
//! gpu.func @kernel() workgroup(%a : memref<16384xf32, #gpu.address_space<workgroup>>) kernel {
//!   memref.load %a[%i]
//! ```
//!
//! becomes
//!
//! ```mlir
//! gpu.func @kernel() kernel {
//!   %all = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
//!   %a = memref.view %all[%c0][] : ... to memref<16384xf32, #gpu.address_space<workgroup>>
//!   memref.load %a[%i]
//! ```
//!
//! The plan's launches have the size ([`dynamic_bytes`]).

use super::buffers;
use crate::function;
use halo_core::machine::STATIC_SHARED_MEMORY;
use halo_ir::prelude::*;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-dynamic-workgroup-memory",
    "Take workgroup memory of more than 48 KB from the launch",
    run,
)
.on::<gpu::GPUModuleOp>()
.dependent_dialects(&["arith", "gpu", "memref"]);

/// The attribute with the number of buffers in workgroup memory.
const ATTRIBUTIONS: &str = "workgroup_attributions";
/// Buffers start at all banks.
const ALIGNMENT: i64 = 128;

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    pass.for_each(
        |operation| operation.isa::<gpu::GPUFuncOp>() && dynamic_bytes(operation) > 0,
        take_from_launch,
    )
}

/// The bytes of workgroup memory that a launch of a kernel gives it; zero if the kernel declares
/// its memory.
pub fn dynamic_bytes(kernel: Operation) -> i64 {
    let (_, total) = buffers_of(kernel);
    if total > STATIC_SHARED_MEMORY {
        total
    } else {
        0
    }
}

/// The buffers of a kernel in workgroup memory, each with its offset, and their bytes.
fn buffers_of(kernel: Operation<'_>) -> (Vec<(Value<'_>, i64)>, i64) {
    let own = function::signature(kernel).map_or(0, |(own, _)| own.len());
    let count = kernel.attribute(ATTRIBUTIONS).and_then(Attribute::integer_value).unwrap_or(0);
    let arguments = kernel.body(0).map(Block::arguments).unwrap_or_default();
    let mut end = 0;
    let mut placed = Vec::new();
    for buffer in arguments.into_iter().skip(own).take(count as usize) {
        placed.push((buffer, end));
        let bits = i64::from(buffer.ty().element_type().bit_width().unwrap_or(8));
        let elements: i64 = buffer.ty().static_shape().unwrap_or_default().iter().product();
        let bytes = elements * (bits / 8).max(1);
        end += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    (placed, end)
}

fn take_from_launch<'c>(builder: &Builder<'c>, kernel: Operation<'c>) {
    let (placed, _) = buffers_of(kernel);
    let Some(body) = kernel.body(0) else {
        return;
    };
    builder.set_to_start(body);
    let byte = integer_type(builder.context(), 8);
    let all = buffers::shared_type(builder, &[i64::MIN], byte);
    let all = gpu::DynamicSharedMemoryOp::build(builder, all).value();
    for (buffer, offset) in &placed {
        let offset = index::constant(builder, *offset);
        let view = memref::view(builder, all, offset, &[], buffer.ty());
        buffer.replace_uses_with(view);
    }
    let own = body.arguments().len() - placed.len();
    for _ in &placed {
        body.erase_argument(own);
    }
    let none = integer_attribute(integer_type(builder.context(), 64), 0);
    kernel.set_attribute(ATTRIBUTIONS, none);
}
