//! Memories.

use super::*;

/// Frees user data of a memory.
pub type Destructor = Option<unsafe extern "C" fn(*mut c_void)>;

/// `PJRT_Memory_FunctionTable`, to which a memory points first.
#[repr(C)]
pub struct MemoryFunctionTable {
    pub struct_size: usize,
    pub extension_start: *mut ExtensionBase,
    pub instance_struct_size: usize,
    pub get_user_data: unsafe extern "C" fn(*mut Memory, *const c_void) -> *mut c_void,
    pub set_user_data: unsafe extern "C" fn(*mut Memory, *const c_void, *mut c_void, Destructor),
}

arguments! {
    MemoryIdArgs = "PJRT_Memory_Id_Args" {
        memory: *mut Memory,
        id: c_int,
    }
    MemoryKindArgs = "PJRT_Memory_Kind_Args" {
        memory: *mut Memory,
        kind: *const c_char,
        kind_size: usize,
    }
    MemoryKindIdArgs = "PJRT_Memory_Kind_Id_Args" {
        memory: *mut Memory,
        kind_id: c_int,
    }
    MemoryDebugStringArgs = "PJRT_Memory_DebugString_Args" {
        memory: *mut Memory,
        debug_string: *const c_char,
        debug_string_size: usize,
    }
    MemoryToStringArgs = "PJRT_Memory_ToString_Args" {
        memory: *mut Memory,
        to_string: *const c_char,
        to_string_size: usize,
    }
    MemoryAddressableByDevicesArgs = "PJRT_Memory_AddressableByDevices_Args" {
        memory: *mut Memory,
        devices: *const *mut Device,
        num_devices: usize,
    }
}
