//! Emits the loops of a chain.

use super::super::{
    copy_with, dimension,
    slice::{DYNAMIC, Slice},
};
use super::{
    Tiles,
    chain::{Chain, Kind, Member},
    layout::{Dim, tile_size, tile_stride},
    streamed::Blocks,
};
use crate::loops::{elementwise::is_empty, prelude::*};
use halo_ir::prelude::*;
use melior::ir::AffineExpr;
use std::collections::HashMap;

/// Consecutive tiles with the same number of rows.
struct Part {
    first_row: i64,
    rows: i64,
    count: i64,
}

/// The place of a tile's result.
pub(super) struct Place<'c> {
    /// The op that computes the result, and its initial value.
    root: Operation<'c>,
    start: Option<Value<'c>>,
    /// The tensor of all results, and the slice of the tile's.
    shared: Value<'c>,
    slice: Slice<'c>,
}

/// The values of a tile that have been emitted.
#[derive(Clone, Default)]
pub(super) struct Values<'c>(HashMap<usize, Value<'c>>);

impl<'c> Values<'c> {
    fn get(&self, value: Value<'c>) -> Option<Value<'c>> {
        self.0.get(&value.key()).copied()
    }

    /// The tile of a member's result.
    pub fn of(&self, value: Value<'c>) -> Value<'c> {
        self.get(value).unwrap_or_else(|| bug("a value of a chain is not computed"))
    }

    /// Sets the tiles of a member's results.
    pub fn set(&mut self, member: &Member<'c>, tiles: Vec<Value<'c>>) {
        for (result, tile) in member.op.results().into_iter().zip(tiles) {
            self.0.insert(result.key(), tile);
        }
    }
}

/// An iteration of the loop over a [`Part`].
#[derive(Clone)]
pub(super) struct Tile<'a, 'c> {
    pub chain: &'a Chain<'c>,
    pub extents: Vec<i64>,
    /// The first iteration of each axis.
    pub first: Vec<Option<Value<'c>>>,
}

impl<'c> Chain<'c> {
    /// Returns true if the tiles of all external tensors, of the result and of all loops have
    /// uniform strides.
    pub(super) fn has_regular_tiles(&self, extents: &[i64]) -> bool {
        let is_regular = |dim: &Dim| tile_stride(&self.axes.resolve(dim), extents).is_some();
        let has_regular_result = self
            .members
            .last()
            .is_some_and(|root| root.results.iter().flatten().all(is_regular));
        has_regular_result
            && self.members.iter().all(|member| {
                let values = member.op.operands().into_iter().zip(&member.operands);
                let mut outside = values.filter(|(value, _)| !self.is_inside(*value));
                outside.all(|(_, dims)| dims.iter().all(is_regular))
                    && member.loops.iter().all(is_regular)
            })
    }

    /// Returns true if an op of the chain computes a value.
    fn is_inside(&self, value: Value<'c>) -> bool {
        let producer = value.defining_op();
        producer.is_some_and(|op| self.member(op).is_some())
    }

    /// Replaces the chain by loops, and returns them.
    pub(super) fn emit(&self, tiles: &Tiles) -> Vec<Operation<'c>> {
        let Some(root) = self.members.last() else {
            return Vec::new();
        };
        let size = self.axes.size(tiles.axis);
        let count = size / tiles.rows;
        let whole = Part {
            first_row: 0,
            rows: tiles.rows,
            count,
        };
        let rest = Part {
            first_row: count * tiles.rows,
            rows: size % tiles.rows,
            count: 1,
        };
        with_builder(root.op, |b| {
            let result = root.op.results()[0];
            let mut shared = tensor::empty(b, &[], result.ty());
            let mut loops = Vec::new();
            for part in [whole, rest].iter().filter(|part| part.rows > 0) {
                let forall = self.forall(b, tiles, part, shared);
                shared = forall.results()[0];
                loops.push(forall);
            }
            b.replace_uses(result, shared);
            for member in self.members.iter().rev() {
                if member.op.results().into_iter().all(Value::is_unused) {
                    b.erase(member.op);
                }
            }
            loops
        })
    }

    fn forall(
        &self,
        b: &Builder<'c>,
        tiles: &Tiles,
        part: &Part,
        shared: Value<'c>,
    ) -> Operation<'c> {
        let axis = tiles.axis;
        let ty = shared.ty();
        // The tiles of one product are consecutive, since they read the same factors.
        let others = self.batch.iter().chain(&self.rows).copied();
        let mut axes: Vec<usize> = others.filter(|other| *other != axis).collect();
        let mut sizes: Vec<i64> = axes.iter().map(|axis| self.axes.size(*axis)).collect();
        axes.push(axis);
        sizes.push(part.count);
        let region = b.region(&[Type::index(b.context()), ty], |b, arguments| {
            let ivs = index::delinearize(b, arguments[0], &sizes);
            let mut tile = Tile {
                chain: self,
                extents: self.row_extents(),
                first: vec![None; self.axes.len()],
            };
            for (axis, iv) in axes.iter().zip(ivs) {
                tile.first[*axis] = Some(iv);
            }
            let offset = match part.count {
                1 => index::constant(b, part.first_row),
                _ => index::mul(b, tile.first[axis].unwrap_or(arguments[0]), part.rows),
            };
            tile.first[axis] = Some(offset);
            tile.extents[axis] = part.rows;
            let (value, slice) = tile.compute(b, arguments[1], tiles.blocks.as_ref());
            let insertion = b.region(&[], |b, _| slice.insert(b, value, arguments[1]));
            scf::forall_in_parallel(b, insertion);
        });
        let count = sizes.iter().product();
        let forall = scf::ForallOp::build(
            b,
            &[],
            &[],
            &[],
            &[0],
            &[count],
            &[1],
            &[shared],
            &[ty],
            region,
        );
        forall.insert().operation()
    }
}

