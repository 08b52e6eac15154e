//! Conditionals on constants whose results have computed sizes, which may differ between branches.
//! The taken branch replaces the conditional.

use crate::{
    matchers::constant_of,
    semantics::{Dim, dims_of},
};
use halo_ir::prelude::*;

/// Inlines the taken branches in program order, outer ones first: a replacement may be the constant
/// predicate of a later conditional.
///
/// # Errors
/// Returns an error if an op cannot be created.
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
            // Skip the terminator.
            inside.pop();
            replace(op, branch)?;
        }
        pending.extend(inside.into_iter().rev());
    }
    Ok(())
}

/// Replaces a conditional by a branch.
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

/// Returns true if a type has a static size where another one is dynamic. XLA's exporter gives
/// results the type of the first branch, which values of other branches need not have.
fn is_narrower(ty: Type, than: Type) -> bool {
    let (dims, others) = (dims_of(ty), dims_of(than));
    let (dims, others) = (dims.unwrap_or_default(), others.unwrap_or_default());
    let mut pairs = dims.iter().zip(&others);
    pairs.any(|(dim, other)| dim.size().is_some() && other.size().is_none())
}

/// The taken region of a conditional, if it is constant and sizes depend on it.
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
        // An index out of range selects the last branch.
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
