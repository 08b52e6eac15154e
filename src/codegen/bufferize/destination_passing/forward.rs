//! Makes an op that computes a result write to the result's destination.
//!
//! Upstream's `eliminate-empty-tensors` searches through aliases, and may use the buffer of one
//! result for an intermediate that another result still needs. Here a destination replaces a
//! value's `tensor.empty` only if each value in the chain has one use, or if its other uses are
//! reads before the op that overwrites it. Any op may read the result, since nothing overwrites it.
//! A chain that starts from an argument or a constant needs a copy: a result of a function is then
//! computed on a copy in its destination.
//!
//! An elementwise op may overwrite an operand in its destination. The producer of the operand then
//! writes to the destination too, and needs no intermediate buffer.

use super::materialize;
use crate::{
    bufferize::reads_where_written,
    explain::Reason,
    loops::{aliases::ancestor_in, elementwise::before_reshapes},
};
use halo_ir::{
    ops::{OPERAND_SEGMENT_SIZES, bufferization},
    prelude::*,
};
use melior::ir::r#type::FunctionType;

/// Rebuilds `value` on `destination` if possible, else returns the reason why it must be copied.
/// `block` contains the use of the value; reshapes of the destination are built at its start.
pub fn forward<'c>(
    b: &Builder<'c>,
    value: Value<'c>,
    destination: Value<'c>,
    block: Block<'c>,
) -> RewriteResult<Option<Reason>> {
    let mut written = match forward_one(b, (value, None), destination, block)? {
        Computed::There(written) => Some(written),
        Computed::Elsewhere(reason) => return Ok(Some(reason)),
        Computed::Given => None,
    };
    while let Some(Written {
        op,
        position,
        destination,
    }) = written.take()
    {
        let operands = op.operands();
        for (number, operand) in operands[..position].iter().enumerate() {
            if operand.ty() == destination.ty() && reads_where_written(op, number, position) {
                let computed = forward_one(b, (*operand, Some(op)), destination, block)?;
                if let Computed::There(next) = computed {
                    written = Some(next);
                    break;
                }
            }
        }
    }
    Ok(None)
}

/// The outcome of building a value on a destination.
enum Computed<'c> {
    /// The value is computed in the destination, first written by this op.
    There(Written<'c>),
    /// The value is computed elsewhere and copied.
    Elsewhere(Reason),
    /// No copy is needed, or the value already had a destination, for which
    /// `--halo-insert-tensor-copies` and `--halo-bufferize` insert copies if necessary.
    Given,
}

/// The op that is now the first to write to a destination.
struct Written<'c> {
    op: Operation<'c>,
    /// Operands before this position can be in the destination too.
    position: usize,
    /// The destination, with the shape that the op writes.
    destination: Value<'c>,
}

