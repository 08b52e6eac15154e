//! `halo-compile`: compiles a program ahead of time, to an object file that applications
//! link, to a plan that `halo-run` and applications run without a compiler, or to the text of
//! any phase. The backends are those of a registry; their devices need not be there.

mod cli;
mod constants;
mod driver;
mod objects;

pub use driver::main;
