//! Sums whose terms are combined later.
//!
//! The sum of two sums, of which partitions have terms, is one sum: terms are added where they
//! are, and combined once. So are those that are transposed, reshaped or negated before. The
//! gradients of queries, keys and values come together so, and those of a parameter that is
//! used twice:
//!
//! ```text
//! a = all_reduce(x . u)                 s = x . u + transpose(y . v)
//! b = transpose(all_reduce(y . v))      c = all_reduce(s)
//! c = a + b
//! ```
//!
//! A sum is put off if its only user is such an op, of the same block. Where that op finds no
//! terms of the same partitions in its other operand, what was put off is combined before it.

use super::choice::layout_of;
use super::{Partition, Problem, reshard};
use crate::sharding::grid::{AxisNumber, Layout};
use crate::sharding::propagation::project;
use crate::sharding::rules::{Combiner, Rule, sizes_of};
use halo_ir::prelude::*;

/// The term that each partition has of a value.
#[derive(Clone)]
pub struct Term<'c> {
    value: Value<'c>,
    sizes: Vec<i64>,
    /// Of the tile that it is a term of.
    layout: Layout,
    /// The axes along which there are terms.
    axes: Vec<AxisNumber>,
}

/// Whether the terms of the result are the op on the terms of all operands.
fn is_linear(op: Operation) -> bool {
    op.isa::<stablehlo::AddOp>()
        || op.isa::<stablehlo::SubtractOp>()
        || op.isa::<stablehlo::NegOp>()
        || op.isa::<stablehlo::ReshapeOp>()
        || op.isa::<stablehlo::TransposeOp>()
}

impl<'c> Partition<'c> {
    /// Whether the terms of a value may be added to others before they are combined.
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

    /// Keeps the terms of a value, of a result that is a tile already.
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

    /// Makes an op on sums that were put off one on their terms. Otherwise they are combined, and
    /// the answer is no.
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

    /// One of the terms, if all operands have such of the same partitions, and the layout of the
    /// result.
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
