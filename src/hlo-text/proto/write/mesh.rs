//! Shardings and replica groups along the axes of a mesh.

use crate::proto::schema::{
    self, AxisRefProto, MeshAxesReplicaGroupListProto, MeshProto, NamedShardingProto,
};
use crate::{AxisRef, DeviceOrder, DimensionSharding, Mesh, MeshGroups, NamedSharding, SubAxis};

pub(super) fn named_sharding(sharding: NamedSharding) -> NamedShardingProto {
    let dimension = |dimension: DimensionSharding| schema::DimensionSharding {
        axes: axes(dimension.axes),
        is_closed: !dimension.is_open,
    };
    NamedShardingProto {
        mesh: Some(mesh(sharding.mesh)),
        dim_shardings: sharding.dimensions.into_iter().map(dimension).collect(),
        replicated_axes: axes(sharding.replicated),
        unreduced_axes: axes(sharding.unreduced),
        manual_axes: axes(sharding.manual),
        ..NamedShardingProto::default()
    }
}

pub(super) fn mesh_groups(groups: MeshGroups) -> MeshAxesReplicaGroupListProto {
    MeshAxesReplicaGroupListProto {
        mesh: Some(mesh(groups.mesh)),
        axes: axes(groups.axes),
    }
}

fn mesh(mesh: Mesh) -> MeshProto {
    let axes = mesh.axes.into_iter();
    let mut proto = MeshProto {
        axes: axes.map(|(name, size)| schema::MeshAxis { name, size }).collect(),
        ..MeshProto::default()
    };
    match mesh.order {
        DeviceOrder::Ascending => {}
        DeviceOrder::List(devices) => proto.device_ids = devices,
        DeviceOrder::Iota {
            reshape_dimensions,
            transpose_permutation,
        } => {
            proto.iota_device_ids = Some(schema::IotaDeviceIds {
                iota_reshape_dims: reshape_dimensions,
                iota_transpose_perm: transpose_permutation,
            });
        }
    }
    proto
}

fn axes(axes: Vec<AxisRef>) -> Vec<AxisRefProto> {
    let sub_axis = |part: SubAxis| schema::SubAxis {
        pre_size: part.pre_size,
        size: part.size,
    };
    let axis = |axis: AxisRef| AxisRefProto {
        mesh_axis_index: axis.axis as i64,
        sub_axis_info: axis.part.map(sub_axis),
    };
    axes.into_iter().map(axis).collect()
}
