//! Rust types for the ops of MLIR dialects, generated from their ODS records.
//!
//! A crate with a dialect in ODS files calls [`build_script`] in its build script. The other
//! modules implement it and Halo's own build script.
//!
//! `llvm-tblgen --dump-json` prints the records of a dialect; this crate reads
//! them and writes one Rust module per dialect. The build script of `halo-ir`
//! calls it; `halo_ir::ops` documents the generated code.
//!
//! | module | purpose |
//! |---|---|
//! | [`records`] | reads the JSON that TableGen prints |
//! | [`model`] | reads ops, their parts and their attributes from the records |
//! | [`declaration`] | reads declared dialects from the records: with constraints, traits and hooks |
//! | [`rust_code`] | writes Rust, and the list of enum attributes for C++ |
//! | [`build_script`] | runs TableGen for a crate outside of this repository |

pub mod build_script;
pub mod declaration;
pub mod model;
pub mod names;
pub mod records;
pub mod rust_code;

use model::{AttributeValue, Op};
use records::Records;
use std::{collections::BTreeMap, fmt};

/// The records do not have the structure of ODS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(pub String);

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

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

/// Generates the modules of all dialects together, since they share enums.
/// `known` maps C++ classes of attributes to Rust types that exist already.
pub fn generate(sources: &[Source], known: &[AttributeValue]) -> Result<Output, Error> {
    let mut ops: BTreeMap<String, Vec<Op>> = BTreeMap::new();
    let mut enums = model::Enums::new("crate::ops", sources.iter().map(|source| source.module));
    for source in sources {
        let found = model::ops(source, known, &mut enums)?;
        ops.entry(source.module.to_owned()).or_default().extend(found);
        if source.enum_attributes {
            model::enum_codecs(source, &mut enums)?;
        }
    }
    Ok(rust_code::output(&ops, &enums))
}

#[cfg(test)]
mod tests;
