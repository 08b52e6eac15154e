//! The input and the output of the generator.

use crate::records::Records;
use std::collections::BTreeMap;

/// The records of a dialect, and the ops to generate.
pub struct Source<'a> {
    /// The Rust module of the ops.
    pub module: &'a str,
    /// All records.
    pub records: &'a Records,
    /// The names of the ops without the dialect; all ops if `None`.
    pub ops: Option<&'a [&'a str]>,
    /// Whether to generate a codec for each enum attribute of the dialect that the module is named
    /// after, including attributes that no op uses.
    pub enum_attributes: bool,
}

/// The generated files.
#[derive(Debug, Default)]
pub struct Output {
    /// The Rust text of each module.
    pub modules: BTreeMap<String, String>,
    /// `HALO_ENUM_ATTRIBUTE(dialect, attribute class, enum class)`, one line per enum that is a
    /// separate attribute. The line number is the ordinal that the Rust code passes.
    pub enum_attributes: String,
}
