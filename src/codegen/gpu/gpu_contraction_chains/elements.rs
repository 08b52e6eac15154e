//! The loops of an op over a tile, and the elements that a lane has.

use super::{
    code::columns_of_lane,
    roles::{Role, Roles},
};
use halo_ir::prelude::*;

/// An element of a tile that a lane has.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub half: usize,
    pub column: usize,
}

/// The loops of an op over a tile.
pub(super) struct Loops<'c> {
    pub operands: Vec<Value<'c>>,
    pub outputs: Vec<Value<'c>>,
    pub maps: Vec<AffineMap<'c>>,
    pub roles: Vec<Role>,
    /// The size of the loop over columns, if there is one.
    pub columns: Option<i64>,
    pub body: Option<Block<'c>>,
}

impl<'c> Loops<'c> {
    pub fn of(op: Operation<'c>, roles: &Roles<'c>) -> Self {
        let (Some(maps), Some(loops)) = (op.indexing_maps(), roles.loops(op)) else {
            bug("an op of a chain has no loops");
        };
        let operands = op.operands();
        let outputs = op.cast::<linalg::GenericOp>().map(linalg::GenericOp::outputs);
        Self::new(
            operands,
            outputs.unwrap_or_default(),
            maps,
            loops,
            op.body(0),
        )
    }

    /// The loops over the elements of a buffer.
    pub fn of_buffer(builder: &Builder<'c>, buffer: Value<'c>, roles: Vec<Role>) -> Self {
        let map = AffineMap::multi_dim_identity(builder.context(), roles.len());
        Self::new(vec![buffer], Vec::new(), vec![map], roles, None)
    }

    fn new(
        operands: Vec<Value<'c>>,
        outputs: Vec<Value<'c>>,
        maps: Vec<AffineMap<'c>>,
        roles: Vec<Role>,
        body: Option<Block<'c>>,
    ) -> Self {
        let column = roles.iter().position(|role| *role == Role::Column);
        let size = |dim: usize| {
            operands.iter().zip(&maps).find_map(|(operand, map)| {
                let position = (0..map.result_count()).find(|position| {
                    let index = map.result(*position);
                    index.is_ok_and(|index| index.is_dim() && index.dim_position() == dim)
                })?;
                operand.ty().static_shape()?.get(position).copied()
            })
        };
        let columns = column.and_then(size);
        Self {
            operands,
            outputs,
            maps,
            roles,
            columns,
            body,
        }
    }

    pub fn arguments(&self) -> Vec<Value<'c>> {
        self.body.map(|body| body.arguments()).unwrap_or_default()
    }

    /// The columns of a lane.
    pub fn columns_of_lane(&self) -> usize {
        self.columns.map_or(1, columns_of_lane)
    }

    /// Whether a column of a lane may be outside of the tile.
    pub fn is_ragged(&self, column: usize) -> bool {
        self.columns.is_some_and(|columns| column as i64 / 2 * 8 + 8 > columns)
    }
}
