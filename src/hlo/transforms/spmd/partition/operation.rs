//! Rewrites an op to tiles: reshards its operands, adapts sizes in its attributes, and combines its
//! results.

use super::choice::{Division, layout_of, reduced_axes};
use super::collectives::op_name;
use super::exchange::{self, Needs};
use super::indexing::gathered;
use super::reshard::{self, own_start, tile_size};
use super::{Partition, Problem};
use crate::sharding::grid::{AxisNumber, Layout};
use crate::sharding::rules::{Combiner, Factor, Factors, Kind, Rule, sizes_of, split_group_count};
use halo_ir::{dense_from_integers, prelude::*};

/// The initial values of a sum: one scalar, or one per result.
struct Start<'c> {
    tile: Value<'c>,
    layout: Layout,
}

/// The processing of a result after an op on tiles.
#[derive(Default)]
struct After<'c> {
    /// The value to add to the combined sum.
    start: Option<Start<'c>>,
    /// The mask of gather positions in the tile.
    inside: Option<Value<'c>>,
}

impl After<'_> {
    fn is_none(&self) -> bool {
        self.start.is_none() && self.inside.is_none()
    }
}

impl<'c> Partition<'c> {
    /// Rewrites an op to tiles.
    pub fn divide(&mut self, op: Operation<'c>, rule: &Rule) -> Result<(), Problem<'c>> {
        if self.terms_of_terms(op, rule)? {
            return Ok(());
        }
        let division = self.choose(op, rule);
        let failed = |error: RewriteError| Problem(op, error.to_string());
        let types: Vec<_> = op.results().into_iter().map(sizes_of).collect();
        let given = op.operands();
        let after = with_builder(op, |b| self.operands(b, op, rule, &division)).map_err(failed)?;
        self.attributes(op, rule, &division);
        let combiner = self.combiner(rule, &division);
        if combiner == Some(Combiner::Body) {
            return self.combine_by_body(op, rule, &division).map_err(failed);
        }
        for (number, result) in op.results().into_iter().enumerate() {
            let Some(sizes) = &types[number] else {
                continue;
            };
            let layout = layout_of(rule, &rule.results[number], &division);
            let wanted = self.wanted(result).map(|(layout, _)| layout);
            let tile = reshard::tile_sizes(&self.grid, sizes, &layout);
            result.set_type(tensor_type(&tile, result.ty().element_type()));
            let reduced = reduced_axes(rule, &division);
            if combiner == Some(Combiner::Add) && after.is_none() && self.puts_off(result) {
                self.put_off(result, sizes, layout, reduced);
                continue;
            }
            let made = with_builder(op, |b| {
                b.set_after(op);
                self.result(
                    b,
                    op,
                    rule,
                    &division,
                    result,
                    (sizes, layout, wanted),
                    &after,
                )
            });
            let (layout, tile) = made.map_err(failed)?;
            self.tensors.add(result, sizes, layout, tile);
        }
        if let Some(transpose) = op.cast::<stablehlo::TransposeOp>() {
            let order = transpose.permutation();
            self.tensors.relate(transpose.result(), given[0], &order);
        }
        Ok(())
    }

    /// Sets the operands of an op. Returns the initial values of a divided sum, which are added
    /// after it, and the mask of gather positions in the tile.
    fn operands(
        &mut self,
        b: &Builder<'c>,
        op: Operation<'c>,
        rule: &Rule,
        division: &Division,
    ) -> RewriteResult<After<'c>> {
        let mut after = After::default();
        let given = op.operands();
        for (number, operand) in given.iter().copied().enumerate() {
            let Some(sizes) = self.tensors.sizes(operand).map(<[i64]>::to_vec) else {
                continue;
            };
            let factors = &rule.operands[number];
            let layout = layout_of(rule, factors, division);
            let mut tile = self.tensors.tile(b, &self.tiler, &self.grid, operand, &layout)?;
            for (dimension, own) in factors.iter().enumerate() {
                let axes = &layout.dims[dimension];
                let ([factor], false) = (&own[..], axes.is_empty()) else {
                    continue;
                };
                let factor = rule.factors[*factor];
                let divided = exchange::Divided { dimension, axes };
                tile = match factor.kind {
                    Kind::Window(_) => {
                        let Some(window) = rule.window_of(number, factor) else {
                            continue;
                        };
                        let fill = self.fill(b, op, number)?;
                        let needs =
                            Needs::of(&self.grid, axes, window, sizes[dimension], factor.size);
                        exchange::window(b, &self.tiler, &self.grid, divided, &needs, tile, fill)?
                    }
                    Kind::Mirrored => {
                        let count = self.grid.count(axes) as i64;
                        let source = |part: i64| Some(count - 1 - part);
                        let pairs = exchange::sources(&self.grid, axes, source);
                        self.tiler.permute(b, tile, &pairs)
                    }
                    // A gather reads no padding.
                    Kind::Reduced(combiner)
                        if !op.isa::<stablehlo::GatherOp>()
                            && sizes[dimension] % self.grid.count(axes) as i64 != 0 =>
                    {
                        let fill = self.identity(b, op, combiner, (number, tile))?;
                        let size = sizes[dimension];
                        exchange::fill_padding(
                            b,
                            &self.tiler,
                            &self.grid,
                            divided,
                            size,
                            tile,
                            fill,
                        )?
                    }
                    _ => tile,
                };
            }
            op.set_operand(number, tile);
        }
        let number = if reduced_axes(rule, division).is_empty() {
            None
        } else if op.isa::<stablehlo::ReduceOp>() {
            Some(1)
        } else if op.isa::<stablehlo::ScatterOp>() {
            Some(0)
        } else {
            None
        };
        if let Some(number) = number {
            let initial = op.operands()[number];
            let combiner = self.combiner(rule, division).unwrap_or(Combiner::Add);
            let neutral = neutral_of(combiner);
            let known = self.tensors.splat(given[number]);
            let is_known = |neutral: &f64| is_number(known, initial, *neutral);
            if let Some(neutral) = neutral.filter(|neutral| !is_known(neutral)) {
                op.set_operand(number, stablehlo::number(b, initial.ty(), neutral)?);
                let layout = layout_of(rule, &rule.operands[number], division);
                after.start = Some(Start {
                    tile: initial,
                    layout,
                });
            }
        }
        if let Some(table) = given.first().and_then(|table| self.tensors.sizes(*table)) {
            let table = table.to_vec();
            after.inside = self.local_indices(b, op, rule, division, &table)?;
        }
        Ok(after)
    }

