//! `--chlo-legalize-to-stablehlo`: every op of CHLO as ops of StableHLO.
//!
//! CHLO has the ops that frameworks emit and the specification lacks: operands
//! that broadcast as NumPy's do, special functions, inverse trigonometry,
//! `top_k`, scans. A backend that implements only the specification needs them
//! decomposed. The decompositions use the approximations of the reference
//! implementation, so that results can be compared, and its order of ops, so
//! that its tests hold; `docs/upstream_tests.md` lists the more exact ones.
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
//! Ops are rewritten where they stand, in order; nothing is folded or merged.
//!
//! Functions of floats narrower than f32 are computed in f32. Complex functions
//! are computed in real arithmetic on the parts. With `keep=erf,acos` the named
//! functions of real numbers stay, and so does `top_k`, for a backend that has
//! code of its own for them.

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
use halo_ir::{apply_patterns_once, prelude::*};
use std::collections::HashSet;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Ops that stay, without `chlo.`, separated by commas
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

/// Ops that are taken apart in every case, beside those that broadcast.
fn patterns() -> Vec<Pattern<'static>> {
    vec![
        Pattern::named(chlo::AsinAcosKernelOp::NAME, inverse_complex::kernel_op),
        Pattern::named(chlo::ConjOp::NAME, constants::conj),
        Pattern::new::<chlo::ConstantOp>(constants::constant),
        Pattern::new::<chlo::ConstantLikeOp>(constants::constant_like),
        Pattern::named(chlo::MulhiOp::NAME, mulhi::decompose),
        Pattern::new::<chlo::RaggedDotOp>(ragged_dot::decompose),
        Pattern::new::<chlo::ScanOp>(scan::decompose),
        Pattern::named(chlo::AcosOp::NAME, |b, op| {
            complex(b, op, inverse_complex::acos)
        }),
        Pattern::named(chlo::AcoshOp::NAME, |b, op| {
            complex(b, op, inverse_complex::acosh)
        }),
        Pattern::named(chlo::AsinOp::NAME, |b, op| {
            complex(b, op, inverse_complex::asin)
        }),
        Pattern::named(chlo::AsinhOp::NAME, |b, op| {
            complex(b, op, inverse_complex::asinh)
        }),
        Pattern::named(chlo::AtanOp::NAME, |b, op| {
            complex(b, op, inverse_complex::atan)
        }),
        Pattern::named(chlo::AtanhOp::NAME, |b, op| {
            complex(b, op, inverse_complex::atanh)
        }),
        Pattern::named(chlo::CoshOp::NAME, |b, op| {
            complex(b, op, hyperbolic::complex_cosh)
        }),
        Pattern::named(chlo::SinhOp::NAME, |b, op| {
            complex(b, op, hyperbolic::complex_sinh)
        }),
        Pattern::named(chlo::SquareOp::NAME, |b, op| {
            whole(b, op, functions::complex_square)
        }),
        Pattern::named(chlo::TanOp::NAME, |b, op| whole(b, op, |z| z.tan())),
    ]
}

/// Functions of real numbers and searches, which a backend may keep.
fn keepable() -> Vec<Pattern<'static>> {
    vec![
        Pattern::named(chlo::AcosOp::NAME, |b, op| unary(b, op, inverse::acos)),
        Pattern::named(chlo::AcoshOp::NAME, |b, op| unary(b, op, inverse::acosh)),
        Pattern::named(chlo::AsinOp::NAME, |b, op| unary(b, op, inverse::asin)),
        Pattern::named(chlo::AsinhOp::NAME, |b, op| unary(b, op, inverse::asinh)),
        Pattern::named(chlo::AtanOp::NAME, |b, op| unary(b, op, inverse::atan)),
        Pattern::named(chlo::AtanhOp::NAME, |b, op| unary(b, op, inverse::atanh)),
        Pattern::named(chlo::BesselI1eOp::NAME, |b, op| unary(b, op, bessel::i1e)),
        Pattern::named(chlo::CoshOp::NAME, |b, op| unary(b, op, hyperbolic::cosh)),
        Pattern::named(chlo::DigammaOp::NAME, |b, op| unary(b, op, gamma::digamma)),
        Pattern::named(chlo::ErfOp::NAME, |b, op| unary(b, op, error_function::erf)),
        Pattern::named(chlo::ErfInvOp::NAME, |b, op| {
            unary(b, op, error_function::erf_inv)
        }),
        Pattern::named(chlo::ErfcOp::NAME, erfc),
        Pattern::named(chlo::IsInfOp::NAME, predicates::is_inf),
        Pattern::named(chlo::IsNegInfOp::NAME, predicates::is_neg_inf),
        Pattern::named(chlo::IsPosInfOp::NAME, predicates::is_pos_inf),
        Pattern::named(chlo::LgammaOp::NAME, |b, op| unary(b, op, gamma::lgamma)),
        Pattern::named(chlo::NextAfterOp::NAME, next_after::decompose),
        Pattern::named(chlo::PolygammaOp::NAME, |b, op| {
            binary(b, op, zeta::polygamma)
        }),
        Pattern::named(chlo::SinhOp::NAME, |b, op| unary(b, op, hyperbolic::sinh)),
        Pattern::named(chlo::SquareOp::NAME, constants::square),
        Pattern::named(chlo::TanOp::NAME, |b, op| unary(b, op, |x| x.tan())),
        Pattern::new::<chlo::TopKOp>(top_k::decompose),
        Pattern::named(chlo::ZetaOp::NAME, |b, op| binary(b, op, zeta::zeta)),
    ]
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

