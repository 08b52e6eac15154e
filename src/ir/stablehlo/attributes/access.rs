//! Calls across the C interface of AttributesCAPI.h.
//!
//! Every attribute has a C struct of its members, a function that fills it and one that makes the
//! attribute from it. This module has the common code, so that the attributes' modules only list
//! their members.

use std::{mem::MaybeUninit, slice};

use melior::{
    Context,
    ir::{Attribute, AttributeLike},
};
use mlir_sys::{MlirAttribute, MlirContext};

/// `HaloDims`: a list that lives as long as the context, or as the Rust slice
/// that it was made from.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct RawDims {
    data: *const i64,
    size: isize,
}

impl RawDims {
    pub(super) fn new(dims: &[i64]) -> Self {
        Self {
            data: dims.as_ptr(),
            size: dims.len() as isize,
        }
    }

    pub(super) fn to_vec(self) -> Vec<i64> {
        match usize::try_from(self.size) {
            Ok(size) if size > 0 => {
                // SAFETY: a list that is not empty points to as many numbers.
                unsafe { slice::from_raw_parts(self.data, size) }.to_vec()
            }
            _ => Vec::new(),
        }
    }
}

/// `halo...Read`: fills the members and returns true on success.
pub(super) type Read<Raw> = unsafe extern "C" fn(MlirAttribute, *mut Raw) -> bool;

/// `halo...Build`: makes the attribute, or a null one.
pub(super) type Build<Raw> = unsafe extern "C" fn(MlirContext, *const Raw) -> MlirAttribute;

/// # Safety
///
/// `read` must fill the members if it returns true.
pub(super) unsafe fn read<Raw>(read: Read<Raw>, attribute: Attribute) -> Option<Raw> {
    let mut members = MaybeUninit::uninit();
    // SAFETY: the attribute is alive, and the members are initialized if the function returns true.
    unsafe { read(attribute.to_raw(), members.as_mut_ptr()).then(|| members.assume_init()) }
}

/// # Safety
///
/// The lists in `members` must be alive, and `build` must belong to them.
pub(super) unsafe fn build<'c, Raw>(
    build: Build<Raw>,
    context: &'c Context,
    members: &Raw,
) -> Option<Attribute<'c>> {
    // SAFETY: the context is alive, and the attribute lives as long as it.
    unsafe {
        let attribute = build(context.to_raw(), members);
        (!attribute.ptr.is_null()).then(|| Attribute::from_raw(attribute))
    }
}

/// # Safety
///
/// As for [`build`]; `build` must never make a null attribute.
pub(super) unsafe fn build_always<'c, Raw>(
    build: Build<Raw>,
    context: &'c Context,
    members: &Raw,
) -> Attribute<'c> {
    // SAFETY: the context is alive, and the attribute lives as long as it.
    unsafe { Attribute::from_raw(build(context.to_raw(), members)) }
}

/// Declares an attribute that consists of lists (`dims`) and numbers
/// (`number`): the Rust struct, its C mirror and the conversions.
macro_rules! dimension_struct {
    (
        $(#[$doc:meta])*
        $name:ident, $raw:ident, $read:ident, $build:ident {
            $($(#[$member_doc:meta])* $member:ident: $kind:ident,)+
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name {
            $($(#[$member_doc])* pub $member: dimension_struct!(@rust $kind),)+
        }

        #[repr(C)]
        struct $raw {
            $($member: dimension_struct!(@c $kind),)+
        }

        unsafe extern "C" {
            fn $read(attribute: mlir_sys::MlirAttribute, members: *mut $raw) -> bool;
            fn $build(
                context: mlir_sys::MlirContext,
                members: *const $raw,
            ) -> mlir_sys::MlirAttribute;
        }

        impl $name {
            pub fn from_attribute(attribute: melior::ir::Attribute) -> Option<Self> {
                // SAFETY: the function and the struct belong together.
                let raw = unsafe { $crate::stablehlo::attributes::access::read($read, attribute)? };
                Some(Self {
                    $($member: dimension_struct!(@from raw.$member, $kind),)+
                })
            }

            /// The attribute of these members. The dialect is loaded for it.
            pub fn to_attribute<'c>(
                &self,
                context: &'c melior::Context,
            ) -> melior::ir::Attribute<'c> {
                let raw = $raw {
                    $($member: dimension_struct!(@to self.$member, $kind),)+
                };
                // SAFETY: the function and the struct belong together, the
                // lists are alive in `self`, and the attribute is never null.
                unsafe { $crate::stablehlo::attributes::access::build_always($build, context, &raw) }
            }
        }
    };
    (@rust dims) => { Vec<i64> };
    (@rust number) => { i64 };
    (@c dims) => { $crate::stablehlo::attributes::access::RawDims };
    (@c number) => { i64 };
    (@from $value:expr, dims) => { $value.to_vec() };
    (@from $value:expr, number) => { $value };
    (@to $value:expr, dims) => { $crate::stablehlo::attributes::access::RawDims::new(&$value) };
    (@to $value:expr, number) => { $value };
}
pub(super) use dimension_struct;
