//! The largest sizes of buffers whose dimensions have bounds.

use crate::loops::prelude::*;
use halo_ir::{ops::halo::PlanSizesOp, prelude::*};
use std::collections::HashMap;

/// An inclusive range.
type Range = (i64, i64);

/// The ranges of the sizes of an entry that the checks of its plan limit, and of the sizes that are
/// computed from these.
#[derive(Default)]
pub struct Limits {
    known: HashMap<usize, Option<Range>>,
}

impl Limits {
    /// The limits in a function.
    pub fn of(function: Operation) -> Self {
        let mut limits = Self::default();
        let plan = function.collect_nested(|op| op.isa::<PlanSizesOp>());
        let Some(plan) = plan.first().and_then(|op| op.cast::<PlanSizesOp>()) else {
            return limits;
        };
        let checks = plan.checks().into_iter();
        let checks: Vec<_> =
            checks.filter_map(|check| check.defined_by::<arith::CmpIOp>()).collect();
        let is_argument = |value: Value| value.as_block_argument().is_some();
        for check in checks.iter().filter(|check| is_argument(check.lhs())) {
            let most = constant_index(check.rhs());
            let most = match check.predicate() {
                CmpIPredicate::Eq | CmpIPredicate::Sle | CmpIPredicate::Ule => most,
                CmpIPredicate::Slt | CmpIPredicate::Ult => {
                    most.and_then(|most| most.checked_sub(1))
                }
                _ => None,
            };
            if let Some(most) = most {
                limits.limit(check.lhs(), most);
            }
        }
        // Sizes that must be equal have one limit.
        let is_equal = |check: &&arith::CmpIOp| check.predicate() == CmpIPredicate::Eq;
        let equal = checks.iter().filter(is_equal).map(|check| [check.lhs(), check.rhs()]);
        let equal: Vec<_> =
            equal.filter(|pair| pair.iter().all(|size| is_argument(*size))).collect();
        for [lhs, rhs] in equal.iter().chain(equal.iter().rev()) {
            for (size, other) in [(*lhs, *rhs), (*rhs, *lhs)] {
                if let Some((_, most)) = limits.known.get(&other.key()).copied().flatten() {
                    limits.limit(size, most);
                }
            }
        }
        limits
    }

    fn limit(&mut self, size: Value, most: i64) {
        let known = self.known.entry(size.key()).or_default();
        *known = Some((0, known.map_or(most, |(_, other)| most.min(other)).max(0)));
    }

    /// The bytes of a buffer of the largest possible dynamic sizes.
    pub fn bytes(&mut self, allocation: Operation) -> Option<u64> {
        let ty = allocation.results().first()?.ty();
        let sizes = allocation.operands();
        if !ty.has_identity_layout() || sizes.is_empty() {
            return None;
        }
        let fixed = ty.shape()?.into_iter().flatten();
        let mut bytes = ty.element_type().byte_width()?;
        for size in fixed {
            bytes = bytes.checked_mul(u64::try_from(size).ok()?)?;
        }
        for size in sizes {
            let (_, most) = self.range(size)?;
            bytes = bytes.checked_mul(u64::try_from(most).unwrap_or(0))?;
        }
        i64::try_from(bytes).is_ok().then_some(bytes)
    }

    /// The range of a size.
    fn range(&mut self, size: Value) -> Option<Range> {
        if let Some(constant) = constant_index(size) {
            return Some((constant, constant));
        }
        if let Some(range) = self.known.get(&size.key()) {
            return *range;
        }
        let range = size.defining_op().and_then(|op| self.range_of_result(op));
        self.known.insert(size.key(), range);
        range
    }

    fn range_of_result(&mut self, op: Operation) -> Option<Range> {
        let operands = op.operands();
        if op.isa::<arith::SelectOp>() {
            let (one, other) = (self.range(operands[1])?, self.range(operands[2])?);
            return Some((one.0.min(other.0), one.1.max(other.1)));
        }
        let [lhs, rhs] = operands[..] else {
            return None;
        };
        let (lhs, rhs) = (self.range(lhs)?, self.range(rhs)?);
        let corners = |compute: fn(i64, i64) -> Option<i64>| {
            let ends = [
                (lhs.0, rhs.0),
                (lhs.0, rhs.1),
                (lhs.1, rhs.0),
                (lhs.1, rhs.1),
            ];
            let ends = ends.into_iter().map(|(lhs, rhs)| compute(lhs, rhs));
            let ends: Vec<i64> = ends.collect::<Option<_>>()?;
            Some((*ends.iter().min()?, *ends.iter().max()?))
        };
        let is_natural = lhs.0 >= 0 && rhs.0 > 0;
        match op.name() {
            arith::AddIOp::NAME => corners(i64::checked_add),
            arith::SubIOp::NAME => corners(i64::checked_sub),
            arith::MulIOp::NAME => corners(i64::checked_mul),
            arith::MaxSIOp::NAME => Some((lhs.0.max(rhs.0), lhs.1.max(rhs.1))),
            arith::MinSIOp::NAME => Some((lhs.0.min(rhs.0), lhs.1.min(rhs.1))),
            arith::DivSIOp::NAME if rhs.0 > 0 => corners(i64::checked_div),
            arith::DivUIOp::NAME if is_natural => corners(i64::checked_div),
            arith::FloorDivSIOp::NAME if rhs.0 > 0 => corners(i64::checked_div_euclid),
            arith::CeilDivSIOp::NAME if rhs.0 > 0 => {
                let (low, high) = corners(i64::checked_div_euclid)?;
                Some((low, high.checked_add(1)?))
            }
            arith::RemSIOp::NAME | arith::RemUIOp::NAME if is_natural => Some((0, rhs.1 - 1)),
            _ => None,
        }
    }
}
