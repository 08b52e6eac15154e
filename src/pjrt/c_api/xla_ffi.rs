//! The C interface of XLA's foreign functions, which handlers of typed custom calls are
//! written for.
//!
//! The names are those of XLA's `xla/ffi/api/c_api.h`, version 0.3, in Rust's case and without
//! `XLA_FFI_`. A handler gets a [`CallFrame`]: the buffers and attributes of a call, and an
//! [`Api`], a table of functions that it may call in turn.
//!
//! Unlike those of PJRT, the structs of this interface are as long as their last field that
//! counts, without padding behind it: [`Struct::SIZE`].

use std::mem::offset_of;

use super::{ErrorCode, c_char, c_int, c_void, enumeration};

/// The version of the interface that these types are of.
pub const API_MAJOR: c_int = 0;
pub const API_MINOR: c_int = 3;

/// A struct that begins with its size.
pub trait Struct {
    /// The name in C.
    const NAME: &'static str;
    /// The size that the header gives for it.
    const SIZE: usize;
}

/// Declares structs that begin with their size and a list of extensions. Each is named with
/// the last field that its size counts, which in the header is not always the last one.
macro_rules! structs {
    ($($(#[$attribute:meta])* $name:ident = $c_name:literal, $last:ident: $last_type:ty {
        $($field:ident: $type:ty,)*
    })*) => {
        $(
            #[doc = concat!("`XLA_FFI_", $c_name, "`.")]
            $(#[$attribute])*
            #[repr(C)]
            #[derive(Clone, Copy)]
            pub struct $name {
                pub struct_size: usize,
                pub extension_start: *mut ExtensionBase,
                $(pub $field: $type,)*
            }

            impl Struct for $name {
                const NAME: &'static str = concat!("XLA_FFI_", $c_name);
                const SIZE: usize = offset_of!($name, $last) + size_of::<$last_type>();
            }
        )*
    };
}

/// Declares types that C knows by pointers alone.
macro_rules! opaque {
    ($($name:ident)*) => {
        $(
            #[doc = concat!("`XLA_FFI_", stringify!($name), "`, opaque.")]
            #[repr(C)]
            pub struct $name {
                _opaque: [u8; 0],
            }
        )*
    };
}

opaque! { Error ExecutionContext Future InternalApi }

enumeration! {
    /// `XLA_FFI_Extension_Type`.
    ExtensionType {
        METADATA = 1,
    }
}

enumeration! {
    /// `XLA_FFI_DataType`, with the numbers of XLA's `PrimitiveType`.
    DataType {
        INVALID = 0,
        PRED = 1,
        S8 = 2,
        S16 = 3,
        S32 = 4,
        S64 = 5,
        U8 = 6,
        U16 = 7,
        U32 = 8,
        U64 = 9,
        F16 = 10,
        F32 = 11,
        F64 = 12,
        C64 = 15,
        BF16 = 16,
        TOKEN = 17,
        C128 = 18,
        F8E5M2 = 19,
        F8E4M3FN = 20,
        S4 = 21,
        U4 = 22,
        F8E4M3B11FNUZ = 23,
        F8E5M2FNUZ = 24,
        F8E4M3FNUZ = 25,
        S2 = 26,
        U2 = 27,
        F8E4M3 = 28,
        F8E3M4 = 29,
        S1 = 30,
        U1 = 31,
        F4E2M1FN = 32,
        F8E8M0FNU = 33,
    }
}

enumeration! {
    /// `XLA_FFI_ArgType`, and `XLA_FFI_RetType`.
    ValueType {
        BUFFER = 1,
    }
}

enumeration! {
    /// `XLA_FFI_AttrType`.
    AttrType {
        ARRAY = 1,
        DICTIONARY = 2,
        SCALAR = 3,
        STRING = 4,
    }
}

enumeration! {
    /// `XLA_FFI_ExecutionStage`.
    Stage {
        INSTANTIATE = 0,
        PREPARE = 1,
        INITIALIZE = 2,
        EXECUTE = 3,
    }
}

/// `XLA_FFI_Handler`.
pub type Handler = unsafe extern "C" fn(*mut CallFrame) -> *mut Error;

/// `XLA_FFI_Task`.
pub type Task = unsafe extern "C" fn(*mut c_void);

/// `XLA_FFI_Extension_Base`: an entry of a list of extensions.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ExtensionBase {
    pub struct_size: usize,
    pub type_: ExtensionType,
    pub next: *mut ExtensionBase,
}

