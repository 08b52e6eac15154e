//! Programs and backends as the tests of execution need them.

use halo_lit_tests::machines::{self, Machine};
use halo_runtime::object_code::runner::Runner;
use halo_runtime::{
    Backend, CompileOptions, Error, Executable, ProcessorOptions, Program, Registry,
};

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

/// A program on every backend, or on [`other_processors`] if there are some.
pub fn compilations(code: &str, options: &CompileOptions) -> Vec<(&'static str, Compilation)> {
    let (registry, program) = (registry(), program(code));
    let others = other_processors();
    if others.is_empty() {
        let backends = registry.usable();
        let compile = |backend: &Backend| backend.compiler.compile(&program, options);
        return backends
            .map(|backend| (backend.name, compile(backend)))
            .collect();
    }
    let cpu = &registry.backend("cpu").unwrap().compiler;
    let compiled = others.into_iter().map(|(name, processor)| {
        let options = CompileOptions {
            processor,
            ..options.clone()
        };
        (name, cpu.compile(&program, &options))
    });
    compiled.collect()
}

/// A program on processors of ARM64 that have instructions for products of small numbers: of
/// groups, and of matrices of groups. None if nothing runs it here.
pub fn executables_with_products(code: &str) -> Vec<(&'static str, Box<dyn Executable>)> {
    executables_on(machines::with_products(), code)
}

/// A program on processors of ARM64 that add products of floats to tiles. None if nothing runs it
/// here.
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

/// Processors of other architectures, which QEMU runs. It takes minutes, so they are part of
/// `make test-targets` alone.
fn other_processors() -> Vec<(&'static str, ProcessorOptions)> {
    if !machines::all_are_wanted() {
        return Vec::new();
    }
    machines::machines().into_iter().map(options_of).collect()
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
