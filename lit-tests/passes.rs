//! One pass, one file, one lit test, one stem: `expand_math.rs` and `expand_math.mlir` for
//! `--halo-expand-math`.

use crate::root;
use std::{fs, path::Path};

/// What a pass lacks, if anything: a file below a folder of sources that is named after the pass
/// and whose documentation begins with its name and shows IR, or a lit test.
pub fn missing(sources: &Path, argument: &str) -> Option<String> {
    let Some(source) = find(sources, argument, "rs") else {
        return Some(format!("no file of its name documents --{argument}"));
    };
    if !source.contains("//! ```mlir") {
        return Some(format!("the documentation of --{argument} shows no IR"));
    }
    match find(&root(), argument, "mlir") {
        Some(_) => None,
        None => Some(format!("no lit test of its name runs --{argument}")),
    }
}

/// What the files of a pass are called.
fn stem(argument: &str) -> String {
    let name = argument.strip_prefix("halo-").unwrap_or(argument);
    name.replace('-', "_")
}

/// The text of the file, named after the pass or in a folder that is, that begins
/// with the pass's documentation or has a RUN line with the pass.
fn find(folder: &Path, argument: &str, extension: &str) -> Option<String> {
    let stem = stem(argument);
    folder.read_dir().ok()?.flatten().find_map(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return find(&path, argument, extension);
        }
        let named = [path.file_stem(), folder.file_name()].contains(&Some(stem.as_ref()));
        if !named || path.extension()? != extension {
            return None;
        }
        let text = fs::read_to_string(path).ok()?;
        let found = match extension {
            "rs" => text.starts_with(&format!("//! `--{argument}`")),
            _ => text.lines().any(|line| {
                line.starts_with("// RUN:")
                    && line
                        .split([' ', '(', ')', ',', '{', '='])
                        .any(|word| word.trim_start_matches('-').trim_matches('"') == argument)
            }),
        };
        found.then_some(text)
    })
}
