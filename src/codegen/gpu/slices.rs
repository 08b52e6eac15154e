//! The byte range of a program's buffer that a memref of the host code spans.

use crate::loops::prelude::*;
use halo_ir::prelude::*;

/// A buffer of an entry function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    /// The function's argument of this index.
    Argument(usize),
    /// A global constant.
    Global(String),
    /// An allocation without an assigned offset.
    Allocation(usize),
}

/// A range of bytes of a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    pub base: Base,
    pub offset: u64,
    pub size: u64,
}

impl Range {
    /// Returns true if two ranges have bytes in common.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.base == other.base
            && self.offset < other.offset + other.size
            && other.offset < self.offset + self.size
    }
}

/// The bytes that a memref spans; `None` if they are dynamic or the memref is not a view of a
/// buffer of the function.
pub fn range_of(memref: Value) -> Option<Range> {
    let (base, start) = base_of(memref)?;
    let element = memref.ty().element_type().byte_width()?;
    let dims = memref.ty().static_shape()?;
    let (strides, offset) = memref.ty().strides()?;
    let mut last = 0_u64;
    for (size, stride) in dims.iter().zip(strides) {
        let (size, stride) = (u64::try_from(*size).ok()?, u64::try_from(stride?).ok()?);
        if size == 0 {
            return Some(Range {
                base,
                offset: start,
                size: 0,
            });
        }
        last = last.checked_add((size - 1).checked_mul(stride)?)?;
    }
    let offset = u64::try_from(offset?).ok()?.checked_mul(element)?;
    Some(Range {
        base,
        offset: start.checked_add(offset)?,
        size: last.checked_add(1)?.checked_mul(element)?,
    })
}

/// The buffer under the views, and the base of the offset in the memref's type, in bytes.
fn base_of(memref: Value) -> Option<(Base, u64)> {
    if let Some((block, number)) = memref.as_block_argument() {
        return is_function(block.parent()?).then_some((Base::Argument(number), 0));
    }
    let operation = memref.defining_op()?;
    match operation.name() {
        memref::GetGlobalOp::NAME => {
            let name = operation.attribute("name")?.symbol_value()?;
            Some((Base::Global(name.to_owned()), 0))
        }
        memref::AllocOp::NAME => Some((Base::Allocation(memref.key()), 0)),
        memref::ViewOp::NAME => {
            let operands = operation.operands();
            let (base, start) = base_of(*operands.first()?)?;
            let shift = arith::constant_index(*operands.get(1)?)?;
            Some((base, start.checked_add(u64::try_from(shift).ok()?)?))
        }
        // The offsets of all other views are in their types.
        _ => base_of(view_source(operation)?),
    }
}

fn is_function(operation: Operation) -> bool {
    operation.isa::<func::FuncOp>()
}
