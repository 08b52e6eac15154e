//! Arguments that a caller gives away.

use std::collections::BTreeMap;
use std::ptr;

use crate::buffer::Buffer;
use crate::status::{Result, Status};

/// A buffer that is given away is no other argument of the same call.
///
/// # Errors
/// Invalid argument, with the positions of both arguments.
pub fn check(arguments: &[(usize, &Buffer)], given_away: &[usize]) -> Result<()> {
    let mut donated = BTreeMap::new();
    for input in given_away {
        let (position, buffer) = arguments[*input];
        if let Some(first) = donated.insert(ptr::from_ref(buffer), position) {
            return Err(Status::invalid(format!(
                "arguments {first} and {position} donate the same buffer: \
                 `f(donate(a), donate(a))`"
            )));
        }
    }
    if donated.is_empty() {
        return Ok(());
    }
    for (position, buffer) in arguments {
        let giver = donated.get(&ptr::from_ref(*buffer));
        if let Some(giver) = giver.filter(|giver| *giver != position) {
            let example = match giver < position {
                true => "f(donate(a), a)",
                false => "f(a, donate(a))",
            };
            return Err(Status::invalid(format!(
                "argument {giver} donates a buffer that argument {position} uses: `{example}`"
            )));
        }
    }
    Ok(())
}
