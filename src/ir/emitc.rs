//! Types of EmitC, and its text in C.

use crate::handles::{Attribute, Type};
use melior::{
    Context, StringRef,
    ir::{Module, TypeLike},
};
use mlir_sys::{MlirOperation, MlirStringCallback, MlirType};
use std::ffi::c_void;

unsafe extern "C" {
    fn haloPrintC(module: MlirOperation, emit: MlirStringCallback, user_data: *mut c_void) -> bool;
    fn haloEmitCPointee(ty: MlirType) -> MlirType;
}

/// `!emitc.ptr<type>`.
pub fn pointer(pointee: Type<'_>) -> Type<'_> {
    // SAFETY: The type is valid, and so is the type derived from it in its context.
    unsafe { Type::from_raw(mlir_sys::mlirEmitCPointerTypeGet(pointee.to_raw())) }
}

/// The pointee, if the type is a pointer.
pub fn pointee(ty: Type<'_>) -> Option<Type<'_>> {
    // SAFETY: The type is valid, and so is one that is not null.
    unsafe {
        let pointee = haloEmitCPointee(ty.to_raw());
        (!pointee.ptr.is_null()).then(|| Type::from_raw(pointee))
    }
}

/// `!emitc.lvalue<type>`, an assignable variable.
pub fn lvalue(ty: Type<'_>) -> Type<'_> {
    // SAFETY: As in `pointer`.
    unsafe { Type::from_raw(mlir_sys::mlirEmitCLValueTypeGet(ty.to_raw())) }
}

/// `!emitc.array<sizextype>`.
pub fn array(size: i64, element: Type<'_>) -> Type<'_> {
    let mut shape = [size];
    // SAFETY: As in `pointer`; the shape has one size, which is copied.
    unsafe {
        let array = mlir_sys::mlirEmitCArrayTypeGet(1, shape.as_mut_ptr(), element.to_raw());
        Type::from_raw(array)
    }
}

/// `!emitc.opaque<"text">`, a type that only C defines.
pub fn opaque<'c>(context: &'c Context, text: &str) -> Type<'c> {
    // SAFETY: As in `pointer`; the text is copied.
    unsafe {
        let text = StringRef::new(text).to_raw();
        Type::from_raw(mlir_sys::mlirEmitCOpaqueTypeGet(context.to_raw(), text))
    }
}

/// `#emitc.opaque<"">`, which leaves a variable without a value.
pub fn no_value(context: &Context) -> Attribute<'_> {
    // SAFETY: As in `opaque`.
    unsafe {
        let text = StringRef::new("").to_raw();
        Attribute::from_raw(mlir_sys::mlirEmitCOpaqueAttrGet(context.to_raw(), text))
    }
}

/// The C text of a module of EmitC; `None` after errors, which are reported as diagnostics.
pub fn to_c(module: &Module) -> Option<String> {
    let mut text = Vec::new();
    // SAFETY: The module is alive, and the callback gets the vector that it expects.
    let done = unsafe {
        haloPrintC(
            module.as_operation().to_raw(),
            Some(crate::diagnostics::append),
            (&raw mut text).cast(),
        )
    };
    done.then(|| String::from_utf8_lossy(&text).into_owned())
}
