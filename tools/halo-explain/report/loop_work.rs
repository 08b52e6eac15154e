//! What the loops of a kernel do in a call, counted in its IR: the arithmetic of products with
//! that at edges of tiles, loads and stores, data that they read again, the copies of operands to
//! buffers of its own, and what each thread touches.
//!
//! A product computes whole tiles. Where rows do not divide into tiles, it computes more than
//! it stores:
//!
//! ```mlir
//! scf.for %tile = %c0 to %c7 step %c1 {        // 49 rows in tiles of 8
//!   %sums = scf.for ... { vector.fma ... }     // 8 rows
//!   %rows = arith.minsi %left, %c8 : index
//!   scf.for %row = %c0 to %rows step %c1 { vector.store ..., %result[...] }
//! }
//! ```
//!
//! The loops are counted task by task ([`nest`]): each thread has iterations of its own, and caches
//! of its own for what they touch ([`working_set`]).

mod affine;
mod memref;
mod nest;
mod working_set;

use super::{entry_loops::CallRun, tasks, texts};
use halo_runtime::compilation_record::{CompilationRecord, FunctionText};
use nest::{Access, Nest};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// So many tasks of all runs are looked at one by one.
const MOST_TASKS: usize = 512;

/// What a call does, in the mean of its runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoopWork {
    /// The operations of its fused multiplications and additions; `None` if the number of
    /// iterations of a loop is not known.
    pub flops: Option<f64>,
    /// The bytes of its arguments that it copies to buffers of its own.
    pub packed: Option<f64>,
    /// Those of them that it copies in loops without products.
    pub copied_alone: Option<f64>,
    /// The buffers, by their place among the arguments that are buffers, of which it copies so.
    pub copied_buffers: BTreeSet<usize>,
    /// Whether it prefetches data.
    pub prefetches: bool,
    /// The bytes of all its loads and stores.
    pub moved: Option<f64>,
    /// What it reads again of its arguments, and of its own buffers.
    pub again: Vec<Again>,
    /// Whether it may read more again: of buffers or in loops that are not known.
    pub reads_more: bool,
    /// The narrowest rows that it reads of an argument, one after the other.
    pub rows: Option<Rows>,
    /// The size of its own buffers, those of one thread.
    pub own_bytes: f64,
    /// Whether it stores parts of tiles.
    pub has_edges: bool,
    /// What each of its tasks touches of its arguments; none if that is not known.
    pub of_tasks: Vec<f64>,
}

/// Data that loads read again.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Again {
    /// All of them in a call, without the first time.
    pub bytes: f64,
    /// What a thread touches between one time and the next.
    pub between: f64,
}

/// Rows of an argument that a loop reads one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rows {
    /// Bytes of a row that are read, and from the begin of one to that of the next.
    pub bytes: f64,
    pub stride: f64,
}

impl LoopWork {
    /// Of a kernel that is called with these numbers, and whose tasks have so many iterations at
    /// least: the mean of all runs.
    pub fn of(
        record: &CompilationRecord,
        text: &FunctionText,
        runs: &[CallRun],
        least: u64,
    ) -> Self {
        let divided = |threads: u64| {
            let tasks = runs.iter().map(|run| {
                let iterations = run.iterations?;
                Some(tasks::ranges(iterations, least, threads))
            });
            tasks.collect::<Vec<Option<Vec<Range<i64>>>>>()
        };
        let mut tasks = divided(u64::from(record.threads.max(1)));
        let all: usize = tasks.iter().flatten().map(Vec::len).sum();
        let are_single = all <= MOST_TASKS;
        if !are_single {
            tasks = divided(1);
        }
        let mut mean = Self {
            flops: Some(0.0),
            packed: Some(0.0),
            copied_alone: Some(0.0),
            moved: Some(0.0),
            ..Self::default()
        };
        let count = runs.len().max(1) as f64;
        for (run, tasks) in runs.iter().zip(&tasks) {
            let of_task = |task: Option<&Range<i64>>| {
                let lines = texts::lines(record, text);
                Nest::of(lines, &run.captured, task)
            };
            match tasks {
                Some(tasks) => {
                    for (number, task) in tasks.iter().enumerate() {
                        mean.add(&of_task(Some(task)), number, count);
                    }
                }
                None => mean.add(&of_task(None), 0, count),
            }
        }
        if !are_single || mean.of_tasks.iter().any(|bytes| bytes.is_nan()) {
            mean.of_tasks.clear();
        }
        mean
    }

