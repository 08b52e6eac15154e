//! Errors, named values and extensions.

use super::*;

/// The version of the interface that these types are of.
pub const API_MAJOR: c_int = 0;
pub const API_MINOR: c_int = 114;

enumeration! {
    /// `PJRT_Extension_Type`.
    ExtensionType {
        STREAM = 3,
        LAYOUTS = 4,
        FFI = 5,
        MEMORY_DESCRIPTIONS = 6,
        SHARDINGS = 19,
    }
}

/// `PJRT_Extension_Base`: an entry of a list of extensions.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ExtensionBase {
    pub struct_size: usize,
    pub type_: ExtensionType,
    pub next: *mut ExtensionBase,
}

arguments! {
    ApiVersion = "PJRT_Api_Version" {
        major_version: c_int,
        minor_version: c_int,
    }
}

enumeration! {
    /// `PJRT_Error_Code`: the codes of abseil's statuses.
    ErrorCode {
        OK = 0,
        CANCELLED = 1,
        UNKNOWN = 2,
        INVALID_ARGUMENT = 3,
        DEADLINE_EXCEEDED = 4,
        NOT_FOUND = 5,
        ALREADY_EXISTS = 6,
        PERMISSION_DENIED = 7,
        RESOURCE_EXHAUSTED = 8,
        FAILED_PRECONDITION = 9,
        ABORTED = 10,
        OUT_OF_RANGE = 11,
        UNIMPLEMENTED = 12,
        INTERNAL = 13,
        UNAVAILABLE = 14,
        DATA_LOSS = 15,
        UNAUTHENTICATED = 16,
    }
}

/// `PJRT_Error_FunctionTable`, to which an error points first.
#[repr(C)]
pub struct ErrorFunctionTable {
    pub struct_size: usize,
    pub instance_size: usize,
    pub extension_start: *mut ExtensionBase,
    pub destroy: unsafe extern "C" fn(*mut Error),
    pub message: unsafe extern "C" fn(*const Error, *mut *const c_char, *mut usize),
    pub get_code: unsafe extern "C" fn(*const Error) -> ErrorCode,
    pub for_each_payload: unsafe extern "C" fn(*const Error, ErrorPayloadVisitor, *mut c_void),
}

enumeration! {
    /// `PJRT_NamedValue_Type`.
    NamedValueType {
        STRING = 0,
        INT64 = 1,
        INT64_LIST = 2,
        FLOAT = 3,
        BOOL = 4,
    }
}

/// The value of a [`NamedValue`], of the kind that its type says.
#[repr(C)]
#[derive(Clone, Copy)]
pub union NamedValueContents {
    pub string: *const c_char,
    pub int64: i64,
    pub int64_array: *const i64,
    pub float: f32,
    pub bool: bool,
}

/// `PJRT_NamedValue`. The size is that of strings and lists, and 1 otherwise.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct NamedValue {
    pub struct_size: usize,
    pub extension_start: *mut ExtensionBase,
    pub name: *const c_char,
    pub name_size: usize,
    pub type_: NamedValueType,
    pub value: NamedValueContents,
    pub value_size: usize,
}

pub type ErrorPayloadVisitor =
    Option<unsafe extern "C" fn(*const c_char, usize, *const c_char, usize, *mut c_void)>;

pub type CallbackError =
    Option<unsafe extern "C" fn(ErrorCode, *const c_char, usize) -> *mut Error>;

arguments! {
    ErrorDestroyArgs = "PJRT_Error_Destroy_Args" {
        error: *mut Error,
    }
    ErrorMessageArgs = "PJRT_Error_Message_Args" {
        error: *const Error,
        message: *const c_char,
        message_size: usize,
    }
    ErrorGetCodeArgs = "PJRT_Error_GetCode_Args" {
        error: *const Error,
        code: ErrorCode,
    }
    ErrorForEachPayloadArgs = "PJRT_Error_ForEachPayload_Args" {
        error: *const Error,
        visitor: ErrorPayloadVisitor,
        user_arg: *mut c_void,
    }
}