impl<'c> Tile<'_, 'c> {
    /// Emits all ops, and returns the result of the last one with its slice.
    fn compute(
        &self,
        b: &Builder<'c>,
        shared: Value<'c>,
        blocks: Option<&Blocks>,
    ) -> (Value<'c>, Slice<'c>) {
        let mut values = Values::default();
        let members = &self.chain.members;
        let [.., root] = &members[..] else {
            bug("a chain without ops");
        };
        let slice = self.slice(b, shared, &root.results[0]);
        let scales =
            blocks.is_some_and(|blocks| root.kind == Kind::Contraction && blocks.stream.scales());
        let place = Place {
            root: root.op,
            // The initial value of the last op is written to the slice of its result, unless
            // another op scales the last one's result.
            start: root.op.operands().last().copied().filter(|_| !scales),
            shared,
            slice,
        };
        match blocks {
            Some(blocks) => self.stream(b, blocks, &mut values, &place),
            None => {
                for member in members {
                    self.emit_member(b, member, &mut values, &place);
                }
            }
        }
        (values.of(root.op.results()[0]), place.slice)
    }

    /// The tile of an operand.
    pub(super) fn operand(
        &self,
        b: &Builder<'c>,
        member: &Member<'c>,
        number: usize,
        values: &Values<'c>,
        place: &Place<'c>,
    ) -> Value<'c> {
        let dims = &member.operands[number];
        if let Some(source) = member.moved(number) {
            return self.slice(b, source, dims).extract(b, source);
        }
        let value = member.op.operands()[number];
        match values.get(value) {
            _ if !value.ty().is_tensor() => value,
            Some(tile) => tile,
            None if is_empty(value) => {
                let is_start = member.op.results().first().copied() == place.start;
                if is_start || Some(value) == place.start {
                    self.output(b, member, place)
                } else {
                    self.empty(b, dims, value.ty().element_type())
                }
            }
            None => match value.defining_op().filter(|op| Kind::of(*op) == Some(Kind::Fill)) {
                Some(fill) => {
                    let out = self.empty(b, dims, value.ty().element_type());
                    let operands = [fill.operands()[0], out];
                    copy_with(b, fill, &operands, &[out.ty()]).results()[0]
                }
                None => self.slice(b, value, dims).extract(b, value),
            },
        }
    }

    /// The tile that an op writes.
    pub(super) fn output(
        &self,
        b: &Builder<'c>,
        member: &Member<'c>,
        place: &Place<'c>,
    ) -> Value<'c> {
        let result = member.op.results()[0];
        if member.op == place.root || Some(result) == place.start {
            place.slice.extract(b, place.shared)
        } else {
            self.empty(b, &member.results[0], result.ty().element_type())
        }
    }

    /// Emits an op on tiles.
    pub(super) fn emit_member(
        &self,
        b: &Builder<'c>,
        member: &Member<'c>,
        values: &mut Values<'c>,
        place: &Place<'c>,
    ) {
        let b = &b.at(member.op.location());
        let numbers = 0..member.operands.len();
        let operands: Vec<Value> =
            numbers.map(|number| self.operand(b, member, number, values, place)).collect();
        let computed = match member.kind {
            Kind::Reshape => vec![self.reshape(b, member, operands[0])],
            Kind::Fill => {
                let types = operands.last().map(|output| output.ty());
                let types: Vec<Type> = types.into_iter().collect();
                copy_with(b, member.op, &operands, &types).results()
            }
            Kind::Contraction | Kind::Elements => self.structured(b, member, &operands),
        };
        values.set(member, computed);
    }

    /// An empty tile.
    pub(super) fn empty(&self, b: &Builder<'c>, dims: &[Dim], element: Type<'c>) -> Value<'c> {
        tensor::empty(b, &[], tensor_type(&self.kept_sizes(dims), element))
    }

    pub(super) fn size(&self, dim: &Dim) -> i64 {
        tile_size(&self.chain.axes.resolve(dim), &self.extents)
    }

    /// The factors of a dimension with several elements in a tile.
    pub(super) fn varying(&self, dim: &Dim) -> Dim {
        let mut factors = self.chain.axes.resolve(dim);
        factors.retain(|factor| tile_size(&[*factor], &self.extents) != 1);
        factors
    }

    /// The sizes of the dimensions with several elements in a tile.
    fn kept_sizes(&self, dims: &[Dim]) -> Vec<i64> {
        let sizes = dims.iter().map(|dim| self.size(dim));
        sizes.filter(|size| *size != 1).collect()
    }

    /// The first element of a tile in a dimension, and the stride of its elements.
    fn position(&self, b: &Builder<'c>, dim: &Dim) -> (Value<'c>, i64) {
        let factors = self.chain.axes.resolve(dim);
        let mut first = index::constant(b, 0);
        let mut behind = 1;
        for factor in factors.iter().rev() {
            if let Some(own) = factor.axis.and_then(|axis| self.first[axis]) {
                let offset = index::mul(b, own, behind);
                first = index::add(b, first, offset);
            }
            behind *= factor.size;
        }
        (first, tile_stride(&factors, &self.extents).unwrap_or(1))
    }

    fn slice(&self, b: &Builder<'c>, value: Value<'c>, dims: &[Dim]) -> Slice<'c> {
        let mut slice = Slice {
            offsets: Vec::new(),
            static_offsets: Vec::new(),
            sizes: dims.iter().map(|dim| self.size(dim)).collect(),
            strides: Vec::new(),
            ty: tensor_type(&self.kept_sizes(dims), value.ty().element_type()),
        };
        for dim in dims {
            let (first, stride) = self.position(b, dim);
            match arith::constant_index(first) {
                Some(first) => slice.static_offsets.push(first),
                None => {
                    slice.static_offsets.push(DYNAMIC);
                    slice.offsets.push(first);
                }
            }
            slice.strides.push(stride);
        }
        slice
    }

    /// Emits a structured op on tiles, without loops of one iteration.
    pub(super) fn structured(
        &self,
        b: &Builder<'c>,
        member: &Member<'c>,
        operands: &[Value<'c>],
    ) -> Vec<Value<'c>> {
        let (Some(generic), Some(maps), Some(body)) = (
            member.op.cast::<linalg::GenericOp>(),
            member.op.indexing_maps(),
            member.op.body(0),
        ) else {
            bug("an op without loops");
        };
        let mut numbers = Vec::new();
        let mut kinds = Vec::new();
        for (dim, kind) in member.loops.iter().zip(generic.iterator_types()) {
            let is_kept = self.size(dim) != 1;
            numbers.push(is_kept.then_some(kinds.len()));
            if is_kept {
                kinds.push(kind);
            }
        }
        let context = b.context();
        let mut tile_maps = Vec::new();
        for (operand, (map, dims)) in maps.iter().zip(&member.operands).enumerate() {
            let is_moved = member.moved(operand).is_some();
            let mut indices = Vec::new();
            for (position, dim) in dims.iter().enumerate() {
                if self.size(dim) == 1 {
                    continue;
                }
                let own = if is_moved {
                    member.loops.iter().position(|own| self.varying(own) == self.varying(dim))
                } else {
                    dimension(map, position)
                };
                let number = own.and_then(|dim| numbers[dim]);
                indices.push(match number {
                    Some(number) => AffineExpr::dim(context, number),
                    None => AffineExpr::constant(context, 0),
                });
            }
            tile_maps.push(AffineMap::new(context, kinds.len(), 0, &indices));
        }
        let first = operands.len() - member.op.results().len();
        let (inputs, outputs) = operands.split_at(first);
        let op = linalg::generic(b, inputs, outputs, &tile_maps, &kinds, |b, arguments| {
            b.clone_body(body, arguments)
        });
        let op = op.operation();
        op.merge_discardable(member.op);
        for nested in op.collect_nested(|nested| nested.isa::<linalg::IndexOp>()) {
            let Some(dim) = index_dimension(nested) else {
                continue;
            };
            let (first, stride) = self.position(b, &member.loops[dim]);
            with_builder(nested, |b| {
                let mut index = first;
                if let Some(number) = numbers[dim] {
                    let own = linalg::index(b, number as i64);
                    index = index::add(b, index::mul(b, own, stride), first);
                }
                b.replace(nested, &[index])
            });
        }
        op.results()
    }

    /// Emits a reshape of a tile, for the dimensions with several elements.
    fn reshape(&self, b: &Builder<'c>, member: &Member<'c>, source: Value<'c>) -> Value<'c> {
        let (operand, result) = (&member.operands[0], &member.results[0]);
        let expands = result.len() > operand.len();
        let (smaller, larger) = if expands {
            (operand, result)
        } else {
            (result, operand)
        };
        let mut number = 0;
        let mut groups = Vec::new();
        for (dim, group) in smaller.iter().zip(member.reassociation()) {
            let mut kept = Vec::new();
            for part in group {
                let part = usize::try_from(part).ok().and_then(|part| larger.get(part));
                if part.is_some_and(|part| self.size(part) != 1) {
                    kept.push(number);
                    number += 1;
                }
            }
            if self.size(dim) != 1 {
                groups.push(kept);
            }
        }
        if groups.iter().all(|group| group.len() == 1) {
            return source;
        }
        let sizes = self.kept_sizes(result);
        let ty = tensor_type(&sizes, source.ty().element_type());
        let groups: Vec<&[i64]> = groups.iter().map(Vec::as_slice).collect();
        if expands {
            tensor::expand_shape(b, source, &groups, &[], &sizes, ty)
        } else {
            tensor::collapse_shape(b, source, &groups, ty)
        }
    }
}
