//! Collects the ops between two products, with their common loops.

use super::super::{dimension, form_fusion_groups::member, position_of, take_last};
use super::layout::{Axes, Dim, tile_size, whole};
use crate::{
    explain::Reason,
    loops::{
        contraction::{Body, Groups},
        elementwise::{Elementwise, is_empty},
    },
};
use halo_ir::prelude::*;
use std::collections::HashSet;

/// The time of LLVM is superlinear in the length of a function.
const MOST_MEMBERS: usize = 64;

/// The kind of an op in a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Contraction,
    Fill,
    /// An elementwise op, a broadcast or a reduction.
    Elements,
    Reshape,
}

impl Kind {
    pub fn of(op: Operation) -> Option<Self> {
        match member::Kind::of(op) {
            Some(member::Kind::Fill) => Some(Self::Fill),
            Some(member::Kind::Generic) => Some(Self::Elements),
            Some(member::Kind::Reshape) => Some(Self::Reshape),
            None => contraction_loops(op).map(|_| Self::Contraction),
        }
    }
}

/// The loops of a product of two tensors, by their use in its maps.
pub(super) fn contraction_loops(op: Operation) -> Option<Groups<Vec<usize>>> {
    let generic = op.cast::<linalg::GenericOp>()?;
    let maps = op.indexing_maps()?;
    let values = op.operands();
    let are_static = values.iter().all(|value| {
        value
            .ty()
            .static_shape()
            .is_some_and(|shape| shape.iter().all(|size| *size > 0))
    });
    if values.len() != 3
        || op.results().len() != 1
        || !are_static
        || !maps.iter().all(member::is_plain)
        || !op.collect_nested(|op| op.isa::<linalg::IndexOp>()).is_empty()
    {
        return None;
    }
    Body::of(op.body(0)?)?;
    let kinds = generic.iterator_types();
    let mentions = |dim| {
        let mentions =
            |map: &AffineMap| (0..map.result_count()).any(|at| dimension(map, at) == Some(dim));
        [mentions(&maps[0]), mentions(&maps[1]), mentions(&maps[2])]
    };
    let groups = Groups::infer(0..kinds.len(), mentions)?;
    let is_summed = |dim: &usize| kinds[*dim] != IteratorType::Parallel;
    (!groups.k.is_empty() && groups.k.iter().all(is_summed)).then_some(groups)
}

/// An op of a chain.
#[derive(Clone, Debug)]
pub(super) struct Member<'c> {
    pub op: Operation<'c>,
    pub kind: Kind,
    /// The loops of a structured op.
    pub loops: Vec<Dim>,
    /// The dimensions of operands and results; scalars have none.
    pub operands: Vec<Vec<Dim>>,
    pub results: Vec<Vec<Dim>>,
    /// True if it computes an operand of a product other than the last one.
    pub is_prologue: bool,
    /// The factors of a product that it reads in place of operands with the same elements in
    /// another order; `operands` has their dimensions.
    pub moved: [Option<Value<'c>>; 2],
}

impl<'c> Member<'c> {
    /// A structured op with known loops.
    fn structured(op: Operation<'c>, kind: Kind, loops: Vec<Dim>) -> Option<Self> {
        let (values, maps) = (op.operands(), op.indexing_maps()?);
        let mut operands = Vec::new();
        for (value, map) in values.iter().zip(&maps) {
            let shape = if value.ty().is_tensor() {
                value.ty().static_shape()?
            } else {
                Vec::new()
            };
            let dim = |(position, size): (usize, &i64)| match dimension(map, position) {
                Some(dim) => loops.get(dim).cloned(),
                None => Some(whole(*size)),
            };
            operands.push(shape.iter().enumerate().map(dim).collect::<Option<_>>()?);
        }
        let first = values.len().checked_sub(op.results().len())?;
        Some(Self {
            op,
            kind,
            loops,
            results: operands[first..].to_vec(),
            operands,
            is_prologue: false,
            moved: [None; 2],
        })
    }

    /// The dimensions of the expanded shape of a reshape for each dimension of the collapsed one.
    pub fn reassociation(&self) -> Vec<Vec<i64>> {
        let expand = self.op.cast::<tensor::ExpandShapeOp>();
        let collapse = self.op.cast::<tensor::CollapseShapeOp>();
        let collapsed = || collapse.map(tensor::CollapseShapeOp::reassociation);
        expand
            .map(tensor::ExpandShapeOp::reassociation)
            .or_else(collapsed)
            .unwrap_or_default()
    }

