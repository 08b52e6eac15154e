//! The loops of a kernel in one task, with its products, loads and stores, read from its IR.
//!
//! Bounds and addresses become affine functions of the iterations of loops, so that it can be
//! computed how often each op runs and which bytes it touches:
//!
//! ```mlir
//! scf.for %i = %begin to %end step %c8 {       // %i is %begin + 8 * iteration
//!   %row = arith.addi %i, %c1 : index
//!   vector.load %a[%row, %c0] : memref<64x128xf32>, vector<16xf32>
//! }                                            // 64 bytes at 512 * (%begin + 1) + 4096 * iteration
//! ```

use super::{
    affine::{Affine, Variable, Variables, bit},
    memref::{self, Memref},
};
use std::{collections::HashMap, ops::Range};

/// So many iterations are looked at to count how often a loop runs whose bounds depend on others.
const MOST_ITERATIONS: u64 = 100_000;

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The number of the loop around it.
    pub around: Option<usize>,
    /// How many loops are around it.
    pub depth: usize,
    /// Its iteration.
    pub variable: Variable,
    /// The first value of the variable.
    first: i64,
    /// From the begin of its index to the end.
    length: Affine,
    step: i64,
    /// How often its body runs in a task.
    pub times: Option<f64>,
    /// Whether it multiplies and adds in its body, not in a loop within that.
    pub has_products: bool,
}

/// An argument of a kernel, or a buffer of its own.
#[derive(Clone, Debug)]
pub struct Buffer {
    pub is_own: bool,
    pub bytes: Option<f64>,
}

/// A load or a store.
#[derive(Clone, Debug)]
pub struct Access {
    pub buffer: usize,
    /// The number of the innermost loop around it.
    pub around: Option<usize>,
    /// How often it runs in a task.
    pub times: Option<f64>,
    /// Where it begins in the buffer, in bytes; `None` if its addresses are not known.
    pub place: Option<Affine>,
    /// How many bytes it touches.
    pub bytes: f64,
    pub is_store: bool,
    /// The buffer of the argument from which what is stored in a buffer of the kernel was read.
    pub copied: Option<usize>,
    /// Whether it stores a part of a tile in an argument.
    pub is_edge: bool,
}

/// The loops of a kernel in one task.
#[derive(Default)]
pub struct Nest<'a> {
    pub variables: Variables,
    pub loops: Vec<Loop>,
    pub buffers: Vec<Buffer>,
    pub accesses: Vec<Access>,
    /// The operations of its fused multiplications and additions, if that is known.
    pub flops: Option<f64>,
    /// Whether it loads from buffers that are not known.
    pub has_unknown_buffers: bool,
    /// The bytes of its own buffers.
    pub own_bytes: f64,
    /// Whether it prefetches data.
    pub prefetches: bool,
    values: HashMap<&'a str, Affine>,
    views: HashMap<&'a str, View>,
    /// The values that were read from arguments, with their buffers.
    read: HashMap<&'a str, usize>,
    /// The regions that are open, each with its innermost loop.
    regions: Vec<Option<usize>>,
}

/// What is counted of a loop whose length changes in others.
struct Count {
    /// How many iterations may still be looked at.
    left: u64,
    /// The most iterations of the loop.
    longest: i64,
}

/// A buffer, or a part of one.
#[derive(Clone, Debug)]
struct View {
    buffer: usize,
    /// Where it begins, in bytes.
    place: Option<Affine>,
}

impl<'a> Nest<'a> {
    /// Of the lines of a kernel that is called with these numbers, for a range of iterations of the
    /// parallel loop.
    pub fn of(
        lines: impl Iterator<Item = &'a str>,
        captured: &[Option<i64>],
        task: Option<&Range<i64>>,
    ) -> Self {
        let mut nest = Self {
            flops: Some(0.0),
            ..Self::default()
        };
        for line in lines {
            nest.read_line(line.trim(), captured, task);
        }
        nest
    }

    /// The loops around something, the innermost first.
    pub fn around(&self, innermost: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(innermost, |number| self.loops[*number].around)
    }

    /// How often the innermost of some loops runs in one iteration of that around it, on average.
    pub fn count(&self, number: usize) -> Option<f64> {
        let own = self.loops[number].times?;
        let around = match self.loops[number].around {
            Some(around) => self.loops[around].times?,
            None => 1.0,
        };
        Some(own / around.max(1.0))
    }

    /// How often an op runs in a task whose innermost loop is this.
    fn times(&self) -> Option<f64> {
        match self.innermost() {
            Some(number) => self.loops[number].times,
            None => Some(1.0),
        }
    }

