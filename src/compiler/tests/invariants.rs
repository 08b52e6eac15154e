//! The invariants of ARCHITECTURE.md that the sources show.

mod circles;
mod contracts;
mod manifests;
mod words;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// The crates of `src/`, each with its allowed dependencies. A crate is listed after all its
/// dependencies, so the graph has no cycles.
const CRATES: &[(&str, &[&str])] = &[
    ("core", &[]),
    ("numerics", &[]),
    ("ods", &[]),
    ("macros", &[]),
    ("vhlo", &[]),
    ("stablehlo", &["vhlo"]),
    ("hlo-text", &["core"]),
    ("runtime", &["core", "numerics"]),
    ("backend", &["core", "runtime"]),
    ("distributed", &["core", "runtime"]),
    ("ir", &["core", "macros", "ods"]),
    ("cost", &["backend", "core", "ir", "runtime"]),
    ("llvm", &["backend", "core", "ir", "runtime"]),
    (
        "hlo",
        &["core", "cost", "ir", "numerics", "runtime", "stablehlo"],
    ),
    (
        "frontend",
        &[
            "backend", "core", "cost", "hlo", "hlo-text", "ir", "runtime", "vhlo",
        ],
    ),
    ("codegen", &["core", "cost", "hlo", "ir", "runtime"]),
    ("gpu-emulator", &["codegen", "ir", "llvm", "runtime"]),
    ("pjrt-api", &["core", "runtime"]),
    (
        "compiler",
        &[
            "backend",
            "codegen",
            "core",
            "cost",
            "frontend",
            "gpu-emulator",
            "hlo",
            "ir",
            "llvm",
            "pjrt-api",
            "runtime",
            "vhlo",
        ],
    ),
    ("drivers", &["backend", "core", "distributed", "runtime"]),
    (
        "halo",
        &[
            "backend",
            "codegen",
            "compiler",
            "core",
            "cost",
            "distributed",
            "drivers",
            "frontend",
            "gpu-emulator",
            "hlo",
            "hlo-text",
            "ir",
            "llvm",
            "pjrt-api",
            "runtime",
            "vhlo",
        ],
    ),
    ("shared", &["halo"]),
    (
        "pjrt",
        &["backend", "core", "drivers", "halo", "pjrt-api", "runtime"],
    ),
    ("pjrt-library", &["halo", "pjrt", "shared"]),
    ("python", &["halo", "shared"]),
];

/// The folder of a crate.
fn folder_of(name: &str) -> PathBuf {
    root().join("src").join(name)
}

/// The crate names of MLIR and LLVM, and the crates that may use them.
const FOREIGN: &[(&str, &[&str])] = &[
    (
        "melior",
        &[
            "ir",
            "llvm",
            "hlo",
            "frontend",
            "codegen",
            "gpu-emulator",
            "compiler",
            "halo",
        ],
    ),
    ("mlir-sys", &["ir", "hlo", "llvm"]),
    ("inkwell", &["llvm", "compiler"]),
    ("llvm-sys", &[]),
];

/// The folders and modules of `src/codegen`, each with its allowed uses.
const CODEGEN: &[(&str, &[&str])] = &[
    ("add_debug_info", &[]),
    ("attributes", &[]),
    ("cleanup", &[]),
    ("explain", &[]),
    ("formula", &[]),
    ("function", &[]),
    ("structured", &[]),
    (
        "conversion",
        &["attributes", "formula", "function", "structured"],
    ),
    ("loops", &["attributes", "explain", "function"]),
    ("widen_bool_memory", &["loops"]),
    ("instrument_kernels", &["loops"]),
    ("fusion", &["attributes", "explain", "loops", "structured"]),
    ("bufferize", &["attributes", "explain", "function", "loops"]),
    ("math", &["formula", "loops"]),
    ("contraction", &["bufferize", "explain", "loops"]),
    (
        "cpu",
        &[
            "attributes",
            "bufferize",
            "cleanup",
            "contraction",
            "explain",
            "function",
            "loops",
            "math",
        ],
    ),
    ("c", &["cpu", "function", "loops"]),
    (
        "gpu",
        &[
            "attributes",
            "bufferize",
            "explain",
            "function",
            "loops",
            "math",
        ],
    ),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files below a folder with one of the extensions. Symbolic links are not followed.
fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            if !path.is_symlink() && !path.ends_with("target") && !path.ends_with(".git") {
                found.extend(files(&path, extensions));
            }
        } else if path
            .extension()
            .is_some_and(|extension| extensions.iter().any(|wanted| extension == *wanted))
        {
            found.push(path);
        }
    }
    found
}

