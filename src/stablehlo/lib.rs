//! StableHLO without MLIR: the rules of its specification.

pub mod semantics;
