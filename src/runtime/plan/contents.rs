//! A compiled program as data.

use serde::{Deserialize, Serialize};

use super::encoding;
use super::thunk::{KernelDescription, Thunk};
use crate::{CustomCallSite, Signature};

/// The target of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanTarget {
    /// The name of the [`Platform`](crate::Platform): `cuda`.
    pub platform: String,
    /// The oldest kind of device that runs it, in the platform's terms: `sm_90`.
    pub architecture: String,
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
