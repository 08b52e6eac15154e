//! The ODS definition of an op, in the terms of the generated code.

mod attributes;
mod enums;
mod inference;

pub use attributes::{Attribute, AttributeValue, Presence};
pub(crate) use attributes::{enum_value, literal};
pub use enums::{Enum, Enums};
pub use inference::ResultTypes;

use crate::{
    error::Error,
    names::{class, snake},
    records::Record,
    source::Source,
};
use std::collections::HashSet;

/// The number of values of a group of operands or results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    One,
    Optional,
    Variadic,
}

/// The inference of group sizes from the number of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sizing {
    /// At most one group has no fixed size.
    Rest,
    /// All groups without a fixed size have the same.
    Same,
    /// An attribute holds the sizes.
    Segments,
}

/// A group of operands, results, regions or successors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The name in ODS, or a number if it has none.
    pub ods: String,
    /// The Rust name.
    pub name: String,
    pub arity: Arity,
}

/// An argument of an op, in the order of ODS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    Operand(usize),
    Attribute(usize),
}

/// An op.
#[derive(Clone, Debug)]
pub struct Op {
    /// The name with the dialect: `arith.addf`.
    pub name: String,
    /// The name of the type: `AddFOp`.
    pub class: String,
    /// The name of the function: `addf`.
    pub function: String,
    pub summary: String,
    /// More documentation, if it becomes the documentation of the type.
    pub description: String,
    pub arguments: Vec<Argument>,
    pub operands: Vec<Group>,
    pub operand_sizing: Sizing,
    pub attributes: Vec<Attribute>,
    pub results: Vec<Group>,
    pub result_sizing: Sizing,
    pub result_types: ResultTypes,
    pub regions: Vec<Group>,
    pub successors: Vec<Group>,
}

impl Op {
    /// Returns true if the op has exactly one result and no regions, so that its function returns
    /// the value.
    pub fn is_value(&self) -> bool {
        matches!(&self.results[..], [result] if result.arity == Arity::One)
            && self.regions.is_empty()
    }
}

/// The ops of a source.
pub fn ops(source: &Source, known: &[AttributeValue], enums: &mut Enums) -> Result<Vec<Op>, Error> {
    let mut found = Vec::new();
    for record in source.records.instances_of("Op") {
        let name = record.required_text("opName")?;
        let wanted = source.ops.is_none_or(|ops| ops.contains(&name));
        if wanted {
            found.push(op(record, source.module, known, enums)?);
        }
    }
    if let Some(missing) = source.ops.into_iter().flatten().find(|name| {
        !found
            .iter()
            .any(|op| op.name.split_once('.').is_some_and(|(_, op)| op == **name))
    }) {
        return Err(Error(format!(
            "dialect '{}' has no op '{missing}'",
            source.module
        )));
    }
    Ok(found)
}

/// Adds the enum attributes of the dialect that the module is named after.
pub fn enum_codecs(source: &Source, enums: &mut Enums) -> Result<(), Error> {
    for record in source.records.instances_of("EnumAttr") {
        let dialect = record.record("dialect");
        if dialect.and_then(|dialect| dialect.text("name")) == Some(source.module)
            && let Some(of) = record.record("enum")
        {
            enums.codec(record, of, source.module)?;
        }
    }
    Ok(())
}