    /// The numbers of the operands that use a value.
    fn uses_of(&self, value: Value<'c>) -> impl Iterator<Item = usize> + use<'c> {
        let operands = self.op.operands().into_iter().take(self.operands.len());
        let uses = operands.enumerate().filter(move |(_, operand)| *operand == value);
        uses.map(|(number, _)| number)
    }

    /// The factor that it reads in place of an operand.
    pub fn moved(&self, number: usize) -> Option<Value<'c>> {
        self.moved.get(number).copied().flatten()
    }

    /// Returns true if it is a reduction.
    pub fn reduces(&self) -> bool {
        self.kind == Kind::Elements && member::reduces(self.op)
    }

    /// The bytes of an element of an operand.
    pub fn element_bytes(&self, operand: usize) -> i64 {
        let value = self.op.operands().get(operand).copied();
        let bits = value.and_then(|value| value.ty().element_type().bit_width());
        i64::from(bits.unwrap_or(64).div_ceil(8))
    }

    /// The number of elements of the tile of its first result.
    pub fn result_elements(&self, axes: &Axes, extents: &[i64]) -> i64 {
        Self::tile_elements(&self.results[0], axes, extents)
    }

    /// The number of elements of a tile of a value.
    pub fn tile_elements(dims: &[Dim], axes: &Axes, extents: &[i64]) -> i64 {
        let sizes = dims.iter().map(|dim| tile_size(&axes.resolve(dim), extents));
        sizes.fold(1, i64::saturating_mul)
    }

    /// The bytes of the tiles of its results.
    pub fn tile_bytes(&self, axes: &Axes, extents: &[i64]) -> i64 {
        let results = self.op.results().into_iter().zip(&self.results);
        results.fold(0, |bytes: i64, (result, dims)| {
            let bits = result.ty().element_type().bit_width().unwrap_or(64);
            let elements = Self::tile_elements(dims, axes, extents);
            bytes.saturating_add(elements.saturating_mul(i64::from(bits.div_ceil(8))))
        })
    }
}

/// A product, the ops that compute one of its operands from other products, and the elementwise
/// users of its result.
pub(super) struct Chain<'c> {
    /// In block order; the last one computes the result.
    pub members: Vec<Member<'c>>,
    pub axes: Axes,
    /// The batch axes, of which each tile has one iteration, and the axes of the rows.
    pub batch: Vec<usize>,
    pub rows: Vec<usize>,
    /// The axis over which the last product sums, if it is one.
    pub columns: Option<usize>,
}

/// The reason why there is no chain, with its op; `None` if there are no two products.
pub(super) type Refusal<'c> = Option<(Operation<'c>, Reason)>;

const OTHER_ELEMENTS: Reason = Reason::TileNeedsOtherElements;
const READ_BY_OTHERS: Reason = Reason::IntermediateReadElsewhere;

impl<'c> Chain<'c> {
    /// The chain that ends with a product, following one of its operands.
    pub fn of(product: Operation<'c>, side: usize) -> Result<Self, Refusal<'c>> {
        let groups = contraction_loops(product).ok_or(None)?;
        let maps = product.indexing_maps().unwrap_or_default();
        let size_of = |dim: usize| {
            product.operands().iter().zip(&maps).find_map(|(value, map)| {
                let at = position_of(map, dim)?;
                value.ty().static_shape()?.get(at).copied()
            })
        };
        let rows = if side == 0 { &groups.m } else { &groups.n };
        let mut axes = Axes::default();
        let (mut batch_axes, mut row_axes, mut columns) = (Vec::new(), Vec::new(), None);
        let mut loops = Vec::new();
        let count = maps.first().map_or(0, AffineMap::dim_count);
        for dim in 0..count {
            let size = size_of(dim).ok_or(None)?;
            let is_batch = groups.batch.contains(&dim);
            if is_batch || rows.contains(&dim) {
                let axis = axes.add(size);
                (if is_batch {
                    &mut batch_axes
                } else {
                    &mut row_axes
                })
                .push(axis);
                loops.push(axes.dim(axis));
            } else {
                let axis = axes.add(size);
                if groups.k == [dim] {
                    columns = Some(axis);
                }
                loops.push(axes.dim(axis));
            }
        }
        let product = Member::structured(product, Kind::Contraction, loops).ok_or(None)?;
        let mut chain = Self {
            members: vec![product],
            axes,
            batch: batch_axes,
            rows: row_axes,
            columns,
        };
        chain.add_users();
        chain.add_producers(side)?;
        let (batch, rows) = (chain.batch.clone(), chain.rows.clone());
        chain.batch = batch.into_iter().flat_map(|axis| chain.axes.leaves(axis)).collect();
        chain.rows = rows.into_iter().flat_map(|axis| chain.axes.leaves(axis)).collect();
        chain.members.sort_by(|one, other| {
            if one.op == other.op {
                std::cmp::Ordering::Equal
            } else if one.op.is_before(other.op) {
                std::cmp::Ordering::Less
            } else {
                std::cmp::Ordering::Greater
            }
        });
        Ok(chain)
    }

    /// The product before the last one.
    pub fn before(&self) -> Option<Operation<'c>> {
        let products = self.of_kind(Kind::Contraction);
        products.rev().nth(1).map(|member| member.op)
    }

