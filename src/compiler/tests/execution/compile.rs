//! Helpers for execution tests: programs and backends.

use halo_backend::object_code::runner::Runner;
use halo_backend::{CompileOptions, ProcessorOptions, Program, Registry};
use halo_lit_tests::machines::{self, Machine};
use halo_runtime::{Error, Executable};
use std::hash::{DefaultHasher, Hash, Hasher};

/// All backends.
pub fn registry() -> Registry {
    let mut registry = Registry::new();
    halo_compiler::backends::register(&mut registry);
    registry
}

pub fn program(code: &str) -> Program {
    Program {
        name: "test.mlir".into(),
        code: code.into(),
    }
}

/// A program that the CPU compiles.
pub fn cpu_executable(code: &str, options: &CompileOptions) -> Box<dyn Executable> {
    let registry = registry();
    let compiler = &registry.backend("cpu").unwrap().compiler;
    compiler.compile(&program(code), options).unwrap()
}

pub type Compilation = Result<Box<dyn Executable>, Error>;

/// Returns a program on every backend and on other machines: on each one if all are requested
/// ([`machines::all_are_wanted`]), else on the machines for which it is in the sample.
pub fn compilations(code: &str, options: &CompileOptions) -> Vec<(&'static str, Compilation)> {
    compilations_as(code, &program(code), options)
}

/// Like [`compilations`], but selects the machines by another text: the compiled part of the
/// program, or another program with which this one is compared.
pub fn compilations_as(
    text: &str,
    program: &Program,
    options: &CompileOptions,
) -> Vec<(&'static str, Compilation)> {
    let registry = registry();
    let compile = |cell: Cell| {
        let options = CompileOptions {
            processor: cell.processor.unwrap_or(options.processor.clone()),
            ..options.clone()
        };
        let backend = registry.backend(cell.backend).unwrap();
        (cell.name, backend.compiler.compile(program, &options))
    };
    let all = machines::all_are_wanted();
    let cells = matrix(&registry, machines::machines(), text, all);
    cells.into_iter().map(compile).collect()
}

/// A backend on which a program runs, on this or another machine.
struct Cell {
    name: &'static str,
    backend: &'static str,
    /// The processor, if it is another machine's.
    processor: Option<ProcessorOptions>,
}

/// The cells for a program: all available backends, and the CPUs of other machines.
fn matrix(registry: &Registry, machines: Vec<Machine>, code: &str, all: bool) -> Vec<Cell> {
    let here = registry.usable().map(|backend| Cell {
        name: backend.name,
        backend: backend.name,
        processor: None,
    });
    let there = machines.into_iter().filter_map(|machine| {
        let (name, processor) = options_of(machine);
        (all || is_sample(name, code)).then_some(Cell {
            name,
            backend: "cpu",
            processor: Some(processor),
        })
    });
    here.chain(there).collect()
}

/// Returns true if a program is in the sample that runs on another machine in `make test`: one of
/// [`SAMPLE`] programs, the same ones in each run.
fn is_sample(machine: &str, code: &str) -> bool {
    let mut hasher = DefaultHasher::new();
    (machine, code).hash(&mut hasher);
    hasher.finish().is_multiple_of(SAMPLE)
}

/// A program takes about as long in QEMU as on all backends here.
const SAMPLE: u64 = 16;

#[test]
fn every_program_runs_on_all_backends_and_some_on_other_machines() {
    let registry = registry();
    let here: Vec<&str> = registry.usable().map(|backend| backend.name).collect();
    assert!(
        ["cpu", "interpreter", "c", "cuda-emulator"]
            .iter()
            .all(|name| here.contains(name)),
        "{here:?}"
    );
    let machines = machines::every_machine();
    let names = |code: &str, all| -> Vec<&str> {
        let cells = matrix(&registry, machines.clone(), code, all);
        cells.iter().map(|cell| cell.name).collect()
    };
    let there: Vec<&str> = machines.iter().map(Machine::name).collect();
    let mut sampled = vec![0; there.len()];
    for number in 0..256 {
        let code = format!("func.func @program{number}");
        assert_eq!(names(&code, true), [&here[..], &there[..]].concat());
        let some = names(&code, false);
        assert!(some.starts_with(&here), "{some:?}");
        for name in &some[here.len()..] {
            sampled[there.iter().position(|other| other == name).unwrap()] += 1;
        }
    }
    let expected = 256 / SAMPLE;
    for (name, count) in there.iter().zip(&sampled) {
        assert!(
            (expected / 2..expected * 2).contains(count),
            "{name}: {count}"
        );
    }
    let cells = matrix(&registry, machines::machines(), "", true);
    let cells: Vec<&str> = cells.iter().map(|cell| cell.name).collect();
    eprintln!("programs run on {}", cells.join(", "));
}

/// Compiles a program for ARM64 processors with instructions for products of small integers: dot
/// products of groups, and matrix products of groups. Empty if such code cannot run here.
pub fn executables_with_products(code: &str) -> Vec<(&'static str, Box<dyn Executable>)> {
    executables_on(machines::with_products(), code)
}

/// Compiles a program for ARM64 processors with outer products of floats (SME). Empty if such code
/// cannot run here.
pub fn executables_with_outer_products(code: &str) -> Vec<(&'static str, Box<dyn Executable>)> {
    executables_on(machines::with_outer_products(), code)
}

fn executables_on(machines: Vec<Machine>, code: &str) -> Vec<(&'static str, Box<dyn Executable>)> {
    let compile = |machine: Machine| {
        let (name, processor) = options_of(machine);
        let options = CompileOptions {
            processor,
            ..super::options()
        };
        (name, cpu_executable(code, &options))
    };
    machines.into_iter().map(compile).collect()
}

fn options_of(machine: Machine) -> (&'static str, ProcessorOptions) {
    let runner = Runner {
        command: machine.runner().into_iter().map(str::to_owned).collect(),
        linker: machine.linker().map(str::to_owned).into(),
    };
    let options = ProcessorOptions {
        triple: Some(machine.triple.to_owned()),
        cpu: machine.cpu.map(str::to_owned),
        runner: Some(runner),
        ..ProcessorOptions::default()
    };
    (machine.name(), options)
}
