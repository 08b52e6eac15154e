//! The table of semantics: for each op the function that infers its results, and the function that
//! checks its other constraints.

use super::{
    checks, chlo as chlo_rules, custom_call, halo as halo_rules, op::Op, prelude::*, sharding,
};
use halo_ir::{
    ops::{self, check, halo, interpreter, sdy},
    prelude::*,
};
use halo_stablehlo::semantics;

type Infer = for<'c> fn(Op<'c>) -> Inference<'c>;
type Check = fn(Op) -> VerifyResult;

/// The static semantics of one op.
struct Rule {
    /// The name of the op.
    name: &'static str,
    /// `None` if the result types cannot be inferred.
    infer: Option<Infer>,
    check: Option<Check>,
}

/// An op whose results only need the inferred types.
const fn infers<'c, O: ops::Op<'c>>(infer: Infer) -> Rule {
    Rule {
        name: O::NAME,
        infer: Some(infer),
        check: None,
    }
}

/// An op without type inference.
const fn checks<'c, O: ops::Op<'c>>(check: Check) -> Rule {
    Rule {
        name: O::NAME,
        infer: None,
        check: Some(check),
    }
}

/// The rules of the ops that `halo_stablehlo::semantics` does not have, in alphabetical order of their
/// names. An op that is in neither has no constraints beyond ODS.
static RULES: &[Rule] = &[
    checks::<check::ExpectCloseOp>(checks::expect_close),
    infers::<chlo::AsinAcosKernelOp>(chlo_rules::same_type),
    infers::<chlo::AcosOp>(chlo_rules::same_type),
    infers::<chlo::AcoshOp>(chlo_rules::same_type),
    infers::<chlo::AsinOp>(chlo_rules::same_type),
    infers::<chlo::AsinhOp>(chlo_rules::same_type),
    infers::<chlo::AtanOp>(chlo_rules::same_type),
    infers::<chlo::AtanhOp>(chlo_rules::same_type),
    infers::<chlo::BesselI1eOp>(chlo_rules::same_type),
    infers::<chlo::BroadcastAddOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastAndOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastAtan2Op>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastCompareOp>(chlo_rules::broadcast::compare),
    infers::<chlo::BroadcastComplexOp>(chlo_rules::broadcast::complex),
    infers::<chlo::BroadcastDivOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastMaxOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastMinOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastMulOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastNextAfterOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastOrOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastPolygammaOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastPowOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastRemOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastSelectOp>(chlo_rules::broadcast::select),
    infers::<chlo::BroadcastShiftLeftOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastShiftRightArithmeticOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastShiftRightLogicalOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastSubOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastXorOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastZetaOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::ConjOp>(chlo_rules::same_type),
    infers::<chlo::ConstantOp>(chlo_rules::constant),
    infers::<chlo::ConstantLikeOp>(chlo_rules::constant_like),
    infers::<chlo::CoshOp>(chlo_rules::same_type),
    infers::<chlo::DigammaOp>(chlo_rules::same_type),
    infers::<chlo::ErfOp>(chlo_rules::same_type),
    infers::<chlo::ErfInvOp>(chlo_rules::same_type),
    infers::<chlo::ErfcOp>(chlo_rules::same_type),
    infers::<chlo::IsInfOp>(chlo_rules::predicate),
    infers::<chlo::IsNegInfOp>(chlo_rules::predicate),
    infers::<chlo::IsPosInfOp>(chlo_rules::predicate),
    infers::<chlo::LgammaOp>(chlo_rules::same_type),
    infers::<chlo::MulhiOp>(chlo_rules::same_type),
    infers::<chlo::NextAfterOp>(chlo_rules::same_type),
    infers::<chlo::PolygammaOp>(chlo_rules::same_type),
    infers::<chlo::RaggedDotOp>(chlo_rules::ragged_dot::ragged_dot),
    infers::<chlo::ScanOp>(chlo_rules::scan::scan),
    infers::<chlo::SinhOp>(chlo_rules::same_type),
    infers::<chlo::SquareOp>(chlo_rules::same_type),
    infers::<chlo::TanOp>(chlo_rules::same_type),
    infers::<chlo::TopKOp>(chlo_rules::top_k),
    infers::<chlo::ZetaOp>(chlo_rules::same_type),
    checks::<halo::CollectiveEndOp>(halo_rules::collective_step),
    checks::<halo::CollectiveMemberOp>(halo_rules::collective_step),
    checks::<halo::CollectiveStartOp>(halo_rules::collective_start),
    checks::<halo::CollectiveWaitOp>(halo_rules::collective_step),
    checks::<halo::CustomCallOp>(halo_rules::custom_call),
    checks::<halo::GemmOp>(halo_rules::gemm),
    checks::<halo::RecvOp>(halo_rules::transfer),
    checks::<halo::RunParallelOp>(halo_rules::run_parallel),
    checks::<halo::SendOp>(halo_rules::transfer),
    checks::<interpreter::RunParallelOp>(checks::run_parallel),
    checks::<sdy::MeshOp>(sharding::mesh),
    checks::<sdy::ShardingGroupOp>(sharding::sharding_group),
    checks::<stablehlo::CompositeOp>(custom_call::composite),
    checks::<stablehlo::CustomCallOp>(custom_call::custom_call),
];

/// The rule of an op, by its name.
pub fn rule_of<'c>(name: &str) -> Option<semantics::Rule<Op<'c>>> {
    if let Some(family) = name.strip_prefix("stablehlo.")
        && let Some(rule) = semantics::rule_of(family)
    {
        return Some(rule);
    }
    let index = RULES.binary_search_by_key(&name, |rule| rule.name).ok()?;
    let rule = RULES.get(index)?;
    Some(semantics::Rule {
        name: rule.name,
        infer: rule.infer.map(|infer| infer as semantics::Infer<Op<'c>>),
        check: rule.check.map(|check| check as semantics::Check<Op<'c>>),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_in_alphabetical_order() {
        assert!(RULES.is_sorted_by(|left, right| left.name < right.name));
    }
}