    /// The value that an op reads outside of an operand.
    fn fill(
        &mut self,
        b: &Builder<'c>,
        op: Operation<'c>,
        operand: usize,
    ) -> RewriteResult<Value<'c>> {
        let operands = op.operands();
        let given = if op.isa::<stablehlo::PadOp>() {
            operands.get(1)
        } else if op.isa::<stablehlo::ReduceWindowOp>() {
            operands.get(operand + operands.len() / 2)
        } else {
            None
        };
        if let Some(value) = given {
            return self.tensors.tile(b, &self.tiler, &self.grid, *value, &Layout::whole(0));
        }
        let scalar = tensor_type(&[], operands[operand].ty().element_type());
        stablehlo::number(b, scalar, 0.0)
    }

    /// A neutral value of a reduction: the initial value if elements may be combined repeatedly.
    /// For a body, it is the identity by StableHLO's specification.
    fn identity(
        &mut self,
        b: &Builder<'c>,
        op: Operation<'c>,
        combiner: Combiner,
        (number, tile): (usize, Value<'c>),
    ) -> RewriteResult<Value<'c>> {
        let scalar = tensor_type(&[], tile.ty().element_type());
        match neutral_of(combiner) {
            Some(neutral) => stablehlo::number(b, scalar, neutral),
            None => {
                let results = op.results().len();
                let initial = op.operands().get(number + results).copied();
                let initial = initial.ok_or_else(|| no_match("no initial value"))?;
                self.tensors.tile(b, &self.tiler, &self.grid, initial, &Layout::whole(0))
            }
        }
    }

    /// Adapts the attributes to tiles.
    fn attributes(&self, op: Operation<'c>, rule: &Rule, division: &Division) {
        let divided = |factors: &Factors, dimension: usize| -> Option<usize> {
            let [factor] = factors[dimension][..] else {
                return None;
            };
            (!division[factor].is_empty()).then_some(factor)
        };
        let operands = op.operands();
        let tile = |number: usize| operands[number].ty().static_shape().unwrap_or_default();
        if let Some(slice) = op.cast::<stablehlo::SliceOp>() {
            let (mut starts, mut limits) = (slice.start_indices(), slice.limit_indices());
            for dimension in 0..starts.len() {
                if divided(&rule.operands[0], dimension).is_some() {
                    (starts[dimension], limits[dimension]) = (0, tile(0)[dimension]);
                }
            }
            slice.set_start_indices(&starts);
            slice.set_limit_indices(&limits);
        } else if let Some(pad) = op.cast::<stablehlo::PadOp>() {
            let (mut low, mut high) = (pad.edge_padding_low(), pad.edge_padding_high());
            for dimension in 0..low.len() {
                if divided(&rule.operands[0], dimension).is_some() {
                    (low[dimension], high[dimension]) = (0, 0);
                }
            }
            pad.set_edge_padding_low(&low);
            pad.set_edge_padding_high(&high);
        } else if let Some(slice) = op.cast::<stablehlo::DynamicSliceOp>() {
            let sizes = slice.slice_sizes().into_iter().zip(tile(0)).enumerate();
            let sizes: Vec<i64> = sizes
                .map(
                    |(dimension, (size, own))| match divided(&rule.operands[0], dimension) {
                        Some(_) => own,
                        None => size,
                    },
                )
                .collect();
            slice.set_slice_sizes(&sizes);
        } else if let Some(gather) = op.cast::<stablehlo::GatherOp>() {
            let sizes = gather.slice_sizes().into_iter().zip(tile(0)).enumerate();
            let sizes: Vec<i64> = sizes
                .map(
                    |(dimension, (size, own))| match divided(&rule.operands[0], dimension) {
                        // A batch dimension has slices of size 1.
                        Some(_) if size != 1 => own,
                        _ => size,
                    },
                )
                .collect();
            gather.set_slice_sizes(&sizes);
        } else if let Some(scatter) = op.cast::<stablehlo::ScatterOp>() {
            // Padding of indices is unsorted, and repeats elements.
            let indices = &rule.operands[scatter.inputs().len()];
            let is_padded = indices.iter().flatten().any(|factor| {
                let Factor { size, kind } = rule.factors[*factor];
                let count = self.grid.count(&division[*factor]) as i64;
                matches!(kind, Kind::Reduced(_)) && size % count != 0
            });
            if is_padded {
                scatter.set_indices_are_sorted(false);
                scatter.set_unique_indices(false);
            }
        } else if let Some(reduce) = op.cast::<stablehlo::ReduceWindowOp>() {
            let windows: Vec<usize> = (0..rule.operands[0].len()).collect();
            self.no_padding(op, reduce.padding(), rule, division, &windows);
        } else if let Some(convolution) = op.cast::<stablehlo::ConvolutionOp>() {
            let numbers = convolution.dimension_numbers();
            let spatial = numbers.input_spatial_dimensions.iter();
            let windows: Vec<usize> = spatial.map(|one| *one as usize).collect();
            self.no_padding(op, convolution.padding(), rule, division, &windows);
            let features = numbers.input_feature_dimension as usize;
            if convolution.feature_group_count() > 1 {
                let groups = rule.operands[0][features].first();
                let count = groups.map_or(1, |factor| self.grid.count(&division[*factor]));
                split_group_count(op, count as i64);
            }
        }
    }

    /// The padding of a divided dimension has been read with its windows.
    fn no_padding(
        &self,
        op: Operation<'c>,
        padding: Option<Attribute<'c>>,
        rule: &Rule,
        division: &Division,
        windows: &[usize],
    ) {
        let Some((padding, mut numbers)) = padding.and_then(|own| Some((own, own.dense_i64s()?)))
        else {
            return;
        };
        for (number, dimension) in windows.iter().enumerate() {
            let factors = &rule.operands[0][*dimension];
            let is_window =
                |factor: &&usize| matches!(rule.factors[**factor].kind, Kind::Window(_));
            let window = factors.iter().find(is_window);
            if window.is_some_and(|factor| !division[*factor].is_empty()) {
                numbers[2 * number..2 * number + 2].fill(0);
            }
        }
        let ty = padding.ty();
        if let Some(padding) = dense_from_integers(ty, &numbers) {
            op.set_attribute("padding", padding);
        }
    }

    /// The tile of a result: combines partial results, and offsets positions by the start of the
    /// tile.
    #[expect(clippy::too_many_arguments, reason = "all that is known of a result")]
    fn result(
        &mut self,
        b: &Builder<'c>,
        op: Operation<'c>,
        rule: &Rule,
        division: &Division,
        result: Value<'c>,
        (sizes, mut layout, wanted): (&[i64], Layout, Option<Layout>),
        after: &After<'c>,
    ) -> RewriteResult<(Layout, Value<'c>)> {
        let mut tile = result;
        if let Some(iota) = op.cast::<stablehlo::IotaOp>() {
            let dimension = iota.iota_dimension() as usize;
            let axes = &layout.dims[dimension];
            if !axes.is_empty() {
                tile = self.positions(b, result, dimension, axes, sizes[dimension])?;
            }
        }
        if let Some(concatenate) = op.cast::<stablehlo::ConcatenateOp>() {
            let dimension = concatenate.dimension() as usize;
            if !layout.dims[dimension].is_empty() {
                let axes = &layout.dims[dimension];
                let parts = op.operands();
                tile = self.joined(b, &parts, &rule.starts, (dimension, axes, sizes[dimension]))?;
                self.replaced.push((op, vec![tile]));
            }
        }
        let Some(combiner) = self.combiner(rule, division) else {
            return Ok((layout, tile));
        };
        if let Some(inside) = after.inside {
            tile = gathered(b, op, tile, inside)?;
        }
        let wanted = wanted.unwrap_or_else(|| layout.clone());
        let reduced = reduced_axes(rule, division);
        (layout, tile) = self.combine(b, combiner, tile, (sizes, layout, &wanted), reduced)?;
        if let Some(start) = &after.start {
            let start = if start.layout.dims.is_empty() {
                stablehlo::broadcast_in_dim(b, start.tile, &[], tile.ty())
            } else {
                let way = (start.tile, &start.layout);
                reshard::follow(b, &self.tiler, &self.grid, sizes, way, &layout)?
            };
            tile = b.value(op_name(combiner)?, &[tile, start], tile.ty());
        }
        Ok((layout, tile))
    }

    /// The combiner of partial results; none if there are none.
    pub fn combiner(&self, rule: &Rule, division: &Division) -> Option<Combiner> {
        let mut factors = rule.factors.iter().zip(division);
        factors.find_map(|(factor, axes)| match factor.kind {
            Kind::Reduced(combiner) if !axes.is_empty() => Some(combiner),
            _ => None,
        })
    }

    /// Calls a function for each dimension that the desired layout divides along reduced axes, with
    /// the groups of these. Those axes are divided then, and the others remain.
    pub fn scatter(
        &self,
        (sizes, layout, wanted): (&[i64], &mut Layout, &Layout),
        reduced: &mut Vec<AxisNumber>,
        mut combine: impl FnMut(usize, &[Vec<usize>]) -> RewriteResult,
    ) -> RewriteResult {
        let scattered = self.scattered(layout, wanted, sizes, reduced);
        for dimension in 0..layout.dims.len() {
            let own = scattered.iter().filter(|(at, _)| *at == dimension);
            let axes: Vec<AxisNumber> = own.map(|(_, axis)| *axis).collect();
            if axes.is_empty() {
                continue;
            }
            combine(dimension, &self.grid.groups(&axes))?;
            reduced.retain(|axis| !axes.contains(axis));
            layout.dims[dimension].extend(axes);
        }
        Ok(())
    }

    /// Combines the partial results along axes; axes that the desired layout divides by are
    /// scattered.
    pub fn combine(
        &self,
        b: &Builder<'c>,
        combiner: Combiner,
        mut tile: Value<'c>,
        (sizes, mut layout, wanted): (&[i64], Layout, &Layout),
        mut reduced: Vec<AxisNumber>,
    ) -> RewriteResult<(Layout, Value<'c>)> {
        let layouts = (sizes, &mut layout, wanted);
        self.scatter(layouts, &mut reduced, |dimension, groups| {
            tile = self.tiler.reduce_scatter(b, tile, combiner, dimension, groups)?;
            Ok(())
        })?;
        if !reduced.is_empty() {
            tile = self.tiler.all_reduce(b, tile, combiner, &self.grid.groups(&reduced))?;
        }
        Ok((layout, tile))
    }

    /// For each position of a concatenation, the element of the operand that contains it.
    fn joined(
        &self,
        b: &Builder<'c>,
        parts: &[Value<'c>],
        starts: &[i64],
        (dimension, axes, size): (usize, &[AxisNumber], i64),
    ) -> RewriteResult<Value<'c>> {
        let Some(last) = parts.last() else {
            return Err(no_match("no operands"));
        };
        let own = tile_size(&self.grid, size, axes);
        let number = integer_type(b.context(), 64);
        let line = tensor_type(&[own], number);
        let start = own_start(b, &self.tiler, &self.grid, axes, own)?;
        let start = stablehlo::broadcast_in_dim(b, start, &[], line);
        let position = stablehlo::add(b, stablehlo::iota(b, 0, line), start);
        let everywhere = last.ty().static_shape().unwrap_or_default();
        let everywhere = tensor_type(&everywhere, integer_type(b.context(), 1));
        let mut joined = *last;
        for (part, end) in parts.iter().zip(&starts[1..]).rev() {
            let end = stablehlo::number(b, line, *end as f64)?;
            let is_before = stablehlo::compare(b, position, end, ComparisonDirection::Lt);
            let dims = [dimension as i64];
            let is_before = stablehlo::broadcast_in_dim(b, is_before, &dims, everywhere);
            joined = stablehlo::select(b, is_before, *part, joined);
        }
        Ok(joined)
    }

    /// The positions of a tile along a dimension, as positions in the tensor.
    fn positions(
        &self,
        b: &Builder<'c>,
        result: Value<'c>,
        dimension: usize,
        axes: &[usize],
        size: i64,
    ) -> RewriteResult<Value<'c>> {
        let ty = result.ty();
        let own = tile_size(&self.grid, size, axes);
        let numbers = ty.with_element_type(integer_type(b.context(), 64));
        let local = stablehlo::iota(b, dimension as i64, numbers);
        let start = own_start(b, &self.tiler, &self.grid, axes, own)?;
        let start = stablehlo::broadcast_in_dim(b, start, &[], numbers);
        let position = stablehlo::add(b, local, start);
        Ok(stablehlo::convert_elements(b, position, ty.element_type()))
    }
}

/// The neutral element of a combiner; none if elements may be combined repeatedly.
fn neutral_of(combiner: Combiner) -> Option<f64> {
    match combiner {
        Combiner::Add => Some(0.0),
        Combiner::Multiply => Some(1.0),
        _ => None,
    }
}

/// Returns true if a tensor is a known splat of this number.
fn is_number(splat: Option<Attribute>, tensor: Value, number: f64) -> bool {
    let expected = halo_ir::dense_number(tensor.ty(), number).and_then(Attribute::splat_value);
    let bits = |attribute: Attribute| attribute.number_bits().map(|(_, bits)| bits);
    match (splat.and_then(bits), expected.and_then(bits)) {
        (Some(own), Some(expected)) => own == expected,
        _ => false,
    }
}
