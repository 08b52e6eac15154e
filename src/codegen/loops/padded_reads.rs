//! Eliminates padded buffers by bounds-checked reads.
//!
//! Padding is a buffer that is filled with a scalar and then written in the middle:
//!
//! ```mlir
//! %padded = memref.alloc() : memref<58x58x128xf32>
//! linalg.fill ins(%zero : f32) outs(%padded)
//! %inside = memref.subview %padded[1, 1, 0] [56, 56, 128] [1, 1, 1]
//! memref.copy %x, %inside
//! linalg.generic {indexing_maps = [(y, x, c, i, j) -> (y + i, x + j, c), ...]} ins(%padded, ...)
//! ```
//!
//! If only structured ops read the buffer, they read `%x` with indices shifted by the width of the
//! padding, and the scalar out of bounds; see [`Padding`]. The buffer, its fill and the copy are
//! erased. If an op computes the inside, it writes to a buffer without padding instead. Ops may
//! also read slices of the padded buffer, and the last reader may overwrite it, as an elementwise
//! op on padding does with the result of a function.
//!
//! If a padded buffer must stay, its fill and copy can be joined to one op with such a read
//! ([`PaddedReads::join_fills_and_copies`]).

use super::{
    access::{Access, Expr, Padding},
    aliases::{ancestor_in, users_of_memory},
    fill::filled_with,
    loop_nest::{Extent, LoopNest},
    padding::{PaddedCopy, has_elements, is_plain_slice},
};
use crate::explain::Reason;
use halo_ir::{ops::memref::view_source, prelude::*};
use std::collections::HashMap;

/// Whether the lowering of an op supports padded reads. Its nest has no unit loops.
pub type Accepts<'a, 'c> = dyn Fn(Operation<'c>, &LoopNest<'c>) -> bool + 'a;

/// Why a padded buffer must stay, and the op that requires it, if any.
pub type Needed<'c> = (Reason, Option<Operation<'c>>);

/// Callback with the op that allocates a padded buffer, the buffer, and why it stays.
pub type Explain<'a, 'c> = dyn FnMut(Operation<'c>, Value<'c>, Needed<'c>) + 'a;

/// The read of a padded operand.
struct PaddedRead<'c> {
    /// The buffer inside the padding.
    source: Value<'c>,
    /// The width of the low padding of each dimension, negative if the operand begins inside.
    low: Vec<i64>,
    /// The padding value.
    value: Value<'c>,
}

/// The padded operands of ops, by the op and the number of the operand.
#[derive(Default)]
pub struct PaddedReads<'c> {
    reads: HashMap<(usize, usize), PaddedRead<'c>>,
    /// Copies into padding that [`Self::erase_copies`] erases. Until then they keep uses of their
    /// sources, so that analyses find a reader.
    copies: Vec<Operation<'c>>,
}

impl<'c> PaddedReads<'c> {
    /// Eliminates padded buffers of a function, and explains why others stay.
    pub fn take(
        builder: &Builder<'c>,
        function: Operation<'c>,
        accepts: &Accepts<'_, 'c>,
        explain: &mut Explain<'_, 'c>,
    ) -> Self {
        let mut reads = Self::default();
        let results = function.collect_nested(|op| filled_with(op).is_some());
        let results = results.into_iter().filter_map(|fill| {
            let result = *fill.operands().last()?;
            let (block, _) = result.as_block_argument()?;
            (block.parent() == Some(function)).then_some((fill, result))
        });
        let allocs = function.collect_nested(|op| op.isa::<memref::AllocOp>());
        let allocs =
            allocs.into_iter().filter_map(|alloc| Some((alloc, *alloc.results().first()?)));
        for (op, buffer) in allocs.chain(results.collect::<Vec<_>>()) {
            match PaddedBuffer::of(op, buffer, accepts) {
                Some(Ok(padded)) => padded.remove(builder, &mut reads),
                Some(Err(needed)) => explain(op, buffer, needed),
                None => {}
            }
        }
        reads
    }

