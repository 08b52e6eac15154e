//! Results in the memory of operands.
//!
//! A call may say that a result is to be where an operand is, `output_operand_aliases`: its
//! handler then changes the operand in place, or leaves it as it is. Halo's custom calls have
//! results in places of their own. So the operand is copied to the place of the result, and the
//! handler gets that place for both. Call sites know the attributes of a call alone, so the
//! aliases become one of them:
//!
//! ```mlir
//! %0 = stablehlo.custom_call @f(%x) {output_operand_aliases = [#stablehlo.output_operand_alias<
//!        output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], ...}
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = stablehlo.custom_call @f(%x) {mhlo.backend_config = {halo.aliases = array<i64: 0, 0>}, ...}
//! ```
//!
//! with the numbers of a result and of its operand, one pair after the other.

use std::collections::BTreeSet;

use halo::frontend::portable_artifact;
use halo::ir::ops::OperationExt;
use halo::ir::ops::stablehlo::CustomCallOp;
use halo::ir::stablehlo::attributes::OutputOperandAlias;
use halo::ir::{
    Operation, attribute_list, attribute_of, collect_operations, context_of, dictionary_attribute,
    dictionary_entries, i64_array_attribute, name_of, root_of, set_attribute, string_value,
};
use halo::melior::ir::Module;
use halo::vhlo::Version;
use halo_runtime::Program;
use halo_runtime::custom_call::{Attribute, Attributes};

use crate::status::{Result, Status};

/// The attribute with the pairs.
const ALIASES: &str = "halo.aliases";

/// A result and the operand in whose memory it is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alias {
    pub result: usize,
    pub operand: usize,
}

/// The code of a program whose calls of handlers, of which the names are given, have their
/// aliases as attributes. `None` if no call has any.
///
/// # Errors
/// Invalid argument with diagnostics; unimplemented for parts of nested tuples.
pub fn as_attributes(program: &Program, handlers: &[String]) -> Result<Option<Vec<u8>>> {
    // Most programs have no such call, and need not be read for it.
    let is_named = |name: &&String| memchr::memmem::find(&program.code, name.as_bytes()).is_some();
    let named: BTreeSet<&str> = handlers
        .iter()
        .filter(is_named)
        .map(|name| &name[..])
        .collect();
    if named.is_empty() {
        return Ok(None);
    }
    let context = halo::compiler::context();
    let module = halo::frontend::parse(&context, program)?;
    let calls = collect_operations(root_of(&module), |op| {
        op.cast::<CustomCallOp>()
            .is_some_and(|call| named.contains(call.call_target_name()))
    });
    let mut is_changed = false;
    for call in calls {
        let aliases = aliases_of(call)?;
        if !aliases.is_empty() {
            write(call, &aliases);
            is_changed = true;
        }
    }
    if !is_changed {
        return Ok(None);
    }
    Ok(Some(written(&module)))
}

/// The code of a module: a portable artifact, which has the locations of its ops, or else text.
fn written(module: &Module) -> Vec<u8> {
    let root = root_of(module);
    let of_chlo = collect_operations(root, |op| name_of(op).starts_with("chlo."));
    // An artifact has other ops in their place.
    let artifact = of_chlo
        .is_empty()
        .then(|| portable_artifact::serialize(module, Version::CURRENT));
    match artifact {
        Some(Ok(artifact)) => artifact,
        _ => root.to_string().into_bytes(),
    }
}

fn aliases_of(call: Operation) -> Result<Vec<Alias>> {
    let list = attribute_of(call, "output_operand_aliases").map(attribute_list);
    let aliases = list
        .into_iter()
        .flatten()
        .filter_map(OutputOperandAlias::from_attribute);
    let aliases = aliases.map(|alias| {
        let result = match alias.output_tuple_indices[..] {
            [] => Some(0),
            [index] => usize::try_from(index).ok(),
            _ => None,
        };
        let operand = usize::try_from(alias.operand_index).ok();
        let operand = operand.filter(|_| alias.operand_tuple_indices.is_empty());
        match (result, operand) {
            (Some(result), Some(operand)) => Ok(Alias { result, operand }),
            _ => Err(Status::unimplemented(
                "custom calls whose results alias parts of tuples of tuples",
            )),
        }
    });
    aliases.collect()
}

/// Adds the pairs to the dictionary of a call.
fn write(call: Operation, aliases: &[Alias]) {
    let context = context_of(call);
    let is_dictionary =
        |name: &&str| attribute_of(call, name).is_some_and(|config| string_value(config).is_none());
    let names = ["mhlo.backend_config", "backend_config"];
    let name = names.into_iter().find(is_dictionary).unwrap_or(names[0]);
    let config = attribute_of(call, name).filter(|_| is_dictionary(&name));
    let mut entries = config.map(dictionary_entries).unwrap_or_default();
    let pairs = aliases
        .iter()
        .flat_map(|alias| [alias.result as i64, alias.operand as i64]);
    let pairs = i64_array_attribute(context, &pairs.collect::<Vec<_>>());
    entries.push((ALIASES, pairs));
    set_attribute(call, name, dictionary_attribute(context, &entries));
}

/// Takes the pairs out of the attributes of a call site.
pub fn take(attributes: &mut Attributes) -> Vec<Alias> {
    let Some(Attribute::List(pairs)) = attributes.0.remove(ALIASES) else {
        return Vec::new();
    };
    let number = |one: &Attribute| one.integer().and_then(|one| usize::try_from(one).ok());
    let aliases = pairs
        .as_chunks::<2>()
        .0
        .iter()
        .filter_map(|[result, operand]| {
            Some(Alias {
                result: number(result)?,
                operand: number(operand)?,
            })
        });
    aliases.collect()
}
