//! Instructions: the attributes of the text as the fields that say them.

use std::collections::HashMap;

use super::{called, encoder::Encoder, structure, value};
use crate::{Arguments, Constant, HloInstruction, Opcode, Value};

/// The numbers of the instructions and computations that an instruction refers to.
pub(super) struct Names<'a> {
    pub(super) instructions: &'a HashMap<&'a str, (i64, &'a HloInstruction)>,
    pub(super) computations: &'a HashMap<&'a str, i64>,
}

impl Names<'_> {
    fn instruction(&self, name: &str) -> Result<i64, String> {
        let found = self.instructions.get(name).map(|(id, _)| *id);
        found.ok_or_else(|| format!("there is no instruction '{name}' before this one"))
    }

    fn instructions(&self, names: &[String]) -> Result<Vec<i64>, String> {
        names.iter().map(|name| self.instruction(name)).collect()
    }
}

/// Writes an instruction.
pub(super) fn write(
    encoder: &mut Encoder,
    instruction: &HloInstruction,
    id: i64,
    names: &Names,
) -> Result<(), String> {
    let in_instruction = |wrong: String| format!("instruction '{}': {wrong}", instruction.name);
    encoder.text("name", &instruction.name);
    encoder.text("opcode", instruction.opcode.name());
    encoder.integer("id", id);
    encoder.message("shape", |encoder| value::shape(encoder, &instruction.shape))?;
    if instruction.wrapped_opcode.is_some() {
        let wrong = "asynchronous instructions are written as those of a computation";
        return Err(in_instruction(wrong.to_owned()));
    }
    match &instruction.arguments {
        Arguments::Parameter(number) => encoder.integer("parameter_number", *number as i64),
        Arguments::Constant(Constant::Elided) => {}
        Arguments::Constant(constant) => {
            let written = encoder.message("literal", |encoder| {
                value::literal(encoder, constant, Some(&instruction.shape))
            });
            written.map_err(in_instruction)?;
        }
        Arguments::Operands(operands) => {
            let ids = names.instructions(operands).map_err(in_instruction)?;
            encoder.integers("operand_ids", &ids);
        }
    }
    let computations = called(instruction).into_iter().map(|name| {
        let found = names.computations.get(name).copied();
        found.ok_or_else(|| in_instruction(format!("there is no computation '{name}'")))
    });
    let computations = computations.collect::<Result<Vec<i64>, String>>()?;
    encoder.integers("called_computation_ids", &computations);
    let mut fields = Fields {
        encoder,
        instruction,
        names,
    };
    fields.groups().map_err(in_instruction)?;
    for (name, value) in instruction.attributes.iter() {
        fields.attribute(name, value).map_err(in_instruction)?;
    }
    Ok(())
}

struct Fields<'a> {
    encoder: &'a mut Encoder,
    instruction: &'a HloInstruction,
    names: &'a Names<'a>,
}

