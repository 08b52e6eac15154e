//! Prologue fusion: the contraction reads the sources of its producers.
//!
//! A producer that only moves the elements of lhs or rhs, such as the patches of a convolution, is
//! not executed: the kernel reads its source by the producer's indexing.
//!
//! ```mlir
//! linalg.generic (y, x, i, j, c) -> (y + i, x + j, c) ins(%image) outs(%patches) { yield }
//! %rows = memref.collapse_shape %patches [[0, 1], [2, 3, 4]]
//! linalg.generic (m, n, k) ins(%rows, %kernel) outs(%result) { ... }
//! ```
//!
//! becomes one kernel that reads `%image` and `%kernel`. If `%image` is a zero-padded image, the
//! kernel reads the original image, and zeros for indices that are out of bounds
//! ([`padding`](crate::loops::padding)). This module changes the description of the contraction,
//! not IR.

use super::{
    super::buffers,
    fusion::{is_elementwise, parts_of, preserves},
    refine::{Shared, refine},
};
use crate::loops::{
    contraction::{Bound, at_zero, start_of},
    fill::{is_unchanged_between, is_zero},
    padding::PaddedCopy,
    prelude::*,
};
use halo_ir::prelude::*;

/// A contraction that reads the sources of its producers.
pub struct FusedProducers<'c> {
    pub contraction: Contraction<'c>,
    /// The fused producers.
    pub producers: Vec<Operation<'c>>,
    /// The padded buffers that the contraction no longer reads.
    pub padded: Vec<Value<'c>>,
}

impl<'c> FusedProducers<'c> {
    /// No fused producers: the contraction reads its operands.
    pub fn none(contraction: &Contraction<'c>) -> Self {
        Self {
            contraction: contraction.clone(),
            producers: Vec::new(),
            padded: Vec::new(),
        }
    }
}

/// Fuses the producers of lhs and rhs, and zero padding of their sources if the kernel
/// `takes_padding`.
pub fn fuse_producers<'c>(
    operation: Operation<'c>,
    contraction: &Contraction<'c>,
    takes_padding: bool,
) -> FusedProducers<'c> {
    let mut fused = FusedProducers::none(contraction);
    for operand in [LHS, RHS] {
        let Some((buffer, producer)) = producer_of(operation, &fused.contraction, operand) else {
            continue;
        };
        let Some(nest) = LoopNest::of(producer) else {
            continue;
        };
        let read = |source: &Source<'c>| {
            let contraction = &fused.contraction;
            read_source(
                operation,
                producer,
                contraction,
                (operand, buffer),
                (&nest, source),
            )
        };
        let image = takes_padding
            .then(|| Source::without_padding(&nest, operand, producer))
            .flatten();
        let padded = image.and_then(|image| Some((read(&image)?, true)));
        let direct = padded.or_else(|| Some((read(&Source::of(&nest, producer)?)?, false)));
        if let Some((direct, is_padded)) = direct {
            fused.contraction = direct;
            fused.producers.push(producer);
            let buffer = nest.inputs().first().filter(|_| is_padded);
            fused.padded.extend(buffer.map(|padded| padded.value));
        }
    }
    fused
}

/// The buffer of an operand, and the op that writes it only for the contraction. Other ops may use
/// the buffer before and afterwards.
fn producer_of<'c>(
    operation: Operation<'c>,
    contraction: &Contraction<'c>,
    operand: usize,
) -> Option<(Value<'c>, Operation<'c>)> {
    let mut buffer = contraction.operands[operand].value;
    if contraction.operands[operand].start != 0 {
        return None;
    }
    let alloc = loop {
        if !buffer.ty().has_identity_layout() {
            return None;
        }
        let definition = buffer.defining_op()?;
        match view_source(definition) {
            Some(source) => buffer = source,
            None => break definition,
        }
    };
    let block = operation.block()?;
    if !alloc.isa::<memref::AllocOp>() || alloc.block() != Some(block) {
        return None;
    }
    // The users of the buffer, in order.
    let operations = block.operations();
    let mut users = Vec::new();
    let mut pending = vec![buffer];
    while let Some(value) = pending.pop() {
        for (user, _) in value.uses() {
            if view_source(user).is_some() {
                pending.extend(user.results());
                continue;
            }
            users.push(operations.iter().position(|other| *other == user)?);
        }
    }
    users.sort_unstable();
    users.dedup();
    let own = users.iter().position(|user| operations[*user] == operation)?;
    let producer = operations[users[own.checked_sub(1)?]];
    let next = users.get(own + 1).map(|user| operations[*user]);
    let is_free = next.is_none_or(|next| overwrites(next, buffer));
    (is_free && overwrites(producer, buffer)).then_some((buffer, producer))
}

/// Returns true if an op writes every element of a buffer without reading any.
fn overwrites(operation: Operation, buffer: Value) -> bool {
    let operands = operation.operands();
    let [input, output] = operands[..] else {
        return false;
    };
    let writes = || {
        let body = operation.body(0)?;
        let argument = body.arguments().last().copied()?;
        let map = operation.indexing_maps()?.pop()?;
        let is_whole = (0..map.result_count()).all(|number| {
            let index = map.result(number);
            index.is_ok_and(|index| index.is_dim())
        });
        Some(is_whole && argument.is_unused())
    };
    operation.isa::<linalg::GenericOp>()
        && input != buffer
        && output == buffer
        && writes().unwrap_or(false)
}

