//! Attributes of ops, and their Rust values.

use super::{Enum, Enums};
use crate::{error::Error, records::Record};

/// Whether an attribute is required.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Presence {
    Required,
    /// The attribute may be absent.
    Optional,
    /// An absent attribute has the value of this Rust expression.
    Default(String),
}

/// An attribute of an op.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The name in ODS.
    pub ods: String,
    /// The Rust name.
    pub name: String,
    pub presence: Presence,
    /// Whether an op without it passes verification. MLIR reads an attribute with a default without
    /// checking its presence, unless it is optional, too.
    pub is_removable: bool,
    pub value: AttributeValue,
}

/// The Rust type of an attribute's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttributeValue {
    /// The C++ class, for types that are defined elsewhere.
    pub class: String,
    /// The type that implements `Codec`.
    pub codec: String,
    /// The type that a program reads.
    pub read: String,
    /// The type of the builder's argument; `'_` may stand for borrowed data.
    pub write: String,
}

impl AttributeValue {
    fn new(codec: &str, read: &str, write: &str) -> Self {
        Self {
            class: String::new(),
            codec: codec.to_owned(),
            read: read.to_owned(),
            write: write.to_owned(),
        }
    }

    fn same(codec: &str, value: &str) -> Self {
        Self::new(codec, value, value)
    }

    /// An attribute without conversion.
    fn any() -> Self {
        Self::same("codec::Any", "Attribute<'c>")
    }
}

impl Attribute {
    /// An attribute with an unknown type.
    pub fn opaque(ods: &str, name: String) -> Self {
        Self {
            ods: ods.to_owned(),
            name,
            presence: Presence::Optional,
            is_removable: false,
            value: AttributeValue::any(),
        }
    }
}

/// Reads an attribute of an op.
pub fn attribute(
    constraint: Record,
    ods: &str,
    name: String,
    module: &str,
    known: &[AttributeValue],
    enums: &mut Enums,
) -> Result<Attribute, Error> {
    // Optional, with a default, or with further conditions.
    let mut base = constraint;
    let mut optional = false;
    let mut default = None;
    loop {
        optional |= base.flag("isOptional");
        default = default.or_else(|| base.text("defaultValue"));
        match base.record("baseAttr") {
            Some(inner) => base = inner,
            None => break,
        }
    }
    let (value, of) = value(base, module, known, enums)?;
    let presence = match default {
        _ if value.codec == "codec::Unit" => Presence::Default("false".to_owned()),
        None if optional => Presence::Optional,
        None => Presence::Required,
        Some(text) => match literal(text, &value, of.as_ref()) {
            Some(expression) => Presence::Default(expression),
            None => Presence::Optional,
        },
    };
    Ok(Attribute {
        ods: ods.to_owned(),
        name,
        presence,
        is_removable: optional,
        value,
    })
}

