//! A dialect of ODS, in the terms of `halo_ir::dialect`.
//!
//! The model of an op's typed interface ([`crate::model`]) has the accessors and the builder. This
//! adds the registration of the dialect: constraints, traits, the assembly format, and the hooks
//! that the records require. Rust code is kept as text. Features that a declared dialect does not
//! support are errors at the line of the record.

mod attributes;
mod parametric;
mod predicates;
mod traits;
mod types;

pub use parametric::{Kind, Parametric, ParametricParameter};

use crate::{
    error::Error,
    model::{self, Arity, AttributeValue, Enums, Op, Presence},
    names::class,
    records::{Record, Records},
};

/// A dialect.
#[derive(Debug)]
pub struct Dialect {
    pub name: String,
    pub summary: String,
    pub description: String,
    /// The class of the constant op.
    pub constant: Option<String>,
    pub dependent_dialects: Vec<String>,
    pub ops: Vec<DeclaredOp>,
    pub types: Vec<Parametric>,
    pub attributes: Vec<Parametric>,
}

/// An op.
#[derive(Debug)]
pub struct DeclaredOp {
    pub op: Op,
    /// The constraints, as Rust.
    pub operands: Vec<String>,
    pub results: Vec<String>,
    pub attributes: Vec<String>,
    /// The numbers of blocks, as Rust.
    pub regions: Vec<String>,
    /// Variants of `OpTrait`.
    pub traits: Vec<String>,
    /// Names of ops.
    pub parents: Vec<String>,
    /// The name of an op.
    pub implicit_terminator: Option<String>,
    pub all_types_match: Vec<Vec<String>>,
    pub assembly: Option<String>,
    pub verifies: bool,
    pub folds: bool,
    pub canonicalizes: bool,
    pub infers: bool,
}

/// The context for reading the parts of a dialect.
struct Reader<'r> {
    records: &'r Records,
    dialect: Record<'r>,
    /// The types and attributes of the dialect, with their classes in C++.
    types: Vec<Parametric>,
    attributes: Vec<Parametric>,
    known: Vec<AttributeValue>,
    enums: Enums,
}

/// Reads the dialect of a name, and the enums that it uses.
///
/// # Errors
/// Returns an error if a record needs a feature that declared dialects do not support.
pub fn read(records: &Records, name: &str) -> Result<(Dialect, Enums), Error> {
    let dialects = records.instances_of("Dialect");
    let Some(dialect) = dialects.iter().find(|one| one.text("name") == Some(name)) else {
        return Err(Error(format!("there is no dialect '{name}'")));
    };
    let mut reader = Reader {
        records,
        dialect: *dialect,
        types: Vec::new(),
        attributes: Vec::new(),
        known: Vec::new(),
        enums: Enums::of_one_module(),
    };
    reader.read_parametric()?;
    let mut ops = Vec::new();
    for record in records.instances_of("Op") {
        if reader.is_ours(record.record("opDialect")) {
            ops.push(reader.op(record)?);
        }
    }
    let read = Dialect {
        name: name.to_owned(),
        summary: dialect.text("summary").unwrap_or_default().to_owned(),
        description: dialect.source("description"),
        constant: reader.constant(&ops)?,
        dependent_dialects: reader.dependent_dialects()?,
        ops,
        types: reader.types,
        attributes: reader.attributes,
    };
    Ok((read, reader.enums))
}

impl<'r> Reader<'r> {
    fn is_ours(&self, dialect: Option<Record>) -> bool {
        dialect.is_some_and(|dialect| dialect.name() == self.dialect.name())
    }

    fn constant(&self, ops: &[DeclaredOp]) -> Result<Option<String>, Error> {
        if !self.dialect.flag("hasConstantMaterializer") {
            return Ok(None);
        }
        let mut constants =
            ops.iter().filter(|op| op.traits.iter().any(|name| name == "ConstantLike"));
        match (constants.next(), constants.next()) {
            (Some(op), None) => Ok(Some(op.op.class.clone())),
            _ => Err(self.dialect.error(
                "the dialect has a constant materializer, but not one op with the trait \
                 'ConstantLike'",
            )),
        }
    }

