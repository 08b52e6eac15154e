//! Executables: programs, and programs with the devices that they run on.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use halo::prelude::*;

use crate::c_api::{self, LogicalDeviceIds};
use crate::client::{self, Client};
use crate::handle::{self, Handle, SerializedFields, set_slice, set_text};
use crate::launch::Member;
use crate::processes::Processes;
use crate::program::{self, CompiledProgram};
use crate::status::{Result, Status};
use crate::topology::Topology;

/// An executable program.
pub struct LoadedExecutable {
    pub client: Arc<Client>,
    pub program: Arc<CompiledProgram>,
    /// The devices of this process, replica by replica.
    pub devices: Vec<usize>,
    /// Their positions in the device assignment.
    positions: Vec<usize>,
    raw_devices: Vec<*mut c_api::Device>,
    logical_ids: Vec<LogicalDeviceIds>,
    is_deleted: AtomicBool,
    /// The duration of the last run in nanoseconds; 0 before the first.
    pub last_run: Arc<AtomicU64>,
    is_copy: OnceLock<bool>,
}

// SAFETY: the pointers are to devices of the client, which lives as long.
unsafe impl Send for LoadedExecutable {}
// SAFETY: as above.
unsafe impl Sync for LoadedExecutable {}

impl Handle for LoadedExecutable {
    type Opaque = c_api::LoadedExecutable;
}

impl LoadedExecutable {
    /// # Errors
    /// Returns an invalid-argument error if the client lacks a device of the program's assignment.
    fn new(client: &Arc<Client>, program: Arc<CompiledProgram>) -> Result<Self> {
        let ids = program.assignment.devices.iter();
        let devices: Result<Vec<usize>> = ids.map(|id| Ok(client.device(*id)?.id)).collect();
        let own = client.processes.own_devices();
        let devices = devices?.into_iter().enumerate().filter(|(_, device)| own.contains(device));
        let (positions, devices): (Vec<usize>, Vec<usize>) = devices.unzip();
        for device in &devices {
            program.executable.on(&client.devices()[*device].runtime)?;
        }
        let partitions = program.assignment.partitions;
        let logical = |number: usize| LogicalDeviceIds {
            replica: (number / partitions) as i32,
            partition: (number % partitions) as i32,
        };
        Ok(Self {
            client: Arc::clone(client),
            raw_devices: devices.iter().map(|device| client.raw_devices()[*device]).collect(),
            logical_ids: positions.iter().copied().map(logical).collect(),
            devices,
            positions,
            program,
            is_deleted: AtomicBool::new(false),
            last_run: Arc::default(),
            is_copy: OnceLock::new(),
        })
    }

    /// The processes of a run on the devices; none for a program on one device.
    pub fn members(&self) -> Vec<Member> {
        let (program, processes) = (&self.program, &self.client.processes);
        Member::of(processes.grid(&program.assignment, &self.positions, || program.identity()))
    }

    /// Returns true if the program only returns its arguments.
    pub fn is_copy(&self) -> bool {
        *self.is_copy.get_or_init(|| {
            let does_more = |op: Operation| !["func.func", "func.return"].contains(&op.name());
            let is_copy = |root: Operation<'_>| root.collect_nested(does_more).is_empty();
            self.program.with_module(is_copy).unwrap_or(false)
        })
    }

    /// # Errors
    /// Returns an invalid-argument error after deletion.
    pub fn check_not_deleted(&self) -> Result<()> {
        if self.is_deleted.load(Ordering::Relaxed) {
            Err(Status::invalid("the executable has been deleted"))
        } else {
            Ok(())
        }
    }
}

/// The loaded executable in C's hands.
///
/// # Safety
/// As [`handle::borrow`].
pub unsafe fn borrow<'a>(raw: *mut c_api::LoadedExecutable) -> Result<&'a LoadedExecutable> {
    // SAFETY: by the requirement above.
    unsafe { handle::borrow(raw) }
}

/// Compiles a program that C passes.
///
/// # Safety
/// The program must be null or valid, and the options `size` bytes.
unsafe fn compile_program(
    client: &Client,
    program: *const c_api::Program,
    options: *const std::ffi::c_char,
    size: usize,
) -> Result<Arc<CompiledProgram>> {
    // SAFETY: by the requirement above.
    unsafe {
        let program = program.as_ref().ok_or_else(|| Status::invalid("the program is null"))?;
        let format = handle::text(program.format, program.format_size)?;
        let code = handle::slice(program.code.cast::<u8>().cast_const(), program.code_size)?;
        let options = handle::slice(options.cast::<u8>(), size)?;
        CompiledProgram::compile(client, format, code, options)
    }
}