    /// Joins the fill and the copy of padded buffers that stay: one op writes the whole buffer from
    /// a padded read of the source. `joins` filters the copies.
    ///
    /// ```mlir
    /// linalg.generic {(i, j) -> (i, j), (i, j) -> (i, j)} ins(%padded) outs(%padded) { yield }
    /// ```
    pub fn join_fills_and_copies(
        &mut self,
        builder: &Builder<'c>,
        function: Operation<'c>,
        joins: impl Fn(Operation<'c>) -> bool,
    ) {
        let copies = function.collect_nested(|op| {
            op.isa::<memref::CopyOp>() && !self.copies.contains(&op) && joins(op)
        });
        for copy in copies {
            let Some(padding) = PaddedCopy::of(copy) else {
                continue;
            };
            let dims = (0..padding.low.len()).map(Expr::Dim).collect();
            let access = Access::of_memref(padding.padded, dims);
            let operands = [access.clone(), access];
            let parallel = vec![false; padding.low.len()];
            builder.set_before(copy);
            let builder = builder.at(copy.location());
            let write =
                crate::loops::access::generic(&builder, &operands, 1, &parallel, |_, values| {
                    vec![values[0]]
                });
            let read = PaddedRead {
                source: padding.source,
                low: padding.low,
                value: padding.value,
            };
            self.reads.insert((write.key(), 0), read);
            // The new op reads the source instead.
            self.copies.push(copy);
            builder.erase(padding.fill);
        }
    }

    /// Whether an op is a copy into padding that will be erased.
    pub fn drops(&self, operation: Operation<'c>) -> bool {
        self.copies.contains(&operation)
    }

    /// Erases the copies into eliminated buffers, when no later analysis depends on readers.
    pub fn erase_copies(&mut self, builder: &Builder<'c>) {
        let copies = self.copies.drain(..);
        copies.for_each(|copy| builder.erase(copy))
    }

    /// Adds the padded reads of an op to its nest.
    pub fn apply(&self, operation: Operation<'c>, nest: &mut LoopNest<'c>) {
        for number in 0..nest.input_count {
            if let Some(read) = self.reads.get(&(operation.key(), number)) {
                read.apply(nest, number);
            }
        }
    }
}

impl<'c> PaddedRead<'c> {
    fn apply(&self, nest: &mut LoopNest<'c>, number: usize) {
        let size = |dim: usize| fixed_size(nest, dim);
        let shape = self.source.ty().static_shape().unwrap_or_default();
        let mut bounds = Vec::new();
        let mut indices = nest.accesses[number].indices.clone();
        for ((index, low), size_inside) in indices.iter_mut().zip(&self.low).zip(shape) {
            *index = index.clone().plus(-low);
            let is_inside =
                index.range(&size).is_some_and(|(least, most)| least >= 0 && most < size_inside);
            if !is_inside {
                bounds.push((index.clone(), size_inside));
            }
        }
        // An index that two dimensions share must be in bounds of both.
        for number in 0..bounds.len() {
            let same = bounds.iter().filter(|(index, _)| *index == bounds[number].0);
            if let Some(least) = same.map(|(_, size)| *size).min() {
                bounds[number].1 = least;
            }
        }
        let access = &mut nest.accesses[number];
        access.value = self.source;
        access.indices = indices;
        access.padding = (!bounds.is_empty()).then_some(Padding {
            value: self.value,
            bounds,
        });
    }
}

fn fixed_size(nest: &LoopNest, dim: usize) -> Option<i64> {
    match nest.dims.get(dim)?.extent {
        Extent::Fixed(size) => Some(size),
        Extent::Dynamic { .. } => None,
    }
}

/// A buffer that consists of another buffer and a constant border.
struct PaddedBuffer<'c> {
    /// The op that allocates it, or fills a result of the function.
    origin: Operation<'c>,
    fill: Operation<'c>,
    value: Value<'c>,
    /// The view inside the padding.
    inside: memref::SubViewOp<'c>,
    /// The copied value and the copy; `None` if ops write the view directly.
    copy: Option<(Value<'c>, Operation<'c>)>,
    readers: Vec<Reader<'c>>,
}

/// An operand that is a padded buffer or a slice of one.
struct Reader<'c> {
    op: Operation<'c>,
    number: usize,
    /// The start of the slice.
    offsets: Vec<i64>,
}

