//! The table of functions that handlers may call.

use std::ptr;

use halo_core::panics;

use super::stages::Bundle;
use super::{context, error, future, registry, threads, types};
use crate::c_api::Struct;
use crate::c_api::xla_ffi::{
    API_MAJOR, API_MINOR, Api, ApiVersion, ByteSpan, Error, InternalExtension, TypeRegisterArgs,
};
use crate::handle;
use crate::status::{Result, Status};

/// Calls a function with a handler's arguments. A panic is an error.
///
/// # Safety
/// `arguments` must be null or point to arguments of this type, of `struct_size` bytes, which
/// satisfy the requirements of the function.
unsafe fn serve<T: Struct>(
    arguments: *mut T,
    function: unsafe fn(&mut T) -> Result<()>,
) -> *mut Error {
    if arguments.is_null() {
        return error::to_raw(Err(Status::invalid(format!("{} is null", T::NAME))));
    }
    // SAFETY: all arguments begin with their size.
    let size = unsafe { ptr::read(arguments.cast::<usize>()) };
    if size < T::SIZE {
        return error::to_raw(Err(Status::invalid(format!(
            "{} has {size} bytes, and {} are expected: the handler was compiled with other \
             headers than those of version {API_MAJOR}.{API_MINOR}",
            T::NAME,
            T::SIZE
        ))));
    }
    // SAFETY: the struct has all its fields, and is only accessed by the handler and here
    // meanwhile.
    let outcome = panics::catch(|| unsafe { function(&mut *arguments) });
    error::to_raw(outcome.unwrap_or_else(|panic| {
        let name = T::NAME;
        Err(Status::internal(format!(
            "internal error: {name} panicked: {panic}"
        )))
    }))
}

/// A function of the table that calls one of this crate.
macro_rules! served {
    ($arguments:ident, $function:path) => {{
        unsafe extern "C" fn served(
            arguments: *mut $crate::c_api::xla_ffi::$arguments,
        ) -> *mut Error {
            // SAFETY: the handler passes arguments that satisfy the function's requirements.
            unsafe { serve(arguments.cast(), $function) }
        }
        Some(served)
    }};
}

/// A function of a version that is newer than the table.
unsafe extern "C" fn newer() -> *mut Error {
    error::to_raw(Err(Status::unimplemented(format!(
        "the handler calls a function that version {API_MAJOR}.{API_MINOR} of XLA's FFI lacks"
    ))))
}

/// A table of functions, and functions for the entries that newer versions add at its end.
#[repr(C)]
pub struct Table {
    api: Api,
    newer: [unsafe extern "C" fn() -> *mut Error; 32],
}

// SAFETY: the table is immutable, and contains no pointers to mutable data.
unsafe impl Sync for Table {}

static TABLE: Table = Table {
    api: API,
    newer: [newer; 32],
};

/// The pointer that handlers get.
pub const fn table() -> *const Api {
    (&raw const TABLE).cast()
}

/// The table. It does not support XLA's internal interface, which is for handlers built with the
/// whole of XLA.
const API: Api = Api {
    struct_size: size_of::<Api>(),
    extension_start: ptr::null_mut(),
    api_version: ApiVersion {
        struct_size: ApiVersion::SIZE,
        extension_start: ptr::null_mut(),
        major_version: API_MAJOR,
        minor_version: API_MINOR,
    },
    internal_api: ptr::null(),
    error_create: Some(error::create),
    error_get_details: Some(error::get_details),
    error_destroy: Some(error::destroy),
    handler_register: served!(HandlerRegisterArgs, register_handler),
    stream_get: served!(StreamGetArgs, context::stream),
    type_register: served!(TypeRegisterArgs, register_type),
    invoke_context_get: served!(InvokeContextGetArgs, context::user_data),
    state_set: served!(StateSetArgs, context::set_state),
    state_get: served!(StateGetArgs, context::get_state),
    device_memory_allocate: served!(DeviceMemoryAllocateArgs, context::allocate),
    device_memory_free: served!(DeviceMemoryFreeArgs, context::free),
    thread_pool_schedule: served!(ThreadPoolScheduleArgs, threads::schedule),
    thread_pool_num_threads: served!(ThreadPoolNumThreadsArgs, threads::num_threads),
    future_create: served!(FutureCreateArgs, future::create),
    future_set_available: served!(FutureSetAvailableArgs, future::set_available),
    future_set_error: served!(FutureSetErrorArgs, future::set_error),
    run_id_get: served!(RunIdGetArgs, context::run_id),
    device_ordinal_get: served!(DeviceOrdinalGetArgs, context::device_ordinal),
    invoke_context_find_extension: served!(InvokeContextFindExtensionArgs, context::find_extension),
    custom_options_get: served!(CustomOptionsGetArgs, context::custom_options),
};

/// The first fields of `XLA_FFI_Handler_Register_Args`, the same in all versions: the bundle became
/// longer, and traits follow it.
#[derive(Clone, Copy)]
#[repr(C)]
struct HandlerRegister {
    struct_size: usize,
    extension_start: *mut InternalExtension,
    name: ByteSpan,
    platform: ByteSpan,
    bundle: Bundle,
}

// SAFETY: the first field is the size, and all are valid when zero.
unsafe impl Struct for HandlerRegister {
    const NAME: &'static str = "XLA_FFI_Handler_Register_Args";
    const SIZE: usize = size_of::<Self>();
}

unsafe fn register_handler(arguments: &mut HandlerRegister) -> Result<()> {
    // SAFETY: the caller passes texts of the given lengths, and functions that follow the interface
    // as long as the process runs.
    unsafe {
        let name = handle::text(arguments.name.ptr, arguments.name.len)?;
        let platform = handle::text(arguments.platform.ptr, arguments.platform.len)?;
        registry::register(name, platform, &arguments.bundle)
    }
}

unsafe fn register_type(arguments: &mut TypeRegisterArgs) -> Result<()> {
    // SAFETY: the caller passes a text of the given length, a place for the number, and null or the
    // type information.
    unsafe {
        let name = handle::text(arguments.name.ptr, arguments.name.len)?;
        let place = arguments.type_id.as_mut();
        let place = place.ok_or_else(|| Status::invalid("XLA_FFI_TypeId is null"))?;
        let deleter = arguments.type_info.as_ref().and_then(|info| info.deleter);
        place.type_id = types::register(name, place.type_id, deleter)?;
    }
    Ok(())
}
