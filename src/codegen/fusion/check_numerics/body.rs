//! Faults in scalar code: the body of a structured op, or the scalars of a block.

use super::{
    Kinds,
    search::{Format, is_supported, mark, not, or},
};
use halo_ir::{ops::math, prelude::*};
use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
};

/// Ops on floats that only hand on NaN and infinities of the operands.
const HANDING_ON: &[&str] = &[
    arith::BitcastOp::NAME,
    arith::ConstantOp::NAME,
    arith::ExtFOp::NAME,
    arith::MaxNumFOp::NAME,
    arith::MaximumFOp::NAME,
    arith::MinNumFOp::NAME,
    arith::MinimumFOp::NAME,
    arith::NegFOp::NAME,
    arith::SIToFPOp::NAME,
    arith::SelectOp::NAME,
    arith::UIToFPOp::NAME,
    math::AbsFOp::NAME,
    math::CeilOp::NAME,
    math::CopySignOp::NAME,
    math::FloorOp::NAME,
    math::RoundEvenOp::NAME,
    math::RoundOp::NAME,
    math::TruncOp::NAME,
];

/// Ops with a result that is NaN or infinite if an operand is.
const KEEPING: &[&str] = &[
    arith::AddFOp::NAME,
    arith::ExtFOp::NAME,
    arith::MulFOp::NAME,
    arith::NegFOp::NAME,
    arith::SelectOp::NAME,
    arith::SubFOp::NAME,
    arith::TruncFOp::NAME,
    math::AbsFOp::NAME,
    math::CeilOp::NAME,
    math::FloorOp::NAME,
    math::FmaOp::NAME,
    math::Log1pOp::NAME,
    math::LogOp::NAME,
    math::RoundEvenOp::NAME,
    math::RoundOp::NAME,
    math::SqrtOp::NAME,
    math::TruncOp::NAME,
];

/// Returns true if the ops that use a value, and the users of their results, keep that it is NaN or
/// infinite, but for the last ones, which are stored or added up.
pub(super) fn is_kept(value: Value) -> bool {
    value.uses().into_iter().all(|(user, operand)| {
        user.isa::<linalg::YieldOp>()
            || !may_lose(user, operand)
                && !user.isa::<arith::SelectOp>()
                && user.results().iter().all(|result| is_kept(*result))
    })
}

/// Scalar code, and the values in it that are tested.
pub(super) struct Body<'c> {
    kinds: Kinds,
    block: Block<'c>,
    /// Values that depend on the outputs of a reduction.
    accumulated: HashSet<usize>,
    /// Arguments that may be faults themselves, since they were not tested where they were made.
    untested: HashSet<usize>,
    /// The properties of the values that the code of a value reads.
    excuses: RefCell<HashMap<usize, Excuse<'c>>>,
}

/// Returns true for an op on scalars that this analysis follows.
fn is_scalar_code(op: Operation) -> bool {
    let name = op.name();
    (name.starts_with("arith.") || name.starts_with("math."))
        && op.region_count() == 0
        && op.result_count() == 1
        && !op.results()[0].ty().is_tensor()
}

/// Returns true if the next op may lose that an operand is NaN or infinite.
fn may_lose(user: Operation, operand: usize) -> bool {
    let keeps = KEEPING.contains(&user.name())
        || user.isa::<arith::DivFOp>() && operand == 0
        || user.isa::<arith::SelectOp>() && operand > 0;
    !keeps
}

