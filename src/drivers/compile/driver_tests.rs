//! The tool on a backend whose only program is `copy`, compiled to a plan that copies a vector.

use std::path::PathBuf;

use halo_backend::{BackendOption, Compiler, CompilerDescription, PhaseDescription};
use halo_runtime::host::{HostPlatform, HostTransferManager};
use halo_runtime::plan::{BufferReference, PlanTarget, Slice, Thunk};
use halo_runtime::{Executable, Plan, Signature};

use super::*;
use std::borrow::Cow;

const TOOL: Tool = Tool::halo("halo-compile");

/// A backend without plans, which is the default.
struct Interpreter;

impl Compiler for Interpreter {
    fn description(&self) -> &CompilerDescription {
        static DESCRIPTION: CompilerDescription =
            CompilerDescription::of_phases(&[PhaseDescription {
                name: Cow::Borrowed("words"),
                summary: Cow::Borrowed("the program as it is"),
            }]);
        &DESCRIPTION
    }

    fn compile(&self, _: &Program, _: &CompileOptions) -> RuntimeResult<Box<dyn Executable>> {
        Err(Error::invalid("nothing is loaded ahead of time"))
    }

    fn compile_to(&self, program: &Program, _: &str, _: &CompileOptions) -> RuntimeResult<String> {
        Ok(String::from_utf8_lossy(&program.code).into_owned())
    }
}

struct ToyCompiler;

const DOT: BackendOption = BackendOption {
    name: "gpu-dot",
    summary: "what multiplies",
    values: &["auto", "library", "codegen"],
};

impl Compiler for ToyCompiler {
    fn description(&self) -> &CompilerDescription {
        static DESCRIPTION: CompilerDescription = CompilerDescription {
            lacks_host_calls: false,
            phases: Cow::Borrowed(&[PhaseDescription {
                name: Cow::Borrowed("ptx"),
                summary: Cow::Borrowed("the program as assembly"),
            }]),
            options: &[DOT],
            code_form: None,
            makes_plans: true,
            has_passes: false,
        };
        &DESCRIPTION
    }

    fn compile(&self, _: &Program, _: &CompileOptions) -> RuntimeResult<Box<dyn Executable>> {
        Err(Error::invalid("nothing is loaded ahead of time"))
    }

    fn compile_to(
        &self,
        program: &Program,
        _: &str,
        options: &CompileOptions,
    ) -> RuntimeResult<String> {
        let architecture = options.architecture.as_deref().unwrap_or("none");
        let word = String::from_utf8_lossy(&program.code);
        Ok(format!(
            "{word} for {architecture} by {}",
            options.backend.get(&DOT)
        ))
    }

    fn plan(&self, program: &Program, options: &CompileOptions) -> RuntimeResult<Plan> {
        if program.code != b"copy" {
            let position = halo_core::Position::new(&program.name, 1, 1);
            return Err(Error::invalid_at(position, "unknown word"));
        }
        let slice = |buffer| Slice {
            buffer,
            offset: 0,
            size: 8,
        };
        let vector = || vec!["tensor<2xf32>".parse().unwrap()];
        Ok(Plan {
            target: PlanTarget {
                platform: "host".to_owned(),
                architecture: options.architecture.clone().unwrap_or("any".to_owned()),
            },
            signature: Signature {
                name: "main".to_owned(),
                inputs: vector(),
                outputs: vector(),
                ..Signature::default()
            },
            code: Vec::new(),
            kernels: Vec::new(),
            arena_size: 0,
            arena_largest: String::new(),
            constants: Vec::new(),
            sequences: vec![vec![Thunk::Copy {
                source: slice(BufferReference::Input(0)),
                target: slice(BufferReference::Output(0)),
            }]],
            custom_calls: Vec::new(),
        })
    }
}

/// A directory with two programs.
struct TempFolder(tempfile::TempDir);