fn relative(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().display().to_string()
}

/// C source texts that `halo-compile` writes.
const TEMPLATES: &str = "src/backend/object_code/templates/";

/// Headers of XLA.
const XLA_HEADERS: &str = "src/pjrt-api/headers/";

#[test]
fn cpp_and_tablegen_are_in_dialects_alone() {
    for path in files(&root(), &["cpp", "cc", "h", "td"]) {
        let path = relative(&path);
        // Other crates have ODS files, but no C++.
        let is_of_example = path.starts_with("examples/out-of-tree/");
        let folder = match (path.ends_with(".td"), is_of_example) {
            (true, true) => continue,
            (true, false) => "dialects/",
            // Files that applications compile.
            (false, _) if path.starts_with(TEMPLATES) => TEMPLATES,
            // The interfaces implemented by the plug-in.
            (false, _) if path.starts_with(XLA_HEADERS) => XLA_HEADERS,
            (false, _) => "dialects/cpp/",
        };
        assert!(path.starts_with(folder), "{path} is not in {folder}");
    }
}

/// The dependencies of a manifest, except for tests.
fn dependencies(manifest: &str) -> Vec<&str> {
    dependencies_in(manifest, |section| !section.contains("dev-"))
}

/// The crates in the dependency sections of a manifest.
fn dependencies_in(manifest: &str, is_read: impl Fn(&str) -> bool) -> Vec<&str> {
    let mut names = Vec::new();
    let mut section = "";
    for line in manifest.lines() {
        if line.starts_with('[') {
            section = line;
        } else if section.ends_with("dependencies]") && is_read(section) {
            names.extend(line.split([' ', '=', '.']).next().filter(|name| !name.is_empty()));
        }
    }
    names
}

#[test]
fn crates_depend_on_those_below_them() {
    let mut below = BTreeSet::new();
    for (name, allowed) in CRATES {
        let manifest = folder_of(name).join("Cargo.toml");
        let manifest = fs::read_to_string(manifest).unwrap();
        for dependency in dependencies(&manifest) {
            let other = dependency.strip_prefix("halo-");
            if let Some(other) = other.or((dependency == "halo").then_some("halo")) {
                assert!(
                    allowed.contains(&other),
                    "halo-{name} depends on {dependency}"
                );
            }
            for (foreign, users) in FOREIGN {
                assert!(
                    dependency != *foreign || users.contains(name),
                    "halo-{name} depends on {foreign}"
                );
            }
        }
        for other in *allowed {
            assert!(
                below.contains(other),
                "{name} may use {other}, not below it"
            );
            let package = match *other {
                "halo" => "halo".to_owned(),
                other => format!("halo-{other}"),
            };
            assert!(
                dependencies(&manifest).contains(&package.as_str()),
                "{name} may use {other}, and does not"
            );
        }
        below.insert(*name);
    }
    for entry in fs::read_dir(root().join("src")).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        assert!(below.contains(name.as_str()), "src/{name} has no place");
    }
}

