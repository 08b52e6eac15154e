//! `--halo-split-kernels`: splits kernels that have more of a program's code than a core's share.
//!
//! LLVM compiles different kernels on several threads, but each function on one. A program with a
//! single product, convolution or sort has one dominant kernel, whose compile time is the latency
//! of the whole compilation. The program has as many shares as the machine model has cores, and the
//! largest kernel is split first, then its parts.
//!
//! ```mlir
//! func.func private @main_kernel_0(%begin: index, %end: index,
//!     %a: memref<64x512xf32> {llvm.noalias}, %b: memref<64x512xf32> {llvm.noalias})
//!     attributes {halo.kernel} {
//!   scf.for %i = %begin to %end step %c1 {
//!     // ... some ops
//!     scf.for %j = %c0 to %c512 step %c16 {
//!       // ... as many ops on %a, %b, %i
//!     }
//!   }
//!   return
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! func.func private @main_kernel_0(...) attributes {halo.kernel} {
//!   scf.for %i = %begin to %end step %c1 {
//!     // ... some ops
//!     call @main_kernel_0__part(%i, %a, %b) : (...) -> ()
//!   }
//!   return
//! }
//! func.func private @main_kernel_0__part(%i: index, %a: memref<64x512xf32> {llvm.noalias},
//!     %b: memref<64x512xf32> {llvm.noalias}) attributes {halo.kernel} {
//!   scf.for %j = %c0 to %c512 step %c16 { ... }
//!   return
//! }
//! ```
//!
//! The part is a range of ops in one block with 30 to 70 % of the kernel's code, and at most one
//! scalar result. It contains a loop, so that the call overhead is small. The choice among such
//! ranges prefers fewer calls, and a larger half near half of the kernel, or near a share if a share
//! is larger; another thread compiles the part. The result does not depend on the number of threads.
//! The part recomputes sums of its arguments and constants, such as the end of a range, which proves
//! to LLVM that a loop has an iteration.

use crate::loops::{
    aliases::ancestor_in,
    captures::{Captures, overlap_free, overlap_free_arguments, replace_captured},
};
use halo_core::machine::Machine;
use halo_cost::cpu::trip_count;
use halo_ir::{
    SymbolNames,
    ops::halo::{KERNEL, PART_SUFFIX, VECTORIZED},
    prelude::*,
};
use melior::ir::r#type::FunctionType;
use std::{collections::HashMap, ops::Range, rc::Rc};

pass_options! {
    /// The options of the pass.
    struct Options {
        /// The minimum size of a kernel to split, in instructions, where a loop or a branch counts
        /// as twenty: LLVM takes five milliseconds for this size
        #[range(1..=i64::MAX)]
        least_size: usize = 190,
        /// The machine that code is for
        machine: Machine = "x86-64-v3",
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-split-kernels",
    "Split kernels that have more of a program's code than a core's share",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["func"])
.options::<Options>();

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let module = pass.operation();
    let Options {
        least_size,
        machine,
    } = pass.options::<Options>();
    let shares = machine.cores as usize;
    let functions = module.body(0).map(Block::operations).unwrap_or_default();
    let kernels = functions.into_iter().filter(|op| op.has_attribute(KERNEL));
    let mut kernels: Vec<_> = kernels.map(|kernel| (kernel, size_of(kernel))).collect();
    let all: usize = kernels.iter().map(|(_, size)| size + CALL_SIZE).sum();
    let mut parts = 1;
    while parts < shares
        && let Some(largest) = (0..kernels.len()).max_by_key(|index| kernels[*index].1)
    {
        let (kernel, size) = kernels.swap_remove(largest);
        if size < least_size || shares * size <= all {
            break;
        }
        let longest = (all as f64 / shares as f64).max(size as f64 / 2.0);
        if !has_tiles(kernel)
            && let Some((piece, captures)) = best_piece(kernel, size, (all, longest))
            && let Some(part) = outline(kernel, &name_of_part(module, kernel), &piece, &captures)
        {
            kernels.extend([kernel, part].map(|kernel| (kernel, size_of(kernel))));
            parts += 1;
        }
    }
    Ok(())
}

/// The name of a kernel with a suffix, or with several if that is taken.
fn name_of_part(module: Operation, kernel: Operation) -> String {
    let name = kernel.attribute("sym_name").and_then(Attribute::string_value);
    let mut name = name.unwrap_or_default().to_owned();
    let mut names = SymbolNames::of(module);
    loop {
        name += PART_SUFFIX;
        if names.claim(&name) {
            return name;
        }
    }
}

/// The size of the code that calls a kernel, in units of [`size_of`].
const CALL_SIZE: usize = 20;

/// The size of an op as a measure of LLVM's time: its instructions, where a loop or a branch counts
/// as twenty.
fn size_of(operation: Operation) -> usize {
    let mut size = 0;
    operation.visit(&mut |op| size += own_size(op));
    size
}

/// The size of an op without the ops in its regions.
fn own_size(operation: Operation) -> usize {
    match operation.name() {
        arith::ConstantOp::NAME => 0,
        scf::ForOp::NAME | scf::IfOp::NAME | scf::WhileOp::NAME => 20,
        _ => 1,
    }
}

/// Whether a function uses AMX tiles, which no call preserves and which are slow to configure.
fn has_tiles(function: Operation) -> bool {
    let is_on_tiles = |op: Operation| op.name().starts_with("amx.");
    !function.collect_nested(is_on_tiles).is_empty()
}

/// Whether a function has values in SVE registers.
fn has_scalable_vectors(function: Operation) -> bool {
    let is_scalable = |op: Operation| op.name().starts_with("vector.scalable.");
    !function.collect_nested(is_scalable).is_empty()
}

/// A candidate: a range of consecutive ops of a block.
struct Piece<'c> {
    /// The ops of the block.
    block: Rc<[Operation<'c>]>,
    range: Range<usize>,
    /// The value that is used after the range.
    result: Option<Value<'c>>,
    /// How often they run, and how far the larger function is from the size that it should have.
    cost: f64,
}

impl<'c> Piece<'c> {
    fn operations(&self) -> &[Operation<'c>] {
        &self.block[self.range.clone()]
    }
}

/// The maximum number of candidates that are tried: a range that captures a vector cannot be
/// outlined.
const MOST_TRIED: usize = 16;

/// The part of a kernel to outline.
fn best_piece<'c>(
    kernel: Operation<'c>,
    size: usize,
    (all, longest): (usize, f64),
) -> Option<(Piece<'c>, Captures<'c>)> {
    let mut search = Search {
        size_of_kernel: size,
        size_of_all: all,
        longest,
        pieces: Vec::new(),
    };
    search.visit(kernel, 1.0);
    let mut pieces = search.pieces;
    pieces.sort_by(|one, other| one.cost.total_cmp(&other.cost));
    let mut pieces = pieces.into_iter().take(MOST_TRIED);
    pieces.find_map(|piece| {
        let mut captures = Captures::of_all(piece.operations())?;
        // If a loop is known to iterate, LLVM's register allocator spills and reloads SVE registers
        // in each iteration.
        if !has_scalable_vectors(kernel) {
            captures.clone_sums();
        }
        Some((piece, captures))
    })
}