    fn innermost(&self) -> Option<usize> {
        self.regions.last().copied().flatten()
    }

    fn read_line(&mut self, line: &'a str, captured: &[Option<i64>], task: Option<&Range<i64>>) {
        if line.starts_with('}') {
            self.regions.pop();
        }
        if line.starts_with("func.func") {
            self.begin(line, captured);
            self.regions.push(None);
        } else if line.ends_with('{') {
            if let Some((name, _)) = line.split_once(" = ").filter(|_| line.starts_with('%')) {
                self.values.remove(name);
            }
            let innermost = match line.split_once("scf.for ") {
                Some((_, bounds)) => Some(self.begin_loop(bounds, task)),
                None if line.contains("scf.while") => {
                    let length = self.variables.unknown(0);
                    Some(self.add_loop(length, 1, 0))
                }
                None => self.innermost(),
            };
            self.regions.push(innermost);
        } else {
            let (name, op) = match line.split_once(" = ") {
                Some((name, op)) if name.starts_with('%') => (name, op),
                _ => ("", line),
            };
            self.read_op(name, op);
        }
    }

    /// The arguments: two of the range of iterations, and then what is captured.
    fn begin(&mut self, line: &'a str, captured: &[Option<i64>]) {
        let arguments = line.split_once('(').map_or("", |(_, rest)| rest);
        let places = arguments.match_indices('%').map(|(place, _)| place);
        let places: Vec<usize> = places.collect();
        for (number, place) in places.iter().enumerate().skip(2) {
            let end = places.get(number + 1).copied();
            let argument = &arguments[*place..end.unwrap_or(arguments.len())];
            let (name, of_type) = argument.split_once(':').unwrap_or((argument, ""));
            let value = captured.get(number - 2).copied().flatten();
            let value = match value {
                Some(value) => Affine::number(value),
                None => self.variables.unknown(0),
            };
            self.values.insert(name, value);
            if let Some(memref) = Memref::first(of_type) {
                self.add_buffer(name, &memref, false);
            }
        }
    }

    fn add_buffer(&mut self, name: &'a str, memref: &Memref, is_own: bool) {
        let bytes = memref.bytes.map(|bytes| bytes as f64);
        self.buffers.push(Buffer { is_own, bytes });
        let view = View {
            buffer: self.buffers.len() - 1,
            place: Some(Affine::default()),
        };
        self.views.insert(name, view);
    }

    /// The function that a value is of iterations.
    fn value(&mut self, name: &'a str) -> Affine {
        match self.values.get(name) {
            Some(known) => known.clone(),
            None => {
                let unknown = self.unknown();
                self.values.insert(name, unknown.clone());
                unknown
            }
        }
    }

    /// A value that may change in all loops that are open.
    fn unknown(&mut self) -> Affine {
        let loops = self.around(self.innermost());
        let loops = loops.fold(0, |all, it| all | bit(self.loops[it].depth));
        self.variables.unknown(loops)
    }

    /// A loop: `%i = %begin to %end step %step ... {`.
    fn begin_loop(&mut self, bounds: &'a str, task: Option<&Range<i64>>) -> usize {
        let words = bounds.split_whitespace();
        let words: Vec<&str> = words.filter(|word| word.starts_with('%')).take(4).collect();
        let [index, begin, end, step] = words[..] else {
            let length = self.variables.unknown(0);
            return self.add_loop(length, 1, 0);
        };
        let is_parallel = begin == "%arg0" && end == "%arg1" && self.loops.is_empty();
        if let Some(task) = task.filter(|_| is_parallel) {
            let length = Affine::number(task.end - task.start);
            let number = self.add_loop(length, 1, task.start);
            let variable = self.loops[number].variable;
            self.values.insert(index, Affine::of(variable));
            return number;
        }
        let [begin, end, step] = [begin, end, step].map(|name| self.value(name));
        let step = step.as_number().filter(|step| *step > 0);
        let length = match step {
            Some(_) => end.plus(&begin, -1),
            None => self.variables.unknown(0),
        };
        let number = self.add_loop(length, step.unwrap_or(1), 0);
        let iteration = Affine::of(self.loops[number].variable);
        let value = begin.plus(&iteration, step.unwrap_or(1));
        self.values.insert(index, value);
        number
    }

