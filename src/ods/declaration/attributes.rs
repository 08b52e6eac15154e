//! Constraints and defaults of attributes and properties.

use super::{Reader, predicates, types::function_of};
use crate::{
    error::Error,
    model::{Attribute, AttributeValue, Presence, enum_value, literal},
    records::Record,
};

/// The attributes of MLIR that a codec reads by their class and type only.
const EXACT: [&str; 29] = [
    "AffineMapAttr",
    "AnyAttr",
    "ArrayAttr",
    "BoolAttr",
    "DenseBoolArrayAttr",
    "DenseI32ArrayAttr",
    "DenseI64ArrayAttr",
    "F32Attr",
    "F64Attr",
    "FlatSymbolRefAttr",
    "I1Attr",
    "I8Attr",
    "I16Attr",
    "I32Attr",
    "I64Attr",
    "IndexAttr",
    "SI8Attr",
    "SI16Attr",
    "SI32Attr",
    "SI64Attr",
    "StrAttr",
    "SymbolNameAttr",
    "TypeAttr",
    "UI8Attr",
    "UI16Attr",
    "UI32Attr",
    "UI64Attr",
    "UnitAttr",
    "UnitProp",
];

/// The constraint inside of the decorators for presence.
pub fn base_of(mut constraint: Record) -> Record {
    while let Some(inner) = constraint.record("baseAttr")
        && !constraint.is_a("ConfinedAttr")
    {
        constraint = inner;
    }
    constraint
}

/// The default of an attribute, in C++.
pub fn default_of(constraint: Record<'_>) -> Option<&str> {
    match constraint.text("defaultValue") {
        Some(text) => Some(text),
        None => default_of(constraint.record("baseAttr")?),
    }
}

/// An attribute as a Rust `OpAttribute` with a constraint.
pub fn declaration(attribute: &Attribute, constraint: &str) -> String {
    let (name, codec) = (&attribute.ods, &attribute.value.codec);
    match &attribute.presence {
        Presence::Required => format!("OpAttribute::required({name:?}, {constraint})"),
        Presence::Default(value) if codec != "codec::Unit" => {
            // Builders take lists as slices.
            let value = match value.strip_prefix("Vec::from(") {
                Some(list) => format!("&{}", list.trim_end_matches(')')),
                None => value.replace("Vec::new()", "&[]"),
            };
            format!(
                "OpAttribute::with_default({name:?}, {constraint}, \
                 |context| <{codec} as Codec>::write(context, {value}))"
            )
        }
        Presence::Optional | Presence::Default(_) => {
            format!("OpAttribute::optional({name:?}, {constraint})")
        }
    }
}

impl<'r> Reader<'r> {
    /// The constraint of an attribute, as an `AttributeConstraint` of Rust.
    pub(super) fn attribute_constraint(
        &self,
        op: Record,
        constraint: Record,
        attribute: &mut Attribute,
        about: &str,
    ) -> Result<String, Error> {
        let base = base_of(constraint);
        let summary = base.text("summary").unwrap_or(base.name());
        if base.is_a("ConfinedAttr") {
            let inner = base.record("baseAttr").ok_or_else(|| op.error(about))?;
            let kind = self.attribute_constraint(op, inner, attribute, about)?;
            let mut conditions = Vec::new();
            for further in base.list("attrConstraints") {
                let Some(condition) = predicates::of_attribute(further, "attribute") else {
                    let further = further.text("summary").unwrap_or(further.name());
                    return Err(op.error(format_args!(
                        "{about} {further}, which is a condition in C++ that has no translation"
                    )));
                };
                conditions.push(condition);
            }
            return Ok(format!(
                "AttributeConstraint {{ description: {summary:?}, holds: |attribute| {{ \
                 use attributes::*; {kind}.is_met_by(attribute) && {} }}, syntax: {kind}.syntax }}",
                conditions.join(" && ")
            ));
        }
        if base.name() == "SymbolNameAttr" {
            attribute.value = AttributeValue {
                codec: "SymbolName".to_owned(),
                ..attribute.value.clone()
            };
        }
        if self.is_exact(base) {
            let codec = &attribute.value.codec;
            return Ok(format!("<{codec} as DeclaredCodec>::CONSTRAINT"));
        }
        let holds = match base.name() {
            "ElementsAttr" => "attributes::is_dense".to_owned(),
            "DictionaryAttr" => "attributes::is_dictionary".to_owned(),
            "SymbolRefAttr" => "attributes::is_symbol".to_owned(),
            _ if base.is_anonymous() => {
                return Err(op.error(format_args!(
                    "{about} with the constraint '{summary}' in C++, which has no name by which \
                     a function of Rust could say it"
                )));
            }
            _ => format!("|attribute| super::{}(attribute)", function_of(base)),
        };
        Ok(format!("AttributeConstraint::of({summary:?}, {holds})"))
    }

    /// Returns true if the codec of an attribute accepts the same attributes as its predicate.
    fn is_exact(&self, base: Record) -> bool {
        if base.is_a("TypedArrayAttrBase") {
            let element = base.record("elementAttr");
            return element.is_some_and(|element| self.is_exact(element));
        }
        let is_ours = base.is_a("AttrDef") && self.is_ours(base.record("dialect"));
        let is_enum = base.is_a("EnumInfo") && !base.is_a("BitEnumBase");
        let is_property = base.is_a("Property");
        is_ours || is_enum || is_property || EXACT.contains(&base.name())
    }

    /// The Rust type of a property, and whether it is required.
    pub(super) fn property(&mut self, property: Record) -> Option<(AttributeValue, Presence)> {
        let mut base = property;
        while let Some(inner) = base.record("baseProperty") {
            base = inner;
        }
        let value = |codec: &str, read: &str, write: &str| AttributeValue {
            class: String::new(),
            codec: codec.to_owned(),
            read: read.to_owned(),
            write: write.to_owned(),
        };
        if base.name() == "UnitProp" {
            let presence = Presence::Default("false".to_owned());
            return Some((value("codec::Unit", "bool", "bool"), presence));
        }
        let (value, of) = match base.record("enum") {
            Some(of) => {
                let module = self.dialect.text("name")?;
                enum_value(of, module, &mut self.enums).ok()?
            }
            None => {
                let value = match base.text("storageType")? {
                    "bool" => value("codec::Bool", "bool", "bool"),
                    "int32_t" => value("codec::Signless<32>", "i64", "i64"),
                    "int64_t" => value("codec::Signless<64>", "i64", "i64"),
                    "std::string" => value("codec::Text", "&'c str", "&str"),
                    _ => return None,
                };
                (value, None)
            }
        };
        let presence = match property.text("defaultValue") {
            None => Presence::Required,
            Some(text) => Presence::Default(literal(text, &value, of.as_ref())?),
        };
        Some((value, presence))
    }
}
