//! The elements of constants.

use std::fmt::{self, Write};

use halo_core::{
    Literal,
    element_type::{Class, ElementType},
};

use super::{Printer, number};
use crate::{Constant, element_type::element_type_name};

/// Arrays of more elements than these are large.
const SMALL: usize = 10;

impl Printer<'_> {
    /// A value without its type.
    pub(super) fn constant(&mut self, constant: &Constant) -> fmt::Result {
        let is_small = match constant {
            Constant::Array(literal) => literal.element_count() <= SMALL,
            Constant::Splat { .. } => true,
            Constant::Tuple(_) | Constant::Elided => false,
        };
        if !is_small && !self.options.large_constants {
            return self.out.write_str("{...}");
        }
        self.all_of_constant(constant)
    }

    fn all_of_constant(&mut self, constant: &Constant) -> fmt::Result {
        match constant {
            Constant::Elided => self.out.write_str("{...}"),
            Constant::Array(literal)
            | Constant::Splat {
                element: literal, ..
            } => Elements::new(literal).print(&mut self.out),
            Constant::Tuple(values) => {
                self.out.push_str("( ");
                self.list(values, ", ", Self::all_of_constant)?;
                self.out.write_str(" )")
            }
        }
    }

    /// A value with its type, as in `literal=f32[2]{0} {1, 2}`.
    pub(super) fn typed_constant(&mut self, constant: &Constant) -> fmt::Result {
        match constant {
            Constant::Elided => self.out.write_str("{...}"),
            Constant::Tuple(values) => {
                self.out.push('(');
                self.list(values, ", ", Self::typed_constant)?;
                self.out.write_char(')')
            }
            Constant::Array(_) | Constant::Splat { .. } => {
                let shape = match constant {
                    Constant::Array(literal) => literal.shape(),
                    Constant::Splat { shape, .. } => shape,
                    _ => return Ok(()),
                };
                let name = element_type_name(shape.element_type());
                write!(self.out, "{name}[")?;
                let dims = shape.dims();
                self.list(dims, ",", |printer, size| write!(printer.out, "{size}"))?;
                self.out.push(']');
                if !dims.is_empty() {
                    // Without a layout, the elements would be parsed as one.
                    self.out.push('{');
                    let order = (0..dims.len()).rev();
                    self.list(order, ",", |printer, at| write!(printer.out, "{at}"))?;
                    self.out.push('}');
                }
                self.out.push(' ');
                self.all_of_constant(constant)
            }
        }
    }
}

/// The elements of an array, printed from the first to the last.
struct Elements<'a> {
    literal: &'a Literal,
    /// The width of a number in bytes.
    width: usize,
    /// The index of the next number, counting the components of complex ones.
    next: usize,
}

impl<'a> Elements<'a> {
    fn new(literal: &'a Literal) -> Self {
        Self {
            literal,
            width: literal.element_type().real_part().byte_width(),
            next: 0,
        }
    }

    fn print(&mut self, out: &mut String) -> fmt::Result {
        self.nested(out, 0, 0)
    }

    /// The elements of one position of the first `depth` dimensions; `position` is the index in the
    /// last of these.
    fn nested(&mut self, out: &mut String, depth: usize, position: usize) -> fmt::Result {
        let dims = self.literal.dims();
        let rank = dims.len();
        let Some(size) = dims.get(depth).copied() else {
            return self.element(out);
        };
        let is_innermost = depth + 1 == rank;
        let (open, close) = match (rank, is_innermost) {
            (1, _) => ("{", "}"),
            (_, true) if size <= 1 => ("{", "}"),
            _ => ("{ ", " }"),
        };
        out.push_str(open);
        if rank > 3 && !is_innermost && depth > 0 {
            write!(out, "/*i{}={position}*/", depth - 1)?;
            if size > 0 {
                out.push(' ');
            }
        }
        for position in 0..size {
            if position > 0 {
                out.push_str(", ");
            }
            self.nested(out, depth + 1, position)?;
        }
        out.write_str(close)
    }

    fn element(&mut self, out: &mut String) -> fmt::Result {
        let element_type = self.literal.element_type();
        match element_type.class() {
            Class::Boolean => {
                let is_scalar = self.literal.dims().is_empty();
                let text = match (self.bits() != 0, is_scalar) {
                    (true, true) => "true",
                    (false, true) => "false",
                    (true, false) => "1",
                    (false, false) => "0",
                };
                out.write_str(text)
            }
            Class::Signed => {
                let unused = 64 - 8 * self.width;
                let bits = self.bits();
                write!(out, "{}", (bits << unused) as i64 >> unused)
            }
            Class::Unsigned => write!(out, "{}", self.bits()),
            Class::Float => out.write_str(&self.float(element_type)),
            Class::Complex => {
                let real = self.float(element_type);
                let imaginary = self.float(element_type);
                write!(out, "({real}, {imaginary})")
            }
        }
    }

    fn float(&mut self, element_type: ElementType) -> String {
        number::float(element_type, self.bits())
    }

    /// The bits of the next number.
    fn bits(&mut self) -> u64 {
        let start = self.next.saturating_mul(self.width);
        self.next += 1;
        let bytes = self.literal.bytes().get(start..start + self.width);
        let mut word = [0; 8];
        for (to, from) in word.iter_mut().zip(bytes.unwrap_or_default()) {
            *to = *from;
        }
        u64::from_le_bytes(word)
    }
}
