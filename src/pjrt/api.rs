//! The function table of the plug-in.

use std::ptr;

use crate::buffer::{self, creation, derived, transfer};
use crate::c_api::{
    API_MAJOR, API_MINOR, Api, ApiVersion, CustomPartitionerExtension, FFIExtension,
    LayoutsExtension, MemoryDescriptionsExtension, ProfilerExtension, ShardingsExtension,
};
use crate::extension::table;
use crate::library::{self, Plugin};
use crate::{
    canonical_shape, client, custom_partitioner, device, event, executable, execute, ffi, layouts,
    memory, memory_descriptions, plugin, profiler, shardings, status, topology, transfer_manager,
    unsupported,
};

static MEMORY_DESCRIPTIONS: MemoryDescriptionsExtension =
    memory_descriptions::extension(ptr::null());

static SHARDINGS: ShardingsExtension =
    shardings::extension((&raw const MEMORY_DESCRIPTIONS).cast());

static PROFILER: ProfilerExtension = profiler::extension((&raw const SHARDINGS).cast());

static LAYOUTS: LayoutsExtension = layouts::extension((&raw const PROFILER).cast());

static CUSTOM_PARTITIONER: CustomPartitionerExtension =
    custom_partitioner::extension((&raw const LAYOUTS).cast());

static FFI: FFIExtension = ffi::extension((&raw const CUSTOM_PARTITIONER).cast());

/// The table of functions of a plug-in, which becomes this library's.
pub fn api_of(plugin: Plugin) -> *const Api {
    library::set(plugin);
    &raw const API
}

