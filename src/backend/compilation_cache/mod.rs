//! A cache of compiled code that outlives the process.
//!
//! Compiling takes longer than running a program once, and most programs are compiled again
//! unchanged. A [`CompilationCache`] is a directory of entries: bytes under a [`Key`], which is a
//! hash of all their inputs, this build of Halo included. It is independent of programs and
//! executables; a backend chooses the contents.
//!
//! Entries are machine code, which the process runs. They are therefore read only from a directory,
//! and from files, that only the user can write to. Entries are written to a temporary file that is
//! renamed, so that any number of processes share a directory without locks, and each has a
//! checksum, so that damage is detected and the entry removed. When the directory is larger than
//! its limit, the least recently used entries are removed. Failures of the directory cost the time
//! that the cache would have saved, and one warning: a compilation never fails because of its
//! cache.

mod directory;
mod entry;
mod key;
mod loaded_objects;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use directory::Directory;
pub use key::{Key, KeyHasher};
pub use loaded_objects::identity;

/// The default limit of a cache in bytes: 1 GiB.
pub const DEFAULT_LIMIT: u64 = 1 << 30;

/// Compiled code in a directory, by keys.
///
/// ```
/// use halo_backend::compilation_cache::{CompilationCache, DEFAULT_LIMIT, KeyHasher};
///
/// let directory = tempfile::tempdir().unwrap();
/// let cache = CompilationCache::new(directory.path().join("cache"), DEFAULT_LIMIT);
/// let key = KeyHasher::new("example").part(b"func.func @main()").finish();
/// assert_eq!(cache.get(&key), None);
/// cache.put(&key, b"code");
/// assert_eq!(cache.get(&key).as_deref(), Some(b"code".as_slice()));
/// ```
#[derive(Debug)]
pub struct CompilationCache {
    path: PathBuf,
    limit: u64,
    state: Mutex<State>,
}

/// The state of the directory.
#[derive(Debug)]
enum State {
    /// The cache has not been used.
    Unopened,
    Open(Directory),
    /// The cache cannot be used, which was reported.
    Unusable,
}

impl CompilationCache {
    /// The cache in a directory, which is opened, and created if it does not exist, on first use;
    /// at most `limit` bytes of entries are kept.
    pub fn new(path: impl Into<PathBuf>, limit: u64) -> Self {
        Self {
            path: path.into(),
            limit,
            state: Mutex::new(State::Unopened),
        }
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the bytes that were stored under a key; `None` if there are none, or if the entry is
    /// damaged or cannot be trusted.
    pub fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let mut state = self.opened();
        let State::Open(directory) = &mut *state else {
            return None;
        };
        match directory.get(key) {
            Ok(found) => {
                tracing::debug!(
                    %key,
                    hit = found.is_some(),
                    bytes = found.as_ref().map(Vec::len),
                    "cache asked"
                );
                found
            }
            Err(error) => self.give_up(&mut state, &error),
        }
    }

    /// Stores bytes under a key, replacing others. Bytes larger than the limit are not stored.
    pub fn put(&self, key: &Key, bytes: &[u8]) {
        let mut state = self.opened();
        let State::Open(directory) = &mut *state else {
            return;
        };
        match directory.put(key, bytes, self.limit) {
            Ok(()) => {
                tracing::debug!(%key, bytes = bytes.len(), "entry put into the cache");
            }
            Err(error) => self.give_up(&mut state, &error),
        }
    }

    fn opened(&self) -> MutexGuard<'_, State> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*state, State::Unopened) {
            match Directory::open(&self.path) {
                Ok(directory) => *state = State::Open(directory),
                Err(error) => self.give_up(&mut state, &error),
            }
        }
        state
    }

    /// Reports once why the cache cannot be used, and disables it.
    fn give_up<T: Default>(&self, state: &mut State, error: &io::Error) -> T {
        *state = State::Unusable;
        let path = self.path.display();
        // Errors of a closed standard error are ignored.
        let _ = writeln!(
            io::stderr(),
            "{path}: warning: the compilation cache is not used: {error}"
        );
        T::default()
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
