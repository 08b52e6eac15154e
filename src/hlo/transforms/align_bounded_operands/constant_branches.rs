//! Conditionals on constants whose results have computed sizes, which need not
//! be the same in each branch. The branch that is taken replaces the
//! conditional.

use crate::{
    matchers::constant_of,
    semantics::{Dim, dims_of},
};
use halo_ir::prelude::*;

/// Takes the branches in the order of the program, the outer ones first: what
/// replaces a conditional may be the constant that a later one asks for.
///
/// # Errors
/// If an op cannot be made.
pub fn take(root: Operation) -> RewriteResult {
    let mut pending = vec![root];
    while let Some(op) = pending.pop() {
        let branch = chosen(op).and_then(|number| op.body(number));
        // The ops in a branch that is not taken are ignored.
        let mut inside = match branch {
            Some(branch) => branch.operations(),
            None => op.blocks().into_iter().flat_map(Block::operations).collect(),
        };
        if let Some(branch) = branch {
            // Its terminator goes.
            inside.pop();
            replace(op, branch)?;
        }
        pending.extend(inside.into_iter().rev());
    }
    Ok(())
}

/// Puts a branch in the place of its conditional.
fn replace<'c>(conditional: Operation<'c>, branch: Block<'c>) -> RewriteResult {
    with_builder(conditional, |b| {
        let values = b.inline_before(branch, conditional, &[]);
        let results = conditional.results();
        let mut fitting = Vec::new();
        for (value, result) in values.into_iter().zip(results) {
            let ty = result.ty();
            let fits = value.ty() == ty || is_narrower(ty, value.ty());
            fitting.push(if fits {
                value
            } else {
                stablehlo::convert(b, value, ty)
            });
        }
        b.replace(conditional, &fitting);
        Ok(())
    })
}

/// Whether a type fixes a size that another one leaves open. XLA's exporter gives
/// results the type of the first branch, of which the value of another one need
/// not be.
fn is_narrower(ty: Type, than: Type) -> bool {
    let (dims, others) = (dims_of(ty), dims_of(than));
    let (dims, others) = (dims.unwrap_or_default(), others.unwrap_or_default());
    let mut pairs = dims.iter().zip(&others);
    pairs.any(|(dim, other)| dim.size().is_some() && other.size().is_none())
}

/// The region of a conditional that runs, where that is known and sizes depend on
/// it.
fn chosen(op: Operation) -> Option<usize> {
    let is_if = op.isa::<stablehlo::IfOp>();
    if !is_if && !op.isa::<stablehlo::CaseOp>() {
        return None;
    }
    let number = constant_of(op.operands().first().copied()?)?.splat_integer()?;
    let count = op.region_count();
    let chosen = if is_if {
        usize::from(number == 0)
    } else {
        // An index out of range means the last branch.
        usize::try_from(number)
            .ok()
            .filter(|number| *number < count)
            .unwrap_or(count.checked_sub(1)?)
    };
    let returned = op.body(chosen)?.terminator()?.operands().len();
    let is_open = |dim: &Dim| dim.size().is_none();
    let results = op.results();
    let mut dims = results.iter().filter_map(|result| dims_of(result.ty()));
    let is_sized = dims.any(|dims| dims.iter().any(is_open));
    (returned == results.len() && is_sized).then_some(chosen)
}
