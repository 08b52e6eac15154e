//! `/tmp/perf-PID.map`, in which a process lists its functions: a line of address, size and name
//! for each.
//!
//! All users can write to `/tmp`, so the file is always newly created.

use super::{Function, VARIABLE, create};
use halo_runtime::Error;
use std::{
    fs::File,
    io::Write,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// The file of this process, once created.
static MAP: Mutex<Option<File>> = Mutex::new(None);

/// Adds functions to the file of this process.
///
/// # Errors
/// Returns an execution error if it cannot be written.
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
pub(super) fn path(folder: &Path) -> PathBuf {
    folder.join(format!("perf-{}.map", std::process::id()))
}

/// Lines of addresses and sizes in hexadecimal digits.
pub(super) fn text(functions: &[Function]) -> String {
    let lines = functions.iter().map(|function| {
        let name = function.name.replace(char::is_control, "?");
        format!("{:x} {:x} {name}\n", function.address, function.size)
    });
    lines.collect()
}
