//! How many bytes loops touch, and what they read again.
//!
//! The working set of a loop's body is what one iteration touches. A load whose address does not
//! change in a loop reads the same in each iteration; between two of them the body touches its
//! working set, so that the data come from the nearest cache that holds as much (the reuse distance
//! of Mattson et al., "Evaluation techniques for storage hierarchies", 1970).

use super::{
    Again,
    affine::{Affine, Definition, Variable, bit},
    nest::{Access, Nest},
};
use std::collections::{BTreeMap, HashMap};

/// What is read again in a task.
#[derive(Debug, Default, PartialEq)]
pub struct Reuse {
    pub again: Vec<Again>,
    /// Whether there may be more: of loads whose addresses or loops are not known.
    pub may_be_more: bool,
}

/// How the address of a load changes in a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Change {
    /// It is the same in all iterations.
    Never,
    /// It is another one in each iteration.
    Always,
    /// It is another one after so many iterations.
    After(i64),
    /// It is the same every so many iterations.
    Every(i64),
}

/// The bytes that a task touches of its arguments, each once; `None` if that is not known.
pub fn of_task(nest: &Nest<'_>) -> Option<f64> {
    let of_arguments = |access: &&Access| !nest.buffers[access.buffer].is_own;
    let accesses = || nest.accesses.iter().filter(of_arguments);
    let mut are_known = accesses().map(|it| part(nest, it, &|_| true).is_some());
    match are_known.all(|it| it) && !nest.has_unknown_buffers {
        true => touched(nest, accesses(), Some(1.0), |_| true),
        false => None,
    }
}

/// What a task reads again.
pub fn reuse(nest: &Nest<'_>) -> Reuse {
    let mut reuse = Reuse {
        may_be_more: nest.has_unknown_buffers,
        ..Reuse::default()
    };
    let mut sets = HashMap::new();
    for load in nest.accesses.iter().filter(|access| !access.is_store) {
        if of_load(nest, load, &mut sets, &mut reuse.again).is_none() {
            // Most buffers of a kernel are small: what is not known of them is not worth a word.
            reuse.may_be_more |= !nest.buffers[load.buffer].is_own;
        }
    }
    reuse
}

/// The working sets that are known, by loop and how many of its iterations they are of.
type Sets = HashMap<(usize, Change), Option<f64>>;

/// Adds what a load reads again in each of the loops around it.
fn of_load(nest: &Nest<'_>, load: &Access, sets: &mut Sets, all: &mut Vec<Again>) -> Option<()> {
    let place = load.place.as_ref()?;
    // What is read in one go, and not yet told to be read again.
    let mut bytes = load.bytes * load.times?;
    for number in nest.around(load.around) {
        let count = nest.count(number)?;
        let change = change(nest, place, number);
        let different = match change {
            Change::Always => continue,
            Change::Never => 1.0,
            Change::After(by) => {
                let range = nest.variables.range_of(nest.loops[number].variable)?;
                (range.1.div_euclid(by) - range.0.div_euclid(by) + 1) as f64
            }
            Change::Every(by) => by as f64,
        };
        if count <= different {
            continue;
        }
        // What is written anew in each iteration is not read again from one to the next.
        let is_new = is_written(nest, load.buffer, number);
        let first = match is_new {
            true => 0.0,
            false => bytes * different / count,
        };
        let set = sets.entry((number, change));
        let between = *set.or_insert_with(|| body(nest, number, change));
        add(all, bytes - first, between?);
        if is_new {
            break;
        }
        bytes = first;
    }
    Some(())
}

/// Whether a buffer of the kernel is written in a loop.
fn is_written(nest: &Nest<'_>, buffer: usize, number: usize) -> bool {
    let mut accesses = nest.accesses.iter();
    nest.buffers[buffer].is_own
        && accesses.any(|it| it.is_store && it.buffer == buffer && is_within(nest, it, number))
}

fn add(all: &mut Vec<Again>, bytes: f64, between: f64) {
    match all.iter_mut().find(|again| again.between == between) {
        Some(same) => same.bytes += bytes,
        None => all.push(Again { bytes, between }),
    }
}

/// How an address changes in a loop.
fn change(nest: &Nest<'_>, place: &Affine, number: usize) -> Change {
    let own = &nest.loops[number];
    let iteration = Affine::of(own.variable);
    let mut change = Change::Never;
    for variable in place.terms.keys() {
        if nest.variables.loops_of(*variable) & bit(own.depth) == 0 {
            continue;
        }
        let next = match nest.variables.definition(*variable) {
            Definition::Quotient(of, by) if *of == iteration => Change::After(*by),
            Definition::Remainder(of, by) if *of == iteration => Change::Every(*by),
            _ => Change::Always,
        };
        change = match change == Change::Never || change == next {
            true => next,
            false => Change::Always,
        };
    }
    change
}

