//! Limits on texts, checked before they are parsed.
//!
//! MLIR's parser is recursive, one level for each bracket, and allocates the number of results in
//! `%0#7`: a text of a million brackets would overflow the stack, one large number exhaust memory,
//! and either ends the process. No realistic program comes near the limits. The parser also casts
//! the components of a `#complex.number` to floats unchecked, and crashes if their type is another.

use std::fmt;

/// The maximum nesting of brackets.
pub const MAX_NESTING: usize = 1_000;

/// The largest number of a result.
pub const MAX_RESULT_NUMBER: usize = 1 << 20;

/// The stack of a thread that parses, verifies or prints texts at the limit.
pub const STACK_BYTES: usize = 256 << 20;

/// The magic number of bytecode, which is not checked here.
const BYTECODE_MAGIC: &[u8] = b"ML\xefR";

/// Returns true if a program is bytecode.
pub fn is_bytecode(code: &[u8]) -> bool {
    code.starts_with(BYTECODE_MAGIC)
}

/// Returns true if bytecode has ops to which later versions of StableHLO added attributes, which
/// only `parse_module` supports.
#[doc(hidden)]
pub fn may_hold_older_forms(code: &[u8]) -> bool {
    let contains = |name: &[u8]| code.windows(name.len()).any(|window| window == name);
    is_bytecode(code) && (contains(b"collective_broadcast") || contains(b"top_k"))
}

/// The limit that a text exceeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    Nesting,
    ResultNumber,
    /// A complex number whose components are not floats.
    ComplexNumber,
}

/// The position at which a text exceeds a limit, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Excess {
    pub limit: Limit,
    pub line: usize,
    pub column: usize,
}

impl fmt::Display for Excess {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.limit {
            Limit::Nesting => write!(formatter, "nested more than {MAX_NESTING} levels deep"),
            Limit::ResultNumber => {
                write!(formatter, "no op has more than {MAX_RESULT_NUMBER} results")
            }
            Limit::ComplexNumber => {
                formatter.write_str("the parts of a complex number must have a float type")
            }
        }
    }
}

impl std::error::Error for Excess {}

/// Checks that a text keeps the limits.
///
/// # Errors
/// Returns the first mismatch.
pub fn check(code: &[u8]) -> Result<(), Excess> {
    if is_bytecode(code) {
        return Ok(());
    }
    let (mut depth, mut line, mut line_start) = (0_usize, 1, 0);
    let mut position = 0;
    while let Some(byte) = code.get(position) {
        let mut exceeded = None;
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
            // Arrows and comparisons are not brackets.
            b'-' if code.get(position + 1) == Some(&b'>') => position += 1,
            b'>' | b'<' if code.get(position + 1) == Some(&b'=') => position += 1,
            b'(' | b'[' | b'{' | b'<' => {
                depth += 1;
                exceeded = if depth > MAX_NESTING {
                    Some(Limit::Nesting)
                } else {
                    is_number_of_no_floats(code, position).then_some(Limit::ComplexNumber)
                };
            }
            b')' | b']' | b'}' | b'>' => depth = depth.saturating_sub(1),
            b'#' => {
                let digits = code[position + 1..].iter().take_while(|byte| byte.is_ascii_digit());
                let number = digits.fold(0_usize, |number, digit| {
                    number.saturating_mul(10).saturating_add(usize::from(digit - b'0'))
                });
                exceeded = (number > MAX_RESULT_NUMBER).then_some(Limit::ResultNumber);
            }
            _ => {}
        }
        if let Some(limit) = exceeded {
            return Err(Excess {
                limit,
                line,
                column: position - line_start + 1,
            });
        }
        position += 1;
    }
    Ok(())
}

/// Returns true if a bracket opens `number<:type ...` with a type that is not a float's name.
fn is_number_of_no_floats(code: &[u8], bracket: usize) -> bool {
    let inner = code[bracket + 1..].trim_ascii_start();
    let Some(ty) = inner.strip_prefix(b":") else {
        return false;
    };
    let ty = ty.trim_ascii_start();
    let name = ty.strip_prefix(b"b").or(ty.strip_prefix(b"t"));
    let is_float = matches!(name.unwrap_or(ty), [b'f', b'0'..=b'9', ..]);
    code[..bracket].trim_ascii_end().ends_with(b"number") && !is_float
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

    #[test]
    fn complex_numbers_have_floats_for_parts() {
        for good in [
            "#complex.number<:f32 1.0, 2.0>",
            "#complex<number< : bf16 1.0, 2.0>>",
            "#complex.number<:f8E4M3FN 1.0, 2.0>",
            "number<3>, array<i64: 1>, other<:i1>",
        ] {
            assert_eq!(check(good.as_bytes()), Ok(()), "{good}");
        }
        for bad in [
            "#complex.number<:i1 1.0, 2.0>",
            "#complex<number <: index 1.0, 2.0>>",
            "#complex.number<:!alias 1.0, 2.0>",
        ] {
            let error = check(bad.as_bytes()).unwrap_err();
            assert_eq!(error.limit, Limit::ComplexNumber, "{bad}");
        }
    }

    #[test]
    fn results_have_small_numbers() {
        assert_eq!(check(b"return %0#7, #map, %a#1048576"), Ok(()));
        let error = check(b"a\nreturn %0#1048577").unwrap_err();
        assert_eq!(
            (error.limit, error.line, error.column),
            (Limit::ResultNumber, 2, 10)
        );
    }
}
