//! Results in the memory of operands.
//!
//! A call may specify that a result shares the memory of an operand, `output_operand_aliases`: its
//! handler then changes the operand in place, or leaves it unchanged. Halo's custom calls have
//! results in separate memory. So the operand is copied to the memory of the result, and the
//! handler gets that memory for both. Call sites have the aliases among their attributes, as the
//! numbers of a result and of its operand, one pair after the other.

use halo_runtime::custom_call::{Attribute, Attributes};

/// The attribute with the pairs.
const ALIASES: &str = "output_operand_aliases";

/// A result and the operand whose memory it shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alias {
    pub result: usize,
    pub operand: usize,
}

/// Takes the pairs out of the attributes of a call site.
///
/// # Errors
/// Returns one line of text for parts of nested tuples, which have no numbers.
pub fn take(attributes: &mut Attributes) -> Result<Vec<Alias>, String> {
    let numbers = match attributes.0.remove(ALIASES) {
        None => return Ok(Vec::new()),
        Some(Attribute::List(numbers)) => numbers,
        Some(_) => Vec::new(),
    };
    let number = |one: &Attribute| one.integer().and_then(|one| usize::try_from(one).ok());
    let numbers: Option<Vec<usize>> = numbers.iter().map(number).collect();
    let numbers = numbers.ok_or("a result of the call is in a part of a tuple of tuples")?;
    let (pairs, _) = numbers.as_chunks::<2>();
    let alias = |[result, operand]: &[usize; 2]| Alias {
        result: *result,
        operand: *operand,
    };
    Ok(pairs.iter().map(alias).collect())
}
