//! `--halo-uplift-while-to-for`: rewrites counting while loops as `scf.for`.
//!
//! HLO has only while loops. Most of them are counted: the condition compares a counter with a
//! bound, and the body adds a constant to it. As `scf.for` they have a known trip count and an
//! induction variable, and on a GPU the host does not wait for a condition.
//!
//! ```mlir
//! %0:2 = scf.while (%i = %c0, %a = %x) : (i32, tensor<8xf32>) -> (i32, tensor<8xf32>) {
//!   %p = arith.cmpi slt, %i, %c10 : i32
//!   scf.condition(%p) %i, %a : i32, tensor<8xf32>
//! } do {
//! ^bb0(%i: i32, %a: tensor<8xf32>):
//!   ...
//!   %next = arith.addi %i, %c1 : i32
//!   scf.yield %next, %b : i32, tensor<8xf32>
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = scf.for %k = %c0 to %c10 step %c1 iter_args(%a = %x) -> tensor<8xf32> {
//!   %i = arith.index_cast %k : index to i32
//!   ...
//!   scf.yield %b : tensor<8xf32>
//! }
//! ```
//!
//! If start, bound and step are constant, loops may count down, by any step, and with any
//! comparison, as long as the counter does not wrap; otherwise a loop must count up by one to a
//! loop-invariant bound. Upstream's `upliftWhileToForLoop` supports only loops that count up, and
//! does not check that the counter does not wrap.

use crate::loops::order::is_defined_inside;
use halo_ir::{ops::arith::SignlessInteger, prelude::*};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-uplift-while-to-for",
    "Convert counting while loops to counted loops",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["arith", "scf"]);

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    pass.for_each(
        |op| op.isa::<scf::WhileOp>(),
        |b, op| match Counting::of(op) {
            Some(counting) => counting.rebuild(b, op),
            None => Ok(()),
        },
    )
}

/// The description of a counting loop.
struct Counting<'c> {
    /// The position of the counter among the carried values.
    counter: usize,
    /// The source of each value that the condition forwards.
    passed: Vec<Source<'c>>,
    range: Range<'c>,
}

/// The values of a counter.
#[derive(Clone, Copy)]
enum Range<'c> {
    /// `start`, `start + step`, ..., with a known trip count.
    Known { start: i64, step: i64, count: i64 },
    /// All integers from a lower bound up to, but excluding, an upper bound.
    Between(Value<'c>, Value<'c>),
}

/// The source of a value that the condition forwards.
#[derive(Clone, Copy)]
enum Source<'c> {
    /// The carried value of this index.
    Carried(usize),
    /// A value that is defined outside the loop.
    Around(Value<'c>),
}

impl<'c> Counting<'c> {
    /// The description of a loop, if it is counted.
    fn of(op: Operation<'c>) -> Option<Self> {
        let (before, after) = (op.body(0)?, op.body(1)?);
        let (condition, end) = (before.terminator()?, after.terminator()?);
        let carried = before.arguments();
        let verdict = *condition.operands().first()?;
        let compare = verdict.defined_by::<arith::CmpIOp>()?;
        if before.operations() != [compare.operation(), condition] {
            return None;
        }
        let passed = condition
            .operands()
            .iter()
            .skip(1)
            .map(|value| match position(&carried, *value) {
                Some(number) => Some(Source::Carried(number)),
                None => (!is_defined_inside(*value, op)).then_some(Source::Around(*value)),
            })
            .collect::<Option<Vec<_>>>()?;

        let (left, right) = (compare.lhs(), compare.rhs());
        let predicate = Predicate::of(compare.predicate())?;
        let mut loops = [(left, right, predicate), (right, left, predicate.swapped())].into_iter();
        loops.find_map(|(value, bound, predicate)| {
            let counter = position(&carried, value)?;
            let step = step_of(end.operands()[counter], after, &passed, counter)?;
            let start = *op.operands().get(counter)?;
            let bound = match position(&carried, bound) {
                // A bound that each iteration forwards unchanged.
                Some(number) => {
                    let next = end.operands()[number];
                    is_carried(next, after, &passed, number).then(|| op.operands()[number])?
                }
                None => (!is_defined_inside(bound, op)).then_some(bound)?,
            };
            let range = Range::of(start, bound, step, predicate)?;
            Some(Self {
                counter,
                passed: passed.clone(),
                range,
            })
        })
    }

