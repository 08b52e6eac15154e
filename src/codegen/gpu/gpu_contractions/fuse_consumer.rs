//! Epilogue fusion: fuses the elementwise consumer of a contraction into its kernel.
//!
//! If the only consumer of the result is elementwise, such as a rounding, a
//! bias, an activation, or a copy to another buffer, it is computed on the
//! sums, and the result is not written.
//!
//! ```mlir
//! linalg.generic (m, n, k) ins(%lhs, %rhs) outs(%sums) { ... }
//! %pixels = memref.expand_shape %sums [[0, 1], [2]]
//! linalg.generic (y, x, n) ins(%pixels, %bias) outs(%result) { max(%pixels + %bias, 0) }
//! ```
//!
//! becomes one kernel that reads `%lhs`, `%rhs` and `%bias` and writes `%result`. The consumer may
//! overwrite the buffer of the sums. This module finds the consumer without changing IR;
//! [`super::epilogue`] emits it.

use super::{
    super::buffers,
    epilogue::{Consumer, Input},
    fusion::{is_elementwise, parts_of, preserves},
    refine::{Part, Shared, refine},
};
use crate::loops::{
    aliases::{is_reshape_of, unreshaped},
    contraction::{Operand, start_of},
    prelude::*,
};
use halo_ir::prelude::*;

/// A consumer that becomes the epilogue of a contraction.
pub struct FusedConsumer<'c> {
    /// The contraction with the operands of the consumer.
    pub contraction: Contraction<'c>,
    pub consumer: Consumer<'c>,
    /// The op.
    pub operation: Operation<'c>,
}

/// The elementwise op that is the only consumer of a contraction's result, and the contraction with
/// the consumer's operands.
pub fn fuse_consumer<'c>(
    operation: Operation<'c>,
    contraction: &Contraction<'c>,
    overwrite: bool,
) -> Option<FusedConsumer<'c>> {
    let reader = only_reader(operation, contraction, overwrite)?;
    let number = reader
        .operation
        .operands()
        .iter()
        .position(|operand| *operand == reader.value)?;
    match reader.operation.name() {
        memref::CopyOp::NAME => fuse_copy(contraction, reader.operation, number),
        _ if reader.operation.is_structured() => {
            let nest = LoopNest::of(reader.operation)?;
            fuse_elementwise(contraction, reader.operation, nest, number)
        }
        _ => None,
    }
}

/// The only consumer of the result, directly or through views.
struct Reader<'c> {
    operation: Operation<'c>,
    /// The view of the result that the consumer reads.
    value: Value<'c>,
}

fn only_reader<'c>(
    operation: Operation<'c>,
    contraction: &Contraction<'c>,
    overwrite: bool,
) -> Option<Reader<'c>> {
    let mut value = contraction.operands[RESULT].value;
    if contraction.operands[RESULT].start != 0 {
        return None;
    }
    let operations = operation.block()?.operations();
    let position = |wanted: Operation<'c>| operations.iter().position(|other| *other == wanted);
    let own = position(operation)?;
    let inputs = [LHS, RHS].map(|operand| contraction.operands[operand].value);
    let is_kept_until = |end: usize| {
        let mut between = operations.get(own + 1..end).into_iter().flatten();
        between.all(|other| preserves(*other, &inputs))
    };
    if let Some((end, view)) = overwriting_reader(operation, value, position) {
        return is_kept_until(end).then_some(Reader {
            operation: operations[end],
            value: view,
        });
    }
    if !value.defining_op()?.isa::<memref::AllocOp>() {
        return None;
    }
    let found = loop {
        let mut readers = Vec::new();
        for (user, number) in value.uses() {
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
        value = *reader.results().first()?;
        if !value.ty().has_identity_layout() {
            return None;
        }
    };
    is_kept_until(position(found)?).then_some(Reader {
        operation: found,
        value,
    })
}

