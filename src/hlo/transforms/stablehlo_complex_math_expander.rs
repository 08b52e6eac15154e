//! `--stablehlo-complex-math-expander`: functions of complex numbers in real
//! arithmetic.
//!
//! Formulas for complex functions that are right on paper overflow, underflow
//! or cancel in large parts of the plane, and a backend that lowers them on its
//! own gets other digits than the next one. Here they become real arithmetic on
//! the parts, with a formula for each region.
//!
//! ```mlir
//! %0 = stablehlo.exponential %z : tensor<4xcomplex<f32>>
//! ```
//!
//! becomes, without the part that prevents overflow,
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

use halo_ir::{apply_greedily, prelude::*};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "stablehlo-complex-math-expander",
    "Decompose functions of complex numbers into real arithmetic",
    run,
)
.dependent_dialects(&["stablehlo"]);

fn patterns() -> Vec<Pattern<'static>> {
    vec![
        Pattern::named(stablehlo::AbsOp::NAME, |b, op| {
            composed::rewrite(b, op, composed::abs)
        }),
        Pattern::named(stablehlo::Atan2Op::NAME, |b, op| {
            composed::rewrite(b, op, composed::atan2)
        }),
        Pattern::named(stablehlo::CbrtOp::NAME, |b, op| {
            composed::rewrite(b, op, composed::cbrt)
        }),
        Pattern::named(stablehlo::CosineOp::NAME, |b, op| {
            functions::rewrite(b, op, functions::cos)
        }),
        Pattern::named(stablehlo::DivOp::NAME, |b, op| {
            composed::rewrite(b, op, composed::divide)
        }),
        Pattern::named(stablehlo::ExpOp::NAME, |b, op| {
            functions::rewrite(b, op, functions::exp)
        }),
        Pattern::named(stablehlo::Expm1Op::NAME, |b, op| {
            functions::rewrite(b, op, functions::expm1)
        }),
        Pattern::named(stablehlo::LogOp::NAME, |b, op| {
            functions::rewrite(b, op, functions::log)
        }),
        Pattern::named(stablehlo::Log1pOp::NAME, |b, op| {
            functions::rewrite(b, op, functions::log1p)
        }),
        Pattern::named(stablehlo::LogisticOp::NAME, |b, op| {
            composed::rewrite(b, op, composed::logistic)
        }),
        Pattern::named(stablehlo::PowOp::NAME, |b, op| {
            composed::rewrite(b, op, composed::power)
        }),
        Pattern::named(stablehlo::RsqrtOp::NAME, |b, op| {
            composed::rewrite(b, op, composed::rsqrt)
        }),
        Pattern::named(stablehlo::SignOp::NAME, |b, op| {
            functions::rewrite(b, op, functions::sign)
        }),
        Pattern::named(stablehlo::SineOp::NAME, |b, op| {
            functions::rewrite(b, op, functions::sin)
        }),
        Pattern::named(stablehlo::SqrtOp::NAME, |b, op| {
            functions::rewrite(b, op, functions::sqrt)
        }),
        Pattern::named(stablehlo::TanOp::NAME, |b, op| {
            functions::rewrite(b, op, functions::tan)
        }),
        Pattern::named(stablehlo::TanhOp::NAME, |b, op| {
            functions::rewrite(b, op, functions::tanh)
        }),
    ]
}

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    apply_greedily(pass, &patterns())
}