/// `XLA_FFI_ByteSpan`: text that need not end with a zero byte.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ByteSpan {
    pub ptr: *const c_char,
    pub len: usize,
}

/// `XLA_FFI_Scalar`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Scalar {
    pub dtype: DataType,
    pub value: *mut c_void,
}

/// `XLA_FFI_Array`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Array {
    pub dtype: DataType,
    pub size: usize,
    pub data: *mut c_void,
}

/// `XLA_FFI_TypeId`: the number of a type of a handler's; 0 if it has none.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeId {
    pub type_id: i64,
}

/// `XLA_FFI_Handler_Bundle`: the functions of the stages.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct HandlerBundle {
    pub instantiate: Option<Handler>,
    pub prepare: Option<Handler>,
    pub initialize: Option<Handler>,
    pub execute: Option<Handler>,
}

/// `XLA_FFI_Metadata`: what a handler says of itself.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Metadata {
    pub struct_size: usize,
    pub api_version: ApiVersion,
    pub traits: u32,
    pub state_type_id: TypeId,
}

impl Struct for Metadata {
    const NAME: &'static str = "XLA_FFI_Metadata";
    const SIZE: usize = offset_of!(Metadata, traits) + size_of::<u32>();
}

/// `XLA_FFI_Metadata_Extension`, which asks a handler for it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MetadataExtension {
    pub base: ExtensionBase,
    pub metadata: *mut Metadata,
}

