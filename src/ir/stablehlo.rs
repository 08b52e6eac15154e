//! The attributes and types of the dialects, as Rust values.

pub mod attributes;
pub mod types;
