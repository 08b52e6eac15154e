//! The attributes of a program for its entry, its arguments and its devices.

use super::attributes::{frontend_attributes, hlo_value};
use super::{failure::failure, types};
use halo_hlo_text::{
    Alias, AliasKind, Arguments, Attributes, HloComputation, HloModule, ProgramShape, Shape, Value,
};
use halo_ir::prelude::*;
use halo_runtime::Error;
use melior::ir::attribute::BoolAttribute;

/// The header of a module.
///
/// # Errors
/// Returns an error if an attribute does not have the format that its name requires.
pub fn of_module(root: Operation, entry: Operation) -> Result<Attributes, Error> {
    let mut attributes = Attributes::default();
    let (aliases, donors) = aliases(entry)?;
    if !aliases.is_empty() {
        attributes.push("input_output_alias", Value::Aliases(aliases));
    }
    if !donors.is_empty() {
        attributes.push("buffer_donor", Value::BufferDonors(donors));
    }
    for (name, value) in root.attributes() {
        let Some(name) = name.strip_prefix("mhlo.") else {
            continue;
        };
        let written = match (name, value.integer_value()) {
            // The defaults of attributes that are not written.
            ("num_replicas" | "num_partitions", Some(1)) => None,
            ("num_replicas", Some(count)) => Some(("replica_count", Value::Integer(count))),
            ("num_partitions", Some(count)) => Some((name, Value::Integer(count))),
            ("frontend_attributes", _) => Some((name, frontend_attributes(value))),
            ("input_output_alias", _) => {
                let aliases: Option<Vec<Alias>> =
                    value.array_elements().into_iter().map(alias).collect();
                let aliases = aliases
                    .ok_or_else(|| failure(root, "has an alias that has no HLO equivalent"))?;
                (!aliases.is_empty()).then_some((name, Value::Aliases(aliases)))
            }
            // Compiler options that HLO text does not contain, and layouts, which are part of the
            // entry's shape.
            ("cross_program_prefetches" | "is_dynamic" | "use_auto_spmd_partitioning", _) => None,
            (name, _) if name.starts_with("xla_entry_computation_") => None,
            (name, _) => {
                let value = hlo_value(name, value).ok_or_else(|| {
                    failure(
                        root,
                        format!("has 'mhlo.{name}' that has no HLO equivalent"),
                    )
                })?;
                Some((name, value))
            }
        };
        if let Some((name, value)) = written
            && attributes.get(name).is_none()
        {
            attributes.push(name, value);
        }
    }
    Ok(attributes)
}

/// `{alias = {kind, parameter_index, parameter_number}, output_index}`
fn alias(attribute: Attribute) -> Option<Alias> {
    let input = attribute.dictionary_entry("alias")?;
    let kind = input.dictionary_entry("kind").and_then(Attribute::string_value)?;
    Some(Alias {
        output_index: attribute.dictionary_entry("output_index")?.i64_array_value()?,
        parameter: input.dictionary_entry("parameter_number")?.integer_value()?,
        parameter_index: input.dictionary_entry("parameter_index")?.i64_array_value()?,
        kind: Some(match kind {
            "must_alias" => AliasKind::Must,
            _ => AliasKind::May,
        }),
    })
}

/// Arguments that share the memory of a result, and arguments donated to any result.
#[expect(clippy::type_complexity, reason = "the two lists of the header")]
fn aliases(entry: Operation) -> Result<(Vec<Alias>, Vec<(i64, Vec<i64>)>), Error> {
    let results = entry
        .body(0)
        .and_then(Block::terminator)
        .map_or(0, |terminator| terminator.operands().len());
    let (mut aliases, mut donors) = (Vec::new(), Vec::new());
    for (number, dictionary) in dictionaries(entry, "arg_attrs").into_iter().enumerate() {
        for (name, value) in dictionary.dictionary_entries() {
            match name {
                "tf.aliasing_output" => {
                    let output = value
                        .integer_value()
                        .ok_or_else(|| failure(entry, "aliases an output that is not a number"))?;
                    aliases.push(Alias {
                        // A single result is not a tuple.
                        output_index: if results == 1 {
                            Vec::new()
                        } else {
                            vec![output]
                        },
                        parameter: number as i64,
                        parameter_index: Vec::new(),
                        kind: Some(AliasKind::May),
                    });
                }
                "jax.buffer_donor"
                    if value.cast::<BoolAttribute>().is_some_and(|donor| donor.value()) =>
                {
                    donors.push((number as i64, Vec::new()));
                }
                _ => {}
            }
        }
    }
    Ok((aliases, donors))
}

