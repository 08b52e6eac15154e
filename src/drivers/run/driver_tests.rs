//! The tool on a backend whose programs are one word: `add` adds its two inputs, `answer` has no
//! inputs, `fail` fails.

use super::*;
use halo_backend::{Backend, Compiler, CompilerDescription, PhaseDescription};
use halo_core::Position;
use halo_core::{ElementType, Shape};
use halo_runtime::Signature;
use halo_runtime::host::{HostFunctionExecutable, HostPlatform, HostTransferManager};
use halo_runtime::plan::{BufferReference, PlanTarget, Slice, Thunk};
use std::borrow::Cow;
use std::path::Path;

const TOOL: Tool = Tool::halo("halo-run");

struct ToyCompiler;

impl Compiler for ToyCompiler {
    fn description(&self) -> &CompilerDescription {
        static DESCRIPTION: CompilerDescription =
            CompilerDescription::of_phases(&[PhaseDescription {
                name: Cow::Borrowed("word"),
                summary: Cow::Borrowed("the program as a word"),
            }]);
        &DESCRIPTION
    }

    fn compile(&self, program: &Program, options: &CompileOptions) -> Result<Box<dyn Executable>> {
        let word = String::from_utf8_lossy(&program.code).trim().to_owned();
        let vector = Shape::new(ElementType::F32, [2])?;
        let (inputs, output) = match word.as_str() {
            "add" => (vec![vector.clone(), vector.clone()], vector),
            "answer" | "fail" => (vec![], Shape::scalar(ElementType::I64)),
            _ => {
                let position = Position::new(&program.name, 1, 1);
                return Err(Error::invalid_at(
                    position,
                    format!("unknown word '{word}'"),
                ));
            }
        };
        if options.entry.as_ref().is_some_and(|entry| *entry != word) {
            return Err(Error::invalid("no such entry"));
        }
        let signature = Signature {
            name: word.clone(),
            inputs: inputs.iter().map(Into::into).collect(),
            outputs: vec![output.clone().into()],
            ..Signature::default()
        };
        let run = move |inputs: &[Literal]| match word.as_str() {
            "add" => Ok(vec![Literal::from_fn(output.clone(), |i| {
                inputs[0].get_f64(i) + inputs[1].get_f64(i)
            })]),
            "answer" => Ok(vec![Literal::scalar(42_i64)]),
            _ => Err(Error::execution_at("toy:1:1", "it fails")),
        };
        Ok(Box::new(HostFunctionExecutable::new(signature, run)))
    }

    fn compile_to(&self, program: &Program, _: &str, _: &CompileOptions) -> Result<String> {
        Ok(String::from_utf8_lossy(&program.code).into_owned())
    }
}

struct Outcome {
    code: u8,
    bytes: Vec<u8>,
    /// The bytes as text.
    out: String,
    err: String,
}

/// A directory with the three programs and two arrays.
struct TempFolder(tempfile::TempDir);

impl TempFolder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for word in ["add", "answer", "fail", "what"] {
            std::fs::write(folder.path(word), word).unwrap();
        }
        let array = |elements: &[f32]| Literal::from_slice(&[elements.len()], elements).unwrap();
        npy::write(Path::new(&folder.path("a.npy")), &array(&[1.0, 2.0])).unwrap();
        npy::write(Path::new(&folder.path("long.npy")), &array(&[1.0; 3])).unwrap();
        folder
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    /// Runs with every `{}` in the arguments replaced by the directory, which
    /// is removed from the output.
    fn run(&self, arguments: &[&str]) -> Outcome {
        let mut registry = Registry::new();
        self.register(&mut registry);
        self.run_with(registry, arguments)
    }

    fn register(&self, registry: &mut Registry) {
        let toy = Backend::host("toy", "adds", ToyCompiler);
        registry.register(toy).unwrap();
    }

    /// Runs as a build without a compiler does.
    fn run_without_compiler(&self, arguments: &[&str]) -> Outcome {
        let mut registry = Registry::new();
        registry.register_platform(Arc::new(HostPlatform::new()), Arc::new(HostTransferManager));
        self.run_with(registry, arguments)
    }

    fn run_with(&self, registry: Registry, arguments: &[&str]) -> Outcome {
        let directory = format!("{}/", self.0.path().display());
        let arguments = std::iter::once("halo-run")
            .chain(arguments.iter().copied())
            .map(|argument| OsString::from(argument.replace("{}", &directory)));
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let code = main(TOOL, arguments, &registry.into(), &mut out, &mut err);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&directory, "");
        Outcome {
            code,
            out: text(&out),
            err: text(&err),
            bytes: out,
        }
    }

    fn fails(&self, arguments: &[&str]) -> String {
        let outcome = self.run(arguments);
        assert_eq!((outcome.code, outcome.out.as_str()), (1, ""));
        assert_eq!(outcome.err.lines().count(), 1, "{}", outcome.err);
        outcome.err.trim_end().to_owned()
    }
}