    /// The member of an op.
    pub fn member(&self, op: Operation<'c>) -> Option<&Member<'c>> {
        self.members.iter().find(|member| member.op == op)
    }

    /// The members of a kind.
    pub fn of_kind(&self, kind: Kind) -> impl DoubleEndedIterator<Item = &Member<'c>> {
        self.members.iter().filter(move |member| member.kind == kind)
    }

    /// Returns true if dimensions contain an axis.
    pub fn has_axis(&self, dims: &[Dim], axis: usize) -> bool {
        let factors = dims.iter().flat_map(|dim| self.axes.resolve(dim));
        factors.into_iter().any(|factor| factor.axis == Some(axis))
    }

    /// Returns true if dimensions contain all axes of the batch and of the rows.
    fn has_all_axes(&self, dims: &[Dim]) -> bool {
        let mut own = dims.iter().flat_map(|dim| self.axes.resolve(dim)).collect::<Vec<_>>();
        own.retain(|factor| factor.axis.is_some());
        let shared = self.batch.iter().chain(&self.rows);
        let mut needed = shared.flat_map(|axis| self.axes.dim(*axis));
        needed.all(|factor| own.contains(&factor))
    }

    /// Reads the factors of products before they were transposed, reshaped or broadcast.
    pub fn read_sources(&mut self) {
        let fixed: Vec<usize> = (0..self.axes.len()).collect();
        for at in 0..self.members.len() {
            if self.members[at].kind != Kind::Contraction {
                continue;
            }
            for number in [0, 1] {
                let member = &self.members[at];
                let value = member.op.operands()[number];
                if value.defining_op().is_some_and(|op| self.member(op).is_some()) {
                    continue;
                }
                let dims = member.operands[number].clone();
                if let Some((source, dims)) = self.source(value, dims, &fixed) {
                    let member = &mut self.members[at];
                    member.moved[number] = Some(source);
                    member.operands[number] = dims;
                }
            }
        }
    }

    /// The value from which ops that only move elements compute another one, with its dimensions;
    /// `None` if it is the value itself.
    fn source(
        &self,
        value: Value<'c>,
        dims: Vec<Dim>,
        fixed: &[usize],
    ) -> Option<(Value<'c>, Vec<Dim>)> {
        let mut axes = self.axes.clone();
        let (mut value, mut dims, mut found) = (value, dims, None);
        while let Some(op) = value.defining_op() {
            let source = *op.operands().first()?;
            let shape = source.ty().static_shape();
            let before = match Kind::of(op) {
                Some(Kind::Reshape) => shape.and_then(|shape| axes.reshape(&dims, &shape)),
                Some(Kind::Elements) => moved_dims(op, &dims),
                _ => None,
            };
            // Axes that a reshape divides are loops as a whole.
            let is_whole = |axis: &usize| axes.leaves(*axis) == self.axes.leaves(*axis);
            let Some(before) = before.filter(|_| fixed.iter().all(is_whole)) else {
                break;
            };
            (value, dims) = (source, before);
            found = Some((value, dims.clone()));
        }
        found
    }

    /// The iterations of each axis for one row: one of the batch and of the rows, and all of the
    /// others.
    pub fn row_extents(&self) -> Vec<i64> {
        let mut extents: Vec<i64> = (0..self.axes.len()).map(|axis| self.axes.size(axis)).collect();
        for axis in self.batch.iter().chain(&self.rows) {
            extents[*axis] = 1;
        }
        extents
    }

