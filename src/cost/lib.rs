//! The costs of programs on machines.
//!
//! | module | contents |
//! |---|---|
//! | [`flops`] | operation counts |
//! | [`op_cost`] | the time of one op, and its communication |
//! | [`topology`] | descriptions of machines |
//! | [`communication_cost`] | the time of collectives |
//! | [`simulation`] | predicted run times |
//! | [`cpu`] | the time of loops on a CPU |
//!
//! `halo-hlo` has the semantics of ops; its passes use the costs. [`simulation::Semantics`] is the
//! part of it that a prediction depends on.

pub mod communication_cost;
pub mod cpu;
pub mod flops;
pub mod op_cost;
pub mod simulation;
pub mod topology;
