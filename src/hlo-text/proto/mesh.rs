//! Shardings and replica groups along the axes of a mesh.

use super::schema::{AxisRefProto, MeshAxesReplicaGroupListProto, MeshProto, NamedShardingProto};
use crate::{
    AxisRef, DeviceOrder, DimensionSharding, Mesh, MeshGroups, NamedSharding, SubAxis, validity,
};

pub(super) fn named_sharding(proto: NamedShardingProto) -> Result<NamedSharding, String> {
    let mesh = mesh(proto.mesh.unwrap_or_default())?;
    let dimensions = proto.dim_shardings.into_iter().map(|dimension| {
        Ok(DimensionSharding {
            axes: axes(dimension.axes, &mesh)?,
            is_open: !dimension.is_closed,
        })
    });
    Ok(NamedSharding {
        dimensions: dimensions.collect::<Result<_, String>>()?,
        replicated: axes(proto.replicated_axes, &mesh)?,
        unreduced: axes(proto.unreduced_axes, &mesh)?,
        manual: axes(proto.manual_axes, &mesh)?,
        mesh,
    })
}

pub(super) fn mesh_groups(proto: MeshAxesReplicaGroupListProto) -> Result<MeshGroups, String> {
    let mesh = mesh(proto.mesh.unwrap_or_default())?;
    Ok(MeshGroups {
        axes: axes(proto.axes, &mesh)?,
        mesh,
    })
}

fn mesh(proto: MeshProto) -> Result<Mesh, String> {
    let mut axes = Vec::new();
    let mut count = 1_i64;
    for axis in proto.axes {
        let is_odd = |letter: char| letter.is_control() || "'\"\\{}[]()".contains(letter);
        if axis.name.is_empty() || axis.name.contains(is_odd) {
            let name = axis.name.escape_debug();
            return Err(format!("'{name}' is not a name of an axis"));
        }
        let product = count.checked_mul(axis.size).filter(|_| axis.size > 0);
        count = product.ok_or_else(|| format!("an axis cannot have size {}", axis.size))?;
        axes.push((axis.name, axis.size));
    }
    let listed = proto.device_ids;
    let order = match proto.iota_device_ids {
        Some(iota) => {
            validity::of_iota(&iota.iota_reshape_dims, &iota.iota_transpose_perm)?;
            DeviceOrder::Iota {
                reshape_dimensions: iota.iota_reshape_dims,
                transpose_permutation: iota.iota_transpose_perm,
            }
        }
        None if listed.is_empty() => DeviceOrder::Ascending,
        None if i64::try_from(listed.len()) == Ok(count) => DeviceOrder::List(listed),
        None => {
            let listed = listed.len();
            return Err(format!("a mesh of {count} devices lists {listed}"));
        }
    };
    Ok(Mesh { axes, order })
}

fn axes(protos: Vec<AxisRefProto>, mesh: &Mesh) -> Result<Vec<AxisRef>, String> {
    let axes = protos.into_iter().map(|proto| {
        let number = proto.mesh_axis_index;
        let axis = usize::try_from(number).ok();
        let axis = axis.filter(|axis| *axis < mesh.axes.len());
        Ok(AxisRef {
            axis: axis.ok_or_else(|| format!("there is no axis {number}"))?,
            part: proto.sub_axis_info.map(|part| SubAxis {
                pre_size: part.pre_size,
                size: part.size,
            }),
        })
    });
    axes.collect()
}
