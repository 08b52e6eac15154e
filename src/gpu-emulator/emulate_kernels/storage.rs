//! Memory of the emulation: values that are live across phases, shared memory
//! of a block, and private memory of threads.
//!
//! It is allocated once per call of the function, before the blocks.

use super::{
    barrier_split::Emulation,
    error::{Emulated, EmulationError},
    threads::range,
};
use halo_ir::prelude::*;

/// The size of an unknown dimension.
const DYNAMIC: i64 = i64::MIN;

/// An upper bound of an element's bytes in memory; `None` for types that cannot
/// be stored.
pub fn element_size(ty: Type) -> Option<i64> {
    if ty.is_index() {
        return Some(8);
    }
    if let Some(part) = ty.complex_element() {
        return element_size(part)?.checked_mul(2);
    }
    if ty.is_integer() || ty.is_float() {
        let bytes = ty.bit_width()?.div_ceil(8);
        return Some(bytes.next_power_of_two().into());
    }
    let element = ty.element_type();
    if element == ty || !ty.is_vector() {
        return None;
    }
    // The innermost dimension becomes a vector of LLVM, the others arrays.
    let shape = ty.static_shape()?;
    let (last, outer) = shape.split_last()?;
    let row = element_size(element)?.checked_mul(*last)?;
    let row = i64::try_from(u64::try_from(row).ok()?.checked_next_power_of_two()?).ok()?;
    outer.iter().try_fold(row, |size, extent| size.checked_mul(*extent))
}

/// The bytes of a buffer of static shape.
pub fn buffer_size(ty: Type) -> Option<i64> {
    let size = element_size(ty.element_type())?;
    let shape = ty.static_shape()?;
    shape.iter().try_fold(size, |size, extent| size.checked_mul(*extent))
}

/// The private memory of all threads.
#[derive(Clone, Copy)]
pub struct PrivateMemory<'c> {
    bytes: Value<'c>,
    size: i64,
    ty: Type<'c>,
}

impl<'c> PrivateMemory<'c> {
    /// The memory of one thread.
    pub fn of_thread(&self, b: &Builder<'c>, number: Value<'c>) -> Value<'c> {
        let offset = index::mul(b, number, self.size);
        memref::view(b, self.bytes, offset, &[], self.ty)
    }
}

impl<'c> Emulation<'c> {
    /// Bytes for each thread of whole warps; recorded to be freed.
    fn bytes(&mut self, b: &Builder<'c>, size: i64, each: bool) -> Value<'c> {
        let count = self.launch.lane_count;
        let byte = integer_type(b.context(), 8);
        let bytes = b.with_insertion_point(|b| {
            b.set_before(self.marker);
            let total = if each {
                index::mul(b, count, size)
            } else {
                index::constant(b, size)
            };
            memref::AllocOp::build(b, &[total], &[], memref_type(&[DYNAMIC], byte))
                .alignment(64)
                .value()
        });
        self.allocated.push(bytes);
        bytes
    }

    /// An array with an element for each thread.
    pub fn array(
        &mut self,
        b: &Builder<'c>,
        element: Type<'c>,
        operation: Operation<'c>,
    ) -> Emulated<'c, Value<'c>> {
        let size = element_size(element).ok_or_else(|| {
            EmulationError::op(
                operation,
                &format!("gives a value of type {element}, which no thread can keep at a barrier"),
            )
        })?;
        let bytes = self.bytes(b, size, true);
        let count = self.launch.lane_count;
        b.with_insertion_point(|b| {
            b.set_before(self.marker);
            let zero = index::constant(b, 0);
            Ok(match arith::constant_index(count) {
                Some(count) => {
                    let ty = memref_type(&[count], element);
                    memref::view(b, bytes, zero, &[], ty)
                }
                None => {
                    let ty = memref_type(&[DYNAMIC], element);
                    memref::view(b, bytes, zero, &[count], ty)
                }
            })
        })
    }

    /// The part of an array of one warp, from the index of its first thread.
    pub fn warp_of_array(
        &self,
        b: &Builder<'c>,
        array: Value<'c>,
        first: Value<'c>,
    ) -> Emulated<'c, Value<'c>> {
        let element = array.ty().element_type();
        let view = array.defined_by::<memref::ViewOp>();
        let (Some(view), Some(size)) = (view, element_size(element)) else {
            return Err(EmulationError::op(
                self.kernel,
                "has an array without memory",
            ));
        };
        let offset = index::mul(b, first, size);
        let ty = memref_type(&[super::WARP], element);
        Ok(memref::view(b, view.source(), offset, &[], ty))
    }

    /// Allocates the private memory of a value for each thread, or once if
    /// threads run from begin to end one after the other.
    pub fn allocate_private(
        &mut self,
        b: &Builder<'c>,
        memory: Value<'c>,
        operation: Operation<'c>,
    ) -> Emulated<'c, ()> {
        let ty = memory.ty();
        let dynamic = || EmulationError::op(operation, "has private memory of dynamic shape");
        let size = buffer_size(ty).ok_or_else(dynamic)?;
        if self.uniformity.is_collective(self.kernel) {
            // Every part is aligned for any element.
            let size = (size as u64).next_multiple_of(64) as i64;
            let bytes = self.bytes(b, size, true);
            let memory_of_threads = PrivateMemory { bytes, size, ty };
            self.private.insert(memory.key(), memory_of_threads);
        } else {
            let storage = self.stack(b, ty)?;
            self.block.insert(memory.key(), storage);
        }
        Ok(())
    }

    /// Memory on the stack of the function.
    pub fn stack(&self, b: &Builder<'c>, ty: Type<'c>) -> Emulated<'c, Value<'c>> {
        b.with_insertion_point(|b| {
            b.set_before(self.marker);
            Ok(memref::alloca(b, &[], &[], ty))
        })
    }

    /// Allocates the shared memory of a block, filled with a pattern that shows
    /// reads of uninitialized memory.
    pub fn allocate_shared(&mut self, b: &Builder<'c>, memory: Value<'c>) -> Emulated<'c, ()> {
        let ty = memory.ty();
        let dynamic = || EmulationError::op(self.kernel, "has shared memory of dynamic shape");
        let size = buffer_size(ty).ok_or_else(dynamic)?;
        let bytes = self.bytes(b, size, false);
        let storage = b.with_insertion_point(|b| {
            b.set_before(self.marker);
            let zero = index::constant(b, 0);
            memref::view(b, bytes, zero, &[], ty)
        });
        self.block.insert(memory.key(), storage);
        self.shared.insert(storage.key());
        let (zero, size) = (index::constant(b, 0), index::constant(b, size));
        let poison = arith::scalar(b, integer_type(b.context(), 8), 0.0, -1);
        range(b, zero, size, |b, index| {
            memref::store(b, poison, bytes, &[index]);
            Ok(())
        })
    }

    /// Moves the private memory that a copied op allocates to the stack of the
    /// function, so that a loop does not grow it.
    pub fn hoist_private(&self, b: &Builder<'c>, copy: Operation<'c>) -> Emulated<'c, ()> {
        let nested = copy.collect_nested(|operation| operation.isa::<memref::AllocaOp>());
        for operation in nested {
            for result in operation.results() {
                let ty = result.ty();
                if ty.shape().is_some_and(|shape| shape.contains(&None)) {
                    let message = "has private memory of dynamic shape";
                    return Err(EmulationError::at(
                        operation.location(),
                        format!("'memref.alloca' op {message}"),
                    ));
                }
                let storage = self.stack(b, ty)?;
                result.replace_uses_with(storage);
            }
            b.erase(operation);
        }
        Ok(())
    }
}
