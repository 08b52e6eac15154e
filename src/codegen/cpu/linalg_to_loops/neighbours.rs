//! Register blocking of convolutions: adjacent windows in one innermost loop.
//!
//! Adjacent windows overlap and read the same kernel. If the innermost loop computes a few adjacent
//! results, each element is loaded once for all of them: a depthwise 3x3 convolution has 27 loads
//! for 4 results instead of 72.
//!
//! ```mlir
//! scf.parallel (%block) = (%c0) to (%c784) step (%c1) {  // 56 rows of 14 blocks
//!   scf.for %c = %c0 to %c128 step %c1 {
//!     ... // the window of column 4 * %block, then the next three windows
//!   }
//! }
//! ```
//!
//! The loop over the rows of a window stays inside the innermost loop, if it can then be
//! vectorized:
//!
//! ```mlir
//! %sums:4 = scf.for %row = %c0 to %c3 step %c1 iter_args(...) -> (f32, f32, f32, f32) {
//!   ... // 6 elements and 3 of the kernel
//! }
//! ```
//!
//! If elements may be padding, a block whose elements are all in bounds is one loop. The other
//! blocks are few, but bounds checks would dominate the code size. There, the loop over rows is
//! outside the innermost loop, and accumulates the results of two windows in memory.

use super::{Schedule, innermost::MOST_OPS};
use crate::{cpu::vectorize_loops, loops::prelude::*};
use halo_ir::prelude::*;

/// The windows that are computed together, row by row, in blocks with padding.
const AT_EDGES: i64 = 2;
/// On most processors, loops over multiples of this many iterations have no remainder.
const LANES: i64 = 16;

/// The indices of each window of a block.
type Windows<'c> = Vec<Vec<Value<'c>>>;

impl<'c> Schedule<'c> {
    /// The profitable number of windows to compute together, along the last outer loop.
    pub(super) fn neighbours(&self, outer: &[usize]) -> Option<i64> {
        let (dim, innermost) = (*outer.last()?, self.innermost?);
        let Extent::Fixed(size) = self.nest.dims[dim].extent else {
            return None;
        };
        let moves = |access: &Access| {
            let mut indices = access.indices.iter();
            indices.any(|index| {
                index.mentions(dim) && self.reductions.iter().any(|other| index.mentions(*other))
            })
        };
        let windows = self.reductions.iter().map(|dim| self.size(*dim));
        let ops = windows.product::<i64>() * self.nest.body.operations().len() as i64;
        // An interior with a range of the innermost loop splits that loop.
        let is_simple = match self.interior() {
            Some(interior) => interior.has_no_range(),
            None => self.nest.accesses.iter().all(|access| access.padding.is_none()),
        };
        // A maximum of loaded elements is slower than its loads.
        let arguments = self.nest.body.arguments();
        let mut read = self.nest.inputs().iter().zip(&arguments);
        let reads_kernel = read.any(|(input, argument)| {
            !argument.is_unused()
                && !input.mentions(dim)
                && self.reductions.iter().any(|other| input.mentions(*other))
        });
        let is_contiguous = |access: &Access| matches!(access.stride(innermost), 0 | 1);
        let applies = self.unrolls
            && reads_kernel
            && is_simple
            && self.nest.accesses.iter().all(is_contiguous)
            && self.nest.inputs().iter().any(moves)
            && self
                .nest
                .outputs()
                .iter()
                .all(|output| output.mentions(dim) && !self.is_running(output));
        let fits = |count: &i64| size % count == 0 && ops.saturating_mul(*count) <= MOST_OPS;
        applies.then(|| [4, 2].into_iter().find(fits)).flatten()
    }

