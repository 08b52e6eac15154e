//! Checks that attributes and types are finite.
//!
//! Attributes and types refer to each other by number, so an artifact can encode one that contains
//! itself, or one that is shared so often that its text would be exponentially long.

use super::format::{MAX_NESTING, MAX_PARTS};
use crate::{
    AttributeId, Error, TypeId,
    attribute::{Attribute, Reference, Sharding},
    types::Type,
};

/// The state of an attribute or a type.
#[derive(Clone, Copy)]
enum State {
    New,
    /// Its references are being visited.
    Open,
    Done {
        nesting: usize,
        parts: u64,
    },
}

/// All attributes, each after the ones that it refers to.
///
/// # Errors
/// Returns an error if one contains itself, or is larger than any that is of use.
pub(super) fn in_order(
    attributes: &[Attribute],
    types: &[Type],
) -> Result<Vec<AttributeId>, Error> {
    let index_of = |reference: Reference| match reference {
        Reference::Attribute(AttributeId(id)) => id as usize,
        Reference::Type(TypeId(id)) => attributes.len() + id as usize,
    };
    let references = |node: usize| {
        let mut found = Vec::new();
        if let Some(attribute) = attributes.get(node) {
            attribute.visit(|reference| found.push(index_of(reference)));
        } else if let Some(ty) = types.get(node - attributes.len()) {
            ty.visit(|reference| found.push(index_of(reference)));
        }
        found
    };
    let order = order(
        attributes.len() + types.len(),
        MAX_PARTS,
        references,
        |node| own_parts(attributes.get(node)),
    )?;
    let is_attribute = |node: &usize| *node < attributes.len();
    let order = order.into_iter().filter(is_attribute);
    Ok(order.map(|node| AttributeId(node as u32)).collect())
}

/// The numbers of items that refer to each other, each after the ones that it refers to.
///
/// # Errors
/// Returns an error if one contains itself, or is nested too deep or of more than `most` parts.
pub(super) fn order(
    count: usize,
    most: u64,
    references: impl Fn(usize) -> Vec<usize>,
    own_parts: impl Fn(usize) -> u64,
) -> Result<Vec<usize>, Error> {
    let mut states = vec![State::New; count];
    let mut order = Vec::with_capacity(count);
    for root in 0..states.len() {
        // The open nodes, with their references that are still to be visited.
        let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut enter = Some(root);
        loop {
            if let Some(node) = enter.take() {
                match states.get_mut(node) {
                    Some(state @ State::New) => {
                        *state = State::Open;
                        open.push((node, references(node)));
                    }
                    Some(State::Open) => return Err(unusable("that contains itself")),
                    _ => {}
                }
            }
            let Some((node, rest)) = open.last_mut() else {
                break;
            };
            if let Some(next) = rest.pop() {
                enter = Some(next);
                continue;
            }
            let node = *node;
            open.pop();
            let (mut nesting, mut parts) = (0, own_parts(node));
            for part in references(node) {
                if let Some(State::Done {
                    nesting: inner,
                    parts: count,
                }) = states.get(part)
                {
                    nesting = nesting.max(inner + 1);
                    parts = parts.saturating_add(*count);
                }
            }
            if nesting > MAX_NESTING {
                return Err(unusable(&format!(
                    "nested more than {MAX_NESTING} levels deep"
                )));
            }
            if parts > most {
                return Err(unusable(&format!("of more than {most} parts")));
            }
            if let Some(state) = states.get_mut(node) {
                *state = State::Done { nesting, parts };
            }
            order.push(node);
        }
    }
    Ok(order)
}

/// The size of an attribute without its references. For attributes that become text, the size of
/// the text.
fn own_parts(attribute: Option<&Attribute>) -> u64 {
    match attribute {
        Some(Attribute::Sharding(
            Sharding::MeshAxis { name, .. } | Sharding::AxisRef { name, .. },
        )) => 1 + name.len() as u64,
        Some(Attribute::Builtin(crate::attribute::Builtin::String(text))) => {
            1 + text.len() as u64 / 16
        }
        _ => 1,
    }
}

fn unusable(what: &str) -> Error {
    Error::malformed(0, format!("an attribute or type {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_contains_itself_is_refused() {
        let types = [Type::Tuple(vec![TypeId(1)]), Type::Tuple(vec![TypeId(0)])];
        let error = in_order(&[], &types).expect_err("a circle").to_string();
        assert!(error.contains("contains itself"), "{error}");
    }

    #[test]
    fn what_is_shared_too_often_is_refused() {
        let mut types = vec![Type::Token];
        types.extend((0..64).map(|inner| Type::Tuple(vec![TypeId(inner); 2])));
        let error = in_order(&[], &types).expect_err("2^64 tokens").to_string();
        assert!(error.contains("more than 1048576 parts"), "{error}");
        assert!(in_order(&[], &types[..20]).is_ok());
    }

    #[test]
    fn what_is_nested_too_deep_is_refused() {
        let nested = |count| -> Vec<Attribute> {
            (0..count)
                .map(|inner: u32| match inner.checked_sub(1) {
                    Some(inner) => Attribute::Array(vec![AttributeId(inner)]),
                    None => Attribute::Boolean(true),
                })
                .collect()
        };
        let order = in_order(&nested(500), &[]).expect("not too deep");
        assert!(order.is_sorted());
        assert!(in_order(&nested(502), &[]).is_err());
    }
}
