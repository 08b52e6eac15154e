//! Literals in MLIR's syntax: `dense<[1.000000e+00, 2.500000e+00]> : tensor<2xf32>`.
//!
//! A literal printed in full parses as an MLIR attribute of the same bits. Large literals are
//! elided on demand, as numpy does: the first and last [`EDGE`] entries of every dimension around
//! `...`.

use std::fmt;

use crate::decimal::Decimal;
use crate::element_type::Class;
use crate::float_format::FloatFormat;
use crate::literal::bits_at;
use crate::{ElementType, Literal, Scalar};

/// The number of entries that an elided dimension keeps at either end.
pub const EDGE: usize = 3;

/// The parts that [`Literal::display`] omits.
#[derive(Clone, Copy, Debug)]
pub struct PrintOptions {
    /// Elide literals of more elements than this; `None` prints all.
    pub elide_above: Option<usize>,
}

impl PrintOptions {
    /// Nothing is elided.
    pub const ALL: Self = Self { elide_above: None };
}

impl Default for PrintOptions {
    fn default() -> Self {
        Self {
            elide_above: Some(1000),
        }
    }
}

impl Literal {
    /// The literal as text: `dense<...> : tensor<...>`.
    pub fn display(&self, options: PrintOptions) -> LiteralDisplay<'_> {
        LiteralDisplay {
            literal: self,
            options,
        }
    }

    /// One element as text, as in the literal.
    pub fn display_element(&self, position: usize) -> String {
        let element_type = self.element_type();
        let part = |index| {
            let bits = bits_at(element_type.real_part().byte_width(), self.bytes(), index);
            match element_type.float_format() {
                Some(format) => bits_text(format, bits),
                None => String::new(),
            }
        };
        match element_type.class() {
            Class::Float => part(position),
            Class::Complex => format!("({},{})", part(2 * position), part(2 * position + 1)),
            _ => scalar_text(element_type, self.get(position)),
        }
    }
}

impl fmt::Debug for Literal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.display(PrintOptions::default()), formatter)
    }
}

/// A literal as text; returned by [`Literal::display`].
pub struct LiteralDisplay<'a> {
    literal: &'a Literal,
    options: PrintOptions,
}

impl fmt::Display for LiteralDisplay<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let literal = self.literal;
        formatter.write_str("dense<")?;
        if literal.is_splat() {
            formatter.write_str(&literal.display_element(0))?;
        } else if literal.element_count() > 0 {
            let elide = self
                .options
                .elide_above
                .is_some_and(|threshold| literal.element_count() > threshold);
            self.write_dimension(formatter, 0, 0, elide)?;
        }
        write!(formatter, "> : {}", literal.shape())
    }
}

impl LiteralDisplay<'_> {
    /// Writes the elements from `position` on that share their indices in the
    /// first `axis` dimensions.
    fn write_dimension(
        &self,
        formatter: &mut fmt::Formatter<'_>,
        axis: usize,
        position: usize,
        elide: bool,
    ) -> fmt::Result {
        let dims = self.literal.dims();
        let Some(&dim) = dims.get(axis) else {
            return formatter.write_str(&self.literal.display_element(position));
        };
        let stride: usize = dims[axis + 1..].iter().product();
        formatter.write_str("[")?;
        let mut entry = 0;
        while entry < dim {
            if entry > 0 {
                formatter.write_str(", ")?;
            }
            if elide && entry == EDGE && dim > 2 * EDGE {
                formatter.write_str("...")?;
                entry = dim - EDGE;
                continue;
            }
            self.write_dimension(formatter, axis + 1, position + entry * stride, elide)?;
            entry += 1;
        }
        formatter.write_str("]")
    }
}

/// A value of an element type in MLIR's syntax inside `dense<...>`.
pub fn scalar_text(element_type: ElementType, value: Scalar) -> String {
    let float = |value| match element_type.float_format() {
        Some(format) => bits_text(format, format.from_f64(value)),
        None => format!("{value:e}"),
    };
    match element_type.class() {
        Class::Boolean => value.to_bool().to_string(),
        Class::Signed | Class::Unsigned => value.to_i128().to_string(),
        Class::Float => float(value.to_f64()),
        Class::Complex => {
            let value = value.to_complex();
            format!("({},{})", float(value.re), float(value.im))
        }
    }
}

/// A float in MLIR's syntax: six significant digits if they identify the number, else as many as
/// needed, and the bits in hexadecimal if no decimal text would parse as a float.
fn bits_text(format: FloatFormat, bits: u64) -> String {
    let value = format.to_f64(bits);
    if value == 0.0 {
        return format!("{value:.6e}").replace("e0", "e+00");
    }
    if value.is_finite() {
        let short = Decimal::new(value, 6).scientific();
        if parses_to(format, &short, value) {
            return short;
        }
        // 59/196 is a hair below log10(2).
        let digits = 2 + format.precision() * 59 / 196;
        let long = Decimal::new(value, digits).shortened();
        if long.contains('.') {
            return long;
        }
    }
    format!("0x{bits:X}")
}

fn parses_to(format: FloatFormat, text: &str, value: f64) -> bool {
    let parsed = if format == crate::float_format::F32 {
        text.parse::<f32>().map(f64::from)
    } else {
        text.parse::<f64>().map(|parsed| format.to_f64(format.from_f64(parsed)))
    };
    parsed == Ok(value)
}

#[cfg(test)]
#[path = "print_tests.rs"]
mod tests;
