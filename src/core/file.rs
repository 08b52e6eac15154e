//! Files that are written completely or not at all, and other access to files
//! by name.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// Writes the file of a name.
///
/// A regular file is written through a temporary file next to it, which replaces it once it is
/// complete: no reader sees a partial file, and if writing fails, the old content stays. The file
/// keeps its mode and owner, and a symbolic link keeps pointing at it. If the file cannot be
/// replaced, because it has other names or its directory is not writable, its content is replaced
/// once all of the new content is available. Anything else, such as a device, a FIFO or
/// `/dev/stdout`, is written to directly.
///
/// # Errors
/// Returns an error if the file, its directory or the disk does not allow it; the message names the
/// file.
pub fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let write = |file: File| {
        let mut writer = BufWriter::new(file);
        write(&mut writer)?;
        writer.into_inner().map_err(io::IntoInnerError::into_error)
    };
    write_named(path, write).map_err(|error| Error::file(path.display().to_string(), error))
}

fn write_named(path: &Path, write: impl FnOnce(File) -> io::Result<File>) -> io::Result<()> {
    match std::fs::metadata(path) {
        Ok(found) if found.is_file() && !names_descriptor(path) => {
            replace(&std::fs::canonicalize(path)?, &found, write)
        }
        Ok(found) if found.is_dir() => Err(ErrorKind::IsADirectory.into()),
        Ok(_) => {
            // Appends to the content that a shell's `>>` keeps.
            write(OpenOptions::new().append(true).open(path)?)?;
            Ok(())
        }
        Err(error) if error.kind() == ErrorKind::NotFound => create(&target(path), write),
        Err(error) => Err(error),
    }
}

/// Returns true if a name such as `/dev/stdout` represents an open file, which others may also
/// write to.
fn names_descriptor(path: &Path) -> bool {
    ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder))
}

/// The target of a chain of symbolic links, even if it does not exist.
fn target(path: &Path) -> PathBuf {
    let mut target = path.to_owned();
    while let Ok(next) = std::fs::read_link(&target) {
        target = directory(&target).join(next);
    }
    target
}

/// The directory that a file is in.
fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Creates a file that does not exist.
fn create(path: &Path, write: impl FnOnce(File) -> io::Result<File>) -> io::Result<()> {
    check_target(path)?;
    let file = beside(path)?;
    write(file.as_file().try_clone()?)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Checks that a file of this name can be created, before a possibly long computation.
///
/// # Errors
/// Returns an error if it is a directory, or its directory does not exist.
pub fn check_target(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    let directory = directory(path);
    if directory.is_dir() {
        return Ok(());
    }
    let message = format!("there is no directory {}", directory.display());
    Err(io::Error::new(ErrorKind::NotFound, message))
}

/// Checks that [`write_whole`] can write a file, before a possibly long computation. The file is
/// not changed.
///
/// # Errors
/// Returns the errors of [`write_whole`].
pub fn check_writable(path: &Path) -> Result<()> {
    let checked = match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(ErrorKind::IsADirectory.into()),
        // Opening a FIFO would wait for its reader.
        Ok(found) if !found.is_file() => Ok(()),
        Ok(_) => OpenOptions::new().append(true).open(path).map(drop),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let target = target(path);
            check_target(&target).and_then(|()| beside(&target).map(drop))
        }
        Err(error) => Err(error),
    };
    checked.map_err(|error| Error::file(path.display().to_string(), error))
}

/// Replaces the content of a regular file.
fn replace(
    path: &Path,
    found: &Metadata,
    write: impl FnOnce(File) -> io::Result<File>,
) -> io::Result<()> {
    // A user without write permission for the file must not replace it either.
    let old = OpenOptions::new().write(true).open(path)?;
    let Some(file) = successor(path, found)? else {
        return overwrite(old, write(tempfile::tempfile()?)?);
    };
    write(file.as_file().try_clone()?)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// An empty file that can replace a regular one and has its mode and owner; `None` if replacing is
/// impossible.
#[cfg(unix)]
fn successor(path: &Path, found: &Metadata) -> io::Result<Option<tempfile::NamedTempFile>> {
    use std::os::unix::fs::{MetadataExt, fchown};
    if found.nlink() > 1 {
        return Ok(None);
    }
    let file = match beside(path) {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => return Ok(None),
        file => file?,
    };
    let made = file.as_file().metadata()?;
    if (made.uid(), made.gid()) != (found.uid(), found.gid())
        && fchown(file.as_file(), Some(found.uid()), Some(found.gid())).is_err()
    {
        return Ok(None);
    }
    file.as_file().set_permissions(found.permissions())?;
    Ok(Some(file))
}

#[cfg(not(unix))]
fn successor(path: &Path, _: &Metadata) -> io::Result<Option<tempfile::NamedTempFile>> {
    beside(path).map(Some)
}

/// A temporary file in the directory of another, for its new content.
fn beside(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".halo-");
    #[cfg(unix)]
    {
        // The permissions of any newly created file; temporary files are by default private.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(directory(path))
}

/// Overwrites the content of a file.
fn overwrite(mut old: File, mut new: File) -> io::Result<()> {
    new.rewind()?;
    let length = io::copy(&mut new, &mut old)?;
    old.set_len(length)
}

/// Reads all of a file, or of standard input if the name is `-`.
///
/// # Errors
/// Returns an error if it cannot be read; the message names it.
pub fn read_input(path: &Path) -> Result<Vec<u8>> {
    if !is_standard_stream(path) {
        return std::fs::read(path).map_err(|error| Error::file(path.display().to_string(), error));
    }
    let mut content = Vec::new();
    match io::stdin().read_to_end(&mut content) {
        Ok(_) => Ok(content),
        Err(error) => Err(Error::file(input_name(path), error)),
    }
}

/// The name of an input in messages.
pub fn input_name(path: &Path) -> String {
    if is_standard_stream(path) {
        "<stdin>".to_owned()
    } else {
        path.display().to_string()
    }
}

/// Returns true if a name on a command line represents standard input or output.
pub fn is_standard_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
