//! Compiled programs as data: a compiler writes them to a file and an
//! application runs them without a compiler.
//!
//! A [`Plan`] holds the code of a program's kernels and the host's work: the [`Thunk`]s that copy,
//! fill, launch, multiply, call and loop, each with the memory that it accesses. It holds no
//! address and no handle, so it is the same on every machine; [`PlanExecutable`] runs it on any
//! device that supports such kernels.
//!
//! Reading a plan validates its data: no thunk accesses bytes outside of its memory, whatever the
//! file contains. The code of kernels cannot be validated. A plan must therefore be trusted like an
//! executable, in particular one for the host, whose kernels are machine code that the process
//! itself runs; the checksum detects damage, not malice.
//!
//! Sequence 0 is the program. Every other sequence is the body of one thunk, which includes
//! branches of conditionals and conditions of loops, and has a larger number than the sequence that
//! contains this thunk: sequences are a tree, stored parents first.

mod contents;
pub(crate) mod encoding;
mod executable;
#[cfg(test)]
mod fake;
mod file;
mod listing;
mod observed;
mod resources;
mod run;
#[cfg(test)]
mod sample;
mod thunk;
mod validate;

pub use contents::{CONSTANT_ALIGNMENT, Plan, PlanTarget};
pub use executable::PlanExecutable;
pub use file::{MAGIC, VERSION};
pub use thunk::{
    BufferReference, ConditionalKind, FillPattern, Gemm, GemmMatrix, GemmPrecision, KernelArgument,
    KernelDescription, Slice, Swizzle, TensorMap, TensorMapDimension, Thunk,
};
pub use validate::MAX_DEPTH;
