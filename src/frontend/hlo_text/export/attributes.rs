//! The locations of instructions, and the metadata of frameworks.

use super::super::locations;
use super::types::is_same_but_for_layouts;
use super::{failure::failure, names};
use halo_hlo::literals::literal_of;
use halo_hlo_text::{
    Attributes, Constant, FileLocation, HloInstruction, Metadata, ReplicaGroups, Shape, Sharding,
    StackFrame, StackFrames, Value as AttributeValue,
};
use halo_ir::{LocationKind, prelude::*};
use halo_runtime::Error;
use melior::ir::{Location, attribute::BoolAttribute};
use std::collections::HashMap;

/// The maximum depth of nested locations.
const MAX_DEPTH: usize = 64;

/// A range of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct FileRange {
    file: String,
    line: i64,
    column: i64,
    end_line: i64,
    end_column: i64,
}

/// The components of an instruction's location: its name in the text that it came from, the
/// framework's name for its computation, and the source location. See [`super::super::locations`].
#[derive(Clone, Debug, Default)]
pub struct Origin {
    name: Option<String>,
    op_name: Option<String>,
    op_type: Option<String>,
    range: Option<FileRange>,
    /// The innermost function first, with its range.
    frames: Vec<(String, FileRange)>,
    others: Vec<(String, String)>,
}

/// The origin of an op.
pub fn location_of(op: Operation) -> Origin {
    let mut origin = Origin::default();
    origin.add(op.location(), 0);
    origin
}

/// The origin of a block argument, if it has a name.
pub fn location_of_argument(argument: Value) -> Option<Origin> {
    let mut origin = Origin::default();
    origin.add(argument.location(), 0);
    (origin.op_name.is_some() || origin.name.is_some()).then_some(origin)
}

/// The file that a program was read from, if its location contains it.
pub fn file_of(root: Operation) -> Option<String> {
    file_range(root.location()).map(|range| range.file)
}

impl Origin {
    fn add(&mut self, location: Location, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        match location.kind() {
            LocationKind::Name { name, child } => match self.op_name {
                None => {
                    self.op_name = Some(name.into_owned());
                    self.add(child, depth + 1);
                }
                // A stack of one frame.
                Some(_) if self.frames.is_empty() => self.add_frames(location),
                Some(_) => {}
            },
            LocationKind::Fused { parts, metadata } => {
                for (key, value) in metadata.map(Attribute::dictionary_entries).unwrap_or_default()
                {
                    let Some(text) = value.string_value() else {
                        continue;
                    };
                    match key {
                        locations::NAME => self.name = Some(text.to_owned()),
                        "op_type" => self.op_type = Some(text.to_owned()),
                        _ => self.others.push((key.to_owned(), text.to_owned())),
                    }
                }
                for part in parts {
                    self.add(part, depth + 1);
                }
            }
            LocationKind::CallSite { .. } if self.frames.is_empty() => self.add_frames(location),
            LocationKind::File { .. } if self.range.is_none() => self.range = file_range(location),
            _ => {}
        }
    }

    fn add_frames(&mut self, mut location: Location) {
        loop {
            let (callee, caller) = match location.kind() {
                LocationKind::CallSite { callee, caller } => (callee, Some(caller)),
                _ => (location, None),
            };
            let (function, inner) = match callee.kind() {
                LocationKind::Name { name, child } => (name.into_owned(), child),
                _ => (String::new(), callee),
            };
            if let Some(range) = file_range(inner) {
                self.frames.push((function, range));
            }
            match caller {
                Some(caller) => location = caller,
                None => return,
            }
        }
    }

    /// A name for the instruction: its original name, or the last component of the framework's
    /// name. Empty if both are unknown.
    pub fn instruction_name(&self) -> String {
        if let Some(name) = &self.name {
            return names::sanitized(name);
        }
        let Some(name) = &self.op_name else {
            return String::new();
        };
        let name = name.split('[').next().unwrap_or_default();
        let last = name.rsplit('/').find(|part| !part.is_empty());
        last.map(names::sanitized).unwrap_or_default()
    }

    /// Adds `metadata={...}` with the components of the location other than the instruction's name.
    /// A position in the text that the program was read from is not a source location.
    pub fn add_metadata(
        self,
        name: &str,
        instruction: &mut HloInstruction,
        table: &mut StackFrameTable,
        text: Option<&str>,
    ) {
        let named = self.name.is_some();
        let mut metadata = Metadata {
            op_name: self.op_name.filter(|op_name| named || op_name != name),
            op_type: self.op_type,
            others: self.others,
            ..Metadata::default()
        };
        if !self.frames.is_empty() {
            metadata.stack_frame_id = Some(table.identifier(&self.frames));
        }
        if let Some(range) = self.range.filter(|range| Some(&*range.file) != text) {
            let known = |number: i64| Some(number).filter(|number| *number != 0);
            metadata.source_file = Some(range.file);
            metadata.source_line = known(range.line);
            if (range.end_line, range.end_column) != (range.line, range.column) {
                metadata.source_end_line = known(range.end_line);
                metadata.source_end_column = known(range.end_column);
            }
            metadata.source_column = known(range.column);
        }
        if metadata != Metadata::default() {
            let value = AttributeValue::Metadata(Box::new(metadata));
            instruction.attributes.push("metadata", value);
        }
    }
}

