//! Sizes and places of fields, as a C compiler gives them for XLA's header of version 0.114 on
//! a 64-bit machine: of each struct its size, and where the last field is.

use std::mem::{offset_of, size_of};

use halo_pjrt::Api;
use halo_pjrt::c_api::xla_ffi::{self, Struct};
use halo_pjrt::c_api::*;

macro_rules! layouts {
    ($($name:ident $size:literal $last:ident $offset:literal)*) => {
        vec![$((
            stringify!($name),
            [size_of::<$name>(), offset_of!($name, $last)],
            [$size, $offset],
        ),)*]
    };
}

#[test]
fn structs_are_as_in_c() {
    let structs = layouts! {
        ExtensionBase 24 next 16
        ApiVersion 24 minor_version 20
        ErrorDestroyArgs 24 error 16
        ErrorMessageArgs 40 message_size 32
        ErrorFunctionTable 56 for_each_payload 48
        ErrorGetCodeArgs 32 code 24
        ErrorForEachPayloadArgs 40 user_arg 32
        NamedValue 56 value_size 48
        PluginInitializeArgs 16 extension_start 8
        PluginAttributesArgs 32 num_attributes 24
        EventDestroyArgs 24 event 16
        EventIsReadyArgs 32 is_ready 24
        EventErrorArgs 24 event 16
        EventAwaitArgs 24 event 16
        EventOnReadyArgs 40 user_arg 32
        EventCreateArgs 24 event 16
        EventSetArgs 48 error_message_size 40
        MemoryFunctionTable 40 set_user_data 32
        KeyValueGetCallbackArgs 80 value_deleter_callback 72
        KeyValueTryGetCallbackArgs 72 value_deleter_callback 64
        KeyValuePutCallbackArgs 64 user_arg 56
        ClientCreateArgs 88 kv_try_get_user_arg 80
        ClientDestroyArgs 24 client 16
        ClientPlatformNameArgs 40 platform_name_size 32
        ClientProcessIndexArgs 32 process_index 24
        ClientPlatformVersionArgs 40 platform_version_size 32
        ClientTopologyDescriptionArgs 32 topology 24
        ClientDevicesArgs 40 num_devices 32
        ClientAddressableDevicesArgs 40 num_addressable_devices 32
        ClientLookupDeviceArgs 40 device 32
        ClientLookupAddressableDeviceArgs 40 addressable_device 32
        ProcessInfo 48 error_message_size 40
        ClientUpdateGlobalProcessInfoArgs 40 num_process_infos 32
        ClientAddressableMemoriesArgs 40 num_addressable_memories 32
        Program 48 format_size 40
        ClientCompileArgs 56 executable 48
        ClientLoadArgs 56 loaded_executable 48
        ClientDefaultDeviceAssignmentArgs 48 default_assignment 40
        ClientDmaMapArgs 40 size 32
        ClientDmaUnmapArgs 32 data 24
        AsyncHostToDeviceTransferManagerDestroyArgs 24 transfer_manager 16
        AsyncHostToDeviceTransferManagerTransferDataArgs 72 done_with_h2d_transfer 64
        AsyncHostToDeviceTransferManagerRetrieveBufferArgs 40 buffer_out 32
        AsyncHostToDeviceTransferManagerDeviceArgs 32 device_out 24
        AsyncHostToDeviceTransferManagerBufferCountArgs 32 buffer_count 24
        AsyncHostToDeviceTransferManagerBufferSizeArgs 40 buffer_size 32
        AsyncHostToDeviceTransferManagerSetBufferErrorArgs 48 error_message_size 40
        AsyncHostToDeviceTransferManagerAddMetadataArgs 40 num_metadata 32
        BufferMemoryLayoutTiled 56 num_tiles 48
        BufferMemoryLayoutStrides 32 num_byte_strides 24
        BufferMemoryLayout 80 type_ 72
        AsyncHostToDeviceTransferManagerTransferLiteralArgs 80 done_with_h2d_transfer 72
        ClientCreateUninitializedBufferArgs 80 buffer 72
        ClientCreateErrorBufferArgs 112 num_payload 104
        ClientCreateAliasBufferArgs 80 fulfill_alias_buffer_cb 72
        ClientFulfillAliasBufferArgs 64 fulfill_alias_buffer_cb 56
        ClientBufferFromHostBufferArgs 120 buffer 112
        ClientCreateViewOfDeviceBufferArgs 112 memory 104
        ShapeSpec 40 element_type 32
        ClientCreateBuffersForAsyncHostToDeviceArgs 72 transfer_manager 64
        DeviceDescriptionIdArgs 32 id 24
        DeviceDescriptionProcessIndexArgs 32 process_index 24
        DeviceDescriptionAttributesArgs 40 attributes 32
        DeviceDescriptionKindArgs 40 device_kind_size 32
        DeviceDescriptionDebugStringArgs 40 debug_string_size 32
        DeviceDescriptionToStringArgs 40 to_string_size 32
        DeviceGetDescriptionArgs 32 device_description 24
        DeviceIsAddressableArgs 32 is_addressable 24
        DeviceLocalHardwareIdArgs 32 local_hardware_id 24
        DeviceAddressableMemoriesArgs 40 num_memories 32
        DeviceDefaultMemoryArgs 32 memory 24
        DeviceMemoryStatsArgs 208 peak_allocated_bytes_is_set 200
        DeviceClearMemoryStatsArgs 24 device 16
        DevicePoisonExecutionArgs 72 num_payload 64
        DeviceGetAttributesArgs 56 attributes_deleter 48
        DeviceCreateAsyncTrackingEventArgs 48 event 40
        AsyncTrackingEventDestroyArgs 24 event 16
        MemoryIdArgs 32 id 24
        MemoryKindArgs 40 kind_size 32
        MemoryKindIdArgs 32 kind_id 24
        MemoryDebugStringArgs 40 debug_string_size 32
        MemoryToStringArgs 40 to_string_size 32
        MemoryAddressableByDevicesArgs 40 num_devices 32
        ExecuteContextCreateArgs 24 context 16
        ExecuteContextDestroyArgs 24 context 16
        ExecutableDestroyArgs 24 executable 16
        LoadedExecutableDestroyArgs 24 executable 16
        LoadedExecutableGetExecutableArgs 32 executable 24
        LoadedExecutableGetDeviceAssignmentArgs 56 serialized_device_assignment_deleter 48
        ExecutableNameArgs 40 executable_name_size 32
        ExecutableNumReplicasArgs 32 num_replicas 24
        ExecutableNumPartitionsArgs 32 num_partitions 24
        LogicalDeviceIds 8 partition 4
        LoadedExecutableAddressableDevicesArgs 40 num_addressable_devices 32
        LoadedExecutableAddressableDeviceLogicalIdsArgs 40 num_addressable_device_logical_ids 32
        ExecutableOptimizedProgramArgs 32 program 24
        LoadedExecutableDeleteArgs 24 executable 16
        LoadedExecutableIsDeletedArgs 32 is_deleted 24
        Chunk 32 deleter_arg 24
        SendCallbackInfo 24 send_callback 16
        RecvCallbackInfo 24 recv_callback 16
        HloOutputCallbackInfo 32 num_operands 24
        ExecuteOptions 144 num_hlo_output_callbacks 136
        LoadedExecutableExecuteArgs 80 execute_device 72
        ExecutableNumOutputsArgs 32 num_outputs 24
        ExecutableSizeOfGeneratedCodeInBytesArgs 32 size_in_bytes 24
        ExecutableFingerprintArgs 40 executable_fingerprint_size 32
        ExecutableGetCostAnalysisArgs 40 properties 32
        ExecutableGetCompiledMemoryStatsArgs 144 peak_unpadded_heap_bytes 136
        ExecutableOutputElementTypesArgs 40 num_output_types 32
        ExecutableOutputDimensionsArgs 48 dim_sizes 40
        ExecutableParameterMemoryKindsArgs 48 memory_kind_sizes 40
        ExecutableOutputMemoryKindsArgs 48 memory_kind_sizes 40
        ExecutableSerializeArgs 56 serialized_executable_deleter 48
        ExecutableGetCompileOptionsArgs 56 serialized_compile_options_deleter 48
        LoadOptions 32 multi_slice_config 24
        ExecutableDeserializeAndLoadArgs 72 load_options 64
        LoadedExecutableFingerprintArgs 40 executable_fingerprint_size 32
        BufferDestroyArgs 24 buffer 16
        BufferElementTypeArgs 32 type_ 24
        BufferDimensionsArgs 40 num_dims 32
        BufferUnpaddedDimensionsArgs 40 num_dims 32
        BufferDynamicDimensionIndicesArgs 40 num_dynamic_dims 32
        BufferGetMemoryLayoutArgs 104 layout 24
        BufferToHostBufferArgs 56 event 48
        BufferOnDeviceSizeInBytesArgs 32 on_device_size_in_bytes 24
        BufferDeleteArgs 24 buffer 16
        BufferIsDeletedArgs 32 is_deleted 24
        BufferCopyRawToHostArgs 56 event 48
        BufferCopyRawToHostFutureCallbackArgs 48 dst 40
        BufferCopyRawToHostFutureArgs 64 future_ready_callback 56
        BufferCopyToDeviceArgs 40 dst_buffer 32
        BufferCopyToMemoryArgs 40 dst_buffer 32
        BufferBitcastArgs 64 out_buffer 56
        BufferIsOnCpuArgs 32 is_on_cpu 24
        BufferDeviceArgs 32 device 24
        BufferMemoryArgs 32 memory 24
        BufferReadyEventArgs 32 event 24
        BufferUnsafePointerArgs 32 buffer_pointer 24
        BufferIncreaseExternalReferenceCountArgs 24 buffer 16
        BufferDecreaseExternalReferenceCountArgs 24 buffer 16
        BufferOpaqueDeviceMemoryDataPointerArgs 32 device_memory_ptr 24
        BufferDonateWithControlDependencyCallbackArgs 40 error_message_size 32
        BufferDonateWithControlDependencyArgs 48 out_buffer 40
        CopyToDeviceStreamDestroyArgs 24 stream 16
        CopyToDeviceStreamAddChunkArgs 40 transfer_complete 32
        CopyToDeviceStreamTotalBytesArgs 32 total_bytes 24
        CopyToDeviceStreamGranuleSizeArgs 32 granule_size_in_bytes 24
        CopyToDeviceStreamCurrentBytesArgs 32 current_bytes 24
        TopologyDescriptionCreateArgs 56 topology 48
        TopologyDescriptionDestroyArgs 24 topology 16
        TopologyDescriptionPlatformVersionArgs 40 platform_version_size 32
        TopologyDescriptionPlatformNameArgs 40 platform_name_size 32
        TopologyDescriptionGetDeviceDescriptionsArgs 40 num_descriptions 32
        TopologyDescriptionSerializeArgs 56 serialized_topology_deleter 48
        TopologyDescriptionDeserializeArgs 40 topology 32
        TopologyDescriptionAttributesArgs 40 num_attributes 32
        TopologyDescriptionFingerprintArgs 32 fingerprint 24
        TopologyDescriptionMakeCanonicalShapeForMemorySpaceArgs 88 serialized_shape_deleter 80
        TopologyDescriptionGetMemorySpaceKindIdsArgs 40 num_memory_space_kind_ids 32
        CompileArgs 64 executable 56
        LayoutsMemoryLayoutDestroyArgs 24 layout 16
        LayoutsMemoryLayoutSerializeArgs 56 serialized_layout_deleter 48
        LayoutsPJRTBufferMemoryLayoutArgs 32 layout 24
        LayoutsPJRTClientGetDefaultLayoutArgs 56 layout 48
        LayoutsPJRTTopologyGetDefaultLayoutArgs 56 layout 48
        LayoutsPJRTExecutableGetOutputLayoutsArgs 40 layouts 32
        LayoutsPJRTExecutableGetParameterLayoutsArgs 40 layouts 32
        DeviceDescriptionMemoryDescriptionsArgs 48 default_memory_index 40
        MemoryDescriptionKindArgs 48 kind_id 40
        ShardingsExecutableParameterShardingsArgs 48 sharding_sizes 40
        ShardingsExecutableOutputShardingsArgs 48 sharding_sizes 40
        FFITypeInfo 24 deserialize 16
        FFITypeRegisterArgs 48 type_info 40
        FFIUserData 16 data 8
        FFIUserDataAddArgs 40 user_data 24
        FFIRegisterHandlerArgs 56 traits 48
        GetStreamForExternalReadyEventsArgs 24 stream 16
        WaitUntilBufferReadyOnStreamArgs 24 buffer 16
    };
    for (name, own, expected) in structs {
        assert_eq!(own, expected, "size and last field of {name}");
    }
}