    /// Emits a parallel loop over blocks of adjacent windows.
    pub(super) fn emit_neighbours(
        &self,
        builder: &Builder<'c>,
        outer: &[usize],
        mut ivs: Vec<Value<'c>>,
        neighbours: i64,
    ) {
        let Some(dim) = outer.last().copied() else {
            return;
        };
        let mut blocked = self.clone();
        blocked.nest.dims[dim].extent = Extent::Fixed(self.size(dim) / neighbours);
        let count = blocked.count(builder, outer);
        scf::parallel_range(builder, count, |builder, iv| {
            blocked.delinearize(builder, outer, iv, &mut ivs);
            ivs[dim] = index::mul(builder, ivs[dim], neighbours);
            let windows = side_by_side(builder, (&ivs, dim), neighbours);
            let (Some(interior), [first, .., last]) = (self.interior(), &windows[..]) else {
                return self.emit_together(builder, windows);
            };
            let of_first = interior.is_inside(builder, first);
            let of_last = interior.is_inside(builder, last);
            let (Some(of_first), Some(of_last)) = (of_first, of_last) else {
                return interior.schedule.emit_together(builder, windows);
            };
            let is_inside = arith::andi(builder, of_first, of_last);
            let together = |builder: &Builder<'c>| {
                interior.schedule.emit_together(builder, windows);
                Vec::new()
            };
            let at_edges = self.rows().map_or(1, |_| AT_EDGES);
            let apart = |builder: &Builder<'c>| {
                scf::for_range(builder, neighbours / at_edges, 1, |builder, number| {
                    let mut ivs = ivs.clone();
                    let offset = index::mul(builder, number, at_edges);
                    ivs[dim] = index::add(builder, ivs[dim], offset);
                    let windows = side_by_side(builder, (&ivs, dim), at_edges);
                    self.emit_edge(builder, windows)
                });
                Vec::new()
            };
            scf::if_else(builder, is_inside, together, apart);
        });
    }

    /// Emits the results of windows that may have padding row by row, so that only the elements of
    /// one row are checked.
    fn emit_edge(&self, builder: &Builder<'c>, windows: Windows<'c>) {
        let Some(rows) = self.rows() else {
            return self.emit_together(builder, windows);
        };
        if self.starts.iter().any(Option::is_some) {
            self.emit_innermost_loop(builder, windows.clone(), |builder, windows| {
                let each = windows.iter();
                each.for_each(|ivs| self.store_starts(builder, ivs))
            });
        }
        let mut row = self.row();
        row.starts.fill(None);
        let mut ivs = windows[0].clone();
        self.emit_loops(
            builder,
            &[rows],
            &mut ivs,
            &[],
            None,
            &mut |builder, ivs, _| {
                row.emit_together(builder, in_row(&windows, rows, ivs));
                Vec::new()
            },
        );
    }

    /// Emits the innermost loop of all windows.
    fn emit_together(&self, builder: &Builder<'c>, windows: Windows<'c>) {
        self.emit_innermost_loop(builder, windows, |builder, windows| {
            // No stores between loads of the same element, so that CSE merges them.
            let initial = windows.iter().map(|ivs| self.initial(builder, ivs));
            let initial = initial.collect::<Vec<_>>();
            let values = self.emit_windows(builder, windows, initial);
            let each = windows.iter().zip(values);
            each.for_each(|(ivs, values)| self.store(builder, ivs, &values))
        })
    }

    fn emit_innermost_loop(
        &self,
        builder: &Builder<'c>,
        mut windows: Windows<'c>,
        body: impl FnOnce(&Builder<'c>, &[Vec<Value<'c>>]),
    ) {
        let Some(innermost) = self.innermost else {
            return;
        };
        let bounds = (
            index::constant(builder, 0),
            self.nest.extent(builder, innermost),
            index::constant(builder, 1),
        );
        let op = scf::for_(builder, bounds, &[], |builder, iv, _| {
            windows.iter_mut().for_each(|ivs| ivs[innermost] = iv);
            body(builder, &windows);
            Vec::new()
        });
        self.mark(builder, innermost, op);
    }

    /// Emits the reductions of all windows, and returns the accumulators.
    fn emit_windows(
        &self,
        builder: &Builder<'c>,
        windows: &[Vec<Value<'c>>],
        values: Vec<Vec<Value<'c>>>,
    ) -> Vec<Vec<Value<'c>>> {
        let Some(rows) = self.loop_over_rows() else {
            let each = windows.iter().zip(values);
            return each.map(|(ivs, values)| self.emit_window(builder, ivs, values)).collect();
        };
        let count = values[0].len();
        let apart = |values: &[Value<'c>]| values.chunks(count).map(<[_]>::to_vec).collect();
        let row = self.row();
        let mut ivs = windows[0].clone();
        let results = self.emit_loops(
            builder,
            &[rows],
            &mut ivs,
            &values.concat(),
            None,
            &mut |builder, ivs, values| {
                let windows = in_row(windows, rows, ivs);
                let values = row.emit_windows(builder, &windows, apart(values));
                values.concat()
            },
        );
        apart(&results)
    }

    /// The reduction over rows of windows, if it stays a loop inside of the innermost loop, which
    /// shortens the code. LLVM vectorizes innermost loops only. Integer products compete with loop
    /// counters and address arithmetic for execution units, so a loop slows them down.
    fn loop_over_rows(&self) -> Option<usize> {
        let rows = self.rows()?;
        let Extent::Fixed(size) = self.nest.dims[self.innermost?].extent else {
            return None;
        };
        let mut numbers = self.nest.body.arguments().into_iter();
        let applies = self.vectors.is_some()
            && size % LANES == 0
            && numbers.all(|number| number.ty().float_kind().is_some())
            && vectorize_loops::has_vectors(self.nest.body);
        applies.then_some(rows)
    }

    /// The reduction over rows of windows, if they are enough for a loop.
    fn rows(&self) -> Option<usize> {
        match self.reductions[..] {
            [rows, _, ..] if self.size(rows) > 2 => Some(rows),
            _ => None,
        }
    }

    /// The schedule of one row of a window.
    fn row(&self) -> Self {
        let mut row = self.clone();
        row.reductions.remove(0);
        row
    }
}

/// The indices of a window and of the following ones in a dimension.
fn side_by_side<'c>(
    builder: &Builder<'c>,
    (first, dim): (&[Value<'c>], usize),
    count: i64,
) -> Windows<'c> {
    let mut windows = Vec::new();
    for number in 0..count {
        let mut ivs = first.to_vec();
        ivs[dim] = index::add(builder, ivs[dim], number);
        windows.push(ivs);
    }
    windows
}

/// The windows in the current row of the loops.
fn in_row<'c>(windows: &[Vec<Value<'c>>], rows: usize, ivs: &[Value<'c>]) -> Windows<'c> {
    let mut windows = windows.to_vec();
    windows.iter_mut().for_each(|own| own[rows] = ivs[rows]);
    windows
}
