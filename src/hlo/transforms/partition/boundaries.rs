//! How the arguments and results of an entry are divided.

use super::{SHARD_TO_FULL, annotation, inference::Inference};
use crate::sharding::{self, Meshes, SHARDING, Sharding, Tiling};
use halo_ir::{
    Attribute, Operation, arguments_of, attribute_list, attribute_of, body_of, dictionary_entry,
    operands_of, terminator_of,
};

/// For each argument, and each result, of an entry its tiles; `None` for one that every
/// partition has as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boundaries {
    pub arguments: Vec<Option<Tiling>>,
    pub results: Vec<Option<Tiling>>,
}

impl Boundaries {
    /// Those that `--halo-partition` gives the entry of a module in which functions are inlined,
    /// for a number of partitions.
    ///
    /// Arguments and results are divided as their attributes say, and a result whose sharding is
    /// open as it follows from the values that it is computed of: that of a manual computation
    /// is not gathered, nor is what is computed of it element by element.
    ///
    /// # Errors
    /// A message if an attribute is not a sharding, or contradicts the meshes.
    pub fn of(module: Operation, entry: Operation, partitions: usize) -> Result<Self, String> {
        Self::with(&Meshes::of_module(module, partitions)?, entry)
    }

    pub(super) fn with(meshes: &Meshes, entry: Operation) -> Result<Self, String> {
        let body = body_of(entry, 0);
        let arguments = body.map(arguments_of).unwrap_or_default();
        let results = body
            .and_then(terminator_of)
            .map(operands_of)
            .unwrap_or_default();
        let mut found = Self {
            arguments: Vec::with_capacity(arguments.len()),
            results: Vec::with_capacity(results.len()),
        };
        let attributes = attributes_at(entry, "arg_attrs", arguments.len());
        for (number, own) in attributes.into_iter().enumerate() {
            let at = |message: String| format!("argument {number}: {message}");
            let sharding = sharding_of(own).map_err(at)?;
            let tiling = sharding.map(|sharding| meshes.tiling(&sharding, |_| true));
            let tiling = tiling.transpose().map_err(at)?;
            (found.arguments).push(tiling.filter(|tiling| !tiling.is_whole()));
        }
        let mut inference = Inference::new(meshes, entry, &arguments, &found.arguments);
        let attributes = attributes_at(entry, "res_attrs", results.len());
        for (number, (result, own)) in results.into_iter().zip(attributes).enumerate() {
            let at = |message: String| format!("result {number}: {message}");
            let sharding = sharding_of(own).map_err(at)?;
            let is_open = sharding.as_ref().is_none_or(|sharding| sharding.is_open);
            let tiling = sharding.map(|sharding| meshes.tiling(&sharding, |_| true));
            let tiling = tiling.transpose().map_err(at)?;
            let tiling = match tiling.filter(|tiling| !tiling.is_whole()) {
                None if is_open => inference.tiling(result).map_err(at)?,
                tiling => tiling,
            };
            found.results.push(tiling);
        }
        Ok(found)
    }
}

/// The dictionaries of as many arguments, or results, of an entry.
fn attributes_at<'c>(entry: Operation<'c>, name: &str, count: usize) -> Vec<Option<Attribute<'c>>> {
    let all = attribute_of(entry, name).map(attribute_list);
    let mut all: Vec<_> = all.unwrap_or_default().into_iter().map(Some).collect();
    all.resize(count, None);
    all
}

/// The sharding in the dictionary of an argument, or of a result.
fn sharding_of(own: Option<Attribute>) -> Result<Option<Sharding>, String> {
    let entry = |name: &str| own.and_then(|own| dictionary_entry(own, name));
    if entry("mhlo.sharding").is_some() {
        return Err("'mhlo.sharding' is not supported, only shardings of Shardy are".to_owned());
    }
    entry(SHARDING).map(Sharding::of).transpose()
}

/// How a manual computation divides its operands, or its results: along its own axes.
pub(super) fn manual_tilings(meshes: &Meshes, call: Operation) -> Result<Vec<Tiling>, String> {
    let attribute = |name: &str| -> Result<Attribute, String> {
        let found = attribute_of(call, name);
        found.ok_or_else(|| format!("a manual computation needs attribute '{name}'"))
    };
    let shardings = match annotation(call) {
        Some(SHARD_TO_FULL) => attribute("sdy.out_shardings")?,
        _ => attribute("sdy.in_shardings")?,
    };
    let axes = sharding::manual_axes(attribute("sdy.manual_axes")?)?;
    let is_manual = |name: &str| axes.iter().any(|axis| axis == name);
    (Sharding::per_value(shardings)?.iter())
        .map(|sharding| meshes.tiling(sharding, is_manual))
        .collect()
}
