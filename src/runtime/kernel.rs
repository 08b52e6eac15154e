//! Device work: kernels, and matrix products of a library.

use std::any::Any;
use std::sync::Arc;

use crate::plan::{Gemm, KernelDescription, TensorMap};
use crate::{Error, MemorySlice, Result};

/// Code that is loaded on a device. It stays loaded until the last handle is dropped and all its
/// launches have run.
pub trait KernelModule: Any + Send + Sync {
    /// The kernels, in the order of the request.
    fn kernels(&self) -> &[KernelDescription];

    /// For downcasts by the platform.
    fn as_any(&self) -> &dyn Any;
}

/// The argument for one parameter of a kernel.
#[derive(Clone, Copy, Debug)]
pub enum LaunchArgument<'a> {
    /// The address of these bytes.
    Memory(MemorySlice<'a>),
    /// A number, the lowest byte first.
    Scalar(&'a [u8]),
    /// A tensor map for the tensor in these bytes.
    TensorMap {
        memory: MemorySlice<'a>,
        map: &'a TensorMap,
    },
}

impl<'a> LaunchArgument<'a> {
    /// The memory that the kernel accesses by the argument.
    pub fn memory(&self) -> Option<&MemorySlice<'a>> {
        match self {
            Self::Memory(memory) | Self::TensorMap { memory, .. } => Some(memory),
            Self::Scalar(_) => None,
        }
    }
}

/// One run of a kernel for a grid of blocks of threads.
#[derive(Clone, Copy)]
pub struct Launch<'a> {
    pub module: &'a Arc<dyn KernelModule>,
    /// Which of [`KernelModule::kernels`].
    pub kernel: usize,
    /// Blocks along x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block along x, y and z.
    pub block: [u32; 3],
    /// Dynamic shared memory in bytes, in addition to the static memory that the kernel declares.
    pub dynamic_shared_memory: u32,
    pub arguments: &'a [LaunchArgument<'a>],
}

/// A [`Gemm`] with the memory of its slices.
#[derive(Clone, Copy)]
pub struct GemmCall<'a> {
    pub gemm: &'a Gemm,
    pub a: MemorySlice<'a>,
    pub b: MemorySlice<'a>,
    pub c: MemorySlice<'a>,
}

pub(crate) fn no_kernels() -> Error {
    Error::invalid("the platform runs no kernels")
}

/// Downcasts the module to a platform's type.
///
/// # Errors
/// Returns an invalid-input error if it was loaded by another platform.
pub fn downcast_module<T: KernelModule>(module: &Arc<dyn KernelModule>) -> Result<&T> {
    module
        .as_any()
        .downcast_ref()
        .ok_or_else(|| Error::invalid("the kernels belong to another platform"))
}
