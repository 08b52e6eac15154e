//! `--shardy-legalize-to-stablehlo`: converts Shardy's ops to attributes and custom calls.
//!
//! A program that JAX prints has ops of the dialect `sdy` for meshes, constraints and manual
//! computations. A portable artifact has them too, and its reader converts them to XLA's form:
//! meshes are an attribute of the module, constraints are custom calls, and a manual computation is
//! enclosed in two calls. This pass does the same for text, so that all other code handles one
//! form. Replica groups along axes of a mesh become lists of processes.
//!
//! ```mlir
//! sdy.mesh @mesh = <["x"=2]>
//! func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
//!   %0 = sdy.sharding_constraint %a <@mesh, [{"x"}]> : tensor<4xf32>
//!   %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}]>]
//!       out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<2xf32>) {
//!     %2 = stablehlo.sine %b : tensor<2xf32>
//!     sdy.return %2 : tensor<2xf32>
//!   } : (tensor<4xf32>) -> tensor<4xf32>
//!   return %1 : tensor<4xf32>
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=2]>}} {
//!   func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
//!     %0 = stablehlo.custom_call @Sharding(%a) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
//!     %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {sdy.in_shardings = ..., sdy.manual_axes = ...}
//!     %2 = stablehlo.sine %1 : tensor<2xf32>
//!     %3 = stablehlo.custom_call @SPMDShardToFullShape(%2) {sdy.manual_axes = ..., sdy.out_shardings = ...}
//!     return %3 : tensor<4xf32>
//!   }
//! }
//! ```

use super::replica_groups;
use crate::sharding::analysis::{SHARDING_CONSTRAINT, SHARDING_GROUP, SHARDING_GROUP_ID};
use crate::sharding::manual::{FULL_TO_SHARD, SHARD_TO_FULL};
use crate::sharding::{MESHES, Mesh, SHARDING, Sharding, manual_axes};
use halo_ir::{bool_attribute, dictionary_attribute, ops::sdy, prelude::*};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "shardy-legalize-to-stablehlo",
    "Make attributes and custom calls of the ops of Shardy",
    |pass| legalize(pass.operation()),
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["stablehlo"]);

/// Returns true if a program has such ops.
pub fn is_needed(module: Operation) -> bool {
    !shardy_ops(module).is_empty()
}

fn shardy_ops(module: Operation<'_>) -> Vec<Operation<'_>> {
    module.collect_nested(|op| op.name().starts_with("sdy.") && !op.isa::<sdy::ReturnOp>())
}

/// Runs the pass.
///
/// # Errors
/// Returns an error if an op has an invalid attribute, which it reports.
pub fn legalize(module: Operation) -> Result<(), PassFailure> {
    let mut meshes = module.attribute(MESHES).map(Attribute::dictionary_entries);
    let known = meshes.as_ref().map_or(0, Vec::len);
    for op in shardy_ops(module) {
        let done = match op.cast::<sdy::MeshOp>() {
            Some(mesh) => add_mesh(op, mesh.mesh(), meshes.get_or_insert_default()),
            None => with_builder(op, |b| replace(b, op)),
        };
        done.map_err(|message| PassFailure::at(op, &message))?;
    }
    if let Some(mut meshes) = meshes.filter(|all| all.len() > known) {
        meshes.sort_by_key(|(name, _)| *name);
        module.set_attribute(MESHES, dictionary_attribute(module.context(), &meshes));
    }
    replica_groups::expand(module)
}

fn add_mesh<'c>(
    op: Operation<'c>,
    mesh: Attribute<'c>,
    meshes: &mut Vec<(&'c str, Attribute<'c>)>,
) -> Result<(), String> {
    Mesh::of(mesh)?;
    let name = op.attribute("sym_name").and_then(Attribute::string_value);
    meshes.push((name.ok_or("a mesh has a name")?, mesh));
    with_builder(op, |b| b.erase(op));
    Ok(())
}

/// Replaces an op by custom calls.
fn replace<'c>(b: &Builder<'c>, op: Operation<'c>) -> Result<(), String> {
    let attribute = |name: &str| {
        let found = op.attribute(name);
        found.ok_or_else(|| format!("'{}' needs attribute '{name}'", op.name()))
    };
    let (operands, types) = (op.operands(), op.result_types());
    if op.isa::<sdy::ShardingConstraintOp>() || op.isa::<sdy::ReshardOp>() {
        let sharding = attribute("sharding")?;
        Sharding::of(sharding)?;
        let text = sharding.to_string();
        let body = text.strip_prefix("#sdy.sharding").unwrap_or_default();
        let text = format!("#sdy.sharding_per_value<[{body}]>");
        let sharding = Attribute::parse(b.context(), &text);
        let sharding = sharding.ok_or_else(|| format!("'{text}' cannot be written"))?;
        let results = call(
            b,
            SHARDING_CONSTRAINT,
            &[(SHARDING, sharding)],
            &operands,
            &types,
        )?;
        b.replace(op, &results);
        return Ok(());
    }
    if op.isa::<sdy::ShardingGroupOp>() {
        // Otherwise it would be erased as unused.
        let effect = bool_attribute(b.context(), true);
        let attributes = [
            ("has_side_effect", effect),
            (SHARDING_GROUP_ID, attribute("group_id")?),
        ];
        call(b, SHARDING_GROUP, &attributes, &operands, &types)?;
        b.erase(op);
        return Ok(());
    }
    let body = op.body(0).filter(|_| op.isa::<sdy::ManualComputationOp>());
    let body = body.ok_or_else(|| format!("'{}' is not supported", op.name()))?;
    let (axes, ins, outs) = (
        attribute("manual_axes")?,
        attribute("in_shardings")?,
        attribute("out_shardings")?,
    );
    manual_axes(axes)?;
    let arguments = body.arguments().types();
    let returned = body.terminator().map(Operation::operands).unwrap_or_default();
    for (what, sharding, found, expected) in [
        ("arguments", ins, arguments.len(), operands.len()),
        ("results", outs, returned.len(), types.len()),
    ] {
        let given = Sharding::per_value(sharding)?.len();
        if found != expected || given != expected {
            return Err(format!(
                "a manual computation of {expected} {what} has {given} shardings of them and \
                 {found} in its body"
            ));
        }
    }
    let begin = [("sdy.in_shardings", ins), ("sdy.manual_axes", axes)];
    let tiles = call(b, FULL_TO_SHARD, &begin, &operands, &arguments)?;
    let tiles = b.inline_before(body, op, &tiles);
    let end = [("sdy.manual_axes", axes), ("sdy.out_shardings", outs)];
    let results = call(b, SHARD_TO_FULL, &end, &tiles, &types)?;
    b.replace(op, &results);
    Ok(())
}

/// A custom call that annotates values, if there are any.
fn call<'c>(
    b: &Builder<'c>,
    target: &str,
    attributes: &[(&str, Attribute<'c>)],
    operands: &[Value<'c>],
    results: &[Type<'c>],
) -> Result<Vec<Value<'c>>, String> {
    if operands.is_empty() {
        return Ok(Vec::new());
    }
    let mut call = b
        .op(stablehlo::CustomCallOp::NAME)
        .operands(operands)
        .results(results)
        .attribute("call_target_name", string_attribute(b.context(), target));
    for (name, attribute) in attributes {
        call = call.attribute(name, *attribute);
    }
    let call = call.insert();
    Ok(call.results())
}
