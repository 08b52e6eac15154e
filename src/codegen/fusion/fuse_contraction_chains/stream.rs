//! Streaming of the columns between two products, block by block.
//!
//! The last product of a chain sums over the columns of the intermediate matrix. If all ops between
//! the products can be computed for a block of columns at a time, a tile needs memory for one block
//! only. A softmax between them refers to the maximum of a row, which is known after the last
//! block: with the maximum `m` of the columns so far, the sums of `exp(s - m)` and of
//! `exp(s - m) * v` are multiplied by `exp(m_before - m)` as `m` grows (Milakov and Gimelshein,
//! "Online normalizer calculation for softmax", 2018), and the division by the sum follows the
//! product (Dao et al., "FlashAttention", 2022).
//!
//! A row of which all columns so far are -inf has no finite maximum; zero takes its place.

use super::{
    chain::{Chain, Kind, Member},
    layout::Dim,
};
use crate::loops::fill;
use halo_ir::{ops::math, prelude::*};
use std::collections::HashMap;

/// When an op of a streamed chain is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Before the first block.
    Before,
    /// For each block.
    Block,
    /// For each block, into the maximum of the blocks so far.
    Maximum,
    /// For each block, added to the sum of the blocks so far; `rescaled` if the maximum scales it.
    Sum { rescaled: bool },
    /// After the last block, on the result of the last product instead of its operand.
    Scale {
        scale: Scale,
        /// The operands with the weights and with the factors of rows.
        weights: usize,
        total: usize,
    },
    /// After the last block.
    After,
}

/// An op that multiplies the weights of a row by one factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    Multiply,
    Divide,
}

/// The dependence of a value on the products and on the maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Independent of the first product.
    Outside,
    /// Computed from the first product, independent of the maximum.
    Scores,
    /// The maximum of a row, or its conversion.
    Maximum,
    /// Proportional to the exponential of the negated maximum.
    Weights,
    /// Computed from the sums of rows.
    Total,
    /// Weights that a factor scales after the last block.
    Scaled,
    /// Computed from the last product.
    Result,
}

/// The streaming of a chain.
pub(super) struct Stream {
    /// The axis of the columns.
    pub axis: usize,
    steps: HashMap<usize, Step>,
}

impl Stream {
    /// The streaming of a chain's columns; `None` if an op needs all columns.
    pub fn of(chain: &Chain) -> Option<Self> {
        let [axis] = chain.axes.leaves(chain.columns?)[..] else {
            return None;
        };
        let mut analysis = Analysis {
            chain,
            axis,
            states: HashMap::new(),
            steps: HashMap::new(),
        };
        for member in &chain.members {
            let (step, state) = analysis.classify(member)?;
            analysis.steps.insert(member.op.key(), step);
            for result in member.op.results() {
                analysis.states.insert(result.key(), state);
            }
        }
        Some(Self {
            axis,
            steps: analysis.steps,
        })
    }

    /// When an op is computed.
    pub fn step(&self, op: Operation) -> Step {
        self.steps.get(&op.key()).copied().unwrap_or(Step::Before)
    }

    /// Whether the result of the last product is scaled.
    pub fn scales(&self) -> bool {
        self.steps.values().any(|step| matches!(step, Step::Scale { .. }))
    }
}

struct Analysis<'a, 'c> {
    chain: &'a Chain<'c>,
    axis: usize,
    states: HashMap<usize, State>,
    steps: HashMap<usize, Step>,
}

