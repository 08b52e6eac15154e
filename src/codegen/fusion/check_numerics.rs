//! `--halo-check-numerics`: ends a run in which an op makes NaN or an infinity.
//!
//! The pass runs after fusion, so that it changes no decision of it. The body of an elementwise op
//! stores a *mark*, a NaN with a known payload, in place of an element for which an op of the body
//! makes NaN or an infinity. A result with marks, and the result of a sum, of a product or of a
//! call of a library, is searched when it is complete. Each block ends with a call of
//! [`FAULT`] if one of its searches has found something:
//!
//! ```mlir
//! %1 = linalg.generic ins(%x) outs(%0) {
//!   %3 = math.log %in : f32
//!   linalg.yield %3 : f32
//! } -> tensor<8xf32>
//! return %1 : tensor<8xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %1 = linalg.generic ins(%x) outs(%0) {
//!   %3 = math.log %in : f32
//!   // NaN of no NaN, or an infinity of finite numbers
//!   %4 = select %fault, 0x7FEB0000, %3 : f32
//!   linalg.yield %4 : f32
//! } -> tensor<8xf32>
//! %2 = linalg.generic ins(%1) outs(%zero) { or(%out, bits(%in) == 0x7FEB0000) } -> tensor<i32>
//! scf.if (%2[] != 0) { halo.custom_call "halo.numerics_fault"() }
//! return %1 : tensor<8xf32>
//! ```
//!
//! NaN and infinities that an op only hands on are no faults: constants, inputs, and values that a
//! selection does not choose. A value is tested where it is stored, and where the next op may lose
//! it, such as a comparison, a maximum, or a divisor. The ops of one op of HLO, which have one
//! location, are not tested between one another.
//!
//! A fault may be reported where none is: a sum of infinite elements is not distinguished from a
//! sum that overflows, and the program was simplified before. The caller of the
//! program then runs it again, with all its ops
//! ([`observe_ops`](halo_hlo::transforms::observe_ops)). Not tested are floats of less than 16 bits
//! and complex numbers, and comparisons in a loop without a float result.

mod body;
mod search;

use crate::loops::elementwise::before_reshapes;
use body::Body;
use halo_ir::{
    ops::halo::{CustomCallOp, SCATTER},
    prelude::*,
};
use search::{Found, Search, Test, is_supported};
use std::collections::HashSet;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Detect results that are NaN
        nan: bool = true,
        /// Detect infinite results
        inf: bool = true,
        /// Detect subnormal results
        subnormal: bool = false,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-check-numerics",
    "End a run in which an op makes NaN or an infinity",
    run,
)
.dependent_dialects(&["arith", "halo", "linalg", "math", "scf", "tensor"])
.options::<Options>();

/// The custom call at the end of a block with a fault.
pub const FAULT: &str = "halo.numerics_fault";

/// Custom calls that only move elements.
const MOVING_CALLS: &[&str] = &["halo.sort", "halo.top_k"];

/// The kinds of results that are faults.
#[derive(Clone, Copy)]
struct Kinds {
    nan: bool,
    inf: bool,
    subnormal: bool,
}

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let options = pass.options::<Options>();
    let kinds = Kinds {
        nan: options.nan,
        inf: options.inf,
        subnormal: options.subnormal,
    };
    let functions = pass.operation().collect_nested(|op| op.isa::<func::FuncOp>());
    for function in functions {
        let mut blocks = Vec::new();
        if let Some(body) = function.body(0) {
            collect(body, &mut blocks);
        }
        for block in blocks {
            let Some(end) = block.terminator() else {
                continue;
            };
            with_builder(end, |b| check(&b.at(end.location()), kinds, block));
        }
    }
    Ok(())
}

/// A block and the blocks of the loops and conditionals of the program in it.
fn collect<'c>(block: Block<'c>, blocks: &mut Vec<Block<'c>>) {
    for op in block.operations() {
        if is_of_program(op) {
            let nested = (0..op.region_count()).filter_map(|region| op.body(region));
            nested.for_each(|body| collect(body, blocks));
        }
    }
    blocks.push(block);
}

