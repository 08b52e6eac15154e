//! Boolean constants in the syntax of newer versions of MLIR.
//!
//! Large constants are printed as the hexadecimal digits of their bytes. Up to version 22, MLIR
//! packs booleans into bits; later versions use a byte for each. Programs that were exported with a
//! later version are converted to the packed format before they are parsed:
//!
//! ```mlir
//! dense<"0x0001..."> : tensor<100x100xi1>
//! ```

use memchr::memmem;
use std::borrow::Cow;

const PREFIX: &[u8] = b"dense<\"0x";

/// The text with boolean constants packed by the bit. Bytecode and programs
/// without such constants are returned as they are.
pub fn pack(text: &[u8]) -> Cow<'_, [u8]> {
    let mut packed: Option<Vec<u8>> = None;
    let mut copied = 0;
    let mut position = 0;
    while let Some(found) = memmem::find(&text[position..], PREFIX) {
        let start = position + found + PREFIX.len();
        let Some(length) = text[start..].iter().position(|byte| *byte == b'"') else {
            break;
        };
        let end = start + length;
        position = end;
        let Some(bits) = element_count(&text[end + 1..])
            .filter(|count| *count > 1 && count.checked_mul(2) == Some(length))
            .and_then(|_| bits_of(&text[start..end]))
        else {
            continue;
        };
        let output = packed.get_or_insert_default();
        output.extend_from_slice(&text[copied..start]);
        for byte in bits {
            output.extend_from_slice(format!("{byte:02X}").as_bytes());
        }
        copied = end;
    }
    match packed {
        Some(mut output) => {
            output.extend_from_slice(&text[copied..]);
            output.into()
        }
        None => text.into(),
    }
}

/// The number of elements of `> : tensor<2x3xi1>`, which follows the digits.
fn element_count(text: &[u8]) -> Option<usize> {
    let line = text.split(|byte| *byte == b'\n').next()?;
    let rest = std::str::from_utf8(line).ok()?.strip_prefix('>')?;
    let rest = rest.trim_start().strip_prefix(':')?.trim_start();
    let (dims, _) = rest.strip_prefix("tensor<")?.split_once("xi1>")?;
    dims.split('x')
        .try_fold(1_usize, |count, dim| count.checked_mul(dim.parse().ok()?))
}

/// Digits of bytes that are 0 or 1, as bytes of eight bits, the lowest first.
fn bits_of(digits: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = vec![0; (digits.len() / 2).div_ceil(8)];
    for (position, pair) in digits.chunks_exact(2).enumerate() {
        match pair {
            b"00" => {}
            b"01" => bytes[position / 8] |= 1 << (position % 8),
            _ => return None,
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(text: &str) -> String {
        String::from_utf8(pack(text.as_bytes()).into_owned()).unwrap()
    }

    #[test]
    fn one_byte_an_element_becomes_one_bit() {
        assert_eq!(
            packed(
                "a dense<\"0x010001000000000001\"> : tensor<3x3xi1> b dense<\"0x0100\"> : tensor<2xi1>"
            ),
            "a dense<\"0x0501\"> : tensor<3x3xi1> b dense<\"0x01\"> : tensor<2xi1>"
        );
    }

    #[test]
    fn all_else_stays() {
        for text in [
            "dense<\"0x0501\"> : tensor<3x3xi1>",
            "dense<\"0x0100\"> : tensor<2xi8>",
            "dense<\"0x0200\"> : tensor<2xi1>",
            "dense<\"0x01",
            "dense<\"0x0100\"> : tensor<?xi1>",
        ] {
            assert!(matches!(pack(text.as_bytes()), Cow::Borrowed(_)), "{text}");
        }
    }
}
