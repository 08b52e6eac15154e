use halo::{
    compiler,
    ir::{
        Splice, Template, apply_greedily, apply_in_place, apply_patterns_once,
        apply_without_folding, diagnostics::parse_module, pass::register_pass, pipeline, template,
    },
    prelude::*,
};

const PROGRAM: &[u8] = b"
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<3xf32>
  %sum = stablehlo.add %x, %zero : tensor<3xf32>
  %doubled = stablehlo.add %sum, %sum : tensor<3xf32>
  return %doubled : tensor<3xf32>
}";

/// `x + 0` becomes `x`. The reason for no match is only rendered on demand.
fn without_zero<'c>(b: &Builder<'c>, add: stablehlo::AddOp<'c>) -> RewriteResult {
    let rhs = add.rhs().defined_by::<stablehlo::ConstantOp>();
    let rhs = rhs.ok_or_else(|| no_match("the right operand is not constant"))?;
    if rhs.value().splat_number() != Some(0.0) {
        return Err(no_match("the right operand is not zero"));
    }
    b.replace(add.operation(), &[add.lhs()]);
    Ok(())
}

static PRODUCT: Template = Template::new(
    "%product = stablehlo.multiply $x, $two : tensor<3xf32>",
    file!(),
    line!(),
);

/// `x + x` becomes `2 x`, as a fixed group of ops.
fn doubled<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let add = op.cast::<stablehlo::AddOp>().ok_or(RewriteError::NoMatch)?;
    let x = add.lhs();
    if add.rhs() != x {
        return Err(no_match("the operands differ"));
    }
    let ty = x.ty();
    let two = template!(b, "%two = stablehlo.constant dense<2.0> : $ty")[0];
    // A text that is not a literal has its variables by name.
    let splices: [(&str, Splice); 2] = [("x", x.into()), ("two", two.into())];
    let product = PRODUCT.build(b, &splices);
    b.replace(op, &product);
    Ok(())
}

fn patterns() -> [Pattern<'static>; 2] {
    let first = Pattern::new::<stablehlo::AddOp>(without_zero).benefit(2);
    let second = Pattern::named("stablehlo.add", doubled);
    assert_eq!(first.root(), second.root());
    [first, second]
}

/// Folds, too, and removes unused ops, until no pattern matches.
static GREEDILY: PassDeclaration = PassDeclaration::new("example-greedily", "Rewrite", |pass| {
    apply_greedily(pass, &patterns())
});
/// Applies the patterns only, without folding.
static UNFOLDED: PassDeclaration = PassDeclaration::new("example-unfolded", "Rewrite", |pass| {
    apply_without_folding(pass, &patterns())
});
/// The same, but constants stay at the positions that the patterns choose.
static IN_PLACE: PassDeclaration = PassDeclaration::new("example-in-place", "Rewrite", |pass| {
    apply_in_place(pass, &patterns())
});
/// Visits each op that exists at the beginning, once.
static ONCE: PassDeclaration = PassDeclaration::new("example-once", "Rewrite", |pass| {
    apply_patterns_once(pass.operation(), &patterns())
});

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    for pass in [&GREEDILY, &UNFOLDED, &IN_PLACE, &ONCE] {
        register_pass(pass)?;
        let context = compiler::context();
        let mut module = parse_module(&context, PROGRAM, "a.mlir").ok_or("no program")?;
        pipeline![pass].run(&mut module)?;
        let text = module.as_operation().to_string();
        assert!(
            text.contains("stablehlo.multiply") && !text.contains("stablehlo.add"),
            "{text}"
        );
    }
    assert!(no_match("why").is_no_match());
    assert!(!RewriteError::Invalid("wrong".to_owned()).is_no_match());
    Ok(())
}
