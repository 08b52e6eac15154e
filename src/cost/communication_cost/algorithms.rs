//! The steps of each algorithm.

use super::{Algorithm, Kind, LARGE_REDUCTION_BYTES};

/// Senders and receivers, by positions in a group of `n` members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Every member sends to every other one.
    All,
    /// Each member sends to the one this many positions after it, cyclically.
    Shift(usize),
    /// Each member exchanges with the one whose position differs in one bit.
    Exchange(usize),
    /// The first this many members send to the ones as many positions after them.
    Grow(usize),
    /// The reverse.
    Shrink(usize),
    /// The first member sends to all others.
    FromFirst,
    /// All others send to the first member.
    ToFirst,
}

/// Messages sent at the same time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    pub pattern: Pattern,
    /// The bytes of each message.
    pub bytes: f64,
    /// The number of repetitions of the step.
    pub times: f64,
    /// The bytes that a member combines in each repetition.
    pub reduced: f64,
}

impl Step {
    fn new(pattern: Pattern, bytes: f64) -> Self {
        Self {
            pattern,
            bytes,
            times: 1.0,
            reduced: 0.0,
        }
    }

    fn times(self, count: usize) -> Self {
        Self {
            times: count as f64,
            ..self
        }
    }

    fn reducing(self, bytes: f64) -> Self {
        Self {
            reduced: bytes,
            ..self
        }
    }

    /// The maximum number of bytes that a member sends.
    pub fn sent(&self, members: usize) -> f64 {
        let messages = match self.pattern {
            Pattern::All | Pattern::FromFirst => members - 1,
            _ => 1,
        };
        messages as f64 * self.bytes * self.times
    }
}

/// The algorithms for a kind of exchange.
pub fn of(kind: Kind) -> &'static [Algorithm] {
    use Algorithm::{
        BinomialTree, Bruck, Direct, HalvingDoubling, RecursiveDoubling, Ring, ScatterAllGather,
    };
    match kind {
        Kind::AllGather => &[Direct, Ring, RecursiveDoubling, Bruck],
        Kind::AllReduce => &[Direct, Ring, RecursiveDoubling, HalvingDoubling],
        Kind::AllToAll => &[Direct, Bruck],
        Kind::Broadcast => &[Direct, BinomialTree, ScatterAllGather],
        Kind::Permute => &[Direct],
        Kind::Reduce => &[Direct, BinomialTree],
        Kind::ReduceScatter => &[Direct, Ring, HalvingDoubling],
    }
}

/// The steps by which `n` members exchange operands of `b` bytes; `None` if the algorithm does not
/// support the kind or the number of members.
pub fn steps(kind: Kind, algorithm: Algorithm, n: usize, b: f64) -> Option<Vec<Step>> {
    let part = b / n as f64;
    let others = n - 1;
    Some(match (kind, algorithm) {
        (Kind::AllGather, Algorithm::Direct) => vec![Step::new(Pattern::All, b)],
        (Kind::AllGather, Algorithm::Ring) => vec![Step::new(Pattern::Shift(1), b).times(others)],
        (Kind::AllGather, Algorithm::RecursiveDoubling) => doubling(n, b)?,
        (Kind::AllGather, Algorithm::Bruck) => powers(n)
            .map(|power| {
                let pieces = power.min(n - power);
                Step::new(Pattern::Shift(power), b * pieces as f64)
            })
            .collect(),
        (Kind::AllReduce, Algorithm::Direct) if n == 2 || b < LARGE_REDUCTION_BYTES as f64 => {
            vec![Step::new(Pattern::All, b).reducing(b * others as f64)]
        }
        (Kind::AllReduce, Algorithm::Direct) => vec![
            Step::new(Pattern::All, part).reducing(part * others as f64),
            Step::new(Pattern::All, part),
        ],
        (Kind::AllReduce, Algorithm::Ring) => vec![
            Step::new(Pattern::Shift(1), part).reducing(part).times(others),
            Step::new(Pattern::Shift(1), part).times(others),
        ],
        (Kind::AllReduce, Algorithm::RecursiveDoubling) if n.is_power_of_two() => powers(n)
            .map(|power| Step::new(Pattern::Exchange(power), b).reducing(b))
            .collect(),
        (Kind::AllReduce, Algorithm::HalvingDoubling) => {
            let mut steps = halving(n, b)?;
            steps.extend(doubling(n, part)?);
            steps
        }
        (Kind::AllToAll, Algorithm::Direct) => vec![Step::new(Pattern::All, part)],
        (Kind::AllToAll, Algorithm::Bruck) => {
            powers(n).map(|power| Step::new(Pattern::Shift(power), b / 2.0)).collect()
        }
        (Kind::Broadcast, Algorithm::Direct) => vec![Step::new(Pattern::FromFirst, b)],
        (Kind::Broadcast, Algorithm::BinomialTree) => {
            powers(n).map(|power| Step::new(Pattern::Grow(power), b)).collect()
        }
        (Kind::Broadcast, Algorithm::ScatterAllGather) if n.is_power_of_two() => {
            // The first step of the scatter sends half of the value across half of the group.
            let scatter = powers(n).rev();
            let scatter =
                scatter.map(|power| Step::new(Pattern::Exchange(power), part * power as f64));
            let gather = Step::new(Pattern::Shift(1), part).times(others);
            scatter.chain([gather]).collect()
        }
        (Kind::Permute, Algorithm::Direct) => vec![Step::new(Pattern::Grow(1), b)],
        (Kind::Reduce, Algorithm::Direct) => {
            vec![Step::new(Pattern::ToFirst, b).reducing(b * others as f64)]
        }
        (Kind::Reduce, Algorithm::BinomialTree) => powers(n)
            .rev()
            .map(|power| Step::new(Pattern::Shrink(power), b).reducing(b))
            .collect(),
        (Kind::ReduceScatter, Algorithm::Direct) => {
            vec![Step::new(Pattern::All, part).reducing(part * others as f64)]
        }
        (Kind::ReduceScatter, Algorithm::Ring) => {
            vec![Step::new(Pattern::Shift(1), part).reducing(part).times(others)]
        }
        (Kind::ReduceScatter, Algorithm::HalvingDoubling) => halving(n, b)?,
        _ => return None,
    })
}

/// 1, 2, 4 and so on, below `n`.
fn powers(n: usize) -> impl DoubleEndedIterator<Item = usize> {
    let count = usize::BITS - (n - 1).leading_zeros();
    (0..count).map(|bit| 1 << bit)
}

/// Recursive doubling: gathers parts of `b` bytes, twice as many at each step.
fn doubling(n: usize, b: f64) -> Option<Vec<Step>> {
    let steps = powers(n).map(|power| Step::new(Pattern::Exchange(power), b * power as f64));
    n.is_power_of_two().then(|| steps.collect())
}

/// Recursive halving: reduces `b` bytes by exchanging a half, a quarter and so on.
fn halving(n: usize, b: f64) -> Option<Vec<Step>> {
    let steps = powers(n).rev().map(|power| {
        let bytes = b * power as f64 / n as f64;
        Step::new(Pattern::Exchange(power), bytes).reducing(bytes)
    });
    n.is_power_of_two().then(|| steps.collect())
}