    /// `::mlir::arith::ArithDialect` is `arith`, as its namespace.
    fn dependent_dialects(&self) -> Result<Vec<String>, Error> {
        let classes = self.dialect.texts("dependentDialects").into_iter();
        classes
            .map(|class| {
                let mut parts = class.rsplit("::").skip(1);
                match parts.next() {
                    Some(name) if !matches!(name, "" | "mlir") => Ok(name.to_ascii_lowercase()),
                    _ => Err(self.dialect.error(format_args!(
                        "the name of the dependent dialect '{class}' does not follow from its \
                         namespace"
                    ))),
                }
            })
            .collect()
    }

    fn op(&mut self, record: Record<'r>) -> Result<DeclaredOp, Error> {
        let at = |error: Error| match record.location() {
            Some(place) => Error(format!("{place}: error: {error}")),
            None => error,
        };
        let module = self.dialect.required_text("name")?;
        let mut op = model::op(record, module, &self.known, &mut self.enums).map_err(at)?;
        op.description = record.source("description");
        let subject = format!("op '{}'", op.name);
        let refuse = |what: &str| Err(record.error(format_args!("{subject} {what}")));
        if record.flag("hasCustomAssemblyFormat") {
            return refuse("has an assembly format in C++, which a declared op cannot have");
        }
        if record.flag("hasRegionVerifier") {
            return refuse("has a verifier of its regions, which a declared op does not have");
        }
        let traits = traits::read(record, &subject)?;
        let (operands, mut effects) = self.groups(record, "arguments", &subject)?;
        let (results, of_results) = self.groups(record, "results", &subject)?;
        effects.extend(of_results);
        let attributes = self.attributes(record, &mut op, &subject)?;
        let mut regions = Vec::new();
        for (constraint, name) in record.dag("regions")? {
            let name = name.unwrap_or_default();
            let about = format!("{subject} has a region '{name}'");
            regions.push(
                types::blocks(constraint).ok_or_else(|| {
                    record.error(format_args!("{about} with a constraint in C++"))
                })?,
            );
        }
        for (constraint, _) in record.dag("successors")? {
            if constraint.record("predicate").is_some() {
                return refuse("has a constraint of a successor in C++");
            }
        }
        let mut names = traits.names;
        for effect in effects {
            if !names.contains(&effect) {
                names.push(effect);
            }
        }
        let is_constant = names.iter().any(|name| name == "ConstantLike");
        self.check_sizes(record, &op, &subject)?;
        Ok(DeclaredOp {
            operands,
            results,
            attributes,
            regions,
            parents: self.names_of(record, &traits.parents, "the parent", &subject)?,
            implicit_terminator: {
                let class: Vec<String> = traits.implicit_terminator.into_iter().collect();
                let name = self.names_of(record, &class, "the terminator", &subject)?;
                name.into_iter().next()
            },
            all_types_match: traits.all_types_match,
            traits: names,
            assembly: self.assembly(record, &subject)?,
            verifies: record.flag("hasVerifier"),
            // A constant folds to its value.
            folds: record.flag("hasFolder") && !is_constant,
            canonicalizes: record.flag("hasCanonicalizer") || record.flag("hasCanonicalizeMethod"),
            infers: traits.infers,
            op,
        })
    }

    /// Checks that the op has segment sizes exactly if they cannot be inferred.
    fn check_sizes(&self, record: Record, op: &Op, subject: &str) -> Result<(), Error> {
        for (groups, sizing, what) in [
            (&op.operands, op.operand_sizing, "operands"),
            (&op.results, op.result_sizing, "results"),
        ] {
            let open = groups.iter().filter(|group| group.arity != Arity::One);
            let needs = open.count() > 1;
            if needs != (sizing == model::Sizing::Segments) {
                return Err(record.error(format_args!(
                    "{subject} must have an attribute of the sizes of its groups of {what} \
                     exactly if more than one has any number of values"
                )));
            }
        }
        Ok(())
    }

    /// The names of the ops with the given C++ classes.
    fn names_of(
        &self,
        record: Record,
        classes: &[String],
        what: &str,
        subject: &str,
    ) -> Result<Vec<String>, Error> {
        let ops = self.records.instances_of("Op");
        let name_of = |path: &String| {
            let (namespace, name) = path.rsplit_once("::").unwrap_or(("", path));
            let found = ops.iter().find(|op| {
                let space = op.text("cppNamespace").unwrap_or_default();
                let is_in = match namespace {
                    "" => self.is_ours(op.record("opDialect")),
                    _ => space.ends_with(namespace.trim_start_matches("::")),
                };
                class(op.name()) == name && is_in
            });
            let dialect = found.and_then(|op| op.record("opDialect")?.text("name"));
            match (dialect, found.and_then(|op| op.text("opName"))) {
                (Some(dialect), Some(op)) => Ok(format!("{dialect}.{op}")),
                _ => Err(record.error(format_args!(
                    "{subject} has {what} '{path}', which is not an op of the included files"
                ))),
            }
        };
        classes.iter().map(name_of).collect()
    }

