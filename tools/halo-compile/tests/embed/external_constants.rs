//! Programs whose constants are in a file: `constants.c` and `constants.rs` map it, and damaged
//! files, and `examples/embed/c/weights.c` classifies.

use super::{
    Application, Machine, compile, examples, expect_probabilities, machines, run, succeeded,
};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// `x w + b`, with the elements of `constants.c`, in vectors of 16 and 4 KiB.
fn table(constants: impl Fn(i32, i32) -> (i32, i32)) -> String {
    let hex = |rows: i32, part: &dyn Fn((i32, i32)) -> i32| {
        let mut text = String::new();
        for row in 0..rows {
            for column in 0..64 {
                let value = part(constants(row, column)) as f32;
                for byte in value.to_le_bytes() {
                    write!(text, "{byte:02X}").unwrap();
                }
            }
        }
        text
    };
    format!(
        "func.func @main(%x: tensor<16x64xf32>) -> tensor<16x64xf32> {{
  %w = stablehlo.constant dense<\"0x{}\"> : tensor<64x64xf32>
  %b = stablehlo.constant dense<\"0x{}\"> : tensor<16x64xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>
  %1 = stablehlo.add %0, %b : tensor<16x64xf32>
  return %1 : tensor<16x64xf32>
}}",
        hex(64, &|(weight, _)| weight),
        hex(16, &|(_, bias)| bias)
    )
}

fn right(row: i32, column: i32) -> (i32, i32) {
    ((3 * row + 5 * column) % 17 - 8, (row * 64 + column) % 13)
}

const EXTERNAL: &str = "--constants=external";

/// A folder with the program and variants of the file, whose layout depends on the options of
/// halo-compile.
fn folder(options: &[String]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let other = table(|row, column| (right(row, column).0 + 1, 0));
    fs::write(path("program.mlir"), table(right)).unwrap();
    fs::write(path("other.mlir"), other).unwrap();
    let options = [options, &[EXTERNAL.to_owned()]].concat();
    compile(&path("other.mlir"), &options, &path("other.o"));
    compile(&path("program.mlir"), &options, &path("table.o"));
    let bytes = fs::read(path("table.weights")).unwrap();
    // Panels may have columns of zeros.
    let size = bytes.len();
    assert!(size >= 64 + (16 << 10) + (4 << 10), "{size} bytes");
    let changed = |position: usize| {
        let mut bytes = bytes.clone();
        bytes[position] ^= 1;
        bytes
    };
    fs::write(path("empty.weights"), []).unwrap();
    fs::write(path("short.weights"), &bytes[..bytes.len() - 64]).unwrap();
    fs::write(path("magic.weights"), changed(0)).unwrap();
    fs::write(path("damaged.weights"), changed(12345)).unwrap();
    let program = path("program.mlir");
    (folder, program)
}

fn refuse_damaged_files(machine: Option<&Machine>, emit: &str) {
    let target = machine.filter(|_| emit == "obj");
    let target = target.map_or(Vec::new(), Machine::options);
    let options: Vec<String> = target.into_iter().chain([format!("--emit={emit}")]).collect();
    let (folder, program) = folder(&options);
    let application = Application {
        emit,
        name: "table",
        program: &program,
        main: Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/embed/constants.c"),
        library: None,
        options: &[EXTERNAL],
        arguments: &[folder.path()],
    };
    run(machine, folder.path(), &application);
}

#[test]
fn files_of_constants_are_mapped_and_checked_in_c() {
    refuse_damaged_files(None, "obj");
    refuse_damaged_files(None, "c");
}

#[test]
fn files_of_constants_are_mapped_and_checked_on_other_machines() {
    for machine in &machines() {
        refuse_damaged_files(Some(machine), "obj");
        refuse_damaged_files(Some(machine), "c");
    }
}

