//! Upstream's passes that clean up behind others, made faster.

pub mod canonicalize;
pub mod cse;
