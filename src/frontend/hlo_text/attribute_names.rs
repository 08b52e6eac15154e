//! Names of attributes that keep what StableHLO cannot express.

/// The attribute on the start of an asynchronous collective with the names of its updates.
pub const UPDATES: &str = "mhlo.async_updates";
