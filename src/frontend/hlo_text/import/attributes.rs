//! Attributes of HLO text as discardable attributes of MLIR, for attributes without a counterpart
//! in the op.
//!
//! Numbers, Booleans and lists of them keep their type; words and strings are strings; computations
//! are symbols. A value with its own grammar (a window, a sharding, a layout) is a string of that
//! grammar.

use super::{
    failure::Failure,
    importer::Importer,
    instruction::Instruction,
    replica_groups,
    types::{has_custom_layout, minor_to_major},
    values::{Tree, tuple_elements},
};
use halo_hlo_text::{Alias, AliasKind, ArrayShape, Constant, Layout, Shape, Value};
use halo_ir::{
    diagnostics::with_diagnostics,
    limits,
    prelude::*,
    stablehlo::{attributes::CustomCallApiVersion, types::is_token},
};
use melior::{Context, ir::attribute::FlatSymbolRefAttribute};

impl<'m> Importer<'m> {
    pub fn string(&self, text: &str) -> Attribute<'m> {
        halo_ir::string_attribute(self.context, text)
    }

    pub fn symbol(&self, name: &str) -> Attribute<'m> {
        FlatSymbolRefAttribute::new(self.context, name).into()
    }

    pub fn array(&self, values: impl IntoIterator<Item = Attribute<'m>>) -> Attribute<'m> {
        let values: Vec<_> = values.into_iter().collect();
        halo_ir::array_attribute(self.context, &values)
    }

    /// The attribute that a value is kept as.
    pub fn attribute(&self, value: &'m Value) -> Result<Attribute<'m>, Failure> {
        let list = |values: &[i64]| halo_ir::i64_array_attribute(self.context, values);
        let float = || melior::ir::Type::float64(self.context);
        Ok(match value {
            Value::Bool(value) => halo_ir::bool_attribute(self.context, *value),
            Value::Integer(value) => self.integer_attribute(64, *value),
            Value::Float(value) => halo_ir::float_attribute(float(), *value),
            Value::Word(text) | Value::String(text) => self.string(text),
            Value::Integers(values) => list(values),
            Value::IntegerLists(lists) => self.array(lists.iter().map(|values| list(values))),
            Value::Bools(values) => {
                let values = values.iter();
                self.array(values.map(|value| halo_ir::bool_attribute(self.context, *value)))
            }
            Value::Words(words) | Value::Instructions(words) => {
                self.array(words.iter().map(|word| self.string(word)))
            }
            Value::Computation(name) => self.symbol(&self.function(self.computation(name)?)),
            Value::Computations(names) => {
                let symbol = |name: &String| -> Result<_, Failure> {
                    Ok(self.symbol(&self.function(self.computation(name)?)))
                };
                self.array(names.iter().map(symbol).collect::<Result<Vec<_>, Failure>>()?)
            }
            Value::InlineComputation(computation) => self.symbol(&self.function(computation)),
            Value::ReplicaGroups(groups) => replica_groups::dense(self, groups)?,
            Value::FrontendAttributes(entries) => self.strings(entries),
            Value::Literal(Constant::Array(literal)) => self.dense(literal)?,
            Value::Dictionary(text) | Value::Raw(text) => self.string(text),
            other => self.string(&text_of(other)),
        })
    }

    /// A dictionary of strings.
    pub fn strings(&self, entries: &[(String, String)]) -> Attribute<'m> {
        let entries: Vec<(&str, Attribute)> =
            entries.iter().map(|(name, value)| (&name[..], self.string(value))).collect();
        halo_ir::dictionary_attribute(self.context, &entries)
    }

    /// The parts of a shape that the types of an op's results lack: the layout of an array other
    /// than row-major, and the nesting of tuples. Shapes of one tuple and of tokens are always
    /// written, as by XLA's importer.
    pub fn shape_note(&self, shape: &Shape, results: &[Type<'m>]) -> Option<Attribute<'m>> {
        let one_value = match results {
            [only] => tuple_elements(*only).is_some() || is_token(*only),
            _ => false,
        };
        let told = match shape {
            Shape::Tuple(elements) => {
                let nested = |element: &Shape| matches!(element, Shape::Tuple(_));
                one_value || elements.len() < 2 || elements.iter().any(nested)
            }
            Shape::Token => true,
            _ => false,
        };
        let told = told || has_custom_layout(shape);
        told.then(|| self.string(&with_layouts(shape).to_string()))
    }
}

/// The shape with explicit default layouts.
fn with_layouts(shape: &Shape) -> Shape {
    match shape {
        Shape::Tuple(elements) => Shape::Tuple(elements.iter().map(with_layouts).collect()),
        Shape::Array(array) if array.layout.is_none() && !array.dimensions.is_empty() => {
            let layout = Layout {
                minor_to_major: minor_to_major(array),
                ..Layout::default()
            };
            Shape::Array(ArrayShape {
                layout: Some(layout),
                ..array.clone()
            })
        }
        shape => shape.clone(),
    }
}

/// A value in the grammar of HLO text.
pub fn text_of(value: &Value) -> String {
    value.to_string()
}

/// `{alias = {kind, parameter_index, parameter_number}, output_index}` for each.
pub fn input_output_aliases<'m>(importer: &Importer<'m>, aliases: &[Alias]) -> Attribute<'m> {
    let context = importer.context;
    let path = |path: &[i64]| halo_ir::i64_array_attribute(context, path);
    importer.array(aliases.iter().map(|alias| {
        let kind = match alias.kind {
            Some(AliasKind::Must) => "must_alias",
            Some(AliasKind::May) | None => "may_alias",
        };
        let input = [
            ("kind", importer.string(kind)),
            ("parameter_index", path(&alias.parameter_index)),
            (
                "parameter_number",
                importer.integer_attribute(64, alias.parameter),
            ),
        ];
        let entries = [
            ("alias", halo_ir::dictionary_attribute(context, &input)),
            ("output_index", path(&alias.output_index)),
        ];
        halo_ir::dictionary_attribute(context, &entries)
    }))
}