    /// Adds the task with a number of one of so many runs.
    fn add(&mut self, nest: &Nest<'_>, number: usize, runs: f64) {
        let sum = |of: &dyn Fn(&Access) -> bool| {
            let chosen = nest.accesses.iter().filter(|access| of(access));
            let sum: Option<f64> = chosen.map(|it| Some(it.bytes * it.times?)).sum();
            sum
        };
        let add = |own: &mut Option<f64>, more: Option<f64>| {
            *own = own.zip(more).map(|(own, more)| own + more / runs);
        };
        add(&mut self.flops, nest.flops);
        add(&mut self.moved, sum(&|_| true));
        add(&mut self.packed, sum(&|access| access.copied.is_some()));
        let is_alone = |access: &Access| {
            let computes = access.around.map(|number| nest.loops[number].has_products);
            access.copied.is_some() && computes != Some(true)
        };
        let alone = nest.accesses.iter().filter(|access| is_alone(access));
        let places = alone.filter_map(|access| access.copied);
        self.copied_buffers.extend(places);
        add(&mut self.copied_alone, sum(&is_alone));
        self.prefetches |= nest.prefetches;
        self.own_bytes = self.own_bytes.max(nest.own_bytes);
        self.has_edges |= nest.accesses.iter().any(|access| access.is_edge);
        let reuse = working_set::reuse(nest);
        self.reads_more |= reuse.may_be_more;
        let again = reuse.again.into_iter().map(|again| Again {
            bytes: again.bytes / runs,
            ..again
        });
        self.again.extend(again);
        let narrow = narrowest_rows(nest).into_iter();
        let rows = self.rows.into_iter().chain(narrow);
        self.rows = rows.min_by(|one, other| one.bytes.total_cmp(&other.bytes));
        if number >= self.of_tasks.len() {
            self.of_tasks.resize(number + 1, 0.0);
        }
        let own = working_set::of_task(nest);
        self.of_tasks[number] += own.unwrap_or(f64::NAN) / runs;
    }
}

/// So many rows that are read side by side are streams, which a processor fetches ahead.
const STREAMS: f64 = 16.0;

/// The narrowest rows of an argument that an innermost loop reads one after the other.
fn narrowest_rows(nest: &Nest<'_>) -> Option<Rows> {
    let mut all: BTreeMap<(usize, usize), (Rows, f64)> = BTreeMap::new();
    for load in nest.accesses.iter().filter(|access| !access.is_store) {
        let (Some(innermost), Some(place)) = (load.around, &load.place) else {
            continue;
        };
        let stride = |number: usize| {
            let stride = place.terms.get(&nest.loops[number].variable);
            stride.map_or(0.0, |stride| stride.abs() as f64)
        };
        if stride(innermost) > 0.0 && !nest.buffers[load.buffer].is_own {
            let (rows, next) = all.entry((innermost, load.buffer)).or_default();
            rows.bytes += load.bytes;
            rows.stride = stride(innermost);
            *next = nest.loops[innermost].around.map_or(0.0, stride);
        }
    }
    let narrow = all
        .into_iter()
        .filter_map(|((innermost, _), (rows, next))| {
            let are_few = nest.count(innermost).is_some_and(|count| count <= STREAMS);
            let are_streams = are_few && (1.0..=rows.bytes).contains(&next);
            (rows.bytes < rows.stride && !are_streams).then_some(rows)
        });
    narrow.min_by(|one, other| one.bytes.total_cmp(&other.bytes))
}

