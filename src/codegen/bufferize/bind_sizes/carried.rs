//! The sizes of the values of loops and branches.

use super::{dim, dims_of, dynamic_dimensions};
use crate::loops::order::is_defined_inside;
use halo_ir::{ops::cf, prelude::*};

/// Whether an op carries values from one iteration to the next.
pub fn is_loop(op: Operation) -> bool {
    op.isa::<scf::WhileOp>() || op.isa::<scf::ForOp>()
}

/// Whether an op has the values of one of its regions, or of one of its operands.
pub fn is_branch(op: Operation) -> bool {
    op.isa::<scf::IfOp>() || op.isa::<scf::IndexSwitchOp>() || op.isa::<arith::SelectOp>()
}

/// A value that a loop carries.
struct Carried<'c> {
    start: Value<'c>,
    /// The value after an iteration.
    next: Value<'c>,
    /// The arguments and results that have it.
    same: Vec<Value<'c>>,
}

fn carried<'c>(op: Operation<'c>) -> Option<Vec<Carried<'c>>> {
    if op.isa::<scf::ForOp>() {
        let body = op.body(0)?;
        let starts = op.operands().into_iter().skip(3);
        let nexts = body.terminator()?.operands();
        let values = starts.zip(nexts).enumerate().map(|(number, (start, next))| {
            Some(Carried {
                start,
                next,
                same: vec![body.argument(number + 1)?, op.results()[number]],
            })
        });
        return values.collect();
    }
    let (before, after) = (op.body(0)?, op.body(1)?);
    // The first operand of the terminator is the condition.
    let forwarded = before.terminator()?.operands();
    let nexts = after.terminator()?.operands();
    let values = op.operands().into_iter().zip(nexts).enumerate().map(|(number, (start, next))| {
        let argument = before.argument(number)?;
        let mut same = vec![argument];
        for (position, value) in forwarded[1..].iter().enumerate() {
            if *value == argument {
                same.extend([after.argument(position)?, op.results()[position]]);
            }
        }
        Some(Carried { start, next, same })
    });
    values.collect()
}

/// Asserts that an iteration of a loop does not change the sizes of the values that it carries.
/// Canonicalization proves such an assertion, or it is an error.
pub fn assert_kept_sizes(op: Operation<'_>) -> Option<()> {
    let end = op.regions().last()?.blocks().first()?.terminator()?;
    for Carried { start, next, .. } in carried(op)? {
        for dimension in dynamic_dimensions(start.ty()) {
            let size = with_builder(op, |b| dim(b, start, dimension));
            with_builder(end, |b| {
                let is_kept = arith::cmpi(b, CmpIPredicate::Eq, dim(b, next, dimension), size);
                cf::assert(
                    b,
                    is_kept,
                    "a loop changes the size of a value that it carries",
                );
            });
        }
    }
    Some(())
}

/// Replaces the sizes of the values that a loop carries by the sizes of its operands. Returns
/// whether it did.
pub fn replace_carried_sizes(op: Operation<'_>) -> Option<bool> {
    let mut replaces = false;
    for Carried { start, same, .. } in carried(op)? {
        for dimension in dynamic_dimensions(start.ty()) {
            for value in &same {
                let dims = dims_of(*value, dimension);
                replaces |= !dims.is_empty();
                for found in dims {
                    let size = with_builder(op, |b| dim(b, start, dimension));
                    with_builder(found, |b| b.replace(found, &[size]));
                }
            }
        }
    }
    Some(replaces)
}

/// Replaces the sizes of the results of a branch by sizes that its regions return, or by sizes that
/// are computed before it. Returns whether it changed something.
pub fn replace_branch_sizes(op: Operation<'_>) -> Option<bool> {
    if let Some(selection) = op.cast::<arith::SelectOp>() {
        return Some(replace_selected_sizes(selection));
    }
    let results = op.results().into_iter().enumerate();
    let sized: Vec<(usize, usize)> = results
        .flat_map(|(number, result)| {
            let dimensions = dynamic_dimensions(result.ty()).into_iter();
            let needed = dimensions.filter(move |dim| !dims_of(result, *dim).is_empty());
            needed.map(move |dim| (number, dim))
        })
        .collect();
    if sized.is_empty() {
        return Some(use_outer_sizes(op));
    }
    return_sizes(op, &sized)?;
    Some(true)
}

