//! Constraints of operands, results and regions.

use super::{Reader, predicates};
use crate::{
    error::Error,
    names::{class, snake},
    records::Record,
};

impl<'r> Reader<'r> {
    /// The constraint of a group of values, as a `TypeConstraint` of Rust.
    pub(super) fn type_constraint(
        &self,
        op: Record,
        constraint: Record,
        about: &str,
    ) -> Result<String, Error> {
        if constraint.is_a("VariadicOfVariadic") {
            return Err(op.error(format_args!(
                "{about} of several variadic groups, which a declared op does not have"
            )));
        }
        let is_wrapped = constraint.is_a("Variadic") || constraint.is_a("Optional");
        let base = match constraint.record("baseType") {
            Some(base) if is_wrapped => base,
            _ => constraint,
        };
        if let Some(known) = self.known_type(base) {
            return Ok(format!("TypeConstraint::{known}"));
        }
        let summary = base.text("summary").unwrap_or(base.name());
        let declared = |path: &str, subject: &str| {
            let of = self.types.iter().find(|of| path.ends_with(&of.path[..]))?;
            Some(format!("{}::DECLARATION.is({subject})", of.class))
        };
        if let Some(condition) = predicates::of_type(base, "r#type", &declared) {
            // An exact type need not be written in an assembly format.
            let only = condition.strip_prefix("is(r#type, ");
            if let Some(text) = only.and_then(|rest| rest.strip_suffix(')')) {
                return Ok(format!("TypeConstraint::Exactly({text})"));
            }
            return Ok(format!(
                "TypeConstraint::Where({summary:?}, |r#type| {{ \
                 use predicates::*; {condition} }})"
            ));
        }
        if base.is_anonymous() {
            Err(op.error(format_args!(
                "{about} with the constraint '{summary}' in C++, which has no name by which a \
                 function of Rust could say it"
            )))
        } else {
            // The author implements it.
            Ok(format!(
                "TypeConstraint::Where({summary:?}, |r#type| super::{}(r#type))",
                function_of(base)
            ))
        }
    }

    /// The variant of `TypeConstraint` for a constraint, if any.
    fn known_type(&self, base: Record) -> Option<String> {
        let width = || base.number("bitwidth");
        let known = match base.name() {
            "AnyType" => "Any".to_owned(),
            "AnyInteger" => "AnyInteger".to_owned(),
            "AnyFloat" => "AnyFloat".to_owned(),
            "Index" => "Index".to_owned(),
            "F32" => "F32".to_owned(),
            "F64" => "F64".to_owned(),
            "BF16" => "Exactly(\"bf16\")".to_owned(),
            "NoneType" => "Exactly(\"none\")".to_owned(),
            _ if base.is_a("I") => format!("Integer({})", width()?),
            _ if base.is_a("SI") => format!("Exactly(\"si{}\")", width()?),
            _ if base.is_a("UI") => format!("Exactly(\"ui{}\")", width()?),
            _ if base.is_a("F") => format!("Exactly(\"f{}\")", width()?),
            _ if base.is_a("TypeDef") => {
                let of = self.types.iter().find(|of| of.record == base.name())?;
                format!("Of({}::DECLARATION)", of.class)
            }
            _ => return None,
        };
        Some(known)
    }
}

/// The function by which the author of a dialect implements a predicate written in C++:
/// `is_small_tensor` for `Signal_SmallTensor`.
pub fn function_of(constraint: Record) -> String {
    format!("is_{}", snake(class(constraint.name())))
}

/// The number of blocks of a region, as a `BlockCount` of Rust.
pub fn blocks(constraint: Record) -> Option<String> {
    let text = predicates::text_of(constraint)?;
    if text == "true" {
        return Some("BlockCount::Any".to_owned());
    }
    let (name, count) = text.strip_suffix(')')?.split_once("($_self,")?;
    let variant = match name {
        "hasNItems" => "Exactly",
        "hasNItemsOrMore" => "AtLeast",
        "hasNItemsOrLess" => "AtMost",
        _ => return None,
    };
    let count: usize = count.parse().ok()?;
    Some(format!("BlockCount::{variant}({count})"))
}