/// The map in ARCHITECTURE.md lists each crate with its dependencies.
#[test]
fn the_map_of_the_code_lists_all_crates() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (_, map) = text.split_once("| depends on |\n|---|---|---|\n").unwrap();
    let (map, _) = map.split_once("\n\n").unwrap();
    let names = |cell: &str| -> Vec<String> {
        let names = cell.split('`').skip(1).step_by(2);
        names.map(str::to_owned).collect()
    };
    let listed: Vec<_> = map
        .lines()
        .map(|row| {
            let cells: Vec<&str> = row.split('|').collect();
            (names(cells[1]).remove(0), names(cells[3]))
        })
        .collect();
    let crates = CRATES.iter().map(|(name, below)| {
        let below = below.iter().map(ToString::to_string);
        (name.to_string(), below.collect())
    });
    assert_eq!(listed, crates.collect::<Vec<_>>());
}

/// NOTICE lists the files with code of other works, and no others.
#[test]
fn the_notice_lists_derived_files() {
    const WORKS: [(&str, &str); 2] = [("LAPACK", "src/numerics"), ("Cephes", "src/hlo")];
    let notice = fs::read_to_string(root().join("NOTICE")).unwrap();
    let listed = |section: &str| -> Vec<PathBuf> {
        let (_, rest) = notice.split_once(&format!("\n\n{section}\n\n")).unwrap();
        let lines = rest.lines().map_while(|line| line.strip_prefix("    "));
        lines.map(|line| root().join(line)).collect()
    };
    for path in listed("StableHLO and Shardy") {
        assert!(path.exists(), "NOTICE lists {}", path.display());
    }
    for (work, folder) in WORKS {
        let names = |path: &Path| fs::read_to_string(path).unwrap().contains(work);
        let listed = listed(work);
        for path in &listed {
            let found = if path.is_file() {
                vec![path.clone()]
            } else {
                files(path, &["rs"])
            };
            assert!(found.iter().any(|path| names(path)), "{}", path.display());
        }
        for path in files(&root().join(folder), &["rs"]) {
            let is_listed = listed.iter().any(|listed| path.starts_with(listed));
            assert!(
                !names(&path) || is_listed,
                "NOTICE lacks {}",
                path.display()
            );
        }
    }
}

/// The tests that ARCHITECTURE.md names with its invariants are in this file and its module.
#[test]
fn invariants_have_their_tests() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let named: Vec<&str> = text
        .split("[`")
        .skip(1)
        .filter_map(|rest| rest.split_once("`]"))
        .filter(|(_, after)| !after.starts_with('('))
        .map(|(name, _)| name)
        .collect();
    assert!(named.len() > 4, "{named:?}");
    let sources = [
        include_str!("invariants.rs"),
        include_str!("invariants/circles.rs"),
        include_str!("invariants/contracts.rs"),
        include_str!("invariants/manifests.rs"),
    ];
    for name in named {
        let function = format!("fn {name}()");
        let is_test = sources.iter().any(|source| source.contains(&function));
        assert!(is_test, "{name}");
    }
}

/// Out-of-tree examples depend only on the facade and the test harness, and their build scripts on
/// the generator of ops from ODS.
#[test]
fn examples_depend_on_the_facade() {
    let mut seen = 0;
    for entry in fs::read_dir(root().join("examples/out-of-tree")).unwrap() {
        let manifest = entry.unwrap().path().join("Cargo.toml");
        let manifest = fs::read_to_string(manifest).unwrap();
        let own = ["halo", "halo-pjrt", "halo-shared", "halo-link", "halo-ods"];
        assert!(
            dependencies(&manifest).iter().all(|name| own.contains(name)),
            "{manifest}"
        );
        let (_, tests) = manifest.split_once("[dev-dependencies]").unwrap();
        assert!(tests.trim_start().starts_with("halo-lit = "), "{tests}");
        seen += 1;
    }
    assert!(seen >= 4, "{seen} examples");
}