/// Returns true for a loop or a conditional of the program; the others are formed by passes, and
/// are one kernel.
fn is_of_program(op: Operation) -> bool {
    op.isa::<scf::WhileOp>()
        || op.isa::<scf::IfOp>()
        || op.isa::<scf::IndexSwitchOp>()
        || op.isa::<scf::ForOp>() && !is_over_elements(op)
}

/// Returns true for a loop that reads or writes single elements, such as a scatter.
fn is_over_elements(op: Operation) -> bool {
    let has_indices = |op: &Operation| match op.name() {
        tensor::ExtractOp::NAME => op.operand_count() > 1,
        tensor::InsertOp::NAME => op.operand_count() > 2,
        _ => false,
    };
    let operations = op.body(0).map(Block::operations).unwrap_or_default();
    op.has_attribute(SCATTER) || operations.iter().any(has_indices)
}

/// Adds the checks of a block.
fn check<'c>(b: &Builder<'c>, kinds: Kinds, block: Block<'c>) {
    let mut search = Search::new(kinds);
    for op in block.operations() {
        let op_builder = b.at(op.location());
        let found = match op.name() {
            linalg::GenericOp::NAME => of_generic(&op_builder, kinds, op, &mut None),
            scf::ForallOp::NAME => of_forall(&op_builder, kinds, op),
            scf::ForOp::NAME if is_over_elements(op) => any(op),
            CustomCallOp::NAME if !moves(op) => any(op),
            _ => Vec::new(),
        };
        op_builder.set_after(op);
        for found in found.iter().filter(|found| is_supported(found.value.ty().element_type())) {
            search.add(&op_builder, found);
        }
    }
    let scalars = Body::new(kinds, block, &[], HashSet::new());
    if let Some(end) = block.terminator() {
        b.set_before(end);
        let fault = scalars.fault(b);
        if let Some(fault) = search.finish(b, fault) {
            scf::if_(b, fault, |b| {
                CustomCallOp::build(b, &[], &[], FAULT, &[], &[], &[]).insert();
            });
        }
    }
}

/// Results that any op may have made NaN or infinite.
fn any(op: Operation<'_>) -> Vec<Found<'_>> {
    op.results().into_iter().map(Found::any).collect()
}

/// Returns true for a call of a function that only moves elements.
fn moves(op: Operation) -> bool {
    MOVING_CALLS.contains(&CustomCallOp::from_unchecked(op).target())
}

/// The values of a loop over tiles that are tested where they are read; `None` outside of one.
type TestedByReaders = Option<HashSet<usize>>;

/// Marks the elements of a generic op, and returns the results to be searched: all but the ones
/// that their readers test.
fn of_generic<'c>(
    b: &Builder<'c>,
    kinds: Kinds,
    op: Operation<'c>,
    in_tiles: &mut TestedByReaders,
) -> Vec<Found<'c>> {
    let Some((generic, body)) = op.cast::<linalg::GenericOp>().zip(op.body(0)) else {
        return Vec::new();
    };
    let inputs = generic.inputs();
    let arguments = body.arguments();
    let (elements, outputs) = arguments.split_at(inputs.len().min(arguments.len()));
    let is_by_readers = |input: &Value| {
        in_tiles.as_ref().is_some_and(|known| known.contains(&source_of(*input).key()))
    };
    let untested = inputs.iter().zip(elements);
    let untested = untested.filter(|(input, _)| is_untested(**input) || is_by_readers(input));
    let untested = untested.map(|(_, element)| element.key()).collect();
    let body = Body::new(kinds, body, outputs, untested);
    let is_elementwise =
        generic.iterator_types().iter().all(|kind| *kind == IteratorType::Parallel);
    let results = op.results();
    if is_elementwise
        && let Some(known) = in_tiles
        && body.keeps_all()
        && results.iter().all(|result| readers_keep(*result))
    {
        known.extend(results.iter().map(|result| result.key()));
        return Vec::new();
    }
    if is_elementwise {
        // The same elements of all results are marked.
        let marked = body.mark(b);
        return marked
            .and_then(|number| results.get(number).copied())
            .map(Found::mark)
            .into_iter()
            .collect();
    }
    let has_marks = body.mark_terms(b);
    let found = results.into_iter().zip(outputs).filter_map(|(result, output)| {
        if !is_selection(*output) {
            return Some(Found::any(result));
        }
        has_marks.then(|| Found::nan(result))
    });
    let is_in_tiles = in_tiles.is_some();
    found
        .filter(|found| !is_in_tiles && !Found::is_read_later(found.value))
        .collect()
}

