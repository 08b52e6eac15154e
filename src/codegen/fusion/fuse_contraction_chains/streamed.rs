//! Emits a tile of a streamed chain: a loop over blocks of columns, then the rest of the chain.

use super::{
    chain::{Kind, Member},
    emit::{Place, Tile, Values},
    layout::Dim,
    stream::{Scale, Step, Stream},
};
use halo_ir::{ops::math, prelude::*};
use melior::ir::AffineExpr;

/// The blocks of columns of a streamed chain.
pub(super) struct Blocks {
    pub stream: Stream,
    /// The columns of a block.
    pub columns: i64,
}

/// A value for each row of a tile.
struct RowValue<'a, 'c> {
    value: Value<'c>,
    dims: &'a [Dim],
}

impl<'c> Tile<'_, 'c> {
    /// Emits all ops, block by block of the columns.
    pub(super) fn stream(
        &self,
        b: &Builder<'c>,
        blocks: &Blocks,
        values: &mut Values<'c>,
        place: &Place<'c>,
    ) {
        let members = &self.chain.members;
        for member in members {
            if blocks.stream.step(member.op) == Step::Before {
                self.emit_member(b, member, values, place);
            }
        }
        let carried: Vec<&Member> = members
            .iter()
            .filter(|member| {
                matches!(
                    blocks.stream.step(member.op),
                    Step::Maximum | Step::Sum { .. }
                )
            })
            .collect();
        let initial = |member: &&Member<'c>| {
            let number = member.operands.len() - 1;
            self.operand(b, member, number, values, place)
        };
        let mut state: Vec<Value> = carried.iter().map(initial).collect();
        let size = self.chain.axes.size(blocks.stream.axis);
        let (count, rest) = (size / blocks.columns, size % blocks.columns);
        let end = count * blocks.columns;
        if count == 1 {
            let first = index::constant(b, 0);
            state = self.block(b, blocks, (first, blocks.columns), &state, values, place);
        } else if count > 1 {
            let bounds = (0, end, blocks.columns);
            state = scf::for_(b, bounds, &state, |b, first, state| {
                self.block(b, blocks, (first, blocks.columns), state, values, place)
            })
            .results();
        }
        if rest > 0 {
            let first = index::constant(b, end);
            state = self.block(b, blocks, (first, rest), &state, values, place);
        }
        for (member, value) in carried.iter().zip(state) {
            values.set(member, vec![value]);
        }
        self.finish(b, blocks, values, place);
    }

    /// Emits the ops of a block of columns, and returns the maxima and sums including it.
    fn block(
        &self,
        b: &Builder<'c>,
        blocks: &Blocks,
        (first, columns): (Value<'c>, i64),
        state: &[Value<'c>],
        values: &Values<'c>,
        place: &Place<'c>,
    ) -> Vec<Value<'c>> {
        let mut tile = self.clone();
        tile.extents[blocks.stream.axis] = columns;
        tile.first[blocks.stream.axis] = Some(first);
        let mut values = values.clone();
        let mut next = Vec::new();
        let mut factor: Option<RowValue> = None;
        for member in &self.chain.members {
            let before = state.get(next.len()).copied();
            match (blocks.stream.step(member.op), before) {
                (Step::Before | Step::After, _) => {}
                (Step::Block, _) => tile.emit_member(b, member, &mut values, place),
                (Step::Scale { weights, .. }, _) => {
                    let value = tile.operand(b, member, weights, &values, place);
                    values.set(member, vec![tile.unscaled(b, member, weights, value)]);
                }
                (Step::Maximum, Some(before)) => {
                    let maximum = tile.accumulate(b, member, before, &values, place);
                    next.push(maximum);
                    let finite = finite_or_zero(b, maximum);
                    values.set(member, vec![finite]);
                    let value = self.factor(b, before, finite);
                    let dims = &member.results[0];
                    factor = Some(RowValue { value, dims });
                }
                (Step::Sum { rescaled }, Some(before)) => {
                    let factor = factor.as_ref().filter(|_| rescaled);
                    let start = factor.map_or(before, |factor| {
                        self.scaled_in_place(b, (before, &member.results[0]), factor)
                    });
                    next.push(tile.accumulate(b, member, start, &values, place));
                }
                (Step::Maximum | Step::Sum { .. }, None) => bug("a sum without an initial value"),
            }
        }
        next
    }

    /// Emits a reduction or a product that starts from a value.
    fn accumulate(
        &self,
        b: &Builder<'c>,
        member: &Member<'c>,
        start: Value<'c>,
        values: &Values<'c>,
        place: &Place<'c>,
    ) -> Value<'c> {
        let inputs = 0..member.operands.len() - 1;
        let inputs = inputs.map(|number| self.operand(b, member, number, values, place));
        let operands: Vec<Value> = inputs.chain([start]).collect();
        self.structured(b, member, &operands)[0]
    }

    /// The weights that an op scales, in the type and the order of its result.
    fn unscaled(
        &self,
        b: &Builder<'c>,
        member: &Member<'c>,
        weights: usize,
        value: Value<'c>,
    ) -> Value<'c> {
        let element = member.op.results()[0].ty().element_type();
        let maps = self.row_maps(b, &member.results[0], &member.operands[weights]);
        if maps[0] == maps[1] && value.ty().element_type() == element {
            return value;
        }
        let out = self.empty(b, &member.results[0], element);
        let kinds = vec![IteratorType::Parallel; maps[1].dim_count()];
        let op = linalg::generic(b, &[value], &[out], &maps, &kinds, |b, elements| {
            vec![arith::resize_float(b, elements[0], element)]
        });
        op.operation().results()[0]
    }

    /// The factor by which sums change as the maximum of their row does.
    fn factor(&self, b: &Builder<'c>, before: Value<'c>, maximum: Value<'c>) -> Value<'c> {
        let Some(product) = self.chain.last_product() else {
            bug("a chain without products");
        };
        let wide = product.results()[0].ty().element_type();
        let sizes = maximum.ty().static_shape().unwrap_or_default();
        let out = tensor::empty(b, &[], tensor_type(&sizes, wide));
        pointwise(b, &[before, maximum], out, |b, elements| {
            let [before, maximum] = [0, 1].map(|at| arith::resize_float(b, elements[at], wide));
            let difference = arith::subf(b, before, maximum);
            math::exp(b, difference)
        })
    }

    /// Multiplies the rows of a tile by factors.
    fn scaled_in_place(
        &self,
        b: &Builder<'c>,
        (value, dims): (Value<'c>, &[Dim]),
        factor: &RowValue<'_, 'c>,
    ) -> Value<'c> {
        let maps = self.row_maps(b, dims, factor.dims);
        let kinds = vec![IteratorType::Parallel; maps[1].dim_count()];
        let scaled = linalg::generic(
            b,
            &[factor.value],
            &[value],
            &maps,
            &kinds,
            |b, elements| vec![arith::mulf(b, elements[1], elements[0])],
        );
        scaled.operation().results()[0]
    }

    /// The maps of a value of each row, and of a tile, from the loops over the tile.
    fn row_maps(&self, b: &Builder<'c>, dims: &[Dim], row: &[Dim]) -> [AffineMap<'c>; 2] {
        let kept = |dims: &[Dim]| -> Vec<Dim> {
            let dims = dims.iter().map(|dim| self.varying(dim));
            dims.filter(|dim| !dim.is_empty()).collect()
        };
        let (dims, row) = (kept(dims), kept(row));
        let context = b.context();
        let position = |dim: &Dim| dims.iter().position(|own| own == dim);
        let of_rows: Option<Vec<AffineExpr>> =
            row.iter().map(|dim| Some(AffineExpr::dim(context, position(dim)?))).collect();
        let of_rows = of_rows.unwrap_or_else(|| bug("a row of a tile has no index"));
        let all: Vec<AffineExpr> = (0..dims.len()).map(|at| AffineExpr::dim(context, at)).collect();
        [of_rows, all].map(|indices| AffineMap::new(context, dims.len(), 0, &indices))
    }

    /// Emits the ops after the last block.
    fn finish(&self, b: &Builder<'c>, blocks: &Blocks, values: &mut Values<'c>, place: &Place<'c>) {
        let mut scaling: Option<(Scale, RowValue)> = None;
        for member in &self.chain.members {
            match blocks.stream.step(member.op) {
                Step::After => self.emit_member(b, member, values, place),
                Step::Scale { scale, total, .. } => {
                    let value = values.of(member.op.operands()[total]);
                    let dims = &member.operands[total];
                    scaling = Some((scale, RowValue { value, dims }));
                }
                Step::Sum { .. } if member.kind == Kind::Contraction => {
                    let Some((scale, total)) = &scaling else {
                        continue;
                    };
                    let result = member.op.results()[0];
                    let (sum, dims) = (values.of(result), &member.results[0]);
                    let wide = result.ty().element_type();
                    let out = self.output(b, member, place);
                    let [rows, all] = self.row_maps(b, dims, total.dims);
                    let kinds = vec![IteratorType::Parallel; all.dim_count()];
                    let maps = [all, rows, all];
                    let inputs = [sum, total.value];
                    let scaled =
                        linalg::generic(b, &inputs, &[out], &maps, &kinds, |b, elements| {
                            let total = arith::resize_float(b, elements[1], wide);
                            vec![match scale {
                                Scale::Divide => arith::divf(b, elements[0], total),
                                Scale::Multiply => arith::mulf(b, elements[0], total),
                            }]
                        });
                    values.set(member, scaled.operation().results());
                }
                _ => {}
            }
        }
    }
}

