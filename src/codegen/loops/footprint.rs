//! Memory footprints of kernel calls.
//!
//! A tiled matrix product calls its kernels with whole matrices and the number of the block. Such a
//! call accesses only a part of its buffers, which follows from the loops of the kernel: an index
//! is a sum of values that the call fixes, such as the number of the block, and of induction
//! variables, which have ranges. The footprint of a buffer is the bounding box of its indices.
//!
//! ```mlir
//! // %block and %end = %block + 8 are fixed by the call: 8 of 24 rows are touched.
//! scf.for %i = %block to %end step %c1 {
//!   scf.for %j = %c0 to %c32 step %c1 {
//!     %0 = memref.load %a[%i, %j] : memref<24x32xf32>
//! ```
//!
//! If the loops around a call have known bounds, the footprint is the mean over their iterations:
//! the last block of a matrix is often smaller.
//!
//! The box is an upper bound: it includes the elements that a strided loop skips, which mostly
//! share cache lines with the accessed ones. Elements at indices that are loaded from memory count
//! once per load.

mod range;

use super::sizes::size_in_bytes;
use halo_ir::{ops::memref::GetGlobalOp, prelude::*};
use range::{Range, limited, quotient, remainder};
use std::collections::{BTreeMap, HashMap};

/// Recursion limit for the definition of an index.
const DEEPEST: usize = 64;
/// The maximum length of a chain of views.
const MOST_VIEWS: usize = 8;
/// A dynamic offset.
const DYNAMIC: i64 = i64::MIN;

/// The maximum number of iterations of the surrounding loops that are analyzed per call.
const MOST_ITERATIONS: i64 = 64;

/// The bytes that a call touches of each buffer operand, in order, and of the constants of its
/// kernel: the mean over the iterations of the loops around it. A repeated buffer counts at its
/// first operand. `None` for an unknown size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Footprint {
    pub buffers: Vec<Option<u64>>,
    pub constants: Option<u64>,
}

impl Footprint {
    /// The footprint of a kernel call; without a kernel, the sizes of all buffers.
    pub fn of(call: Operation, kernel: Option<Operation>) -> Self {
        let loops = loops_around(call);
        let iterations: i64 = loops.iter().map(|it| it.count).product();
        let each = (0..iterations).map(|number| {
            let mut rest = number;
            let counters = loops.iter().map(|around| {
                let place = rest % around.count;
                rest /= around.count;
                let value = around.first + place * around.step;
                (around.counter.key(), Range::between(value, value))
            });
            Self::in_iteration(call, kernel, counters.collect())
        });
        Self::mean(&each.collect::<Vec<_>>())
    }

    /// The mean of the footprints in several iterations.
    fn mean(all: &[Self]) -> Self {
        let count = all.len().max(1) as u64;
        let mean = |part: &dyn Fn(&Self) -> Option<u64>| {
            let sum = all.iter().try_fold(0_u64, |sum, it| sum.checked_add(part(it)?));
            sum.map(|sum| sum / count + u64::from(sum % count * 2 >= count))
        };
        let buffers = all.first().map_or(0, |it| it.buffers.len());
        Self {
            buffers: (0..buffers)
                .map(|number| mean(&|it| it.buffers.get(number).copied().flatten()))
                .collect(),
            constants: mean(&|it| it.constants),
        }
    }

