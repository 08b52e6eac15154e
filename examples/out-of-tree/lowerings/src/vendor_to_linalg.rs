//! `--vendor-legalize-to-linalg`: Halo's lowering to linalg, with that of the dialect
//! `vendor`, and an approximation of `stablehlo.tanh` in place of Halo's.
//!
//! ```mlir
//! %0 = vendor.saturating_add %x, %y : tensor<4xi32>
//! %1 = stablehlo.tanh %z : tensor<4xf32>
//! ```
//!
//! become a `linalg.generic` each: one adds in 64 bits and clamps, one computes
//! z * (27 + z * z) / (27 + 9 * z * z).

use crate::vendor_dialect::SaturatingAddOp;
use halo::{
    codegen::conversion::{
        stablehlo_legalize_to_linalg::{self, Options, PRIORITY, conversion},
        structured::{gather_elements, projection, type_dims},
    },
    ir::{
        Builder, FloatKind, RewriteError, Value,
        conversion::{Lowered, OpConversion},
        element_type, float_kind, integer_type, no_match,
        ops::{arith, builtin, stablehlo},
        pass::PassDeclaration,
    },
    prelude::*,
};

pub static PASS: PassDeclaration = PassDeclaration::new(
    "vendor-legalize-to-linalg",
    "Lower StableHLO and the dialect vendor to linalg",
    |pass| {
        conversion(&Options::default())
            .illegal_dialect("vendor")
            .lowering::<SaturatingAddOp>(PRIORITY, |op, _| elementwise(&op, saturating_sum))
            .lowering::<stablehlo::TanhOp>(PRIORITY + 1, |op, _| {
                match float_kind(element_type(op.result()?)) {
                    Some(FloatKind::F32) => elementwise(&op, fast_tanh),
                    _ => Err(no_match("only f32 is approximated")),
                }
            })
            .apply_partial(pass)
    },
)
.on::<builtin::ModuleOp>()
.dependent_dialects(stablehlo_legalize_to_linalg::PASS.dependent_dialects);

type Element<'c> = Result<Value<'c>, RewriteError>;

/// A loop over all elements of the operands.
fn elementwise<'c>(
    op: &OpConversion<'_, 'c>,
    body: fn(&Builder<'c>, &[Value<'c>]) -> Element<'c>,
) -> Lowered<'c> {
    let result = op.result()?;
    let rank = type_dims(result)?.len();
    let dims: Vec<usize> = (0..rank).collect();
    let map = projection(&op.builder, rank, &dims);
    let inputs = op.operands.iter().map(|operand| (*operand, map)).collect();
    Ok(vec![gather_elements(&op.builder, inputs, result, body)?])
}

fn saturating_sum<'c>(b: &Builder<'c>, elements: &[Value<'c>]) -> Element<'c> {
    let (narrow, wide) = (integer_type(b.context(), 32), integer_type(b.context(), 64));
    let x = arith::extsi(b, elements[0], wide)?;
    let y = arith::extsi(b, elements[1], wide)?;
    let sum = arith::addi(b, x, y)?;
    let (least, greatest) = (
        arith::constant(b, wide, i32::MIN)?,
        arith::constant(b, wide, i32::MAX)?,
    );
    let sum = arith::maxsi(b, arith::minsi(b, sum, greatest)?, least)?;
    Ok(arith::trunci(b, sum, narrow)?)
}

fn fast_tanh<'c>(b: &Builder<'c>, elements: &[Value<'c>]) -> Element<'c> {
    let x = elements[0];
    let number = |value: f64| arith::constant(b, element_type(x.r#type()), value);
    let square = arith::mulf(b, x, x)?;
    let numerator = arith::mulf(b, x, arith::addf(b, number(27.0)?, square)?)?;
    let denominator = arith::addf(b, number(27.0)?, arith::mulf(b, number(9.0)?, square)?)?;
    Ok(arith::divf(b, numerator, denominator)?)
}
