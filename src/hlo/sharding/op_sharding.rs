//! `mhlo.sharding`: string shardings of the partitioner before Shardy.
//!
//! ```text
//! {devices=[2,1,2]<=[4] last_tile_dim_replicate}   rows in 2 tiles, each on 2 partitions
//! {devices=[1,4]3,2,1,0}                           columns in 4 tiles, the last partition first
//! ```

use super::Tiling;
use pest::{Parser, iterators::Pair};

#[derive(pest_derive::Parser)]
#[grammar = "sharding/op_sharding.pest"]
struct Grammar;

/// The attribute with such a sharding.
pub const OP_SHARDING: &str = "mhlo.sharding";

/// The meaning of the string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpSharding {
    Tiled(Tiling),
    /// One partition has the value.
    Maximal(usize),
    /// Each partition has a different value.
    Manual,
}

/// Parses a sharding of a tensor.
///
/// # Errors
/// Returns a message if it is invalid, or has other dimensions or partitions.
pub fn parse(text: &str, rank: usize, partitions: usize) -> Result<OpSharding, String> {
    let other =
        || format!("'{text}' is not a sharding of {rank} dimensions and {partitions} partitions");
    let found = Grammar::parse(Rule::sharding, text).ok();
    let found = found.and_then(|mut pairs| pairs.next());
    let found = found.and_then(|pair| pair.into_inner().next()).ok_or_else(other)?;
    match found.as_rule() {
        Rule::replicated => Ok(OpSharding::Tiled(Tiling::whole(rank, partitions))),
        Rule::manual => Ok(OpSharding::Manual),
        Rule::unreduced => Ok(OpSharding::Tiled(Tiling {
            terms: (0..partitions).collect(),
            ..Tiling::whole(rank, partitions)
        })),
        Rule::maximal => {
            let device = found.into_inner().next().map(number);
            let device = device.flatten().filter(|device| *device < partitions);
            device.map(OpSharding::Maximal).ok_or_else(other)
        }
        _ => tiled(found, rank, partitions).map(OpSharding::Tiled).ok_or_else(other),
    }
}

/// The string of a tiling without partial sums; `None` is replicated.
pub fn print(tiling: Option<&Tiling>) -> String {
    let Some(tiling) = tiling.filter(|tiling| tiling.tile_count() > 1) else {
        return "{replicated}".to_owned();
    };
    let list = |numbers: &[usize]| {
        let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
        numbers.join(",")
    };
    let owners = tiling.owners();
    let copies = owners.first().map_or(1, Vec::len);
    let copied = (copies > 1).then_some(copies);
    let sizes: Vec<usize> = tiling.counts.iter().copied().chain(copied).collect();
    let last = copied.map_or("", |_| " last_tile_dim_replicate");
    format!(
        "{{devices=[{}]{}{last}}}",
        list(&sizes),
        list(&owners.concat())
    )
}

/// The kinds of the tile dimensions after the tensor's.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Copies,
    Terms,
}

fn tiled(tiled: Pair<Rule>, rank: usize, partitions: usize) -> Option<Tiling> {
    let mut parts = tiled.into_inner();
    let sizes = numbers(parts.next()?)?;
    let devices = parts.next()?;
    let devices = match devices.as_rule() {
        Rule::iota => iota(devices)?,
        _ => numbers(devices)?,
    };
    let last: Vec<Last> = match parts.next() {
        Some(last) if last.as_rule() == Rule::copies => vec![Last::Copies],
        Some(last) => {
            let kinds = last.into_inner().map(|kind| match kind.as_str() {
                "replicated" => Some(Last::Copies),
                "unreduced" => Some(Last::Terms),
                _ => None,
            });
            kinds.collect::<Option<_>>()?
        }
        None => Vec::new(),
    };
    let count = sizes.iter().try_fold(1, |count: usize, size| count.checked_mul(*size))?;
    let mut seen = vec![false; partitions];
    let is_permutation = devices.iter().all(|device| {
        let own = seen.get_mut(*device);
        own.is_some_and(|own| !std::mem::replace(own, true))
    });
    if sizes.len() != rank + last.len() || count != partitions || devices.len() != count {
        return None;
    }
    let mut tiling = Tiling::whole(rank, partitions);
    tiling.counts = sizes[..rank].to_vec();
    let has_terms = last.contains(&Last::Terms);
    tiling.terms = if has_terms {
        vec![0; partitions]
    } else {
        Vec::new()
    };
    for (position, device) in devices.iter().enumerate() {
        let mut rest = position;
        let mut term = (0, 1);
        for (dimension, size) in sizes.iter().enumerate().rev() {
            let own = rest % size;
            rest /= size;
            match dimension.checked_sub(rank).map(|at| last[at]) {
                None => tiling.tiles[*device][dimension] = own,
                Some(Last::Terms) => term = (term.0 + own * term.1, term.1 * size),
                Some(Last::Copies) => {}
            }
        }
        if has_terms {
            tiling.terms[*device] = term.0;
        }
    }
    is_permutation.then_some(tiling)
}

