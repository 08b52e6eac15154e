//! The names of compiled functions for Linux's `perf`.
//!
//! `perf` knows the symbols of files, and a JIT has none. It looks for
//! `/tmp/perf-PID.map`, in which a process says where its functions are: a line of address,
//! size and name for each. Where the environment variable [`VARIABLE`] is `map`, each object
//! that is linked into this process adds its functions.
//!
//! Everybody can write to `/tmp`. The file is made anew, never through a link, and one of
//! another user in its place is an error.

use halo_runtime::Error;
use object::{Object, ObjectSection, ObjectSymbol, SectionIndex, SymbolKind};
use rustix::fs::{Mode, OFlags};
use std::{
    collections::HashMap,
    ffi::OsStr,
    fs::File,
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// The environment variable that asks for the file.
pub const VARIABLE: &str = "HALO_PERF";

/// The file of this process, once it is there.
static MAP: Mutex<Option<File>> = Mutex::new(None);

/// A function of this process.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Function {
    pub address: u64,
    pub size: u64,
    pub name: String,
}

/// Whether the file is asked for.
///
/// # Errors
/// Invalid input if the variable has another value.
pub fn is_wanted() -> Result<bool, Error> {
    parse(std::env::var_os(VARIABLE).as_deref())
}

fn parse(value: Option<&OsStr>) -> Result<bool, Error> {
    match value.map(OsStr::to_string_lossy).as_deref() {
        None | Some("") => Ok(false),
        Some("map") if cfg!(target_os = "linux") => Ok(true),
        Some("map") => Err(Error::invalid(format!(
            "{VARIABLE}=map is for perf, which is a tool of Linux"
        ))),
        Some(other) => Err(Error::invalid(format!(
            "{VARIABLE} is '{other}', and can only be 'map'"
        ))),
    }
}

/// The functions of an object that is linked into this process. `find` gives the addresses of
/// symbols by their names; functions that only the object can name are found by their distance
/// from one in the same section.
///
/// # Errors
/// Internal if the object cannot be read.
pub fn functions(
    object: &[u8],
    find: impl Fn(&str) -> Option<u64>,
) -> Result<Vec<Function>, Error> {
    let unreadable = |error| Error::internal(format!("an object cannot be read: {error}"));
    let file = object::File::parse(object).map_err(unreadable)?;
    let mut in_file = Vec::new();
    let mut sections: HashMap<usize, u64> = HashMap::new();
    for symbol in file.symbols() {
        let is_function = symbol.kind() == SymbolKind::Text && symbol.is_definition();
        let (Some(section), Ok(name)) = (symbol.section_index(), symbol.name()) else {
            continue;
        };
        if !is_function || name.is_empty() {
            continue;
        }
        let section = section.0;
        if symbol.is_global()
            && !sections.contains_key(&section)
            && let Some(address) = find(name)
        {
            sections.insert(section, address.wrapping_sub(symbol.address()));
        }
        in_file.push((section, symbol.address(), symbol.size(), name.to_owned()));
    }
    in_file.sort_unstable();
    let mut found = Vec::new();
    for (position, (section, offset, size, name)) in in_file.iter().enumerate() {
        let Some(base) = sections.get(section) else {
            continue;
        };
        // One without a size, such as a function in assembly, ends where the next one begins.
        let next = in_file[position + 1..].iter();
        let next = next
            .filter(|(other, start, ..)| other == section && start > offset)
            .map(|(_, start, ..)| *start)
            .next();
        let end = next.or_else(|| Some(file.section_by_index(SectionIndex(*section)).ok()?.size()));
        let size = match size {
            0 => end.unwrap_or(*offset).saturating_sub(*offset),
            size => *size,
        };
        found.push(Function {
            address: base.wrapping_add(*offset),
            size,
            name: name.clone(),
        });
    }
    Ok(found)
}

/// Adds functions to the file of this process.
///
/// # Errors
/// Execution if it cannot be written.
pub fn add(functions: &[Function]) -> Result<(), Error> {
    let path = path(Path::new("/tmp"));
    let mut map = MAP.lock().unwrap_or_else(PoisonError::into_inner);
    let written = (|| {
        let file = match &mut *map {
            Some(file) => file,
            None => map.insert(create(&path)?),
        };
        file.write_all(text(functions).as_bytes())
    })();
    written.map_err(|error| {
        Error::execution(format!(
            "{VARIABLE}=map: cannot write {}: {error}",
            path.display()
        ))
    })
}

/// The file that `perf` looks for.
fn path(folder: &Path) -> PathBuf {
    folder.join(format!("perf-{}.map", std::process::id()))
}

/// Lines of addresses and sizes in hexadecimal digits.
fn text(functions: &[Function]) -> String {
    let lines = functions.iter().map(|function| {
        let name = function.name.replace(char::is_control, "?");
        format!("{:x} {:x} {name}\n", function.address, function.size)
    });
    lines.collect()
}

/// Makes the file. An earlier process of the same number may have left one, which is removed;
/// in a directory such as `/tmp`, that works for files of the same user alone.
fn create(path: &Path) -> io::Result<File> {
    let make = || {
        let flags = OFlags::WRONLY
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
#[path = "perf_map_tests.rs"]
mod tests;
