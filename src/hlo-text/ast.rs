//! The syntax tree of HLO text.
//!
//! It keeps everything in a text except for white space and comments, and nothing twice: the types
//! of operands, which XLA prints or omits, are the types of the instructions that they name. Two
//! texts that differ only in such ways have equal trees. Names are without their `%`.

mod attributes;
mod computation;
mod literal;
mod module;
mod opcode;
mod parallelism;
mod shape;
mod structure;

pub use attributes::{Attribute, Attributes, Value};
pub use computation::{Arguments, HloComputation, HloInstruction, Position};
pub use literal::Constant;
pub use module::{FileLocation, HloModule, ProgramShape, StackFrame, StackFrames};
pub use opcode::{Opcode, UnknownOpcode};
pub use parallelism::{
    DeviceList, IotaTileAssignment, OpShardingType, ReplicaGroups, Sharding, TileAssignment,
};
pub use shape::{ArrayShape, Dimension, Layout, Shape, SplitConfig, Tile};
pub use structure::{
    Alias, AliasKind, ConvolutionDimensionNumbers, Metadata, PaddingDimension, ResultAccuracy,
    SliceRange, Window, WindowDimension,
};
