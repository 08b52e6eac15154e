//! Platforms, streams, buffers and executables: the part of Halo that applications ship.
//!
//! The concepts are XLA's. A [`Platform`] is a kind of device; its [`StreamExecutor`]s are the
//! devices, which own memory and run [`Stream`]s of work; a [`TransferManager`] moves literals to
//! and from that memory; a [`Compiler`] turns a [`Program`] into an [`Executable`]. A [`Backend`]
//! consists of one of each, and a [`Registry`] finds backends by name: tools and applications
//! access them only through it.
//!
//! The crate depends neither on MLIR nor on LLVM. The [`host`] platform runs native code through
//! the interface in [`host::abi`], compiled just in time or ahead of time.
//!
//! An application that runs programs on CPUs needs no cargo feature. The features are:
//!
//! | feature | adds | crates |
//! |---|---|---|
//! | `cuda` | the platform `cuda`, for plans on GPUs of NVIDIA | cudarc |
//! | `linear-algebra` | [custom calls](custom_call) that factor matrices and solve systems | faer |
//! | `observe` | phases, kernels and entries of the cache as events of tracing | tracing |

pub mod backend;
mod backend_options;
pub mod background;
pub mod communication;
pub mod compilation_cache;
pub mod compiler;
#[cfg(feature = "cuda")]
pub mod cuda;
pub mod custom_call;
mod environment;
mod error;
pub mod executable;
mod guard;
pub mod host;
pub mod kernel;
pub mod memory;
pub mod memory_observer;
pub mod object_code;
pub mod observer;
pub mod pipeline_edit;
pub mod plan;
pub mod platform;
pub mod prediction;
pub mod run_observer;
mod sharding;
pub mod stream;
pub mod stream_executor;
pub mod transfer_manager;
mod usage;

pub use backend::{Backend, Registry};
pub use backend_options::{BackendOption, BackendOptions};
pub use communication::Process;
pub use compilation_cache::CompilationCache;
pub use compiler::{
    CompileOptions, Compiler, CompilerDescription, Partitioning, PhaseDescription,
    ProcessorOptions, Program, RecordSink, ReproducerOptions,
};
pub use custom_call::{CustomCallRegistry, CustomCallSite};
pub use environment::Environment;
pub use error::{Error, Result};
pub use executable::{Alias, Device, Executable, ExecuteOptions, Signature, Tokens};
pub use kernel::{GemmCall, KernelModule, Launch, LaunchArgument};
pub use memory::{DeviceBuffer, DeviceMemory, MemorySlice};
pub use object_code::ObjectCode;
pub use observer::{CacheEntry, CompileEvent, CompileObserver, Observers};
pub use pipeline_edit::{EditAction, PipelineEdit};
pub use plan::{Plan, PlanExecutable};
pub use platform::Platform;
pub use sharding::{Shard, Sharding, Shardings};
pub use stream::{Event, Stream};
pub use stream_executor::{DeviceDescription, MemoryUsage, StreamExecutor};
pub use transfer_manager::TransferManager;
