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

use serde::{Deserialize, Serialize};

use crate::{CustomCallSite, Signature};

pub use executable::PlanExecutable;
pub use file::{MAGIC, VERSION};
pub use thunk::{
    BufferReference, ConditionalKind, FillPattern, Gemm, GemmMatrix, GemmPrecision, KernelArgument,
    Slice, Thunk,
};
pub use validate::MAX_DEPTH;

/// The target of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanTarget {
    /// The name of the [`Platform`](crate::Platform): `cuda`.
    pub platform: String,
    /// The oldest kind of device that runs it, in the platform's terms: `sm_90`.
    pub architecture: String,
}

/// A function of a plan's code that can be launched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelDescription {
    /// The name of the function in the code.
    pub name: String,
    /// Shared memory of a block in bytes that the code itself declares.
    pub static_shared_memory: u32,
}

/// A compiled program of static shapes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    pub target: PlanTarget,
    /// The inputs and outputs of the program; all sizes are known.
    pub signature: Signature,
    /// All kernels in the format that the platform loads: for `cuda`, PTX as text.
    #[serde(with = "serde_bytes")]
    pub code: Vec<u8>,
    pub kernels: Vec<KernelDescription>,
    /// The size of the memory for intermediate values in bytes. It has the alignment of an
    /// allocation of the device, and its contents are arbitrary when a run begins.
    pub arena_size: u64,
    /// The location of the largest value in the arena, `file:line:column`; empty if unknown.
    pub arena_largest: String,
    /// Values that are copied to the memory of the device when the plan is loaded, each at a
    /// multiple of [`CONSTANT_ALIGNMENT`].
    #[serde(with = "encoding::byte_strings")]
    pub constants: Vec<Vec<u8>>,
    /// The sequences of thunks; sequence 0 is the program.
    pub sequences: Vec<Vec<Thunk>>,
    /// The call sites in the order of their numbers.
    pub custom_calls: Vec<CustomCallSite>,
}

/// The alignment of the address of a constant on the device, in bytes.
pub const CONSTANT_ALIGNMENT: usize = 64;