    /// The product that ends the chain.
    pub fn last_product(&self) -> Option<Operation<'c>> {
        self.of_kind(Kind::Contraction).next_back().map(|member| member.op)
    }

    /// Adds the elementwise ops, such as a conversion or a transposition, that are the only users
    /// of the product's result.
    fn add_users(&mut self) {
        let mut reshapes = Vec::new();
        let last = &self.members[0];
        let mut value = last.op.results()[0];
        let mut dims = last.results[0].clone();
        while let [(user, number)] = value.uses()[..] {
            if user.block() != self.members[0].op.block() || user.results().len() != 1 {
                return;
            }
            match Kind::of(user) {
                Some(Kind::Reshape) => {
                    let result = user.results()[0];
                    let Some(shape) = result.ty().static_shape() else {
                        return;
                    };
                    let Some(reshaped) = self.axes.reshape(&dims, &shape) else {
                        return;
                    };
                    reshapes.push(Member {
                        op: user,
                        kind: Kind::Reshape,
                        loops: Vec::new(),
                        operands: vec![dims],
                        results: vec![reshaped.clone()],
                        is_prologue: false,
                        moved: [None; 2],
                    });
                    (value, dims) = (result, reshaped);
                }
                Some(Kind::Elements) if !member::reduces(user) => {
                    let Some(member) = elementwise_user(user, number, &dims) else {
                        return;
                    };
                    value = user.results()[0];
                    dims = member.results[0].clone();
                    self.members.append(&mut reshapes);
                    self.members.push(member);
                }
                _ => return,
            }
        }
    }

    /// Adds the ops that compute the operand with the rows, up to the products before it.
    fn add_producers(&mut self, side: usize) -> Result<(), Refusal<'c>> {
        let product = self.members[0].op;
        let mut seen = HashSet::new();
        let mut left_out = Vec::new();
        let mut unseen = |values: Vec<Value<'c>>| {
            let producers = values.into_iter().filter_map(Value::defining_op);
            let near =
                producers.filter(|op| op.block() == product.block() && Kind::of(*op).is_some());
            near.filter(|op| seen.insert(op.key())).collect::<Vec<_>>()
        };
        let values = product.operands();
        let mut pending = unseen(vec![values[side], values[2]]);
        while let Some(producer) = take_last(&mut pending) {
            match self.absorb(producer) {
                Ok(()) => pending.extend(unseen(producer.operands())),
                Err(reason) => left_out.push((producer, reason)),
            }
        }
        let products = self.of_kind(Kind::Contraction).count();
        if products > 1 {
            return Ok(());
        }
        Err(left_out.into_iter().find(|(op, _)| product_before(*op).is_some()))
    }

    /// Adds an op whose users are all in the chain.
    fn absorb(&mut self, producer: Operation<'c>) -> Result<(), Reason> {
        if self.members.len() >= MOST_MEMBERS {
            return Err(Reason::ManyOpsBetween);
        }
        let kind = Kind::of(producer).ok_or(Reason::NoStaticLoop)?;
        let product = self.members[0].op;
        let mut is_prologue = false;
        let shared = self.batch.iter().chain(&self.rows);
        let shared: Vec<usize> = shared.flat_map(|axis| self.axes.leaves(*axis)).collect();
        let mut results: Vec<Option<Vec<Dim>>> = Vec::new();
        for result in producer.results() {
            let mut dims: Option<Vec<Dim>> = None;
            // Iterates over the members instead of the users, since a fill may have thousands of
            // users.
            let uses: Vec<(usize, usize)> = self
                .members
                .iter()
                .enumerate()
                .flat_map(|(at, member)| member.uses_of(result).map(move |number| (at, number)))
                .collect();
            // A fill is cloned for each tile.
            if kind != Kind::Fill && result.has_n_uses_or_more(uses.len() + 1) {
                return Err(READ_BY_OTHERS);
            }
            for (user, operand) in uses {
                let user = &self.members[user];
                is_prologue |= user.is_prologue;
                is_prologue |= user.kind == Kind::Contraction && user.op != product;
                let needed: Vec<Dim> =
                    user.operands[operand].iter().map(|dim| self.axes.resolve(dim)).collect();
                match &dims {
                    // The elements of a fill do not differ.
                    Some(dims) if kind == Kind::Fill && *dims != needed => {
                        return Err(OTHER_ELEMENTS);
                    }
                    Some(dims) if !self.axes.unify(dims, &needed, &shared) => {
                        return Err(OTHER_ELEMENTS);
                    }
                    Some(_) => {}
                    None => dims = Some(needed),
                }
            }
            results.push(dims);
        }
        for dim in results.iter_mut().flatten().flatten() {
            *dim = self.axes.resolve(dim);
        }
        if kind == Kind::Contraction && is_prologue {
            return Err(Reason::ComputesFactor);
        }
        let known = results.iter().flatten();
        if kind != Kind::Fill && !known.clone().all(|dims| self.has_all_axes(dims)) {
            return Err(Reason::TilesRecompute);
        }
        let mut member = match kind {
            Kind::Reshape => {
                let dims = results.swap_remove(0).ok_or(OTHER_ELEMENTS)?;
                let shape = producer
                    .operands()
                    .first()
                    .and_then(|source| source.ty().static_shape())
                    .ok_or(OTHER_ELEMENTS)?;
                let source = self.axes.reshape(&dims, &shape).ok_or(OTHER_ELEMENTS)?;
                Member {
                    op: producer,
                    kind,
                    loops: Vec::new(),
                    operands: vec![source],
                    results: vec![dims],
                    is_prologue: false,
                    moved: [None; 2],
                }
            }
            _ => {
                let loops = self.loops_of(producer, &results).ok_or(OTHER_ELEMENTS)?;
                Member::structured(producer, kind, loops).ok_or(OTHER_ELEMENTS)?
            }
        };
        member.is_prologue = is_prologue;
        self.members.push(member);
        Ok(())
    }
    /// The loops of a structured op whose results have known dimensions.
    fn loops_of(&mut self, op: Operation, results: &[Option<Vec<Dim>>]) -> Option<Vec<Dim>> {
        let (values, maps) = (op.operands(), op.indexing_maps()?);
        let first = values.len().checked_sub(results.len())?;
        let count = maps.first()?.dim_count();
        let mut loops: Vec<Option<Dim>> = vec![None; count];
        for (dims, map) in results.iter().zip(&maps[first..]) {
            for (position, dim) in dims.iter().flatten().enumerate() {
                let Some(own) = dimension(map, position) else {
                    continue;
                };
                if loops[own].as_ref().is_some_and(|known| known != dim) {
                    return None;
                }
                loops[own] = Some(dim.clone());
            }
        }
        // The reduction loops.
        for (value, map) in values.iter().zip(&maps) {
            let shape = value.ty().static_shape().unwrap_or_default();
            for (position, size) in shape.iter().enumerate() {
                if let Some(own) = dimension(map, position) {
                    let axes = &mut self.axes;
                    loops[own].get_or_insert_with(|| axes.new_dim(*size));
                }
            }
        }
        loops.into_iter().collect()
    }
}