impl Fields<'_> {
    fn get(&self, name: &str) -> Option<&Value> {
        self.instruction.attributes.get(name)
    }

    /// Attributes that are one message together.
    fn groups(&mut self) -> Result<(), String> {
        let instruction = self.instruction;
        let integers = |name: &str| match instruction.attributes.get(name) {
            Some(Value::Integers(values)) => values.as_slice(),
            _ => &[],
        };
        let integer = |name: &str| match instruction.attributes.get(name) {
            Some(Value::Integer(value)) => *value,
            _ => 0,
        };
        let flag = |name: &str| instruction.attributes.get(name) == Some(&Value::Bool(true));
        let word = |name: &str| match instruction.attributes.get(name) {
            Some(Value::Word(word)) => Some(word.as_str()),
            _ => None,
        };
        let dot = |encoder: &mut Encoder| {
            encoder.message("dot_dimension_numbers", |encoder| {
                for side in ["lhs", "rhs"] {
                    let contracting = integers(&format!("{side}_contracting_dims"));
                    encoder.integers(&format!("{side}_contracting_dimensions"), contracting);
                    let batch = integers(&format!("{side}_batch_dims"));
                    encoder.integers(&format!("{side}_batch_dimensions"), batch);
                }
                Ok(())
            })
        };
        match instruction.opcode {
            Opcode::Dot | Opcode::ScaledDot => dot(self.encoder)?,
            Opcode::RaggedDot => {
                self.encoder
                    .message("ragged_dot_dimension_numbers", |encoder| {
                        dot(encoder)?;
                        encoder.integers("lhs_ragged_dimensions", integers("lhs_ragged_dims"));
                        encoder.integers("rhs_group_dimensions", integers("rhs_group_dims"));
                        Ok(())
                    })?;
            }
            Opcode::Gather => self
                .encoder
                .message("gather_dimension_numbers", |encoder| {
                    for name in GATHER {
                        encoder.integers(name, integers(name));
                    }
                    encoder.integer("index_vector_dim", integer("index_vector_dim"));
                    Ok(())
                })?,
            Opcode::Scatter => self
                .encoder
                .message("scatter_dimension_numbers", |encoder| {
                    for name in SCATTER {
                        encoder.integers(name, integers(name));
                    }
                    encoder.integer("index_vector_dim", integer("index_vector_dim"));
                    Ok(())
                })?,
            Opcode::Cholesky => self.encoder.message("cholesky_options", |encoder| {
                encoder.flag("lower", flag("lower"));
                Ok(())
            })?,
            Opcode::TriangularSolve => {
                self.encoder
                    .message("triangular_solve_options", |encoder| {
                        for name in ["left_side", "lower", "unit_diagonal"] {
                            encoder.flag(name, flag(name));
                        }
                        encoder.word("transpose_a", word("transpose_a").unwrap_or("NO_TRANSPOSE"))
                    })?;
            }
            Opcode::CustomCall if instruction.attributes.get("api_version").is_none() => {
                let field = "custom_call_api_version";
                self.encoder.word(field, "API_VERSION_ORIGINAL")?;
            }
            _ => {}
        }
        if HAVE_WINDOWS.contains(&instruction.opcode) {
            // Readers ask for it even where it has no dimensions.
            self.encoder.message("window", |encoder| {
                match instruction.attributes.get("window") {
                    Some(Value::Window(window)) => structure::window(encoder, window),
                    _ => Ok(()),
                }
            })?;
        }
        let has_algorithm = matches!(
            instruction.opcode,
            Opcode::Dot | Opcode::RaggedDot | Opcode::ScaledDot | Opcode::Convolution
        );
        let algorithm = word("algorithm").filter(|_| has_algorithm);
        let precision = match instruction.attributes.get("operand_precision") {
            Some(Value::Words(words)) => words.as_slice(),
            _ => &[],
        };
        if algorithm.is_some() || !precision.is_empty() {
            self.encoder.message("precision_config", |encoder| {
                let words = precision.iter().map(|word| word.to_ascii_uppercase());
                encoder.words("operand_precision", &words.collect::<Vec<_>>())?;
                match algorithm {
                    Some(word) => {
                        encoder.word("algorithm", &format!("ALG_{}", word.to_ascii_uppercase()))
                    }
                    None => Ok(()),
                }
            })?;
        }
        if self.get("operand_layout_constraints").is_some() {
            self.encoder.flag("constrain_layout", true);
        }
        Ok(())
    }

    fn attribute(&mut self, name: &str, value: &Value) -> Result<(), String> {
        let opcode = self.instruction.opcode;
        let encoder = &mut *self.encoder;
        match (name, value) {
            // Calls and groups of attributes are written.
            (
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
                | "operand_precision"
                | "lower"
                | "left_side"
                | "unit_diagonal"
                | "transpose_a"
                | "index_vector_dim",
                _,
            ) => {}
            (name, Value::Integers(_)) if is_of_group(name, opcode) => {}
            ("algorithm", Value::Word(word)) => {
                if opcode == Opcode::RngBitGenerator {
                    encoder.word("rng_algorithm", &word.to_ascii_uppercase())?;
                }
            }
            ("iota_dimension" | "split_dimension", Value::Integer(number)) => {
                encoder.integers("dimensions", &[*number]);
            }
            ("index", Value::Integer(number)) => encoder.integer("tuple_index", *number),
            ("direction", Value::Word(word)) => encoder.text("comparison_direction", word),
            ("type", Value::Word(word)) => encoder.text("comparison_type", word),
            ("kind", Value::Word(word)) => encoder.text("fusion_kind", word),
            ("fft_type" | "padding_type", Value::Word(word)) => encoder.word(name, word)?,
            ("schedule", Value::Word(word)) => encoder.word("custom_call_schedule", word)?,
            ("api_version", Value::Word(word)) => {
                encoder.word("custom_call_api_version", word)?;
            }
            ("distribution", Value::Word(word)) => {
                encoder.word(name, &word.to_ascii_uppercase())?;
            }
            ("conv_kind", Value::Word(word)) => {
                let word = format!("CONVOLUTION_KIND_{}", word.to_ascii_uppercase());
                encoder.word(name, &word)?;
            }
            ("is_associative", Value::Bool(flag)) => {
                let word = if *flag {
                    "TRI_STATE_TRUE"
                } else {
                    "TRI_STATE_FALSE"
                };
                encoder.word(name, word)?;
            }
            ("slice_sizes", Value::Integers(sizes)) => {
                encoder.integers("gather_slice_sizes", sizes);
            }
            ("dimensions" | "dynamic_slice_sizes" | "fft_length", Value::Integers(numbers)) => {
                encoder.integers(name, numbers);
            }
            ("slice", Value::SliceRanges(ranges)) => {
                for range in ranges {
                    encoder.message("slice_dimensions", |encoder| {
                        encoder.integer("start", range.start);
                        encoder.integer("limit", range.limit);
                        encoder.integer("stride", range.stride);
                        Ok(())
                    })?;
                }
            }
            ("padding", Value::Padding(dimensions)) => {
                encoder.message("padding_config", |encoder| {
                    for dimension in dimensions {
                        encoder.message("dimensions", |encoder| {
                            encoder.integer("edge_padding_low", dimension.low);
                            encoder.integer("edge_padding_high", dimension.high);
                            encoder.integer("interior_padding", dimension.interior);
                            Ok(())
                        })?;
                    }
                    Ok(())
                })?;
            }
            ("window", Value::Window(window)) => {
                if !HAVE_WINDOWS.contains(&opcode) {
                    encoder.message(name, |encoder| structure::window(encoder, window))?;
                }
            }
            ("dim_labels", Value::ConvolutionDimensionNumbers(numbers)) => {
                encoder.message("convolution_dimension_numbers", |encoder| {
                    structure::convolution(encoder, numbers)
                })?;
            }
            ("replica_groups", Value::ReplicaGroups(groups)) => {
                structure::replica_groups(encoder, groups)?;
            }
            ("source_target_pairs", Value::IntegerLists(pairs)) => {
                for pair in pairs {
                    let [source, target] = pair[..] else {
                        return Err("a source and a target are a pair".to_owned());
                    };
                    encoder.message(name, |encoder| {
                        encoder.integer("source", source);
                        encoder.integer("target", target);
                        Ok(())
                    })?;
                }
            }
            ("operand_layout_constraints", Value::Shapes(shapes)) => {
                for shape in shapes {
                    encoder.message("operand_shapes_with_layout", |encoder| {
                        value::shape(encoder, shape)
                    })?;
                }
            }
            ("output_to_operand_aliasing", Value::Aliases(aliases)) => {
                for alias in aliases {
                    encoder.message("output_operand_aliasing", |encoder| {
                        structure::operand_alias(encoder, alias)
                    })?;
                }
            }
            // The exit in the text is the entry in the message.
            ("domain", Value::Domain { entry, exit }) => {
                for (field, sharding) in [
                    ("domain_entry_sharding", exit),
                    ("domain_exit_sharding", entry),
                ] {
                    encoder.message(field, |encoder| structure::sharding(encoder, sharding))?;
                }
            }
            ("sharding", Value::Sharding(sharding)) => {
                encoder.message(name, |encoder| structure::sharding(encoder, sharding))?;
            }
            ("metadata", Value::Metadata(metadata)) => {
                encoder.message(name, |encoder| structure::metadata(encoder, metadata))?;
            }
            ("frontend_attributes", Value::FrontendAttributes(entries)) => {
                structure::frontend_attributes(encoder, entries)?;
            }
            ("result_accuracy", Value::ResultAccuracy(accuracy)) => {
                encoder.message(name, |encoder| {
                    structure::result_accuracy(encoder, accuracy)
                })?;
            }
            ("parameter_replication", Value::Bools(flags)) => {
                encoder.message(name, |encoder| {
                    encoder.flags("replicated_at_leaf_buffers", flags.iter().copied());
                    Ok(())
                })?;
            }
            ("control-predecessors", Value::Instructions(names)) => {
                let ids = self.names.instructions(names)?;
                self.encoder.integers("control_predecessor_ids", &ids);
            }
            ("outfeed_shape", Value::Shape(shape)) => {
                encoder.message(name, |encoder| value::shape(encoder, shape))?;
            }
            ("literal", Value::Literal(constant)) => {
                encoder.message(name, |encoder| value::literal(encoder, constant, None))?;
            }
            ("cross_program_prefetch_index", Value::Integer(number)) => {
                encoder.some_integer(name, *number);
            }
            ("epsilon", Value::Float(number)) => encoder.decimal(name, *number),
            ("epsilon", Value::Integer(number)) => encoder.decimal(name, *number as f64),
            ("backend_config", Value::String(text) | Value::Dictionary(text)) => {
                encoder.text(name, text);
            }
            (_, Value::String(text)) if TEXTS.contains(&name) => encoder.text(name, text),
            (_, Value::Integer(number)) if NUMBERS.contains(&name) => {
                encoder.integer(name, *number);
            }
            (_, Value::Bool(flag)) if FLAGS.contains(&name) => encoder.flag(name, *flag),
            // Where values come from is told to people who look at a compiler.
            ("origin", _) => {}
            _ => return Err(format!("attribute '{name}' has no field to be written in")),
        }
        Ok(())
    }
}

