//! Programs in applications in C and Rust, for this machine and, if a cross compiler and QEMU are
//! installed, for others.

#[path = "embed/external_constants.rs"]
mod external_constants;

use halo_lit_tests::machines::{Machine, all_are_wanted, machines, with_outer_products};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const NAMES: [&str; 2] = [
    "--input-names=images,hidden_weights,hidden_bias,output_weights,output_bias",
    "--output-names=probabilities",
];

/// Sums without an arena.
const ADD: &str = "
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32> {jax.result_info = \"sum\"}) {
  %0 = stablehlo.add %x, %y : tensor<4xf32>
  return %0 : tensor<4xf32>
}";

/// The program of `threads.c`.
const PRODUCT: &str = "
func.func @main(%x: tensor<96x96xf32>, %y: tensor<96x96xf32>) -> tensor<96x96xf32> {
  %0 = stablehlo.exponential %x : tensor<96x96xf32>
  %1 = stablehlo.dot_general %0, %y, contracting_dims = [1] x [0]
    : (tensor<96x96xf32>, tensor<96x96xf32>) -> tensor<96x96xf32>
  %2 = stablehlo.custom_call @app.halve(%1) : (tensor<96x96xf32>) -> tensor<96x96xf32>
  return %2 : tensor<96x96xf32>
}";

const TRANSFORM: &str = "
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x3xcomplex<f32>> {
  %0 = stablehlo.fft %x, type = RFFT, length = [4]
    : (tensor<2x4xf32>) -> tensor<2x3xcomplex<f32>>
  return %0 : tensor<2x3xcomplex<f32>>
}";

/// Its factor has the rows 2, 0 and 1, 3 for the matrix of `factorization.c`.
const FACTORIZATION: &str = "
func.func @main(%x: tensor<2x2xf64>) -> tensor<2x2xf64> {
  %0 = stablehlo.cholesky %x, lower = true : tensor<2x2xf64>
  return %0 : tensor<2x2xf64>
}";

/// The parts of an application, and its arguments.
struct Application<'a> {
    /// The output of the program: `obj` or `c`.
    emit: &'a str,
    /// The name of the program in C.
    name: &'a str,
    program: &'a Path,
    main: PathBuf,
    library: Option<&'a Path>,
    /// More options of halo-compile.
    options: &'a [&'a str],
    arguments: &'a [&'a Path],
}

/// Compiles the program of an application, links it with the other files, and runs it: on this
/// machine or on another one.
fn run(machine: Option<&Machine>, folder: &Path, application: &Application<'_>) -> Output {
    let (name, emit) = (application.name, application.emit);
    let is_object = emit == "obj";
    let object = folder.join(format!("{name}.{}", if is_object { "o" } else { "c" }));
    let mut options = vec![
        format!("--emit={emit}"),
        format!("--header={}", folder.join(format!("{name}.h")).display()),
    ];
    options.extend(machine.filter(|_| is_object).map_or(Vec::new(), Machine::options));
    options.extend(application.options.iter().map(|&option| option.to_owned()));
    compile(application.program, &options, &object);
    let executable = folder.join("application");
    let linker = machine.map_or(vec!["cc"], |machine| machine.linker().into());
    let mut cc = Command::new(linker[0]);
    cc.args(["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-I"]);
    cc.arg(folder).arg(&application.main).arg(&object);
    cc.args(application.library).args(&linker[1..]);
    cc.args(["-lm", "-pthread", "-o"]);
    succeeded(cc.arg(&executable));
    let mut run = match machine {
        None => Command::new(&executable),
        Some(machine) => {
            let runner = machine.runner();
            let mut run = Command::new(runner[0]);
            run.args(&runner[1..]).arg(&executable);
            run
        }
    };
    succeeded(run.args(application.arguments))
}

fn succeeded(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{command:?}: {}\n{said}{errors}",
        output.status
    );
    output
}

