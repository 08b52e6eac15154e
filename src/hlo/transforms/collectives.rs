//! Communication between processes.

pub mod asynchronous_collectives;
pub mod combine_collectives;
pub mod decompose_all_reduces;
pub mod expand_communication;
pub mod hoist_collectives;
