//! Replica groups along axes of a mesh, as lists of processes.
//!
//! JAX 0.12 writes `replica_groups` of collectives as axes of a mesh:
//!
//! ```mlir
//! sdy.mesh @mesh = <["x"=2, "y"=2]>
//! replica_groups = #stablehlo.replica_group_mesh_axes<
//!     mesh = @mesh, axes = [#stablehlo.axis_ref<name = "y">]>
//! ```
//!
//! becomes `dense<[[0, 1], [2, 3]]>`.

use crate::sharding::{Axis, MESHES, Mesh};
use halo_ir::{prelude::*, stablehlo::attributes::MeshAttribute};
use melior::ir::attribute::DenseElementsAttribute;

const REPLICA_GROUPS: &str = "replica_groups";

/// The mesh and the axes of an op's groups.
fn mesh_axes<'c>(op: Operation<'c>) -> Option<(Attribute<'c>, Vec<Attribute<'c>>)> {
    let groups = op.attribute(REPLICA_GROUPS).and_then(MeshAttribute::from_attribute);
    match groups {
        Some(MeshAttribute::ReplicaGroupMeshAxes { mesh, axes }) => Some((mesh, axes)),
        _ => None,
    }
}

/// Returns true if an op of a program has groups along axes of a mesh.
pub fn is_needed(module: Operation) -> bool {
    !module.collect_nested(|op| mesh_axes(op).is_some()).is_empty()
}

/// Replaces all groups along axes. The meshes are an attribute of the module.
///
/// # Errors
/// Returns an error if an op refers to a mesh or an axis that does not exist.
pub fn expand(module: Operation) -> Result<(), PassFailure> {
    for op in module.collect_nested(|op| mesh_axes(op).is_some()) {
        let Some((mesh, axes)) = mesh_axes(op) else {
            continue;
        };
        let groups = mesh_of(module, mesh).and_then(|mesh| {
            let axes = axes.into_iter().map(axis_of).collect::<Option<Vec<_>>>();
            mesh.groups(&axes.ok_or("an axis is not an axis reference")?)
        });
        let groups = groups.map_err(|message| {
            PassFailure::at(op, format!("attribute '{REPLICA_GROUPS}': {message}"))
        })?;
        let size = groups.first().map_or(0, Vec::len) as i64;
        let element = integer_type(module.context(), 64);
        let ty = tensor_type(&[groups.len() as i64, size], element);
        let ids: Vec<i64> = groups.concat().into_iter().map(|id| id as i64).collect();
        let groups = DenseElementsAttribute::i64_values(ty, &ids);
        op.set_attribute(REPLICA_GROUPS, groups.into());
    }
    Ok(())
}

/// The mesh of a symbol, or of `#stablehlo.mesh`.
fn mesh_of<'c>(module: Operation<'c>, mesh: Attribute<'c>) -> Result<Mesh, String> {
    let Some(MeshAttribute::Mesh { axes, device_ids }) = MeshAttribute::from_attribute(mesh) else {
        let text = mesh.to_string();
        let name = text.trim_start_matches('@').trim_matches('"');
        let meshes = module.attribute(MESHES).map(Attribute::dictionary_entries);
        let mut meshes = meshes.unwrap_or_default().into_iter();
        let found = meshes.find(|(other, _)| *other == name);
        let (_, mesh) = found.ok_or_else(|| format!("there is no mesh '{name}'"))?;
        return Mesh::of(mesh);
    };
    let axis = |axis| match MeshAttribute::from_attribute(axis) {
        Some(MeshAttribute::MeshAxis { name, size }) => Some((name, usize::try_from(size).ok()?)),
        _ => None,
    };
    let axes = axes.into_iter().map(axis).collect::<Option<Vec<_>>>();
    let ids = device_ids.and_then(Attribute::dense_i64s);
    let ids = ids.map(|ids| ids.into_iter().map(usize::try_from).collect::<Result<Vec<_>, _>>());
    Ok(Mesh {
        axes: axes.ok_or("a mesh has axes with names and sizes")?,
        device_ids: ids.transpose().map_err(|_| "a device has a negative number")?,
    })
}

fn axis_of(axis: Attribute) -> Option<Axis> {
    let MeshAttribute::AxisRef {
        name,
        sub_axis_info,
    } = MeshAttribute::from_attribute(axis)?
    else {
        return None;
    };
    let part = match sub_axis_info.map(MeshAttribute::from_attribute) {
        None => None,
        Some(Some(MeshAttribute::SubAxisInfo { pre_size, size })) => {
            Some((usize::try_from(pre_size).ok()?, usize::try_from(size).ok()?))
        }
        Some(_) => return None,
    };
    Some(Axis { name, part })
}
