//! The syntax tree as an `HloProto` in binary.
//!
//! Each message is written where it begins, its fields by name. Computations
//! stand after those that they call, which readers rely on; those written in
//! place get names of their own.

mod encoder;
mod instruction;
mod mesh;
mod structure;
mod value;

use std::collections::{HashMap, HashSet};

use super::schema::HLO_PROTO;
use crate::{
    Arguments, Attributes, HloComputation, HloInstruction, HloModule, Opcode, ProgramShape, Value,
};
use encoder::Encoder;

/// The bytes of an `HloProto` that holds a module.
pub(super) fn proto(module: &HloModule) -> Result<Vec<u8>, String> {
    let mut module = module.clone();
    take_out_inline(&mut module);
    let mut encoder = Encoder::new(&HLO_PROTO);
    encoder.message("hlo_module", |encoder| write_module(encoder, &module))?;
    Ok(encoder.into_bytes())
}

/// Makes computations of those that are written in place.
fn take_out_inline(module: &mut HloModule) {
    let mut taken: HashSet<String> = module
        .computations
        .iter()
        .map(|it| it.name.clone())
        .collect();
    let mut position = 0;
    while let Some(computation) = module.computations.get_mut(position) {
        let mut found = Vec::new();
        for instruction in &mut computation.instructions {
            for attribute in &mut instruction.attributes.0 {
                let Value::InlineComputation(inline) = &mut attribute.value else {
                    continue;
                };
                let mut inline = std::mem::take(&mut **inline);
                let mut number = 0;
                inline.name = format!("{}.computation", instruction.name);
                while !taken.insert(inline.name.clone()) {
                    number += 1;
                    inline.name = format!("{}.computation.{number}", instruction.name);
                }
                attribute.value = Value::Computation(inline.name.clone());
                found.push(inline);
            }
        }
        module.computations.extend(found);
        position += 1;
    }
}

/// The computations that an instruction calls, in the order of the message.
fn called(instruction: &HloInstruction) -> Vec<&str> {
    let named = |name: &str| match instruction.attributes.get(name) {
        Some(Value::Computation(name)) => vec![name.as_str()],
        Some(Value::Computations(names)) => names.iter().map(String::as_str).collect(),
        _ => Vec::new(),
    };
    let names: &[&str] = match instruction.opcode {
        Opcode::While => &["body", "condition"],
        Opcode::SelectAndScatter => &["select", "scatter"],
        Opcode::Conditional => &[
            "true_computation",
            "false_computation",
            "branch_computations",
        ],
        _ => &[
            "to_apply",
            "calls",
            "called_computation",
            "called_computations",
        ],
    };
    names.iter().flat_map(|name| named(name)).collect()
}

/// The positions of computations, each after those that it calls.
fn callees_first(module: &HloModule, positions: &HashMap<&str, usize>) -> Vec<usize> {
    let count = module.computations.len();
    let callees = |position: usize| -> Vec<usize> {
        let computation = module.computations.get(position);
        let instructions = computation.map(|it| it.instructions.iter());
        let names = instructions.into_iter().flatten().flat_map(called);
        names
            .filter_map(|name| positions.get(name).copied())
            .collect()
    };
    let mut order = Vec::with_capacity(count);
    let mut seen = vec![false; count];
    for start in 0..count {
        let mut path = vec![(start, None::<Vec<usize>>)];
        while let Some((position, rest)) = path.last_mut() {
            let position = *position;
            let rest = match rest {
                Some(rest) => rest,
                None if seen.get(position) == Some(&true) => {
                    path.pop();
                    continue;
                }
                None => {
                    if let Some(seen) = seen.get_mut(position) {
                        *seen = true;
                    }
                    rest.insert(callees(position))
                }
            };
            match rest.pop() {
                Some(callee) => path.push((callee, None)),
                None => {
                    order.push(position);
                    path.pop();
                }
            }
        }
    }
    order
}

/// The numbers by which messages refer to each other.
struct Numbers<'a> {
    computations: HashMap<&'a str, i64>,
    /// The number of the first instruction of each computation.
    first: Vec<i64>,
}

fn write_module(encoder: &mut Encoder, module: &HloModule) -> Result<(), String> {
    let positions: HashMap<&str, usize> = (module.computations.iter().enumerate())
        .map(|(position, it)| (it.name.as_str(), position))
        .collect();
    let order = callees_first(module, &positions);
    let numbered = positions
        .iter()
        .map(|(name, position)| (*name, *position as i64 + 1));
    let mut numbers = Numbers {
        computations: numbered.collect(),
        first: Vec::new(),
    };
    let mut next = 1;
    for computation in &module.computations {
        numbers.first.push(next);
        next += computation.instructions.len() as i64;
    }
    let entry = module.entry().ok_or("the module has no computation")?;
    encoder.text("name", &module.name);
    encoder.text("entry_computation_name", &entry.name);
    let fused = fused(module);
    for position in &order {
        let Some(computation) = module.computations.get(*position) else {
            continue;
        };
        encoder.message("computations", |encoder| {
            let first = numbers.first.get(*position).copied().unwrap_or_default();
            encoder.flag(
                "is_fusion_computation",
                fused.contains(&computation.name[..]),
            );
            encoder.integer("id", *position as i64 + 1);
            write_computation(encoder, computation, first, &numbers)
        })?;
    }
    let layout = match module.attributes.get("entry_computation_layout") {
        Some(Value::ProgramShape(shape)) => shape.clone(),
        _ => signature(entry).1,
    };
    let names = signature(entry).0;
    encoder.message("host_program_shape", |encoder| {
        value::program_shape(encoder, &layout, &names)
    })?;
    encoder.integer("entry_computation_id", module.entry as i64 + 1);
    if module.attributes.get("is_scheduled") == Some(&Value::Bool(true)) {
        encoder.message("schedule", |encoder| {
            write_schedule(encoder, module, &numbers, &fused)
        })?;
    }
    module_attributes(encoder, &module.attributes)?;
    if !module.stack_frames.is_empty() {
        encoder.message("stack_frame_index", |encoder| {
            structure::stack_frames(encoder, &module.stack_frames)
        })?;
    }
    Ok(())
}

