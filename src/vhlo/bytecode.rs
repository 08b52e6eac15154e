//! MLIR's bytecode, as far as portable artifacts use it.
//!
//! A file is a magic number, a version, the name of its producer and sections;
//! numbers are of variable length. Attributes and types are in tables, each
//! entry in an encoding of its dialect. MLIR's `BytecodeFormat.md` describes
//! the format, `BuiltinDialectBytecode.td`, StableHLO's `VhloBytecode.cpp` and
//! Shardy's `bytecode.td` the encodings of the dialects.
//!
//! The reader validates everything. A length is compared with the remaining
//! bytes before memory is allocated, references are compared with the tables,
//! and no function recurses.

mod attributes;
mod check;
mod cursor;
mod emitter;
mod encode;
mod format;
mod numbers;
mod operations;
mod other_encodings;
mod read;
mod shardy;
mod tables;
mod types;
mod validate;
mod write;

pub use other_encodings::to_known_encodings;
pub use read::{is_portable_artifact, read};
pub use validate::validate;
pub(crate) use write::encode_module;