impl<'c> PaddedBuffer<'c> {
    /// The padded buffer that an op allocates or fills, or the reason to keep it; `None` if the
    /// buffer is not padded.
    fn of(
        origin: Operation<'c>,
        buffer: Value<'c>,
        accepts: &Accepts<'_, 'c>,
    ) -> Option<Result<Self, Needed<'c>>> {
        let mut users = buffer.uses();
        let last = overwriter(buffer, origin, &users);
        if last.is_none() && !origin.isa::<memref::AllocOp>() {
            return None;
        }
        if let Some(last) = last {
            let is_read = |(user, number): &(Operation<'c>, usize)| {
                *user == last && is_input(last, *number) || user.is_before(last)
            };
            users.retain(is_read);
        }
        let rank = buffer.ty().static_shape()?.len();
        let (mut readers, mut reading_views) = (Vec::new(), Vec::new());
        for (user, _) in &users {
            let Some(slice) = user.cast::<memref::SubViewOp>().filter(is_plain_slice) else {
                continue;
            };
            let uses = slice.result().uses();
            let offsets = slice.static_offsets();
            let reads = |(op, number): &(Operation<'c>, usize)| {
                op.is_structured() && is_input(*op, *number)
            };
            if !uses.is_empty() && uses.iter().all(reads) && offsets.len() == rank {
                readers.extend(uses.into_iter().map(|(op, number)| Reader {
                    op,
                    number,
                    offsets: offsets.clone(),
                }));
                reading_views.push(*user);
            }
        }
        users.retain(|(user, _)| !reading_views.contains(user));
        let fills = users.iter().filter_map(|(user, _)| Some((*user, filled_with(*user)?)));
        let views = users.iter().filter_map(|(user, _)| user.cast::<memref::SubViewOp>());
        let (fills, views): (Vec<_>, Vec<_>) = (fills.collect(), views.collect());
        if fills.is_empty() || views.is_empty() {
            return None;
        }
        let ([(fill, value)], [inside]) = (&fills[..], &views[..]) else {
            return Some(Err((Reason::WrittenInParts, None)));
        };
        let is_reader = |user: &Operation<'c>| *user != *fill && *user != inside.operation();
        let whole = users.into_iter().filter(|(user, _)| is_reader(user));
        readers.extend(whole.map(|(op, number)| Reader {
            op,
            number,
            offsets: vec![0; rank],
        }));
        let fill = (*fill, *value);
        Some(Self::with(origin, fill, *inside, readers, accepts))
    }

    fn with(
        origin: Operation<'c>,
        (fill, value): (Operation<'c>, Value<'c>),
        inside: memref::SubViewOp<'c>,
        readers: Vec<Reader<'c>>,
        accepts: &Accepts<'_, 'c>,
    ) -> Result<Self, Needed<'c>> {
        let users = readers.iter().map(|reader| reader.op);
        let mut users = users.chain([fill, inside.operation()]);
        if users.any(|user| user.block() != origin.block()) {
            return Err((Reason::UsedInLoop, None));
        }
        if let Some(other) = readers.iter().find(|reader| !reader.op.is_structured()) {
            return Err((Reason::ReadByUnstructuredOp, Some(other.op)));
        }
        if let Some(other) = readers.iter().find(|reader| !reads_by_element(reader, accepts)) {
            return Err((Reason::ReadAtNonlinearIndices, Some(other.op)));
        }
        if !is_plain_slice(&inside) {
            return Err((Reason::InteriorOrDynamicPadding, None));
        }
        let early = |first: Operation<'c>, other: Operation<'c>| {
            if other.is_before(first) { other } else { first }
        };
        let late = |last: Operation<'c>, other: Operation<'c>| {
            if last.is_before(other) { other } else { last }
        };
        let all = || readers.iter().map(|reader| reader.op);
        let (Some(first_reader), Some(last_reader)) = (all().reduce(early), all().reduce(late))
        else {
            return Err((Reason::NotRead, None));
        };
        let writers = inside.result().uses();
        let copied = writers.iter().copied().find(|(user, number)| {
            writers.len() == 1 && *number == 1 && user.isa::<memref::CopyOp>()
        });
        let copy = copied.and_then(|(copy, _)| Some((*copy.operands().first()?, copy)));
        if copy.is_none() && !origin.isa::<memref::AllocOp>() {
            return Err((Reason::InsideComputedInResult, None));
        }
        let first_write = copy.map(|(_, copy)| copy).or_else(|| first_write(&writers));
        if !first_write.is_some_and(|write| fill.is_before(write) && write.is_before(first_reader))
        {
            return Err((Reason::InsideNotWrittenWhole, None));
        }
        let is_unchanged = copy.is_none_or(|(source, copy)| {
            has_elements(source) && is_unchanged(source, copy, last_reader)
        });
        if !is_unchanged {
            return Err((Reason::CopiedSourceChanges, None));
        }
        Ok(Self {
            origin,
            fill,
            value,
            inside,
            copy,
            readers,
        })
    }

    fn remove(self, builder: &Builder<'c>, reads: &mut PaddedReads<'c>) {
        let view = self.inside.result();
        let low = self.inside.static_offsets();
        let source = match self.copy {
            Some((source, copy)) => {
                reads.copies.push(copy);
                source
            }
            None => {
                builder.set_before(self.origin);
                let builder = builder.at(self.origin.location());
                let shape = view.ty().static_shape().unwrap_or_default();
                let buffer = memref::alloc_aligned(&builder, &shape, view.ty().element_type());
                builder.replace_uses(view, buffer);
                buffer
            }
        };
        builder.erase(self.fill);
        for reader in self.readers {
            let starts = low.iter().zip(&reader.offsets);
            let read = PaddedRead {
                source,
                low: starts.map(|(low, offset)| low - offset).collect(),
                value: self.value,
            };
            reads.reads.insert((reader.op.key(), reader.number), read);
        }
    }
}

fn is_input(op: Operation, number: usize) -> bool {
    number < op.operands().len().saturating_sub(written_operands(op))
}