structs! {
    ApiVersion = "Api_Version", minor_version: c_int {
        major_version: c_int,
        minor_version: c_int,
    }
    ErrorCreateArgs = "Error_Create_Args", errc: ErrorCode {
        message: *const c_char,
        errc: ErrorCode,
    }
    ErrorGetMessageArgs = "Error_GetMessage_Args", message: *const c_char {
        error: *mut Error,
        message: *const c_char,
    }
    ErrorDestroyArgs = "Error_Destroy_Args", error: *mut Error {
        error: *mut Error,
    }
    Buffer = "Buffer", dims: *mut i64 {
        dtype: DataType,
        data: *mut c_void,
        rank: i64,
        dims: *mut i64,
    }
    TypeInfo = "TypeInfo", deleter: Option<unsafe extern "C" fn(*mut c_void)> {
        deleter: Option<unsafe extern "C" fn(*mut c_void)>,
    }
    FutureCreateArgs = "Future_Create_Args", extension_start: *mut ExtensionBase {
        future: *mut Future,
    }
    FutureSetAvailableArgs = "Future_SetAvailable_Args", future: *mut Future {
        future: *mut Future,
    }
    FutureSetErrorArgs = "Future_SetError_Args", error: *mut Error {
        future: *mut Future,
        error: *mut Error,
    }
    /// Results too, `XLA_FFI_Rets`.
    Args = "Args", args: *mut *mut c_void {
        size: i64,
        types: *mut ValueType,
        args: *mut *mut c_void,
    }
    Attrs = "Attrs", attrs: *mut *mut c_void {
        size: i64,
        types: *mut AttrType,
        names: *mut *mut ByteSpan,
        attrs: *mut *mut c_void,
    }
    CallFrame = "CallFrame", attrs: Attrs {
        api: *const Api,
        ctx: *mut ExecutionContext,
        stage: Stage,
        args: Args,
        rets: Args,
        attrs: Attrs,
        future: *mut Future,
    }
    HandlerRegisterArgs = "Handler_Register_Args", traits: u32 {
        name: ByteSpan,
        platform: ByteSpan,
        bundle: HandlerBundle,
        traits: u32,
    }
    TypeRegisterArgs = "Type_Register_Args", type_id: *mut TypeId {
        name: ByteSpan,
        type_id: *mut TypeId,
        type_info: *const TypeInfo,
    }
    ExecutionContextGetArgs = "ExecutionContext_Get_Args", data: *mut c_void {
        ctx: *mut ExecutionContext,
        type_id: *mut TypeId,
        data: *mut c_void,
    }
    StateSetArgs = "State_Set_Args", state: *mut c_void {
        ctx: *mut ExecutionContext,
        stage: Stage,
        type_id: *mut TypeId,
        state: *mut c_void,
    }
    StateGetArgs = "State_Get_Args", state: *mut c_void {
        ctx: *mut ExecutionContext,
        stage: Stage,
        type_id: *mut TypeId,
        state: *mut c_void,
    }
    StreamGetArgs = "Stream_Get_Args", stream: *mut c_void {
        ctx: *mut ExecutionContext,
        stream: *mut c_void,
    }
    DeviceMemoryAllocateArgs = "DeviceMemory_Allocate_Args", data: *mut c_void {
        ctx: *mut ExecutionContext,
        size: usize,
        alignment: usize,
        data: *mut c_void,
    }
    DeviceMemoryFreeArgs = "DeviceMemory_Free_Args", data: *mut c_void {
        ctx: *mut ExecutionContext,
        size: usize,
        data: *mut c_void,
    }
    ThreadPoolScheduleArgs = "ThreadPool_Schedule_Args", data: *mut c_void {
        ctx: *mut ExecutionContext,
        task: Option<Task>,
        data: *mut c_void,
    }
    ThreadPoolNumThreadsArgs = "ThreadPool_NumThreads_Args", num_threads: *mut i64 {
        ctx: *mut ExecutionContext,
        num_threads: *mut i64,
    }
    RunIdGetArgs = "RunId_Get_Args", run_id: i64 {
        ctx: *mut ExecutionContext,
        run_id: i64,
    }
    DeviceOrdinalGetArgs = "DeviceOrdinal_Get_Args", device_ordinal: i32 {
        ctx: *mut ExecutionContext,
        device_ordinal: i32,
    }
}

/// A function of the [`Api`].
pub type Function<T> = unsafe extern "C" fn(*mut T) -> *mut Error;

/// `XLA_FFI_Api`: what handlers may call.
#[repr(C)]
pub struct Api {
    pub struct_size: usize,
    pub extension_start: *mut ExtensionBase,
    pub api_version: ApiVersion,
    pub internal_api: *const InternalApi,
    pub error_create: Function<ErrorCreateArgs>,
    pub error_get_message: unsafe extern "C" fn(*mut ErrorGetMessageArgs),
    pub error_destroy: unsafe extern "C" fn(*mut ErrorDestroyArgs),
    pub handler_register: Function<HandlerRegisterArgs>,
    pub stream_get: Function<StreamGetArgs>,
    pub type_register: Function<TypeRegisterArgs>,
    pub execution_context_get: Function<ExecutionContextGetArgs>,
    pub state_set: Function<StateSetArgs>,
    pub state_get: Function<StateGetArgs>,
    pub device_memory_allocate: Function<DeviceMemoryAllocateArgs>,
    pub device_memory_free: Function<DeviceMemoryFreeArgs>,
    pub thread_pool_schedule: Function<ThreadPoolScheduleArgs>,
    pub thread_pool_num_threads: Function<ThreadPoolNumThreadsArgs>,
    pub future_create: Function<FutureCreateArgs>,
    pub future_set_available: Function<FutureSetAvailableArgs>,
    pub future_set_error: Function<FutureSetErrorArgs>,
    pub run_id_get: Function<RunIdGetArgs>,
    pub device_ordinal_get: Function<DeviceOrdinalGetArgs>,
}
