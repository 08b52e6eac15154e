//! Quoted strings, with the escapes of C.

use std::fmt::{self, Write};

/// Writes a string with quotes. Characters other than printable ASCII are written as the octal
/// numbers of their bytes.
pub(crate) fn quoted(out: &mut String, text: &str) -> fmt::Result {
    out.push('"');
    for byte in text.bytes() {
        match byte {
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            b'"' | b'\'' | b'\\' => {
                out.push('\\');
                out.push(char::from(byte));
            }
            b' '..=b'~' => out.push(char::from(byte)),
            _ => write!(out, "\\{byte:03o}")?,
        }
    }
    out.write_char('"')
}

/// Returns true if a text is one pair of matching braces with its contents, so that it can be
/// written without quotes.
pub(super) fn is_dictionary(text: &str) -> bool {
    crate::parser::braces(text) == Some(text.len())
}
