//! The roles of the dimensions of tiles: rows, which warps and lanes divide among them, and columns,
//! of which a lane has two adjacent ones of each eight.

use super::is_product;
use crate::loops::prelude::*;
use halo_ir::prelude::*;
use std::collections::HashMap;

/// The role of a dimension or a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Row,
    Column,
}

/// A tile: a buffer that an iteration allocates.
struct Tile<'c> {
    buffer: Value<'c>,
    roles: Option<Vec<Role>>,
}

/// The roles of the dimensions of all tiles.
pub(super) struct Roles<'c> {
    tiles: HashMap<usize, Tile<'c>>,
}

/// A product of a factor with the rows and one with the columns.
pub(super) struct Product<'c> {
    pub op: Operation<'c>,
    pub row_factor: Value<'c>,
    /// The dimension of the row factor along which the product sums.
    pub row_factor_depth: usize,
    pub column_factor: Value<'c>,
    /// The dimension of the column factor along which the product sums.
    pub column_factor_depth: usize,
}

impl<'c> Roles<'c> {
    /// The roles in a parallel loop; `None` if an op mixes them.
    pub fn of(parallel: Operation<'c>) -> Option<Self> {
        let mut tiles = HashMap::new();
        for op in parallel.collect_nested(|op| op.isa::<memref::AllocOp>()) {
            let buffer = op.results()[0];
            let roles = None;
            tiles.insert(buffer.key(), Tile { buffer, roles });
        }
        let mut roles = Self { tiles };
        let ops = parallel.collect_nested(|op| {
            op.is_structured() && !op.isa::<linalg::FillOp>() || op.isa::<memref::CopyOp>()
        });
        let products = ops.iter().filter(|op| is_product(**op));
        let mut count = 0;
        for product in products {
            roles.add_product(*product)?;
            count += 1;
        }
        if count < 2 {
            return None;
        }
        while ops
            .iter()
            .try_fold(false, |changes, op| Some(roles.propagate(*op)? || changes))?
        {}
        roles.tiles.values().all(|tile| tile.has_lanes()).then_some(roles)
    }

    /// Whether a value is a tile.
    pub fn is_tile(&self, value: Value) -> bool {
        self.tiles.contains_key(&value.key())
    }

    /// The roles of a tile's dimensions.
    pub fn roles(&self, value: Value) -> Option<&[Role]> {
        self.tiles.get(&value.key())?.roles.as_deref()
    }

    /// The rows of all tiles, if they are equal.
    pub fn rows(&self) -> Option<i64> {
        let mut rows = self.tiles.values().filter_map(|tile| tile.extent(Role::Row));
        let first = rows.next()?;
        rows.all(|other| other == first).then_some(first)
    }

    /// The columns of a tile.
    pub fn columns(&self, value: Value) -> Option<i64> {
        self.tiles.get(&value.key())?.extent(Role::Column)
    }

    /// Sets the roles of a tile; `None` if it has others.
    fn set(&mut self, value: Value<'c>, roles: Vec<Role>) -> Option<bool> {
        let Some(tile) = self.tiles.get_mut(&value.key()) else {
            return Some(false);
        };
        match &tile.roles {
            Some(known) => (*known == roles).then_some(false),
            None => {
                tile.roles = Some(roles);
                Some(true)
            }
        }
    }

    /// The roles of a product follow from a factor that is a tile.
    fn add_product(&mut self, op: Operation<'c>) -> Option<()> {
        let (values, maps) = (op.operands(), op.indexing_maps()?);
        let factor = [LHS, RHS].into_iter().find(|number| self.is_tile(values[*number]));
        let Some(factor) = factor else {
            return Some(());
        };
        let result = dims(&maps[RESULT])?;
        let role = |is_row: bool| if is_row { Role::Row } else { Role::Column };
        let own = dims(&maps[factor])?;
        let roles = own.iter().map(|dim| role(result.contains(dim))).collect();
        self.set(values[factor], roles)?;
        let roles = result.iter().map(|dim| role(own.contains(dim))).collect();
        self.set(values[RESULT], roles)?;
        Some(())
    }

