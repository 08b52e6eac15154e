//! Machine code, for every backend that makes some: from the LLVM dialect to an
//! object file, and from there into this process.

pub mod jit;
mod module;
mod support;
pub mod target;

pub use module::{emit, optimize, translate};