/// A dictionary in MLIR's syntax, `{n = 1 : i32, tensor = dense<1> : tensor<i32>}`; `None` if the
/// text is not one.
pub fn dictionary<'c>(context: &'c Context, text: &str) -> Option<Attribute<'c>> {
    if !text.trim_start().starts_with('{') || limits::check(text.as_bytes()).is_err() {
        return None;
    }
    // Errors are ignored: the value stays text.
    let parse = || Attribute::parse(context, text);
    with_diagnostics(context, parse).0
}

/// Attributes that the location represents, and attributes that every op may have.
pub fn common(instruction: &Instruction) {
    instruction.attribute("metadata");
}

/// `stablehlo.custom_call @"xla.<opcode>"` with every attribute in its configuration: the import of
/// instructions without a StableHLO op.
pub fn as_custom_call<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    as_named_call(i, &format!("xla.{}", i.source.opcode))
}

/// The same under another name.
pub fn as_named_call<'m>(i: &Instruction<'_, 'm>, target: &str) -> Result<Tree<'m>, Failure> {
    let importer = i.importer;
    let mut computations = Vec::new();
    let mut entries = Vec::new();
    for (name, value) in i.all() {
        // These have the same encoding for any op.
        if matches!(
            name,
            "metadata" | "sharding" | "frontend_attributes" | "control-predecessors"
        ) {
            continue;
        }
        i.attribute(name);
        let attribute = importer.attribute(value)?;
        match value {
            Value::Computation(_) | Value::InlineComputation(_) => computations.push(attribute),
            Value::Computations(_) => computations.extend(attribute.array_elements()),
            _ => {}
        }
        entries.push((name, attribute));
    }
    let mut values = Vec::new();
    for operand in &i.operands {
        values.push(importer.whole(&i.builder, operand)?);
    }
    let types = [importer.type_of(&i.source.shape)?];
    let config = halo_ir::dictionary_attribute(importer.context, &entries);
    let mut op = stablehlo::CustomCallOp::build(&i.builder, &values, target, &types)
        .api_version(CustomCallApiVersion::TypedFfi)
        .backend_config(config);
    if !computations.is_empty() {
        let names = computations.into_iter().filter_map(Attribute::symbol_value);
        op = op.called_computations(&names.collect::<Vec<_>>());
    }
    i.one(op)
}