    /// The footprint for given values of the induction variables around the call.
    fn in_iteration(
        call: Operation,
        kernel: Option<Operation>,
        counters: HashMap<usize, Range>,
    ) -> Self {
        let operands = call.operands();
        let arguments = arguments(call, kernel);
        let mut ranges = Ranges::of(call, kernel, counters);
        let mut touched: BTreeMap<usize, Option<u64>> = BTreeMap::new();
        let mut first: HashMap<usize, usize> = HashMap::new();
        for (number, value) in operands.iter().enumerate() {
            let of = value.ty();
            if !of.is_memref() {
                continue;
            }
            let whole = size_in_bytes(of);
            let bytes = match (arguments.get(&number), &mut ranges) {
                (Some(argument), Some(ranges)) => {
                    whole.map(|whole| ranges.touched(*argument, whole))
                }
                _ => whole,
            };
            let place = *first.entry(value.key()).or_insert(number);
            let known = touched.entry(place).or_insert(Some(0));
            *known = known.zip(bytes).map(|(one, other)| one.max(other));
        }
        let mut constants = Some(0_u64);
        let globals = kernel.map(|kernel| kernel.collect_nested(|op| op.isa::<GetGlobalOp>()));
        for global in globals.into_iter().flatten() {
            for result in global.results() {
                let bytes = size_in_bytes(result.ty()).map(|whole| match &mut ranges {
                    Some(ranges) => ranges.touched(result, whole),
                    None => whole,
                });
                constants = constants.zip(bytes).and_then(|(sum, bytes)| sum.checked_add(bytes));
            }
        }
        let bytes = |number| touched.get(&number).copied();
        Self {
            buffers: (0..operands.len())
                .filter(|number| operands[*number].ty().is_memref())
                .map(|number| bytes(number).unwrap_or(Some(0)))
                .collect(),
            constants,
        }
    }

    /// The sum, if all parts are known.
    pub fn bytes(&self) -> Option<u64> {
        let parts = self.buffers.iter().chain([&self.constants]);
        parts.into_iter().try_fold(0_u64, |sum, bytes| sum.checked_add((*bytes)?))
    }
}

/// A loop with constant bounds.
struct LoopAround<'c> {
    counter: Value<'c>,
    first: i64,
    step: i64,
    count: i64,
}