/// What a loop touches from one time that an address is the same to the next one.
fn body(nest: &Nest<'_>, number: usize, change: Change) -> Option<f64> {
    let own = &nest.loops[number];
    let iteration = Affine::of(own.variable);
    let within = u64::MAX.checked_shl(own.depth as u32 + 1).unwrap_or(0);
    let accesses = nest.accesses.iter();
    let accesses = accesses.filter(|access| is_within(nest, access, number));
    touched(nest, accesses, own.times, |variable| {
        let is_remainder = match nest.variables.definition(variable) {
            Definition::Remainder(of, by) => change == Change::Every(*by) && *of == iteration,
            _ => false,
        };
        is_remainder || nest.variables.loops_of(variable) & within != 0
    })
}

/// Parts of a buffer: with the same values of what does not change, of the same shape.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    buffer: usize,
    fixed: BTreeMap<Variable, i64>,
    /// Distances and numbers of equal pieces, the smallest distance first.
    shape: Vec<(i64, i64)>,
}

/// Where a piece of a buffer begins, and its bytes.
type Piece = (i64, i64);

/// Whether a load or a store is in a loop.
fn is_within(nest: &Nest<'_>, access: &Access, number: usize) -> bool {
    nest.around(access.around).any(|it| it == number)
}

/// The bytes that loads and stores touch in one of so many times, where some variables have all of
/// their values: all of a buffer where an address is not known.
fn touched<'a>(
    nest: &Nest<'_>,
    accesses: impl Iterator<Item = &'a Access>,
    around: Option<f64>,
    is_free: impl Fn(Variable) -> bool,
) -> Option<f64> {
    let mut parts: BTreeMap<Part, Vec<Piece>> = BTreeMap::new();
    let mut unknown: BTreeMap<usize, f64> = BTreeMap::new();
    for access in accesses {
        match part(nest, access, &is_free) {
            Some((part, piece)) => parts.entry(part).or_default().push(piece),
            None => {
                let times = access
                    .times
                    .zip(around)
                    .map(|(own, around)| own / around.max(1.0));
                let most = times.map_or(f64::INFINITY, |times| times * access.bytes);
                *unknown.entry(access.buffer).or_default() += most;
            }
        }
    }
    let mut of_buffers: BTreeMap<usize, f64> = unknown;
    let mut parts = parts.into_iter().peekable();
    while let Some((
        Part {
            buffer,
            fixed,
            shape,
        },
        pieces,
    )) = parts.next()
    {
        let mut union = Union::of(&shape, pieces);
        while let Some((part, pieces)) =
            parts.next_if(|(next, _)| (next.buffer, &next.fixed) == (buffer, &fixed))
        {
            union = union.with(&Union::of(&part.shape, pieces));
        }
        *of_buffers.entry(buffer).or_default() += union.bytes as f64;
    }
    let bytes = of_buffers.into_iter().map(|(buffer, bytes)| {
        let most = nest.buffers[buffer].bytes.unwrap_or(f64::INFINITY);
        bytes.min(most)
    });
    Some(bytes.sum()).filter(|bytes: &f64| bytes.is_finite())
}

/// The part of a buffer that an access touches, and where it begins.
fn part(
    nest: &Nest<'_>,
    access: &Access,
    is_free: &impl Fn(Variable) -> bool,
) -> Option<(Part, Piece)> {
    let place = access.place.as_ref()?;
    let mut part = Part {
        buffer: access.buffer,
        fixed: BTreeMap::new(),
        shape: Vec::new(),
    };
    let mut begin = place.constant;
    for (variable, factor) in &place.terms {
        if !is_free(*variable) {
            part.fixed.insert(*variable, *factor);
            continue;
        }
        let (first, last) = nest.variables.range_of(*variable)?;
        let at_begin = if *factor < 0 { last } else { first };
        begin = begin.saturating_add(factor.saturating_mul(at_begin));
        part.shape
            .push((factor.saturating_abs(), last.saturating_sub(first) + 1));
    }
    part.shape.sort_unstable();
    Some((part, (begin, access.bytes as i64)))
}

/// What parts of a buffer have together.
#[derive(Clone, Copy, Debug)]
struct Union {
    begin: i64,
    end: i64,
    bytes: i64,
}