pub unsafe fn client_compile(arguments: &mut c_api::ClientCompileArgs) -> Result<()> {
    // SAFETY: the caller passes a valid client, a program and options.
    let executable = unsafe {
        let client = client::borrow(arguments.client)?;
        let (options, size) = (arguments.compile_options, arguments.compile_options_size);
        let program = compile_program(client, arguments.program, options, size)?;
        LoadedExecutable::new(client, program)?
    };
    arguments.executable = handle::into_raw(executable);
    Ok(())
}

pub unsafe fn compile(arguments: &mut c_api::CompileArgs) -> Result<()> {
    // Without a client, the platform is the topology's.
    let alone;
    // SAFETY: the caller passes a valid client, or null, a program and options.
    let program = unsafe {
        let client = if arguments.client.is_null() {
            let topology: &Topology = handle::borrow(arguments.topology)?;
            alone = Arc::new(Client::new(&topology.platform, Processes::alone(1), &[])?);
            &alone
        } else {
            client::borrow(arguments.client)?
        };
        let (options, size) = (arguments.compile_options, arguments.compile_options_size);
        compile_program(client, arguments.program, options, size)?
    };
    arguments.executable = handle::into_raw(program);
    Ok(())
}

pub unsafe fn client_load(arguments: &mut c_api::ClientLoadArgs) -> Result<()> {
    // SAFETY: the caller passes a valid client, and an executable that it was given.
    let executable = unsafe {
        let client = client::borrow(arguments.client)?;
        LoadedExecutable::new(client, Arc::clone(program::borrow(arguments.executable)?))?
    };
    arguments.loaded_executable = handle::into_raw(executable);
    Ok(())
}

pub unsafe fn deserialize_and_load(
    arguments: &mut c_api::ExecutableDeserializeAndLoadArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid client, and its bytes.
    let executable = unsafe {
        let client = client::borrow(arguments.client)?;
        let size = arguments.serialized_executable_size;
        let bytes = handle::slice(arguments.serialized_executable.cast::<u8>(), size)?;
        let others = arguments.overridden_serialized_compile_options.cast::<u8>();
        let size = arguments.overridden_serialized_compile_options_size;
        let others = if others.is_null() {
            None
        } else {
            Some(handle::slice(others, size)?)
        };
        let program = CompiledProgram::deserialize(client, bytes, others)?;
        LoadedExecutable::new(client, program)?
    };
    arguments.loaded_executable = handle::into_raw(executable);
    Ok(())
}

pub unsafe fn destroy(arguments: &mut c_api::ExecutableDestroyArgs) -> Result<()> {
    // SAFETY: the caller passes a valid executable, or null.
    unsafe { handle::destroy::<Arc<CompiledProgram>>(arguments.executable) };
    Ok(())
}

pub unsafe fn loaded_destroy(arguments: &mut c_api::LoadedExecutableDestroyArgs) -> Result<()> {
    // SAFETY: the caller passes a valid executable, or null.
    unsafe { handle::destroy::<LoadedExecutable>(arguments.executable) };
    Ok(())
}

pub unsafe fn get_executable(
    arguments: &mut c_api::LoadedExecutableGetExecutableArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid executable.
    let loaded = unsafe { borrow(arguments.loaded_executable) }?;
    arguments.executable = handle::into_raw(Arc::clone(&loaded.program));
    Ok(())
}

pub unsafe fn device_assignment(
    arguments: &mut c_api::LoadedExecutableGetDeviceAssignmentArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid executable.
    let loaded = unsafe { borrow(arguments.executable) }?;
    let fields = SerializedFields {
        data: &mut arguments.serialized_bytes,
        size: &mut arguments.serialized_bytes_size,
        owner: &mut arguments.serialized_device_assignment,
        deleter: &mut arguments.serialized_device_assignment_deleter,
    };
    handle::give_bytes(loaded.program.assignment.serialize(), fields);
    Ok(())
}

pub unsafe fn addressable_devices(
    arguments: &mut c_api::LoadedExecutableAddressableDevicesArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid executable.
    let loaded = unsafe { borrow(arguments.executable) }?;
    let devices = &mut arguments.addressable_devices;
    set_slice(
        &loaded.raw_devices,
        devices,
        &mut arguments.num_addressable_devices,
    );
    Ok(())
}