pub(crate) fn op(
    record: Record,
    module: &str,
    known: &[AttributeValue],
    enums: &mut Enums,
) -> Result<Op, Error> {
    let dialect = record
        .record("opDialect")
        .ok_or_else(|| Error(format!("op '{}' has no dialect", record.name())))?
        .required_text("name")?;
    let op_name = record.required_text("opName")?;
    let traits = flat_traits(record);
    let has = |name: &str| traits.iter().any(|record| record.name() == name);

    let mut names = Names::default();
    let (mut operands, mut attributes, mut arguments) = (Vec::new(), Vec::new(), Vec::new());
    for (index, (constraint, name)) in record.dag("arguments")?.into_iter().enumerate() {
        let constraint = decorated(constraint);
        if constraint.is_a("Attr") {
            let ods = name.ok_or_else(|| Error(format!("'{op_name}': unnamed attribute")))?;
            let attribute = attributes::attribute(
                constraint,
                ods,
                names.unique(snake(ods)),
                module,
                known,
                enums,
            )?;
            arguments.push(Argument::Attribute(attributes.len()));
            attributes.push(attribute);
        } else if constraint.is_a("TypeConstraint") {
            let ods = name.map_or_else(|| format!("operand_{index}"), str::to_owned);
            arguments.push(Argument::Operand(operands.len()));
            operands.push(Group {
                name: names.unique(snake(&ods)),
                ods,
                arity: arity(constraint),
            });
        } else {
            // A property that is not an attribute; it has an attribute of the same name, but of
            // unknown kind.
            let ods = name.ok_or_else(|| Error(format!("'{op_name}': unnamed property")))?;
            arguments.push(Argument::Attribute(attributes.len()));
            attributes.push(Attribute::opaque(ods, names.unique(snake(ods))));
        }
    }
    let mut results = Vec::new();
    let declared = record.dag("results")?;
    for (index, (constraint, name)) in declared.iter().enumerate() {
        let ods = match (name, declared.len()) {
            (Some(name), _) => (*name).to_owned(),
            (None, 1) => "result".to_owned(),
            (None, _) => format!("result_{index}"),
        };
        results.push(Group {
            name: names.unique(snake(&ods)),
            ods,
            arity: arity(decorated(*constraint)),
        });
    }
    let mut groups = |field: &str, default: &str| -> Result<Vec<Group>, Error> {
        let mut groups = Vec::new();
        for (index, (constraint, name)) in record.dag(field)?.into_iter().enumerate() {
            let ods = name.map_or_else(|| format!("{default}_{index}"), str::to_owned);
            let variadic =
                constraint.is_a("VariadicRegion") || constraint.is_a("VariadicSuccessor");
            groups.push(Group {
                name: names.unique(snake(&ods)),
                ods,
                arity: if variadic {
                    Arity::Variadic
                } else {
                    Arity::One
                },
            });
        }
        Ok(groups)
    };
    let regions = groups("regions", "region")?;
    let successors = groups("successors", "successor")?;
    let sizing = |segments: &str, same: &str| {
        if has(segments) {
            Sizing::Segments
        } else if has(same) {
            Sizing::Same
        } else {
            Sizing::Rest
        }
    };
    Ok(Op {
        name: format!("{dialect}.{op_name}"),
        class: class(record.name()).to_owned(),
        function: snake(op_name),
        summary: record.text("summary").unwrap_or_default().to_owned(),
        description: String::new(),
        result_types: inference::result_types(record, &traits)?,
        arguments,
        operands,
        operand_sizing: sizing("AttrSizedOperandSegments", "SameVariadicOperandSize"),
        attributes,
        results,
        result_sizing: sizing("AttrSizedResultSegments", "SameVariadicResultSize"),
        regions,
        successors,
    })
}

/// The unique names of the parts of one op.
#[derive(Default)]
struct Names(HashSet<String>);

impl Names {
    fn unique(&mut self, name: String) -> String {
        let mut unique = name;
        // Every op has `operation` and `build`.
        while matches!(&unique[..], "operation" | "build" | "cast")
            || !self.0.insert(unique.clone())
        {
            unique.push('_');
        }
        unique
    }
}

/// The constraint inside of the decorators for its effects.
pub(crate) fn decorated(constraint: Record) -> Record {
    if constraint.is_a("OpVariable") {
        constraint.record("constraint").unwrap_or(constraint)
    } else {
        constraint
    }
}

fn arity(constraint: Record) -> Arity {
    if constraint.is_a("Variadic") {
        Arity::Variadic
    } else if constraint.is_a("Optional") {
        Arity::Optional
    } else {
        Arity::One
    }
}

/// The traits of an op, with lists of traits flattened.
fn flat_traits(op: Record) -> Vec<Record> {
    let mut flat = Vec::new();
    let mut pending = op.list("traits");
    while let Some(record) = pending.pop() {
        if record.is_a("TraitList") {
            pending.extend(record.list("traits"));
        } else {
            flat.push(record);
        }
    }
    flat
}