/// The table of all plug-ins.
static API: Api = table! {
    Api {
        struct_size: size_of::<Api>(),
        extension_start: (&raw const FFI).cast_mut().cast(),
        pjrt_api_version: ApiVersion {
            struct_size: size_of::<ApiVersion>(),
            extension_start: ptr::null_mut(),
            major_version: API_MAJOR,
            minor_version: API_MINOR,
        },
        error_destroy: Some(status::error_destroy),
        error_message: Some(status::error_message),
    }
    functions {
        error_get_code(ErrorGetCodeArgs) = status::error_get_code,
        plugin_initialize(PluginInitializeArgs) = plugin::initialize,
        plugin_attributes(PluginAttributesArgs) = plugin::attributes,
        event_destroy(EventDestroyArgs) = event::destroy,
        event_is_ready(EventIsReadyArgs) = event::is_ready,
        event_error(EventErrorArgs) = event::error,
        event_await(EventAwaitArgs) = event::wait,
        event_on_ready(EventOnReadyArgs) = event::on_ready,
        client_create(ClientCreateArgs) = client::create,
        client_destroy(ClientDestroyArgs) = client::destroy,
        client_platform_name(ClientPlatformNameArgs) = client::platform_name,
        client_process_index(ClientProcessIndexArgs) = client::process_index,
        client_platform_version(ClientPlatformVersionArgs) = client::platform_version,
        client_devices(ClientDevicesArgs) = client::devices,
        client_addressable_devices(ClientAddressableDevicesArgs) = client::addressable_devices,
        client_lookup_device(ClientLookupDeviceArgs) = client::lookup_device,
        client_lookup_addressable_device(ClientLookupAddressableDeviceArgs) = client::lookup_addressable_device,
        client_addressable_memories(ClientAddressableMemoriesArgs) = client::addressable_memories,
        client_compile(ClientCompileArgs) = executable::client_compile,
        client_default_device_assignment(ClientDefaultDeviceAssignmentArgs) = client::default_device_assignment,
        client_buffer_from_host_buffer(ClientBufferFromHostBufferArgs) = creation::from_host_buffer,
        device_description_id(DeviceDescriptionIdArgs) = topology::description_id,
        device_description_process_index(DeviceDescriptionProcessIndexArgs) = topology::description_process_index,
        device_description_attributes(DeviceDescriptionAttributesArgs) = topology::description_attributes,
        device_description_kind(DeviceDescriptionKindArgs) = topology::description_kind,
        device_description_debug_string(DeviceDescriptionDebugStringArgs) = topology::description_debug_string,
        device_description_to_string(DeviceDescriptionToStringArgs) = topology::description_to_string,
        device_get_description(DeviceGetDescriptionArgs) = device::get_description,
        device_is_addressable(DeviceIsAddressableArgs) = device::is_addressable,
        device_local_hardware_id(DeviceLocalHardwareIdArgs) = device::local_hardware_id,
        device_addressable_memories(DeviceAddressableMemoriesArgs) = device::addressable_memories,
        device_default_memory(DeviceDefaultMemoryArgs) = device::default_memory,
        device_memory_stats(DeviceMemoryStatsArgs) = device::memory_stats,
        memory_id(MemoryIdArgs) = memory::id,
        memory_kind(MemoryKindArgs) = memory::kind,
        memory_debug_string(MemoryDebugStringArgs) = memory::debug_string,
        memory_to_string(MemoryToStringArgs) = memory::to_string,
        memory_addressable_by_devices(MemoryAddressableByDevicesArgs) = memory::addressable_by_devices,
        executable_destroy(ExecutableDestroyArgs) = executable::destroy,
        executable_name(ExecutableNameArgs) = executable::name,
        executable_num_replicas(ExecutableNumReplicasArgs) = executable::num_replicas,
        executable_num_partitions(ExecutableNumPartitionsArgs) = executable::num_partitions,
        executable_num_outputs(ExecutableNumOutputsArgs) = executable::num_outputs,
        executable_size_of_generated_code_in_bytes(ExecutableSizeOfGeneratedCodeInBytesArgs) = executable::size_of_generated_code,
        executable_get_cost_analysis(ExecutableGetCostAnalysisArgs) = executable::cost_analysis,
        executable_output_memory_kinds(ExecutableOutputMemoryKindsArgs) = executable::output_memory_kinds,
        executable_optimized_program(ExecutableOptimizedProgramArgs) = executable::optimized_program,
        executable_serialize(ExecutableSerializeArgs) = executable::serialize,
        loaded_executable_destroy(LoadedExecutableDestroyArgs) = executable::loaded_destroy,
        loaded_executable_get_executable(LoadedExecutableGetExecutableArgs) = executable::get_executable,
        loaded_executable_addressable_devices(LoadedExecutableAddressableDevicesArgs) = executable::addressable_devices,
        loaded_executable_delete(LoadedExecutableDeleteArgs) = executable::delete,
        loaded_executable_is_deleted(LoadedExecutableIsDeletedArgs) = executable::is_deleted,
        loaded_executable_execute(LoadedExecutableExecuteArgs) = execute::execute,
        executable_deserialize_and_load(ExecutableDeserializeAndLoadArgs) = executable::deserialize_and_load,
        loaded_executable_fingerprint(LoadedExecutableFingerprintArgs) = executable::loaded_fingerprint,
        buffer_destroy(BufferDestroyArgs) = buffer::destroy,
        buffer_element_type(BufferElementTypeArgs) = buffer::element_type,
        buffer_dimensions(BufferDimensionsArgs) = buffer::dimensions,
        buffer_unpadded_dimensions(BufferUnpaddedDimensionsArgs) = buffer::unpadded_dimensions,
        buffer_dynamic_dimension_indices(BufferDynamicDimensionIndicesArgs) = buffer::dynamic_dimension_indices,
        buffer_get_memory_layout(BufferGetMemoryLayoutArgs) = buffer::memory_layout,
        buffer_on_device_size_in_bytes(BufferOnDeviceSizeInBytesArgs) = buffer::on_device_size,
        buffer_device(BufferDeviceArgs) = buffer::device,
        buffer_memory(BufferMemoryArgs) = buffer::memory,
        buffer_delete(BufferDeleteArgs) = buffer::delete,
        buffer_is_deleted(BufferIsDeletedArgs) = buffer::is_deleted,
        buffer_copy_to_device(BufferCopyToDeviceArgs) = transfer::copy_to_device,
        buffer_to_host_buffer(BufferToHostBufferArgs) = transfer::to_host_buffer,
        buffer_is_on_cpu(BufferIsOnCpuArgs) = buffer::is_on_cpu,
        buffer_ready_event(BufferReadyEventArgs) = buffer::ready_event,
        buffer_unsafe_pointer(BufferUnsafePointerArgs) = buffer::unsafe_pointer,
        buffer_increase_external_reference_count(BufferIncreaseExternalReferenceCountArgs) = buffer::increase_external_reference_count,
        buffer_decrease_external_reference_count(BufferDecreaseExternalReferenceCountArgs) = buffer::decrease_external_reference_count,
        buffer_opaque_device_memory_data_pointer(BufferOpaqueDeviceMemoryDataPointerArgs) = buffer::opaque_data_pointer,
        copy_to_device_stream_destroy(CopyToDeviceStreamDestroyArgs) = unsupported::destroy_stream,
        copy_to_device_stream_add_chunk(CopyToDeviceStreamAddChunkArgs) = unsupported::stream,
        copy_to_device_stream_total_bytes(CopyToDeviceStreamTotalBytesArgs) = unsupported::stream,
        copy_to_device_stream_granule_size(CopyToDeviceStreamGranuleSizeArgs) = unsupported::stream,
        copy_to_device_stream_current_bytes(CopyToDeviceStreamCurrentBytesArgs) = unsupported::stream,
        topology_description_create(TopologyDescriptionCreateArgs) = topology::create,
        topology_description_destroy(TopologyDescriptionDestroyArgs) = topology::destroy,
        topology_description_platform_name(TopologyDescriptionPlatformNameArgs) = topology::platform_name,
        topology_description_platform_version(TopologyDescriptionPlatformVersionArgs) = topology::platform_version,
        topology_description_get_device_descriptions(TopologyDescriptionGetDeviceDescriptionsArgs) = topology::device_descriptions,
        topology_description_serialize(TopologyDescriptionSerializeArgs) = topology::serialize,
        topology_description_attributes(TopologyDescriptionAttributesArgs) = topology::attributes,
        compile(CompileArgs) = executable::compile,
        executable_output_element_types(ExecutableOutputElementTypesArgs) = executable::output_element_types,
        executable_output_dimensions(ExecutableOutputDimensionsArgs) = executable::output_dimensions,
        buffer_copy_to_memory(BufferCopyToMemoryArgs) = transfer::copy_to_memory,
        client_create_view_of_device_buffer(ClientCreateViewOfDeviceBufferArgs) = creation::view_of_device_buffer,
        executable_fingerprint(ExecutableFingerprintArgs) = executable::fingerprint,
        client_topology_description(ClientTopologyDescriptionArgs) = client::topology_description,
        executable_get_compiled_memory_stats(ExecutableGetCompiledMemoryStatsArgs) = executable::compiled_memory_stats,
        memory_kind_id(MemoryKindIdArgs) = memory::kind_id,
        execute_context_create(ExecuteContextCreateArgs) = execute::create_context,
        execute_context_destroy(ExecuteContextDestroyArgs) = execute::destroy_context,
        buffer_copy_raw_to_host(BufferCopyRawToHostArgs) = transfer::copy_raw_to_host,
        async_host_to_device_transfer_manager_destroy(AsyncHostToDeviceTransferManagerDestroyArgs) = transfer_manager::destroy,
        async_host_to_device_transfer_manager_transfer_data(AsyncHostToDeviceTransferManagerTransferDataArgs) = transfer_manager::transfer_data,
        client_create_buffers_for_async_host_to_device(ClientCreateBuffersForAsyncHostToDeviceArgs) = transfer_manager::create,
        async_host_to_device_transfer_manager_retrieve_buffer(AsyncHostToDeviceTransferManagerRetrieveBufferArgs) = transfer_manager::retrieve_buffer,
        async_host_to_device_transfer_manager_device(AsyncHostToDeviceTransferManagerDeviceArgs) = transfer_manager::device,
        async_host_to_device_transfer_manager_buffer_count(AsyncHostToDeviceTransferManagerBufferCountArgs) = transfer_manager::buffer_count,
        async_host_to_device_transfer_manager_buffer_size(AsyncHostToDeviceTransferManagerBufferSizeArgs) = transfer_manager::buffer_size,
        async_host_to_device_transfer_manager_set_buffer_error(AsyncHostToDeviceTransferManagerSetBufferErrorArgs) = transfer_manager::set_buffer_error,
        async_host_to_device_transfer_manager_add_metadata(AsyncHostToDeviceTransferManagerAddMetadataArgs) = transfer_manager::add_metadata,
        client_dma_map(ClientDmaMapArgs) = client::dma_map,
        client_dma_unmap(ClientDmaUnmapArgs) = client::dma_unmap,
        client_create_uninitialized_buffer(ClientCreateUninitializedBufferArgs) = creation::uninitialized,
        client_update_global_process_info(ClientUpdateGlobalProcessInfoArgs) = client::update_global_process_info,
        topology_description_deserialize(TopologyDescriptionDeserializeArgs) = topology::deserialize,
        client_create_alias_buffer(ClientCreateAliasBufferArgs) = unsupported::alias_buffer,
        client_fulfill_alias_buffer(ClientFulfillAliasBufferArgs) = unsupported::alias_buffer,
        loaded_executable_get_device_assignment(LoadedExecutableGetDeviceAssignmentArgs) = executable::device_assignment,
        client_create_error_buffer(ClientCreateErrorBufferArgs) = creation::error_buffer,
        async_host_to_device_transfer_manager_transfer_literal(AsyncHostToDeviceTransferManagerTransferLiteralArgs) = transfer_manager::transfer_literal,
        buffer_copy_raw_to_host_future(BufferCopyRawToHostFutureArgs) = transfer::copy_raw_to_host_future,
        device_poison_execution(DevicePoisonExecutionArgs) = device::poison_execution,
        device_create_async_tracking_event(DeviceCreateAsyncTrackingEventArgs) = device::create_tracking_event,
        async_tracking_event_destroy(AsyncTrackingEventDestroyArgs) = device::destroy_tracking_event,
        executable_get_compile_options(ExecutableGetCompileOptionsArgs) = executable::compile_options,
        buffer_donate_with_control_dependency(BufferDonateWithControlDependencyArgs) = derived::donate_with_control_dependency,
        event_create(EventCreateArgs) = event::create,
        event_set(EventSetArgs) = event::set,
        device_get_attributes(DeviceGetAttributesArgs) = device::get_attributes,
        client_load(ClientLoadArgs) = executable::client_load,
        loaded_executable_addressable_device_logical_ids(LoadedExecutableAddressableDeviceLogicalIdsArgs) = executable::addressable_device_logical_ids,
        buffer_bitcast(BufferBitcastArgs) = derived::bitcast,
        error_for_each_payload(ErrorForEachPayloadArgs) = status::error_for_each_payload,
        topology_description_fingerprint(TopologyDescriptionFingerprintArgs) = topology::fingerprint,
        executable_parameter_memory_kinds(ExecutableParameterMemoryKindsArgs) = executable::parameter_memory_kinds,
        device_clear_memory_stats(DeviceClearMemoryStatsArgs) = device::clear_memory_stats,
        topology_description_make_canonical_shape_for_memory_space(TopologyDescriptionMakeCanonicalShapeForMemorySpaceArgs) = canonical_shape::make,
        topology_description_get_memory_space_kind_ids(TopologyDescriptionGetMemorySpaceKindIdsArgs) = topology::memory_space_kind_ids,
    }
};