/// A product of 49 rows in tiles of 8, of 64 terms and 2 * 16 columns for each iteration of
/// the parallel loop, of which there are 4: 2 * 49 * 64 * 128 operations are needed, and those
/// of 56 rows are computed.
#[cfg(test)]
pub const EDGES: &str = "\
  func.func private @main_kernel_0(%arg0: index, %arg1: index, %arg2: memref<64x128xf32>, %arg3: index, %arg4: memref<49x128xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %c49 = arith.constant 49 : index
    %c64 = arith.constant 64 : index
    %alloca = memref.alloca() {alignment = 64 : i64} : memref<1x64x16xf32>
    %alloca_1 = memref.alloca() {alignment = 64 : i64} : memref<8x16xf32>
    scf.for %arg5 = %arg0 to %arg1 step %c1 {
      %0 = arith.muli %arg5, %c2 : index
      %1 = arith.addi %0, %c2 overflow<nsw> : index
      scf.for %arg7 = %0 to %1 step %c1 {
        scf.for %arg8 = %c0 to %c64 step %c1 {
          %7 = vector.load %arg2[%arg8, %arg7] : memref<64x128xf32>, vector<16xf32>
          vector.store %7, %alloca[%c0, %arg8, %c0] : memref<1x64x16xf32>, vector<16xf32>
        }
        scf.for %arg8 = %c0 to %c7 step %c1 {
          %4 = arith.muli %arg8, %c8 : index
          %6:8 = scf.for %arg9 = %c0 to %c64 step %c1 iter_args(%arg10 = %cst) -> (vector<16xf32>) {
FMAS
            scf.yield %14 : vector<16xf32>
          }
          vector.store %6#0, %alloca_1[%c0, %c0] : memref<8x16xf32>, vector<16xf32>
          %7 = arith.subi %c49, %4 : index
          %8 = arith.minsi %7, %c8 : index
          scf.for %arg9 = %c0 to %8 step %c1 {
            %9 = vector.load %alloca_1[%arg9, %c0] : memref<8x16xf32>, vector<16xf32>
            vector.store %9, %arg4[%arg9, %c0] : memref<49x128xf32>, vector<16xf32>
          }
        }
      }
    } {halo.parallel}
    return
  }";

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, iterations: u64) -> LoopWork {
        with(text, iterations, Vec::new())
    }

    fn with(text: &str, iterations: u64, captured: Vec<Option<i64>>) -> LoopWork {
        let record = CompilationRecord {
            lines: text.lines().map(str::to_owned).collect(),
            threads: 2,
            ..CompilationRecord::default()
        };
        let text = FunctionText {
            lines: (0..record.lines.len() as u32).collect(),
            ..FunctionText::default()
        };
        let run = CallRun {
            iterations: Some(iterations),
            captured,
        };
        LoopWork::of(&record, &text, &[run], 1)
    }

    #[test]
    fn arithmetic_at_edges_and_copies_are_counted() {
        let fma = "            %14 = vector.fma %13, %10, %arg10 : vector<16xf32>\n";
        let text = EDGES.replace("FMAS\n", &fma.repeat(8));
        let work = of(&text, 4);
        assert_eq!(work.flops, Some(f64::from(2 * 56 * 64 * 128)));
        assert_eq!(work.packed, Some(f64::from(64 * 128 * 4)));
        assert_eq!((work.copied_alone, work.prefetches), (work.packed, false));
        assert_eq!(work.copied_buffers, [0].into());
        assert_eq!(work.own_bytes, f64::from((64 + 8) * 16 * 4));
        assert!(work.has_edges);
        // Of tiles that are whole, all rows are stored.
        let whole = text.replace("%c0 to %8 step", "%c0 to %c8 step");
        assert!(!of(&whole, 4).has_edges);
        // A bound that the call has.
        let unknown = text.replace("%c0 to %c7 step", "%c0 to %arg3 step");
        assert_eq!(of(&unknown, 4).flops, None);
        assert_eq!(of(&unknown, 4).packed, work.packed);
        // One that depends on the iteration: the last of 4 tasks has one column less than 2.
        let last = text.replace(
            "scf.for %arg7 = %0 to %1 step",
            "%9 = arith.minsi %1, %c7 : index\n      scf.for %arg7 = %0 to %9 step",
        );
        assert_eq!(of(&last, 4).flops, Some(f64::from(2 * 56 * 64 * 16 * 7)));
        // One that is captured is that of the run.
        let known = text.replace("%c0 to %c7 step", "%c0 to %arg3 step");
        assert_eq!(with(&known, 4, vec![None, Some(7)]).flops, work.flops);
    }

    /// Each of 4 iterations, two of a task, reads 32 rows of 2 * 16 numbers, of an argument that has 64 of them, in
    /// each of 5 iterations of a loop between.
    #[test]
    fn data_that_loops_read_again_and_rows_are_found() {
        let text = "\
func.func private @k(%arg0: index, %arg1: index, %arg2: memref<32x64xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c5 = arith.constant 5 : index
%c16 = arith.constant 16 : index
%c32 = arith.constant 32 : index
scf.for %arg3 = %arg0 to %arg1 step %c1 {
%0 = arith.muli %arg3, %c16 : index
%4 = arith.divui %arg3, %c5 : index
%5 = arith.addi %4, %c32 : index
scf.for %arg4 = %c0 to %c5 step %c1 {
scf.for %arg5 = %4 to %5 step %c1 {
%1 = vector.load %arg2[%arg5, %0] : memref<32x64xf32>, vector<16xf32>
%2 = arith.addi %0, %c16 : index
%3 = memref.load %arg2[%arg5, %2] : memref<32x64xf32>
}
}
}
return
}";
        let work = of(text, 4);
        let times = f64::from(4 * 5 * 32);
        assert_eq!(work.moved, Some(times * 68.0));
        // In four of five times, and next to each other.
        let again = Again {
            bytes: f64::from(2 * 4 * 32 * 68),
            between: f64::from(32 * 68),
        };
        assert_eq!(work.again, [again, again]);
        // Two columns of 64 bytes, and what the last one has behind it.
        assert_eq!(work.of_tasks, [f64::from(32 * (128 + 4)); 2]);
        let rows = Rows {
            bytes: 68.0,
            stride: 256.0,
        };
        assert_eq!(work.rows, Some(rows));
        assert!(!work.reads_more);
    }

    /// Terms in blocks of 384, of which the last one has 192, and each in parts of 192: 3 parts in
    /// all are read again in each of 4 tasks.
    #[test]
    fn blocks_of_which_the_last_one_is_shorter_are_counted() {
        let text = "\
func.func private @k(%arg0: index, %arg1: index, %arg2: memref<576x16xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c192 = arith.constant 192 : index
%c384 = arith.constant 384 : index
%c576 = arith.constant 576 : index
scf.for %arg3 = %arg0 to %arg1 step %c1 {
scf.for %arg4 = %c0 to %c576 step %c384 {
%0 = arith.addi %arg4, %c384 overflow<nsw> : index
%1 = arith.minsi %0, %c576 : index
scf.for %arg5 = %arg4 to %1 step %c192 {
scf.for %arg6 = %c0 to %c192 step %c1 {
%2 = arith.addi %arg5, %arg6 : index
%3 = vector.load %arg2[%2, %c0] : memref<576x16xf32>, vector<16xf32>
%4 = vector.fma %3, %3, %3 : vector<16xf32>
}
}
}
}
return
}";
        let work = of(text, 4);
        let bytes = f64::from(576 * 64);
        // Each of two tasks reads all of it twice.
        let again = Again {
            bytes,
            between: bytes,
        };
        assert_eq!(work.again, [again, again]);
        assert_eq!(work.of_tasks, [bytes, bytes]);
        assert_eq!(work.flops, Some(f64::from(4 * 2 * 576 * 16)));
        assert!(!work.reads_more);
        // A bound that is not known.
        let other = of(&text.replace("%c0 to %c576", "%c0 to %arg9"), 4);
        assert!(other.again.is_empty() && other.reads_more && other.of_tasks.is_empty());
        // A part of an argument is as good as all of it.
        let view = "scf.for %arg6 = %c0 to %c192 step %c1 {\n%5 = memref.subview %arg2[0, 8] [576, 8] [1, 1] : memref<576x16xf32> to memref<576x8xf32, strided<[16, 1], offset: 8>>";
        let view = text.replace("scf.for %arg6 = %c0 to %c192 step %c1 {", view);
        let view = view.replace("load %arg2", "load %5");
        let type_of_view = "memref<576x8xf32, strided<[16, 1], offset: 8>>, vector<8xf32>";
        let view = of(
            &view.replace("memref<576x16xf32>, vector<16xf32>", type_of_view),
            4,
        );
        // As if the last block was a whole one: it is not known that it ends with the argument.
        let again = Again {
            bytes: bytes / 2.0,
            between: f64::from(2 * 384 * 32),
        };
        assert_eq!(view.again, [again, again]);
        assert!(!view.reads_more);
    }

    /// Iterations go over 4 blocks of rows, and 2 of columns: a task has all rows of one block of
    /// columns, which it reads in each of them; the rows are read again by the other task only.
    #[test]
    fn tasks_read_blocks_of_columns_again() {
        let text = "func.func private @k(%arg0: index, %arg1: index, %arg2: memref<32x64xf32>, %arg3: memref<64x32xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c4 = arith.constant 4 : index
%c8 = arith.constant 8 : index
%c16 = arith.constant 16 : index
%c64 = arith.constant 64 : index
scf.for %arg4 = %arg0 to %arg1 step %c1 {
%0 = arith.remui %arg4, %c4 : index
%1 = arith.divui %arg4, %c4 : index
%2 = arith.muli %0, %c8 : index
%3 = arith.muli %1, %c16 : index
scf.for %arg5 = %c0 to %c64 step %c1 {
%4 = memref.load %arg2[%2, %arg5] : memref<32x64xf32>
%5 = vector.load %arg3[%arg5, %3] : memref<64x32xf32>, vector<16xf32>
}
}
return
}";
        let work = of(text, 8);
        // 64 rows of 16 columns, three of four times, behind a row of 64 numbers.
        let again = |bytes: f64| Again {
            bytes: f64::from(3 * 64 * 64),
            between: f64::from(64 * 64 + 64 * 4) + bytes,
        };
        assert_eq!(work.again, [again(0.0), again(0.0)]);
        assert_eq!(work.of_tasks, [f64::from(64 * 64 + 4 * 64 * 4); 2]);
        assert!(!work.reads_more);
        // One task has both blocks: it reads the rows a second time, behind all of them.
        let one = with(
            &text.replace("%c4 = arith.constant 4", "%c4 = arith.constant 2"),
            4,
            Vec::new(),
        );
        let rows = f64::from(2 * 64 * 4);
        assert_eq!(one.of_tasks, [f64::from(64 * 64) + rows; 2]);
    }

    /// Two loads read a buffer of the kernel in each of 7 iterations, in each of 4 tasks.
    #[test]
    fn own_buffers_are_read_again_as_a_whole() {
        let text = "func.func private @k(%arg0: index, %arg1: index) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c7 = arith.constant 7 : index
%c16 = arith.constant 16 : index
%c512 = arith.constant 512 : index
%alloca = memref.alloca() {alignment = 64 : i64} : memref<512x32xf32>
scf.for %arg2 = %arg0 to %arg1 step %c1 {
scf.for %arg3 = %c0 to %c7 step %c1 {
scf.for %arg4 = %c0 to %c512 step %c1 {
%0 = vector.load %alloca[%arg4, %c0] : memref<512x32xf32>, vector<16xf32>
%1 = vector.load %alloca[%arg4, %c16] : memref<512x32xf32>, vector<16xf32>
}
}
}
return
}";
        let work = of(text, 4);
        let again = Again {
            bytes: f64::from((2 * 7 - 1) * 512 * 128),
            between: f64::from(512 * 32 * 4),
        };
        assert_eq!(work.again, [again, again]);
        assert!(!work.reads_more);
    }

    /// A loop that reads 8 rows, 64 bytes further on in each iteration of the loop around it.
    #[test]
    fn few_rows_side_by_side_are_streams() {
        let text = "func.func private @k(%arg0: index, %arg1: index, %arg2: memref<32x256xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c8 = arith.constant 8 : index
%c16 = arith.constant 16 : index
%c256 = arith.constant 256 : index
scf.for %arg3 = %arg0 to %arg1 step %c1 {
%0 = arith.muli %arg3, %c8 : index
scf.for %arg4 = %c0 to %c256 step %c16 {
scf.for %arg5 = %c0 to %c8 step %c1 {
%1 = arith.addi %0, %arg5 : index
%2 = vector.load %arg2[%1, %arg4] : memref<32x256xf32>, vector<8xf32>
%3 = arith.addi %arg4, %c8 : index
%4 = vector.load %arg2[%1, %3] : memref<32x256xf32>, vector<8xf32>
memref.prefetch %arg2[%0, %arg4], read, locality<2>, data : memref<32x256xf32>
}
}
}
return
}";
        let work = of(text, 4);
        assert_eq!((work.rows, work.prefetches), (None, true));
        // As many rows are none.
        let many = of(&text.replace("%c0 to %c8 step", "%c0 to %c256 step"), 1);
        let rows = Rows {
            bytes: 64.0,
            stride: 1024.0,
        };
        assert_eq!(many.rows, Some(rows));
    }
}
