//! The files of a cache.
//!
//! The directory is opened and checked once, and then accessed by its descriptor: renaming a
//! directory above it cannot substitute another one.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, File};
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat};
use rustix::process::{geteuid, getpid};

use super::Key;
use super::entry::{self, Contents};

/// The prefix of files that are being written.
const UNFINISHED: &[u8] = b".new-";

/// The age of temporary files that are removed because their writer was killed.
const ABANDONED: Duration = Duration::from_secs(3600);

/// The fraction of the limit that is written before the size of the directory is computed again.
const PARTS: u64 = 16;

/// A directory that only the user can write to.
#[derive(Debug)]
pub(super) struct Directory {
    descriptor: OwnedFd,
    /// Bytes that may be written before the size of all entries is computed again.
    allowance: u64,
}

impl Directory {
    /// Opens a directory, which is created if it does not exist.
    ///
    /// # Errors
    /// Returns an error if that fails, or others can write to it.
    pub fn open(path: &Path) -> io::Result<Self> {
        let linked = match fs::symlink_metadata(path) {
            Ok(found) => found.is_symlink().then_some(found.uid()),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                DirBuilder::new().recursive(true).mode(0o700).create(path)?;
                None
            }
            Err(error) => return Err(error),
        };
        if linked.is_some_and(|owner| owner != 0 && owner != user()) {
            return Err(io::Error::other("it is a symbolic link of another user"));
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let descriptor = rustix::fs::open(path, flags, Mode::empty())?;
        check(&rustix::fs::fstat(&descriptor)?)?;
        Ok(Self {
            descriptor,
            allowance: 0,
        })
    }

    /// Returns the bytes under a key. Removes damaged or untrusted entries.
    ///
    /// # Errors
    /// Returns an error if the directory cannot be read.
    pub fn get(&self, key: &Key) -> io::Result<Option<Vec<u8>>> {
        let name = key.to_string();
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let descriptor = match rustix::fs::openat(&self.descriptor, &name, flags, Mode::empty()) {
            Ok(descriptor) => descriptor,
            Err(rustix::io::Errno::NOENT) => return Ok(None),
            // A symbolic link, for example.
            Err(_) => return Ok(self.remove(name.as_ref())),
        };
        let found = rustix::fs::fstat(&descriptor)?;
        if FileType::from_raw_mode(found.st_mode) != FileType::RegularFile || check(&found).is_err()
        {
            return Ok(self.remove(name.as_ref()));
        }
        let mut file = File::from(descriptor);
        let mut bytes = Vec::with_capacity(usize::try_from(found.st_size).unwrap_or_default());
        file.read_to_end(&mut bytes)?;
        match entry::open(key, bytes) {
            Contents::Whole(bytes) => {
                // The time of its last use; if it cannot be set, the entry is evicted earlier.
                let _ = file.set_modified(SystemTime::now());
                Ok(Some(bytes))
            }
            Contents::Foreign => Ok(None),
            Contents::Damaged => Ok(self.remove(name.as_ref())),
        }
    }

    /// Puts bytes under a key, and removes entries that have not been used for long.
    ///
    /// # Errors
    /// Returns an error if they cannot be written.
    pub fn put(&mut self, key: &Key, bytes: &[u8], limit: u64) -> io::Result<()> {
        let size = entry::size(bytes);
        if size > limit {
            return Ok(());
        }
        if size > self.allowance {
            let left = self.make_room(limit - size)?;
            self.allowance = (limit / PARTS).min(limit - left);
        }
        self.allowance = self.allowance.saturating_sub(size);
        let (name, file) = self.create()?;
        let written = write(file, &entry::header(key, bytes), bytes).and_then(|()| {
            let directory = self.descriptor.as_fd();
            Ok(rustix::fs::renameat(
                directory,
                &name,
                directory,
                key.to_string(),
            )?)
        });
        if written.is_err() {
            self.remove::<()>(&name);
        }
        written
    }