/// Rebuilds a value on `destination` if possible, which `user` overwrites there.
fn forward_one<'c>(
    b: &Builder<'c>,
    (value, user): (Value<'c>, Option<Operation<'c>>),
    destination: Value<'c>,
    block: Block<'c>,
) -> RewriteResult<Computed<'c>> {
    let (mut value, mut destination) = (value, destination);
    // The rewrites to apply if the chain ends in a `tensor.empty`; reshapes are
    // built only then.
    let mut steps: Vec<Operation<'c>> = Vec::new();
    // No op reads the destination of a function result.
    let is_result_of_function = is_result(before_reshapes(destination));
    let mut stays = user.is_none() && is_result_of_function;
    // The op that overwrites the value.
    let mut user = user.filter(|_| is_result_of_function);
    loop {
        let elsewhere = |reason| Ok(Computed::Elsewhere(reason));
        let Some((op, number)) = value.as_result() else {
            return elsewhere(Reason::IsArgument);
        };
        match op.name() {
            bufferization::MaterializeInDestinationOp::NAME
            | bufferization::ToTensorOp::NAME
            | tensor::EmptyOp::NAME => return Ok(Computed::Given),
            arith::ConstantOp::NAME => return elsewhere(Reason::IsConstant),
            tensor::ExtractSliceOp::NAME => return elsewhere(Reason::IsPartOfTensor),
            _ => {}
        }
        if stays && is_moved(value) {
            return elsewhere(Reason::IsInOtherResult);
        }
        if !stays && !is_last_use(value, user, block) {
            return elsewhere(Reason::OldContentsReadLater);
        }
        if value.ty() != target_type(destination, &steps) {
            return elsewhere(Reason::OtherType);
        }
        if op.block() != Some(block) {
            return elsewhere(Reason::ComputedOutside);
        }
        match op.name() {
            tensor::ExpandShapeOp::NAME | tensor::CollapseShapeOp::NAME => {
                steps.push(op);
                user = None;
                value = op.operands()[0];
            }
            name => {
                let Some(position) = destination_operand(op, name, number) else {
                    return elsewhere(Reason::HasOwnDestination);
                };
                let base = op.operands()[position];
                let producer = base.defining_op();
                let is_new = producer.is_some_and(|op| op.isa::<tensor::EmptyOp>());
                if is_place_of_result(base) {
                    return elsewhere(Reason::IsInOtherResult);
                }
                if is_new || is_copied(base) && is_result(destination) {
                    // The sizes of a new tensor are the ones that the last reshape collapses.
                    let sizes = producer.filter(|_| is_new).map(Operation::operands);
                    let is_known = |(number, reshape): (usize, &Operation<'c>)| {
                        let is_last = number + 1 == steps.len();
                        reshape.isa::<tensor::ExpandShapeOp>()
                            || reshape.operands()[0].ty().static_shape().is_some()
                            || is_last && sizes.is_some()
                    };
                    if !steps.iter().enumerate().all(is_known) {
                        return elsewhere(Reason::DynamicShape);
                    }
                    for reshape in steps {
                        destination = undo(b, reshape, destination, (op, sizes.as_deref()))?;
                    }
                    let is_behind =
                        |place: Operation| place.block() == op.block() && op.is_before(place);
                    if destination.defining_op().is_some_and(is_behind) {
                        return elsewhere(Reason::DynamicShape);
                    }
                    if !is_new {
                        destination = b.with_insertion_point(|b| {
                            b.set_before(op);
                            materialize(b, base, destination)
                        });
                    }
                    op.set_operand(position, destination);
                    return Ok(Computed::There(Written {
                        op,
                        // A destination with copied contents cannot hold an operand.
                        position: if is_new { position } else { 0 },
                        destination,
                    }));
                }
                if producer.is_none() {
                    return elsewhere(Reason::OverwritesArgument);
                }
                user = is_result_of_function.then_some(op);
                stays = false;
                value = base;
            }
        }
    }
}

/// Returns true if a value already has a destination.
fn is_moved(value: Value) -> bool {
    let mut users = value.uses().into_iter();
    users.any(|(user, _)| user.isa::<bufferization::MaterializeInDestinationOp>())
}

/// Returns true if `user`, which overwrites the value, is its last use, or without `user` if the
/// value has one use. Sorting reads a row from the result before it writes the next pass to it.
fn is_last_use<'c>(value: Value<'c>, user: Option<Operation<'c>>, block: Block<'c>) -> bool {
    let Some(user) = user else {
        return value.has_one_use();
    };
    let uses = value.uses();
    uses.iter().filter(|(op, _)| *op == user).count() == 1
        && uses.into_iter().all(|(op, _)| op == user || is_used_before(op, user, block))
}

/// Returns true if an op, and all uses of its views, come before another op.
fn is_used_before<'c>(op: Operation<'c>, user: Operation<'c>, block: Block<'c>) -> bool {
    let around = ancestor_in(block, op);
    let is_before = around.is_some_and(|op| op != user && op.is_before(user));
    let is_view = op.isa::<tensor::ExtractSliceOp>()
        || op.isa::<tensor::CollapseShapeOp>()
        || op.isa::<tensor::ExpandShapeOp>();
    let mut uses = op.results().into_iter().flat_map(Value::uses);
    is_before && (!is_view || uses.all(|(op, _)| is_used_before(op, user, block)))
}

