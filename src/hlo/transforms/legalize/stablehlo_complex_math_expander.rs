//! `--stablehlo-complex-math-expander`: expands functions of complex numbers to real arithmetic.
//!
//! Naive formulas for complex functions overflow, underflow or cancel in large parts of the plane,
//! and backends that lower them differently return different digits. This pass expands them to real
//! arithmetic on the parts, with a formula for each region. Matrix products become real ones for
//! speed.
//!
//! ```mlir
//! %0 = stablehlo.exponential %z : tensor<4xcomplex<f32>>
//! ```
//!
//! becomes, without the handling of overflow,
//!
//! ```mlir
//! %x = stablehlo.real %z : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
//! %y = stablehlo.imag %z : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
//! %e = stablehlo.exponential %x : tensor<4xf32>
//! %c = stablehlo.cosine %y : tensor<4xf32>
//! %s = stablehlo.sine %y : tensor<4xf32>
//! %re = stablehlo.multiply %e, %c : tensor<4xf32>
//! %im = stablehlo.multiply %e, %s : tensor<4xf32>
//! %0 = stablehlo.complex %re, %im : tensor<4xcomplex<f32>>
//! ```

mod composed;
pub mod double_word;
pub mod functions;
mod products;

use functions::Parts;
use halo_ir::{apply_greedily, prelude::*};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "stablehlo-complex-math-expander",
    "Decompose functions of complex numbers into real arithmetic",
    |pass| apply_greedily(pass, &patterns()),
)
.dependent_dialects(&["stablehlo"]);

fn patterns() -> Vec<Pattern<'static>> {
    vec![
        in_double::<stablehlo::AbsOp>(composed::abs),
        in_double::<stablehlo::Atan2Op>(composed::atan2),
        in_double::<stablehlo::CbrtOp>(composed::cbrt),
        of_parts::<stablehlo::CosineOp>(functions::cos),
        in_double::<stablehlo::DivOp>(composed::divide),
        Pattern::new::<stablehlo::DotGeneralOp>(products::rewrite),
        of_parts::<stablehlo::ExpOp>(functions::exp),
        of_parts::<stablehlo::Expm1Op>(functions::expm1),
        of_parts::<stablehlo::LogOp>(functions::log),
        of_parts::<stablehlo::Log1pOp>(functions::log1p),
        in_double::<stablehlo::LogisticOp>(composed::logistic),
        in_double::<stablehlo::PowOp>(composed::power),
        in_double::<stablehlo::RsqrtOp>(composed::rsqrt),
        of_parts::<stablehlo::SignOp>(functions::sign),
        of_parts::<stablehlo::SineOp>(functions::sin),
        of_parts::<stablehlo::SqrtOp>(functions::sqrt),
        of_parts::<stablehlo::TanOp>(functions::tan),
        of_parts::<stablehlo::TanhOp>(functions::tanh),
    ]
}

/// A pattern that replaces an op by formulas for the parts of its result.
fn of_parts<O: Op<'static>>(
    function: for<'f, 'c> fn(Parts<'f, 'c>) -> Parts<'f, 'c>,
) -> Pattern<'static> {
    Pattern::named(O::NAME, move |b, op| functions::rewrite(b, op, function))
}

/// A pattern that replaces an op by formulas computed in f64.
fn in_double<O: Op<'static>>(
    function: for<'f, 'c> fn(&[Parts<'f, 'c>]) -> Parts<'f, 'c>,
) -> Pattern<'static> {
    Pattern::named(O::NAME, move |b, op| composed::rewrite(b, op, function))
}
