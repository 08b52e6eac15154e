//! What the loops of a kernel do in a call, counted in its IR: the arithmetic of products with
//! that at edges of tiles, loads and stores, data that they read again, and the copies of operands
//! to buffers of its own.
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
//! A load reads the same again in each iteration of a loop whose index it has not. Between two of
//! them are the iterations of the loops within that one: what these read is in the nearest cache
//! that holds as much.

use super::{
    entry_loops::{self, CallRun},
    texts,
};
use halo_runtime::compilation_record::{CompilationRecord, FunctionText};
use std::collections::{BTreeMap, HashMap, HashSet};

/// So many iterations of the parallel loop, of all runs, are looked at one by one.
const MOST_ITERATIONS: u64 = 512;

/// So many blocks of a loop are looked at one by one.
const MOST_BLOCKS: u64 = 4096;

/// What a call does, in the mean of its runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoopWork {
    /// The operations of its fused multiplications and additions; `None` if the number of
    /// iterations of a loop is not known.
    pub flops: Option<f64>,
    /// The bytes of its arguments that it copies to buffers of its own.
    pub packed: Option<f64>,
    /// The bytes of all its loads and stores.
    pub moved: Option<f64>,
    /// What it reads again of its arguments, and of its own buffers.
    pub again: Vec<Again>,
    /// Whether it may read more again: of views of arguments, or in loops that are not counted.
    pub reads_more: bool,
    /// The narrowest rows that it reads of an argument, one after the other.
    pub rows: Option<Rows>,
    /// The size of its own buffers, those of one thread.
    pub own_bytes: f64,
    /// Whether it stores parts of tiles.
    pub has_edges: bool,
}

/// Loads that read the same again.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Again {
    /// All of them in a call, with the first time.
    pub bytes: f64,
    /// What a thread reads between one time and the next.
    pub between: f64,
}

/// Rows of an argument that a loop reads one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rows {
    /// Bytes of a row that are read, and from the begin of one to that of the next.
    pub bytes: f64,
    pub stride: f64,
}

/// A sum of values, each by a factor, and a constant.
#[derive(Clone, Debug, Default, PartialEq)]
struct Sum<'a> {
    values: BTreeMap<&'a str, i64>,
    constant: i64,
}

impl<'a> Sum<'a> {
    fn of(value: &'a str) -> Self {
        Self {
            values: [(value, 1)].into(),
            constant: 0,
        }
    }

    fn number(constant: i64) -> Self {
        Self {
            constant,
            ..Self::default()
        }
    }

    fn constant(&self) -> Option<i64> {
        self.values.is_empty().then_some(self.constant)
    }

    fn plus(mut self, other: &Self, factor: i64) -> Self {
        for (value, times) in &other.values {
            *self.values.entry(value).or_default() += times * factor;
        }
        self.values.retain(|_, times| *times != 0);
        self.constant += other.constant * factor;
        self
    }
}

/// A region that is open.
#[derive(Clone, Debug, Default)]
struct Region {
    /// How often it runs in a call, and in one run of the region around it.
    times: Option<f64>,
    count: Option<f64>,
    /// Whether it has a part of the iterations of a whole tile.
    is_part: bool,
    /// Whether it is a loop.
    is_loop: bool,
    /// The bytes that an iteration reads of rows of each argument, with their distance.
    rows: HashMap<String, Rows>,
}

/// How often a load reads the same.
enum Reads {
    Once,
    Again(Again),
    /// The iterations of a loop around it are not known.
    Unknown,
}

#[derive(Default)]
struct Counter<'a> {
    sums: HashMap<&'a str, Sum<'a>>,
    /// The loops whose indices each value depends on, a bit for each depth.
    depends: HashMap<&'a str, u64>,
    /// The values that were read from arguments.
    read: HashSet<&'a str>,
    own: HashMap<&'a str, f64>,
    /// Parts and other shapes of arguments.
    views: HashSet<&'a str>,
    /// The operands of values that are the least of two.
    minima: HashMap<&'a str, (Sum<'a>, Sum<'a>)>,
    /// The indices of loops from one number to another one in steps.
    ranges: HashMap<&'a str, (i64, i64, i64)>,
    /// The iteration of the parallel loop that is looked at; all if there is none.
    index: Option<i64>,
    regions: Vec<Region>,
    work: LoopWork,
}

