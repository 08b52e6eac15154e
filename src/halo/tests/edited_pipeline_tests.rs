//! Passes with faults, inserted into the pipelines of backends.

use halo::{
    compiler::{backends, pipelines::Edits},
    prelude::*,
    runtime::{CompileOptions, Error, Program, Registry},
};

const fn pass(
    argument: &'static str,
    run: fn(&mut PassInvocation) -> Result<(), PassFailure>,
) -> PassDeclaration {
    PassDeclaration::new(argument, "A pass of this test", run)
}

static PANICS: PassDeclaration = pass("my-panics", |_| panic!("no such luck"));
static IS_SILENT: PassDeclaration = pass("my-silent", |_| Err(PassFailure));
static FAILS: PassDeclaration = pass("my-fails", |pass| {
    emit_error(pass.operation().location(), "this cannot be");
    Err(PassFailure)
});
static IS_INVALID: PassDeclaration = pass("my-invalid", |pass| {
    let adds = pass.operation().collect_nested(|op| op.name() == "stablehlo.add");
    for add in adds {
        let context = add.context();
        add.results()[0].set_type(Type::index(context));
    }
    Ok(())
});
static OTHER: PassDeclaration = pass("my-fails", |_| Ok(()));

const PROGRAM: &[u8] = b"
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}";

/// Compiles with edits on a backend, and returns the message.
fn message(backend: &str, edits: Edits) -> String {
    let mut registry = Registry::new();
    backends::register(&mut registry);
    let compile = || -> Result<(), Error> {
        let backend = edits.apply_to(registry.backend(backend)?)?;
        let program = Program {
            name: "a.mlir".to_owned(),
            code: PROGRAM.to_vec(),
        };
        let options = CompileOptions::default();
        backend.compiler.compile(&program, &options).map(drop)
    };
    compile().err().map_or_else(String::new, |error| error.to_string())
}

pub fn run() {
    for backend in ["cpu", "interpreter"] {
        let inserted = |pass: &'static PassDeclaration| {
            let message = message(backend, Edits::new().insert_after("hlo", pass));
            assert_eq!(message.lines().count(), 1, "{message}");
            message
        };
        assert_eq!(
            inserted(&PANICS),
            "a.mlir: error: internal error in pass 'my-panics': no such luck"
        );
        assert_eq!(
            inserted(&IS_SILENT),
            "a.mlir: error: pass 'my-silent' failed and did not say why"
        );
        assert_eq!(
            inserted(&FAILS),
            "a.mlir: error: pass 'my-fails' failed: this cannot be"
        );
        // Without debug assertions, the text of the pipeline is named, which is the pass.
        let invalid = inserted(&IS_INVALID);
        assert!(invalid.starts_with("a.mlir:3:8: error: "), "{invalid}");
        assert!(
            invalid.contains("'my-invalid' left invalid IR"),
            "{invalid}"
        );
    }
    assert_eq!(
        message("cpu", Edits::new().insert_before("nowhere", &PANICS)),
        "--insert-passes=before:nowhere:my-panics: no phase or pass is named 'nowhere'; the \
         phases are: hlo, linalg, fusion, bufferized, kernels, llvm"
    );
    // Two passes with one name are ambiguous in a pipeline.
    assert_eq!(
        message("cpu", Edits::new().insert_after("hlo", &OTHER)),
        "a pass or pipeline 'my-fails' is registered already"
    );
}
