//! The backend of `docs/backends.md`, compared with the interpreter.

use super::host_function_backend::backend;
use halo::{
    compiler,
    core::Literal,
    runtime::{CompileOptions, Error, ExecuteOptions, PipelineEdit, Program, Registry},
};

/// Programs that the machine runs, of static and dynamic shapes.
const PROGRAMS: &[&str] = &[
    "func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
       %0 = stablehlo.add %x, %y : tensor<4xf32>
       %1 = stablehlo.exponential %0 : tensor<4xf32>
       %2 = stablehlo.maximum %1, %y : tensor<4xf32>
       return %2 : tensor<4xf32>
     }",
    "func.func @main(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>) {
       %0 = stablehlo.constant dense<[[1.0], [-2.0]]> : tensor<2x1xf32>
       %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x3xf32>
       %2 = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
       %3 = stablehlo.multiply %1, %2 : tensor<2x3xf32>
       %4 = func.call @square(%3) : (tensor<2x3xf32>) -> tensor<2x3xf32>
       %5 = stablehlo.add %4, %x : tensor<2x3xf32>
       return %5, %y : tensor<2x3xf32>, tensor<3xf32>
     }
     func.func private @square(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
       %0 = stablehlo.multiply %x, %x : tensor<2x3xf32>
       return %0 : tensor<2x3xf32>
     }",
    "func.func @main(%x: tensor<?x2xf32>, %y: tensor<?x2xf32>) -> tensor<?x2xf32> {
       %0 = stablehlo.add %x, %y : tensor<?x2xf32>
       return %0 : tensor<?x2xf32>
     }",
];

fn program(code: &str) -> Program {
    Program {
        name: "a.mlir".to_owned(),
        code: code.as_bytes().to_vec(),
    }
}

fn registry() -> Registry {
    let mut registry = Registry::new();
    compiler::backends::register(&mut registry);
    registry.register(backend()).unwrap();
    registry
}

/// Runs a program on a backend, with 4 rows for dynamic sizes.
fn run_on(registry: &Registry, backend: &str, code: &str) -> Result<Vec<Literal>, Error> {
    let compiler = &registry.backend(backend)?.compiler;
    let executable = compiler.compile(&program(code), &CompileOptions::default())?;
    let inputs = executable.signature().inputs.iter();
    let inputs: Vec<Literal> = inputs
        .map(|pattern| {
            let shape = pattern.to_string().replace('?', "4").parse().unwrap();
            Literal::from_fn(shape, |position| position as f64 / 4.0 - 1.0)
        })
        .collect();
    executable.run(&inputs)
}

fn run_all() {
    let registry = registry();
    for code in PROGRAMS {
        let ours = run_on(&registry, "vectors", code).unwrap();
        let reference = run_on(&registry, "interpreter", code).unwrap();
        assert_eq!(ours.len(), reference.len());
        for (ours, reference) in ours.iter().zip(&reference) {
            assert_eq!(ours.shape(), reference.shape());
            let ours = ours.as_slice::<f32>().unwrap();
            let reference = reference.as_slice::<f32>().unwrap();
            for (ours, reference) in ours.iter().zip(reference) {
                assert!(
                    (ours - reference).abs() <= 1e-6 * reference.abs(),
                    "{ours} {reference}"
                );
            }
        }
    }
}

/// Checks the backend's use of the library.
fn check_the_library() {
    let registry = registry();
    let backend = registry.backend("vectors").unwrap();
    let (compiler, options) = (&backend.compiler, CompileOptions::default());
    let message = |code: &str| match compiler.compile(&program(code), &options) {
        Ok(_) => "ok".to_owned(),
        Err(error) => error.to_string(),
    };
    let unknown = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  \
                   %0 = stablehlo.sine %x : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}";
    assert_eq!(
        message(unknown),
        "a.mlir:2:8: error: the machine has no 'stablehlo.sine'"
    );
    let unfinished = message("func.func @main(");
    assert!(unfinished.starts_with("a.mlir:1:1"), "{unfinished}");

    // Inputs are checked, and runs may be asynchronous.
    let executable = compiler.compile(&program(PROGRAMS[0]), &options).unwrap();
    let literal = |values: &[f32]| Literal::from_slice(&[values.len()], values).unwrap();
    let wrong = executable.run(&[literal(&[1.0]), literal(&[1.0])]);
    assert_eq!(
        wrong.unwrap_err().to_string(),
        "input 0 of @main is tensor<4xf32>, but tensor<1xf32> was given"
    );
    let device = executable.device();
    let stream = device.executor.create_stream().unwrap();
    let input = device.to_device(&literal(&[0.0; 4])).unwrap();
    let on_stream = ExecuteOptions {
        stream: Some(&*stream),
        ..ExecuteOptions::default()
    };
    let outputs = executable.execute(&on_stream, &[input.clone(), input]).unwrap();
    stream.block_until_done().unwrap();
    let result = device.to_host(&outputs[0]).unwrap();
    assert_eq!(result.as_slice::<f32>().unwrap(), [1.0; 4]);

    // Its phases are named and can be edited.
    let names: Vec<&str> = compiler.description().phases.iter().map(|phase| &*phase.name).collect();
    assert_eq!(names, ["input", "hlo"]);
    let edited = backend.with_edits(vec![PipelineEdit::remove("nothing").unwrap()]);
    assert_eq!(
        edited.err().unwrap().to_string(),
        "--remove-pass=nothing: no phase or pass is named 'nothing'; the phases are: hlo"
    );
}

pub fn run() {
    run_all();
    check_the_library();
}