/// Returns true if all users of a value are structured ops that keep NaN and infinities of it up to
/// their results.
fn readers_keep(value: Value) -> bool {
    !value.is_unused()
        && value.uses().into_iter().all(|(user, operand)| {
            let argument = user.body(0).and_then(|body| body.argument(operand));
            let is_input = user
                .cast::<linalg::GenericOp>()
                .is_some_and(|generic| operand < generic.inputs().len());
            is_input && argument.is_some_and(|argument| body::is_kept(argument))
        })
}

/// Returns true if an output of a reduction is a maximum or a minimum.
fn is_selection(output: Value) -> bool {
    let users = output.users();
    !users.is_empty()
        && users.iter().all(|user| {
            user.isa::<arith::MaximumFOp>()
                || user.isa::<arith::MinimumFOp>()
                || user.isa::<arith::MaxNumFOp>()
                || user.isa::<arith::MinNumFOp>()
                || user.isa::<arith::SelectOp>()
                || user.isa::<arith::CmpFOp>()
        })
}

/// Returns true for the result of a sum or a product that is not searched, since its reader tests
/// it: searching it would be another use, which prevents fusion in later phases.
fn is_untested(value: Value) -> bool {
    let source = source_of(value);
    let Some((op, number)) = source.as_result() else {
        return false;
    };
    let Some((generic, body)) = op.cast::<linalg::GenericOp>().zip(op.body(0)) else {
        return false;
    };
    let reduces = generic.iterator_types().contains(&IteratorType::Reduction);
    let output = body.argument(generic.inputs().len() + number);
    let is_sum = reduces && output.is_some_and(|output| !is_selection(output));
    is_sum && (is_in_loop_of_tiles(op) || Found::is_read_later(source))
}

/// The tensor of which a value has the elements.
fn source_of(value: Value) -> Value {
    let value = before_reshapes(value);
    match value.defined_by::<tensor::ExtractSliceOp>() {
        Some(slice) => source_of(slice.source()),
        None => value,
    }
}

/// Returns true in a loop over tiles, which fusion has formed.
fn is_in_loop_of_tiles(op: Operation) -> bool {
    op.enclosing::<scf::ForallOp>().is_some()
}

impl<'c> Found<'c> {
    /// Returns true if one elementwise op with a float result reads a value.
    fn is_read_later(value: Value<'c>) -> bool {
        let mut value = value;
        loop {
            let [(user, _)] = value.uses()[..] else {
                return false;
            };
            if user.isa::<tensor::ExpandShapeOp>() || user.isa::<tensor::CollapseShapeOp>() {
                value = user.results()[0];
                continue;
            }
            let Some(generic) = user.cast::<linalg::GenericOp>() else {
                return false;
            };
            let kinds = generic.iterator_types();
            return user.block() == value.parent_block()
                && kinds.iter().all(|kind| *kind == IteratorType::Parallel)
                && generic.inputs().contains(&value)
                && user.result_types().iter().any(|ty| is_supported(ty.element_type()));
        }
    }
}

