//! Messages that attributes have as their values: windows, shardings, groups, aliases, metadata.

use super::schema::{self, enumerations::*};
use super::{mesh, names::some_text};
use crate::{
    Alias, AliasKind, ConvolutionDimensionNumbers, DeviceList, IotaTileAssignment, Metadata,
    OpShardingType, PaddingDimension, ReplicaGroups, ResultAccuracy, Sharding, SliceRange,
    TileAssignment, Window, WindowDimension, validity,
};

pub(super) fn window(proto: schema::Window) -> Window {
    // 1 is written, and an absent 0 represents it.
    let factor = |factor: i64| if factor == 0 { 1 } else { factor };
    let dimension = |dimension: schema::WindowDimension| WindowDimension {
        size: dimension.size,
        stride: factor(dimension.stride),
        padding_low: dimension.padding_low,
        padding_high: dimension.padding_high,
        base_dilation: factor(dimension.base_dilation),
        window_dilation: factor(dimension.window_dilation),
        window_reversal: dimension.window_reversal,
    };
    Window {
        dimensions: proto.dimensions.into_iter().map(dimension).collect(),
    }
}

pub(super) fn convolution(
    proto: schema::ConvolutionDimensionNumbers,
) -> ConvolutionDimensionNumbers {
    ConvolutionDimensionNumbers {
        input_batch: proto.input_batch_dimension,
        input_feature: proto.input_feature_dimension,
        input_spatial: proto.input_spatial_dimensions,
        kernel_input_feature: proto.kernel_input_feature_dimension,
        kernel_output_feature: proto.kernel_output_feature_dimension,
        kernel_spatial: proto.kernel_spatial_dimensions,
        output_batch: proto.output_batch_dimension,
        output_feature: proto.output_feature_dimension,
        output_spatial: proto.output_spatial_dimensions,
    }
}

pub(super) fn slice_range(proto: schema::SliceDimensions) -> SliceRange {
    SliceRange {
        start: proto.start,
        limit: proto.limit,
        stride: proto.stride.unwrap_or(1),
    }
}

pub(super) fn padding(proto: schema::PaddingConfigDimension) -> PaddingDimension {
    PaddingDimension {
        low: proto.edge_padding_low,
        high: proto.edge_padding_high,
        interior: proto.interior_padding,
    }
}

pub(super) fn sharding(proto: schema::OpSharding) -> Result<Sharding, String> {
    if let Some(named) = proto.named_sharding {
        let text = |named| Ok(Sharding::Named(mesh::named_sharding(named)?.to_string()));
        return if named.tuple_shardings.is_empty() {
            text(*named)
        } else {
            let parts = named.tuple_shardings.into_iter().map(text);
            parts.collect::<Result<_, String>>().map(Sharding::Tuple)
        };
    }
    let mut suffix = Vec::new();
    if proto.replicate_on_last_tile_dim {
        suffix.push("last_tile_dim_replicate".to_owned());
    }
    let subgroups = proto
        .last_tile_dims
        .iter()
        .map(|kind| Ok(SHARDING_TYPE.name(*kind)?.to_ascii_lowercase()));
    let subgroups: Vec<String> = subgroups.collect::<Result<_, String>>()?;
    if !subgroups.is_empty() {
        suffix.push(format!("last_tile_dims={{{}}}", subgroups.join(", ")));
    }
    if proto.is_shard_group {
        let kind = SHARD_GROUP_TYPE.name(proto.shard_group_type)?;
        let word = format!("shard_{}", kind.to_ascii_lowercase());
        suffix.push(format!("{word} {}", proto.shard_group_id));
    }
    let kind = match SHARDING_TYPE.name(proto.r#type)? {
        "MANUAL" => OpShardingType::Manual,
        "UNKNOWN" => OpShardingType::Unknown,
        "UNREDUCED" => OpShardingType::Unreduced,
        "MAXIMAL" => match proto.tile_assignment_devices[..] {
            [device] => OpShardingType::Maximal(device),
            _ => return Err("a maximal sharding has one device".to_owned()),
        },
        "TUPLE" => return shardings(proto.tuple_shardings).map(Sharding::Tuple),
        "OTHER" => OpShardingType::Tiled(tiles(proto)?),
        _ => OpShardingType::Replicated,
    };
    Ok(Sharding::Single { kind, suffix })
}

pub(super) fn shardings(protos: Vec<schema::OpSharding>) -> Result<Vec<Sharding>, String> {
    protos.into_iter().map(sharding).collect()
}

fn tiles(proto: schema::OpSharding) -> Result<TileAssignment, String> {
    let devices = if proto.tile_assignment_devices.is_empty() {
        DeviceList::Iota {
            transpose_permutation: permutation(&proto.iota_reshape_dims, proto.iota_transpose_perm),
            reshape_dimensions: proto.iota_reshape_dims,
        }
    } else {
        DeviceList::List(proto.tile_assignment_devices)
    };
    let tiles = TileAssignment {
        dimensions: proto.tile_assignment_dimensions,
        devices,
    };
    validity::of_tiles(&tiles)?;
    Ok(tiles)
}

