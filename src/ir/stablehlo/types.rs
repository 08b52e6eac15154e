//! The types of the `stablehlo` dialect.

use melior::{
    Context,
    ir::{Type, TypeLike},
};
use mlir_sys::{MlirContext, MlirType};

unsafe extern "C" {
    fn haloTypeIsToken(ty: MlirType) -> bool;
    fn haloTokenTypeGet(context: MlirContext) -> MlirType;
    fn haloTypeIsFuture(ty: MlirType) -> bool;
    fn haloFutureTypeGet(context: MlirContext, count: isize, types: *const MlirType) -> MlirType;
    fn haloFutureTypeGetNumTypes(ty: MlirType) -> isize;
    fn haloFutureTypeGetType(ty: MlirType, position: isize) -> MlirType;
}

/// Whether `ty` is `!stablehlo.token`.
pub fn is_token(ty: Type) -> bool {
    // SAFETY: the type is alive.
    unsafe { haloTypeIsToken(ty.to_raw()) }
}

/// `!stablehlo.token`.
pub fn token(context: &Context) -> Type<'_> {
    // SAFETY: the context is alive, and the type lives as long as it.
    unsafe { Type::from_raw(haloTokenTypeGet(context.to_raw())) }
}

/// The types inside `!stablehlo.future<...>`, or `None` for another type.
pub fn future_types<'c>(ty: Type<'c>) -> Option<Vec<Type<'c>>> {
    // SAFETY: the type is alive; its count and elements are read only if it is a future, and the
    // elements live as long as the context.
    unsafe {
        haloTypeIsFuture(ty.to_raw()).then(|| {
            (0..haloFutureTypeGetNumTypes(ty.to_raw()))
                .map(|position| Type::from_raw(haloFutureTypeGetType(ty.to_raw(), position)))
                .collect()
        })
    }
}

/// `!stablehlo.future<...>`, or `None` if one of `types` is not a ranked
/// tensor.
pub fn future<'c>(context: &'c Context, types: &[Type<'c>]) -> Option<Type<'c>> {
    let raw: Vec<MlirType> = types.iter().map(|ty| ty.to_raw()).collect();
    // SAFETY: the context is alive, the array has the count that is passed, and
    // the type lives as long as the context.
    unsafe {
        let future = haloFutureTypeGet(context.to_raw(), raw.len() as isize, raw.as_ptr());
        (!future.ptr.is_null()).then(|| Type::from_raw(future))
    }
}