/// Returns true if a tensor must be copied before it is overwritten: constants, and the arguments
/// of a function.
fn is_copied(value: Value) -> bool {
    match value.defining_op() {
        Some(op) => op.isa::<arith::ConstantOp>(),
        None => is_result(value),
    }
}

/// Returns true if a tensor is an argument of a function, such as the destinations of its results.
fn is_result(value: Value) -> bool {
    value
        .as_block_argument()
        .and_then(|(block, _)| block.parent())
        .is_some_and(|owner| owner.isa::<func::FuncOp>())
}

/// Returns true if a tensor is the destination of a function result: an argument after the context
/// and the inputs in the function type.
fn is_place_of_result(value: Value) -> bool {
    let argument = value.as_block_argument().and_then(|(block, number)| {
        let function = block.parent()?.cast::<func::FuncOp>()?;
        let types = function.function_type().cast::<FunctionType>()?;
        Some(number > types.input_count())
    });
    argument.unwrap_or(false)
}

/// The type that a value must have to be written to the destination, after the
/// reshapes of the chain are inverted.
fn target_type<'c>(destination: Value<'c>, steps: &[Operation<'c>]) -> halo_ir::Type<'c> {
    steps.last().map_or(destination.ty(), |reshape| reshape.operands()[0].ty())
}

/// The index of the operand that a result overwrites.
pub fn destination_operand(op: Operation, name: &str, result: usize) -> Option<usize> {
    match name {
        tensor::InsertOp::NAME | tensor::InsertSliceOp::NAME => return Some(1),
        // After the bounds. Bounds of parallel loops are constant.
        scf::ForOp::NAME => return Some(3 + result),
        scf::ForallOp::NAME => {
            return (op.operands().len() == op.results().len()).then_some(result);
        }
        _ if name.starts_with("linalg.") => {}
        _ => return None,
    }
    let sizes = op.attribute(OPERAND_SEGMENT_SIZES)?.i32_array_value()?;
    let inputs = usize::try_from(*sizes.first()?).ok()?;
    Some(inputs + result)
}

/// Inverts a reshape of a chain on its destination, for the op that writes to it. The sizes are the
/// dynamic ones before the reshape.
fn undo<'c>(
    b: &Builder<'c>,
    reshape: Operation<'c>,
    destination: Value<'c>,
    (op, sizes): (Operation<'c>, Option<&[Value<'c>]>),
) -> RewriteResult<Value<'c>> {
    let source = reshape.operands()[0].ty();
    let dynamic = match source.static_shape() {
        Some(_) => &[],
        None => sizes.unwrap_or_default(),
    };
    b.with_insertion_point(|b| {
        // As early as possible, since ops before this one may write to the same destination.
        let operands = dynamic.iter().copied().chain([destination]);
        let definitions = operands.filter_map(Value::defining_op);
        let last = definitions
            .filter(|definition| definition.block() == op.block())
            .reduce(|last, other| if last.is_before(other) { other } else { last });
        match (last, op.block()) {
            (Some(definition), _) => b.set_after(definition),
            (None, Some(block)) => b.set_to_start(block),
            (None, None) => b.set_before(op),
        }
        if let Some(expand) = reshape.cast::<tensor::ExpandShapeOp>() {
            let groups = expand.reassociation();
            let groups: Vec<&[i64]> = groups.iter().map(|group| &group[..]).collect();
            return Ok(tensor::collapse_shape(b, destination, &groups, source));
        }
        let collapse = reshape.cast::<tensor::CollapseShapeOp>();
        let groups = collapse.ok_or_else(|| no_match("it is no collapse_shape"))?.reassociation();
        let groups: Vec<&[i64]> = groups.iter().map(|group| &group[..]).collect();
        let shape = source.shape().unwrap_or_default();
        let sizes: Vec<i64> =
            shape.into_iter().map(|size| size.unwrap_or(sizes::DYNAMIC)).collect();
        Ok(tensor::expand_shape(
            b,
            destination,
            &groups,
            dynamic,
            &sizes,
            source,
        ))
    })
}