/// The loops with constant bounds around a call, the innermost first, up to [`MOST_ITERATIONS`]
/// iterations in total.
fn loops_around(call: Operation<'_>) -> Vec<LoopAround<'_>> {
    let mut loops: Vec<LoopAround<'_>> = Vec::new();
    let mut iterations = 1_i64;
    let parents = std::iter::successors(call.parent(), |op| op.parent());
    for around in parents.filter(|op| op.isa::<scf::ForOp>()) {
        let Some(found) = loop_around(around) else {
            continue;
        };
        iterations = iterations.saturating_mul(found.count);
        if found.count == 0 || iterations > MOST_ITERATIONS {
            break;
        }
        loops.push(found);
    }
    loops
}

fn loop_around(op: Operation<'_>) -> Option<LoopAround<'_>> {
    let bounds = op.operands();
    let bound = |number: usize| arith::constant_index(*bounds.get(number)?);
    let (first, end, step) = (bound(0)?, bound(1)?, bound(2)?);
    let length = end.checked_sub(first)?.max(0);
    let counter = op.body(0).map(Block::arguments)?.first().copied()?;
    (step > 0).then(|| LoopAround {
        counter,
        first,
        step,
        count: length / step + i64::from(length % step > 0),
    })
}

/// The kernel arguments by the number of the call's operand.
fn arguments<'c>(call: Operation<'c>, kernel: Option<Operation<'c>>) -> BTreeMap<usize, Value<'c>> {
    let body = kernel.and_then(|kernel| kernel.body(0));
    let arguments = body.map(Block::arguments).unwrap_or_default();
    let operands = call.operands().len();
    if arguments.len() == operands {
        arguments.into_iter().enumerate().collect()
    } else {
        BTreeMap::new()
    }
}

/// The ranges of the values of a kernel for one call.
struct Ranges<'c> {
    kernel: Operation<'c>,
    /// The ranges of the arguments.
    given: HashMap<usize, Range>,
    known: HashMap<usize, Option<Range>>,
}

impl<'c> Ranges<'c> {
    fn of(
        call: Operation<'c>,
        kernel: Option<Operation<'c>>,
        counters: HashMap<usize, Range>,
    ) -> Option<Self> {
        let kernel = kernel?;
        let arguments = arguments(call, Some(kernel));
        let operands = call.operands();
        if arguments.is_empty() {
            return None;
        }
        // Counters of other loops around the call are fixed.
        let mut around = Self {
            kernel: call,
            given: counters,
            known: HashMap::new(),
        };
        let mut given = HashMap::new();
        for (number, argument) in arguments {
            let operand = operands[number];
            if !operand.ty().is_memref() {
                let range = around.range(operand, DEEPEST);
                let range = range.unwrap_or_else(|| Range::fixed(operand.key()));
                given.insert(argument.key(), range);
            }
        }
        Some(Self {
            kernel,
            given,
            known: HashMap::new(),
        })
    }

    /// The range of an integer; `None` if it is loaded from memory or computed by an unsupported
    /// op.
    fn range(&mut self, value: Value<'c>, deepest: usize) -> Option<Range> {
        let key = value.key();
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        // Prevents infinite recursion.
        self.known.insert(key, None);
        let range = deepest.checked_sub(1).and_then(|deepest| self.range_of_new(value, deepest));
        self.known.insert(key, range.clone());
        range
    }

    fn range_of_new(&mut self, value: Value<'c>, deepest: usize) -> Option<Range> {
        if let Some(constant) = arith::constant_index(value) {
            return Some(Range::between(constant, constant));
        }
        if let Some((block, number)) = value.as_block_argument() {
            if let Some(range) = self.given.get(&value.key()) {
                return Some(range.clone());
            }
            let owner = block.parent()?;
            if !owner.is_inside(self.kernel) || owner == self.kernel {
                return Some(Range::fixed(value.key()));
            }
            return match (owner.isa::<scf::ForOp>(), number) {
                (true, 0) => self.counter(owner, deepest),
                _ => None,
            };
        }
        let definition = value.defining_op()?;
        let operands = definition.operands();
        if self.kernel != definition && !definition.is_inside(self.kernel) {
            // Outside of the kernel, values are fixed. Arithmetic on them is analyzed, so that the
            // difference of two such values is known.
            let range = self.arithmetic(definition, &operands, deepest);
            return range.or_else(|| Some(Range::fixed(value.key())));
        }
        self.arithmetic(definition, &operands, deepest)
    }

    fn arithmetic(
        &mut self,
        definition: Operation<'c>,
        operands: &[Value<'c>],
        deepest: usize,
    ) -> Option<Range> {
        let mut operand = |number: usize| {
            let operand = operands.get(number)?;
            self.range(*operand, deepest)
        };
        match definition.name() {
            "arith.index_cast" | "arith.index_castui" | "arith.extsi" | "arith.extui"
            | "arith.trunci" => operand(0),
            "arith.addi" => operand(0)?.plus(&operand(1)?, 1),
            "arith.subi" => operand(0)?.plus(&operand(1)?, -1),
            "arith.muli" => {
                let (one, other) = (operand(0)?, operand(1)?);
                match (one.constant(), other.constant()) {
                    (_, Some(factor)) => one.times(factor),
                    (Some(factor), _) => other.times(factor),
                    _ => None,
                }
            }
            "arith.minsi" | "arith.minui" => limited(operand(0)?, operand(1)?, i64::min),
            "arith.maxsi" | "arith.maxui" => limited(operand(0)?, operand(1)?, i64::max),
            "arith.select" => operand(1)?.around(&operand(2)?),
            "arith.divui" | "arith.divsi" | "arith.floordivsi" => {
                let (one, divisor) = (operand(0)?, operand(1)?.constant()?);
                (divisor > 0).then(|| quotient(&one, divisor, definition.key()))
            }
            "arith.ceildivui" | "arith.ceildivsi" => {
                let (one, divisor) = (operand(0)?, operand(1)?.constant()?);
                let one = one.plus(&Range::between(divisor - 1, divisor - 1), 1)?;
                (divisor > 0).then(|| quotient(&one, divisor, definition.key()))
            }
            "arith.remui" | "arith.remsi" => {
                let (one, divisor) = (operand(0)?, operand(1)?.constant()?);
                (divisor > 0).then(|| remainder(&one, divisor))
            }
            _ => None,
        }
    }

    /// The range of an induction variable.
    fn counter(&mut self, of: Operation<'c>, deepest: usize) -> Option<Range> {
        let [lower, upper, step] = of.operands().get(..3)?.try_into().ok()?;
        let first = self.range(lower, deepest)?;
        let step = self.range(step, deepest)?.constant().filter(|it| *it > 0)?;
        let length = self.difference(upper, lower, deepest)?;
        let last = (length - 1).max(0) / step * step;
        let mut high = first.high.checked_add(last)?;
        // With a dynamic start, the last block may be shorter.
        if let Some(end) = self.range(upper, deepest)
            && end.fixed == first.fixed
        {
            high = high.min(end.high.saturating_sub(1)).max(first.low);
        }
        Some(Range { high, ..first })
    }

    /// An upper bound of the difference of two values.
    fn difference(&mut self, upper: Value<'c>, lower: Value<'c>, deepest: usize) -> Option<i64> {
        if upper.key() == lower.key() {
            return Some(0);
        }
        let deepest = deepest.checked_sub(1)?;
        if let Some(definition) = upper.defining_op()
            && let [one, other] = definition.operands()[..]
        {
            match definition.name() {
                "arith.addi" if one.key() == lower.key() => {
                    let added = self.range(other, deepest)?;
                    return added.fixed.is_empty().then_some(added.high);
                }
                "arith.minsi" | "arith.minui" => {
                    let both = [one, other].map(|it| self.difference(it, lower, deepest));
                    return both.into_iter().flatten().min();
                }
                _ => {}
            }
        }
        let difference = self.range(upper, deepest)?.plus(&self.range(lower, deepest)?, -1)?;
        difference.fixed.is_empty().then_some(difference.high)
    }

    /// An upper bound of the executions of a kernel op per call.
    fn executions(&mut self, of: Operation<'c>) -> Option<u64> {
        let mut count = 1_u64;
        let mut around = of.parent();
        while let Some(op) = around.filter(|op| *op != self.kernel) {
            if op.isa::<scf::ForOp>() {
                let [lower, upper, step] = op.operands().get(..3)?.try_into().ok()?;
                let length = u64::try_from(self.difference(upper, lower, DEEPEST)?).unwrap_or(0);
                let step = self.range(step, DEEPEST)?.constant()?;
                count = count.checked_mul(length.div_ceil(u64::try_from(step).ok()?.max(1)))?;
            } else if !op.isa::<scf::IfOp>() {
                return None;
            }
            around = op.parent();
        }
        Some(count)
    }

    /// The touched bytes of a buffer with `whole` bytes.
    fn touched(&mut self, buffer: Value<'c>, whole: u64) -> u64 {
        let element = buffer.ty().element_type().byte_width();
        let elements = self.elements(buffer, MOST_VIEWS);
        let bytes = elements.zip(element).and_then(|(count, size)| count.checked_mul(size));
        bytes.map_or(whole, |bytes| bytes.min(whole))
    }

    /// The touched elements of a buffer or view.
    fn elements(&mut self, buffer: Value<'c>, views: usize) -> Option<u64> {
        let views = views.checked_sub(1)?;
        let shape = buffer.ty().static_shape()?;
        let mut boxes: Vec<Vec<Option<Range>>> = Vec::new();
        let (mut loads, mut of_views) = (Some(0_u64), 0_u64);
        for (user, _) in buffer.uses() {
            match user.name() {
                "memref.prefetch"
                | "memref.dealloc"
                | "memref.dim"
                | "memref.extract_aligned_pointer_as_index" => {}
                "memref.expand_shape"
                | "memref.collapse_shape"
                | "memref.cast"
                | "memref.memory_space_cast"
                | "memref.assume_alignment" => {
                    for view in user.results() {
                        of_views = of_views.checked_add(self.elements(view, views)?)?;
                    }
                }
                "memref.subview" => {
                    boxes.push(self.box_of_view(user, shape.len())?);
                    loads = None;
                }
                _ => {
                    let (indices, length) = access(user, buffer, shape.len())?;
                    let mut ranges: Vec<Option<Range>> =
                        indices.into_iter().map(|index| self.range(index, DEEPEST)).collect();
                    if let Some(Some(last)) = ranges.last_mut() {
                        last.high = last.high.saturating_add(length - 1);
                    }
                    let count = self
                        .executions(user)
                        .and_then(|count| count.checked_mul(u64::try_from(length).ok()?));
                    loads = loads.zip(count).and_then(|(sum, it)| sum.checked_add(it));
                    boxes.push(ranges);
                }
            }
        }
        let whole = shape.iter().try_fold(1_u64, |product, size| {
            product.checked_mul(u64::try_from(*size).ok()?)
        })?;
        let boxed = elements_of_boxes(&boxes, &shape)?;
        let own = loads.map_or(boxed, |loads| loads.min(boxed));
        Some(own.saturating_add(of_views).min(whole))
    }

    /// The box of a subview of the same rank, as far as it is known.
    fn box_of_view(&mut self, view: Operation<'c>, rank: usize) -> Option<Vec<Option<Range>>> {
        let view = view.cast::<memref::SubViewOp>()?;
        let (offsets, sizes, strides) = (
            view.static_offsets(),
            view.static_sizes(),
            view.static_strides(),
        );
        let mut dynamic = view.offsets().into_iter();
        if [&offsets, &sizes, &strides].iter().any(|it| it.len() != rank) {
            return None;
        }
        let places: Vec<Option<Range>> = offsets
            .iter()
            .map(|offset| {
                if *offset == DYNAMIC {
                    self.range(dynamic.next()?, DEEPEST)
                } else {
                    Some(Range::between(*offset, *offset))
                }
            })
            .collect();
        let lengths = sizes.iter().zip(&strides);
        let boxed = places.into_iter().zip(lengths).map(|(place, (size, stride))| {
            let known = *size > 0 && *stride > 0;
            let place = place.filter(|_| known)?;
            let last = (size - 1).checked_mul(*stride)?;
            place.plus(&Range::between(0, last), 1)
        });
        Some(boxed.collect())
    }
}

/// The indices and the number of contiguous elements of a load or store of a buffer; `None` for
/// other ops.
fn access<'c>(
    user: Operation<'c>,
    buffer: Value<'c>,
    rank: usize,
) -> Option<(Vec<Value<'c>>, i64)> {
    let operands = user.operands();
    let position = operands.iter().position(|operand| operand.key() == buffer.key())?;
    let vector = match user.name() {
        "memref.load" => None,
        "memref.store" => None,
        "vector.load" | "vector.maskedload" | "vector.transfer_read" => {
            user.results().first().map(|it| it.ty())
        }
        "vector.store" | "vector.transfer_write" => operands.first().map(|it| it.ty()),
        "vector.maskedstore" => operands.last().map(|it| it.ty()),
        _ => return None,
    };
    let length = match vector {
        // Only the last dimension of a vector is contiguous.
        Some(vector) => match vector.static_shape()?[..] {
            [length] => length,
            _ => return None,
        },
        None => 1,
    };
    let indices = operands.get(position + 1..position + 1 + rank)?;
    Some((indices.to_vec(), length))
}

/// The number of elements in boxes of a buffer: of their bounding box, or their sum.
fn elements_of_boxes(boxes: &[Vec<Option<Range>>], shape: &[i64]) -> Option<u64> {
    let count = |ranges: &[Option<Range>]| {
        let sizes = ranges.iter().zip(shape).map(|(range, size)| {
            let size = u64::try_from(*size).unwrap_or(0);
            range.as_ref().map_or(size, |range| range.count().min(size))
        });
        sizes.fold(1_u64, u64::saturating_mul)
    };
    let mut sum = 0_u64;
    let mut around: Option<Vec<Option<Range>>> = None;
    let mut is_one = true;
    for ranges in boxes {
        sum = sum.saturating_add(count(ranges));
        around = Some(match around {
            None => ranges.clone(),
            Some(around) => {
                let both = around.iter().zip(ranges);
                both.map(|(one, other)| {
                    let hull = one.as_ref().zip(other.as_ref());
                    let hull = hull.and_then(|(one, other)| one.around(other));
                    is_one &= hull.is_some();
                    hull
                })
                .collect()
            }
        });
    }
    let around = around.map_or(0, |around| count(&around));
    Some(if is_one { around.min(sum) } else { sum })
}
