//! The StableHLO, CHLO, check, interpreter and mhlo dialects, and what MLIR takes only in C++.
//!
//! All TableGen and all C++ of Halo is in this crate. The dialects are declared
//! in `stablehlo/`, `chlo/`, `check/`, `interpreter/` and `mhlo/`, one ODS file a family of ops; `cpp/`
//! has their syntax and the drivers. The modules here are the safe Rust face.
//! What the ops mean is not decided here: verification and folding call the
//! [`semantics`] hooks.

pub mod attributes;
pub mod bufferize;
pub mod diagnostics;
pub mod driver;
pub mod fusion;
pub mod ir;
pub mod limits;
pub mod ops;
pub mod opt;
pub mod pass;
mod registration;
pub mod semantics;
pub mod subtarget;
pub mod translate;
pub mod types;

pub use registration::register_dialects;