/// Marks the elements of ops in a loop over tiles, and returns the results of the loop to be
/// searched.
fn of_forall<'c>(b: &Builder<'c>, kinds: Kinds, forall: Operation<'c>) -> Vec<Found<'c>> {
    let mut in_tiles = Some(HashSet::new());
    for op in forall.collect_nested(|op| op.isa::<linalg::GenericOp>()) {
        of_generic(&b.at(op.location()), kinds, op, &mut in_tiles);
    }
    let slices = forall.collect_nested(|op| op.isa::<tensor::ParallelInsertSliceOp>());
    let results = forall.results();
    let first = forall.body(0).map_or(0, Block::argument_count).saturating_sub(results.len());
    let stored = slices.into_iter().filter_map(|slice| {
        let slice = slice.cast::<tensor::ParallelInsertSliceOp>()?;
        let (_, argument) = slice.dest().as_block_argument()?;
        let value = *results.get(argument.checked_sub(first)?)?;
        let test = test_of(slice.source())?;
        let found = Found {
            value,
            test,
            part: None,
        };
        Some(mark_tile(b, kinds, (forall, slice), &found).unwrap_or(found))
    });
    stored.collect()
}

/// Searches a tile while it is in the cache, and marks its first element if it has a fault. Then
/// only the first elements of all tiles are searched. `None` if they are no slice of the result.
fn mark_tile<'c>(
    b: &Builder<'c>,
    kinds: Kinds,
    (forall, slice): (Operation<'c>, tensor::ParallelInsertSliceOp<'c>),
    found: &Found<'c>,
) -> Option<Found<'c>> {
    let (tile, element) = (slice.source(), found.value.ty().element_type());
    let sizes = found.value.ty().static_shape()?;
    let tile_sizes = tile.ty().static_shape()?;
    if !is_supported(element) || tile_sizes.iter().product::<i64>() < 2 {
        return None;
    }
    // In each dimension, a tile is whole, or one element for each iteration.
    let is_whole: Vec<bool> = (sizes.iter().zip(slice.static_sizes()))
        .map(|(size, of_tile)| {
            (*size == of_tile).then_some(true).or((of_tile == 1).then_some(false))
        })
        .collect::<Option<_>>()?;
    let iterations: i64 = sizes
        .iter()
        .zip(&is_whole)
        .filter(|(_, whole)| !**whole)
        .map(|(size, _)| *size)
        .product();
    let counts: Option<Vec<i64>> = forall
        .cast::<scf::ForallOp>()
        .filter(|loops| loops.static_step().iter().all(|step| *step == 1))
        .map(|loops| loops.static_upper_bound());
    if counts?.iter().product::<i64>() != iterations {
        return None;
    }
    let terminator = slice.operation().parent()?;
    b.set_before(terminator);
    let mut search = Search::new(kinds);
    search.add(
        b,
        &Found {
            value: tile,
            test: found.test,
            part: None,
        },
    );
    let fault = search.finish(b, None)?;
    let indices = vec![arith::constant(b, Type::index(b.context()), 0); tile_sizes.len()];
    let own = tensor::extract(b, tile, &indices);
    let marked = arith::select(b, fault, search::mark(b, element), own);
    let tile = tensor::insert(b, marked, tile, &indices);
    slice.operation().set_operand(0, tile);
    let first = sizes
        .iter()
        .zip(&is_whole)
        .map(|(size, whole)| if *whole { 1 } else { *size })
        .collect();
    Some(Found {
        part: Some(first),
        ..Found::mark(found.value)
    })
}

/// The search for faults in a value of a loop over tiles; `None` if it has none.
fn test_of(value: Value) -> Option<Test> {
    let (op, number) = source_of(value).as_result()?;
    let Some((generic, body)) = op.cast::<linalg::GenericOp>().zip(op.body(0)) else {
        return Some(Test::Kinds);
    };
    let kinds = generic.iterator_types();
    let output = body.argument(generic.inputs().len() + number)?;
    Some(
        if kinds.iter().all(|kind| *kind == IteratorType::Parallel) {
            Test::Mark
        } else if is_selection(output) {
            Test::Nan
        } else {
            Test::Kinds
        },
    )
}
