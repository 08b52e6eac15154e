//! Whether an op has the parts that its declaration gives it.

use super::{OpDeclaration, OpTrait, Part, TypeConstraint};
use crate::{
    Attribute, Operation, Type, attribute_of, blocks_of, operands_of,
    ops::{Arity, Groups, Sizing, access},
    result_types_of,
    semantics::VerifyError,
};
use melior::ir::{ValueLike, operation::OperationLike};

/// Judges all parts of an op but the ops inside.
pub(super) fn parts(declaration: &OpDeclaration, op: Operation) -> Result<(), VerifyError> {
    for (index, attribute) in declaration.attributes.iter().enumerate() {
        match attribute_of(op, attribute.name) {
            Some(value) => self::attribute(declaration, index, value)?,
            None if attribute.is_optional => {}
            None => return Err(format!("requires attribute '{}'", attribute.name).into()),
        }
    }
    let operands: Vec<Type> = operands_of(op).iter().map(ValueLike::r#type).collect();
    let info = declaration.info;
    values(
        &info.operands,
        declaration.operands,
        &operands,
        "operand",
        |group| access::operand_range(op, info, group),
    )?;
    values(
        &info.results,
        declaration.results,
        &result_types_of(op),
        "result",
        |group| access::result_range(op, info, group),
    )?;
    count(declaration.regions, op.region_count(), "region")?;
    count(declaration.successors, op.successor_count(), "successor")?;
    if declaration.has(OpTrait::SingleBlock) {
        for (number, region) in op.regions().enumerate() {
            if blocks_of(region).len() > 1 {
                return Err(format!("expects region #{number} to have 0 or 1 blocks").into());
            }
        }
    }
    Ok(())
}

/// Judges an attribute by its number.
pub(super) fn attribute(
    declaration: &OpDeclaration,
    number: usize,
    value: Attribute,
) -> Result<(), VerifyError> {
    let Some(attribute) = declaration.attributes.get(number) else {
        return Ok(());
    };
    if attribute.constraint.is_met_by(value) {
        return Ok(());
    }
    let (name, description) = (attribute.name, attribute.constraint.description);
    Err(format!("attribute '{name}' must be {description}, but is {value}").into())
}

/// Judges the types of the operands or the results, in groups.
fn values(
    groups: &Groups,
    constraints: &[TypeConstraint],
    types: &[Type],
    what: &str,
    range: impl Fn(usize) -> Option<std::ops::Range<usize>>,
) -> Result<(), VerifyError> {
    let mut end = 0;
    for (index, (group, constraint)) in groups.groups.iter().zip(constraints).enumerate() {
        let Some(range) = range(index) else {
            return Err(wrong_count(groups, types.len(), what));
        };
        let fits = match group.arity {
            Arity::One => range.len() == 1,
            Arity::Optional => range.len() <= 1,
            Arity::Variadic => true,
        };
        if !fits {
            let (name, size) = (group.name, range.len());
            return Err(match groups.sizing {
                Sizing::Segments => {
                    format!("{what} '{name}' cannot stand for {size} values").into()
                }
                Sizing::Rest | Sizing::Same => wrong_count(groups, types.len(), what),
            });
        }
        end = range.end;
        for (number, r#type) in range.clone().zip(&types[range]) {
            if !constraint.holds(*r#type) {
                let name = group.name;
                return Err(format!(
                    "{what} #{number} ('{name}') must be {constraint}, but has type '{type}'",
                )
                .into());
            }
        }
    }
    match end == types.len() {
        true => Ok(()),
        false => Err(wrong_count(groups, types.len(), what)),
    }
}

fn wrong_count(groups: &Groups, count: usize, what: &str) -> VerifyError {
    if groups.sizing == Sizing::Segments {
        return format!("has {count} {what}s, which its '{what}SegmentSizes' do not add up to")
            .into();
    }
    let of_one = |group: &&crate::ops::Group| group.arity == Arity::One;
    let least = groups.groups.iter().filter(of_one).count();
    let or_more = match least == groups.groups.len() {
        true => "",
        false => " or more",
    };
    format!("expects {least}{or_more} {what}s, but has {count}").into()
}

/// Judges the number of regions or successors.
fn count(parts: &[Part], found: usize, what: &str) -> Result<(), VerifyError> {
    let fixed = parts.iter().filter(|part| part.arity == Arity::One).count();
    let is_open = fixed < parts.len();
    if found == fixed || (is_open && found > fixed) {
        return Ok(());
    }
    let or_more = if is_open { " or more" } else { "" };
    Err(format!("expects {fixed}{or_more} {what}s, but has {found}").into())
}
