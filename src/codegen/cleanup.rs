//! Faster versions of upstream's cleanup passes.

pub mod canonicalize;
pub mod cse;
