//! Function tables: the main one, and the tables of extensions, which the caller finds by type in a
//! list.

use crate::c_api::{ExtensionBase, ExtensionType};

/// A table: its first fields, and its functions, each of which calls one of this crate.
macro_rules! table {
    ($table:ident {
        $($head:ident: $value:expr,)*
    } functions {
        $($field:ident($arguments:ident) = $function:path,)*
    }) => {
        $table {
            $($head: $value,)*
            $($field: Some({
                unsafe extern "C" fn $field(
                    arguments: *mut $crate::c_api::$arguments,
                ) -> *mut $crate::c_api::Error {
                    // SAFETY: C passes arguments that satisfy the function's requirements.
                    unsafe { $crate::call::serve(arguments, $function) }
                }
                $field
            }),)*
        }
    };
}
pub(crate) use table;

/// The first field of an extension, which links to the next one.
pub const fn base<T>(type_: ExtensionType, next: *const ExtensionBase) -> ExtensionBase {
    ExtensionBase {
        struct_size: size_of::<T>(),
        type_,
        next: next.cast_mut(),
    }
}
