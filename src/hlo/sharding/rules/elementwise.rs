//! Ops whose results at a position depend on their operands at the same position.

use super::rule::{Build, Draft, Tensor};
use halo_ir::prelude::*;

pub(super) const RULES: &[(&str, Build)] = &[
    (stablehlo::MapOp::NAME, same_positions),
    (stablehlo::OptimizationBarrierOp::NAME, pass_on),
];

/// All operands with the rank of the results; other operands are scalars.
pub(super) fn same_positions(op: Operation, draft: &mut Draft) -> Option<()> {
    let rank = draft.rank(Tensor::Result(0));
    for dimension in 0..rank {
        let operands = (0..op.operands().len()).map(Tensor::Operand);
        let results = (0..op.results().len()).map(Tensor::Result);
        let all = operands.chain(results);
        let all = all.filter(|one| draft.rank(*one) == rank);
        let all: Vec<_> = all.map(|one| (one, dimension)).collect();
        draft.parallel(&all);
    }
    draft.rule.is_pass_through = true;
    Some(())
}

/// Result i is operand i.
fn pass_on(op: Operation, draft: &mut Draft) -> Option<()> {
    for number in 0..op.results().len() {
        let (operand, result) = (Tensor::Operand(number), Tensor::Result(number));
        for dimension in 0..draft.rank(result) {
            draft.parallel(&[(operand, dimension), (result, dimension)]);
        }
    }
    draft.rule.is_pass_through = true;
    Some(())
}

macro_rules! any_of {
    ($op:ident: $($dialect:ident { $($name:ident)* })*) => {
        $($($op.isa::<halo_ir::ops::$dialect::$name>())||*)||*
    };
}

/// Returns true if an op is elementwise.
pub fn is_elementwise(op: Operation) -> bool {
    any_of! { op:
        stablehlo {
            AbsOp AddOp AndOp Atan2Op CbrtOp CeilOp ClampOp ClzOp CompareOp ComplexOp ConvertOp
            CosineOp DivOp ExpOp Expm1Op FloorOp ImagOp IsFiniteOp Log1pOp LogOp LogisticOp MaxOp
            MinOp MulOp NegOp NotOp OrOp PopulationCountOp PowOp RealOp ReducePrecisionOp RemOp
            RoundNearestEvenOp RoundOp RsqrtOp SelectOp ShiftLeftOp ShiftRightArithmeticOp
            ShiftRightLogicalOp SignOp SineOp SqrtOp SubtractOp TanOp TanhOp XorOp
        }
        chlo {
            AcosOp AcoshOp AsinOp AsinhOp AtanOp AtanhOp CoshOp DigammaOp ErfInvOp ErfOp ErfcOp
            LgammaOp SinhOp
        }
    }
}
