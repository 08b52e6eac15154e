//! A pass that panics in a tool: one message on standard error, with the location.
//!
//! The tool is this program itself, which runs `halo::opt::main` if an argument requests it.

use halo::{
    Plugin,
    ir::{Pattern, apply_greedily, ops::stablehlo, pass::PassDeclaration},
};
use std::{
    io::Write,
    process::{Command, ExitCode, Stdio},
};

/// The environment variable that makes this program the tool.
const AS_TOOL: &str = "HALO_TEST_PANICS_OF_TOOLS";

static PANICS: PassDeclaration =
    PassDeclaration::new("panics", "Panic", |_| panic!("no such luck"));
static PATTERN_PANICS: PassDeclaration =
    PassDeclaration::new("pattern-panics", "Panic in a pattern", |pass| {
        let pattern = Pattern::new::<stablehlo::AddOp>(|_, _| {
            let empty: Vec<u32> = Vec::new();
            let _ = empty[3];
            Ok(())
        });
        apply_greedily(pass, &[pattern])
    });

/// The tool, if this program was started as such.
pub fn tool() -> Option<ExitCode> {
    std::env::var_os(AS_TOOL)?;
    let plugin = Plugin::new("test", "1.0.0").pass(&PANICS);
    Some(halo::opt::main("test-opt", plugin.pass(&PATTERN_PANICS)))
}

fn errors(options: &[&str], backtrace: &str) -> String {
    let mut tool = Command::new(std::env::current_exe().unwrap())
        .args(options)
        .env(AS_TOOL, "1")
        .env("RUST_BACKTRACE", backtrace)
        .env("HALO_REPRODUCER_DIR", "")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let program = "func.func @f(%x: tensor<f32>) -> tensor<f32> {\n  \
                   %0 = stablehlo.add %x, %x : tensor<f32>\n  \
                   return %0 : tensor<f32>\n}\n";
    tool.stdin.take().unwrap().write_all(program.as_bytes()).unwrap();
    let output = tool.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stderr).unwrap()
}

pub fn run() {
    let file = file!();
    let said = errors(&["--panics"], "0");
    let start = format!(
        "<stdin>:0:0: error: internal error in pass 'panics': no such luck (panicked at {file}:"
    );
    assert!(said.starts_with(&start), "{said}");
    let said = errors(&["--pattern-panics"], "0");
    let start = format!(
        "<stdin>:2:8: error: internal error in pass 'pattern-panics', in the pattern for \
         'stablehlo.add': index out of bounds: the len is 0 but the index is 3 \
         (panicked at {file}:"
    );
    assert!(said.starts_with(&start), "{said}");
    // With a backtrace requested, Rust's lines come before that.
    let said = errors(&["--panics"], "1");
    assert!(said.contains("stack backtrace:"), "{said}");
    assert!(
        said.contains("<stdin>:0:0: error: internal error"),
        "{said}"
    );
}
