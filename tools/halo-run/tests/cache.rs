//! The cache of compiled code, tested by runs of the tool.
#![cfg(all(unix, feature = "compiler"))]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A program with one argument, which multiplies it and adds a number.
const PROGRAM: &str = "\
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %c = stablehlo.constant dense<0.3> : tensor<64xf32>
  %y = stablehlo.multiply %x, %c : tensor<64xf32>
  %z = stablehlo.tanh %y : tensor<64xf32>
  return %z : tensor<64xf32>
}
";

/// A directory with programs, and the folder of a cache.
struct Place {
    directory: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        Self { directory }
    }

    fn cache(&self) -> PathBuf {
        self.directory.path().join("cache")
    }

    fn program(&self, name: &str, text: &str) -> PathBuf {
        let path = self.directory.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn command(&self, program: &Path, options: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_halo-run"));
        command
            .args(["--random-inputs=3", "--print-all", "--timing"])
            .args(options)
            .arg(program)
            .env("HALO_CACHE_DIR", self.cache())
            .env_remove("HALO_CACHE_LIMIT");
        command
    }

    fn run(&self, program: &Path, options: &[&str]) -> Run {
        Run::of(self.command(program, options).output().unwrap())
    }

    /// The names of all files in the cache.
    fn files(&self) -> Vec<String> {
        let files = fs::read_dir(self.cache()).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        names.collect()
    }
}

/// The output of a run.
#[derive(Debug)]
struct Run {
    results: String,
    messages: String,
}

#[derive(Debug, PartialEq, Eq)]
enum Found {
    Program,
    EqualProgram,
    Nothing,
    /// The cache was not queried.
    NotAsked,
}

impl Run {
    fn of(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let run = Self {
            results: text(output.stdout),
            messages: text(output.stderr),
        };
        assert!(output.status.success(), "{run:?}");
        assert!(run.results.contains("dense<"), "{run:?}");
        run
    }

    fn found(&self) -> Found {
        let says = |text| self.messages.contains(text);
        if says("cache (program found)") {
            Found::Program
        } else if says("cache (equal program found)") {
            Found::EqualProgram
        } else if says("cache (not found)") {
            Found::Nothing
        } else {
            Found::NotAsked
        }
    }

    fn warnings(&self) -> Vec<&str> {
        let lines = self.messages.lines();
        lines.filter(|line| line.contains("warning: ")).collect()
    }
}

#[test]
fn a_second_process_takes_what_the_first_one_compiled() {
    let place = Place::new();
    let program = place.program("a.mlir", PROGRAM);
    let first = place.run(&program, &[]);
    assert_eq!(first.found(), Found::Nothing);
    let second = place.run(&program, &[]);
    assert_eq!(second.found(), Found::Program);
    assert_eq!(first.results, second.results);
    assert!(!second.messages.contains("bufferized"), "{second:?}");
    let without = place.run(&program, &["--cache-dir="]);
    assert_eq!(without.found(), Found::NotAsked);
    assert_eq!(first.results, without.results);
    let elsewhere = place.directory.path().join("another");
    let option = format!("--cache-dir={}", elsewhere.display());
    assert_eq!(place.run(&program, &[&option]).found(), Found::Nothing);
    assert!(elsewhere.is_dir());
}

#[test]
fn what_the_code_depends_on_is_in_the_key() {
    let place = Place::new();
    let program = place.program("a.mlir", PROGRAM);
    place.run(&program, &[]);
    let mut changes = vec![vec!["--no-constant-folding"]];
    if cfg!(target_arch = "x86_64") {
        changes.push(vec!["--target-cpu=x86-64-v2"]);
        changes.push(vec!["--flush-subnormals"]);
    }
    for change in changes {
        assert_eq!(place.run(&program, &change).found(), Found::Nothing);
        assert_eq!(place.run(&program, &change).found(), Found::Program);
    }
    // Line tables contain lines, which equal programs do not share.
    for _ in 0..2 {
        assert_eq!(place.run(&program, &["-g"]).found(), Found::NotAsked);
    }
    // The key does not contain the number of threads.
    let threads = place.run(&program, &["--threads=2"]);
    assert_eq!(threads.found(), Found::Program);
    let other = place.program("a.mlir", &PROGRAM.replace("0.3", "0.4"));
    let changed = place.run(&other, &[]);
    assert_eq!(changed.found(), Found::Nothing);
    assert_ne!(changed.results, threads.results);
}

