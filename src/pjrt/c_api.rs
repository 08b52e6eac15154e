//! The C interface of PJRT: the types of its functions' arguments, and the table of functions.
//!
//! The names are those of XLA's `pjrt_c_api.h`, version 0.114, in Rust's case and without
//! `PJRT_`. All argument structs begin with their size, by which the two sides find out what
//! the other one knows, and with a list of extensions. What C sees as a pointer to an
//! incomplete type is one to an opaque type here.

use std::ffi::{c_char, c_int, c_void};

mod base;
mod buffer;
mod buffer_creation;
mod client;
mod device;
mod event;
mod executable;
mod ffi;
mod layouts;
mod memory;
mod memory_descriptions;
mod shardings;
mod stream;
mod topology;
mod transfer;
pub mod xla_ffi;

pub use base::*;
pub use buffer::*;
pub use buffer_creation::*;
pub use client::*;
pub use device::*;
pub use event::*;
pub use executable::*;
pub use ffi::*;
pub use layouts::*;
pub use memory::*;
pub use memory_descriptions::*;
pub use shardings::*;
pub use stream::*;
pub use topology::*;
pub use transfer::*;

/// The arguments of a function: plain data that begins with its size, and of which zero
/// bytes are a value.
///
/// # Safety
/// The type must be `repr(C)`, begin with `struct_size: usize`, and be valid when all its
/// bytes are zero.
pub unsafe trait Arguments: Copy {
    /// The name in C.
    const NAME: &'static str;
}

/// Declares argument structs, with the fields behind the size and the extensions.
macro_rules! arguments {
    ($($name:ident = $c_name:literal { $($field:ident: $type:ty,)* })*) => {
        $(
            #[doc = concat!("`", $c_name, "`.")]
            #[repr(C)]
            #[derive(Clone, Copy)]
            pub struct $name {
                pub struct_size: usize,
                pub extension_start: *mut ExtensionBase,
                $(pub $field: $type,)*
            }

            // SAFETY: the fields are numbers, flags, raw pointers, optional functions and
            // structs of these.
            unsafe impl Arguments for $name {
                const NAME: &'static str = $c_name;
            }
        )*
    };
}
use arguments;

/// Declares types that C knows by pointers alone.
macro_rules! opaque {
    ($($name:ident)*) => {
        $(
            #[doc = concat!("`PJRT_", stringify!($name), "`, opaque.")]
            #[repr(C)]
            pub struct $name {
                _opaque: [u8; 0],
            }
        )*
    };
}

opaque! {
    AsyncHostToDeviceTransferManager AsyncTrackingEvent Buffer Client CopyToDeviceStream Device
    DeviceAssignmentSerialized DeviceAttributes DeviceDescription Error Event Executable
    ExecuteContext FulfillAliasBufferCallback LayoutsMemoryLayout LayoutsSerializedLayout
    LoadedExecutable Memory MemoryDescription MultiSliceConfig SerializedCompileOptions
    SerializedExecutable SerializedTopology TopologyDescription
}

/// Declares an enumeration. Values that C passes may be others than those that are named.
macro_rules! enumeration {
    ($(#[$attribute:meta])* $name:ident { $($value:ident = $number:literal,)* }) => {
        $(#[$attribute])*
        #[repr(transparent)]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name(pub c_int);

        impl $name {
            $(pub const $value: Self = Self($number);)*
        }
    };
}
use enumeration;
