//! The distribution of values and computations over devices: shardings and replica groups.

use super::{
    cursor::{Cursor, Item},
    grammar::Rule,
    tree::{numbers, numbers_in},
};
use crate::ParseError;
use crate::{
    DeviceList, IotaTileAssignment, OpShardingType, ReplicaGroups, Sharding, TileAssignment,
    validity,
};

/// `{{0,1},{2,3}}`, `[2,4]<=[8]`, `mesh['a'=2,'b'=4] {'a'}`
pub(super) fn take_replica_groups(cursor: &mut Cursor) -> Result<ReplicaGroups, ParseError> {
    let item = cursor.take(Rule::replica_groups)?;
    let inner = item.only_child(cursor)?;
    match inner.rule() {
        Rule::integer_lists => Ok(ReplicaGroups::List(integer_lists(cursor, &inner)?)),
        Rule::mesh_groups => Ok(ReplicaGroups::Mesh(inner.text().to_owned())),
        _ => {
            let mut dimensions = Vec::new();
            let mut order = (Vec::new(), Vec::new());
            for part in inner.children() {
                match part.rule() {
                    Rule::bracketed => dimensions = numbers(cursor, &part)?,
                    _ => order = iota(cursor, &part)?,
                }
            }
            Ok(ReplicaGroups::Iota(IotaTileAssignment {
                dimensions,
                reshape_dimensions: order.0,
                transpose_permutation: order.1,
            }))
        }
    }
}

/// `{{0,1},{2}}`
pub(super) fn integer_lists(cursor: &Cursor, item: &Item) -> Result<Vec<Vec<i64>>, ParseError> {
    item.children().map(|list| list.integers(cursor)).collect()
}

/// `<=[4,2]T(1,0)`: the dimensions and their order.
fn iota(cursor: &Cursor, item: &Item) -> Result<(Vec<i64>, Vec<i64>), ParseError> {
    let mut dimensions = Vec::new();
    let mut permutation = Vec::new();
    for part in item.children() {
        if part.rule() == Rule::bracketed {
            dimensions = numbers(cursor, &part)?;
            continue;
        }
        let numbers = part.integers(cursor)?;
        validity::of_iota(&dimensions, &numbers)
            .map_err(|wrong| cursor.error_at(part.offset(), wrong))?;
        permutation = numbers;
    }
    Ok((dimensions, permutation))
}

/// `{replicated}`, `{devices=[2,1]0,1}`, `{{replicated}, {maximal device=0}}`
pub(super) fn take_sharding(cursor: &mut Cursor) -> Result<Sharding, ParseError> {
    let item = cursor.take(Rule::sharding)?;
    let inner = item.only_child(cursor)?;
    match inner.rule() {
        Rule::tuple_sharding => tuple_sharding(cursor, &inner),
        _ => one_sharding(cursor, &inner),
    }
}

fn tuple_sharding(cursor: &Cursor, item: &Item) -> Result<Sharding, ParseError> {
    let elements = item.children().map(|element| {
        let sharding = element.only_child(cursor)?;
        match sharding.rule() {
            // Which does not contain tuples.
            Rule::nested_tuple => tuple_sharding(cursor, &sharding),
            _ => one_sharding(cursor, &sharding),
        }
    });
    Ok(Sharding::Tuple(
        elements.collect::<Result<_, ParseError>>()?,
    ))
}

fn one_sharding(cursor: &Cursor, item: &Item) -> Result<Sharding, ParseError> {
    if item.rule() == Rule::named_sharding {
        return Ok(Sharding::Named(item.text().to_owned()));
    }
    let mut kind = None;
    let mut is_maximal = false;
    let mut suffix = Vec::new();
    for part in item.children() {
        let new = match part.rule() {
            Rule::sharding_suffix => {
                suffix.push(part.text().to_owned());
                continue;
            }
            Rule::device => OpShardingType::Maximal(part.only_child(cursor)?.integer(cursor)?),
            Rule::devices => OpShardingType::Tiled(tile_assignment(cursor, &part)?),
            _ => match part.text() {
                "replicated" => OpShardingType::Replicated,
                "manual" => OpShardingType::Manual,
                "unknown" => OpShardingType::Unknown,
                "unreduced" => OpShardingType::Unreduced,
                _ => {
                    is_maximal = true;
                    continue;
                }
            },
        };
        if kind.replace(new).is_some() {
            return Err(cursor.error_at(part.offset(), "a sharding is of one kind"));
        }
    }
    match kind {
        Some(kind) if is_maximal == matches!(kind, OpShardingType::Maximal(_)) => {
            Ok(Sharding::Single { kind, suffix })
        }
        _ => {
            let message = "expected one of 'replicated', 'manual', 'unknown', 'unreduced', \
                           'maximal device=' and 'devices='";
            Err(cursor.error_at(item.offset(), message))
        }
    }
}

/// `devices=[2,1]0,1`, `devices=[2,2]<=[4]`
fn tile_assignment(cursor: &Cursor, item: &Item) -> Result<TileAssignment, ParseError> {
    let mut dimensions = Vec::new();
    let mut listed = Vec::new();
    let mut order = None;
    for part in item.children() {
        match part.rule() {
            Rule::bracketed => dimensions = numbers(cursor, &part)?,
            Rule::iota => order = Some(iota(cursor, &part)?),
            _ => listed = numbers_in(cursor, part.offset(), part.text())?,
        }
    }
    let devices = match order {
        None => DeviceList::List(listed),
        Some((reshape_dimensions, transpose_permutation)) => DeviceList::Iota {
            reshape_dimensions,
            transpose_permutation,
        },
    };
    let tiles = TileAssignment {
        dimensions,
        devices,
    };
    match validity::of_tiles(&tiles) {
        Ok(()) => Ok(tiles),
        Err(wrong) => Err(cursor.error_at(item.offset(), wrong)),
    }
}
