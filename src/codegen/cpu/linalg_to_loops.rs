//! `--halo-linalg-to-loops`: lowers linalg ops on buffers to loops for LLVM's vectorizer.
//!
//! Upstream's `convert-linalg-to-parallel-loops` keeps the order of the iterators and accumulates
//! in memory. This pass chooses the order by the memory layout: the most operands are contiguous
//! along the innermost loop, row reductions keep their accumulators in registers, windows are
//! unrolled in the innermost loop, and the outermost parallel loops are collapsed to one
//! `scf.parallel`, which is outlined to a kernel.
//!
//! ```mlir
//! linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
//!     iterator_types = ["parallel", "reduction"]}
//!     ins(%in : memref<64x100xf32>) outs(%out : memref<64xf32>) {
//! ^bb0(%x: f32, %sum: f32):
//!   %0 = arith.addf %sum, %x : f32
//!   linalg.yield %0 : f32
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
//!   %init = memref.load %out[%i] : memref<64xf32>
//!   %sum = scf.for %j = %c0 to %c100 step %c1 iter_args(%acc = %init) -> (f32) {
//!     %x = memref.load %in[%i, %j] : memref<64x100xf32>
//!     %0 = arith.addf %acc, %x fastmath<reassoc> : f32
//!     scf.yield %0 : f32
//!   }
//!   memref.store %sum, %out[%i] : memref<64xf32>
//!   scf.reduce
//! }
//! ```
//!
//! StableHLO does not specify the order of a reduction; `reassoc` passes this on to LLVM.
//!
//! Fills are folded into the initial value of reductions, and padding into reads of its source
//! ([`folded_writes`](crate::loops::folded_writes)), so reshapes, fills and copies cost nothing.
//! The option `explain` emits a remark for each padded buffer that stays.

mod innermost;
mod interior;
mod lanes;
mod neighbours;
mod scan;

use super::{
    nontemporal_stores::{LINE, is_large_result_of_one_op},
    transpose,
};
use crate::cleanup::cse;
use crate::contraction::plan::even_division::least_tasks;
use crate::explain::Outcome;
use crate::loops::{
    access::copy_as_generic,
    aliases::is_in_parallel_loop,
    bounds::piece_bounds,
    folded_writes::FoldedWrites,
    padded_reads::{self, Needed},
    prelude::*,
    reduction,
};
use halo_core::machine::Machine;
use halo_ir::{ops::halo, pipeline, prelude::*};
use innermost::has_short_windows;
use std::cell::Cell;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// The machine that code is for
        machine: Machine = "x86-64-v3",
        /// Emit a remark for each padded buffer that stays
        explain: bool = false,
        /// Emit vectors for transposes, scans and selections, which LLVM does not vectorize
        vectors: bool = true,
        /// The bits of an SVE register, if vectors are in SVE registers; otherwise 0
        sve_bits: i64 = 0,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-linalg-to-loops",
    "Lower linalg ops on buffers to parallel and vectorizable loops",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["arith", "linalg", "llvm", "memref", "scf", "ub", "vector"])
.options::<Options>();

/// Dimensions are collapsed into the parallel loop until it has this many iterations for each
/// of the least tasks.
const ENOUGH_ITERATIONS: i64 = 4;
/// Reductions of fewer numbers are short.
const FEW_ITERATIONS: i64 = 16;
/// Iterations per task of a contiguous loop without reductions.
const ELEMENTWISE_PIECE: i64 = 4096;
/// The minimum task size, if all tasks must have equal sizes.
const SHORTEST_PIECE: i64 = 512;
/// Iterations per task of a contiguous loop around a reduction: they fit in the L1 cache.
const COLUMN_PIECE: i64 = 256;

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let function = pass.operation();
    let options = pass.options::<Options>();
    let explains = options.explain;
    let machine = options.machine;
    let vectors = options.vectors.then_some(Vectors {
        sve_bits: options.sve_bits,
    });
    let mut explain = |op, buffer: Value, (reason, reader): Needed| {
        if explains {
            let padded = buffer.ty();
            let decision = Outcome::StaysPadded.because(reason);
            let message = format!("stays padded, in a buffer of '{padded}': {reason}");
            let remark = decision.remark_as(pass, op, message);
            if let Some(reader) = reader {
                remark.note(reader, "what reads it");
            }
        }
    };
    let folded = with_builder(function, |b| folded_writes(b, function, &mut explain));
    let has_windows = Cell::new(false);
    pass.for_each(
        |operation| operation.is_structured() || is_strided_copy(operation),
        |builder, operation| {
            let unrolls = lower(builder, operation, (&folded, vectors, &machine));
            has_windows.set(has_windows.get() | unrolls);
            {}
        },
    )?;
    // Unrolled windows repeat indices and loads. CSE is cheaper here than canonicalization, which
    // revisits the loops around an op for each op that it removes.
    if has_windows.get() {
        pass.run_pipeline(&pipeline![&cse::PASS])
    } else {
        Ok(())
    }
}

