//! Methods of ops.

// Handles are copied.
#![allow(clippy::wrong_self_convention)]

use crate::{
    attributes::AttributeExt,
    block::RegionExt,
    build_error::BuildError,
    discardable::{dictionary_attribute, named},
    graveyard::{self, bug, expected},
    handles::{Attribute, Block, Location, Operation, Type, Value, context_from_raw, name_of},
    ops::definition::Op,
    region::Region,
    validity::{self, is_live, same_context_as},
    value::ValueExt,
    walk::{WalkOrder, WalkResult, once, walk_with},
};
use easy_ext::ext;
use melior::{
    Context,
    ir::{
        AffineMap, BlockLike, BlockRef, OperationRef, RegionLike, RegionRef, ValueLike,
        attribute::ArrayAttribute, operation::OperationLike,
    },
};

/// Methods of ops.
#[ext(OperationExt)]
pub impl<'c> Operation<'c> {
    /// The context that owns an op.
    fn context(self) -> &'c Context {
        // SAFETY: The handle is valid, and the context outlives it.
        unsafe { context_from_raw(mlir_sys::mlirOperationGetContext(self.to_raw())) }
    }

    /// The name of an op, such as `stablehlo.add`; empty if it is not UTF-8.
    fn name(self) -> &'c str {
        name_of(self)
    }

    /// The location of an op.
    fn location(self) -> Location<'c> {
        OperationLike::location(&self)
    }

    /// Returns true if an op is of a type.
    #[inline]
    fn isa<O: Op<'c>>(self) -> bool {
        self.name() == O::NAME
    }

    /// The op as one of a type, if it is.
    #[inline]
    fn cast<O: Op<'c>>(self) -> Option<O> {
        self.isa::<O>().then(|| O::from_unchecked(self))
    }

    /// Verifies the op and the ops in it, and reports errors.
    fn verify(self) -> bool {
        OperationLike::verify(&self)
    }

    /// The number of operands of an op.
    fn operand_count(self) -> usize {
        OperationLike::operand_count(&self)
    }

    /// An operand of an op, or `None` if it has fewer.
    fn operand(self, number: usize) -> Option<Value<'c>> {
        OperationLike::operand(&self, number).ok()
    }

    /// The number of results of an op.
    fn result_count(self) -> usize {
        OperationLike::result_count(&self)
    }

    /// The number of regions of an op.
    fn region_count(self) -> usize {
        OperationLike::region_count(&self)
    }

    /// The regions of an op.
    fn regions(self) -> Vec<RegionRef<'c, 'c>> {
        OperationLike::regions(&self).collect()
    }

    /// The blocks of all regions of an op, in order.
    fn blocks(self) -> Vec<Block<'c>> {
        OperationLike::regions(&self).flat_map(RegionExt::blocks).collect()
    }

    /// The blocks that an op may branch to.
    fn successors(self) -> Vec<Block<'c>> {
        OperationLike::successors(&self).collect()
    }

    /// The op that follows in the block.
    fn next_in_block(self) -> Option<Operation<'c>> {
        OperationLike::next_in_block(&self)
    }

    /// The operands of an op.
    fn operands(self) -> Vec<Value<'c>> {
        OperationLike::operands(&self).collect()
    }

    /// The results of an op.
    fn results(self) -> Vec<Value<'c>> {
        OperationLike::results(&self).map(Into::into).collect()
    }

    /// The types of the results of an op.
    fn result_types(self) -> Vec<Type<'c>> {
        OperationLike::results(&self).map(|result| result.r#type()).collect()
    }

    /// The first block of a region of an op, or `None` if the region is absent or empty.
    fn body(self, region: usize) -> Option<Block<'c>> {
        self.region(region)?.first_block()
    }

    /// A region of an op, or `None` if it has fewer.
    fn region(self, number: usize) -> Option<RegionRef<'c, 'c>> {
        (number < self.region_count()).then(|| OperationLike::region(&self, number).ok())?
    }

    /// An attribute of an op, inherent or discardable.
    fn attribute(self, name: &str) -> Option<Attribute<'c>> {
        OperationLike::attribute(&self, name).ok()
    }

    /// Whether an op has an attribute, inherent or discardable.
    fn has_attribute(self, name: &str) -> bool {
        OperationLike::has_attribute(&self, name)
    }

    /// Sets an attribute of an op.
    ///
    /// # Panics
    /// Panics if [`OperationExt::try_set_attribute`] fails.
    #[track_caller]
    fn set_attribute(self, name: &str, attribute: Attribute<'c>) {
        expected(self.try_set_attribute(name, attribute));
    }

    /// Sets an attribute of an op whose name or value comes from a user.
    ///
    /// # Errors
    /// Returns an error if the attribute is of another context, or the op's definition has another
    /// kind of attribute by that name.
    fn try_set_attribute(self, name: &str, attribute: Attribute<'c>) -> Result<(), BuildError> {
        let reason = match validity::context_of_attribute(attribute) {
            _ if graveyard::is_read_only() => "cannot be set by a function that can only read",
            None => "is absent",
            Some(context) if validity::context_of_operation(self).ptr != context.ptr => {
                "is of another context"
            }
            Some(_) if validity::set_attribute(self, name, attribute) => return Ok(()),
            Some(_) => "is not of the kind that its definition asks for",
        };
        Err(BuildError::because(format!(
            "attribute '{name}' of '{}' op {reason}",
            self.name()
        )))
    }

    /// Removes an attribute of an op, if present. An attribute with a default gets the default.
    ///
    /// # Panics
    /// Panics if the op must have the attribute.
    #[track_caller]
    fn remove_attribute(self, name: &str) {
        may_change("change", self);
        if !validity::remove_attribute(self, name) {
            bug(format_args!(
                "'{}' op must have attribute '{name}'",
                self.name()
            ));
        }
    }

    /// Replaces one operand of an op.
    ///
    /// # Panics
    /// Panics if the op has fewer operands, or the value is of another context or was erased.
    #[track_caller]
    fn set_operand(self, index: usize, value: Value<'c>) {
        may_change("change", self);
        same_context_as(self, validity::context_of_value(value));
        let count = self.operand_count();
        if index >= count || !is_live(value) {
            bug(format_args!(
                "operand {index} of {count} of '{}' op cannot be set to a value{}",
                self.name(),
                if index < count {
                    " that was erased"
                } else {
                    ""
                }
            ));
        }
        // SAFETY: The op has such an operand.
        unsafe { mlir_sys::mlirOperationSetOperand(self.to_raw(), index as isize, value.to_raw()) }
    }

    /// Moves an op before another one, of any block.
    ///
    /// # Panics
    /// Panics if one of them was erased, the other one is in the op, they are of two contexts, or a
    /// pass runs on the op.
    #[track_caller]
    fn move_before(self, other: Operation) {
        may_change("move", self);
        must_be_in_block("move", self);
        must_be_in_block("move an op before", other);
        same_context_as(self, validity::context_of_operation(other));
        if self == other {
            return;
        }
        must_stay_outside(self, other);
        // SAFETY: Both ops are valid and in blocks.
        unsafe { mlir_sys::mlirOperationMoveBefore(self.to_raw(), other.to_raw()) }
    }

    /// Returns true if an op is before another one of the same block.
    fn is_before(self, other: Operation) -> bool {
        // SAFETY: Both ops are valid; the block numbers them where it has to.
        self.block().is_some()
            && self.block() == other.block()
            && unsafe { mlir_sys::mlirOperationIsBeforeInBlock(self.to_raw(), other.to_raw()) }
    }

    /// Returns true if `inner` is `outer`, or nested in it at any depth.
    fn is_inside(self, outer: Operation) -> bool {
        let mut current = Some(self);
        while let Some(operation) = current {
            if operation == outer {
                return true;
            }
            current = operation.parent();
        }
        false
    }

    /// The block of an op.
    fn block(self) -> Option<Block<'c>> {
        let block = OperationLike::block(&self)?;
        // SAFETY: The block holds the op, so it lives as long.
        Some(unsafe { BlockRef::from_raw(block.to_raw()) })
    }

    /// The op that an op is nested in.
    fn parent(self) -> Option<Operation<'c>> {
        let parent = OperationLike::parent_operation(&self)?;
        // SAFETY: The parent holds the op, so it lives as long.
        Some(unsafe { OperationRef::from_raw(parent.to_raw()) })
    }

    /// An identity for an op that can key a map.
    fn key(self) -> usize {
        self.to_raw().ptr as usize
    }

    /// Moves the ops after an op into a new block after the op's.
    fn split_block_after(self) -> Option<Block<'c>> {
        may_change("split the block of", self);
        let block = self.block()?;
        let rest = block.parent_region()?.insert_block_after(block, melior::ir::Block::new(&[]));
        // SAFETY: The block belongs to the region, which lives as long as the op;
        // the ops are valid and in blocks.
        unsafe {
            let rest = BlockRef::from_raw(rest.to_raw());
            while let Some(next) = self.next_in_block() {
                mlir_sys::mlirOperationRemoveFromParent(next.to_raw());
                mlir_sys::mlirBlockAppendOwnedOperation(rest.to_raw(), next.to_raw());
            }
            Some(rest)
        }
    }

    /// All attributes of an op, inherent ones first.
    fn attributes(self) -> Vec<(&'c str, Attribute<'c>)> {
        // SAFETY: The op is valid and has as many attributes.
        unsafe {
            (0..mlir_sys::mlirOperationGetNumAttributes(self.to_raw()))
                .map(|index| named(mlir_sys::mlirOperationGetAttribute(self.to_raw(), index)))
                .collect()
        }
    }

    /// The discardable attributes of an op.
    fn discardable_attributes(self) -> Vec<(&'c str, Attribute<'c>)> {
        // SAFETY: The op is valid and has as many attributes.
        unsafe {
            (0..mlir_sys::mlirOperationGetNumDiscardableAttributes(self.to_raw()))
                .map(|index| {
                    named(mlir_sys::mlirOperationGetDiscardableAttribute(
                        self.to_raw(),
                        index,
                    ))
                })
                .collect()
        }
    }

    /// Adds the discardable attributes of another op. If both ops have one, the other op's takes
    /// precedence, entry by entry for frontend attributes.
    fn merge_discardable(self, from: Operation<'c>) {
        const FRONTEND: &str = "mhlo.frontend_attributes";
        // An op that is not replaced keeps its identity.
        const PAYLOAD: &str = "xla_metadata_payload";
        let present = self.discardable_attributes();
        for (name, attribute) in from.discardable_attributes() {
            let old = present.iter().find(|(other, _)| name == FRONTEND && *other == name);
            let merged = match old {
                Some((_, old)) => {
                    let mut entries = old.dictionary_entries();
                    for (key, value) in attribute.dictionary_entries() {
                        match entries.iter_mut().find(|(other, _)| *other == key) {
                            Some(_) if key == PAYLOAD => {}
                            Some(entry) => entry.1 = value,
                            None => entries.push((key, value)),
                        }
                    }
                    dictionary_attribute(self.context(), &entries)
                }
                None => attribute,
            };
            self.set_attribute(name, merged);
        }
    }

    /// Gives an op another location.
    ///
    /// # Panics
    /// Panics if the location is of another context.
    fn set_location(self, location: Location) {
        validity::same_context_as(self, validity::context_of_location(location));
        // SAFETY: Both are valid and of one context.
        unsafe { mlir_sys::mlirOperationSetLocation(self.to_raw(), location.to_raw()) }
    }

    /// The ops that use a result of an op, each once.
    fn users(self) -> Vec<Operation<'c>> {
        once(self.results().into_iter().flat_map(Value::uses))
    }

    /// Calls a function for an op and all ops nested in it, in program order. Returns
    /// [`WalkResult::Interrupt`] if the function did, else [`WalkResult::Advance`].
    ///
    /// ```
    /// use halo_ir::prelude::*;
    ///
    /// /// Whether an op contains a loop outside of kernels.
    /// fn has_loop(root: Operation) -> bool {
    ///     let found = root.walk(WalkOrder::PreOrder, |op| match op.name() {
    ///         "scf.for" | "scf.while" => WalkResult::Interrupt,
    ///         _ if op.isa::<gpu::GPUModuleOp>() => WalkResult::Skip,
    ///         _ => WalkResult::Advance,
    ///     });
    ///     found == WalkResult::Interrupt
    /// }
    /// ```
    fn walk<R: Into<WalkResult>>(
        self,
        order: WalkOrder,
        function: impl FnMut(Operation<'c>) -> R,
    ) -> WalkResult {
        let mut function = function;
        walk_with(self, order, &mut |op| function(op).into())
    }

    /// Calls a function for an op and all ops nested in it, outer ones first.
    fn visit(self, function: &mut impl FnMut(Operation<'c>)) {
        self.walk(WalkOrder::PreOrder, function);
    }

    /// The ops inside `operation` for which the predicate holds, outer ones first. The list is
    /// complete before anything is changed.
    fn collect_nested(self, predicate: impl FnMut(Operation<'c>) -> bool) -> Vec<Operation<'c>> {
        let mut predicate = predicate;
        let mut found = Vec::new();
        self.walk(WalkOrder::PreOrder, |op| {
            if op != self && predicate(op) {
                found.push(op);
            }
        });
        found
    }

    /// The nearest ancestor of a type.
    fn enclosing<O: Op<'c>>(self) -> Option<O> {
        let mut current = self.parent();
        while let Some(op) = current {
            if let Some(found) = op.cast() {
                return Some(found);
            }
            current = op.parent();
        }
        None
    }

    /// The indexing maps of a structured op, named or generic, one for each
    /// operand; `None` for any other op.
    fn indexing_maps(self) -> Option<Vec<AffineMap<'c>>> {
        let attribute = indexing_maps_attribute(self)?;
        attribute
            .array_elements()
            .into_iter()
            .map(Attribute::affine_map_value)
            .collect()
    }

    /// The indexing map of one operand of a structured op. Unlike [`OperationExt::indexing_maps`],
    /// it takes constant time.
    fn indexing_map(self, operand: usize) -> Option<AffineMap<'c>> {
        let maps = indexing_maps_attribute(self)?.cast::<ArrayAttribute>()?;
        maps.element(operand).ok()?.affine_map_value()
    }

    /// Whether an op is a structured op of linalg.
    fn is_structured(self) -> bool {
        self.name().starts_with("linalg.") && self.indexing_maps().is_some()
    }

    /// Takes a region from an op, which keeps an empty one.
    fn take_region(self, index: usize) -> Option<Region<'c>> {
        may_change("empty a region of", self);
        let source = self.region(index)?;
        let region = Region::new();
        // SAFETY: Both regions are valid, and the new one owns the blocks then.
        unsafe { mlir_sys::mlirRegionTakeBody(region.to_raw(), source.to_raw()) }
        Some(region)
    }
}