impl<'c> Body<'c> {
    /// The code of a block. `outputs` are the values that reductions carry, `untested` the
    /// arguments that may be faults.
    pub fn new(
        kinds: Kinds,
        block: Block<'c>,
        outputs: &[Value<'c>],
        untested: HashSet<usize>,
    ) -> Self {
        let mut accumulated: HashSet<usize> = outputs.iter().map(|output| output.key()).collect();
        for op in block.operations() {
            if op.operands().iter().any(|operand| accumulated.contains(&operand.key())) {
                accumulated.extend(op.results().iter().map(|result| result.key()));
            }
        }
        Self {
            kinds,
            block,
            accumulated,
            untested,
            excuses: RefCell::default(),
        }
    }

    /// Returns true if only the last op of each result, which is stored, is tested.
    pub fn keeps_all(&self) -> bool {
        !self.kinds.subnormal
            && self
                .tested()
                .into_iter()
                .all(|value| value.users().iter().all(|user| user.isa::<linalg::YieldOp>()))
    }

    /// Replaces elements of the results with faults by marks, and returns the number of a result
    /// that has them: the one of the fewest bits. `None` if there are no faults.
    pub fn mark(&self, b: &Builder<'c>) -> Option<usize> {
        let end = self.block.terminator()?;
        let yielded = end.operands();
        let is_marked = |value: &Value<'c>| is_supported(value.ty());
        let marked: Vec<usize> =
            (0..yielded.len()).filter(|number| is_marked(&yielded[*number])).collect();
        let narrowest =
            marked.iter().copied().min_by_key(|number| yielded[*number].ty().bit_width())?;
        b.set_before(end);
        let fault = self.fault(b)?;
        for number in marked {
            let value = yielded[number];
            let mark = mark(b, value.ty());
            end.set_operand(number, arith::select(b, fault, mark, value));
        }
        Some(narrowest)
    }

    /// Replaces terms of a reduction with faults by marks. Returns true if there can be some.
    pub fn mark_terms(&self, b: &Builder<'c>) -> bool {
        let Some(end) = self.block.terminator() else {
            return false;
        };
        let is_accumulated = |op: &Operation<'c>| {
            op.results().iter().any(|result| self.accumulated.contains(&result.key()))
        };
        let combining: Vec<Operation> =
            self.block.operations().into_iter().filter(is_accumulated).collect();
        let mut terms = combining.iter().flat_map(|op| {
            let operands = op.operands().into_iter().enumerate();
            operands.map(move |(number, value)| (*op, number, value))
        });
        let term = terms.find(|(_, _, value)| {
            is_supported(value.ty())
                && !self.accumulated.contains(&value.key())
                && value.parent_block() == Some(self.block)
        });
        let Some((_, _, term)) = term.filter(|_| !self.tested().is_empty()) else {
            return false;
        };
        for op in &combining {
            op.move_before(end);
        }
        b.set_before(combining[0]);
        let Some(fault) = self.fault(b) else {
            return false;
        };
        let mark = mark(b, term.ty());
        let marked = arith::select(b, fault, mark, term);
        for op in combining {
            for (number, operand) in op.operands().into_iter().enumerate() {
                if operand == term {
                    op.set_operand(number, marked);
                }
            }
        }
        true
    }

    /// Whether a value of the code is a fault; `None` if it never is.
    pub fn fault(&self, b: &Builder<'c>) -> Option<Value<'c>> {
        let Kinds {
            nan,
            inf,
            subnormal,
        } = self.kinds;
        let mut fault = None;
        for value in self.tested() {
            let format = Format::of(value.ty());
            let magnitude = format.magnitude(b, value);
            let excuse = self.excuse(b, value, format);
            if nan || inf {
                let found = format.is_new(b, (nan, inf), magnitude, excuse.larger);
                fault = Some(or(b, fault, found));
            }
            if subnormal {
                let mut found = format.is_subnormal(b, magnitude);
                if let Some(excuse) = excuse.subnormal {
                    found = arith::andi(b, found, not(b, excuse));
                }
                fault = Some(or(b, fault, found));
            }
        }
        fault
    }

    /// The values that are tested: possible faults that the next op may lose.
    fn tested(&self) -> Vec<Value<'c>> {
        let mut carrying = self.untested.clone();
        let arguments = self.block.arguments().into_iter();
        let mut tested: Vec<Value> = arguments
            .filter(|argument| self.untested.contains(&argument.key()) && self.is_lost(*argument))
            .collect();
        for op in self.block.operations() {
            let Some(result) = op.results().first().copied().filter(|_| is_scalar_code(op)) else {
                continue;
            };
            if !is_supported(result.ty()) || self.accumulated.contains(&result.key()) {
                continue;
            }
            let makes = !HANDING_ON.contains(&op.name());
            let carries = op.operands().iter().any(|operand| carrying.contains(&operand.key()));
            if makes || carries {
                carrying.insert(result.key());
                if self.kinds.subnormal && makes || self.is_lost(result) {
                    tested.push(result);
                }
            }
        }
        tested
    }