pub unsafe fn addressable_device_logical_ids(
    arguments: &mut c_api::LoadedExecutableAddressableDeviceLogicalIdsArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid executable.
    let loaded = unsafe { borrow(arguments.executable) }?;
    arguments.num_addressable_device_logical_ids = loaded.logical_ids.len();
    arguments.addressable_device_logical_ids = loaded.logical_ids.as_ptr().cast_mut();
    Ok(())
}

/// Active runs keep their resources.
pub unsafe fn delete(arguments: &mut c_api::LoadedExecutableDeleteArgs) -> Result<()> {
    // SAFETY: the caller passes a valid executable.
    let loaded = unsafe { borrow(arguments.executable) }?;
    loaded.is_deleted.store(true, Ordering::Relaxed);
    Ok(())
}

pub unsafe fn is_deleted(arguments: &mut c_api::LoadedExecutableIsDeletedArgs) -> Result<()> {
    // SAFETY: the caller passes a valid executable.
    let loaded = unsafe { borrow(arguments.executable) }?;
    arguments.is_deleted = loaded.is_deleted.load(Ordering::Relaxed);
    Ok(())
}

pub unsafe fn name(arguments: &mut c_api::ExecutableNameArgs) -> Result<()> {
    // SAFETY: the caller passes a valid executable.
    let program = unsafe { program::borrow(arguments.executable) }?;
    let text = &mut arguments.executable_name;
    set_text(program.name(), text, &mut arguments.executable_name_size);
    Ok(())
}

pub unsafe fn num_replicas(arguments: &mut c_api::ExecutableNumReplicasArgs) -> Result<()> {
    // SAFETY: the caller passes a valid executable.
    let program = unsafe { program::borrow(arguments.executable) }?;
    arguments.num_replicas = program.assignment.replicas;
    Ok(())
}

pub unsafe fn num_partitions(arguments: &mut c_api::ExecutableNumPartitionsArgs) -> Result<()> {
    // SAFETY: the caller passes a valid executable.
    let program = unsafe { program::borrow(arguments.executable) }?;
    arguments.num_partitions = program.assignment.partitions;
    Ok(())
}

pub unsafe fn num_outputs(arguments: &mut c_api::ExecutableNumOutputsArgs) -> Result<()> {
    // SAFETY: the caller passes a valid executable.
    let program = unsafe { program::borrow(arguments.executable) }?;
    arguments.num_outputs = program.outputs.types.len();
    Ok(())
}

/// Kernels are shared between programs, so no code belongs to a single one. JAX aborts if the
/// function is missing.
pub unsafe fn size_of_generated_code(
    arguments: &mut c_api::ExecutableSizeOfGeneratedCodeInBytesArgs,
) -> Result<()> {
    arguments.size_in_bytes = 0;
    Ok(())
}

pub unsafe fn cost_analysis(arguments: &mut c_api::ExecutableGetCostAnalysisArgs) -> Result<()> {
    // SAFETY: the caller passes a valid executable.
    let program = unsafe { program::borrow(arguments.executable) }?;
    let (values, count) = (&mut arguments.properties, &mut arguments.num_properties);
    set_slice(program.cost.as_raw(), values, count);
    Ok(())
}

pub unsafe fn compiled_memory_stats(
    arguments: &mut c_api::ExecutableGetCompiledMemoryStatsArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid executable.
    let program = unsafe { program::borrow(arguments.executable) }?;
    let temporary = program.executable.first.temporary_bytes().unwrap_or(0);
    let (inputs, outputs) = (program.parameters.byte_size, program.outputs.byte_size);
    let alias = program.alias_size();
    let total = inputs + outputs - alias + temporary;
    // The caller does not clear unset fields.
    *arguments = c_api::ExecutableGetCompiledMemoryStatsArgs {
        struct_size: arguments.struct_size,
        extension_start: arguments.extension_start,
        executable: arguments.executable,
        // SAFETY: all bytes zero are a value of the arguments.
        ..unsafe { std::mem::zeroed() }
    };
    arguments.argument_size_in_bytes = inputs as i64;
    arguments.output_size_in_bytes = outputs as i64;
    arguments.alias_size_in_bytes = alias as i64;
    arguments.temp_size_in_bytes = temporary as i64;
    arguments.peak_memory_in_bytes = total as i64;
    arguments.total_size_in_bytes = total as i64;
    arguments.total_allocation_bytes = total as i64;
    Ok(())
}