/// One dimension has only one order, which text omits.
fn permutation(dimensions: &[i64], permutation: Vec<i64>) -> Vec<i64> {
    if dimensions.len() < 2 {
        Vec::new()
    } else {
        permutation
    }
}

/// The groups of an instruction; `None` if it has no such field.
pub(super) fn replica_groups(
    proto: &mut schema::HloInstructionProto,
) -> Result<Option<ReplicaGroups>, String> {
    if let Some(groups) = proto.mesh_axes_replica_group_list.take() {
        let groups = mesh::mesh_groups(*groups)?;
        return Ok(Some(ReplicaGroups::Mesh(groups.to_string())));
    }
    let mut list = proto.collective_device_list.take();
    let iota = list.as_mut().and_then(|list| list.iota_replica_group_list.take());
    let iota = proto.iota_collective_device_list.take().map(|iota| *iota).or(iota);
    if let Some(iota) = iota {
        let order = permutation(&iota.iota_reshape_dims, iota.iota_transpose_perm);
        validity::of_iota(&iota.iota_reshape_dims, &order)?;
        return Ok(Some(ReplicaGroups::Iota(IotaTileAssignment {
            dimensions: vec![iota.num_replica_groups, iota.num_devices_per_group],
            transpose_permutation: order,
            reshape_dimensions: iota.iota_reshape_dims,
        })));
    }
    let has_list = list.is_some();
    let groups = match list {
        Some(list) => list.replica_groups,
        None => std::mem::take(&mut proto.replica_groups),
    };
    let groups: Vec<_> = groups.into_iter().map(|group| group.replica_ids).collect();
    let is_written = has_list || !groups.is_empty();
    Ok(is_written.then_some(ReplicaGroups::List(groups)))
}

/// An entry of `input_output_alias`.
pub(super) fn module_alias(proto: schema::AliasEntry) -> Result<Alias, String> {
    Ok(Alias {
        output_index: proto.output_shape_index,
        parameter: proto.parameter_number,
        parameter_index: proto.parameter_shape_index,
        kind: Some(match ALIAS_KIND.name(proto.kind)? {
            "MUST_ALIAS" => AliasKind::Must,
            _ => AliasKind::May,
        }),
    })
}

pub(super) fn operand_alias(proto: schema::OutputOperandAliasing) -> Alias {
    Alias {
        output_index: proto.output_shape_index,
        parameter: proto.operand_index,
        parameter_index: proto.operand_shape_index,
        kind: None,
    }
}

/// The accuracy of a result; `None` for the default.
pub(super) fn result_accuracy(
    proto: schema::ResultAccuracy,
) -> Result<Option<ResultAccuracy>, String> {
    if let Some(tolerance) = proto.tolerance {
        return Ok(Some(ResultAccuracy::Tolerance {
            atol: tolerance.atol,
            rtol: tolerance.rtol,
            ulps: tolerance.ulps,
        }));
    }
    Ok(match ACCURACY_MODE.name(proto.mode)? {
        "DEFAULT" => None,
        mode => Some(ResultAccuracy::Mode(mode.to_ascii_lowercase())),
    })
}

/// The origin of an instruction; `None` if it is empty.
pub(super) fn metadata(proto: schema::OpMetadata) -> Option<Metadata> {
    let some = |number: i64| Some(number).filter(|number| *number != 0);
    let others = [
        ("deduplicated_name", proto.deduplicated_name),
        ("scheduling_name", proto.scheduling_name),
    ];
    let others = others.into_iter().filter(|(_, text)| !text.is_empty());
    let metadata = Metadata {
        op_type: some_text(proto.op_type),
        op_name: some_text(proto.op_name),
        source_file: some_text(proto.source_file),
        source_line: some(proto.source_line),
        source_end_line: some(proto.source_end_line),
        source_column: some(proto.source_column),
        source_end_column: some(proto.source_end_column),
        stack_frame_id: some(proto.stack_frame_id),
        others: others.map(|(name, text)| (name.to_owned(), quoted(&text))).collect(),
    };
    Some(metadata).filter(|metadata| *metadata != Metadata::default())
}

pub(super) fn frontend_attributes(
    proto: schema::FrontendAttributes,
) -> Result<Vec<(String, String)>, String> {
    let key = |entry: &schema::FrontendAttribute| entry.key.escape_debug().to_string();
    if let Some(wrong) = proto.map.iter().find(|entry| !validity::is_word(&entry.key)) {
        return Err(format!("'{}' is not a name", key(wrong)));
    }
    let entries = proto.map.into_iter().map(|entry| (entry.key, entry.value));
    let mut attributes: Vec<_> = entries.collect();
    // A map is not ordered.
    attributes.sort();
    Ok(attributes)
}

/// A string in the syntax of the text.
fn quoted(text: &str) -> String {
    let mut quoted = String::new();
    // Writing to a string does not fail.
    let _ = crate::printer::quoted(&mut quoted, text);
    quoted
}
