//! Chooses the division of an op: the axes of each of its factors.
//!
//! Candidates start from the layout of one operand or result, and add compatible axes of the
//! others. The cheapest is chosen, by the bytes that a partition receives: for resharded operands,
//! combined partial results, halos of windows, and results with another desired layout. Redundant
//! work counts too, an element as 1/64 of a byte, so that it breaks ties.
//!
//! ```text
//! x: [{"d"}, {}]  w: [{"d"}, {}]  dot x, w wanted [{"d"}, {}]
//!   rows of x along "d":   w is gathered
//!   contracted along "d":  x by all_to_all, terms by reduce_scatter
//! ```

use super::Partition;
use super::exchange::Needs;
use super::reshard::{self, tile_size};
use crate::sharding::grid::{AxisNumber, Layout};
use crate::sharding::propagation::project;
use crate::sharding::rules::{Combiner, Factor, Factors, Kind, Rule, Tensor};
use halo_ir::prelude::*;

/// The axes of each factor.
pub type Division = Vec<Vec<AxisNumber>>;

/// The number of redundantly computed elements that cost as much as a received byte.
const WORK_OF_A_BYTE: i64 = 64;

/// The layout of a tensor in a divided op, before windows of operands are exchanged.
pub fn layout_of(rule: &Rule, factors: &Factors, division: &Division) -> Layout {
    let axes = |own: &Vec<usize>| -> Vec<AxisNumber> {
        own.iter()
            .filter(|factor| rule.factors[**factor].kind != Kind::Whole)
            .flat_map(|factor| division[*factor].iter().copied())
            .collect()
    };
    Layout {
        dims: factors.iter().map(axes).collect(),
    }
}

/// The axes along which partitions have partial results.
pub fn reduced_axes(rule: &Rule, division: &Division) -> Vec<AxisNumber> {
    let factors = rule.factors.iter().zip(division);
    let reduced = factors.filter(|(factor, _)| matches!(factor.kind, Kind::Reduced(_)));
    reduced.flat_map(|(_, axes)| axes.iter().copied()).collect()
}

impl<'c> Partition<'c> {
    /// The cheapest division of an op.
    pub fn choose(&self, op: Operation<'c>, rule: &Rule) -> Division {
        let tensors = self.known_layouts(op, rule);
        let mut orders: Vec<Vec<usize>> = Vec::new();
        let by_size = {
            let mut order: Vec<usize> = (0..tensors.len()).collect();
            order.sort_by_key(|one| std::cmp::Reverse(tensors[*one].2));
            order
        };
        for first in 0..tensors.len() {
            let others = by_size.iter().copied().filter(|one| *one != first);
            orders.push([first].into_iter().chain(others).collect());
        }
        let mut candidates: Vec<Division> = Vec::new();
        for order in orders {
            let mut division: Division = vec![Vec::new(); rule.factors.len()];
            for tensor in order {
                let (factors, layout, _) = &tensors[tensor];
                for (factor, axes) in project(&self.grid, rule, factors, layout) {
                    self.extend(rule, &tensors, &mut division, factor, &axes);
                }
            }
            if !candidates.contains(&division) {
                candidates.push(division);
            }
        }
        let whole = vec![Vec::new(); rule.factors.len()];
        let cheapest = candidates.into_iter();
        let cheapest = cheapest.min_by_key(|division| self.cost(op, rule, division));
        cheapest.unwrap_or(whole)
    }