impl LoopWork {
    /// Of a kernel that is called with these numbers: the mean of all runs.
    pub fn of(record: &CompilationRecord, text: &FunctionText, runs: &[CallRun]) -> Self {
        let works = runs.iter().map(|run| Self::of_run(record, text, run, None));
        let mut works: Vec<Self> = works.collect();
        let iterations = runs.iter().map(|run| run.iterations);
        let all: Option<u64> = iterations.sum();
        let is_unknown = works.iter().any(|work| work.flops.is_none());
        let is_known_of_one = || {
            let first = runs
                .first()
                .map(|run| Self::of_run(record, text, run, Some(0)));
            first.is_some_and(|work| work.flops.is_some())
        };
        if let Some(1..=MOST_ITERATIONS) = all
            && is_unknown
            && is_known_of_one()
        {
            // Bounds of inner loops may depend on the iteration, such as those of the last part.
            let each = runs.iter().flat_map(|run| {
                let iterations = 0..run.iterations.unwrap_or(0) as i64;
                iterations.map(|index| Self::of_run(record, text, run, Some(index)))
            });
            works = each.collect();
        }
        let count = runs.len().max(1) as f64;
        let mut mean = works.first().cloned().unwrap_or_default();
        let sum = |of: fn(&Self) -> Option<f64>| {
            let sum: Option<f64> = works.iter().map(of).sum();
            sum.map(|sum| sum / count)
        };
        mean.flops = sum(|work| work.flops);
        mean.packed = sum(|work| work.packed);
        mean.moved = sum(|work| work.moved);
        mean.again = works.iter().flat_map(|work| work.again.clone()).collect();
        for again in &mut mean.again {
            again.bytes /= count;
        }
        mean.reads_more = works.iter().any(|work| work.reads_more);
        mean.has_edges = works.iter().any(|work| work.has_edges);
        mean
    }

    /// Of one run, or of one of its iterations.
    fn of_run(
        record: &CompilationRecord,
        text: &FunctionText,
        run: &CallRun,
        index: Option<i64>,
    ) -> Self {
        let mut counter = Counter {
            index,
            ..Counter::default()
        };
        counter.work.flops = Some(0.0);
        counter.work.packed = Some(0.0);
        counter.work.moved = Some(0.0);
        for line in texts::lines(record, text) {
            counter.read_line(line.trim(), run);
        }
        counter.work
    }
}

impl<'a> Counter<'a> {
    fn sum(&self, value: &'a str) -> Sum<'a> {
        let known = self.sums.get(value).cloned();
        known.unwrap_or_else(|| Sum::of(value))
    }

    fn read_line(&mut self, line: &'a str, run: &CallRun) {
        if line.starts_with('}') {
            self.close();
        }
        if line.starts_with("func.func") {
            self.begin(line, run);
            return;
        }
        if line.ends_with('{') {
            let around = self.regions.last().cloned().unwrap_or_default();
            let region = match line.split_once("scf.for ") {
                Some((_, bounds)) => self.region(bounds, &around, run),
                None => Region {
                    count: Some(1.0),
                    is_loop: false,
                    rows: HashMap::new(),
                    ..around
                },
            };
            self.regions.push(region);
            return;
        }
        let (name, op) = match line.split_once(" = ") {
            Some((name, op)) if name.starts_with('%') => (name, op),
            _ => ("", line),
        };
        self.read_op(name, op);
    }

    /// The arguments: two of the range of iterations, and then what is captured.
    fn begin(&mut self, line: &'a str, run: &CallRun) {
        self.regions.push(Region {
            times: Some(1.0),
            count: Some(1.0),
            ..Region::default()
        });
        let arguments = line.split_once('(').map_or("", |(_, rest)| rest);
        let names = arguments.match_indices('%').map(|(place, _)| {
            let rest = &arguments[place + 1..];
            let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric());
            &arguments[place..=place + end.unwrap_or(rest.len())]
        });
        for (name, value) in names.skip(2).zip(&run.captured) {
            if let Some(value) = value {
                self.sums.insert(name, Sum::number(*value));
            }
        }
    }

    /// Ends a region: the rows that a loop read are known.
    fn close(&mut self) {
        let Some(region) = self.regions.pop() else {
            return;
        };
        for rows in region.rows.into_values() {
            let known = &mut self.work.rows;
            if rows.bytes < rows.stride && known.is_none_or(|known| rows.bytes < known.bytes) {
                *known = Some(rows);
            }
        }
    }

