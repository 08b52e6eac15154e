//! Messages that attributes have as their values: windows, shardings, groups,
//! aliases, metadata.

use super::mesh;
use super::message::Message;
use crate::ParseError;
use crate::{
    Alias, AliasKind, ConvolutionDimensionNumbers, DeviceList, IotaTileAssignment, Metadata,
    OpShardingType, PaddingDimension, ReplicaGroups, ResultAccuracy, Sharding, SliceRange,
    TileAssignment, Window, WindowDimension, validity,
};

pub(super) fn window(message: &Message) -> Result<Window, ParseError> {
    let dimensions = message.messages("dimensions").map(|dimension| {
        // 1 is written, and 0 represents it where it is not.
        let factor = |name| {
            Ok(dimension
                .integer(name)?
                .filter(|factor| *factor != 0)
                .unwrap_or(1))
        };
        Ok(WindowDimension {
            size: dimension.number("size")?,
            stride: factor("stride")?,
            padding_low: dimension.number("padding_low")?,
            padding_high: dimension.number("padding_high")?,
            base_dilation: factor("base_dilation")?,
            window_dilation: factor("window_dilation")?,
            window_reversal: dimension.is_true("window_reversal"),
        })
    });
    Ok(Window {
        dimensions: dimensions.collect::<Result<_, ParseError>>()?,
    })
}

pub(super) fn convolution(message: &Message) -> Result<ConvolutionDimensionNumbers, ParseError> {
    Ok(ConvolutionDimensionNumbers {
        input_batch: message.number("input_batch_dimension")?,
        input_feature: message.number("input_feature_dimension")?,
        input_spatial: message.integers("input_spatial_dimensions")?,
        kernel_input_feature: message.number("kernel_input_feature_dimension")?,
        kernel_output_feature: message.number("kernel_output_feature_dimension")?,
        kernel_spatial: message.integers("kernel_spatial_dimensions")?,
        output_batch: message.number("output_batch_dimension")?,
        output_feature: message.number("output_feature_dimension")?,
        output_spatial: message.integers("output_spatial_dimensions")?,
    })
}

pub(super) fn slice_range(message: &Message) -> Result<SliceRange, ParseError> {
    Ok(SliceRange {
        start: message.number("start")?,
        limit: message.number("limit")?,
        stride: message.integer("stride")?.unwrap_or(1),
    })
}

pub(super) fn padding(message: &Message) -> Result<PaddingDimension, ParseError> {
    Ok(PaddingDimension {
        low: message.number("edge_padding_low")?,
        high: message.number("edge_padding_high")?,
        interior: message.number("interior_padding")?,
    })
}

/// `OpSharding`
pub(super) fn sharding(message: &Message) -> Result<Sharding, ParseError> {
    if let Some(named) = message.message("named_sharding") {
        let parts: Vec<&Message> = named.messages("tuple_shardings").collect();
        let text = |message| Ok(Sharding::Named(mesh::named_sharding(message)?.to_string()));
        return match parts.is_empty() {
            true => text(named),
            false => Ok(Sharding::Tuple(
                parts
                    .into_iter()
                    .map(text)
                    .collect::<Result<_, ParseError>>()?,
            )),
        };
    }
    let kind = match message.word("type") {
        None | Some("REPLICATED") => OpShardingType::Replicated,
        Some("MANUAL") => OpShardingType::Manual,
        Some("UNKNOWN") => OpShardingType::Unknown,
        Some("UNREDUCED") => OpShardingType::Unreduced,
        Some("MAXIMAL") => {
            let devices = message.integers("tile_assignment_devices")?;
            match devices.as_slice() {
                [device] => OpShardingType::Maximal(*device),
                _ => return Err(message.error("a maximal sharding has one device")),
            }
        }
        Some("TUPLE") => {
            let elements = message.messages("tuple_shardings").map(sharding);
            return Ok(Sharding::Tuple(
                elements.collect::<Result<_, ParseError>>()?,
            ));
        }
        Some("OTHER") => OpShardingType::Tiled(tiles(message)?),
        Some(other) => return Err(message.error(format!("there is no sharding '{other}'"))),
    };
    let mut suffix = Vec::new();
    if message.is_true("replicate_on_last_tile_dim") {
        suffix.push("last_tile_dim_replicate".to_owned());
    }
    let subgroups: Vec<String> = message
        .words("last_tile_dims")
        .map(|word| word.to_ascii_lowercase())
        .collect();
    if !subgroups.is_empty() {
        suffix.push(format!("last_tile_dims={{{}}}", subgroups.join(", ")));
    }
    if message.is_true("is_shard_group") {
        let word = match message.word("shard_group_type") {
            Some("LIKE") => "shard_like",
            _ => "shard_as",
        };
        suffix.push(format!("{word} {}", message.number("shard_group_id")?));
    }
    Ok(Sharding::Single { kind, suffix })
}

fn tiles(message: &Message) -> Result<TileAssignment, ParseError> {
    let listed = message.integers("tile_assignment_devices")?;
    let devices = if listed.is_empty() {
        let reshape_dimensions = message.integers("iota_reshape_dims")?;
        let transpose_permutation = permutation(message, &reshape_dimensions)?;
        DeviceList::Iota {
            reshape_dimensions,
            transpose_permutation,
        }
    } else {
        DeviceList::List(listed)
    };
    let tiles = TileAssignment {
        dimensions: message.integers("tile_assignment_dimensions")?,
        devices,
    };
    match validity::of_tiles(&tiles) {
        Ok(()) => Ok(tiles),
        Err(wrong) => Err(message.error(wrong)),
    }
}

