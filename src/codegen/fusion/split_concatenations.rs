//! `--halo-split-concatenations`: splits readers of a concatenation into one op per part.
//!
//! A concatenation is a chain of insertions into an empty tensor, each of which is a copy. An
//! elementwise op can read the parts instead, and the concatenation of its results needs no copies:
//! each part is computed in its slice of the result.
//!
//! ```mlir
//! %0 = tensor.insert_slice %a into %empty[0, 0] [4, 8] [1, 1]
//! %1 = tensor.insert_slice %b into %0[0, 8] [4, 8] [1, 1]
//! %2 = linalg.generic ins(%1, %c : tensor<4x16xf32>, tensor<4x16xf32>) outs(%empty) { addf }
//! ```
//!
//! becomes
//!
//! ```mlir
//! %c0 = tensor.extract_slice %c[0, 0] [4, 8] [1, 1]
//! %0 = linalg.generic ins(%a, %c0 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%part) { addf }
//! %1 = tensor.insert_slice %0 into %empty[0, 0] [4, 8] [1, 1]
//! %c1 = tensor.extract_slice %c[0, 8] [4, 8] [1, 1]
//! %2 = linalg.generic ins(%b, %c1 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%part) { addf }
//! %3 = tensor.insert_slice %2 into %1[0, 8] [4, 8] [1, 1]
//! ```
//!
//! Readers of the new concatenation are split next, and `--halo-fuse-elementwise` fuses the ops of
//! each part. Nothing is computed twice. A concatenation stays if another op needs it as a whole,
//! such as a product or a sum along it; the option `explain` emits a remark with the reason.

use super::{
    blocks_around_loops, copy_with, dimension,
    fuse_elementwise::{is_used_once, only_moves},
    fuse_gathers::erase_unused,
};
use crate::{
    explain::{Outcome, Reason},
    loops::{elementwise::is_empty, prelude::*},
};
use halo_ir::prelude::*;
use std::collections::HashMap;

/// The maximal parts of a split concatenation: each part is a separate loop.
const MOST_PARTS: usize = 8;
/// The maximal depth of the search for producers.
const MOST_PRODUCERS: usize = 16;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Report why concatenations are not split
        explain: bool = false,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-split-concatenations",
    "Split readers of a concatenation into one op per part",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["arith", "linalg", "tensor"])
.options::<Options>();

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    for block in blocks_around_loops(pass.operation()) {
        let mut pending: Vec<Operation> = block
            .operations()
            .into_iter()
            .filter(|op| op.isa::<tensor::InsertSliceOp>())
            .collect();
        pending.reverse();
        while let Some(op) = pending.pop() {
            let split = split(block, op);
            pending.extend(split);
        }
        if pass.options::<Options>().explain {
            explain(pass, block);
        }
    }
    Ok(())
}

/// Emits remarks for the concatenations of a block that structured ops still read.
fn explain(pass: &PassInvocation, block: Block) {
    for op in block.operations() {
        let is_read = |op: Operation| {
            let mut uses = op.results().into_iter().flat_map(Value::uses);
            uses.any(|(user, _)| user.is_structured())
        };
        if !op.isa::<tensor::InsertSliceOp>() || !is_read(op) {
            continue;
        }
        let Some(whole) = Concatenation::of(op, usize::MAX) else {
            continue;
        };
        if let Err((reader, reason)) = whole.readers(block) {
            Outcome::NotComputedInParts
                .because(reason)
                .remark(pass, op)
                .note(reader, "the reader");
        }
    }
}

/// Splits the readers of the concatenation that ends with an insertion. Returns the last
/// insertions of the concatenations of their results.
fn split<'c>(block: Block<'c>, last: Operation<'c>) -> Vec<Operation<'c>> {
    let whole = Concatenation::of(last, MOST_PARTS).filter(|_| last.block() == Some(block));
    let Some((whole, readers)) = whole.and_then(|whole| {
        let readers = whole.readers(block).ok()?;
        Some((whole, readers))
    }) else {
        return Vec::new();
    };
    let mut results = Vec::new();
    for op in readers {
        // A reader may have been split with another one that reads it.
        if whole.value.uses().iter().any(|(user, _)| *user == op)
            && let Ok(reader) = Elementwise::reader(op, &whole)
        {
            results.extend(reader.split(&whole));
        }
    }
    for insertion in whole.insertions {
        if insertion.results().into_iter().all(Value::is_unused) {
            with_builder(insertion, |b| b.erase(insertion));
        }
    }
    results
}

/// A concatenation of tensors along one dimension.
pub(super) struct Concatenation<'c> {
    value: Value<'c>,
    pub(super) dim: usize,
    pub(super) parts: Vec<Part<'c>>,
    /// The last one first.
    insertions: Vec<Operation<'c>>,
}

