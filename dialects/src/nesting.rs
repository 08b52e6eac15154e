//! A limit on how deep a text may be nested.
//!
//! MLIR's parser descends by recursion, one level for each bracket: a text of a
//! million brackets would use up the stack, which ends the process. So texts are
//! looked through before they are parsed. No program that a person or a compiler
//! writes comes near the limit.

use std::fmt;

/// How deep brackets may be nested.
pub const MAX_NESTING: usize = 1_000;

/// The stack of a thread that parses, verifies or prints texts at the limit.
pub const STACK_BYTES: usize = 256 << 20;

/// What bytecode begins with, which is not looked through.
const BYTECODE_MAGIC: &[u8] = b"ML\xefR";

/// Whether a program is given as bytecode.
pub fn is_bytecode(code: &[u8]) -> bool {
    code.starts_with(BYTECODE_MAGIC)
}

/// The place at which a text is nested too deep, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooDeep {
    pub line: usize,
    pub column: usize,
}

impl fmt::Display for TooDeep {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "nested more than {MAX_NESTING} levels deep")
    }
}

impl std::error::Error for TooDeep {}

/// Checks that a text is not nested deeper than [`MAX_NESTING`].
///
/// # Errors
/// The first place that is.
pub fn check(code: &[u8]) -> Result<(), TooDeep> {
    if is_bytecode(code) {
        return Ok(());
    }
    let (mut depth, mut line, mut line_start) = (0_usize, 1, 0);
    let mut position = 0;
    while let Some(byte) = code.get(position) {
        match byte {
            b'\n' => {
                line += 1;
                line_start = position + 1;
            }
            b'"' => position = end_of_string(code, position),
            b'/' if code.get(position + 1) == Some(&b'/') => {
                while code.get(position + 1).is_some_and(|next| *next != b'\n') {
                    position += 1;
                }
            }
            // Arrows and comparisons are no brackets.
            b'-' if code.get(position + 1) == Some(&b'>') => position += 1,
            b'>' | b'<' if code.get(position + 1) == Some(&b'=') => position += 1,
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b')' | b']' | b'}' | b'>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_NESTING {
            return Err(TooDeep {
                line,
                column: position - line_start + 1,
            });
        }
        position += 1;
    }
    Ok(())
}

/// The position of the quote that ends a string, or of the end of its line.
fn end_of_string(code: &[u8], start: usize) -> usize {
    let mut position = start + 1;
    while let Some(byte) = code.get(position) {
        match byte {
            b'"' => return position,
            b'\\' => position += 1,
            b'\n' => return position - 1,
            _ => {}
        }
        position += 1;
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(open: &str, close: &str, depth: usize) -> String {
        format!("// {open}\n{}{}", open.repeat(depth), close.repeat(depth))
    }

    #[test]
    fn brackets_are_counted_but_not_in_strings_and_comments() {
        for (open, close) in [("({", "})"), ("[", "]"), ("tuple<", ">"), ("(", ")")] {
            let depth = MAX_NESTING / open.matches(['(', '{', '[', '<']).count();
            assert_eq!(check(nested(open, close, depth).as_bytes()), Ok(()));
            let error = check(nested(open, close, depth + 1).as_bytes()).unwrap_err();
            assert_eq!(error.line, 2);
        }
        let text = format!(
            "\"{}\\\"{}\" // {}",
            "(".repeat(2000),
            "(".repeat(9),
            "(".repeat(2000)
        );
        assert_eq!(check(text.as_bytes()), Ok(()));
        assert_eq!(check("(a) -> b <".repeat(900).as_bytes()), Ok(()));
    }
}
