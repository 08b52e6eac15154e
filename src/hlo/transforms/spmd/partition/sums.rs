//! Deferred combination of partial sums.
//!
//! The sum of two sums with partial results on the partitions is one sum: the partial sums are
//! added locally, and combined once, also after transpositions, reshapes or negations. This
//! combines the gradients of queries, keys and values, and of a parameter that is used twice:
//!
//! ```text
//! a = all_reduce(x . u)                 s = x . u + transpose(y . v)
//! b = transpose(all_reduce(y . v))      c = all_reduce(s)
//! c = a + b
//! ```
//!
//! A sum is deferred if its only user is such an op, in the same block. If the other operand of
//! that op has no partial sums of the same partitions, the deferred sum is combined before it.

use super::choice::layout_of;
use super::{Partition, Problem, reshard};
use crate::sharding::grid::{AxisNumber, Layout};
use crate::sharding::propagation::project;
use crate::sharding::rules::{Combiner, Rule, sizes_of};
use halo_ir::prelude::*;

/// The partial sum of a value on each partition.
#[derive(Clone)]
pub struct Term<'c> {
    value: Value<'c>,
    sizes: Vec<i64>,
    /// The layout of its tile.
    layout: Layout,
    /// The axes with partial sums.
    axes: Vec<AxisNumber>,
}

/// Returns true if an op on partial sums gives the partial sum of its result.
fn is_linear(op: Operation) -> bool {
    op.isa::<stablehlo::AddOp>()
        || op.isa::<stablehlo::SubtractOp>()
        || op.isa::<stablehlo::NegOp>()
        || op.isa::<stablehlo::ReshapeOp>()
        || op.isa::<stablehlo::TransposeOp>()
}

impl<'c> Partition<'c> {
    /// Returns true if the combination of a value's partial sums may be deferred.
    pub fn puts_off(&self, value: Value<'c>) -> bool {
        let mut value = value;
        loop {
            let users = if value.has_one_use() {
                value.uses()
            } else {
                return false;
            };
            let Some((user, _)) = users.first() else {
                return false;
            };
            let own = value.defining_op().and_then(|op| op.block());
            let has_rule = self.layouts.rule(*user).is_some() && !self.manual.has_part_in(*user);
            if !is_linear(*user) || !has_rule || own != user.block() {
                return false;
            }
            if user.operands().len() > 1 {
                return true;
            }
            value = user.results()[0];
        }
    }

    /// Records the partial sums of a value, whose result is already a tile.
    pub fn put_off(
        &mut self,
        value: Value<'c>,
        sizes: &[i64],
        layout: Layout,
        mut axes: Vec<AxisNumber>,
    ) {
        axes.sort_unstable();
        let term = Term {
            value,
            sizes: sizes.to_vec(),
            layout,
            axes,
        };
        self.sums.insert(value.key(), term);
    }

    /// Applies an op to deferred partial sums. Otherwise combines them, and returns false.
    pub fn terms_of_terms(&mut self, op: Operation<'c>, rule: &Rule) -> Result<bool, Problem<'c>> {
        let operands = op.operands();
        let terms = operands.iter().map(|one| self.sums.remove(&one.key()));
        let terms: Vec<Option<Term>> = terms.collect();
        if terms.iter().all(Option::is_none) {
            return Ok(false);
        }
        let failed = |error: RewriteError| Problem(op, error.to_string());
        if let Some((first, layout)) = self.common(rule, &terms) {
            for (number, term) in terms.iter().flatten().enumerate() {
                op.set_operand(number, term.value);
            }
            let result = op.results()[0];
            let sizes = sizes_of(result).unwrap_or_default();
            let tile = reshard::tile_sizes(&self.grid, &sizes, &layout);
            result.set_type(tensor_type(&tile, result.ty().element_type()));
            if self.puts_off(result) {
                self.put_off(result, &sizes, layout, first.axes);
                return Ok(true);
            }
            let term = Term {
                value: result,
                sizes,
                layout,
                axes: first.axes,
            };
            let user = with_builder(op, |b| {
                b.set_after(op);
                self.combine_term(b, result, term)
            });
            user.map_err(failed)?;
            return Ok(true);
        }
        for (operand, term) in operands.into_iter().zip(terms) {
            if let Some(term) = term {
                with_builder(op, |b| self.combine_term(b, operand, term)).map_err(failed)?;
            }
        }
        Ok(false)
    }

    /// One of the partial sums, if all operands have partial sums of the same partitions, and the
    /// layout of the result.
    fn common(&self, rule: &Rule, terms: &[Option<Term<'c>>]) -> Option<(Term<'c>, Layout)> {
        let first = terms.first()?.as_ref()?;
        let is_alike = |term: &Option<Term>| {
            let alike = |term: &Term| term.axes == first.axes && term.layout == first.layout;
            term.as_ref().is_some_and(alike)
        };
        let mut division = vec![Vec::new(); rule.factors.len()];
        for (factor, axes) in project(&self.grid, rule, &rule.operands[0], &first.layout) {
            division[factor] = axes;
        }
        let is_all = layout_of(rule, &rule.operands[0], &division) == first.layout;
        let layout = layout_of(rule, &rule.results[0], &division);
        (is_all && terms.iter().all(is_alike)).then(|| (first.clone(), layout))
    }

    fn combine_term(&mut self, b: &Builder<'c>, value: Value<'c>, term: Term<'c>) -> RewriteResult {
        let Term {
            value: tile,
            sizes,
            layout,
            axes,
        } = term;
        let wanted = self.layouts.of(value).cloned();
        let wanted = wanted.unwrap_or_else(|| layout.clone());
        let parts = (sizes.as_slice(), layout, &wanted);
        let (layout, tile) = self.combine(b, Combiner::Add, tile, parts, axes)?;
        self.tensors.add(value, &sizes, layout, tile);
        Ok(())
    }
}