/// The dimension and the parts of a concatenation of parts of the same size that ends with an
/// insertion.
pub(super) fn equal_parts<'c>(last: Operation<'c>) -> Option<(usize, Vec<Value<'c>>)> {
    let whole = Concatenation::of(last, MOST_PARTS)?;
    let size = whole.parts.first()?.size;
    let values = whole.parts.iter().map(|part| part.value);
    let are_equal = whole.parts.iter().all(|part| part.size == size);
    are_equal.then(|| (whole.dim, values.collect()))
}

#[derive(Clone, Copy)]
pub(super) struct Part<'c> {
    pub(super) value: Value<'c>,
    pub(super) offset: i64,
    pub(super) size: i64,
}

impl<'c> Concatenation<'c> {
    /// The concatenation of at most `most_parts` parts that ends with an insertion.
    pub(super) fn of(last: Operation<'c>, most_parts: usize) -> Option<Self> {
        let value = last.cast::<tensor::InsertSliceOp>()?.result();
        let shape = value.ty().static_shape()?;
        let (mut parts, mut insertions) = (Vec::new(), Vec::new());
        let (mut dim, mut rest) = (None, value);
        loop {
            let op = rest.defining_op()?;
            if op.isa::<tensor::EmptyOp>() {
                break;
            }
            let insertion = op.cast::<tensor::InsertSliceOp>()?;
            if rest != value && !rest.has_one_use() || parts.len() == most_parts {
                return None;
            }
            let sizes = insertion.source().ty().static_shape()?;
            let offsets = insertion.static_offsets();
            let is_plain = sizes.len() == shape.len()
                && insertion.offsets().is_empty()
                && insertion.static_strides().iter().all(|stride| *stride == 1);
            let mut partial = (0..sizes.len()).filter(|at| sizes[*at] != shape[*at]);
            let own = partial.next()?;
            if !is_plain || partial.next().is_some() || *dim.get_or_insert(own) != own {
                return None;
            }
            parts.push(Part {
                value: insertion.source(),
                offset: offsets[own],
                size: sizes[own],
            });
            insertions.push(op);
            rest = insertion.dest();
        }
        let dim = dim?;
        parts.sort_by_key(|part| part.offset);
        let end = parts.iter().try_fold(0, |end, part| {
            (part.offset == end && part.size > 0).then_some(end + part.size)
        });
        (end == Some(shape[dim])).then_some(Self {
            value,
            dim,
            parts,
            insertions,
        })
    }

    /// The ops of a block that read it, if each can be split, else the first one that needs it as a
    /// whole, with the reason.
    fn readers(&self, block: Block<'c>) -> Result<Vec<Operation<'c>>, (Operation<'c>, Reason)> {
        let mut readers: Vec<Operation> = Vec::new();
        for (op, _) in self.value.uses() {
            if readers.contains(&op) {
                continue;
            }
            if self.parts.len() > MOST_PARTS {
                return Err((op, Reason::ManyParts));
            }
            if op.block() != Some(block) {
                return Err((op, Reason::ReadByLoop));
            }
            Elementwise::reader(op, self).map_err(|reason| (op, reason))?;
            readers.push(op);
        }
        Ok(readers)
    }

    /// The part at the same range as a part of another concatenation.
    fn part_at(&self, dim: usize, other: &Part) -> Option<Value<'c>> {
        let mut parts = self.parts.iter();
        let part = parts.find(|part| part.offset == other.offset && part.size == other.size);
        part.filter(|_| self.dim == dim).map(|part| part.value)
    }
}

/// An elementwise op whose results can be computed for ranges of one of its loops.
struct Elementwise<'c> {
    op: Operation<'c>,
    /// The loop.
    dim: usize,
    maps: Vec<AffineMap<'c>>,
    inputs: Vec<Value<'c>>,
}

impl<'c> Elementwise<'c> {
    /// A reader of a concatenation that reads each part in a range of a loop, or the reason why it
    /// does not.
    fn reader(op: Operation<'c>, whole: &Concatenation<'c>) -> Result<Self, Reason> {
        const NOT_ELEMENTWISE: Reason = Reason::ReadByNonElementwiseOp;
        const OTHER_ELEMENTS: Reason = Reason::PartsNotRanges;
        let generic = op.cast::<linalg::GenericOp>().ok_or(NOT_ELEMENTWISE)?;
        let (maps, inputs) = (op.indexing_maps().unwrap_or_default(), generic.inputs());
        let mut loops = inputs
            .iter()
            .zip(&maps)
            .filter(|(input, _)| **input == whole.value)
            .map(|(_, map)| dimension(map, whole.dim));
        let dim = loops.next().ok_or(NOT_ELEMENTWISE)?.ok_or(OTHER_ELEMENTS)?;
        let own = Self::along(op, dim)?;
        // Epilogues stay in the loops of their product or reduction.
        let is_cut = |(input, map): (&Value<'c>, &AffineMap<'c>)| {
            *input != whole.value
                && !positions(map, dim).is_empty()
                && is_computed_otherwise(*input, MOST_PRODUCERS)
        };
        if !loops.all(|other| other == Some(dim)) {
            return Err(OTHER_ELEMENTS);
        }
        if own.inputs.iter().zip(&own.maps).any(is_cut) {
            Err(Reason::ReaderMayJoinReduction)
        } else {
            Ok(own)
        }
    }