/// `entry_computation_layout={...}`, from the entry's parameters and root, and
/// from the layouts among the module's attributes.
pub fn add_entry_layout(module: &mut HloModule, root: Operation, entry: Operation) {
    let Some(computation) = module.entry() else {
        return;
    };
    let mut parameters: Vec<_> = computation
        .instructions
        .iter()
        .filter_map(|instruction| match instruction.arguments {
            Arguments::Parameter(number) => Some((number, instruction.shape.clone())),
            _ => None,
        })
        .collect();
    parameters.sort_by_key(|(number, _)| *number);
    let result = computation.root().map(|root| root.shape.clone());
    let mut shape = ProgramShape {
        parameters: parameters.into_iter().map(|(_, shape)| shape).collect(),
        result: result.unwrap_or_default(),
    };
    let layouts =
        |name: &str| root.attribute(name).map(Attribute::array_elements).unwrap_or_default();
    let parameters = layouts("mhlo.xla_entry_computation_parameter_layouts");
    for (shape, layout) in shape.parameters.iter_mut().zip(parameters) {
        set_layout(shape, layout);
    }
    let results = layouts("mhlo.xla_entry_computation_result_layout");
    if let Some(layout) = results.first() {
        set_layout(&mut shape.result, *layout);
    }
    for (shape, dictionary) in shape.parameters.iter_mut().zip(dictionaries(entry, "arg_attrs")) {
        leave_open(shape, dictionary);
    }
    let results = dictionaries(entry, "res_attrs");
    match &mut shape.result {
        Shape::Tuple(elements) if elements.len() == results.len() => {
            for (shape, dictionary) in elements.iter_mut().zip(results) {
                leave_open(shape, dictionary);
            }
        }
        single => {
            if let [dictionary] = results.as_slice() {
                leave_open(single, *dictionary);
            }
        }
    }
    let attributes = &mut module.attributes;
    attributes.push("entry_computation_layout", Value::ProgramShape(shape));
    attributes.0.sort_by_key(|attribute| {
        let mut names = HEADER.iter();
        let position = names.position(|name| *name == attribute.name);
        position.unwrap_or(HEADER.len())
    });
}

/// The order in which XLA prints the attributes of a module.
const HEADER: &[&str] = &[
    "is_scheduled",
    "input_output_alias",
    "buffer_donor",
    "alias_passthrough_params",
    "entry_computation_layout",
    "allow_spmd_sharding_propagation_to_parameters",
    "allow_spmd_sharding_propagation_to_output",
    "replica_count",
    "num_partitions",
    "frontend_attributes",
];

/// The order of the dimensions; of a tuple a list.
fn set_layout(shape: &mut Shape, layout: Attribute) {
    match shape {
        Shape::Tuple(elements) => {
            for (element, layout) in elements.iter_mut().zip(layout.array_elements()) {
                set_layout(element, layout);
            }
        }
        Shape::Array(array) => {
            let order = layout.dense_i64s().unwrap_or_default();
            if order.len() == array.dimensions.len() && !order.is_empty() {
                array.layout = Some(types::layout(order));
            }
        }
        _ => {}
    }
}

/// Removes a layout that is left to the compiler.
fn leave_open(shape: &mut Shape, dictionary: Attribute) {
    let mode = dictionary
        .dictionary_entry("mhlo.layout_mode")
        .and_then(Attribute::string_value);
    if let (Some("auto"), Shape::Array(array)) = (mode, shape) {
        array.layout = None;
    }
}

/// The attributes of an argument.
#[derive(Clone, Debug, Default)]
pub struct Argument {
    pub attributes: Attributes,
    /// The shape, if it is not determined by its type.
    pub shape: Option<Shape>,
}

/// The attributes of each argument of a function.
///
/// # Errors
/// Returns an error if an attribute does not have the format that its name requires.
pub fn arguments(function: Operation) -> Result<Vec<Argument>, Error> {
    let dictionaries = dictionaries(function, "arg_attrs").into_iter();
    dictionaries
        .map(|dictionary| {
            let mut argument = Argument::default();
            for (name, value) in dictionary.dictionary_entries() {
                let wrong = || {
                    failure(
                        function,
                        format!("has an argument with '{name}' that has no HLO equivalent"),
                    )
                };
                let value = match name {
                    "mhlo.xla_shape" => {
                        let text = value.string_value().ok_or_else(wrong)?;
                        let shape = halo_hlo_text::parse_shape(text);
                        argument.shape = Some(shape.map_err(|_| wrong())?);
                        continue;
                    }
                    "mhlo.layout_mode" => continue,
                    "mhlo.sharding" if value.string_value() == Some("") => continue,
                    "mhlo.frontend_attributes" => frontend_attributes(value),
                    _ if name.starts_with("mhlo.") => {
                        let name = name.trim_start_matches("mhlo.");
                        hlo_value(name, value).ok_or_else(wrong)?
                    }
                    _ => continue,
                };
                let name = name.trim_start_matches("mhlo.");
                argument.attributes.push(name, value);
            }
            Ok(argument)
        })
        .collect()
}

/// Gives the root the shardings of a function's results.
pub fn of_results(function: Operation, computation: &mut HloComputation) {
    let shardings: Vec<Option<&str>> = dictionaries(function, "res_attrs")
        .into_iter()
        .map(|dictionary| {
            let sharding =
                dictionary.dictionary_entry("mhlo.sharding").and_then(Attribute::string_value);
            sharding.filter(|text| !text.is_empty())
        })
        .collect();
    if shardings.iter().all(Option::is_none) {
        return;
    }
    let Some(root) = computation.instructions.get_mut(computation.root) else {
        return;
    };
    let text = match shardings.as_slice() {
        [Some(only)] => (*only).to_owned(),
        several => {
            let parts = several.iter().map(|one| one.unwrap_or("{replicated}"));
            format!("{{{}}}", parts.collect::<Vec<_>>().join(", "))
        }
    };
    if root.attributes.get("sharding").is_none() {
        root.attributes.push("sharding", sharding(&text));
        super::attributes::fit_sharding(root);
    }
}

fn sharding(text: &str) -> Value {
    let value = halo_hlo_text::parse_value("sharding", text);
    value.unwrap_or_else(|_| Value::Raw(text.to_owned()))
}

/// The dictionaries of `arg_attrs` or `res_attrs`.
fn dictionaries<'c>(function: Operation<'c>, name: &str) -> Vec<Attribute<'c>> {
    let list = function.attribute(name).map(Attribute::array_elements);
    list.unwrap_or_default()
}