/// The attribute with the indexing maps of a structured op.
fn indexing_maps_attribute(op: Operation<'_>) -> Option<Attribute<'_>> {
    // SAFETY: The op is valid; the attribute belongs to its context.
    unsafe { Attribute::from_option_raw(mlir_sys::mlirLinalgGetIndexingMapsAttribute(op.to_raw())) }
}

/// Panics if IR must not be changed now.
#[track_caller]
pub(crate) fn may_change(what: &str, operation: Operation) {
    if graveyard::is_read_only() {
        bug(format_args!(
            "cannot {what} '{}' op: this function can only read the program",
            operation.name()
        ));
    }
}

/// Panics if an op is not in a block.
#[track_caller]
pub(crate) fn must_be_in_block(what: &str, operation: Operation) {
    if operation.block().is_none() {
        bug(format_args!(
            "cannot {what} '{}' op: it is in no block, it may have been erased",
            operation.name()
        ));
    }
}

/// Panics if an op that is moved would be nested in itself, or a pass runs on it.
#[track_caller]
pub(crate) fn must_stay_outside(operation: Operation, place: Operation) {
    if place.is_inside(operation) || graveyard::is_root(operation) {
        bug(format_args!(
            "cannot move '{}' op into itself, or out of its pass",
            operation.name()
        ));
    }
}