    /// An op with a loop that indexes a dimension of each of its results.
    fn along(op: Operation<'c>, dim: usize) -> Result<Self, Reason> {
        let generic = op.cast::<linalg::GenericOp>().ok_or(Reason::NoLoops)?;
        let (maps, inputs) = (op.indexing_maps().unwrap_or_default(), generic.inputs());
        let mut kinds = generic.iterator_types().into_iter();
        let is_split = |map: &AffineMap| {
            (0..map.result_count()).all(|position| {
                map.result(position)
                    .is_ok_and(|index| index.is_dim() || !index.is_function_of_dim(dim))
            })
        };
        let has_part = |map: &AffineMap| positions(map, dim).len() == 1;
        let mut values = inputs.iter().copied().chain(op.results());
        if !kinds.all(|kind| kind == IteratorType::Parallel) {
            return Err(Reason::ReadByReduction);
        }
        if !generic.outputs().into_iter().all(is_empty) {
            return Err(Reason::ReaderUpdatesTensor);
        }
        if !maps.iter().all(is_split) || !maps[inputs.len()..].iter().all(has_part) {
            return Err(Reason::ReaderResultHasNoParts);
        }
        if !values.all(|value| value.ty().static_shape().is_some()) {
            return Err(Reason::ReaderIsDynamic);
        }
        Ok(Self {
            op,
            dim,
            maps,
            inputs,
        })
    }

    /// Replaces the reader of a concatenation by one reader per part. Returns the last insertions
    /// of their results.
    fn split(&self, whole: &Concatenation<'c>) -> Vec<Operation<'c>> {
        let producers = self.inputs.iter().copied().filter_map(Value::defining_op);
        let producers: Vec<Operation> = producers.collect();
        let computed = with_builder(self.op, |b| {
            let results = self.op.results().into_iter();
            let mut computed =
                results.map(|result| tensor::empty(b, &[], result.ty())).collect::<Vec<_>>();
            for part in &whole.parts {
                let mut parts = Parts {
                    whole,
                    part,
                    known: HashMap::new(),
                };
                let parts = parts.compute(b, self);
                for (number, (value, all)) in parts.into_iter().zip(&mut computed).enumerate() {
                    let at = positions(&self.maps[self.inputs.len() + number], self.dim);
                    *all = Slice::new(*all, &at, part).insert(b, value, *all);
                }
            }
            b.replace(self.op, &computed);
            computed
        });
        for producer in producers {
            erase_unused(producer);
        }
        let insertions = computed.into_iter().filter_map(Value::defining_op);
        insertions.collect()
    }
}

/// The values that are computed for one part of a concatenation.
struct Parts<'a, 'c> {
    whole: &'a Concatenation<'c>,
    part: &'a Part<'c>,
    /// The parts of values along a dimension.
    known: HashMap<(usize, usize), Value<'c>>,
}

impl<'c> Parts<'_, 'c> {
    /// Emits an op for the part, and returns its results.
    fn compute(&mut self, b: &Builder<'c>, own: &Elementwise<'c>) -> Vec<Value<'c>> {
        let mut operands = Vec::new();
        for (input, map) in own.inputs.iter().zip(&own.maps) {
            operands.push(self.of(b, *input, &positions(map, own.dim)));
        }
        let mut types = Vec::new();
        for (result, map) in own.op.results().into_iter().zip(&own.maps[own.inputs.len()..]) {
            let slice = Slice::new(result, &positions(map, own.dim), self.part);
            let ty = tensor_type(&slice.sizes, result.ty().element_type());
            operands.push(tensor::empty(b, &[], ty));
            types.push(ty);
        }
        let op = copy_with(b, own.op, &operands, &types);
        if self.part.offset != 0 {
            shift_indices(op, own.dim, self.part.offset);
        }
        op.results()
    }

    /// The part of a value along some of its dimensions: a part of another concatenation, a
    /// computed part, or a slice.
    fn of(&mut self, b: &Builder<'c>, value: Value<'c>, at: &[usize]) -> Value<'c> {
        let [position] = at[..] else {
            return if at.is_empty() {
                value
            } else {
                Slice::new(value, at, self.part).extract(b, value)
            };
        };
        if value == self.whole.value && position == self.whole.dim {
            return self.part.value;
        }
        let key = (value.key(), position);
        if let Some(part) = self.known.get(&key) {
            return *part;
        }
        let slice = Slice::new(value, at, self.part);
        let part = match value.as_result() {
            Some((op, number)) => {
                let other = Concatenation::of(op, MOST_PARTS);
                let same = other.and_then(|other| other.part_at(position, self.part));
                if let Some(same) = same {
                    same
                } else if let Some(producer) = part_producer(op, number, position) {
                    self.compute(b, &producer)[number]
                } else if op.isa::<linalg::FillOp>() {
                    let ty = tensor_type(&slice.sizes, value.ty().element_type());
                    let place = tensor::empty(b, &[], ty);
                    copy_with(b, op, &[op.operands()[0], place], &[ty]).results()[0]
                } else {
                    slice.extract(b, value)
                }
            }
            None => slice.extract(b, value),
        };
        self.known.insert(key, part);
        part
    }
}