/// The position of the first reader of the sums, and the view that it reads, if it updates each sum
/// in place. Later ops read the updated values.
fn overwriting_reader<'c>(
    operation: Operation<'c>,
    sums: Value<'c>,
    position: impl Fn(Operation<'c>) -> Option<usize>,
) -> Option<(usize, Value<'c>)> {
    let own = position(operation)?;
    let mut first: Option<(usize, Operation, Value)> = None;
    let mut pending = vec![unreshaped(sums)];
    while let Some(value) = pending.pop() {
        for (user, _) in value.uses() {
            let number = position(user)?;
            if view_source(user).is_some() {
                pending.extend(user.results());
            } else if number > own && first.is_none_or(|(first, ..)| number < first) {
                first = Some((number, user, value));
            }
        }
    }
    let (number, reader, view) = first.filter(|(.., view)| is_reshape_of(*view, sums))?;
    let nest = LoopNest::of(reader).filter(|_| reader.is_structured())?;
    let own_element = |access: &Access<'c>| {
        let mut indices = access.indices.iter().enumerate();
        !access.scalar && indices.all(|(dim, index)| *index == Expr::Dim(dim))
    };
    let is_of_sums = |access: &&Access<'c>| may_overlap(access.value, sums);
    let is_view = |access: &Access<'c>| access.value == view;
    let is_read = nest.inputs().iter().any(is_view);
    let is_written = nest.outputs().iter().any(is_view);
    let mut of_sums = nest.accesses.iter().filter(is_of_sums);
    let rank = view.ty().static_shape()?.len();
    let replaces = is_read
        && is_written
        && nest.dims.len() == rank
        && of_sums.all(|access| is_view(access) && own_element(access));
    replaces.then_some((number, view))
}

/// Returns true if an op writes to the result before the contraction, which overwrites it.
fn is_dead_write(
    user: Operation,
    number: usize,
    overwrite: bool,
    position: Option<usize>,
    own: usize,
) -> bool {
    let writes = matches!(
        (user.name(), number),
        (memref::CopyOp::NAME | linalg::FillOp::NAME, 1)
    );
    overwrite && writes && position.is_some_and(|position| position < own)
}

/// Fuses a copy of the result to another buffer.
fn fuse_copy<'c>(
    contraction: &Contraction<'c>,
    operation: Operation<'c>,
    number: usize,
) -> Option<FusedConsumer<'c>> {
    let [source, target] = operation.operands()[..] else {
        return None;
    };
    let shape = source.ty().static_shape()?;
    let (from, to) = (source.ty().strides()?.0, target.ty().strides()?.0);
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
    if number != 0 || !is_apart(contraction, target) {
        return None;
    }
    Some(FusedConsumer {
        contraction: with_operands(contraction, &parts, vec![output])?,
        consumer: Consumer {
            nest: None,
            inputs: Vec::new(),
            output: RESULT + 1,
        },
        operation,
    })
}

/// Returns true if a kernel may write to a buffer while it reads lhs and rhs.
fn is_apart<'c>(contraction: &Contraction<'c>, target: Value<'c>) -> bool {
    buffers::is_reachable(target)
        && [LHS, RHS]
            .into_iter()
            .all(|operand| !may_overlap(contraction.operands[operand].value, target))
}

fn fuse_elementwise<'c>(
    contraction: &Contraction<'c>,
    operation: Operation<'c>,
    nest: LoopNest<'c>,
    number: usize,
) -> Option<FusedConsumer<'c>> {
    let [output] = nest.outputs() else {
        return None;
    };
    if number >= nest.input_count || !is_elementwise(&nest) || !is_apart(contraction, output.value)
    {
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
                if !buffers::is_reachable(access.value) {
                    return None;
                }
                accesses.push(access);
                operands.push(Operand {
                    value: access.value,
                    start: start_of(access)?,
                    conversion: None,
                });
                Input::Operand(RESULT + operands.len())
            }
        });
    }
    let sum = &nest.accesses[number];
    if start_of(sum)? != 0 {
        return None;
    }
    let parts = parts_of(&nest, sum, &accesses)?;
    let output = RESULT + operands.len();
    Some(FusedConsumer {
        contraction: with_operands(contraction, &parts, operands)?,
        consumer: Consumer {
            nest: Some(nest),
            inputs,
            output,
        },
        operation,
    })
}

/// The contraction with additional operands, whose offsets follow from the offsets of the result.
fn with_operands<'c>(
    contraction: &Contraction<'c>,
    parts: &[Part],
    operands: Vec<Operand<'c>>,
) -> Option<Contraction<'c>> {
    let shared = refine(contraction, RESULT, parts)?;
    let mut extended = contraction.clone();
    extended.set_loops(shared.into_iter().map(
        |Shared {
             group,
             mut inner,
             others,
         }| {
            inner.strides.extend(others.unwrap_or_else(|| vec![0; operands.len()]));
            (group, inner)
        },
    ));
    extended.operands.extend(operands);
    Some(extended)
}
