//! Trip counts of loops.

use crate::{interpreter::scalar::integer_range, literals::element_type_of, matchers};
use halo_ir::prelude::*;

/// The trip count of a `while` that counts by a constant step from one constant to another without
/// wrap-around; `None` otherwise.
pub fn trip_count(op: Operation) -> Option<u64> {
    let (condition, body) = (op.body(0)?, op.body(1)?);
    let verdict = *condition.terminator()?.operands().first()?;
    let compare = verdict.defined_by::<stablehlo::CompareOp>()?;
    let arguments = condition.arguments();
    let position = |value| arguments.iter().position(|argument| *argument == value);
    let (lhs, rhs, direction) = (compare.lhs(), compare.rhs(), compare.comparison_direction());
    let (counter, bound, direction) = match position(lhs) {
        Some(counter) => (counter, rhs, direction),
        None => (position(rhs)?, lhs, matchers::swapped(direction)),
    };
    let start = *op.operands().get(counter)?;
    let element = start.ty().element_type();
    let next = *body.terminator()?.operands().get(counter)?;
    let argument = *body.arguments().get(counter)?;
    let counting = Counting {
        start: constant(start)?,
        step: step_of(next, argument)?,
        bound: constant(bound)?,
        direction,
        range: range_of(element)?,
    };
    counting.trip_count()
}

/// The range of an integer type with modular sums; `None` for booleans.
fn range_of(element: Type) -> Option<(i128, i128)> {
    element.integer_width().filter(|width| *width > 1)?;
    element_type_of(element).ok().map(integer_range)
}

/// The constant step from a value to its next one.
fn step_of<'c>(next: Value<'c>, value: Value<'c>) -> Option<i128> {
    if let Some(difference) = next.defined_by::<stablehlo::SubtractOp>() {
        let step = (difference.lhs() == value).then(|| constant(difference.rhs()))?;
        return Some(-step?);
    }
    let sum = next.defined_by::<stablehlo::AddOp>()?;
    match (sum.lhs() == value, sum.rhs() == value) {
        (true, false) => constant(sum.rhs()),
        (false, true) => constant(sum.lhs()),
        _ => None,
    }
}

/// The number in a constant integer scalar.
fn constant(value: Value) -> Option<i128> {
    matchers::splat_integer_of(value)
}

/// A counter that is incremented while a comparison with a bound holds.
struct Counting {
    start: i128,
    step: i128,
    bound: i128,
    direction: ComparisonDirection,
    /// The range of the counter's type.
    range: (i128, i128),
}

impl Counting {
    fn trip_count(&self) -> Option<u64> {
        // Unsigned addition modulo 2^n may be a subtraction: `x + 255` of eight bits.
        let (least, most) = self.range;
        let steps = [self.step, self.step - (most - least + 1)];
        steps.into_iter().find_map(|step| self.count_by(step))
    }

    /// The trip count if the counter reaches its last value without leaving the range.
    fn count_by(&self, step: i128) -> Option<u64> {
        use ComparisonDirection as D;
        let ahead = self.bound - self.start;
        let first_beyond = |distance: i128| (distance + step.abs() - 1) / step.abs();
        let count = match self.direction {
            D::Eq if ahead != 0 => 0,
            D::Ne if ahead == 0 => 0,
            D::Lt | D::Le if ahead < i128::from(self.direction == D::Lt) => 0,
            D::Gt | D::Ge if -ahead < i128::from(self.direction == D::Gt) => 0,
            _ if step == 0 => return None,
            D::Eq => 1,
            D::Ne if ahead % step == 0 => ahead / step,
            D::Lt if step > 0 => first_beyond(ahead),
            D::Le if step > 0 => first_beyond(ahead + 1),
            D::Gt if step < 0 => first_beyond(-ahead),
            D::Ge if step < 0 => first_beyond(1 - ahead),
            _ => return None,
        };
        let last = self.start + count * step;
        let (least, most) = self.range;
        ((least..=most).contains(&last)).then(|| u64::try_from(count).ok())?
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ComparisonDirection::{Eq, Ge, Gt, Le, Lt, Ne};

    const DIRECTIONS: [ComparisonDirection; 6] = [Eq, Ne, Lt, Le, Gt, Ge];

    /// The trip count by executing a loop on 4-bit integers.
    fn simulated(counting: &Counting) -> Option<u64> {
        let (least, most) = counting.range;
        let mut counter = counting.start;
        for count in 0..16 {
            let holds = match counting.direction {
                Eq => counter == counting.bound,
                Ne => counter != counting.bound,
                Lt => counter < counting.bound,
                Le => counter <= counting.bound,
                Gt => counter > counting.bound,
                Ge => counter >= counting.bound,
            };
            if !holds {
                return Some(count);
            }
            counter = least + (counter + counting.step - least).rem_euclid(most - least + 1);
        }
        None
    }

    #[test]
    fn loops_of_four_bits_iterate_as_simulated() {
        let mut counted = 0;
        for range in [(-8, 7), (0, 15)] {
            let numbers = || range.0..=range.1;
            let cases = numbers()
                .flat_map(|start| numbers().map(move |step| (start, step)))
                .flat_map(|(start, step)| numbers().map(move |bound| (start, step, bound)))
                .flat_map(|case| DIRECTIONS.map(|direction| (case, direction)));
            for ((start, step, bound), direction) in cases {
                let counting = Counting {
                    start,
                    step,
                    bound,
                    direction,
                    range,
                };
                if let Some(count) = counting.trip_count() {
                    let expected = simulated(&counting);
                    let case = (start, step, bound, direction, range);
                    assert_eq!(Some(count), expected, "{case:?}");
                    counted += 1;
                }
            }
        }
        assert!(
            counted > 10_000,
            "{counted} of 49152 loops have a trip count"
        );
    }
}
