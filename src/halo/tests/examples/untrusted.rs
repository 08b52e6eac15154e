use halo::{
    compiler,
    core::Position,
    ir::{
        diagnostics::with_diagnostics,
        untrusted::{
            bool_array_attribute, bytes_attribute, checked_complex_type, checked_dense,
            checked_memref_type, checked_number, checked_tensor_type, checked_unranked_type,
        },
    },
    melior::ir::{Location, Type},
    prelude::*,
};

/// A reader of a custom format creates types and attributes from untrusted bytes: these functions
/// reject arguments that MLIR would only assert.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context = compiler::context();
    let place = Location::new(&context, "a.bin", 1, 1);
    let (i32, f32) = (integer_type(&context, 32), Type::float32(&context));

    let tensor = checked_tensor_type(place, &[2], i32, None).ok_or("no tensor type")?;
    assert_eq!(tensor, tensor_type(&[2], i32));
    assert!(checked_memref_type(place, &[2], i32).is_some());
    assert!(checked_unranked_type(place, f32).is_some());
    assert!(checked_complex_type(f32).is_some());
    // MLIR reports why the type is invalid.
    let function = Type::parse(&context, "() -> ()").ok_or("no type")?;
    let (none, errors) = with_diagnostics(&context, || {
        checked_tensor_type(place, &[2], function, None)
    });
    assert!(
        none.is_none() && errors[0].position == Some(Position::new("a.bin", 1, 1)),
        "{errors:?}"
    );

    // The elements are bytes, whose number must match the type.
    assert!(checked_dense(tensor, &[1, 0, 0, 0, 2, 0, 0, 0]).is_some());
    assert!(checked_dense(tensor, &[1, 0, 0]).is_none());
    // jaxlib writes an element for an empty tensor.
    let empty = checked_tensor_type(place, &[0], i32, None).ok_or("no type")?;
    assert!(checked_dense(empty, &[]).is_some());
    assert!(checked_dense(empty, &[1, 0, 0, 0]).is_some());
    assert!(checked_dense(empty, &[1, 0, 0]).is_none());
    assert!(checked_number(i32, 7).is_some());

    // Text need not be valid UTF-8.
    let name = bytes_attribute(&context, b"\xff");
    assert_eq!(name.bytes_value(), Some(&b"\xff"[..]));
    let flags = bool_array_attribute(&context, &[true, false]);
    assert_eq!(flags.bool_array_value(), Some(vec![true, false]));
    Ok(())
}
