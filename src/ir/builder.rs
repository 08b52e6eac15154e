//! Creation of ops at an insertion point, and their replacement.
//!
//! Mistakes of the caller are panics, which the pass reports, before MLIR is called: wrong numbers
//! of operands and results, values of another context or of erased ops, erased insertion points.
//! [`graveyard`](super::graveyard) describes the deferred deletion of erased ops.

mod conformance;
mod op_spec;
mod replacement;

pub use op_spec::OpSpec;

use crate::{
    block::BlockExt,
    build_error::BuildError,
    graveyard::{self, bug, expected},
    handles::{Block, Location, Operation, Type, Value},
    operation::OperationExt,
    outcome::Outcome,
    region::Region,
    validity::{self, is_live},
    value::ValueExt,
};
use melior::{
    Context,
    ir::{BlockLike, BlockRef, OperationRef, RegionLike, ValueLike},
};
use mlir_sys::{MlirBlock, MlirRewriterBase};

/// Fills a block with its arguments.
type Fill<'a, 'c, E> = dyn FnMut(&Builder<'c>, &[Value<'c>]) -> Result<(), E> + 'a;

/// Creates ops at the insertion point of a rewriter, all at one location.
///
/// A builder is a handle: copies share the insertion point.
#[derive(Clone, Copy)]
pub struct Builder<'c> {
    rewriter: MlirRewriterBase,
    context: &'c Context,
    location: Location<'c>,
}

impl<'c> Builder<'c> {
    /// A builder for a rewriter.
    ///
    /// # Safety
    ///
    /// The rewriter must be valid as long as `'c`, and its insertion point whenever the
    /// builder is used.
    pub(crate) unsafe fn from_raw(
        context: &'c Context,
        rewriter: MlirRewriterBase,
        location: Location<'c>,
    ) -> Self {
        Self {
            rewriter,
            context,
            location,
        }
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// The location of new ops.
    pub fn location(&self) -> Location<'c> {
        self.location
    }

    /// The same insertion point with another location for new ops.
    pub fn at(&self, location: Location<'c>) -> Self {
        Self { location, ..*self }
    }

    /// Moves the insertion point before an op.
    pub fn set_before(&self, operation: Operation<'c>) {
        let (rewriter, raw) = (self.rewriter, operation.to_raw());
        // SAFETY: The op is in a block.
        self.set_beside(operation, || unsafe {
            mlir_sys::mlirRewriterBaseSetInsertionPointBefore(rewriter, raw)
        });
    }

    /// Moves the insertion point after an op.
    pub fn set_after(&self, operation: Operation<'c>) {
        let (rewriter, raw) = (self.rewriter, operation.to_raw());
        // SAFETY: The op is in a block.
        self.set_beside(operation, || unsafe {
            mlir_sys::mlirRewriterBaseSetInsertionPointAfter(rewriter, raw)
        });
    }

    /// Nothing can be inserted next to an op without a block.
    fn set_beside(&self, operation: Operation<'c>, set: impl FnOnce()) {
        match operation.block() {
            Some(_) => set(),
            // SAFETY: The rewriter is valid.
            None => unsafe { mlir_sys::mlirRewriterBaseClearInsertionPoint(self.rewriter) },
        }
    }

    /// Moves the insertion point to the start of a block.
    pub fn set_to_start(&self, block: Block<'c>) {
        // SAFETY: Both are valid.
        unsafe {
            mlir_sys::mlirRewriterBaseSetInsertionPointToStart(self.rewriter, block.to_raw());
        }
    }

    /// Moves the insertion point to the end of a block.
    pub fn set_to_end(&self, block: Block<'c>) {
        // SAFETY: Both are valid.
        unsafe {
            mlir_sys::mlirRewriterBaseSetInsertionPointToEnd(self.rewriter, block.to_raw());
        }
    }