/// The paths with two or more names in Rust code outside of comments; nested `use` items are
/// expanded.
fn paths(text: &str) -> Vec<Vec<String>> {
    let code: String = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n");
    let mut rest = code.as_str();
    let mut found = Vec::new();
    while let Some(start) = rest.find(is_of_name) {
        rest = path(&rest[start..], &[], &mut found);
    }
    found.retain(|path| path.len() > 1);
    found
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Parses a path at the beginning of a text, and returns the remaining text.
fn path<'t>(mut text: &'t str, before: &[String], found: &mut Vec<Vec<String>>) -> &'t str {
    let mut names = before.to_vec();
    loop {
        let end = text.find(|letter| !is_of_name(letter)).unwrap_or(text.len());
        names.push(text[..end].to_owned());
        text = &text[end..];
        let Some(after) = text.strip_prefix("::") else {
            break;
        };
        if let Some(mut group) = after.strip_prefix('{') {
            loop {
                group = group
                    .trim_start_matches(|letter: char| letter == ',' || letter.is_whitespace());
                if group.starts_with(is_of_name) {
                    group = path(group, &names, found);
                    // A rename, which is not part of the path.
                    if let Some(alias) = group.strip_prefix(" as ") {
                        group = alias.trim_start_matches(is_of_name);
                    }
                } else {
                    return group.strip_prefix(['}', '*']).unwrap_or(group);
                }
            }
        }
        if !after.starts_with(is_of_name) {
            text = after.strip_prefix('*').unwrap_or(text);
            break;
        }
        text = after;
    }
    found.push(names);
    text
}

#[test]
fn paths_are_read_from_code() {
    let text = "use crate::{a::{b as x, c::*}, d};\n// crate::e::f\nlet _ = super::super::g();";
    let found: Vec<String> = paths(text).iter().map(|path| path.join("::")).collect();
    assert_eq!(
        found,
        ["crate::a::b", "crate::a::c", "crate::d", "super::super::g"]
    );
}

#[test]
fn folders_of_code_generation_use_those_before_them() {
    let folder = root().join("src/codegen");
    for file in files(&folder, &["rs"]) {
        let module_path = file.strip_prefix(&folder).unwrap().with_extension("");
        let module: Vec<&str> = module_path.iter().map(|name| name.to_str().unwrap()).collect();
        let text = fs::read_to_string(&file).unwrap();
        let file = relative(&file);
        for path in paths(&text) {
            let names: Vec<&str> = path.iter().map(String::as_str).collect();
            assert!(
                !names.starts_with(&["halo_hlo", "transforms"]),
                "{file} uses a transform of HLO"
            );
            let up = names.iter().take_while(|name| **name == "super").count();
            let used = match up {
                0 if names[0] == "crate" => names[1],
                0 => continue,
                _ if up < module.len() => continue,
                _ => names.get(up).copied().unwrap_or_default(),
            };
            let Some((_, allowed)) = CODEGEN.iter().find(|(name, _)| *name == module[0]) else {
                assert_eq!(module, ["lib"], "{file} has no place");
                continue;
            };
            assert!(
                used == module[0] || allowed.contains(&used),
                "{file} uses {}",
                names.join("::")
            );
        }
    }
}

/// A plan is data: it creates and reads no IR.
#[test]
fn plans_of_contractions_have_no_ir() {
    let folder = root().join("src/codegen/contraction");
    let mut plans = files(&folder.join("plan"), &["rs"]);
    plans.extend(["plan.rs", "shape.rs"].map(|name| folder.join(name)));
    for file in plans {
        let text = fs::read_to_string(&file).unwrap();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for word in code.flat_map(|line| line.split(|letter| !is_of_name(letter))) {
            let is_of_ir = ["Builder", "Matmul", "Operation", "Type", "Value"].contains(&word);
            assert!(!is_of_ir, "{} uses {word}", relative(&file));
        }
    }
}

/// Only the registry names a backend from outside.
#[test]
fn backends_are_reached_through_the_registry() {
    const BACKENDS: [&str; 6] = ["c", "cpu", "cuda", "emulator", "interpreter", "rocm"];
    let backends = root().join("src/compiler/backends");
    for folder in ["src", "tools"] {
        for file in files(&root().join(folder), &["rs"]) {
            if file.starts_with(&backends) {
                continue;
            }
            for path in paths(&fs::read_to_string(&file).unwrap()) {
                let named = path
                    .windows(2)
                    .any(|two| two[0] == "backends" && BACKENDS.contains(&two[1].as_str()));
                assert!(!named, "{} names a backend", relative(&file));
            }
        }
    }
}

