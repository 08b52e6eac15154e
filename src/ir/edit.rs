//! Changes to IR in place, for passes that walk rather than match patterns.
//!
//! These functions return no error. Where MLIR would crash they panic with a
//! message that names the op: values or attributes of another context,
//! positions out of range, an erased op. A pass reports the panic as its
//! internal error.

use super::{
    Attribute, Block, BuildError, Builder, Location, Operation, Region, Type, Value, arguments_of,
    context_of,
    graveyard::{self, misused},
    is_unused, name_of, operands_of, operations_of, region_of, results_of,
    validity::{self, is_live, same_context_as},
    value_key, visit,
};
use melior::{
    Context,
    ir::{
        BlockLike, BlockRef, Module, OperationRef, RegionLike, TypeLike, ValueLike,
        operation::OperationLike,
    },
};
use mlir_sys::{MlirBlock, MlirContext, MlirOperation, MlirRewriterBase};
use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap},
    sync::{Mutex, PoisonError},
};

/// Values of the original mapped to values of the copy, by [`value_key`].
pub type ValueMap<'c> = HashMap<usize, Value<'c>>;

/// A rewriter that a builder borrows. It is used again, and never destroyed, since a
/// builder is copyable and may outlive the function that it was lent to.
struct Lent(MlirContext, MlirRewriterBase);

/// Rewriters that nobody uses, by context.
struct Free(BTreeMap<usize, Vec<MlirRewriterBase>>);

// SAFETY: Nobody uses the rewriters, and they belong to no thread.
unsafe impl Send for Free {}

/// Those of threads that have ended.
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
    let context = context_of(operation);
    let rewriter = Lent::new(context);
    // SAFETY: The rewriter is never destroyed; its insertion point is in IR that lives as
    // long as the builder, or is kept.
    let builder = unsafe { Builder::from_raw(context, rewriter.1, operation.location()) };
    builder.set_before(operation);
    (rewriter, builder)
}

/// Runs a function with a builder whose insertion point is the end of a module. `data` is
/// what the function reads beside the module. What it erases, and the regions that it
/// hands to no op, are freed at its end.
///
/// # Errors
/// Where the module uses a part of what was erased.
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
/// Where the module uses a part of what was erased.
pub fn edit_module<T>(
    module: &mut Module,
    function: impl for<'m> FnOnce(Operation<'m>) -> T,
) -> Result<T, BuildError> {
    owning(module, function)
}

/// Runs a function on the op of a module, and frees what it erased.
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

/// Panics where IR must not be changed now.
#[track_caller]
fn may_change(what: &str, operation: Operation) {
    if graveyard::is_read_only() {
        misused(format_args!(
            "cannot {what} '{}' op: this function can only read the program",
            name_of(operation)
        ));
    }
}

/// Panics where an op is in no block.
#[track_caller]
fn must_be_in_block(what: &str, operation: Operation) {
    if operation.block().is_none() {
        misused(format_args!(
            "cannot {what} '{}' op: it is in no block, it may have been erased",
            name_of(operation)
        ));
    }
}

/// Panics where an op that is moved would be in itself, or a pass runs on it.
#[track_caller]
fn must_stay_outside(operation: Operation, place: Operation) {
    if is_inside(place, operation) || graveyard::is_root(operation) {
        misused(format_args!(
            "cannot move '{}' op into itself, or out of its pass",
            name_of(operation)
        ));
    }
}

/// An attribute of an op, inherent or discardable.
pub fn attribute_of<'c>(operation: Operation<'c>, name: &str) -> Option<Attribute<'c>> {
    operation.attribute(name).ok()
}

/// Sets an attribute of an op.
///
/// # Panics
/// Where [`try_set_attribute`] fails.
#[track_caller]
pub fn set_attribute<'c>(operation: Operation<'c>, name: &str, attribute: Attribute<'c>) {
    if let Err(error) = try_set_attribute(operation, name, attribute) {
        misused(error);
    }
}

/// Sets an attribute of an op whose name or value comes from a user.
///
/// # Errors
/// Where the attribute is of another context, or the op's definition has another kind of
/// attribute by that name.
pub fn try_set_attribute<'c>(
    operation: Operation<'c>,
    name: &str,
    attribute: Attribute<'c>,
) -> Result<(), BuildError> {
    let reason = match validity::context_of_attribute(attribute) {
        _ if graveyard::is_read_only() => "cannot be set by a function that can only read",
        None => "is absent",
        Some(context) if validity::context_of_operation(operation).ptr != context.ptr => {
            "is of another context"
        }
        Some(_) if validity::set_attribute(operation, name, attribute) => return Ok(()),
        Some(_) => "is not of the kind that its definition asks for",
    };
    Err(BuildError::because(format!(
        "attribute '{name}' of '{}' op {reason}",
        name_of(operation)
    )))
}

/// Removes an attribute of an op, if it is there. One that has a default gets that.
///
/// # Panics
/// Where the op must have the attribute.
#[track_caller]
pub fn remove_attribute(operation: Operation, name: &str) {
    may_change("change", operation);
    if !validity::remove_attribute(operation, name) {
        misused(format_args!(
            "'{}' op must have attribute '{name}'",
            name_of(operation)
        ));
    }
}

