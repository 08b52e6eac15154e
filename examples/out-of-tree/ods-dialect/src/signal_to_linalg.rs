//! `--signal-legalize-to-linalg`: Halo's lowering to linalg, with that of the dialect
//! `signal`.
//!
//! ```mlir
//! %0 = signal.gain %x by 2.0 : tensor<4xf32>
//! ```
//!
//! becomes a `linalg.generic`, as `signal.mix` and `signal.fir` do. A filter becomes the
//! tensor of its coefficients, and a cascade a loop.

use crate::signal::{Boundary, CascadeOp, FilterType, FirOp, GainOp, MixOp, TapsOp};
use halo::{
    codegen::conversion::{
        scalar::storage::stored_type,
        stablehlo_legalize_to_linalg::{self, Options, PRIORITY, conversion},
    },
    ir::conversion::{Lowered, OpConversion},
    prelude::*,
};

pub static PASS: PassDeclaration = PassDeclaration::new(
    "signal-legalize-to-linalg",
    "Lower StableHLO and the dialect signal to linalg",
    |pass| {
        conversion(&Options::default())
            .illegal_dialect("signal")
            .types(|context, ty| match FilterType::cast(ty) {
                Some(filter) => tensor_type(&[filter.length()], Type::float32(context)),
                None => stored_type(context, ty),
            })
            .lowering::<GainOp>(PRIORITY, |op, gain| {
                elementwise(&op, |b, x| {
                    let factor = arith::constant(b, x[0].ty(), gain.factor());
                    arith::mulf(b, x[0], factor)
                })
            })
            .lowering::<MixOp>(PRIORITY, |op, mix| {
                let count = mix.inputs().len();
                elementwise(&op, |b, x| {
                    x[1..count].iter().fold(x[0], |sum, one| arith::addf(b, sum, *one))
                })
            })
            .lowering::<TapsOp>(PRIORITY, |op, _| Ok(vec![op.operand(0)?]))
            .lowering::<FirOp>(PRIORITY, |op, fir| filtered(&op, fir.boundary()))
            .lowering::<CascadeOp>(PRIORITY, repeated)
            .apply_partial(pass)
    },
)
.on::<builtin::ModuleOp>()
.dependent_dialects(stablehlo_legalize_to_linalg::PASS.dependent_dialects);

/// A loop over all samples of the operands.
fn elementwise<'c>(
    op: &OpConversion<'_, 'c>,
    body: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> Value<'c>,
) -> Lowered<'c> {
    let map = structured::projection(&op.builder, 1, &[0]);
    let inputs = op.operands.iter().map(|operand| (*operand, map)).collect();
    Ok(vec![structured::gather_elements(
        &op.builder,
        inputs,
        op.result()?,
        body,
    )])
}

/// The sum of the coefficients times the samples before each sample.
fn filtered<'c>(op: &OpConversion<'_, 'c>, boundary: Boundary) -> Lowered<'c> {
    let (input, taps) = (op.operand(0)?, op.operand(1)?);
    let (samples, count) = (input.ty().sizes()[0], taps.ty().sizes()[0]);
    let result = structured::gather_elements(&op.builder, vec![], op.result()?, |b, _| {
        let position = linalg::index(b, 0);
        let none = arith::constant(b, input.ty().element_type(), 0.0);
        let mut sum = none;
        for k in 0..count {
            let at = index::sub(b, position, k);
            let sample = match boundary {
                // There are as many samples as coefficients.
                Boundary::Wrap => {
                    let at = index::rem(b, index::add(b, at, samples), samples);
                    tensor::extract(b, input, &[at])
                }
                Boundary::Clamp | Boundary::Zero => {
                    let first = index::max(b, at, 0);
                    let sample = tensor::extract(b, input, &[first]);
                    let is_before = index::compare(b, CmpIPredicate::Slt, at, 0);
                    match boundary {
                        Boundary::Zero => arith::select(b, is_before, none, sample),
                        _ => sample,
                    }
                }
            };
            let tap = tensor::extract(b, taps, &[index::constant(b, k)]);
            sum = arith::addf(b, sum, arith::mulf(b, tap, sample));
        }
        sum
    });
    Ok(vec![result])
}

/// A loop that carries the samples.
fn repeated<'c>(op: OpConversion<'_, 'c>, cascade: CascadeOp<'c>) -> Lowered<'c> {
    let (b, input, body) = (op.builder, op.operand(0)?, op.body(0)?);
    let stages = scf::for_(&b, (0, cascade.stages(), 1), &[input], |b, _, carried| {
        op.map(&body.arguments(), carried)?;
        op.convert_block(b, body)
    })?;
    Ok(stages.results())
}
