//! Methods of blocks and regions.

use crate::{
    graveyard::{self, bug},
    handles::{Block, Location, Operation, Type, Value},
    operation::OperationExt,
    validity,
    value::ValueExt,
};
use easy_ext::ext;
use melior::ir::{BlockLike, BlockRef, OperationRef, RegionLike, RegionRef};

/// Methods of blocks.
#[ext(BlockExt)]
pub impl<'c> Block<'c> {
    /// The number of arguments of a block.
    fn argument_count(self) -> usize {
        BlockLike::argument_count(&self)
    }

    /// An argument of a block, or `None` if it has fewer.
    fn argument(self, number: usize) -> Option<Value<'c>> {
        BlockLike::argument(&self, number).ok().map(Into::into)
    }

    /// The arguments of a block.
    fn arguments(self) -> Vec<Value<'c>> {
        (0..self.argument_count())
            .filter_map(|index| BlockLike::argument(&self, index).ok())
            .map(Into::into)
            .collect()
    }

    /// The ops of a block, in order.
    fn operations(self) -> Vec<Operation<'c>> {
        let mut operations = Vec::new();
        let mut next = self.first_operation();
        while let Some(operation) = next {
            operations.push(operation);
            next = operation.next_in_block();
        }
        operations
    }

    /// The op that a block belongs to.
    fn parent(self) -> Option<Operation<'c>> {
        let parent = BlockLike::parent_operation(&self)?;
        // SAFETY: The parent holds the block, so it lives as long.
        Some(unsafe { OperationRef::from_raw(parent.to_raw()) })
    }

    /// The op that terminates a block.
    fn terminator(self) -> Option<Operation<'c>> {
        // MLIR finds the last op only if it is a terminator; any other is found by a walk.
        BlockLike::terminator(&self).or_else(|| self.operations().pop())
    }

    /// The first op of a block; `None` if it is empty.
    fn first_operation(self) -> Option<Operation<'c>> {
        BlockLike::first_operation(&self)
    }

    /// Appends an argument to a block.
    ///
    /// # Panics
    /// Panics if type and location are of two contexts.
    #[track_caller]
    fn add_argument(self, ty: Type<'c>, location: Location<'c>) -> Value<'c> {
        may_take_argument(self, ty, location);
        BlockLike::add_argument(&self, ty, location)
    }

    /// Inserts an argument before the argument of a number.
    ///
    /// # Panics
    /// Panics if type and location are of two contexts, or the block has fewer arguments.
    #[track_caller]
    fn insert_argument(self, number: usize, ty: Type<'c>, location: Location<'c>) -> Value<'c> {
        may_take_argument(self, ty, location);
        let count = self.argument_count();
        if number > count {
            bug(format_args!(
                "cannot insert argument {number} into a block of {count} arguments"
            ));
        }
        BlockLike::insert_argument(&self, number, ty, location)
    }

    /// Removes an argument without uses from a block.
    ///
    /// # Panics
    /// Panics if the block has fewer arguments, or the argument is used.
    #[track_caller]
    fn erase_argument(self, index: usize) {
        let argument = self.argument(index);
        match argument {
            Some(argument) if argument.is_unused() && !graveyard::is_read_only() => {
                graveyard::take_argument(validity::context_of_value(argument), self, index);
            }
            _ => bug(format_args!(
                "cannot erase argument {index} of a block: it is used, or not there"
            )),
        }
    }

    /// Adds an empty block to the end of the region that a block is in.
    fn append_sibling(self) -> Option<Block<'c>> {
        let added = self.parent_region()?.append_block(melior::ir::Block::new(&[]));
        // SAFETY: The block belongs to the region, which lives as long as the other.
        Some(unsafe { BlockRef::from_raw(added.to_raw()) })
    }
}

/// Methods of regions.
#[ext(RegionExt)]
pub impl<'c> RegionRef<'c, 'c> {
    /// The first block of a region; `None` if it is empty.
    fn first_block(self) -> Option<Block<'c>> {
        RegionLike::first_block(&self)
    }

    /// The blocks of a region, in order.
    fn blocks(self) -> Vec<Block<'c>> {
        let mut blocks = Vec::new();
        let mut next = self.first_block();
        while let Some(block) = next {
            blocks.push(block);
            next = block.next_in_region();
        }
        blocks
    }
}

/// Panics if a block cannot have an argument of a type.
#[track_caller]
fn may_take_argument(block: Block, ty: Type, location: Location) {
    let contexts = [
        validity::context_of_type(ty).ptr,
        validity::context_of_location(location).ptr,
        block
            .parent_operation()
            .map_or(validity::context_of_type(ty), |owner| {
                validity::context_of_operation(owner)
            })
            .ptr,
    ];
    if contexts[0] != contexts[1] || contexts[0] != contexts[2] || graveyard::is_read_only() {
        bug("cannot add an argument: its type or location is of another context");
    }
}