#[test]
fn results_are_typed_literals() {
    let outcome = TempFolder::new().run(&["{}answer"]);
    assert_eq!(
        (outcome.code, outcome.out.as_str()),
        (0, "dense<42> : tensor<i64>\n")
    );
    assert!(
        outcome.err.starts_with("toy: compiled in "),
        "{}",
        outcome.err
    );
    assert_eq!(outcome.err.lines().count(), 1);
}

#[test]
fn inputs_are_files_literals_or_random() {
    let folder = TempFolder::new();
    let outcome = folder.run(&["{}add", "--input=@{}a.npy", "--input=[10, 0.5]"]);
    assert_eq!(
        outcome.out,
        "dense<[1.100000e+01, 2.500000e+00]> : tensor<2xf32>\n"
    );
    let outcome = folder.run(&["{}add", "--input=1", "--input=dense<-1.0> : tensor<2xf32>"]);
    assert_eq!(outcome.out, "dense<0.000000e+00> : tensor<2xf32>\n");
    let one = folder.run(&["{}add", "--random-inputs=1"]);
    assert_eq!(
        (one.code, &one.out),
        (0, &folder.run(&["{}add", "--random-inputs=1"]).out)
    );
    assert_ne!(one.out, folder.run(&["{}add", "--random-inputs=2"]).out);
    // Inputs that are not given are random.
    let mixed = folder.run(&["{}add", "--input=0", "--random-inputs"]);
    assert_eq!(mixed.code, 0);
}

#[test]
fn wrong_inputs_are_one_line() {
    let folder = TempFolder::new();
    assert_eq!(
        folder.fails(&["{}add"]),
        "halo-run: error: @add takes 2 inputs, but 0 were given \
         (give them with --input, or use --random-inputs)"
    );
    assert_eq!(
        folder.fails(&["{}answer", "--input=1"]),
        "halo-run: error: @answer takes 0 inputs, but 1 were given"
    );
    assert_eq!(
        folder.fails(&["{}add", "--input=@{}long.npy", "--input=1"]),
        "halo-run: error: input 0 of @add is tensor<2xf32>, but tensor<3xf32> was given"
    );
    assert_eq!(
        folder.fails(&["{}add", "--input=@{}none.npy", "--input=1"]),
        "none.npy: error: No such file or directory (os error 2)"
    );
    assert_eq!(
        folder.fails(&["{}add", "--input=@{}add", "--input=1"]),
        "add: error: not an .npy file: too short"
    );
    assert_eq!(
        folder.fails(&["{}add", "--input=x", "--input=1"]),
        "halo-run: error: invalid literal 'x': not a value of f32"
    );
}

#[test]
fn wrong_programs_and_arguments_are_one_line() {
    let folder = TempFolder::new();
    assert_eq!(
        folder.fails(&["{}none.mlir"]),
        "none.mlir: error: No such file or directory (os error 2)"
    );
    assert_eq!(
        folder.fails(&["{}what"]),
        "what:1:1: error: unknown word 'what'"
    );
    assert_eq!(
        folder.fails(&["{}answer", "--entry=f"]),
        "halo-run: error: no such entry"
    );
    assert_eq!(
        folder.run(&["{}fail"]).err,
        "fail: error: it fails\ntoy:1:1: note: the operation comes from here\n"
    );
    assert_eq!(
        folder.fails(&["{}answer", "--backend=tpu"]),
        "halo-run: error: unknown backend 'tpu'; there are: toy"
    );
    assert_eq!(
        folder.fails(&["{}answer", "--frobnicate"]),
        "halo-run: error: unexpected argument '--frobnicate' found (see --help)"
    );
    assert_eq!(
        folder.fails(&["{}answer", "--thread=1"]),
        "halo-run: error: unexpected argument '--thread' found; did you mean '--threads'? \
         (see --help)"
    );
    assert_eq!(
        folder.fails(&["{}answer", "--threads=0"]),
        "halo-run: error: invalid value '0' for '--threads <N>': it must not be 0 (see --help)"
    );
    assert_eq!(
        folder.fails(&["-", "--input=@-"]),
        "halo-run: error: standard input cannot be both the program and a value"
    );
    assert_eq!(
        folder.fails(&["{}answer", "--compile-to=link"]),
        "halo-run: error: unknown phase 'link'; there are: word"
    );
}