    /// Builds the `scf.for` and replaces the while loop.
    fn rebuild(&self, b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
        let body = op.body(1).ok_or_else(|| no_match("a region is empty"))?;
        let end = body.terminator().ok_or_else(|| no_match("a block has no terminator"))?;
        let others = |values: Vec<Value<'c>>| -> Vec<Value<'c>> {
            let mut values = values;
            values.remove(self.counter);
            values
        };
        let starts = op.operands();
        let ty = starts[self.counter].ty();
        let bounds = self.range.bounds(b);
        let starts = others(starts);
        let types = starts.types();

        let old = body.arguments();
        let index = Type::index(b.context());
        let induction = body.add_argument(index, b.location());
        let carried: Vec<Value> =
            types.iter().map(|ty| body.add_argument(*ty, b.location())).collect();
        let next = end.operands();
        b.set_before(end);
        scf::yield_(&b.at(end.location()), &others(next.clone()));
        b.erase(end);
        // Erases the increment of the counter, unless it has other users.
        if let Some(add) = next[self.counter].defining_op()
            && next[self.counter].is_unused()
        {
            b.erase(add);
        }
        b.set_to_start(body);
        let counter = (self.counters(&old).any(|value| !value.is_unused()))
            .then(|| self.range.number(b, induction, ty));
        for (argument, source) in old.iter().zip(&self.passed) {
            if let Some(value) = self.value(*source, counter, &carried) {
                argument.replace_uses_with(value);
            }
        }
        for _ in &old {
            body.erase_argument(0);
        }

        b.set_before(op);
        let region = op.take_region(1).ok_or_else(|| no_match("a region is absent"))?;
        let [lower, upper, step] = bounds;
        let counted = scf::ForOp::build(b, lower, upper, step, &starts, &types, region).insert();
        let results = op.results();
        let last = (self.counters(&results).any(|value| !value.is_unused()))
            .then(|| self.range.last(b, ty));
        let others = counted.results();
        for (result, source) in results.into_iter().zip(&self.passed) {
            if let Some(value) = self.value(*source, last, &others) {
                result.replace_uses_with(value);
            }
        }
        b.erase(op);
        Ok(())
    }

    /// The forwarded values that are the counter.
    fn counters<'a>(&'a self, values: &'a [Value<'c>]) -> impl Iterator<Item = Value<'c>> + 'a {
        values
            .iter()
            .zip(&self.passed)
            .filter(
                |(_, source)| matches!(source, Source::Carried(number) if *number == self.counter),
            )
            .map(|(value, _)| *value)
    }

    /// A forwarded value, given the counter, if it is used, and the other carried values.
    fn value(
        &self,
        source: Source<'c>,
        counter: Option<Value<'c>>,
        others: &[Value<'c>],
    ) -> Option<Value<'c>> {
        match source {
            Source::Around(value) => Some(value),
            Source::Carried(number) if number == self.counter => counter,
            Source::Carried(number) => {
                others.get(number - usize::from(number > self.counter)).copied()
            }
        }
    }
}

impl<'c> Range<'c> {
    fn of(start: Value<'c>, bound: Value<'c>, step: i64, predicate: Predicate) -> Option<Self> {
        let width = start.ty().integer_width().filter(|width| (2..=64).contains(width))?;
        let Some((first, limit)) = constant(start).zip(constant(bound)) else {
            let counts_up = step == 1 && predicate == Predicate::Less { signed: true };
            return counts_up.then_some(Self::Between(start, bound));
        };
        // Signed and unsigned order agree for nonnegative numbers.
        if !predicate.is_signed() && (first < 0 || limit < 0) {
            return None;
        }
        let (distance, step_) = (i128::from(limit) - i128::from(first), i128::from(step));
        let ceil = |distance: i128| (distance.max(0) + step_.abs() - 1) / step_.abs();
        let count = match predicate {
            Predicate::Less { .. } if step > 0 => ceil(distance),
            Predicate::LessOrEqual { .. } if step > 0 => ceil(distance + 1),
            Predicate::Greater { .. } if step < 0 => ceil(-distance),
            Predicate::GreaterOrEqual { .. } if step < 0 => ceil(1 - distance),
            Predicate::NotEqual if distance % step_ == 0 && distance / step_ >= 0 => {
                distance / step_
            }
            _ => return None,
        };
        let last = i128::from(first) + count * step_;
        let least = if predicate.is_signed() {
            -(1_i128 << (width - 1))
        } else {
            0
        };
        // Upstream's passes subtract the bounds of a loop without overflow
        // checks.
        let fits =
            (least..1_i128 << (width - 1)).contains(&last) && i64::try_from(count * step_).is_ok();
        fits.then_some(Self::Known {
            start: first,
            step,
            count: i64::try_from(count).ok()?,
        })
    }