/// Replaces one operand of an op.
///
/// # Panics
/// Where the op has fewer operands, or the value is of another context or was erased.
#[track_caller]
pub fn set_operand<'c>(operation: Operation<'c>, index: usize, value: Value<'c>) {
    may_change("change", operation);
    same_context_as(operation, validity::context_of_value(value));
    let count = operation.operand_count();
    if index >= count || !is_live(value) {
        misused(format_args!(
            "operand {index} of {count} of '{}' op cannot be set to a value{}",
            name_of(operation),
            if index < count {
                " that was erased"
            } else {
                ""
            }
        ));
    }
    // SAFETY: The op has such an operand.
    unsafe { mlir_sys::mlirOperationSetOperand(operation.to_raw(), index as isize, value.to_raw()) }
}

/// Replaces all uses of a value.
///
/// # Panics
/// Where a value is of another context, or the second one was erased.
#[track_caller]
pub fn replace_uses<'c>(from: Value<'c>, to: Value<'c>) {
    if from == to {
        return;
    }
    let contexts = [from, to].map(|value| validity::context_of_value(value).ptr);
    if contexts[0] != contexts[1] || !is_live(to) || graveyard::is_read_only() {
        misused("cannot replace uses by a value that was erased, or is of another context");
    }
    // SAFETY: Both values are valid and of one context.
    unsafe { mlir_sys::mlirValueReplaceAllUsesOfWith(from.to_raw(), to.to_raw()) }
}

/// Gives a value another type. The caller sees to it that users agree.
///
/// # Panics
/// Where the type is of another context.
#[track_caller]
pub fn set_type<'c>(value: Value<'c>, r#type: Type<'c>) {
    let context = validity::context_of_value(value);
    if context.ptr != validity::context_of_type(r#type).ptr || graveyard::is_read_only() {
        misused("cannot give a value a type of another context");
    }
    // SAFETY: Both are valid and of one context.
    unsafe { mlir_sys::mlirValueSetType(value.to_raw(), r#type.to_raw()) }
}

/// Moves an op before another one, of any block.
///
/// # Panics
/// Where one of them was erased, the other one is in the op, they are of two contexts, or
/// a pass runs on the op.
#[track_caller]
pub fn move_before(operation: Operation, other: Operation) {
    may_change("move", operation);
    must_be_in_block("move", operation);
    must_be_in_block("move an op before", other);
    same_context_as(operation, validity::context_of_operation(other));
    if operation == other {
        return;
    }
    must_stay_outside(operation, other);
    // SAFETY: Both ops are valid and in blocks.
    unsafe { mlir_sys::mlirOperationMoveBefore(operation.to_raw(), other.to_raw()) }
}

/// Runs a function while ops are at the end of a module, in their order. They are moved back to
/// their places behind it.
///
/// # Panics
/// Where one of them was erased or is in no block, the module is of another context or in one of
/// them, or a pass runs on one.
#[track_caller]
pub fn with_operations_in<T>(
    module: &Module,
    operations: &[Operation],
    function: impl FnOnce() -> T,
) -> T {
    let root = crate::root_of(module);
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

/// Ops that go back to their blocks.
struct Moved {
    /// Where they are meanwhile.
    block: MlirBlock,
    /// Each with its block, and the one that followed it there, or null.
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
            // SAFETY: The op is valid: those that are erased are kept until the module is free to
            // be changed by others.
            !operation.ptr.is_null()
                && unsafe { mlir_sys::mlirOperationGetBlock(operation) }.ptr == block.ptr
        };
        // The last one first: what follows an op is in its place then.
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

/// Whether an op stands before another one of the same block.
pub fn is_before(operation: Operation, other: Operation) -> bool {
    // SAFETY: Both ops are valid; the block numbers them where it has to.
    operation.block().is_some()
        && operation.block() == other.block()
        && unsafe { mlir_sys::mlirOperationIsBeforeInBlock(operation.to_raw(), other.to_raw()) }
}

/// Moves what follows an op into a new block after the op's.
pub fn split_after<'c>(operation: Operation<'c>) -> Option<Block<'c>> {
    may_change("split the block of", operation);
    let block = parent_block(operation)?;
    let rest = block.parent_region()?.insert_block_after(block, melior::ir::Block::new(&[]));
    // SAFETY: The block belongs to the region, which lives as long as the op;
    // the ops are valid and in blocks.
    unsafe {
        let rest = BlockRef::from_raw(rest.to_raw());
        while let Some(next) = operation.next_in_block() {
            mlir_sys::mlirOperationRemoveFromParent(next.to_raw());
            mlir_sys::mlirBlockAppendOwnedOperation(rest.to_raw(), next.to_raw());
        }
        Some(rest)
    }
}

/// Adds an empty block to the end of the region that a block is in.
pub fn add_block_behind<'c>(block: Block<'c>) -> Option<Block<'c>> {
    let added = block.parent_region()?.append_block(melior::ir::Block::new(&[]));
    // SAFETY: The block belongs to the region, which lives as long as the other.
    Some(unsafe { BlockRef::from_raw(added.to_raw()) })
}

