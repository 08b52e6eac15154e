//! `--chlo-legalize-to-stablehlo`: decomposes CHLO ops to StableHLO.
//!
//! CHLO has ops that frameworks emit and the specification lacks: ops with NumPy broadcasting,
//! special functions, inverse trigonometric functions, `top_k`, scans. The decompositions use the
//! approximations of the reference implementation, so that results can be compared, and its order
//! of ops, so that its tests hold; `docs/upstream_tests.md` lists the more accurate ones.
//!
//! ```mlir
//! %0 = chlo.broadcast_add %a, %b : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
//! %1 = chlo.asin %0 : tensor<4x3xf32> -> tensor<4x3xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %b1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
//! %0 = stablehlo.add %a, %b1 : tensor<4x3xf32>
//! %one = stablehlo.constant dense<1.0> : tensor<4x3xf32>
//! %2 = stablehlo.subtract %one, %0 : tensor<4x3xf32>
//! %3 = stablehlo.add %one, %0 : tensor<4x3xf32>
//! %4 = stablehlo.multiply %2, %3 : tensor<4x3xf32>
//! %5 = stablehlo.sqrt %4 : tensor<4x3xf32>
//! %6 = stablehlo.add %one, %5 : tensor<4x3xf32>
//! %7 = stablehlo.atan2 %0, %6 : tensor<4x3xf32>
//! %1 = stablehlo.add %7, %7 : tensor<4x3xf32>
//! ```
//!
//! Ops are rewritten in place and in order; nothing is folded or merged.
//!
//! Functions of floats narrower than f32 are computed in f32. Complex functions are computed in
//! real arithmetic on the parts. `keep=erf,acos` keeps the named functions of real numbers, or
//! `top_k`, for a backend that implements them.

mod bessel;
mod broadcasts;
mod constants;
mod error_function;
mod gamma;
mod hyperbolic;
mod inverse;
mod inverse_complex;
mod mulhi;
mod next_after;
mod predicates;
mod ragged_dot;
mod scan;
mod top_k;
mod zeta;

use super::{
    formula::{Expression, Formula, is_complex_tensor, is_real},
    stablehlo_complex_math_expander::functions,
};
use crate::matchers::{operands, result_type};
use halo_ir::{apply_patterns_once, prelude::*};
use std::collections::HashSet;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Ops to keep, without `chlo.`, separated by commas
        keep: Vec<String> = "",
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "chlo-legalize-to-stablehlo",
    "Decompose all ops of CHLO into ops of StableHLO",
    run,
)
.dependent_dialects(&["stablehlo"])
.options::<Options>();

/// Ops that are always decomposed, except for broadcasting ops.
fn patterns() -> Vec<Pattern<'static>> {
    vec![
        Pattern::named(chlo::AsinAcosKernelOp::NAME, inverse_complex::kernel_op),
        Pattern::named(chlo::ConjOp::NAME, constants::conj),
        Pattern::new::<chlo::ConstantOp>(constants::constant),
        Pattern::new::<chlo::ConstantLikeOp>(constants::constant_like),
        Pattern::named(chlo::MulhiOp::NAME, mulhi::decompose),
        Pattern::new::<chlo::RaggedDotOp>(ragged_dot::decompose),
        Pattern::new::<chlo::ScanOp>(scan::decompose),
        complex::<chlo::AcosOp>(inverse_complex::acos),
        complex::<chlo::AcoshOp>(inverse_complex::acosh),
        complex::<chlo::AsinOp>(inverse_complex::asin),
        complex::<chlo::AsinhOp>(inverse_complex::asinh),
        complex::<chlo::AtanOp>(inverse_complex::atan),
        complex::<chlo::AtanhOp>(inverse_complex::atanh),
        complex::<chlo::CoshOp>(hyperbolic::complex_cosh),
        complex::<chlo::SinhOp>(hyperbolic::complex_sinh),
        whole::<chlo::SquareOp>(functions::complex_square),
        whole::<chlo::TanOp>(|z| z.tan()),
    ]
}

/// Functions of real numbers and searches, which a backend may keep.
fn keepable() -> Vec<Pattern<'static>> {
    vec![
        real::<chlo::AcosOp>(inverse::acos),
        real::<chlo::AcoshOp>(inverse::acosh),
        real::<chlo::AsinOp>(inverse::asin),
        real::<chlo::AsinhOp>(inverse::asinh),
        real::<chlo::AtanOp>(inverse::atan),
        real::<chlo::AtanhOp>(inverse::atanh),
        real::<chlo::BesselI1eOp>(bessel::i1e),
        real::<chlo::CoshOp>(hyperbolic::cosh),
        real::<chlo::DigammaOp>(gamma::digamma),
        real::<chlo::ErfOp>(error_function::erf),
        real::<chlo::ErfInvOp>(error_function::erf_inv),
        Pattern::named(chlo::ErfcOp::NAME, erfc),
        Pattern::named(chlo::IsInfOp::NAME, predicates::is_inf),
        Pattern::named(chlo::IsNegInfOp::NAME, predicates::is_neg_inf),
        Pattern::named(chlo::IsPosInfOp::NAME, predicates::is_pos_inf),
        real::<chlo::LgammaOp>(gamma::lgamma),
        Pattern::named(chlo::NextAfterOp::NAME, next_after::decompose),
        real_of_two::<chlo::PolygammaOp>(zeta::polygamma),
        real::<chlo::SinhOp>(hyperbolic::sinh),
        Pattern::named(chlo::SquareOp::NAME, constants::square),
        real::<chlo::TanOp>(|x| x.tan()),
        Pattern::new::<chlo::TopKOp>(top_k::decompose),
        real_of_two::<chlo::ZetaOp>(zeta::zeta),
    ]
}

