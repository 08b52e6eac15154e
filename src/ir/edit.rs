//! Changes to IR in place, for passes that walk rather than match patterns.
//!
//! These functions return no error. Instead of crashing in MLIR, they panic with a message that
//! names the op: values or attributes of another context, indices out of range, an erased op. A
//! pass reports the panic as its internal error.

use crate::{
    block::BlockExt,
    build_error::BuildError,
    builder::Builder,
    graveyard,
    handles::{Block, Operation, Value},
    operation::{OperationExt, may_change, must_be_in_block, must_stay_outside},
    validity::{self, same_context_as},
    value::ValueExt,
};
use melior::{
    Context,
    ir::{BlockLike, BlockRef, Module, OperationRef, operation::OperationLike},
};
use mlir_sys::{MlirBlock, MlirContext, MlirOperation, MlirRewriterBase};
use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap},
    sync::{Mutex, PoisonError},
};

/// Values of the original mapped to values of the copy, by [`ValueExt::key`].
pub type ValueMap<'c> = HashMap<usize, Value<'c>>;

/// A rewriter that a builder borrows. It is reused, and never destroyed, since a builder is
/// copyable and may outlive the function that it was lent to.
struct Lent(MlirContext, MlirRewriterBase);

/// Rewriters that nobody uses, by context.
struct Free(BTreeMap<usize, Vec<MlirRewriterBase>>);

// SAFETY: The rewriters are idle, and do not depend on a thread.
unsafe impl Send for Free {}

/// The rewriters of threads that have ended.
static LEFT: Mutex<Free> = Mutex::new(Free(BTreeMap::new()));

thread_local! {
    static FREE: RefCell<Free> = const { RefCell::new(Free(BTreeMap::new())) };
}

impl Free {
    fn take(&mut self, context: MlirContext) -> Option<MlirRewriterBase> {
        self.0.get_mut(&(context.ptr as usize))?.pop()
    }
}

impl Drop for Free {
    fn drop(&mut self) {
        let mut left = LEFT.lock().unwrap_or_else(PoisonError::into_inner);
        for (context, rewriters) in std::mem::take(&mut self.0) {
            left.0.entry(context).or_default().extend(rewriters);
        }
    }
}

impl Lent {
    fn new(context: &Context) -> Self {
        let raw = context.to_raw();
        let left = || {
            let mut left = LEFT.lock().unwrap_or_else(PoisonError::into_inner);
            left.take(raw)
        };
        let free = FREE.with_borrow_mut(|free| free.take(raw)).or_else(left);
        // SAFETY: The context is valid.
        Self(
            raw,
            free.unwrap_or_else(|| unsafe { mlir_sys::mlirIRRewriterCreate(raw) }),
        )
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        // SAFETY: The rewriter is valid.
        unsafe { mlir_sys::mlirRewriterBaseClearInsertionPoint(self.1) }
        FREE.with_borrow_mut(|free| free.0.entry(self.0.ptr as usize).or_default().push(self.1));
    }
}

/// Runs a function with a builder whose insertion point is before an op and
/// whose location is the op's.
pub fn with_builder<'c, T>(
    operation: Operation<'c>,
    function: impl FnOnce(&Builder<'c>) -> T,
) -> T {
    let (_rewriter, builder) = builder_before(operation);
    function(&builder)
}

/// A builder, which can be used as long as its rewriter is lent.
fn builder_before(operation: Operation<'_>) -> (Lent, Builder<'_>) {
    let context = operation.context();
    let rewriter = Lent::new(context);
    // SAFETY: The rewriter is never destroyed; its insertion point is in IR that lives as
    // long as the builder, or is kept.
    let builder = unsafe { Builder::from_raw(context, rewriter.1, operation.location()) };
    builder.set_before(operation);
    (rewriter, builder)
}

/// Runs a function with a builder whose insertion point is the end of a module. `data` is an input
/// of the function in addition to the module. Erased ops, and regions that were not attached to an
/// op, are freed at its end.
///
/// # Errors
/// Returns an error if the module uses erased IR.
pub fn fill_module<D: ?Sized, T>(
    module: &mut Module,
    data: &D,
    function: impl for<'m> FnOnce(&Builder<'m>, Operation<'m>, &'m D) -> T,
) -> Result<T, BuildError> {
    // SAFETY: The block lives as long as the borrow of its module.
    let block: Block = unsafe { BlockRef::from_raw(module.body().to_raw()) };
    owning(module, |root| {
        with_builder(root, |builder| {
            builder.set_to_end(block);
            function(builder, root, data)
        })
    })
}

/// Changes a module outside of a pass. Erased ops are freed at the end.
///
/// # Errors
/// Returns an error if the module uses erased IR.
pub fn edit_module<T>(
    module: &mut Module,
    function: impl for<'m> FnOnce(Operation<'m>) -> T,
) -> Result<T, BuildError> {
    owning(module, function)
}