/// The Rust value of an attribute, and its enum if it is one: the enum's path and the enum.
fn value(
    record: Record,
    module: &str,
    known: &[AttributeValue],
    enums: &mut Enums,
) -> Result<(AttributeValue, Option<(String, Enum)>), Error> {
    let class = record.text("cppType");
    if let Some(value) = known.iter().find(|value| Some(&value.class[..]) == class) {
        return Ok((value.clone(), None));
    }
    if record.is_a("EnumAttr") {
        let Some(of) = record.record("enum") else {
            return Ok((AttributeValue::any(), None));
        };
        let ordinal = enums.attribute(record, of)?;
        let (path, found) = enums.add(of, module)?;
        let codec = format!("codec::EnumAttribute<{path}, {ordinal}>");
        return Ok((AttributeValue::same(&codec, &path), Some((path, found))));
    }
    if record.is_a("EnumInfo") {
        return enum_value(record, module, enums);
    }
    if record.is_a("TypedArrayAttrBase") {
        let Some(element) = record.record("elementAttr") else {
            return Ok((list(&AttributeValue::any()), None));
        };
        let (element, _) = value(element, module, known, enums)?;
        return Ok((list(&element), None));
    }
    let value = match record.text("storageType").unwrap_or_default() {
        "::mlir::UnitAttr" => AttributeValue::same("codec::Unit", "bool"),
        "::mlir::BoolAttr" => AttributeValue::same("codec::Bool", "bool"),
        "::mlir::IntegerAttr" => match integer_codec(record) {
            Some(codec) if codec == "codec::Bool" => AttributeValue::same(&codec, "bool"),
            Some(codec) => AttributeValue::same(&codec, "i64"),
            None => AttributeValue::any(),
        },
        "::mlir::FloatAttr" => match record.record("valueType").map(|r| r.name()) {
            Some("F32") => AttributeValue::same("codec::Float<32>", "f64"),
            Some("F64") => AttributeValue::same("codec::Float<64>", "f64"),
            _ => AttributeValue::any(),
        },
        "::mlir::StringAttr" => AttributeValue::new("codec::Text", "&'c str", "&str"),
        "::mlir::FlatSymbolRefAttr" => AttributeValue::new("codec::Symbol", "&'c str", "&str"),
        "::mlir::TypeAttr" => AttributeValue::same("codec::OfType", "Type<'c>"),
        "::mlir::DenseI64ArrayAttr" => AttributeValue::new("codec::I64s", "Vec<i64>", "&[i64]"),
        "::mlir::DenseI32ArrayAttr" => AttributeValue::new("codec::I32s", "Vec<i32>", "&[i32]"),
        "::mlir::DenseBoolArrayAttr" => AttributeValue::new("codec::Bools", "Vec<bool>", "&[bool]"),
        "::mlir::AffineMapAttr" => AttributeValue::same("codec::Map", "AffineMap<'c>"),
        "::mlir::ArrayAttr" => list(&AttributeValue::any()),
        _ => AttributeValue::any(),
    };
    Ok((value, None))
}

/// The case of an enum in an integer attribute.
pub(crate) fn enum_value(
    of: Record,
    module: &str,
    enums: &mut Enums,
) -> Result<(AttributeValue, Option<(String, Enum)>), Error> {
    let width = of.number("bitwidth").unwrap_or(32);
    let (path, found) = enums.add(of, module)?;
    let codec = format!("codec::EnumInteger<{path}, {width}>");
    Ok((AttributeValue::same(&codec, &path), Some((path, found))))
}

/// An array of attributes.
fn list(element: &AttributeValue) -> AttributeValue {
    AttributeValue::new(
        &format!("codec::List<{}>", element.codec),
        &format!("Vec<{}>", element.read),
        &format!("&[{}]", element.write),
    )
}

fn integer_codec(record: Record) -> Option<String> {
    let of = record.record("valueType")?;
    if of.name() == "Index" {
        return Some("codec::Index".to_owned());
    }
    let width = of.number("bitwidth")?;
    if of.is_a("SI") {
        Some(format!("codec::Signed<{width}>"))
    } else if of.is_a("UI") {
        Some(format!("codec::Unsigned<{width}>"))
    } else if of.is_a("I") && width == 1 {
        Some("codec::Bool".to_owned())
    } else if of.is_a("I") {
        Some(format!("codec::Signless<{width}>"))
    } else {
        None
    }
}

/// A C++ default as Rust, if it is a literal or a case of an enum.
pub(crate) fn literal(
    text: &str,
    value: &AttributeValue,
    of: Option<&(String, Enum)>,
) -> Option<String> {
    if let Some((path, of)) = of {
        let symbol = text.rsplit("::").next()?;
        let case = of.cases.iter().find(|case| case.symbol == symbol)?;
        return Some(format!("{path}::{}", case.name));
    }
    match &value.read[..] {
        "bool" => matches!(text, "true" | "false").then(|| text.to_owned()),
        "i64" => text.parse::<i64>().ok().map(|number| number.to_string()),
        "f64" => text.parse::<f64>().ok().map(|number| format!("{number:?}")),
        "&'c str" => {
            let inner = text.strip_prefix('"')?.strip_suffix('"')?;
            (!inner.contains(['"', '\\'])).then(|| text.to_owned())
        }
        read if read.starts_with("Vec<") && text == "{}" => Some("Vec::new()".to_owned()),
        "Vec<i64>" | "Vec<i32>" => {
            let list = text.strip_prefix('{')?.strip_suffix('}')?;
            let numbers = list.split(',').map(|number| number.trim().parse());
            let numbers: Vec<i64> = numbers.collect::<Result<_, _>>().ok()?;
            Some(format!("Vec::from({numbers:?})"))
        }
        _ => None,
    }
}
