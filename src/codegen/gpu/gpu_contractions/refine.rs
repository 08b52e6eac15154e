//! The common refinement of the loops of a contraction and another op.
//!
//! A contraction and an op that shares a contiguous buffer with it may traverse the buffer by
//! different loops: a contraction may have one loop over the pixels of an image, and its consumer
//! one over rows and one over columns. Both sets of loops decompose the offsets of the buffer like
//! the digits of a mixed-radix number. Splitting at each digit boundary results in common loops,
//! along each of which the other operands of the other op have a stride.

use crate::loops::{contraction::Loop, prelude::*};

/// A loop of the other op.
#[derive(Clone, Debug)]
pub struct Part {
    pub size: i64,
    /// The stride of the shared buffer.
    pub stride: i64,
    /// The strides of the other buffers.
    pub others: Vec<i64>,
}

/// A common loop of the contraction and of the other op.
#[derive(Clone, Debug)]
pub struct Shared {
    pub group: Group,
    pub inner: Loop,
    /// The strides of the other buffers; `None` for a loop that only the contraction has.
    pub others: Option<Vec<i64>>,
}

/// The loops of a contraction split at the boundaries of another op's loops, if
/// both traverse the whole buffer of `operand`.
pub fn refine(contraction: &Contraction, operand: usize, parts: &[Part]) -> Option<Vec<Shared>> {
    let all = || {
        Group::ALL
            .into_iter()
            .flat_map(|group| contraction.loops(group).iter().map(move |inner| (group, inner)))
    };
    let parts: Vec<&Part> = parts.iter().filter(|part| part.size > 1).collect();
    let ranges: Vec<(i64, i64)> = all()
        .map(|(_, inner)| (inner.strides[operand], inner.size))
        .filter(|(stride, _)| *stride != 0)
        .chain(parts.iter().map(|part| (part.stride, part.size)))
        .map(|(stride, size)| Some((stride, stride.checked_mul(size)?)))
        .collect::<Option<_>>()?;
    let mut cuts: Vec<i64> = ranges.iter().flat_map(|(low, high)| [*low, *high]).collect();
    cuts.sort_unstable();
    cuts.dedup();
    let digits = cuts.windows(2).map(|pair| (pair[0], pair[1]));
    if cuts.first() != Some(&1) || digits.clone().any(|(low, high)| high % low != 0) {
        return None;
    }
    // Each digit belongs to both.
    let holds = |stride: i64, size: i64, low: i64, high: i64| {
        stride != 0 && stride <= low && high <= stride * size && low % stride == 0
    };
    for (low, high) in digits.clone() {
        let of_contraction = all().filter(|(_, l)| holds(l.strides[operand], l.size, low, high));
        let of_parts = parts.iter().filter(|p| holds(p.stride, p.size, low, high));
        if of_contraction.count() != 1 || of_parts.count() != 1 {
            return None;
        }
    }
    let mut shared = Vec::new();
    for (group, inner) in all() {
        let own = inner.strides[operand];
        if own == 0 {
            shared.push(Shared {
                group,
                inner: inner.clone(),
                others: None,
            });
            continue;
        }
        for (low, high) in digits.clone().filter(|(low, high)| holds(own, inner.size, *low, *high))
        {
            let part = parts.iter().find(|p| holds(p.stride, p.size, low, high))?;
            let scaled = |strides: &[i64], by: i64| -> Option<Vec<i64>> {
                strides.iter().map(|stride| stride.checked_mul(by)).collect()
            };
            shared.push(Shared {
                group,
                inner: Loop {
                    size: high / low,
                    strides: scaled(&inner.strides, low / own)?,
                    steps: scaled(&inner.steps, low / own)?,
                },
                others: Some(scaled(&part.others, low / part.stride)?),
            });
        }
    }
    Some(shared)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(size: i64, stride: i64, other: i64) -> Part {
        Part {
            size,
            stride,
            others: vec![other],
        }
    }

    fn cut(loops: &[(Group, i64, i64)], parts: &[Part]) -> Option<Vec<(i64, i64, Option<i64>)>> {
        let loops = loops.iter().map(|(group, size, stride)| {
            let inner = Loop {
                size: *size,
                strides: vec![*stride],
                steps: Vec::new(),
            };
            (*group, inner)
        });
        let contraction = Contraction::of_loops(loops);
        let shared = refine(&contraction, 0, parts)?;
        let flat = shared.into_iter().map(|shared| {
            let other = shared.others.map(|others| others[0]);
            (shared.inner.size, shared.inner.strides[0], other)
        });
        Some(flat.collect())
    }

    #[test]
    fn a_loop_is_cut_where_loops_of_the_other_op_meet() {
        // Pixels by features; the other op has rows of 7 pixels in a buffer
        // with a row stride of 10.
        let loops = [(Group::M, 35, 4), (Group::N, 4, 1)];
        let parts = [part(5, 28, 40), part(7, 4, 4), part(4, 1, 1)];
        let expected = [(5, 28, Some(40)), (7, 4, Some(4)), (4, 1, Some(1))];
        let mut found = cut(&loops, &parts).unwrap();
        found.sort_by_key(|(_, stride, _)| std::cmp::Reverse(*stride));
        assert_eq!(found, expected);
    }

    #[test]
    fn a_loop_of_the_other_op_is_cut_as_well() {
        let loops = [(Group::M, 35, 4), (Group::N, 4, 1), (Group::K, 9, 0)];
        let parts = [part(140, 1, 3)];
        let mut found = cut(&loops, &parts).unwrap();
        found.sort_by_key(|(_, stride, _)| std::cmp::Reverse(*stride));
        assert_eq!(found, [(35, 4, Some(12)), (4, 1, Some(3)), (9, 0, None)]);
    }

    #[test]
    fn loops_that_do_not_divide_each_other_are_not_shared() {
        let loops = [(Group::M, 6, 4), (Group::N, 4, 1)];
        assert!(cut(&loops, &[part(3, 8, 1), part(8, 1, 1)]).is_some());
        assert!(cut(&loops, &[part(4, 6, 1), part(6, 1, 1)]).is_none());
    }

    #[test]
    fn a_buffer_that_the_other_op_walks_in_part_is_not_shared() {
        let loops = [(Group::M, 6, 4), (Group::N, 4, 1)];
        assert!(cut(&loops, &[part(3, 4, 1), part(4, 1, 1)]).is_none());
        assert!(cut(&loops, &[part(6, 4, 1)]).is_none());
    }
}
