//! `halo-run`: compiles a program, or loads a compiled plan, runs it, and prints or checks its
//! results. It supports the backends of a registry.

mod bench;
mod bisect;
mod cli;
mod comparison;
mod distributed;
mod driver;
mod measurement;
mod shards;
mod simulation;
pub mod value;

pub use driver::main;
pub use driver::values;
pub use value::inputs;