    /// A new file, which becomes an entry under another name.
    fn create(&self) -> io::Result<(OsString, File)> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        loop {
            let mut name = UNFINISHED.to_vec();
            let process = getpid().as_raw_nonzero();
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            // Processes of several machines or containers may share numbers.
            let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
            let time = time.unwrap_or_default().as_nanos();
            name.extend(format!("{process}-{number}-{time}").into_bytes());
            let name = OsStr::from_bytes(&name).to_owned();
            let mode = Mode::RUSR | Mode::WUSR;
            match rustix::fs::openat(&self.descriptor, &name, flags, mode) {
                Ok(descriptor) => return Ok((name, File::from(descriptor))),
                Err(rustix::io::Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Removes abandoned temporary files, and then the least recently used entries, until the size
    /// is within a limit; returns the size.
    fn make_room(&self, limit: u64) -> io::Result<u64> {
        let now = SystemTime::now();
        let mut entries = Vec::new();
        let mut total = 0u64;
        for file in Dir::read_from(&self.descriptor)? {
            let file = file?;
            let name = OsStr::from_bytes(file.file_name().to_bytes()).to_owned();
            let flags = AtFlags::SYMLINK_NOFOLLOW;
            // Another process may have removed it.
            let Ok(found) = rustix::fs::statat(&self.descriptor, &name, flags) else {
                continue;
            };
            if FileType::from_raw_mode(found.st_mode) != FileType::RegularFile {
                continue;
            }
            let size = u64::try_from(found.st_size).unwrap_or_default();
            let used = last_used(&found);
            if name.as_bytes().starts_with(UNFINISHED) {
                let age = now.duration_since(used).unwrap_or_default();
                if age > ABANDONED {
                    self.remove::<()>(&name);
                }
            } else if is_entry(&name) {
                total = total.saturating_add(size);
                entries.push((used, name, size));
            }
        }
        if total <= limit {
            return Ok(total);
        }
        entries.sort_unstable();
        for (_, name, size) in entries {
            if total <= limit - limit / PARTS {
                break;
            }
            self.remove::<()>(&name);
            total -= size;
        }
        Ok(total)
    }

    /// Removes a file, if it exists.
    fn remove<T: Default>(&self, name: &OsStr) -> T {
        let _ = rustix::fs::unlinkat(&self.descriptor, name, AtFlags::empty());
        T::default()
    }
}

/// Writes a whole file. The rename that follows may become durable before the contents do, which
/// the checksum detects.
fn write(mut file: File, header: &[u8], bytes: &[u8]) -> io::Result<()> {
    file.write_all(header)?;
    file.write_all(bytes)
}

/// Returns true if a file has the name of an entry: no other file is removed.
fn is_entry(name: &OsStr) -> bool {
    let name = name.as_bytes();
    name.len() == 2 * blake3::OUT_LEN && name.iter().all(u8::is_ascii_hexdigit)
}

fn last_used(found: &Stat) -> SystemTime {
    let seconds = u64::try_from(found.st_mtime).unwrap_or_default();
    let nanoseconds = u32::try_from(found.st_mtime_nsec).unwrap_or_default();
    SystemTime::UNIX_EPOCH + Duration::new(seconds, nanoseconds)
}

/// Fails if other users can write to a file or a directory.
fn check(found: &Stat) -> io::Result<()> {
    let others = Mode::WGRP | Mode::WOTH;
    let mode = Mode::from_raw_mode(found.st_mode);
    if found.st_uid != user() {
        return Err(io::Error::other("it belongs to another user"));
    }
    if mode.intersects(others) {
        Err(io::Error::other(format!(
            "others can write to it: its mode is {:04o}",
            found.st_mode & 0o7777
        )))
    } else {
        Ok(())
    }
}

/// The user that this process acts for.
fn user() -> u32 {
    geteuid().as_raw()
}
