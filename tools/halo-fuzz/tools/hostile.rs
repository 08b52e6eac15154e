//! Hostile inputs for the tools: programs in every form, plans, arrays and flags, each made from
//! valid input by random edits.

use super::flags;
use crate::cases::{Corpus, TOKENS, edit, edit_bytes};
use crate::generate;
use crate::pick::Pick;
use halo_backend::{CompileOptions, Program, Registry};
use halo_core::{ElementType, Shape, npy, random::Generator};
use halo_frontend::{hlo_text, portable_artifact};
use halo_hlo_text::PrintOptions;
use halo_runtime::Error;
use halo_runtime::plan::{Plan, Thunk};
use halo_vhlo::Version;
use std::sync::OnceLock;

/// A run of a tool: files in a separate folder, and a command line with them.
pub struct Run {
    pub files: Vec<(&'static str, Vec<u8>)>,
    pub tool: &'static str,
    pub arguments: Vec<String>,
    pub time: Time,
}

/// Features that may make a run slow.
pub enum Time {
    /// None.
    Bounded,
    /// The program may not terminate. This command line is equivalent, but does not run it.
    Compiling(Vec<String>),
    /// A compiled program may not terminate.
    Running,
}

/// The inputs of the edits.
pub struct Seeds<'a> {
    corpus: &'a Corpus,
    registry: &'a Registry,
    /// Generate only runs on edited bytecode.
    bytecode: bool,
    /// Plans, made once.
    plans: OnceLock<Vec<Vec<u8>>>,
}

/// The size of the header of a plan, before the bytes of its checksum.
const PLAN_HEADER: usize = 24;

/// The number of plans that edits start from.
const PLANS: usize = 8;

/// Programs whose plans have host code: copies, a call, a loop and a conditional.
const PLAN_PROGRAMS: [&str; 4] = [
    "func.func @main(%x: tensor<4xf32>, %y: tensor<2xi8>) -> (tensor<2xi8>, tensor<4xf32>) {
       return %y, %x : tensor<2xi8>, tensor<4xf32>
     }",
    "func.func @main(%x: tensor<3x3xf64>) -> tensor<3x3xf64> {
       %0 = stablehlo.cholesky %x, lower = true : tensor<3x3xf64>
       return %0 : tensor<3x3xf64>
     }",
    "func.func @main(%x: tensor<3x3xf32>, %n: tensor<i32>) -> tensor<3x3xf32> {
       %zero = stablehlo.constant dense<0> : tensor<i32>
       %one = stablehlo.constant dense<1> : tensor<i32>
       %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<3x3xf32>
       cond {
         %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
         stablehlo.return %c : tensor<i1>
       } do {
         %j = stablehlo.add %i, %one : tensor<i32>
         %b = stablehlo.cholesky %a, lower = true : tensor<3x3xf32>
         stablehlo.return %j, %b : tensor<i32>, tensor<3x3xf32>
       }
       return %r#1 : tensor<3x3xf32>
     }",
    "func.func @main(%p: tensor<i1>, %x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
       %0 = \"stablehlo.if\"(%p) ({
         %1 = stablehlo.fft %x, type = FFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
         stablehlo.return %1 : tensor<4xcomplex<f32>>
       }, {
         stablehlo.return %x : tensor<4xcomplex<f32>>
       }) : (tensor<i1>) -> tensor<4xcomplex<f32>>
       return %0 : tensor<4xcomplex<f32>>
     }",
];

/// Backends that run on any machine.
const BACKENDS: [&str; 3] = ["interpreter", "cpu", "cuda-emulator"];

/// Tokens of the HLO text parser.
const HLO_TOKENS: &[&str] = &[
    "HloModule",
    "ENTRY",
    "ROOT",
    "f32[",
    "s32[",
    "pred[]",
    "bf16[2,3]{1,0}",
    "(f32[2], s32[])",
    "{0,1}",
    "parameter(",
    "constant(",
    "{...}",
    "fusion(",
    "while(",
    "conditional(",
    "reduce(",
    "custom-call(",
    "get-tuple-element(",
    "tuple(",
    "dimensions={",
    "index=",
    "calls=%",
    "to_apply=%",
    "body=%",
    "condition=%",
    "metadata={",
    "sharding={",
    "window={size=",
    "slice={[",
    "dim_labels=",
    "=",
    ",",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "%",
    "->",
    "-1",
    "0",
    "1",
    "7",
    "9223372036854775807",
    "4294967296",
    "nan",
    "1e400",
    "\"",
    "\\",
    "<=",
    "token[]",
    "dynamic",
];

impl<'a> Seeds<'a> {
    pub fn new(corpus: &'a Corpus, registry: &'a Registry, bytecode: bool) -> Self {
        Self {
            corpus,
            registry,
            bytecode,
            plans: OnceLock::new(),
        }
    }