#[test]
fn programs_that_differ_by_names_and_places_share_code() {
    let place = Place::new();
    let first = place.run(&place.program("a.mlir", PROGRAM), &[]);
    let renamed = PROGRAM.replace("%x", "%input").replace("%y", "%scaled");
    let renamed = place.program("a.mlir", &renamed);
    let moved = place.program("b.mlir", &format!("// A comment.\n\n{PROGRAM}"));
    for program in [renamed, moved] {
        let equal = place.run(&program, &[]);
        assert_eq!(equal.found(), Found::EqualProgram);
        assert_eq!(equal.results, first.results);
        assert_eq!(place.run(&program, &[]).found(), Found::Program);
    }
}

#[test]
fn kernels_are_taken_from_other_programs() {
    let place = Place::new();
    place.run(&place.program("a.mlir", PROGRAM), &[]);
    // The same next to a product, under another name.
    let other = "\
func.func @other(%x: tensor<64xf32>) -> (tensor<64x64xf32>, tensor<64xf32>) {
  %c = stablehlo.constant dense<0.3> : tensor<64xf32>
  %0 = stablehlo.dot_general %x, %c, contracting_dims = [] x [] : (tensor<64xf32>, tensor<64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.multiply %x, %c : tensor<64xf32>
  %2 = stablehlo.tanh %1 : tensor<64xf32>
  return %0, %2 : tensor<64x64xf32>, tensor<64xf32>
}
";
    let other = place.program("b.mlir", other);
    let run = place.run(&other, &[]);
    assert_eq!(run.found(), Found::Nothing);
    assert!(
        run.messages.contains("cache: 1 of 2 kernels found"),
        "{run:?}"
    );
    assert_eq!(run.results, place.run(&other, &["--cache-dir="]).results);
}

/// Its factorization is a call of the runtime, which has its location in the program.
const FACTORIZATION: &str = "\
func.func @main() -> tensor<2x2xf32> {
  %a = stablehlo.constant dense<[[4.0, 2.0], [2.0, 5.0]]> : tensor<2x2xf32>
  %l = stablehlo.cholesky %a, lower = true : tensor<2x2xf32>
  return %l : tensor<2x2xf32>
}
";

#[test]
fn calls_keep_the_places_of_their_own_program() {
    let place = Place::new();
    let options = ["--no-constant-folding"];
    let program = place.program("a.mlir", FACTORIZATION);
    let first = place.run(&program, &options);
    assert_eq!(first.found(), Found::Nothing);
    let second = place.run(&program, &options);
    assert_eq!(second.found(), Found::Program);
    assert_eq!(first.results, second.results);
    let moved = place.program("b.mlir", &format!("\n{FACTORIZATION}"));
    assert_eq!(place.run(&moved, &options).found(), Found::Nothing);
    assert_eq!(place.run(&moved, &options).found(), Found::Program);
    assert_eq!(place.run(&program, &options).found(), Found::Program);
}

#[test]
fn programs_of_dynamic_shapes_are_kept_for_each_shape() {
    let place = Place::new();
    let text = PROGRAM.replace("64xf32> {", "?xf32> {");
    let text = text.replace("(%x: tensor<64xf32>)", "(%x: tensor<?xf32>)");
    let text = text.replace("%y = stablehlo.multiply %x, %c : tensor<64xf32>\n", "");
    let text = text.replace(
        "%z = stablehlo.tanh %y : tensor<64xf32>\n  return %z : tensor<64xf32>",
        "%z = stablehlo.tanh %x : tensor<?xf32>\n  return %z : tensor<?xf32>",
    );
    let program = place.program("a.mlir", &text);
    let three = ["--input=dense<[1.0, 2.0, 3.0]> : tensor<3xf32>"];
    // The first run has baseline code, which is not stored.
    let first = place.run(&program, &three);
    assert_eq!(first.found(), Found::Nothing);
    let second = place.run(&program, &three);
    assert_eq!(second.found(), Found::Nothing);
    assert_eq!(first.results, second.results);
    let third = place.run(&program, &three);
    assert_eq!(third.found(), Found::Program);
    assert_eq!(first.results, third.results);
    let two = [
        "--input=dense<[1.0, 2.0]> : tensor<2xf32>",
        "--no-tiered-compilation",
    ];
    assert_eq!(place.run(&program, &two).found(), Found::Nothing);
    assert_eq!(place.run(&program, &two[..1]).found(), Found::Program);
}

