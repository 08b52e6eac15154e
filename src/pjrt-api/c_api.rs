//! The C interface of PJRT: the argument types of its functions, and the function table.
//!
//! `bindgen` generates the types from XLA's headers, whose version is in `headers/README.md`. The
//! names are C's without `PJRT_` and underscores: `PJRT_Client_Create_Args` is
//! [`ClientCreateArgs`]. Fields of tables are in snake case. Argument structs begin with their
//! size, from which each side infers the version of the other one, and with a list of extensions.

#![allow(non_camel_case_types, non_upper_case_globals)]

/// A struct of the interface: plain data that begins with its size, for which zero bytes are valid.
///
/// # Safety
/// The type must be `repr(C)`, begin with `struct_size: usize`, and be valid when all its
/// bytes are zero.
pub unsafe trait Struct: Copy {
    /// The name in C.
    const NAME: &'static str;
    /// The size in C: up to the last field, without the padding after it.
    const SIZE: usize;
}

/// Implements [`Struct`] for the structs that the generated code lists.
macro_rules! structs {
    ($($name:ident = $c_name:literal, $size:ident;)*) => {
        $(
            // SAFETY: the fields are numbers, flags, raw pointers, optional functions and
            // structs of these, and the first one is the size.
            unsafe impl Struct for $name {
                const NAME: &'static str = $c_name;
                const SIZE: usize = $size as usize;
            }
        )*
    };
}

include!(concat!(env!("OUT_DIR"), "/pjrt.rs"));

// SAFETY: the table is not changed, and points to extensions that are not either.
unsafe impl Sync for Api {}
// SAFETY: as above.
unsafe impl Sync for CustomPartitionerExtension {}
// SAFETY: as above.
unsafe impl Sync for FFIExtension {}
// SAFETY: as above.
unsafe impl Sync for LayoutsExtension {}
// SAFETY: as above.
unsafe impl Sync for MemoryDescriptionsExtension {}
// SAFETY: as above.
unsafe impl Sync for ProfilerExtension {}
// SAFETY: as above.
unsafe impl Sync for ShardingsExtension {}

/// The C interface of XLA's foreign functions, which handlers of typed custom calls are
/// written for.
///
/// A handler gets a [`CallFrame`](xla_ffi::CallFrame): the buffers and attributes of a call, and an
/// [`Api`](xla_ffi::Api), a table of functions that it may call.
pub mod xla_ffi {
    use super::{ErrorCode, Struct};

    include!(concat!(env!("OUT_DIR"), "/xla_ffi.rs"));
}