    fn add_loop(&mut self, length: Affine, step: i64, first: i64) -> usize {
        let around = self.innermost();
        let depth = around.map_or(0, |around| self.loops[around].depth + 1);
        let number = self.loops.len();
        self.loops.push(Loop {
            around,
            depth,
            variable: self.variables.iteration(depth),
            first,
            length,
            step,
            times: None,
            has_products: false,
        });
        let mut count = Count {
            left: MOST_ITERATIONS,
            longest: 1,
        };
        let times = self.count_times(number, &mut count);
        let added = &mut self.loops[number];
        added.times = times;
        if times.is_some() {
            let last = first.saturating_add(count.longest - 1);
            self.variables.set_range(added.variable, (first, last));
        }
        number
    }

    /// How often the body of a loop runs in a task.
    fn count_times(&self, number: usize, count: &mut Count) -> Option<f64> {
        let loops = self.around(Some(number)).map(|it| &self.loops[it]);
        let mut loops: Vec<&Loop> = loops.collect();
        loops.reverse();
        let changing = loops.iter().map(|it| self.variables.loops(&it.length));
        let changing = changing.fold(0, |all, own| all | own);
        let mut iterations = vec![0; loops.len()];
        self.count_within(&loops, changing, &mut iterations, count)
    }

    /// How often the innermost of some loops runs in one iteration of those around them, which have
    /// lengths that change in some loops.
    fn count_within(
        &self,
        loops: &[&Loop],
        changing: u64,
        iterations: &mut [i64],
        count: &mut Count,
    ) -> Option<f64> {
        let Some((own, inner)) = loops.split_first() else {
            return Some(1.0);
        };
        let length = self.variables.value(&own.length, iterations)?.max(0);
        let all = (length as u64).div_ceil(own.step as u64) as i64;
        if inner.is_empty() {
            count.longest = count.longest.max(all);
        }
        iterations[own.depth] = own.first;
        if changing & bit(own.depth) == 0 {
            let within = match all {
                0 => 0.0,
                _ => self.count_within(inner, changing, iterations, count)?,
            };
            return Some(all as f64 * within);
        }
        count.left = count.left.checked_sub(all as u64)?;
        let mut times = 0.0;
        for number in 0..all {
            iterations[own.depth] = own.first + number;
            times += self.count_within(inner, changing, iterations, count)?;
        }
        Some(times)
    }

    fn read_op(&mut self, name: &'a str, op: &'a str) {
        let (kind, rest) = op.split_once(' ').unwrap_or((op, ""));
        self.views.remove(name);
        self.read.remove(name);
        match kind {
            "memref.alloca()" | "memref.alloc()" => {
                if let Some(memref) = Memref::first(op) {
                    self.own_bytes += memref.bytes.unwrap_or_default() as f64;
                    self.add_buffer(name, &memref, true);
                }
            }
            "memref.subview" => {
                let view = self.subview(rest);
                self.add_view(name, view);
            }
            "memref.expand_shape" | "memref.collapse_shape" | "memref.cast" => {
                let view = self.view_of(rest);
                self.add_view(name, view);
            }
            "memref.reinterpret_cast" => {
                let place = rest.split_once("offset: [").map_or("", |(_, rest)| rest);
                let place = self.index(place.split(']').next().unwrap_or_default());
                let element = Memref::first(op).map_or(1, |memref| memref.element);
                let view = self.view_of(rest);
                let view = view.map(|view| View {
                    place: Some(place.times(element)),
                    ..view
                });
                self.add_view(name, view);
            }
            "memref.prefetch" => self.prefetches = true,
            "vector.fma" => {
                if let Some(innermost) = self.innermost() {
                    self.loops[innermost].has_products = true;
                }
                let elements = memref::last_vector(op).map(|(elements, _)| elements);
                let own = elements.zip(self.times());
                let own = own.map(|(elements, times)| 2.0 * elements * times);
                self.flops = self.flops.zip(own).map(|(all, own)| all + own);
            }
            "vector.load"
            | "memref.load"
            | "vector.maskedload"
            | "vector.transfer_read"
            | "vector.gather" => self.access(name, kind, rest, false),
            "vector.store"
            | "memref.store"
            | "vector.maskedstore"
            | "vector.transfer_write"
            | "vector.scatter" => self.access(name, kind, rest, true),
            _ => {}
        }
        if !name.is_empty() {
            let value = self.evaluate(kind, rest);
            self.values.insert(name, value);
        }
    }