#[test]
fn a_compilation_that_is_watched_or_changed_does_not_use_the_cache() {
    let place = Place::new();
    let program = place.program("a.mlir", PROGRAM);
    place.run(&program, &[]);
    let dumps = format!("--dump-dir={}", place.directory.path().join("d").display());
    let watched = [
        "--insert-passes=hlo:cse",
        "--print-ir-after=halo-fuse-elementwise",
        "--explain",
        &dumps,
    ];
    for option in watched {
        let run = place.run(&program, &[option]);
        assert_eq!(run.found(), Found::NotAsked, "{option}");
    }
    let variable = place.command(&program, &[]).env("HALO_EXPLAIN_REWRITES", "1").output();
    assert_eq!(Run::of(variable.unwrap()).found(), Found::NotAsked);
}

#[test]
fn damaged_entries_are_compiled_anew() {
    let place = Place::new();
    let program = place.program("a.mlir", PROGRAM);
    let first = place.run(&program, &[]);
    for name in place.files() {
        let path = place.cache().join(name);
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&path, bytes).unwrap();
    }
    let again = place.run(&program, &[]);
    assert_eq!(again.found(), Found::Nothing);
    assert_eq!(again.results, first.results);
    assert_eq!(again.warnings(), [""; 0]);
    assert_eq!(place.run(&program, &[]).found(), Found::Program);
}

#[test]
fn a_directory_that_others_can_write_to_gives_one_warning() {
    let place = Place::new();
    let program = place.program("a.mlir", PROGRAM);
    let first = place.run(&program, &[]);
    fs::set_permissions(place.cache(), fs::Permissions::from_mode(0o777)).unwrap();
    let run = place.run(&program, &[]);
    assert_eq!(run.found(), Found::Nothing);
    let expected = format!(
        "{}: warning: the compilation cache is not used: others can write to it: its mode is \
         0777",
        place.cache().display()
    );
    assert_eq!(run.warnings(), [expected]);
    assert_eq!(run.results, first.results);
}

#[test]
fn a_file_in_place_of_the_directory_gives_one_warning() {
    let place = Place::new();
    let program = place.program("a.mlir", PROGRAM);
    fs::write(place.cache(), "text").unwrap();
    let run = place.run(&program, &[]);
    assert_eq!(run.warnings().len(), 1, "{run:?}");
    assert!(run.messages.contains("Not a directory"), "{run:?}");
    assert_eq!(fs::read(place.cache()).unwrap(), b"text");
}

#[test]
fn a_full_disk_gives_one_warning() {
    let place = Place::new();
    let program = place.program("a.mlir", PROGRAM);
    let whole = place.command(&program, &[]);
    // No file may be larger than one block, so the write that exceeds it fails.
    let script = "trap '' XFSZ; ulimit -f 1; exec \"$@\"";
    let limited = Command::new("sh")
        .args(["-c", script, "sh"])
        .arg(whole.get_program())
        .args(whole.get_args())
        .env("HALO_CACHE_DIR", place.cache())
        .output();
    let run = Run::of(limited.unwrap());
    assert_eq!(run.warnings().len(), 1, "{run:?}");
    assert!(run.messages.contains("File too large"), "{run:?}");
    assert_eq!(place.files(), [""; 0]);
    assert_eq!(place.run(&program, &[]).results, run.results);
}

#[test]
fn eight_processes_fill_one_cache() {
    let place = Place::new();
    let programs: Vec<PathBuf> = (0..4)
        .map(|number| {
            let text = PROGRAM.replace("0.3", &format!("0.{}", number + 1));
            place.program(&format!("{number}.mlir"), &text)
        })
        .collect();
    let expected: Vec<String> = programs
        .iter()
        .map(|program| place.run(program, &["--cache-dir="]).results)
        .collect();
    let running: Vec<_> = (0..8)
        .map(|number| {
            let mut command = place.command(&programs[number % 4], &[]);
            let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
            command.spawn().unwrap()
        })
        .collect();
    for (number, process) in running.into_iter().enumerate() {
        let run = Run::of(process.wait_with_output().unwrap());
        assert_eq!(run.results, expected[number % 4]);
        assert_eq!(run.warnings(), [""; 0]);
    }
    for (program, expected) in programs.iter().zip(&expected) {
        let run = place.run(program, &[]);
        assert_eq!(run.found(), Found::Program);
        assert_eq!(run.results, *expected);
    }
    // Two keys of the program, one of its kernel, the objects of the kernel and of the entry.
    assert_eq!(place.files().len(), 4 * 5);
}

#[test]
fn a_wrong_limit_is_an_error() {
    let place = Place::new();
    let program = place.program("a.mlir", PROGRAM);
    let output = place.command(&program, &[]).env("HALO_CACHE_LIMIT", "much").output().unwrap();
    assert!(!output.status.success());
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "halo-run: error: HALO_CACHE_LIMIT: 'much': not a whole number\n"
    );
}