/// The source of a producer, or the unpadded image of it.
struct Source<'c> {
    access: Access<'c>,
    /// The indices that may be out of bounds, with their bounds.
    bounds: Vec<(Expr, Bound)>,
    /// The op at which the source has the elements that the producer reads.
    written: Operation<'c>,
}

impl<'c> Source<'c> {
    fn of(nest: &LoopNest<'c>, producer: Operation<'c>) -> Option<Self> {
        Some(Self {
            access: nest.inputs().first()?.clone(),
            bounds: Vec::new(),
            written: producer,
        })
    }

    /// The unpadded image, if a producer reads an image with zero padding.
    fn without_padding(
        nest: &LoopNest<'c>,
        operand: usize,
        producer: Operation<'c>,
    ) -> Option<Self> {
        let padded = nest.inputs().first()?;
        let views = padded.value.uses().into_iter();
        let inside = views.filter(|(user, _)| user.isa::<memref::SubViewOp>());
        let copies = inside
            .flat_map(|(view, _)| view.results())
            .flat_map(Value::uses)
            .map(|(user, _)| user)
            .filter(|user| user.is_before(producer));
        let padding = copies.filter_map(PaddedCopy::of).last()?;
        if padding.padded != padded.value
            || !is_zero(padding.value)
            || !is_unchanged_between(padded.value, padding.copy, producer)
        {
            return None;
        }
        let size = |dim: usize| match nest.dims.get(dim)?.extent {
            Extent::Fixed(size) => Some(size),
            Extent::Dynamic { .. } => None,
        };
        let shape = padding.source.ty().static_shape()?;
        let mut access = Access::of_memref(padding.source, Vec::new());
        let mut bounds = Vec::new();
        for ((index, low), inside) in padded.indices.iter().zip(&padding.low).zip(shape) {
            let index = index.clone().plus(-low);
            let (least, most) = index.range(&size)?;
            if least < 0 || most >= inside {
                let bound = Bound {
                    operand,
                    start: at_zero(&index)?,
                    size: inside,
                };
                bounds.push((index.clone(), bound));
            }
            access.indices.push(index);
        }
        Some(Self {
            access,
            bounds,
            written: padding.copy,
        })
    }

    /// The strides along a loop of the address and of each bounded index.
    fn strides(&self, dim: usize) -> Vec<i64> {
        let steps = self.bounds.iter();
        let steps = steps.map(|(index, _)| index.coefficient(dim));
        [self.access.stride(dim)].into_iter().chain(steps).collect()
    }
}

/// The contraction that reads an operand from the source of its producer.
fn read_source<'c>(
    operation: Operation<'c>,
    producer: Operation<'c>,
    contraction: &Contraction<'c>,
    (operand, buffer): (usize, Value<'c>),
    (nest, source): (&LoopNest<'c>, &Source<'c>),
) -> Option<Contraction<'c>> {
    let ([_], [target]) = (nest.inputs(), nest.outputs()) else {
        return None;
    };
    let (access, bounds) = (&source.access, &source.bounds);
    let yielded = nest.body.terminator()?.operands();
    let is_move = yielded.first() == nest.body.arguments().first();
    if !is_move || access.scalar || target.value != buffer || !is_elementwise(nest) {
        return None;
    }
    if start_of(target)? != 0 || !buffers::is_reachable(access.value) {
        return None;
    }
    let operations = operation.block()?.operations();
    let position = |wanted: Operation<'c>| operations.iter().position(|other| *other == wanted);
    let between = operations.get(position(source.written)? + 1..position(operation)?)?;
    // The kernel writes the result while it reads the source.
    let is_kept = |other: &Operation<'c>| *other == producer || preserves(*other, &[access.value]);
    if !between.iter().all(is_kept) || may_overlap(contraction.operands[RESULT].value, access.value)
    {
        return None;
    }
    let mut parts = parts_of(nest, target, &[access])?;
    for (dim, part) in parts.iter_mut().enumerate() {
        part.others = source.strides(dim);
        if part.others.contains(&IRREGULAR) {
            return None;
        }
    }
    let shared = refine(contraction, operand, &parts)?;
    let mut direct = contraction.clone();
    direct.set_loops(shared.into_iter().map(
        |Shared {
             group,
             mut inner,
             others,
         }| {
            match others.as_deref() {
                Some([stride, steps @ ..]) => {
                    inner.strides[operand] = *stride;
                    inner.steps.extend(steps);
                }
                _ => inner.steps.extend(vec![0; bounds.len()]),
            }
            (group, inner)
        },
    ));
    direct.bounds.extend(bounds.iter().map(|(_, bound)| *bound));
    direct.operands[operand].value = access.value;
    direct.operands[operand].start = start_of(access)?;
    // Strided reads are cheaper in the producer, which does them once.
    let outer = if operand == LHS { Group::M } else { Group::N };
    let is_contiguous = |group: Group| {
        let mut loops = direct.loops(group).iter();
        loops.any(|inner| inner.strides[operand] == 1)
    };
    (is_contiguous(outer) || is_contiguous(Group::K)).then_some(direct)
}