/// `unsafe` is only allowed in the crate that interfaces with C++, or in a module whose
/// documentation or line of code gives the reason.
#[test]
fn every_unsafe_block_has_a_reason() {
    for path in files(&root(), &["rs"]) {
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in lines.iter().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            if !code.contains("unsafe {") || code.contains("\"unsafe") {
                continue;
            }
            let before = &lines[number.saturating_sub(8)..=number];
            assert!(
                before.iter().any(|line| line.contains("SAFETY")),
                "{}:{}: an unsafe block without a SAFETY comment",
                relative(&path),
                number + 1
            );
        }
    }
}

/// In the loop models, a function that takes a builder changes IR, and one without a builder only
/// reads it.
#[test]
fn models_of_loops_change_ir_with_a_builder_only() {
    /// Functions of halo-ir that change ops without a builder, or create one.
    const EDITS: [&str; 16] = [
        "add_argument(",
        "add_block_behind(",
        "edit_module(",
        "erase_argument(",
        "insert_argument(",
        "move_before(",
        "remove_attribute(",
        "replace_uses_with(",
        "set_attribute(",
        "set_fastmath(",
        "set_operand(",
        "set_type(",
        "split_block_after(",
        "take_region(",
        "with_builder(",
        "with_operations_in(",
    ];
    let mut changing = 0;
    for file in files(&root().join("src/codegen/loops"), &["rs"]) {
        let text = fs::read_to_string(&file).unwrap();
        for function in text.split("fn ").skip(1) {
            let (signature, body) = function.split_once('{').unwrap_or((function, ""));
            if signature.contains("Builder<") {
                changing += 1;
                continue;
            }
            for edit in EDITS {
                assert!(
                    !body.contains(edit),
                    "{}: '{}' takes no builder and calls '{edit}..)'",
                    relative(&file),
                    signature.split(['(', '<']).next().unwrap_or_default(),
                );
            }
        }
    }
    assert!(changing > 20, "the functions are not found");
}

/// melior's conversions print values of another kind, so types and attributes are cast by the
/// methods `cast`, and other kinds are tested first.
#[test]
fn casts_print_nothing() {
    // DictionaryAttribute, and types of other dialects, after a test of the kind.
    let kinds = [
        "ArrayAttribute",
        "BoolAttribute",
        "DenseElementsAttribute",
        "FloatAttribute",
        "FunctionType",
        "IntegerAttribute",
        "IntegerType",
        "MemRefType",
        "RankedTensorType",
        "TupleType",
        "TypeAttribute",
    ];
    let casts: Vec<_> = kinds
        .map(|kind| (format!(" {kind}::try_from("), format!("({kind}::try_from(")))
        .into();
    let mut seen = 0;
    let folders = ["src", "tools/halo-opt-passes"];
    for path in folders.map(|folder| files(&root().join(folder), &["rs"])).concat() {
        let text = fs::read_to_string(&path).unwrap();
        let found = kinds.map(|kind| text.matches(&format!("cast::<{kind}>")).count());
        seen += found.iter().sum::<usize>();
        for (one, other) in &casts {
            let prints = text.contains(one) || text.contains(other);
            assert!(
                !prints || relative(&path) == "src/compiler/tests/invariants.rs",
                "{}: `{one}` prints what is of another kind; use `cast`",
                relative(&path)
            );
        }
    }
    assert!(seen > 20, "the casts are not found");
}

