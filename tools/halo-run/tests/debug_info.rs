//! Debug information of compiled programs for debuggers and `perf`.
#![cfg(all(target_os = "linux", feature = "compiler"))]

use std::{
    fs,
    path::PathBuf,
    process::{Command, Stdio},
};

/// One kernel of two lines.
const PROGRAM: &str = "\
func.func @main(%x: tensor<64x48xf32>) -> tensor<64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.exponential %x : tensor<64x48xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<64x48xf32>, tensor<f32>) -> tensor<64xf32>
  return %1 : tensor<64xf32>
}
";

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::write(place.0.path().join("p.mlir"), PROGRAM).unwrap();
        place
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.0.path()).stdin(Stdio::null()).env_remove("HALO_LOG");
        command
    }
}

const HALO_RUN: &str = env!("CARGO_BIN_EXE_halo-run");

/// The output of gdb, which runs the program by commands; `None` if there is no gdb, or it may not
/// trace processes.
fn gdb(place: &Place, commands: &[&str]) -> Option<String> {
    let mut gdb = place.command("gdb");
    gdb.args(["-nx", "-q", "-batch", "-iex", "set debuginfod enabled off"]);
    // The program does not exist before it is compiled.
    gdb.args(["-ex", "set breakpoint pending on"]);
    for command in commands {
        gdb.args(["-ex", command]);
    }
    gdb.args([
        "--args",
        HALO_RUN,
        "-g",
        "p.mlir",
        "--random-inputs",
        "--threads=1",
    ]);
    let Ok(output) = gdb.output() else {
        eprintln!("skipped: gdb is not there");
        return None;
    };
    let texts = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    let text = texts.concat();
    if ["ptrace:", "Could not trace", "Cannot execute"]
        .iter()
        .any(|it| text.contains(it))
    {
        eprintln!("skipped: gdb may trace no process here");
        return None;
    }
    Some(text)
}

#[test]
fn gdb_stops_at_lines_and_kernels() {
    let place = Place::new();
    let commands = [
        "break main_kernel_0",
        "run",
        "delete",
        "break p.mlir:3",
        "continue",
        "backtrace 3",
        "delete",
        "step",
        "kill",
    ];
    let Some(text) = gdb(&place, &commands) else {
        return;
    };
    let stop = |number: u32| {
        let after = text.split_once(&format!("hit Breakpoint {number}, "));
        let after = after.unwrap_or_else(|| panic!("{text}"));
        after.1.lines().collect::<Vec<_>>()
    };
    // A kernel by its name, which begins at the line that it is named after.
    assert_eq!(stop(1)[0], "main_kernel_0 () at p.mlir:4", "{text}");
    // A line, whose text is shown.
    let stopped = stop(2);
    assert_eq!(stopped[0], "main_kernel_0 () at p.mlir:3", "{text}");
    let source = "3\t  %0 = stablehlo.exponential %x : tensor<64x48xf32>";
    assert_eq!(stopped[1], source, "{text}");
    // The frames of the kernel and of its caller.
    assert_eq!(stopped[2], "#0  main_kernel_0 () at p.mlir:3", "{text}");
    // Some debuggers demangle two underscores.
    let caller = stopped[3].replace("main.entry", "main__entry");
    assert!(caller.ends_with(" in main__entry () at p.mlir:4"), "{text}");
    // Another line of the program, with its text.
    assert!(text.contains("\n4\t  %1 = stablehlo.reduce("), "{text}");
}

#[test]
fn perf_gets_code_and_lines() {
    let place = Place::new();
    let mut child = place
        .command(HALO_RUN)
        .args(["-g", "p.mlir", "--random-inputs"])
        .env("HALO_PERF", "jitdump")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let file = format!("jit-{}.dump", child.id());
    assert!(child.wait().unwrap().success());
    let dump = fs::read(place.0.path().join(file)).unwrap();
    let word = |at: usize| u32::from_ne_bytes(dump[at..at + 4].try_into().unwrap());
    assert_eq!(word(0), 0x4A69_5444);
    let mut at = word(8) as usize;
    let (mut kinds, mut names, mut lines) = (Vec::new(), Vec::new(), Vec::new());
    while at < dump.len() {
        let (kind, size) = (word(at), word(at + 4) as usize);
        let text = |begin: usize| {
            let rest = &dump[begin..at + size];
            let end = rest.iter().position(|byte| *byte == 0).unwrap();
            String::from_utf8(rest[..end].to_vec()).unwrap()
        };
        match kind {
            0 => names.push(text(at + 56)),
            2 => {
                let mut entry = at + 32;
                while entry < at + size {
                    let file = text(entry + 16);
                    assert!(PathBuf::from(&file).ends_with("p.mlir"), "{file}");
                    lines.push(word(entry + 8));
                    entry += 16 + file.len() + 1;
                }
            }
            other => panic!("a record of kind {other}"),
        }
        kinds.push(kind);
        at += size;
    }
    assert_eq!(at, dump.len());
    // The lines of a function precede its code.
    assert_ne!(kinds.last(), Some(&2));
    assert!(kinds.windows(2).all(|pair| pair != [2, 2]), "{kinds:?}");
    for name in ["main_kernel_0", "main__entry"] {
        assert!(names.iter().any(|other| other == name), "{names:?}");
    }
    assert!(lines.contains(&3) && lines.contains(&4), "{lines:?}");
}