    /// What an op on indices makes of its operands.
    fn evaluate(&mut self, kind: &str, rest: &'a str) -> Affine {
        if kind == "arith.constant" {
            let number = rest.split(' ').next().and_then(|it| it.parse().ok());
            if let Some(number) = number {
                return Affine::number(number);
            }
        }
        let operands = rest.split([',', ' ', '[', ']', '(', ')']);
        let operands: Vec<&str> = operands.filter(|word| word.starts_with('%')).collect();
        let operands: Vec<Affine> = operands.iter().map(|name| self.value(name)).collect();
        let variables = &mut self.variables;
        match (kind, &operands[..]) {
            _ if kind.ends_with("load") => self.unknown(),
            ("arith.addi", [one, other]) => one.clone().plus(other, 1),
            ("arith.subi", [one, other]) => one.clone().plus(other, -1),
            ("arith.muli", [one, other]) => variables.product(one, other),
            ("arith.minsi" | "arith.minui", [one, other]) => variables.least(one, other),
            ("arith.maxsi" | "arith.maxui", [one, other]) => variables.greatest(one, other),
            ("arith.divui" | "arith.divsi", [one, other]) if is_positive(other) => {
                variables.quotient(one, other.constant)
            }
            ("arith.remui" | "arith.remsi", [one, other]) if is_positive(other) => {
                variables.remainder(one, other.constant)
            }
            ("arith.index_cast" | "arith.index_castui", [one]) => one.clone(),
            _ => {
                let loops = operands.iter().map(|operand| variables.loops(operand));
                let loops = loops.fold(0, |all, own| all | own);
                variables.unknown(loops)
            }
        }
    }

    /// A name or a number.
    fn index(&mut self, word: &'a str) -> Affine {
        let word = word.trim();
        match word.parse() {
            Ok(number) => Affine::number(number),
            Err(_) => self.value(word),
        }
    }

    fn add_view(&mut self, name: &'a str, view: Option<View>) {
        if let Some(view) = view {
            self.views.insert(name, view);
        }
    }

    /// The buffer that an op begins with.
    fn view_of(&self, rest: &str) -> Option<View> {
        let name = rest.split(['[', ' ']).next()?;
        self.views.get(name).cloned()
    }

    /// `%buffer[%i, 0] [1, 768] [1, 1] : memref<256x768xf32> to ...`.
    fn subview(&mut self, rest: &'a str) -> Option<View> {
        let view = self.view_of(rest)?;
        let place = self.place(&view, rest, &Memref::first(rest)?);
        Some(View { place, ..view })
    }

    /// Where the element with the indices that an op has begins in a buffer, in bytes.
    fn place(&mut self, view: &View, rest: &'a str, memref: &Memref) -> Option<Affine> {
        let indices = rest.split_once('[')?.1.split(']').next()?.trim();
        let mut place = view.place.clone()?;
        let indices = indices.split(',').filter(|word| !word.trim().is_empty());
        for (index, stride) in indices.zip(&memref.strides) {
            let index = self.index(index);
            place = match stride {
                Some(stride) => place.plus(&index, *stride),
                None => {
                    let moves = index.as_number() != Some(0);
                    let loops = self.variables.loops(&index);
                    match moves {
                        true => place.plus(&self.variables.unknown(loops), 1),
                        false => place,
                    }
                }
            };
        }
        Some(place)
    }

    /// `%buffer[%i, %j] : memref<8x16xf32>, vector<16xf32>`, with a value before it or behind it.
    fn access(&mut self, name: &'a str, kind: &str, rest: &'a str, is_store: bool) {
        let words = rest.split_inclusive([' ', ',']);
        let mut begin = 0;
        let buffer = words.into_iter().find_map(|word| {
            let own = begin;
            begin += word.len();
            let (name, _) = word.split_once('[')?;
            name.starts_with('%').then_some((name, &rest[own..]))
        });
        let view = buffer.and_then(|(name, indices)| {
            let view = self.views.get(name).cloned()?;
            Some((view, indices))
        });
        let (Some((view, indices)), Some(memref)) = (view, Memref::first(rest)) else {
            self.has_unknown_buffers |= !is_store;
            return;
        };
        let bytes = memref::last_vector(rest).map(|(_, bytes)| bytes);
        let place = self.place(&view, indices, &memref);
        let is_spread = matches!(kind, "vector.gather" | "vector.scatter");
        let is_own = self.buffers[view.buffer].is_own;
        let value = rest.split(',').next().unwrap_or_default();
        let is_masked = matches!(kind, "vector.maskedstore" | "vector.transfer_write");
        if !is_store && !is_own {
            self.read.insert(name, view.buffer);
        }
        let is_part = || {
            let mut loops = self.around(self.innermost());
            loops.any(|number| self.loops[number].length.as_number().is_none())
        };
        self.accesses.push(Access {
            buffer: view.buffer,
            around: self.innermost(),
            times: self.times(),
            place: place.filter(|_| !is_spread),
            bytes: bytes.unwrap_or(memref.element as f64),
            is_store,
            copied: self.read.get(value).copied().filter(|_| is_store && is_own),
            is_edge: is_store && !is_own && (is_masked || is_part()),
        });
    }
}

