//! Files that are written whole or not at all.

use std::io::{BufWriter, Write};
use std::path::Path;

use crate::{Error, Result};

/// Writes a file by way of another one beside it, which takes its place once it
/// is complete: nobody sees a part of it, and where writing fails, what was
/// there before stays.
///
/// # Errors
/// If the directory or the disk does not allow it; the message names the file.
pub fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<()> {
    replace(path, write).map_err(|error| Error::file(path.display().to_string(), error))
}

fn replace(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if !directory.is_dir() {
        let message = format!("there is no directory {}", directory.display());
        return Err(std::io::Error::new(std::io::ErrorKind::NotFound, message));
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".halo-");
    #[cfg(unix)]
    {
        // What any newly created file has; a temporary file's default is
        // closed to all others.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let file = builder.tempfile_in(directory)?;
    let mut writer = BufWriter::new(file);
    write(&mut writer)?;
    let file = writer.into_inner().map_err(|error| error.into_error())?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_leaves_what_was_there() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        write_whole(&path, |file| file.write_all(b"first")).unwrap();
        let error = write_whole(&path, |file| {
            file.write_all(b"second")?;
            Err(std::io::Error::other("no more"))
        });
        let message = error.unwrap_err().to_string();
        assert_eq!(message, format!("{}: error: no more", path.display()));
        assert_eq!(std::fs::read(&path).unwrap(), b"first");
        // Nothing else is left.
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    }
}