    /// The assembly format, if a declared op supports it.
    fn assembly(&self, record: Record, subject: &str) -> Result<Option<String>, Error> {
        const MISSING: [&str; 8] = [
            "custom",
            "oilist",
            "prop-dict",
            "qualified",
            "ref",
            "regions",
            "struct",
            "successors",
        ];
        let Some(text) = record.text("assemblyFormat") else {
            return Ok(None);
        };
        // Between back quotes are literals.
        for (index, part) in text.split('`').enumerate() {
            if index % 2 == 1 {
                if part == "\\n" {
                    return Err(record.error(format_args!(
                        "{subject} has an end of line in its assembly format, which a declared \
                         op cannot have"
                    )));
                }
                continue;
            }
            let is_of_word =
                |letter: char| letter.is_ascii_alphanumeric() || "_-$".contains(letter);
            let mut words = part.split(|letter| !is_of_word(letter));
            if let Some(word) = words.find(|word| MISSING.contains(word)) {
                return Err(record.error(format_args!(
                    "{subject} has '{word}' in its assembly format, which a declared op cannot \
                     have"
                )));
            }
        }
        Ok(Some(text.split_whitespace().collect::<Vec<_>>().join(" ")))
    }

    /// The constraints of operands or results, and the effects that they are decorated with.
    fn groups(
        &self,
        record: Record<'r>,
        field: &str,
        subject: &str,
    ) -> Result<(Vec<String>, Vec<String>), Error> {
        let (mut found, mut effects) = (Vec::new(), Vec::new());
        for (variable, name) in record.dag(field)? {
            let constraint = model::decorated(variable);
            if !constraint.is_a("TypeConstraint") || constraint.is_a("Attr") {
                continue;
            }
            let what = if field == "results" {
                "result"
            } else {
                "operand"
            };
            let about = format!("{subject} has {what} '{}'", name.unwrap_or(what));
            found.push(self.type_constraint(record, constraint, &about)?);
            for decorator in variable.list("decorators") {
                effects.push(traits::effect(decorator).ok_or_else(|| {
                    record.error(format_args!(
                        "{about} with an effect that is not one of memory"
                    ))
                })?);
            }
        }
        Ok((found, effects))
    }

    /// The declarations of the attributes, in Rust. Properties, which have only a name in the
    /// model, get their types.
    fn attributes(
        &mut self,
        record: Record<'r>,
        op: &mut Op,
        subject: &str,
    ) -> Result<Vec<String>, Error> {
        let mut found = Vec::new();
        for (variable, _) in record.dag("arguments")? {
            let constraint = model::decorated(variable);
            if constraint.is_a("TypeConstraint") && !constraint.is_a("Attr") {
                continue;
            }
            let attribute = &mut op.attributes[found.len()];
            let about = format!("{subject} has attribute '{}'", attribute.ods);
            if !constraint.is_a("Attr") {
                let of = self.property(constraint).ok_or_else(|| {
                    record.error(format_args!(
                        "{about} of a kind of property that has no Rust type"
                    ))
                })?;
                (attribute.value, attribute.presence) = of;
            } else if let Some(text) = attributes::default_of(constraint)
                && attribute.value.codec != "codec::Unit"
                && !matches!(attribute.presence, Presence::Default(_))
            {
                // The model does not resolve the enum of an attribute of the dialect.
                let of = attributes::base_of(constraint).record("enum");
                let of = of.and_then(|of| self.enums.add(of, self.dialect.text("name")?).ok());
                let value = model::literal(text, &attribute.value, of.as_ref());
                attribute.presence = Presence::Default(value.ok_or_else(|| {
                    record.error(format_args!(
                        "{about} with the default `{text}`, which is C++ and not a literal"
                    ))
                })?);
            }
            let kind = self.attribute_constraint(record, constraint, attribute, &about)?;
            found.push(attributes::declaration(attribute, &kind));
        }
        Ok(found)
    }
}
