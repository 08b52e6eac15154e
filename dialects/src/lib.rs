//! The `stablehlo`, `chlo` and `check` dialects, and their safe Rust face.
//!
//! The dialects are defined in TableGen (`stablehlo/`, `chlo/`, `check/`), with
//! the little C++ that MLIR takes in no other language in `cpp/`. All `unsafe`
//! code that talks to them is in this crate.

mod registration;

pub use registration::register_dialects;
