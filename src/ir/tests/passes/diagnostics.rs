//! Errors, warnings and remarks with notes, and statistics.

use super::{constants, context, halo_opt_on, outcome, pass};
use halo_ir::{
    diagnostics::{parse_module, with_diagnostics},
    pass::{Statistic, counts, run_pipeline},
    prelude::*,
};
use std::{cell::RefCell, rc::Rc};

static CONSTANTS: Statistic = Statistic::new("num-constants", "Constants that were seen");
static OTHERS: Statistic = Statistic::new("num-others", "Something that was not seen");

/// Emits one diagnostic of each kind, and continues.
static TALKS: PassDeclaration = pass("test-talks", &[], |pass| {
    for constant in constants(pass) {
        let next = constant.block().unwrap().operations()[1];
        pass.warning(constant, "a constant\0 of 7")
            .note(next, "is returned here")
            .note(next.operands()[0], "as it is");
        pass.remark(next, format!("saw '{}'", next.name()));
        pass.count(&CONSTANTS, 1);
    }
    Ok(())
})
.statistics(&[&OTHERS, &CONSTANTS]);

/// Fails with a note.
static COMPLAINS: PassDeclaration = pass("test-complains", &[], |pass| {
    let constant = constants(pass)[0];
    Err(pass
        .error(constant, "no constants here")
        .note(pass.operation(), "in this")
        .into())
});

static MISCOUNTS: PassDeclaration = pass("test-miscounts", &[], |pass| {
    pass.count(&CONSTANTS, 1);
    Ok(())
});

pub static PASSES: &[&PassDeclaration] = &[&TALKS, &COMPLAINS, &MISCOUNTS];

#[test]
fn errors_have_notes() {
    let (result, errors) = outcome("test-complains");
    assert!(result.is_err());
    assert_eq!(
        errors,
        ["p.mlir:2:8: error: no constants here\np.mlir: note: in this"]
    );
}

/// Warnings and remarks are not errors, and reach the handlers of the context.
#[test]
fn warnings_go_to_the_handlers_around() {
    let context = context();
    let seen = Rc::new(RefCell::new(Vec::new()));
    let sink = Rc::clone(&seen);
    context.attach_diagnostic_handler(move |diagnostic| {
        let notes = (0..diagnostic.note_count())
            .map(|index| diagnostic.note(index).unwrap().to_string())
            .collect::<Vec<_>>();
        sink.borrow_mut().push((diagnostic.to_string(), notes));
        true
    });
    let mut module = parse_module(&context, super::PROGRAM.as_bytes(), "p.mlir").unwrap();
    let (result, errors) = with_diagnostics(&context, || run_pipeline(&mut module, "test-talks"));
    assert_eq!((result, errors), (Ok(()), vec![]));
    let notes = vec!["is returned here".to_owned(), "as it is".to_owned()];
    assert_eq!(
        *seen.borrow(),
        [
            ("a constant\\0 of 7".to_owned(), notes),
            ("saw 'func.return'".to_owned(), vec![])
        ]
    );
}

#[test]
fn halo_opt_verifies_warnings_remarks_and_notes() {
    let program = "func.func @f() -> i32 {\n  \
        // expected-warning@+2 {{a constant}}\n  // expected-note@+1 {{as it is}}\n  \
        %0 = arith.constant 7 : i32\n  // expected-remark@+2 {{saw 'func.return'}}\n  \
        // expected-note@+1 {{is returned here}}\n  return %0 : i32\n}\n";
    let (code, errors) = halo_opt_on(
        "verify",
        program,
        "test-talks",
        &["--verify-diagnostics"],
        &[],
    );
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    let program = program.replace("expected-remark", "expected-warning");
    let (code, errors) = halo_opt_on(
        "differs",
        &program,
        "test-talks",
        &["--verify-diagnostics"],
        &[],
    );
    assert_eq!(code, Some(1), "{errors}");
}

#[test]
fn halo_opt_shows_statistics() {
    let arguments = ["--mlir-pass-statistics"];
    let (code, errors) = halo_opt_on(
        "statistics",
        super::PROGRAM,
        "test-talks,test-talks",
        &arguments,
        &[],
    );
    assert_eq!(code, Some(0), "{errors}");
    let expected = "  test-talks\n    (S) 2 num-constants - Constants that were seen\n    \
                    (S) 0 num-others    - Something that was not seen\n";
    assert!(errors.contains("Pass statistics report"), "{errors}");
    assert!(errors.ends_with(expected), "{errors}");
    let (_, errors) = halo_opt_on("quiet", super::PROGRAM, "test-talks", &[], &[]);
    assert!(!errors.contains("(S)"), "{errors}");
}

#[test]
fn statistics_are_declared() {
    let (result, errors) = outcome("test-miscounts");
    assert!(result.is_err());
    assert_eq!(
        errors,
        [
            "p.mlir: error: internal error in pass 'test-miscounts': pass 'test-miscounts' does not \
          declare statistic 'num-constants'"
        ]
    );
    assert!(counts().iter().all(|count| count.pass != "test-miscounts"));
}
