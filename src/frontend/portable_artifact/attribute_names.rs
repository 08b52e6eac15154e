//! Names of attributes that keep ops of Shardy.

/// The attribute of a module with its meshes by name.
pub const MESHES: &str = "sdy.meshes";

/// The attribute of an op or an argument with its sharding.
pub const SHARDING: &str = "sdy.sharding";
