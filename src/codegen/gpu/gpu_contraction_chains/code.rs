//! The code of a kernel: the values of a warp's rows, op by op.

use super::{
    WARP_ROWS,
    elements::{Loops, Spot},
    factor::Factor,
    roles::{Product, Role, Roles},
};
use crate::{
    gpu::{
        buffers::{both, commit, wait},
        launch::{ThreadIds, WARP},
        shuffle::shuffle,
    },
    loops::{prelude::*, reduction::carried_combiner},
};
use halo_ir::{ops::gpu::ShuffleMode, prelude::*};
use std::collections::HashMap;

/// The rows of a lane: its number divided by 4, and 8 more.
pub(super) const HALVES: usize = 2;

/// The elements of a tile that a lane has, column by column: one for each of its rows. A tile
/// without columns has one element for each row.
type Elements<'c> = Vec<Value<'c>>;

/// The builder of a kernel's code.
pub(super) struct Code<'a, 'c> {
    roles: &'a Roles<'c>,
    /// The values of the loop in the kernel.
    pub map: ValueMap<'c>,
    /// The elements of tiles.
    pub tiles: HashMap<usize, Elements<'c>>,
    /// The buffers of the factors in workgroup memory.
    pub slots: Vec<Value<'c>>,
    /// Workgroup memory for the elements that lanes have of a factor with the rows.
    pub kept: Option<Value<'c>>,
    /// The factor in this memory.
    pub kept_factor: Option<usize>,
    thread: Value<'c>,
    pub threads: i64,
    pub lane: Value<'c>,
    /// The rows of the lane, with the condition that they exist.
    rows: [(Value<'c>, Option<Value<'c>>); HALVES],
    /// The first column of the lane.
    column: Value<'c>,
    /// Whether factors of f32 are rounded to TF32.
    pub tf32: bool,
    /// A token that waits need.
    token: Option<Value<'c>>,
}

/// The loop around a block of columns.
pub(super) struct Iteration<'c> {
    /// The index of the loop in the original code.
    original: Value<'c>,
    /// The index of the next iteration, and the condition that there is one.
    next: Value<'c>,
    exists: Value<'c>,
}

impl<'a, 'c> Code<'a, 'c> {
    pub fn new(
        builder: &Builder<'c>,
        roles: &'a Roles<'c>,
        (rows, warps): (i64, i64),
        ids: &ThreadIds<'c>,
        (slots, kept): (&[Value<'c>], Option<Value<'c>>),
    ) -> Self {
        let thread = ids.thread[0];
        let (warp, lane) = index::divide(builder, thread, WARP);
        let first = index::mul(builder, warp, WARP_ROWS);
        let (row, pair) = index::divide(builder, lane, 4);
        let row = index::add(builder, first, row);
        let rows = [0, 8].map(|half| {
            let row = index::add(builder, row, half);
            if rows == warps * WARP_ROWS {
                return (row, None);
            }
            let is_inside = index::below(builder, row, rows);
            (index::min(builder, row, rows - 1), Some(is_inside))
        });
        Self {
            roles,
            map: ValueMap::new(),
            tiles: HashMap::new(),
            slots: slots.to_vec(),
            kept,
            kept_factor: None,
            thread,
            threads: warps * WARP,
            lane,
            rows,
            column: index::mul(builder, pair, 2),
            tf32: false,
            token: None,
        }
    }

    /// Emits the ops of a block of columns.
    pub fn emit_block(
        &mut self,
        builder: &Builder<'c>,
        block: Block<'c>,
        iteration: Option<&Iteration<'c>>,
    ) {
        let products = self.roles.products(block);
        let mut number = 0;
        for op in block.operations() {
            let Some(product) = products.get(number).filter(|product| product.op == op) else {
                self.emit_op(builder, op);
                continue;
            };
            if number == 0 && iteration.is_none() {
                self.bring(builder, product, 0, None);
                self.commit(builder);
            }
            // The factor has arrived, and all warps have read the one before it.
            if let Some(token) = self.token {
                wait(builder, token, 0);
            }
            gpu::barrier(builder);
            match (products.get(number + 1), iteration) {
                (Some(next), _) => self.bring(builder, next, number + 1, None),
                (None, Some(iteration)) => {
                    let index = (iteration.original, iteration.next);
                    scf::when(builder, iteration.exists, |builder| {
                        self.bring(builder, &products[0], 0, Some(index))
                    });
                }
                (None, None) => {}
            }
            self.commit(builder);
            self.emit_product(builder, product, number);
            number += 1;
        }
    }

    /// Copies the factor of a product to workgroup memory; with an index, the factor of another
    /// iteration of the loop around it.
    fn bring(
        &self,
        builder: &Builder<'c>,
        product: &Product<'c>,
        slot: usize,
        index: Option<(Value<'c>, Value<'c>)>,
    ) {
        let factor = factor_of(product);
        let mut local = ValueMap::new();
        if let Some((original, index)) = index {
            local.insert(original.key(), index);
        }
        let view = self.recomputed(builder, factor.view, product.op.block(), &mut local);
        let target = self.slots[slot];
        factor.bring(builder, (view, target), (self.thread, self.threads));
    }

    /// A value, whose computation in a block is emitted again.
    fn recomputed(
        &self,
        builder: &Builder<'c>,
        value: Value<'c>,
        block: Option<Block<'c>>,
        local: &mut ValueMap<'c>,
    ) -> Value<'c> {
        if let Some(known) = local.get(&value.key()) {
            return *known;
        }
        let Some(op) = value.defining_op().filter(|op| op.block() == block) else {
            return mapped(&self.map, value);
        };
        for operand in op.operands() {
            let own = self.recomputed(builder, operand, block, local);
            local.insert(operand.key(), own);
        }
        builder.clone_op(op, local);
        mapped(local, value)
    }

