//! Each public item of halo-ir and of this crate is used by an example: a block in the
//! documentation, a program of these tests, or a crate of `examples/out-of-tree`.
//!
//! The search is for names, not paths, so two items with one name are not distinguished. An item
//! without a use outside of Halo is `#[doc(hidden)]`. Constants and type aliases, which are used
//! like their types, need no example.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The Rust files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let of_path = |path: PathBuf| {
        if path.is_dir() {
            files(&path)
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            vec![path]
        } else {
            Vec::new()
        }
    };
    paths.into_iter().flat_map(of_path).collect()
}

/// The name of a public item in a line, of a kind that needs an example.
fn declared(line: &str) -> Option<&str> {
    let rest = line.trim_start();
    match rest.strip_prefix("macro_rules! ") {
        Some(macro_name) => macro_name.split(' ').next(),
        None => item_name(rest.strip_prefix("pub ")?),
    }
}

/// The name of the item that a line without visibility declares.
fn item_name(rest: &str) -> Option<&str> {
    for word in [
        "const fn ",
        "unsafe fn ",
        "fn ",
        "struct ",
        "enum ",
        "trait ",
    ] {
        if let Some(name) = rest.strip_prefix(word) {
            let end = name.find(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
            return Some(&name[..end.unwrap_or(name.len())]).filter(|name| !name.is_empty());
        }
    }
    None
}

/// The public items of a file, without hidden and unexported ones.
fn items(text: &str, is_exported: impl Fn(&str) -> bool) -> Vec<&str> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines: Vec<&str> = code.lines().collect();
    let mut found = Vec::new();
    // Whether an indented item is in an `impl`, and not in a module or a macro. All methods of a
    // `pub impl`, which is a trait of methods, are public.
    let mut is_in_impl = false;
    let mut is_in_trait = false;
    for (number, line) in lines.iter().enumerate() {
        if line.starts_with(|letter: char| letter.is_alphabetic()) {
            is_in_trait = line.starts_with("pub impl");
            is_in_impl = is_in_trait || line.starts_with("impl");
        }
        let of_trait = is_in_trait.then(|| item_name(line.trim_start()));
        let Some(name) = of_trait.unwrap_or_else(|| declared(line)) else {
            continue;
        };
        let attributes: Vec<&&str> = lines[..number]
            .iter()
            .rev()
            .take_while(|line| {
                let line = line.trim_start();
                line.starts_with("#[") || line.starts_with("///")
            })
            .collect();
        let has = |attribute: &str| attributes.iter().any(|line| line.contains(attribute));
        let is_macro = line.starts_with("macro_rules!");
        let is_method = line.starts_with(' ');
        let is_visible = match (is_macro, is_method) {
            (true, _) => has("#[macro_export]"),
            (_, true) => is_in_impl,
            _ => is_exported(name),
        };
        if is_visible && !has("#[doc(hidden)]") {
            found.push(name);
        }
    }
    found
}

/// The blocks of the documentation in a file that are compiled.
fn blocks(text: &str) -> String {
    let mut inside = false;
    let mut code = String::new();
    for line in text.lines().map(str::trim_start) {
        let Some(line) = line.strip_prefix("///").or(line.strip_prefix("//!")) else {
            inside = false;
            continue;
        };
        match line.trim_start().strip_prefix("```") {
            Some(language) => {
                let language = language.split(',').next().unwrap_or_default();
                inside = !inside && matches!(language, "" | "rust" | "no_run" | "compile_fail");
            }
            None if inside => {
                code.push_str(line);
                code.push('\n');
            }
            None => {}
        }
    }
    code
}

/// The hidden and private modules of a crate, and the names that it re-exports.
struct Exports {
    hidden: BTreeSet<String>,
    private: BTreeSet<String>,
    names: BTreeSet<String>,
}

fn exports(library: &str) -> Exports {
    let mut exports = Exports {
        hidden: BTreeSet::new(),
        private: BTreeSet::new(),
        names: BTreeSet::new(),
    };
    let mut before = "";
    for line in library.lines() {
        let module = |start: &str| Some(line.strip_prefix(start)?.trim_end_matches(';').to_owned());
        let is_hidden = before == "#[doc(hidden)]";
        if let Some(module) = module("pub mod ").filter(|_| is_hidden) {
            exports.hidden.insert(module);
        }
        exports.private.extend(module("mod ").or(module("pub(crate) mod ")));
        before = line;
    }
    // A `pub use` may span several lines.
    let mut rest = library;
    while let Some((attributes, item)) = rest.split_once("\npub use ") {
        let (names, after) = item.split_once(';').unwrap_or((item, ""));
        if !attributes.ends_with("#[doc(hidden)]") {
            let words = names.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
            exports.names.extend(words.map(str::to_owned));
        }
        rest = after;
    }
    exports
}

/// The names of a crate's public items, each with its file.
fn public_items(folder: &Path, found: &mut BTreeMap<String, PathBuf>) {
    let library = fs::read_to_string(folder.join("lib.rs")).unwrap();
    let exports = exports(&library);
    for path in files(folder) {
        let inside = path.strip_prefix(folder).unwrap();
        let module = inside.iter().next().unwrap().to_str().unwrap();
        let module = module.trim_end_matches(".rs");
        let is_left_out = ["tests", "build"].contains(&module) || exports.hidden.contains(module);
        if is_left_out {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        // Within a folder, items that its first file re-exports are public.
        let parent = path.parent().unwrap().with_extension("rs");
        let nested = match inside.components().count() {
            1 => None,
            _ => Some(self::exports(&fs::read_to_string(parent).unwrap())),
        };
        let stem = inside.file_stem().unwrap().to_str().unwrap();
        for name in items(&text, |name| {
            let in_crate = !exports.private.contains(module) || exports.names.contains(name);
            let in_folder = nested.as_ref().is_none_or(|nested| {
                !nested.hidden.contains(stem)
                    && (!nested.private.contains(stem) || nested.names.contains(name))
            });
            in_crate && in_folder
        }) {
            found.insert(name.to_owned(), inside.to_owned());
        }
    }
}

pub fn run() {
    let root = root();
    let mut items = BTreeMap::new();
    let mut code = String::new();
    for folder in ["src/ir", "src/halo"] {
        public_items(&root.join(folder), &mut items);
        for path in files(&root.join(folder)) {
            code.push_str(&blocks(&fs::read_to_string(path).unwrap()));
        }
    }
    for folder in ["src/halo/tests", "examples/out-of-tree"] {
        for path in files(&root.join(folder)) {
            code.push_str(&fs::read_to_string(path).unwrap());
        }
    }
    let words: BTreeSet<&str> = code
        .split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .collect();
    assert!(items.len() > 350, "only {} items are found", items.len());
    let missing: Vec<String> = items
        .iter()
        .filter(|(name, _)| !words.contains(name.as_str()))
        .map(|(name, path)| format!("{name} of {}", path.display()))
        .collect();
    assert!(
        missing.is_empty(),
        "{} public items have no example: {}",
        missing.len(),
        missing.join(", ")
    );
}