#[test]
fn expectations() {
    let folder = TempFolder::new();
    let inputs = ["{}add", "--input=@{}a.npy", "--input=0"];
    let with = |more: &[&str]| folder.run(&[&inputs[..], more].concat());
    let outcome = with(&["--expect=@{}a.npy"]);
    assert_eq!(outcome.code, 0);
    assert!(outcome.err.ends_with("result 0: all 2 elements equal\n"));
    let outcome = with(&["--expect=[1.0, 2.1]", "--rtol=1e-4", "--atol=1e-5"]);
    assert_eq!(outcome.code, 1);
    assert!(
        outcome.err.ends_with(
            "halo-run: error: result 0 is not the value expected: 1 of 2 elements differ \
             (rtol 1e-4, atol 1e-5); worst at [1]: 2.000000e+00, expected 2.100000e+00 \
             (off by 9.999990463256836e-2, 419430 ULP)\n"
        ),
        "{}",
        outcome.err
    );
    assert_eq!(with(&["--expect=[1.0, 2.1]", "--rtol=0.1"]).code, 0);
    let outcome = with(&["--expect=@{}long.npy"]);
    assert!(outcome.err.ends_with("shapes differ: tensor<2xf32> against tensor<3xf32>\n"));
    let outcome = folder.run(&["{}answer", "--expect=43", "--rtol=1"]);
    assert_eq!(outcome.code, 1);
    let outcome = with(&["--expect=0", "--expect=0"]);
    assert_eq!(
        outcome.err,
        "halo-run: error: @add has 1 result, but 2 --expect were given\n"
    );
}

#[test]
fn outputs_are_written_only_in_the_end() {
    let folder = TempFolder::new();
    let outcome = folder.run(&["{}answer", "--output=@{}o.npy", "--expect=42"]);
    assert_eq!(outcome.code, 0);
    let written = npy::read(Path::new(&folder.path("o.npy")), None).unwrap();
    assert_eq!(written, Literal::scalar(42_i64));
    folder.run(&["{}answer", "--output=@{}p.npy", "--expect=43"]);
    assert!(!Path::new(&folder.path("p.npy")).exists());
    assert_eq!(
        folder.fails(&["{}answer", "--output=o.npy"]),
        "halo-run: error: --output takes @FILE.npy, not 'o.npy'"
    );
    // Instead of the printed results.
    let outcome = folder.run(&["{}answer", "--output=@-"]);
    let written = npy::read_from(&mut outcome.bytes.as_slice(), "standard output", None).unwrap();
    assert_eq!(written, Literal::scalar(42_i64));
    assert_eq!(
        folder.fails(&["{}answer", "--output=@{}none/o.npy"]),
        "none/o.npy: error: there is no directory none"
    );
}