fn file_range(location: Location) -> Option<FileRange> {
    match location.kind() {
        LocationKind::File {
            name,
            line,
            column,
            end_line,
            end_column,
        } => Some(FileRange {
            file: name.into_owned(),
            line,
            column,
            end_line,
            end_column,
        }),
        _ => None,
    }
}

/// The stack frames of a module, without duplicates.
#[derive(Debug, Default)]
pub struct StackFrameTable {
    frames: StackFrames,
    files: HashMap<String, i64>,
    functions: HashMap<String, i64>,
    locations: HashMap<(i64, FileRange), i64>,
    known: HashMap<(i64, i64), i64>,
}

impl StackFrameTable {
    /// The identifier of the innermost of some frames.
    fn identifier(&mut self, frames: &[(String, FileRange)]) -> i64 {
        let mut parent = 0;
        for (function, range) in frames.iter().rev() {
            let file = intern(&mut self.files, &mut self.frames.file_names, &range.file);
            let function = intern(
                &mut self.functions,
                &mut self.frames.function_names,
                function,
            );
            let locations = &mut self.frames.file_locations;
            let key = (function, range.clone());
            let location = *self.locations.entry(key).or_insert_with(|| {
                locations.push(FileLocation {
                    file_name_id: file,
                    function_name_id: function,
                    line: range.line,
                    end_line: range.end_line,
                    column: range.column,
                    end_column: range.end_column,
                });
                locations.len() as i64
            });
            let all = &mut self.frames.frames;
            parent = *self.known.entry((location, parent)).or_insert_with(|| {
                all.push(StackFrame {
                    file_location_id: location,
                    // The identifier plus one: 1 means none.
                    parent_frame_id: parent + 1,
                });
                all.len() as i64
            });
        }
        parent
    }

    pub fn into_frames(self) -> StackFrames {
        self.frames
    }
}

/// The identifier of a name, counted from 1.
fn intern(known: &mut HashMap<String, i64>, names: &mut Vec<String>, name: &str) -> i64 {
    *known.entry(name.to_owned()).or_insert_with(|| {
        names.push(name.to_owned());
        names.len() as i64
    })
}

/// The text of `frontend_attributes={...}` for a dictionary.
pub fn frontend_attributes(dictionary: Attribute) -> AttributeValue {
    let entries = dictionary.dictionary_entries().into_iter();
    AttributeValue::FrontendAttributes(
        entries
            .map(|(name, value)| {
                let text = value.string_value().map_or_else(|| value.to_string(), str::to_owned);
                (name.to_owned(), text)
            })
            .collect(),
    )
}

/// Adds the attributes that frameworks and the import of HLO text set: `mhlo.<name>` becomes the
/// attribute `<name>`, and `xla_shape` has the parts of the shape that the type lacks.
///
/// # Errors
/// Returns an error if an attribute does not have the format that its name requires.
pub fn add_discardable(op: Operation, instruction: &mut HloInstruction) -> Result<(), Error> {
    for (name, value) in op.discardable_attributes() {
        if name == "xla_shape" {
            let shape = value.string_value().and_then(|text| halo_hlo_text::parse_shape(text).ok());
            let shape = shape
                .ok_or_else(|| failure(op, "has an 'xla_shape' that is not a shape of HLO text"))?;
            // Results that were a nested tuple are now a flat one.
            if is_same_but_for_layouts(&shape, &instruction.shape) {
                instruction.shape = shape;
            }
            continue;
        }
        let Some(name) = name.strip_prefix("mhlo.") else {
            continue;
        };
        // An absent sharding is not exported.
        let is_empty = name == "sharding" && value.string_value() == Some("");
        let told = matches!(
            name,
            "async_updates" | "opcode" | "name" | "operand_memory_spaces" | "result_memory_spaces"
        );
        if told || is_empty || instruction.attributes.get(name).is_some() {
            continue;
        }
        let value = match name {
            "frontend_attributes" => {
                let mut value = frontend_attributes(value);
                // The configuration of a call is among them.
                if let AttributeValue::FrontendAttributes(entries) = &mut value
                    && let Some(position) = entries.iter().position(|it| it.0 == "backend_config")
                {
                    let (name, text) = entries.remove(position);
                    let config = halo_hlo_text::parse_value(&name, &text);
                    let config = config.unwrap_or(AttributeValue::String(text));
                    instruction.attributes.push(name, config);
                    if entries.is_empty() {
                        continue;
                    }
                }
                value
            }
            _ => hlo_value(name, value).ok_or_else(|| {
                failure(
                    op,
                    format!("has an 'mhlo.{name}' that has no HLO equivalent"),
                )
            })?,
        };
        instruction.attributes.push(name, value);
    }
    Ok(())
}

