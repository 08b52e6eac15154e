//! Patterns as closures.

use super::{context, halo_opt_on, pass};
use halo_ir::{
    apply_greedily, apply_in_place, apply_patterns_once, apply_without_folding,
    diagnostics::{parse_module, with_diagnostics},
    pass::run_pipeline,
    prelude::*,
};

use std::cell::{Cell, RefCell};

const PROGRAM: &str = "func.func @f(%x: i32) -> i32 {\n  %0 = arith.constant 7 : i32\n  \
                       %1 = arith.addi %0, %x : i32\n  %2 = arith.muli %1, %x : i32\n  \
                       return %2 : i32\n}\n";

/// Halves constants that are even after subtracting a captured amount.
static CAPTURES: PassDeclaration = pass("test-captures", &[], |pass| {
    let (amount, calls) = (4, Cell::new(0));
    let lower = Pattern::new::<arith::ConstantOp>(|b, constant| {
        calls.set(calls.get() + 1);
        let value = constant.value().integer_value().ok_or(RewriteError::NoMatch)?;
        if value <= 0 {
            return Err(no_match(format!("{value} is not positive")));
        }
        let result = constant.result();
        let lower = integer_attribute(result.ty(), value - amount);
        let lower = arith::ConstantOp::build(b, lower).value();
        b.replace(constant.operation(), &[lower]);
        Ok(())
    });
    apply_in_place(pass, &[lower])?;
    assert!(calls.get() >= 3, "{}", calls.get());
    Ok(())
});

/// Tries the patterns of an op in the order of their benefits, in each driver.
static BENEFITS: PassDeclaration = pass("test-benefits", &[], |pass| {
    let tried = RefCell::new(String::new());
    let try_it = |name: char, benefit| {
        let tried = &tried;
        Pattern::new::<arith::AddIOp>(move |_, _| {
            tried.borrow_mut().push(name);
            Err(no_match("only tried"))
        })
        .benefit(benefit)
    };
    let patterns = [try_it('b', 2), try_it('c', 1), try_it('a', 30)];
    assert_eq!(patterns[1].root(), "arith.addi");
    apply_greedily(pass, &patterns)?;
    apply_without_folding(pass, &patterns)?;
    apply_patterns_once(pass.operation(), &patterns)?;
    let tried = tried.borrow();
    assert!(
        tried.len() >= 9 && tried.replace("abc", "").is_empty(),
        "{tried}"
    );
    Ok(())
});

pub static PASSES: &[&PassDeclaration] = &[&CAPTURES, &BENEFITS];

#[test]
fn closures_capture_state() {
    let context = context();
    let mut module = parse_module(&context, PROGRAM.as_bytes(), "p.mlir").unwrap();
    let (result, errors) =
        with_diagnostics(&context, || run_pipeline(&mut module, "test-captures"));
    assert_eq!((result, errors), (Ok(()), vec![]));
    // 7, 3, -1.
    let text = module.as_operation().to_string();
    assert!(text.contains("arith.constant -1 : i32"), "{text}");
}

#[test]
fn patterns_of_higher_benefit_come_first() {
    let context = context();
    let mut module = parse_module(&context, PROGRAM.as_bytes(), "p.mlir").unwrap();
    let (result, errors) =
        with_diagnostics(&context, || run_pipeline(&mut module, "test-benefits"));
    assert_eq!((result, errors), (Ok(()), vec![]));
}

#[test]
fn reasons_for_no_match_can_be_seen() {
    let remark = ".mlir:2:8: remark: pattern for 'arith.constant' does not match: \
                  -1 is not positive";
    let explained = |passes: &str| {
        let explain = [("HALO_EXPLAIN_REWRITES", passes)];
        let (code, errors) = halo_opt_on("explain", PROGRAM, "test-captures", &[], &explain);
        assert_eq!(code, Some(0), "{errors}");
        errors.matches(remark).count()
    };
    assert_eq!(explained("1"), 1);
    assert_eq!(explained("cse, test-captures"), 1);
    assert_eq!(explained("cse"), 0);
    assert_eq!(explained("0"), 0);
}

#[test]
fn reasons_are_told_where_a_rewrite_must_apply() {
    let error = no_match("the operand is not constant");
    assert!(error.is_no_match() && RewriteError::NoMatch.is_no_match());
    assert!(!RewriteError::Invalid(String::new()).is_no_match());
    assert_eq!(
        error.to_string(),
        "the rewrite does not apply to the op: the operand is not constant"
    );
}