fn is_positive(number: &Affine) -> bool {
    number.as_number().is_some_and(|number| number > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KERNEL: &str = "\
func.func private @k(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<64x128xf32> {llvm.noalias}) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c8 = arith.constant 8 : index
%c49 = arith.constant 49 : index
%alloca = memref.alloca() {alignment = 64 : i64} : memref<8x16xf32>
%cast = memref.reinterpret_cast %arg3 to offset: [%arg2], sizes: [8], strides: [1] : memref<64x128xf32> to memref<8xf32, strided<[1], offset: ?>>
scf.for %arg4 = %arg0 to %arg1 step %c1 {
%0 = arith.muli %arg4, %c8 : index
%1 = arith.subi %c49, %0 : index
%2 = arith.minsi %1, %c8 : index
scf.for %arg5 = %c0 to %2 step %c1 {
%3 = vector.maskedload %arg3[%0, %arg5], %m, %p : memref<64x128xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
vector.store %3, %alloca[%arg5, %c0] : memref<8x16xf32>, vector<16xf32>
vector.maskedstore %arg3[%arg5, %0], %m, %3 : memref<64x128xf32>, vector<16xi1>, vector<16xf32>
}
%4 = memref.load %cast[%c8] : memref<8xf32, strided<[1], offset: ?>>
%5 = scf.if %c -> (f32) {
%6 = memref.load %unknown[%c0] : memref<8xf32>
scf.yield %6 : f32
} else {
scf.yield %4 : f32
}
%7 = scf.while (%arg6 = %c0) : (index) -> index {
%8 = vector.fma %3, %3, %3 : vector<16xf32>
}
} {halo.parallel}
}";

    fn of(text: &str, task: Range<i64>) -> Nest<'_> {
        Nest::of(text.lines(), &[Some(256)], Some(&task))
    }

    #[test]
    fn loads_and_stores_have_places_and_times() {
        let nest = of(KERNEL, 5..7);
        // Rows 40 to 47, and row 48.
        let times: Vec<f64> = nest.accesses.iter().filter_map(|it| it.times).collect();
        assert_eq!(times, [9.0, 9.0, 9.0, 2.0]);
        let bytes: Vec<f64> = nest.accesses.iter().map(|it| it.bytes).collect();
        assert_eq!(bytes, [64.0, 64.0, 64.0, 4.0]);
        let ranges = nest.accesses.iter();
        let ranges = ranges.map(|it| nest.variables.range(it.place.as_ref().unwrap()));
        let ranges: Vec<(i64, i64)> = ranges.flatten().collect();
        let row = 128 * 4;
        let expected = [
            (40 * row, 48 * row + 7 * 4),
            (0, 7 * 64),
            (40 * 4, 7 * row + 48 * 4),
            (256 * 4 + 8 * 4, 256 * 4 + 8 * 4),
        ];
        assert_eq!(ranges, expected);
        let [load, copy, edge, _] = &nest.accesses[..] else {
            panic!("{:?}", nest.accesses);
        };
        assert!(!load.is_store && copy.copied == Some(0) && edge.is_edge && !copy.is_edge);
        assert_eq!((nest.own_bytes, nest.count(1)), (512.0, Some(4.5)));
        // What is not known: a buffer, and how often a loop runs until its condition holds.
        assert!(nest.has_unknown_buffers);
        assert_eq!(nest.flops, None);
    }

    #[test]
    fn loops_of_next_to_no_end_are_not_counted() {
        let long = KERNEL.replace("constant 8 :", "constant 0 :");
        let nest = of(&long, 0..200_000);
        assert_eq!(nest.accesses[0].times, Some(0.0));
        let long = KERNEL.replace("constant 49 :", "constant 4000000000 :");
        assert_eq!(of(&long, 0..200_000).accesses[0].times, Some(1_600_000.0));
        let long = KERNEL.replace("constant 49 :", "constant 800000 :");
        assert_eq!(of(&long, 0..200_000).accesses[0].times, None);
    }
}
