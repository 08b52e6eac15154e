//! Executables and their execution.

use super::*;

pub type SendCallback = Option<
    unsafe extern "C" fn(*mut Chunk, *mut CallbackError, usize, bool, *mut c_void) -> *mut Error,
>;

pub type RecvCallback = Option<unsafe extern "C" fn(*mut CopyToDeviceStream, *mut c_void)>;

pub type HloOutputCallback = Option<
    unsafe extern "C" fn(i64, i64, *const c_void, *const i64, usize, BufferType, i64, *mut c_void),
>;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct LogicalDeviceIds {
    pub replica: c_int,
    pub partition: c_int,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Chunk {
    pub data: *mut c_void,
    pub size: usize,
    pub deleter: Option<unsafe extern "C" fn(*mut c_void, *mut c_void)>,
    pub deleter_arg: *mut c_void,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct SendCallbackInfo {
    pub channel_id: i64,
    pub user_arg: *mut c_void,
    pub send_callback: SendCallback,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct RecvCallbackInfo {
    pub channel_id: i64,
    pub user_arg: *mut c_void,
    pub recv_callback: RecvCallback,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct HloOutputCallbackInfo {
    pub user_arg: *mut c_void,
    pub callback: HloOutputCallback,
    pub callback_id: i64,
    pub num_operands: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct LoadOptions {
    pub struct_size: usize,
    pub computation_origin: *const i32,
    pub computation_origin_size: usize,
    pub multi_slice_config: *mut MultiSliceConfig,
}

arguments! {
    ExecuteContextCreateArgs = "PJRT_ExecuteContext_Create_Args" {
        context: *mut ExecuteContext,
    }
    ExecuteContextDestroyArgs = "PJRT_ExecuteContext_Destroy_Args" {
        context: *mut ExecuteContext,
    }
    ExecutableDestroyArgs = "PJRT_Executable_Destroy_Args" {
        executable: *mut Executable,
    }
    LoadedExecutableDestroyArgs = "PJRT_LoadedExecutable_Destroy_Args" {
        executable: *mut LoadedExecutable,
    }
    LoadedExecutableGetExecutableArgs = "PJRT_LoadedExecutable_GetExecutable_Args" {
        loaded_executable: *mut LoadedExecutable,
        executable: *mut Executable,
    }
    LoadedExecutableGetDeviceAssignmentArgs = "PJRT_LoadedExecutable_GetDeviceAssignment_Args" {
        executable: *mut LoadedExecutable,
        serialized_bytes: *const c_char,
        serialized_bytes_size: usize,
        serialized_device_assignment: *mut DeviceAssignmentSerialized,
        serialized_device_assignment_deleter: Option<unsafe extern "C" fn(*mut DeviceAssignmentSerialized)>,
    }
    ExecutableNameArgs = "PJRT_Executable_Name_Args" {
        executable: *mut Executable,
        executable_name: *const c_char,
        executable_name_size: usize,
    }
    ExecutableNumReplicasArgs = "PJRT_Executable_NumReplicas_Args" {
        executable: *mut Executable,
        num_replicas: usize,
    }
    ExecutableNumPartitionsArgs = "PJRT_Executable_NumPartitions_Args" {
        executable: *mut Executable,
        num_partitions: usize,
    }
    LoadedExecutableAddressableDevicesArgs = "PJRT_LoadedExecutable_AddressableDevices_Args" {
        executable: *mut LoadedExecutable,
        addressable_devices: *const *mut Device,
        num_addressable_devices: usize,
    }
    LoadedExecutableAddressableDeviceLogicalIdsArgs = "PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args" {
        executable: *mut LoadedExecutable,
        addressable_device_logical_ids: *mut LogicalDeviceIds,
        num_addressable_device_logical_ids: usize,
    }
    ExecutableOptimizedProgramArgs = "PJRT_Executable_OptimizedProgram_Args" {
        executable: *mut Executable,
        program: *mut Program,
    }
    LoadedExecutableDeleteArgs = "PJRT_LoadedExecutable_Delete_Args" {
        executable: *mut LoadedExecutable,
    }
    LoadedExecutableIsDeletedArgs = "PJRT_LoadedExecutable_IsDeleted_Args" {
        executable: *mut LoadedExecutable,
        is_deleted: bool,
    }
    ExecuteOptions = "PJRT_ExecuteOptions" {
        send_callbacks: *mut *mut SendCallbackInfo,
        recv_callbacks: *mut *mut RecvCallbackInfo,
        num_send_ops: usize,
        num_recv_ops: usize,
        launch_id: c_int,
        non_donatable_input_indices: *const i64,
        num_non_donatable_input_indices: usize,
        context: *mut ExecuteContext,
        call_location: *const c_char,
        num_tasks: usize,
        task_ids: *mut c_int,
        incarnation_ids: *mut i64,
        multi_slice_config: *mut MultiSliceConfig,
        use_major_to_minor_data_layout_for_callbacks: bool,
        hlo_output_callbacks: *mut HloOutputCallbackInfo,
        num_hlo_output_callbacks: usize,
    }
    LoadedExecutableExecuteArgs = "PJRT_LoadedExecutable_Execute_Args" {
        executable: *mut LoadedExecutable,
        options: *mut ExecuteOptions,
        argument_lists: *const *const *mut Buffer,
        num_devices: usize,
        num_args: usize,
        output_lists: *const *mut *mut Buffer,
        device_complete_events: *mut *mut Event,
        execute_device: *mut Device,
    }
    ExecutableNumOutputsArgs = "PJRT_Executable_NumOutputs_Args" {
        executable: *mut Executable,
        num_outputs: usize,
    }
    ExecutableSizeOfGeneratedCodeInBytesArgs = "PJRT_Executable_SizeOfGeneratedCodeInBytes_Args" {
        executable: *mut Executable,
        size_in_bytes: i64,
    }
    ExecutableFingerprintArgs = "PJRT_Executable_Fingerprint_Args" {
        executable: *mut Executable,
        executable_fingerprint: *const c_char,
        executable_fingerprint_size: usize,
    }
    ExecutableGetCostAnalysisArgs = "PJRT_Executable_GetCostAnalysis_Args" {
        executable: *mut Executable,
        num_properties: usize,
        properties: *const NamedValue,
    }
    ExecutableGetCompiledMemoryStatsArgs = "PJRT_Executable_GetCompiledMemoryStats_Args" {
        executable: *mut Executable,
        generated_code_size_in_bytes: i64,
        argument_size_in_bytes: i64,
        output_size_in_bytes: i64,
        alias_size_in_bytes: i64,
        temp_size_in_bytes: i64,
        host_generated_code_size_in_bytes: i64,
        host_argument_size_in_bytes: i64,
        host_output_size_in_bytes: i64,
        host_alias_size_in_bytes: i64,
        host_temp_size_in_bytes: i64,
        peak_memory_in_bytes: i64,
        total_size_in_bytes: i64,
        total_allocation_bytes: i64,
        indefinite_allocations: i64,
        peak_unpadded_heap_bytes: i64,
    }
    ExecutableOutputElementTypesArgs = "PJRT_Executable_OutputElementTypes_Args" {
        executable: *mut Executable,
        output_types: *mut BufferType,
        num_output_types: usize,
    }
    ExecutableOutputDimensionsArgs = "PJRT_Executable_OutputDimensions_Args" {
        executable: *mut Executable,
        num_outputs: usize,
        dims: *const i64,
        dim_sizes: *const usize,
    }
    ExecutableParameterMemoryKindsArgs = "PJRT_Executable_ParameterMemoryKinds_Args" {
        executable: *mut Executable,
        num_parameters: usize,
        memory_kinds: *const *const c_char,
        memory_kind_sizes: *const usize,
    }
    ExecutableOutputMemoryKindsArgs = "PJRT_Executable_OutputMemoryKinds_Args" {
        executable: *mut Executable,
        num_outputs: usize,
        memory_kinds: *const *const c_char,
        memory_kind_sizes: *const usize,
    }
    ExecutableSerializeArgs = "PJRT_Executable_Serialize_Args" {
        executable: *const Executable,
        serialized_bytes: *const c_char,
        serialized_bytes_size: usize,
        serialized_executable: *mut SerializedExecutable,
        serialized_executable_deleter: Option<unsafe extern "C" fn(*mut SerializedExecutable)>,
    }
    ExecutableGetCompileOptionsArgs = "PJRT_Executable_GetCompileOptions_Args" {
        executable: *mut Executable,
        serialized_bytes: *const c_char,
        serialized_bytes_size: usize,
        serialized_compile_options: *mut SerializedCompileOptions,
        serialized_compile_options_deleter: Option<unsafe extern "C" fn(*mut SerializedCompileOptions)>,
    }
    ExecutableDeserializeAndLoadArgs = "PJRT_Executable_DeserializeAndLoad_Args" {
        client: *mut Client,
        serialized_executable: *const c_char,
        serialized_executable_size: usize,
        loaded_executable: *mut LoadedExecutable,
        overridden_serialized_compile_options: *const c_char,
        overridden_serialized_compile_options_size: usize,
        load_options: *mut LoadOptions,
    }
    LoadedExecutableFingerprintArgs = "PJRT_LoadedExecutable_Fingerprint_Args" {
        executable: *mut LoadedExecutable,
        executable_fingerprint: *const c_char,
        executable_fingerprint_size: usize,
    }
}
