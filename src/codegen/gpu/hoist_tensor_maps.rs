//! `--halo-hoist-tensor-maps`: moves the creation of tensor maps from kernels to the host.
//!
//! A kernel takes a tensor map as an argument, which the runtime encodes for the addresses of a
//! run. Until buffers have their final places, the op is in the launch, so that buffer assignment
//! detects the accesses of the launch only.
//!
//! ```mlir
//! gpu.launch ... {
//!   %view = memref.reinterpret_cast %buffer ...
//!   %tensor = memref.cast %view : memref<64x64xbf16> to memref<*xbf16>
//!   %map = nvgpu.tma.create.descriptor %tensor box[%c64, %c64] : ...
//!   %pointer = builtin.unrealized_conversion_cast %map : ... to !llvm.ptr
//!   // uses of %pointer
//! ```
//!
//! becomes the same with these ops before the launch.

use halo_ir::{
    ops::{arith::constant_index, nvgpu},
    prelude::*,
};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-hoist-tensor-maps",
    "Move the creation of tensor maps from kernels to the host",
    run,
)
.on::<func::FuncOp>();

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    for launch in pass.operation().collect_nested(|op| op.isa::<gpu::LaunchOp>()) {
        let created = launch.collect_nested(|op| op.isa::<nvgpu::TmaCreateDescriptorOp>());
        for operation in created {
            hoist(operation, launch);
            for map in operation.results() {
                for (user, _) in map.uses() {
                    hoist(user, launch);
                }
            }
        }
    }
    Ok(())
}

/// Moves an op, and the ops of the launch that it depends on, before the launch.
fn hoist<'c>(operation: Operation<'c>, launch: Operation<'c>) {
    if operation.parent() != Some(launch) {
        return;
    }
    for (number, operand) in operation.operands().into_iter().enumerate() {
        match (constant_index(operand), operand.defining_op()) {
            // Other ops of the kernel may use it.
            (Some(value), _) => with_builder(launch, |builder| {
                operation.set_operand(number, index::constant(builder, value));
            }),
            (None, Some(source)) => hoist(source, launch),
            (None, None) => {}
        }
    }
    operation.move_before(launch);
}
