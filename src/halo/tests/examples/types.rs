use halo::{
    compiler,
    ir::{
        Type, bits_of, complex_element, complex_type, element_count, element_type, encoding_of,
        float_kind, has_identity_layout, index_type, integer_type, integer_width, is_complex,
        is_float, is_index, is_integer, is_memref, is_signless, is_tensor, is_unsigned,
        map_elements, memref_type, quantized, shape_of,
        stablehlo::{
            attributes::{TypeExtensions, bounded_tensor_type},
            types::{future, future_types, is_token, token},
        },
        static_shape_of, strides_of, tensor_type, unranked_tensor_type, unsigned_to_signless,
        vector_type, vector_type_with_element, with_element_type, with_integers_signless,
        without_memory_space,
    },
};

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context = compiler::context();
    let parse = |text: &str| Type::parse(&context, text).ok_or(format!("no type {text}"));
    let (f32, ui8) = (parse("f32")?, parse("ui8")?);
    let i32 = integer_type(&context, 32);

    // Numbers.
    assert!(is_integer(i32) && is_signless(i32) && !is_unsigned(i32) && is_unsigned(ui8));
    assert_eq!((integer_width(i32), bits_of(f32)), (Some(32), Some(32)));
    assert!(is_float(f32) && float_kind(f32).is_some() && is_index(index_type(&context)));
    let complex = complex_type(f32);
    assert!(is_complex(complex) && complex_element(complex) == Some(f32));
    assert!(quantized(parse("!quant.uniform<i8:f32, 0.5>")?));

    // Tensors: sizes that are not known are `None`.
    let tensor = tensor_type(&[2, 3], f32);
    assert!(is_tensor(tensor) && element_type(tensor) == f32);
    assert_eq!(static_shape_of(tensor), Some(vec![2, 3]));
    assert_eq!(element_count(tensor), Some(6));
    let dynamic = parse("tensor<?x3xf32>")?;
    assert_eq!(shape_of(dynamic), Some(vec![None, Some(3)]));
    assert!(static_shape_of(dynamic).is_none());
    assert!(shape_of(unranked_tensor_type(f32)).is_none());

    // The same shape with other elements.
    assert_eq!(with_element_type(tensor, i32), tensor_type(&[2, 3], i32));
    assert_eq!(
        unsigned_to_signless(&context, ui8),
        integer_type(&context, 8)
    );
    let bytes = tensor_type(&[4], ui8);
    let signless = tensor_type(&[4], integer_type(&context, 8));
    assert_eq!(with_integers_signless(&context, bytes), signless);
    let halved = map_elements(&context, tensor, &|element| {
        (element == f32).then(|| Type::float16(&context))
    });
    assert_eq!(halved, parse("tensor<2x3xf16>")?);

    // Memory and vectors.
    let buffer = memref_type(&[2, 3], f32);
    assert!(is_memref(buffer) && has_identity_layout(buffer));
    assert_eq!(strides_of(buffer), Some((vec![Some(3), Some(1)], Some(0))));
    let shared = parse("memref<2x3xf32, 3>")?;
    assert_eq!(without_memory_space(shared), buffer);
    assert_eq!(vector_type(&[4], f32), parse("vector<4xf32>")?);
    let scalable = parse("vector<2x[4]xf32>")?;
    assert_eq!(
        vector_type_with_element(scalable, i32),
        parse("vector<2x[4]xi32>")?
    );

    // The types of StableHLO. A bound says how large a dynamic size may be.
    let bounded = bounded_tensor_type(&[None, Some(3)], &[Some(8), None], f32);
    let encoding = encoding_of(bounded).and_then(TypeExtensions::from_attribute);
    assert_eq!(encoding.ok_or("no bounds")?.bounds, [Some(8), None]);
    assert!(is_token(token(&context)));
    let later = future(&context, &[tensor]).ok_or("no future")?;
    assert_eq!(future_types(later), Some(vec![tensor]));
    Ok(())
}
