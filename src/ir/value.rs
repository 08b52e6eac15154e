//! Methods of values.

// Handles are copied.
#![allow(clippy::wrong_self_convention)]

use crate::{
    block::BlockExt,
    graveyard::{self, bug},
    handles::{Block, Location, Operation, Type, Value, context_from_raw},
    operation::OperationExt,
    ops::definition::Op,
    validity::{self, is_live},
    walk::once,
};
use easy_ext::ext;
use melior::{
    Context,
    ir::{BlockRef, OperationRef, TypeLike, ValueLike},
};

/// Methods of values.
#[ext(ValueExt)]
pub impl<'c> Value<'c> {
    /// The type of a value.
    fn ty(self) -> Type<'c> {
        ValueLike::r#type(&self)
    }

    /// The context that owns a value.
    fn context(self) -> &'c Context {
        // SAFETY: The value is valid, and the context outlives it.
        unsafe { context_from_raw(mlir_sys::mlirValueGetContext(self.to_raw())) }
    }

    /// The op that defines a value; `None` for a block argument.
    fn defining_op(self) -> Option<Operation<'c>> {
        // SAFETY: The owner of a result is a live op of the same context.
        self.is_operation_result().then(|| unsafe {
            OperationRef::from_raw(mlir_sys::mlirOpResultGetOwner(self.to_raw()))
        })
    }

    /// The op that defines a value, and the number of the result; `None` for a
    /// block argument.
    fn as_result(self) -> Option<(Operation<'c>, usize)> {
        let op = self.defining_op()?;
        // SAFETY: The value is a result.
        let number = unsafe { mlir_sys::mlirOpResultGetResultNumber(self.to_raw()) };
        Some((op, number as usize))
    }

    /// The op of a type that defines a value, if any.
    #[inline]
    fn defined_by<O: Op<'c>>(self) -> Option<O> {
        self.defining_op()?.cast()
    }

    /// The op that defines a value, or the parent of the block that it is an argument of.
    fn owner(self) -> Option<Operation<'c>> {
        match self.defining_op() {
            Some(op) => Some(op),
            None => self.as_block_argument().and_then(|(block, _)| block.parent()),
        }
    }

    /// The block of the op that defines a value, or the block that it is an argument of.
    fn parent_block(self) -> Option<Block<'c>> {
        match self.defining_op() {
            Some(op) => op.block(),
            None => self.as_block_argument().map(|(block, _)| block),
        }
    }

    /// The block and the number of a block argument; `None` for a result.
    fn as_block_argument(self) -> Option<(Block<'c>, usize)> {
        if !self.is_block_argument() {
            return None;
        }
        // SAFETY: The value was checked to be a block argument.
        unsafe {
            let raw = self.to_raw();
            Some((
                BlockRef::from_raw(mlir_sys::mlirBlockArgumentGetOwner(raw)),
                mlir_sys::mlirBlockArgumentGetArgNumber(raw) as usize,
            ))
        }
    }

    /// The ops that use a value, each with the number of the operand.
    fn uses(self) -> Vec<(Operation<'c>, usize)> {
        let mut uses = Vec::new();
        // SAFETY: The use list is walked without change; owners are live ops.
        unsafe {
            let mut raw = mlir_sys::mlirValueGetFirstUse(self.to_raw());
            while !raw.ptr.is_null() {
                uses.push((
                    OperationRef::from_raw(mlir_sys::mlirOpOperandGetOwner(raw)),
                    mlir_sys::mlirOpOperandGetOperandNumber(raw) as usize,
                ));
                raw = mlir_sys::mlirOpOperandGetNextUse(raw);
            }
        }
        uses
    }

    /// The ops that use a value, each once.
    fn users(self) -> Vec<Operation<'c>> {
        once(self.uses())
    }

    /// Returns true if a value has no uses.
    fn is_unused(self) -> bool {
        // SAFETY: The value is valid.
        unsafe { mlir_sys::mlirValueGetFirstUse(self.to_raw()).ptr.is_null() }
    }

    /// Returns true if a value has one use. Reads at most two uses.
    fn has_one_use(self) -> bool {
        // SAFETY: The value is valid, and its uses are read without change.
        unsafe {
            let first = mlir_sys::mlirValueGetFirstUse(self.to_raw());
            !first.ptr.is_null() && mlir_sys::mlirOpOperandGetNextUse(first).ptr.is_null()
        }
    }

    /// Returns true if a value has at least `count` uses. Reads no more than these.
    ///
    /// ```
    /// use halo_ir::{Value, ValueExt};
    ///
    /// /// Whether several ops, or operands of one, read a value.
    /// fn is_shared(value: Value) -> bool {
    ///     value.has_n_uses_or_more(2)
    /// }
    /// ```
    fn has_n_uses_or_more(self, count: usize) -> bool {
        // SAFETY: The value is valid, and its uses are read without change.
        unsafe {
            let mut next = mlir_sys::mlirValueGetFirstUse(self.to_raw());
            for _ in 1..count {
                if next.ptr.is_null() {
                    return false;
                }
                next = mlir_sys::mlirOpOperandGetNextUse(next);
            }
            count == 0 || !next.ptr.is_null()
        }
    }

    /// An identity for a value that can key a map.
    fn key(self) -> usize {
        self.to_raw().ptr as usize
    }

    /// Replaces all uses of a value.
    ///
    /// # Panics
    /// Panics if a value is of another context, or the second one was erased.
    #[track_caller]
    fn replace_uses_with(self, to: Value<'c>) {
        if self == to {
            return;
        }
        let contexts = [self, to].map(|value| validity::context_of_value(value).ptr);
        if contexts[0] != contexts[1] || !is_live(to) || graveyard::is_read_only() {
            bug("cannot replace uses by a value that was erased, or is of another context");
        }
        // SAFETY: Both values are valid and of one context.
        unsafe { mlir_sys::mlirValueReplaceAllUsesOfWith(self.to_raw(), to.to_raw()) }
    }

    /// Gives a value another type. The caller ensures that users agree.
    ///
    /// # Panics
    /// Panics if the type is of another context.
    #[track_caller]
    fn set_type(self, ty: Type<'c>) {
        let context = validity::context_of_value(self);
        if context.ptr != validity::context_of_type(ty).ptr || graveyard::is_read_only() {
            bug("cannot give a value a type of another context");
        }
        // SAFETY: Both are valid and of one context.
        unsafe { mlir_sys::mlirValueSetType(self.to_raw(), ty.to_raw()) }
    }

    /// The location of a value: of the op that defines it, or of a block argument.
    fn location(self) -> Location<'c> {
        // SAFETY: The value is alive, and its location lives as long as the context.
        unsafe { Location::from_raw(mlir_sys::mlirValueGetLocation(self.to_raw())) }
    }

    /// Gives an argument of a block another location.
    ///
    /// # Panics
    /// Panics if the location is of another context.
    fn set_argument_location(self, location: Location) {
        if validity::context_of_value(self).ptr != validity::context_of_location(location).ptr {
            graveyard::bug("a location is of another context");
        }
        // SAFETY: Both are valid and of one context; only an argument is changed.
        unsafe {
            if mlir_sys::mlirValueIsABlockArgument(self.to_raw()) {
                mlir_sys::mlirBlockArgumentSetLocation(self.to_raw(), location.to_raw());
            }
        }
    }
}

/// Methods of lists of values.
#[ext(ValuesExt)]
pub impl<'c> [Value<'c>] {
    /// The types of the values.
    fn types(&self) -> Vec<Type<'c>> {
        self.iter().map(|value| value.ty()).collect()
    }
}
