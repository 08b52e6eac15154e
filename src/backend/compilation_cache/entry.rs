//! The format of an entry: a header of a magic number, the version of the format, the number of
//! bytes after the header and a checksum of these and of the key.

use super::Key;

const MAGIC: [u8; 8] = *b"HALOCODE";

/// The version of the format. Files of other versions are ignored.
const VERSION: u32 = 1;

/// Bytes of the header.
const HEADER: usize = MAGIC.len() + 4 + 8 + blake3::OUT_LEN;

/// The type of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Contents {
    /// The stored bytes.
    Whole(Vec<u8>),
    /// Of another version.
    Foreign,
    /// Truncated, changed, or not an entry.
    Damaged,
}

/// The header of an entry.
pub(super) fn header(key: &Key, bytes: &[u8]) -> Vec<u8> {
    let mut header = Vec::with_capacity(HEADER);
    header.extend(MAGIC);
    header.extend(VERSION.to_le_bytes());
    header.extend((bytes.len() as u64).to_le_bytes());
    header.extend(checksum(key, bytes).as_bytes());
    header
}

/// The size of the file of an entry.
pub(super) fn size(bytes: &[u8]) -> u64 {
    (HEADER + bytes.len()) as u64
}

/// Reads a file.
pub(super) fn open(key: &Key, mut file: Vec<u8>) -> Contents {
    let Some((magic, rest)) = file.split_first_chunk() else {
        return Contents::Damaged;
    };
    let Some((version, rest)) = rest.split_first_chunk() else {
        return Contents::Damaged;
    };
    if *magic != MAGIC {
        return Contents::Damaged;
    }
    if u32::from_le_bytes(*version) != VERSION {
        return Contents::Foreign;
    }
    let Some((length, rest)) = rest.split_first_chunk() else {
        return Contents::Damaged;
    };
    let Some((expected, bytes)) = rest.split_first_chunk::<{ blake3::OUT_LEN }>() else {
        return Contents::Damaged;
    };
    let is_whole = u64::from_le_bytes(*length) == bytes.len() as u64
        && checksum(key, bytes) == blake3::Hash::from_bytes(*expected);
    if is_whole {
        Contents::Whole(file.split_off(HEADER))
    } else {
        Contents::Damaged
    }
}

fn checksum(key: &Key, bytes: &[u8]) -> blake3::Hash {
    blake3::keyed_hash(key.as_bytes(), bytes)
}