#[test]
fn the_table_is_as_in_c() {
    assert_eq!(size_of::<Api>(), 1144);
    let last = offset_of!(Api, topology_description_get_memory_space_kind_ids);
    assert_eq!(last, 1136);
    // Two from the middle.
    assert_eq!(offset_of!(Api, loaded_executable_execute), 480);
    assert_eq!(offset_of!(Api, client_create_view_of_device_buffer), 784);
}

/// Of each struct of XLA's foreign functions, version 0.3: its size, the size that it says it
/// has, and where the last field is.
macro_rules! ffi_layouts {
    ($($name:ident $size:literal $said:literal $last:ident $offset:literal)*) => {
        vec![$((
            stringify!($name),
            [
                size_of::<xla_ffi::$name>(),
                xla_ffi::$name::SIZE,
                offset_of!(xla_ffi::$name, $last),
            ],
            [$size, $said, $offset],
        ),)*]
    };
}

#[test]
fn structs_of_foreign_functions_are_as_in_c() {
    let structs = ffi_layouts! {
        ApiVersion 24 24 minor_version 20
        ErrorCreateArgs 32 28 errc 24
        ErrorGetMessageArgs 32 32 message 24
        ErrorDestroyArgs 24 24 error 16
        Buffer 48 48 dims 40
        TypeInfo 24 24 deleter 16
        FutureCreateArgs 24 16 future 16
        FutureSetAvailableArgs 24 24 future 16
        FutureSetErrorArgs 32 32 error 24
        Args 40 40 args 32
        Attrs 48 48 attrs 40
        CallFrame 176 168 future 168
        HandlerRegisterArgs 88 84 traits 80
        TypeRegisterArgs 48 40 type_info 40
        ExecutionContextGetArgs 40 40 data 32
        StateSetArgs 48 48 state 40
        StateGetArgs 48 48 state 40
        StreamGetArgs 32 32 stream 24
        DeviceMemoryAllocateArgs 48 48 data 40
        DeviceMemoryFreeArgs 40 40 data 32
        ThreadPoolScheduleArgs 40 40 data 32
        ThreadPoolNumThreadsArgs 32 32 num_threads 24
        RunIdGetArgs 32 32 run_id 24
        DeviceOrdinalGetArgs 32 28 device_ordinal 24
        Metadata 48 36 state_type_id 40
    };
    for (name, own, expected) in structs {
        assert_eq!(own, expected, "sizes and last field of XLA_FFI_{name}");
    }
    let others = [
        [
            size_of::<xla_ffi::ExtensionBase>(),
            offset_of!(xla_ffi::ExtensionBase, next),
        ],
        [
            size_of::<xla_ffi::MetadataExtension>(),
            offset_of!(xla_ffi::MetadataExtension, metadata),
        ],
        [
            size_of::<xla_ffi::ByteSpan>(),
            offset_of!(xla_ffi::ByteSpan, len),
        ],
        [
            size_of::<xla_ffi::Scalar>(),
            offset_of!(xla_ffi::Scalar, value),
        ],
        [
            size_of::<xla_ffi::Array>(),
            offset_of!(xla_ffi::Array, data),
        ],
        [
            size_of::<xla_ffi::HandlerBundle>(),
            offset_of!(xla_ffi::HandlerBundle, execute),
        ],
        [
            size_of::<xla_ffi::TypeId>(),
            offset_of!(xla_ffi::TypeId, type_id),
        ],
        [
            size_of::<xla_ffi::Api>(),
            offset_of!(xla_ffi::Api, device_ordinal_get),
        ],
    ];
    let expected = [
        [24, 16],
        [32, 24],
        [16, 8],
        [16, 8],
        [24, 16],
        [32, 24],
        [8, 0],
        [192, 184],
    ];
    assert_eq!(others, expected);
    // From the middle.
    assert_eq!(offset_of!(xla_ffi::Api, state_get), 112);
    assert_eq!(offset_of!(xla_ffi::CallFrame, rets), 80);
}
