//! HLO text, as XLA prints and reads it: `HloModule name, ...`.
//!
//! The crate holds the syntax tree ([`HloModule`], [`HloComputation`],
//! [`HloInstruction`]), a parser and a printer. It knows no MLIR: what a module
//! means as a StableHLO program is for the compiler's front end to say.

pub mod ast;

pub use ast::*;