/// A pattern gives the reason why it does not match, except for ops of another kind.
#[test]
fn patterns_give_reasons() {
    const OF_ANOTHER_KIND: [&str; 6] = [
        "src/codegen/conversion/stablehlo_legalize_to_linalg.rs",
        "src/hlo/transforms/legalize/chlo_legalize_to_stablehlo/broadcasts.rs",
        "src/hlo/transforms/quantization/stablehlo_legalize_quant_to_math.rs",
        "src/hlo/transforms/shapes/numpy_broadcast.rs",
        "src/hlo/transforms/shapes/shape_legalize_to_stablehlo.rs",
        "src/hlo/transforms/shapes/stablehlo_canonicalize_dynamism/custom_calls.rs",
    ];
    let mut without = Vec::new();
    for folder in ["src/codegen", "src/hlo/transforms", "tools/halo-opt-passes"] {
        for path in files(&root().join(folder), &["rs"]) {
            let text = fs::read_to_string(&path).unwrap();
            let count = text.matches("RewriteError::NoMatch").count();
            let count = count - text.matches("RewriteError::NoMatchBecause").count();
            if count > 0 {
                assert_eq!(count, 1, "{}: use `no_match(\"...\")`", relative(&path));
                without.push(relative(&path));
            }
        }
    }
    without.sort();
    assert_eq!(without, OF_ANOTHER_KIND, "use `no_match(\"...\")`");
}

#[test]
fn files_are_short_enough_to_read() {
    for path in files(&root(), &["rs", "cpp", "td"]) {
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines <= 800, "{} has {lines} lines", relative(&path));
    }
}

/// Each row of the first table of docs/hlo.md names the lit file that tests it, and the file names
/// the row.
#[test]
fn differences_of_hlo_have_their_tests() {
    const MARK: &str = "// docs/hlo.md: ";
    let text = fs::read_to_string(root().join("docs/hlo.md")).unwrap();
    let differences = text.split("\n## ").next().unwrap_or_default();
    let rows = differences.lines().filter(|line| line.starts_with("| "));
    let mut named = Vec::new();
    for row in rows.skip(1) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [what, .., test] = cells[..] else {
            panic!("no row: {row}");
        };
        named.push((what.to_owned(), test.trim_matches('`').to_owned()));
    }
    assert!(named.len() > 10, "{named:?}");
    let mut tested = Vec::new();
    for path in files(&root().join("lit-tests/frontend/hlo_text"), &["hlo"]) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for line in fs::read_to_string(&path).unwrap().lines() {
            if let Some(what) = line.trim_start().strip_prefix(MARK) {
                tested.push((what.to_owned(), name.clone()));
            }
        }
    }
    named.sort();
    tested.sort();
    assert_eq!(named, tested);
}

/// A crate whose documentation has examples runs them. The others disable doctests in their
/// manifest, because searching for examples takes as long as checking the crate.
#[test]
fn examples_of_documentation_run() {
    for folder in ["src", "tools"] {
        let crates = fs::read_dir(root().join(folder)).unwrap();
        for path in crates.map(|entry| entry.unwrap().path()) {
            let Ok(manifest) = fs::read_to_string(path.join("Cargo.toml")) else {
                continue;
            };
            if !manifest.contains("doctest = false") {
                continue;
            }
            for file in files(&path, &["rs"]) {
                let text = fs::read_to_string(&file).unwrap();
                let lines: Vec<&str> = text.lines().map(str::trim).collect();
                let mut inside = false;
                for (number, line) in lines.iter().enumerate() {
                    let comment = line.strip_prefix("//!").or(line.strip_prefix("///"));
                    let Some(language) = comment.and_then(|it| it.trim().strip_prefix("```"))
                    else {
                        continue;
                    };
                    inside = !inside;
                    // A program in a separate file is a separate test.
                    let included = lines.get(number + 1);
                    let included = included.is_some_and(|next| next.contains("include_str!"));
                    assert!(
                        !(inside
                            && !included
                            && matches!(language, "" | "rust" | "no_run" | "compile_fail")),
                        "{}:{}: its crate has `doctest = false`, so this example is not run",
                        relative(&file),
                        number + 1
                    );
                }
            }
        }
    }
}
