//! Checks that attributes of `halo` are gone after the phase that their contracts name.

use halo_ir::{
    ops::halo::{CONTRACTS, Contract},
    prelude::*,
};
use halo_runtime::{Error, Result};

/// Fails if an op has an attribute that a finished phase should have removed.
pub fn check(module: Operation, finished: &[String]) -> Result<()> {
    let is_gone = |contract: &&Contract| {
        let phase = contract.gone_after;
        phase.is_some_and(|phase| finished.iter().any(|name| name == phase))
    };
    for contract in CONTRACTS.iter().filter(is_gone) {
        let left = module.collect_nested(|op| op.has_attribute(contract.name));
        if let (Some(op), Some(phase)) = (left.first(), contract.gone_after) {
            return Err(Error::internal(format!(
                "'{}' op has attribute '{}', expected none after phase '{phase}'",
                op.name(),
                contract.name
            )));
        }
    }
    Ok(())
}
