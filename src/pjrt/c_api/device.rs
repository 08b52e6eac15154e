//! Devices and their descriptions.

use super::*;

arguments! {
    DeviceDescriptionIdArgs = "PJRT_DeviceDescription_Id_Args" {
        device_description: *mut DeviceDescription,
        id: c_int,
    }
    DeviceDescriptionProcessIndexArgs = "PJRT_DeviceDescription_ProcessIndex_Args" {
        device_description: *mut DeviceDescription,
        process_index: c_int,
    }
    DeviceDescriptionAttributesArgs = "PJRT_DeviceDescription_Attributes_Args" {
        device_description: *mut DeviceDescription,
        num_attributes: usize,
        attributes: *const NamedValue,
    }
    DeviceDescriptionKindArgs = "PJRT_DeviceDescription_Kind_Args" {
        device_description: *mut DeviceDescription,
        device_kind: *const c_char,
        device_kind_size: usize,
    }
    DeviceDescriptionDebugStringArgs = "PJRT_DeviceDescription_DebugString_Args" {
        device_description: *mut DeviceDescription,
        debug_string: *const c_char,
        debug_string_size: usize,
    }
    DeviceDescriptionToStringArgs = "PJRT_DeviceDescription_ToString_Args" {
        device_description: *mut DeviceDescription,
        to_string: *const c_char,
        to_string_size: usize,
    }
    DeviceGetDescriptionArgs = "PJRT_Device_GetDescription_Args" {
        device: *mut Device,
        device_description: *mut DeviceDescription,
    }
    DeviceIsAddressableArgs = "PJRT_Device_IsAddressable_Args" {
        device: *mut Device,
        is_addressable: bool,
    }
    DeviceLocalHardwareIdArgs = "PJRT_Device_LocalHardwareId_Args" {
        device: *mut Device,
        local_hardware_id: c_int,
    }
    DeviceAddressableMemoriesArgs = "PJRT_Device_AddressableMemories_Args" {
        device: *mut Device,
        memories: *const *mut Memory,
        num_memories: usize,
    }
    DeviceDefaultMemoryArgs = "PJRT_Device_DefaultMemory_Args" {
        device: *mut Device,
        memory: *mut Memory,
    }
    DeviceMemoryStatsArgs = "PJRT_Device_MemoryStats_Args" {
        device: *mut Device,
        bytes_in_use: i64,
        peak_bytes_in_use: i64,
        peak_bytes_in_use_is_set: bool,
        num_allocs: i64,
        num_allocs_is_set: bool,
        largest_alloc_size: i64,
        largest_alloc_size_is_set: bool,
        bytes_limit: i64,
        bytes_limit_is_set: bool,
        bytes_reserved: i64,
        bytes_reserved_is_set: bool,
        peak_bytes_reserved: i64,
        peak_bytes_reserved_is_set: bool,
        bytes_reservable_limit: i64,
        bytes_reservable_limit_is_set: bool,
        largest_free_block_bytes: i64,
        largest_free_block_bytes_is_set: bool,
        pool_bytes: i64,
        pool_bytes_is_set: bool,
        peak_pool_bytes: i64,
        peak_pool_bytes_is_set: bool,
        peak_allocated_bytes: i64,
        peak_allocated_bytes_is_set: bool,
    }
    DeviceClearMemoryStatsArgs = "PJRT_Device_ClearMemoryStats_Args" {
        device: *mut Device,
    }
    DevicePoisonExecutionArgs = "PJRT_Device_PoisonExecution_Args" {
        device: *mut Device,
        launch_id: i32,
        error_code: ErrorCode,
        error_message: *const c_char,
        error_message_size: usize,
        poisoned: bool,
        payload: *const NamedValue,
        num_payload: usize,
    }
    DeviceGetAttributesArgs = "PJRT_Device_GetAttributes_Args" {
        device: *mut Device,
        attributes: *const NamedValue,
        num_attributes: usize,
        device_attributes: *mut DeviceAttributes,
        attributes_deleter: Option<unsafe extern "C" fn(*mut DeviceAttributes)>,
    }
    DeviceCreateAsyncTrackingEventArgs = "PJRT_Device_CreateAsyncTrackingEvent_Args" {
        device: *mut Device,
        description: *const c_char,
        description_size: usize,
        event: *mut AsyncTrackingEvent,
    }
    AsyncTrackingEventDestroyArgs = "PJRT_AsyncTrackingEvent_Destroy_Args" {
        event: *mut AsyncTrackingEvent,
    }
}
