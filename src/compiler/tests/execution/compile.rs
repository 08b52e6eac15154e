//! Programs and backends as the tests of execution need them.

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

/// A program on every backend, or on [`machines`] if there are some.
pub fn compilations(code: &str, options: &CompileOptions) -> Vec<(&'static str, Compilation)> {
    let (registry, program) = (registry(), program(code));
    let machines = machines();
    if machines.is_empty() {
        let backends = registry.usable();
        let compile = |backend: &Backend| backend.compiler.compile(&program, options);
        return backends
            .map(|backend| (backend.name, compile(backend)))
            .collect();
    }
    let cpu = &registry.backend("cpu").unwrap().compiler;
    let compiled = machines.into_iter().map(|(name, processor)| {
        let options = CompileOptions {
            processor,
            ..options.clone()
        };
        (name, cpu.compile(&program, &options))
    });
    compiled.collect()
}

/// The name of a processor of another architecture, its triple, what runs its programs, and what
/// links them.
type Machine = [&'static str; 4];

const MACHINES: [Machine; 2] = [
    [
        "cpu (aarch64)",
        "aarch64-unknown-linux-gnu",
        "qemu-aarch64",
        "aarch64-linux-gnu-gcc",
    ],
    [
        "cpu (riscv64)",
        "riscv64-unknown-linux-gnu",
        "qemu-riscv64",
        "riscv64-linux-gnu-gcc",
    ],
];

/// Processors of other architectures, which QEMU runs. It takes minutes, so they are part of
/// `make test-targets` alone, which sets `HALO_TEST_TARGETS`.
fn machines() -> Vec<(&'static str, ProcessorOptions)> {
    if std::env::var_os("HALO_TEST_TARGETS").is_none() {
        return Vec::new();
    }
    let options = |[name, triple, runner, linker]: Machine| {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect();
        let runner = Runner {
            command: words(runner),
            linker: words(&format!("{linker} -static")),
        };
        let options = ProcessorOptions {
            triple: Some(triple.to_owned()),
            runner: Some(runner),
            ..ProcessorOptions::default()
        };
        (name, options)
    };
    MACHINES.map(options).into()
}
