//! `--halo-detensorize`: replaces rank-0 tensors by scalars in registers.
//!
//! HLO has no scalars, so that loop counters, conditions and slice offsets are tensors, which would
//! become buffers in memory. After this pass, loops and conditionals carry scalars, computations on
//! them are scalar code, and the bodies of structured ops capture them.
//!
//! ```mlir
//! %0 = scf.while (%i = %zero) : (tensor<i32>) -> tensor<i32> {
//!   %1 = linalg.generic {iterator_types = []} ins(%i, %n) outs(%e) { cmpi slt } -> tensor<i1>
//!   %2 = tensor.extract %1[] : tensor<i1>
//!   scf.condition(%2) %i : tensor<i32>
//! } do { ... }
//! ```
//!
//! becomes
//!
//! ```mlir
//! %z = tensor.extract %zero[] : tensor<i32>
//! %0 = scf.while (%i = %z) : (i32) -> i32 {
//!   %1 = tensor.extract %n[] : tensor<i32>
//!   %2 = arith.cmpi slt, %i, %1 : i32
//!   scf.condition(%2) %i : i32
//! } do { ... }
//! %1 = tensor.insert %0 into %e[] : tensor<i32>
//! ```
//!
//! Upstream's `linalg-detensorize` supports branches between blocks, but not structured loops.
//!
//! A rank-0 tensor whose producers and consumers are all tensor ops is not changed: for example,
//! the mean of a row stays in the loop nest that uses it.

use halo_ir::prelude::*;
use std::collections::HashSet;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-detensorize",
    "Carry and compute scalars instead of tensors of rank 0",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["linalg", "scf", "tensor"]);

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let function = pass.operation();
    detensorize(function)
        .map_err(|error| PassFailure::at(function, format_args!("internal error: {error}")))
}

fn detensorize(function: Operation) -> RewriteResult {
    for op in function.collect_nested(|_| true) {
        with_builder(op, |b| carry_scalars(b, op))?;
    }
    let mut pending = function.collect_nested(|op| op.isa::<linalg::GenericOp>());
    // Replaced ops. They are erased at the end, so that no new op reuses their addresses.
    let (mut replaced, mut keys) = (Vec::new(), HashSet::new());
    while let Some(op) = pending.pop() {
        if keys.contains(&op.key()) {
            continue;
        }
        let done = with_builder(op, |b| {
            let b = &b.at(op.location());
            if is_scalar_code(op) {
                inline(b, op, &mut pending).map(|()| true)
            } else {
                capture_scalars(b, op)
            }
        })?;
        if done {
            keys.insert(op.key());
            replaced.push(op);
        }
    }
    for op in replaced {
        with_builder(op, |b| b.erase(op));
    }
    Ok(())
}

/// The element type of a rank-0 tensor.
fn scalar_type(ty: Type<'_>) -> Option<Type<'_>> {
    let is_scalar = ty.is_tensor() && ty.static_shape().is_some_and(|dims| dims.is_empty());
    is_scalar.then(|| ty.element_type())
}

/// The scalar that was inserted into a rank-0 tensor.
fn inserted(tensor: Value<'_>) -> Option<Value<'_>> {
    let insert = tensor.defined_by::<tensor::InsertOp>()?;
    scalar_type(tensor.ty()).map(|_| insert.scalar())
}

/// The element of a rank-0 tensor, extracted after the tensor's definition, so that it dominates
/// each loop that uses it.
fn element<'c>(b: &Builder<'c>, tensor: Value<'c>) -> RewriteResult<Value<'c>> {
    if let Some(scalar) = inserted(tensor) {
        return Ok(scalar);
    }
    b.with_insertion_point(|b| {
        match (tensor.defining_op(), tensor.as_block_argument()) {
            (Some(op), _) => b.set_after(op),
            (None, Some((block, _))) => b.set_to_start(block),
            (None, None) => {}
        }
        Ok(tensor::extract(b, tensor, &[]))
    })
}

/// Creates a rank-0 tensor of a scalar at the insertion point.
fn tensor_of<'c>(b: &Builder<'c>, scalar: Value<'c>, ty: Type<'c>) -> Value<'c> {
    let empty = tensor::empty(b, &[], ty);
    tensor::insert(b, scalar, empty, &[])
}

/// Makes a loop or conditional carry and return scalars.
fn carry_scalars<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    // The bounds and the induction variable of an `scf.for` precede its carried
    // values.
    let (operands, arguments) = match op.name() {
        scf::WhileOp::NAME => (0, 0),
        scf::ForOp::NAME => (3, 1),
        scf::IfOp::NAME | scf::IndexSwitchOp::NAME => (usize::MAX, 0),
        _ => return Ok(()),
    };
    let b = &b.at(op.location());
    pass_scalars(b, op, operands)?;
    for region in 0..op.region_count() {
        let Some(block) = op.body(region) else {
            continue;
        };
        for argument in block.arguments().into_iter().skip(arguments) {
            b.set_to_start(block);
            become_scalar(b, argument);
        }
        if let Some(end) = block.terminator() {
            pass_scalars(b, end, 0)?;
        }
    }
    for result in op.results() {
        b.set_after(op);
        become_scalar(b, result);
    }
    Ok(())
}

