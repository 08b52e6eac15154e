//! `halo-run`: compiles a program, or takes a plan that was compiled before, runs
//! it, and prints or checks its results. The backends are those of a registry.

mod bench;
mod cli;
mod distributed;
mod driver;
mod measurement;
mod shards;
mod simulation;
pub mod value;

pub use driver::main;
pub use driver::values;
pub use value::inputs;
