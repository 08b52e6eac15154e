//! The elements of constants: `{ {1, 2}, {3, 4} }`, `(1.5, inf)`, `{...}`.
//!
//! They may be megabytes long, so they have a hand-written parser on bytes. Memory is allocated as
//! text is parsed, never in advance.

use halo_core::{ElementType, Literal, element_type::Class};

use super::number::{self, Bits};
use crate::{ArrayShape, Constant, Dimension, Shape};

/// An error in a literal, and its byte offset.
pub(super) type Error = (usize, String);

/// Parses a value of a type at the beginning of `text`; returns it and its length in bytes.
pub(super) fn read(text: &str, shape: &Shape) -> Result<(Constant, usize), Error> {
    let bytes = text.as_bytes();
    let mut reader = Reader { text, bytes, at: 0 };
    let constant = reader.value(shape)?;
    Ok((constant, reader.at))
}

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn value(&mut self, shape: &Shape) -> Result<Constant, Error> {
        self.next();
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        if rest.starts_with(b"{...}") {
            // XLA prints elided elements this way, independent of their type.
            self.at += b"{...}".len();
            return Ok(Constant::Elided);
        }
        match shape {
            Shape::Array(array) => self.array(array),
            Shape::Tuple(shapes) => {
                self.expect(b'(')?;
                let mut values = Vec::new();
                for (position, shape) in shapes.iter().enumerate() {
                    if position > 0 {
                        self.expect(b',')?;
                    }
                    values.push(self.value(shape)?);
                }
                self.expect(b')')?;
                Ok(Constant::Tuple(values))
            }
            Shape::Token | Shape::Opaque | Shape::Buffer(_) => {
                self.fail("a value of this type cannot be written")
            }
        }
    }

    fn array(&mut self, shape: &ArrayShape) -> Result<Constant, Error> {
        let start = self.at;
        let Some(sizes) = sizes(shape) else {
            return self.fail("a constant has a type of known size");
        };
        let too_large = || (start, "the constant is too large".to_owned());
        let core = halo_core::Shape::new(shape.element_type, sizes.clone());
        let core = core.map_err(|_| too_large())?;
        if !sizes.is_empty() && self.next().is_some_and(|byte| is_number(byte) || byte == b'(') {
            return self.splat(core);
        }
        // An element takes at least two bytes of text, except the last one.
        let room = core.byte_size().min(self.bytes.len().saturating_mul(8));
        let mut elements = Elements::new(shape.element_type, room);
        if !self.elements(&sizes, &mut elements)? {
            return Ok(Constant::Elided);
        }
        let literal = Literal::from_bytes(core, &elements.bytes);
        literal.map(Constant::Array).map_err(|_| {
            let message = "the constant does not have as many elements as its type";
            (start, message.to_owned())
        })
    }

    /// One element, which represents all.
    fn splat(&mut self, shape: halo_core::Shape) -> Result<Constant, Error> {
        let mut elements = Elements::new(shape.element_type(), 0);
        self.element(&mut elements)?;
        let scalar = halo_core::Shape::new(shape.element_type(), Vec::new());
        let element = scalar.and_then(|scalar| Literal::from_bytes(scalar, &elements.bytes));
        match element {
            Ok(element) => Ok(Constant::Splat { shape, element }),
            Err(error) => self.fail(error.to_string()),
        }
    }

    /// Reads nested braces; whether they hold elements, not `...`.
    fn elements(&mut self, sizes: &[usize], elements: &mut Elements) -> Result<bool, Error> {
        let rank = sizes.len();
        // The numbers of elements or braces in each open brace so far.
        let mut seen: Vec<usize> = Vec::with_capacity(rank);
        let mut is_elided = false;
        loop {
            let byte = self.next();
            match byte {
                Some(b'{') => {
                    if seen.len() >= rank {
                        return self.fail(format!("the braces are nested deeper than {rank}"));
                    }
                    self.count(&mut seen, sizes)?;
                    seen.push(0);
                    self.at += 1;
                }
                Some(b'}') => {
                    let (Some(count), size) = (seen.pop(), sizes.get(seen.len())) else {
                        return self.fail("expected a value, found '}'");
                    };
                    let size = size.copied().unwrap_or_default();
                    if count != size && !is_elided {
                        let message =
                            format!("expected {size} elements in these braces, found {count}");
                        return self.fail(message);
                    }
                    self.at += 1;
                }
                Some(b',') if !seen.is_empty() => {
                    self.at += 1;
                    continue;
                }
                Some(b'.') if self.bytes.get(self.at..self.at + 3) == Some(b"...") => {
                    if seen.as_slice() != [0] {
                        return self.fail("'...' stands for all elements");
                    }
                    is_elided = true;
                    self.at += 3;
                }
                Some(_) => {
                    if is_elided {
                        return self.fail("'...' stands for all elements");
                    }
                    if seen.len() != rank {
                        let message = format!("expected values in {rank} nested braces");
                        return self.fail(message);
                    }
                    self.count(&mut seen, sizes)?;
                    self.element(elements)?;
                }
                None => return self.fail("expected a value, found the end of the text"),
            }
            if seen.is_empty() {
                return Ok(!is_elided);
            }
        }
    }

    /// Counts an element of the innermost open brace.
    fn count(&self, seen: &mut [usize], sizes: &[usize]) -> Result<(), Error> {
        let size = seen.len().checked_sub(1).and_then(|last| sizes.get(last));
        let (Some(count), Some(size)) = (seen.last_mut(), size) else {
            return Ok(());
        };
        if *count >= *size {
            return self.fail(format!(
                "expected {size} elements in these braces, found more"
            ));
        }
        *count += 1;
        Ok(())
    }

    fn element(&mut self, elements: &mut Elements) -> Result<(), Error> {
        if elements.element_type.class() != Class::Complex {
            let bits = self.scalar(elements.element_type)?;
            elements.push(bits);
            return Ok(());
        }
        let part = elements.element_type.real_part();
        self.expect(b'(')?;
        let real = self.scalar(part)?;
        self.expect(b',')?;
        let imaginary = self.scalar(part)?;
        self.expect(b')')?;
        elements.push(real);
        elements.push(imaginary);
        Ok(())
    }

    fn scalar(&mut self, element_type: ElementType) -> Result<Bits, Error> {
        self.next();
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let length = rest.iter().take_while(|byte| is_number(**byte)).count();
        let mut word = rest.get(..length).unwrap_or_default();
        // `nan(0x7)`
        if word.ends_with(b"nan") && rest.get(length) == Some(&b'(') {
            let close = memchr::memchr(b')', rest.get(..length + 24).unwrap_or(rest));
            word = rest.get(..close.map_or(length, |close| close + 1)).unwrap_or(word);
        }
        match number::bits(element_type, word) {
            Ok(bits) => {
                self.at += word.len();
                Ok(bits)
            }
            Err(message) => self.fail(message),
        }
    }

    fn expect(&mut self, byte: u8) -> Result<(), Error> {
        let found = self.next();
        if found == Some(byte) {
            self.at += 1;
            return Ok(());
        }
        self.fail(format!("expected '{}' in a constant", char::from(byte)))
    }

    /// The next token after white space and comments.
    fn next(&mut self) -> Option<u8> {
        loop {
            match self.bytes.get(self.at) {
                Some(b' ' | b'\n' | b'\t' | b'\r') => self.at += 1,
                Some(b'/') => {
                    let rest = self.text.get(self.at..).unwrap_or_default();
                    match super::cursor::blank(rest) {
                        0 => return Some(b'/'),
                        blank => self.at += blank,
                    }
                }
                other => return other.copied(),
            }
        }
    }

    fn fail<T>(&self, message: impl Into<String>) -> Result<T, Error> {
        Err((self.at, message.into()))
    }
}

fn is_number(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

/// The sizes of a constant's dimensions; a bound is the size.
fn sizes(shape: &ArrayShape) -> Option<Vec<usize>> {
    let sizes = shape.dimensions.iter().map(|dimension| match dimension {
        Dimension::Static(size) | Dimension::Bounded(size) => usize::try_from(*size).ok(),
        Dimension::Unbounded => None,
    });
    sizes.collect()
}

/// The bytes of the elements read so far.
struct Elements {
    element_type: ElementType,
    width: usize,
    bytes: Vec<u8>,
}

impl Elements {
    fn new(element_type: ElementType, room: usize) -> Self {
        Self {
            element_type,
            width: element_type.real_part().byte_width(),
            bytes: Vec::with_capacity(room),
        }
    }

    fn push(&mut self, bits: Bits) {
        let bytes = bits.to_le_bytes();
        self.bytes.extend_from_slice(bytes.get(..self.width).unwrap_or(&bytes));
    }
}
