//! The ops before and behind a product that a kernel can take over.
//!
//! Behind it, one elementwise op that alone reads C: a rounding, a bias, an
//! activation, a copy to where the result belongs. It is computed on the sums,
//! so that C is never written. Before it, an op that does nothing but put the
//! elements of a factor into another order, as the patches of a convolution are
//! made: the kernel reads its source, at the places that the order says.
//!
//! ```mlir
//! linalg.generic (y, x, i, j, c) -> (y + i, x + j, c) ins(%image) outs(%patches) { yield }
//! %rows = memref.collapse_shape %patches [[0, 1], [2, 3, 4]]
//! linalg.generic (m, n, k) ins(%rows, %kernel) outs(%c) { ... }
//! %pixels = memref.expand_shape %c [[0, 1], [2]]
//! linalg.generic (y, x, n) ins(%pixels, %bias) outs(%result) { max(%pixels + %bias, 0) }
//! ```
//!
//! becomes one kernel that reads `%image`, `%kernel` and `%bias` and writes
//! `%result`.

use super::{
    super::kernel,
    epilogue::{Consumer, Input},
    product::{A, B, C, Group, Operand, Product, start_of},
    refine::{Part, Shared, refine},
};
use crate::loops::{
    aliases::view_source,
    captures::may_overlap,
    emit::Emitted,
    loop_nest::{Access, Extent, IRREGULAR, LoopNest, index_dimension},
};
use halo_ir::{
    BuildError, Builder, Operation, Value, arguments_of, defining_operation, has_identity_layout,
    is_structured, is_unused, name_of, operands_of, operations_of,
    ops::{Op, OperationExt, linalg, memref},
    parent_block, results_of, static_shape_of, strides_of, terminator_of, uses_of, visit,
};
use melior::ir::{ValueLike, operation::OperationLike};

/// An elementwise op that a kernel takes over.
pub struct Behind<'c> {
    pub product: Product<'c>,
    pub consumer: Consumer<'c>,
    /// The op.
    pub operation: Operation<'c>,
}

/// The elementwise op behind a product, and the product with its operands.
pub fn behind<'c>(
    builder: &Builder<'c>,
    operation: Operation<'c>,
    product: &Product<'c>,
    overwrite: bool,
) -> Emitted<Option<Behind<'c>>> {
    let Some(reader) = only_reader(operation, product, overwrite) else {
        return Ok(None);
    };
    let number = operands_of(reader.operation)
        .iter()
        .position(|operand| *operand == reader.value);
    let Some(number) = number else {
        return Ok(None);
    };
    match name_of(reader.operation) {
        memref::CopyOp::NAME => Ok(copy_behind(product, reader.operation, number)),
        _ if is_structured(reader.operation) => {
            let nest = LoopNest::of(builder, reader.operation)?;
            Ok(nest.and_then(|nest| generic_behind(product, reader.operation, nest, number)))
        }
        _ => Ok(None),
    }
}

/// The op that alone reads C, through views at most.
struct Reader<'c> {
    operation: Operation<'c>,
    /// The view of C that it reads.
    value: Value<'c>,
}

fn only_reader<'c>(
    operation: Operation<'c>,
    product: &Product<'c>,
    overwrite: bool,
) -> Option<Reader<'c>> {
    let mut value = product.operands[C].value;
    if !defining_operation(value)?.0.isa::<memref::AllocOp>() || product.operands[C].start != 0 {
        return None;
    }
    let operations = operations_of(parent_block(operation)?);
    let position = |wanted: Operation<'c>| operations.iter().position(|other| *other == wanted);
    let own = position(operation)?;
    let found = loop {
        let mut readers = Vec::new();
        for (user, number) in uses_of(value) {
            if user == operation || is_dead_write(user, number, overwrite, position(user), own) {
                continue;
            }
            readers.push(user);
        }
        let [reader] = readers[..] else {
            return None;
        };
        if view_source(reader).is_none() {
            break reader;
        }
        value = *results_of(reader).first()?;
        if !has_identity_layout(value.r#type()) {
            return None;
        }
    };
    let end = position(found)?;
    let factors = [A, B].map(|operand| product.operands[operand].value);
    let between = operations.get(own + 1..end)?;
    between
        .iter()
        .all(|other| keeps(*other, &factors))
        .then_some(Reader {
            operation: found,
            value,
        })
}

/// Whether an op writes to C before the product, for nothing if the product
/// overwrites it.
fn is_dead_write(
    user: Operation,
    number: usize,
    overwrite: bool,
    position: Option<usize>,
    own: usize,
) -> bool {
    let writes = matches!(
        (name_of(user), number),
        (memref::CopyOp::NAME | linalg::FillOp::NAME, 1)
    );
    overwrite && writes && position.is_some_and(|position| position < own)
}

