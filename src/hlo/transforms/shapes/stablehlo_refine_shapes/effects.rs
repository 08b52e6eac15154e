//! Functions without effects, whose unused calls can be erased.

use super::calls::name_of_function;
use crate::interpreter;
use halo_ir::prelude::*;
use std::collections::{HashMap, HashSet};

/// Returns true if a function and its callees have no effects.
pub fn is_pure_function(function: Operation, functions: &HashMap<String, Operation>) -> bool {
    let mut seen = HashSet::new();
    let mut pending = vec![function];
    while let Some(function) = pending.pop() {
        if !seen.insert(name_of_function(function).to_owned()) {
            continue;
        }
        let ops = function.collect_nested(|_| true);
        if ops.is_empty() {
            return false;
        }
        for op in ops {
            let callee = if let Some(call) = op.cast::<func::CallOp>() {
                call.callee()
            } else if let Some(composite) = op.cast::<stablehlo::CompositeOp>() {
                composite.decomposition()
            } else if is_pure(op) {
                continue;
            } else {
                return false;
            };
            match functions.get(callee) {
                Some(callee) => pending.push(*callee),
                None => return false,
            }
        }
    }
    true
}

/// Returns true if an op itself has no effects. A loop may not terminate.
fn is_pure(op: Operation) -> bool {
    match op.name() {
        stablehlo::CustomCallOp::NAME => {
            !stablehlo::CustomCallOp::from_unchecked(op).has_side_effect()
        }
        stablehlo::AfterAllOp::NAME
        | stablehlo::CaseOp::NAME
        | stablehlo::CreateTokenOp::NAME
        | stablehlo::GetTupleElementOp::NAME
        | stablehlo::IfOp::NAME
        | stablehlo::OptimizationBarrierOp::NAME
        | stablehlo::ReturnOp::NAME
        | stablehlo::TupleOp::NAME
        | func::ReturnOp::NAME => true,
        name => interpreter::is_pure(name),
    }
}