impl<'c> Analysis<'_, 'c> {
    fn has_columns(&self, dims: &[Dim]) -> bool {
        self.chain.has_axis(dims, self.axis)
    }

    fn state(&self, value: Value<'c>) -> State {
        self.states.get(&value.key()).copied().unwrap_or(State::Outside)
    }

    fn has_maximum(&self) -> bool {
        self.steps.values().any(|step| *step == Step::Maximum)
    }

    fn classify(&self, member: &Member<'c>) -> Option<(Step, State)> {
        let op = member.op;
        let has_columns = member.results.iter().any(|dims| self.has_columns(dims));
        let independent = if has_columns {
            Step::Block
        } else {
            Step::Before
        };
        let operands = op.operands();
        let count = operands.len().checked_sub(op.results().len())?;
        let inputs: Vec<State> = match member.kind {
            Kind::Fill => Vec::new(),
            Kind::Reshape => operands.first().map(|value| self.state(*value)).into_iter().collect(),
            Kind::Contraction | Kind::Elements => {
                operands[..count].iter().map(|value| self.state(*value)).collect()
            }
        };
        let has = |state: State| inputs.contains(&state);
        if has(State::Result) {
            let others = [State::Result, State::Outside];
            return inputs
                .iter()
                .all(|input| others.contains(input))
                .then_some((Step::After, State::Result));
        }
        match member.kind {
            Kind::Fill => Some((independent, State::Outside)),
            Kind::Contraction => self.product(member, &inputs, independent),
            Kind::Reshape => {
                let state = *inputs.first()?;
                Some((self.elementwise_step(state, has_columns)?, state))
            }
            Kind::Elements if member.reduces() => {
                let sums_columns = !has_columns
                    && member.operands[..count].iter().any(|dims| self.has_columns(dims));
                if sums_columns {
                    self.reduction(member, &inputs)
                } else {
                    let is_outside = inputs.iter().all(|input| *input == State::Outside);
                    is_outside.then_some((independent, State::Outside))
                }
            }
            Kind::Elements => {
                if inputs.iter().all(|input| *input == State::Outside) {
                    return Some((independent, State::Outside));
                }
                self.elementwise(member, &inputs, has_columns)
            }
        }
    }

    /// The step of an op that preserves the state of its input.
    fn elementwise_step(&self, state: State, has_columns: bool) -> Option<Step> {
        match state {
            State::Scores | State::Weights | State::Scaled => has_columns.then_some(Step::Block),
            State::Maximum => (!has_columns).then_some(Step::Block),
            State::Total => (!has_columns).then_some(Step::After),
            State::Outside if has_columns => Some(Step::Block),
            State::Outside => Some(Step::Before),
            State::Result => Some(Step::After),
        }
    }

    fn product(
        &self,
        member: &Member<'c>,
        inputs: &[State],
        independent: Step,
    ) -> Option<(Step, State)> {
        let is_outside = |state: &State| *state == State::Outside;
        if self.chain.last_product() != Some(member.op) {
            let has_columns = independent == Step::Block;
            let sums_columns = member.operands[..2].iter().any(|dims| self.has_columns(dims));
            return (inputs.iter().all(is_outside) && (has_columns || !sums_columns)).then_some((
                independent,
                if has_columns {
                    State::Scores
                } else {
                    State::Outside
                },
            ));
        }
        (starts_from_zero(member.op) && independent == Step::Before).then_some(())?;
        let mut weights = inputs.iter().filter(|state| !is_outside(state));
        let state = weights.next()?;
        let rescaled = match state {
            State::Scores => false,
            State::Weights | State::Scaled => self.has_maximum(),
            _ => return None,
        };
        let is_wide = !rescaled || self.has_wide_results(member);
        (weights.next().is_none() && is_wide).then_some((Step::Sum { rescaled }, State::Result))
    }

    /// Whether the result has the type in which factors are computed.
    fn has_wide_results(&self, member: &Member<'c>) -> bool {
        let element = member.op.results()[0].ty().element_type();
        matches!(element.float_kind(), Some(FloatKind::F32 | FloatKind::F64))
            && self
                .chain
                .last_product()
                .is_some_and(|product| product.results()[0].ty().element_type() == element)
    }

    fn reduction(&self, member: &Member<'c>, inputs: &[State]) -> Option<(Step, State)> {
        let body = member.op.body(0)?;
        if member.op.results().len() != 1 {
            return None;
        }
        let output = *body.arguments().last()?;
        let combine = yielded(body)?.first()?.defining_op()?;
        let operands = combine.operands();
        let added = match operands[..] {
            [one, other] if one == output => other,
            [one, other] if other == output => one,
            _ => return None,
        };
        if depends_on(added, output) {
            return None;
        }
        match combine.name() {
            arith::MaximumFOp::NAME | arith::MaxNumFOp::NAME => {
                let is_first = !self.has_maximum();
                let are_scores =
                    inputs.iter().all(|state| matches!(state, State::Scores | State::Outside));
                let element = output.ty();
                let is_float = element.bit_width() <= Some(64) && element.is_float();
                (is_first && are_scores && is_float).then_some((Step::Maximum, State::Maximum))
            }
            arith::AddFOp::NAME => {
                starts_from_zero(member.op).then_some(())?;
                let is_linear = self.is_linear(member, inputs, added);
                if is_linear && self.has_wide_results(member) {
                    return Some((Step::Sum { rescaled: true }, State::Total));
                }
                let are_scores =
                    inputs.iter().all(|state| matches!(state, State::Scores | State::Outside));
                are_scores.then_some((Step::Sum { rescaled: false }, State::Total))
            }
            _ => None,
        }
    }

    fn elementwise(
        &self,
        member: &Member<'c>,
        inputs: &[State],
        has_columns: bool,
    ) -> Option<(Step, State)> {
        let body = member.op.body(0)?;
        let [yielded] = yielded(body)?[..] else {
            return None;
        };
        let all = |states: &[State]| inputs.iter().all(|input| states.contains(input));
        if all(&[State::Outside, State::Scores]) {
            return has_columns.then_some((Step::Block, State::Scores));
        }
        if all(&[State::Outside, State::Maximum]) && !has_columns {
            return preserves_finite(yielded).then_some((Step::Block, State::Maximum));
        }
        if all(&[State::Outside, State::Total]) && !has_columns {
            return Some((Step::After, State::Total));
        }
        if !has_columns {
            return None;
        }
        let arguments = body.arguments();
        let arguments_of = |state: State| -> Vec<Value<'c>> {
            let pairs = arguments.iter().zip(inputs);
            pairs
                .filter(|(_, input)| **input == state)
                .map(|(argument, _)| *argument)
                .collect()
        };
        if all(&[State::Outside, State::Scores, State::Maximum]) {
            let maxima = arguments_of(State::Maximum);
            let [maximum] = maxima[..] else { return None };
            return is_exponential(yielded, maximum).then_some((Step::Block, State::Weights));
        }
        if all(&[State::Weights, State::Total]) {
            let (weights, totals) = (arguments_of(State::Weights), arguments_of(State::Total));
            let ([weight], [total]) = (&weights[..], &totals[..]) else {
                return None;
            };
            let scaling = without_conversions(yielded).defining_op()?;
            let of = |value: Value<'c>| without_conversions(value);
            let operands: Vec<Value> = scaling.operands().into_iter().map(of).collect();
            let scale = match scaling.name() {
                arith::DivFOp::NAME if operands == [*weight, *total] => Scale::Divide,
                arith::MulFOp::NAME
                    if operands == [*weight, *total] || operands == [*total, *weight] =>
                {
                    Scale::Multiply
                }
                _ => return None,
            };
            let position = |state: State| inputs.iter().position(|input| *input == state);
            let (weights, total) = (position(State::Weights)?, position(State::Total)?);
            let step = Step::Scale {
                scale,
                weights,
                total,
            };
            return Some((step, State::Scaled));
        }
        for state in [State::Weights, State::Scaled] {
            if all(&[State::Outside, State::Scores, state]) {
                return self.is_linear(member, inputs, yielded).then_some((Step::Block, state));
            }
        }
        None
    }

    /// Whether a value of the body is a linear function of the weights, which are one argument.
    fn is_linear(&self, member: &Member<'c>, inputs: &[State], value: Value<'c>) -> bool {
        let Some(body) = member.op.body(0) else {
            return false;
        };
        let arguments = body.arguments();
        let is_weight = |state: &State| matches!(state, State::Weights | State::Scaled);
        let mut weights = arguments.iter().zip(inputs).filter(|(_, state)| is_weight(state));
        let (Some((weight, _)), None) = (weights.next(), weights.next()) else {
            return false;
        };
        let are_known = inputs
            .iter()
            .all(|state| is_weight(state) || matches!(state, State::Outside | State::Scores));
        are_known && is_linear_in(value, *weight)
    }
}

