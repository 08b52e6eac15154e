//! Attributes of instructions as fields.

use super::structure;
use super::value;
use crate::proto::schema::{
    self, DotDimensionNumbers, GatherDimensionNumbers, HloInstructionProto,
    ScatterDimensionNumbers, TriangularSolveOptions, enumerations::*,
};
use crate::{Opcode, PaddingDimension, SliceRange, Value};

/// Writes an attribute.
///
/// # Errors
/// Returns an error if the message has no field for it.
pub(super) fn write(
    proto: &mut HloInstructionProto,
    opcode: Opcode,
    name: &str,
    value: &Value,
) -> Result<(), String> {
    let is_written = is_call(name)
        || write_of_opcode(proto, opcode, name, value)?
        || write_field(proto, name, value)
        || write_word(proto, name, value)?
        || write_message(proto, name, value)?;
    if is_written {
        Ok(())
    } else {
        Err(format!("attribute '{name}' has no field to be written in"))
    }
}

/// Returns true if an attribute contains computations, which are written as calls.
fn is_call(name: &str) -> bool {
    matches!(
        name,
        "to_apply"
            | "calls"
            | "called_computation"
            | "called_computations"
            | "body"
            | "condition"
            | "select"
            | "scatter"
            | "true_computation"
            | "false_computation"
            | "branch_computations"
    )
}

/// Writes an attribute whose field depends on the opcode. Returns true if it is one.
fn write_of_opcode(
    proto: &mut HloInstructionProto,
    opcode: Opcode,
    name: &str,
    value: &Value,
) -> Result<bool, String> {
    match opcode {
        Opcode::Gather => {
            let numbers = proto.gather_dimension_numbers.get_or_insert_default();
            Ok(write_gather(numbers, name, value))
        }
        Opcode::Scatter => {
            let numbers = proto.scatter_dimension_numbers.get_or_insert_default();
            Ok(write_scatter(numbers, name, value))
        }
        Opcode::Cholesky if name == "lower" => {
            let options = proto.cholesky_options.get_or_insert_default();
            options.lower = *value == Value::Bool(true);
            Ok(true)
        }
        Opcode::TriangularSolve => {
            let options = proto.triangular_solve_options.get_or_insert_default();
            write_triangular_solve(options, name, value)
        }
        Opcode::Dot | Opcode::ScaledDot => {
            let numbers = proto.dot_dimension_numbers.get_or_insert_default();
            Ok(write_dot(numbers, name, value))
        }
        Opcode::RaggedDot => {
            let ragged = proto.ragged_dot_dimension_numbers.get_or_insert_default();
            match (name, value) {
                ("lhs_ragged_dims", Value::Integers(dimensions)) => {
                    ragged.lhs_ragged_dimensions.clone_from(dimensions);
                }
                ("rhs_group_dims", Value::Integers(dimensions)) => {
                    ragged.rhs_group_dimensions.clone_from(dimensions);
                }
                _ => {
                    let numbers = ragged.dot_dimension_numbers.get_or_insert_default();
                    return Ok(write_dot(numbers, name, value));
                }
            }
            Ok(true)
        }
        Opcode::RngBitGenerator => match (name, value) {
            ("algorithm", Value::Word(word)) => {
                proto.rng_algorithm = RANDOM_ALGORITHM.number(&word.to_ascii_uppercase())?;
                Ok(true)
            }
            _ => Ok(false),
        },
        _ => Ok(false),
    }
}

fn write_gather(numbers: &mut GatherDimensionNumbers, name: &str, value: &Value) -> bool {
    let field = match name {
        "offset_dims" => &mut numbers.offset_dims,
        "collapsed_slice_dims" => &mut numbers.collapsed_slice_dims,
        "start_index_map" => &mut numbers.start_index_map,
        "operand_batching_dims" => &mut numbers.operand_batching_dims,
        "start_indices_batching_dims" => &mut numbers.start_indices_batching_dims,
        _ => return write_index_vector_dim(&mut numbers.index_vector_dim, name, value),
    };
    write_integers(field, value)
}

fn write_scatter(numbers: &mut ScatterDimensionNumbers, name: &str, value: &Value) -> bool {
    let field = match name {
        "update_window_dims" => &mut numbers.update_window_dims,
        "inserted_window_dims" => &mut numbers.inserted_window_dims,
        "scatter_dims_to_operand_dims" => &mut numbers.scatter_dims_to_operand_dims,
        "input_batching_dims" => &mut numbers.input_batching_dims,
        "scatter_indices_batching_dims" => &mut numbers.scatter_indices_batching_dims,
        _ => return write_index_vector_dim(&mut numbers.index_vector_dim, name, value),
    };
    write_integers(field, value)
}

fn write_index_vector_dim(field: &mut i64, name: &str, value: &Value) -> bool {
    match (name, value) {
        ("index_vector_dim", Value::Integer(dimension)) => *field = *dimension,
        _ => return false,
    }
    true
}

