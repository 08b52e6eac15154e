//! The buffers that calls of kernels take: where they are, and what is done with them.

use halo_codegen::loops::{footprint::Footprint, sizes::size_in_bytes};
use halo_ir::{
    Block, Operation, Value, arguments_of, block_argument, body_of, defining_operation, is_memref,
    name_of, operands_of,
    ops::{OperationExt, arith, memref},
    results_of, uses_of, value_key,
};
use halo_runtime::compilation_record::{Arena, CallBuffer, CompilationRecord};
use melior::ir::ValueLike;
use std::collections::{BTreeSet, HashSet};

/// Where the buffers of an entry are.
pub struct Entry<'a, 'c> {
    function: Operation<'c>,
    arena: Option<&'a Arena>,
    /// How many of its arguments are those of the program, and how many results follow.
    arguments: usize,
    results: usize,
}

impl<'a, 'c> Entry<'a, 'c> {
    pub fn of(function: Operation<'c>, record: &'a CompilationRecord) -> Self {
        Self {
            function,
            arena: record.arena.as_ref(),
            arguments: record.arguments.len(),
            results: record.results.len(),
        }
    }

    /// An argument of the entry, in the words of the program: its own arguments are first, and
    /// the places of its results follow.
    fn name_of_argument(&self, block: Block<'c>, number: usize) -> String {
        let arguments = arguments_of(block);
        let before = arguments.iter().take(number);
        let number = before.filter(|it| is_memref(it.r#type())).count();
        match number.checked_sub(self.arguments) {
            None => format!("argument {number}"),
            Some(result) if result < self.results => format!("result {result}"),
            Some(_) => "memory of the caller".to_owned(),
        }
    }
}

/// The buffers that a call takes, each once.
pub fn buffers(
    op: Operation,
    kernel: Option<Operation>,
    entry: &Entry<'_, '_>,
    time: Option<u32>,
) -> Vec<CallBuffer> {
    let mut seen = BTreeSet::new();
    let values = operands_of(op).into_iter();
    let values = values.filter(|value| is_memref(value.r#type()));
    let touched = Footprint::of(op, kernel).buffers;
    let written = written_by(op, kernel);
    values
        .zip(touched)
        .filter(|(value, _)| seen.insert(value_key(*value)))
        .map(|(value, touched)| CallBuffer {
            touched,
            is_written: written.contains(&value_key(value)),
            ..buffer(value, entry, time)
        })
        .collect()
}

/// The buffers that a call writes to.
fn written_by(call: Operation, kernel: Option<Operation>) -> HashSet<usize> {
    let operands = operands_of(call);
    let arguments = kernel.and_then(|kernel| body_of(kernel, 0));
    let arguments = arguments.map(arguments_of).unwrap_or_default();
    // By the order of buffers: a launch also takes the sizes of its grid.
    let buffers = |values: &[Value]| {
        let buffers = values.iter().filter(|value| is_memref(value.r#type()));
        buffers.map(|value| value_key(*value)).collect::<Vec<_>>()
    };
    let taken = buffers(&operands);
    let is_copy = matches!(name_of(call), "memref.copy");
    match kernel {
        Some(_) => {
            let inner = arguments
                .into_iter()
                .filter(|value| is_memref(value.r#type()));
            let pairs = taken.into_iter().zip(inner);
            let written = pairs.filter(|(_, argument)| is_written(*argument, DEEPEST));
            written.map(|(buffer, _)| buffer).collect()
        }
        None if is_copy => taken.last().copied().into_iter().collect(),
        // What a function does is not known.
        None => taken.into_iter().collect(),
    }
}

/// How many views of views are followed.
const DEEPEST: usize = 16;

/// Whether a buffer or a view of it is written.
fn is_written(buffer: Value, deepest: usize) -> bool {
    uses_of(buffer).into_iter().any(|(user, number)| {
        let views = results_of(user).into_iter();
        let views: Vec<Value> = views.filter(|view| is_memref(view.r#type())).collect();
        match name_of(user) {
            "memref.load"
            | "vector.load"
            | "vector.maskedload"
            | "vector.transfer_read"
            | "vector.gather"
            | "memref.prefetch"
            | "memref.dim"
            | "memref.dealloc" => false,
            "memref.copy" => number == 1,
            _ if views.is_empty() => true,
            _ => deepest == 0 || views.into_iter().any(|view| is_written(view, deepest - 1)),
        }
    })
}

fn buffer(value: Value, entry: &Entry<'_, '_>, time: Option<u32>) -> CallBuffer {
    let of = value.r#type();
    let buffer = CallBuffer {
        r#type: of.to_string(),
        bytes: size_in_bytes(of),
        ..CallBuffer::default()
    };
    let mut root = value;
    // Through views, up to what holds the memory.
    while let Some((definition, _)) = defining_operation(root) {
        if let Some(view) = definition.cast::<memref::ViewOp>() {
            let offset = arith::constant_index(view.byte_shift());
            let offset = offset.and_then(|offset| u64::try_from(offset).ok());
            let number = entry.arena.zip(offset).and_then(|(arena, offset)| {
                let is_live = |first: u64, last: u64| {
                    time.is_none_or(|time| (first..=last).contains(&u64::from(time)))
                };
                arena.buffers.iter().position(|buffer| {
                    buffer.offset == offset && is_live(buffer.first, buffer.last)
                })
            });
            return CallBuffer {
                name: "arena".to_owned(),
                arena: number.and_then(|number| u32::try_from(number).ok()),
                ..buffer
            };
        }
        let first = operands_of(definition).first().copied();
        match first.filter(|first| is_memref(first.r#type())) {
            Some(first) => root = first,
            None => break,
        }
    }
    let name = match (block_argument(root), defining_operation(root)) {
        (Some((block, number)), _) if Some(block) == body_of(entry.function, 0) => {
            entry.name_of_argument(block, number)
        }
        (_, Some((definition, _))) => match name_of(definition) {
            "memref.get_global" => "constant".to_owned(),
            "memref.alloc" | "memref.alloca" => "temporary".to_owned(),
            name => name.to_owned(),
        },
        _ => String::new(),
    };
    CallBuffer { name, ..buffer }
}
