//! Prologue fusion: the contraction reads the sources of its producers.
//!
//! A producer that only permutes the elements of lhs or rhs, such as the
//! patches of a convolution, need not run: the kernel reads its source, in the
//! producer's order.
//!
//! ```mlir
//! linalg.generic (y, x, i, j, c) -> (y + i, x + j, c) ins(%image) outs(%patches) { yield }
//! %rows = memref.collapse_shape %patches [[0, 1], [2, 3, 4]]
//! linalg.generic (m, n, k) ins(%rows, %kernel) outs(%result) { ... }
//! ```
//!
//! becomes one kernel that reads `%image` and `%kernel`. This module changes
//! the description of the contraction, not IR.

use super::{
    super::kernel,
    fusion::{is_elementwise, parts_of, preserves},
    refine::{Shared, refine},
};
use crate::loops::{
    aliases::view_source,
    captures::may_overlap,
    contraction::{Contraction, Group, LHS, RESULT, RHS, start_of},
    loop_nest::LoopNest,
};
use halo_ir::{
    Operation, Value, arguments_of, defining_operation, has_identity_layout, is_unused,
    operands_of, operations_of,
    ops::{OperationExt, linalg, memref},
    parent_block, results_of, terminator_of, uses_of,
};
use melior::ir::ValueLike;

/// A contraction that reads the sources of its producers.
pub struct FusedProducers<'c> {
    pub contraction: Contraction<'c>,
    /// The producers, which are no longer needed.
    pub producers: Vec<Operation<'c>>,
}

/// Fuses the producer of lhs and of rhs, where they have one.
pub fn fuse_producers<'c>(
    operation: Operation<'c>,
    contraction: &Contraction<'c>,
) -> FusedProducers<'c> {
    let mut fused = FusedProducers {
        contraction: contraction.clone(),
        producers: Vec::new(),
    };
    for operand in [LHS, RHS] {
        let Some((buffer, producer)) = producer_of(operation, &fused.contraction, operand) else {
            continue;
        };
        let direct = LoopNest::of(producer).and_then(|nest| {
            let contraction = &fused.contraction;
            read_source(operation, producer, contraction, (operand, buffer), &nest)
        });
        if let Some(direct) = direct {
            fused.contraction = direct;
            fused.producers.push(producer);
        }
    }
    fused
}

/// The buffer that an operand is a view of, and the op that writes it for the
/// contraction alone. Other ops may use the buffer before and afterwards.
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
        if !has_identity_layout(buffer.r#type()) {
            return None;
        }
        let (definition, _) = defining_operation(buffer)?;
        match view_source(definition) {
            Some(source) => buffer = source,
            None => break definition,
        }
    };
    let block = parent_block(operation)?;
    if !alloc.isa::<memref::AllocOp>() || parent_block(alloc) != Some(block) {
        return None;
    }
    // The users of the buffer, in order.
    let operations = operations_of(block);
    let mut users = Vec::new();
    let mut pending = vec![buffer];
    while let Some(value) = pending.pop() {
        for (user, _) in uses_of(value) {
            if view_source(user).is_some() {
                pending.extend(results_of(user));
                continue;
            }
            users.push(operations.iter().position(|other| *other == user)?);
        }
    }
    users.sort_unstable();
    users.dedup();
    let own = users
        .iter()
        .position(|user| operations[*user] == operation)?;
    let producer = operations[users[own.checked_sub(1)?]];
    let next = users.get(own + 1).map(|user| operations[*user]);
    let is_free = next.is_none_or(|next| overwrites(next, buffer));
    (is_free && overwrites(producer, buffer)).then_some((buffer, producer))
}

/// Whether an op writes every element of a buffer, and reads none of it.
fn overwrites(operation: Operation, buffer: Value) -> bool {
    let operands = operands_of(operation);
    let [input, output] = operands[..] else {
        return false;
    };
    let writes = || {
        let body = halo_ir::body_of(operation, 0)?;
        let argument = arguments_of(body).last().copied()?;
        let map = halo_ir::indexing_maps(operation)?.pop()?;
        let is_whole = (0..map.result_count()).all(|number| {
            let index = map.result(number);
            index.is_ok_and(|index| index.is_dim())
        });
        Some(is_whole && is_unused(argument))
    };
    operation.isa::<linalg::GenericOp>()
        && input != buffer
        && output == buffer
        && writes().unwrap_or(false)
}

/// The contraction with an operand that is read from the source of its producer.
fn read_source<'c>(
    operation: Operation<'c>,
    producer: Operation<'c>,
    contraction: &Contraction<'c>,
    (operand, buffer): (usize, Value<'c>),
    nest: &LoopNest<'c>,
) -> Option<Contraction<'c>> {
    let ([source], [target]) = (nest.inputs(), nest.outputs()) else {
        return None;
    };
    let yielded = operands_of(terminator_of(nest.body)?);
    let is_move = yielded.first() == arguments_of(nest.body).first();
    if !is_move || source.scalar || target.value != buffer || !is_elementwise(nest) {
        return None;
    }
    if start_of(target)? != 0 || !kernel::is_reachable(source.value) {
        return None;
    }
    let operations = operations_of(parent_block(operation)?);
    let position = |wanted: Operation<'c>| operations.iter().position(|other| *other == wanted);
    let between = operations.get(position(producer)? + 1..position(operation)?)?;
    // The kernel writes the result while it reads the source.
    let source_value = source.value;
    if !between
        .iter()
        .all(|other| preserves(*other, &[source_value]))
        || may_overlap(contraction.operands[RESULT].value, source_value)
    {
        return None;
    }
    let parts = parts_of(nest, target, &[source])?;
    let shared = refine(contraction, operand, &parts)?;
    let mut direct = contraction.clone();
    direct.set_loops(shared.into_iter().map(
        |Shared {
             group,
             mut inner,
             others,
         }| {
            if let Some([stride]) = others.as_deref() {
                inner.strides[operand] = *stride;
            }
            (group, inner)
        },
    ));
    direct.operands[operand].value = source_value;
    direct.operands[operand].start = start_of(source)?;
    // Strided reads are better done once, by the producer.
    let outer = if operand == LHS { Group::M } else { Group::N };
    let is_contiguous = |group: Group| {
        let mut loops = direct.loops(group).iter();
        loops.any(|inner| inner.strides[operand] == 1)
    };
    (is_contiguous(outer) || is_contiguous(Group::K)).then_some(direct)
}
