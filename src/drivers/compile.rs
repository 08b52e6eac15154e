//! `halo-compile`: compiles a program ahead of time, to an object file that applications link, to a
//! plan that `halo-run` and applications run without a compiler, or to the text of any phase. It
//! supports the backends of a registry; their devices need not be present.

mod cli;
mod constants;
mod driver;
mod objects;

pub use driver::main;
