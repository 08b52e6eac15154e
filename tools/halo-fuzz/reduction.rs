//! Reduction of failing cases, by the `halo-reduce` next to this tool.
//!
//! The kind of failure is derived from its message; a crash has no information about its step, so
//! each step of the case is tried.

use crate::{Options, cases::Kind, worker};
use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The time limit for reducing one case, in seconds.
const LIMIT: u64 = 60;

/// The time limit of one of its many tests, in seconds.
const LONGEST_TEST: u64 = 10;

/// The backend of expected results.
const REFERENCE: &str = "interpreter";

/// Reduces a case, unless disabled by the options; returns the file of the result, next to the
/// case's file. `None` if it is not possible, as for bytes that are not a program.
pub fn reduce(options: &Options, case: &Path, kind: Kind, message: &str) -> Option<PathBuf> {
    // Files that are edited as bytes are not programs.
    if options.no_reduce || options.tools || !matches!(kind, Kind::Valid | Kind::Hostile) {
        return None;
    }
    let tool = std::env::current_exe().ok()?.with_file_name("halo-reduce");
    let result = case.with_extension("reduced.mlir");
    let attempts = attempts(options.backend.as_deref(), message);
    let is_reduced = attempts.into_iter().any(|arguments| {
        let status = Command::new(&tool)
            .arg(case)
            .arg("-o")
            .arg(&result)
            .arg(format!("--max-seconds={LIMIT}"))
            .arg(format!(
                "--timeout={}",
                options.limit.clamp(1, LONGEST_TEST)
            ))
            // The inputs of the case.
            .arg("--random-inputs=1")
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        status.is_ok_and(|status| status.success())
    });
    is_reduced.then_some(result)
}

/// The command lines that may reproduce the failure.
fn attempts(backend: Option<&str>, message: &str) -> Vec<Vec<String>> {
    let simplification = worker::simplification().to_string();
    let passes = || format!("--pass-pipeline=builtin.module({simplification})");
    let of_backend = |name: &str| {
        let mut arguments = vec![format!("--backend={name}")];
        arguments.extend((name != REFERENCE).then(|| "--no-constant-folding".to_owned()));
        arguments
    };
    let with = |mut arguments: Vec<String>, failure: &str| {
        arguments.push(failure.to_owned());
        arguments
    };
    if message.starts_with("simplified, result") {
        return vec![vec![
            format!("--differs={REFERENCE},{REFERENCE}"),
            format!("--insert-passes=before:hlo:{simplification}"),
        ]];
    }
    if let Some(name) = backend
        && message.starts_with(&format!("{name}, result"))
    {
        return vec![vec![
            format!("--differs={name},{REFERENCE}"),
            "--no-constant-folding".to_owned(),
        ]];
    }
    let first = message.split(" | ").next().unwrap_or_default();
    let steps = ["refused: ", "passes: ", "simplified, refused: "].map(str::to_owned);
    let steps = steps.into_iter().chain(backend.map(|name| format!("{name}: ")));
    let is_refusal = steps.into_iter().any(|step| first.starts_with(&step));
    let failure = match first.rsplit_once("error: ") {
        Some((_, error)) if is_refusal && !first.contains("internal error") => {
            format!("--error={error}")
        }
        _ => "--crashes".to_owned(),
    };
    let mut found = vec![
        with(of_backend(REFERENCE), &failure),
        vec![passes(), failure.clone()],
    ];
    found.extend(backend.map(|name| with(of_backend(name), &failure)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_says_what_to_look_for() {
        let first = |message: &str| attempts(Some("cpu"), message).swap_remove(0).join(" ");
        assert_eq!(
            first("cpu, result 0: 3 of 4 elements differ"),
            "--differs=cpu,interpreter --no-constant-folding"
        );
        assert!(
            first("simplified, result 1: 1 of 1 elements differ")
                .starts_with("--differs=interpreter,interpreter --insert-passes=before:hlo:")
        );
        assert_eq!(
            first("refused: case.mlir:3:4: error: 'a' op is wrong | note: b"),
            "--backend=interpreter --error='a' op is wrong"
        );
        assert_eq!(
            first("refused: internal error: no"),
            "--backend=interpreter --crashes"
        );
        // Any step of the case may crash.
        assert_eq!(
            attempts(Some("cpu"), "signal: 6 error: no")[2].join(" "),
            "--backend=cpu --no-constant-folding --crashes"
        );
        assert_eq!(attempts(None, "signal: 11").len(), 2);
    }
}
