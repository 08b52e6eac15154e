//! Passes tensors without elements as rank-1 tensors.
//!
//! A buffer is passed as its address if its type determines its strides. A trailing dimension of
//! size zero leaves the strides undetermined. Therefore `tensor<0xf32>` replaces `tensor<4x0xf32>`
//! in the signatures of generated code, and the body uses a new empty tensor.

use halo_ir::prelude::*;

/// The rank-1 type for a type without elements whose strides are unknown.
pub fn flat(ty: Type) -> Option<Type> {
    let shape = ty.static_shape()?;
    (shape.len() > 1 && shape.contains(&0)).then(|| tensor_type(&[0], ty.element_type()))
}

/// The rank-1 replacement of a value, or the value if it needs none.
pub fn flattened<'c>(b: &Builder<'c>, value: Value<'c>) -> Value<'c> {
    match flat(value.ty()) {
        Some(ty) => tensor::empty(b, &[], ty),
        None => value,
    }
}

/// Replaces arguments and returned values of a function by rank-1 tensors. The function type is not
/// changed.
pub fn flatten_borders<'c>(b: &Builder<'c>, block: Block<'c>, terminator: Operation<'c>) {
    b.set_to_start(block);
    for argument in block.arguments() {
        if let Some(ty) = flat(argument.ty()) {
            let empty = tensor::empty(b, &[], argument.ty());
            argument.replace_uses_with(empty);
            argument.set_type(ty);
        }
    }
    b.set_before(terminator);
    for (index, value) in terminator.operands().into_iter().enumerate() {
        terminator.set_operand(index, flattened(b, value));
    }
}