/// A function of real numbers.
type Function = for<'f, 'c> fn(Expression<'f, 'c>) -> Expression<'f, 'c>;

/// A pattern that replaces an op by the formula of a function of a real number.
fn real<O: Op<'static>>(function: Function) -> Pattern<'static> {
    Pattern::named(O::NAME, move |b, op| unary(b, op, function))
}

/// The same for two numbers.
fn real_of_two<O: Op<'static>>(
    function: for<'f, 'c> fn(Expression<'f, 'c>, Expression<'f, 'c>) -> Expression<'f, 'c>,
) -> Pattern<'static> {
    Pattern::named(O::NAME, move |b, op| binary(b, op, function))
}

/// The same for a complex number, with formulas for its parts.
fn complex<O: Op<'static>>(
    function: for<'f, 'c> fn(functions::Parts<'f, 'c>) -> functions::Parts<'f, 'c>,
) -> Pattern<'static> {
    Pattern::named(O::NAME, move |b, op| functions::rewrite(b, op, function))
}

/// The same for a complex number as one value.
fn whole<O: Op<'static>>(function: Function) -> Pattern<'static> {
    Pattern::named(O::NAME, move |b, op| replace_whole(b, op, function))
}

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let kept = pass.options::<Options>().keep;
    let keepable = keepable();
    let names = |name: &str| keepable.iter().any(|pattern| short(pattern.root()) == name);
    if let Some(unknown) = kept.iter().find(|name| !names(name)) {
        return Err(PassFailure::at(
            pass.operation(),
            format!("'{unknown}' is not one of the ops of CHLO that can be kept"),
        ));
    }
    let patterns: Vec<Pattern> = keepable
        .into_iter()
        .filter(|pattern| !kept.iter().any(|name| name == short(pattern.root())))
        .chain(patterns())
        .chain(broadcasts::patterns())
        .collect();
    legalize(pass.operation(), &patterns)
}

/// Rewrites each op in place, one after the other: nothing is folded, merged or moved, so that each
/// decomposition is recognizable. A pattern may create CHLO ops that other patterns rewrite, but
/// not ops that it matches itself.
fn legalize(operation: Operation, patterns: &[Pattern]) -> Result<(), PassFailure> {
    let names: HashSet<&str> = patterns.iter().map(Pattern::root).collect();
    let mut before = Vec::new();
    loop {
        let ops = operation.collect_nested(|op| names.contains(op.name()));
        let mut left: Vec<&str> = ops.into_iter().map(Operation::name).collect();
        left.sort_unstable();
        if left == before {
            return Ok(());
        }
        apply_patterns_once(operation, patterns)?;
        before = left;
    }
}

/// The name of an op without its dialect.
fn short(name: &str) -> &str {
    name.trim_start_matches("chlo.")
}

/// Replaces a function of a real number by a formula in f32 or f64.
fn unary<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    function: for<'f> fn(Expression<'f, 'c>) -> Expression<'f, 'c>,
) -> RewriteResult {
    let ([operand], result) = (operands(op)?, result_type(op)?);
    if is_complex_tensor(operand) && op.isa::<chlo::BesselI1eOp>() {
        return Err(RewriteError::Invalid(format!(
            "'{}' of complex numbers has no decomposition",
            op.name()
        )));
    }
    if !is_real(operand) {
        return Err(no_match("the elements are not real"));
    }
    let formula = Formula::new(b, operand);
    let value = function(formula.value(operand).widened()).convert(result.element_type());
    b.replace(op, &[formula.finish(value, result)?]);
    Ok(())
}

/// `erfc` needs less accuracy if the result is narrower than f32.
fn erfc<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let is_narrow = result_type(op)?.element_type().bit_width().is_some_and(|bits| bits < 32);
    if is_narrow {
        unary(b, op, error_function::erfc_of_narrow)
    } else {
        unary(b, op, error_function::erfc)
    }
}

/// Replaces a function of two real numbers by a formula in f32 or f64.
fn binary<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    function: for<'f> fn(Expression<'f, 'c>, Expression<'f, 'c>) -> Expression<'f, 'c>,
) -> RewriteResult {
    let [left, right] = operands(op)?;
    let result = result_type(op)?;
    let formula = Formula::new(b, left);
    let value = function(
        formula.value(left).widened(),
        formula.value(right).widened(),
    )
    .convert(result.element_type());
    b.replace(op, &[formula.finish(value, result)?]);
    Ok(())
}

/// Replaces a function of a complex number by a formula on the complex value.
fn replace_whole<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    function: for<'f> fn(Expression<'f, 'c>) -> Expression<'f, 'c>,
) -> RewriteResult {
    let [operand] = operands(op)?;
    if !is_complex_tensor(operand) {
        return Err(no_match("it is not on complex numbers"));
    }
    let formula = Formula::new(b, operand);
    let value = function(formula.value(operand));
    b.replace(op, &[formula.finish(value, result_type(op)?)?]);
    Ok(())
}