/// Of one dimension there is only one order, which text does not name.
fn permutation(message: &Message, dimensions: &[i64]) -> Result<Vec<i64>, ParseError> {
    if dimensions.len() < 2 {
        return Ok(Vec::new());
    }
    message.integers("iota_transpose_perm")
}

/// The groups of an instruction; None if it has no such field.
pub(super) fn replica_groups(message: &Message) -> Result<Option<ReplicaGroups>, ParseError> {
    if let Some(groups) = message.message("mesh_axes_replica_group_list") {
        let groups = mesh::mesh_groups(groups)?;
        return Ok(Some(ReplicaGroups::Mesh(groups.to_string())));
    }
    let list = message.message("collective_device_list");
    let iota = list.and_then(|list| list.message("iota_replica_group_list"));
    if let Some(iota) = message.message("iota_collective_device_list").or(iota) {
        let reshape_dimensions = iota.integers("iota_reshape_dims")?;
        let transpose_permutation = permutation(iota, &reshape_dimensions)?;
        validity::of_iota(&reshape_dimensions, &transpose_permutation)
            .map_err(|wrong| iota.error(wrong))?;
        return Ok(Some(ReplicaGroups::Iota(IotaTileAssignment {
            dimensions: vec![
                iota.number("num_replica_groups")?,
                iota.number("num_devices_per_group")?,
            ],
            transpose_permutation,
            reshape_dimensions,
        })));
    }
    let holder = list.unwrap_or(message);
    let groups = holder
        .messages("replica_groups")
        .map(|group| group.integers("replica_ids"));
    let groups: Vec<Vec<i64>> = groups.collect::<Result<_, ParseError>>()?;
    let is_written = list.is_some() || !groups.is_empty();
    Ok(is_written.then_some(ReplicaGroups::List(groups)))
}

/// An entry of `input_output_alias`.
pub(super) fn module_alias(message: &Message) -> Result<Alias, ParseError> {
    Ok(Alias {
        output_index: message.integers("output_shape_index")?,
        parameter: message.number("parameter_number")?,
        parameter_index: message.integers("parameter_shape_index")?,
        kind: Some(match message.word("kind") {
            Some("MUST_ALIAS") => AliasKind::Must,
            _ => AliasKind::May,
        }),
    })
}

/// `OutputOperandAliasing`
pub(super) fn operand_alias(message: &Message) -> Result<Alias, ParseError> {
    Ok(Alias {
        output_index: message.integers("output_shape_index")?,
        parameter: message.number("operand_index")?,
        parameter_index: message.integers("operand_shape_index")?,
        kind: None,
    })
}

/// `ResultAccuracy`; `None` for the default.
pub(super) fn result_accuracy(message: &Message) -> Result<Option<ResultAccuracy>, ParseError> {
    if let Some(tolerance) = message.message("tolerance") {
        return Ok(Some(ResultAccuracy::Tolerance {
            atol: tolerance.decimal("atol")?,
            rtol: tolerance.decimal("rtol")?,
            ulps: tolerance.number("ulps")?,
        }));
    }
    Ok(match message.word("mode") {
        None | Some("DEFAULT") => None,
        Some(mode) => Some(ResultAccuracy::Mode(mode.to_ascii_lowercase())),
    })
}

/// `OpMetadata`; None where it says nothing.
pub(super) fn metadata(message: &Message) -> Result<Option<Metadata>, ParseError> {
    let number = |name| Ok(message.integer(name)?.filter(|number| *number != 0));
    let mut metadata = Metadata {
        op_type: message.string("op_type")?,
        op_name: message.string("op_name")?,
        source_file: message.string("source_file")?,
        source_line: number("source_line")?,
        source_end_line: number("source_end_line")?,
        source_column: number("source_column")?,
        source_end_column: number("source_end_column")?,
        stack_frame_id: number("stack_frame_id")?,
        others: Vec::new(),
    };
    for name in ["deduplicated_name", "scheduling_name"] {
        if let Some(text) = message.string(name)? {
            metadata.others.push((name.to_owned(), quoted(&text)));
        }
    }
    Ok(Some(metadata).filter(|metadata| *metadata != Metadata::default()))
}

/// `FrontendAttributes`
pub(super) fn frontend_attributes(message: &Message) -> Result<Vec<(String, String)>, ParseError> {
    let mut attributes = Vec::new();
    for entry in message.messages("map") {
        let key = entry.string("key")?.unwrap_or_default();
        if !validity::is_word(&key) {
            return Err(entry.error(format!("'{}' is not a name", key.escape_debug())));
        }
        attributes.push((key, entry.string("value")?.unwrap_or_default()));
    }
    // A map has no order of its own.
    attributes.sort();
    Ok(attributes)
}

/// A string as a text writes it.
fn quoted(text: &str) -> String {
    let mut quoted = String::new();
    // Writing to a string does not fail.
    let _ = crate::printer::quoted(&mut quoted, text);
    quoted
}