pub unsafe fn output_element_types(
    arguments: &mut c_api::ExecutableOutputElementTypesArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid executable.
    let outputs = &unsafe { program::borrow(arguments.executable) }?.outputs;
    arguments.output_types = outputs.types.as_ptr().cast_mut();
    arguments.num_output_types = outputs.types.len();
    Ok(())
}

pub unsafe fn output_dimensions(
    arguments: &mut c_api::ExecutableOutputDimensionsArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid executable.
    let outputs = &unsafe { program::borrow(arguments.executable) }?.outputs;
    arguments.num_outputs = outputs.ranks.len();
    arguments.dims = outputs.dims.as_ptr();
    arguments.dim_sizes = outputs.ranks.as_ptr();
    Ok(())
}

pub unsafe fn output_memory_kinds(
    arguments: &mut c_api::ExecutableOutputMemoryKindsArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid executable.
    let outputs = &unsafe { program::borrow(arguments.executable) }?.outputs;
    arguments.num_outputs = outputs.memory_kinds.len();
    arguments.memory_kinds = outputs.memory_kinds.as_ptr();
    arguments.memory_kind_sizes = outputs.memory_kind_sizes.as_ptr();
    Ok(())
}

pub unsafe fn parameter_memory_kinds(
    arguments: &mut c_api::ExecutableParameterMemoryKindsArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid executable.
    let parameters = &unsafe { program::borrow(arguments.executable) }?.parameters;
    arguments.num_parameters = parameters.memory_kinds.len();
    arguments.memory_kinds = parameters.memory_kinds.as_ptr();
    arguments.memory_kind_sizes = parameters.memory_kind_sizes.as_ptr();
    Ok(())
}

pub unsafe fn fingerprint(arguments: &mut c_api::ExecutableFingerprintArgs) -> Result<()> {
    // SAFETY: the caller passes a valid executable.
    let program = unsafe { program::borrow(arguments.executable) }?;
    let text = &mut arguments.executable_fingerprint;
    set_text(
        &program.fingerprint,
        text,
        &mut arguments.executable_fingerprint_size,
    );
    Ok(())
}

pub unsafe fn loaded_fingerprint(
    arguments: &mut c_api::LoadedExecutableFingerprintArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid executable.
    let loaded = unsafe { borrow(arguments.executable) }?;
    let text = &mut arguments.executable_fingerprint;
    set_text(
        &loaded.program.fingerprint,
        text,
        &mut arguments.executable_fingerprint_size,
    );
    Ok(())
}

pub unsafe fn serialize(arguments: &mut c_api::ExecutableSerializeArgs) -> Result<()> {
    // SAFETY: the caller passes a valid executable.
    let program = unsafe { program::borrow(arguments.executable) }?;
    let fields = SerializedFields {
        data: &mut arguments.serialized_bytes,
        size: &mut arguments.serialized_bytes_size,
        owner: &mut arguments.serialized_executable,
        deleter: &mut arguments.serialized_executable_deleter,
    };
    handle::give_bytes(program.serialize(), fields);
    Ok(())
}

pub unsafe fn compile_options(
    arguments: &mut c_api::ExecutableGetCompileOptionsArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid executable.
    let program = unsafe { program::borrow(arguments.executable) }?;
    let fields = SerializedFields {
        data: &mut arguments.serialized_bytes,
        size: &mut arguments.serialized_bytes_size,
        owner: &mut arguments.serialized_compile_options,
        deleter: &mut arguments.serialized_compile_options_deleter,
    };
    handle::give_bytes(program.options().to_vec(), fields);
    Ok(())
}

/// The program that each device runs: the caller first queries its size, and then passes a buffer
/// for it.
pub unsafe fn optimized_program(
    arguments: &mut c_api::ExecutableOptimizedProgramArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid executable, and a program to fill.
    let (executable, program) = unsafe {
        let executable = program::borrow(arguments.executable)?;
        let program = arguments.program.as_mut();
        (
            executable,
            program.ok_or_else(|| Status::invalid("the program is null"))?,
        )
    };
    let source = executable.optimized()?;
    set_text("mlir", &mut program.format, &mut program.format_size);
    if !program.code.is_null() {
        if program.code_size < source.len() {
            let message = format!("the program takes {} bytes", source.len());
            return Err(Status::invalid(message));
        }
        // SAFETY: the caller's buffer has the given size.
        unsafe {
            std::ptr::copy_nonoverlapping(source.as_ptr(), program.code.cast(), source.len());
        }
    }
    program.code_size = source.len();
    Ok(())
}