/// Tiles computed element by element.
fn pointwise<'c>(
    b: &Builder<'c>,
    inputs: &[Value<'c>],
    output: Value<'c>,
    body: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> Value<'c>,
) -> Value<'c> {
    let rank = output.ty().static_shape().unwrap_or_default().len();
    let maps = vec![AffineMap::multi_dim_identity(b.context(), rank); inputs.len() + 1];
    let kinds = vec![IteratorType::Parallel; rank];
    let op = linalg::generic(b, inputs, &[output], &maps, &kinds, |b, elements| {
        vec![body(b, elements)]
    });
    op.operation().results()[0]
}

/// The maxima of rows, with zero instead of -inf: the exponential of the difference of -inf and
/// zero is zero, and NaN for -inf and -inf.
fn finite_or_zero<'c>(b: &Builder<'c>, maximum: Value<'c>) -> Value<'c> {
    let out = tensor::empty(b, &[], maximum.ty());
    pointwise(b, &[maximum], out, |b, elements| {
        let element = elements[0].ty();
        let lowest = arith::constant(b, element, f64::NEG_INFINITY);
        let is_lowest = arith::cmpf(b, CmpFPredicate::Oeq, elements[0], lowest);
        let zero = arith::constant(b, element, 0.0);
        arith::select(b, is_lowest, zero, elements[0])
    })
}