/// Selects the sizes of tensors by the condition that selects the tensors. Returns whether it did.
fn replace_selected_sizes(selection: arith::SelectOp<'_>) -> bool {
    let result = selection.result();
    let mut replaces = false;
    for dimension in dynamic_dimensions(result.ty()) {
        for found in dims_of(result, dimension) {
            replaces = true;
            with_builder(found, |b| {
                let size = dim(b, selection.true_value(), dimension);
                let other = dim(b, selection.false_value(), dimension);
                b.replace(
                    found,
                    &[arith::select(b, selection.condition(), size, other)],
                );
            });
        }
    }
    replaces
}

/// Returns sizes of results from each region, and uses them.
fn return_sizes(op: Operation<'_>, sized: &[(usize, usize)]) -> Option<()> {
    for region in 0..op.region_count() {
        let end = op.body(region)?.terminator()?;
        with_builder(end, |b| {
            let values = end.operands();
            let sizes = sized.iter().map(|(number, dimension)| dim(b, values[*number], *dimension));
            let returned: Vec<Value> = values.iter().copied().chain(sizes).collect();
            scf::yield_(b, &returned);
            b.erase(end);
        });
    }
    with_builder(op, |b| {
        let mut types = op.result_types();
        types.resize(types.len() + sized.len(), Type::index(b.context()));
        let mut spec = b.op(op.name()).operands(&op.operands()).results(&types);
        for (name, attribute) in op.attributes() {
            spec = spec.attribute(name, attribute);
        }
        for region in 0..op.region_count() {
            spec = spec.region(op.take_region(region)?);
        }
        let results = spec.insert().results();
        let (values, sizes) = results.split_at(op.results().len());
        for ((number, dimension), size) in sized.iter().zip(sizes) {
            for found in dims_of(op.results()[*number], *dimension) {
                with_builder(found, |b| b.replace(found, &[*size]));
            }
        }
        b.replace(op, values);
        Some(())
    })
}

/// Computes the sizes that regions return before the op, and uses a size that all of them return.
/// Returns whether it changed something. Canonicalization makes a selection of different sizes.
fn use_outer_sizes(op: Operation<'_>) -> bool {
    let ends = (0..op.region_count()).filter_map(|region| op.body(region)?.terminator());
    let returned: Vec<Vec<Value>> = ends.map(Operation::operands).collect();
    let mut changes = false;
    for (number, result) in op.results().into_iter().enumerate() {
        if !result.ty().is_index() || result.is_unused() {
            continue;
        }
        let sizes: Vec<Value> =
            returned.iter().filter_map(|values| values.get(number).copied()).collect();
        for size in &sizes {
            changes |= move_out(*size, op);
        }
        if let [first, others @ ..] = &sizes[..]
            && !is_defined_inside(*first, op)
            && others.iter().all(|other| other == first)
        {
            result.replace_uses_with(*first);
            changes = true;
        }
    }
    changes
}

/// Moves index arithmetic on values from outside of an op before it. Returns whether it did.
fn move_out<'c>(value: Value<'c>, op: Operation<'c>) -> bool {
    if !is_defined_inside(value, op) {
        return false;
    }
    let Some(definition) = value.defining_op() else {
        return false;
    };
    if !definition.name().starts_with("arith.") {
        return false;
    }
    let operands = definition.operands();
    let mut moves = false;
    for operand in &operands {
        moves |= move_out(*operand, op);
    }
    let is_movable = !operands.into_iter().any(|operand| is_defined_inside(operand, op));
    if is_movable {
        definition.move_before(op);
    }
    moves || is_movable
}
