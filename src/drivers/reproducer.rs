//! The reproducer of a pass that crashes in `halo-run` or `halo-compile`.

use halo_backend::ReproducerOptions;
use halo_core::file::is_standard_stream;
use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

/// The folder, the current one by default; none if empty.
const FOLDER: &str = "HALO_REPRODUCER_DIR";

/// The reproducer of a program from a file or standard input.
pub fn reproducer(file: &Path) -> Option<ReproducerOptions> {
    let folder = std::env::var_os(FOLDER);
    let tool = std::env::args_os().next().unwrap_or_default();
    in_folder(folder.as_deref(), &tool, file)
}

fn in_folder(folder: Option<&OsStr>, tool: &OsStr, file: &Path) -> Option<ReproducerOptions> {
    if folder.is_some_and(OsStr::is_empty) {
        return None;
    }
    let name = if is_standard_stream(file) {
        OsStr::new("stdin")
    } else {
        file.file_stem().unwrap_or_default()
    };
    let tool = Path::new(tool).file_name().unwrap_or_default();
    Some(ReproducerOptions {
        path: folder.map(PathBuf::from).unwrap_or_default().join(name),
        tool: tool.to_string_lossy().into_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_files() {
        let of = |folder: Option<&str>, file: &str| {
            let tool = OsStr::new("/usr/bin/halo-run");
            in_folder(folder.map(OsStr::new), tool, Path::new(file))
        };
        assert_eq!(of(Some(""), "a.mlir"), None);
        let options = |path: &str| {
            Some(ReproducerOptions {
                path: path.into(),
                tool: "halo-run".to_owned(),
            })
        };
        assert_eq!(of(None, "x/a.b.mlir"), options("a.b"));
        assert_eq!(of(Some("/tmp"), "x/a.mlir"), options("/tmp/a"));
        assert_eq!(of(None, "-"), options("stdin"));
    }
}