fn write_dot(numbers: &mut DotDimensionNumbers, name: &str, value: &Value) -> bool {
    let field = match name {
        "lhs_contracting_dims" => &mut numbers.lhs_contracting_dimensions,
        "rhs_contracting_dims" => &mut numbers.rhs_contracting_dimensions,
        "lhs_batch_dims" => &mut numbers.lhs_batch_dimensions,
        "rhs_batch_dims" => &mut numbers.rhs_batch_dimensions,
        _ => return false,
    };
    write_integers(field, value)
}

fn write_integers(field: &mut Vec<i64>, value: &Value) -> bool {
    match value {
        Value::Integers(numbers) => field.clone_from(numbers),
        _ => return false,
    }
    true
}

fn write_triangular_solve(
    options: &mut TriangularSolveOptions,
    name: &str,
    value: &Value,
) -> Result<bool, String> {
    match (name, value) {
        ("left_side", Value::Bool(flag)) => options.left_side = *flag,
        ("lower", Value::Bool(flag)) => options.lower = *flag,
        ("unit_diagonal", Value::Bool(flag)) => options.unit_diagonal = *flag,
        ("transpose_a", Value::Word(word)) => options.transpose_a = TRANSPOSE.number(word)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// Writes a number, flag, string or list of numbers with a field of the instruction. Returns true
/// if there is one.
fn write_field(proto: &mut HloInstructionProto, name: &str, value: &Value) -> bool {
    match (name, value) {
        ("iota_dimension" | "split_dimension", Value::Integer(number)) => {
            proto.dimensions = vec![*number];
        }
        ("index", Value::Integer(number)) => proto.tuple_index = *number,
        ("batch_group_count", Value::Integer(number)) => proto.batch_group_count = *number,
        ("channel_id", Value::Integer(number)) => proto.channel_id = *number,
        ("delta", Value::Integer(number)) => proto.delta = *number,
        ("exponent_bits", Value::Integer(number)) => proto.exponent_bits = *number,
        ("feature_group_count", Value::Integer(number)) => proto.feature_group_count = *number,
        ("feature_index", Value::Integer(number)) => proto.feature_index = *number,
        ("k", Value::Integer(number)) => proto.k = *number,
        ("mantissa_bits", Value::Integer(number)) => proto.mantissa_bits = *number,
        ("num_carries", Value::Integer(number)) => proto.num_carries = *number,
        ("cross_program_prefetch_index", Value::Integer(number)) => {
            proto.cross_program_prefetch_index = Some(*number);
        }
        ("epsilon", Value::Float(number)) => proto.epsilon = *number as f32,
        ("epsilon", Value::Integer(number)) => proto.epsilon = *number as f32,
        ("slice_sizes", Value::Integers(sizes)) => proto.gather_slice_sizes.clone_from(sizes),
        ("dimensions", Value::Integers(numbers)) => proto.dimensions.clone_from(numbers),
        ("dynamic_slice_sizes", Value::Integers(sizes)) => {
            proto.dynamic_slice_sizes.clone_from(sizes);
        }
        ("fft_length", Value::Integers(length)) => proto.fft_length.clone_from(length),
        ("constrain_layout", Value::Bool(flag)) => proto.constrain_layout = *flag,
        ("custom_call_has_side_effect", Value::Bool(flag)) => {
            proto.custom_call_has_side_effect = *flag;
        }
        ("indices_are_sorted", Value::Bool(flag)) => proto.indices_are_sorted = *flag,
        ("is_composite", Value::Bool(flag)) => proto.is_composite = *flag,
        ("is_host_transfer", Value::Bool(flag)) => proto.is_host_transfer = *flag,
        ("is_reverse", Value::Bool(flag)) => proto.is_reverse = *flag,
        ("is_stable", Value::Bool(flag)) => proto.is_stable = *flag,
        ("largest", Value::Bool(flag)) => proto.largest = *flag,
        ("unique_indices", Value::Bool(flag)) => proto.unique_indices = *flag,
        ("use_global_device_ids", Value::Bool(flag)) => proto.use_global_device_ids = *flag,
        ("async_execution_thread", Value::String(text)) => {
            proto.async_execution_thread.clone_from(text);
        }
        ("custom_call_target", Value::String(text)) => proto.custom_call_target.clone_from(text),
        ("infeed_config", Value::String(text)) => proto.infeed_config.clone_from(text),
        ("outfeed_config", Value::String(text)) => proto.outfeed_config.clone_from(text),
        ("backend_config", Value::String(text) | Value::Dictionary(text)) => {
            proto.backend_config.clone_from(text);
        }
        // The origins of values are for compiler developers only.
        ("origin", _) => {}
        _ => return false,
    }
    true
}

/// Writes a word with a field of the instruction. Returns true if there is one.
fn write_word(proto: &mut HloInstructionProto, name: &str, value: &Value) -> Result<bool, String> {
    match (name, value) {
        ("direction", Value::Word(word)) => proto.comparison_direction.clone_from(word),
        ("type", Value::Word(word)) => proto.comparison_type.clone_from(word),
        ("kind", Value::Word(word)) => proto.fusion_kind.clone_from(word),
        ("fft_type", Value::Word(word)) => proto.fft_type = FFT_TYPE.number(word)?,
        ("padding_type", Value::Word(word)) => proto.padding_type = PADDING_TYPE.number(word)?,
        ("schedule", Value::Word(word)) => {
            proto.custom_call_schedule = CUSTOM_CALL_SCHEDULE.number(word)?;
        }
        ("api_version", Value::Word(word)) => {
            proto.custom_call_api_version = CUSTOM_CALL_API_VERSION.number(word)?;
        }
        ("distribution", Value::Word(word)) => {
            proto.distribution = RANDOM_DISTRIBUTION.number(&word.to_ascii_uppercase())?;
        }
        ("conv_kind", Value::Word(word)) => {
            let word = format!("CONVOLUTION_KIND_{}", word.to_ascii_uppercase());
            proto.conv_kind = CONVOLUTION_KIND.number(&word)?;
        }
        ("is_associative", Value::Bool(flag)) => {
            let word = format!("TRI_STATE_{flag}").to_ascii_uppercase();
            proto.is_associative = TRI_STATE.number(&word)?;
        }
        ("operand_precision", Value::Words(words)) => {
            let config = proto.precision_config.get_or_insert_default();
            let numbers = words.iter().map(|word| PRECISION.number(&word.to_ascii_uppercase()));
            config.operand_precision = numbers.collect::<Result<_, String>>()?;
        }
        ("algorithm", Value::Word(word)) => {
            let config = proto.precision_config.get_or_insert_default();
            config.algorithm = ALGORITHM.number(&format!("ALG_{}", word.to_ascii_uppercase()))?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Writes an attribute whose value is a message. Returns true if there is one.
fn write_message(
    proto: &mut HloInstructionProto,
    name: &str,
    value: &Value,
) -> Result<bool, String> {
    match (name, value) {
        ("slice", Value::SliceRanges(ranges)) => {
            let range = |range: &SliceRange| schema::SliceDimensions {
                start: range.start,
                limit: range.limit,
                stride: Some(range.stride),
            };
            proto.slice_dimensions = ranges.iter().map(range).collect();
        }
        ("padding", Value::Padding(dimensions)) => {
            let dimension = |dimension: &PaddingDimension| schema::PaddingConfigDimension {
                edge_padding_low: dimension.low,
                edge_padding_high: dimension.high,
                interior_padding: dimension.interior,
            };
            let config = proto.padding_config.get_or_insert_default();
            config.dimensions = dimensions.iter().map(dimension).collect();
        }
        ("window", Value::Window(window)) => {
            proto.window = Some(Box::new(structure::window(window)));
        }
        ("dim_labels", Value::ConvolutionDimensionNumbers(numbers)) => {
            let numbers = structure::convolution(numbers);
            proto.convolution_dimension_numbers = Some(Box::new(numbers));
        }
        ("replica_groups", Value::ReplicaGroups(groups)) => {
            structure::replica_groups(proto, groups)?;
        }
        ("source_target_pairs", Value::IntegerLists(pairs)) => {
            let pair = |pair: &Vec<i64>| match pair[..] {
                [source, target] => Ok(schema::SourceTarget { source, target }),
                _ => Err("a source and a target are a pair".to_owned()),
            };
            proto.source_target_pairs = pairs.iter().map(pair).collect::<Result<_, String>>()?;
        }
        ("operand_layout_constraints", Value::Shapes(shapes)) => {
            proto.constrain_layout = true;
            proto.operand_shapes_with_layout = value::shapes(shapes)?;
        }
        ("output_to_operand_aliasing", Value::Aliases(aliases)) => {
            let aliases = aliases.iter().map(structure::operand_alias);
            proto.output_operand_aliasing = aliases.collect();
        }
        // The exit in the text is the entry in the message.
        ("domain", Value::Domain { entry, exit }) => {
            proto.domain_entry_sharding = Some(Box::new(structure::sharding(exit)?));
            proto.domain_exit_sharding = Some(Box::new(structure::sharding(entry)?));
        }
        ("sharding", Value::Sharding(sharding)) => {
            proto.sharding = Some(Box::new(structure::sharding(sharding)?));
        }
        ("metadata", Value::Metadata(metadata)) => {
            proto.metadata = Some(Box::new(structure::metadata(metadata)?));
        }
        ("frontend_attributes", Value::FrontendAttributes(entries)) => {
            let attributes = structure::frontend_attributes(entries);
            proto.frontend_attributes = Some(Box::new(attributes));
        }
        ("result_accuracy", Value::ResultAccuracy(accuracy)) => {
            proto.result_accuracy = Some(Box::new(structure::result_accuracy(accuracy)?));
        }
        ("parameter_replication", Value::Bools(flags)) => {
            let replication = proto.parameter_replication.get_or_insert_default();
            replication.replicated_at_leaf_buffers.clone_from(flags);
        }
        ("outfeed_shape", Value::Shape(shape)) => {
            proto.outfeed_shape = Some(Box::new(value::shape(shape)?));
        }
        ("literal", Value::Literal(constant)) => {
            proto.literal = Some(Box::new(value::literal(constant, None)?));
        }
        _ => return Ok(false),
    }
    Ok(true)
}