/// `<=[2,3]T(1,0)`: 0, 1, 2, ... in this shape, transposed.
fn iota(iota: Pair<Rule>) -> Option<Vec<usize>> {
    let mut parts = iota.into_inner();
    let sizes = numbers(parts.next()?)?;
    let count = sizes.iter().try_fold(1, |count: usize, size| count.checked_mul(*size))?;
    let permutation = match parts.next() {
        Some(permutation) => numbers(permutation.into_inner().next()?)?,
        None => (0..sizes.len()).collect(),
    };
    let mut sorted = permutation.clone();
    sorted.sort_unstable();
    if sorted != (0..sizes.len()).collect::<Vec<_>>() || count > 1 << 20 {
        return None;
    }
    let stride = |dimension: usize| sizes[dimension + 1..].iter().product::<usize>();
    let device = |position: usize| {
        let mut rest = position;
        let mut device = 0;
        for dimension in permutation.iter().rev() {
            device += rest % sizes[*dimension] * stride(*dimension);
            rest /= sizes[*dimension];
        }
        device
    };
    Some((0..count).map(device).collect())
}

fn numbers(pair: Pair<Rule>) -> Option<Vec<usize>> {
    pair.into_inner().map(number).collect()
}

fn number(pair: Pair<Rule>) -> Option<usize> {
    pair.as_str().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As in XLA's `HloSharding`.
    #[test]
    fn tiles_are_those_of_the_assignment() {
        let tiles = |text: &str| match parse(text, 2, 4).unwrap() {
            OpSharding::Tiled(tiling) => (tiling.counts, tiling.tiles),
            other => panic!("{other:?}"),
        };
        let grid = |own: [[usize; 2]; 4]| own.map(Vec::from).to_vec();
        assert_eq!(
            tiles("{devices=[2,1,2]<=[4] last_tile_dim_replicate}"),
            (vec![2, 1], grid([[0, 0], [0, 0], [1, 0], [1, 0]]))
        );
        assert_eq!(
            tiles("{devices=[1,2,2]<=[2,2]T(1,0) last_tile_dim_replicate}"),
            (vec![1, 2], grid([[0, 0], [0, 1], [0, 0], [0, 1]]))
        );
        assert_eq!(
            tiles("{devices=[1,4]3,2,1,0}"),
            (vec![1, 4], grid([[0, 3], [0, 2], [0, 1], [0, 0]]))
        );
        assert_eq!(tiles("{replicated}").0, [1, 1]);
        assert_eq!(
            parse("{maximal device=3}", 0, 4),
            Ok(OpSharding::Maximal(3))
        );
        assert_eq!(parse("{manual}", 2, 4), Ok(OpSharding::Manual));
        for text in [
            "{devices=[1,2,2]0,2,1,3 last_tile_dim_replicate}",
            "{devices=[1,4]3,2,1,0}",
            "{replicated}",
        ] {
            let Ok(OpSharding::Tiled(tiling)) = parse(text, 2, 4) else {
                panic!("{text}")
            };
            assert_eq!(print(Some(&tiling)), text);
        }
        let terms = parse("{devices=[2,1,2]<=[4] last_tile_dims={unreduced}}", 2, 4);
        let Ok(OpSharding::Tiled(terms)) = terms else {
            panic!("{terms:?}")
        };
        assert_eq!(terms.terms, [0, 1, 0, 1]);
    }

    #[test]
    fn other_strings_are_errors() {
        for text in [
            "{devices=[2,2]<=[8]}",
            "{devices=[2,2]0,1,1,2}",
            "{devices=[4]<=[4]}",
            "{devices=[2,2]<=[4]T(1)}",
            "{maximal device=4}",
            "{devices=[4,1]",
            "",
        ] {
            assert!(parse(text, 2, 4).is_err(), "{text}");
        }
    }
}
