//! Handlers of XLA's foreign function interface, as `jax.ffi.register_ffi_target` registers them: C
//! functions that programs call by name, with buffers and attributes of declared types.
//!
//! Handlers are compiled with XLA's headers, whose types are in
//! [`c_api::xla_ffi`](crate::c_api::xla_ffi). They access Halo through the PJRT extension below,
//! the function table that handlers get, and two functions for languages without structs:
//!
//! ```c
//! // Both return 0, or the code of an error, and write its message, which ends with a zero
//! // byte, to the place of `size` bytes.
//! int32_t halo_ffi_register_handler(const char *name, const char *platform,
//!                                   const XLA_FFI_Handler_Bundle *bundle,
//!                                   char *message, size_t size);
//! int32_t halo_ffi_register_type(const char *name, XLA_FFI_TypeId *type_id,
//!                                const XLA_FFI_TypeInfo *type_info,
//!                                char *message, size_t size);
//! ```
//!
//! | topic | files |
//! |---|---|
//! | handlers by name | `registry.rs`, `stages.rs` |
//! | their calls | `call.rs`, `aliases.rs`, `attributes.rs`, `data_type.rs` |
//! | the functions that handlers call | `api.rs` has the table; `context.rs`, `error.rs`, `future.rs`, |
//! | | `threads.rs`, `types.rs` |
//! | the context of a call | `run.rs` |

mod aliases;
mod api;
mod attributes;
mod c_interface;
mod call;
mod context;
mod data_type;
mod error;
mod future;
mod registry;
pub mod run;
mod stages;
mod threads;
mod types;

pub use registry::extended;

use std::sync::Arc;

use crate::c_api::xla_ffi::Handler;
use crate::c_api::{
    ExtensionBase, ExtensionType, FFIExtension, FFIRegisterHandlerArgs, FFITypeRegisterArgs,
    FFIUserDataAddArgs,
};
use crate::extension::{base, table};
use crate::handle;
use crate::status::{Result, Status};
use stages::Bundle;

unsafe fn add_type(arguments: &mut FFITypeRegisterArgs) -> Result<()> {
    // SAFETY: the caller passes a text of the given length, and the type information or null.
    let (name, info) = unsafe {
        let name = handle::text(arguments.type_name, arguments.type_name_size)?;
        (name, arguments.type_info.as_ref())
    };
    let deleter = info.and_then(|info| info.deleter);
    arguments.type_id = types::register(name, arguments.type_id, deleter)?;
    Ok(())
}

unsafe fn add_user_data(arguments: &mut FFIUserDataAddArgs) -> Result<()> {
    // SAFETY: the caller passes a valid context.
    let user_data: &Arc<run::UserData> = unsafe { handle::borrow(arguments.context) }?;
    let given = arguments.user_data;
    user_data.add(given.type_id, given.data)
}

unsafe fn add_handler(arguments: &mut FFIRegisterHandlerArgs) -> Result<()> {
    if arguments.handler.is_null() {
        return Err(Status::invalid("XLA_FFI_Handler is null"));
    }
    // SAFETY: the caller passes texts of the given lengths, and a handler that follows the
    // interface as long as the process runs.
    unsafe {
        let name = handle::text(arguments.target_name, arguments.target_name_size)?;
        let platform = handle::text(arguments.platform_name, arguments.platform_name_size)?;
        let execute = std::mem::transmute::<*mut std::ffi::c_void, Handler>(arguments.handler);
        let bundle = Bundle {
            instantiate: None,
            prepare: None,
            initialize: None,
            execute,
        };
        registry::register(name, platform, &bundle)
    }
}

/// `PJRT_FFI_Extension`, before others of the list.
pub const fn extension(next: *const ExtensionBase) -> FFIExtension {
    table! {
        FFIExtension {
            base: base::<FFIExtension>(ExtensionType::FFI, next),
        }
        functions {
            type_register(FFITypeRegisterArgs) = add_type,
            user_data_add(FFIUserDataAddArgs) = add_user_data,
            register_handler(FFIRegisterHandlerArgs) = add_handler,
        }
    }
}
