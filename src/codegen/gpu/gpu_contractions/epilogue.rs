//! The epilogue of a contraction: converts sums in registers to the elements that the kernel
//! writes.
//!
//! The sums are added to the result, or stored if the initial values are zeros. If
//! [`fuse_consumer`](mod@super::fuse_consumer) has found an elementwise consumer, such as a
//! rounding, a bias or an activation, it is computed on the sums.

use super::{
    super::buffers::{self, both},
    addresses::Spot,
    exchange::Runs,
};
use crate::loops::{body, prelude::*};
use halo_ir::{ops::math, prelude::*};
use std::collections::HashMap;

/// The computation on the sums, and their destination.
#[derive(Clone, Debug)]
pub struct Epilogue<'c> {
    /// True if the initial values of the result are zeros that are not stored.
    pub overwrite: bool,
    /// The consumer, whose result is written instead of the sums.
    pub consumer: Option<Consumer<'c>>,
}

/// An elementwise consumer of the result.
#[derive(Clone, Debug)]
pub struct Consumer<'c> {
    /// The op; `None` for a copy.
    pub nest: Option<LoopNest<'c>>,
    /// The source of each input.
    pub inputs: Vec<Input<'c>>,
    /// The operand of the contraction that it writes.
    pub output: usize,
}

/// An input of an elementwise op.
#[derive(Clone, Copy, Debug)]
pub enum Input<'c> {
    /// An element of the result.
    Sum,
    /// An operand of the contraction.
    Operand(usize),
    Scalar(Value<'c>),
}

/// The position of a thread's fragments in a tile.
pub struct Position<'a, 'c> {
    pub batch: &'a Spot<'c>,
    /// The first row.
    pub row: Value<'c>,
    /// The first column of the warp's subtile.
    pub column: Value<'c>,
    /// The number of the thread among the four that hold a row of a fragment, two columns each.
    pub pair: Value<'c>,
    /// True for rows, and for columns, that may be out of bounds.
    pub is_ragged: [bool; 2],
}

/// The buffers that the epilogue accesses, with their offsets along one or more groups of loops.
#[derive(Clone)]
struct Offsets<'c> {
    values: Vec<Value<'c>>,
    is_inside: Option<Value<'c>>,
}

/// The result and the operands of the epilogue, flat, for use in the kernel.
pub struct Writer<'a, 'c> {
    epilogue: &'a Epilogue<'c>,
    contraction: &'a Contraction<'c>,
    buffers: Vec<Value<'c>>,
    bases: Vec<Value<'c>>,
    is_ragged: [bool; 2],
}

impl<'c> Epilogue<'c> {
    /// The operand of the contraction that is written.
    pub fn output(&self) -> usize {
        self.consumer.as_ref().map_or(RESULT, |consumer| consumer.output)
    }

    /// Starts writing: emits the values that all elements share.
    pub fn writer<'a>(
        &'a self,
        builder: &Builder<'c>,
        contraction: &'a Contraction<'c>,
        batch: &Spot<'c>,
        is_ragged: [bool; 2],
    ) -> Writer<'a, 'c> {
        let mut buffers = Vec::new();
        let mut bases = Vec::new();
        for operand in RESULT..contraction.operands.len() {
            // The result is not accessed if a consumer replaces it.
            if operand == RESULT && self.consumer.is_some() && self.overwrite {
                let zero = index::constant(builder, 0);
                buffers.push(zero);
                bases.push(zero);
                continue;
            }
            buffers.push(buffers::flat(builder, contraction.operands[operand].value));
            bases.push(contraction.base(builder, operand, batch));
        }
        Writer {
            epilogue: self,
            contraction,
            buffers,
            bases,
            is_ragged,
        }
    }

    /// Writes `mma.sync` fragments of 16 rows by 8 columns, `blocks` of them along m and n. Sums
    /// that may be NaN because of infinities are recomputed.
    pub fn write_fragments(
        &self,
        builder: &Builder<'c>,
        contraction: &Contraction<'c>,
        position: &Position<'_, 'c>,
        blocks: [i64; 2],
        sums: &[Value<'c>],
        checks: bool,
    ) {
        let writer = self.writer(builder, contraction, position.batch, position.is_ragged);
        let element = writer.output_element();
        let most = 128 / i64::from(element.bit_width().unwrap_or(128));
        let most = contraction.run_length(self.output(), Group::N, most);
        let runs = Runs::of(builder, (position.pair, position.column), blocks[1], most);
        // Finished elements of 16 bits take half of the exchanges.
        let is_finished =
            !checks && element.bit_width() == Some(16) && writer.read_operands().is_empty();
        let lines: Vec<Vec<Value>> = sums
            .chunks(blocks[1] as usize)
            .flat_map(|sums| [0, 1].map(|half| (sums, half)))
            .map(|(sums, half)| {
                let pairs = sums.iter().map(|sum| {
                    [0, 1].map(|number| {
                        let sum = vector::extract(builder, *sum, &[], &[half, number]);
                        if is_finished {
                            return writer.finish(builder, sum, |_| sum);
                        }
                        sum
                    })
                });
                runs.exchange(builder, pairs.collect())
            })
            .collect();
        if !checks {
            return writer.lines(builder, position, &runs, &lines);
        }
        let is_nan = any_nan(builder, lines.iter().flatten());
        let exact = |builder: &Builder<'c>| {
            let nest = scf::for_(
                builder,
                (0, lines.len() as i64, 1),
                &[],
                |builder, line, _| {
                    let (block, half) = index::divide(builder, line, 2);
                    let block = index::mul(builder, block, 16);
                    let half = index::mul(builder, half, 8);
                    let row = index::add(builder, block, half);
                    let row = index::add(builder, position.row, row);
                    let nest = scf::for_(
                        builder,
                        (0, runs.count * runs.length, 1),
                        &[],
                        |builder, number, _| {
                            let (run, inside) = index::divide(builder, number, runs.length);
                            let run = index::mul(builder, run, runs.stride());
                            let column = index::add(builder, run, inside);
                            let column = index::add(builder, runs.first, column);
                            writer.exact(builder, position.batch, row, column);
                            Vec::new()
                        },
                    );
                    keep_rolled(nest.operation());
                    Vec::new()
                },
            );
            keep_rolled(nest.operation());
            Vec::new()
        };
        scf::if_else(builder, is_nan, exact, |builder| {
            writer.lines(builder, position, &runs, &lines);
            Vec::new()
        });
    }
}

