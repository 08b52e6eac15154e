use halo::{
    compiler,
    ir::{
        complex_type,
        stablehlo::{
            attributes::{TypeExtensions, bounded_tensor_type},
            types::{future, future_types, is_token, token},
        },
        unranked_tensor_type,
    },
    prelude::*,
};

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context = compiler::context();
    let parse = |text: &str| Type::parse(&context, text).ok_or(format!("no type {text}"));
    let (f32, ui8) = (parse("f32")?, parse("ui8")?);
    let i32 = integer_type(&context, 32);

    // Numbers.
    assert!(i32.is_integer() && i32.is_signless() && !i32.is_unsigned() && ui8.is_unsigned());
    assert_eq!((i32.integer_width(), f32.bit_width()), (Some(32), Some(32)));
    assert!(f32.is_float() && f32.float_kind().is_some() && Type::index(&context).is_index());
    let complex = complex_type(f32);
    assert!(complex.is_complex() && complex.complex_element() == Some(f32));
    let quantized = parse("!quant.uniform<i8:f32, 0.5>")?;
    assert!(quantized.is_quantized() && quantized.byte_width() == Some(1));

    // Tensors: dynamic sizes are `None`.
    let tensor = tensor_type(&[2, 3], f32);
    assert!(tensor.is_tensor() && tensor.element_type() == f32);
    assert_eq!(tensor.static_shape(), Some(vec![2, 3]));
    assert_eq!(tensor.element_count(), Some(6));
    let dynamic = parse("tensor<?x3xf32>")?;
    assert_eq!(dynamic.shape(), Some(vec![None, Some(3)]));
    assert!(dynamic.static_shape().is_none());
    assert!(unranked_tensor_type(f32).shape().is_none());

    // The same shape with another element type.
    assert_eq!(tensor.with_element_type(i32), tensor_type(&[2, 3], i32));
    assert_eq!(
        ui8.unsigned_to_signless(&context),
        integer_type(&context, 8)
    );
    let bytes = tensor_type(&[4], ui8);
    let signless = tensor_type(&[4], integer_type(&context, 8));
    assert_eq!(bytes.integers_signless(&context), signless);
    let halved = tensor.map_elements(&context, &|element| {
        (element == f32).then(|| Type::float16(&context))
    });
    assert_eq!(halved, parse("tensor<2x3xf16>")?);

    // Memory and vectors.
    let buffer = memref_type(&[2, 3], f32);
    assert!(buffer.is_memref() && buffer.has_identity_layout());
    assert_eq!(buffer.strides(), Some((vec![Some(3), Some(1)], Some(0))));
    let shared = parse("memref<2x3xf32, 3>")?;
    assert_eq!(shared.without_memory_space(), buffer);
    assert_eq!(vector_type(&[4], f32), parse("vector<4xf32>")?);
    assert!(parse("vector<4xf64>")?.is_vector() && parse("f64")?.is_f64() && f32.is_f32());
    let scalable = parse("vector<2x[4]xf32>")?;
    assert_eq!(
        scalable.vector_with_element(i32),
        parse("vector<2x[4]xi32>")?
    );

    // The types of StableHLO. A bound is the maximum of a dynamic size.
    let bounded = bounded_tensor_type(&[None, Some(3)], &[Some(8), None], f32);
    let encoding = bounded.encoding().and_then(TypeExtensions::from_attribute);
    assert_eq!(encoding.ok_or("no bounds")?.bounds, [Some(8), None]);
    assert!(is_token(token(&context)));
    let later = future(&context, &[tensor]).ok_or("no future")?;
    assert_eq!(future_types(later), Some(vec![tensor]));
    Ok(())
}
