//! Names and metadata of instructions as locations.
//!
//! An instruction without metadata has the position in the text under its name:
//!
//! ```mlir
//! loc("add.1"("file.hlo":12:3))
//! ```
//!
//! An instruction with metadata has a fused location. It contains the `op_name`, with the frames of
//! its stack inside, and the source position; the instruction's name and the remaining metadata are
//! a dictionary in the fused location, under the names of the text. Without frames and source
//! position, the position in the text is inside the name.
//!
//! ```mlir
//! loc(fused<{name = "add.1", op_type = "Add"}>["f/add", "f.py":3:0])
//! loc(fused<{name = "add.1"}>["f/add"(callsite("f"("f.py":3:4) at "main"("m.py":9:0)))])
//! ```

use halo_hlo_text::{HloComputation, HloInstruction, Metadata, Position, StackFrames};
use halo_ir::{Attribute, Location};
use melior::Context;

/// The key of the instruction's name in the dictionary of a fused location.
pub const NAME: &str = "name";

/// The location of a function, named after its computation.
pub fn of_computation<'c>(
    context: &'c Context,
    computation: &HloComputation,
    file: &str,
) -> Location<'c> {
    let position = of_position(context, computation.position, file);
    Location::name(context, &computation.name, position)
}

/// The location of an instruction.
pub fn of_instruction<'c>(
    context: &'c Context,
    instruction: &HloInstruction,
    frames: &StackFrames,
    file: &str,
) -> Location<'c> {
    let position = of_position(context, instruction.position, file);
    let metadata = match instruction.attributes.get("metadata") {
        Some(halo_hlo_text::Value::Metadata(metadata)) => metadata,
        _ => return Location::name(context, &instruction.name, position),
    };
    let stack = metadata.stack_frame_id.and_then(|frame| of_frame(context, frames, frame));
    let source = of_source(context, metadata);
    let mut parts = Vec::new();
    if let Some(name) = &metadata.op_name {
        let inner = match (stack, source) {
            (Some(stack), _) => stack,
            (None, Some(_)) => Location::unknown(context),
            (None, None) => position,
        };
        parts.push(Location::name(context, name, inner));
    } else {
        parts.extend(stack);
    }
    parts.extend(source);
    if parts.is_empty() {
        parts.push(position);
    }
    Location::fused(context, &parts, rest(context, instruction, metadata))
}

/// The metadata that the other parts of a fused location do not represent.
fn rest<'c>(
    context: &'c Context,
    instruction: &HloInstruction,
    metadata: &Metadata,
) -> Attribute<'c> {
    let text = |text: &str| halo_ir::string_attribute(context, text);
    let mut entries = vec![(NAME, text(&instruction.name))];
    if let Some(op_type) = &metadata.op_type {
        entries.push(("op_type", text(op_type)));
    }
    let others = metadata.others.iter();
    entries.extend(others.map(|(name, value)| (&name[..], text(value))));
    halo_ir::dictionary_attribute(context, &entries)
}

fn of_position<'c>(context: &'c Context, position: Position, file: &str) -> Location<'c> {
    let (line, column) = (position.line as usize, position.column as usize);
    Location::new(context, file, line, column)
}

fn of_source<'c>(context: &'c Context, metadata: &Metadata) -> Option<Location<'c>> {
    let file = metadata.source_file.as_deref();
    if file.is_none() && metadata.source_line.is_none() {
        return None;
    }
    let number = |number: Option<i64>| number.unwrap_or_default();
    Some(range(
        context,
        file.unwrap_or_default(),
        number(metadata.source_line),
        number(metadata.source_column),
        number(metadata.source_end_line),
        number(metadata.source_end_column),
    ))
}

/// A position in a file, or a range if its end is known.
fn range<'c>(
    context: &'c Context,
    file: &str,
    line: i64,
    column: i64,
    end_line: i64,
    end_column: i64,
) -> Location<'c> {
    let number = |number: i64| u32::try_from(number).unwrap_or_default() as usize;
    let (line, column) = (number(line), number(column));
    match (number(end_line), number(end_column)) {
        (0, _) => Location::new(context, file, line, column),
        (end_line, end_column) => {
            Location::file_line_col_range(context, file, line, column, end_line, end_column)
        }
    }
}

/// A frame and its callers.
fn of_frame<'c>(context: &'c Context, frames: &StackFrames, frame: i64) -> Option<Location<'c>> {
    let mut stack = Vec::new();
    let mut next = frame;
    // A cyclic table ends once every frame has been visited.
    while stack.len() < frames.frames.len() {
        let Some(frame) = entry(&frames.frames, next) else {
            break;
        };
        let Some(entry_location) = entry(&frames.file_locations, frame.file_location_id) else {
            break;
        };
        let file = entry(&frames.file_names, entry_location.file_name_id);
        let function = entry(&frames.function_names, entry_location.function_name_id);
        let location = range(
            context,
            file.map_or("", String::as_str),
            entry_location.line,
            entry_location.column,
            entry_location.end_line,
            entry_location.end_column,
        );
        stack.push(match function {
            Some(function) => Location::name(context, function, location),
            None => location,
        });
        next = frame.parent_frame_id.saturating_sub(1);
    }
    let mut callers = stack.into_iter().rev();
    let outermost = callers.next()?;
    Some(callers.fold(outermost, |caller, callee| {
        Location::call_site(callee, caller)
    }))
}

/// An entry of a table that counts from 1.
fn entry<T>(table: &[T], number: i64) -> Option<&T> {
    table.get(usize::try_from(number).ok()?.checked_sub(1)?)
}
