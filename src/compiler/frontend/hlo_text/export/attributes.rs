//! Where instructions come from, and what frameworks say of them.

use super::{failure, names};
use crate::ir::{
    LocationKind, Operation, Value, dictionary_entries, discardable_attributes, location_kind,
    location_of_value, string_value,
};
use halo_hlo_text::{
    FileLocation, HloInstruction, Metadata, StackFrame, StackFrames, Value as AttributeValue,
};
use halo_runtime::Error;
use melior::ir::{Location, operation::OperationLike};
use std::collections::HashMap;

/// How deep locations are followed.
const MAX_DEPTH: usize = 64;

/// A place in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Place {
    file: String,
    line: i64,
    column: i64,
    end_line: i64,
    end_column: i64,
}

/// What a location says of an instruction: the name of what a framework
/// computes with it, and where a program says so.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    op_name: Option<String>,
    place: Option<Place>,
    /// The innermost function first, with the place within it.
    frames: Vec<(String, Place)>,
}

/// Where an op comes from.
pub fn location_of(op: Operation) -> Origin {
    let mut origin = Origin::default();
    origin.add(op.location(), 0);
    origin
}

/// Where an argument of a block comes from, if it has a name.
pub fn location_of_argument(argument: Value) -> Option<Origin> {
    let mut origin = Origin::default();
    origin.add(location_of_value(argument), 0);
    origin.op_name.is_some().then_some(origin)
}

impl Origin {
    fn add(&mut self, location: Location, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        match location_kind(location) {
            LocationKind::Name { name, child } => {
                self.op_name.get_or_insert_with(|| name.to_owned());
                self.add(child, depth + 1);
            }
            LocationKind::Fused(parts) => {
                for part in parts {
                    self.add(part, depth + 1);
                }
            }
            LocationKind::CallSite { .. } if self.frames.is_empty() => self.add_frames(location),
            LocationKind::File { .. } if self.place.is_none() => self.place = place(location),
            _ => {}
        }
    }

    fn add_frames(&mut self, mut location: Location) {
        loop {
            let (callee, caller) = match location_kind(location) {
                LocationKind::CallSite { callee, caller } => (callee, Some(caller)),
                _ => (location, None),
            };
            let (function, inner) = match location_kind(callee) {
                LocationKind::Name { name, child } => (name.to_owned(), child),
                _ => (String::new(), callee),
            };
            if let Some(place) = place(inner) {
                self.frames.push((function, place));
            }
            match caller {
                Some(caller) => location = caller,
                None => return,
            }
        }
    }

    /// A name for the instruction: the last part of what a framework calls it.
    /// Empty where nothing is known.
    pub fn instruction_name(&self) -> String {
        let Some(name) = &self.op_name else {
            return String::new();
        };
        let name = name.split('[').next().unwrap_or_default();
        let last = name.rsplit('/').find(|part| !part.is_empty());
        last.map(names::sanitized).unwrap_or_default()
    }

    /// Adds `metadata={...}` with what the instruction's name does not say.
    pub fn add_metadata(
        self,
        name: &str,
        instruction: &mut HloInstruction,
        table: &mut StackFrameTable,
    ) {
        let mut metadata = Metadata {
            op_name: self.op_name.filter(|op_name| op_name != name),
            ..Metadata::default()
        };
        if !self.frames.is_empty() {
            metadata.stack_frame_id = Some(table.identifier(&self.frames));
        } else if let Some(place) = self.place {
            let known = |number: i64| Some(number).filter(|number| *number != 0);
            metadata.source_file = Some(place.file);
            metadata.source_line = known(place.line);
            if (place.end_line, place.end_column) != (place.line, place.column) {
                metadata.source_end_line = known(place.end_line);
                metadata.source_end_column = known(place.end_column);
            }
            metadata.source_column = known(place.column);
        }
        if metadata != Metadata::default() {
            let value = AttributeValue::Metadata(Box::new(metadata));
            instruction.attributes.push("metadata", value);
        }
    }
}

fn place(location: Location) -> Option<Place> {
    match location_kind(location) {
        LocationKind::File {
            name,
            line,
            column,
            end_line,
            end_column,
        } => Some(Place {
            file: name.to_owned(),
            line,
            column,
            end_line,
            end_column,
        }),
        _ => None,
    }
}

/// The stack frames of a module, each once.
#[derive(Debug, Default)]
pub struct StackFrameTable {
    frames: StackFrames,
    files: HashMap<String, i64>,
    functions: HashMap<String, i64>,
    locations: HashMap<(i64, Place), i64>,
    known: HashMap<(i64, i64), i64>,
}

impl StackFrameTable {
    /// The identifier of the innermost of some frames.
    fn identifier(&mut self, frames: &[(String, Place)]) -> i64 {
        let mut parent = 0;
        for (function, place) in frames.iter().rev() {
            let file = intern(&mut self.files, &mut self.frames.file_names, &place.file);
            let function = intern(
                &mut self.functions,
                &mut self.frames.function_names,
                function,
            );
            let locations = &mut self.frames.file_locations;
            let key = (function, place.clone());
            let location = *self.locations.entry(key).or_insert_with(|| {
                locations.push(FileLocation {
                    file_name_id: file,
                    function_name_id: function,
                    line: place.line,
                    end_line: place.end_line,
                    column: place.column,
                    end_column: place.end_column,
                });
                locations.len() as i64
            });
            let all = &mut self.frames.frames;
            parent = *self.known.entry((location, parent)).or_insert_with(|| {
                all.push(StackFrame {
                    file_location_id: location,
                    // One more than the identifier: 1 is for none.
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

/// The text of `frontend_attributes={...}` for a dictionary of them.
pub fn frontend_attributes(dictionary: crate::ir::Attribute) -> AttributeValue {
    let entries = dictionary_entries(dictionary).into_iter();
    AttributeValue::FrontendAttributes(
        entries
            .map(|(name, value)| {
                let text = string_value(value).map_or_else(|| value.to_string(), str::to_owned);
                (name.to_owned(), text)
            })
            .collect(),
    )
}

/// Adds what frameworks hang on an op.
///
/// # Errors
/// Where an attribute is not of the form that its name asks for.
pub fn add_discardable(op: Operation, instruction: &mut HloInstruction) -> Result<(), Error> {
    for (name, value) in discardable_attributes(op) {
        let added = match name {
            "mhlo.sharding" => {
                let text = string_value(value)
                    .ok_or_else(|| failure(op, "has an 'mhlo.sharding' that is no string"))?;
                Some(("sharding", AttributeValue::Raw(text.to_owned())))
            }
            "mhlo.frontend_attributes" => Some(("frontend_attributes", frontend_attributes(value))),
            _ => None,
        };
        if let Some((name, value)) = added
            && instruction.attributes.get(name).is_none()
        {
            instruction.attributes.push(name, value);
        }
    }
    Ok(())
}