/// Converts an attribute of MLIR to HLO text: numbers, truth values and lists of them; a string
/// contains the text's syntax.
pub fn hlo_value(name: &str, attribute: Attribute) -> Option<AttributeValue> {
    if let Some(text) = attribute.string_value() {
        return Some(halo_hlo_text::parse_value(name, text).unwrap_or_else(|_| {
            let is_text = text.starts_with(['{', '[', '(']);
            if is_text {
                AttributeValue::Raw(text.to_owned())
            } else {
                AttributeValue::String(text.to_owned())
            }
        }));
    }
    if name == "replica_groups"
        && let Some((shape, ids)) = halo_hlo::semantics::op::elements_of(attribute)
    {
        let groups = rows(&shape, &ids);
        return Some(AttributeValue::ReplicaGroups(ReplicaGroups::List(groups)));
    }
    if let Ok(literal) = literal_of(attribute) {
        return Some(AttributeValue::Literal(Constant::Array(literal)));
    }
    if let Some(flag) = attribute.cast::<BoolAttribute>() {
        return Some(AttributeValue::Bool(flag.value()));
    }
    if let Some(number) = attribute.integer_value() {
        return Some(AttributeValue::Integer(number));
    }
    if let Some(number) = attribute.float_value() {
        return Some(AttributeValue::Float(number));
    }
    if let Some(values) = attribute.i64_array_value() {
        return Some(AttributeValue::Integers(values));
    }
    if attribute.is_dictionary() {
        return Some(frontend_attributes(attribute));
    }
    if !attribute.is_array() {
        return None;
    }
    let elements = attribute.array_elements();
    let all = |elements: &[Attribute]| -> Option<AttributeValue> {
        let lists: Option<Vec<_>> = elements.iter().map(|one| one.i64_array_value()).collect();
        if let Some(lists) = lists {
            return Some(AttributeValue::IntegerLists(lists));
        }
        let flags = elements.iter().map(|one| one.cast::<BoolAttribute>());
        if let Some(flags) = flags.collect::<Option<Vec<_>>>() {
            return Some(AttributeValue::Bools(
                flags.iter().map(|flag| flag.value()).collect(),
            ));
        }
        let words: Option<Vec<_>> = elements.iter().map(|one| one.string_value()).collect();
        words.map(|words| AttributeValue::Words(words.into_iter().map(str::to_owned).collect()))
    };
    all(&elements)
}

/// Removes the nesting of a tuple's sharding if the value is now an array: a tuple of one element,
/// or the token of a transfer's end.
pub fn fit_sharding(instruction: &mut HloInstruction) {
    if matches!(instruction.shape, Shape::Tuple(_)) {
        return;
    }
    let is_token = instruction.shape == Shape::Token;
    for attribute in &mut instruction.attributes.0 {
        while let AttributeValue::Sharding(Sharding::Tuple(elements)) = &mut attribute.value {
            let element = if is_token {
                elements.pop()
            } else {
                (!elements.is_empty()).then(|| elements.swap_remove(0))
            };
            let Some(element) = element else { break };
            attribute.value = AttributeValue::Sharding(element);
        }
    }
    // An empty list of shardings does not constrain an array.
    instruction.attributes.0.retain(|attribute| {
        !matches!(
            &attribute.value,
            AttributeValue::Sharding(Sharding::Tuple(_))
        )
    });
}

/// Sorts attributes in the order in which XLA prints them.
pub fn order(attributes: &mut Attributes) {
    attributes.0.sort_by_key(|attribute| match &attribute.name[..] {
        "kind" => 0,
        "sharding" => 2,
        "frontend_attributes" => 3,
        "control-predecessors" => 4,
        "metadata" => 5,
        "backend_config" => 6,
        _ => 1,
    });
}

/// The rows of a matrix; -1 fills short ones up.
pub fn rows(shape: &[i64], values: &[i64]) -> Vec<Vec<i64>> {
    let width = shape.last().map_or(1, |width| (*width).max(1) as usize);
    let rows = values.chunks(width);
    rows.map(|row| row.iter().copied().filter(|id| *id >= 0).collect()).collect()
}
