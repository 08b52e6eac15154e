//! Limits of applications.

use super::{context, pass};
use halo_ir::{
    apply_in_place, apply_patterns_once,
    diagnostics::{parse_module, with_diagnostics},
    pass::run_pipeline,
    prelude::*,
    rewrite::fuel::{Applications, limited},
};
use std::{cell::Cell, rc::Rc};

const PROGRAM: &str = "func.func @f(%x: i32) -> i32 {\n  %0 = arith.addi %x, %x : i32\n  \
                       %1 = arith.addi %0, %x : i32\n  %2 = arith.muli %1, %0 : i32\n  \
                       return %2 : i32\n}\n";

fn to_product<'c>(b: &Builder<'c>, op: arith::AddIOp<'c>) -> RewriteResult {
    b.replace(*op, &[arith::muli(b, op.lhs(), op.rhs())]);
    Ok(())
}

fn product() -> Pattern<'static> {
    Pattern::new::<arith::AddIOp>(to_product)
}

static ONCE: PassDeclaration = pass("test-fuel-once", &["arith"], |pass| {
    apply_patterns_once(pass.operation(), &[product()])
});
static GREEDILY: PassDeclaration = pass("test-fuel-greedily", &["arith"], |pass| {
    apply_in_place(pass, &[product()])
});
static FOR_EACH: PassDeclaration = pass("test-fuel-for-each", &["arith"], |pass| {
    pass.for_each(
        |op| op.isa::<arith::AddIOp>(),
        |b, op| to_product(b, op.cast().unwrap()),
    )
});
static PANICS: PassDeclaration = pass("test-fuel-panics", &[], |pass| {
    let panics = Pattern::new::<arith::MulIOp>(|_, _| panic!("no such pattern"));
    apply_patterns_once(pass.operation(), &[panics])
});

pub static PASSES: &[&PassDeclaration] = &[&ONCE, &GREEDILY, &FOR_EACH, &PANICS];

/// The additions after a pass with a limit.
fn run(pass: &str, limit: u64) -> (usize, Applications, u64) {
    let context = context();
    let mut module = parse_module(&context, PROGRAM.as_bytes(), "p.mlir").unwrap();
    let attempts = Rc::new(Cell::new(0));
    let counted = Rc::clone(&attempts);
    let attempted = move |_: &_| counted.set(counted.get() + 1);
    let (_, applications) = limited(limit, attempted, || {
        with_diagnostics(&context, || run_pipeline(&mut module, pass))
    });
    let text = module.as_operation().to_string();
    (text.matches("addi").count(), applications, attempts.get())
}

#[test]
fn applications_beyond_the_limit_are_not_performed() {
    for pass in [&ONCE, &GREEDILY, &FOR_EACH] {
        // The first one is the run of the pass.
        for (limit, left) in [(0, 2), (1, 2), (2, 1), (3, 0), (u64::MAX, 0)] {
            let (additions, applications, _) = run(pass.argument, limit);
            assert_eq!(additions, left, "{} {limit}", pass.argument);
            assert_eq!(applications.count, limit.min(3), "{}", pass.argument);
            let last = applications.last;
            assert_eq!(last.is_some(), limit > 0 && limit < 4);
        }
    }
}

#[test]
fn the_last_application_is_described() {
    let (_, applications, attempts) = run(ONCE.argument, 2);
    assert_eq!(attempts, 1);
    let last = applications.last.unwrap();
    assert!(last.pattern.unwrap().ends_with("::fuel::to_product"));
    assert_eq!(
        (last.op.as_str(), last.location.as_str()),
        ("arith.addi", "p.mlir:2:8")
    );
    assert!(last.before.starts_with("func.func @f"), "{}", last.before);
    assert!(last.before.contains("%0 = arith.addi %arg0, %arg0 : i32"));
    assert!(last.after.contains("%0 = arith.muli %arg0, %arg0 : i32"));
    let of_pass = run(ONCE.argument, 1).1.last.unwrap();
    assert_eq!(
        (of_pass.pattern, of_pass.op.as_str()),
        (None, "builtin.module")
    );
    assert_eq!(of_pass.before, of_pass.after);
}

/// A crash has no IR after it.
#[test]
fn an_application_that_panics_counts() {
    let (_, applications, attempts) = run(PANICS.argument, 2);
    assert_eq!((applications.count, attempts), (2, 1));
    let last = applications.last.unwrap();
    assert_eq!(last.op, "arith.muli");
}