/// Appends an argument to a block.
///
/// # Panics
/// Where type and location are of two contexts.
#[track_caller]
pub fn add_argument<'c>(block: Block<'c>, r#type: Type<'c>, location: Location<'c>) -> Value<'c> {
    let contexts = [
        validity::context_of_type(r#type).ptr,
        validity::context_of_location(location).ptr,
        block
            .parent_operation()
            .map_or(validity::context_of_type(r#type), |owner| {
                validity::context_of_operation(owner)
            })
            .ptr,
    ];
    if contexts[0] != contexts[1] || contexts[0] != contexts[2] || graveyard::is_read_only() {
        misused("cannot add an argument: its type or location is of another context");
    }
    block.add_argument(r#type, location)
}

/// The block that an op stands in.
pub fn parent_block<'c>(operation: Operation<'c>) -> Option<Block<'c>> {
    let block = operation.block()?;
    // SAFETY: The block holds the op, so it lives as long.
    Some(unsafe { BlockRef::from_raw(block.to_raw()) })
}

/// The op that an op is nested in.
pub fn parent_operation<'c>(operation: Operation<'c>) -> Option<Operation<'c>> {
    let parent = operation.parent_operation()?;
    // SAFETY: The parent holds the op, so it lives as long.
    Some(unsafe { OperationRef::from_raw(parent.to_raw()) })
}

/// The op that a block belongs to.
pub fn owner_of<'c>(block: Block<'c>) -> Option<Operation<'c>> {
    let parent = block.parent_operation()?;
    // SAFETY: The parent holds the block, so it lives as long.
    Some(unsafe { OperationRef::from_raw(parent.to_raw()) })
}

/// Whether `inner` is nested in `outer`, at any depth, or is it.
pub fn is_inside(inner: Operation, outer: Operation) -> bool {
    let mut current = Some(inner);
    while let Some(operation) = current {
        if operation == outer {
            return true;
        }
        current = parent_operation(operation);
    }
    false
}

/// The op that terminates a block.
pub fn terminator_of(block: Block<'_>) -> Option<Operation<'_>> {
    // MLIR knows the last op where it ends a block; any other is found by a walk.
    block.terminator().or_else(|| operations_of(block).pop())
}

/// Copies an op to the insertion point, operands of it and of nested ops
/// replaced as mapped, and adds its results to the map.
///
/// # Panics
/// Where the op is of another context, or there is no insertion point.
pub fn clone_operation<'c>(
    builder: &Builder<'c>,
    operation: Operation<'c>,
    map: &mut ValueMap<'c>,
) -> Operation<'c> {
    let copy = builder.copy(operation);
    visit(copy, &mut |nested| {
        for (index, operand) in nested.operands().enumerate() {
            if let Some(value) = map.get(&value_key(operand)) {
                set_operand(nested, index, *value);
            }
        }
    });
    for (from, to) in results_of(operation).into_iter().zip(results_of(copy)) {
        map.insert(value_key(from), to);
    }
    copy
}

/// Copies the ops of a block to the insertion point, its terminator left out, with the
/// block's arguments replaced, and returns the copies of the terminator's operands.
///
/// # Panics
/// As [`clone_operation`].
pub fn clone_body<'c>(
    builder: &Builder<'c>,
    body: Block<'c>,
    arguments: &[Value<'c>],
) -> Vec<Value<'c>> {
    let mut map = ValueMap::new();
    for (argument, value) in arguments_of(body).into_iter().zip(arguments) {
        map.insert(value_key(argument), *value);
    }
    let terminator = terminator_of(body);
    for operation in operations_of(body) {
        if Some(operation) != terminator {
            clone_operation(builder, operation, &mut map);
        }
    }
    let last = terminator.map(operands_of).unwrap_or_default().into_iter();
    last.map(|value| mapped(&map, value)).collect()
}

/// The value that a value is mapped to, or itself.
pub fn mapped<'c>(map: &ValueMap<'c>, value: Value<'c>) -> Value<'c> {
    map.get(&value_key(value)).copied().unwrap_or(value)
}

/// Takes a region out of an op, which is left with an empty one.
pub fn take_region<'c>(operation: Operation<'c>, index: usize) -> Option<Region<'c>> {
    may_change("empty a region of", operation);
    let source = region_of(operation, index)?;
    let region = Region::new();
    // SAFETY: Both regions are valid, and the new one owns the blocks then.
    unsafe { mlir_sys::mlirRegionTakeBody(region.to_raw(), source.to_raw()) }
    Some(region)
}

/// Removes an argument without uses from a block.
///
/// # Panics
/// Where the block has fewer arguments, or the argument is used.
#[track_caller]
pub fn erase_argument(block: Block, index: usize) {
    let argument: Option<Value> = block.argument(index).ok().map(Into::into);
    match argument {
        Some(argument) if is_unused(argument) && !graveyard::is_read_only() => {
            graveyard::take_argument(validity::context_of_value(argument), block, index);
        }
        _ => misused(format_args!(
            "cannot erase argument {index} of a block: it is used, or not there"
        )),
    }
}
