//! The support table of ops in `docs/ops.md`.
//!
//! Every column is determined by tests, not declared: files and templates of tests are searched,
//! the tables of semantics and folding are queried, and the program of values in
//! `lit-tests/hlo/interpreter/` is run on every backend. `HALO_BLESS=1` rewrites the document;
//! without it the test fails if the document is out of date.

use halo_backend::{Backend, CompileOptions, Program, Registry};
use halo_hlo::{folding, semantics};
use std::{
    collections::BTreeMap,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    sync::Mutex,
    thread,
};

/// The columns of backends, with the backend of each. The document is the same on a machine with a
/// GPU.
const COLUMNS: [(&str, &str); 3] = [
    ("cpu", "cpu"),
    ("gpu", "cuda-emulator"),
    ("interpreter", "interpreter"),
];

const DIALECTS: &[&str] = &["stablehlo", "chlo", "check", "interpreter"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The ops that TableGen declares for a dialect: their names, each with the file of its
/// definition below `dialects/`.
fn ops_of(dialect: &str) -> BTreeMap<String, String> {
    let mut ops = BTreeMap::new();
    for entry in fs::read_dir(root().join("dialects").join(dialect)).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let file = path.file_name().unwrap().to_str().unwrap();
        // The class of these ops adds the prefix of the name.
        let prefix = if path.ends_with("BroadcastOps.td") {
            "broadcast_"
        } else {
            ""
        };
        // `def Stablehlo_AbsOp : Stablehlo_UnaryOp<"abs"`
        for piece in text.split("Op<\"").skip(1) {
            let name = piece.split('"').next().unwrap();
            // A prefix is not a name, and some names already have it.
            if !name.ends_with('_') {
                let name = name.strip_prefix(prefix).unwrap_or(name);
                ops.insert(format!("{prefix}{name}"), format!("{dialect}/{file}"));
            }
        }
    }
    ops
}

/// The function with the values: `main`, or the first one without arguments.
fn entry(program: &Program) -> Option<String> {
    let text = std::str::from_utf8(&program.code).unwrap();
    if text.contains("func.func @main(") {
        return None;
    }
    let name = text.split("\nfunc.func @").nth(1)?.split("()").next()?;
    Some(name.to_owned())
}

/// The row of one op in the table.
struct Row {
    name: String,
    /// The file of its definition below `dialects/`.
    definition: String,
    parses: bool,
    verifies: bool,
    infers: bool,
    folds: bool,
    /// For each backend, whether the program of values runs.
    runs: Vec<bool>,
}

impl Row {
    fn find_out(dialect: &str, op: &str, definition: String, backends: &[Backend]) -> Self {
        let name = format!("{dialect}.{op}");
        let file = |folder: &str| {
            root().join("lit-tests").join(folder).join(dialect).join(format!("{op}.mlir"))
        };
        let values = Program::read(&file("hlo/interpreter")).ok();
        let options = CompileOptions {
            entry: values.as_ref().and_then(entry),
            // Folded ops are not compiled.
            no_constant_folding: true,
            ..CompileOptions::default()
        };
        let runs = |backend: &Backend| {
            values.as_ref().is_some_and(|program| {
                let executable = backend.compiler.compile(program, &options);
                executable.is_ok_and(|executable| executable.run(&[]).is_ok())
            })
        };
        Self {
            parses: halo_lit_tests::has_syntax_test(dialect, op).unwrap(),
            verifies: file("hlo/semantics").exists(),
            infers: semantics::infers(&name),
            folds: folding::folds(&name),
            runs: backends.iter().map(runs).collect(),
            name,
            definition,
        }
    }

    fn line(&self) -> String {
        let mark = |yes: &bool| if *yes { "yes" } else { "–" };
        let mut line = format!("| [`{}`](../dialects/{})", self.name, self.definition);
        for yes in [&self.parses, &self.verifies, &self.infers, &self.folds]
            .into_iter()
            .chain(&self.runs)
        {
            write!(line, " | {}", mark(yes)).unwrap();
        }
        line + " |"
    }
}

/// A line of the table of generated tests names an op of its dialect.
#[test]
fn generated_tests_are_of_ops() {
    for test in halo_lit_tests::generated_tests().unwrap() {
        let (dialect, op) = test.op.split_once('.').unwrap();
        let ops = ops_of(dialect);
        assert!(ops.contains_key(op), "{} is not an op", test.op);
    }
}

fn rows(dialect: &str, backends: &[Backend]) -> Vec<Row> {
    let ops = Mutex::new(ops_of(dialect));
    let rows = Mutex::new(Vec::new());
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let Some((op, definition)) = ops.lock().unwrap().pop_last() else {
                        break;
                    };
                    let row = Row::find_out(dialect, &op, definition, backends);
                    rows.lock().unwrap().push(row);
                }
            });
        }
    });
    let mut rows = rows.into_inner().unwrap();
    rows.sort_by(|left: &Row, right| left.name.cmp(&right.name));
    rows
}

#[test]
fn the_document_is_up_to_date() {
    let mut registry = Registry::new();
    halo_compiler::backends::register(&mut registry);
    let backends: Vec<Backend> = COLUMNS
        .iter()
        .map(|(_, name)| registry.backend(name).unwrap().clone())
        .collect();
    let names = COLUMNS.map(|(title, _)| title);
    let mut text = String::from(
        "# Ops\n\n\
         The support for each op, with a link to its definition. `src/compiler/tests/op_table.rs` measures it and checks the table.\n\n\
         - parses: its syntax is read and printed (`lit-tests/dialects/`).\n\
         - verifies: invalid ops are rejected (`lit-tests/hlo/semantics/`).\n\
         - infers: the shapes or types of its results are inferred.\n\
         - folds: it is evaluated if its operands are constants.\n\
         - the backends: the tests in `lit-tests/hlo/interpreter/` pass without folding. Ops of CHLO \
         are decomposed first. `gpu` are the kernels of the `cuda` backend, run by \
         `cuda-emulator`.\n",
    );
    for dialect in DIALECTS {
        let rows = rows(dialect, &backends);
        write!(
            text,
            "\n## {dialect}\n\n| op | parses | verifies | infers | folds | {} |\n|---{}|\n",
            names.join(" | "),
            "|---".repeat(4 + names.len()),
        )
        .unwrap();
        for row in &rows {
            assert!(row.parses, "{} has no test of its syntax", row.name);
            assert!(row.verifies, "{} has no test of invalid ops", row.name);
            let interpreted = names.iter().position(|name| *name == "interpreter").unwrap();
            assert!(
                row.runs[interpreted],
                "{} has no values that hold",
                row.name
            );
            writeln!(text, "{}", row.line()).unwrap();
        }
    }
    let path = root().join("docs/ops.md");
    if std::env::var_os("HALO_BLESS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &text).unwrap();
    }
    let present = fs::read_to_string(&path).unwrap_or_default();
    for (present, expected) in present.lines().zip(text.lines()) {
        assert_eq!(
            present, expected,
            "write docs/ops.md anew with HALO_BLESS=1"
        );
    }
    assert_eq!(present, text, "write docs/ops.md anew with HALO_BLESS=1");
}