impl<'c> Writer<'_, 'c> {
    /// Writes the elements at the given rows and columns, which are adjacent in runs; `sums` are
    /// row-major.
    pub fn grid(
        &self,
        builder: &Builder<'c>,
        rows: &[Value<'c>],
        columns: &[Value<'c>],
        run: i64,
        sums: &[Value<'c>],
    ) {
        let along = |group: Group, indices: &[Value<'c>]| {
            let offsets = indices.iter().map(|index| self.along(builder, group, *index));
            offsets.collect::<Vec<_>>()
        };
        let (rows, columns) = (along(Group::M, rows), along(Group::N, columns));
        let width = self.contraction.run_length(self.epilogue.output(), Group::N, run);
        let runs = columns.chunks(width as usize);
        let crossings = rows.iter().flat_map(|row| runs.clone().map(move |run| (row, run)));
        for ((row, run), sums) in crossings.zip(sums.chunks(width as usize)) {
            self.write(builder, row, run, sums, width);
        }
    }

    /// Writes rows of fragments whose elements have been exchanged.
    fn lines(
        &self,
        builder: &Builder<'c>,
        position: &Position<'_, 'c>,
        runs: &Runs<'c>,
        lines: &[Vec<Value<'c>>],
    ) {
        let rows = (0..lines.len() as i64)
            .map(|line| index::add(builder, position.row, line / 2 * 16 + line % 2 * 8));
        let columns = (0..runs.count).flat_map(|run| {
            let inside = (0..runs.length).map(move |number| run * runs.stride() + number);
            inside.map(|column| index::add(builder, runs.first, column))
        });
        let (rows, columns): (Vec<_>, Vec<_>) = (rows.collect(), columns.collect());
        self.grid(builder, &rows, &columns, runs.length, &lines.concat())
    }

    /// The offsets of an index in a group.
    fn along(&self, builder: &Builder<'c>, group: Group, index: Value<'c>) -> Offsets<'c> {
        let is_ragged = self.is_ragged[usize::from(group == Group::N)];
        let spot = self.contraction.spot(builder, group, index, is_ragged);
        let mut values = Vec::new();
        for operand in RESULT..self.contraction.operands.len() {
            let mut offset = self.contraction.offset(builder, operand, group, &spot);
            if group == Group::M {
                offset = index::add(builder, self.bases[operand - RESULT], offset);
            }
            values.push(offset);
        }
        Offsets {
            values,
            is_inside: spot.is_inside,
        }
    }

    /// Writes adjacent elements, `width` at once.
    fn write(
        &self,
        builder: &Builder<'c>,
        row: &Offsets<'c>,
        columns: &[Offsets<'c>],
        sums: &[Value<'c>],
        width: i64,
    ) {
        let Some(first) = columns.first() else {
            return;
        };
        let is_inside = both(builder, row.is_inside, first.is_inside);
        let output = self.epilogue.output();
        scf::when(builder, is_inside, |builder| {
            let read: HashMap<usize, Vec<Value>> = self
                .read_operands()
                .into_iter()
                .map(|operand| (operand, self.read(builder, operand, row, columns)))
                .collect();
            let finished = sums.iter().enumerate().map(|(number, sum)| {
                // Elements that are not of the type of sums were finished before.
                if sum.ty() != self.contraction.accumulator {
                    return *sum;
                }
                self.finish(builder, *sum, |operand| read[&operand][number])
            });
            let values: Vec<Value> = finished.collect();
            let at = self.address(builder, output, row, first);
            let buffer = self.buffers[output - RESULT];
            let value = match values[..] {
                [value] => value,
                _ => {
                    let ty = vector_type(&[width], buffer.ty().element_type());
                    vector::from_elements(builder, &values, ty)
                }
            };
            vector::store_elements(builder, value, buffer, at, width)
        })
    }

    /// The element type of the buffer that is written.
    fn output_element(&self) -> Type<'c> {
        self.buffers[self.epilogue.output() - RESULT].ty().element_type()
    }

    fn address(
        &self,
        builder: &Builder<'c>,
        operand: usize,
        row: &Offsets<'c>,
        column: &Offsets<'c>,
    ) -> Value<'c> {
        index::add(
            builder,
            row.values[operand - RESULT],
            column.values[operand - RESULT],
        )
    }

    /// The operands that elements of the result depend on, in addition to the sum.
    fn read_operands(&self) -> Vec<usize> {
        let of_consumer = self.epilogue.consumer.iter().filter_map(|consumer| {
            let arguments = consumer.nest.as_ref()?.body.arguments().into_iter();
            Some(arguments.zip(&consumer.inputs))
        });
        let used = of_consumer.flatten().filter_map(|(argument, input)| match input {
            Input::Operand(operand) if !argument.is_unused() => Some(*operand),
            _ => None,
        });
        let result = (!self.epilogue.overwrite).then_some(RESULT);
        result.into_iter().chain(used).collect()
    }

    /// Adjacent elements of an operand, as a vector if its layout permits.
    fn read(
        &self,
        builder: &Builder<'c>,
        operand: usize,
        row: &Offsets<'c>,
        columns: &[Offsets<'c>],
    ) -> Vec<Value<'c>> {
        let count = columns.len() as i64;
        let buffer = self.buffers[operand - RESULT];
        let along_n = self.contraction.loops(Group::N).iter();
        let is_repeated = along_n.map(|inner| inner.strides[operand]).all(|stride| stride == 0);
        let at = |column: &Offsets<'c>| self.address(builder, operand, row, column);
        if count == 1 || is_repeated {
            let element = memref::load(builder, buffer, &[at(&columns[0])]);
            return vec![element; columns.len()];
        }
        if self.contraction.run_length(operand, Group::N, count) == count {
            let run = vector::load_elements(builder, buffer, at(&columns[0]), count);
            let elements = (0..count).map(|number| vector::extract(builder, run, &[], &[number]));
            return elements.collect();
        }
        let elements = columns.iter().map(|column| memref::load(builder, buffer, &[at(column)]));
        elements.collect()
    }

    /// The written element for a sum, with a function that returns elements of operands.
    fn finish(
        &self,
        builder: &Builder<'c>,
        sum: Value<'c>,
        load: impl Fn(usize) -> Value<'c>,
    ) -> Value<'c> {
        let of_c = self.contraction.operands[RESULT].element();
        let mut sum = sum;
        if !self.epilogue.overwrite {
            let start = resize(builder, load(RESULT), self.contraction.accumulator);
            sum = add(builder, start, sum);
        }
        let sum = resize(builder, sum, of_c);
        let Some(consumer) = &self.epilogue.consumer else {
            return sum;
        };
        let Some(nest) = &consumer.nest else {
            return sum;
        };
        let mut map = ValueMap::new();
        for (argument, input) in nest.body.arguments().into_iter().zip(&consumer.inputs) {
            let value = match *input {
                Input::Sum => sum,
                Input::Operand(_) if argument.is_unused() => continue,
                Input::Operand(operand) => load(operand),
                Input::Scalar(value) => value,
            };
            map.insert(argument.key(), value);
        }
        let values = body::clone(builder, nest, &[], &mut map);
        values.first().copied().unwrap_or(sum)
    }

    /// Computes and writes one element of the result.
    fn exact(&self, builder: &Builder<'c>, batch: &Spot<'c>, row: Value<'c>, column: Value<'c>) {
        let contraction = self.contraction;
        let m = contraction.spot(builder, Group::M, row, self.is_ragged[0]);
        let n = contraction.spot(builder, Group::N, column, self.is_ragged[1]);
        let is_inside = both(builder, m.is_inside, n.is_inside);
        scf::when(builder, is_inside, |builder| {
            let mut sources = Vec::new();
            for (operand, group, spot) in [(LHS, Group::M, &m), (RHS, Group::N, &n)] {
                let base = contraction.base(builder, operand, batch);
                let offset = contraction.offset(builder, operand, group, spot);
                let buffer = buffers::flat(builder, contraction.operands[operand].value);
                let start = contraction.bounded_indices(builder, operand, batch);
                let steps = contraction.steps(builder, operand, group, spot);
                let bounded = start
                    .into_iter()
                    .zip(steps)
                    .map(|(start, step)| index::add(builder, start, step))
                    .collect::<Vec<_>>();
                let base = index::add(builder, base, offset);
                sources.push((operand, buffer, base, bounded));
            }
            let start = vector::zeros(builder, contraction.accumulator, 1);
            let bounds = (0, contraction.size(Group::K), 1);
            let sums = scf::for_(builder, bounds, &[start], |builder, k, carried| {
                let k = contraction.spot(builder, Group::K, k, false);
                let mut elements = Vec::new();
                for (operand, buffer, base, bounded) in &sources {
                    let offset = contraction.offset(builder, *operand, Group::K, &k);
                    let mut at = index::add(builder, *base, offset);
                    let steps = contraction.steps(builder, *operand, Group::K, &k);
                    let is_inside = contraction.is_inside(builder, *operand, (bounded, &steps));
                    if let Some(is_inside) = is_inside {
                        let first = index::constant(builder, 0);
                        at = arith::select(builder, is_inside, at, first);
                    }
                    let mut element = memref::load(builder, *buffer, &[at]);
                    if let Some(is_inside) = is_inside {
                        let nothing = vector::zeros(builder, element.ty(), 1);
                        element = arith::select(builder, is_inside, element, nothing);
                    }
                    elements.push(element);
                }
                let elements = [elements[0], elements[1]];
                vec![multiply_add(builder, contraction, elements, carried[0])]
            });
            keep_rolled(sums.operation());
            let sums = sums.results();
            let row = self.along(builder, Group::M, row);
            let column = self.along(builder, Group::N, column);
            let mut unchecked = column;
            unchecked.is_inside = None;
            let row = Offsets {
                is_inside: None,
                ..row
            };
            self.write(builder, &row, &[unchecked], &sums, 1)
        })
    }
}

/// Disables unrolling of a loop that rarely runs: its copies would take half of the assembler's
/// time.
fn keep_rolled(nest: Operation) {
    let annotation = "#llvm.loop_annotation<unroll = <disable = true>>";
    if let Some(annotation) = Attribute::parse(nest.context(), annotation) {
        nest.set_attribute("loop_annotation", annotation);
    }
}

/// `sum + lhs * rhs` of unconverted operands, rounded once if the sums are
/// floats.
pub fn multiply_add<'c>(
    builder: &Builder<'c>,
    contraction: &Contraction<'c>,
    elements: [Value<'c>; 2],
    sum: Value<'c>,
) -> Value<'c> {
    let mut converted = Vec::new();
    for (operand, element) in elements.into_iter().enumerate() {
        converted.push(match &contraction.operands[operand].conversion {
            Some(extension) => {
                let ty = like(element.ty(), contraction.accumulator);
                extension.build(builder, element, ty)
            }
            None => element,
        });
    }
    if contraction.accumulator.is_float() {
        return math::fma(builder, converted[0], converted[1], sum);
    }
    let both = arith::muli(builder, converted[0], converted[1]);
    arith::addi(builder, sum, both)
}

