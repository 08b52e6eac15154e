//! Messages that attributes have as their values.

use super::mesh;
use crate::proto::schema::{self, HloInstructionProto, OpSharding, enumerations::*};
use crate::{
    Alias, AliasKind, ConvolutionDimensionNumbers, DeviceList, FileLocation, MeshGroups, Metadata,
    NamedSharding, OpShardingType, ReplicaGroups, ResultAccuracy, Sharding, StackFrame,
    StackFrames, TileAssignment, Window, WindowDimension,
};

pub(super) fn window(window: &Window) -> schema::Window {
    let dimension = |dimension: &WindowDimension| schema::WindowDimension {
        size: dimension.size,
        stride: dimension.stride,
        padding_low: dimension.padding_low,
        padding_high: dimension.padding_high,
        window_dilation: dimension.window_dilation,
        base_dilation: dimension.base_dilation,
        window_reversal: dimension.window_reversal,
    };
    schema::Window {
        dimensions: window.dimensions.iter().map(dimension).collect(),
    }
}

pub(super) fn convolution(
    numbers: &ConvolutionDimensionNumbers,
) -> schema::ConvolutionDimensionNumbers {
    schema::ConvolutionDimensionNumbers {
        input_batch_dimension: numbers.input_batch,
        input_feature_dimension: numbers.input_feature,
        input_spatial_dimensions: numbers.input_spatial.clone(),
        kernel_input_feature_dimension: numbers.kernel_input_feature,
        kernel_output_feature_dimension: numbers.kernel_output_feature,
        kernel_spatial_dimensions: numbers.kernel_spatial.clone(),
        output_batch_dimension: numbers.output_batch,
        output_feature_dimension: numbers.output_feature,
        output_spatial_dimensions: numbers.output_spatial.clone(),
    }
}

pub(super) fn sharding(sharding: &Sharding) -> Result<OpSharding, String> {
    let mut proto = OpSharding::default();
    match sharding {
        Sharding::Single { kind, suffix } => {
            write_type(&mut proto, kind)?;
            for part in suffix {
                write_suffix(&mut proto, part)?;
            }
        }
        Sharding::Tuple(elements) => {
            proto.r#type = SHARDING_TYPE.number("TUPLE")?;
            proto.tuple_shardings = shardings(elements)?;
        }
        Sharding::Named(text) => {
            let named = NamedSharding::parse(text);
            let named = named.ok_or_else(|| format!("'{text}' is not a sharding along axes"))?;
            proto.named_sharding = Some(Box::new(mesh::named_sharding(named)));
        }
    }
    Ok(proto)
}

pub(super) fn shardings(shardings: &[Sharding]) -> Result<Vec<OpSharding>, String> {
    shardings.iter().map(sharding).collect()
}

fn write_type(proto: &mut OpSharding, kind: &OpShardingType) -> Result<(), String> {
    let name = match kind {
        OpShardingType::Replicated => "REPLICATED",
        OpShardingType::Manual => "MANUAL",
        OpShardingType::Unknown => "UNKNOWN",
        OpShardingType::Unreduced => "UNREDUCED",
        OpShardingType::Maximal(device) => {
            proto.tile_assignment_dimensions = vec![1];
            proto.tile_assignment_devices = vec![*device];
            "MAXIMAL"
        }
        OpShardingType::Tiled(tiles) => {
            write_tiles(proto, tiles);
            "OTHER"
        }
    };
    proto.r#type = SHARDING_TYPE.number(name)?;
    Ok(())
}

/// Writes the suffix after the type in text: `last_tile_dims={replicated}`.
fn write_suffix(proto: &mut OpSharding, part: &str) -> Result<(), String> {
    if part == "last_tile_dim_replicate" {
        proto.replicate_on_last_tile_dim = true;
    } else if let Some(list) = part.strip_prefix("last_tile_dims=") {
        let names = list.trim_matches(['{', '}']).split(',').map(str::trim);
        let names = names.filter(|name| !name.is_empty());
        let numbers = names.map(|name| SHARDING_TYPE.number(&name.to_ascii_uppercase()));
        proto.last_tile_dims = numbers.collect::<Result<_, String>>()?;
    } else if let Some((kind, number)) = part.split_once(' ')
        && kind.starts_with("shard_")
    {
        let number = number.trim().parse();
        proto.is_shard_group = true;
        proto.shard_group_id = number.map_err(|_| format!("'{part}' names no group of shards"))?;
        let kind = if kind == "shard_like" { "LIKE" } else { "AS" };
        proto.shard_group_type = SHARD_GROUP_TYPE.number(kind)?;
    }
    Ok(())
}

fn write_tiles(proto: &mut OpSharding, tiles: &TileAssignment) {
    proto.tile_assignment_dimensions.clone_from(&tiles.dimensions);
    match &tiles.devices {
        DeviceList::List(devices) => proto.tile_assignment_devices.clone_from(devices),
        DeviceList::Iota {
            reshape_dimensions,
            transpose_permutation,
        } => {
            proto.iota_reshape_dims.clone_from(reshape_dimensions);
            proto.iota_transpose_perm = permutation(reshape_dimensions, transpose_permutation);
        }
    }
}

