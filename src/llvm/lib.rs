//! Machine code generation for all backends: from the LLVM dialect to an object file, and from
//! there into this process.

pub mod compile;
mod diagnostics;
mod emit;
pub mod fatal_errors;
pub mod float16_conversions;
pub mod jit;
pub mod kernel_cache;
mod kernel_digest;
mod matrix_tiles;
mod module;
mod optimize;
pub mod partition;
pub mod perf;
pub mod processor_kind;
mod streaming_mode;
mod support;
mod sve_length;
pub mod target;
pub mod target_list;

pub use emit::emit;
pub use module::translate;
pub use optimize::{Effort, optimize};
