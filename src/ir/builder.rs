//! Creation of ops at an insertion point.

use super::{
    Attribute, Block, Location, Operation, Type, Value, operations_of, region_of, results_of,
};
use melior::{
    Context, RewriterBase,
    ir::{
        BlockLike, Identifier, Region, RegionLike, operation::OperationBuilder,
        operation::OperationLike,
    },
};
use std::fmt;

/// An op could not be created, which is an error of the compiler, not of the
/// program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError {
    /// The name of the op.
    pub operation: String,
}

impl fmt::Display for BuildError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "cannot create op '{}'", self.operation)
    }
}

impl std::error::Error for BuildError {}

/// Creates ops at the insertion point of a rewriter, all at one location.
///
/// A builder is a handle: copies share the insertion point.
#[derive(Clone, Copy)]
pub struct Builder<'c> {
    rewriter: RewriterBase<'c, 'c>,
    context: &'c Context,
    location: Location<'c>,
}

impl<'c> Builder<'c> {
    /// A builder for a rewriter that lives as long as the handles do.
    pub fn new(
        context: &'c Context,
        rewriter: RewriterBase<'c, 'c>,
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

    /// The location that new ops get.
    pub fn location(&self) -> Location<'c> {
        self.location
    }

    /// The rewriter beneath.
    pub fn rewriter(&self) -> RewriterBase<'c, 'c> {
        self.rewriter
    }

    /// The same insertion point with another location for new ops.
    pub fn at(&self, location: Location<'c>) -> Self {
        Self { location, ..*self }
    }

    /// Moves the insertion point before an op.
    pub fn set_before(&self, operation: Operation<'c>) {
        self.rewriter.set_insertion_point_before(operation);
    }

    /// Moves the insertion point behind an op.
    pub fn set_after(&self, operation: Operation<'c>) {
        self.rewriter.set_insertion_point_after(operation);
    }

    /// Moves the insertion point to the start of a block.
    pub fn set_to_start(&self, block: Block<'c>) {
        self.rewriter.set_insertion_point_to_start(block);
    }

    /// Moves the insertion point to the end of a block.
    pub fn set_to_end(&self, block: Block<'c>) {
        self.rewriter.set_insertion_point_to_end(block);
    }

