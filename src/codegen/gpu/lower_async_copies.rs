//! `--halo-lower-async-copies`: lowers asynchronous copies to workgroup memory to loads and stores.
//!
//! NVIDIA GPUs support asynchronous copies to workgroup memory. On other GPUs, each thread loads
//! and stores the elements at once, which is correct because no thread reads them before the
//! barrier after the wait.
//!
//! ```mlir
//! %0 = nvgpu.device_async_copy %a[%i], %tile[%j], 4
//!   : memref<1024xf32> to memref<256xf32, #gpu.address_space<workgroup>>
//! %1 = nvgpu.device_async_create_group %0
//! nvgpu.device_async_wait %1
//! gpu.barrier
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = vector.load %a[%i] : memref<1024xf32>, vector<4xf32>
//! vector.store %0, %tile[%j] : memref<256xf32, #gpu.address_space<workgroup>>, vector<4xf32>
//! gpu.barrier
//! ```
//!
//! A copy that reads fewer elements than it writes, and writes zeros for the others, becomes a
//! loop.

use halo_ir::{ops::nvgpu, prelude::*};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-lower-async-copies",
    "Lower asynchronous copies to workgroup memory to loads and stores",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["arith", "memref", "scf", "vector"]);

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    // Users first.
    let waits = |op: Operation| op.isa::<nvgpu::DeviceAsyncWaitOp>();
    let groups = |op: Operation| op.isa::<nvgpu::DeviceAsyncCreateGroupOp>();
    let copies = |op: Operation| op.isa::<nvgpu::DeviceAsyncCopyOp>();
    pass.for_each(waits, |b, op| b.erase(op))?;
    pass.for_each(groups, |b, op| b.erase(op))?;
    pass.for_each(copies, |b, op| {
        if let Some(copied) = op.cast::<nvgpu::DeviceAsyncCopyOp>() {
            copy(b, copied);
        }
        b.erase(op)
    })
}

/// Emits the loads and stores of a copy.
fn copy<'c>(builder: &Builder<'c>, copied: nvgpu::DeviceAsyncCopyOp<'c>) {
    let count = copied.dst_elements();
    if copied.src_elements().is_some() {
        return copy_elements(builder, copied);
    }
    let ty = vector_type(&[count], copied.dst().ty().element_type());
    let value = vector::load(builder, copied.src(), &copied.src_indices(), ty);
    vector::store(builder, value, copied.dst(), &copied.dst_indices());
}

/// Copies the elements in a loop, followed by zeros if fewer elements are read than written.
pub fn copy_elements<'c>(builder: &Builder<'c>, copied: nvgpu::DeviceAsyncCopyOp<'c>) {
    let (target, target_indices) = (copied.dst(), copied.dst_indices());
    let (source, source_indices) = (copied.src(), copied.src_indices());
    let element = target.ty().element_type();
    scf::for_range(builder, copied.dst_elements(), 1, |builder, number| {
        let read_one = |builder: &Builder<'c>| {
            memref::load(builder, source, &advanced(builder, &source_indices, number))
        };
        let value = match copied.src_elements() {
            None => read_one(builder),
            Some(read) => {
                let inside = arith::cmpi(builder, CmpIPredicate::Slt, number, read);
                let zero = arith::constant(builder, element, 0);
                let chosen = scf::if_else(
                    builder,
                    inside,
                    |builder| vec![read_one(builder)],
                    |_| vec![zero],
                );
                chosen.results()[0]
            }
        };
        let indices = advanced(builder, &target_indices, number);
        memref::store(builder, value, target, &indices);
    })
}

/// The indices of an element, advanced by `number` elements in its row.
fn advanced<'c>(builder: &Builder<'c>, indices: &[Value<'c>], number: Value<'c>) -> Vec<Value<'c>> {
    let mut indices = indices.to_vec();
    if let Some(last) = indices.last_mut() {
        *last = index::add(builder, *last, number);
    }
    indices
}
