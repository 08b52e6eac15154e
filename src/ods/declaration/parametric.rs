//! Types and attributes with parameters.

use super::Reader;
use crate::{
    error::Error,
    model::AttributeValue,
    names::snake,
    records::{Parameter, Record},
};

/// A type or an attribute.
#[derive(Clone, Debug)]
pub struct Parametric {
    /// The name of the record.
    pub record: String,
    /// The name with the dialect.
    pub name: String,
    /// The name of the Rust type, which equals the name of the C++ class.
    pub class: String,
    /// The C++ class with its namespace.
    pub path: String,
    pub summary: String,
    pub description: String,
    pub parameters: Vec<ParametricParameter>,
    pub assembly: Option<String>,
    pub verifies: bool,
    /// The Rust type of the only parameter, if the attribute holds the case of an enum.
    pub case: Option<String>,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct ParametricParameter {
    /// The name in ODS.
    pub ods: String,
    /// The name in Rust.
    pub name: String,
    pub kind: Kind,
}

/// The kind of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Integer,
    Text,
    Type,
    Attribute,
    /// A case of the enum with this Rust path.
    Case(String),
}

impl<'r> Reader<'r> {
    /// Reads the types and attributes of the dialect.
    pub(super) fn read_parametric(&mut self) -> Result<(), Error> {
        for record in self.records.instances_of("TypeDef") {
            if self.is_ours(record.record("dialect")) {
                let read = self.parametric(record, "type")?;
                self.types.push(read);
            }
        }
        for record in self.records.instances_of("AttrDef") {
            if self.is_ours(record.record("dialect")) {
                let mut read = self.parametric(record, "attribute")?;
                if let [only] = &read.parameters[..]
                    && let Kind::Case(path) = &only.kind
                    && record.is_a("EnumAttr")
                {
                    read.case = Some(path.clone());
                }
                let class = &read.class;
                let (codec, value) = match &read.case {
                    Some(path) => (class.clone(), path.clone()),
                    None => (format!("{class}<'static>"), format!("{class}<'c>")),
                };
                self.known.push(AttributeValue {
                    class: record.text("cppType").unwrap_or_default().to_owned(),
                    codec,
                    read: value.clone(),
                    write: value,
                });
                self.attributes.push(read);
            }
        }
        Ok(())
    }

    fn parametric(&mut self, record: Record<'r>, what: &str) -> Result<Parametric, Error> {
        let dialect = self.dialect.required_text("name")?;
        let class = record.required_text("cppClassName")?;
        let subject = format!("{what} '{}'", record.name());
        let refuse = |what: &str| Err(record.error(format_args!("{subject} {what}")));
        let Some(mnemonic) = record.text("mnemonic") else {
            return refuse("has no mnemonic");
        };
        if record.flag("hasCustomAssemblyFormat") {
            return refuse("has an assembly format in C++, which a declared dialect cannot have");
        }
        if !record.list("traits").is_empty() {
            return refuse("has traits, which a declared dialect does not have");
        }
        let mut parameters = Vec::new();
        for (parameter, name) in record.parameters("parameters") {
            let Some(kind) = self.kind(parameter) else {
                return refuse(&format!(
                    "has a parameter '{name}' of a kind that a declared dialect does not have"
                ));
            };
            parameters.push(ParametricParameter {
                ods: name.to_owned(),
                name: match snake(name) {
                    // Every type and attribute has these.
                    taken if matches!(&taken[..], "get" | "cast" | "type" | "attribute") => {
                        format!("{taken}_")
                    }
                    free => free,
                },
                kind,
            });
        }
        let assembly = record.text("assemblyFormat");
        if assembly.is_some_and(|text| text.contains("struct(")) {
            return refuse("has 'struct' in its assembly format, which cannot be declared");
        }
        // `params` contains all of them.
        let all: Vec<String> = parameters.iter().map(|one| format!("${}", one.ods)).collect();
        let assembly = assembly.map(|text| {
            if text.contains("params") {
                text.replace("params", &all.join(" `,` "))
            } else {
                text.to_owned()
            }
        });
        let namespace = record.text("cppNamespace").or(self.dialect.text("cppNamespace"));
        let namespace = namespace.unwrap_or_default().trim_start_matches("::");
        Ok(Parametric {
            record: record.name().to_owned(),
            name: format!("{dialect}.{mnemonic}"),
            class: class.to_owned(),
            path: format!("{namespace}::{class}"),
            summary: record.text("summary").unwrap_or_default().to_owned(),
            description: record.source("description"),
            parameters,
            assembly,
            verifies: record.flag("genVerifyDecl"),
            case: None,
        })
    }

    fn kind(&mut self, parameter: Parameter) -> Option<Kind> {
        let class = match parameter {
            Parameter::Class(class) => class,
            Parameter::Record(record) if record.is_a("EnumParameter") => {
                let path = record.text("cppType")?;
                let enums = self.records.instances_of("EnumInfo");
                let of = enums.into_iter().find(|one| {
                    let namespace = one.text("cppNamespace").unwrap_or_default();
                    let name = one.text("className").unwrap_or_default();
                    path == format!("{namespace}::{name}") && !one.is_a("BitEnumBase")
                })?;
                let (path, _) = self.enums.add(of, self.dialect.text("name")?).ok()?;
                return Some(Kind::Case(path));
            }
            Parameter::Record(record) if record.is_a("StringRefParameter") => {
                return Some(Kind::Text);
            }
            // Optional parameters and lists have a separate syntax.
            Parameter::Record(record) if record.is_a("TypeParameter") => record.text("cppType")?,
            Parameter::Record(_) => return None,
        };
        match class.trim_start_matches("::").trim_start_matches("mlir::") {
            "int" | "int32_t" | "int64_t" | "unsigned" | "uint32_t" | "uint64_t" | "size_t" => {
                Some(Kind::Integer)
            }
            "Type" => Some(Kind::Type),
            "Attribute" => Some(Kind::Attribute),
            "std::string" | "StringRef" | "llvm::StringRef" => Some(Kind::Text),
            _ => None,
        }
    }
}