/// Folds the fills and padding of a function into their readers. `explain` is called with the
/// padded buffers that stay and the reasons.
fn folded_writes<'c>(
    builder: &Builder<'c>,
    function: Operation<'c>,
    explain: &mut padded_reads::Explain<'_, 'c>,
) -> FoldedWrites<'c> {
    let accepts = |_, nest: &LoopNest<'c>| !transpose::applies(nest);
    let mut folded = FoldedWrites::default();
    folded.take_padding(builder, function, &accepts, explain);
    folded.take_fills(builder, function, &accepts);
    folded.padded.erase_copies(builder);
    folded
}

/// Whether an op is a `memref.copy` that upstream would lower to a library call, or whose size
/// varies.
fn is_strided_copy(operation: Operation) -> bool {
    let is_whole = |ty: Type| ty.has_identity_layout() && ty.static_shape().is_some();
    let types = operation.operands().types();
    operation.isa::<memref::CopyOp>() && types.into_iter().any(|ty| ty.is_memref() && !is_whole(ty))
}

/// Lowers an op. Returns whether windows were unrolled.
fn lower<'c>(
    builder: &Builder<'c>,
    operation: Operation<'c>,
    (folded, vectors, machine): (&FoldedWrites<'c>, Option<Vectors>, &Machine),
) -> bool {
    if operation.isa::<memref::CopyOp>() {
        let copy = copy_as_generic(builder, operation);
        builder.erase(operation);
        return with_builder(copy, |builder| {
            lower(builder, copy, (folded, vectors, machine))
        });
    }
    let Some(mut nest) = LoopNest::of(operation) else {
        return false;
    };
    let mut unrolls = false;
    folded.padded.apply(operation, &mut nest);
    nest.drop_unit_dims();
    nest.fuse_dims();
    if !nest.is_empty() {
        nest.build_views(builder);
        let combiners = reduction::combiners(&nest);
        reduction::set_fastmath(builder, &combiners);
        if !transpose::lower(builder, &nest, vectors, machine) {
            let is_inner = is_in_parallel_loop(operation);
            let starts = folded.starts_of(operation, &nest);
            let schedule = Schedule::new((nest, vectors, *machine), combiners, starts, is_inner);
            schedule.emit(builder);
            unrolls = schedule.unrolls;
        }
    }
    builder.erase(operation);
    unrolls
}

/// The order of the loops of a nest.
#[derive(Clone)]
struct Schedule<'c> {
    nest: LoopNest<'c>,
    combiners: Vec<Option<Combiner<'c>>>,
    /// The fill values of outputs, if known.
    starts: Vec<Option<Value<'c>>>,
    /// Parallel loops, outermost first, without the innermost loop.
    parallel: Vec<usize>,
    /// Reduction loops, outermost first, without the innermost loop.
    reductions: Vec<usize>,
    innermost: Option<usize>,
    /// Whether the reduction loops are unrolled in the innermost one.
    unrolls: bool,
    /// Whether the op is nested in a parallel loop.
    is_inner: bool,
    /// The target's vectors, if the lowering may use vectors.
    vectors: Option<Vectors>,
    machine: Machine,
}

/// Vectors of the target.
#[derive(Clone, Copy, Debug)]
pub struct Vectors {
    /// The bits of an SVE register, if vectors are in SVE registers; otherwise 0.
    pub sve_bits: i64,
}

/// A range of a loop: its dimension and bounds.
type Piece<'c> = (usize, Value<'c>, Value<'c>);

