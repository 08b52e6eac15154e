//! Instruments memory accesses, so that the emulator can check them
//! (`check-accesses`).
//!
//! Each access to a kernel's buffer or to shared memory is preceded by a call
//! of [`ACCESS`] with the buffer's address, the accessed bytes, the thread,
//! whether it writes, and the line and column of the op. A call of [`BARRIER`]
//! follows each barrier, and a call of [`BLOCK`] begins each block.

use super::{
    barrier_split::Emulation,
    error::{Emulated, EmulationError},
    storage::{buffer_size, element_size},
};
use halo_ir::{
    Location, Region, diagnostics::file_line_column, ops::memref::view_source, prelude::*,
};
use melior::ir::{Type, r#type::FunctionType};

/// The function that is called before an access: address and size of the buffer, address and size
/// of the access, the thread, whether it writes ([`WRITES`]) and whether the memory is shared
/// ([`SHARED`]), the line and the column.
pub const ACCESS: &str = "halo_emulator_access";
/// The function that is called at the beginning of each block, with its number.
pub const BLOCK: &str = "halo_emulator_block";
/// The function that is called after each barrier.
pub const BARRIER: &str = "halo_emulator_barrier";
/// The number of arguments of [`ACCESS`].
pub const ACCESS_ARGUMENTS: usize = 8;
/// The flag of writes.
pub const WRITES: i64 = 1;
/// The flag of accesses to shared memory.
pub const SHARED: i64 = 2;

/// The memory access of an op.
struct Access<'c> {
    memory: Value<'c>,
    indices: Vec<Value<'c>>,
    ty: Type<'c>,
    writes: bool,
}

impl<'c> Access<'c> {
    /// The access of an op, if its kind is checked. Atomic updates cannot race.
    fn of(operation: Operation<'c>) -> Option<Self> {
        let mut operands = operation.operands().into_iter();
        let writes = match operation.name() {
            memref::LoadOp::NAME | vector::LoadOp::NAME => None,
            memref::StoreOp::NAME | vector::StoreOp::NAME => Some(operands.next()?),
            _ => return None,
        };
        let ty = match writes {
            Some(value) => value.ty(),
            None => operation.results().first()?.ty(),
        };
        let memory = operands.next()?;
        Some(Self {
            memory,
            indices: operands.collect(),
            ty,
            writes: writes.is_some(),
        })
    }
}

impl<'c> Emulation<'c> {
    /// Declares the instrumentation functions, once in a program.
    pub fn declare_accesses(&self, b: &Builder<'c>) {
        if !self.checks_accesses {
            return;
        }
        let Some(module) = self.kernel.parent() else {
            return;
        };
        let beside = module.block().map(Block::operations).unwrap_or_default();
        let word = Type::index(b.context());
        for (name, count) in [(BLOCK, 1), (ACCESS, ACCESS_ARGUMENTS), (BARRIER, 0)] {
            let declared = beside.iter().any(|operation| {
                operation.attribute("sym_name").and_then(Attribute::string_value) == Some(name)
            });
            if declared {
                continue;
            }
            let ty = FunctionType::new(b.context(), &vec![word; count], &[]);
            b.with_insertion_point(|b| {
                b.set_before(module);
                func::FuncOp::build(b, name, ty.into(), Region::new())
                    .sym_visibility("private")
                    .insert()
            });
        }
    }

    /// Reports that a block begins.
    pub fn note_block(&self, b: &Builder<'c>, number: Value<'c>) {
        if self.checks_accesses {
            call(b, BLOCK, &[number]);
        }
    }

    /// Reports a barrier.
    pub fn note_barrier(&self, b: &Builder<'c>) {
        if self.checks_accesses {
            call(b, BARRIER, &[]);
        }
    }

    /// Reports the accesses of an op that was copied for a thread, and of
    /// nested ops.
    pub fn note_accesses(
        &self,
        b: &Builder<'c>,
        copy: Operation<'c>,
        thread: Value<'c>,
    ) -> Emulated<'c, ()> {
        if !self.checks_accesses {
            return Ok(());
        }
        let mut operations = copy.collect_nested(|_| true);
        operations.push(copy);
        for operation in operations {
            if let Some(access) = Access::of(operation) {
                b.with_insertion_point(|b| {
                    b.set_before(operation);
                    self.note_access(b, &access, operation.location(), thread)
                })?;
            }
        }
        Ok(())
    }

    /// Reports that a thread reads an element.
    pub fn note_read(
        &self,
        b: &Builder<'c>,
        memory: Value<'c>,
        indices: &[Value<'c>],
        thread: Value<'c>,
    ) -> Emulated<'c, ()> {
        let access = Access {
            memory,
            indices: indices.to_vec(),
            ty: memory.ty().element_type(),
            writes: false,
        };
        if self.checks_accesses {
            self.note_access(b, &access, b.location(), thread)?;
        }
        Ok(())
    }

    fn note_access(
        &self,
        b: &Builder<'c>,
        access: &Access<'c>,
        location: Location<'c>,
        thread: Value<'c>,
    ) -> Emulated<'c, ()> {
        let Some((root, shared)) = self.root(access.memory) else {
            return Ok(());
        };
        let size = |size: Option<i64>| {
            size.ok_or_else(|| {
                EmulationError::at(location, "an access has a size that is not known")
            })
        };
        let kind = if access.writes { WRITES } else { 0 } + if shared { SHARED } else { 0 };
        let (line, column) = line_and_column(location);
        let arguments = [
            address_of(b, root),
            index::constant(b, size(buffer_size(root.ty()))?),
            element_address(b, access.memory, &access.indices),
            index::constant(b, size(element_size(access.ty))?),
            thread,
            index::constant(b, kind),
            index::constant(b, line),
            index::constant(b, column),
        ];
        call(b, ACCESS, &arguments);
        Ok(())
    }

    /// The buffer that a memref is a view of, if its size is known, and whether it is in shared
    /// memory.
    fn root(&self, memory: Value<'c>) -> Option<(Value<'c>, bool)> {
        let mut value = memory;
        loop {
            if self.shared.contains(&value.key()) {
                return Some((value, true));
            }
            match value.defining_op() {
                Some(operation) => value = view_source(operation)?,
                None => {
                    let known = self.parameters.contains(&value.key());
                    return known.then_some((value, false));
                }
            }
        }
    }
}

fn call<'c>(b: &Builder<'c>, name: &str, arguments: &[Value<'c>]) {
    func::call(b, name, arguments, &[]);
}

/// The address of a memref's elements, without its offset.
fn address_of<'c>(b: &Builder<'c>, memory: Value<'c>) -> Value<'c> {
    memref::extract_aligned_pointer_as_index(b, memory)
}

/// The address of an element.
pub fn element_address<'c>(b: &Builder<'c>, memory: Value<'c>, indices: &[Value<'c>]) -> Value<'c> {
    let element = memory.ty().element_type();
    let metadata = memref::extract_strided_metadata(b, memory);
    let mut offset = metadata.offset();
    for (index, stride) in indices.iter().zip(metadata.strides()) {
        let along = index::mul(b, *index, stride);
        offset = index::add(b, offset, along);
    }
    let offset = index::mul(b, offset, element_size(element).unwrap_or(1));
    let first = address_of(b, memory);
    index::add(b, first, offset)
}

/// The line and column of an op; 0 if unknown.
fn line_and_column(location: Location) -> (i64, i64) {
    let text = file_line_column(location).unwrap_or_default();
    let mut parts = text.rsplit(':').map(|part| part.parse().unwrap_or(0));
    let column = parts.next().unwrap_or(0);
    (parts.next().unwrap_or(0), column)
}
