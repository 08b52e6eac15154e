//! Deferred deletion of erased IR, until no handle to it can exist.
//!
//! Deferred deletion: `Operation`, `Value` and `Block` are copyable, so a pass may still hold a
//! handle to an op that it erased. MLIR would free the op. Here it is unlinked and kept until the
//! end of the innermost [`owner`](owning): the pass, or the application of a pattern. It has a
//! name, attributes, regions and results as before; its operands and successors are placeholders of
//! the same types. It is freed when the owner ends, at which point no handle is alive: handles of a
//! pass live as long as the borrow of its invocation, and handles of a pattern as long as its call.
//!
//! ```text
//! run(&mut invocation)                 the owner: a pass
//!   op = operation.collect_nested(...)
//!   builder.erase(op)                  op is unlinked and kept
//!   op.name()                          reads the kept op
//! end of run                           op is freed
//! ```
//!
//! If live IR uses an erased value when the owner ends, that use becomes an
//! `unrealized_conversion_cast` without operands and the pass fails. Outside of an owner there is
//! no point at which handles are guaranteed to be dead, so erased ops stay until the process ends.
//!
//! Hooks that MLIR calls during its work, such as verifiers, folders and the rule of a fusion, run
//! under [`read_only`].

use crate::handles::{Block, Operation};
use melior::ir::{BlockLike, Location};
use mlir_sys::{MlirBlock, MlirContext, MlirLocation, MlirOperation, MlirRegion, MlirRewriterBase};
use std::{
    cell::{Cell, RefCell},
    ffi::c_void,
    fmt,
};

unsafe extern "C" {
    fn haloGraveyardCreate() -> *mut c_void;
    fn haloGraveyardDestroy(graveyard: *mut c_void, user: *mut MlirLocation) -> bool;
    fn haloGraveyardTakeOperation(
        graveyard: *mut c_void,
        rewriter: MlirRewriterBase,
        operation: MlirOperation,
    );
    fn haloGraveyardTakeBlock(graveyard: *mut c_void, rewriter: MlirRewriterBase, block: MlirBlock);
    fn haloGraveyardTakeRegion(graveyard: *mut c_void, region: MlirRegion);
    fn haloGraveyardTakeArgument(graveyard: *mut c_void, block: MlirBlock, index: isize);
}

/// A scope whose end frees the IR erased in it.
struct Owner {
    context: MlirContext,
    /// The op that a pass runs on, which is not moved or erased; null for a pattern.
    root: MlirOperation,
    /// Created on first use.
    graveyard: *mut c_void,
}

/// An insertion point to be restored.
#[derive(Clone, Copy)]
pub(crate) struct InsertionPoint {
    block: MlirBlock,
    /// The op after it; null for the end of the block.
    next: MlirOperation,
}

thread_local! {
    static OWNERS: RefCell<Vec<Owner>> = const { RefCell::new(Vec::new()) };
    static SAVED: RefCell<Vec<InsertionPoint>> = const { RefCell::new(Vec::new()) };
    static READ_ONLY: Cell<bool> = const { Cell::new(false) };
    static ERASURES: Cell<u64> = const { Cell::new(0) };
}

const NO_OPERATION: MlirOperation = MlirOperation {
    ptr: std::ptr::null_mut(),
};
const NO_REWRITER: MlirRewriterBase = MlirRewriterBase {
    ptr: std::ptr::null_mut(),
};

/// Runs a function, and frees the ops that it erased at its end. Returns the location of an op that
/// uses an erased value, if any. No handle to an op that the function could erase may be alive
/// afterwards.
pub(crate) fn owning<'c, T>(
    context: MlirContext,
    root: Option<Operation<'c>>,
    function: impl FnOnce() -> T,
) -> (T, Option<Location<'c>>) {
    /// Frees the IR also after a panic.
    struct Guard(usize);
    impl Guard {
        fn end(&mut self) -> Option<MlirLocation> {
            let owner = OWNERS.with_borrow_mut(|owners| {
                (owners.len() == self.0).then(|| owners.pop()).flatten()
            })?;
            if owner.graveyard.is_null() {
                return None;
            }
            let mut user = MlirLocation {
                ptr: std::ptr::null(),
            };
            // SAFETY: The object was made for the owner and is not used any more.
            unsafe { haloGraveyardDestroy(owner.graveyard, &mut user) }.then_some(user)
        }
    }
    impl Drop for Guard {
        fn drop(&mut self) {
            self.end();
        }
    }

    let mut guard = Guard(OWNERS.with_borrow_mut(|owners| {
        owners.push(Owner {
            context,
            root: root.map_or(NO_OPERATION, |root| root.to_raw()),
            graveyard: std::ptr::null_mut(),
        });
        owners.len()
    }));
    let result = function();
    let user = guard.end().map(|user| {
        // SAFETY: The location belongs to the context, which outlives the owner.
        unsafe { Location::from_raw(user) }
    });
    (result, user)
}

/// Runs a function that MLIR calls while it holds ops itself, with changes of IR disabled.
pub(crate) fn read_only<T>(function: impl FnOnce() -> T) -> T {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            READ_ONLY.set(self.0);
        }
    }
    let _restore = Restore(READ_ONLY.replace(true));
    function()
}

/// Returns true if IR can be changed now.
pub(crate) fn is_read_only() -> bool {
    READ_ONLY.get()
}

/// The number of erasures on this thread: while it does not change, all ops of the program stay
/// valid.
pub(crate) fn erasures() -> u64 {
    ERASURES.get()
}

