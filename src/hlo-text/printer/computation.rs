//! Modules, computations and instructions.

use std::{
    collections::HashMap,
    fmt::{self, Write},
};

use super::{Printer, ProgramShapes, text};
use crate::{
    Arguments, HloComputation, HloInstruction, HloModule, ProgramShape, Shape, StackFrames,
};

impl Printer<'_> {
    pub(super) fn module(&mut self, module: &HloModule) -> fmt::Result {
        write!(self.out, "HloModule {}", module.name)?;
        self.attributes(&module.attributes)?;
        self.out.push_str("\n\n");
        if self.options.metadata && !module.stack_frames.is_empty() {
            self.stack_frames(&module.stack_frames)?;
        }
        for (position, computation) in module.computations.iter().enumerate() {
            if position == module.entry {
                self.out.push_str("ENTRY ");
            }
            self.computation(computation)?;
            self.out.push_str("\n\n");
        }
        Ok(())
    }

    fn stack_frames(&mut self, tables: &StackFrames) -> fmt::Result {
        for (title, names) in [
            ("FileNames", &tables.file_names),
            ("FunctionNames", &tables.function_names),
        ] {
            writeln!(self.out, "{title}")?;
            for (number, name) in (1..).zip(names) {
                write!(self.out, "{number} ")?;
                text::quoted(&mut self.out, name)?;
                self.out.push('\n');
            }
            self.out.push('\n');
        }
        self.out.push_str("FileLocations\n");
        for (number, location) in (1..).zip(&tables.file_locations) {
            writeln!(
                self.out,
                "{number} {{file_name_id={} function_name_id={} line={} end_line={} column={} \
                 end_column={}}}",
                location.file_name_id,
                location.function_name_id,
                location.line,
                location.end_line,
                location.column,
                location.end_column,
            )?;
        }
        self.out.push_str("\nStackFrames\n");
        for (number, frame) in (1..).zip(&tables.frames) {
            writeln!(
                self.out,
                "{number} {{file_location_id={} parent_frame_id={}}}",
                frame.file_location_id, frame.parent_frame_id,
            )?;
        }
        self.out.write_str("\n\n")
    }

    fn computation(&mut self, computation: &HloComputation) -> fmt::Result {
        self.name(&computation.name);
        self.out.push(' ');
        match (self.options.program_shapes, &computation.signature) {
            (ProgramShapes::Never, _) | (ProgramShapes::AsWritten, None) => {}
            (_, Some((names, shape))) => {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                self.signature(&names, shape)?;
            }
            (ProgramShapes::Always, None) => {
                let (names, shape) = signature(computation);
                self.signature(&names, &shape)?;
            }
        }
        self.instructions(computation, "  ")?;
        self.out.push('}');
        self.attributes(&computation.attributes)
    }

    /// `(x: f32[2]) -> f32[] `
    fn signature(&mut self, names: &[&str], shape: &ProgramShape) -> fmt::Result {
        // XLA omits the layouts; a text that has them keeps them.
        let layouts = self.options.program_shapes == ProgramShapes::AsWritten;
        self.out.push('(');
        let parameters = names.iter().zip(&shape.parameters);
        self.list(parameters, ", ", |printer, (name, shape)| {
            write!(printer.out, "{name}: ")?;
            printer.shape_with(shape, layouts)
        })?;
        self.out.push_str(") -> ");
        self.shape_with(&shape.result, layouts)?;
        self.out.write_char(' ')
    }

    /// `{ ... }` as the value of an attribute.
    pub(super) fn inline_computation(&mut self, computation: &HloComputation) -> fmt::Result {
        self.instructions(computation, "    ")?;
        self.out.write_str("  }")
    }

    /// The opening brace and a line for each instruction.
    fn instructions(&mut self, computation: &HloComputation, indent: &str) -> fmt::Result {
        self.out.push_str("{\n");
        let mut shapes = HashMap::new();
        for (position, instruction) in computation.instructions.iter().enumerate() {
            self.out.push_str(indent);
            if position == computation.root {
                self.out.push_str("ROOT ");
            }
            self.instruction(instruction, &shapes)?;
            self.out.push('\n');
            if self.options.operand_shapes {
                shapes.insert(instruction.name.as_str(), &instruction.shape);
            }
        }
        Ok(())
    }

    fn instruction(
        &mut self,
        instruction: &HloInstruction,
        shapes: &HashMap<&str, &Shape>,
    ) -> fmt::Result {
        self.name(&instruction.name);
        self.out.push_str(" = ");
        self.shape(&instruction.shape)?;
        self.out.push(' ');
        match (instruction.opcode.name(), instruction.wrapped_opcode) {
            (name, None) => self.out.push_str(name),
            (name, Some(wrapped)) => {
                self.out.push_str(wrapped.name());
                self.out.push_str(name.strip_prefix("async").unwrap_or(name));
            }
        }
        self.out.push('(');
        match &instruction.arguments {
            Arguments::Parameter(number) => write!(self.out, "{number}")?,
            Arguments::Constant(constant) => self.constant(constant)?,
            Arguments::Operands(names) => {
                let operand = |printer: &mut Self, name: &String| {
                    if let Some(shape) = shapes.get(name.as_str()) {
                        printer.shape(shape)?;
                        printer.out.push(' ');
                    }
                    printer.name(name);
                    Ok(())
                };
                if self.options.operand_indices {
                    self.indexed_list(names, operand)?;
                } else {
                    self.list(names, ", ", operand)?;
                }
            }
        }
        self.out.push(')');
        self.attributes(&instruction.attributes)
    }
}

/// The names and types of a computation's signature, from its instructions.
fn signature(computation: &HloComputation) -> (Vec<&str>, ProgramShape) {
    let mut parameters: Vec<(usize, &HloInstruction)> = Vec::new();
    for instruction in &computation.instructions {
        if let Arguments::Parameter(number) = instruction.arguments {
            parameters.push((number, instruction));
        }
    }
    parameters.sort_by_key(|(number, _)| *number);
    let names = parameters.iter().map(|(_, instruction)| instruction.name.as_str());
    let shapes = parameters.iter().map(|(_, instruction)| instruction.shape.clone());
    let result = computation.root().map(|root| root.shape.clone());
    let shape = ProgramShape {
        parameters: shapes.collect(),
        result: result.unwrap_or_default(),
    };
    (names.collect(), shape)
}
