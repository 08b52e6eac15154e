//! Parsing of separate parts of a module.

use super::{shape, state::Parser};
use crate::{ParseError, Shape, Value};

/// Reads a shape.
///
/// # Errors
/// Returns an error if the text is not one.
pub fn parse_shape(text: &str) -> Result<Shape, ParseError> {
    let mut parser = Parser::new(text);
    parser.cursor.check_nesting()?;
    let shape = shape::take(&mut parser.cursor)?;
    parser.at_end(shape)
}

/// Reads the value of the attribute of a name.
///
/// # Errors
/// Returns an error if the text does not have the syntax that the name requires.
pub fn parse_value(name: &str, text: &str) -> Result<Value, ParseError> {
    let mut parser = Parser::new(text);
    parser.cursor.check_nesting()?;
    let value = parser.value_of(name)?;
    parser.at_end(value)
}

impl Parser<'_> {
    fn at_end<T>(&self, part: T) -> Result<T, ParseError> {
        if self.cursor.is_at_end() {
            Ok(part)
        } else {
            Err(self.cursor.expected("the end"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_whole() {
        assert!(
            matches!(parse_shape("(f32[2]{0}, token[])"), Ok(Shape::Tuple(it)) if it.len() == 2)
        );
        assert!(parse_shape("f32[2] x").is_err());
        assert_eq!(
            parse_value("dimensions", "{0,1}"),
            Ok(Value::Integers(vec![0, 1]))
        );
        assert_eq!(parse_value("new", "x"), Ok(Value::Raw("x".into())));
        assert!(parse_value("dimensions", "{0,1} {").is_err());
    }
}