    /// The run with a number.
    pub fn run(&self, number: u64) -> Run {
        let mut pick = Pick::new(number);
        match pick.below(16) {
            _ if self.bytecode => self.of_bytecode(&mut pick),
            0..=3 => {
                let mut code = self.program(&mut pick);
                edit(&mut code, &mut pick, self.corpus.programs(), TOKENS);
                self.of_program(&mut pick, "case.mlir", code)
            }
            4..=6 => self.of_bytecode(&mut pick),
            7 | 8 => {
                let mut code = self.converted(&mut pick, artifact);
                edit_bytes(&mut code, &mut pick, 0);
                self.of_program(&mut pick, "case.vhlo", code)
            }
            9 => {
                let mut code = self.converted(&mut pick, |code, _| hlo_proto(code));
                edit_bytes(&mut code, &mut pick, 0);
                self.of_program(&mut pick, "case.pb", code)
            }
            10 | 11 => {
                let mut code = self.converted(&mut pick, |code, _| hlo(code));
                edit(&mut code, &mut pick, &[], HLO_TOKENS);
                self.of_program(&mut pick, "case.hlo", code)
            }
            12 => self.of_plan(&mut pick),
            13 => of_array(&mut pick),
            _ => self.of_flags(&mut pick),
        }
    }

    /// A program, valid or not.
    fn program(&self, pick: &mut Pick) -> Vec<u8> {
        let programs = self.corpus.programs();
        if programs.is_empty() || pick.once_in(3) {
            generate::program(pick).text.into_bytes()
        } else {
            pick.one(programs).clone()
        }
    }

    /// A program in another form.
    fn converted(
        &self,
        pick: &mut Pick,
        convert: impl Fn(&[u8], &mut Pick) -> Result<Vec<u8>, Error>,
    ) -> Vec<u8> {
        let code = self.program(pick);
        if let Ok(code) = convert(&code, pick) {
            return code;
        }
        // Some parts of the corpus cannot be converted.
        let code = generate::program(pick).text;
        convert(code.as_bytes(), pick).unwrap_or_else(|_| code.into_bytes())
    }

    /// A command line for a program.
    fn of_program(&self, pick: &mut Pick, name: &'static str, code: Vec<u8>) -> Run {
        let mut time = Time::Bounded;
        let (tool, arguments) = match pick.below(10) {
            0..=2 => {
                let mut arguments = vec![name.to_owned()];
                if pick.once_in(4) {
                    arguments.push("--allow-unregistered-dialect".to_owned());
                }
                for _ in 0..pick.below(3) {
                    arguments.push(flags::pass(pick));
                }
                ("halo-opt", arguments)
            }
            3..=5 => {
                let backend = pick.one(&BACKENDS);
                let run = [name, "--random-inputs", &format!("--backend={backend}")];
                let mut compile = vec![name.to_owned(), run[2].to_owned()];
                compile.push(format!("--compile-to={}", flags::last_phase(backend)));
                time = Time::Compiling(compile);
                ("halo-run", run.map(str::to_owned).to_vec())
            }
            6 => {
                let backend = pick.one(&["cpu", "interpreter", "cuda", "cuda-emulator"]);
                let phase = flags::phase(pick);
                let arguments = [
                    name.to_owned(),
                    format!("--backend={backend}"),
                    format!("--compile-to={phase}"),
                ];
                ("halo-run", arguments.to_vec())
            }
            7 => {
                let backend = pick.one(&["cuda", "cuda-emulator"]);
                let arguments = [name, &format!("--backend={backend}"), "-o", "out.plan"];
                ("halo-compile", arguments.map(str::to_owned).to_vec())
            }
            _ => {
                let arguments = vec![name.to_owned(), flags::translation(pick)];
                ("halo-translate", arguments)
            }
        };
        Run {
            files: vec![(name, code)],
            tool,
            arguments,
            time,
        }
    }

    fn of_bytecode(&self, pick: &mut Pick) -> Run {
        let mut code = self.converted(pick, |code, _| bytecode(code));
        edit_bytes(&mut code, pick, 0);
        self.of_program(pick, "case.mlirbc", code)
    }

    fn of_plan(&self, pick: &mut Pick) -> Run {
        let plans = self.plans.get_or_init(|| self.make_plans());
        let mut code = if plans.is_empty() {
            Vec::new()
        } else {
            pick.one(plans).clone()
        };
        edit_bytes(&mut code, pick, PLAN_HEADER);
        // Otherwise the tool rejects the checksum and reads no further.
        if !pick.once_in(16) {
            Plan::seal(&mut code);
        }
        Run {
            files: vec![("case.plan", code)],
            tool: "halo-run",
            arguments: vec!["case.plan".to_owned(), "--random-inputs".to_owned()],
            time: Time::Running,
        }
    }