    /// The region of a loop: `%i = %begin to %end step %step ... {`.
    fn region(&mut self, bounds: &'a str, around: &Region, run: &CallRun) -> Region {
        let mut words = bounds
            .split_whitespace()
            .filter(|word| word.starts_with('%'));
        let [Some(index), Some(begin), Some(end), Some(step)] = [(); 4].map(|()| words.next())
        else {
            return Region::default();
        };
        // Names are given anew in each loop.
        self.sums.remove(index);
        self.ranges.remove(index);
        let depth = self.regions.len().min(63);
        let mask = self.depends.get(begin).copied().unwrap_or(0) | 1 << depth;
        self.depends.insert(index, mask);
        let length = self.sum(end).plus(&self.sum(begin), -1).constant();
        let step = self.sum(step).constant().filter(|step| *step > 0);
        let [first, last] = [begin, end].map(|it| self.sum(it).constant());
        if let (Some(first), Some(last), Some(step)) = (first, last, step) {
            self.ranges.insert(index, (first, last, step));
        }
        let known = length
            .zip(step)
            .map(|(length, step)| (length.max(0) as u64).div_ceil(step as u64) as f64);
        let known = known.or_else(|| self.block(begin, end, step?));
        let is_parallel = begin == "%arg0" && end == "%arg1" && self.regions.len() == 1;
        let count = match (is_parallel, self.index) {
            (true, Some(number)) => {
                self.sums.insert(index, Sum::number(number));
                Some(1.0)
            }
            (true, None) => run.iterations.map(|count| count as f64),
            (false, _) => known,
        };
        Region {
            times: around.times.zip(count).map(|(times, count)| times * count),
            count,
            is_part: around.is_part || self.minima.contains_key(end),
            is_loop: true,
            rows: HashMap::new(),
        }
    }

    /// How many iterations a loop has in the mean that goes over one block of those of a loop
    /// around it, of which the last one may be shorter: from `%i` to the least of `%i + step` and
    /// the end of that loop.
    fn block(&self, begin: &str, end: &str, step: i64) -> Option<f64> {
        let (first, last, size) = *self.ranges.get(begin)?;
        let (one, other) = self.minima.get(end)?;
        let next = Sum::of(begin).plus(&Sum::number(size), 1);
        let is_block =
            |one: &Sum<'_>, other: &Sum<'_>| *one == next && other.constant() == Some(last);
        let is_block = is_block(one, other) || is_block(other, one);
        let blocks = (last - first).max(0) as u64;
        let blocks = blocks.div_ceil(size as u64);
        if !is_block || !(1..=MOST_BLOCKS).contains(&blocks) {
            return None;
        }
        let counts = (0..blocks as i64).map(|number| {
            let left = (last - first - number * size).min(size);
            (left as u64).div_ceil(step as u64)
        });
        Some(counts.sum::<u64>() as f64 / blocks as f64)
    }

    fn read_op(&mut self, name: &'a str, op: &'a str) {
        let (kind, rest) = op.split_once(' ').unwrap_or((op, ""));
        let operands = rest.split([',', ' ', '[', ']', '(', ')']);
        let operands = operands.filter(|word| word.starts_with('%'));
        let mask = operands.clone().filter_map(|it| self.depends.get(it));
        let mask = mask.fold(0, |all, own| all | own);
        // A quotient is the same in most iterations that follow each other.
        let is_quotient = matches!(kind, "arith.divui" | "arith.divsi");
        self.depends
            .insert(name, if is_quotient { 0 } else { mask });
        self.minima.remove(name);
        self.views.remove(name);
        self.read.remove(name);
        self.sums.remove(name);
        let mut operands = operands;
        let mut pair = || Some((operands.next()?, operands.next()?));
        let number = entry_loops::evaluate(op, |value| self.sum(value).constant());
        let sum = match kind {
            _ if number.is_some() => number.map(Sum::number),
            "arith.addi" => pair().map(|(one, other)| self.sum(one).plus(&self.sum(other), 1)),
            "arith.subi" => pair().map(|(one, other)| self.sum(one).plus(&self.sum(other), -1)),
            "arith.muli" => pair().and_then(|(one, other)| {
                let factor = self.sum(other).constant()?;
                Some(Sum::default().plus(&self.sum(one), factor))
            }),
            _ => None,
        };
        if let Some(sum) = sum {
            self.sums.insert(name, sum);
        }
        let times = self.regions.last().and_then(|region| region.times);
        match kind {
            "arith.minsi" if number.is_none() => {
                if let Some((one, other)) = pair() {
                    self.minima.insert(name, (self.sum(one), self.sum(other)));
                }
            }
            "memref.subview"
            | "memref.expand_shape"
            | "memref.collapse_shape"
            | "memref.reinterpret_cast"
            | "memref.cast" => {
                let of = rest.split(['[', ' ']).next().unwrap_or_default();
                if of.starts_with("%arg") || self.views.contains(of) {
                    self.views.insert(name);
                }
            }
            "memref.alloca()" => {
                self.own.insert(name, bytes_of(op));
                self.work.own_bytes += bytes_of(op);
            }
            "vector.load" | "memref.load" => self.load(name, rest, op),
            "vector.fma" => {
                let flops = times.map(|times| 2.0 * times * elements_of(op));
                self.work.flops = self.work.flops.zip(flops).map(|(all, own)| all + own);
            }
            "vector.store" | "memref.store" | "vector.maskedstore" | "vector.transfer_write" => {
                self.store(kind, rest, op);
            }
            _ => {}
        }
    }

