//! The assertions of the check dialect.

use super::prelude::*;
use crate::literals;
use halo_core::compare::{Comparison, Rule, Tolerance, compare};
use halo_ir::prelude::*;

/// Compares the first operand with the second one, or with the constant.
fn comparison(call: &Call, rule: Rule) -> Result<Comparison, Failure> {
    let actual = call.tensor(0)?;
    let expected = match call.op.attribute("value") {
        Some(value) => literals::literal_for(value, call.op.operand_type(0)?)?,
        None => call.tensor(1)?.clone(),
    };
    Ok(compare(actual, &expected, rule)?)
}

fn verdict(comparison: Comparison) -> Evaluated {
    if comparison.passed() {
        Ok(Vec::new())
    } else {
        Err(comparison.to_string().into())
    }
}

/// `check.expect_eq` and `check.expect_eq_const`.
pub fn expect_eq(call: &Call) -> Evaluated {
    verdict(comparison(call, Rule::EXACT)?)
}

/// `check.expect_almost_eq` and `check.expect_almost_eq_const`.
pub fn expect_almost_eq(call: &Call) -> Evaluated {
    let tolerance = call.op.attribute("tolerance").and_then(Attribute::float_value).unwrap_or(1e-3);
    verdict(comparison(call, Rule::new(Tolerance::Absolute(tolerance)))?)
}

/// `check.expect_close`.
pub fn expect_close(call: &Call) -> Evaluated {
    let limit = |name: &str, default: u64| {
        call.op
            .attribute(name)
            .and_then(Attribute::integer_value)
            .map_or(default, |limit| limit as u64)
    };
    let comparison = comparison(call, Rule::ulp(limit("max_ulp_difference", 3)))?;
    let minimum = limit("min_ulp_difference", 0);
    let worst = comparison.worst.as_ref().map_or(0, |worst| worst.ulp);
    if comparison.passed() && worst < minimum {
        return Err(format!("{comparison}; at least {minimum} ULP were expected").into());
    }
    verdict(comparison)
}