impl TempFolder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for word in ["copy", "what"] {
            std::fs::write(folder.path(word), word).unwrap();
        }
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs with every `{}` in the arguments replaced by the directory, which
    /// is removed from the output. Returns the exit code and the output on both
    /// streams.
    fn run(&self, arguments: &[&str]) -> (u8, Vec<u8>, String) {
        let mut registry = Registry::new();
        let toys: [(&str, Arc<dyn Compiler>); 2] = [
            ("interpreter", Arc::new(Interpreter)),
            ("toy", Arc::new(ToyCompiler)),
        ];
        for (name, compiler) in toys {
            registry
                .register(Backend {
                    name,
                    summary: "copies",
                    platform: Arc::new(HostPlatform::new()),
                    compiler,
                    transfer_manager: Arc::new(HostTransferManager),
                })
                .unwrap();
        }
        let directory = format!("{}/", self.0.path().display());
        let arguments = std::iter::once("halo-compile")
            .chain(arguments.iter().copied())
            .map(|argument| OsString::from(argument.replace("{}", &directory)));
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let code = main(TOOL, arguments, &registry.into(), &mut out, &mut err);
        let err = String::from_utf8(err).unwrap().replace(&directory, "");
        (code, out, err)
    }

    fn prints(&self, arguments: &[&str]) -> String {
        let (code, out, err) = self.run(arguments);
        assert_eq!((code, err.as_str()), (0, ""));
        String::from_utf8(out).unwrap()
    }

    fn fails(&self, arguments: &[&str]) -> String {
        let (code, out, err) = self.run(arguments);
        assert_eq!((code, out.len(), err.lines().count()), (1, 0, 1), "{err}");
        err.trim_end().to_owned()
    }
}

#[test]
fn plans_go_to_files_or_where_they_are_asked_for() {
    let folder = TempFolder::new();
    assert_eq!(
        folder.prints(&["{}copy", "-o", "{}a.plan", "--gpu-arch=sm_90"]),
        ""
    );
    let plan = Plan::read(&folder.path("a.plan")).unwrap();
    assert_eq!(plan.target.architecture, "sm_90");
    let (code, out, _) = folder.run(&["{}copy", "-o", "-"]);
    assert!(code == 0 && Plan::from_bytes(&out).is_ok());
    assert_eq!(
        folder.fails(&["{}copy"]),
        "halo-compile: error: a plan is not text: say where to write it with -o"
    );
}

#[test]
fn texts_are_printed_or_written() {
    let folder = TempFolder::new();
    let emit = [
        "{}copy",
        "--emit=ptx",
        "--gpu-arch=sm_80",
        "--gpu-dot=codegen",
    ];
    let text = "copy for sm_80 by codegen\n";
    assert_eq!(folder.prints(&emit), text);
    assert_eq!(folder.prints(&[&emit[..], &["-o", "-"]].concat()), text);
    assert_eq!(folder.prints(&[&emit[..], &["-o", "{}a.ptx"]].concat()), "");
    assert_eq!(std::fs::read_to_string(folder.path("a.ptx")).unwrap(), text);
    assert!(folder.prints(&["--help"]).contains("--gpu-arch <ARCH>"));
}

#[test]
fn the_default_backend_makes_what_is_asked_for() {
    let folder = TempFolder::new();
    assert_eq!(folder.prints(&["{}copy", "--emit=words"]), "copy\n");
    assert!(folder.prints(&["{}copy", "--emit=ptx"]).starts_with("copy for"));
    assert_eq!(
        folder.fails(&["{}copy", "-o", "{}a.plan", "--backend=interpreter"]),
        "halo-compile: error: backend 'interpreter' makes no plans; these do: toy"
    );
    let help = folder.prints(&["--help"]);
    assert!(help.contains("interpreter, toy [default: "), "{help}");
}

#[test]
fn plans_are_listed() {
    assert_eq!(
        TempFolder::new().prints(&["{}copy", "--emit=listing"]),
        "plan for host any: @main(tensor<2xf32>) -> (tensor<2xf32>)\n\
         arena: 0 bytes\n\
         sequence 0:\n  \
         copy input 0[0..8] to output 0[0..8]\n"
    );
}

#[test]
fn errors_are_one_line_and_leave_no_file() {
    let folder = TempFolder::new();
    assert_eq!(
        folder.fails(&["{}what", "-o", "{}a.plan"]),
        "what:1:1: error: unknown word"
    );
    assert!(!folder.path("a.plan").exists());
    assert_eq!(
        folder.fails(&["{}none", "-o", "{}a.plan"]),
        "none: error: No such file or directory (os error 2)"
    );
    assert_eq!(
        folder.fails(&["{}copy", "--emit=sass"]),
        "halo-compile: error: unknown phase 'sass'; there are: words"
    );
    assert_eq!(
        folder.fails(&["{}copy", "--backend=tpu"]),
        "halo-compile: error: unknown backend 'tpu'; there are: interpreter, toy"
    );
    assert_eq!(
        folder.fails(&["{}copy", "-o", "{}none/a.plan"]),
        "none/a.plan: error: there is no directory none"
    );
    assert_eq!(
        folder.fails(&["{}copy", "--backend-option=speed=fast"]),
        "halo-compile: error: backend 'toy' has no option 'speed'; there are: gpu-dot"
    );
    assert!(
        folder
            .fails(&["{}copy", "--gpu-dot=fast"])
            .contains("option 'gpu-dot' is one of auto, library, codegen, not 'fast'")
    );
}
