//! The tests of the compiler as a whole: one program, since each that links MLIR
//! takes its time and its room.

mod bytecode;
mod cache;
mod elementary_functions;
mod execution;
mod gpu;
mod hlo_text;
mod invariants;
mod op_table;
mod pipelines;
mod portable_artifacts;
mod record;
mod rewrite_rules;
mod training;

// MLIR is linked into the library once and not into each test program.
use halo_shared as _;