fn compile(program: &Path, options: &[String], output: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_halo-compile"));
    succeeded(command.arg(program).args(options).arg("-o").arg(output));
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// The numbers of a .npy file of the examples, computed by JAX.
fn expected(file: &str) -> Vec<f32> {
    let bytes = fs::read(examples().join(file)).unwrap();
    let (numbers, _) = bytes[128..].as_chunks::<4>();
    numbers.iter().copied().map(f32::from_le_bytes).collect()
}

fn expect_probabilities(output: &Output) {
    expect_numbers(output, &expected("mlp/probabilities.npy"));
}

/// Compares the numbers that an application printed.
fn expect_numbers(output: &Output, expected: &[f32]) {
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<f32> = text.split_whitespace().map(|number| number.parse().unwrap()).collect();
    assert_eq!(numbers.len(), expected.len(), "{text}");
    for (given, expected) in numbers.iter().zip(expected) {
        assert!((given - expected).abs() < 2e-6, "{given} {expected}");
    }
}

/// Runs the application that serves batches of any size.
fn serve(machine: Option<&Machine>, emit: &str) {
    let folder = tempfile::tempdir().unwrap();
    let examples = examples();
    let output = run(
        machine,
        folder.path(),
        &Application {
            emit,
            name: "scores",
            program: &examples.join("dynamic/scores.mlir"),
            main: examples.join("embed/c/batches.c"),
            library: None,
            options: &["--input-names=rows,weights", "--output-names=scores"],
            arguments: &[
                &examples.join("dynamic"),
                Path::new("1"),
                Path::new("3"),
                Path::new("8"),
            ],
        },
    );
    let files = ["scores1", "scores3", "scores8"];
    let expected = files.map(|name| expected(&format!("dynamic/{name}.npy"))).concat();
    expect_numbers(&output, &expected);
}

#[test]
fn one_object_serves_batches_of_any_size() {
    serve(None, "obj");
    serve(None, "c");
    let sample = machines().into_iter().next();
    if let Some(machine) = sample {
        serve(Some(&machine), "obj");
    }
}

fn classify(machine: Option<&Machine>, emit: &str) {
    let folder = tempfile::tempdir().unwrap();
    let examples = examples();
    let application = Application {
        emit,
        name: "mlp",
        program: &examples.join("mlp/mlp.mlir"),
        main: examples.join("embed/c/main.c"),
        library: None,
        options: &NAMES,
        arguments: &[&examples.join("mlp")],
    };
    expect_probabilities(&run(machine, folder.path(), &application));
    if machine.is_none() {
        let size = fs::metadata(folder.path().join("application")).unwrap();
        let size = size.len();
        assert!(size < 60 << 10, "the application has {size} bytes");
    }
}

fn run_source(
    machine: Option<&Machine>,
    (name, program, options): (&str, &str, &[&str]),
    main: &str,
    library: Option<&Path>,
) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("program.mlir");
    fs::write(&path, program).unwrap();
    let application = Application {
        emit: "obj",
        name,
        program: &path,
        main: Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/embed").join(main),
        library,
        options,
        arguments: &[],
    };
    let output = run(machine, folder.path(), &application);
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn an_application_of_c_classifies() {
    classify(None, "obj");
    classify(None, "c");
}

#[test]
fn applications_of_other_machines_classify() {
    for machine in &machines() {
        classify(Some(machine), "obj");
        classify(Some(machine), "c");
    }
}

#[test]
fn an_application_of_rust_classifies() {
    let folder = tempfile::tempdir().unwrap();
    let package = examples().join("embed/rust");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--quiet", "--offline", "--target-dir"]).arg(folder.path());
    cargo.arg("--manifest-path").arg(package.join("Cargo.toml")).arg("--");
    cargo.env("HALO_COMPILE", env!("CARGO_BIN_EXE_halo-compile"));
    cargo.env("RUSTFLAGS", "-D warnings").env_remove("CARGO_TARGET_DIR");
    expect_probabilities(&succeeded(cargo.arg(examples().join("mlp"))));
}

#[test]
fn wrong_buffers_are_refused() {
    run_source(None, ("add", ADD, &[]), "misuse.c", None);
}

#[test]
fn instances_run_at_once_on_threads_of_the_application() {
    let said = run_source(None, ("product", PRODUCT, &[]), "threads.c", None);
    assert_eq!(said, "app.halve\n");
    for machine in &machines() {
        run_source(Some(machine), ("product", PRODUCT, &[]), "threads.c", None);
    }
}

/// The program of `matrix_tiles.c`, on any x86-64 processor: where Linux does not provide AMX
/// tiles, the program is rejected.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[test]
fn tiles_of_amx_are_asked_for() {
    let product = "
func.func @main(%x: tensor<128x128xi8>, %y: tensor<128x128xi8>) -> tensor<128x128xi32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
    : (tensor<128x128xi8>, tensor<128x128xi8>) -> tensor<128x128xi32>
  return %0 : tensor<128x128xi32>
}";
    let options = ["--target=x86_64-unknown-linux-gnu", "--cpu=sapphirerapids"];
    run_source(None, ("product", product, &options), "matrix_tiles.c", None);
}

/// The program of `vector_length.c`: an object for the length of the machine, and one for another.
#[test]
fn lengths_of_registers_are_compared() {
    let machines = machines();
    let Some(machine) = machines.iter().find(|machine| machine.cpu == Some("a64fx")) else {
        return;
    };
    let another = ["--backend-option=sve-vector-bits=256"];
    for (options, said) in [(&[][..], "added\n"), (&another[..], "refused\n")] {
        let add = ("add", ADD, options);
        assert_eq!(
            run_source(Some(machine), add, "vector_length.c", None),
            said
        );
    }
}

