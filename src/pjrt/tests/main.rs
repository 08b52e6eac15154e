//! Tests of the plug-in through its C interface.

mod common;
mod ffi;
mod interface;
mod memory_layouts;
mod profiler;
mod rare_functions;
mod separate_memory;