    /// Runs a function and puts the insertion point back where it was.
    pub fn with_insertion_point<T>(&self, function: impl FnOnce(&Self) -> T) -> T {
        // SAFETY: The rewriter has an insertion point, and its block outlives
        // the function, which must not erase the block that it is called in.
        let block: Block<'c> = unsafe {
            melior::ir::BlockRef::from_raw(melior::ir::BlockLike::to_raw(
                &self.rewriter.insertion_block(),
            ))
        };
        let next = self.rewriter.operation_after_insertion().map(|operation| {
            // SAFETY: As above.
            unsafe { melior::ir::OperationRef::from_raw(operation.to_raw()) }
        });
        let result = function(self);
        match next {
            Some(operation) => self.set_before(operation),
            None => self.set_to_end(block),
        }
        result
    }

    /// Starts an op.
    pub fn op(&self, name: &str) -> OpSpec<'c> {
        // The state points to the name that it is given, until the op is built.
        let name = name.to_owned();
        OpSpec {
            builder: *self,
            state: OperationBuilder::new(&name, self.location),
            name,
            regions: Vec::new(),
        }
    }

    /// Creates an op with one result and no attributes.
    pub fn value(
        &self,
        name: &str,
        operands: &[Value<'c>],
        result: Type<'c>,
    ) -> Result<Value<'c>, BuildError> {
        self.op(name).operands(operands).result(result).value()
    }

    /// Creates a region of one block with the given argument types. The
    /// function fills the block and must end it with a terminator.
    pub fn region<E>(
        &self,
        arguments: &[Type<'c>],
        fill: impl FnOnce(&Self, &[Value<'c>]) -> Result<(), E>,
    ) -> Result<Region<'c>, E> {
        let typed: Vec<_> = arguments
            .iter()
            .map(|argument| (*argument, self.location))
            .collect();
        self.region_at(&typed, fill)
    }

    /// [`Self::region`] with a location for each argument.
    pub fn region_at<E>(
        &self,
        arguments: &[(Type<'c>, Location<'c>)],
        fill: impl FnOnce(&Self, &[Value<'c>]) -> Result<(), E>,
    ) -> Result<Region<'c>, E> {
        let region = Region::new();
        let block = region.append_block(melior::ir::Block::new(arguments));
        // SAFETY: The block belongs to the region, which the caller keeps; its
        // memory does not move when the region is handed to an op.
        let block: Block<'c> = unsafe { melior::ir::BlockRef::from_raw(block.to_raw()) };
        let values = super::arguments_of(block);
        self.with_insertion_point(|builder| {
            builder.set_to_end(block);
            fill(builder, &values)
        })?;
        Ok(region)
    }

    /// Adds a block without arguments to an empty region of an op, which the
    /// function fills. What it builds can use values from around the op, and be
    /// verified, since it is a part of the program from the beginning.
    pub fn fill_region<E>(
        &self,
        operation: Operation<'c>,
        number: usize,
        fill: impl FnOnce(&Self) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(region) = region_of(operation, number) else {
            return Ok(());
        };
        let block = region.append_block(melior::ir::Block::new(&[]));
        // SAFETY: The block belongs to the op, which outlives the builder.
        let block: Block<'c> = unsafe { melior::ir::BlockRef::from_raw(block.to_raw()) };
        self.with_insertion_point(|builder| {
            builder.set_to_end(block);
            fill(builder)
        })
    }

    /// Replaces the results of an op with values and erases the op.
    pub fn replace(&self, operation: Operation<'c>, values: &[Value<'c>]) {
        self.rewriter.replace_op_with_values(operation, values);
    }

    /// Erases an op whose results are not used.
    pub fn erase(&self, operation: Operation<'c>) {
        self.rewriter.erase_op(operation);
    }

    /// Moves the ops of a block, its terminator left out, before the insertion
    /// point's op, with the block's arguments replaced, and returns what the
    /// terminator returned. The emptied block is erased.
    pub fn inline_before(
        &self,
        block: Block<'c>,
        before: Operation<'c>,
        arguments: &[Value<'c>],
    ) -> Vec<Value<'c>> {
        let terminator = operations_of(block).pop();
        self.rewriter.inline_block_before(block, before, arguments);
        match terminator {
            Some(terminator) => {
                let values = terminator.operands().collect();
                self.rewriter.erase_op(terminator);
                values
            }
            None => Vec::new(),
        }
    }
}

/// An op under construction.
#[must_use = "an op exists only once it is inserted"]
pub struct OpSpec<'c> {
    builder: Builder<'c>,
    name: String,
    state: OperationBuilder<'c>,
    regions: Vec<Region<'c>>,
}

impl<'c> OpSpec<'c> {
    /// Adds operands.
    pub fn operands(mut self, operands: &[Value<'c>]) -> Self {
        self.state = self.state.add_operands(operands);
        self
    }

    /// Adds a result.
    pub fn result(self, result: Type<'c>) -> Self {
        self.results(&[result])
    }

    /// Adds results.
    pub fn results(mut self, results: &[Type<'c>]) -> Self {
        self.state = self.state.add_results(results);
        self
    }

    /// Lets the op infer its result types.
    pub fn infer_results(mut self) -> Self {
        self.state = self.state.enable_result_type_inference();
        self
    }

    /// Sets an attribute.
    pub fn attribute(mut self, name: &str, attribute: impl Into<Attribute<'c>>) -> Self {
        self.state = self.state.add_attributes(&[(
            Identifier::new(self.builder.context, name),
            attribute.into(),
        )]);
        self
    }

    /// Sets the blocks that the op may go to.
    pub fn successors(mut self, blocks: &[Block<'c>]) -> Self {
        let blocks: Vec<&melior::ir::Block> = blocks.iter().map(|block| &**block).collect();
        self.state = self.state.add_successors(&blocks);
        self
    }

    /// Adds a region.
    pub fn region(mut self, region: Region<'c>) -> Self {
        self.regions.push(region);
        self
    }

    /// Creates the op at the insertion point.
    pub fn insert(self) -> Result<Operation<'c>, BuildError> {
        let name = self.name;
        let operation = self
            .state
            .add_regions_vec(self.regions)
            .build()
            .map_err(|_| BuildError { operation: name })?;
        let inserted = self.builder.rewriter.insert(operation);
        // SAFETY: The op now belongs to the IR under rewriting, which outlives
        // the builder.
        Ok(unsafe { melior::ir::OperationRef::from_raw(inserted.to_raw()) })
    }

    /// Creates the op and returns its first result.
    pub fn value(self) -> Result<Value<'c>, BuildError> {
        let name = self.name.clone();
        let operation = self.insert()?;
        results_of(operation)
            .first()
            .copied()
            .ok_or(BuildError { operation: name })
    }
}