/// A producer that is split along a dimension of a result: it only moves elements, or has no other
/// users.
fn part_producer<'c>(op: Operation<'c>, result: usize, at: usize) -> Option<Elementwise<'c>> {
    let generic = op.cast::<linalg::GenericOp>()?;
    let maps = op.indexing_maps()?;
    let dim = dimension(maps.get(generic.inputs().len() + result)?, at)?;
    let is_possible = only_moves(op) || is_used_once(op);
    Elementwise::along(op, dim).ok().filter(|_| is_possible)
}

/// Adds an offset to the indices of a loop in the body of an op.
fn shift_indices(op: Operation, dim: usize, offset: i64) {
    for index in op.collect_nested(|nested| nested.isa::<linalg::IndexOp>()) {
        if index_dimension(index) != Some(dim) {
            continue;
        }
        let value = index.results()[0];
        let users = value.uses();
        with_builder(index, |b| {
            b.set_after(index);
            let offset = arith::constant(b, value.ty(), offset);
            let shifted = arith::addi(b, value, offset);
            for (user, operand) in users {
                user.set_operand(operand, shifted);
            }
        });
    }
}

/// A slice of a tensor.
struct Slice {
    offsets: Vec<i64>,
    sizes: Vec<i64>,
}

impl Slice {
    /// The slice of a tensor for a part along some of its dimensions.
    fn new(tensor: Value, at: &[usize], part: &Part) -> Self {
        let mut sizes = tensor.ty().static_shape().unwrap_or_default();
        let mut offsets = vec![0; sizes.len()];
        for position in at {
            sizes[*position] = part.size;
            offsets[*position] = part.offset;
        }
        Self { offsets, sizes }
    }

    fn extract<'c>(&self, b: &Builder<'c>, from: Value<'c>) -> Value<'c> {
        let ty = tensor_type(&self.sizes, from.ty().element_type());
        let strides = vec![1; self.sizes.len()];
        let (offsets, sizes) = (&self.offsets, &self.sizes);
        tensor::extract_slice(b, from, &[], &[], &[], offsets, sizes, &strides, ty)
    }

    fn insert<'c>(&self, b: &Builder<'c>, value: Value<'c>, into: Value<'c>) -> Value<'c> {
        let strides = vec![1; self.sizes.len()];
        let (offsets, sizes) = (&self.offsets, &self.sizes);
        tensor::insert_slice(b, value, into, &[], &[], &[], offsets, sizes, &strides)
    }
}

/// The positions of a loop dimension among the results of a map.
fn positions(map: &AffineMap, dim: usize) -> Vec<usize> {
    (0..map.result_count())
        .filter(|position| dimension(map, *position) == Some(dim))
        .collect()
}

/// Returns true if a value is the result of a non-elementwise structured op, looking through
/// reshapes, slices and at most `depth` elementwise ops.
fn is_computed_otherwise(value: Value, depth: usize) -> bool {
    let Some(op) = value.defining_op() else {
        return false;
    };
    let Some(depth) = depth.checked_sub(1) else {
        return true;
    };
    match op.name() {
        tensor::ExpandShapeOp::NAME
        | tensor::CollapseShapeOp::NAME
        | tensor::ExtractSliceOp::NAME => is_computed_otherwise(op.operands()[0], depth),
        linalg::FillOp::NAME => false,
        linalg::GenericOp::NAME => {
            let generic = linalg::GenericOp::from_unchecked(op);
            let mut inputs = generic.inputs().into_iter();
            generic.iterator_types().contains(&IteratorType::Reduction)
                || is_used_once(op) && inputs.any(|input| is_computed_otherwise(input, depth))
        }
        scf::ForallOp::NAME => true,
        _ => op.is_structured(),
    }
}