/// The maximum length of a searched block: the search is quadratic.
const LONGEST_BLOCK: usize = 512;

/// The candidates of a kernel.
struct Search<'c> {
    size_of_kernel: usize,
    /// The size of all kernels and of their calls.
    size_of_all: usize,
    /// The size that the larger of the two functions should have.
    longest: f64,
    pieces: Vec<Piece<'c>>,
}

impl<'c> Search<'c> {
    /// Adds the candidates in the blocks of an op that is executed `times` times. Returns its size.
    fn visit(&mut self, around: Operation<'c>, times: f64) -> usize {
        let mut size = own_size(around);
        for (number, region) in around.regions().into_iter().enumerate() {
            let times = times * iterations(around, number);
            for block in region.blocks() {
                let operations: Rc<[_]> = block.operations().into();
                let sizes = operations.iter().map(|op| self.visit(*op, times));
                let sizes: Vec<usize> = sizes.collect();
                size += sizes.iter().sum::<usize>();
                self.visit_block(&operations, &sizes, times);
            }
        }
        size
    }

    /// Adds the candidates in a block that is executed `times` times.
    fn visit_block(&mut self, operations: &Rc<[Operation<'c>]>, sizes: &[usize], times: f64) {
        let share = |size: usize| size as f64 / self.size_of_kernel as f64;
        let largest = 0.7;
        if share(sizes.iter().sum()) < 1.0 - largest || operations.len() > LONGEST_BLOCK {
            return;
        }
        let last_uses = last_uses(operations);
        let last = operations.len().saturating_sub(1);
        for start in 0..last {
            let (mut size, mut has_loop) = (0, false);
            let mut open: Vec<(Value, usize)> = Vec::new();
            for end in start + 1..=last {
                let operation = operations[end - 1];
                size += sizes[end - 1];
                has_loop |= operation.isa::<scf::ForOp>() || operation.isa::<scf::WhileOp>();
                if operation.isa::<memref::AllocaOp>() || share(size) > largest {
                    break;
                }
                open.extend(&last_uses[end - 1]);
                open.retain(|(_, last)| *last >= end);
                let result = open.first().map(|(value, _)| *value);
                if share(size) < 1.0 - largest
                    || !has_loop
                    || open.len() > 1
                    || result.is_some_and(|result| !is_scalar(result))
                {
                    continue;
                }
                let larger = size.max(self.size_of_kernel - size);
                let imbalance = (larger as f64 - self.longest).abs() / self.size_of_all as f64;
                self.pieces.push(Piece {
                    block: Rc::clone(operations),
                    range: start..end,
                    result,
                    cost: times.max(1.0).log2() / 4.0 + 16.0 * imbalance,
                });
            }
        }
    }
}

/// The estimated executions of a region per execution of its op.
fn iterations(operation: Operation, region: usize) -> f64 {
    const UNKNOWN: f64 = 16.0;
    match operation.name() {
        scf::ForOp::NAME => trip_count(operation).map_or(UNKNOWN, |trips| trips as f64),
        scf::WhileOp::NAME => UNKNOWN,
        // The first region is the interior of a padded operand, the second its edges.
        scf::IfOp::NAME if region == 1 => 0.125,
        _ => 1.0,
    }
}

/// For each op of a block, its results with the position of their last use in the block, including
/// nested uses.
fn last_uses<'c>(operations: &[Operation<'c>]) -> Vec<Vec<(Value<'c>, usize)>> {
    let Some(block) = operations.first().and_then(|op| op.block()) else {
        return Vec::new();
    };
    let positions = operations.iter().enumerate();
    let positions: HashMap<usize, usize> =
        positions.map(|(position, op)| (op.key(), position)).collect();
    let position_of = |user: Operation<'c>| {
        let own = ancestor_in(block, user);
        let position = own.and_then(|own| positions.get(&own.key()));
        position.copied().unwrap_or(operations.len())
    };
    let last_use = |value: Value<'c>| {
        let users = value.uses().into_iter();
        let last = users.map(|(user, _)| position_of(user)).max()?;
        Some((value, last))
    };
    let results = operations.iter().copied().map(Operation::results);
    results
        .map(|results| results.into_iter().filter_map(last_use).collect())
        .collect()
}

