//! Platforms, streams, buffers and executables: the part of Halo that applications ship.
//!
//! The concepts are XLA's. A [`Platform`] is a kind of device; its [`StreamExecutor`]s are the
//! devices, which own memory and run [`Stream`]s of work; a [`TransferManager`] moves literals to
//! and from that memory; [`Platforms`] finds a device by name. A compiled program is an
//! [`Executable`], or a [`Plan`] that a [`PlanExecutable`] runs.
//!
//! The crate depends neither on MLIR nor on LLVM, and has no interface for compilers; `halo-backend`
//! has it. The [`host`] platform runs native code through
//! the interface in [`host::abi`], compiled just in time or ahead of time.
//!
//! An application that runs programs on CPUs needs no cargo feature. The features are:
//!
//! | feature | adds | crates |
//! |---|---|---|
//! | `cuda` | the platform `cuda`, for plans on GPUs of NVIDIA | cudarc |
//! | `linear-algebra` | [custom calls](custom_call) that factor matrices and solve systems | faer |

pub mod communication;
#[cfg(feature = "cuda")]
pub mod cuda;
pub mod custom_call;
mod error;
pub mod executable;
pub mod host;
pub mod kernel;
pub mod memory;
pub mod memory_observer;
pub mod plan;
pub mod platform;
mod platforms;
pub mod run_observer;
mod sharding;
pub mod stream;
pub mod stream_executor;
pub mod transfer_manager;
mod usage;

pub use communication::Process;
pub use custom_call::{CustomCallRegistry, CustomCallSite};
pub use error::{Error, Result};
pub use executable::{Alias, Device, Executable, ExecuteOptions, Signature, Tokens};
pub use kernel::{GemmCall, KernelModule, Launch, LaunchArgument};
pub use memory::{DeviceBuffer, DeviceMemory, MemorySlice};
pub use plan::{Plan, PlanExecutable};
pub use platform::Platform;
pub use platforms::Platforms;
pub use sharding::{Shard, Sharding, Shardings};
pub use stream::{Event, Stream};
pub use stream_executor::{DeviceDescription, MemoryUsage, StreamExecutor};
pub use transfer_manager::TransferManager;
