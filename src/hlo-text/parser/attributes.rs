//! Attributes: the syntax of a value, by the name of its attribute.

use super::{
    cursor::{self, Cursor, Item},
    grammar::Rule,
    literal, parallelism, shape,
    state::Parser,
    text,
    tree::numbers,
    values,
};
use crate::ParseError;
use crate::{Attributes, Constant, Opcode, Shape, Value};

/// The syntax of an attribute's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Syntax {
    Boolean,
    Integer,
    Decimal,
    Word,
    String,
    Integers,
    IntegerLists,
    /// `true` or `{true,false}`
    Booleans,
    Words,
    Computation,
    Computations,
    /// `kernel`, or a list of them.
    ComputationOrList,
    Instructions,
    Window,
    DimensionLabels,
    ReplicaGroups,
    SliceRanges,
    Padding,
    Sharding,
    Metadata,
    FrontendAttributes,
    StringOrDictionary,
    Literal,
    Shape,
    Shapes,
    ProgramShape,
    Aliases,
    BufferDonors,
    ResultAccuracy,
    Domain,
}

/// The syntax of an attribute's value; `None` if XLA's printer has no such attribute or the syntax
/// tree keeps it as it is written.
fn syntax(name: &str, opcode: Option<Opcode>) -> Option<Syntax> {
    Some(match name {
        "alias_passthrough_params"
        | "constrain_layout"
        | "custom_call_has_side_effect"
        | "has_dynamic_root"
        | "indices_are_sorted"
        | "is_associative"
        | "is_composite"
        | "is_dynamic"
        | "is_host_transfer"
        | "is_reverse"
        | "is_scheduled"
        | "is_stable"
        | "largest"
        | "left_side"
        | "lower"
        | "unique_indices"
        | "unit_diagonal"
        | "use_auto_spmd_partitioning"
        | "use_global_device_ids" => Syntax::Boolean,
        "async_group_id"
        | "batch_group_count"
        | "channel_id"
        | "cross_program_prefetch_index"
        | "delta"
        | "exponent_bits"
        | "feature_group_count"
        | "feature_index"
        | "index"
        | "index_vector_dim"
        | "inferred_dimension"
        | "iota_dimension"
        | "k"
        | "mantissa_bits"
        | "num_carries"
        | "num_partitions"
        | "replica_count"
        | "split_dimension" => Syntax::Integer,
        "epsilon" => Syntax::Decimal,
        "algorithm" | "api_version" | "conv_kind" | "direction" | "distribution" | "fft_type"
        | "kind" | "mode" | "padding_type" | "schedule" | "transpose_a" | "type" => Syntax::Word,
        "async_execution_thread"
        | "custom_call_target"
        | "execution_thread"
        | "infeed_config"
        | "outfeed_config" => Syntax::String,
        "collapsed_slice_dims"
        | "dimensions"
        | "dynamic_slice_sizes"
        | "fft_length"
        | "inserted_window_dims"
        | "input_batching_dims"
        | "lhs_batch_dims"
        | "lhs_contracting_dims"
        | "lhs_ragged_dims"
        | "offset_dims"
        | "operand_batching_dims"
        | "rhs_batch_dims"
        | "rhs_contracting_dims"
        | "rhs_group_dims"
        | "scatter_dims_to_operand_dims"
        | "scatter_indices_batching_dims"
        | "start_index_map"
        | "start_indices_batching_dims"
        | "update_window_dims" => Syntax::Integers,
        "slice_sizes" if is_permute(opcode) => Syntax::IntegerLists,
        "slice_sizes" => Syntax::Integers,
        "cross_program_prefetches" | "source_target_pairs" => Syntax::IntegerLists,
        "allow_spmd_sharding_propagation_to_output"
        | "allow_spmd_sharding_propagation_to_parameters"
        | "parameter_replication" => Syntax::Booleans,
        "operand_precision" => Syntax::Words,
        "body" | "condition" | "false_computation" | "scatter" | "select" | "to_apply"
        | "true_computation" => Syntax::Computation,
        "calls" => Syntax::ComputationOrList,
        "branch_computations" | "called_computations" => Syntax::Computations,
        "control-predecessors" => Syntax::Instructions,
        "window" => Syntax::Window,
        "dim_labels" => Syntax::DimensionLabels,
        "replica_groups" => Syntax::ReplicaGroups,
        "slice" => Syntax::SliceRanges,
        "padding" => Syntax::Padding,
        "sharding" | "spmd_output_sharding" | "spmd_parameters_shardings" => Syntax::Sharding,
        "metadata" => Syntax::Metadata,
        "frontend_attributes" => Syntax::FrontendAttributes,
        "backend_config" => Syntax::StringOrDictionary,
        "literal" => Syntax::Literal,
        "outfeed_shape" => Syntax::Shape,
        "operand_layout_constraints" => Syntax::Shapes,
        "entry_computation_layout" => Syntax::ProgramShape,
        "input_output_alias" | "output_to_operand_aliasing" => Syntax::Aliases,
        "buffer_donor" => Syntax::BufferDonors,
        "result_accuracy" => Syntax::ResultAccuracy,
        "domain" => Syntax::Domain,
        _ => return None,
    })
}