/// Whether an op is known not to write to any of these buffers.
fn keeps(operation: Operation, buffers: &[Value]) -> bool {
    let name = name_of(operation);
    let operands = operands_of(operation);
    let written = match name {
        memref::CopyOp::NAME => operands.get(1..),
        memref::LoadOp::NAME
        | memref::AllocOp::NAME
        | memref::GetGlobalOp::NAME
        | memref::DimOp::NAME => return true,
        memref::StoreOp::NAME => operands.get(1..2),
        _ if is_structured(operation) => {
            let outputs = halo_ir::body_of(operation, 0)
                .and_then(terminator_of)
                .map_or(operands.len(), |end| operands_of(end).len());
            operands.get(operands.len().saturating_sub(outputs)..)
        }
        _ => {
            return operation.region_count() == 0
                && (name.starts_with("arith.")
                    || name.starts_with("math.")
                    || view_source(operation).is_some());
        }
    };
    written.is_some_and(|written| {
        written
            .iter()
            .all(|target| buffers.iter().all(|buffer| !may_overlap(*target, *buffer)))
    })
}

/// A copy of C to where it belongs.
fn copy_behind<'c>(
    product: &Product<'c>,
    operation: Operation<'c>,
    number: usize,
) -> Option<Behind<'c>> {
    let [source, target] = operands_of(operation)[..] else {
        return None;
    };
    let shape = static_shape_of(source.r#type())?;
    let (from, to) = (
        strides_of(source.r#type())?.0,
        strides_of(target.r#type())?.0,
    );
    let mut parts = Vec::new();
    for ((size, from), to) in shape.into_iter().zip(from).zip(to) {
        parts.push(Part {
            size,
            stride: from?,
            others: vec![to?],
        });
    }
    let output = Operand {
        value: target,
        start: 0,
        conversion: None,
    };
    if number != 0 || !is_apart(product, target) {
        return None;
    }
    Some(Behind {
        product: with_operands(product, &parts, vec![output])?,
        consumer: Consumer {
            nest: None,
            inputs: Vec::new(),
            output: C + 1,
        },
        operation,
    })
}

/// Whether a kernel may write to a buffer while it reads the factors.
fn is_apart<'c>(product: &Product<'c>, target: Value<'c>) -> bool {
    kernel::is_reachable(target)
        && [A, B]
            .into_iter()
            .all(|factor| !may_overlap(product.operands[factor].value, target))
}

fn generic_behind<'c>(
    product: &Product<'c>,
    operation: Operation<'c>,
    nest: LoopNest<'c>,
    number: usize,
) -> Option<Behind<'c>> {
    let [output] = nest.outputs() else {
        return None;
    };
    if number >= nest.input_count || !is_elementwise(&nest) || !is_apart(product, output.value) {
        return None;
    }
    let output = output.clone();
    let mut inputs = Vec::new();
    let mut accesses: Vec<&Access> = Vec::new();
    let mut operands = Vec::new();
    for (own, access) in nest.accesses.iter().enumerate() {
        inputs.push(match access {
            _ if own == number => Input::Sum,
            access if access.scalar => Input::Scalar(access.value),
            access => {
                let is_output = own == nest.input_count;
                let same = access.value == output.value && access.indices == output.indices;
                if !is_output && !same && may_overlap(access.value, output.value) {
                    return None;
                }
                if !kernel::is_reachable(access.value) {
                    return None;
                }
                accesses.push(access);
                operands.push(Operand {
                    value: access.value,
                    start: start_of(access)?,
                    conversion: None,
                });
                Input::Operand(C + operands.len())
            }
        });
    }
    let sum = &nest.accesses[number];
    if start_of(sum)? != 0 {
        return None;
    }
    let parts = parts_of(&nest, sum, &accesses)?;
    let output = C + operands.len();
    Some(Behind {
        product: with_operands(product, &parts, operands)?,
        consumer: Consumer {
            nest: Some(nest),
            inputs,
            output,
        },
        operation,
    })
}

/// Whether iterations are independent, and their place does not matter.
fn is_elementwise(nest: &LoopNest) -> bool {
    let mut uses_index = false;
    for operation in operations_of(nest.body) {
        visit(operation, &mut |inner| {
            uses_index |= index_dimension(inner).is_some();
        });
    }
    !uses_index && nest.dims.iter().all(|dim| !dim.reduction)
}

/// The loops of an op, as they walk a shared buffer and others.
fn parts_of<'c>(
    nest: &LoopNest<'c>,
    shared: &Access<'c>,
    others: &[&Access<'c>],
) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    for (number, dim) in nest.dims.iter().enumerate() {
        let Extent::Fixed(size) = dim.extent else {
            return None;
        };
        let stride = shared.stride(number);
        let others: Vec<i64> = others.iter().map(|other| other.stride(number)).collect();
        if stride == IRREGULAR || others.contains(&IRREGULAR) {
            return None;
        }
        parts.push(Part {
            size,
            stride,
            others,
        });
    }
    Some(parts)
}

/// The product with more operands, whose places follow from that of C.
fn with_operands<'c>(
    product: &Product<'c>,
    parts: &[Part],
    operands: Vec<Operand<'c>>,
) -> Option<Product<'c>> {
    let shared = refine(product, C, parts)?;
    let mut extended = product.clone();
    extended.set_loops(shared.into_iter().map(
        |Shared {
             group,
             mut inner,
             others,
         }| {
            inner
                .strides
                .extend(others.unwrap_or_else(|| vec![0; operands.len()]));
            (group, inner)
        },
    ));
    extended.operands.extend(operands);
    Some(extended)
}