    /// The layouts of operands, and the desired layouts of results, with sizes.
    fn known_layouts<'r>(
        &self,
        op: Operation<'c>,
        rule: &'r Rule,
    ) -> Vec<(&'r Factors, Layout, i64)> {
        let (operands, results) = (op.operands(), op.results());
        let known = rule.tensors().filter_map(|(tensor, factors)| {
            let (layout, sizes) = match tensor {
                Tensor::Operand(number) => {
                    let value = operands[number];
                    (
                        self.tensors.layout(value)?.clone(),
                        self.tensors.sizes(value)?.to_vec(),
                    )
                }
                Tensor::Result(number) => self.wanted(results[number])?,
            };
            Some((factors, layout, sizes.iter().product()))
        });
        known.collect()
    }

    /// The desired layout of a result, and its sizes.
    pub fn wanted(&self, result: Value<'c>) -> Option<(Layout, Vec<i64>)> {
        let layout = self.layouts.of(result)?;
        Some((layout.clone(), crate::sharding::rules::sizes_of(result)?))
    }

    /// Divides a factor along more axes, if all tensors with this factor allow it.
    fn extend(
        &self,
        rule: &Rule,
        tensors: &[(&Factors, Layout, i64)],
        division: &mut Division,
        factor: usize,
        axes: &[AxisNumber],
    ) {
        if rule.factors[factor].kind == Kind::Whole || !axes.starts_with(&division[factor]) {
            return;
        }
        let Factor { size, kind } = rule.factors[factor];
        for axis in &axes[division[factor].len()..] {
            let count = self.grid.count(&division[factor]) * self.grid.count(&[*axis]);
            if kind == Kind::Mirrored && size % count as i64 != 0 {
                return;
            }
            if division.iter().any(|own| own.contains(axis)) {
                return;
            }
            let mut own = division[factor].clone();
            own.push(*axis);
            let dimensions = tensors.iter().flat_map(|(factors, ..)| factors.iter());
            let fits = dimensions
                .filter(|factors| factors.contains(&factor))
                .all(|factors| self.fits(rule, factors, division, factor, &own));
            if !fits {
                return;
            }
            division[factor] = own;
        }
    }

    /// Returns true if a factor of a dimension can have these axes: the factors before it must be
    /// fully divided, and the ones after it not at all.
    fn fits(
        &self,
        rule: &Rule,
        factors: &[usize],
        division: &Division,
        factor: usize,
        axes: &[AxisNumber],
    ) -> bool {
        if factors.len() == 1 {
            return true;
        }
        let place = factors.iter().position(|one| *one == factor).unwrap_or(0);
        let count = |factor: usize| self.grid.count(&division[factor]) as i64;
        let size = rule.factors[factor].size;
        factors[..place].iter().all(|one| count(*one) == rule.factors[*one].size)
            && factors[place + 1..].iter().all(|one| division[*one].is_empty())
            && size % self.grid.count(axes) as i64 == 0
    }

    fn cost(&self, op: Operation<'c>, rule: &Rule, division: &Division) -> i64 {
        let grid = &self.grid;
        let (operands, results) = (op.operands(), op.results());
        let reduced = reduced_axes(rule, division);
        let mut bytes = 0;
        for (tensor, factors) in rule.tensors() {
            let layout = layout_of(rule, factors, division);
            match tensor {
                Tensor::Operand(number) => {
                    let value = operands[number];
                    bytes += self.tensors.cost(grid, value, &layout);
                    bytes += self.cost_of_windows((number, value), rule, factors, &layout);
                }
                Tensor::Result(number) => {
                    let Some((wanted, sizes)) = self.wanted(results[number]) else {
                        continue;
                    };
                    let element = self.bytes_of(results[number]);
                    let tile: i64 = reshard::tile_sizes(grid, &sizes, &layout).iter().product();
                    let terms = grid.count(&reduced) as i64;
                    let combined = tile * element * (terms - 1) / terms;
                    let scattered = self.scattered(&layout, &wanted, &sizes, &reduced);
                    let is_scattered = scattered.len() == reduced.len();
                    let is_gathered = !is_scattered
                        && self.combiner(rule, division) == Some(Combiner::Body)
                        && self.part_dimension(&sizes, &layout, element, &reduced).is_none();
                    bytes += match (is_scattered, is_gathered) {
                        (true, _) => combined,
                        (false, true) => tile * element * (terms - 1),
                        (false, false) => combined * 2,
                    };
                    let layout = scattered.into_iter().fold(layout, |mut layout, (at, axis)| {
                        layout.dims[at].push(axis);
                        layout
                    });
                    bytes += reshard::plan(grid, &sizes, element, &layout, &wanted).bytes;
                }
            }
        }
        let factors = rule.factors.iter().zip(division);
        let work = factors.fold(1_i64, |work, (factor, axes)| {
            work.saturating_mul(tile_size(grid, factor.size.max(1), axes))
        });
        bytes.saturating_mul(WORK_OF_A_BYTE).saturating_add(work)
    }

    fn cost_of_windows(
        &self,
        (number, value): (usize, Value<'c>),
        rule: &Rule,
        factors: &Factors,
        layout: &Layout,
    ) -> i64 {
        let Some(sizes) = self.tensors.sizes(value) else {
            return 0;
        };
        let tile = reshard::tile_sizes(&self.grid, sizes, layout);
        let mut bytes = 0;
        for (dimension, own) in factors.iter().enumerate() {
            let axes = &layout.dims[dimension];
            let [factor] = own[..] else {
                continue;
            };
            let factor = rule.factors[factor];
            if factor.kind == Kind::Mirrored && !axes.is_empty() {
                bytes += tile.iter().product::<i64>() * self.tensors.bytes(value);
            }
            let Some(window) = rule.window_of(number, factor) else {
                continue;
            };
            if !axes.is_empty() && tile[dimension] > 0 {
                let needs = Needs::of(&self.grid, axes, window, sizes[dimension], factor.size);
                let line: i64 = tile.iter().product::<i64>() / tile[dimension];
                bytes += needs.received() * line * self.tensors.bytes(value);
            }
        }
        bytes
    }

    /// The reduced axes by which the desired layout divides a dimension next, with this dimension.
    pub fn scattered(
        &self,
        layout: &Layout,
        wanted: &Layout,
        sizes: &[i64],
        reduced: &[AxisNumber],
    ) -> Vec<(usize, AxisNumber)> {
        let mut found = Vec::new();
        for (dimension, (own, wanted)) in layout.dims.iter().zip(&wanted.dims).enumerate() {
            let Some(new) = wanted.strip_prefix(own.as_slice()) else {
                continue;
            };
            let new: Vec<AxisNumber> =
                new.iter().copied().take_while(|axis| reduced.contains(axis)).collect();
            let count = self.grid.count(&[own.as_slice(), &new].concat()) as i64;
            if sizes[dimension] % count == 0 {
                found.extend(new.into_iter().map(|axis| (dimension, axis)));
            }
        }
        found
    }

    pub fn bytes_of(&self, value: Value<'c>) -> i64 {
        let bits = value.ty().element_type().bit_width();
        i64::from(bits.unwrap_or(32).div_ceil(8))
    }
}
