use halo::{
    compiler,
    ir::{
        conversion::{Conversion, Legality, Lowered, OpConversion},
        diagnostics::parse_module,
        ops::complex,
        pass::register_pass,
        pipeline,
    },
    melior::ir::Type,
    prelude::*,
};

const PROGRAM: &[u8] = b"
func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %sum = stablehlo.add %x, %x : tensor<f64>
  %mapped = \"stablehlo.map\"(%sum) <{dimensions = array<i64>}> ({
  ^bb0(%element: tensor<f64>):
    %negated = stablehlo.negate %element : tensor<f64>
    stablehlo.return %negated : tensor<f64>
  }) : (tensor<f64>) -> tensor<f64>
  return %mapped : tensor<f64>
}";

/// A lowering gets the original op, its converted operands, and the required types of its results.
fn add<'c>(op: OpConversion<'_, 'c>, old: stablehlo::AddOp<'c>) -> Lowered<'c> {
    assert_ne!(old.result().ty(), op.result()?);
    assert_eq!(op.convert_type(old.result().ty())?, op.result()?);
    assert_eq!(op.lookup(old.lhs())?, op.operand(0)?);
    let sum = stablehlo::subtract(&op.builder, op.operand(0)?, negated(&op)?);
    Ok(vec![sum])
}

fn negated<'c>(op: &OpConversion<'_, 'c>) -> Result<halo::ir::Value<'c>, halo::ir::RewriteError> {
    let old = op.op_as::<stablehlo::AddOp>()?;
    assert!(old.lhs() == old.rhs());
    Ok(stablehlo::negate(&op.builder, op.operand(1)?))
}

/// The lowering of an op with a region converts its contents, here inlined in place of the op.
fn map<'c>(op: OpConversion<'_, 'c>) -> Lowered<'c> {
    let body = op.body(0)?;
    let operand = op.operand(0)?;
    if operand.ty().shape().is_none_or(|shape| !shape.is_empty()) {
        return Err(no_match("the operand is no scalar"));
    }
    op.map(&body.arguments(), &[operand])?;
    let builder = op.builder;
    op.convert_block(&builder, body)
}

/// Converts computations in f64 to f32.
static NARROW: PassDeclaration = PassDeclaration::new("example-narrow", "Compute in f32", |pass| {
    Conversion::new()
        .illegal_dialect("stablehlo")
        .legal::<stablehlo::SubtractOp>()
        .legality("stablehlo.negate", Legality::Legal)
        .types(|context, ty| {
            if ty.is_tensor() && ty.element_type() == Type::float64(context) {
                ty.with_element_type(Type::float32(context))
            } else {
                ty
            }
        })
        .lowering::<stablehlo::AddOp>(1, add)
        .lowering_of("stablehlo.map", 1, map)
        .apply_partial(pass)
});

/// A complex number becomes two values: the lowering gets and returns both.
fn add_parts<'c>(op: OpConversion<'_, 'c>, old: complex::AddOp<'c>) -> Lowered<'c> {
    let (lhs, rhs) = (op.parts(0)?, op.lookup_parts(old.rhs())?);
    assert_eq!(op.convert_types(old.result().ty()).len(), rhs.len());
    let real = arith::addf(&op.builder, lhs[0], rhs[0]);
    Ok(vec![real, arith::addf(&op.builder, lhs[1], rhs[1])])
}

/// Splits complex numbers. Operands and results of ops that are not converted, here of a negation,
/// are assembled from their parts, and split again.
static SPLIT: PassDeclaration = PassDeclaration::new("example-split", "Split numbers", |pass| {
    Conversion::new()
        .legal_dialect("func")
        .legal_dialect("arith")
        .legal_dialect("complex")
        .dynamically_legal::<complex::AddOp>(|add| !add.result().ty().is_complex())
        .one_to_many_types(|context, ty| ty.is_complex().then(|| vec![Type::float32(context); 2]))
        .source_materialization(|b, ty, parts| Ok(complex::create(b, parts[0], parts[1], ty)))
        .target_materialization(|b, number, types| {
            let (real, imaginary) = (complex::re(b, number), complex::im(b, number));
            assert_eq!(types, [real.ty(), imaginary.ty()]);
            Ok(vec![real, imaginary])
        })
        .lowering::<complex::AddOp>(1, add_parts)
        .apply_full(pass)
});

const NUMBERS: &[u8] = b"
func.func @main(%x: complex<f32>) -> complex<f32> {
  %sum = complex.add %x, %x : complex<f32>
  %negated = complex.neg %sum : complex<f32>
  return %negated : complex<f32>
}";

fn split(context: &halo::melior::Context) -> Result<(), Box<dyn std::error::Error>> {
    let mut module = parse_module(context, NUMBERS, "b.mlir").ok_or("no program")?;
    pipeline![&SPLIT].run(&mut module)?;
    let text = module.as_operation().to_string();
    assert!(
        text.contains("@main(%arg0: f32, %arg1: f32) -> (f32, f32)"),
        "{text}"
    );
    assert!(
        text.contains("complex.create") && !text.contains("complex.add"),
        "{text}"
    );
    Ok(())
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    register_pass(&NARROW)?;
    register_pass(&SPLIT)?;
    let context = compiler::context();
    split(&context)?;
    let mut module = parse_module(&context, PROGRAM, "a.mlir").ok_or("no program")?;
    pipeline![&NARROW].run(&mut module)?;
    let text = module.as_operation().to_string();
    assert!(
        !text.contains("f64") && text.contains("stablehlo.subtract"),
        "{text}"
    );
    Ok(())
}
