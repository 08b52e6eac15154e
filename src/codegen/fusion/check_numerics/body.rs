//! Faults in scalar code: the body of a structured op, or the scalars of a block.

use super::{
    Kinds,
    search::{Property, has, is_supported, mark, or},
};
use halo_ir::{ops::math, prelude::*};
use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
};

/// Ops on floats of which NaN and infinities are only those of the operands.
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

/// Scalar code, and the values in it that are tested.
pub(super) struct Body<'c> {
    kinds: Kinds,
    block: Block<'c>,
    /// Values that depend on the outputs of a reduction.
    accumulated: HashSet<usize>,
    /// Arguments that may be faults themselves, since they were not tested where they were made.
    untested: HashSet<usize>,
    /// Whether a value has a property because an operand has it; `None` if never.
    excuses: RefCell<HashMap<(usize, Property), Option<Value<'c>>>>,
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
        let mut fault = None;
        for value in self.tested() {
            for property in self.kinds.properties() {
                fault = Some(or(b, fault, self.new_property(b, value, property)));
            }
        }
        fault
    }

    /// Whether a value has a property that no operand has.
    fn new_property(&self, b: &Builder<'c>, value: Value<'c>, property: Property) -> Value<'c> {
        let parts = match property {
            // NaN of no NaN, or an infinity of finite operands.
            Property::NotFinite => {
                let nan = self.new_property(b, value, Property::Nan);
                let infinite = self.new_property(b, value, Property::Infinite);
                return arith::ori(b, nan, infinite);
            }
            Property::Infinite => (Property::Infinite, Property::NotFinite),
            other => (other, other),
        };
        let found = has(b, value, parts.0);
        match self.excuse(b, value, parts.1) {
            None => found,
            Some(excuse) => {
                let yes = arith::constant(b, integer_type(b.context(), 1), 1);
                let is_new = arith::xori(b, excuse, yes);
                arith::andi(b, found, is_new)
            }
        }
    }

    /// The values that are tested: those that may be faults, where the next op may lose them.
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

    /// Whether an operand of the code of a value has a property; `None` if none ever has.
    fn excuse(&self, b: &Builder<'c>, value: Value<'c>, property: Property) -> Option<Value<'c>> {
        let key = (value.key(), property);
        if let Some(known) = self.excuses.borrow().get(&key) {
            return *known;
        }
        let excuse = self.find_excuse(b, value, property);
        self.excuses.borrow_mut().insert(key, excuse);
        excuse
    }

    fn find_excuse(
        &self,
        b: &Builder<'c>,
        value: Value<'c>,
        property: Property,
    ) -> Option<Value<'c>> {
        if self.untested.contains(&value.key()) || !is_supported(value.ty()) {
            return None;
        }
        let own = value.defining_op().filter(|op| op.block() == Some(self.block));
        let Some(op) = own.filter(|op| is_scalar_code(*op)) else {
            return constant_excuse(value, property).then(|| has(b, value, property));
        };
        match op.name() {
            arith::ConstantOp::NAME => constant_excuse(value, property).then(|| has(b, value, property)),
            // The bits of an integer are as an input.
            arith::BitcastOp::NAME => Some(has(b, value, property)),
            arith::SelectOp::NAME => {
                let operands = op.operands();
                let excuses = [operands[1], operands[2]].map(|from| self.excuse(b, from, property));
                if excuses == [None, None] {
                    return None;
                }
                let no = arith::constant(b, integer_type(b.context(), 1), 0);
                let [yes, otherwise] = excuses.map(|excuse| excuse.unwrap_or(no));
                Some(arith::select(b, operands[0], yes, otherwise))
            }
            _ => {
                let mut excuse = None;
                for operand in op.operands() {
                    if let Some(of_operand) = self.excuse(b, operand, property) {
                        excuse = Some(or(b, excuse, of_operand));
                    }
                }
                excuse
            }
        }
    }
}

/// Returns false for a constant without a property.
fn constant_excuse(value: Value, property: Property) -> bool {
    let constant = value.defined_by::<arith::ConstantOp>();
    let Some(number) = constant.and_then(|op| op.value().float_value()) else {
        return true;
    };
    match property {
        Property::Nan => number.is_nan(),
        Property::Infinite => number.is_infinite(),
        Property::NotFinite => !number.is_finite(),
        Property::Subnormal => number != 0.0 && number.abs() < 1e-4,
    }
}
