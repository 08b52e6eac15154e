//! One run over the selected tests, and its report.

use crate::{
    EXCLUDED, SUFFIXES, Test,
    shell::{FILECHECK_OPTS, Script, path_with},
};
use std::{
    collections::HashMap,
    env,
    env::consts::DLL_SUFFIX,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
};

/// The outcome of each test, by its file: success, or the output of its commands.
pub(crate) type Outcomes = HashMap<String, Result<(), String>>;

/// The folders that lit reads and writes.
struct Folders<'f> {
    /// The tests.
    source: &'f Path,
    /// Tests without a configuration, and generated tests, with a configuration.
    suite: PathBuf,
    scratch: PathBuf,
    /// The binaries of the package.
    tools: PathBuf,
    /// The shared libraries of the package.
    libraries: PathBuf,
    llvm_tools: PathBuf,
}

/// Runs the tests, by lit if it is among LLVM's tools.
pub(crate) fn execute(
    folder: &Path,
    llvm_tools: &Path,
    tests: &[Test],
) -> Result<Outcomes, String> {
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    // Shared libraries are next to this test program, and binaries next to its folder.
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let libraries = program.parent().unwrap_or(&program);
    let folders = Folders {
        source: folder,
        suite: scratch.path().join("suite"),
        scratch: scratch.path().to_owned(),
        tools: libraries.parent().unwrap_or(libraries).to_owned(),
        libraries: libraries.to_owned(),
        llvm_tools: llvm_tools.to_owned(),
    };
    let paths = folders.write(tests)?;
    if !llvm_tools.join("lit").exists() {
        return folders.run_without_lit(tests, &paths);
    }
    let report = scratch.path().join("report.json");
    let define = |name: &str, path: &Path| format!("-D{name}={}", path.display());
    let output = Command::new(folders.llvm_tools.join("lit"))
        .arg("--output")
        .arg(&report)
        .args(["-q", "--no-progress-bar"])
        .arg(define("LLVM_TOOLS", &folders.llvm_tools))
        .arg(define("TOOLS", &folders.tools))
        .arg(define("SCRATCH", &folders.scratch))
        .args(paths)
        .output()
        .map_err(|error| {
            let lit = folders.llvm_tools.join("lit");
            format!("{}: cannot start lit: {error}", lit.display())
        })?;
    let text = fs::read_to_string(&report).map_err(|_| {
        format!(
            "lit wrote no report:\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )
    })?;
    folders.outcomes(&text)
}

impl Folders<'_> {
    /// Writes lit's files next to the folder of the tests, and returns the paths of the tests.
    fn write(&self, tests: &[Test]) -> Result<Vec<PathBuf>, String> {
        let own = self.source.join("lit.cfg.py");
        let has_configuration = own.exists();
        let configuration = if has_configuration {
            format!(
                "lit_config.load_config(config, {:?})\nconfig.test_source_root = {:?}\n",
                own.display().to_string(),
                self.suite.display().to_string(),
            )
        } else {
            self.configuration()
        };
        write(&self.suite.join("lit.cfg.py"), &configuration)?;
        if !has_configuration {
            self.link()?;
        }
        tests
            .iter()
            .map(|test| match &test.generated {
                Some(generated) => {
                    let path = self.suite.join(&test.file);
                    write(&path, &generated.text)?;
                    Ok(path)
                }
                None if has_configuration => Ok(self.source.join(&test.file)),
                None => Ok(self.suite.join(&test.file)),
            })
            .collect()
    }

    /// Runs the tests by bash.
    fn run_without_lit(&self, tests: &[Test], paths: &[PathBuf]) -> Result<Outcomes, String> {
        let needed = self.llvm_tools.join("FileCheck");
        if !needed.exists() {
            let needed = needed.display();
            return Err(format!(
                "{needed} is missing: set MLIR_SYS_220_PREFIX to LLVM 22"
            ));
        }
        if self.source.join("lit.cfg.py").exists() {
            return Err("lit.cfg.py needs LLVM's lit".to_owned());
        }
        let path = path_with(&[&self.tools, &self.llvm_tools]);
        let substitutions = [
            ("%shlibdir", self.libraries.display().to_string()),
            ("%shlibext", DLL_SUFFIX.to_owned()),
        ];
        let (suite, source) = (
            self.suite.display().to_string(),
            self.source.display().to_string(),
        );
        let run = |position: usize| {
            let script = Script {
                file: &paths[position],
                scratch: &self.scratch.join("output").join(position.to_string()),
                path: &path,
                substitutions: &substitutions,
            };
            let outcome = script.run().map_err(|output| output.replace(&suite, &source));
            (tests[position].file.clone(), outcome)
        };
        let next = AtomicUsize::new(0);
        let outcomes = Mutex::new(Outcomes::new());
        thread::scope(|scope| {
            for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    while let position = next.fetch_add(1, Relaxed)
                        && position < tests.len()
                    {
                        let (file, outcome) = run(position);
                        outcomes
                            .lock()
                            .unwrap_or_else(PoisonError::into_inner)
                            .insert(file, outcome);
                    }
                });
            }
        });
        Ok(outcomes.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// The lit configuration of a folder without one.
    fn configuration(&self) -> String {
        let suffixes = SUFFIXES.map(|suffix| format!(".{suffix}"));
        let path = env::join_paths([&self.tools, &self.llvm_tools]).unwrap_or_default();
        format!(
            "import os\n\
             import lit.formats\n\
             config.name = 'halo-lit'\n\
             config.suffixes = {suffixes:?}\n\
             config.excludes = {EXCLUDED:?}\n\
             config.test_format = lit.formats.ShTest(execute_external=False)\n\
             config.test_source_root = {:?}\n\
             config.test_exec_root = {:?}\n\
             config.substitutions.append(('%shlibdir', {:?}))\n\
             config.substitutions.append(('%shlibext', {DLL_SUFFIX:?}))\n\
             config.environment['PATH'] = {:?} + os.pathsep + config.environment['PATH']\n\
             config.environment['FILECHECK_OPTS'] = {FILECHECK_OPTS:?}\n",
            self.suite.display().to_string(),
            self.scratch.join("output").display().to_string(),
            self.libraries.display().to_string(),
            path.to_string_lossy(),
        )
    }

    /// Links each file of the folder into a folder with a configuration.
    fn link(&self) -> Result<(), String> {
        let failed = |error| format!("{}: {error}", self.source.display());
        let mut pending = vec![self.source.to_path_buf()];
        while let Some(folder) = pending.pop() {
            for entry in folder.read_dir().map_err(failed)?.flatten() {
                let path = entry.path();
                let Ok(name) = path.strip_prefix(self.source) else {
                    continue;
                };
                let target = self.suite.join(name);
                if path.is_dir() {
                    fs::create_dir_all(&target).map_err(failed)?;
                    pending.push(path);
                } else {
                    link(&path, &target).map_err(failed)?;
                }
            }
        }
        Ok(())
    }

    /// Parses lit's report. Maps the paths of links to the files.
    fn outcomes(&self, report: &str) -> Result<Outcomes, String> {
        let report: serde_json::Value =
            serde_json::from_str(report).map_err(|error| error.to_string())?;
        let tests = report["tests"].as_array().ok_or("lit's report has no tests")?;
        let (suite, source) = (
            self.suite.display().to_string(),
            self.source.display().to_string(),
        );
        Ok(tests
            .iter()
            .filter_map(|test| {
                let name = test["name"].as_str()?.split_once(" :: ")?.1.to_owned();
                let output = test["output"].as_str().unwrap_or_default();
                let outcome = match test["code"].as_str()? {
                    "PASS" => Ok(()),
                    code => Err(format!("{code}\n{}", output.replace(&suite, &source))),
                };
                Some((name, outcome))
            })
            .collect())
    }
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(unix)]
fn link(path: &Path, target: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(path, target)
}

#[cfg(not(unix))]
fn link(path: &Path, target: &Path) -> std::io::Result<()> {
    fs::copy(path, target).map(drop)
}
