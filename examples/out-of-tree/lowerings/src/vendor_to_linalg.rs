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
    codegen::conversion::stablehlo_legalize_to_linalg::{self, Options, PRIORITY, conversion},
    ir::{
        conversion::{Lowered, OpConversion},
        template,
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
                match op.result()?.element_type().float_kind() {
                    Some(FloatKind::F32) => elementwise(&op, fast_tanh),
                    _ => Err(no_match("only f32 is approximated")),
                }
            })
            .apply_partial(pass)
    },
)
.on::<builtin::ModuleOp>()
.dependent_dialects(stablehlo_legalize_to_linalg::PASS.dependent_dialects);

/// A loop over all elements of the operands.
fn elementwise<'c>(
    op: &OpConversion<'_, 'c>,
    body: fn(&Builder<'c>, &[Value<'c>]) -> Value<'c>,
) -> Lowered<'c> {
    let result = op.result()?;
    let rank = result.sizes().len();
    let dims: Vec<usize> = (0..rank).collect();
    let map = structured::projection(&op.builder, rank, &dims);
    let inputs = op.operands.iter().map(|operand| (*operand, map)).collect();
    Ok(vec![structured::gather_elements(
        &op.builder,
        inputs,
        result,
        body,
    )])
}

fn saturating_sum<'c>(b: &Builder<'c>, elements: &[Value<'c>]) -> Value<'c> {
    let (x, y) = (elements[0], elements[1]);
    let sum = template!(
        b,
        "
        %x = arith.extsi $x : i32 to i64
        %y = arith.extsi $y : i32 to i64
        %sum = arith.addi %x, %y : i64
        %least = arith.constant -2147483648 : i64
        %greatest = arith.constant 2147483647 : i64
        %limited = arith.minsi %sum, %greatest : i64
        %saturated = arith.maxsi %limited, %least : i64
        %result = arith.trunci %saturated : i64 to i32"
    );
    sum[0]
}

fn fast_tanh<'c>(b: &Builder<'c>, elements: &[Value<'c>]) -> Value<'c> {
    let x = elements[0];
    let ty = x.ty();
    let quotient = template!(
        b,
        "
        %c9 = arith.constant 9.0 : $ty
        %c27 = arith.constant 27.0 : $ty
        %square = arith.mulf $x, $x : $ty
        %sum = arith.addf %c27, %square : $ty
        %numerator = arith.mulf $x, %sum : $ty
        %product = arith.mulf %c9, %square : $ty
        %denominator = arith.addf %c27, %product : $ty
        %quotient = arith.divf %numerator, %denominator : $ty"
    );
    quotient[0]
}
