//! Types and literals.

use halo_core::ElementType;

use super::encoder::Encoder;
use crate::{
    ArrayShape, Constant, Dimension, Layout, ProgramShape, Shape, element_type::element_type_name,
};

/// How many bytes a literal of one repeated element may become.
const LARGEST_SPLAT: usize = 1 << 31;

pub(super) fn shape(encoder: &mut Encoder, shape: &Shape) -> Result<(), String> {
    match shape {
        Shape::Array(array) => array_shape(encoder, array),
        Shape::Tuple(shapes) => {
            encoder.word("element_type", "TUPLE")?;
            for element in shapes {
                encoder.message("tuple_shapes", |encoder| self::shape(encoder, element))?;
            }
            Ok(())
        }
        Shape::Token => encoder.word("element_type", "TOKEN"),
        Shape::Opaque => encoder.word("element_type", "OPAQUE_TYPE"),
        Shape::Buffer(array) => {
            encoder.word("element_type", "BUFFER")?;
            encoder.message("tuple_shapes", |encoder| array_shape(encoder, array))
        }
    }
}

fn array_shape(encoder: &mut Encoder, array: &ArrayShape) -> Result<(), String> {
    encoder.word("element_type", &type_name(array.element_type))?;
    let sizes = array.dimensions.iter().map(|dimension| match dimension {
        Dimension::Static(size) | Dimension::Bounded(size) => *size,
        Dimension::Unbounded => i64::MIN,
    });
    encoder.integers("dimensions", &sizes.collect::<Vec<_>>());
    let is_dynamic = |dimension: &Dimension| !matches!(dimension, Dimension::Static(_));
    encoder.flags(
        "is_dynamic_dimension",
        array.dimensions.iter().map(is_dynamic),
    );
    encoder.message("layout", |encoder| match &array.layout {
        Some(layout) => write_layout(encoder, layout),
        None => {
            let order: Vec<i64> = (0..array.dimensions.len() as i64).rev().collect();
            encoder.integers("minor_to_major", &order);
            Ok(())
        }
    })
}

fn type_name(element_type: ElementType) -> String {
    element_type_name(element_type).to_ascii_uppercase()
}

fn write_layout(encoder: &mut Encoder, layout: &Layout) -> Result<(), String> {
    encoder.integers("minor_to_major", &layout.minor_to_major);
    for tile in &layout.tiles {
        // The number of a combined dimension is the least of them.
        let sizes = tile.0.iter().map(|size| size.unwrap_or(i64::MIN));
        let sizes: Vec<i64> = sizes.collect();
        encoder.message("tiles", |encoder| {
            encoder.integers("dimensions", &sizes);
            Ok(())
        })?;
    }
    let numbers = [
        ("element_size_in_bits", layout.element_size_in_bits),
        ("memory_space", layout.memory_space),
        (
            "dynamic_shape_metadata_prefix_bytes",
            layout.dynamic_shape_metadata_prefix_bytes,
        ),
        (
            "tail_padding_alignment_in_elements",
            layout.tail_padding_alignment_in_elements,
        ),
    ];
    for (name, number) in numbers {
        encoder.integer(name, number.unwrap_or_default());
    }
    if let Some(element_type) = layout.index_primitive_type {
        encoder.word("index_primitive_type", &type_name(element_type))?;
    }
    if let Some(element_type) = layout.pointer_primitive_type {
        encoder.word("pointer_primitive_type", &type_name(element_type))?;
    }
    if let Some(physical) = &layout.physical_shape {
        encoder.message("physical_shape", |encoder| shape(encoder, physical))?;
    }
    for config in &layout.split_configs {
        encoder.message("split_configs", |encoder| {
            encoder.integer("dimension", config.dimension);
            encoder.integers("split_indices", &config.split_indices);
            Ok(())
        })?;
    }
    Ok(())
}

pub(super) fn program_shape(
    encoder: &mut Encoder,
    program: &ProgramShape,
    names: &[&str],
) -> Result<(), String> {
    for parameter in &program.parameters {
        encoder.message("parameters", |encoder| shape(encoder, parameter))?;
    }
    encoder.message("result", |encoder| shape(encoder, &program.result))?;
    encoder.texts("parameter_names", names.iter().copied());
    Ok(())
}

