//! Circles: files of a crate of which each uses all others, directly or through other files.
//!
//! A file uses the file that defines an item of one of its paths, in `use` declarations and in
//! expressions. Paths begin with `crate`, `super`, `self`, a child module or an imported one, and
//! imports of other modules (re-exports, also private ones and globs) are followed to the
//! definition. A glob uses the file of its module; an import of a whole module uses nothing, but
//! the paths through it do. Declarations of modules, `#[cfg(test)]`, methods and `$crate` in macros
//! do not count.

use super::{CRATES, folder_of};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

/// The number of files in the largest circle of each crate, 1 if there is none. The numbers only
/// fall: a change that breaks a circle lowers them.
const LARGEST: &[(&str, usize)] = &[
    ("core", 4),
    ("numerics", 6),
    ("ods", 5),
    ("macros", 1),
    ("vhlo", 3),
    ("stablehlo", 1),
    ("hlo-text", 3),
    ("runtime", 5),
    ("backend", 4),
    ("distributed", 4),
    ("ir", 5),
    ("llvm", 3),
    ("cost", 3),
    ("hlo", 4),
    ("frontend", 2),
    ("codegen", 5),
    ("gpu-emulator", 7),
    ("compiler", 7),
    ("drivers", 3),
    ("halo", 3),
    ("shared", 1),
    ("pjrt", 4),
    ("pjrt-api", 1),
    ("pjrt-library", 1),
    ("python", 1),
];

/// Keywords before the name of an item.
const ITEMS: &str = "fn struct enum trait type const static union";

/// The maximum number of imports between a path and the definition of its item.
const MAX_IMPORTS: usize = 20;

type Path = Vec<String>;

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The length of the string or the character that a text begins with.
fn literal_length(text: &str) -> Option<usize> {
    let prefix = text.find(|c| !matches!(c, 'b' | 'c' | 'r'))?;
    let hashes = text[prefix..].bytes().take_while(|byte| *byte == b'#').count();
    let start = prefix + hashes + 1;
    let quote = text[start - 1..].chars().next().filter(|c| prefix <= 2 && "\"'".contains(*c))?;
    if text[..prefix].ends_with('r') {
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(start + text[start..].find(&end)? + end.len());
    }
    if hashes > 0 {
        return None;
    }
    let mut is_escaped = false;
    for (count, (at, c)) in text[start..].char_indices().enumerate() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if c == quote => return Some(start + at + 1),
            // A lifetime.
            _ if quote == '\'' && count == 1 && !text[start..].starts_with('\\') => return None,
            _ => {}
        }
    }
    None
}

/// Words (in macros with their `$`), `::` and single characters of a source text, without comments
/// and literals.
fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let name = &rest[usize::from(first == '$')..];
        let word = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
        let (length, is_token) = if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), false)
        } else if rest.starts_with("/*") {
            (rest.find("*/").map_or(rest.len(), |end| end + 2), false)
        } else if let Some(length) = literal_length(rest) {
            (length, false)
        } else if rest.starts_with("r#") || first.is_whitespace() {
            (first.len_utf8() + usize::from(first == 'r'), false)
        } else if rest.starts_with("::") {
            (2, true)
        } else {
            ((word + rest.len() - name.len()).max(first.len_utf8()), true)
        };
        found.extend(is_token.then(|| &rest[..length]));
        rest = &rest[length..];
    }
    found
}