/// An elementwise op that reads a value of known dimensions, and uses each of its elements once.
fn elementwise_user<'c>(user: Operation<'c>, number: usize, dims: &[Dim]) -> Option<Member<'c>> {
    let (values, maps) = (user.operands(), user.indexing_maps()?);
    let (output, inputs) = values.split_last()?;
    if number >= inputs.len() || !is_empty(*output) {
        return None;
    }
    let map = &maps[number];
    let loops: Vec<Dim> = (0..map.dim_count())
        .map(|dim| {
            match position_of(map, dim) {
                Some(at) => Some(dims[at].clone()),
                // A dimension that the value lacks comes from another operand.
                None => {
                    let last = maps.last()?;
                    let at = position_of(last, dim)?;
                    let size = *output.ty().static_shape()?.get(at)?;
                    (size == 1).then(Vec::new)
                }
            }
        })
        .collect::<Option<_>>()?;
    Member::structured(user, Kind::Elements, loops)
}

/// The dimensions of the only input of an op that moves elements: a transposition or a broadcast.
fn moved_dims(op: Operation, dims: &[Dim]) -> Option<Vec<Dim>> {
    let moved = Elementwise::of(op).filter(|op| op.has_empty_outputs())?;
    let ([input], [map, _]) = (&moved.inputs[..], &moved.maps[..]) else {
        return None;
    };
    let body = op.body(0)?;
    if body.terminator()?.operands()[..] != body.arguments()[..1] {
        return None;
    }
    let shape = input.ty().static_shape()?;
    let dim = |(position, size): (usize, &i64)| match dimension(map, position) {
        Some(own) => dims.get(own).cloned(),
        None => (*size == 1).then(Vec::new),
    };
    shape.iter().enumerate().map(dim).collect()
}

/// The op if it is a product, else a product from which its operands are computed.
pub(super) fn product_before(op: Operation<'_>) -> Option<Operation<'_>> {
    let (mut pending, mut seen) = (vec![op], HashSet::new());
    while let Some(op) = pending.pop() {
        if seen.len() >= MOST_MEMBERS || !seen.insert(op.key()) {
            continue;
        }
        match Kind::of(op) {
            Some(Kind::Contraction) => return Some(op),
            Some(_) => {
                let producers = op.operands().into_iter().filter_map(Value::defining_op);
                pending.extend(producers);
            }
            None => {}
        }
    }
    None
}
