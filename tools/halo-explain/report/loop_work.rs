//! What the loops of a kernel do in a call, counted in its IR: the arithmetic of products with
//! that at edges of tiles, and the copies of operands to buffers of its own.
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

use halo_runtime::compilation_record::{CompilationRecord, FunctionText};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What a call does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoopWork {
    /// The operations of its fused multiplications and additions; `None` if the number of
    /// iterations of a loop is not known.
    pub flops: Option<f64>,
    /// The bytes of its arguments that it copies to buffers of its own.
    pub packed: Option<f64>,
    /// The size of these buffers, those of one thread.
    pub own_bytes: f64,
    /// Whether it stores parts of tiles.
    pub has_edges: bool,
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
#[derive(Clone, Copy, Debug, Default)]
struct Region {
    /// How often it runs in a call.
    times: Option<f64>,
    /// Whether it has a part of the iterations of a whole tile.
    is_part: bool,
}

#[derive(Default)]
struct Counter<'a> {
    sums: HashMap<&'a str, Sum<'a>>,
    /// The values that are the least of two.
    least: HashSet<&'a str>,
    /// The values that were read from arguments.
    read: HashSet<&'a str>,
    own: HashSet<&'a str>,
    regions: Vec<Region>,
    work: LoopWork,
}

impl LoopWork {
    /// Of a kernel whose parallel loop has so many iterations in a call.
    pub fn of(record: &CompilationRecord, text: &FunctionText, iterations: Option<u64>) -> Self {
        let lines = text.lines.iter();
        let lines = lines.filter_map(|line| record.lines.get(*line as usize));
        let mut counter = Counter::default();
        counter.work.flops = Some(0.0);
        counter.work.packed = Some(0.0);
        for line in lines {
            counter.read_line(line.trim(), iterations);
        }
        counter.work
    }
}

impl<'a> Counter<'a> {
    fn sum(&self, value: &'a str) -> Sum<'a> {
        let known = self.sums.get(value).cloned();
        known.unwrap_or_else(|| Sum::of(value))
    }

    fn read_line(&mut self, line: &'a str, iterations: Option<u64>) {
        if line.starts_with('}') {
            self.regions.pop();
        }
        if line.starts_with("func.func") {
            self.regions.push(Region {
                times: Some(1.0),
                is_part: false,
            });
            return;
        }
        if line.ends_with('{') {
            let around = self.regions.last().copied().unwrap_or_default();
            let region = match line.split_once("scf.for ") {
                Some((_, bounds)) => self.region(bounds, around, iterations),
                None => around,
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

    /// The region of a loop: `%i = %begin to %end step %step ... {`.
    fn region(&mut self, bounds: &'a str, around: Region, iterations: Option<u64>) -> Region {
        let mut words = bounds
            .split_whitespace()
            .filter(|word| word.starts_with('%'));
        let [Some(index), Some(begin), Some(end), Some(step)] = [(); 4].map(|()| words.next())
        else {
            return Region::default();
        };
        // Names are given anew in each loop.
        self.sums.remove(index);
        let length = self.sum(end).plus(&self.sum(begin), -1).constant();
        let step = self.sum(step).constant().filter(|step| *step > 0);
        let known = length
            .zip(step)
            .map(|(length, step)| length.max(0).div_euclid(step) as f64);
        let is_parallel = begin == "%arg0" && end == "%arg1" && self.regions.len() == 1;
        let count = match is_parallel {
            true => iterations.map(|count| count as f64),
            false => known,
        };
        Region {
            times: around.times.zip(count).map(|(times, count)| times * count),
            is_part: around.is_part || self.least.contains(end),
        }
    }

    fn read_op(&mut self, name: &'a str, op: &'a str) {
        let region = self.regions.last().copied().unwrap_or_default();
        let (kind, rest) = op.split_once(' ').unwrap_or((op, ""));
        let mut operands = rest.split([',', ' ']).filter(|word| word.starts_with('%'));
        let mut pair = || Some((operands.next()?, operands.next()?));
        self.least.remove(name);
        self.read.remove(name);
        self.sums.remove(name);
        let sum = match kind {
            "arith.constant" => {
                let number = rest
                    .split(' ')
                    .next()
                    .and_then(|number| number.parse().ok());
                number.map(|constant| Sum {
                    constant,
                    ..Sum::default()
                })
            }
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
        let bytes = bytes_of(op);
        match kind {
            "arith.minsi" => {
                self.least.insert(name);
            }
            "memref.alloca()" => {
                self.own.insert(name);
                self.work.own_bytes += bytes;
            }
            "vector.load" if rest.starts_with("%arg") => {
                self.read.insert(name);
            }
            "vector.fma" => {
                let flops = region.times.map(|times| 2.0 * times * elements_of(op));
                self.work.flops = self.work.flops.zip(flops).map(|(all, own)| all + own);
            }
            "vector.store" | "memref.store" | "vector.maskedstore" | "vector.transfer_write" => {
                let value = rest.split(',').next().unwrap_or_default();
                let buffer = rest.split_once(", ").map_or("", |(_, rest)| rest);
                let buffer = buffer.split('[').next().unwrap_or_default();
                if self.own.contains(buffer) && self.read.contains(value) {
                    let copied = region.times.map(|times| times * bytes);
                    self.work.packed = self.work.packed.zip(copied).map(|(all, own)| all + own);
                }
                let is_masked = matches!(kind, "vector.maskedstore" | "vector.transfer_write");
                self.work.has_edges |= buffer.starts_with("%arg") && (region.is_part || is_masked);
            }
            _ => {}
        }
    }
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
    let bits = element.trim_start_matches(|letter: char| letter.is_alphabetic());
    elements * bits.parse::<f64>().unwrap_or(0.0) / 8.0
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
        let record = CompilationRecord {
            lines: text.lines().map(str::to_owned).collect(),
            ..CompilationRecord::default()
        };
        let text = FunctionText {
            lines: (0..record.lines.len() as u32).collect(),
            ..FunctionText::default()
        };
        LoopWork::of(&record, &text, Some(iterations))
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
    }
}
