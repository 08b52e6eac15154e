//! The names of entries.

use std::fmt;

use super::loaded_objects;

/// The name of an entry: a hash of all its inputs.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key([u8; blake3::OUT_LEN]);

impl Key {
    /// The bytes of the key, as an input of an entry or of another key.
    pub fn as_bytes(&self) -> &[u8; blake3::OUT_LEN] {
        &self.0
    }

    /// The key of these bytes.
    pub fn from_bytes(bytes: [u8; blake3::OUT_LEN]) -> Self {
        Self(bytes)
    }
}

/// In hexadecimal digits, as the file is named.
impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Key({self})")
    }
}

/// Hashes the inputs of an entry into a key, one after the other. Every key includes the code of
/// this process: another build of Halo, or other plug-ins, result in other keys.
pub struct KeyHasher(blake3::Hasher);

impl KeyHasher {
    /// Begins a key. Keys of different kinds, such as `program`, differ.
    pub fn new(kind: &str) -> Self {
        let hasher = Self(blake3::Hasher::new());
        hasher.part(kind.as_bytes()).part(&loaded_objects::identity())
    }

    /// Adds an input. `ab`, `c` and `a`, `bc` result in different keys.
    #[must_use]
    pub fn part(mut self, bytes: &[u8]) -> Self {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    /// Adds an optional input; a missing one differs from an empty one.
    #[must_use]
    pub fn optional(self, bytes: Option<&[u8]>) -> Self {
        match bytes {
            Some(bytes) => self.part(&[1]).part(bytes),
            None => self.part(&[0]),
        }
    }

    /// The key of all inputs.
    pub fn finish(self) -> Key {
        Key(*self.0.finalize().as_bytes())
    }
}
