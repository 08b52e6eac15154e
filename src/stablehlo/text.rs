//! The text of programs.
//!
//! Elementwise ops and constants are printed in StableHLO's short syntax, all others in MLIR's
//! generic one, which every reader of MLIR accepts.

use crate::{
    cases::case_name,
    elements::{decimal, element_text, elements, integer, integers, join, type_text},
};
use halo_vhlo::{
    Attribute, AttributeId, Block, Module, OpKind, Operation, Type, TypeId, ValueId,
    attribute::Enumeration,
    stablehlo::{Encoding, Structure, defaults, encoding, left_out_together, structures},
};
use std::fmt::Write as _;

/// The module has something that StableHLO's text lacks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} cannot be printed as StableHLO")]
pub struct TextError(pub String);

/// The text of a module, in the syntax of StableHLO. Locations are left out.
///
/// # Errors
/// Returns an error for ops of Shardy, and for attributes of MLIR itself other than plain ones.
pub fn to_text(module: &Module) -> Result<String, TextError> {
    let mut module = module.clone();
    module.upgrade();
    let mut printer = Printer {
        module: &module,
        text: String::new(),
    };
    printer.text.push_str("module {\n");
    for operation in operations(&module.root) {
        printer.function(operation)?;
    }
    printer.text.push_str("}\n");
    Ok(printer.text)
}

fn operations(operation: &Operation) -> impl Iterator<Item = &Operation> {
    let blocks = operation.regions.iter().flat_map(|region| &region.blocks);
    blocks.flat_map(|block| &block.operations)
}

struct Printer<'m> {
    module: &'m Module,
    text: String,
}

/// The name of an op without its dialect and version.
fn family(operation: &Operation) -> Result<&'static str, TextError> {
    match operation.kind {
        OpKind::Vhlo(definition) => Ok(definition.family()),
        OpKind::Module => Err(TextError("a nested module".to_owned())),
        OpKind::Cast | OpKind::Shardy(_) => Err(TextError("an op of Shardy".to_owned())),
    }
}

/// Ops with a short syntax if all operands and results have one type.
fn has_short_syntax(family: &str) -> bool {
    crate::kinds::is_elementwise(family)
}

fn value(id: ValueId) -> String {
    format!("%{}", id.0)
}

