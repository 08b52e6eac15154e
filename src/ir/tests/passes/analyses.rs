//! Analyses that passes share, and pipelines that a pass runs.

use super::{context, failed, outcome, pass};
use halo_ir::{
    diagnostics::{parse_module, with_diagnostics},
    pass::{Analysis, run_pipeline},
    pipeline,
    pipeline::{nest, pass as scheduled, upstream},
    prelude::*,
};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of computations and drops of [`Size`].
static COMPUTED: AtomicUsize = AtomicUsize::new(0);
static FREED: AtomicUsize = AtomicUsize::new(0);

/// The number of ops in an op.
struct Size(usize);

impl Analysis for Size {
    fn of(operation: Operation) -> Self {
        COMPUTED.fetch_add(1, Ordering::SeqCst);
        Self(operation.collect_nested(|_| true).len())
    }
}

impl Drop for Size {
    fn drop(&mut self) {
        FREED.fetch_add(1, Ordering::SeqCst);
    }
}

/// The key of an op, which cannot be dereferenced.
struct Key(usize);

impl Analysis for Key {
    fn of(operation: Operation) -> Self {
        Self(operation.key())
    }
}

struct Panics;

impl Analysis for Panics {
    fn of(_: Operation) -> Self {
        panic!("cannot tell")
    }
}

static PRESERVES: PassDeclaration = pass("test-preserves", &[], |pass| {
    let (one, other) = (pass.analysis::<Size>(), pass.analysis::<Size>());
    assert!(one.0 == other.0 && one.0 > 0);
    pass.preserve::<Size>();
    Ok(())
});
static PRESERVES_ALL: PassDeclaration = pass("test-preserves-all", &[], |pass| {
    assert_eq!(pass.analysis::<Key>().0, pass.operation().key());
    pass.analysis::<Size>();
    pass.preserve_all();
    Ok(())
});
static FORGETS: PassDeclaration = pass("test-forgets", &[], |pass| {
    pass.preserve::<Key>();
    Ok(())
});
static CANNOT_ANALYZE: PassDeclaration = pass("test-cannot-analyze", &[], |pass| {
    pass.analysis::<Panics>();
    Ok(())
});
static SIZE_OF_FUNCTION: PassDeclaration = pass("test-size-of-function", &[], |pass| {
    pass.analysis::<Size>();
    pass.preserve_all();
    Ok(())
})
.on::<func::FuncOp>();

static NESTED: PassDeclaration = pass("test-nested", &[], |pass| {
    let before = pass.analysis::<Size>();
    pass.run_pipeline(&pipeline![
        upstream("canonicalize"),
        nest::<func::FuncOp>(pipeline![upstream("convert-func-to-llvm")]),
    ])
    .expect_err("convert-func-to-llvm runs on modules");
    drop(before);
    Ok(())
});
static FOLDS: PassDeclaration = pass("test-folds", &[], |pass| {
    pass.run_pipeline(&pipeline![
        nest::<func::FuncOp>(pipeline![upstream("canonicalize")]),
        upstream("convert-func-to-llvm"),
    ])
});
static FAILS_WITHIN: PassDeclaration = pass("test-fails-within", &[], |pass| {
    pass.run_pipeline(&pipeline![upstream("cse"), scheduled(&super::SILENT)])
});
static WRONG_ANCHOR: PassDeclaration = pass("test-wrong-anchor", &[], |pass| {
    pass.run_pipeline(&pipeline![scheduled(&SIZE_OF_FUNCTION)])
});
static UNKNOWN_WITHIN: PassDeclaration = pass("test-unknown-within", &[], |pass| {
    pass.run_pipeline(&pipeline![upstream("no-such-pass")])
});

pub static PASSES: &[&PassDeclaration] = &[
    &PRESERVES,
    &PRESERVES_ALL,
    &FORGETS,
    &CANNOT_ANALYZE,
    &SIZE_OF_FUNCTION,
    &NESTED,
    &FOLDS,
    &FAILS_WITHIN,
    &WRONG_ANCHOR,
    &UNKNOWN_WITHIN,
];

/// A single test, since it counts globally.
#[test]
fn analyses_are_kept_until_they_are_invalidated() {
    for (pipeline, computed) in [
        (
            "test-preserves,test-preserves,test-preserves-all,test-preserves",
            1,
        ),
        ("test-preserves,test-forgets,test-preserves", 2),
        ("test-preserves,canonicalize,test-preserves", 2),
        ("func.func(test-size-of-function,test-size-of-function)", 1),
        // MLIR keeps the analyses of nested ops to the end of the pipeline on them.
        (
            "func.func(test-size-of-function),test-preserves,func.func(test-size-of-function)",
            3,
        ),
    ] {
        let before = (
            COMPUTED.load(Ordering::SeqCst),
            FREED.load(Ordering::SeqCst),
        );
        assert_eq!(outcome(pipeline), (Ok(()), vec![]), "{pipeline}");
        let after = (
            COMPUTED.load(Ordering::SeqCst),
            FREED.load(Ordering::SeqCst),
        );
        assert_eq!(
            (after.0 - before.0, after.1 - before.1),
            (computed, computed),
            "{pipeline}"
        );
    }
}

#[test]
fn an_analysis_that_panics_is_an_error() {
    let message = "p.mlir: error: internal error in pass 'test-cannot-analyze': cannot tell";
    assert_eq!(
        outcome("test-cannot-analyze"),
        (failed("test-cannot-analyze"), vec![message.to_owned()])
    );
}

#[test]
fn a_pass_runs_a_pipeline() {
    let context = context();
    let text = "func.func @f() -> i32 {\n  %0 = arith.constant 7 : i32\n  \
                %1 = arith.addi %0, %0 : i32\n  return %1 : i32\n}\n";
    let mut module = parse_module(&context, text.as_bytes(), "p.mlir").unwrap();
    let (result, errors) = with_diagnostics(&context, || run_pipeline(&mut module, "test-folds"));
    assert_eq!((result, errors), (Ok(()), vec![]));
    let text = module.as_operation().to_string();
    assert!(text.contains("llvm.func @f() -> i32"), "{text}");
    assert!(
        text.contains("14 : i32") && !text.contains("addi"),
        "{text}"
    );
}

#[test]
fn a_pipeline_within_fails_once() {
    let (result, errors) = outcome("test-fails-within");
    // The failed pass is named, not the one that ran it.
    assert_eq!(result, failed("test-silent"));
    assert_eq!(
        errors,
        ["p.mlir: error: pass 'test-silent' failed and did not say why"]
    );
    let (result, errors) = outcome("test-wrong-anchor");
    assert_eq!(result, failed("test-wrong-anchor"));
    assert_eq!(
        errors,
        [
            "p.mlir: error: internal error in pass 'test-wrong-anchor': pass \
          'test-size-of-function' runs on 'func.func', not on 'builtin.module'"
        ]
    );
    let (result, errors) = outcome("test-unknown-within");
    assert_eq!(result, failed("test-unknown-within"));
    let [error] = &errors[..] else {
        panic!("{errors:?}");
    };
    assert!(error.contains("'no-such-pass'"), "{error}");
    // Its errors equal the errors of upstream's check.
    assert!(outcome("test-nested").0.is_ok());
}