/// The names of the computations that fusions call.
fn fused(module: &HloModule) -> HashSet<&str> {
    let computations = module.computations.iter();
    let instructions = computations.flat_map(|it| it.instructions.iter());
    let fusions = instructions.filter(|it| it.opcode == Opcode::Fusion);
    fusions.flat_map(called).collect()
}

/// The order of the text, of each computation that is not fused.
fn write_schedule(
    encoder: &mut Encoder,
    module: &HloModule,
    numbers: &Numbers,
    fused: &HashSet<&str>,
) -> Result<(), String> {
    for (position, computation) in module.computations.iter().enumerate() {
        if fused.contains(&computation.name[..]) {
            continue;
        }
        let first = numbers.first.get(position).copied().unwrap_or_default();
        let ids: Vec<i64> = (first..).take(computation.instructions.len()).collect();
        encoder.message("sequences", |encoder| {
            encoder.integer("key", position as i64 + 1);
            encoder.message("value", |encoder| {
                encoder.integers("instruction_ids", &ids);
                Ok(())
            })
        })?;
    }
    Ok(())
}

fn module_attributes(encoder: &mut Encoder, attributes: &Attributes) -> Result<(), String> {
    for (name, value) in attributes.iter() {
        match (name, value) {
            ("input_output_alias", Value::Aliases(aliases)) => {
                encoder.message("input_output_alias", |encoder| {
                    for alias in aliases {
                        encoder.message("entries", |encoder| structure::alias(encoder, alias))?;
                    }
                    Ok(())
                })?;
            }
            ("buffer_donor", Value::BufferDonors(donors)) => {
                encoder.message("buffer_donor", |encoder| {
                    for (parameter, index) in donors {
                        encoder.message("entries", |encoder| {
                            encoder.integer("parameter_number", *parameter);
                            encoder.integers("parameter_shape_index", index);
                            Ok(())
                        })?;
                    }
                    Ok(())
                })?;
            }
            ("frontend_attributes", Value::FrontendAttributes(entries)) => {
                structure::frontend_attributes(encoder, entries)?;
            }
            ("is_dynamic" | "use_auto_spmd_partitioning", Value::Bool(flag)) => {
                encoder.flag(name, *flag);
            }
            ("spmd_output_sharding", Value::Sharding(sharding)) => {
                encoder.message(name, |encoder| structure::sharding(encoder, sharding))?;
            }
            ("spmd_parameters_shardings", Value::Sharding(crate::Sharding::Tuple(all))) => {
                for sharding in all {
                    encoder.message(name, |encoder| structure::sharding(encoder, sharding))?;
                }
            }
            ("cross_program_prefetches", Value::IntegerLists(lists)) => {
                for list in lists {
                    let [parameter, offset, index @ ..] = list.as_slice() else {
                        continue;
                    };
                    encoder.message(name, |encoder| {
                        encoder.integer("parameter", *parameter);
                        encoder.integers("index", index);
                        encoder.integer("offset", *offset);
                        Ok(())
                    })?;
                }
            }
            // A module's message has no field for the configuration of a run.
            _ => {}
        }
    }
    Ok(())
}

/// The names and types that a computation's instructions say.
fn signature(computation: &HloComputation) -> (Vec<&str>, ProgramShape) {
    let mut parameters: Vec<(usize, &HloInstruction)> = Vec::new();
    for instruction in &computation.instructions {
        if let Arguments::Parameter(number) = instruction.arguments {
            parameters.push((number, instruction));
        }
    }
    parameters.sort_by_key(|(number, _)| *number);
    let names = parameters.iter().map(|(_, it)| it.name.as_str()).collect();
    let shapes = parameters.iter().map(|(_, it)| it.shape.clone());
    let result = computation.root().map(|root| root.shape.clone());
    let shape = ProgramShape {
        parameters: shapes.collect(),
        result: result.unwrap_or_default(),
    };
    (names, shape)
}

fn write_computation(
    encoder: &mut Encoder,
    computation: &HloComputation,
    first: i64,
    numbers: &Numbers,
) -> Result<(), String> {
    encoder.text("name", &computation.name);
    let (names, shape) = signature(computation);
    encoder.message("program_shape", |encoder| {
        value::program_shape(encoder, &shape, &names)
    })?;
    encoder.integer("root_id", first + computation.root as i64);
    if let Some(Value::String(thread)) = computation.attributes.get("execution_thread") {
        encoder.text("execution_thread", thread);
    }
    let mut by_name: HashMap<&str, (i64, &HloInstruction)> = HashMap::new();
    for (id, instruction) in (first..).zip(&computation.instructions) {
        let names = instruction::Names {
            instructions: &by_name,
            computations: &numbers.computations,
        };
        encoder.message("instructions", |encoder| {
            instruction::write(encoder, instruction, id, &names)
        })?;
        by_name.insert(&instruction.name, (id, instruction));
    }
    Ok(())
}
