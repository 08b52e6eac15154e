//! Shardings and replica groups along the axes of a mesh.

use super::encoder::Encoder;
use crate::{AxisRef, DeviceOrder, Mesh, MeshGroups, NamedSharding};

pub(super) fn named_sharding(
    encoder: &mut Encoder,
    sharding: &NamedSharding,
) -> Result<(), String> {
    mesh(encoder, &sharding.mesh)?;
    for dimension in &sharding.dimensions {
        encoder.message("dim_shardings", |encoder| {
            axes(encoder, "axes", &dimension.axes)?;
            encoder.flag("is_closed", !dimension.is_open);
            Ok(())
        })?;
    }
    axes(encoder, "replicated_axes", &sharding.replicated)?;
    axes(encoder, "unreduced_axes", &sharding.unreduced)?;
    axes(encoder, "manual_axes", &sharding.manual)
}

pub(super) fn mesh_groups(encoder: &mut Encoder, groups: &MeshGroups) -> Result<(), String> {
    mesh(encoder, &groups.mesh)?;
    axes(encoder, "axes", &groups.axes)
}

fn mesh(encoder: &mut Encoder, mesh: &Mesh) -> Result<(), String> {
    encoder.message("mesh", |encoder| {
        for (name, size) in &mesh.axes {
            encoder.message("axes", |encoder| {
                encoder.text("name", name);
                encoder.integer("size", *size);
                Ok(())
            })?;
        }
        match &mesh.order {
            DeviceOrder::Ascending => Ok(()),
            DeviceOrder::List(devices) => {
                encoder.integers("device_ids", devices);
                Ok(())
            }
            DeviceOrder::Iota {
                reshape_dimensions,
                transpose_permutation,
            } => encoder.message("iota_device_ids", |encoder| {
                encoder.integers("iota_reshape_dims", reshape_dimensions);
                encoder.integers("iota_transpose_perm", transpose_permutation);
                Ok(())
            }),
        }
    })
}

fn axes(encoder: &mut Encoder, name: &str, axes: &[AxisRef]) -> Result<(), String> {
    for axis in axes {
        encoder.message(name, |encoder| {
            encoder.integer("mesh_axis_index", axis.axis as i64);
            match axis.part {
                Some(part) => encoder.message("sub_axis_info", |encoder| {
                    encoder.integer("pre_size", part.pre_size);
                    encoder.integer("size", part.size);
                    Ok(())
                }),
                None => Ok(()),
            }
        })?;
    }
    Ok(())
}
