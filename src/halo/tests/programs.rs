//! The programs of the documentation, in one executable, since each links MLIR and LLVM.

/// The program in the documentation of the crate.
mod first_program {
    include!("first_program.rs");

    pub fn run() {
        main().unwrap();
    }
}
mod edited_pipeline;
mod edited_pipeline_tests;
mod examples;
mod host_function_backend;
mod host_function_backend_tests;
mod panics_of_tools;
mod plugin_tests;
mod public_items;

use std::process::ExitCode;

use halo_shared as _;

/// Each block of `docs/backends.md` is an excerpt of a file that a test runs.
fn check_excerpts() {
    const GUIDE: &str = include_str!("../../../docs/backends.md");
    const SOURCES: [(&str, &[&str]); 5] = [
        (
            "rust",
            &[
                include_str!("edited_pipeline.rs"),
                include_str!("host_function_backend.rs"),
                include_str!("host_function_backend_tests.rs"),
                include_str!("../../core/machine/kinds.rs"),
                include_str!("../../../examples/out-of-tree/accelerator/src/lib.rs"),
            ],
        ),
        (
            "toml",
            &[include_str!(
                "../../../examples/out-of-tree/accelerator/Cargo.toml"
            )],
        ),
        (
            "python",
            &[include_str!(
                "../../../examples/out-of-tree/accelerator/python/jax_plugins/accelerator.py"
            )],
        ),
        (
            "mlir",
            &[include_str!("../../../lit-tests/tools/objects.sh")],
        ),
        (
            "sh",
            &[
                include_str!("../../../lit-tests/tools/objects.sh"),
                include_str!("../../../lit-tests/tools/pipelines.sh"),
                include_str!("../../../lit-tests/tools/rocm.sh"),
                include_str!("../../pjrt/python/tests/test_platforms.py"),
            ],
        ),
    ];
    let mut checked = 0;
    for block in GUIDE.split("\n```").skip(1).step_by(2) {
        let (language, text) = block.split_once('\n').unwrap_or((block, ""));
        let sources = SOURCES.iter().find(|(name, _)| *name == language);
        let (_, sources) = sources.unwrap_or_else(|| panic!("nothing tests '{language}'"));
        // A script contains commands one by one.
        let parts: Vec<&str> = match language {
            "sh" => text.lines().collect(),
            _ => vec![text],
        };
        for part in parts {
            assert!(
                sources.iter().any(|source| source.contains(part)),
                "docs/backends.md has an excerpt of no test:\n{part}"
            );
            checked += 1;
        }
    }
    assert!(checked > 10, "{checked} excerpts");
    let lines = include_str!("host_function_backend.rs").lines().count();
    assert!(
        GUIDE.contains(&format!("one of {lines} lines")),
        "{lines} lines"
    );
}

/// The blocks of `docs/first_pass.md` are the files of the example, and its commands are in a
/// script that lit runs.
fn check_first_pass() {
    const GUIDE: &str = include_str!("../../../docs/first_pass.md");
    macro_rules! example {
        ($file:literal) => {
            include_str!(concat!("../../../examples/out-of-tree/first-pass/", $file))
        };
    }
    const CONFIGURATION: &str = include_str!("../../../.cargo/config.toml");
    let script = example!("tests/lit/guide.sh");
    let mut checked = 0;
    for block in GUIDE.split("\n```").skip(1).step_by(2) {
        let (language, text) = block.split_once('\n').unwrap_or((block, ""));
        let is_found = match language {
            "rust" => {
                let files = [
                    example!("build.rs"),
                    example!("src/lib.rs"),
                    example!("src/main.rs"),
                    example!("tests/lit.rs"),
                ];
                files.iter().any(|file| file.trim_end() == text)
            }
            "mlir" => example!("tests/lit/double.mlir").trim_end() == text,
            // The crate of the guide is in another folder.
            "toml" => text.lines().filter(|line| !line.contains("../")).all(|line| {
                let files = [example!("Cargo.toml"), CONFIGURATION];
                files.iter().any(|file| file.lines().any(|other| other == line))
            }),
            "console" => text.lines().all(|line| {
                let command = line.strip_prefix("$ ").unwrap_or(line);
                script.contains(command.trim_start_matches("target/debug/"))
            }),
            // `make test-sdk` and `make test-git` run these.
            "sh" => true,
            _ => false,
        };
        assert!(
            is_found,
            "docs/first_pass.md has a block of no test:\n{text}"
        );
        checked += 1;
    }
    assert!(checked > 8, "{checked} blocks");
}

/// The blocks of `docs/schedules.md` are the files of a script of lit, which runs the
/// commands.
fn check_schedules() {
    const GUIDE: &str = include_str!("../../../docs/schedules.md");
    macro_rules! file {
        ($file:literal) => {
            include_str!(concat!("../../../lit-tests/tools/", $file))
        };
    }
    let mut checked = 0;
    for block in GUIDE.split("\n```").skip(1).step_by(2) {
        let (language, text) = block.split_once('\n').unwrap_or((block, ""));
        let is_found = match language {
            "mlir" => [file!("Inputs/softmax.mlir"), file!("Inputs/schedule.mlir")]
                .iter()
                .any(|file| file.trim_end() == text),
            "console" => {
                let command = text.strip_prefix("$ ").unwrap_or(text);
                let script = file!("schedule.sh").lines();
                script.into_iter().any(|line| {
                    line.strip_prefix("expect 0 ").is_some_and(|line| line.starts_with(command))
                })
            }
            _ => false,
        };
        assert!(
            is_found,
            "docs/schedules.md has a block of no test:\n{text}"
        );
        checked += 1;
    }
    assert!(checked > 4, "{checked} blocks");
}

/// Each block of `docs/dialects.md` is an excerpt of an example, and the error in it has the format
/// of one that a test of `halo-ods` expects.
fn check_dialects() {
    const GUIDE: &str = include_str!("../../../docs/dialects.md");
    macro_rules! example {
        ($file:literal) => {
            include_str!(concat!("../../../examples/out-of-tree/", $file))
        };
    }
    const TESTS: &str = include_str!("../../ods/tests/build_script.rs");
    const REFUSED: &str =
        "has the trait 'SameVariadicOperandSize', which a declared op does not have";
    let sources = [
        example!("lowerings/src/vendor_dialect.rs"),
        example!("ods-dialect/Cargo.toml"),
        example!("ods-dialect/build.rs"),
        example!("ods-dialect/src/main.rs"),
        example!("ods-dialect/src/signal.rs"),
        example!("ods-dialect/src/signal.td"),
        example!("ods-dialect/src/signal_to_linalg.rs"),
    ];
    let mut checked = 0;
    for block in GUIDE.split("\n```").skip(1).step_by(2) {
        let (language, text) = block.split_once('\n').unwrap_or((block, ""));
        let is_found = match language {
            "text" => text.ends_with(REFUSED) && TESTS.contains(REFUSED),
            _ => sources.iter().any(|source| source.contains(text)),
        };
        assert!(is_found, "docs/dialects.md has a block of no test:\n{text}");
        checked += 1;
    }
    assert!(checked > 10, "{checked} blocks");
}

fn main() -> ExitCode {
    if let Some(code) = panics_of_tools::tool() {
        return code;
    }
    check_excerpts();
    check_first_pass();
    public_items::run();
    check_dialects();
    check_schedules();
    first_program::run();
    host_function_backend_tests::run();
    edited_pipeline::run().unwrap();
    edited_pipeline_tests::run();
    panics_of_tools::run();
    plugin_tests::run();
    examples::run();
    ExitCode::SUCCESS
}
