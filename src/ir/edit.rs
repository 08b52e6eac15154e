//! Changes to IR in place, for passes that walk rather than match patterns.

use super::{
    Attribute, Block, Builder, Operation, Value, blocks_of, context_of, operations_of, region_of,
    results_of, value_key,
};
use melior::{
    IrRewriter, StringRef,
    ir::{
        BlockLike, BlockRef, Module, OperationRef, Region, RegionLike, ValueLike,
        operation::OperationLike,
    },
};
use std::collections::HashMap;

/// Values of the original mapped to values of the copy, by [`value_key`].
pub type ValueMap<'c> = HashMap<usize, Value<'c>>;

/// Runs a function with a builder whose insertion point is before an op and
/// whose location is the op's.
pub fn with_builder<'c, T>(
    operation: Operation<'c>,
    function: impl FnOnce(&Builder<'c>) -> T,
) -> T {
    let rewriter = IrRewriter::new(context_of(operation));
    // SAFETY: The builder is borrowed by the function, so it is gone before the
    // rewriter is; handles made through it belong to the IR, not to it.
    let base = unsafe {
        std::mem::transmute::<melior::RewriterBase<'c, '_>, melior::RewriterBase<'c, 'c>>(
            rewriter.as_rewriter_base(),
        )
    };
    let builder = Builder::new(context_of(operation), base, operation.location());
    builder.set_before(operation);
    function(&builder)
}

/// Runs a function with a builder whose insertion point is the end of a module.
pub fn fill_module<'m, T>(module: &'m Module, function: impl FnOnce(&Builder<'m>) -> T) -> T {
    // SAFETY: The op and its block live as long as the module.
    let (operation, block): (Operation<'m>, Block<'m>) = unsafe {
        (
            OperationRef::from_raw(module.as_operation().to_raw()),
            BlockRef::from_raw(module.body().to_raw()),
        )
    };
    let context = context_of(operation);
    let rewriter = IrRewriter::new(context);
    // SAFETY: As in `with_builder`.
    let base = unsafe {
        std::mem::transmute::<melior::RewriterBase<'m, '_>, melior::RewriterBase<'m, 'm>>(
            rewriter.as_rewriter_base(),
        )
    };
    let builder = Builder::new(context, base, operation.location());
    builder.set_to_end(block);
    function(&builder)
}

/// An attribute of an op, inherent or discardable.
pub fn attribute_of<'c>(operation: Operation<'c>, name: &str) -> Option<Attribute<'c>> {
    operation.attribute(name).ok()
}

/// Sets an attribute of an op.
pub fn set_attribute<'c>(operation: Operation<'c>, name: &str, attribute: Attribute<'c>) {
    // SAFETY: The op and the attribute are valid and of one context.
    unsafe {
        mlir_sys::mlirOperationSetAttributeByName(
            operation.to_raw(),
            StringRef::new(name).to_raw(),
            melior::ir::AttributeLike::to_raw(&attribute),
        )
    }
}

/// Removes an attribute of an op, if it is there.
pub fn remove_attribute(operation: Operation, name: &str) {
    // SAFETY: The op is valid.
    unsafe {
        mlir_sys::mlirOperationRemoveAttributeByName(
            operation.to_raw(),
            StringRef::new(name).to_raw(),
        );
    }
}

/// Replaces one operand of an op.
pub fn set_operand<'c>(operation: Operation<'c>, index: usize, value: Value<'c>) {
    if index < operation.operand_count() {
        // SAFETY: The op has such an operand.
        unsafe {
            mlir_sys::mlirOperationSetOperand(operation.to_raw(), index as isize, value.to_raw())
        }
    }
}

/// Replaces all uses of a value.
pub fn replace_uses<'c>(from: Value<'c>, to: Value<'c>) {
    // SAFETY: Both values are valid and of one context.
    unsafe { mlir_sys::mlirValueReplaceAllUsesOfWith(from.to_raw(), to.to_raw()) }
}

/// Gives a value another type. The caller sees to it that users agree.
pub fn set_type<'c>(value: Value<'c>, r#type: super::Type<'c>) {
    // SAFETY: Both are valid and of one context.
    unsafe { mlir_sys::mlirValueSetType(value.to_raw(), melior::ir::TypeLike::to_raw(&r#type)) }
}

/// Moves an op before another one, of any block.
pub fn move_before(operation: Operation, other: Operation) {
    // SAFETY: Both ops are valid and in blocks.
    unsafe { mlir_sys::mlirOperationMoveBefore(operation.to_raw(), other.to_raw()) }
}

/// Whether an op stands before another one of the same block.
pub fn is_before(operation: Operation, other: Operation) -> bool {
    // SAFETY: Both ops are valid; the block numbers them where it has to.
    operation.block() == other.block()
        && unsafe { mlir_sys::mlirOperationIsBeforeInBlock(operation.to_raw(), other.to_raw()) }
}

/// Moves what follows an op into a new block behind the op's.
pub fn split_after<'c>(operation: Operation<'c>) -> Option<Block<'c>> {
    let block = parent_block(operation)?;
    let rest = block
        .parent_region()?
        .insert_block_after(block, melior::ir::Block::new(&[]));
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
    let added = block
        .parent_region()?
        .append_block(melior::ir::Block::new(&[]));
    // SAFETY: The block belongs to the region, which lives as long as the other.
    Some(unsafe { BlockRef::from_raw(added.to_raw()) })
}

/// Appends an argument to a block.
pub fn add_argument<'c>(
    block: Block<'c>,
    r#type: super::Type<'c>,
    location: super::Location<'c>,
) -> Value<'c> {
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

/// Calls a function for an op and all ops nested in it, outer ones first.
pub fn visit<'c>(operation: Operation<'c>, function: &mut impl FnMut(Operation<'c>)) {
    function(operation);
    for block in operation.regions().flat_map(blocks_of) {
        for nested in operations_of(block) {
            visit(nested, function);
        }
    }
}

/// Copies an op to the insertion point, operands of it and of nested ops
/// replaced as mapped, and adds its results to the map.
pub fn clone_operation<'c>(
    builder: &Builder<'c>,
    operation: Operation<'c>,
    map: &mut ValueMap<'c>,
) -> Operation<'c> {
    let copy = builder.rewriter().clone_op(operation);
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

/// The value that a value is mapped to, or itself.
pub fn mapped<'c>(map: &ValueMap<'c>, value: Value<'c>) -> Value<'c> {
    map.get(&value_key(value)).copied().unwrap_or(value)
}

/// Takes a region out of an op, which is left with an empty one.
pub fn take_region<'c>(operation: Operation<'c>, index: usize) -> Option<Region<'c>> {
    let source = region_of(operation, index)?;
    let region = Region::new();
    // SAFETY: Both regions are valid, and the new one owns the blocks then.
    unsafe { mlir_sys::mlirRegionTakeBody(region.to_raw(), source.to_raw()) }
    Some(region)
}

/// Removes an argument without uses from a block.
pub fn erase_argument(block: Block, index: usize) {
    if index < block.argument_count() {
        // SAFETY: The block has such an argument.
        unsafe { mlir_sys::mlirBlockEraseArgument(block.to_raw(), index as u32) }
    }
}
