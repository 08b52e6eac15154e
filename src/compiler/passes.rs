//! Passes, and the registry that names them all.

pub mod registry;
