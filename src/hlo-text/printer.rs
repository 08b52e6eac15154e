//! From the syntax tree to text that XLA reads.
//!
//! Attributes are printed in the order of the tree; spaces, commas and comments follow XLA.

mod attributes;
mod computation;
mod literal;
mod number;
mod parallelism;
mod shape;
mod text;

pub(crate) use text::quoted;

use std::fmt::{self, Write};

use crate::{HloModule, Shape, Value};

/// Whether the types of a computation's parameters and result are printed in its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramShapes {
    Always,
    /// If the tree has them.
    AsWritten,
    Never,
}

/// Which parts of a program are printed, and in which format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrintOptions {
    /// `%` before names.
    pub percent: bool,
    /// `metadata`, and the tables of stack frames that it refers to.
    pub metadata: bool,
    /// `{1,0}` after types.
    pub layouts: bool,
    /// The elements of constants of more than ten elements and of tuples, which are `{...}`
    /// otherwise. XLA cannot run a program without them.
    pub large_constants: bool,
    /// The types of operands.
    pub operand_shapes: bool,
    pub program_shapes: ProgramShapes,
    /// `backend_config`
    pub backend_config: bool,
    /// `control-predecessors`
    pub control_dependencies: bool,
    /// Attributes of modules that XLA has in protocol buffers only, and does not read in a text:
    /// `spmd_output_sharding`, `is_dynamic`, ...
    pub protocol_attributes: bool,
    /// `/*index=5*/` before every fifth operand.
    pub operand_indices: bool,
}

impl PrintOptions {
    /// Prints the whole tree: the output reads back as an equal tree.
    pub const fn complete() -> Self {
        Self {
            percent: true,
            metadata: true,
            layouts: true,
            large_constants: true,
            operand_shapes: false,
            program_shapes: ProgramShapes::AsWritten,
            backend_config: true,
            control_dependencies: true,
            protocol_attributes: true,
            operand_indices: true,
        }
    }

    /// XLA's default format for dumps of modules. Large constants are elided.
    pub const fn long() -> Self {
        Self {
            large_constants: false,
            program_shapes: ProgramShapes::Always,
            protocol_attributes: false,
            ..Self::complete()
        }
    }

    /// XLA's short format that it reads back, in which JAX prints programs before compilation.
    pub const fn short() -> Self {
        Self {
            percent: false,
            metadata: false,
            program_shapes: ProgramShapes::Never,
            control_dependencies: false,
            protocol_attributes: false,
            operand_indices: false,
            ..Self::complete()
        }
    }
}

impl Default for PrintOptions {
    fn default() -> Self {
        Self::complete()
    }
}

impl HloModule {
    /// The text of the module.
    pub fn print(&self, options: &PrintOptions) -> String {
        let mut printer = Printer {
            out: String::new(),
            options,
        };
        // Writing to a string does not fail.
        let _ = printer.module(self);
        printer.out
    }
}

impl fmt::Display for HloModule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.print(&PrintOptions::complete()))
    }
}

/// Prints the complete format.
fn complete(
    formatter: &mut fmt::Formatter<'_>,
    print: impl FnOnce(&mut Printer<'_>) -> fmt::Result,
) -> fmt::Result {
    let options = PrintOptions::complete();
    let mut printer = Printer {
        out: String::new(),
        options: &options,
    };
    print(&mut printer)?;
    formatter.write_str(&printer.out)
}

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        complete(formatter, |printer| printer.value("", self))
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        complete(formatter, |printer| printer.shape(self))
    }
}

/// A text that grows.
struct Printer<'a> {
    out: String,
    options: &'a PrintOptions,
}

impl Printer<'_> {
    /// A name of an instruction or a computation.
    fn name(&mut self, name: &str) {
        if self.options.percent {
            self.out.push('%');
        }
        self.out.push_str(name);
    }

    /// Items with a separator.
    fn list<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        separator: &str,
        mut print: impl FnMut(&mut Self, T) -> fmt::Result,
    ) -> fmt::Result {
        for (position, item) in items.into_iter().enumerate() {
            if position > 0 {
                self.out.push_str(separator);
            }
            print(self, item)?;
        }
        Ok(())
    }

    /// Items separated by `, ` with `/*index=5*/` before every fifth.
    fn indexed_list<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut print: impl FnMut(&mut Self, T) -> fmt::Result,
    ) -> fmt::Result {
        for (position, item) in items.into_iter().enumerate() {
            if position > 0 {
                self.out.push_str(", ");
                if position % 5 == 0 {
                    write!(self.out, "/*index={position}*/")?;
                }
            }
            print(self, item)?;
        }
        Ok(())
    }

    /// `0,1`
    fn integers(&mut self, numbers: &[i64]) -> fmt::Result {
        self.list(numbers, ",", |printer, number| {
            write!(printer.out, "{number}")
        })
    }

    /// `{0,1}`
    fn braced_integers(&mut self, numbers: &[i64]) -> fmt::Result {
        self.out.push('{');
        self.integers(numbers)?;
        self.out.push('}');
        Ok(())
    }
}