    fn commit(&mut self, builder: &Builder<'c>) {
        let token = commit(builder);
        self.token.get_or_insert(token);
    }

    fn emit_op(&mut self, builder: &Builder<'c>, op: Operation<'c>) {
        if op.is_structured() {
            return self.emit_structured(builder, op);
        }
        match op.name() {
            scf::ForOp::NAME => self.emit_loop(builder, op),
            memref::AllocOp::NAME
            | memref::DeallocOp::NAME
            | scf::ReduceOp::NAME
            | scf::YieldOp::NAME => {}
            memref::CopyOp::NAME => {
                if let [source, target] = op.operands()[..] {
                    self.copy(builder, source, target);
                }
            }
            _ => {
                builder.clone_op(op, &mut self.map);
            }
        }
    }

    /// Emits a loop over blocks of columns, which carries the tiles that it writes.
    fn emit_loop(&mut self, builder: &Builder<'c>, op: Operation<'c>) {
        let Some(body) = op.body(0) else { return };
        let bounds = op.operands().into_iter().filter_map(constant_index).collect::<Vec<_>>();
        let ([lower, upper, step], [index]) = (&bounds[..], &body.arguments()[..]) else {
            bug("a loop over columns has other bounds");
        };
        let written = body.operations().into_iter().flat_map(written_by);
        let mut carried: Vec<usize> = written.map(Value::key).collect();
        carried.retain(|key| self.tiles.contains_key(key));
        carried.sort_unstable();
        carried.dedup();
        if let Some(product) = self.roles.products(body).first() {
            let first = index::constant(builder, *lower);
            self.bring(builder, product, 0, Some((*index, first)));
            self.commit(builder);
        }
        self.keep_rows(builder, body);
        let start = self.flattened(&carried);
        let bounds = (*lower, *upper, *step);
        let results = scf::for_(builder, bounds, &start, |builder, iv, values| {
            self.unflatten(&carried, values);
            self.map.insert(index.key(), iv);
            let following = index::add(builder, iv, *step);
            let exists = index::below(builder, following, *upper);
            let iteration = Iteration {
                original: *index,
                next: following,
                exists,
            };
            self.emit_block(builder, body, Some(&iteration));
            self.flattened(&carried)
        });
        self.unflatten(&carried, &results.results());
    }

    /// Writes the factor with the rows that does not depend on the columns to workgroup memory: of
    /// 32 bits, it would take too many registers.
    fn keep_rows(&mut self, builder: &Builder<'c>, body: Block<'c>) {
        let products = self.roles.products(body);
        let (Some(kept), Some(product)) = (self.kept, products.first()) else {
            return;
        };
        let factor = product.row_factor;
        if !self.roles.is_tile(factor) {
            if depends_on_argument(factor, body) {
                return;
            }
            let view = self.recomputed(builder, factor, Some(body), &mut ValueMap::new());
            self.map.insert(factor.key(), view);
        } else if !self.tiles.contains_key(&factor.key()) {
            return;
        }
        for (at, element) in self.row_factor(builder, product).into_iter().enumerate() {
            let at = self.kept_index(builder, at);
            memref::store(builder, element, kept, &[at]);
        }
        self.kept_factor = Some(product.row_factor.key());
    }

    /// The index of an element of the thread. Adjacent threads have adjacent elements.
    pub(super) fn kept_index(&self, builder: &Builder<'c>, at: usize) -> Value<'c> {
        index::add(builder, self.thread, at as i64 * self.threads)
    }

    fn flattened(&self, tiles: &[usize]) -> Elements<'c> {
        let elements = tiles.iter().filter_map(|key| self.tiles.get(key));
        elements.flatten().copied().collect()
    }