/// The element type, or a vector of it if the other type is a vector.
fn like<'c>(other: Type<'c>, element: Type<'c>) -> Type<'c> {
    match other.static_shape() {
        Some(shape) => vector_type(&shape, element),
        None => element,
    }
}

/// The sum of two numbers of one type.
pub fn add<'c>(builder: &Builder<'c>, lhs: Value<'c>, rhs: Value<'c>) -> Value<'c> {
    if lhs.ty().element_type().is_float() {
        arith::addf(builder, lhs, rhs)
    } else {
        arith::addi(builder, lhs, rhs)
    }
}

/// Converts a float to another width.
fn resize<'c>(builder: &Builder<'c>, value: Value<'c>, ty: Type<'c>) -> Value<'c> {
    if value.ty() == ty {
        return value;
    }
    if value.ty().bit_width() < ty.bit_width() {
        arith::extf(builder, value, ty)
    } else {
        arith::truncf(builder, value, ty)
    }
}

/// The condition that any sum is NaN.
fn any_nan<'a, 'c: 'a>(
    builder: &Builder<'c>,
    sums: impl Iterator<Item = &'a Value<'c>>,
) -> Value<'c> {
    let mut found = None;
    for sum in sums {
        let is_nan = arith::is_nan(builder, *sum);
        found = Some(match found {
            Some(found) => arith::ori(builder, found, is_nan),
            None => is_nan,
        });
    }
    found.unwrap_or_else(|| bug(format_args!("cannot create op '{}'", arith::CmpFOp::NAME)))
}