/// The index after the group of brackets that begins at an index.
fn after_group(tokens: &[&str], start: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match *token {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// The index after the item that begins at an index, with its attributes.
fn after_item(tokens: &[&str], start: usize) -> usize {
    let mut at = start;
    while let Some(token) = tokens.get(at) {
        match *token {
            ";" | "," => return at + 1,
            "{" => return after_group(tokens, at),
            ")" | "]" | "}" => return at,
            "(" | "[" => at = after_group(tokens, at),
            _ => at += 1,
        }
    }
    at
}

/// Adds the paths of a tree of a `use` declaration, each with the name that it gets; a glob has
/// none. Returns the index after the tree.
fn use_tree(
    tokens: &[&str],
    mut at: usize,
    prefix: &[String],
    found: &mut Vec<(Path, Option<String>)>,
) -> usize {
    let mut path = prefix.to_vec();
    loop {
        match tokens[at] {
            "{" => {
                at += 1;
                while tokens[at] != "}" {
                    at = use_tree(tokens, at, &path, found);
                    at += usize::from(tokens[at] == ",");
                }
                return at + 1;
            }
            "*" => {
                found.push((path, None));
                return at + 1;
            }
            "self" if !path.is_empty() => {}
            word => path.push(word.to_owned()),
        }
        at += 1;
        if tokens[at] == "::" {
            at += 1;
            continue;
        }
        let is_renamed = tokens[at] == "as";
        let name = if is_renamed {
            tokens[at + 1].to_owned()
        } else {
            path[path.len() - 1].clone()
        };
        found.push((path, Some(name)));
        return at + 2 * usize::from(is_renamed);
    }
}

#[derive(Default)]
struct Module {
    file: String,
    children: BTreeSet<String>,
    /// The names of items defined in it.
    items: BTreeSet<String>,
    imports: BTreeMap<String, Path>,
    /// Imports within functions.
    local_imports: BTreeMap<String, Path>,
    globs: Vec<Path>,
    /// All paths in it, and whether they are globs.
    paths: Vec<(Path, bool)>,
}

/// The modules of a crate by path.
#[derive(Default)]
struct Modules(BTreeMap<Path, Module>);

/// For each file the files that it uses, with the names of the items.
type Uses = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

impl Modules {
    fn add_file(&mut self, read: &dyn Fn(&str) -> Option<String>, path: &[String], file: &str) {
        let text = read(file).unwrap();
        let module = self.0.entry(path.to_vec()).or_default();
        module.file = file.to_owned();
        self.add(read, path, &tokens(&text));
    }

    /// Adds the contents of a module, and its children.
    fn add(&mut self, read: &dyn Fn(&str) -> Option<String>, path: &[String], tokens: &[&str]) {
        let token = |at: usize| tokens.get(at).copied().unwrap_or_default();
        let (mut at, mut depth, mut is_exported) = (0, 0, false);
        while at < tokens.len() {
            let before = if at > 0 { tokens[at - 1] } else { "" };
            let next = token(at + 1);
            let module = self.0.get_mut(path).unwrap();
            match tokens[at] {
                "#" if next == "[" || next == "!" => {
                    let start = at + 1 + usize::from(next == "!");
                    at = after_group(tokens, start);
                    let attribute = &tokens[start..at];
                    if attribute == ["[", "cfg", "(", "test", ")", "]"] {
                        while token(at) == "#" {
                            at = after_group(tokens, at + 1);
                        }
                        at = after_item(tokens, at);
                    }
                    is_exported |= attribute.contains(&"macro_export");
                    continue;
                }
                "mod" if token(at + 2) == ";" || token(at + 2) == "{" => {
                    let child = [path, &[next.to_owned()]].concat();
                    if token(at + 2) == "{" {
                        module.children.insert(next.to_owned());
                        let file = module.file.clone();
                        self.0.entry(child.clone()).or_default().file = file;
                        let end = after_group(tokens, at + 2);
                        self.add(read, &child, &tokens[at + 3..end - 1]);
                        at = end;
                        continue;
                    }
                    let file = child.join("/");
                    let files = [format!("{file}.rs"), format!("{file}/mod.rs")];
                    if let Some(file) = files.iter().find(|file| read(file).is_some()) {
                        module.children.insert(next.to_owned());
                        self.add_file(read, &child, file);
                    }
                    at += 3;
                    continue;
                }
                "use" if is_word(next) || next == "{" => {
                    let mut found = Vec::new();
                    at = use_tree(tokens, at + 1, &[], &mut found);
                    for (path, name) in found {
                        module.paths.push((path.clone(), name.is_none()));
                        match name {
                            None if depth == 0 => module.globs.push(path),
                            Some(name) if depth == 0 => _ = module.imports.insert(name, path),
                            Some(name) => _ = module.local_imports.insert(name, path),
                            None => {}
                        }
                    }
                    continue;
                }
                "(" if before == "pub" => {
                    at = after_group(tokens, at);
                    continue;
                }
                "{" => depth += 1,
                "}" => depth -= 1,
                "macro_rules" if is_exported => {
                    is_exported = false;
                    // It is an item of the root.
                    let target = [path, &[token(at + 2).to_owned()]].concat();
                    let root = self.0.get_mut(&Vec::new()).unwrap();
                    root.imports.insert(token(at + 2).to_owned(), absolute(&target));
                    let module = self.0.get_mut(path).unwrap();
                    module.items.insert(token(at + 2).to_owned());
                }
                word if depth == 0 && ITEMS.split(' ').any(|it| it == word) => {
                    module.items.insert(next.to_owned());
                }
                word if is_word(word) && next == "::" && before != "::" => {
                    let mut found = vec![word.to_owned()];
                    while token(at + 1) == "::" && is_word(token(at + 2)) {
                        found.push(token(at + 2).to_owned());
                        at += 2;
                    }
                    module.paths.push((found, false));
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// The module that defines the item of a path in a module, and the item, which is empty for a
    /// whole module; none for items of other crates.
    fn resolve(&self, from: &[String], path: &[String], imports: usize) -> Option<(Path, String)> {
        let module = &self.0[from];
        let (mut at, rest) = match path[0].as_str() {
            "crate" => (Vec::new(), &path[1..]),
            "self" => (from.to_vec(), &path[1..]),
            "super" => {
                let count = path.iter().take_while(|part| *part == "super").count();
                (
                    from[..from.len().checked_sub(count)?].to_vec(),
                    &path[count..],
                )
            }
            first if self.find(from, first, imports).is_some() => (from.to_vec(), path),
            first => {
                let start = module.local_imports.get(first).filter(|_| imports < MAX_IMPORTS)?;
                let path = [start, &path[1..]].concat();
                return self.resolve(from, &path, imports + 1).filter(|_| path[0] != first);
            }
        };
        for name in rest {
            // Names that macros create are the module's.
            let found = self.find(&at, name, imports);
            let (module, item) = found.unwrap_or_else(|| Some((at.clone(), name.clone())))?;
            at = module;
            if !item.is_empty() {
                return Some((at, item));
            }
        }
        Some((at, String::new()))
    }

    /// The definition of a name of a module, which may be none for a name of another crate; none
    /// if the module has no such name.
    fn find(&self, at: &[String], name: &str, imports: usize) -> Option<Option<(Path, String)>> {
        let module = &self.0[at];
        if module.children.contains(name) {
            return Some(Some(([at, &[name.to_owned()]].concat(), String::new())));
        }
        if module.items.contains(name) {
            return Some(Some((at.to_vec(), name.to_owned())));
        }
        if imports == MAX_IMPORTS {
            return None;
        }
        if let Some(path) = module.imports.get(name) {
            // `use name::..;` of another crate.
            let is_extern = path[0] == name;
            return Some(if is_extern {
                None
            } else {
                self.resolve(at, path, imports + 1)
            });
        }
        module.globs.iter().find_map(|path| {
            let (target, item) = self.resolve(at, path, MAX_IMPORTS.min(imports + 5))?;
            let is_other_module = item.is_empty() && target != at;
            is_other_module.then(|| self.find(&target, name, imports + 5)).flatten()
        })
    }

    fn uses(&self) -> Uses {
        let mut uses = Uses::new();
        for (from, module) in &self.0 {
            uses.entry(module.file.clone()).or_default();
            for (path, is_glob) in &module.paths {
                let Some((target, item)) = self.resolve(from, path, 0) else {
                    continue;
                };
                let item = if *is_glob && item.is_empty() {
                    "*".to_owned()
                } else {
                    item
                };
                let file = &self.0[&target].file;
                if !item.is_empty() && *file != module.file {
                    let uses = uses.entry(module.file.clone()).or_default();
                    uses.entry(file.clone()).or_default().insert(item);
                }
            }
        }
        uses
    }
}

fn absolute(path: &[String]) -> Path {
    [&["crate".to_owned()], path].concat()
}

/// The uses between files of a crate, by a function that reads a file of it.
fn uses(read: &dyn Fn(&str) -> Option<String>) -> Uses {
    let mut modules = Modules::default();
    modules.add_file(read, &[], "lib.rs");
    modules.uses()
}

/// The files of the largest circle.
fn largest_circle(uses: &Uses) -> BTreeSet<&String> {
    let mut reached: BTreeMap<&String, BTreeSet<&String>> = BTreeMap::new();
    for start in uses.keys() {
        let found = reached.entry(start).or_default();
        let mut pending = vec![start];
        while let Some(file) = pending.pop() {
            pending.extend(uses[file].keys().filter(|next| found.insert(next)));
        }
    }
    let circle = |file: &&String| -> BTreeSet<&String> {
        let others = reached[*file].iter().filter(|other| reached[**other].contains(*file));
        others.copied().collect()
    };
    let circles = reached.keys().map(circle);
    circles.max_by_key(BTreeSet::len).unwrap_or_default()
}

#[test]
fn files_have_floors() {
    let mut wrong = Vec::new();
    for (name, _) in CRATES {
        let folder = folder_of(name);
        let uses = uses(&|file| fs::read_to_string(folder.join(file)).ok());
        let circle = largest_circle(&uses);
        let count = circle.len().max(1);
        let listed = LARGEST.iter().find(|(listed, _)| listed == name);
        let Some((_, largest)) = listed else {
            wrong.push(format!("src/{name}: add a largest circle of {count} files"));
            continue;
        };
        if count < *largest {
            wrong.push(format!("src/{name}: lower the number of files to {count}"));
        }
        if count > *largest {
            wrong.push(format!(
                "src/{name}: {count} files use each other, expected {largest}:"
            ));
            for file in &circle {
                for (target, items) in uses[*file].iter().filter(|(it, _)| circle.contains(it)) {
                    let items: Vec<&str> = items.iter().map(String::as_str).collect();
                    wrong.push(format!("  {file} -> {target}: {}", items.join(", ")));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn paths_are_resolved_to_the_files_of_definitions() {
    let files = BTreeMap::from([
        (
            "lib.rs",
            "mod a; mod b; mod c { pub use super::a::Deep as Renamed; } pub use a::{Deep, text};
             pub struct Root; use std::fmt;",
        ),
        (
            "a.rs",
            "//! use crate::Root;
             mod deep; pub use deep::*; pub fn text() -> &'static str { \"crate::Root\" }
             fn quote() -> char { '\"' } #[cfg(test)] mod tests { use crate::Root; }",
        ),
        (
            "a/deep.rs",
            "pub struct Deep; pub(in crate::a) fn hidden() { super::super::b::run(); }",
        ),
        (
            "b.rs",
            "use crate::{self as all, c::Renamed, b}; use fmt::Debug;
             pub fn run() { let r#a = all::a::text::<'_'>(); b::run(); crate::made!(); }
             macro_rules! local { () => { $crate::Root } }",
        ),
    ]);
    let uses = uses(&|file| files.get(file).map(|text| (*text).to_owned()));
    let edges: Vec<String> = uses
        .iter()
        .flat_map(|(file, targets)| targets.iter().map(move |(to, items)| (file, to, items)))
        .map(|(file, to, items)| format!("{file} {to} {}", Vec::from_iter(items.clone()).join(" ")))
        .collect();
    assert_eq!(
        edges,
        [
            "a.rs a/deep.rs *",
            "a/deep.rs b.rs run",
            "b.rs a.rs text",
            "b.rs a/deep.rs Deep",
            "b.rs lib.rs made",
            "lib.rs a.rs text",
            "lib.rs a/deep.rs Deep",
        ]
    );
    assert_eq!(largest_circle(&uses).len(), 4);
}