fn is_permute(opcode: Option<Opcode>) -> bool {
    matches!(
        opcode,
        Some(
            Opcode::CollectivePermute
                | Opcode::CollectivePermuteStart
                | Opcode::CollectivePermuteDone
        )
    )
}

impl Parser<'_> {
    /// Reads `, name=value, ...` of a module, a computation or an instruction
    /// with an opcode.
    pub(super) fn attributes(&mut self, opcode: Option<Opcode>) -> Result<Attributes, ParseError> {
        let mut attributes = Attributes::default();
        while self.cursor.next_byte() == Some(b',') {
            let head = self.cursor.take(Rule::attribute_head)?;
            let mut parts = head.children();
            let (Some(name), plain) = (parts.next(), parts.next()) else {
                return Err(self.cursor.expected("the name of an attribute"));
            };
            if attributes.get(name.text()).is_some() {
                let message = format!("attribute '{}' is written twice", name.text());
                return Err(self.cursor.error_at(name.offset(), message));
            }
            let syntax = syntax(name.text(), opcode);
            let value = match plain {
                Some(plain) => match self.plain_value(syntax, &plain)? {
                    Some(value) => value,
                    None => {
                        self.cursor.at = plain.offset();
                        self.value(syntax)?
                    }
                },
                None => self.value(syntax)?,
            };
            attributes.push(name.text(), value);
        }
        Ok(attributes)
    }

    /// Parses a value that is a single word or list of numbers. `None` if it is not, or needs a
    /// full parse.
    fn plain_value(
        &mut self,
        syntax: Option<Syntax>,
        item: &Item,
    ) -> Result<Option<Value>, ParseError> {
        let text = item.text();
        Ok(match (syntax, text) {
            (Some(Syntax::Boolean), "true") => Some(Value::Bool(true)),
            (Some(Syntax::Boolean), "false") => Some(Value::Bool(false)),
            (Some(Syntax::Integer), _) => text.parse().ok().map(Value::Integer),
            (Some(Syntax::Integers), _) if text.starts_with('{') => {
                Some(Value::Integers(numbers(&self.cursor, item)?))
            }
            (Some(Syntax::Word), _) if !text.starts_with(['{', '%']) => {
                Some(Value::Word(text.to_owned()))
            }
            (Some(Syntax::Computation | Syntax::ComputationOrList), _) if is_name(text) => {
                self.calls.push((item.offset(), item.name()));
                Some(Value::Computation(item.name()))
            }
            _ => None,
        })
    }

    /// Reads the value of an attribute of a name.
    pub(super) fn value_of(&mut self, name: &str) -> Result<Value, ParseError> {
        self.value(syntax(name, None))
    }

    fn value(&mut self, syntax: Option<Syntax>) -> Result<Value, ParseError> {
        let Some(syntax) = syntax else {
            return self.raw();
        };
        let cursor = &mut self.cursor;
        Ok(match syntax {
            Syntax::Boolean => Value::Bool(cursor.take(Rule::boolean)?.text() == "true"),
            Syntax::Integer => Value::Integer(cursor.take(Rule::integer)?.integer(cursor)?),
            Syntax::Decimal => {
                let item = cursor.take(Rule::decimal)?;
                Value::Float(values::decimal(cursor, &item)?)
            }
            Syntax::Word => Value::Word(cursor.take(Rule::word)?.text().to_owned()),
            Syntax::String => {
                let item = cursor.take(Rule::string)?;
                string(cursor, &item)?
            }
            Syntax::Integers => Value::Integers(cursor.take(Rule::integers)?.integers(cursor)?),
            Syntax::IntegerLists => {
                let item = cursor.take(Rule::integer_lists)?;
                Value::IntegerLists(parallelism::integer_lists(cursor, &item)?)
            }
            Syntax::Booleans if cursor.next_byte() == Some(b'{') => {
                let item = cursor.take(Rule::booleans)?;
                Value::Bools(item.children().map(|one| one.text() == "true").collect())
            }
            Syntax::Booleans => Value::Bools(vec![cursor.take(Rule::boolean)?.text() == "true"]),
            Syntax::Words => {
                let item = cursor.take(Rule::words)?;
                Value::Words(item.children().map(|one| one.text().to_owned()).collect())
            }
            Syntax::Instructions => {
                let item = cursor.take(Rule::names)?;
                for name in item.children() {
                    self.references.push((name.offset(), name.name()));
                }
                Value::Instructions(item.children().map(|name| name.name()).collect())
            }
            Syntax::Computation => return self.computation_value(),
            Syntax::ComputationOrList if cursor.next_byte() != Some(b'{') => {
                return self.computation_value();
            }
            Syntax::ComputationOrList | Syntax::Computations => return self.computations_value(),
            Syntax::Window => Value::Window(values::take_window(cursor)?),
            Syntax::DimensionLabels => {
                Value::ConvolutionDimensionNumbers(values::take_dimension_labels(cursor)?)
            }
            Syntax::ReplicaGroups => {
                Value::ReplicaGroups(parallelism::take_replica_groups(cursor)?)
            }
            Syntax::SliceRanges => Value::SliceRanges(values::take_slice_ranges(cursor)?),
            Syntax::Padding => Value::Padding(values::take_padding(cursor)?),
            Syntax::Sharding => Value::Sharding(parallelism::take_sharding(cursor)?),
            Syntax::Metadata => Value::Metadata(Box::new(values::take_metadata(cursor)?)),
            Syntax::FrontendAttributes => return self.frontend_attributes(),
            Syntax::StringOrDictionary => return self.string_or_dictionary(),
            Syntax::Literal => return self.literal_value(),
            Syntax::Shape => Value::Shape(shape::take(cursor)?),
            Syntax::Shapes => {
                cursor.check_nesting()?;
                let item = cursor.take(Rule::shapes)?;
                Value::Shapes(shape::list(cursor, &item)?)
            }
            Syntax::ProgramShape => Value::ProgramShape(shape::take_program_shape(cursor)?),
            Syntax::Aliases => Value::Aliases(values::take_aliases(cursor)?),
            Syntax::BufferDonors => Value::BufferDonors(values::take_buffer_donors(cursor)?),
            Syntax::ResultAccuracy => Value::ResultAccuracy(values::take_result_accuracy(cursor)?),
            Syntax::Domain => return self.domain(),
        })
    }

    fn raw(&mut self) -> Result<Value, ParseError> {
        let Some(length) = self.cursor.raw() else {
            return Err(self.cursor.error("a bracket of this value is not closed"));
        };
        if length == 0 {
            return Err(self.cursor.expected("a value"));
        }
        let raw = self.cursor.rest().get(..length).unwrap_or_default();
        self.cursor.advance(length);
        Ok(Value::Raw(raw.to_owned()))
    }

    fn computation_value(&mut self) -> Result<Value, ParseError> {
        if self.cursor.next_byte() == Some(b'{') {
            let inline = self.inline_computation()?;
            return Ok(Value::InlineComputation(Box::new(inline)));
        }
        let item = self.cursor.take(Rule::name)?;
        self.calls.push((item.offset(), item.name()));
        Ok(Value::Computation(item.name()))
    }

    fn computations_value(&mut self) -> Result<Value, ParseError> {
        let item = self.cursor.take(Rule::names)?;
        for name in item.children() {
            self.calls.push((name.offset(), name.name()));
        }
        let names = item.children().map(|name| name.name());
        Ok(Value::Computations(names.collect()))
    }

    /// `{key="value",other={...}}`
    fn frontend_attributes(&mut self) -> Result<Value, ParseError> {
        let mut attributes = Vec::new();
        if !self.cursor.eat(b'{') {
            return Err(self.cursor.expected("'{'"));
        }
        while !self.cursor.eat(b'}') {
            if !attributes.is_empty() && !self.cursor.eat(b',') {
                return Err(self.cursor.expected("',' or '}'"));
            }
            let name = self.cursor.take(Rule::attribute_name)?;
            self.cursor.take(Rule::equals)?;
            let value = if self.cursor.next_byte() == Some(b'{') {
                self.braces()?
            } else {
                let item = self.cursor.take(Rule::string)?;
                text::of(&self.cursor, &item)?
            };
            attributes.push((name.text().to_owned(), value));
        }
        Ok(Value::FrontendAttributes(attributes))
    }

    fn string_or_dictionary(&mut self) -> Result<Value, ParseError> {
        if self.cursor.next_byte() == Some(b'{') {
            return Ok(Value::Dictionary(self.braces()?));
        }
        let item = self.cursor.take(Rule::string)?;
        string(&self.cursor, &item)
    }

    /// The text of a pair of braces, with the braces.
    fn braces(&mut self) -> Result<String, ParseError> {
        let Some(length) = cursor::braces(self.cursor.rest()) else {
            return Err(self.cursor.error("this '{' is not closed"));
        };
        let text = self.cursor.rest().get(..length).unwrap_or_default();
        self.cursor.advance(length);
        Ok(text.to_owned())
    }

    /// `f32[2] {1, 2}`, `(s32[] 1, f32[] 2)`
    fn literal_value(&mut self) -> Result<Value, ParseError> {
        let start = self.cursor.at;
        self.cursor.check_nesting()?;
        let constant = self.typed_literal()?;
        if contains_elided(&constant) {
            // The tree has no field for the type of an omitted operand.
            let raw = self.cursor.text.get(start..self.cursor.at);
            return Ok(Value::Raw(raw.unwrap_or_default().trim_end().to_owned()));
        }
        Ok(Value::Literal(constant))
    }

    fn typed_literal(&mut self) -> Result<Constant, ParseError> {
        if !self.cursor.eat(b'(') {
            let shape = shape::take(&mut self.cursor)?;
            return self.literal(&shape);
        }
        let mut values = Vec::new();
        while !self.cursor.eat(b')') {
            if !values.is_empty() && !self.cursor.eat(b',') {
                return Err(self.cursor.expected("',' or ')'"));
            }
            values.push(self.typed_literal()?);
        }
        Ok(Constant::Tuple(values))
    }

    /// Reads the elements of a constant.
    pub(super) fn literal(&mut self, shape: &Shape) -> Result<Constant, ParseError> {
        match literal::read(self.cursor.rest(), shape) {
            Ok((constant, length)) => {
                self.cursor.advance(length);
                Ok(constant)
            }
            Err((at, message)) => {
                let offset = self.cursor.at.saturating_add(at);
                Err(self.cursor.error_at(offset, message))
            }
        }
    }

    /// `{kind="sharding", entry={...}, exit={...}}`
    fn domain(&mut self) -> Result<Value, ParseError> {
        let start = self.cursor.at;
        let (mut entry, mut exit) = (None, None);
        if !self.cursor.eat(b'{') {
            return Err(self.cursor.expected("'{'"));
        }
        while !self.cursor.eat(b'}') {
            self.cursor.eat(b',');
            let name = self.cursor.take(Rule::attribute_name)?;
            self.cursor.take(Rule::equals)?;
            match name.text() {
                "entry" => entry = Some(parallelism::take_sharding(&mut self.cursor)?),
                "exit" => exit = Some(parallelism::take_sharding(&mut self.cursor)?),
                "kind" => {
                    let kind = self.cursor.take(Rule::string)?;
                    if text::of(&self.cursor, &kind)? != "sharding" {
                        return Err(self.cursor.expected_at(kind.offset(), "\"sharding\""));
                    }
                }
                _ => {
                    let what = "'kind', 'entry' or 'exit'";
                    return Err(self.cursor.expected_at(name.offset(), what));
                }
            }
        }
        match (entry, exit) {
            (Some(entry), Some(exit)) => Ok(Value::Domain { entry, exit }),
            _ => {
                let message = "a domain has an entry and an exit";
                Err(self.cursor.error_at(start, message))
            }
        }
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '%')
}

/// A string, or its source text if it is not valid UTF-8.
fn string(cursor: &Cursor, item: &Item) -> Result<Value, ParseError> {
    let bytes = text::unescape(item.text());
    if bytes.is_some_and(|bytes| std::str::from_utf8(&bytes).is_err()) {
        return Ok(Value::Raw(item.text().to_owned()));
    }
    text::of(cursor, item).map(Value::String)
}

fn contains_elided(constant: &Constant) -> bool {
    match constant {
        Constant::Array(_) | Constant::Splat { .. } => false,
        Constant::Elided => true,
        Constant::Tuple(values) => values.iter().any(contains_elided),
    }
}
