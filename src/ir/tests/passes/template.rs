//! Ops from MLIR's syntax.

use super::{context, pass};
use halo_core::panics;
use halo_ir::{
    diagnostics::{parse_module, with_diagnostics},
    pass::run_pipeline,
    prelude::*,
    template,
};

const PROGRAM: &str = r#"
func.func @f(%r: i32, %s: i32, %x: i64) -> i64 {
  %a = arith.muli %r, %s : i32
  %b = arith.muli %s, %a : i32
  %c = arith.muli %x, %x : i64
  return %c : i64
}
"#;

/// Each product becomes the first of two results, with a region among the ops.
static BUILDS: PassDeclaration = pass("test-template", &["scf"], |pass| {
    let products = |op: Operation| op.name() == arith::MulIOp::NAME;
    for product in pass.operation().collect_nested(products) {
        let [r, s] = product.operands()[..] else {
            panic!("two operands");
        };
        let ty = r.ty();
        let two = integer_attribute(ty, 2);
        let values = with_builder(product, |b| {
            let values = template!(
                b,
                "
                %even = arith.constant $two
                %p = arith.constant true
                %next = scf.if %p -> ($ty) {
                  %sum = arith.addi $r, %even : $ty
                  scf.yield %sum : $ty
                } else {
                  scf.yield $r : $ty
                }
                %all:2 = arith.mulsi_extended %next, $s : $ty"
            );
            b.replace(product, &values[..1]);
            values
        });
        assert_eq!(values.len(), 2);
        let made = values[0].defining_op().unwrap();
        assert_eq!(made.name(), "arith.mulsi_extended");
        assert_eq!(made.operands()[1], s);
        assert!(made.location().to_string().contains("p.mlir"));
        let next = made.operands()[0].defining_op().unwrap();
        assert_eq!(next.name(), "scf.if");
    }
    Ok(())
});

/// Errors have the file and the line of the text.
static FAILS: PassDeclaration = pass("test-template-fails", &[], |pass| {
    let product = pass.operation().collect_nested(|op| op.name() == "arith.muli")[0];
    let x = product.operands()[0];
    with_builder(product, |b| {
        let first = line!() + 1;
        let sum = || {
            template!(
                b,
                "
            %c = arith.constant 1 : i32
            %d = arith.addi $x, %c : i64"
            )
        };
        let message = panics::catch(sum).unwrap_err().message().to_owned();
        let (file, line) = (file!(), first + 5);
        let start = format!("invalid template at {file}:{line}: use of value '%$x' expects ");
        assert!(message.starts_with(&start), "{message}");

        let line = line!() + 1;
        let unknown = panics::catch(|| template!(b, "%d = arith.adi $x, $x : i32")).unwrap_err();
        let start = format!("invalid template at {file}:{line}: ");
        assert!(unknown.message().starts_with(&start), "{unknown}");

        let line = line!() + 1;
        let unfinished = panics::catch(|| template!(b, "%d = scf.if $x {")).unwrap_err();
        let start = format!("invalid template at {file}:{line}: ");
        assert!(unfinished.message().starts_with(&start), "{unfinished}");
    });
    Ok(())
});

pub static PASSES: &[&PassDeclaration] = &[&BUILDS, &FAILS];

fn run(pass: &str) -> String {
    let context = context();
    let mut module = parse_module(&context, PROGRAM.as_bytes(), "p.mlir").unwrap();
    let (result, errors) = with_diagnostics(&context, || run_pipeline(&mut module, pass));
    assert_eq!((result, errors), (Ok(()), vec![]));
    module.as_operation().to_string()
}

#[test]
fn templates_build_ops() {
    let text = run("test-template");
    assert_eq!(text.matches("arith.mulsi_extended").count(), 3);
    assert_eq!(text.matches("arith.constant 2 : i32").count(), 2);
    assert_eq!(text.matches("arith.constant 2 : i64").count(), 1);
    assert_eq!(text.matches("arith.muli").count(), 0);
}

#[test]
fn a_wrong_template_is_told_with_its_line() {
    run("test-template-fails");
}
