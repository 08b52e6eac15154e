//! Runs LLVM's `lit` over this folder, and reports each file as a test.
//!
//! lit is started once for all files that the filter leaves; `cargo test
//! --test lit -- stem` runs the files whose path contains `stem`.

use libtest_mimic::{Arguments, Failed, Trial};
use std::{
    collections::HashMap,
    env,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    sync::{Arc, OnceLock},
};

type Outcomes = HashMap<String, Result<(), String>>;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    collect(&root, &root, &mut files);
    files.sort();
    let chosen: Vec<String> = files
        .iter()
        .filter(|file| match &arguments.filter {
            Some(filter) => file.contains(filter.as_str()),
            None => true,
        })
        .cloned()
        .collect();
    let outcomes: Arc<OnceLock<Result<Outcomes, String>>> = Arc::default();
    let chosen = Arc::new(chosen);
    let trials = files
        .into_iter()
        .map(|file| {
            let (outcomes, chosen, root) =
                (Arc::clone(&outcomes), Arc::clone(&chosen), root.clone());
            Trial::test(file.clone(), move || {
                match outcomes.get_or_init(|| run_lit(&root, &chosen)) {
                    Err(message) => Err(Failed::from(message.clone())),
                    Ok(outcomes) => match outcomes.get(&file) {
                        Some(Ok(())) => Ok(()),
                        Some(Err(output)) => Err(Failed::from(output.clone())),
                        None => Err(Failed::from("lit did not run this file")),
                    },
                }
            })
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The files with tests: programs, and scripts of the shell, below the root.
fn collect(root: &Path, folder: &Path, files: &mut Vec<String>) {
    let Ok(entries) = folder.read_dir() else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            if !path.ends_with("Inputs") && !path.ends_with("Output") {
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

fn run_lit(root: &Path, files: &[String]) -> Result<Outcomes, String> {
    let prefix =
        PathBuf::from(env::var("MLIR_SYS_220_PREFIX").unwrap_or("/usr/lib/llvm-22".into()));
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let report = scratch.path().join("report.json");
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
        .args(files.iter().map(|file| root.join(file)))
        .output()
        .map_err(|error| format!("lit could not be started: {error}"))?;
    let text = std::fs::read_to_string(&report).map_err(|_| {
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
