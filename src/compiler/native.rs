//! Machine code for processors, for every backend that makes some: from the
//! LLVM dialect to an object file, and from there into this process.

pub mod jit;
pub mod llvm;
mod support;
pub mod target;
