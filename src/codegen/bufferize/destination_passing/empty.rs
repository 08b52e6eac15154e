//! Passes tensors without elements as rank-1 tensors.
//!
//! A buffer is passed as its address if its type determines its strides. With a
//! size of zero in a trailing dimension it does not, so `tensor<0xf32>`
//! replaces `tensor<4x0xf32>` in the signatures of generated code, and a new
//! empty tensor in the body.

use halo_ir::prelude::*;

/// The rank-1 type for a type without elements whose strides are unknown.
pub fn flat(ty: Type) -> Option<Type> {
    let shape = ty.static_shape()?;
    (shape.len() > 1 && shape.contains(&0)).then(|| tensor_type(&[0], ty.element_type()))
}

/// A value that can be passed for another one.
pub fn flattened<'c>(b: &Builder<'c>, value: Value<'c>) -> Value<'c> {
    match flat(value.ty()) {
        Some(ty) => tensor::empty(b, &[], ty),
        None => value,
    }
}

/// Makes a function take and return rank-1 tensors. Its type is not changed.
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
