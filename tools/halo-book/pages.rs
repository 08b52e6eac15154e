//! The files of the book, and the other documents of the repository.

use crate::markdown;
use std::{
    collections::BTreeSet,
    fs, io,
    path::{Component, Path, PathBuf},
};

/// The table of contents, which mdBook reads.
pub const SUMMARY: &str = "docs/SUMMARY.md";

/// The folders whose documents are checked, in addition to the root.
const FOLDERS: [&str; 6] = ["docs", "examples", "src", "tools", "editors", ".github"];

/// Folders of third-party files and of build output.
const LEFT_OUT: [&str; 3] = ["target", "node_modules", ".venv"];

/// The folders of generated pages, which git ignores: `make book` writes them for mdBook.
pub const GENERATED: [&str; 4] = [
    "docs/language",
    "docs/passes",
    "docs/pipelines",
    "docs/tools",
];

/// The folder of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A document.
#[derive(Clone, Debug)]
pub struct Page {
    /// The file, from the folder of the repository.
    pub path: String,
    pub text: String,
}

impl Page {
    /// Returns true if it is a page of the book.
    pub fn is_of_book(&self) -> bool {
        self.path.starts_with("docs/") && self.path != SUMMARY
    }

    /// Returns true if the page is generated, and not in the repository.
    pub fn is_generated(&self) -> bool {
        is_generated(&self.path)
    }
}

/// The documents of the repository by their paths, without generated pages.
///
/// # Errors
/// Returns the error of a file that cannot be read.
pub fn tracked() -> io::Result<Vec<Page>> {
    let root = root();
    let mut files = BTreeSet::new();
    for entry in fs::read_dir(&root)? {
        let path = entry?.path();
        if is_markdown(&path) {
            files.insert(path);
        }
    }
    let mut left_out = LEFT_OUT.map(PathBuf::from).to_vec();
    left_out.extend(GENERATED.map(|folder| root.join(folder)));
    for folder in FOLDERS {
        collect(&root.join(folder), &left_out, &mut files)?;
    }
    let read = |path: PathBuf| {
        Ok(Page {
            text: fs::read_to_string(&path)?,
            path: below(&root, &path),
        })
    };
    files.into_iter().map(read).collect()
}

/// Returns true for the path of a generated page, relative to the root.
pub fn is_generated(path: &str) -> bool {
    let path = Path::new(path);
    GENERATED.iter().any(|folder| path.starts_with(folder))
}

fn is_markdown(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "md")
}

fn collect(folder: &Path, left_out: &[PathBuf], files: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            if !left_out.iter().any(|folder| path.ends_with(folder)) {
                collect(&path, left_out, files)?;
            }
        } else if is_markdown(&path) {
            files.insert(path);
        }
    }
    Ok(())
}

fn below(root: &Path, path: &Path) -> String {
    let path = path.strip_prefix(root).unwrap_or(path);
    path.to_string_lossy().into_owned()
}

/// The pages of the table of contents, as paths relative to the root.
pub fn listed(summary: &str) -> Vec<String> {
    let links = markdown::read(summary).links;
    let links = links.iter().map(|link| resolve(SUMMARY, &link.target).0);
    links.collect()
}

/// Resolves a link of a page to a file and an anchor.
pub fn resolve<'l>(page: &str, link: &'l str) -> (String, Option<&'l str>) {
    let (file, anchor) = match link.split_once('#') {
        Some((file, anchor)) => (file, Some(anchor)),
        None => (link, None),
    };
    if file.is_empty() {
        return (page.to_owned(), anchor);
    }
    let folder = Path::new(page).parent().unwrap_or(Path::new(""));
    let mut path = PathBuf::new();
    for part in folder.join(file).components() {
        match part {
            Component::ParentDir if path.pop() => {}
            Component::CurDir => {}
            other => path.push(other),
        }
    }
    (path.to_string_lossy().into_owned(), anchor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_folders_are_ignored_by_git_and_not_tracked_documents() {
        let ignored = fs::read_to_string(root().join(".gitignore")).unwrap();
        for folder in GENERATED {
            let line = format!("/{folder}/");
            assert!(ignored.lines().any(|ignored| ignored == line), "{line}");
        }
        let tracked = tracked().unwrap();
        assert!(tracked.iter().any(|page| page.path == "docs/ops.md"));
        assert!(!tracked.iter().any(Page::is_generated));
    }

    #[test]
    fn links_are_resolved_from_their_page() {
        let page = "docs/passes/fusion.md";
        for (link, file, anchor) in [
            ("../ops.md", "docs/ops.md", None),
            ("cpu.md#a", "docs/passes/cpu.md", Some("a")),
            ("#b", page, Some("b")),
            ("../../src/halo", "src/halo", None),
            // Outside of the repository: no file is found there.
            ("../../../x", "../x", None),
        ] {
            assert_eq!(resolve(page, link), (file.to_owned(), anchor));
        }
    }

    #[test]
    fn the_table_of_contents_lists_pages() {
        let summary = "# Summary\n\n- [A](a.md)\n  - [B](b/c.md)\n\n# Part\n\n[D](README.md)\n";
        assert_eq!(
            listed(summary),
            ["docs/a.md", "docs/b/c.md", "docs/README.md"]
        );
    }
}
