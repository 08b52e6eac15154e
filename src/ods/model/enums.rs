//! Enums of ODS.

use crate::{
    error::Error,
    names::{camel, upper},
    records::Record,
};
use std::collections::BTreeMap;

/// An enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enum {
    /// The Rust name, which equals the name of the C++ class.
    pub name: String,
    pub summary: String,
    /// Whether values are sets of bits.
    pub is_bits: bool,
    pub cases: Vec<Case>,
}

/// A case of an enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The Rust name.
    pub name: String,
    /// The name in C++.
    pub symbol: String,
    /// The name in programs.
    pub text: String,
    pub value: u64,
}

/// An attribute that holds one case and has a separate class.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EnumAttribute {
    pub dialect: String,
    pub attribute_class: String,
    pub enum_class: String,
}

/// The named codec of an enum attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnumCodec {
    pub module: String,
    /// The Rust name: the name of the attribute's C++ class.
    pub name: String,
    /// The Rust path of the enum.
    pub path: String,
    pub ordinal: usize,
}

/// The enums that the ops of all dialects use.
pub struct Enums {
    modules: Vec<String>,
    /// The parent module of the generated modules, or `None` if all code is in one.
    root: Option<String>,
    /// By module and name.
    pub enums: BTreeMap<(String, String), Enum>,
    /// In the order of their first use by ops.
    pub attributes: Vec<EnumAttribute>,
    pub codecs: Vec<EnumCodec>,
}

impl Enums {
    /// No enums yet, of the dialects that have these modules.
    pub fn new<'a>(root: &str, modules: impl Iterator<Item = &'a str>) -> Self {
        Self {
            root: Some(root.to_owned()),
            modules: modules.map(str::to_owned).collect(),
            enums: BTreeMap::new(),
            attributes: Vec::new(),
            codecs: Vec::new(),
        }
    }

    /// No enums, for a dialect whose code is in one module.
    pub fn of_one_module() -> Self {
        Self {
            root: None,
            ..Self::new("", std::iter::empty())
        }
    }

    /// The Rust path of an enum, seen from a module, and the enum.
    pub fn add(&mut self, record: Record, module: &str) -> Result<(String, Enum), Error> {
        let namespace = record.text("cppNamespace").unwrap_or_default();
        // `::mlir::arith` is the module `arith`.
        let home = namespace.rsplit("::").next().unwrap_or_default().to_ascii_lowercase();
        let home = if self.modules.contains(&home) {
            home
        } else {
            module.to_owned()
        };
        let name = record.required_text("className")?.to_owned();
        let found = match self.enums.get(&(home.clone(), name.clone())) {
            Some(found) => found.clone(),
            None => {
                let made = read(record, &name)?;
                self.enums.insert((home.clone(), name.clone()), made.clone());
                made
            }
        };
        let path = match &self.root {
            Some(root) => format!("{root}::{home}::{name}"),
            None => name,
        };
        Ok((path, found))
    }

    /// The ordinal of an attribute of an enum.
    pub fn attribute(&mut self, record: Record, of: Record) -> Result<usize, Error> {
        let dialect = record
            .record("dialect")
            .ok_or_else(|| Error(format!("'{}' has no dialect", record.name())))?;
        let attribute = EnumAttribute {
            dialect: dialect.required_text("name")?.to_owned(),
            // `cppNamespace` may be the enum's.
            attribute_class: record.required_text("cppType")?.to_owned(),
            enum_class: of.required_text("cppType")?.to_owned(),
        };
        let found = self.attributes.iter().position(|had| *had == attribute);
        Ok(found.unwrap_or_else(|| {
            self.attributes.push(attribute);
            self.attributes.len() - 1
        }))
    }

    /// Gives the codec of an enum attribute a name.
    pub fn codec(&mut self, record: Record, of: Record, module: &str) -> Result<(), Error> {
        let ordinal = self.attribute(record, of)?;
        let (path, _) = self.add(of, module)?;
        self.codecs.push(EnumCodec {
            module: module.to_owned(),
            name: record.required_text("cppClassName")?.to_owned(),
            path,
            ordinal,
        });
        Ok(())
    }
}

fn read(record: Record, name: &str) -> Result<Enum, Error> {
    let is_bits = record.is_a("BitEnumBase");
    let mut cases: Vec<Case> = Vec::new();
    for case in record.list("enumerants") {
        let symbol = case.required_text("symbol")?;
        let value = case
            .number("value")
            .ok_or_else(|| Error(format!("case '{symbol}' of '{name}' has no value")))?;
        let value = value as u64;
        if !is_bits && cases.iter().any(|had| had.value == value) {
            continue;
        }
        let mut rust = if is_bits {
            upper(symbol)
        } else {
            camel(symbol)
        };
        while cases.iter().any(|had| had.name == rust) {
            rust.push('_');
        }
        cases.push(Case {
            name: rust,
            symbol: symbol.to_owned(),
            text: case.text("str").unwrap_or(symbol).to_owned(),
            value,
        });
    }
    Ok(Enum {
        name: name.to_owned(),
        summary: record.text("summary").unwrap_or_default().to_owned(),
        is_bits,
        cases,
    })
}
