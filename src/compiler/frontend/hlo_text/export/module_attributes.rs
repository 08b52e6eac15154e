//! What a program says of its entry, its arguments and the devices it runs on.

use super::attributes::frontend_attributes;
use super::failure;
use crate::ir::{
    Attribute, Operation, attribute_list, attribute_of, body_of, dictionary_entries,
    integer_attribute_value, string_value,
};
use halo_hlo_text::{
    Alias, AliasKind, Arguments, Attributes, HloComputation, HloModule, Opcode, ProgramShape, Value,
};
use halo_runtime::Error;
use melior::ir::attribute::BoolAttribute;

/// The header of a module.
///
/// # Errors
/// Where an attribute is not of the form that its name asks for.
pub fn of_module(root: Operation, entry: Operation) -> Result<Attributes, Error> {
    let mut attributes = Attributes::default();
    let (aliases, donors) = aliases(entry)?;
    if !aliases.is_empty() {
        attributes.push("input_output_alias", Value::Aliases(aliases));
    }
    if !donors.is_empty() {
        attributes.push("buffer_donor", Value::BufferDonors(donors));
    }
    for (name, written) in [
        ("mhlo.num_replicas", "replica_count"),
        ("mhlo.num_partitions", "num_partitions"),
    ] {
        match attribute_of(root, name).and_then(integer_attribute_value) {
            None | Some(1) => {}
            Some(count) => attributes.push(written, Value::Integer(count)),
        }
    }
    if let Some(dictionary) = attribute_of(root, "mhlo.frontend_attributes") {
        attributes.push("frontend_attributes", frontend_attributes(dictionary));
    }
    Ok(attributes)
}

/// Arguments that share the memory of a result, and those that any may take.
#[expect(clippy::type_complexity, reason = "the two lists of the header")]
fn aliases(entry: Operation) -> Result<(Vec<Alias>, Vec<(i64, Vec<i64>)>), Error> {
    let results = body_of(entry, 0)
        .and_then(crate::ir::terminator_of)
        .map_or(0, |terminator| crate::ir::operands_of(terminator).len());
    let (mut aliases, mut donors) = (Vec::new(), Vec::new());
    for (number, dictionary) in dictionaries(entry, "arg_attrs").into_iter().enumerate() {
        for (name, value) in dictionary_entries(dictionary) {
            match name {
                "tf.aliasing_output" => {
                    let output = integer_attribute_value(value)
                        .ok_or_else(|| failure(entry, "aliases an output that is no number"))?;
                    aliases.push(Alias {
                        // A single result is no tuple.
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
                    if BoolAttribute::try_from(value).is_ok_and(|donor| donor.value()) =>
                {
                    donors.push((number as i64, Vec::new()));
                }
                _ => {}
            }
        }
    }
    Ok((aliases, donors))
}

/// `entry_computation_layout={...}`, from the entry's parameters and root.
pub fn add_entry_layout(module: &mut HloModule) {
    let Some(entry) = module.entry() else {
        return;
    };
    let mut parameters: Vec<_> = entry
        .instructions
        .iter()
        .filter(|instruction| instruction.opcode == Opcode::Parameter)
        .filter_map(|instruction| match instruction.arguments {
            Arguments::Parameter(number) => Some((number, instruction.shape.clone())),
            _ => None,
        })
        .collect();
    parameters.sort_by_key(|(number, _)| *number);
    let result = entry.root().map(|root| root.shape.clone());
    let shape = ProgramShape {
        parameters: parameters.into_iter().map(|(_, shape)| shape).collect(),
        result: result.unwrap_or_default(),
    };
    module
        .attributes
        .push("entry_computation_layout", Value::ProgramShape(shape));
}

/// What is said of each argument of a function.
pub fn argument_attributes(function: Operation) -> Vec<Attributes> {
    let dictionaries = dictionaries(function, "arg_attrs").into_iter();
    dictionaries
        .map(|dictionary| {
            let mut attributes = Attributes::default();
            for (name, value) in dictionary_entries(dictionary) {
                match (name, string_value(value)) {
                    ("mhlo.sharding", Some(text)) => {
                        attributes.push("sharding", Value::Raw(text.to_owned()));
                    }
                    ("mhlo.parameter_replication", _) => {
                        let bools = attribute_list(value).into_iter();
                        let bools = bools.filter_map(|one| BoolAttribute::try_from(one).ok());
                        let bools = bools.map(|one| one.value()).collect();
                        attributes.push("parameter_replication", Value::Bools(bools));
                    }
                    ("mhlo.frontend_attributes", _) => {
                        attributes.push("frontend_attributes", frontend_attributes(value));
                    }
                    _ => {}
                }
            }
            attributes
        })
        .collect()
}

/// Gives the root the shardings of a function's results.
pub fn of_results(function: Operation, computation: &mut HloComputation) {
    let shardings: Vec<Option<&str>> = dictionaries(function, "res_attrs")
        .into_iter()
        .map(|dictionary| {
            let sharding = crate::ir::dictionary_entry(dictionary, "mhlo.sharding");
            sharding.and_then(string_value)
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
        root.attributes.push("sharding", Value::Raw(text));
    }
}

/// The dictionaries of `arg_attrs` or `res_attrs`.
fn dictionaries<'c>(function: Operation<'c>, name: &str) -> Vec<Attribute<'c>> {
    let list = attribute_of(function, name).map(attribute_list);
    list.unwrap_or_default()
}
