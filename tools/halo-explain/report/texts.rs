//! What the numbers in a record refer to: texts of functions, their lines, and the ops that they
//! are made of.

use halo_runtime::compilation_record::{CompilationRecord, FunctionText, OpNumber};
use std::collections::BTreeSet;

/// The texts of functions.
pub fn functions<'a>(
    record: &'a CompilationRecord,
    numbers: &'a [u32],
) -> impl Iterator<Item = &'a FunctionText> {
    let numbers = numbers.iter();
    numbers.filter_map(|number| record.functions.get(*number as usize))
}

/// The lines of a function.
pub fn lines<'a>(
    record: &'a CompilationRecord,
    text: &'a FunctionText,
) -> impl Iterator<Item = &'a str> {
    let lines = text.lines.iter();
    lines.filter_map(|line| record.lines.get(*line as usize).map(String::as_str))
}

/// The ops that lines of functions are made of.
pub fn ops(record: &CompilationRecord, numbers: &[u32]) -> BTreeSet<OpNumber> {
    let sets: BTreeSet<u32> = functions(record, numbers)
        .flat_map(|text| text.origins.iter().copied())
        .collect();
    let sets = sets
        .iter()
        .filter_map(|set| record.origins.get(*set as usize));
    sets.flatten().copied().collect()
}
