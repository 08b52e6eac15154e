//! Runs LLVM's `lit` over this folder, and reports each file as a test.
//!
//! lit is started once for all files that the words of the command line leave:
//! `cargo test --test lit -- stem other` runs the files whose path contains `stem` or
//! `other`. Tests that are made of a template are written to a scratch folder, where
//! lit takes them for tests of this folder.

use halo_lit_tests::{GeneratedTest, TABLE, generated_tests};
use libtest_mimic::{Arguments, Failed, Trial};
use std::{
    collections::HashMap,
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    sync::{Arc, OnceLock},
};

type Outcomes = HashMap<String, Result<(), String>>;

/// The options of libtest whose value is the next argument.
const WITH_VALUE: [&str; 5] = [
    "--test-threads",
    "--logfile",
    "--skip",
    "--color",
    "--format",
];

/// A test: a file of this folder, or one that a template makes.
#[derive(Clone)]
struct Test {
    file: String,
    generated: Option<GeneratedTest>,
}

fn main() -> ExitCode {
    let (arguments, words) = split_words(env::args_os());
    let arguments = Arguments::from_iter(arguments);
    let root = halo_lit_tests::root();
    let mut files = Vec::new();
    collect(&root, &root, &mut files);
    let generated = match generated_tests() {
        Ok(generated) => generated,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::FAILURE;
        }
    };
    let files = files.into_iter().map(|file| Test {
        file,
        generated: None,
    });
    let generated = generated.into_iter().map(|test| Test {
        file: test.file.clone(),
        generated: Some(test),
    });
    let is_chosen = |test: &Test| {
        let matches = |word: &String| match arguments.exact {
            true => test.file == *word,
            false => test.file.contains(word.as_str()),
        };
        (words.is_empty() || words.iter().any(matches)) && !arguments.skip.iter().any(matches)
    };
    let mut tests: Vec<Test> = files.chain(generated).filter(is_chosen).collect();
    tests.sort_by(|left, right| left.file.cmp(&right.file));
    let outcomes: Arc<OnceLock<Result<Outcomes, String>>> = Arc::default();
    let all: Arc<[Test]> = tests.as_slice().into();
    let trials = tests
        .into_iter()
        .map(|test| {
            let (outcomes, all, root) = (Arc::clone(&outcomes), Arc::clone(&all), root.clone());
            Trial::test(test.file.clone(), move || {
                let outcomes = match outcomes.get_or_init(|| run_lit(&root, &all)) {
                    Ok(outcomes) => outcomes,
                    Err(message) => return Err(Failed::from(message.clone())),
                };
                let outcome = outcomes.get(&test.file).cloned();
                let outcome = outcome.unwrap_or_else(|| Err("lit did not run this file".into()));
                outcome.map_err(|output| match &test.generated {
                    Some(made) => Failed::from(format!(
                        "made of lit-tests/{}, with the same lines, for '{}' in lit-tests/{TABLE}\n\
                         {output}",
                        made.template, made.op
                    )),
                    None => Failed::from(output),
                })
            })
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The arguments that are options, with their values, and those that are words.
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

/// Writes the generated tests to a folder, with a configuration for lit.
fn write_generated(folder: &Path, root: &Path, tests: &[Test]) -> Result<(), String> {
    let write = |path: PathBuf, text: String| {
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(&path, text))
            .map_err(|error| format!("{}: {error}", path.display()))
    };
    for test in tests {
        if let Some(made) = &test.generated {
            write(folder.join(&test.file), made.text()?)?;
        }
    }
    let config = format!(
        "lit_config.load_config(config, {:?})\nconfig.test_source_root = {:?}\n",
        root.join("lit.cfg.py").display().to_string(),
        folder.display().to_string(),
    );
    write(folder.join("lit.cfg.py"), config)
}

/// The files with tests: programs, and scripts of the shell, below the root.
fn collect(root: &Path, folder: &Path, files: &mut Vec<String>) {
    let Ok(entries) = folder.read_dir() else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            let no_tests = ["Inputs", "Output", "templates"];
            if !no_tests.iter().any(|folder| path.ends_with(folder)) {
                collect(root, &path, files);
            }
        } else if path.extension().is_some_and(|extension| {
            ["hlo", "mlir", "sh"]
                .iter()
                .any(|known| extension == *known)
        }) && let Ok(name) = path.strip_prefix(root)
        {
            files.push(name.to_string_lossy().into_owned());
        }
    }
}

fn run_lit(root: &Path, tests: &[Test]) -> Result<Outcomes, String> {
    let prefix =
        PathBuf::from(env::var("MLIR_SYS_220_PREFIX").unwrap_or("/usr/lib/llvm-22".into()));
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let report = scratch.path().join("report.json");
    let generated = scratch.path().join("generated");
    write_generated(&generated, root, tests)?;
    let paths = tests.iter().map(|test| match test.generated {
        Some(_) => generated.join(&test.file),
        None => root.join(&test.file),
    });
    // The tools lie beside the folder of this test program.
    let tools = env::current_exe()
        .ok()
        .and_then(|path| Some(path.parent()?.parent()?.to_path_buf()))
        .ok_or("the folder of the tools is unknown")?;
    let output = Command::new(prefix.join("bin/lit"))
        .arg("--output")
        .arg(&report)
        .args(["-q", "--no-progress-bar"])
        .arg(format!("-DLLVM_TOOLS={}", prefix.join("bin").display()))
        .arg(format!("-DHALO_TOOLS={}", tools.display()))
        .arg(format!("-DSCRATCH={}", scratch.path().display()))
        .args(paths)
        .output()
        .map_err(|error| format!("lit could not be started: {error}"))?;
    let text = fs::read_to_string(&report).map_err(|_| {
        format!(
            "lit made no report:\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )
    })?;
    let report: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let tests = report["tests"]
        .as_array()
        .ok_or("lit's report has no tests")?;
    Ok(tests
        .iter()
        .filter_map(|test| {
            let name = test["name"].as_str()?.split_once(" :: ")?.1.to_owned();
            let outcome = match test["code"].as_str()? {
                "PASS" => Ok(()),
                code => Err(format!(
                    "{code}\n{}",
                    test["output"].as_str().unwrap_or_default()
                )),
            };
            Some((name, outcome))
        })
        .collect())
}
