//! Programs and backends as the tests of execution need them.

use halo_runtime::{CompileOptions, Executable, Program, Registry};

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