/// A value, in the layout of its instruction, which readers rely on.
pub(super) fn literal(
    encoder: &mut Encoder,
    constant: &Constant,
    instruction: Option<&Shape>,
) -> Result<(), String> {
    let mut own = shape_of(constant)?;
    if let Some(instruction) = instruction {
        take_layouts(&mut own, instruction);
    }
    write_literal(encoder, constant, &own)
}

/// Gives arrays the order of dimensions that those of another type have.
fn take_layouts(shape: &mut Shape, from: &Shape) {
    match (shape, from) {
        (Shape::Array(array), Shape::Array(from)) => {
            array.layout = from.layout.as_ref().map(|layout| Layout {
                minor_to_major: layout.minor_to_major.clone(),
                ..Layout::default()
            });
        }
        (Shape::Tuple(shapes), Shape::Tuple(from)) => {
            for (shape, from) in shapes.iter_mut().zip(from) {
                take_layouts(shape, from);
            }
        }
        _ => {}
    }
}

fn write_literal(encoder: &mut Encoder, constant: &Constant, own: &Shape) -> Result<(), String> {
    encoder.message("shape", |encoder| shape(encoder, own))?;
    match (constant, own) {
        (Constant::Array(literal), Shape::Array(array)) => {
            let element_type = literal.element_type();
            match &array.layout {
                Some(layout) if !layout.minor_to_major.is_sorted_by(|one, next| one > next) => {
                    let bytes = crate::proto::value::in_order(literal, &layout.minor_to_major);
                    elements(encoder, element_type, &bytes)
                }
                _ => elements(encoder, element_type, literal.bytes()),
            }
        }
        (Constant::Splat { shape, element }, _) => {
            let count = shape.element_count();
            if count.saturating_mul(element.bytes().len()) > LARGEST_SPLAT {
                return Err(format!(
                    "a constant of {count} elements is too large to be written"
                ));
            }
            elements(
                encoder,
                element.element_type(),
                &element.bytes().repeat(count),
            )
        }
        (Constant::Tuple(values), Shape::Tuple(shapes)) => {
            for (value, own) in values.iter().zip(shapes) {
                let part = |encoder: &mut Encoder| write_literal(encoder, value, own);
                encoder.message("tuple_literals", part)?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn shape_of(constant: &Constant) -> Result<Shape, String> {
    let shape = match constant {
        Constant::Array(literal) => literal.shape(),
        Constant::Splat { shape, .. } => shape,
        Constant::Tuple(values) => {
            let shapes = values.iter().map(shape_of);
            return Ok(Shape::Tuple(shapes.collect::<Result<_, String>>()?));
        }
        Constant::Elided => return Err("a value was left out of the text".to_owned()),
    };
    let sizes = shape
        .dims()
        .iter()
        .map(|size| Dimension::Static(*size as i64));
    Ok(Shape::Array(ArrayShape {
        element_type: shape.element_type(),
        dimensions: sizes.collect(),
        layout: None,
    }))
}

fn elements(encoder: &mut Encoder, element_type: ElementType, bytes: &[u8]) -> Result<(), String> {
    let field = match element_type {
        ElementType::I1 => "preds".to_owned(),
        _ => format!("{}s", element_type_name(element_type)),
    };
    match element_type {
        // Integers of varying length.
        ElementType::I1 => {
            encoder.flags(&field, bytes.iter().map(|byte| *byte != 0));
        }
        ElementType::I32 | ElementType::Ui32 => {
            let values = bytes.as_chunks::<4>().0.iter();
            let values = values.map(|chunk| match element_type {
                ElementType::I32 => i64::from(i32::from_le_bytes(*chunk)),
                _ => i64::from(u32::from_le_bytes(*chunk)),
            });
            encoder.integers(&field, &values.collect::<Vec<_>>());
        }
        ElementType::I64 | ElementType::Ui64 => {
            let values = bytes.as_chunks::<8>().0.iter();
            let values = values.map(|chunk| i64::from_le_bytes(*chunk));
            encoder.integers(&field, &values.collect::<Vec<_>>());
        }
        _ => encoder.bytes(&field, &masked(element_type, bytes)),
    }
    Ok(())
}

/// Elements narrower than a byte stand at its low end, and nothing above them.
fn masked(element_type: ElementType, bytes: &[u8]) -> Vec<u8> {
    let width = element_type.bit_width();
    if width >= 8 {
        return bytes.to_vec();
    }
    let mask = (1_u8 << width) - 1;
    bytes.iter().map(|byte| byte & mask).collect()
}