/// The first op after the fill that writes the whole buffer and does not read the output operand
/// itself.
fn overwriter<'c>(
    buffer: Value<'c>,
    origin: Operation<'c>,
    users: &[(Operation<'c>, usize)],
) -> Option<Operation<'c>> {
    if !(users.iter()).all(|(user, _)| user.block() == origin.block()) {
        return None;
    }
    let overwrites = |(user, number): &(Operation<'c>, usize)| {
        if !user.is_structured() || filled_with(*user).is_some() || is_input(*user, *number) {
            return false;
        }
        LoopNest::of(*user).is_some_and(|nest| {
            let output = number.checked_sub(nest.input_count);
            output.is_some_and(|output| covers(&nest, output) && !nest.reads_output(output))
        })
    };
    users_of_memory(buffer)?;
    let overwriting = users.iter().filter(|user| overwrites(user));
    let ops = overwriting.map(|(user, _)| *user);
    ops.reduce(
        |first, other| {
            if other.is_before(first) { other } else { first }
        },
    )
}

/// Whether an op reads an operand elementwise, at indices that are linear in its loops.
fn reads_by_element<'c>(reader: &Reader<'c>, accepts: &Accepts<'_, 'c>) -> bool {
    let number = reader.number;
    let Some(mut nest) = LoopNest::of(reader.op) else {
        return false;
    };
    let size = |dim: usize| fixed_size(&nest, dim).filter(|size| *size > 0);
    let is_linear = |access: &Access| {
        let mut indices = access.indices.iter();
        indices.all(|index| index.range(&size).is_some())
    };
    let is_read = number < nest.input_count
        && (0..nest.dims.len()).all(|dim| size(dim).is_some())
        && nest.accesses.get(number).is_some_and(is_linear);
    nest.drop_unit_dims();
    is_read && accepts(reader.op, &nest)
}

/// The first op that writes to a view, if it writes all of it without reading it, and all users are
/// structured ops.
fn first_write<'c>(users: &[(Operation<'c>, usize)]) -> Option<Operation<'c>> {
    let are_structured = users.iter().all(|(user, _)| user.is_structured());
    let (first, number) = users.iter().copied().reduce(|first, other| {
        if other.0.is_before(first.0) {
            other
        } else {
            first
        }
    })?;
    let is_in_order = users
        .iter()
        .all(|(user, other)| first.is_before(*user) || *user == first && *other == number);
    let nest = LoopNest::of(first)?;
    let output = number.checked_sub(nest.input_count)?;
    (are_structured && is_in_order && !nest.reads_output(output) && covers(&nest, output))
        .then_some(first)
}

/// Whether a nest visits each element of an output.
pub fn covers(nest: &LoopNest, output: usize) -> bool {
    let Some(access) = nest.outputs().get(output) else {
        return false;
    };
    let shape = access.value.ty().shape().unwrap_or_default();
    let mut seen = Vec::new();
    let is_whole = |(index, size): (&Expr, Option<i64>)| match index {
        Expr::Dim(dim) => {
            let is_new = !seen.contains(dim);
            seen.push(*dim);
            // A dynamic dimension that a loop indexes has the size of the loop.
            is_new && fixed_size(nest, *dim) == size
        }
        Expr::Constant(0) => size == Some(1),
        _ => false,
    };
    access.indices.iter().zip(shape).all(is_whole)
        && (0..nest.dims.len()).all(|dim| fixed_size(nest, dim) != Some(0))
}

/// Whether no op writes to a buffer between `first`, an op of its block, and the end of `last`.
fn is_unchanged<'c>(buffer: Value<'c>, first: Operation<'c>, last: Operation<'c>) -> bool {
    let Some(aliases) = users_of_memory(buffer) else {
        return false;
    };
    let writes = |user: Operation<'c>| {
        let operands = user.operands();
        let reads = match user.name() {
            memref::CopyOp::NAME => 1,
            memref::LoadOp::NAME => operands.len(),
            _ if view_source(user).is_some() => operands.len(),
            _ if user.is_structured() => operands.len() - written_operands(user),
            _ => 0,
        };
        let mut written = operands.into_iter().skip(reads);
        written.any(|operand| aliases.values.contains(&operand))
    };
    aliases.deallocations.is_empty()
        && !aliases.users.iter().any(|user| {
            let around = first.block().and_then(|block| ancestor_in(block, *user));
            around.is_some_and(|around| {
                first.is_before(around) && (around == last || around.is_before(last))
            }) && writes(*user)
        })
}

/// The number of trailing operands that a structured op writes.
fn written_operands(operation: Operation) -> usize {
    operation
        .body(0)
        .and_then(Block::terminator)
        .map_or(operation.operands().len(), |end| end.operands().len())
}