/// Returns true if an op is the one that a pass runs on, or one of its ancestors.
pub(crate) fn is_root(operation: Operation) -> bool {
    OWNERS.with_borrow(|owners| {
        owners.iter().any(|owner| {
            let mut current = owner.root;
            while !current.ptr.is_null() && current.ptr != operation.to_raw().ptr {
                // SAFETY: The pass of the owner runs, so its op and the ancestors are alive.
                current = unsafe { mlir_sys::mlirOperationGetParentOperation(current) };
            }
            !current.ptr.is_null()
        })
    })
}

/// Calls a function with the list of erased IR for ops of a context.
fn with_graveyard(context: MlirContext, function: impl FnOnce(*mut c_void)) {
    ERASURES.set(ERASURES.get() + 1);
    // SAFETY: The function has no preconditions.
    let make = || unsafe { haloGraveyardCreate() };
    let graveyard = OWNERS.with_borrow_mut(|owners| {
        let owner = owners.last_mut()?;
        if owner.context.ptr != context.ptr {
            return None;
        }
        if owner.graveyard.is_null() {
            owner.graveyard = make();
        }
        Some(owner.graveyard)
    });
    // One without an owner is never destroyed.
    function(graveyard.unwrap_or_else(make));
}

/// Unlinks an op without uses.
pub(crate) fn take_operation(rewriter: Option<MlirRewriterBase>, operation: Operation) {
    let raw = operation.to_raw();
    SAVED.with_borrow_mut(|saved| {
        for point in saved.iter_mut().filter(|point| point.next.ptr == raw.ptr) {
            // SAFETY: The op is still in its block.
            point.next = unsafe { mlir_sys::mlirOperationGetNextInBlock(raw) };
        }
    });
    // SAFETY: The op and the list of erased IR are valid.
    unsafe {
        with_graveyard(mlir_sys::mlirOperationGetContext(raw), |graveyard| {
            haloGraveyardTakeOperation(graveyard, rewriter.unwrap_or(NO_REWRITER), raw)
        });
    }
}

/// Unlinks a block without predecessors from its region.
pub(crate) fn take_block(context: MlirContext, rewriter: MlirRewriterBase, block: Block) {
    // SAFETY: The block and the list of erased IR are valid.
    with_graveyard(context, |graveyard| unsafe {
        haloGraveyardTakeBlock(graveyard, rewriter, block.to_raw())
    });
}

/// Takes over a detached region.
pub(crate) fn take_region(region: MlirRegion) {
    // SAFETY: The caller owns the region.
    unsafe {
        let block = mlir_sys::mlirRegionGetFirstBlock(region);
        match context_of_block(block) {
            Some(context) => {
                with_graveyard(context, |graveyard| {
                    haloGraveyardTakeRegion(graveyard, region)
                });
            }
            // A region without blocks, or with one empty block and no arguments, has no context,
            // and needs no owner with one.
            None => OWNERS.with_borrow_mut(|owners| match owners.last_mut() {
                Some(owner) => {
                    if owner.graveyard.is_null() {
                        owner.graveyard = haloGraveyardCreate();
                    }
                    haloGraveyardTakeRegion(owner.graveyard, region);
                }
                None => haloGraveyardTakeRegion(haloGraveyardCreate(), region),
            }),
        }
    }
}

/// The context of a block's contents.
///
/// # Safety
///
/// The block must be null or valid.
pub(crate) unsafe fn context_of_block(block: MlirBlock) -> Option<MlirContext> {
    // SAFETY: Each part is read only if it exists.
    unsafe {
        let mut block = block;
        while !block.ptr.is_null() {
            if mlir_sys::mlirBlockGetNumArguments(block) > 0 {
                let argument = mlir_sys::mlirBlockGetArgument(block, 0);
                return Some(mlir_sys::mlirValueGetContext(argument));
            }
            let operation = mlir_sys::mlirBlockGetFirstOperation(block);
            if !operation.ptr.is_null() {
                return Some(mlir_sys::mlirOperationGetContext(operation));
            }
            block = mlir_sys::mlirBlockGetNextInRegion(block);
        }
        None
    }
}

/// Removes an argument without uses from a block that has it.
pub(crate) fn take_argument(context: MlirContext, block: Block, index: usize) {
    // SAFETY: The caller has checked the argument.
    with_graveyard(context, |graveyard| unsafe {
        haloGraveyardTakeArgument(graveyard, block.to_raw(), index as isize)
    });
}

/// An insertion point that is saved during other insertions: it is moved after ops that are erased
/// meanwhile.
pub(crate) struct Saved(usize);

impl Saved {
    pub(crate) fn new(block: MlirBlock, next: MlirOperation) -> Self {
        Self(SAVED.with_borrow_mut(|saved| {
            saved.push(InsertionPoint { block, next });
            saved.len() - 1
        }))
    }

    /// The current point.
    pub(crate) fn point(&self) -> Option<(MlirBlock, MlirOperation)> {
        SAVED.with_borrow(|saved| {
            let point = saved.get(self.0)?;
            Some((point.block, point.next))
        })
    }
}

impl Drop for Saved {
    fn drop(&mut self) {
        SAVED.with_borrow_mut(|saved| saved.truncate(self.0));
    }
}

/// Ends the running pass with an internal error: a function was called with invalid arguments, or
/// IR violates an invariant of the compiler. For functions that build IR, which return no errors.
///
/// ```
/// use halo_ir::prelude::*;
///
/// /// The first value that a loop carries.
/// fn first<'c>(carried: &[Value<'c>]) -> Value<'c> {
///     *carried.first().unwrap_or_else(|| bug("the loop carries no values"))
/// }
/// ```
///
/// # Panics
/// Always.
#[cold]
#[track_caller]
pub fn bug(message: impl fmt::Display) -> ! {
    panic!("{message}")
}

/// The value, or a [`bug`] with the error as its message and the caller's location.
#[track_caller]
pub(crate) fn expected<T>(result: Result<T, impl fmt::Display>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => bug(error),
    }
}
