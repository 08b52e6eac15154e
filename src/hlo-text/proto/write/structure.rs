//! Messages that attributes have as their values.

use super::encoder::Encoder;
use super::mesh;
use crate::{
    Alias, AliasKind, ConvolutionDimensionNumbers, DeviceList, MeshGroups, Metadata, NamedSharding,
    OpShardingType, ReplicaGroups, ResultAccuracy, Sharding, StackFrames, TileAssignment, Window,
};

pub(super) fn window(encoder: &mut Encoder, window: &Window) -> Result<(), String> {
    for dimension in &window.dimensions {
        encoder.message("dimensions", |encoder| {
            encoder.integer("size", dimension.size);
            encoder.integer("stride", dimension.stride);
            encoder.integer("padding_low", dimension.padding_low);
            encoder.integer("padding_high", dimension.padding_high);
            encoder.integer("window_dilation", dimension.window_dilation);
            encoder.integer("base_dilation", dimension.base_dilation);
            encoder.flag("window_reversal", dimension.window_reversal);
            Ok(())
        })?;
    }
    Ok(())
}

pub(super) fn convolution(
    encoder: &mut Encoder,
    numbers: &ConvolutionDimensionNumbers,
) -> Result<(), String> {
    encoder.integer("input_batch_dimension", numbers.input_batch);
    encoder.integer("input_feature_dimension", numbers.input_feature);
    encoder.integers("input_spatial_dimensions", &numbers.input_spatial);
    let kernel_input = numbers.kernel_input_feature;
    encoder.integer("kernel_input_feature_dimension", kernel_input);
    let kernel_output = numbers.kernel_output_feature;
    encoder.integer("kernel_output_feature_dimension", kernel_output);
    encoder.integers("kernel_spatial_dimensions", &numbers.kernel_spatial);
    encoder.integer("output_batch_dimension", numbers.output_batch);
    encoder.integer("output_feature_dimension", numbers.output_feature);
    encoder.integers("output_spatial_dimensions", &numbers.output_spatial);
    Ok(())
}

/// `OpSharding`
pub(super) fn sharding(encoder: &mut Encoder, sharding: &Sharding) -> Result<(), String> {
    let (kind, suffix) = match sharding {
        Sharding::Single { kind, suffix } => (kind, suffix),
        Sharding::Tuple(elements) => {
            encoder.word("type", "TUPLE")?;
            for element in elements {
                encoder.message("tuple_shardings", |encoder| {
                    self::sharding(encoder, element)
                })?;
            }
            return Ok(());
        }
        Sharding::Named(text) => {
            let named = NamedSharding::parse(text);
            let named = named.ok_or_else(|| format!("'{text}' is not a sharding along axes"))?;
            return encoder.message("named_sharding", |encoder| {
                mesh::named_sharding(encoder, &named)
            });
        }
    };
    match kind {
        OpShardingType::Replicated => encoder.word("type", "REPLICATED")?,
        OpShardingType::Manual => encoder.word("type", "MANUAL")?,
        OpShardingType::Unknown => encoder.word("type", "UNKNOWN")?,
        OpShardingType::Unreduced => encoder.word("type", "UNREDUCED")?,
        OpShardingType::Maximal(device) => {
            encoder.word("type", "MAXIMAL")?;
            encoder.integers("tile_assignment_dimensions", &[1]);
            encoder.integers("tile_assignment_devices", &[*device]);
        }
        OpShardingType::Tiled(tiles) => {
            encoder.word("type", "OTHER")?;
            write_tiles(encoder, tiles);
        }
    }
    for part in suffix {
        if part == "last_tile_dim_replicate" {
            encoder.flag("replicate_on_last_tile_dim", true);
        } else if let Some(list) = part.strip_prefix("last_tile_dims=") {
            let inner = list.trim_matches(|c| matches!(c, '{' | '}'));
            let words = inner
                .split(',')
                .map(|word| word.trim().to_ascii_uppercase());
            let words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
            encoder.words("last_tile_dims", &words)?;
        } else if let Some((kind, number)) = part.split_once(' ')
            && kind.starts_with("shard_")
        {
            encoder.flag("is_shard_group", true);
            let number = number.trim().parse();
            let number = number.map_err(|_| format!("'{part}' names no group of shards"))?;
            encoder.integer("shard_group_id", number);
            let word = if kind == "shard_like" { "LIKE" } else { "AS" };
            encoder.word("shard_group_type", word)?;
        }
    }
    Ok(())
}

fn write_tiles(encoder: &mut Encoder, tiles: &TileAssignment) {
    encoder.integers("tile_assignment_dimensions", &tiles.dimensions);
    match &tiles.devices {
        DeviceList::List(devices) => encoder.integers("tile_assignment_devices", devices),
        DeviceList::Iota {
            reshape_dimensions,
            transpose_permutation,
        } => {
            encoder.integers("iota_reshape_dims", reshape_dimensions);
            let order = permutation(reshape_dimensions, transpose_permutation);
            encoder.integers("iota_transpose_perm", &order);
        }
    }
}

/// The order of dimensions, which text leaves out where it is theirs.
fn permutation(dimensions: &[i64], written: &[i64]) -> Vec<i64> {
    match written {
        [] => (0..dimensions.len() as i64).collect(),
        written => written.to_vec(),
    }
}

