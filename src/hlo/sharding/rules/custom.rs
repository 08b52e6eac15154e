//! Custom calls whose rule is given by the program.
//!
//! ```mlir
//! stablehlo.custom_call @CustomSPMDPartitioning(%a, %b) {
//!   sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [j, k])->([i, k]) {i=8, j=4, k=8} reduction={j}, custom>}
//! ```

use super::{Combiner, Factor, Kind, Rule};
use crate::sharding::parse;
use halo_ir::prelude::*;

/// The attribute with Shardy's rule.
const SHARDING_RULE: &str = "sdy.sharding_rule";

/// The rule of a call, if it is given and fits.
pub(super) fn given(call: Operation) -> Option<Rule> {
    let text = call.attribute(SHARDING_RULE)?.to_string();
    let given = parse::sharding_rule(&text).ok()?;
    let fits = |values: Vec<Value>, tensors: &[super::Factors]| {
        let ranks = values.iter().map(|value| value.ty().static_shape().map(|sizes| sizes.len()));
        ranks.eq(tensors.iter().map(|factors| Some(factors.len())))
    };
    let count = given.sizes.len();
    let mut all = given.operands.iter().chain(&given.results).flatten().flatten();
    if !fits(call.operands(), &given.operands)
        || !fits(call.results(), &given.results)
        || all.any(|factor| *factor >= count)
    {
        return None;
    }
    let kind = |factor: usize| {
        if given.reduced.contains(&factor) {
            Kind::Reduced(Combiner::Add)
        } else if given.whole.contains(&factor) {
            Kind::Whole
        } else {
            Kind::Parallel
        }
    };
    let sizes = given.sizes.iter().enumerate();
    let factors = sizes.map(|(factor, size)| Factor {
        size: *size as i64,
        kind: kind(factor),
    });
    Some(Rule {
        factors: factors.collect(),
        operands: given.operands,
        results: given.results,
        ..Rule::default()
    })
}