    fn unflatten(&mut self, tiles: &[usize], values: &[Value<'c>]) {
        let mut values = values.iter().copied();
        for key in tiles {
            if let Some(elements) = self.tiles.get_mut(key) {
                for (element, value) in elements.iter_mut().zip(values.by_ref()) {
                    *element = value;
                }
            }
        }
    }

    /// The elements that a lane has of a tile.
    fn count(&self, tile: Value<'c>) -> usize {
        let columns = self.roles.columns(tile).map_or(1, columns_of_lane);
        columns * HALVES
    }

    pub(super) fn elements(&self, tile: Value<'c>) -> &[Value<'c>] {
        match self.tiles.get(&tile.key()) {
            Some(elements) => elements,
            None => bug("a tile is read before it is written"),
        }
    }

    fn emit_structured(&mut self, builder: &Builder<'c>, op: Operation<'c>) {
        if op.isa::<linalg::FillOp>() {
            if let [value, tile] = op.operands()[..] {
                let value = mapped(&self.map, value);
                self.tiles.insert(tile.key(), vec![value; self.count(tile)]);
            }
            return;
        }
        let kinds = op.cast::<linalg::GenericOp>().map(linalg::GenericOp::iterator_types);
        let reduces = kinds.unwrap_or_default().iter().any(|kind| *kind != IteratorType::Parallel);
        if reduces {
            self.reduce(builder, op);
        } else {
            self.map_elements(builder, op);
        }
    }

    /// Emits an op element by element.
    fn map_elements(&mut self, builder: &Builder<'c>, op: Operation<'c>) {
        let nest = Loops::of(op, self.roles);
        let mut results: Vec<Elements> = vec![Vec::new(); nest.outputs.len()];
        for column in 0..nest.columns_of_lane() {
            for half in 0..HALVES {
                let spot = Spot { half, column };
                let values = self.element(builder, &nest, spot, None);
                for (result, value) in results.iter_mut().zip(values) {
                    result.push(value);
                }
            }
        }
        for (output, elements) in nest.outputs.iter().zip(results) {
            if self.roles.is_tile(*output) {
                self.tiles.insert(output.key(), elements);
            } else {
                let number = nest.operands.iter().position(|operand| operand == output);
                self.store(builder, &nest, number.unwrap_or_default(), &elements);
            }
        }
    }

    /// Emits a reduction of rows.
    fn reduce(&mut self, builder: &Builder<'c>, op: Operation<'c>) {
        let nest = Loops::of(op, self.roles);
        let (Some(combiner), [output]) = (combiner(op), &nest.outputs[..]) else {
            bug("a reduction in a chain has no combiner");
        };
        let mut results = Vec::new();
        for half in 0..HALVES {
            let mut sum: Option<Value> = None;
            for column in 0..nest.columns_of_lane() {
                let spot = Spot { half, column };
                let start = sum.unwrap_or_else(|| combiner.neutral(builder));
                let next = self.element(builder, &nest, spot, Some(start))[0];
                sum = Some(match self.is_inside(builder, &nest, column) {
                    Some(is_inside) => arith::select(builder, is_inside, next, start),
                    None => next,
                });
            }
            let mut sum = sum.unwrap_or_else(|| combiner.neutral(builder));
            for distance in [1, 2] {
                let other = shuffle(builder, ShuffleMode::Xor, sum, distance);
                sum = combiner.combine(builder, sum, other);
            }
            let before = self.elements(*output)[half];
            results.push(combiner.combine(builder, before, sum));
        }
        self.tiles.insert(output.key(), results);
    }

    /// The condition that a column of a lane exists, unless it always does.
    pub(super) fn is_inside(
        &self,
        builder: &Builder<'c>,
        nest: &Loops<'c>,
        column: usize,
    ) -> Option<Value<'c>> {
        let columns = nest.columns.filter(|_| nest.is_ragged(column))?;
        let index = self.column_index(builder, column);
        Some(index::below(builder, index, columns))
    }

    fn column_index(&self, builder: &Builder<'c>, column: usize) -> Value<'c> {
        let column = column as i64;
        index::add(builder, self.column, column / 2 * 8 + column % 2)
    }

    /// Computes the results for one element; `sum` is the output of a reduction.
    fn element(
        &self,
        builder: &Builder<'c>,
        nest: &Loops<'c>,
        spot: Spot,
        sum: Option<Value<'c>>,
    ) -> Vec<Value<'c>> {
        let mut map = self.map.clone();
        let count = nest.operands.len();
        for (number, argument) in nest.arguments().into_iter().enumerate() {
            let value = match sum {
                Some(sum) if number + 1 == count => sum,
                _ if argument.is_unused() => continue,
                _ => self.operand(builder, nest, number, spot),
            };
            map.insert(argument.key(), value);
        }
        let Some(body) = nest.body else {
            return Vec::new();
        };
        let terminator = body.terminator();
        for op in body.operations().into_iter().filter(|op| Some(*op) != terminator) {
            if let Some(dim) = index_dimension(op) {
                let index = match nest.roles.get(dim) {
                    Some(Role::Row) => self.rows[spot.half].0,
                    _ => self.column_index(builder, spot.column),
                };
                map.insert(op.results()[0].key(), index);
            } else {
                builder.clone_op(op, &mut map);
            }
        }
        let yielded = terminator.map(Operation::operands).unwrap_or_default();
        yielded.into_iter().map(|value| mapped(&map, value)).collect()
    }

