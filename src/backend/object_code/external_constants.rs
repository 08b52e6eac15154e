//! The constants of a program in a file next to its code, which the application maps.
//!
//! | bytes | contents |
//! |---|---|
//! | 0 to 8 | `HALOWGTS` |
//! | 8 to 12 | [`VERSION`] |
//! | 12 to 16 | the offset of the constants: 64 |
//! | 16 to 24 | the size of the file |
//! | 24 to 32 | a hash of the program's name, inputs and outputs |
//! | 32 to 40 | [XXH64](https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md) of the constants, with the seed 0 |
//! | 40 to 64 | zeros |
//! | from 64 | the constants, each at a multiple of 64 |
//!
//! Numbers are little-endian. A run compares the first 40 bytes with the header that the program
//! expects, so that the file of another program, or of another version of it, is refused at no
//! cost; the constants are hashed when the file is opened.

use halo_runtime::Signature;
use std::fmt;
use twox_hash::XxHash64;

/// The version of the file's format.
pub const VERSION: u32 = 1;
/// The offset of the constants, and the alignment of their addresses.
pub const ALIGNMENT: usize = 64;
/// The bytes that a run compares.
const COMPARED: usize = 40;

const MAGIC: [u8; 8] = *b"HALOWGTS";

/// The file of a program's constants.
#[derive(Clone, PartialEq, Eq)]
pub struct ExternalConstants {
    bytes: Vec<u8>,
    program: u64,
    content: u64,
}

impl ExternalConstants {
    /// The file of the constants of a program.
    pub fn new(constants: &[u8], signature: &Signature) -> Self {
        let padded = constants.len().next_multiple_of(ALIGNMENT);
        let size = ALIGNMENT + padded;
        let mut bytes = Vec::with_capacity(size);
        bytes.resize(ALIGNMENT, 0);
        bytes.extend_from_slice(constants);
        bytes.resize(size, 0);
        let content = XxHash64::oneshot(0, &bytes[ALIGNMENT..]);
        let hash = blake3::hash(signature.to_string().as_bytes());
        let program = hash.as_bytes().first_chunk().copied().unwrap_or_default();
        let program = u64::from_le_bytes(program);
        let start = [
            &MAGIC[..],
            &VERSION.to_le_bytes(),
            &(ALIGNMENT as u32).to_le_bytes(),
            &(size as u64).to_le_bytes(),
            &program.to_le_bytes(),
            &content.to_le_bytes(),
        ];
        bytes[..COMPARED].copy_from_slice(&start.concat());
        Self {
            bytes,
            program,
            content,
        }
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The header that a run compares with the program's.
    pub fn start(&self) -> &[u8] {
        &self.bytes[..COMPARED]
    }

    /// XXH64 of the constants.
    pub fn content(&self) -> u64 {
        self.content
    }
}

impl fmt::Debug for ExternalConstants {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ExternalConstants")
            .field("size", &self.bytes.len())
            .field("program", &self.program)
            .field("content", &self.content)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_begin_with_what_a_run_compares() {
        let file = ExternalConstants::new(&[7; 65], &Signature::default());
        let other = ExternalConstants::new(&[8; 65], &Signature::default());
        assert_eq!(file.bytes().len(), 64 + 128);
        assert_eq!(&file.bytes()[..16], b"HALOWGTS\x01\0\0\0\x40\0\0\0");
        assert_eq!(&file.bytes()[16..24], &192_u64.to_le_bytes());
        assert_eq!(&file.bytes()[32..40], &file.content().to_le_bytes());
        assert_eq!(&file.bytes()[40..64], &[0; 24]);
        assert_eq!(&file.bytes()[64..129], &[7; 65]);
        assert_eq!(&file.bytes()[129..], &[0; 63]);
        assert_eq!(file.start()[..32], other.start()[..32]);
        assert_ne!(file.start(), other.start());
        let signature = Signature {
            name: "other".to_owned(),
            ..Signature::default()
        };
        let renamed = ExternalConstants::new(&[7; 65], &signature);
        assert_ne!(file.start(), renamed.start());
    }
}