/// The values that a body yields.
fn yielded(body: Block<'_>) -> Option<Vec<Value<'_>>> {
    body.terminator().map(|yields| yields.operands())
}

/// The value of a float constant.
fn number(value: Value) -> Option<f64> {
    value.defined_by::<arith::ConstantOp>()?.value().float_value()
}

/// Whether the initial value of an op's only result is zero.
fn starts_from_zero(op: Operation) -> bool {
    let initial = op.operands().last().and_then(|initial| initial.defining_op());
    initial.and_then(fill::filled_with).is_some_and(fill::is_zero)
}

/// A value before float conversions.
fn without_conversions(value: Value<'_>) -> Value<'_> {
    let conversion = value
        .defining_op()
        .filter(|op| matches!(op.name(), arith::ExtFOp::NAME | arith::TruncFOp::NAME));
    let source = conversion.and_then(|op| op.operands().first().copied());
    source.map_or(value, without_conversions)
}

/// Whether a value is computed from another one.
fn depends_on<'c>(value: Value<'c>, other: Value<'c>) -> bool {
    value == other
        || value
            .defining_op()
            .is_some_and(|op| op.operands().into_iter().any(|operand| depends_on(operand, other)))
}

/// Whether a value is proportional to another one, up to rounding.
fn is_linear_in<'c>(value: Value<'c>, weight: Value<'c>) -> bool {
    if value == weight {
        return true;
    }
    let Some(op) = value.defining_op() else {
        return false;
    };
    let operands = op.operands();
    let (is_linear, is_free) = (
        |value: Value<'c>| is_linear_in(value, weight),
        |value: Value<'c>| !depends_on(value, weight),
    );
    match (op.name(), &operands[..]) {
        (arith::ExtFOp::NAME | arith::TruncFOp::NAME | arith::NegFOp::NAME, [x]) => is_linear(*x),
        (arith::MulFOp::NAME, [x, y]) => {
            is_linear(*x) && is_free(*y) || is_free(*x) && is_linear(*y)
        }
        (arith::DivFOp::NAME, [x, y]) => is_linear(*x) && is_free(*y),
        (arith::SelectOp::NAME, [condition, x, y]) => {
            let is_zero = |value: Value<'c>| fill::is_zero(value);
            is_free(*condition) && (is_linear(*x) || is_zero(*x)) && (is_linear(*y) || is_zero(*y))
        }
        _ => false,
    }
}

