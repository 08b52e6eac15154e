//! The extension for handlers of custom calls.

use super::*;

enumeration! {
    /// `PJRT_FFI_Handler_TraitsBits`.
    FFIHandlerTraitsBits {
        COMMAND_BUFFER_COMPATIBLE = 1,
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct FFITypeInfo {
    pub deleter: Option<unsafe extern "C" fn(*mut c_void)>,
    pub serialize: Option<unsafe extern "C" fn()>,
    pub deserialize: Option<unsafe extern "C" fn()>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct FFIUserData {
    pub type_id: i64,
    pub data: *mut c_void,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct FFIRegisterHandlerArgs {
    pub struct_size: usize,
    pub target_name: *const c_char,
    pub target_name_size: usize,
    pub handler: *mut c_void,
    pub platform_name: *const c_char,
    pub platform_name_size: usize,
    pub traits: FFIHandlerTraitsBits,
}

arguments! {
    FFITypeRegisterArgs = "PJRT_FFI_Type_Register_Args" {
        type_name: *const c_char,
        type_name_size: usize,
        type_id: i64,
        type_info: *mut FFITypeInfo,
    }
    FFIUserDataAddArgs = "PJRT_FFI_UserData_Add_Args" {
        context: *mut ExecuteContext,
        user_data: FFIUserData,
    }
}
