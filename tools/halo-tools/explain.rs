//! `halo-explain`: compiles a program, runs it if that is wanted, and makes a report of what
//! was done and why. The report itself is written by its caller, so that nothing here knows how
//! it looks.

mod cli;
mod driver;
pub(crate) mod machine;

pub use driver::{Report, main};