    /// The block that new ops are inserted into.
    pub fn block(&self) -> Option<Block<'c>> {
        let block = self.insertion_block()?;
        // SAFETY: The block is in the program or in a region under construction.
        self.is_home_of(block).then(|| unsafe { BlockRef::from_raw(block) })
    }

    /// The op before which new ops are inserted; `None` at the end of a block.
    pub fn next_operation(&self) -> Option<Operation<'c>> {
        self.block()?;
        // SAFETY: The rewriter has an insertion point, and an op may be null.
        unsafe {
            let next = mlir_sys::mlirRewriterBaseGetOperationAfterInsertion(self.rewriter);
            (!next.ptr.is_null()).then(|| OperationRef::from_raw(next))
        }
    }

    /// The block of the insertion point, if that is in the program or in a region under
    /// construction.
    fn insertion_block(&self) -> Option<MlirBlock> {
        // SAFETY: The rewriter is valid; a block may be null.
        unsafe {
            let block = mlir_sys::mlirRewriterBaseGetInsertionBlock(self.rewriter);
            (!block.ptr.is_null() && !mlir_sys::mlirBlockGetParentRegion(block).ptr.is_null())
                .then_some(block)
        }
    }

    /// Returns true if a block is in an op of the builder's context, or detached.
    fn is_home_of(&self, block: MlirBlock) -> bool {
        // SAFETY: The block is valid, and an op may be null.
        unsafe {
            let owner = mlir_sys::mlirBlockGetParentOperation(block);
            owner.ptr.is_null()
                || validity::is_of(self.context, mlir_sys::mlirOperationGetContext(owner))
        }
    }

    /// Runs a function and restores the insertion point; if the op after it was erased, before the
    /// next one.
    pub fn with_insertion_point<T>(&self, function: impl FnOnce(&Self) -> T) -> T {
        let saved = self.save();
        let result = function(self);
        self.restore(saved);
        result
    }

    /// The insertion point, if there is one.
    fn save(&self) -> Option<graveyard::Saved> {
        let block = self.insertion_block()?;
        // SAFETY: The rewriter has an insertion point.
        let next = unsafe { mlir_sys::mlirRewriterBaseGetOperationAfterInsertion(self.rewriter) };
        Some(graveyard::Saved::new(block, next))
    }

    fn restore(&self, saved: Option<graveyard::Saved>) {
        let Some((block, next)) = saved.and_then(|saved| saved.point()) else {
            return;
        };
        // SAFETY: Deletion of erased IR is deferred, so block and op are valid.
        unsafe {
            if next.ptr.is_null() {
                mlir_sys::mlirRewriterBaseSetInsertionPointToEnd(self.rewriter, block)
            } else {
                self.set_before(OperationRef::from_raw(next))
            }
        }
    }

    /// Starts an op.
    pub fn op(&self, name: &str) -> OpSpec<'c> {
        OpSpec::new(*self, name)
    }

    /// Creates an op with one result and no attributes.
    pub fn value(&self, name: &str, operands: &[Value<'c>], result: Type<'c>) -> Value<'c> {
        self.op(name).operands(operands).result(result).value()
    }

    /// Creates a region of one block with the given argument types. The
    /// function fills the block and must end it with a terminator.
    pub fn region<R: Outcome<()>>(
        &self,
        arguments: &[Type<'c>],
        fill: impl FnOnce(&Self, &[Value<'c>]) -> R,
    ) -> R::Of<Region<'c>> {
        self.region_at(&self.here(arguments), fill)
    }

    /// Types with the location of new ops.
    fn here(&self, types: &[Type<'c>]) -> Vec<(Type<'c>, Location<'c>)> {
        types.iter().map(|ty| (*ty, self.location)).collect()
    }

    /// [`Self::region`] with a location for each argument.
    ///
    /// # Panics
    /// Panics if a type or a location is of another context.
    pub fn region_at<R: Outcome<()>>(
        &self,
        arguments: &[(Type<'c>, Location<'c>)],
        fill: impl FnOnce(&Self, &[Value<'c>]) -> R,
    ) -> R::Of<Region<'c>> {
        let mut fill = Some(fill);
        let mut fill = |builder: &Self, values: &[Value<'c>]| {
            fill.take().map_or(Ok(()), |fill| fill(builder, values).into_result())
        };
        R::of(self.filled_region(arguments, &mut fill))
    }

    /// [`Self::region_at`], which is compiled once per error type, not once per function.
    fn filled_region<E>(
        &self,
        arguments: &[(Type<'c>, Location<'c>)],
        fill: &mut Fill<'_, 'c, E>,
    ) -> Result<Region<'c>, E> {
        let (region, block) = self.region_of_block(arguments);
        let values = block.arguments();
        self.with_insertion_point(|builder| {
            builder.set_to_end(block);
            fill(builder, &values)
        })?;
        Ok(region)
    }

    /// A region of one empty block.
    fn region_of_block(&self, arguments: &[(Type<'c>, Location<'c>)]) -> (Region<'c>, Block<'c>) {
        for (ty, location) in arguments {
            validity::same_context(self.context, validity::context_of_type(*ty));
            validity::same_context(self.context, validity::context_of_location(*location));
        }
        let region = Region::new();
        let block = region.append_block(melior::ir::Block::new(arguments));
        // SAFETY: The block outlives the region: an op or the list of erased IR takes it over.
        let block = unsafe { BlockRef::from_raw(block.to_raw()) };
        (region, block)
    }

    /// Adds a block without arguments to an empty region of an op, which the function fills. The
    /// new ops can use values from the enclosing regions, and be verified, since the block is a
    /// part of the program from the beginning.
    pub fn fill_region<R: Outcome<()>>(
        &self,
        operation: Operation<'c>,
        number: usize,
        fill: impl FnOnce(&Self) -> R,
    ) -> R::Of<()> {
        let Some(region) = operation.region(number) else {
            return R::of(Ok(()));
        };
        let block = region.append_block(melior::ir::Block::new(&[]));
        // SAFETY: The block belongs to the op, which outlives the builder.
        let block: Block<'c> = unsafe { BlockRef::from_raw(block.to_raw()) };
        self.with_insertion_point(|builder| {
            builder.set_to_end(block);
            R::of(fill(builder).into_result())
        })
    }

    /// Replaces the results of an op with values and erases the op.
    ///
    /// # Panics
    /// Panics if there are more or fewer values than results, a value is of another context, was
    /// erased, or is made by the op or in it; and if [`Self::erase`] panics.
    #[track_caller]
    pub fn replace(&self, operation: Operation<'c>, values: &[Value<'c>]) {
        expected(self.try_replace(operation, values));
    }

    /// [`Self::replace`], for programs without known invariants.
    ///
    /// # Errors
    /// Returns an error if [`Self::replace`] panics.
    pub fn try_replace(
        &self,
        operation: Operation<'c>,
        values: &[Value<'c>],
    ) -> Result<(), BuildError> {
        let fail = |reason: &str| Err(cannot("replace", operation, reason));
        self.is_erasable("replace", operation)?;
        let count = operation.result_count();
        if values.len() != count {
            return fail(&format!(
                "it has {count} results, but {} values are given",
                values.len()
            ));
        }
        for value in values {
            if let Some(reason) = self.unusable(*value) {
                return fail(reason);
            }
            if value.owner().is_some_and(|owner| owner.is_inside(operation)) {
                return fail("a value is made by the op itself");
            }
        }
        // SAFETY: There is a live value for each result.
        unsafe {
            mlir_sys::mlirRewriterBaseReplaceAllOpUsesWithValueRange(
                self.rewriter,
                operation.to_raw(),
                values.len() as isize,
                values.as_ptr().cast(),
            );
        }
        graveyard::take_operation(Some(self.rewriter), operation);
        Ok(())
    }

    /// Erases an op whose results have no uses. An insertion point before it moves after it.
    ///
    /// # Panics
    /// Panics if another op uses a result, if the op was erased before, and if a pass runs on it or
    /// in it.
    #[track_caller]
    pub fn erase(&self, operation: Operation<'c>) {
        expected(self.try_erase(operation));
    }

    /// [`Self::erase`], for programs without known invariants.
    ///
    /// # Errors
    /// Returns an error if [`Self::erase`] panics.
    pub fn try_erase(&self, operation: Operation<'c>) -> Result<(), BuildError> {
        self.is_erasable("erase", operation)?;
        for (number, result) in operation.results().into_iter().enumerate() {
            if result.is_unused() {
                continue;
            }
            let user = result.uses().into_iter().find(|(user, _)| !user.is_inside(operation));
            if let Some((user, _)) = user {
                let reason = format!("'{}' uses its result {number}", user.name());
                return Err(cannot("erase", operation, &reason));
            }
        }
        graveyard::take_operation(Some(self.rewriter), operation);
        Ok(())
    }

    /// Checks that an op can be unlinked.
    fn is_erasable(&self, what: &str, operation: Operation<'c>) -> Result<(), BuildError> {
        let reason = if !std::ptr::eq(operation.context(), self.context) {
            "it is of another context"
        } else if graveyard::is_read_only() {
            "this function can only read the program"
        } else if operation.block().is_none() {
            "it is in no block: it was erased before, or is the outermost op"
        } else if graveyard::is_root(operation) {
            "the pass runs on it or in it"
        } else {
            return Ok(());
        };
        Err(cannot(what, operation, reason))
    }

    /// The reason for which an op cannot use a value.
    pub(crate) fn unusable(&self, value: Value<'c>) -> Option<&'static str> {
        if !validity::is_of(self.context, validity::context_of_value(value)) {
            Some("a value is of another context")
        } else if !is_live(value) {
            Some("a value is of an op or a block that was erased")
        } else {
            None
        }
    }

    /// Replaces all uses of a value, and notifies the driver of the running pattern, if any.
    ///
    /// # Panics
    /// Panics if a value is of another context or was erased.
    pub fn replace_uses(&self, from: Value<'c>, to: Value<'c>) {
        for value in [from, to] {
            if let Some(reason) = self.unusable(value) {
                bug(format_args!("cannot replace uses: {reason}"));
            }
        }
        // SAFETY: Both values are live.
        unsafe {
            mlir_sys::mlirRewriterBaseReplaceAllUsesWith(self.rewriter, from.to_raw(), to.to_raw());
        }
    }

    /// Changes an op in place, and notifies the driver of the running pattern.
    pub fn modify<T>(&self, operation: Operation<'c>, function: impl FnOnce() -> T) -> T {
        // SAFETY: Rewriter and op are valid; erased ops are kept.
        unsafe {
            mlir_sys::mlirRewriterBaseStartOpModification(self.rewriter, operation.to_raw());
            let result = function();
            mlir_sys::mlirRewriterBaseFinalizeOpModification(self.rewriter, operation.to_raw());
            result
        }
    }

    /// Clones an op with its regions at the insertion point.
    ///
    /// # Panics
    /// Panics if the op is of another context, or there is no insertion point.
    pub fn copy(&self, operation: Operation<'c>) -> Operation<'c> {
        validity::same_context(
            self.context,
            validity::context_of_location(operation.location()),
        );
        let block = self.insertion_block();
        if block.is_none_or(|block| !self.is_home_of(block)) || graveyard::is_read_only() {
            bug(cannot("copy", operation, "there is no insertion point"));
        }
        // SAFETY: The op is valid, and the copy belongs to the block of the insertion
        // point.
        unsafe {
            OperationRef::from_raw(mlir_sys::mlirRewriterBaseClone(
                self.rewriter,
                operation.to_raw(),
            ))
        }
    }

    /// Moves the ops of a block, without its terminator, before an op, with the block's arguments
    /// replaced, and returns the operands of the terminator. The block and its terminator are
    /// erased.
    ///
    /// # Panics
    /// Panics if there are more or fewer values than arguments, a value is of another context or
    /// was erased, the op is in the block or in none, or the block is branched to.
    #[track_caller]
    pub fn inline_before(
        &self,
        block: Block<'c>,
        before: Operation<'c>,
        arguments: &[Value<'c>],
    ) -> Vec<Value<'c>> {
        expected(self.try_inline_before(block, before, arguments))
    }

    /// [`Self::inline_before`], for programs without known invariants.
    ///
    /// # Errors
    /// Returns an error if [`Self::inline_before`] panics.
    pub fn try_inline_before(
        &self,
        block: Block<'c>,
        before: Operation<'c>,
        arguments: &[Value<'c>],
    ) -> Result<Vec<Value<'c>>, BuildError> {
        let fail = |reason: &str| {
            let message = format!("cannot inline a block before '{}': {reason}", before.name());
            Err(BuildError::because(message))
        };
        if graveyard::is_read_only() {
            return fail("this function can only read the program");
        }
        if arguments.len() != block.argument_count() {
            return fail(&format!(
                "it has {} arguments, but {} values are given",
                block.argument_count(),
                arguments.len()
            ));
        }
        if let Some(reason) = arguments.iter().find_map(|value| self.unusable(*value)) {
            return fail(reason);
        }
        if block.parent_region().is_none() || before.block().is_none() {
            return fail("the block or the op was erased");
        }
        let mut around = before.block();
        while let Some(outer) = around {
            if outer == block {
                return fail("the op is in the block");
            }
            around = outer.parent().and_then(OperationExt::block);
        }
        if !self.is_home_of(block.to_raw()) || !std::ptr::eq(before.context(), self.context) {
            return fail("it is of another context");
        }
        if block.predecessor_count() > 0 || block.successor_count() > 0 {
            return fail("it branches or is branched to");
        }

        for (argument, value) in block.arguments().into_iter().zip(arguments) {
            self.replace_uses(argument, *value);
        }
        let mut moved = block.operations();
        let terminator = moved.pop();
        for operation in moved {
            // SAFETY: Both ops are in blocks.
            unsafe {
                mlir_sys::mlirRewriterBaseMoveOpBefore(
                    self.rewriter,
                    operation.to_raw(),
                    before.to_raw(),
                );
            }
        }
        let values = terminator.map(OperationExt::operands).unwrap_or_default();
        if let Some(terminator) = terminator {
            self.try_erase(terminator)?;
        }
        graveyard::take_block(self.context.to_raw(), self.rewriter, block);
        Ok(values)
    }
}

/// The error of an invalid change of an op.
fn cannot(what: &str, operation: Operation, reason: &str) -> BuildError {
    BuildError::because(format!("cannot {what} '{}' op: {reason}", operation.name()))
}
