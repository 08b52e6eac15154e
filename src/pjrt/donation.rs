//! Donated arguments.
//!
//! The messages begin like XLA's, since programs match them.

use std::collections::BTreeMap;
use std::ptr;

use crate::buffer::Buffer;
use crate::status::{Result, Status};

/// Checks that a donated buffer is not another argument of the same call.
///
/// # Errors
/// Returns an invalid-argument error, with the positions of both arguments.
pub fn check(arguments: &[(usize, &Buffer)], given_away: &[usize]) -> Result<()> {
    let mut donated = BTreeMap::new();
    for input in given_away {
        let (position, buffer) = arguments[*input];
        if let Some(first) = donated.insert(ptr::from_ref(buffer), position) {
            return Err(Status::invalid(format!(
                "Attempt to donate the same buffer twice in Execute(): arguments {first} and \
                 {position}, as in `f(donate(a), donate(a))`"
            )));
        }
    }
    if donated.is_empty() {
        return Ok(());
    }
    for (position, buffer) in arguments {
        let giver = donated.get(&ptr::from_ref(*buffer));
        if let Some(giver) = giver.filter(|giver| *giver != position) {
            let (attempt, example) = if giver < position {
                (
                    "use a buffer that was previously donated in the same call to Execute()",
                    "f(donate(a), a)",
                )
            } else {
                (
                    "donate a buffer which is also used by the same call to Execute()",
                    "f(a, donate(a))",
                )
            };
            return Err(Status::invalid(format!(
                "Attempt to {attempt}: argument {giver} is given away, {position} is used, as in \
                 `{example}`"
            )));
        }
    }
    Ok(())
}