/// Runs a function on the op of a module, and frees the IR that it erased.
fn owning<'m, T>(
    module: &'m mut Module,
    function: impl FnOnce(Operation<'m>) -> T,
) -> Result<T, BuildError> {
    // SAFETY: The op lives as long as the borrow of its module.
    let root: Operation = unsafe { OperationRef::from_raw(module.as_operation().to_raw()) };
    let context = validity::context_of_operation(root);
    let (result, stale) = graveyard::owning(context, Some(root), || function(root));
    match stale {
        Some(location) => Err(BuildError::because(format!(
            "{location}: an op uses a value or block that was erased"
        ))),
        None => Ok(result),
    }
}

/// Runs a function while ops are at the end of a module, in their order. They are moved back to
/// their positions afterwards.
///
/// # Panics
/// Panics if one of them was erased or is in no block, the module is of another context or in one
/// of them, or a pass runs on one.
#[track_caller]
pub fn with_operations_in<T>(
    module: &Module,
    operations: &[Operation],
    function: impl FnOnce() -> T,
) -> T {
    let root = crate::handles::root_of(module);
    for operation in operations {
        may_change("move", *operation);
        must_be_in_block("move", *operation);
        same_context_as(*operation, validity::context_of_operation(root));
        must_stay_outside(*operation, root);
    }
    let mut moved = Moved {
        block: module.body().to_raw(),
        places: Vec::new(),
    };
    for operation in operations {
        moved.take(operation.to_raw());
    }
    function()
}

/// Ops that are moved back to their blocks.
struct Moved {
    /// The temporary block.
    block: MlirBlock,
    /// Each with its block, and the op after it there, or null.
    places: Vec<(MlirOperation, MlirBlock, MlirOperation)>,
}

impl Moved {
    fn take(&mut self, operation: MlirOperation) {
        // SAFETY: The op is valid and in a block, and so is the block that it goes to.
        unsafe {
            let block = mlir_sys::mlirOperationGetBlock(operation);
            let next = mlir_sys::mlirOperationGetNextInBlock(operation);
            self.places.push((operation, block, next));
            mlir_sys::mlirOperationRemoveFromParent(operation);
            mlir_sys::mlirBlockAppendOwnedOperation(self.block, operation);
        }
    }
}

impl Drop for Moved {
    fn drop(&mut self) {
        let is_in = |operation: MlirOperation, block: MlirBlock| {
            // SAFETY: The op is valid: erased ones are kept until the end of the edit.
            !operation.ptr.is_null()
                && unsafe { mlir_sys::mlirOperationGetBlock(operation) }.ptr == block.ptr
        };
        // The last one first, so that the op after each one is in its position already.
        for (operation, block, next) in self.places.drain(..).rev() {
            if !is_in(operation, self.block) {
                continue;
            }
            // SAFETY: The op and the blocks are valid, and `next` is in the block.
            unsafe {
                mlir_sys::mlirOperationRemoveFromParent(operation);
                if is_in(next, block) {
                    mlir_sys::mlirBlockInsertOwnedOperationBefore(block, next, operation)
                } else {
                    mlir_sys::mlirBlockAppendOwnedOperation(block, operation)
                }
            }
        }
    }
}

impl<'c> Builder<'c> {
    /// Clones an op at the insertion point, with operands of it and of nested ops replaced as
    /// mapped, and adds its results to the map.
    ///
    /// # Panics
    /// Panics if the op is of another context, or there is no insertion point.
    pub fn clone_op(&self, operation: Operation<'c>, map: &mut ValueMap<'c>) -> Operation<'c> {
        let copy = self.copy(operation);
        copy.visit(&mut |nested| {
            for (index, operand) in nested.operands().into_iter().enumerate() {
                if let Some(value) = map.get(&operand.key()) {
                    nested.set_operand(index, *value);
                }
            }
        });
        for (from, to) in operation.results().into_iter().zip(copy.results()) {
            map.insert(from.key(), to);
        }
        copy
    }

    /// Clones the ops of a block at the insertion point, without its terminator, with the block's
    /// arguments replaced, and returns the copies of the terminator's operands.
    ///
    /// # Panics
    /// Panics like [`Builder::clone_op`].
    pub fn clone_body(&self, body: Block<'c>, arguments: &[Value<'c>]) -> Vec<Value<'c>> {
        let mut map = ValueMap::new();
        for (argument, value) in body.arguments().into_iter().zip(arguments) {
            map.insert(argument.key(), *value);
        }
        let terminator = body.terminator();
        for operation in body.operations() {
            if Some(operation) != terminator {
                self.clone_op(operation, &mut map);
            }
        }
        let last = terminator.map(OperationExt::operands).unwrap_or_default().into_iter();
        last.map(|value| mapped(&map, value)).collect()
    }
}

/// The value that a value is mapped to, or itself.
pub fn mapped<'c>(map: &ValueMap<'c>, value: Value<'c>) -> Value<'c> {
    map.get(&value.key()).copied().unwrap_or(value)
}
