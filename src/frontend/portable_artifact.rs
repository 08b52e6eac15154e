//! Portable artifacts of StableHLO, the exchange format of `jax.export` and PJRT.
//!
//! [`halo_vhlo`] reads and writes the bytes and handles the versions; here a tree of VHLO is
//! converted to a module of `func` and `stablehlo`, and back. An op of VHLO has the name of the
//! StableHLO op with a version number, and all its attributes are required: export writes the
//! default of an absent attribute, and import omits a default. A structure of StableHLO (dimension
//! numbers, a channel) is several attributes in VHLO.
//!
//! Artifacts may contain ops of Shardy. Halo keeps shardings without interpreting them: meshes
//! become the attribute `sdy.meshes` of the module, constraints custom calls `@Sharding` with an
//! attribute `sdy.sharding`, as in XLA.

mod attribute_names;
mod export;
mod export_attributes;
mod export_types;
mod import;
mod import_attributes;
mod import_shardy;
mod import_types;

use super::module_copy::copy_after;
use halo_core::{Diagnostic, Position};
use halo_hlo::transforms::legalize::{chlo_legalize_to_stablehlo, stablehlo_wrap_in_composite};
use halo_ir::{diagnostics::with_diagnostics, pipeline, pipeline::pass, prelude::*, root_of};
use halo_runtime::Error;
use halo_vhlo::Version;
use melior::{Context, ir::Module};

/// Reads an artifact of any version and verifies the program; `name` represents
/// its file in messages.
///
/// # Errors
/// Returns an error if the bytes are not an artifact, or one of a newer version with unknown ops,
/// or if the program is not valid.
pub fn deserialize<'c>(
    context: &'c Context,
    artifact: &[u8],
    name: &str,
) -> Result<Module<'c>, Error> {
    let mut tree =
        halo_vhlo::read(artifact).map_err(|error| Error::invalid_file(name, error.to_string()))?;
    tree.upgrade();
    // Attributes are made before ops, which would load the dialects.
    for dialect in ["builtin", "func", "quant", "shape", "stablehlo"] {
        context.get_or_load_dialect(dialect);
    }
    // Attributes of frameworks may belong to unregistered dialects.
    let unregistered = context.allow_unregistered_dialects();
    context.set_allow_unregistered_dialects(true);
    let (module, errors) = with_diagnostics(context, || {
        let imported = import::import(context, &tree);
        imported.map(|module| module.as_operation().verify().then_some(module))
    });
    context.set_allow_unregistered_dialects(unregistered);
    match module {
        Ok(Some(module)) => Ok(module),
        Ok(None) => Err(Error::diagnosed(format!("{name}: is not valid"), errors)),
        Err(mut error) => {
            error.position.get_or_insert_with(|| Position::of_file(name));
            Err(error.into())
        }
    }
}

/// Writes a module for a version of VHLO.
///
/// # Errors
/// Returns an error if the module has ops, types or attributes that VHLO, or this version of it,
/// does not have.
pub fn serialize(module: &Module, target: Version) -> Result<Vec<u8>, Error> {
    let decomposed = decompose(module, target)?;
    let module = decomposed.as_ref().unwrap_or(module);
    let tree = export::export(module)?;
    halo_vhlo::write(&tree, target).map_err(|error| {
        let position = match &error {
            halo_vhlo::Error::Target { location, .. } => {
                location.and_then(|location| import::position_of(&tree, location))
            }
            _ => None,
        };
        Diagnostic::new(position, error.to_string()).into()
    })
}

/// The composites that JAX exports and that a reader may replace by the op.
const COMPOSITES: [&str; 9] = [
    chlo::AcosOp::NAME,
    chlo::AcoshOp::NAME,
    chlo::AsinOp::NAME,
    chlo::AsinhOp::NAME,
    chlo::AtanhOp::NAME,
    chlo::CoshOp::NAME,
    chlo::ErfOp::NAME,
    chlo::SinhOp::NAME,
    chlo::TopKOp::NAME,
];

/// The first version with composites.
const COMPOSITE: Version = Version::new(0, 19);

/// A copy of a program in which ops of CHLO, which VHLO lacks, are decomposed; `None` if there are
/// none.
fn decompose<'c>(module: &Module<'c>, target: Version) -> Result<Option<Module<'c>>, Error> {
    let root = root_of(module);
    if root.collect_nested(|op| op.name().starts_with("chlo.")).is_empty() {
        return Ok(None);
    }
    let mut passes = pipeline![&chlo_legalize_to_stablehlo::PASS];
    if target >= COMPOSITE {
        let wrap = pass(&stablehlo_wrap_in_composite::PASS)
            .option("op-names", COMPOSITES)
            .option("version", 1);
        passes.steps.insert(0, wrap.into());
    }
    copy_after(module, &passes).map(Some)
}
