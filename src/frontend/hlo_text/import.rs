//! From the tree of HLO text to ops.
//!
//! [`module`] imports the computations, [`instruction`] prepares the arguments of each op's
//! function, and one file for each family of ops has these functions.

mod asynchronous;
mod attributes;
mod bitcast;
mod collectives;
mod computation;
mod control_flow;
mod custom_call;
mod custom_targets;
mod dispatch;
mod elementwise;
mod entry;
mod failure;
mod flagged_window;
mod importer;
mod indexing;
mod instruction;
mod linear_algebra;
mod module;
mod module_attributes;
mod other;
mod reduce_window;
mod reduction;
mod replica_groups;
mod scatter;
mod shape;
mod transfers;
mod types;
mod values;

pub use asynchronous::unwrapped;
pub use module::module;
