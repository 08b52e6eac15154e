//! Memory of the emulation: values that are live across phases, shared memory
//! of a block, and private memory of threads.
//!
//! It is allocated once per call of the function, before the blocks.

use super::{
    barrier_split::Emulation,
    error::{Emulated, EmulationError},
    threads::range,
};
use halo_codegen::loops::loop_ops::{self, Emitted};
use halo_ir::{
    Builder, Operation, Type, Value, bits_of, complex_element, element_type, integer_type,
    is_float, is_index, is_integer, memref_type,
    ops::{OperationExt, ValueExt, memref},
    shape_of, static_shape_of, value_key,
};
use melior::ir::{TypeLike, ValueLike, operation::OperationLike};

/// The size of an unknown dimension.
const DYNAMIC: i64 = i64::MIN;

/// An upper bound of an element's bytes in memory; `None` for types that cannot
/// be stored.
pub fn element_size(r#type: Type) -> Option<i64> {
    if is_index(r#type) {
        return Some(8);
    }
    if let Some(part) = complex_element(r#type) {
        return element_size(part)?.checked_mul(2);
    }
    if is_integer(r#type) || is_float(r#type) {
        let bytes = bits_of(r#type)?.div_ceil(8);
        return Some(bytes.next_power_of_two().into());
    }
    let element = element_type(r#type);
    if element == r#type || !r#type.is_vector() {
        return None;
    }
    // The innermost dimension becomes a vector of LLVM, the others arrays.
    let shape = static_shape_of(r#type)?;
    let (last, outer) = shape.split_last()?;
    let row = element_size(element)?.checked_mul(*last)?;
    let row = i64::try_from(u64::try_from(row).ok()?.checked_next_power_of_two()?).ok()?;
    outer.iter().try_fold(row, |size, extent| size.checked_mul(*extent))
}

/// The bytes of a buffer of static shape.
pub fn buffer_size(r#type: Type) -> Option<i64> {
    let size = element_size(element_type(r#type))?;
    let shape = static_shape_of(r#type)?;
    shape.iter().try_fold(size, |size, extent| size.checked_mul(*extent))
}

/// The private memory of all threads.
#[derive(Clone, Copy)]
pub struct PrivateMemory<'c> {
    bytes: Value<'c>,
    size: i64,
    r#type: Type<'c>,
}

impl<'c> PrivateMemory<'c> {
    /// The memory of one thread.
    pub fn of_thread(&self, b: &Builder<'c>, number: Value<'c>) -> Emitted<Value<'c>> {
        let offset = loop_ops::scale(b, number, self.size)?;
        memref::view(b, self.bytes, offset, &[], self.r#type)
    }
}

impl<'c> Emulation<'c> {
    /// Bytes for each thread of whole warps; recorded to be freed.
    fn bytes(&mut self, b: &Builder<'c>, size: i64, each: bool) -> Emitted<Value<'c>> {
        let count = self.launch.lane_count;
        let byte = integer_type(b.context(), 8);
        let bytes = b.with_insertion_point(|b| {
            b.set_before(self.marker);
            let total = if each {
                loop_ops::scale(b, count, size)?
            } else {
                loop_ops::index(b, size)?
            };
            memref::AllocOp::build(b, &[total], &[], memref_type(&[DYNAMIC], byte))
                .alignment(64)
                .value()
        })?;
        self.allocated.push(bytes);
        Ok(bytes)
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
        let bytes = self.bytes(b, size, true)?;
        let count = self.launch.lane_count;
        b.with_insertion_point(|b| {
            b.set_before(self.marker);
            let zero = loop_ops::index(b, 0)?;
            Ok(match loop_ops::constant_index(count) {
                Some(count) => {
                    let r#type = memref_type(&[count], element);
                    memref::view(b, bytes, zero, &[], r#type)?
                }
                None => {
                    let r#type = memref_type(&[DYNAMIC], element);
                    memref::view(b, bytes, zero, &[count], r#type)?
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
        let element = element_type(array.r#type());
        let view = array.defined_by::<memref::ViewOp>();
        let (Some(view), Some(size)) = (view, element_size(element)) else {
            return Err(EmulationError::op(
                self.kernel,
                "has an array without memory",
            ));
        };
        let offset = loop_ops::scale(b, first, size)?;
        let r#type = memref_type(&[super::WARP], element);
        Ok(memref::view(b, view.source(), offset, &[], r#type)?)
    }

    /// Allocates the private memory of a value for each thread, or once if
    /// threads run from begin to end one after the other.
    pub fn allocate_private(
        &mut self,
        b: &Builder<'c>,
        memory: Value<'c>,
        operation: Operation<'c>,
    ) -> Emulated<'c, ()> {
        let r#type = memory.r#type();
        let dynamic = || EmulationError::op(operation, "has private memory of dynamic shape");
        let size = buffer_size(r#type).ok_or_else(dynamic)?;
        if self.uniformity.is_collective(self.kernel) {
            // Every part is aligned for any element.
            let size = (size as u64).next_multiple_of(64) as i64;
            let bytes = self.bytes(b, size, true)?;
            let memory_of_threads = PrivateMemory {
                bytes,
                size,
                r#type,
            };
            self.private.insert(value_key(memory), memory_of_threads);
        } else {
            let storage = self.stack(b, r#type)?;
            self.block.insert(value_key(memory), storage);
        }
        Ok(())
    }

    /// Memory on the stack of the function.
    pub fn stack(&self, b: &Builder<'c>, r#type: Type<'c>) -> Emulated<'c, Value<'c>> {
        b.with_insertion_point(|b| {
            b.set_before(self.marker);
            Ok(memref::alloca(b, &[], &[], r#type)?)
        })
    }

    /// Allocates the shared memory of a block, filled with a pattern that shows
    /// reads of uninitialized memory.
    pub fn allocate_shared(&mut self, b: &Builder<'c>, memory: Value<'c>) -> Emulated<'c, ()> {
        let r#type = memory.r#type();
        let dynamic = || EmulationError::op(self.kernel, "has shared memory of dynamic shape");
        let size = buffer_size(r#type).ok_or_else(dynamic)?;
        let bytes = self.bytes(b, size, false)?;
        let storage = b.with_insertion_point(|b| {
            b.set_before(self.marker);
            let zero = loop_ops::index(b, 0)?;
            memref::view(b, bytes, zero, &[], r#type)
        })?;
        self.block.insert(value_key(memory), storage);
        self.shared.insert(value_key(storage));
        let (zero, size) = (loop_ops::index(b, 0)?, loop_ops::index(b, size)?);
        let poison = loop_ops::scalar(b, integer_type(b.context(), 8), 0.0, -1)?;
        range(b, zero, size, |b, index| {
            memref::store(b, poison, bytes, &[index])?;
            Ok(())
        })
    }

    /// Moves the private memory that a copied op allocates to the stack of the
    /// function, so that a loop does not grow it.
    pub fn hoist_private(&self, b: &Builder<'c>, copy: Operation<'c>) -> Emulated<'c, ()> {
        let nested =
            halo_ir::collect_operations(copy, |operation| operation.isa::<memref::AllocaOp>());
        for operation in nested {
            for result in halo_ir::results_of(operation) {
                let r#type = result.r#type();
                if shape_of(r#type).is_some_and(|shape| shape.contains(&None)) {
                    let message = "has private memory of dynamic shape";
                    return Err(EmulationError::at(
                        operation.location(),
                        format!("'memref.alloca' op {message}"),
                    ));
                }
                let storage = self.stack(b, r#type)?;
                halo_ir::replace_uses(result, storage);
            }
            b.erase(operation)?;
        }
        Ok(())
    }
}
