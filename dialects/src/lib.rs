//! The StableHLO, CHLO and check dialects, and what MLIR takes only in C++.
//!
//! All TableGen and all C++ of Halo is in this crate. The dialects are declared
//! in `stablehlo/`, `chlo/` and `check/`, one ODS file a family of ops; `cpp/`
//! has their syntax and the drivers. The modules here are the safe Rust face.

pub mod attributes;
pub mod diagnostics;
pub mod ir;
pub mod opt;
pub mod pass;
mod registration;

pub use registration::register_dialects;