impl Union {
    /// Of pieces that are repeated at the same distances.
    fn of(shape: &[(i64, i64)], mut pieces: Vec<Piece>) -> Self {
        pieces.sort_unstable();
        let mut of_sizes: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
        let mut pieces = pieces.into_iter().peekable();
        while let Some((begin, bytes)) = pieces.next() {
            // Pieces next to each other are one.
            let mut end = begin.saturating_add(bytes);
            while let Some((next, bytes)) = pieces.next_if(|(next, _)| *next <= end) {
                end = end.max(next.saturating_add(bytes));
            }
            of_sizes.entry(end - begin).or_default().push(begin);
        }
        let unions = of_sizes.into_iter();
        let unions = unions.map(|(bytes, places)| Self::of_equal(shape, bytes, places));
        let union = unions.reduce(|one, other| one.with(&other));
        union.unwrap_or(Self {
            begin: 0,
            end: 0,
            bytes: 0,
        })
    }

    /// Of pieces of a size at sorted places.
    fn of_equal(shape: &[(i64, i64)], piece: i64, places: Vec<i64>) -> Self {
        let begin = places.first().copied().unwrap_or_default();
        let last = places.last().copied().unwrap_or_default();
        let (span, bytes) = filled(piece, shape);
        let end = last.saturating_add(span);
        let most = (places.len() as i64).saturating_mul(bytes).min(end - begin);
        let bytes = match pattern(places) {
            Some(pattern) => {
                let mut shape = [shape, &pattern].concat();
                shape.sort_unstable();
                filled(piece, &shape).1.min(most)
            }
            None => most,
        };
        Self { begin, end, bytes }
    }

    fn with(self, other: &Self) -> Self {
        let (begin, end) = (self.begin.min(other.begin), self.end.max(other.end));
        let is_inside = [self, *other]
            .iter()
            .any(|it| (it.begin, it.end) == (begin, end));
        let bytes = match is_inside {
            true => self.bytes.max(other.bytes),
            false => self.bytes.saturating_add(other.bytes).min(end - begin),
        };
        Self { begin, end, bytes }
    }
}

/// From the first to the last byte of pieces at distances, and how many of these they have.
fn filled(piece: i64, shape: &[(i64, i64)]) -> (i64, i64) {
    let (mut span, mut bytes) = (piece, piece);
    for (distance, count) in joined(shape) {
        let all = distance.saturating_mul(count - 1).saturating_add(span);
        bytes = match distance <= span && bytes == span {
            true => all,
            false => bytes.saturating_mul(count).min(all),
        };
        span = all;
    }
    (span, bytes)
}

/// Windows that overlap, such as those of a convolution over rows, as the pieces that they cover.
fn joined(shape: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let mut all: Vec<(i64, i64)> = Vec::new();
    for (distance, count) in shape.iter().copied().filter(|it| it.0 > 0 && it.1 > 1) {
        match all.last_mut() {
            Some((step, steps)) if distance % *step == 0 && distance / *step <= *steps => {
                *steps = (distance / *step)
                    .saturating_mul(count - 1)
                    .saturating_add(*steps);
            }
            _ => all.push((distance, count)),
        }
    }
    all
}

/// The distances and numbers of places that are equally far from each other, in several levels.
fn pattern(mut places: Vec<i64>) -> Option<Vec<(i64, i64)>> {
    let mut pattern = Vec::new();
    while places.len() > 1 {
        let distances = places.windows(2).map(|two| two[1] - two[0]);
        let distance = distances.min()?;
        let groups: Vec<&[i64]> = places
            .chunk_by(|one, other| other - one == distance)
            .collect();
        let count = groups[0].len();
        if groups.iter().any(|group| group.len() != count) {
            return None;
        }
        pattern.push((distance, count as i64));
        places = groups.iter().map(|group| group[0]).collect();
    }
    Some(pattern)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_that_overlap_count_once() {
        assert_eq!(filled(64, &[(64, 4)]), (256, 256));
        assert_eq!(filled(4, &[(4, 512), (18_496, 8)]), (131_520, 16_384));
        assert_eq!(filled(64, &[(4, 16)]), (124, 124));
        // Three rows at a time, every second row, and windows next to each other.
        assert_eq!(filled(4, &[(64, 3), (64, 2)]), (196, 16));
        assert_eq!(filled(4, &[(64, 3), (128, 5)]), (644, 44));
        assert_eq!(filled(4, &[(4, 3), (12, 2), (0, 9)]), (24, 24));
    }

    #[test]
    fn places_have_patterns_of_several_levels() {
        assert_eq!(pattern(vec![0]), Some(vec![]));
        assert_eq!(
            pattern(vec![0, 64, 4096, 4160]),
            Some(vec![(64, 2), (4096, 2)])
        );
        assert_eq!(pattern(vec![0, 64, 192]), None);
    }
}