#[test]
fn files_of_constants_are_mapped_and_checked_in_rust() {
    let (folder, program) = folder(&["--emit=obj".to_owned()]);
    let path = |name: &str| folder.path().join(name);
    let module = path("table.rs");
    let options = [
        "--emit=static".to_owned(),
        EXTERNAL.to_owned(),
        format!("--rust={}", module.display()),
    ];
    compile(&program, &options, &path("libtable.a"));
    let main = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/embed/constants.rs");
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args(["--edition=2024", "-D", "warnings", "-l", "static=table"]);
    rustc.arg("-L").arg(folder.path()).arg("-o").arg(path("application"));
    succeeded(rustc.arg(main).env("TABLE", &module));
    let output = succeeded(Command::new(path("application")).arg(folder.path()));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "the constants are not those of this version of this program\n"
    );
}

/// Headers without file functions need no C library.
#[test]
fn constants_need_no_files() {
    let (folder, program) = folder(&["--emit=obj".to_owned()]);
    let header = folder.path().join("table.h");
    let options = [
        "--emit=obj".to_owned(),
        EXTERNAL.to_owned(),
        format!("--header={}", header.display()),
    ];
    compile(&program, &options, &folder.path().join("table.o"));
    let source = folder.path().join("freestanding.c");
    let text = "#define HALO_NO_FILES
#include \"table.h\"
halo_status check(const halo_constants *constants) { return table_verify_constants(constants); }
";
    fs::write(&source, text).unwrap();
    let mut cc = Command::new("cc");
    cc.args(["-std=c99", "-ffreestanding", "-Wall", "-Wextra", "-Werror"]);
    let object = folder.path().join("freestanding.o");
    succeeded(cc.arg("-c").arg(&source).arg("-o").arg(&object));
    let symbols = succeeded(Command::new("nm").arg("-u").arg(&object));
    assert_eq!(String::from_utf8_lossy(&symbols.stdout), "");
}

/// The program of the example with embedded weights.
fn mlp_with_weights() -> String {
    let mlp = fs::read_to_string(examples().join("mlp/mlp.mlir")).unwrap();
    let files = [
        ("%arg1", "hidden_weights", "tensor<784x128xf32>"),
        ("%arg2", "hidden_bias", "tensor<128xf32>"),
        ("%arg3", "output_weights", "tensor<128x10xf32>"),
        ("%arg4", "output_bias", "tensor<10xf32>"),
    ];
    let (mut program, mut constants) = (mlp, String::new());
    for (argument, file, ty) in files {
        let bytes = fs::read(examples().join(format!("mlp/{file}.npy"))).unwrap();
        let hex: String = bytes[128..].iter().map(|byte| format!("{byte:02X}")).collect();
        let declared = format!(", {argument}: {ty}");
        assert!(program.contains(&declared), "{declared}");
        program = program.replacen(&declared, "", 1);
        writeln!(
            constants,
            "{argument} = stablehlo.constant dense<\"0x{hex}\"> : {ty}"
        )
        .unwrap();
    }
    program.replacen("%0 = ", &format!("{constants}%0 = "), 1)
}

#[test]
fn an_application_maps_its_weights() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("weights.mlir");
    fs::write(&program, mlp_with_weights()).unwrap();
    let weights = folder.path().join("mlp.weights");
    let images = examples().join("mlp/images.npy");
    let application = Application {
        emit: "obj",
        name: "mlp",
        program: &program,
        main: examples().join("embed/c/weights.c"),
        library: None,
        options: &[
            EXTERNAL,
            "--input-names=images",
            "--output-names=probabilities",
        ],
        arguments: &[&weights, &images],
    };
    expect_probabilities(&run(None, folder.path(), &application));
    let size = fs::metadata(folder.path().join("mlp.o")).unwrap().len();
    assert!(size < 30 << 10, "the object has {size} bytes");
    let size = fs::metadata(&weights).unwrap().len();
    assert!(size > 4 * 784 * 128, "the weights have {size} bytes");
}
