//! Quoted strings.

use super::cursor::{Cursor, Item};
use crate::ParseError;

/// The text of a quoted string, escapes resolved.
pub(super) fn of(cursor: &Cursor, item: &Item) -> Result<String, ParseError> {
    match unescape(item.text()) {
        Some(bytes) => String::from_utf8(bytes)
            .map_err(|_| cursor.error_at(item.offset(), "the string is not UTF-8")),
        None => Err(cursor.error_at(
            item.offset(),
            "the string has an escape that does not exist",
        )),
    }
}

/// The bytes of a quoted string, with C's escapes. `None` for an invalid escape.
pub(crate) fn unescape(quoted: &str) -> Option<Vec<u8>> {
    let inner = quoted.get(1..quoted.len().checked_sub(1)?)?;
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner.as_bytes();
    while let Some(backslash) = memchr::memchr(b'\\', rest) {
        bytes.extend_from_slice(rest.get(..backslash)?);
        rest = rest.get(backslash + 1..)?;
        let (escape, tail) = rest.split_first()?;
        rest = tail;
        match escape {
            b'n' => bytes.push(b'\n'),
            b't' => bytes.push(b'\t'),
            b'r' => bytes.push(b'\r'),
            b'a' => bytes.push(7),
            b'b' => bytes.push(8),
            b'f' => bytes.push(12),
            b'v' => bytes.push(11),
            b'\\' | b'\'' | b'"' | b'?' => bytes.push(*escape),
            b'0'..=b'7' => {
                let mut value = u32::from(escape - b'0');
                for _ in 0..2 {
                    let Some(digit @ b'0'..=b'7') = rest.first() else {
                        break;
                    };
                    value = value * 8 + u32::from(digit - b'0');
                    rest = rest.get(1..)?;
                }
                bytes.push(u8::try_from(value).ok()?);
            }
            b'x' | b'X' => {
                let length = rest.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
                let (digits, tail) = rest.split_at_checked(length)?;
                rest = tail;
                let digits = std::str::from_utf8(digits).ok()?;
                bytes.push(u8::from_str_radix(digits, 16).ok()?);
            }
            b'u' | b'U' => {
                let length = if *escape == b'u' { 4 } else { 8 };
                let (digits, tail) = rest.split_at_checked(length)?;
                rest = tail;
                let digits = std::str::from_utf8(digits).ok()?;
                let code = u32::from_str_radix(digits, 16).ok()?;
                let character = char::from_u32(code)?;
                bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            _ => return None,
        }
    }
    bytes.extend_from_slice(rest);
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::unescape;

    #[test]
    fn escapes_are_those_of_c() {
        let cases: [(&str, Option<&[u8]>); 8] = [
            (r#""plain""#, Some(b"plain")),
            (r#""a\"b\\c\n""#, Some(b"a\"b\\c\n")),
            (r"'it\'s'", Some(b"it's")),
            (r#""\101\7\0""#, Some(b"A\x07\0")),
            (r#""\x41\u00e9""#, Some(b"A\xc3\xa9")),
            (r#""\777""#, None),
            (r#""\q""#, None),
            (r#""\ud800""#, None),
        ];
        for (quoted, bytes) in cases {
            assert_eq!(unescape(quoted).as_deref(), bytes, "{quoted}");
        }
    }
}
