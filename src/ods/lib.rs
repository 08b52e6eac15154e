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
mod error;
pub mod model;
pub mod names;
pub mod records;
pub mod rust_code;
mod source;

pub use error::Error;
use model::{AttributeValue, Op};
pub use source::{Output, Source};
use std::collections::BTreeMap;

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