/// Rewrites each op where it stands, one after the other: nothing is folded,
/// merged or moved, so that what became of an op can be read off. A pattern may
/// leave ops of CHLO to others; none leaves one of its own.
fn legalize(operation: Operation, patterns: &[Pattern]) -> Result<(), PassFailure> {
    let names: HashSet<&str> = patterns.iter().map(Pattern::root).collect();
    let mut before = Vec::new();
    loop {
        let ops = collect_operations(operation, |op| names.contains(name_of(op)));
        let mut left: Vec<&str> = ops.into_iter().map(name_of).collect();
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

/// The only result type of an op.
fn result_type<'c>(op: Operation<'c>) -> RewriteResult<Type<'c>> {
    result_types_of(op)
        .first()
        .copied()
        .ok_or_else(|| no_match("it has no result"))
}

/// The only operand of an op.
fn operand<'c>(op: Operation<'c>) -> RewriteResult<Value<'c>> {
    operands_of(op)
        .first()
        .copied()
        .ok_or_else(|| no_match("it has no operand"))
}

/// Replaces a function of a real number by a formula in f32 or f64.
fn unary<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    function: for<'f> fn(Expression<'f, 'c>) -> Expression<'f, 'c>,
) -> RewriteResult {
    let operand = operand(op)?;
    let result = result_type(op)?;
    if is_complex_tensor(operand) && op.isa::<chlo::BesselI1eOp>() {
        return Err(RewriteError::Invalid(format!(
            "'{}' of complex numbers has no decomposition",
            name_of(op)
        )));
    }
    if !is_real(operand) {
        return Err(no_match("the elements are not real"));
    }
    let formula = Formula::new(b, operand);
    let value = function(formula.value(operand).widened()).convert(element_type(result));
    Ok(b.replace(op, &[formula.finish(value, result)?])?)
}

/// `erfc` needs fewer digits where the result is narrower than f32.
fn erfc<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let is_narrow = bits_of(element_type(result_type(op)?)).is_some_and(|bits| bits < 32);
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
    let [left, right] = operands_of(op)[..] else {
        return Err(no_match("it has another number of operands"));
    };
    let result = result_type(op)?;
    let formula = Formula::new(b, left);
    let value = function(
        formula.value(left).widened(),
        formula.value(right).widened(),
    )
    .convert(element_type(result));
    Ok(b.replace(op, &[formula.finish(value, result)?])?)
}

/// Replaces a function of a complex number by formulas for its parts.
fn complex<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    function: functions::ComplexFunction<'c>,
) -> RewriteResult {
    functions::rewrite(b, op, function)
}

/// Replaces a function of a complex number by a formula on the number as it is.
fn whole<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    function: for<'f> fn(Expression<'f, 'c>) -> Expression<'f, 'c>,
) -> RewriteResult {
    let operand = operand(op)?;
    if !is_complex_tensor(operand) {
        return Err(no_match("it is not on complex numbers"));
    }
    let formula = Formula::new(b, operand);
    let value = function(formula.value(operand));
    Ok(b.replace(op, &[formula.finish(value, result_type(op)?)?])?)
}
