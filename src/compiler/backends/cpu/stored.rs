//! Machine code in the cache: the object files, and what the runtime needs to run them.

use crate::backends::lowering::Stored;
use halo_runtime::{Error, Result, Signature, host::HostCode};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

/// What is kept beside arena and call sites.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredCode {
    /// Object files that are linked together.
    pub objects: Vec<ByteBuf>,
    pub signature: Signature,
    pub arena_size: usize,
    pub flush_subnormals: bool,
}

impl StoredCode {
    /// What the cache keeps of code that was loaded of objects.
    pub fn of(code: &HostCode, objects: &[&[u8]]) -> Result<Stored> {
        let of_code = Self {
            objects: objects
                .iter()
                .map(|object| ByteBuf::from(*object))
                .collect(),
            signature: code.signature.clone(),
            arena_size: code.arena_size,
            flush_subnormals: code.flush_subnormals,
        };
        let bytes = postcard::to_extend(&of_code, Vec::new());
        Ok(Stored {
            code: bytes.map_err(|error| Error::internal(format!("cannot keep code: {error}")))?,
            arena_largest: code.arena_largest.clone(),
            custom_calls: code.custom_calls.clone(),
        })
    }

    /// Reads what [`of`](Self::of) wrote.
    ///
    /// # Errors
    /// Internal if it is something else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        postcard::from_bytes(bytes)
            .map_err(|error| Error::internal(format!("cannot read kept code: {error}")))
    }
}