    fn add_moved(&mut self, bytes: f64) {
        let times = self.regions.last().and_then(|region| region.times);
        let moved = times.map(|times| times * bytes);
        self.work.moved = self.work.moved.zip(moved).map(|(all, own)| all + own);
    }

    /// `%buffer[%i, %j] : memref<8x16xf32>, vector<16xf32>`; one number has the type of an element.
    fn load(&mut self, name: &'a str, rest: &'a str, op: &'a str) {
        let bytes = loaded(op);
        self.add_moved(bytes);
        let (buffer, indices) = rest.split_once('[').unwrap_or((rest, ""));
        let own = self.own.get(buffer).copied();
        if !buffer.starts_with("%arg") && own.is_none() {
            self.work.reads_more |= self.views.contains(buffer);
            return;
        }
        let indices = indices.split(']').next().unwrap_or_default();
        let indices: Vec<u64> = indices
            .split(", ")
            .map(|index| self.depends.get(index).copied().unwrap_or(0))
            .collect();
        match self.reads(bytes, indices.iter().fold(0, |all, own| all | own)) {
            Reads::Once => {}
            Reads::Again(again) => self.work.again.push(Again {
                // Loads side by side read all of a buffer of the kernel between two times.
                between: again.between.max(own.unwrap_or_default()),
                ..again
            }),
            // Most buffers of a kernel are small: what is not counted of them is not worth a word.
            Reads::Unknown => self.work.reads_more |= own.is_none(),
        }
        if own.is_some() {
            return;
        }
        if op.starts_with("vector.load") {
            self.read.insert(name);
        }
        self.read_row(buffer, bytes, &indices, op);
    }

    /// How often a load reads the same, whose indices depend on the loops of a mask.
    fn reads(&self, bytes: f64, mask: u64) -> Reads {
        let mut between = bytes;
        for (depth, region) in self.regions.iter().enumerate().rev() {
            if !region.is_loop {
                continue;
            }
            if mask & 1 << depth.min(63) == 0 {
                let times = self.regions.last().and_then(|region| region.times);
                return times.map_or(Reads::Unknown, |times| {
                    Reads::Again(Again {
                        bytes: bytes * times,
                        between,
                    })
                });
            }
            match region.count {
                Some(count) => between *= count,
                None => return Reads::Unknown,
            }
        }
        Reads::Once
    }

    /// Whether the innermost loop reads one row after the other.
    fn read_row(&mut self, buffer: &str, bytes: f64, indices: &[u64], op: &str) {
        let depth = self.regions.len().saturating_sub(1);
        let Some(region) = self.regions.last_mut().filter(|region| region.is_loop) else {
            return;
        };
        let moves = indices.iter().map(|mask| mask & 1 << depth.min(63) != 0);
        let moves: Vec<bool> = moves.collect();
        let is_row = moves.len() > 1
            && moves[moves.len() - 2]
            && moves.iter().filter(|it| **it).count() == 1;
        let stride = is_row.then(|| row_bytes(op)).flatten();
        let Some(stride) = stride else {
            return;
        };
        let rows = region.rows.entry(buffer.to_owned()).or_default();
        rows.bytes += bytes;
        rows.stride = stride;
    }

    fn store(&mut self, kind: &str, rest: &'a str, op: &'a str) {
        let region = self.regions.last().cloned().unwrap_or_default();
        let value = rest.split(',').next().unwrap_or_default();
        let buffer = rest.split_once(", ").map_or("", |(_, rest)| rest);
        let buffer = buffer.split('[').next().unwrap_or_default();
        let bytes = loaded(op);
        self.add_moved(bytes);
        if self.own.contains_key(buffer) && self.read.contains(value) {
            let copied = region.times.map(|times| times * bytes);
            self.work.packed = self.work.packed.zip(copied).map(|(all, own)| all + own);
        }
        let is_masked = matches!(kind, "vector.maskedstore" | "vector.transfer_write");
        self.work.has_edges |= buffer.starts_with("%arg") && (region.is_part || is_masked);
    }
}

