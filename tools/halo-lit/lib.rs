//! FileCheck tests under `cargo test`.
//!
//! A test is a `.mlir`, `.hlo` or `.sh` file whose RUN lines LLVM's `lit` executes:
//!
//! ```mlir
//! // RUN: my-opt %s --my-pass | FileCheck %s
//! // CHECK: stablehlo.multiply
//! ```
//!
//! A crate with such a folder, `tests/lit`, has one test program without libtest's
//! harness (`[[test]] name = "lit"`, `harness = false`):
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     halo_lit::main(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/lit"))
//! }
//! ```
//!
//! Each file is a test of `cargo test`. `cargo test --test lit -- WORD OTHER` runs the files whose
//! path contains one of the words. RUN lines find the binaries of the crate's package, which cargo
//! builds first, and LLVM's tools, including FileCheck, from `MLIR_SYS_220_PREFIX`, by default
//! `/usr/lib/llvm-22`. A plug-in of the package named `first` is `%shlibdir/libfirst%shlibext`. lit
//! is started once for all files. Without lit, bash runs the lines.
//!
//! The folder needs no configuration. A `lit.cfg.py` is used if it exists, with the parameters
//! `TOOLS` and `LLVM_TOOLS`, the folders of the binaries, and `SCRATCH`, a folder that is removed
//! after the run.

mod execution;
mod shell;

use execution::{Outcomes, execute};
use libtest_mimic::{Arguments, Failed, Trial};
use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{Arc, OnceLock},
};

/// The extensions of test files.
const SUFFIXES: [&str; 3] = ["hlo", "mlir", "sh"];

/// Folders without tests.
const EXCLUDED: [&str; 3] = ["Inputs", "Output", "templates"];

/// The options of libtest whose value is the next argument.
const WITH_VALUE: [&str; 5] = [
    "--test-threads",
    "--logfile",
    "--skip",
    "--color",
    "--format",
];

/// A folder of tests.
#[derive(Clone, Debug)]
pub struct Suite {
    folder: PathBuf,
    generated: Vec<GeneratedTest>,
    ignored: Vec<String>,
    tools: Option<PathBuf>,
}

/// A generated test: lit runs it as if it were a file in the folder.
#[derive(Clone, Debug)]
pub struct GeneratedTest {
    /// Its path below the folder.
    pub file: String,
    /// Its text, with RUN lines.
    pub text: String,
    /// The first line of the report if it fails: its source.
    pub origin: String,
}

/// A test: a file, or a generated one.
#[derive(Clone)]
struct Test {
    file: String,
    generated: Option<GeneratedTest>,
}

/// Runs all tests of a folder, as the main function of a test program.
pub fn main(folder: impl Into<PathBuf>) -> ExitCode {
    Suite::new(folder).run()
}

impl Suite {
    /// The tests of a folder and its subfolders.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            generated: Vec::new(),
            ignored: Vec::new(),
            tools: None,
        }
    }

    /// Sets the folder of LLVM's tools, by default `bin` in `MLIR_SYS_220_PREFIX`.
    #[must_use]
    pub fn tools(mut self, folder: impl Into<PathBuf>) -> Self {
        self.tools = Some(folder.into());
        self
    }

    /// Adds tests that are not files.
    #[must_use]
    pub fn generated(mut self, tests: impl IntoIterator<Item = GeneratedTest>) -> Self {
        self.generated.extend(tests);
        self
    }

    /// Ignores files, as `#[ignore]` does: `-- --ignored` runs them.
    #[must_use]
    pub fn ignored(mut self, files: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.ignored.extend(files.into_iter().map(Into::into));
        self
    }

    /// Runs the tests that the command line selects, as the main function of a test program.
    pub fn run(self) -> ExitCode {
        let (arguments, words) = split_words(env::args_os());
        let arguments = Arguments::from_iter(arguments);
        let mut files = Vec::new();
        if let Err(message) = collect(&self.folder, &self.folder, &mut files) {
            eprintln!("error: {message}");
            return ExitCode::FAILURE;
        }
        let files = files.into_iter().map(|file| Test {
            file,
            generated: None,
        });
        let generated = self.generated.into_iter().map(|test| Test {
            file: test.file.clone(),
            generated: Some(test),
        });
        let is_chosen = |test: &Test| {
            let matches = |word: &String| {
                if arguments.exact {
                    test.file == *word
                } else {
                    test.file.contains(word.as_str())
                }
            };
            (words.is_empty() || words.iter().any(matches)) && !arguments.skip.iter().any(matches)
        };
        let mut tests: Vec<Test> = files.chain(generated).filter(is_chosen).collect();
        tests.sort_by(|left, right| left.file.cmp(&right.file));
        let tools = self.tools.clone().unwrap_or_else(|| {
            let prefix = env::var_os("MLIR_SYS_220_PREFIX");
            Path::new(&prefix.unwrap_or("/usr/lib/llvm-22".into())).join("bin")
        });
        let outcomes: Arc<OnceLock<Result<Outcomes, String>>> = Arc::default();
        let is_ignored = |test: &Test| self.ignored.contains(&test.file);
        let runs = |test: &&Test| {
            if is_ignored(test) {
                arguments.ignored || arguments.include_ignored
            } else {
                !arguments.ignored
            }
        };
        let all: Arc<[Test]> = tests.iter().filter(runs).cloned().collect();
        let trials = tests.into_iter().map(|test| {
            let is_ignored = is_ignored(&test);
            let (outcomes, all) = (Arc::clone(&outcomes), Arc::clone(&all));
            let (folder, tools) = (self.folder.clone(), tools.clone());
            Trial::test(test.file.clone(), move || {
                let outcomes = match outcomes.get_or_init(|| execute(&folder, &tools, &all)) {
                    Ok(outcomes) => outcomes,
                    Err(message) => return Err(Failed::from(message.clone())),
                };
                let outcome = outcomes.get(&test.file).cloned();
                let outcome = outcome.unwrap_or_else(|| Err("lit did not run this file".into()));
                outcome.map_err(|output| match &test.generated {
                    Some(generated) => Failed::from(format!("{}\n{output}", generated.origin)),
                    None => Failed::from(output),
                })
            })
            .with_ignored_flag(is_ignored)
        });
        libtest_mimic::run(&arguments, trials.collect()).exit_code()
    }
}

/// Splits the arguments into options, with their values, and words.
fn split_words(arguments: impl Iterator<Item = OsString>) -> (Vec<OsString>, Vec<String>) {
    let (mut options, mut words) = (Vec::new(), Vec::new());
    for (position, argument) in arguments.enumerate() {
        let is_value = options.last().is_some_and(|last: &OsString| {
            last.to_str().is_some_and(|last| WITH_VALUE.contains(&last))
        });
        match argument.to_str() {
            Some(word) if position > 0 && !is_value && !word.starts_with('-') => {
                words.push(word.to_owned());
            }
            _ => options.push(argument),
        }
    }
    (options, words)
}

/// The paths of test files, below the root.
fn collect(root: &Path, folder: &Path, files: &mut Vec<String>) -> Result<(), String> {
    let entries = folder.read_dir().map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            if !EXCLUDED.iter().any(|name| path.ends_with(name)) {
                collect(root, &path, files)?;
            }
        } else if let Some(suffix) = path.extension()
            && SUFFIXES.iter().any(|known| suffix == *known)
            && let Ok(name) = path.strip_prefix(root)
        {
            files.push(name.to_string_lossy().into_owned());
        }
    }
    Ok(())
}