impl Printer<'_> {
    fn ty(&self, id: TypeId) -> String {
        type_text(&self.module.types, &self.module.attributes, id)
    }

    fn type_of(&self, id: ValueId) -> String {
        self.ty(self.module.type_of(id))
    }

    fn string(&self, operation: &Operation, name: &str) -> String {
        let attribute = operation.attribute(name);
        let bytes = attribute.and_then(|id| self.module.attributes.string(id));
        bytes.map_or_else(String::new, |bytes| {
            String::from_utf8_lossy(bytes).into_owned()
        })
    }

    fn dictionaries(
        &self,
        operation: &Operation,
        name: &str,
        count: usize,
    ) -> Result<Vec<String>, TextError> {
        let attributes = &self.module.attributes;
        let list = match operation.attribute(name).map(|id| attributes.get(id)) {
            Some(Attribute::Array(list)) => &list[..],
            _ => &[],
        };
        (0..count)
            .map(
                |index| match list.get(index).map(|id| attributes.get(*id)) {
                    Some(Attribute::Dictionary(entries)) if !entries.is_empty() => {
                        Ok(format!(" {}", self.dictionary(entries)?))
                    }
                    _ => Ok(String::new()),
                },
            )
            .collect()
    }

    fn function(&mut self, function: &Operation) -> Result<(), TextError> {
        let blocks = function.regions.iter().flat_map(|region| &region.blocks);
        let (Ok("func"), [block]) = (family(function), &blocks.collect::<Vec<_>>()[..]) else {
            return Err(TextError(
                "a module with other ops than functions".to_owned(),
            ));
        };
        let results = match function.attribute("function_type") {
            Some(id) => match self.module.attributes.get(id) {
                Attribute::Type(ty) => match self.module.types.get(*ty) {
                    Type::Function { outputs, .. } => outputs.clone(),
                    _ => Vec::new(),
                },
                _ => Vec::new(),
            },
            None => Vec::new(),
        };
        let arguments = self.dictionaries(function, "arg_attrs", block.arguments.len())?;
        let arguments = join(
            block.arguments.iter().zip(arguments),
            |((id, _), attributes)| format!("{}: {}{attributes}", value(*id), self.type_of(*id)),
        );
        let attributes = self.dictionaries(function, "res_attrs", results.len())?;
        let results = join(results.iter().zip(attributes), |(ty, attributes)| {
            format!("{}{attributes}", self.ty(*ty))
        });
        let name = symbol(&self.string(function, "sym_name"));
        let visibility = match &*self.string(function, "sym_visibility") {
            "" => String::new(),
            visibility => format!("{visibility} "),
        };
        let own = [
            "arg_attrs",
            "res_attrs",
            "function_type",
            "sym_name",
            "sym_visibility",
        ];
        let attributes = self.attributes(function, "func", &own)?;
        let attributes = match &*attributes {
            "" => String::new(),
            attributes => format!(" attributes {{{attributes}}}"),
        };
        let arrow = if results.is_empty() {
            String::new()
        } else {
            format!(" -> ({results})")
        };
        let head = format!("  func.func {visibility}{name}({arguments}){arrow}{attributes} {{\n");
        self.text.push_str(&head);
        self.block(block, 2, "return")?;
        self.text.push_str("  }\n");
        Ok(())
    }

    fn block(&mut self, block: &Block, depth: usize, terminator: &str) -> Result<(), TextError> {
        for operation in &block.operations {
            self.operation(operation, depth, terminator)?;
        }
        Ok(())
    }

    fn operation(
        &mut self,
        operation: &Operation,
        depth: usize,
        terminator: &str,
    ) -> Result<(), TextError> {
        let family = family(operation)?;
        let indent = "  ".repeat(depth);
        let operands = join(&operation.operands, |id| value(*id));
        let types = join(&operation.operands, |id| self.type_of(*id));
        self.text.push_str(&indent);
        if family == "return" {
            let types = if types.is_empty() {
                String::new()
            } else {
                format!(" {operands} : {types}")
            };
            _ = writeln!(self.text, "{terminator}{types}");
            return Ok(());
        }
        if !operation.results.is_empty() {
            let results = join(&operation.results, |id| value(*id));
            _ = write!(self.text, "{results} = ");
        }
        let all = || operation.operands.iter().chain(&operation.results);
        let first = all().next().map(|id| self.module.type_of(*id));
        let is_uniform = all().all(|id| Some(self.module.type_of(*id)) == first);
        let attributes = self.attributes(operation, family, &[])?;
        if family == "constant"
            && let Some(value) = operation.attribute("value")
            && attributes.starts_with("value = ")
            && operation.attributes.len() == 1
            && operation.results.iter().all(|id| {
                matches!(self.module.attributes.get(value), Attribute::Tensor { ty, .. }
                    if *ty == self.module.type_of(*id))
            })
        {
            let value = self.attribute(value)?;
            _ = writeln!(self.text, "stablehlo.constant {value}");
            return Ok(());
        }
        if is_uniform && attributes.is_empty() && has_short_syntax(family) {
            let ty = first.map_or_else(String::new, |ty| self.ty(ty));
            _ = writeln!(self.text, "stablehlo.{family} {operands} : {ty}");
            return Ok(());
        }
        let dialect = if family == "call" {
            "func"
        } else {
            "stablehlo"
        };
        _ = write!(self.text, "\"{dialect}.{family}\"({operands})");
        if !operation.regions.is_empty() {
            self.text.push_str(" (");
            for (index, region) in operation.regions.iter().enumerate() {
                self.text.push_str(if index == 0 { "{\n" } else { ", {\n" });
                for block in &region.blocks {
                    if !block.arguments.is_empty() {
                        let arguments = join(&block.arguments, |(id, _)| {
                            format!("{}: {}", value(*id), self.type_of(*id))
                        });
                        _ = writeln!(self.text, "{indent}^bb0({arguments}):");
                    }
                    self.block(block, depth + 1, "stablehlo.return")?;
                }
                _ = write!(self.text, "{indent}}}");
            }
            self.text.push(')');
        }
        if !attributes.is_empty() {
            _ = write!(self.text, " {{{attributes}}}");
        }
        let results = join(&operation.results, |id| self.type_of(*id));
        _ = writeln!(self.text, " : ({types}) -> ({results})");
        Ok(())
    }

    /// The attributes of an op of StableHLO without defaults and `own` ones.
    fn attributes(
        &self,
        operation: &Operation,
        family: &str,
        own: &[&str],
    ) -> Result<String, TextError> {
        let mut texts = Vec::new();
        let structures = structures(family);
        for (name, structure) in structures {
            if let Some(text) = self.structure(operation, *structure) {
                texts.push(format!("{name} = {text}"));
            }
        }
        let (attributes, defaults) = (&self.module.attributes, defaults(family));
        let is_default = |name: &str, id| {
            let mut entries = defaults.iter().filter(|entry| entry.0 == name);
            entries.any(|(_, default)| default.is(id, attributes))
        };
        // Attributes that are present together although one has its default.
        let joined = left_out_together(family).filter(|names| {
            let mut ids = names.iter().map(|name| (name, operation.attribute(name)));
            ids.any(|(name, id)| id.is_some_and(|id| !is_default(name, id)))
        });
        for (name, id) in &operation.attributes {
            let name = std::str::from_utf8(name);
            let name = name.map_err(|_| TextError("a name that is not UTF-8".to_owned()))?;
            if own.contains(&name)
                || is_default(name, *id) && joined.is_none_or(|joined| !joined.contains(&name))
                || structures.iter().any(|(_, structure)| structure.parts().contains(&name))
            {
                continue;
            }
            if let Some(text) = self.encoded(*id, encoding(family, name))? {
                texts.push(format!("{name} = {text}"));
            }
        }
        Ok(texts.join(", "))
    }

    /// An attribute in the encoding of StableHLO; `None` if its absence has the same meaning.
    fn encoded(&self, id: AttributeId, encoding: Encoding) -> Result<Option<String>, TextError> {
        let attributes = &self.module.attributes;
        let name = |id| {
            let bytes = attributes.string(id).map_or(&[][..], |bytes| &bytes[..]);
            symbol(&String::from_utf8_lossy(bytes))
        };
        Ok(Some(match (encoding, attributes.get(id)) {
            (Encoding::Integers, Attribute::Tensor { .. }) => {
                array("i64", &integers(self.module, id).unwrap_or_default().1)
            }
            (Encoding::Booleans, Attribute::Tensor { .. }) => {
                let values = integers(self.module, id).unwrap_or_default().1;
                array(
                    "i1",
                    &values.iter().map(|value| *value != 0).collect::<Vec<_>>(),
                )
            }
            (Encoding::Symbol, _) => name(id),
            (Encoding::Symbols, Attribute::Array(entries)) => {
                format!("[{}]", join(entries, |entry| name(*entry)))
            }
            (Encoding::Unit, Attribute::Boolean(value)) => {
                return Ok(value.then(|| "unit".to_owned()));
            }
            (Encoding::ApiVersion, Attribute::Enumeration(_, version)) => {
                format!("{version} : i32")
            }
            _ => self.attribute(id)?,
        }))
    }

    fn dictionary(&self, entries: &[(AttributeId, AttributeId)]) -> Result<String, TextError> {
        let mut texts = Vec::new();
        for (name, value) in entries {
            let name = self.module.attributes.string(*name).cloned().unwrap_or_default();
            texts.push(format!("{} = {}", quoted(&name), self.attribute(*value)?));
        }
        Ok(format!("{{{}}}", texts.join(", ")))
    }

    fn attribute(&self, id: AttributeId) -> Result<String, TextError> {
        let module = self.module;
        Ok(match module.attributes.get(id) {
            Attribute::Array(entries) => {
                let texts: Result<Vec<_>, _> =
                    entries.iter().map(|entry| self.attribute(*entry)).collect();
                format!("[{}]", texts?.join(", "))
            }
            Attribute::Boolean(value) => value.to_string(),
            Attribute::Enumeration(kind, case) => {
                let name = match kind {
                    Enumeration::ComparisonDirection => "comparison_direction",
                    Enumeration::ComparisonType => "comparison_type",
                    Enumeration::CustomCallApiVersion => return Ok(format!("{case} : i32")),
                    Enumeration::FftType => "fft_type",
                    Enumeration::Precision => "precision",
                    Enumeration::ResultAccuracyMode => "result_accuracy_mode",
                    Enumeration::RngAlgorithm => "rng_algorithm",
                    Enumeration::RngDistribution => "rng_distribution",
                    Enumeration::Transpose => "transpose",
                };
                format!(
                    "#stablehlo<{name} {}>",
                    case_name(*kind, *case).unwrap_or_default()
                )
            }
            Attribute::Dictionary(entries) => self.dictionary(entries)?,
            Attribute::Float { ty, bits } => {
                let text = element_text(module, *ty, &bits.to_le_bytes());
                format!("{text} : {}", self.ty(*ty))
            }
            Attribute::Integer { ty, bits } => {
                let text = element_text(module, *ty, &bits.to_le_bytes());
                format!("{text} : {}", self.ty(*ty))
            }
            Attribute::OutputOperandAlias {
                output_tuple_indices,
                operand_index,
                operand_tuple_indices,
            } => format!(
                "#stablehlo.output_operand_alias<output_tuple_indices = {output_tuple_indices:?}, \
                 operand_index = {operand_index}, operand_tuple_indices = \
                 {operand_tuple_indices:?}>"
            ),
            Attribute::String(bytes) => quoted(bytes),
            Attribute::Tensor { ty, data } => {
                format!("{} : {}", elements(module, *ty, data), self.ty(*ty))
            }
            Attribute::Type(ty) => self.ty(*ty),
            Attribute::ResultAccuracy {
                atol,
                rtol,
                ulps,
                mode,
            } => {
                let number = |bits: &u64| decimal(f64::from_bits(*bits));
                let mode = match module.attributes.get(*mode) {
                    Attribute::Enumeration(kind, case) => case_name(*kind, *case),
                    _ => None,
                };
                format!(
                    "#stablehlo.result_accuracy<atol = {}, rtol = {}, ulps = {ulps}, mode = \
                     #stablehlo.result_accuracy_mode<{}>>",
                    number(atol),
                    number(rtol),
                    mode.unwrap_or("DEFAULT")
                )
            }
            Attribute::Text { text, .. } => String::from_utf8_lossy(text).into_owned(),
            other => {
                let name = format!("{other:?}");
                let name = name.split([' ', '(', '{']).next().unwrap_or_default();
                return Err(TextError(format!("the attribute {name}")));
            }
        })
    }

    /// A structure of StableHLO; `None` if its parts mean its absence.
    fn structure(&self, operation: &Operation, structure: Structure) -> Option<String> {
        let module = self.module;
        let part = |name: &str| operation.attribute(name);
        let number = |name: &str| integer(module, part(name)?);
        let fields = || {
            join(structure.parts(), |name| {
                let list = part(name).and_then(|id| integers(module, id));
                match list {
                    Some((_, list)) => format!("{name} = {list:?}"),
                    None => format!("{name} = {}", number(name).unwrap_or_default()),
                }
            })
        };
        Some(match structure {
            Structure::Channel => match number("channel_id")? {
                0 => return None,
                handle => format!("#stablehlo.channel_handle<handle = {handle}, type = 0>"),
            },
            Structure::ChannelWithType => format!(
                "#stablehlo.channel_handle<handle = {}, type = {}>",
                number("channel_id")?,
                number("channel_type")?
            ),
            Structure::ConvDimensionNumbers => format!("#stablehlo.conv<raw {}>", fields()),
            Structure::DotDimensionNumbers => format!("#stablehlo.dot<{}>", fields()),
            Structure::GatherDimensionNumbers => format!("#stablehlo.gather<{}>", fields()),
            Structure::ScatterDimensionNumbers => format!("#stablehlo.scatter<{}>", fields()),
            Structure::DotAlgorithm => {
                let ty = |name: &str| match module.attributes.get(part(name)?) {
                    Attribute::Type(ty) if *module.types.get(*ty) != Type::None => {
                        Some(self.ty(*ty))
                    }
                    _ => None,
                };
                let is_imprecise =
                    match module.attributes.get(part("allow_imprecise_accumulation")?) {
                        Attribute::Boolean(value) => *value,
                        _ => false,
                    };
                format!(
                    "#stablehlo.dot_algorithm<lhs_precision_type = {}, rhs_precision_type = {}, \
                     accumulation_type = {}, lhs_component_count = {}, rhs_component_count = {}, \
                     num_primitive_operations = {}, allow_imprecise_accumulation = \
                     {is_imprecise}>",
                    ty("lhs_precision_type")?,
                    ty("rhs_precision_type")?,
                    ty("accumulation_type")?,
                    number("lhs_component_count")?,
                    number("rhs_component_count")?,
                    number("num_primitive_operations")?
                )
            }
        })
    }
}

fn array<T: ToString>(element: &str, values: &[T]) -> String {
    if values.is_empty() {
        return format!("array<{element}>");
    }
    format!(
        "array<{element}: {}>",
        join(values, |value| value.to_string())
    )
}

fn symbol(name: &str) -> String {
    let is_plain = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '$' | '.'));
    if is_plain {
        format!("@{name}")
    } else {
        format!("@{}", quoted(name.as_bytes()))
    }
}

fn quoted(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for byte in bytes {
        match byte {
            b'"' | b'\\' => {
                text.push('\\');
                text.push(char::from(*byte));
            }
            b' '..=b'~' => text.push(char::from(*byte)),
            _ => _ = write!(text, "\\{byte:02X}"),
        }
    }
    text.push('"');
    text
}