/// The bytes that a load or a store moves: of a vector, or of one element of a buffer.
fn loaded(op: &str) -> f64 {
    match op.contains("vector<") {
        true => bytes_of(op),
        false => {
            let (_, element) = shape_of(op);
            bits_of(element) / 8.0
        }
    }
}

/// The bytes of a row of the buffer that an op reads, if all of its sizes are known.
fn row_bytes(op: &str) -> Option<f64> {
    let inside = op.split_once("memref<")?.1.split(['>', ',']).next()?;
    let mut sizes: Vec<&str> = inside.split('x').collect();
    let element = sizes.pop()?;
    Some(sizes.pop()?.parse::<f64>().ok()? * bits_of(element) / 8.0)
}

fn bits_of(element: &str) -> f64 {
    let bits = element.trim_start_matches(|letter: char| letter.is_alphabetic());
    bits.parse::<f64>().unwrap_or(0.0)
}

/// The sizes and the element of the type that a line ends with, such as `vector<16xf32>`.
fn shape_of(op: &str) -> (f64, &str) {
    let inside = op.rsplit_once('<').map_or("", |(_, inside)| inside);
    let inside = inside.split(['>', ',']).next().unwrap_or_default();
    let mut elements = 1.0;
    let mut parts = inside.split('x').peekable();
    let mut element = "";
    while let Some(part) = parts.next() {
        match part.parse::<f64>() {
            Ok(size) if parts.peek().is_some() => elements *= size,
            _ => element = part,
        }
    }
    (elements, element)
}

fn elements_of(op: &str) -> f64 {
    shape_of(op).0
}

fn bytes_of(op: &str) -> f64 {
    let (elements, element) = shape_of(op);
    elements * bits_of(element) / 8.0
}

/// A product of 49 rows in tiles of 8, of 64 terms and 2 * 16 columns for each iteration of
/// the parallel loop, of which there are 4: 2 * 49 * 64 * 128 operations are needed, and those
/// of 56 rows are computed.
#[cfg(test)]
pub const EDGES: &str = "\
  func.func private @main_kernel_0(%arg0: index, %arg1: index, %arg2: memref<64x128xf32>) {
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
        LoopWork::of(&record, &text, &[run])
    }

    #[test]
    fn arithmetic_at_edges_and_copies_are_counted() {
        let fma = "            %14 = vector.fma %13, %10, %arg10 : vector<16xf32>\n";
        let text = EDGES.replace("FMAS\n", &fma.repeat(8));
        let work = of(&text, 4);
        assert_eq!(work.flops, Some(f64::from(2 * 56 * 64 * 128)));
        assert_eq!(work.packed, Some(f64::from(64 * 128 * 4)));
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
        let header = text.replace(
            "memref<64x128xf32>) {",
            "memref<64x128xf32>, %arg3: index) {",
        );
        let known = header.replace("%c0 to %c7 step", "%c0 to %arg3 step");
        assert_eq!(with(&known, 4, vec![None, Some(7)]).flops, work.flops);
    }

    /// Each of 4 tasks reads 32 rows of 2 * 16 numbers, of an argument that has 64 of them, in
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
        let again = |bytes: f64| Again {
            bytes: times * bytes,
            between: 32.0 * bytes,
        };
        assert_eq!(work.again, [again(64.0), again(4.0)]);
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
        let again = Again {
            bytes: 4.0 * bytes,
            between: bytes,
        };
        assert_eq!(work.again, [again]);
        assert_eq!(work.flops, Some(f64::from(4 * 2 * 576 * 16)));
        assert!(!work.reads_more);
        // Blocks that overlap are none of these.
        let other = of(&text.replace("%arg4, %c384", "%arg4, %c576"), 4);
        assert!(other.again.is_empty() && other.reads_more);
        // What is read of a part of an argument is not counted.
        let view = "scf.for %arg6 = %c0 to %c192 step %c1 {\n%5 = memref.subview %arg2[0, 0] [576, 8] [1, 1] : memref<576x16xf32> to memref<576x8xf32>";
        let view = text.replace("scf.for %arg6 = %c0 to %c192 step %c1 {", view);
        let view = of(&view.replace("load %arg2", "load %5"), 4);
        assert!(view.again.is_empty() && view.reads_more);
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
            bytes: f64::from(4 * 7 * 512 * 64),
            between: f64::from(512 * 32 * 4),
        };
        assert_eq!(work.again, [again, again]);
        assert!(!work.reads_more);
    }
}