    /// Plans for GPUs, and their host parts.
    fn make_plans(&self) -> Vec<Vec<u8>> {
        let make = |number: usize| {
            let program = match PLAN_PROGRAMS.get(number) {
                Some(text) => text.as_bytes().to_vec(),
                None => generate::program(&mut Pick::new(number as u64)).text.into_bytes(),
            };
            let compiler = &self.registry.backend("cuda").ok()?.compiler;
            let plan = compiler.plan(&seed(&program), &CompileOptions::default());
            let plan = plan.ok()?;
            Some([plan.to_bytes().ok()?, for_host(plan).to_bytes().ok()?])
        };
        (0..PLANS).filter_map(make).flatten().collect()
    }

    fn of_flags(&self, pick: &mut Pick) -> Run {
        let code = generate::program(pick).text.into_bytes();
        let (tool, mut arguments) = flags::command(pick);
        let at = pick.below(arguments.len() + 1);
        if !pick.once_in(12) {
            arguments.insert(at, "case.mlir".to_owned());
        }
        Run {
            files: vec![("case.mlir", code), ("case.npy", array(pick))],
            tool,
            arguments,
            time: Time::Bounded,
        }
    }
}

/// A plan without kernels, which the host cannot run.
fn for_host(mut plan: Plan) -> Plan {
    plan.target.platform = "host".to_owned();
    plan.code.clear();
    plan.kernels.clear();
    for sequence in &mut plan.sequences {
        sequence.retain(|thunk| !matches!(thunk, Thunk::Launch { .. } | Thunk::Gemm(_)));
    }
    plan
}

/// A program that gets an edited array.
fn of_array(pick: &mut Pick) -> Run {
    let code = "func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {\n  \
                %0 = stablehlo.add %x, %x : tensor<2x3xf32>\n  return %0 : tensor<2x3xf32>\n}\n";
    let mut array = array(pick);
    if pick.once_in(2) {
        edit_bytes(&mut array, pick, 0)
    } else {
        edit(
            &mut array,
            pick,
            &[],
            &["<f4", ">i8", "'shape': (", "True", "9e9", "-1"],
        )
    }
    let flag = *pick.one(&["--input", "--expect"]);
    let mut arguments = vec!["case.mlir".to_owned(), format!("{flag}=@case.npy")];
    if flag == "--expect" {
        arguments.push("--random-inputs".to_owned());
    }
    arguments.push("--backend=interpreter".to_owned());
    Run {
        files: vec![("case.mlir", code.into()), ("case.npy", array)],
        tool: "halo-run",
        arguments,
        time: Time::Bounded,
    }
}

/// A file with an array.
fn array(pick: &mut Pick) -> Vec<u8> {
    let dims = if pick.once_in(2) {
        vec![2, 3]
    } else {
        (0..pick.below(4)).map(|_| pick.below(4)).collect()
    };
    let element = *pick.one(&[
        ElementType::F32,
        ElementType::F64,
        ElementType::BF16,
        ElementType::I1,
        ElementType::I64,
        ElementType::Ui8,
    ]);
    let mut bytes = Vec::new();
    let mut generator = Generator::new(pick.below(1 << 16) as u64);
    if let Ok(literal) = Shape::new(element, dims).and_then(|shape| generator.literal(&shape)) {
        let _ = npy::write_to(&mut bytes, &literal);
    }
    bytes
}

/// The valid cases so far.
fn seed(code: &[u8]) -> Program {
    Program {
        name: "seed.mlir".to_owned(),
        code: code.to_vec(),
    }
}

fn bytecode(code: &[u8]) -> Result<Vec<u8>, Error> {
    let context = halo_compiler::context();
    let module = halo_frontend::parse(&context, &seed(code))?;
    Ok(halo_ir::diagnostics::bytecode_of(&module))
}

fn artifact(code: &[u8], pick: &mut Pick) -> Result<Vec<u8>, Error> {
    let target = *pick.one(&[Version::MINIMUM, Version::new(1, 0), Version::CURRENT]);
    let context = halo_compiler::context();
    portable_artifact::serialize(&halo_frontend::parse(&context, &seed(code))?, target)
}

fn hlo(code: &[u8]) -> Result<Vec<u8>, Error> {
    let context = halo_compiler::context();
    let hlo = hlo_text::export(&halo_frontend::parse(&context, &seed(code))?)?;
    Ok(hlo.print(&PrintOptions::long()).into_bytes())
}

fn hlo_proto(code: &[u8]) -> Result<Vec<u8>, Error> {
    let context = halo_compiler::context();
    let hlo = hlo_text::export(&halo_frontend::parse(&context, &seed(code))?)?;
    hlo.to_proto().map_err(Error::invalid)
}