/// The instructions that are about a window.
const HAVE_WINDOWS: &[Opcode] = &[
    Opcode::Convolution,
    Opcode::ReduceWindow,
    Opcode::SelectAndScatter,
];

/// Whether an attribute is a part of the dimension numbers of an opcode.
fn is_of_group(name: &str, opcode: Opcode) -> bool {
    match opcode {
        Opcode::Gather => GATHER.contains(&name),
        Opcode::Scatter => SCATTER.contains(&name),
        Opcode::Dot | Opcode::RaggedDot | Opcode::ScaledDot => {
            name.starts_with("lhs_") || name.starts_with("rhs_")
        }
        _ => false,
    }
}

const GATHER: &[&str] = &[
    "offset_dims",
    "collapsed_slice_dims",
    "start_index_map",
    "operand_batching_dims",
    "start_indices_batching_dims",
];

const SCATTER: &[&str] = &[
    "update_window_dims",
    "inserted_window_dims",
    "scatter_dims_to_operand_dims",
    "input_batching_dims",
    "scatter_indices_batching_dims",
];

/// Attributes that have the same name in the text and in the message.
const TEXTS: &[&str] = &[
    "async_execution_thread",
    "custom_call_target",
    "infeed_config",
    "outfeed_config",
];

const NUMBERS: &[&str] = &[
    "batch_group_count",
    "channel_id",
    "delta",
    "exponent_bits",
    "feature_group_count",
    "feature_index",
    "k",
    "mantissa_bits",
    "num_carries",
];

const FLAGS: &[&str] = &[
    "constrain_layout",
    "custom_call_has_side_effect",
    "indices_are_sorted",
    "is_composite",
    "is_host_transfer",
    "is_reverse",
    "is_stable",
    "largest",
    "unique_indices",
    "use_global_device_ids",
];