    /// Infers roles of the tiles of an op from others; returns true if there are new ones.
    fn propagate(&mut self, op: Operation<'c>) -> Option<bool> {
        if op.isa::<memref::CopyOp>() {
            let [source, target] = op.operands()[..] else {
                return None;
            };
            let known = [source, target].map(|value| self.roles(value).map(<[Role]>::to_vec));
            return match known {
                [Some(roles), None] => self.set(target, roles),
                [None, Some(roles)] => self.set(source, roles),
                [Some(one), Some(other)] => (one == other).then_some(false),
                [None, None] => Some(false),
            };
        }
        if is_product(op) {
            return Some(false);
        }
        let loops = self.known_loops(op)?;
        let mut changes = false;
        for (value, map) in op.operands().into_iter().zip(op.indexing_maps()?) {
            if self.is_tile(value) && self.roles(value).is_none() {
                let roles = dims(&map)?.into_iter().map(|dim| loops[dim]);
                if let Some(roles) = roles.collect::<Option<Vec<_>>>() {
                    changes |= self.set(value, roles)?;
                }
            }
        }
        Some(changes)
    }

    /// The roles of an op's loops, as far as its tiles determine them; `None` if two differ.
    fn known_loops(&self, op: Operation<'c>) -> Option<Vec<Option<Role>>> {
        let maps = op.indexing_maps()?;
        let mut loops: Vec<Option<Role>> = vec![None; maps.first()?.dim_count()];
        for (value, map) in op.operands().into_iter().zip(&maps) {
            let Some(roles) = self.roles(value) else {
                continue;
            };
            for (dim, role) in dims(map)?.into_iter().zip(roles) {
                if loops[dim].is_some_and(|known| known != *role) {
                    return None;
                }
                loops[dim] = Some(*role);
            }
        }
        Some(loops)
    }

    /// The roles of an op's loops, at most one of each.
    pub fn loops(&self, op: Operation<'c>) -> Option<Vec<Role>> {
        let loops: Vec<Role> = self.known_loops(op)?.into_iter().collect::<Option<_>>()?;
        let has_one = |role: Role| loops.iter().filter(|own| **own == role).count() <= 1;
        (has_one(Role::Row) && has_one(Role::Column)).then_some(loops)
    }

    /// An op as a product, if it is one.
    pub fn product(&self, op: Operation<'c>) -> Option<Product<'c>> {
        if !is_product(op) {
            return None;
        }
        let (values, maps) = (op.operands(), op.indexing_maps()?);
        let result = dims(&maps[RESULT])?;
        let roles = self.roles(values[RESULT])?;
        let row = *result.iter().zip(roles).find(|(_, role)| **role == Role::Row)?.0;
        let factors = [LHS, RHS].map(|number| dims(&maps[number]));
        let [Some(lhs), Some(rhs)] = factors else {
            return None;
        };
        let depth_of = |dims: &[usize]| dims.iter().position(|dim| !result.contains(dim));
        let [row_factor, column_factor] = if lhs.contains(&row) {
            [LHS, RHS]
        } else {
            [RHS, LHS]
        };
        let of = |number: usize| if number == LHS { &lhs } else { &rhs };
        let is_apart = !self.is_tile(values[column_factor]);
        is_apart.then_some(Product {
            op,
            row_factor: values[row_factor],
            row_factor_depth: depth_of(of(row_factor))?,
            column_factor: values[column_factor],
            column_factor_depth: depth_of(of(column_factor))?,
        })
    }

    /// The products of a block, in order.
    pub fn products(&self, block: Block<'c>) -> Vec<Product<'c>> {
        let ops = block.operations().into_iter();
        ops.filter_map(|op| self.product(op)).collect()
    }
}

impl Tile<'_> {
    /// Whether lanes can have its elements: it has rows, and at most two dimensions.
    fn has_lanes(&self) -> bool {
        match self.roles.as_deref() {
            // A tile that nothing but fills and copies use.
            None => self.buffer.ty().static_shape().is_some(),
            Some(roles) => matches!(
                roles,
                [Role::Row] | [Role::Row, Role::Column] | [Role::Column, Role::Row]
            ),
        }
    }

    fn extent(&self, role: Role) -> Option<i64> {
        let position = self.roles.as_ref()?.iter().position(|own| *own == role)?;
        self.buffer.ty().static_shape()?.get(position).copied()
    }
}

/// The loops that index the dimensions of an operand; `None` if an index is no loop.
fn dims(map: &AffineMap) -> Option<Vec<usize>> {
    let dim = |position: usize| {
        let index = map.result(position).ok()?;
        index.is_dim().then(|| index.dim_position())
    };
    (0..map.result_count()).map(dim).collect()
}
