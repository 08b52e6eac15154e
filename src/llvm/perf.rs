//! Reports compiled code to Linux's `perf`.
//!
//! `perf` reads symbols from files, which JIT code does not have. If the environment variable
//! [`VARIABLE`] is set, each object that is linked into this process adds its functions to a file:
//!
//! | value | file | data for `perf` |
//! |---|---|---|
//! | `map` | `/tmp/perf-PID.map` | the names of functions, at once (`map.rs`) |
//! | `jitdump` | `jit-PID.dump` in the current folder | their code and lines too, after `perf inject --jit` (`jitdump.rs`) |
//!
//! The file is always newly created, never through a link; an existing file of another user is an
//! error.

pub(crate) mod functions;
mod jitdump;
mod lines;
mod map;

use functions::{Function, functions};
use halo_runtime::Error;
use rustix::fs::{Mode, OFlags};
use std::{
    ffi::OsStr,
    fs::File,
    io::{self, ErrorKind},
    path::Path,
};

/// The environment variable that requests a file.
pub const VARIABLE: &str = "HALO_PERF";

/// A file for `perf`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    Map,
    Jitdump,
}

impl Output {
    /// The requested file.
    ///
    /// # Errors
    /// Returns an invalid-input error if the variable has another value.
    pub fn wanted() -> Result<Option<Self>, Error> {
        Self::parse(std::env::var_os(VARIABLE).as_deref())
    }

    fn parse(value: Option<&OsStr>) -> Result<Option<Self>, Error> {
        let value = value.map(OsStr::to_string_lossy);
        let output = match value.as_deref() {
            None | Some("") => return Ok(None),
            Some("map") => Self::Map,
            Some("jitdump") => Self::Jitdump,
            Some(other) => {
                let message = format!("{VARIABLE} is '{other}', and can be 'map' or 'jitdump'");
                return Err(Error::invalid(message));
            }
        };
        if cfg!(target_os = "linux") {
            Ok(Some(output))
        } else {
            Err(Error::invalid(format!(
                "{VARIABLE} is for perf, which is a tool of Linux"
            )))
        }
    }

    /// Adds the functions of an object that is linked into this process. `find` returns the
    /// addresses of symbols by their names.
    ///
    /// # Errors
    /// Returns an internal error if the object cannot be read, an execution error if the file
    /// cannot be written.
    ///
    /// # Safety
    ///
    /// The functions must be at the addresses that `find` returns.
    pub unsafe fn add(
        self,
        object: &[u8],
        find: impl Fn(&str) -> Option<u64>,
    ) -> Result<(), Error> {
        let functions = functions(object, find)?;
        match self {
            Self::Map => map::add(&functions),
            // SAFETY: The caller guarantees their addresses.
            Self::Jitdump => unsafe { jitdump::add(object, &functions) },
        }
    }
}

/// Creates a file that only this user may read. A file of an earlier process with the same number
/// is removed; in a directory such as `/tmp`, that works only for files of the same user.
fn create(path: &Path) -> io::Result<File> {
    let make = || {
        let flags = OFlags::RDWR
            | OFlags::APPEND
            | OFlags::CREATE
            | OFlags::EXCL
            | OFlags::NOFOLLOW
            | OFlags::CLOEXEC;
        Ok(File::from(rustix::fs::open(
            path,
            flags,
            Mode::RUSR | Mode::WUSR,
        )?))
    };
    match make() {
        Err(error) if io::Error::kind(&error) == ErrorKind::AlreadyExists => {
            std::fs::remove_file(path)?;
            make()
        }
        made => made,
    }
}

#[cfg(test)]
#[path = "perf/tests.rs"]
mod tests;
