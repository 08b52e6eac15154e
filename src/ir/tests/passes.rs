//! What a pass does wrong is one clear message that names it.

use halo_ir::{
    Builder, Operation, RewriteResult, apply_greedily, collect_operations, context_of,
    diagnostics::{parse_module, with_diagnostics},
    index_type, name_of,
    opt::register_everything,
    pass::{
        AlreadyRegistered, PassDeclaration, PassFailure, PassInvocation, PipelineError,
        register_pass, register_pipeline, register_upstream_passes, run_pipeline,
    },
    results_of,
    rewrite::Pattern,
    set_type,
};
use melior::{Context, dialect::DialectRegistry, ir::Module};
use std::sync::Once;

const PROGRAM: &str = "func.func @f() -> i32 {\n  %0 = arith.constant 7 : i32\n  \
                       return %0 : i32\n}\n";

const fn pass(
    argument: &'static str,
    dependent_dialects: &'static [&'static str],
    run: fn(&mut PassInvocation) -> Result<(), PassFailure>,
) -> PassDeclaration {
    PassDeclaration {
        argument,
        summary: "A pass of this test",
        anchor: "builtin.module",
        dependent_dialects,
        options: &[],
        run,
    }
}

fn constants<'c>(pass: &'c PassInvocation) -> Vec<Operation<'c>> {
    collect_operations(pass.operation(), |op| name_of(op) == "arith.constant")
}

static SILENT: PassDeclaration = pass("test-silent", &[], |_| Err(PassFailure));
static PANICS: PassDeclaration = pass("test-panics", &[], |_| panic!("no such luck"));
static UNKNOWN: PassDeclaration = pass("test-unknown", &["nowhere"], |_| Ok(()));
static INVALID: PassDeclaration = pass("test-invalid", &[], |pass| {
    for constant in constants(pass) {
        for result in results_of(constant) {
            set_type(result, index_type(context_of(constant)));
        }
    }
    Ok(())
});
static ENDLESS: PassDeclaration = pass("test-endless", &["arith"], |pass| {
    /// Makes a constant of a constant.
    fn again<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
        let value = halo_ir::attribute_of(op, "value").ok_or(halo_ir::RewriteError::NoMatch)?;
        let types = halo_ir::result_types_of(op);
        let same = b.op("arith.constant").attribute("value", value);
        b.replace(op, &[same.results(&types).value()?])?;
        Ok(())
    }
    apply_greedily(pass, &[Pattern::new("arith.constant", again)])
});
static PATTERN_PANICS: PassDeclaration = pass("test-pattern-panics", &[], |pass| {
    fn give_up<'c>(_: &Builder<'c>, _: Operation<'c>) -> RewriteResult {
        panic!("no such pattern")
    }
    apply_greedily(pass, &[Pattern::new("arith.constant", give_up)])
});

fn context() -> Context {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        register_upstream_passes();
        for declaration in [
            &SILENT,
            &PANICS,
            &UNKNOWN,
            &INVALID,
            &ENDLESS,
            &PATTERN_PANICS,
        ] {
            register_pass(declaration).unwrap();
        }
    });
    let registry = DialectRegistry::new();
    register_everything(&registry);
    Context::new_with_registry(&registry, false)
}

/// How a pipeline ends on the program, and what it says.
fn outcome(pipeline: &str) -> (Result<(), PipelineError>, Vec<String>) {
    let context = context();
    let mut module: Module = parse_module(&context, PROGRAM.as_bytes(), "p.mlir").unwrap();
    with_diagnostics(&context, || run_pipeline(&mut module, pipeline))
}

fn failed(pass: &str) -> Result<(), PipelineError> {
    Err(PipelineError::PassFailed(pass.to_owned()))
}

#[test]
fn failures_are_told_and_named() {
    for (pass, message) in [
        (
            "test-silent",
            "p.mlir: error: pass 'test-silent' failed and did not say why",
        ),
        (
            "test-panics",
            "p.mlir: error: internal error in pass 'test-panics': no such luck",
        ),
        (
            "test-pattern-panics",
            "p.mlir:2:8: error: internal error: no such pattern",
        ),
    ] {
        let expected = (failed(pass), vec![message.to_owned()]);
        assert_eq!(outcome(&format!("canonicalize,{pass},cse")), expected);
    }
}

#[test]
fn invalid_ir_names_the_pass_that_left_it() {
    let (result, errors) = outcome("cse,test-invalid,canonicalize");
    let named = match cfg!(debug_assertions) {
        true => "test-invalid",
        false => "cse,test-invalid,canonicalize",
    };
    assert_eq!(result, Err(PipelineError::Invalid(named.into())));
    let [error] = &errors[..] else {
        panic!("{errors:?}");
    };
    assert!(
        error.starts_with("p.mlir:2:8: error: 'arith.constant' op failed to verify"),
        "{error}"
    );
}

#[test]
fn a_dialect_that_nobody_knows_is_named() {
    let (result, errors) = outcome("test-unknown");
    assert!(result.is_err());
    let message =
        "error: pass 'test-unknown' depends on dialect 'nowhere', which is not registered";
    assert_eq!(errors, [message]);
}

#[test]
fn rewriting_without_end_is_an_error() {
    let (result, errors) = outcome("test-endless");
    assert_eq!(result, failed("test-endless"));
    let [error] = &errors[..] else {
        panic!("{errors:?}");
    };
    assert!(
        error.starts_with("p.mlir:2:8: error: rewriting does not end: 'arith.constant' still"),
        "{error}"
    );
}

#[test]
fn a_text_that_is_no_pipeline_is_an_error() {
    let (result, _) = outcome("no-such-pass");
    let Err(PipelineError::NotParsed(reason)) = result else {
        panic!("{result:?}");
    };
    assert!(reason.contains("'no-such-pass'"), "{reason}");
}

#[test]
fn a_name_is_registered_once() {
    let _ = context();
    let taken = |argument| Err(AlreadyRegistered { argument });
    assert_eq!(register_pass(&SILENT), taken("test-silent"));
    static CANONICALIZE: PassDeclaration = pass("canonicalize", &[], |_| Ok(()));
    assert_eq!(register_pass(&CANONICALIZE), taken("canonicalize"));
    assert_eq!(register_pipeline("cse", "", "cse"), taken("cse"));
    assert_eq!(register_pipeline("test-both", "", "cse"), Ok(()));
    assert_eq!(
        register_pipeline("test-both", "", "cse"),
        taken("test-both")
    );
}