    /// The element of an operand; outside of the tile, an element of its last row or column.
    pub(super) fn operand(
        &self,
        builder: &Builder<'c>,
        nest: &Loops<'c>,
        number: usize,
        spot: Spot,
    ) -> Value<'c> {
        let value = nest.operands[number];
        if !value.ty().is_memref() {
            return mapped(&self.map, value);
        }
        if self.roles.is_tile(value) {
            let elements = self.elements(value);
            let has_columns = self.roles.columns(value).is_some();
            let column = if has_columns { spot.column } else { 0 };
            return elements[column * HALVES + spot.half];
        }
        let indices = self.indices(builder, nest, number, spot);
        memref::load(builder, mapped(&self.map, value), &indices)
    }

    /// The indices of an operand in memory.
    fn indices(
        &self,
        builder: &Builder<'c>,
        nest: &Loops<'c>,
        number: usize,
        spot: Spot,
    ) -> Vec<Value<'c>> {
        let map = &nest.maps[number];
        let index = |position: usize| {
            let Ok(index) = map.result(position) else {
                bug("a map has no such result");
            };
            if !index.is_dim() {
                return index::constant(builder, 0);
            }
            match nest.roles[index.dim_position()] {
                Role::Row => self.rows[spot.half].0,
                Role::Column => {
                    let index = self.column_index(builder, spot.column);
                    match nest.columns.filter(|_| nest.is_ragged(spot.column)) {
                        Some(columns) => index::min(builder, index, columns - 1),
                        None => index,
                    }
                }
            }
        };
        (0..map.result_count()).map(index).collect()
    }

    /// Stores the elements of a lane that exist.
    fn store(
        &self,
        builder: &Builder<'c>,
        nest: &Loops<'c>,
        number: usize,
        elements: &[Value<'c>],
    ) {
        let target = mapped(&self.map, nest.operands[number]);
        for (at, element) in elements.iter().enumerate() {
            let spot = Spot {
                half: at % HALVES,
                column: at / HALVES,
            };
            let inside = self.is_inside(builder, nest, spot.column);
            let inside = both(builder, self.rows[spot.half].1, inside);
            let indices = self.indices(builder, nest, number, spot);
            scf::when(builder, inside, |builder| {
                memref::store(builder, *element, target, &indices);
            });
        }
    }

    /// Copies a tile to a tile or to memory.
    fn copy(&mut self, builder: &Builder<'c>, source: Value<'c>, target: Value<'c>) {
        let elements = self.elements(source).to_vec();
        if self.roles.is_tile(target) {
            self.tiles.insert(target.key(), elements);
            return;
        }
        let Some(roles) = self.roles.roles(source) else {
            return;
        };
        let nest = Loops::of_buffer(builder, target, roles.to_vec());
        self.store(builder, &nest, 0, &elements);
    }
}

/// The columns of a lane in a tile.
pub(super) fn columns_of_lane(columns: i64) -> usize {
    (columns + 7) as usize / 8 * 2
}

/// The combiner of a reduction with one result.
pub(super) fn combiner(op: Operation<'_>) -> Option<Combiner<'_>> {
    let body = op.body(0)?;
    let [result] = body.terminator()?.operands()[..] else {
        return None;
    };
    carried_combiner(result, *body.arguments().last()?)
}

/// Whether a value is computed from an argument of a block.
fn depends_on_argument<'c>(value: Value<'c>, block: Block<'c>) -> bool {
    let owner = value.as_block_argument().map(|(owner, _)| owner);
    owner == Some(block)
        || value.defining_op().is_some_and(|op| {
            let mut operands = op.operands().into_iter();
            operands.any(|operand| depends_on_argument(operand, block))
        })
}

/// The tiles that an op writes.
fn written_by(op: Operation<'_>) -> Vec<Value<'_>> {
    let operands = op.operands();
    let count = match op.name() {
        linalg::FillOp::NAME | memref::CopyOp::NAME => 1,
        _ => op.cast::<linalg::GenericOp>().map_or(0, |generic| generic.outputs().len()),
    };
    operands[operands.len() - count..].to_vec()
}

pub(super) fn factor_of<'c>(product: &Product<'c>) -> Factor<'c> {
    Factor::of(product).unwrap_or_else(|| bug("a product of a chain has no factor"))
}