/// The order of dimensions, which text omits if it is the default.
fn permutation(dimensions: &[i64], written: &[i64]) -> Vec<i64> {
    match written {
        [] => (0..dimensions.len() as i64).collect(),
        written => written.to_vec(),
    }
}

pub(super) fn replica_groups(
    proto: &mut HloInstructionProto,
    groups: &ReplicaGroups,
) -> Result<(), String> {
    let mut list = schema::CollectiveDeviceListProto::default();
    match groups {
        ReplicaGroups::Mesh(text) => {
            let groups = MeshGroups::parse(text);
            let groups = groups.ok_or_else(|| format!("'{text}' names no groups along axes"))?;
            proto.mesh_axes_replica_group_list = Some(Box::new(mesh::mesh_groups(groups)));
            return Ok(());
        }
        ReplicaGroups::List(groups) => {
            let group = |replica_ids: &Vec<i64>| schema::ReplicaGroup {
                replica_ids: replica_ids.clone(),
            };
            list.replica_groups = groups.iter().map(group).collect();
        }
        ReplicaGroups::Iota(iota) => {
            let [num_replica_groups, num_devices_per_group] = iota.dimensions[..] else {
                return Err("groups of an iota have two dimensions".to_owned());
            };
            list.iota_replica_group_list = Some(schema::IotaReplicaGroupListProto {
                num_replica_groups,
                num_devices_per_group,
                iota_reshape_dims: iota.reshape_dimensions.clone(),
                iota_transpose_perm: permutation(
                    &iota.reshape_dimensions,
                    &iota.transpose_permutation,
                ),
            });
        }
    }
    proto.collective_device_list = Some(Box::new(list));
    Ok(())
}

/// An entry of `input_output_alias`.
pub(super) fn alias(alias: &Alias) -> Result<schema::AliasEntry, String> {
    Ok(schema::AliasEntry {
        output_shape_index: alias.output_index.clone(),
        parameter_number: alias.parameter,
        parameter_shape_index: alias.parameter_index.clone(),
        kind: ALIAS_KIND.number(match alias.kind {
            Some(AliasKind::Must) => "MUST_ALIAS",
            Some(AliasKind::May) | None => "MAY_ALIAS",
        })?,
    })
}

pub(super) fn operand_alias(alias: &Alias) -> schema::OutputOperandAliasing {
    schema::OutputOperandAliasing {
        output_shape_index: alias.output_index.clone(),
        operand_index: alias.parameter,
        operand_shape_index: alias.parameter_index.clone(),
    }
}

pub(super) fn result_accuracy(accuracy: &ResultAccuracy) -> Result<schema::ResultAccuracy, String> {
    let mut proto = schema::ResultAccuracy::default();
    match accuracy {
        ResultAccuracy::Mode(mode) => {
            proto.mode = ACCURACY_MODE.number(&mode.to_ascii_uppercase())?;
        }
        ResultAccuracy::Tolerance { atol, rtol, ulps } => {
            proto.tolerance = Some(schema::Tolerance {
                atol: *atol,
                rtol: *rtol,
                ulps: *ulps,
            });
        }
    }
    Ok(proto)
}

pub(super) fn metadata(metadata: &Metadata) -> Result<schema::OpMetadata, String> {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let number = |number: Option<i64>| number.unwrap_or_default();
    let other = |name: &str| {
        let found = metadata.others.iter().find(|other| other.0 == name);
        let text = found.map(|(_, quoted)| {
            let text = crate::parser::unescape(quoted).map(String::from_utf8);
            let text = text.and_then(Result::ok);
            text.ok_or_else(|| format!("'{name}' is not a string"))
        });
        text.transpose().map(Option::unwrap_or_default)
    };
    Ok(schema::OpMetadata {
        op_type: text(&metadata.op_type),
        op_name: text(&metadata.op_name),
        source_file: text(&metadata.source_file),
        source_line: number(metadata.source_line),
        source_end_line: number(metadata.source_end_line),
        source_column: number(metadata.source_column),
        source_end_column: number(metadata.source_end_column),
        stack_frame_id: number(metadata.stack_frame_id),
        deduplicated_name: other("deduplicated_name")?,
        scheduling_name: other("scheduling_name")?,
    })
}

pub(super) fn frontend_attributes(entries: &[(String, String)]) -> schema::FrontendAttributes {
    let entry = |(key, value): &(String, String)| schema::FrontendAttribute {
        key: key.clone(),
        value: value.clone(),
    };
    schema::FrontendAttributes {
        map: entries.iter().map(entry).collect(),
    }
}

pub(super) fn stack_frames(tables: &StackFrames) -> schema::StackFrameIndexProto {
    let location = |location: &FileLocation| schema::FileLocation {
        file_name_id: location.file_name_id,
        function_name_id: location.function_name_id,
        line: location.line,
        column: location.column,
        end_line: location.end_line,
        end_column: location.end_column,
    };
    let frame = |frame: &StackFrame| schema::StackFrame {
        file_location_id: frame.file_location_id,
        // HLO text has the number of the parent plus 1.
        parent_frame_id: frame.parent_frame_id.saturating_sub(1),
    };
    schema::StackFrameIndexProto {
        file_names: tables.file_names.clone(),
        function_names: tables.function_names.clone(),
        file_locations: tables.file_locations.iter().map(location).collect(),
        stack_frames: tables.frames.iter().map(frame).collect(),
    }
}