fn is_scalar(value: Value) -> bool {
    let ty = value.ty();
    ty.is_index() || ty.is_integer() || ty.is_float()
}

/// Outlines a part of a kernel.
fn outline<'c>(
    kernel: Operation<'c>,
    name: &str,
    piece: &Piece<'c>,
    captures: &Captures<'c>,
) -> Option<Operation<'c>> {
    let first = *piece.operations().first()?;
    let results: Vec<_> = piece.result.iter().map(|value| value.ty()).collect();
    let attributes = argument_attributes(kernel, captures);
    let call = with_builder(first, |builder| {
        func::call(builder, name, &captures.values, &results)
    });
    if let (Some(old), Some(new)) = (piece.result, call.operation().results().first()) {
        for (user, number) in old.uses() {
            if !piece.operations().iter().any(|op| user.is_inside(*op)) {
                user.set_operand(number, *new);
            }
        }
    }
    Some(with_builder(kernel, |builder| {
        builder.set_after(kernel);
        let builder = builder.at(first.location());
        let returned: Vec<_> = piece.result.into_iter().collect();
        let region = builder.region(&captures.types(), |builder, arguments| {
            let map = captures.clone_into(builder, arguments);
            let end = func::return_(builder, &returned).operation();
            for operation in piece.operations() {
                operation.move_before(end);
            }
            replace_captured(builder, piece.operations(), &map);
        });
        let context = builder.context();
        let signature = FunctionType::new(context, &captures.types(), &results);
        let part = func::FuncOp::build(&builder, name, signature.into(), region)
            .sym_visibility("private")
            .arg_attrs(&attributes)
            .attribute(KERNEL, unit_attribute(context));
        let part = if kernel.has_attribute(VECTORIZED) {
            part.attribute(VECTORIZED, unit_attribute(context))
        } else {
            part
        };
        part.insert().operation()
    }))
}

/// Marks `noalias` buffers. Arguments of the kernel keep the kernel's marks.
fn argument_attributes<'c>(kernel: Operation<'c>, captures: &Captures<'c>) -> Vec<Attribute<'c>> {
    let arguments = kernel.body(0).map(Block::arguments).unwrap_or_default();
    let marks = overlap_free_arguments(kernel);
    let are_marked = arguments
        .iter()
        .zip(marks)
        .all(|(argument, is_marked)| is_marked || !argument.ty().is_memref());
    let mut is_marked = overlap_free(captures);
    is_marked.iter_mut().for_each(|free| *free &= are_marked);
    captures.argument_attributes(kernel.context(), &is_marked)
}
