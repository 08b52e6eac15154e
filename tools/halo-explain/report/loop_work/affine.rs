//! Affine functions of the iterations of loops, and what is known of other functions of them.
//!
//! Indices of loads are sums of products: `%i * 8 + %j`. Quotients and remainders, by which one
//! loop goes over several dimensions, and the least of two values are variables of their own, which
//! know what they are made of.

use std::collections::BTreeMap;

/// The place of a variable in [`Variables`].
pub type Variable = usize;

/// A sum of variables, each times a factor, and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Affine {
    pub terms: BTreeMap<Variable, i64>,
    pub constant: i64,
}

impl Affine {
    pub fn of(variable: Variable) -> Self {
        Self {
            terms: [(variable, 1)].into(),
            constant: 0,
        }
    }

    pub fn number(constant: i64) -> Self {
        Self {
            constant,
            ..Self::default()
        }
    }

    pub fn as_number(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// Adds another one, times a factor.
    pub fn plus(mut self, other: &Self, factor: i64) -> Self {
        for (variable, times) in &other.terms {
            let own = self.terms.entry(*variable).or_default();
            *own = own.saturating_add(times.saturating_mul(factor));
        }
        self.terms.retain(|_, times| *times != 0);
        let constant = other.constant.saturating_mul(factor);
        self.constant = self.constant.saturating_add(constant);
        self
    }

    pub fn times(&self, factor: i64) -> Self {
        Self::default().plus(self, factor)
    }

    /// The part of which all factors are multiples of a number, and the rest.
    fn split(&self, by: i64) -> (Self, Self) {
        let (mut whole, mut rest) = (Self::default(), Self::default());
        for (variable, times) in &self.terms {
            let part = match times % by {
                0 => &mut whole,
                _ => &mut rest,
            };
            part.terms.insert(*variable, *times);
        }
        rest.constant = self.constant.rem_euclid(by);
        whole.constant = self.constant - rest.constant;
        (whole, rest)
    }

    fn divided(mut self, by: i64) -> Self {
        for times in self.terms.values_mut() {
            *times /= by;
        }
        self.constant /= by;
        self
    }
}

/// What a variable is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Definition {
    /// The iteration of the loop at a depth, from a first one on.
    Iteration {
        depth: usize,
    },
    Quotient(Affine, i64),
    Remainder(Affine, i64),
    Least(Affine, Affine),
    /// A value of which nothing is known but the loops that it changes in.
    Unknown,
}

#[derive(Clone, Debug)]
struct Known {
    definition: Definition,
    /// The least and the greatest value.
    range: Option<(i64, i64)>,
    /// The loops that it changes in, a bit for each depth.
    loops: u64,
}

/// All variables of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Variables(Vec<Known>);

/// The bit of a loop at a depth. All loops from 63 on have one.
pub fn bit(depth: usize) -> u64 {
    1 << depth.min(63)
}

impl Variables {
    /// The iteration of a loop with so many loops around it.
    pub fn iteration(&mut self, depth: usize) -> Variable {
        self.add(Definition::Iteration { depth }, None, bit(depth))
    }

    /// Sets the least and the greatest value of a variable.
    pub fn set_range(&mut self, variable: Variable, range: (i64, i64)) {
        self.0[variable].range = Some(range);
    }

    /// A value that changes in some loops.
    pub fn unknown(&mut self, loops: u64) -> Affine {
        Affine::of(self.add(Definition::Unknown, None, loops))
    }

    fn add(&mut self, definition: Definition, range: Option<(i64, i64)>, loops: u64) -> Variable {
        self.0.push(Known {
            definition,
            range,
            loops,
        });
        self.0.len() - 1
    }

    pub fn definition(&self, variable: Variable) -> &Definition {
        &self.0[variable].definition
    }

    pub fn range_of(&self, variable: Variable) -> Option<(i64, i64)> {
        self.0[variable].range
    }

    pub fn loops_of(&self, variable: Variable) -> u64 {
        self.0[variable].loops
    }

    /// The loops that a function changes in.
    pub fn loops(&self, of: &Affine) -> u64 {
        let variables = of.terms.keys();
        variables.fold(0, |loops, it| loops | self.loops_of(*it))
    }

    /// The least and the greatest value of a function, if all of its variables have them.
    pub fn range(&self, of: &Affine) -> Option<(i64, i64)> {
        let mut range = (of.constant, of.constant);
        for (variable, times) in &of.terms {
            let (first, last) = self.range_of(*variable)?;
            let ends = [first, last].map(|it| it.saturating_mul(*times));
            range.0 = range.0.saturating_add(ends[0].min(ends[1]));
            range.1 = range.1.saturating_add(ends[0].max(ends[1]));
        }
        Some(range)
    }

    /// The product of two functions.
    pub fn product(&mut self, one: &Affine, other: &Affine) -> Affine {
        match (one.as_number(), other.as_number()) {
            (Some(factor), _) => other.times(factor),
            (_, Some(factor)) => one.times(factor),
            _ => self.unknown(self.loops(one) | self.loops(other)),
        }
    }

    /// The quotient by a positive number, rounded down.
    pub fn quotient(&mut self, of: &Affine, by: i64) -> Affine {
        let (whole, rest) = of.split(by);
        match self.range(&rest) {
            Some((0.., last)) if last < by => whole.divided(by),
            _ => {
                let range = self.range(of);
                let range = range.map(|(first, last)| (first.div_euclid(by), last.div_euclid(by)));
                self.derived(Definition::Quotient(of.clone(), by), range)
            }
        }
    }