/// Replaces rank-0 operands of an op by scalars, from operand `first` on.
fn pass_scalars<'c>(b: &Builder<'c>, op: Operation<'c>, first: usize) -> RewriteResult {
    b.set_before(op);
    for (number, operand) in op.operands().into_iter().enumerate().skip(first) {
        if scalar_type(operand.ty()).is_some() {
            op.set_operand(number, element(b, operand)?);
        }
    }
    Ok(())
}

/// Changes the type of a rank-0 value to a scalar, and inserts a tensor of it for its users.
fn become_scalar<'c>(b: &Builder<'c>, value: Value<'c>) {
    let ty = value.ty();
    let Some(scalar) = scalar_type(ty) else {
        return;
    };
    let uses = value.uses();
    value.set_type(scalar);
    if !uses.is_empty() {
        let tensor = tensor_of(b, value, ty);
        for (user, number) in uses {
            user.set_operand(number, tensor);
        }
    }
}

/// Returns true if an op computes a single element.
fn is_scalar_code(op: Operation) -> bool {
    let Some(generic) = op.cast::<linalg::GenericOp>() else {
        return false;
    };
    if !generic.iterator_types().is_empty() || op.result_types().is_empty() {
        return false;
    }
    let operands = op.operands();
    let is_element = |value: &Value| !value.ty().is_tensor() || scalar_type(value.ty()).is_some();
    let is_extracted =
        |value: &Value| value.uses().iter().any(|(user, _)| user.isa::<tensor::ExtractOp>());
    operands.iter().all(is_element)
        && (generic.inputs().is_empty()
            || operands.iter().any(|value| inserted(*value).is_some())
            || op.results().iter().any(is_extracted))
}

/// Replaces an op without loops by its body.
fn inline<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    pending: &mut Vec<Operation<'c>>,
) -> RewriteResult {
    let body = op.body(0).ok_or_else(|| no_match("a region is empty"))?;
    let end = body.terminator().ok_or_else(|| no_match("a block has no terminator"))?;
    let mut map = ValueMap::new();
    for (argument, operand) in body.arguments().into_iter().zip(op.operands()) {
        if argument.is_unused() {
            continue;
        }
        let scalar = match scalar_type(operand.ty()) {
            Some(_) => element(b, operand)?,
            None => operand,
        };
        map.insert(argument.key(), scalar);
        pending.extend(defining_generic(operand));
    }
    for inner in body.operations() {
        if inner != end {
            b.clone_op(inner, &mut map);
        }
    }
    for (result, value) in op.results().into_iter().zip(end.operands()) {
        let scalar = mapped(&map, value);
        let (elements, tensors): (Vec<_>, Vec<_>) =
            result.uses().into_iter().partition(|(user, _)| user.isa::<tensor::ExtractOp>());
        for (extract, _) in elements {
            b.replace(extract, &[scalar]);
        }
        if tensors.is_empty() {
            continue;
        }
        let tensor = tensor_of(b, scalar, result.ty());
        for (user, number) in tensors {
            user.set_operand(number, tensor);
            pending.extend(Some(user).filter(|user| user.isa::<linalg::GenericOp>()));
        }
    }
    Ok(())
}

fn defining_generic(value: Value<'_>) -> Option<Operation<'_>> {
    Some(value.defined_by::<linalg::GenericOp>()?.operation())
}

/// Rebuilds an op so that its body captures its scalar operands. Returns false if it has none.
fn capture_scalars<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult<bool> {
    let operands = op.operands();
    let results = op.results();
    let inputs = operands.len() - results.len();
    let scalars: Vec<Option<Value>> = operands
        .iter()
        .enumerate()
        .map(|(number, operand)| inserted(*operand).filter(|_| number < inputs))
        .collect();
    if results.is_empty() || scalars.iter().all(Option::is_none) {
        return Ok(false);
    }
    let maps = op.indexing_maps().ok_or_else(|| no_match("it has no indexing maps"))?;
    let body = op.body(0).ok_or_else(|| no_match("a region is empty"))?;
    for (number, argument) in body.arguments().into_iter().enumerate().rev() {
        if let Some(Some(scalar)) = scalars.get(number) {
            argument.replace_uses_with(*scalar);
            body.erase_argument(number);
        }
    }
    let is_kept = |number: &usize| scalars[*number].is_none();
    let kept: Vec<usize> = (0..operands.len()).filter(is_kept).collect();
    let values: Vec<Value> = kept.iter().map(|number| operands[*number]).collect();
    let maps: Vec<melior::ir::AffineMap> =
        kept.iter().filter_map(|number| maps.get(*number).copied()).collect();
    let (inputs, outputs) = values.split_at(kept.len() - results.len());
    let iterators = op
        .cast::<linalg::GenericOp>()
        .ok_or_else(|| no_match("it is no linalg.generic"))?
        .iterator_types();
    let region = op.take_region(0).ok_or_else(|| no_match("a region is absent"))?;
    let types = op.result_types();
    let new = linalg::GenericOp::build(b, inputs, outputs, &maps, &iterators, &types, region);
    let new = new.insert().operation();
    // Other attributes of the op are kept.
    for (name, attribute) in op.attributes() {
        if new.attribute(name).is_none() {
            new.set_attribute(name, attribute);
        }
    }
    for (old, new) in results.into_iter().zip(new.results()) {
        old.replace_uses_with(new);
    }
    Ok(true)
}
