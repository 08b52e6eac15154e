//! Modules of protocol buffers.

use std::collections::{HashMap, HashSet};
use std::fmt;

use super::schema::{self, HloModuleProto};
use super::{computation, names::name, structure, value};
use crate::{
    Attributes, FileLocation, HloComputation, HloModule, Sharding, StackFrame, StackFrames, Value,
};

/// An error in a module, with the indices and names of the computation and the instruction.
#[derive(Default)]
pub(super) struct Failure {
    pub(super) message: String,
    pub(super) computation: Option<(usize, String)>,
    pub(super) instruction: Option<(usize, String)>,
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self {
            message,
            ..Self::default()
        }
    }
}

impl From<&str> for Failure {
    fn from(message: &str) -> Self {
        message.to_owned().into()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((_, name)) = &self.computation {
            write!(formatter, "computation '{}': ", name.escape_debug())?;
        }
        if let Some((_, name)) = &self.instruction {
            write!(formatter, "instruction '{}': ", name.escape_debug())?;
        }
        formatter.write_str(&self.message)
    }
}

/// Reads a module.
pub(super) fn read(mut proto: HloModuleProto) -> Result<HloModule, Failure> {
    let protos = std::mem::take(&mut proto.computations);
    let stack_frames = proto.stack_frame_index.take().map(stack_frames);
    let entry_id = proto.entry_computation_id;
    let entry_name = std::mem::take(&mut proto.entry_computation_name);
    let mut module = HloModule {
        name: name(std::mem::take(&mut proto.name))?,
        attributes: attributes(proto)?,
        stack_frames: stack_frames.unwrap_or_default(),
        ..HloModule::default()
    };
    let names = names(&protos)?;
    for (position, proto) in protos.into_iter().enumerate() {
        let name = proto.name.clone();
        let computation = computation::read(proto, &names).map_err(|failure| Failure {
            computation: Some((position, name)),
            ..failure
        })?;
        module.computations.push(computation);
    }
    let entry = match entry_id {
        Some(id) => names.get(&id),
        None => Some(&entry_name),
    };
    let is_entry = |computation: &HloComputation| Some(&computation.name) == entry;
    let entry = module.computations.iter().position(is_entry);
    module.entry = entry.ok_or("the module has no entry computation")?;
    Ok(module)
}

/// The names of computations by their numbers.
fn names(protos: &[schema::HloComputationProto]) -> Result<HashMap<i64, String>, Failure> {
    let mut names = HashMap::new();
    let mut taken = HashSet::new();
    for (position, proto) in protos.iter().enumerate() {
        let failure = |message| Failure {
            computation: Some((position, proto.name.clone())),
            ..Failure::from(message)
        };
        let id = proto.id;
        let name = name(proto.name.clone()).map_err(failure)?;
        if !taken.insert(name.clone()) {
            return Err(failure(format!("there is another computation '{name}'")));
        }
        if names.insert(id, name).is_some() {
            return Err(failure(format!("there is another computation of id {id}")));
        }
    }
    Ok(names)
}

fn attributes(proto: HloModuleProto) -> Result<Attributes, String> {
    let mut attributes = Attributes::default();
    let mut push = |is_written: bool, name: &str, value: Value| {
        if is_written {
            attributes.push(name, value);
        }
    };
    push(proto.schedule.is_some(), "is_scheduled", Value::Bool(true));
    let aliases = proto.input_output_alias.unwrap_or_default().entries.into_iter();
    let aliases: Vec<_> = aliases.map(structure::module_alias).collect::<Result<_, String>>()?;
    push(
        !aliases.is_empty(),
        "input_output_alias",
        Value::Aliases(aliases),
    );
    let donors = proto.buffer_donor.unwrap_or_default().entries.into_iter();
    let donors = donors.map(|entry| (entry.parameter_number, entry.parameter_shape_index));
    let donors: Vec<_> = donors.collect();
    push(
        !donors.is_empty(),
        "buffer_donor",
        Value::BufferDonors(donors),
    );
    if let Some(shape) = proto.host_program_shape {
        let shape = Value::ProgramShape(value::program_shape(shape)?);
        push(true, "entry_computation_layout", shape);
    }
    let frontend = proto.frontend_attributes.unwrap_or_default();
    let frontend = structure::frontend_attributes(frontend)?;
    let is_written = !frontend.is_empty();
    push(
        is_written,
        "frontend_attributes",
        Value::FrontendAttributes(frontend),
    );
    // No version of XLA prints the following.
    push(proto.is_dynamic, "is_dynamic", Value::Bool(true));
    let is_auto = proto.use_auto_spmd_partitioning;
    push(is_auto, "use_auto_spmd_partitioning", Value::Bool(true));
    if let Some(sharding) = proto.spmd_output_sharding {
        let sharding = Value::Sharding(structure::sharding(sharding)?);
        push(true, "spmd_output_sharding", sharding);
    }
    let shardings = structure::shardings(proto.spmd_parameters_shardings)?;
    let is_written = !shardings.is_empty();
    let shardings = Value::Sharding(Sharding::Tuple(shardings));
    push(is_written, "spmd_parameters_shardings", shardings);
    let prefetches = proto.cross_program_prefetches.into_iter();
    // The parameter, the offset, and the position in the parameter's tuple.
    let prefetches = prefetches
        .map(|prefetch| [vec![prefetch.parameter, prefetch.offset], prefetch.index].concat());
    let prefetches: Vec<_> = prefetches.collect();
    let is_written = !prefetches.is_empty();
    push(
        is_written,
        "cross_program_prefetches",
        Value::IntegerLists(prefetches),
    );
    Ok(attributes)
}

fn stack_frames(proto: schema::StackFrameIndexProto) -> StackFrames {
    let location = |location: schema::FileLocation| FileLocation {
        file_name_id: location.file_name_id,
        function_name_id: location.function_name_id,
        line: location.line,
        end_line: location.end_line,
        column: location.column,
        end_column: location.end_column,
    };
    let frame = |frame: schema::StackFrame| StackFrame {
        file_location_id: frame.file_location_id,
        // HLO text has the number of the parent plus 1.
        parent_frame_id: frame.parent_frame_id.saturating_add(1),
    };
    StackFrames {
        file_names: proto.file_names,
        function_names: proto.function_names,
        file_locations: proto.file_locations.into_iter().map(location).collect(),
        frames: proto.stack_frames.into_iter().map(frame).collect(),
    }
}