/// The product with a factor read where an op before it has the elements from,
/// and that op, for each factor that has one.
pub fn before<'c>(
    builder: &Builder<'c>,
    operation: Operation<'c>,
    mut product: Product<'c>,
) -> Emitted<(Product<'c>, Vec<Operation<'c>>)> {
    let mut taken = Vec::new();
    for factor in [A, B] {
        let Some((value, mover)) = mover_of(operation, &product, factor) else {
            continue;
        };
        let Some(nest) = LoopNest::of(builder, mover)? else {
            continue;
        };
        if let Some(direct) = moved(operation, mover, &product, (factor, value), &nest) {
            product = direct;
            taken.push(mover);
        }
    }
    Ok((product, taken))
}

/// The buffer behind a factor and the op that makes it for the product alone.
/// Both may serve other products before and behind.
fn mover_of<'c>(
    operation: Operation<'c>,
    product: &Product<'c>,
    factor: usize,
) -> Option<(Value<'c>, Operation<'c>)> {
    let mut buffer = product.operands[factor].value;
    if product.operands[factor].start != 0 {
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
    // Who uses the buffer, in order.
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
    let mover = operations[users[own.checked_sub(1)?]];
    let next = users.get(own + 1).map(|user| operations[*user]);
    let is_free = next.is_none_or(|next| overwrites(next, buffer));
    (is_free && overwrites(mover, buffer)).then_some((buffer, mover))
}

/// Whether an op writes every element of a buffer, and reads none.
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

fn moved<'c>(
    operation: Operation<'c>,
    mover: Operation<'c>,
    product: &Product<'c>,
    (factor, value): (usize, Value<'c>),
    nest: &LoopNest<'c>,
) -> Option<Product<'c>> {
    let ([source], [target]) = (nest.inputs(), nest.outputs()) else {
        return None;
    };
    let yielded = operands_of(terminator_of(nest.body)?);
    let is_move = yielded.first() == arguments_of(nest.body).first();
    if !is_move || source.scalar || target.value != value || !is_elementwise(nest) {
        return None;
    }
    if start_of(target)? != 0 || !kernel::is_reachable(source.value) {
        return None;
    }
    let operations = operations_of(parent_block(operation)?);
    let position = |wanted: Operation<'c>| operations.iter().position(|other| *other == wanted);
    let between = operations.get(position(mover)? + 1..position(operation)?)?;
    // The kernel writes to C, too, while it reads the source.
    let source_value = source.value;
    if !between.iter().all(|other| keeps(*other, &[source_value]))
        || may_overlap(product.operands[C].value, source_value)
    {
        return None;
    }
    let parts = parts_of(nest, target, &[source])?;
    let shared = refine(product, factor, &parts)?;
    let mut direct = product.clone();
    direct.set_loops(shared.into_iter().map(
        |Shared {
             group,
             mut inner,
             others,
         }| {
            if let Some([stride]) = others.as_deref() {
                inner.strides[factor] = *stride;
            }
            (group, inner)
        },
    ));
    direct.operands[factor].value = source_value;
    direct.operands[factor].start = start_of(source)?;
    // Reads that are beside each other in no way are better made once.
    let outer = if factor == A { Group::M } else { Group::N };
    let is_contiguous = |group: Group| {
        let mut loops = direct.loops(group).iter();
        loops.any(|inner| inner.strides[factor] == 1)
    };
    (is_contiguous(outer) || is_contiguous(Group::K)).then_some(direct)
}

/// Erases a buffer that nothing reads any more, with its views and what writes
/// to it.
pub fn erase_unread<'c>(builder: &Builder<'c>, buffer: Value<'c>) -> Result<(), BuildError> {
    let mut pending = vec![buffer];
    let mut users = Vec::new();
    while let Some(value) = pending.pop() {
        for (user, number) in uses_of(value) {
            let writes = matches!(
                (name_of(user), number),
                (memref::CopyOp::NAME | linalg::FillOp::NAME, 1)
            );
            if view_source(user).is_some() {
                pending.extend(results_of(user));
            } else if !writes {
                return Ok(());
            }
            users.push(user);
        }
    }
    for user in users.into_iter().rev() {
        builder.erase(user)?;
    }
    erase_views(builder, buffer)
}

/// Erases a view that is not used, and what it is a view of, where that is not
/// used either.
pub fn erase_views<'c>(builder: &Builder<'c>, value: Value<'c>) -> Result<(), BuildError> {
    let mut value = value;
    while is_unused(value) {
        let Some((operation, _)) = defining_operation(value) else {
            return Ok(());
        };
        let source = view_source(operation);
        if source.is_none() && !operation.isa::<memref::AllocOp>() {
            return Ok(());
        }
        builder.erase(operation)?;
        match source {
            Some(source) => value = source,
            None => return Ok(()),
        }
    }
    Ok(())
}