    /// The remainder of the division by a positive number.
    pub fn remainder(&mut self, of: &Affine, by: i64) -> Affine {
        let (_, rest) = of.split(by);
        match self.range(&rest) {
            Some((0.., last)) if last < by => rest,
            range => {
                let of_one_quotient =
                    range.filter(|(first, last)| first.div_euclid(by) == last.div_euclid(by));
                let range = match of_one_quotient {
                    Some((first, last)) => (first.rem_euclid(by), last.rem_euclid(by)),
                    None => (0, by - 1),
                };
                self.derived(Definition::Remainder(of.clone(), by), Some(range))
            }
        }
    }

    /// The lesser of two functions.
    pub fn least(&mut self, one: &Affine, other: &Affine) -> Affine {
        match self.range(&one.clone().plus(other, -1)) {
            Some((_, ..=0)) => one.clone(),
            Some((0.., _)) => other.clone(),
            _ => {
                let ranges = self.range(one).zip(self.range(other));
                let range = ranges.map(|(one, other)| (one.0.min(other.0), one.1.min(other.1)));
                self.derived(Definition::Least(one.clone(), other.clone()), range)
            }
        }
    }

    /// The greater of two functions: the lesser one of their negatives, negated.
    pub fn greatest(&mut self, one: &Affine, other: &Affine) -> Affine {
        self.least(&one.times(-1), &other.times(-1)).times(-1)
    }

    /// A variable made of others: the same one for the same definition.
    fn derived(&mut self, definition: Definition, range: Option<(i64, i64)>) -> Affine {
        let same = self.0.iter().position(|it| it.definition == definition);
        let loops = match &definition {
            Definition::Quotient(of, _) | Definition::Remainder(of, _) => self.loops(of),
            Definition::Least(one, other) => self.loops(one) | self.loops(other),
            Definition::Iteration { .. } | Definition::Unknown => 0,
        };
        Affine::of(same.unwrap_or_else(|| self.add(definition, range, loops)))
    }

    /// The value of a function in one iteration of each loop; `None` if that is not known.
    pub fn value(&self, of: &Affine, iterations: &[i64]) -> Option<i64> {
        let mut sum = of.constant;
        for (variable, times) in &of.terms {
            let value = match self.definition(*variable) {
                Definition::Iteration { depth } => *iterations.get(*depth)?,
                Definition::Quotient(of, by) => self.value(of, iterations)?.div_euclid(*by),
                Definition::Remainder(of, by) => self.value(of, iterations)?.rem_euclid(*by),
                Definition::Least(one, other) => {
                    let one = self.value(one, iterations)?;
                    one.min(self.value(other, iterations)?)
                }
                Definition::Unknown => return None,
            };
            sum = sum.saturating_add(value.saturating_mul(*times));
        }
        Some(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iteration(all: &mut Variables, depth: usize, range: (i64, i64)) -> Affine {
        let variable = all.iteration(depth);
        all.set_range(variable, range);
        Affine::of(variable)
    }

    #[test]
    fn quotients_and_remainders_of_multiples_are_affine() {
        let mut all = Variables::default();
        let i = iteration(&mut all, 0, (0, 63));
        let j = iteration(&mut all, 1, (0, 7));
        let sum = i.times(8).plus(&j, 1);
        assert_eq!(all.quotient(&sum, 8), i);
        assert_eq!(all.remainder(&sum, 8), j);
        // Of others, they are variables with ranges.
        let quotient = all.quotient(&i, 32);
        assert_eq!(all.range(&quotient), Some((0, 1)));
        let remainder = all.remainder(&i, 32);
        assert_eq!(all.range(&remainder), Some((0, 31)));
        assert_eq!(all.quotient(&i, 32), quotient);
        assert_eq!(all.loops(&quotient), bit(0));
        assert_eq!(all.value(&quotient, &[40, 0]), Some(1));
        assert_eq!(all.value(&remainder, &[40, 0]), Some(8));
        // A task may begin in the middle.
        let task = iteration(&mut all, 0, (40, 50));
        let rest = all.remainder(&task, 32);
        assert_eq!(all.range(&rest), Some((8, 18)));
    }

    #[test]
    fn the_least_of_two_is_one_of_them_where_that_is_known() {
        let mut all = Variables::default();
        let i = iteration(&mut all, 0, (0, 6));
        let left = Affine::number(49).plus(&i, -8);
        let eight = Affine::number(8);
        let least = all.least(&left, &eight);
        assert_eq!(all.range(&least), Some((1, 8)));
        assert_eq!(
            [0, 5, 6].map(|it| all.value(&least, &[it])),
            [Some(8), Some(8), Some(1)]
        );
        let end = i.clone().plus(&eight, 1);
        assert_eq!(all.least(&i, &end), i);
        assert_eq!(all.greatest(&i, &end), end);
        let unknown = all.unknown(bit(3));
        let with = all.least(&unknown, &i);
        assert_eq!((all.range(&with), all.value(&with, &[0])), (None, None));
        assert_eq!(all.loops(&with), bit(0) | bit(3));
    }
}
