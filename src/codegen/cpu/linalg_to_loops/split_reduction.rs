//! Splits long reductions to few results: partial results of fixed pieces in
//! parallel, then their combination in a fixed order. The parts of a contiguous piece
//! are read side by side.

use super::{Schedule, piece_bounds};
use crate::loops::{
    body,
    loop_nest::Extent,
    loop_ops::{self, Emitted},
};
use halo_ir::{
    Builder, Value, element_type,
    ops::{Op, halo, memref, scf},
    set_attribute, unit_attribute,
};
use melior::ir::ValueLike;

/// Iterations of a piece of a long reduction, and the most pieces there are.
const REDUCTION_PIECE: i64 = 1 << 16;
const MOST_REDUCTION_PIECES: i64 = 256;
/// Parts of a piece that are read side by side: one stream of loads waits for memory.
const STREAMS: i64 = 4;

impl<'c> Schedule<'c> {
    /// The split of a long reduction to few results, if profitable: the
    /// reduction dimension, its size and the size of a piece.
    pub(super) fn split(&self, outer: &[usize], middle: &[usize]) -> Option<(usize, i64, i64)> {
        if !middle.is_empty() || outer.len() != self.parallel.len() {
            return None;
        }
        if self
            .nest
            .dims
            .iter()
            .any(|dim| matches!(dim.extent, Extent::Dynamic { .. }))
            || self.combiners.iter().any(Option::is_none)
        {
            return None;
        }
        let dim = *self.reductions.first().or(self.innermost.as_ref())?;
        let size = self.size(dim);
        let inner: i64 = self
            .reductions
            .iter()
            .chain(&self.innermost)
            .filter(|other| **other != dim)
            .map(|other| self.size(*other))
            .fold(1, i64::saturating_mul);
        if inner.saturating_mul(size) < 2 * REDUCTION_PIECE {
            return None;
        }
        let piece = (REDUCTION_PIECE / inner)
            .max((size + MOST_REDUCTION_PIECES - 1) / MOST_REDUCTION_PIECES)
            .max(1);
        (piece < size).then_some((dim, size, piece))
    }

    /// Partial results of the pieces in parallel, then their combination.
    pub(super) fn emit_split_reduction(
        &self,
        builder: &Builder<'c>,
        mut ivs: Vec<Value<'c>>,
        (dim, size, piece): (usize, i64, i64),
    ) -> Emitted<()> {
        let combiners: Vec<_> = self.combiners.iter().flatten().collect();
        let outer = &self.parallel;
        let results: i64 = outer.iter().map(|dim| self.size(*dim)).product();
        let pieces = (size + piece - 1) / piece;
        let mut partials = Vec::new();
        for output in self.nest.outputs() {
            let element = element_type(output.value.r#type());
            partials.push(loop_ops::alloc(builder, &[results * pieces], element)?);
        }
        let count = loop_ops::index(builder, results * pieces)?;
        loop_ops::parallel(builder, count, |builder, iv| {
            let piece_count = loop_ops::index(builder, pieces)?;
            let number = loop_ops::rem(builder, iv, piece_count)?;
            let rest = loop_ops::div(builder, iv, piece_count)?;
            self.delinearize(builder, outer, rest, &mut ivs)?;
            let (lower, upper) = piece_bounds(builder, number, size, piece)?;
            let mut initial = Vec::new();
            for combiner in &combiners {
                initial.push(combiner.neutral(builder)?);
            }
            let values = match self.has_streams(dim, size, piece) {
                true => self.emit_streams(builder, &ivs, &initial, (dim, lower, piece))?,
                false => self.emit_row(builder, &ivs, &initial, Some((dim, lower, upper)))?,
            };
            for (partial, value) in partials.iter().zip(values) {
                memref::store(builder, value, *partial, &[iv])?;
            }
            Ok(())
        })?;
        loop_ops::for_range(builder, results, 1, |builder, result| {
            self.delinearize(builder, outer, result, &mut ivs)?;
            let first = loop_ops::scale(builder, result, pieces)?;
            let initial = self.initial(builder, &ivs)?;
            let bounds = (
                loop_ops::index(builder, 0)?,
                loop_ops::index(builder, pieces)?,
                loop_ops::index(builder, 1)?,
            );
            let values =
                loop_ops::for_loop(builder, bounds, &initial, |builder, number, carried| {
                    let position = loop_ops::add(builder, first, number)?;
                    let mut next = Vec::new();
                    for ((combiner, partial), value) in combiners.iter().zip(&partials).zip(carried)
                    {
                        let other = memref::load(builder, *partial, &[position])?;
                        next.push(combiner.combine(builder, *value, other)?);
                    }
                    Ok(next)
                })?;
            for (output, value) in self.nest.outputs().iter().zip(values) {
                output.store(builder, &ivs, value)?;
            }
            Ok(())
        })
    }

    /// Whether all pieces of a reduction have parts of one size, which are contiguous.
    fn has_streams(&self, dim: usize, size: i64, piece: i64) -> bool {
        let inputs = self.nest.inputs();
        size % piece == 0
            && piece % STREAMS == 0
            && self.reductions.is_empty()
            && self.innermost == Some(dim)
            && matches!(inputs, [input] if input.stride(dim) == 1 && input.padding.is_none())
    }

    /// A piece of a row whose parts are read side by side, each with accumulators of its
    /// own.
    fn emit_streams(
        &self,
        builder: &Builder<'c>,
        ivs: &[Value<'c>],
        initial: &[Value<'c>],
        (dim, lower, piece): (usize, Value<'c>, i64),
    ) -> Emitted<Vec<Value<'c>>> {
        let part = piece / STREAMS;
        let bounds = (
            loop_ops::index(builder, 0)?,
            loop_ops::index(builder, part)?,
            loop_ops::index(builder, 1)?,
        );
        let carried = vec![true; initial.len()];
        let starts: Vec<Value> = (0..STREAMS).flat_map(|_| initial.iter().copied()).collect();
        let op = scf::for_(builder, bounds, &starts, |builder, index, values| {
            let mut ivs = ivs.to_vec();
            let mut next = Vec::new();
            for (number, values) in values.chunks(initial.len()).enumerate() {
                let offset = loop_ops::index(builder, number as i64 * part)?;
                let start = loop_ops::add(builder, lower, offset)?;
                ivs[dim] = loop_ops::add(builder, start, index)?;
                next.extend(body::emit_iteration(
                    builder, &self.nest, &ivs, &carried, values,
                )?);
            }
            Emitted::Ok(next)
        })?;
        // Each value has a combiner.
        set_attribute(
            op.operation(),
            halo::PARALLEL,
            unit_attribute(builder.context()),
        );
        let sums = op.results();
        let combiners: Vec<_> = self.combiners.iter().flatten().collect();
        let mut parts = sums.chunks(initial.len());
        let mut values = parts.next().unwrap_or_default().to_vec();
        for part in parts {
            for ((value, other), combiner) in values.iter_mut().zip(part).zip(&combiners) {
                *value = combiner.combine(builder, *value, *other)?;
            }
        }
        Ok(values)
    }
}
