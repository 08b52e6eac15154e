use halo::{
    compiler,
    ir::{
        Attribute, DenseData, affine_map_attribute, affine_map_value, array_attribute,
        attribute_list, attribute_type, bool_attribute, complex_value, dense_attribute, dense_data,
        dense_elements_as, dense_empty, dense_from_floats, dense_from_integers, dense_i64s,
        dense_integers, dense_number, dense_reshape, dense_resource_data, dense_splat,
        dictionary_attribute, dictionary_entries, dictionary_entry, float_attribute,
        float_attribute_value, i32_array_value, i64_array_attribute, i64_array_value,
        index_attribute, integer_attribute, integer_attribute_value, integer_type, is_dense,
        is_dense_resource, is_splat, is_unit, number_bits, splat_attribute, splat_integer,
        splat_number, string_attribute, string_value, symbol_path, symbol_value, tensor_type,
        type_attribute, unit_attribute,
    },
    melior::ir::Type,
};

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context = compiler::context();
    let parse = |text: &str| Attribute::parse(&context, text).ok_or(format!("cannot read {text}"));
    let (i32, f32) = (integer_type(&context, 32), Type::float32(&context));

    // Scalars. What reads an attribute gives `None` for one of another kind.
    let seven = integer_attribute(i32, 7);
    assert_eq!(seven, parse("7 : i32")?);
    assert_eq!(
        (integer_attribute_value(seven), attribute_type(seven)),
        (Some(7), i32)
    );
    assert_eq!(number_bits(seven), Some((i32, 7)));
    assert_eq!(index_attribute(&context, 7), parse("7 : index")?);
    assert_eq!(bool_attribute(&context, true), parse("true")?);
    assert_eq!(float_attribute_value(float_attribute(f32, 0.5)), Some(0.5));
    assert_eq!(string_value(string_attribute(&context, "a")), Some("a"));
    assert_eq!(symbol_value(parse("@f")?), Some("f"));
    assert_eq!(symbol_path(parse("@m::@f")?), Some(vec!["m", "f"]));
    assert!(is_unit(unit_attribute(&context)) && string_value(seven).is_none());
    assert_eq!(type_attribute(f32), parse("f32")?);
    let map = affine_map_value(parse("affine_map<(d0) -> (d0)>")?).ok_or("no map")?;
    assert_eq!(
        affine_map_attribute(map),
        parse("affine_map<(d0) -> (d0)>")?
    );

    // Lists and dictionaries.
    assert_eq!(attribute_list(array_attribute(&context, &[seven])), [seven]);
    assert_eq!(
        i64_array_value(i64_array_attribute(&context, &[1, 2])),
        Some(vec![1, 2])
    );
    assert_eq!(i32_array_value(parse("array<i32: 3>")?), Some(vec![3]));
    let dictionary = dictionary_attribute(&context, &[("n", seven)]);
    assert_eq!(dictionary_entries(dictionary), [("n", seven)]);
    assert_eq!(dictionary_entry(dictionary, "n"), Some(seven));

    // Elements of tensors. A splat has the same one everywhere.
    let vector = tensor_type(&[2], i32);
    let numbers = dense_from_integers(vector, &[1, 2]).ok_or("no constant")?;
    assert!(is_dense(numbers) && !is_splat(numbers));
    assert_eq!(dense_integers(numbers), Some(vec![1, 2]));
    assert_eq!(dense_i64s(numbers), Some(vec![1, 2]));
    let DenseData { bytes, .. } = dense_data(numbers).ok_or("no bytes")?;
    assert_eq!(dense_attribute(vector, bytes), Some(numbers));
    let row = dense_reshape(numbers, tensor_type(&[1, 2], i32)).ok_or("other sizes")?;
    assert_eq!(row, parse("dense<[[1, 2]]> : tensor<1x2xi32>")?);
    let twos = dense_number(vector, 2.0).ok_or("no number")?;
    assert_eq!(
        (splat_integer(twos), splat_number(twos)),
        (Some(2), Some(2.0))
    );
    assert_eq!(dense_splat(twos), Some(integer_attribute(i32, 2)));
    assert_eq!(splat_attribute(vector, integer_attribute(i32, 2)), twos);
    let halves = dense_from_floats(tensor_type(&[2], f32), &[0.5, 0.5]).ok_or("no floats")?;
    assert_eq!(splat_number(halves), Some(0.5));
    assert!(dense_empty(tensor_type(&[0], f32)).is_some());
    let signed = tensor_type(&[2], Type::parse(&context, "si32").ok_or("no type")?);
    assert!(dense_elements_as(numbers, signed).is_some());
    let imaginary = parse("#complex.number<:f32 0.0, 1.0>")?;
    assert_eq!(complex_value(imaginary), Some((0.0, 1.0)));
    assert!(!is_dense_resource(numbers) && dense_resource_data(numbers).is_none());
    Ok(())
}
