//! Dominance of definitions over uses, on all control flow paths of a program.

use crate::{
    block::BlockExt,
    graveyard::bug,
    handles::{Block, Operation, Value},
    operation::OperationExt,
    validity::is_live,
};
use melior::ir::{BlockLike, ValueLike};
use mlir_sys::{MlirBlock, MlirOperation, MlirValue};
use std::{cell::Cell, ffi::c_void, marker::PhantomData};

unsafe extern "C" {
    fn haloDominanceCreate(operation: MlirOperation) -> *mut c_void;
    fn haloDominanceDestroy(dominance: *mut c_void);
    fn haloDominatesOperation(
        dominance: *mut c_void,
        one: MlirOperation,
        other: MlirOperation,
    ) -> bool;
    fn haloDominatesBlock(dominance: *mut c_void, one: MlirBlock, other: MlirBlock) -> bool;
    fn haloValueDominates(
        dominance: *mut c_void,
        value: MlirValue,
        operation: MlirOperation,
    ) -> bool;
}

/// Dominance between the ops and values in an op.
///
/// The order of ops in a block is computed on each query. The control flow between the blocks of a
/// region is computed on the first query about the region: after changes of blocks or branches,
/// create a new instance.
///
/// ```
/// use halo_ir::{Dominance, Operation, Value};
///
/// /// Whether a value can be used in the place of all operands of an op.
/// fn is_available(root: Operation, value: Value, op: Operation) -> bool {
///     Dominance::of(root).value_dominates(value, op)
/// }
/// ```
pub struct Dominance<'c> {
    raw: *mut c_void,
    root: Operation<'c>,
    /// It belongs to one thread, since queries compute.
    marker: PhantomData<Cell<()>>,
}

impl<'c> Dominance<'c> {
    /// The dominance in an op.
    pub fn of(operation: Operation<'c>) -> Self {
        Self {
            // SAFETY: The op is valid.
            raw: unsafe { haloDominanceCreate(operation.to_raw()) },
            root: operation,
            marker: PhantomData,
        }
    }

    /// Returns true if an op is equal to another one, or properly dominates it. An op dominates the
    /// ops after it in its block.
    pub fn dominates(&self, one: Operation<'c>, other: Operation<'c>) -> bool {
        one == other || self.properly_dominates(one, other)
    }

    /// Returns true if an op properly dominates another one.
    ///
    /// # Panics
    /// Panics if the first one was erased, or the other one is not in the op that this is the
    /// dominance of; so do all queries.
    #[track_caller]
    pub fn properly_dominates(&self, one: Operation<'c>, other: Operation<'c>) -> bool {
        if one.block().is_none() {
            erased();
        }
        self.must_be_inside(other);
        // SAFETY: Both ops are in blocks, the other one in a region of the program.
        unsafe { haloDominatesOperation(self.raw, one.to_raw(), other.to_raw()) }
    }

    /// Returns true if a block is equal to another one, or properly dominates it.
    #[track_caller]
    pub fn block_dominates(&self, one: Block<'c>, other: Block<'c>) -> bool {
        one == other || self.block_properly_dominates(one, other)
    }

    /// Returns true if a block properly dominates another one.
    #[track_caller]
    pub fn block_properly_dominates(&self, one: Block<'c>, other: Block<'c>) -> bool {
        match (one.parent(), other.parent()) {
            (Some(_), Some(owner)) if owner.is_inside(self.root) => {}
            _ => erased(),
        }
        // SAFETY: Both blocks are in regions, the other one in one of the program.
        unsafe { haloDominatesBlock(self.raw, one.to_raw(), other.to_raw()) }
    }

    /// Returns true if an op can use a value.
    #[track_caller]
    pub fn value_dominates(&self, value: Value<'c>, operation: Operation<'c>) -> bool {
        self.must_be_inside(operation);
        if !is_live(value) {
            erased();
        }
        // SAFETY: The definition of the value is in a block, and the op in a region of the program.
        unsafe { haloValueDominates(self.raw, value.to_raw(), operation.to_raw()) }
    }

    #[track_caller]
    fn must_be_inside(&self, operation: Operation<'c>) {
        if operation == self.root || !operation.is_inside(self.root) {
            bug(format_args!(
                "'{}' op is not in the op that the dominance is of; it may have been erased",
                operation.name()
            ));
        }
    }
}

#[cold]
#[track_caller]
fn erased() -> ! {
    bug("dominance of what was erased, or is outside of the program")
}

impl Drop for Dominance<'_> {
    fn drop(&mut self) {
        // SAFETY: It was made for `of`, and is not used any more.
        unsafe { haloDominanceDestroy(self.raw) }
    }
}