    /// The bounds and the step of the counted loop.
    fn bounds(self, b: &Builder<'c>) -> [Value<'c>; 3] {
        let [lower, upper, step] = match self {
            Self::Known { start, step, count } if step > 0 => {
                [start, start + count * step, step].map(|bound| index::constant(b, bound))
            }
            Self::Known { count, .. } => [0, count, 1].map(|bound| index::constant(b, bound)),
            Self::Between(start, bound) => {
                let index = |value| match constant(value) {
                    Some(number) => index::constant(b, number),
                    None => arith::index_cast(b, value, Type::index(b.context())),
                };
                [index(start), index(bound), index::constant(b, 1)]
            }
        };
        [lower, upper, step]
    }

    /// The final value of the counter.
    fn last(self, b: &Builder<'c>, ty: Type<'c>) -> Value<'c> {
        match self {
            Self::Known { start, step, count } => arith::scalar(b, ty, 0.0, start + count * step),
            Self::Between(start, bound) => arith::maxsi(b, start, bound),
        }
    }

    /// The counter, from the induction variable.
    fn number(self, b: &Builder<'c>, induction: Value<'c>, ty: Type<'c>) -> Value<'c> {
        let counter = arith::index_cast(b, induction, ty);
        match self {
            Self::Known { start, step, .. } if step < 0 => {
                let step = arith::scalar(b, ty, 0.0, step);
                let start = arith::scalar(b, ty, 0.0, start);
                let passed = arith::muli(b, counter, step);
                arith::addi(b, start, passed)
            }
            _ => counter,
        }
    }
}

/// The comparison of a counter with its bound.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Predicate {
    Less { signed: bool },
    LessOrEqual { signed: bool },
    Greater { signed: bool },
    GreaterOrEqual { signed: bool },
    NotEqual,
}

impl Predicate {
    fn of(predicate: CmpIPredicate) -> Option<Self> {
        use CmpIPredicate as P;
        Some(match predicate {
            P::Eq => return None,
            P::Ne => Self::NotEqual,
            P::Slt => Self::Less { signed: true },
            P::Ult => Self::Less { signed: false },
            P::Sle => Self::LessOrEqual { signed: true },
            P::Ule => Self::LessOrEqual { signed: false },
            P::Sgt => Self::Greater { signed: true },
            P::Ugt => Self::Greater { signed: false },
            P::Sge => Self::GreaterOrEqual { signed: true },
            P::Uge => Self::GreaterOrEqual { signed: false },
        })
    }

    /// The comparison with swapped operands.
    fn swapped(self) -> Self {
        match self {
            Self::Less { signed } => Self::Greater { signed },
            Self::LessOrEqual { signed } => Self::GreaterOrEqual { signed },
            Self::Greater { signed } => Self::Less { signed },
            Self::GreaterOrEqual { signed } => Self::LessOrEqual { signed },
            Self::NotEqual => Self::NotEqual,
        }
    }

    fn is_signed(self) -> bool {
        match self {
            Self::Less { signed }
            | Self::LessOrEqual { signed }
            | Self::Greater { signed }
            | Self::GreaterOrEqual { signed } => signed,
            Self::NotEqual => true,
        }
    }
}

fn position<'c>(values: &[Value<'c>], value: Value<'c>) -> Option<usize> {
    values.iter().position(|other| *other == value)
}

/// The value of a constant in two's complement.
fn constant(value: Value) -> Option<i64> {
    arith::constant_integer(value).map(SignlessInteger::signed)
}

/// Returns true if a value is the body's argument for a carried value.
fn is_carried(value: Value, body: Block, passed: &[Source], number: usize) -> bool {
    value.as_block_argument().is_some_and(|(block, argument)| {
        block == body
            && matches!(passed.get(argument), Some(Source::Carried(carried)) if *carried == number)
    })
}

/// The constant that a body adds to the counter to get its next value.
fn step_of<'c>(
    next: Value<'c>,
    body: Block<'c>,
    passed: &[Source<'c>],
    counter: usize,
) -> Option<i64> {
    let add = next.defined_by::<arith::AddIOp>()?;
    let (left, right) = (add.lhs(), add.rhs());
    let step = if is_carried(left, body, passed, counter) {
        constant(right)
    } else if is_carried(right, body, passed, counter) {
        constant(left)
    } else {
        None
    };
    step.filter(|step| *step != 0)
}