/// Whether a value is a linear function of `exp(x - maximum)`, where nothing else depends on the
/// maximum.
fn is_exponential<'c>(value: Value<'c>, maximum: Value<'c>) -> bool {
    let mut exponentials = Vec::new();
    find_exponentials(value, &mut exponentials);
    let [exponential] = exponentials[..] else {
        return false;
    };
    let difference = exponential.operands().first().copied().map(without_conversions);
    let Some(difference) = difference.and_then(Value::defining_op) else {
        return false;
    };
    let [score, subtracted] = difference.operands()[..] else {
        return false;
    };
    difference.isa::<arith::SubFOp>()
        && without_conversions(subtracted) == maximum
        && !depends_on(score, maximum)
        && is_linear_in(value, exponential.results()[0])
}

/// The distinct exponentials from which a value is computed.
fn find_exponentials<'c>(value: Value<'c>, found: &mut Vec<Operation<'c>>) {
    let Some(op) = value.defining_op() else {
        return;
    };
    if op.isa::<math::ExpOp>() {
        if !found.contains(&op) {
            found.push(op);
        }
        return;
    }
    for operand in op.operands() {
        find_exponentials(operand, found);
    }
}

/// Whether a value is a conversion of an argument where the argument is finite.
fn preserves_finite(value: Value) -> bool {
    let value = without_conversions(value);
    let Some(op) = value.defining_op() else {
        return true;
    };
    match (op.name(), &op.operands()[..]) {
        // `where(isfinite(m), m, 0)`.
        (arith::SelectOp::NAME, [condition, kept, other]) => {
            let is_finite = condition.defining_op().is_some_and(|test| tests_finite(test, *kept));
            is_finite && preserves_finite(*kept) && number(*other).is_some()
        }
        _ => false,
    }
}

/// Whether an op compares the magnitude of a value with infinity.
fn tests_finite<'c>(test: Operation<'c>, value: Value<'c>) -> bool {
    let [one, other] = test.operands()[..] else {
        return false;
    };
    let is_magnitude = |operand: Value<'c>| {
        operand
            .defining_op()
            .is_some_and(|op| op.isa::<math::AbsFOp>() && op.operands().first() == Some(&value))
    };
    test.isa::<arith::CmpFOp>()
        && is_magnitude(one)
        && number(other) == Some(f64::INFINITY)
        && test
            .cast::<arith::CmpFOp>()
            .is_some_and(|test| matches!(test.predicate(), CmpFPredicate::One | CmpFPredicate::Olt))
}
