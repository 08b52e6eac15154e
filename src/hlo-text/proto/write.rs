//! The syntax tree as an `HloProto` in binary.
//!
//! Computations stand after their callees, as readers require. Inline computations get names.

mod attributes;
mod instruction;
mod mesh;
mod structure;
mod value;

use std::collections::{HashMap, HashSet};

use prost::Message;

use super::schema::{self, HloComputationProto, HloModuleProto, HloProto, HloScheduleProto};
use crate::{
    Arguments, HloComputation, HloInstruction, HloModule, Opcode, ProgramShape, Sharding, Value,
};
use instruction::called;

/// The bytes of an `HloProto` that holds a module.
pub(super) fn proto(module: &HloModule) -> Result<Vec<u8>, String> {
    let mut module = module.clone();
    take_out_inline(&mut module);
    let proto = HloProto {
        hlo_module: Some(module_proto(&module)?),
    };
    Ok(proto.encode_to_vec())
}

/// Outlines computations that are written in place.
fn take_out_inline(module: &mut HloModule) {
    let mut taken: HashSet<String> = module.computations.iter().map(|it| it.name.clone()).collect();
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

/// The positions of computations, each after its callees.
fn callees_first(module: &HloModule, positions: &HashMap<&str, usize>) -> Vec<usize> {
    let count = module.computations.len();
    let callees = |position: usize| -> Vec<usize> {
        let computation = module.computations.get(position);
        let instructions = computation.map(|it| it.instructions.iter());
        let names = instructions.into_iter().flatten().flat_map(called);
        names.filter_map(|name| positions.get(name).copied()).collect()
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
    /// The names of the computations that fusions call.
    fused: HashSet<&'a str>,
}

impl<'a> Numbers<'a> {
    fn of(module: &'a HloModule, positions: &HashMap<&'a str, usize>) -> Self {
        let numbered = positions.iter();
        let numbered = numbered.map(|(name, position)| (*name, *position as i64 + 1));
        let instructions = module.computations.iter().flat_map(|it| &it.instructions);
        let fusions = instructions.filter(|it| it.opcode == Opcode::Fusion);
        let mut next = 1;
        let first = module.computations.iter().map(|computation| {
            let first = next;
            next += computation.instructions.len() as i64;
            first
        });
        Self {
            computations: numbered.collect(),
            first: first.collect(),
            fused: fusions.flat_map(called).collect(),
        }
    }
}

fn module_proto(module: &HloModule) -> Result<HloModuleProto, String> {
    let positions: HashMap<&str, usize> = module
        .computations
        .iter()
        .enumerate()
        .map(|(position, it)| (it.name.as_str(), position))
        .collect();
    let numbers = Numbers::of(module, &positions);
    let entry = module.entry().ok_or("the module has no computation")?;
    let computation = |position| computation_proto(module, position, &numbers);
    let order = callees_first(module, &positions).into_iter();
    let (names, shape) = signature(entry);
    let shape = match module.attributes.get("entry_computation_layout") {
        Some(Value::ProgramShape(shape)) => shape,
        _ => &shape,
    };
    let is_scheduled = module.attributes.get("is_scheduled") == Some(&Value::Bool(true));
    let stack_frames = Some(&module.stack_frames).filter(|frames| !frames.is_empty());
    let mut proto = HloModuleProto {
        name: module.name.clone(),
        entry_computation_name: entry.name.clone(),
        computations: order.map(computation).collect::<Result<_, String>>()?,
        host_program_shape: Some(value::program_shape(shape, names)?),
        entry_computation_id: Some(module.entry as i64 + 1),
        schedule: is_scheduled.then(|| schedule(module, &numbers)),
        stack_frame_index: stack_frames.map(structure::stack_frames),
        ..HloModuleProto::default()
    };
    for (name, value) in module.attributes.iter() {
        write_attribute(&mut proto, name, value)?;
    }
    Ok(proto)
}

/// The order of the text, for each computation that is not fused.
fn schedule(module: &HloModule, numbers: &Numbers) -> HloScheduleProto {
    let computations = module.computations.iter().zip(&numbers.first).zip(1..);
    let unfused = computations.filter(|((it, _), _)| !numbers.fused.contains(&it.name[..]));
    let sequence = |((computation, first), key): ((&HloComputation, &i64), i64)| schema::Sequence {
        key,
        value: Some(schema::InstructionSequence {
            instruction_ids: (*first..).take(computation.instructions.len()).collect(),
        }),
    };
    HloScheduleProto {
        sequences: unfused.map(sequence).collect(),
    }
}

fn write_attribute(proto: &mut HloModuleProto, name: &str, value: &Value) -> Result<(), String> {
    match (name, value) {
        ("input_output_alias", Value::Aliases(aliases)) => {
            let entries = aliases.iter().map(structure::alias);
            proto.input_output_alias = Some(schema::HloInputOutputAliasProto {
                entries: entries.collect::<Result<_, String>>()?,
            });
        }
        ("buffer_donor", Value::BufferDonors(donors)) => {
            let entry = |(parameter, index): &(i64, Vec<i64>)| schema::BufferDonorEntry {
                parameter_number: *parameter,
                parameter_shape_index: index.clone(),
            };
            let entries = donors.iter().map(entry).collect();
            proto.buffer_donor = Some(schema::HloBufferDonorProto { entries });
        }
        ("frontend_attributes", Value::FrontendAttributes(entries)) => {
            proto.frontend_attributes = Some(structure::frontend_attributes(entries));
        }
        ("is_dynamic", Value::Bool(flag)) => proto.is_dynamic = *flag,
        ("use_auto_spmd_partitioning", Value::Bool(flag)) => {
            proto.use_auto_spmd_partitioning = *flag;
        }
        ("spmd_output_sharding", Value::Sharding(sharding)) => {
            proto.spmd_output_sharding = Some(structure::sharding(sharding)?);
        }
        ("spmd_parameters_shardings", Value::Sharding(Sharding::Tuple(all))) => {
            proto.spmd_parameters_shardings = structure::shardings(all)?;
        }
        ("cross_program_prefetches", Value::IntegerLists(lists)) => {
            let prefetch = |list: &Vec<i64>| match list.as_slice() {
                [parameter, offset, index @ ..] => Some(schema::CrossProgramPrefetch {
                    parameter: *parameter,
                    index: index.to_vec(),
                    offset: *offset,
                }),
                _ => None,
            };
            proto.cross_program_prefetches = lists.iter().filter_map(prefetch).collect();
        }
        // A module's message has no field for the configuration of a run.
        _ => {}
    }
    Ok(())
}

/// The names and types of a computation's signature, from its instructions.
fn signature(computation: &HloComputation) -> (Vec<String>, ProgramShape) {
    let instructions = computation.instructions.iter();
    let mut parameters: Vec<(usize, &HloInstruction)> = instructions
        .filter_map(|instruction| match instruction.arguments {
            Arguments::Parameter(number) => Some((number, instruction)),
            _ => None,
        })
        .collect();
    parameters.sort_by_key(|(number, _)| *number);
    let names = parameters.iter().map(|(_, it)| it.name.clone()).collect();
    let shapes = parameters.iter().map(|(_, it)| it.shape.clone());
    let result = computation.root().map(|root| root.shape.clone());
    let shape = ProgramShape {
        parameters: shapes.collect(),
        result: result.unwrap_or_default(),
    };
    (names, shape)
}

fn computation_proto(
    module: &HloModule,
    position: usize,
    numbers: &Numbers,
) -> Result<HloComputationProto, String> {
    let (computation, first) = module
        .computations
        .get(position)
        .zip(numbers.first.get(position).copied())
        .ok_or("a computation is missing")?;
    let mut ids: HashMap<&str, i64> = HashMap::new();
    let mut instructions = Vec::with_capacity(computation.instructions.len());
    for (id, instruction) in (first..).zip(&computation.instructions) {
        let names = instruction::Names {
            instructions: &ids,
            computations: &numbers.computations,
        };
        let proto = instruction::instruction(instruction, id, &names);
        let name = &instruction.name;
        instructions.push(proto.map_err(|wrong| format!("instruction '{name}': {wrong}"))?);
        ids.insert(name, id);
    }
    let (names, shape) = signature(computation);
    let thread = match computation.attributes.get("execution_thread") {
        Some(Value::String(thread)) => thread.clone(),
        _ => String::new(),
    };
    Ok(HloComputationProto {
        name: computation.name.clone(),
        instructions,
        program_shape: Some(value::program_shape(&shape, names)?),
        id: position as i64 + 1,
        root_id: first + computation.root as i64,
        is_fusion_computation: numbers.fused.contains(&computation.name[..]),
        execution_thread: thread,
    })
}
