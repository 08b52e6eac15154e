//! A cache of compiled code that outlives the process.
//!
//! Compiling takes longer than running a program once, and most programs are compiled
//! again as they were. A [`CompilationCache`] is a directory of entries: bytes under a
//! [`Key`], which is a hash of all that they were made of, this build of Halo included. It
//! knows neither programs nor executables; a backend decides what it keeps.
//!
//! Entries are machine code, which the process runs. They are therefore taken only from a
//! directory, and from files, that nobody but the user can write to. Entries are written
//! to a temporary file that is renamed, so that any number of processes share a directory
//! without locks, and each has a checksum, so that a damaged one is noticed and removed.
//! The least recently used ones go when the directory is larger than its limit. Whatever
//! goes wrong with the directory costs the time that the cache would have saved, and one
//! warning: a compilation never fails because of its cache.

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

/// The largest size of a cache unless another one is given, in bytes: 1 GiB.
pub const DEFAULT_LIMIT: u64 = 1 << 30;

/// Compiled code in a directory, by keys.
///
/// ```
/// use halo_runtime::compilation_cache::{CompilationCache, DEFAULT_LIMIT, KeyHasher};
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

/// What is known of the directory.
#[derive(Debug)]
enum State {
    /// Nothing has been asked of the cache.
    Unopened,
    Open(Directory),
    /// Something is wrong with it, and that was said.
    Unusable,
}

impl CompilationCache {
    /// The cache in a directory, which is opened, and made if it is not there, at the
    /// first use; at most `limit` bytes of entries are kept.
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

    /// The bytes that were put under a key; `None` if there are none, or if what is there
    /// is damaged or cannot be trusted.
    pub fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let mut state = self.opened();
        let State::Open(directory) = &mut *state else {
            return None;
        };
        match directory.get(key) {
            Ok(found) => {
                #[cfg(feature = "observe")]
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

    /// Puts bytes under a key, in place of others. Bytes that are larger than the cache may
    /// be are not kept.
    pub fn put(&self, key: &Key, bytes: &[u8]) {
        let mut state = self.opened();
        let State::Open(directory) = &mut *state else {
            return;
        };
        match directory.put(key, bytes, self.limit) {
            Ok(()) => {
                #[cfg(feature = "observe")]
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

    /// Says why the cache is not used, once, and leaves it alone from here on.
    fn give_up<T: Default>(&self, state: &mut State, error: &io::Error) -> T {
        *state = State::Unusable;
        let path = self.path.display();
        // A reader who is gone misses nothing.
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
