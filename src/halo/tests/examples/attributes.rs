use halo::{
    compiler,
    ir::{
        DenseData, affine_map_attribute, bool_attribute, dense_attribute, dense_empty,
        dense_from_floats, dense_from_integers, dense_number, dictionary_attribute,
        float_attribute, i64_array_attribute,
        ops::halo::{Content, Contract, Owner},
        splat_attribute, type_attribute,
    },
    melior::ir::Type,
    prelude::*,
};

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context = compiler::context();
    let parse = |text: &str| Attribute::parse(&context, text).ok_or(format!("cannot read {text}"));
    let (i32, f32) = (integer_type(&context, 32), Type::float32(&context));

    // Scalars. Accessors return `None` for attributes of another kind.
    let seven = integer_attribute(i32, 7);
    assert_eq!(seven, parse("7 : i32")?);
    assert_eq!((seven.integer_value(), seven.ty()), (Some(7), i32));
    assert_eq!(seven.number_bits(), Some((i32, 7)));
    assert_eq!(
        integer_attribute(Type::index(&context), 7),
        parse("7 : index")?
    );
    assert_eq!(bool_attribute(&context, true), parse("true")?);
    assert_eq!(float_attribute(f32, 0.5).float_value(), Some(0.5));
    assert_eq!(string_attribute(&context, "a").string_value(), Some("a"));
    assert_eq!(parse("@f")?.symbol_value(), Some("f"));
    assert_eq!(parse("@m::@f")?.symbol_path(), Some(vec!["m", "f"]));
    assert!(unit_attribute(&context).is_unit() && seven.string_value().is_none());
    assert_eq!(type_attribute(f32), parse("f32")?);
    let map = parse("affine_map<(d0) -> (d0)>")?.affine_map_value().ok_or("no map")?;
    assert_eq!(
        affine_map_attribute(map),
        parse("affine_map<(d0) -> (d0)>")?
    );

    // An attribute that a pass leaves for others has a contract.
    let packing = Contract::of("halo.packing").ok_or("no contract")?;
    assert_eq!((packing.owner, packing.value), (Owner::Loop, Content::Unit));
    assert!(packing.value.accepts(unit_attribute(&context)));
    assert_eq!(packing.gone_after, Some("llvm"));

    // Lists and dictionaries.
    assert_eq!(
        array_attribute(&context, &[seven]).array_elements(),
        [seven]
    );
    assert_eq!(
        i64_array_attribute(&context, &[1, 2]).i64_array_value(),
        Some(vec![1, 2])
    );
    assert_eq!(parse("array<i32: 3>")?.i32_array_value(), Some(vec![3]));
    let dictionary = dictionary_attribute(&context, &[("n", seven)]);
    assert_eq!(dictionary.dictionary_entries(), [("n", seven)]);
    assert_eq!(dictionary.dictionary_entry("n"), Some(seven));
    assert!(dictionary.is_dictionary() && !dictionary.is_array());

    // Elements of tensors. All elements of a splat are equal.
    let vector = tensor_type(&[2], i32);
    let numbers = dense_from_integers(vector, &[1, 2]).ok_or("no constant")?;
    assert!(numbers.is_dense() && !numbers.is_splat());
    assert_eq!(numbers.dense_integers(), Some(vec![1, 2]));
    assert_eq!(numbers.dense_i64s(), Some(vec![1, 2]));
    let DenseData { bytes, .. } = numbers.dense_data().ok_or("no bytes")?;
    assert_eq!(dense_attribute(vector, bytes), Some(numbers));
    let row = numbers.reshape_dense(tensor_type(&[1, 2], i32)).ok_or("other sizes")?;
    assert_eq!(row, parse("dense<[[1, 2]]> : tensor<1x2xi32>")?);
    let twos = dense_number(vector, 2.0).ok_or("no number")?;
    assert_eq!(
        (twos.splat_integer(), twos.splat_number()),
        (Some(2), Some(2.0))
    );
    assert_eq!(twos.splat_value(), Some(integer_attribute(i32, 2)));
    assert_eq!(splat_attribute(vector, integer_attribute(i32, 2)), twos);
    let halves = dense_from_floats(tensor_type(&[2], f32), &[0.5, 0.5]).ok_or("no floats")?;
    assert_eq!(halves.splat_number(), Some(0.5));
    assert!(dense_empty(tensor_type(&[0], f32)).is_some());
    let signed = tensor_type(&[2], Type::parse(&context, "si32").ok_or("no type")?);
    assert!(numbers.bitcast_dense(signed).is_some());
    let imaginary = parse("#complex.number<:f32 0.0, 1.0>")?;
    assert_eq!(imaginary.complex_value(), Some((0.0, 1.0)));
    assert!(!numbers.is_dense_resource() && numbers.dense_resource_data().is_none());
    Ok(())
}
