//! The plug-in as frameworks see it.

mod common;
mod ffi;
mod interface;
mod memory_layouts;
