//! Backends of Halo as PJRT plug-ins, which JAX and other frameworks load: `libhalo_pjrt.so` of the
//! crate `halo-pjrt-library` has Halo's, and [`plugin!`] makes one of any other backend.
//!
//! PJRT is the interface in C between frameworks and the runtimes of devices
//! (<https://openxla.org/xla/pjrt>). A framework gets a function table from `GetPjrtApi`, creates
//! a client with devices, compiles programs of StableHLO for it, and runs them on buffers:
//!
//! | object of the interface | here |
//! |---|---|
//! | `PJRT_Client`, `PJRT_Device`, `PJRT_Memory` | `client.rs`, `device.rs`, `memory.rs`; `platform.rs` has the backend |
//! | `PJRT_TopologyDescription`, `PJRT_DeviceDescription` | `topology.rs`, `canonical_shape.rs` |
//! | `PJRT_Executable`, `PJRT_LoadedExecutable` | `program.rs`, `executable.rs`; `execute.rs` runs them |
//! | `PJRT_Buffer` | `buffer.rs`; `memory_access.rs` reads and writes the memory |
//! | `PJRT_AsyncHostToDeviceTransferManager` | `transfer_manager.rs` |
//! | `PJRT_Event`, `PJRT_Error` | `event.rs`, `status.rs` |
//! | key-value store of the framework, processes of a job | `processes.rs` |
//! | callbacks to the framework's language | [`callbacks`], [`inspection`] |
//! | handlers of typed custom calls | [`ffi`] |
//! | `PJRT_Api`, extensions | `api.rs`; `custom_partitioner.rs`, `ffi.rs`, `layouts.rs`, `memory_descriptions.rs`, `shardings.rs` |
//!
//! [`c_api`] of `halo-pjrt-api` has the types of the interface. The implementation is a `Backend`, with its
//! executables and memory. Work is asynchronous: each device has a queue (`queue.rs`), on GPUs also
//! streams (`streams.rs`), and buffers have events that signal their readiness.
//!
//! All functions take C pointers, which must satisfy the interface. Violations are reported as
//! errors as far as they can be checked. `unsupported.rs` has the functions that are missing.

mod api;
mod buffer;
mod call;
pub mod callbacks;
mod canonical_shape;
mod client;
mod compile_options;
mod cores;
mod custom_partitioner;
mod device;
mod dlpack;
mod donation;
mod element_type;
mod entry;
mod event;
mod executable;
mod execute;
mod extension;
pub mod ffi;
mod handle;
pub mod inspection;
mod launch;
mod layouts;
mod library;
mod memory;
mod memory_access;
mod memory_descriptions;
mod named_value;
mod per_device;
mod platform;
mod plugin;
mod processes;
mod profiler;
mod program;
mod queue;
mod settings;
mod shardings;
mod status;
mod streams;
mod strides;
mod topology;
mod transfer_manager;
mod unsupported;

pub use api::api_of;
pub use c_api::Api;
pub use halo_pjrt_api::c_api;
pub use library::Plugin;
