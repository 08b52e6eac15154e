//! Access to the parts of an op by their number or name.

use super::{
    Codec,
    definition::{Arity, Groups, OPERAND_SEGMENT_SIZES, OpInfo, Sizing},
};
use crate::{
    attributes::{AttributeExt, is_invalid_utf8},
    build_error::Reported,
    handles::{Attribute, Block, Operation, Value},
    operation::OperationExt,
    pass::failure::emit_error,
};
use melior::ir::RegionRef;
use std::ops::Range;

/// The op lacks a part that ODS requires, or the part is of another kind.
#[cold]
#[track_caller]
fn violated(operation: Operation, part: &str) -> ! {
    // The only invalid kind of an attribute that no verifier detects, but users can write.
    if operation.attribute(part).is_some_and(is_invalid_utf8) {
        let op = operation.name();
        let message = format!("'{op}' op has attribute '{part}', which is not valid UTF-8");
        emit_error(operation.location(), &message);
        std::panic::resume_unwind(Box::new(Reported));
    }
    panic!(
        "'{}' op has no '{part}' as its definition demands: it was read before it was verified",
        operation.name()
    )
}

/// The indices of the values of a group, of `count` in total.
pub(crate) fn range(
    groups: &Groups,
    count: usize,
    sizes: Option<Vec<i32>>,
    group: usize,
) -> Option<Range<usize>> {
    let size_of = |index: usize| -> Option<usize> {
        let arity = groups.groups[index].arity;
        match (groups.sizing, arity) {
            (Sizing::Segments, _) => usize::try_from(*sizes.as_ref()?.get(index)?).ok(),
            (_, Arity::One) => Some(1),
            _ => {
                let of_one = |group: &&super::definition::Group| group.arity == Arity::One;
                let fixed = groups.groups.iter().filter(of_one).count();
                let variable = groups.groups.len() - fixed;
                Some(count.checked_sub(fixed)? / variable)
            }
        }
    };
    let mut start = 0;
    for before in 0..group {
        start += size_of(before)?;
    }
    let end = start + size_of(group)?;
    (end <= count).then_some(start..end)
}

pub(crate) fn operand_range(
    operation: Operation,
    info: &OpInfo,
    group: usize,
) -> Option<Range<usize>> {
    let sizes = match info.operands.sizing {
        Sizing::Segments => operation.attribute(OPERAND_SEGMENT_SIZES)?.i32_array_value(),
        Sizing::Same | Sizing::Rest => None,
    };
    range(&info.operands, operation.operand_count(), sizes, group)
}

pub(crate) fn result_range(
    operation: Operation,
    info: &OpInfo,
    group: usize,
) -> Option<Range<usize>> {
    let sizes = match info.results.sizing {
        Sizing::Segments => operation.attribute("resultSegmentSizes")?.i32_array_value(),
        Sizing::Same | Sizing::Rest => None,
    };
    range(&info.results, operation.result_count(), sizes, group)
}

/// An operand by its number.
pub fn operand_at<'c>(operation: Operation<'c>, index: usize, name: &str) -> Value<'c> {
    match operation.operand(index) {
        Some(value) => value,
        None => violated(operation, name),
    }
}

/// A result by its number.
pub fn result_at<'c>(operation: Operation<'c>, index: usize, name: &str) -> Value<'c> {
    match operation.result(index) {
        Ok(value) => value.into(),
        Err(_) => violated(operation, name),
    }
}

/// The first result, if there is one.
pub fn first_result<'c>(operation: Operation<'c>) -> Option<Value<'c>> {
    operation.result(0).ok().map(Into::into)
}

/// The operands of a group.
pub fn operands<'c>(operation: Operation<'c>, info: &OpInfo, group: usize) -> Vec<Value<'c>> {
    match operand_range(operation, info, group) {
        Some(range) => range.filter_map(|index| operation.operand(index)).collect(),
        None => violated(operation, info.operands.groups[group].name),
    }
}

/// The only operand of a group.
pub fn operand<'c>(operation: Operation<'c>, info: &OpInfo, group: usize) -> Value<'c> {
    let name = info.operands.groups[group].name;
    match operand_range(operation, info, group) {
        Some(range) if range.len() == 1 => operand_at(operation, range.start, name),
        _ => violated(operation, name),
    }
}

/// The operand of a group that may be empty.
pub fn optional_operand<'c>(
    operation: Operation<'c>,
    info: &OpInfo,
    group: usize,
) -> Option<Value<'c>> {
    operands(operation, info, group).first().copied()
}

/// The results of a group.
pub fn results<'c>(operation: Operation<'c>, info: &OpInfo, group: usize) -> Vec<Value<'c>> {
    match result_range(operation, info, group) {
        Some(range) => {
            range.filter_map(|index| operation.result(index).ok()).map(Into::into).collect()
        }
        None => violated(operation, info.results.groups[group].name),
    }
}

/// The only result of a group.
pub fn result<'c>(operation: Operation<'c>, info: &OpInfo, group: usize) -> Value<'c> {
    let name = info.results.groups[group].name;
    match result_range(operation, info, group) {
        Some(range) if range.len() == 1 => result_at(operation, range.start, name),
        _ => violated(operation, name),
    }
}

/// The result of a group that may be empty.
pub fn optional_result<'c>(
    operation: Operation<'c>,
    info: &OpInfo,
    group: usize,
) -> Option<Value<'c>> {
    results(operation, info, group).first().copied()
}

/// A region by its number.
pub fn region<'c>(operation: Operation<'c>, index: usize, name: &str) -> RegionRef<'c, 'c> {
    match regions(operation, index, name).first() {
        Some(region) => *region,
        None => violated(operation, name),
    }
}

/// The regions from a number on.
pub fn regions<'c>(operation: Operation<'c>, first: usize, _: &str) -> Vec<RegionRef<'c, 'c>> {
    operation.regions().into_iter().skip(first).collect()
}

/// A successor by its number.
pub fn successor<'c>(operation: Operation<'c>, index: usize, name: &str) -> Block<'c> {
    match successors(operation, index, name).first() {
        Some(block) => *block,
        None => violated(operation, name),
    }
}

/// The successors from a number on.
pub fn successors<'c>(operation: Operation<'c>, first: usize, _: &str) -> Vec<Block<'c>> {
    operation.successors().into_iter().skip(first).collect()
}

/// An attribute that the op must have.
pub fn attribute<'c, C: Codec>(operation: Operation<'c>, name: &str) -> C::Read<'c> {
    match operation.attribute(name).and_then(C::read) {
        Some(value) => value,
        None => violated(operation, name),
    }
}

/// An attribute that the op may lack.
pub fn optional_attribute<'c, C: Codec>(
    operation: Operation<'c>,
    name: &str,
) -> Option<C::Read<'c>> {
    let attribute: Attribute<'c> = operation.attribute(name)?;
    match C::read(attribute) {
        Some(value) => Some(value),
        None => violated(operation, name),
    }
}

/// Sets an attribute.
pub fn set_attribute<'a, 'c: 'a, C: Codec>(
    operation: Operation<'c>,
    name: &str,
    value: C::Write<'a, 'c>,
) {
    match C::write(operation.context(), value) {
        Some(attribute) => operation.set_attribute(name, attribute),
        None if C::IS_ABSENT_WHEN_NONE => operation.remove_attribute(name),
        None => violated(operation, name),
    }
}
