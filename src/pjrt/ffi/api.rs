//! The table of functions that handlers may call.

use std::ptr;

use halo_core::panics;

use super::{context, error, future, registry, threads, types};
use crate::c_api::Struct;
use crate::c_api::xla_ffi::{
    API_MAJOR, API_MINOR, Api, ApiVersion, Error, HandlerRegisterArgs, TypeRegisterArgs,
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
            unsafe { serve(arguments, $function) }
        }
        Some(served)
    }};
}

// SAFETY: the table is immutable, and contains no pointers to mutable data.
unsafe impl Sync for Api {}

/// The table. It does not support XLA's internal interface, which is for handlers built with the
/// whole of XLA.
pub static API: Api = Api {
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
    error_get_message: Some(error::get_message),
    error_destroy: Some(error::destroy),
    handler_register: served!(HandlerRegisterArgs, register_handler),
    stream_get: served!(StreamGetArgs, context::stream),
    type_register: served!(TypeRegisterArgs, register_type),
    execution_context_get: served!(ExecutionContextGetArgs, context::user_data),
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
};

unsafe fn register_handler(arguments: &mut HandlerRegisterArgs) -> Result<()> {
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
