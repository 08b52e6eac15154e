//! The lit and FileCheck tests of Halo's tools; `lit.rs` runs them.
//!
//! Ops of one shape have the same syntax, so that their tests are one template in
//! `dialects/templates/`, and `dialects/ops.txt` says which ops it is for. A generated
//! test is named as if it stood in the folder of its dialect:
//! `dialects/stablehlo/cbrt.mlir`. Its lines are those of the template.
//!
//! Tests of other crates find here the [`machines`] that they run programs on, and whether
//! [`passes`] have their tests.

pub mod machines;
pub mod passes;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// The folder of the tests.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The word of a template that the name of an op replaces.
const OP: &str = "OP";

/// The table of ops, below the root.
pub const TABLE: &str = "dialects/ops.txt";

/// A test that is made of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedTest {
    /// The op, with its dialect.
    pub op: String,
    /// The file that it would be, below the root.
    pub file: String,
    /// The template, below the root.
    pub template: String,
}

impl GeneratedTest {
    /// The program with its RUN lines.
    ///
    /// # Errors
    /// If the template cannot be read.
    pub fn text(&self) -> Result<String, String> {
        let path = root().join(&self.template);
        match fs::read_to_string(&path) {
            Ok(text) => Ok(expand(&text, &self.op)),
            Err(error) => Err(format!("{}: {error}", path.display())),
        }
    }
}

/// A template with the name of an op in place of each word `OP`.
fn expand(template: &str, op: &str) -> String {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    let mut text = String::with_capacity(template.len());
    for piece in template.split_inclusive(|character| !is_part(character)) {
        let word = piece.trim_end_matches(|character| !is_part(character));
        match word {
            OP => text.push_str(&piece.replacen(OP, op, 1)),
            _ => text.push_str(piece),
        }
    }
    text
}

/// The generated tests, in the order of the table.
///
/// # Errors
/// If a line of the table is not `DIALECT.OP TEMPLATE`, an op has two tests, or a
/// template is missing or belongs to no op.
pub fn generated_tests() -> Result<Vec<GeneratedTest>, String> {
    let root = root();
    let table =
        fs::read_to_string(root.join(TABLE)).map_err(|error| format!("{TABLE}: {error}"))?;
    let stems = fs::read_dir(root.join("dialects/templates"))
        .map_err(|error| format!("dialects/templates: {error}"))?
        .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_owned()))
        .collect();
    let tests = parse(&table, &stems)?;
    match tests.iter().find(|test| root.join(&test.file).exists()) {
        Some(test) => Err(format!("{} is in {TABLE} and is a file, too", test.file)),
        None => Ok(tests),
    }
}

fn parse(table: &str, stems: &BTreeSet<String>) -> Result<Vec<GeneratedTest>, String> {
    let mut tests: Vec<GeneratedTest> = Vec::new();
    let mut unused = stems.clone();
    for (number, line) in table.lines().enumerate() {
        let fail = |message: String| Err(format!("{TABLE}:{}: {message}", number + 1));
        if line.starts_with('#') || line.is_empty() {
            continue;
        }
        let Some((op, stem)) = line.split_once(' ') else {
            return fail(format!("'{line}' is not an op and a template"));
        };
        let Some((dialect, name)) = op.split_once('.') else {
            return fail(format!("'{op}' has no dialect"));
        };
        if !stems.contains(stem) {
            return fail(format!("there is no template '{stem}'"));
        }
        if tests.iter().any(|test| test.op == op) {
            return fail(format!("'{op}' has a line above"));
        }
        unused.remove(stem);
        tests.push(GeneratedTest {
            op: op.to_owned(),
            file: format!("dialects/{dialect}/{name}.mlir"),
            template: format!("dialects/templates/{stem}.mlir"),
        });
    }
    match unused.first() {
        Some(stem) => Err(format!("{TABLE}: no op has the template '{stem}'")),
        None => Ok(tests),
    }
}

/// Whether an op has a test of its syntax: a file, or a line of the table.
///
/// # Errors
/// As [`generated_tests`].
pub fn has_syntax_test(dialect: &str, op: &str) -> Result<bool, String> {
    let file = Path::new("dialects").join(dialect).join(format!("{op}.mlir"));
    let generated = generated_tests()?;
    Ok(root().join(&file).exists() || generated.iter().any(|test| Path::new(&test.file) == file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_word_is_replaced() {
        assert_eq!(
            expand(
                "// NOP OPS\n%0 = \"OP\"(%a) OP_\n%1 = OP %a\nOP",
                "chlo.erf"
            ),
            "// NOP OPS\n%0 = \"chlo.erf\"(%a) OP_\n%1 = chlo.erf %a\nchlo.erf"
        );
    }

    #[test]
    fn tables_that_are_wrong_are_errors() {
        let stems = || BTreeSet::from(["unary".to_owned()]);
        let error = |table: &str| parse(table, &stems()).unwrap_err();
        let place = "dialects/ops.txt:2:";
        assert_eq!(
            error("a.b unary\na.b unary\n"),
            format!("{place} 'a.b' has a line above")
        );
        assert_eq!(
            error("a.b unary\na.c other\n"),
            format!("{place} there is no template 'other'")
        );
        assert_eq!(
            error("# ops\nab unary\n"),
            format!("{place} 'ab' has no dialect")
        );
        assert_eq!(
            error("\na.b\n"),
            format!("{place} 'a.b' is not an op and a template")
        );
        assert_eq!(
            error("# ops\n"),
            "dialects/ops.txt: no op has the template 'unary'"
        );
        assert_eq!(
            parse("a.b unary\n", &stems()).unwrap(),
            [GeneratedTest {
                op: "a.b".to_owned(),
                file: "dialects/a/b.mlir".to_owned(),
                template: "dialects/templates/unary.mlir".to_owned(),
            }]
        );
    }

    #[test]
    fn the_table_is_in_order() {
        let ops: Vec<String> =
            (generated_tests().unwrap().into_iter()).map(|test| test.op).collect();
        assert!(ops.is_sorted(), "{ops:?}");
    }
}