    /// Returns true if a user of a value may lose that it is NaN or infinite. Ops of one location
    /// are parts of one op of the program.
    fn is_lost(&self, value: Value<'c>) -> bool {
        let of_value = value.location();
        value.uses().into_iter().any(|(user, operand)| {
            let follows = user.block() == Some(self.block) && is_scalar_code(user);
            !follows
                || may_lose(user, operand)
                    && (value.defining_op().is_none() || user.location() != of_value)
        })
    }

    /// The properties of the values that the code of a value reads, in the format of the value.
    fn excuse(&self, b: &Builder<'c>, value: Value<'c>, format: Format<'c>) -> Excuse<'c> {
        let known = self.excuses.borrow().get(&value.key()).copied();
        let own = known.unwrap_or_else(|| {
            let excuse = self.find_excuse(b, value);
            self.excuses.borrow_mut().insert(value.key(), excuse);
            excuse
        });
        let from = Format::of(value.ty());
        Excuse {
            larger: own.larger.map(|larger| from.convert(b, larger, format)),
            ..own
        }
    }

    fn find_excuse(&self, b: &Builder<'c>, value: Value<'c>) -> Excuse<'c> {
        if self.untested.contains(&value.key()) || !is_supported(value.ty()) {
            return Excuse::default();
        }
        let format = Format::of(value.ty());
        let own = value.defining_op().filter(|op| op.block() == Some(self.block));
        let Some(op) = own.filter(|op| is_scalar_code(*op) && !op.isa::<arith::ConstantOp>())
        else {
            return self.excuse_of_input(b, value, format);
        };
        match op.name() {
            // The bits of an integer are as an input.
            arith::BitcastOp::NAME => self.excuse_of_input(b, value, format),
            arith::SelectOp::NAME => {
                let operands = op.operands();
                let [yes, no] = [operands[1], operands[2]].map(|from| self.excuse(b, from, format));
                Excuse {
                    larger: choose(b, operands[0], (yes.larger, no.larger)),
                    subnormal: choose(b, operands[0], (yes.subnormal, no.subnormal)),
                }
            }
            _ => {
                let operands = op.operands().into_iter();
                operands.fold(Excuse::default(), |excuse, operand| {
                    let other = self.excuse(b, operand, format);
                    Excuse {
                        larger: join(excuse.larger, other.larger, |one, other| {
                            arith::maxsi(b, one, other)
                        }),
                        subnormal: join(excuse.subnormal, other.subnormal, |one, other| {
                            arith::ori(b, one, other)
                        }),
                    }
                })
            }
        }
    }

    /// The properties of a value from outside of the code.
    fn excuse_of_input(&self, b: &Builder<'c>, value: Value<'c>, format: Format<'c>) -> Excuse<'c> {
        let constant = value.defined_by::<arith::ConstantOp>();
        let number = constant.and_then(|op| op.value().float_value());
        if number.is_some_and(|number| number == 0.0 || number.is_finite() && number.abs() > 1e-4) {
            return Excuse::default();
        }
        let magnitude = format.magnitude(b, value);
        Excuse {
            larger: Some(magnitude),
            subnormal: self.kinds.subnormal.then(|| format.is_subnormal(b, magnitude)),
        }
    }
}

/// The properties that a value has from the values that its code reads; `None` if it has none.
#[derive(Clone, Copy, Default)]
struct Excuse<'c> {
    /// The magnitude of the largest of them: NaN is larger than infinity.
    larger: Option<Value<'c>>,
    /// Whether one is subnormal.
    subnormal: Option<Value<'c>>,
}

/// One of two values, or both.
fn join<'c>(
    one: Option<Value<'c>>,
    other: Option<Value<'c>>,
    both: impl FnOnce(Value<'c>, Value<'c>) -> Value<'c>,
) -> Option<Value<'c>> {
    match (one, other) {
        (Some(one), Some(other)) => Some(both(one, other)),
        (one, other) => one.or(other),
    }
}

/// A value that depends on a condition; an absent one is zero.
fn choose<'c>(
    b: &Builder<'c>,
    condition: Value<'c>,
    (yes, no): (Option<Value<'c>>, Option<Value<'c>>),
) -> Option<Value<'c>> {
    let ty = yes.or(no)?.ty();
    let [yes, no] = [yes, no].map(|value| value.unwrap_or_else(|| arith::constant(b, ty, 0)));
    Some(arith::select(b, condition, yes, no))
}