/// The program of `streaming_mode.c`: on a machine whose streaming vector length matches the code,
/// with and without line tables, on one with another length, and on one without SME. Programs need
/// no library for the mode.
#[test]
fn streaming_mode_is_asked_for() {
    let product = "
func.func @main(%x: tensor<96x96xf32>, %y: tensor<96x96xf32>) -> tensor<96x96xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
    : (tensor<96x96xf32>, tensor<96x96xf32>) -> tensor<96x96xf32>
  return %0 : tensor<96x96xf32>
}";
    let said = |machine: &Machine, options: &[&str]| {
        let product = ("product", product, options);
        run_source(Some(machine), product, "streaming_mode.c", None)
    };
    for machine in &with_outer_products() {
        assert_eq!(said(machine, &[]), "multiplied\n");
        assert_eq!(said(machine, &["--debug-info"]), "multiplied\n");
        let another = ["--backend-option=sve-streaming-vector-bits=256"];
        assert_eq!(said(machine, &another), "refused\n");
        let machines = machines();
        let without = machines.iter().find(|machine| machine.cpu == Some("a64fx"));
        if let (Some(without), Some(cpu)) = (without, machine.cpu) {
            assert_eq!(said(&without.with_code_for(cpu), &[]), "refused\n");
        }
    }
}

/// The library of the runtime's functions, as it is built by these options of cargo.
fn runtime_library(options: &[&str], file: &str) -> PathBuf {
    // The folder in which its dependencies are already compiled.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(options).args(["--quiet", "--offline", "--target-dir"]);
    cargo.arg(folder).env_remove("RUSTFLAGS");
    succeeded(cargo.current_dir(env!("CARGO_MANIFEST_DIR")));
    folder.join("debug").join(file)
}

/// Programs that call runtime functions: the expected results are NumPy's `fft.rfft` of the rows of
/// `transform.c`.
#[test]
fn functions_of_halo_are_in_a_library() {
    let factorization = ("factorization", FACTORIZATION, &[][..]);
    let options = ["build", "--workspace", "--example=static_library"];
    let library = runtime_library(&options, "examples/libstatic_library.a");
    let said = run_source(
        None,
        ("transform", TRANSFORM, &[]),
        "transform.c",
        Some(&library),
    );
    let expected = "10 0\n-2 2\n-2 0\n8 0\n-8 0\n8 0\nthere is no call 100\n";
    assert_eq!(said, expected);
    let said = run_source(None, factorization, "factorization.c", Some(&library));
    assert_eq!(said, "2 0 1 3\n");
    if !all_are_wanted() {
        return;
    }
    // All that the library has without features is compiled again.
    let options = [
        "rustc",
        "--package=halo-runtime",
        "--lib",
        "--crate-type=staticlib",
    ];
    let library = runtime_library(&options, "libhalo_runtime.a");
    let said = run_source(None, factorization, "factorization.c", Some(&library));
    let expected = "custom call @halo.cholesky needs the feature 'linear-algebra' of \
                    halo-runtime, which this build lacks\n";
    assert!(said.ends_with(expected), "{said}");
}

#[test]
fn libraries_hold_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let (program, main) = (
        examples().join("mlp/mlp.mlir"),
        examples().join("embed/c/main.c"),
    );
    for (kind, file) in [("static", "libmlp.a"), ("shared", "libmlp.so")] {
        let library = folder.path().join(file);
        let header = folder.path().join("mlp.h");
        let mut options = vec![
            format!("--emit={kind}"),
            format!("--header={}", header.display()),
        ];
        options.extend(NAMES.map(str::to_owned));
        compile(&program, &options, &library);
        let executable = folder.path().join(kind);
        let mut cc = Command::new("cc");
        cc.arg("-I").arg(folder.path()).arg(&main).arg(&library);
        succeeded(cc.args(["-lm", "-o"]).arg(&executable));
        let mut run = Command::new(&executable);
        run.env("LD_LIBRARY_PATH", folder.path());
        expect_probabilities(&succeeded(run.arg(examples().join("mlp"))));
    }
}

const TWICE: &str = "
func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.add %x, %x : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}";

const FLIPPED: &str = "
func.func @main(%x: tensor<?x4xf32, #stablehlo.bounds<16, ?>>) -> tensor<4x?xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0]
    : (tensor<?x4xf32, #stablehlo.bounds<16, ?>>) -> tensor<4x?xf32, #stablehlo.bounds<?, 16>>
  %1 = stablehlo.negate %0
    : (tensor<4x?xf32, #stablehlo.bounds<?, 16>>) -> tensor<4x?xf32>
  return %1 : tensor<4x?xf32>
}";

#[test]
fn libraries_of_several_dynamic_programs_are_linked() {
    let folder = tempfile::tempdir().unwrap();
    let executable = folder.path().join("application");
    let main = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/embed/libraries.c");
    let mut cc = Command::new("cc");
    cc.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-I"])
        .arg(folder.path())
        .arg(main);
    for (name, program) in [("twice", TWICE), ("flipped", FLIPPED)] {
        let path = folder.path().join("program.mlir");
        fs::write(&path, program).unwrap();
        let header = folder.path().join(format!("{name}.h"));
        let library = folder.path().join(format!("lib{name}.a"));
        let header = format!("--header={}", header.display());
        compile(&path, &["--emit=static".to_owned(), header], &library);
        cc.arg(library);
    }
    succeeded(cc.args(["-lm", "-o"]).arg(&executable));
    succeeded(&mut Command::new(&executable));
}
