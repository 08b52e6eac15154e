//! The safe Rust face of Halo's dialects and of the C++ that MLIR takes only in
//! C++.

pub mod attributes;
pub mod ir;
pub mod opt;
pub mod pass;
