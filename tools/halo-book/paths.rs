//! Paths in inline code of documents, and excerpts of files.

use crate::pages::is_generated;
use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

/// The folders of the repository that documents name.
const FOLDERS: [&str; 8] = [
    "dialects",
    "docs",
    "editors",
    "examples",
    "lit-tests",
    "src",
    "tools",
    ".github",
];

/// Folders of build output and third-party files.
const LEFT_OUT: [&str; 4] = ["target", "node_modules", ".venv", "__pycache__"];

/// The suffixes of source files.
const EXTENSIONS: [&str; 11] = [
    "c", "cpp", "h", "hlo", "ll", "md", "mlir", "py", "rs", "sh", "td",
];

/// The prefixes of paths in the repositories of StableHLO and Shardy.
const UPSTREAM: [&str; 4] = ["docs/spec.md", "docs/vhlo.md", "stablehlo/", "shardy/"];

/// The files and folders of a repository without generated pages, with a slash before and after
/// each.
///
/// # Errors
/// Returns the error of a folder that cannot be read.
pub fn all(root: &Path) -> io::Result<BTreeSet<String>> {
    let mut files = BTreeSet::new();
    let mut folders: Vec<PathBuf> = FOLDERS.map(|folder| root.join(folder)).to_vec();
    while let Some(folder) = folders.pop() {
        let name = folder.strip_prefix(root).unwrap_or(&folder);
        if is_generated(&name.to_string_lossy()) {
            continue;
        }
        files.insert(format!("/{}/", name.display()));
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if !path.is_dir() {
                let name = path.strip_prefix(root).unwrap_or(&path);
                files.insert(format!("/{}/", name.display()));
            } else if !LEFT_OUT.iter().any(|name| path.ends_with(name)) {
                folders.push(path);
            }
        }
    }
    Ok(files)
}

/// Returns true if a path is one of the files, or the last components of one.
pub fn has(files: &BTreeSet<String>, path: &str) -> bool {
    let end = format!("/{}/", path.trim_matches('/'));
    files.iter().any(|file| file.ends_with(&end))
}

/// The paths in inline code: one path, or the alternatives of `a/{b,c}.rs`.
pub fn named(code: &str) -> Vec<String> {
    let is_path = code.contains('/')
        && code
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || "_./{},-".contains(letter))
        && !UPSTREAM.iter().any(|start| code.starts_with(start));
    if !is_path {
        return Vec::new();
    }
    let mut paths = alternatives(code);
    paths.retain(|path| is_of_repository(path));
    paths
}

fn is_of_repository(path: &str) -> bool {
    // Words in capitals are placeholders for names.
    let stands_for_name = path
        .split(['/', '.'])
        .any(|part| !part.is_empty() && part.chars().all(|letter| letter.is_ascii_uppercase()));
    let extension = Path::new(path).extension().and_then(|name| name.to_str());
    let is_file = extension.is_some_and(|extension| EXTENSIONS.contains(&extension));
    let first = path.split('/').next().unwrap_or_default();
    !stands_for_name && (is_file || FOLDERS.contains(&first))
}

/// Expands the braces of a text to all alternatives.
fn alternatives(text: &str) -> Vec<String> {
    let parts = text.split_once('}').and_then(|(before, after)| {
        let (before, middle) = before.rsplit_once('{')?;
        Some((before, middle, after))
    });
    let Some((before, middle, after)) = parts else {
        return vec![text.to_owned()];
    };
    middle
        .split(',')
        .flat_map(|choice| alternatives(&format!("{before}{choice}{after}")))
        .collect()
}

/// Returns true if a text is part of a file, at any indentation. A line `...` matches any lines.
pub fn is_excerpt(text: &str, file: &str) -> bool {
    let lines =
        |text: &str| -> Vec<String> { text.lines().map(|line| line.trim().to_owned()).collect() };
    let file = lines(file);
    let mut rest = file.as_slice();
    let parts = lines(text.trim_end());
    for part in parts.split(|line| line == "...").filter(|part| !part.is_empty()) {
        let Some(position) = rest.windows(part.len()).position(|lines| lines == part) else {
            return false;
        };
        rest = &rest[position + part.len()..];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_from_code() {
        for (code, paths) in [
            ("a/{b,c}.rs", vec!["a/b.rs", "a/c.rs"]),
            ("src/core/", vec!["src/core/"]),
            (
                "{a,b/c}/{d,e}.td",
                vec!["a/d.td", "a/e.td", "b/c/d.td", "b/c/e.td"],
            ),
            // A command, a fraction, a name, files of upstream and of this machine.
            ("cat src/a.rs", vec![]),
            ("1/2", vec![]),
            ("src/NAME.rs", vec![]),
            ("stablehlo/tests/x.td", vec![]),
            ("target/x", vec![]),
        ] {
            assert_eq!(named(code), paths, "{code}");
        }
    }

    #[test]
    fn a_path_is_the_end_of_a_file() {
        let files = all(&crate::pages::root()).unwrap();
        for path in [
            "tools/halo-book/paths.rs",
            "halo-book/paths.rs",
            "src/core/",
        ] {
            assert!(has(&files, path), "{path}");
        }
        for path in [
            "book/paths.rs",
            "halo-book/path.rs",
            "src/cor",
            "docs/passes",
        ] {
            assert!(!has(&files, path), "{path}");
        }
    }

    #[test]
    fn excerpts_have_lines_of_their_file_in_order() {
        let file = "fn a() {\n    b();\n    c();\n}\n";
        for text in ["b();\nc();\n", "fn a() {\n...\n}\n", "...\n  c();\n"] {
            assert!(is_excerpt(text, file), "{text}");
        }
        for text in ["c();\nb();\n", "b()\n", "c();\n...\nb();\n", "d();\n"] {
            assert!(!is_excerpt(text, file), "{text}");
        }
    }
}
