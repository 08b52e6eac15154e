//! Machine code in the cache: object files, which are separate entries, and the data that the
//! runtime needs to run them.

use crate::Stored;
use halo_backend::{CompilationCache, compilation_cache::Key};
use halo_llvm::compile::Object;
use halo_runtime::{
    Error, Result, Signature,
    host::{HostCode, SizeElement},
};
use serde::{Deserialize, Serialize};

/// The data stored in addition to arena and call sites.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredCode {
    /// The keys of the object files that are linked together.
    objects: Vec<[u8; 32]>,
    pub signature: Signature,
    /// The messages of the checks of sizes and the elements that sizes depend on, for a program of
    /// dynamic shape.
    pub sizes: Option<(Vec<String>, Vec<SizeElement>)>,
    pub arena_size: usize,
    pub flush_subnormals: bool,
}

impl StoredCode {
    /// The cache entry of code that was loaded from objects.
    pub fn of(code: &HostCode, objects: &[Object]) -> Result<Stored> {
        let keys = objects.iter().map(|object| object.kept);
        let keys: Option<Vec<Key>> = keys.collect();
        let keys = keys.ok_or_else(|| Error::internal("an object is not in the cache"))?;
        let of_code = Self {
            objects: keys.iter().map(|key| *key.as_bytes()).collect(),
            signature: code.signature.clone(),
            sizes: code
                .sizes
                .as_ref()
                .map(|sizes| (sizes.messages.clone(), sizes.elements.clone())),
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

    /// The object files.
    ///
    /// # Errors
    /// Returns an internal error if one was evicted from the cache.
    pub fn objects(&self, cache: Option<&CompilationCache>) -> Result<Vec<Vec<u8>>> {
        let object = |key: &[u8; 32]| cache?.get(&Key::from_bytes(*key));
        let objects = self.objects.iter();
        let objects = objects.map(object).collect::<Option<_>>();
        objects.ok_or_else(|| Error::internal("an object is not in the cache any more"))
    }

    /// Parses the output of [`of`](Self::of).
    ///
    /// # Errors
    /// Returns an internal error for other bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        postcard::from_bytes(bytes)
            .map_err(|error| Error::internal(format!("cannot read kept code: {error}")))
    }
}