pub(super) fn replica_groups(encoder: &mut Encoder, groups: &ReplicaGroups) -> Result<(), String> {
    if let ReplicaGroups::Mesh(text) = groups {
        let groups = MeshGroups::parse(text);
        let groups = groups.ok_or_else(|| format!("'{text}' names no groups along axes"))?;
        return encoder.message("mesh_axes_replica_group_list", |encoder| {
            mesh::mesh_groups(encoder, &groups)
        });
    }
    encoder.message("collective_device_list", |encoder| match groups {
        ReplicaGroups::List(groups) => {
            for group in groups {
                encoder.message("replica_groups", |encoder| {
                    encoder.integers("replica_ids", group);
                    Ok(())
                })?;
            }
            Ok(())
        }
        ReplicaGroups::Iota(iota) => encoder.message("iota_replica_group_list", |encoder| {
            let [groups, devices] = iota.dimensions[..] else {
                return Err("groups of an iota have two dimensions".to_owned());
            };
            encoder.integer("num_replica_groups", groups);
            encoder.integer("num_devices_per_group", devices);
            encoder.integers("iota_reshape_dims", &iota.reshape_dimensions);
            let order = permutation(&iota.reshape_dimensions, &iota.transpose_permutation);
            encoder.integers("iota_transpose_perm", &order);
            Ok(())
        }),
        ReplicaGroups::Mesh(_) => Ok(()),
    })
}

/// An entry of `input_output_alias`.
pub(super) fn alias(encoder: &mut Encoder, alias: &Alias) -> Result<(), String> {
    encoder.integers("output_shape_index", &alias.output_index);
    encoder.integer("parameter_number", alias.parameter);
    encoder.integers("parameter_shape_index", &alias.parameter_index);
    let kind = match alias.kind {
        Some(AliasKind::Must) => "MUST_ALIAS",
        Some(AliasKind::May) | None => "MAY_ALIAS",
    };
    encoder.word("kind", kind)
}

/// `OutputOperandAliasing`
pub(super) fn operand_alias(encoder: &mut Encoder, alias: &Alias) -> Result<(), String> {
    encoder.integers("output_shape_index", &alias.output_index);
    encoder.integer("operand_index", alias.parameter);
    encoder.integers("operand_shape_index", &alias.parameter_index);
    Ok(())
}

pub(super) fn result_accuracy(
    encoder: &mut Encoder,
    accuracy: &ResultAccuracy,
) -> Result<(), String> {
    match accuracy {
        ResultAccuracy::Mode(mode) => encoder.word("mode", &mode.to_ascii_uppercase()),
        ResultAccuracy::Tolerance { atol, rtol, ulps } => encoder.message("tolerance", |encoder| {
            encoder.decimal("atol", *atol);
            encoder.decimal("rtol", *rtol);
            encoder.integer("ulps", *ulps);
            Ok(())
        }),
    }
}

pub(super) fn metadata(encoder: &mut Encoder, metadata: &Metadata) -> Result<(), String> {
    let texts = [
        ("op_type", &metadata.op_type),
        ("op_name", &metadata.op_name),
        ("source_file", &metadata.source_file),
    ];
    for (name, text) in texts {
        encoder.text(name, text.as_deref().unwrap_or_default());
    }
    let numbers = [
        ("source_line", metadata.source_line),
        ("source_end_line", metadata.source_end_line),
        ("source_column", metadata.source_column),
        ("source_end_column", metadata.source_end_column),
        ("stack_frame_id", metadata.stack_frame_id),
    ];
    for (name, number) in numbers {
        encoder.integer(name, number.unwrap_or_default());
    }
    for (name, written) in &metadata.others {
        if matches!(&name[..], "deduplicated_name" | "scheduling_name") {
            let text = crate::parser::unescape(written);
            let text = text.ok_or_else(|| format!("'{name}' is not a string"))?;
            encoder.bytes(name, &text);
        }
    }
    Ok(())
}

pub(super) fn frontend_attributes(
    encoder: &mut Encoder,
    entries: &[(String, String)],
) -> Result<(), String> {
    encoder.message("frontend_attributes", |encoder| {
        for (key, value) in entries {
            encoder.message("map", |encoder| {
                encoder.text("key", key);
                encoder.text("value", value);
                Ok(())
            })?;
        }
        Ok(())
    })
}

pub(super) fn stack_frames(encoder: &mut Encoder, tables: &StackFrames) -> Result<(), String> {
    encoder.texts("file_names", tables.file_names.iter().map(String::as_str));
    let functions = tables.function_names.iter().map(String::as_str);
    encoder.texts("function_names", functions);
    for location in &tables.file_locations {
        encoder.message("file_locations", |encoder| {
            encoder.integer("file_name_id", location.file_name_id);
            encoder.integer("function_name_id", location.function_name_id);
            encoder.integer("line", location.line);
            encoder.integer("column", location.column);
            encoder.integer("end_line", location.end_line);
            encoder.integer("end_column", location.end_column);
            Ok(())
        })?;
    }
    for frame in &tables.frames {
        encoder.message("stack_frames", |encoder| {
            encoder.integer("file_location_id", frame.file_location_id);
            // HLO text has the number of the parent more 1.
            let parent = frame.parent_frame_id.saturating_sub(1);
            encoder.integer("parent_frame_id", parent);
            Ok(())
        })?;
    }
    Ok(())
}
