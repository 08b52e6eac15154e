//! Shardings and replica groups along the axes of a mesh.

use super::message::Message;
use crate::ParseError;
use crate::{
    AxisRef, DeviceOrder, DimensionSharding, Mesh, MeshGroups, NamedSharding, SubAxis, validity,
};

/// `NamedShardingProto`
pub(super) fn named_sharding(message: &Message) -> Result<NamedSharding, ParseError> {
    let mesh = optional_mesh(message)?;
    let dimensions = message.messages("dim_shardings").map(|dimension| {
        Ok(DimensionSharding {
            axes: axes(dimension, "axes", &mesh)?,
            is_open: !dimension.is_true("is_closed"),
        })
    });
    Ok(NamedSharding {
        dimensions: dimensions.collect::<Result<_, ParseError>>()?,
        replicated: axes(message, "replicated_axes", &mesh)?,
        unreduced: axes(message, "unreduced_axes", &mesh)?,
        manual: axes(message, "manual_axes", &mesh)?,
        mesh,
    })
}

/// `MeshAxesReplicaGroupListProto`
pub(super) fn mesh_groups(message: &Message) -> Result<MeshGroups, ParseError> {
    let mesh = optional_mesh(message)?;
    Ok(MeshGroups {
        axes: axes(message, "axes", &mesh)?,
        mesh,
    })
}

/// A message that says nothing may be left out.
fn optional_mesh(message: &Message) -> Result<Mesh, ParseError> {
    match message.message("mesh") {
        Some(message) => mesh(message),
        None => Ok(Mesh {
            axes: Vec::new(),
            order: DeviceOrder::Ascending,
        }),
    }
}

/// `MeshProto`
fn mesh(message: &Message) -> Result<Mesh, ParseError> {
    let mut axes = Vec::new();
    let mut count = 1_i64;
    for axis in message.messages("axes") {
        let name = axis.string("name")?.unwrap_or_default();
        let is_odd = |letter: char| letter.is_control() || "'\"\\{}[]()".contains(letter);
        if name.is_empty() || name.contains(is_odd) {
            return Err(axis.error(format!(
                "'{}' is not a name of an axis",
                name.escape_debug()
            )));
        }
        let size = axis.number("size")?;
        let product = count.checked_mul(size).filter(|_| size > 0);
        count = product.ok_or_else(|| axis.error(format!("an axis cannot have size {size}")))?;
        axes.push((name, size));
    }
    let listed = message.integers("device_ids")?;
    let order = match message.message("iota_device_ids") {
        Some(iota) => {
            let reshape_dimensions = iota.integers("iota_reshape_dims")?;
            let transpose_permutation = iota.integers("iota_transpose_perm")?;
            validity::of_iota(&reshape_dimensions, &transpose_permutation)
                .map_err(|wrong| iota.error(wrong))?;
            DeviceOrder::Iota {
                reshape_dimensions,
                transpose_permutation,
            }
        }
        None if listed.is_empty() => DeviceOrder::Ascending,
        None if i64::try_from(listed.len()) == Ok(count) => DeviceOrder::List(listed),
        None => {
            let listed = listed.len();
            return Err(message.error(format!("a mesh of {count} devices lists {listed}")));
        }
    };
    Ok(Mesh { axes, order })
}

fn axes(message: &Message, name: &str, mesh: &Mesh) -> Result<Vec<AxisRef>, ParseError> {
    let axes = message.messages(name).map(|reference| {
        let number = reference.number("mesh_axis_index")?;
        let axis = usize::try_from(number).ok();
        let axis = axis.filter(|axis| *axis < mesh.axes.len());
        let axis = axis.ok_or_else(|| reference.error(format!("there is no axis {number}")))?;
        let part = reference.message("sub_axis_info").map(|part| {
            Ok(SubAxis {
                pre_size: part.number("pre_size")?,
                size: part.number("size")?,
            })
        });
        let part = part.transpose()?;
        Ok(AxisRef { axis, part })
    });
    axes.collect()
}
