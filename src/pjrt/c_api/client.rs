//! The client and compilation.

use super::*;

enumeration! {
    /// `PJRT_ProcessState`.
    ProcessState {
        UNSPECIFIED = 0,
        UNINITIALIZED = 1,
        DISCONNECTED = 2,
        CONNECTED = 3,
        ERROR = 4,
    }
}

pub type KeyValueGetCallbackValueDeleter = Option<unsafe extern "C" fn(*mut c_char)>;

pub type KeyValueGetCallback =
    Option<unsafe extern "C" fn(*mut KeyValueGetCallbackArgs) -> *mut Error>;

pub type KeyValueTryGetCallbackValueDeleter = Option<unsafe extern "C" fn(*mut c_char)>;

pub type KeyValueTryGetCallback =
    Option<unsafe extern "C" fn(*mut KeyValueTryGetCallbackArgs) -> *mut Error>;

pub type KeyValuePutCallback =
    Option<unsafe extern "C" fn(*mut KeyValuePutCallbackArgs) -> *mut Error>;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ProcessInfo {
    pub struct_size: usize,
    pub task_id: c_int,
    pub incarnation_id: u64,
    pub state: ProcessState,
    pub error_code: c_int,
    pub error_message: *const c_char,
    pub error_message_size: usize,
}

arguments! {
    KeyValueGetCallbackArgs = "PJRT_KeyValueGetCallback_Args" {
        key: *const c_char,
        key_size: usize,
        timeout_in_ms: c_int,
        callback_error: *mut CallbackError,
        user_arg: *mut c_void,
        value: *mut c_char,
        value_size: usize,
        value_deleter_callback: KeyValueGetCallbackValueDeleter,
    }
    KeyValueTryGetCallbackArgs = "PJRT_KeyValueTryGetCallback_Args" {
        key: *const c_char,
        key_size: usize,
        callback_error: *mut CallbackError,
        user_arg: *mut c_void,
        value: *mut c_char,
        value_size: usize,
        value_deleter_callback: KeyValueTryGetCallbackValueDeleter,
    }
    KeyValuePutCallbackArgs = "PJRT_KeyValuePutCallback_Args" {
        key: *const c_char,
        key_size: usize,
        value: *const c_char,
        value_size: usize,
        callback_error: *mut CallbackError,
        user_arg: *mut c_void,
    }
    ClientCreateArgs = "PJRT_Client_Create_Args" {
        create_options: *const NamedValue,
        num_options: usize,
        kv_get_callback: KeyValueGetCallback,
        kv_get_user_arg: *mut c_void,
        kv_put_callback: KeyValuePutCallback,
        kv_put_user_arg: *mut c_void,
        client: *mut Client,
        kv_try_get_callback: KeyValueTryGetCallback,
        kv_try_get_user_arg: *mut c_void,
    }
    ClientDestroyArgs = "PJRT_Client_Destroy_Args" {
        client: *mut Client,
    }
    ClientPlatformNameArgs = "PJRT_Client_PlatformName_Args" {
        client: *mut Client,
        platform_name: *const c_char,
        platform_name_size: usize,
    }
    ClientProcessIndexArgs = "PJRT_Client_ProcessIndex_Args" {
        client: *mut Client,
        process_index: c_int,
    }
    ClientPlatformVersionArgs = "PJRT_Client_PlatformVersion_Args" {
        client: *mut Client,
        platform_version: *const c_char,
        platform_version_size: usize,
    }
    ClientTopologyDescriptionArgs = "PJRT_Client_TopologyDescription_Args" {
        client: *mut Client,
        topology: *mut TopologyDescription,
    }
    ClientDevicesArgs = "PJRT_Client_Devices_Args" {
        client: *mut Client,
        devices: *const *mut Device,
        num_devices: usize,
    }
    ClientAddressableDevicesArgs = "PJRT_Client_AddressableDevices_Args" {
        client: *mut Client,
        addressable_devices: *const *mut Device,
        num_addressable_devices: usize,
    }
    ClientLookupDeviceArgs = "PJRT_Client_LookupDevice_Args" {
        client: *mut Client,
        id: c_int,
        device: *mut Device,
    }
    ClientLookupAddressableDeviceArgs = "PJRT_Client_LookupAddressableDevice_Args" {
        client: *mut Client,
        local_hardware_id: c_int,
        addressable_device: *mut Device,
    }
    ClientUpdateGlobalProcessInfoArgs = "PJRT_Client_UpdateGlobalProcessInfo_Args" {
        client: *mut Client,
        process_infos: *mut ProcessInfo,
        num_process_infos: usize,
    }
    ClientAddressableMemoriesArgs = "PJRT_Client_AddressableMemories_Args" {
        client: *mut Client,
        addressable_memories: *const *mut Memory,
        num_addressable_memories: usize,
    }
    Program = "PJRT_Program" {
        code: *mut c_char,
        code_size: usize,
        format: *const c_char,
        format_size: usize,
    }
    ClientCompileArgs = "PJRT_Client_Compile_Args" {
        client: *mut Client,
        program: *const Program,
        compile_options: *const c_char,
        compile_options_size: usize,
        executable: *mut LoadedExecutable,
    }
    ClientLoadArgs = "PJRT_Client_Load_Args" {
        client: *mut Client,
        executable: *mut Executable,
        compile_options: *const c_char,
        compile_options_size: usize,
        loaded_executable: *mut LoadedExecutable,
    }
    ClientDefaultDeviceAssignmentArgs = "PJRT_Client_DefaultDeviceAssignment_Args" {
        client: *mut Client,
        num_replicas: c_int,
        num_partitions: c_int,
        default_assignment_size: usize,
        default_assignment: *mut c_int,
    }
    ClientDmaMapArgs = "PJRT_Client_DmaMap_Args" {
        client: *mut Client,
        data: *mut c_void,
        size: usize,
    }
    ClientDmaUnmapArgs = "PJRT_Client_DmaUnmap_Args" {
        client: *mut Client,
        data: *mut c_void,
    }
    CompileArgs = "PJRT_Compile_Args" {
        topology: *const TopologyDescription,
        program: *const Program,
        compile_options: *const c_char,
        compile_options_size: usize,
        client: *mut Client,
        executable: *mut Executable,
    }
}