/// The body of a loop nest: takes the loop indices and the carried values and returns the next
/// carried values.
type LoopBody<'a, 'c> =
    dyn FnMut(&Builder<'c>, &mut [Value<'c>], &[Value<'c>]) -> Vec<Value<'c>> + 'a;

impl<'c> Schedule<'c> {
    fn new(
        (nest, vectors, machine): (LoopNest<'c>, Option<Vectors>, Machine),
        combiners: Vec<Option<Combiner<'c>>>,
        starts: Vec<Option<Value<'c>>>,
        is_inner: bool,
    ) -> Self {
        let unrolls = has_short_windows(&nest);
        let innermost = innermost_dim(&nest, unrolls);
        let by_stride = |access: Option<&Access<'c>>, reduction: bool| {
            let mut dims: Vec<usize> = (0..nest.dims.len())
                .filter(|dim| nest.dims[*dim].reduction == reduction && Some(*dim) != innermost)
                .collect();
            if let Some(access) = access {
                dims.sort_by_key(|dim| std::cmp::Reverse(access.stride(*dim)));
            }
            dims
        };
        let main_input = nest.inputs().iter().rev().max_by_key(|access| {
            (0..nest.dims.len()).filter(|dim| access.stride(*dim) != 0).count()
        });
        let parallel = by_stride(nest.outputs().first(), false);
        let reductions = by_stride(main_input, true);
        Self {
            nest,
            combiners,
            starts,
            parallel,
            reductions,
            innermost,
            unrolls,
            is_inner,
            vectors,
            machine,
        }
    }

    fn size(&self, dim: usize) -> i64 {
        self.nest.dims[dim].extent.estimate()
    }

    fn emit(&self, builder: &Builder<'c>) {
        let zero = index::constant(builder, 0);
        let mut ivs = vec![zero; self.nest.dims.len()];
        let Some(innermost) = self.innermost else {
            return self.emit_iteration(builder, &ivs);
        };
        if self.is_inner {
            return self.emit_sequential(builder, &self.parallel, &mut ivs, None);
        }
        let row_reduction = self.nest.dims[innermost].reduction;
        let mut outer = 0;
        let mut iterations = 1;
        let tasks = least_tasks(&self.machine);
        while outer < self.parallel.len() && iterations < ENOUGH_ITERATIONS * tasks {
            iterations *= self.size(self.parallel[outer]);
            outer += 1;
        }
        let (outer, middle) = self.parallel.split_at(outer);
        if outer.is_empty() && !row_reduction && self.reductions.is_empty() {
            if let Some((size, piece)) = self.pieces_of_large_result(innermost) {
                return self.emit_pieces(builder, (&[], &[]), ivs, (innermost, size, piece));
            }
            let count = self.nest.extent(builder, innermost);
            scf::parallel_range(builder, count, |builder, iv| {
                ivs[innermost] = iv;
                self.emit_iteration(builder, &ivs)
            });
            return;
        }
        if iterations < tasks {
            let piece = if row_reduction {
                None
            } else if self.reductions.is_empty() {
                Some(ELEMENTWISE_PIECE)
            } else {
                Some(COLUMN_PIECE)
            };
            if let (Some(piece), Extent::Fixed(size)) = (piece, self.nest.dims[innermost].extent)
                && size >= 2 * piece
            {
                return self.emit_pieces(builder, (outer, middle), ivs, (innermost, size, piece));
            }
        }
        if outer.is_empty() {
            return self.emit_sequential(builder, middle, &mut ivs, None);
        }
        if middle.is_empty()
            && let Some(neighbours) = self.neighbours(outer)
        {
            return self.emit_neighbours(builder, outer, ivs, neighbours);
        }
        let count = self.count(builder, outer);
        scf::parallel_range(builder, count, |builder, iv| {
            self.delinearize(builder, outer, iv, &mut ivs);
            self.emit_sequential(builder, middle, &mut ivs, None)
        });
    }

    /// The size of a loop over a result that exceeds the caches, and the size of its equal pieces,
    /// for `--halo-nontemporal-stores`. A result with other users, such as the fill of a scatter,
    /// does not qualify.
    fn pieces_of_large_result(&self, dim: usize) -> Option<(i64, i64)> {
        let Extent::Fixed(size) = self.nest.dims[dim].extent else {
            return None;
        };
        let mut outputs = self.nest.outputs().iter();
        let mut pieces = (1..=ELEMENTWISE_PIECE / LINE).rev().map(|lines| lines * LINE);
        (outputs.any(|output| is_large_result_of_one_op(output.value, &self.machine)))
            .then(|| pieces.find(|piece| *piece >= SHORTEST_PIECE && size % piece == 0))
            .flatten()
            .map(|piece| (size, piece))
    }

    /// The trip count of the collapsed loops.
    fn count(&self, builder: &Builder<'c>, dims: &[usize]) -> Value<'c> {
        let mut count = index::constant(builder, 1);
        for dim in dims {
            let extent = self.nest.extent(builder, *dim);
            count = index::mul(builder, count, extent);
        }
        count
    }

    /// Computes the indices of loops from the index of the collapsed loop.
    fn delinearize(
        &self,
        builder: &Builder<'c>,
        dims: &[usize],
        iv: Value<'c>,
        ivs: &mut [Value<'c>],
    ) {
        let mut rest = iv;
        for (position, dim) in dims.iter().enumerate().rev() {
            if position == 0 {
                ivs[*dim] = rest;
            } else {
                let extent = self.nest.extent(builder, *dim);
                ivs[*dim] = index::rem(builder, rest, extent);
                rest = index::div(builder, rest, extent);
            }
        }
    }

    /// Emits a parallel loop over the outer loops and pieces of the innermost loop.
    fn emit_pieces(
        &self,
        builder: &Builder<'c>,
        (outer, middle): (&[usize], &[usize]),
        mut ivs: Vec<Value<'c>>,
        (dim, size, piece): (usize, i64, i64),
    ) {
        let pieces = index::constant(builder, (size + piece - 1) / piece);
        let outer_count = self.count(builder, outer);
        let count = index::mul(builder, outer_count, pieces);
        scf::parallel_range(builder, count, |builder, iv| {
            let mut number = iv;
            if !outer.is_empty() {
                number = index::rem(builder, iv, pieces);
                let rest = index::div(builder, iv, pieces);
                self.delinearize(builder, outer, rest, &mut ivs);
            }
            let (lower, upper) = piece_bounds(builder, number, size, piece);
            self.emit_sequential(builder, middle, &mut ivs, Some((dim, lower, upper)))
        });
    }

    /// Emits the loops inside the parallel loop.
    fn emit_sequential(
        &self,
        builder: &Builder<'c>,
        middle: &[usize],
        ivs: &mut [Value<'c>],
        piece: Option<Piece<'c>>,
    ) {
        if self.innermost.is_none() {
            return self.emit_iteration(builder, ivs);
        }
        self.emit_loops(builder, middle, ivs, &[], None, &mut |builder, ivs, _| {
            match self.interior() {
                Some(interior) => self.emit_versions(builder, &interior, ivs, piece),
                None => self.emit_innermost(builder, ivs, piece),
            }
            Vec::new()
        });
    }

    /// Emits a nest of `scf.for` with carried values around `body`.
    fn emit_loops(
        &self,
        builder: &Builder<'c>,
        dims: &[usize],
        ivs: &mut [Value<'c>],
        carried: &[Value<'c>],
        piece: Option<Piece<'c>>,
        body: &mut LoopBody<'_, 'c>,
    ) -> Vec<Value<'c>> {
        let Some((dim, rest)) = dims.split_first() else {
            return body(builder, ivs, carried);
        };
        let (lower, upper) = match piece {
            Some((number, lower, upper)) if number == *dim => (lower, upper),
            _ => (index::constant(builder, 0), self.nest.extent(builder, *dim)),
        };
        let op = scf::for_(
            builder,
            (lower, upper, 1),
            carried,
            |builder, iv, carried| {
                ivs[*dim] = iv;
                self.emit_loops(builder, rest, ivs, carried, piece, body)
            },
        );
        self.mark(builder, *dim, op);
        op.results()
    }

    /// Marks an innermost loop with independent or combinable iterations as parallel.
    fn mark(&self, builder: &Builder<'c>, dim: usize, op: scf::ForOp<'c>) {
        let is_reduced = self.nest.dims[dim].reduction;
        let carries_all = op.results().len() == self.nest.outputs().len();
        let combines = carries_all && self.combiners.iter().all(Option::is_some);
        if Some(dim) == self.innermost && (!is_reduced || combines) {
            let marker = unit_attribute(builder.context());
            op.set_attribute(halo::PARALLEL, marker);
        }
    }
}

/// Chooses the innermost loop: the dimension with the fewest strided operands. Ties prefer a long
/// reduction, which keeps its accumulator in a register, then the innermost dimension of the
/// output.
fn innermost_dim(nest: &LoopNest, unrolls: bool) -> Option<usize> {
    let strided = |dim: usize| {
        nest.accesses
            .iter()
            .filter(|access| !matches!(access.stride(dim), 0 | 1))
            .count()
    };
    let output_stride = |dim: usize| match nest.outputs().first().map(|out| out.stride(dim)) {
        Some(0) | None => IRREGULAR,
        Some(stride) => stride,
    };
    let candidates = (0..nest.dims.len()).filter(|dim| !(unrolls && nest.dims[*dim].reduction));
    candidates.min_by_key(|dim| {
        let long_reduction =
            nest.dims[*dim].reduction && nest.dims[*dim].extent.estimate() >= FEW_ITERATIONS;
        (
            strided(*dim),
            !long_reduction,
            output_stride(*dim),
            std::cmp::Reverse(*dim),
        )
    })
}