#[test]
fn bench_reports_in_place_of_results() {
    let outcome = TempFolder::new().run(&["{}answer", "--bench=3", "--flops=1e6", "--threads=1"]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    let lines: Vec<&str> = outcome.out.lines().collect();
    assert!(lines[0].starts_with("compile: ") && lines[0].contains(" (behind a warm-up of "));
    assert!(lines[1].starts_with("run: minimum ") && lines[1].ends_with("(3 runs, toy, 1 thread)"));
    assert!(lines[2].starts_with("rate: "));
    assert_eq!(lines.len(), 3);
}

#[test]
fn compile_to_and_listings() {
    let folder = TempFolder::new();
    let outcome = folder.run(&["{}answer", "--compile-to=word"]);
    assert_eq!((outcome.code, outcome.out.as_str()), (0, "answer\n"));
    let outcome = folder.run(&["--list-backends"]);
    assert!(
        outcome.out.starts_with("toy: adds\n  word "),
        "{}",
        outcome.out
    );
    let outcome = folder.run(&["--help"]);
    assert_eq!(outcome.code, 0);
    assert!(
        outcome.out.contains("--random-inputs[=<SEED>]"),
        "{}",
        outcome.out
    );
}

/// A plan that swaps two vectors, for the host, which needs no kernels for it.
fn swap() -> Plan {
    let vectors = || vec!["tensor<2xf32>".parse().unwrap(); 2];
    let slice = |buffer| Slice {
        buffer,
        offset: 0,
        size: 8,
    };
    let copy = |from, to| Thunk::Copy {
        source: slice(BufferReference::Input(from)),
        target: slice(BufferReference::Output(to)),
    };
    Plan {
        target: PlanTarget {
            platform: "host".to_owned(),
            architecture: "any".to_owned(),
        },
        signature: Signature {
            name: "swap".to_owned(),
            inputs: vectors(),
            outputs: vectors(),
            ..Signature::default()
        },
        code: Vec::new(),
        kernels: Vec::new(),
        arena_size: 0,
        arena_largest: String::new(),
        constants: Vec::new(),
        sequences: vec![vec![copy(0, 1), copy(1, 0)]],
        custom_calls: Vec::new(),
    }
}

#[test]
fn plans_run_with_a_compiler_and_without() {
    let folder = TempFolder::new();
    std::fs::write(folder.path("swap.plan"), swap().to_bytes().unwrap()).unwrap();
    let arguments = ["{}swap.plan", "--input=@{}a.npy", "--input=[3, 4]"];
    let expected = "dense<[3.000000e+00, 4.000000e+00]> : tensor<2xf32>\n\
                    dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>\n";
    for outcome in [
        folder.run(&arguments),
        folder.run_without_compiler(&arguments),
    ] {
        assert_eq!((outcome.code, outcome.out.as_str()), (0, expected));
        assert!(
            outcome.err.starts_with("host: loaded in "),
            "{}",
            outcome.err
        );
    }
    let outcome =
        folder.run_without_compiler(&["{}swap.plan", "--input=0", "--input=0", "--bench=1"]);
    assert!(outcome.out.starts_with("load: "), "{}", outcome.out);
}

#[test]
fn without_a_compiler_programs_are_errors() {
    let outcome = TempFolder::new().run_without_compiler(&["{}add", "--backend=toy"]);
    assert_eq!((outcome.code, outcome.out.as_str()), (1, ""));
    assert_eq!(
        outcome.err,
        "add: error: not a plan, and this tool has no compiler: halo-compile makes plans of \
         programs\n"
    );
    let outcome = TempFolder::new().run_without_compiler(&["--list-backends"]);
    assert_eq!(
        (outcome.code, outcome.out.as_str()),
        (0, "plans for: host\n")
    );
}

#[test]
fn wrong_plans_are_one_line() {
    let folder = TempFolder::new();
    let write = |plan: Plan, cut: usize| {
        let bytes = plan.to_bytes().unwrap();
        std::fs::write(folder.path("p.plan"), &bytes[..bytes.len() - cut]).unwrap();
    };
    write(swap(), 1);
    let error = folder.fails(&["{}p.plan"]);
    assert!(
        error.starts_with("p.plan: error: the plan is to be "),
        "{error}"
    );
    write(swap(), 0);
    assert_eq!(
        folder.fails(&["{}p.plan", "--compile-to=word"]),
        "p.plan: error: a plan is compiled already: --compile-to says nothing of it"
    );
    let mut elsewhere = swap();
    elsewhere.target.platform = "moon".to_owned();
    write(elsewhere, 0);
    assert_eq!(
        folder.fails(&["{}p.plan"]),
        "halo-run: error: unknown platform 'moon'; there are: host"
    );
}

struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_reader_may_go_away() {
    let folder = TempFolder::new();
    let mut registry = Registry::new();
    let toy = Backend::host("toy", "adds", ToyCompiler);
    registry.register(toy).unwrap();
    let arguments = ["halo-run".into(), folder.path("answer").into()];
    let mut err = Vec::new();
    let environment = registry.into();
    let code = main(TOOL, arguments, &environment, &mut Closed, &mut err);
    assert_eq!(code, 0);
}

/// The order of edits matters across options, and a backend without passes has no locations for
/// edits.
#[test]
fn edits_of_passes_are_the_compilers() {
    let folder = TempFolder::new();
    assert_eq!(
        folder.fails(&["{}add", "--insert-passes=hlo:cse", "--remove-pass=cse"]),
        "halo-run: error: --insert-passes=hlo:cse: the backend has no passes that can be named"
    );
    assert_eq!(
        folder.fails(&["{}add", "--print-ir-after=cse"]),
        "halo-run: error: --print-ir-after=cse: the backend has no passes that can be named"
    );
    assert_eq!(
        folder.fails(&["{}add", "--insert-passes=cse"]),
        "halo-run: error: invalid value 'cse' for '--insert-passes <PLACE:PASSES>': passes are \
         inserted by [before:|after:]PLACE:PASSES (see --help)"
    );
}

#[test]
fn several_processes_need_a_library_of_mpi() {
    let folder = TempFolder::new();
    let error = folder.fails(&["{}add", "--distributed", "--mpi-library=/nowhere/libmpi.so"]);
    let expected = "halo-run: error: --distributed: no library of MPI can be loaded \
                    (/nowhere/libmpi.so): ";
    assert!(error.starts_with(expected), "{error}");
    let error = folder.fails(&["{}add", "--replicas=2"]);
    assert!(error.contains("--distributed"), "{error}");
}
