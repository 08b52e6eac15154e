//! Extensions of the interface: tables of functions that the caller finds by type in a list.

/// Declares the functions of an extension, each of which calls one of this crate.
macro_rules! extension {
    ($(#[$attribute:meta])* $name:ident { $($field:ident($arguments:ty) = $function:path,)* }) => {
        $(#[$attribute])*
        #[repr(C)]
        pub struct $name {
            base: $crate::c_api::ExtensionBase,
            $($field: unsafe extern "C" fn(*mut $arguments) -> *mut $crate::c_api::Error,)*
        }

        impl $name {
            /// The extension, before others of the list.
            pub const fn new(
                type_: $crate::c_api::ExtensionType,
                next: *mut $crate::c_api::ExtensionBase,
            ) -> Self {
                $(
                    unsafe extern "C" fn $field(
                        arguments: *mut $arguments,
                    ) -> *mut $crate::c_api::Error {
                        // SAFETY: C passes what the function requires.
                        unsafe { $crate::call::serve(arguments, $function) }
                    }
                )*
                Self {
                    base: $crate::c_api::ExtensionBase {
                        struct_size: size_of::<Self>(),
                        type_,
                        next,
                    },
                    $($field,)*
                }
            }
        }

        // SAFETY: the extension is not changed, and points to another such one.
        unsafe impl Sync for $name {}
    };
}
pub(crate) use extension;
