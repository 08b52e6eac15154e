//! The tests of the whole compiler: one executable, because each one that links MLIR takes time and
//! disk space.

mod accuracy;
mod builder;
mod bytecode;
mod cache;
mod elementary_functions;
mod execution;
mod gpu;
mod growth;
mod hlo_text;
mod invariants;
mod op_table;
mod pipelines;
mod portable_artifacts;
mod record;
mod rewrite_rules;
mod training;

// MLIR is linked into the library once, not into each test executable.
use halo_shared as _;
