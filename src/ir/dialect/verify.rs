//! Verification of an op's parts against its declaration.

use super::declaration::{AttributeSyntax, BlockCount, OpDeclaration, OpTrait, TypeConstraint};
use crate::{
    block::RegionExt,
    handles::{Attribute, Operation, Type},
    operation::OperationExt,
    ops::{
        access,
        definition::{Arity, Groups, Sizing},
    },
    semantics::VerifyError,
    value::{ValueExt, ValuesExt},
};
use melior::ir::operation::OperationLike;

/// Verifies all parts of an op except the ops inside.
pub(super) fn parts(declaration: &OpDeclaration, op: Operation) -> Result<(), VerifyError> {
    for (index, attribute) in declaration.attributes.iter().enumerate() {
        match op.attribute(attribute.name) {
            Some(value) => self::attribute(declaration, index, value)?,
            None if attribute.is_optional => {}
            None => return Err(format!("requires attribute '{}'", attribute.name).into()),
        }
    }
    let operands = op.operands().types();
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
        &op.result_types(),
        "result",
        |group| access::result_range(op, info, group),
    )?;
    let arities = declaration.regions.iter().map(|region| region.arity);
    count(arities, op.region_count(), "region")?;
    let arities = declaration.successors.iter().map(|successor| successor.arity);
    count(arities, op.successor_count(), "successor")?;
    regions(declaration, op)?;
    matching_types(declaration, op)?;
    parent(declaration, op)?;
    if declaration.has(OpTrait::SingleBlock) {
        for (number, region) in op.regions().into_iter().enumerate() {
            if region.blocks().len() > 1 {
                return Err(format!("expects region #{number} to have 0 or 1 blocks").into());
            }
        }
    }
    Ok(())
}

/// Verifies the numbers of blocks of the regions, whose count was checked.
fn regions(declaration: &OpDeclaration, op: Operation) -> Result<(), VerifyError> {
    for (number, region) in op.regions().into_iter().enumerate() {
        let declared = declaration.regions.get(number);
        // The last one is variadic if there are more.
        let Some(declared) = declared.or(declaration.regions.last()) else {
            break;
        };
        let found = region.blocks().len();
        let (fits, expected) = match declared.blocks {
            BlockCount::Any => (true, String::new()),
            BlockCount::Exactly(count) => (found == count, count.to_string()),
            BlockCount::AtLeast(count) => (found >= count, format!("{count} or more")),
            BlockCount::AtMost(count) => (found <= count, format!("{count} or fewer")),
        };
        if !fits {
            let name = declared.name;
            return Err(format!(
                "expects region #{number} ('{name}') to have {expected} blocks, but it has {found}"
            )
            .into());
        }
    }
    Ok(())
}

/// Verifies that operands and results have one type if required.
fn matching_types(declaration: &OpDeclaration, op: Operation) -> Result<(), VerifyError> {
    let info = declaration.info;
    let operands = op.operands().into_iter().map(|value| value.ty());
    let operands: Vec<Type> = operands.collect();
    let results = op.result_types();
    for names in declaration.all_types_match {
        let mut first: Option<(&str, Type)> = None;
        for name in *names {
            let position = |groups: &Groups| groups.groups.iter().position(|one| one.name == *name);
            let types = match (position(&info.operands), position(&info.results)) {
                (Some(group), _) => access::operand_range(op, info, group).map(|at| &operands[at]),
                (None, Some(group)) => access::result_range(op, info, group).map(|at| &results[at]),
                (None, None) => None,
            };
            for ty in types.into_iter().flatten().copied() {
                match first {
                    Some((other, expected)) if expected != ty => {
                        return Err(format!(
                            "expects '{other}' and '{name}' to have one type, but they have \
                             '{expected}' and '{ty}'"
                        )
                        .into());
                    }
                    Some(_) => {}
                    None => first = Some((name, ty)),
                }
            }
        }
    }
    Ok(())
}

/// Judges the op around an op.
fn parent(declaration: &OpDeclaration, op: Operation) -> Result<(), VerifyError> {
    let parents = declaration.parents;
    let found = op.parent().map(OperationExt::name);
    if parents.is_empty() || found.is_some_and(|name| parents.contains(&name)) {
        return Ok(());
    }
    let names: Vec<String> = parents.iter().map(|name| format!("'{name}'")).collect();
    Err(format!("expects parent op {}", names.join(" or ")).into())
}

/// Verifies an attribute by its number.
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
    if let AttributeSyntax::Case(_, cases) = attribute.constraint.syntax {
        let names: Vec<&str> = cases.iter().map(|(name, _)| *name).collect();
        let names = names.join(", ");
        return Err(format!("attribute '{name}' must be one of {names}, but is {value}").into());
    }
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
        for (number, ty) in range.clone().zip(&types[range]) {
            if !constraint.holds(*ty) {
                let name = group.name;
                return Err(format!(
                    "{what} #{number} ('{name}') must be {constraint}, but has type '{ty}'",
                )
                .into());
            }
        }
    }
    if end == types.len() {
        Ok(())
    } else {
        Err(wrong_count(groups, types.len(), what))
    }
}

fn wrong_count(groups: &Groups, count: usize, what: &str) -> VerifyError {
    if groups.sizing == Sizing::Segments {
        return format!("has {count} {what}s, which its '{what}SegmentSizes' do not add up to")
            .into();
    }
    let of_one = |group: &&crate::ops::definition::Group| group.arity == Arity::One;
    let least = groups.groups.iter().filter(of_one).count();
    let or_more = if least == groups.groups.len() {
        ""
    } else {
        " or more"
    };
    format!("expects {least}{or_more} {what}s, but has {count}").into()
}

/// Judges the number of regions or successors.
fn count(
    arities: impl ExactSizeIterator<Item = Arity>,
    found: usize,
    what: &str,
) -> Result<(), VerifyError> {
    let declared = arities.len();
    let fixed = arities.filter(|arity| *arity == Arity::One).count();
    let is_open = fixed < declared;
    if found == fixed || (is_open && found > fixed) {
        return Ok(());
    }
    let or_more = if is_open { " or more" } else { "" };
    Err(format!("expects {fixed}{or_more} {what}s, but has {found}").into())
}
