//! Attributes.

use std::fmt::{self, Write};

use super::{Printer, number, text};
use crate::{
    AliasKind, Attributes, ConvolutionDimensionNumbers, Metadata, ResultAccuracy, Value, Window,
    WindowDimension,
};

impl Printer<'_> {
    /// `, name=value` of each attribute that the options leave.
    pub(super) fn attributes(&mut self, attributes: &Attributes) -> fmt::Result {
        for (name, value) in attributes.iter() {
            let is_printed = match name {
                "metadata" => self.options.metadata,
                "backend_config" => self.options.backend_config,
                "control-predecessors" => self.options.control_dependencies,
                "cross_program_prefetches"
                | "is_dynamic"
                | "spmd_output_sharding"
                | "spmd_parameters_shardings"
                | "use_auto_spmd_partitioning" => self.options.protocol_attributes,
                _ => true,
            };
            if is_printed {
                write!(self.out, ", {name}=")?;
                self.value(name, value)?;
            }
        }
        Ok(())
    }

    pub(super) fn value(&mut self, name: &str, value: &Value) -> fmt::Result {
        match value {
            Value::Bool(value) => write!(self.out, "{value}"),
            Value::Integer(value) => write!(self.out, "{value}"),
            Value::Float(value) => self.out.write_str(&number::decimal(*value)),
            Value::Word(text) | Value::Raw(text) | Value::Dictionary(text) => {
                self.out.write_str(text)
            }
            Value::String(text) => text::quoted(&mut self.out, text),
            Value::Integers(numbers) => self.braced_integers(numbers),
            Value::IntegerLists(lists) => self.integer_lists(lists),
            Value::Bools(values) => {
                let words = values.iter().map(|value| if *value { "true" } else { "false" });
                self.words(words)
            }
            Value::Words(words) => self.words(words.iter().map(String::as_str)),
            Value::Computation(name) => {
                self.name(name);
                Ok(())
            }
            Value::Computations(names) | Value::Instructions(names) => {
                self.out.push('{');
                self.list(names, ", ", |printer, name| {
                    printer.name(name);
                    Ok(())
                })?;
                self.out.write_char('}')
            }
            Value::InlineComputation(computation) => self.inline_computation(computation),
            Value::Window(window) => self.window(window),
            Value::ConvolutionDimensionNumbers(numbers) => self.dimension_labels(numbers),
            Value::ReplicaGroups(groups) => self.replica_groups(groups),
            Value::SliceRanges(ranges) => {
                // If one stride is not 1, XLA prints all of them.
                let has_strides = ranges.iter().any(|range| range.stride != 1);
                self.out.push('{');
                self.list(ranges, ", ", |printer, range| {
                    write!(printer.out, "[{}:{}", range.start, range.limit)?;
                    if has_strides {
                        write!(printer.out, ":{}", range.stride)?;
                    }
                    printer.out.write_char(']')
                })?;
                self.out.write_char('}')
            }
            Value::Padding(dimensions) => {
                let has_interior = dimensions.iter().any(|dimension| dimension.interior != 0);
                self.list(dimensions, "x", |printer, dimension| {
                    write!(printer.out, "{}_{}", dimension.low, dimension.high)?;
                    if has_interior {
                        write!(printer.out, "_{}", dimension.interior)?;
                    }
                    Ok(())
                })
            }
            Value::Sharding(sharding) => self.sharding(sharding),
            Value::Metadata(metadata) => self.metadata(metadata),
            Value::FrontendAttributes(attributes) => {
                self.out.push('{');
                self.list(attributes, ",", |printer, (name, value)| {
                    write!(printer.out, "{name}=")?;
                    if text::is_dictionary(value) {
                        return printer.out.write_str(value);
                    }
                    text::quoted(&mut printer.out, value)
                })?;
                self.out.write_char('}')
            }
            Value::Literal(constant) => self.typed_constant(constant),
            Value::Shape(shape) => self.shape_with(shape, true),
            Value::Shapes(shapes) => {
                self.out.push('{');
                self.list(shapes, ", ", |printer, shape| {
                    printer.shape_with(shape, true)
                })?;
                self.out.write_char('}')
            }
            Value::ProgramShape(shape) => {
                self.out.push('{');
                self.program_shape(shape)?;
                self.out.write_char('}')
            }
            Value::Aliases(aliases) => {
                let is_spaced = name == "input_output_alias" && !aliases.is_empty();
                self.out.push_str(if is_spaced { "{ " } else { "{" });
                self.list(aliases, ", ", |printer, alias| {
                    printer.braced_integers(&alias.output_index)?;
                    write!(printer.out, ": ({}, ", alias.parameter)?;
                    printer.braced_integers(&alias.parameter_index)?;
                    match alias.kind {
                        Some(AliasKind::May) => printer.out.push_str(", may-alias"),
                        Some(AliasKind::Must) => printer.out.push_str(", must-alias"),
                        None => {}
                    }
                    printer.out.write_char(')')
                })?;
                self.out.write_str(if is_spaced { " }" } else { "}" })
            }
            Value::BufferDonors(donors) => {
                self.out.push_str("{ ");
                self.list(donors, ", ", |printer, (parameter, index)| {
                    write!(printer.out, "({parameter}, ")?;
                    printer.braced_integers(index)?;
                    printer.out.write_char(')')
                })?;
                self.out.write_str(" }")
            }
            Value::ResultAccuracy(ResultAccuracy::Mode(mode)) => {
                write!(self.out, "{{mode={mode}}}")
            }
            Value::ResultAccuracy(ResultAccuracy::Tolerance { atol, rtol, ulps }) => {
                let (atol, rtol) = (number::decimal(*atol), number::decimal(*rtol));
                write!(
                    self.out,
                    "{{tolerance={{atol={atol},rtol={rtol},ulps={ulps}}}}}"
                )
            }
            Value::Domain { entry, exit } => {
                self.out.push_str("{kind=\"sharding\", entry=");
                self.sharding(entry)?;
                self.out.push_str(", exit=");
                self.sharding(exit)?;
                self.out.write_char('}')
            }
        }
    }

    fn words<'a>(&mut self, words: impl Iterator<Item = &'a str>) -> fmt::Result {
        self.out.push('{');
        self.list(words, ",", |printer, word| printer.out.write_str(word))?;
        self.out.write_char('}')
    }

    fn window(&mut self, window: &Window) -> fmt::Result {
        type Text = fn(&WindowDimension) -> String;
        let fields: [(&str, Text); 6] = [
            ("size", |dimension| dimension.size.to_string()),
            ("stride", |dimension| dimension.stride.to_string()),
            ("pad", |dimension| {
                format!("{}_{}", dimension.padding_low, dimension.padding_high)
            }),
            ("lhs_dilate", |dimension| {
                dimension.base_dilation.to_string()
            }),
            ("rhs_dilate", |dimension| {
                dimension.window_dilation.to_string()
            }),
            ("rhs_reversal", |dimension| {
                i64::from(dimension.window_reversal).to_string()
            }),
        ];
        let default = WindowDimension::default();
        self.out.push('{');
        let mut separator = "";
        for (name, text) in fields {
            let texts: Vec<String> = window.dimensions.iter().map(text).collect();
            let is_default = texts.iter().all(|one| *one == text(&default));
            if name == "size" && !texts.is_empty() || !is_default {
                write!(self.out, "{separator}{name}={}", texts.join("x"))?;
                separator = " ";
            }
        }
        self.out.write_char('}')
    }

    fn dimension_labels(&mut self, numbers: &ConvolutionDimensionNumbers) -> fmt::Result {
        let input = labels(
            &[('b', numbers.input_batch), ('f', numbers.input_feature)],
            &numbers.input_spatial,
        );
        let kernel = labels(
            &[
                ('i', numbers.kernel_input_feature),
                ('o', numbers.kernel_output_feature),
            ],
            &numbers.kernel_spatial,
        );
        let output = labels(
            &[('b', numbers.output_batch), ('f', numbers.output_feature)],
            &numbers.output_spatial,
        );
        write!(self.out, "{input}_{kernel}->{output}")
    }

    fn metadata(&mut self, metadata: &Metadata) -> fmt::Result {
        self.out.push('{');
        let start = self.out.len();
        let strings = [
            ("op_type", &metadata.op_type),
            ("op_name", &metadata.op_name),
            ("source_file", &metadata.source_file),
        ];
        for (name, value) in strings {
            if let Some(value) = value {
                self.metadata_field(start, name);
                text::quoted(&mut self.out, value)?;
            }
        }
        let numbers = [
            ("source_line", metadata.source_line),
            ("source_end_line", metadata.source_end_line),
            ("source_column", metadata.source_column),
            ("source_end_column", metadata.source_end_column),
        ];
        for (name, value) in numbers {
            if let Some(value) = value {
                self.metadata_field(start, name);
                write!(self.out, "{value}")?;
            }
        }
        for (name, value) in &metadata.others {
            self.metadata_field(start, name);
            self.out.push_str(value);
        }
        if let Some(value) = metadata.stack_frame_id {
            self.metadata_field(start, "stack_frame_id");
            write!(self.out, "{value}")?;
        }
        self.out.write_char('}')
    }

    fn metadata_field(&mut self, start: usize, name: &str) {
        if self.out.len() > start {
            self.out.push(' ');
        }
        self.out.push_str(name);
        self.out.push('=');
    }
}

/// The letters and digits of dimensions in the order of their positions. Unnamed ones are `?`.
fn labels(letters: &[(char, i64)], spatial: &[i64]) -> String {
    let digits = spatial.iter().zip('0'..='9');
    let digits = digits.map(|(position, digit)| (digit, *position));
    let all: Vec<(char, i64)> = letters.iter().copied().chain(digits).collect();
    let last = all.iter().map(|(_, position)| *position).max().unwrap_or(-1);
    // Ten spatial dimensions at most, and two more.
    let positions = 0..=last.min(32);
    let label = |at| all.iter().find(|(_, position)| *position == at);
    positions.map(|at| label(at).map_or('?', |(label, _)| *label)).collect()
}
