//! Types and literals.

use std::borrow::Cow;

use halo_core::{ElementType, Literal};

use crate::proto::schema::{self, LiteralProto, ShapeProto, enumerations::PRIMITIVE_TYPE};
use crate::proto::value::{bytes_field, in_order, is_row_major};
use crate::{
    ArrayShape, Constant, Dimension, Layout, ProgramShape, Shape, SplitConfig, Tile,
    element_type::element_type_name,
};

/// The maximum size of a literal of one repeated element in bytes.
const LARGEST_SPLAT: usize = 1 << 31;

pub(super) fn shape(shape: &Shape) -> Result<ShapeProto, String> {
    let (name, tuple_shapes) = match shape {
        Shape::Array(array) => return array_shape(array),
        Shape::Tuple(shapes) => ("TUPLE", self::shapes(shapes)?),
        Shape::Token => ("TOKEN", Vec::new()),
        Shape::Opaque => ("OPAQUE_TYPE", Vec::new()),
        Shape::Buffer(array) => ("BUFFER", vec![array_shape(array)?]),
    };
    Ok(ShapeProto {
        element_type: PRIMITIVE_TYPE.number(name)?,
        tuple_shapes,
        ..ShapeProto::default()
    })
}

pub(super) fn shapes(shapes: &[Shape]) -> Result<Vec<ShapeProto>, String> {
    shapes.iter().map(shape).collect()
}

fn array_shape(array: &ArrayShape) -> Result<ShapeProto, String> {
    let sizes = array.dimensions.iter().map(|dimension| match dimension {
        Dimension::Static(size) | Dimension::Bounded(size) => *size,
        Dimension::Unbounded => i64::MIN,
    });
    let is_dynamic = |dimension: &Dimension| !matches!(dimension, Dimension::Static(_));
    let layout = match &array.layout {
        Some(written) => layout(written)?,
        None => schema::LayoutProto {
            minor_to_major: (0..array.dimensions.len() as i64).rev().collect(),
            ..schema::LayoutProto::default()
        },
    };
    Ok(ShapeProto {
        element_type: type_number(array.element_type)?,
        dimensions: sizes.collect(),
        is_dynamic_dimension: array.dimensions.iter().map(is_dynamic).collect(),
        layout: Some(layout),
        ..ShapeProto::default()
    })
}

fn type_number(element_type: ElementType) -> Result<i32, String> {
    PRIMITIVE_TYPE.number(&element_type_name(element_type).to_ascii_uppercase())
}

fn layout(layout: &Layout) -> Result<schema::LayoutProto, String> {
    // The number of a combined dimension is the minimum value.
    let tile = |tile: &Tile| schema::TileProto {
        dimensions: tile.0.iter().map(|size| size.unwrap_or(i64::MIN)).collect(),
    };
    let split_config = |config: &SplitConfig| schema::SplitConfigProto {
        dimension: config.dimension,
        split_indices: config.split_indices.clone(),
    };
    let type_number = |element_type: Option<ElementType>| {
        let number = element_type.map(type_number).transpose();
        number.map(Option::unwrap_or_default)
    };
    let number = |number: Option<i64>| number.unwrap_or_default();
    let physical_shape = layout.physical_shape.as_deref().map(shape).transpose()?;
    Ok(schema::LayoutProto {
        minor_to_major: layout.minor_to_major.clone(),
        tiles: layout.tiles.iter().map(tile).collect(),
        element_size_in_bits: number(layout.element_size_in_bits),
        memory_space: number(layout.memory_space),
        physical_shape: physical_shape.map(Box::new),
        index_primitive_type: type_number(layout.index_primitive_type)?,
        pointer_primitive_type: type_number(layout.pointer_primitive_type)?,
        dynamic_shape_metadata_prefix_bytes: number(layout.dynamic_shape_metadata_prefix_bytes),
        tail_padding_alignment_in_elements: number(layout.tail_padding_alignment_in_elements),
        split_configs: layout.split_configs.iter().map(split_config).collect(),
    })
}

pub(super) fn program_shape(
    program: &ProgramShape,
    names: Vec<String>,
) -> Result<schema::ProgramShapeProto, String> {
    Ok(schema::ProgramShapeProto {
        parameters: shapes(&program.parameters)?,
        result: Some(shape(&program.result)?),
        parameter_names: names,
    })
}

/// A value, in the layout of its instruction, as readers require.
pub(super) fn literal(
    constant: &Constant,
    instruction: Option<&Shape>,
) -> Result<LiteralProto, String> {
    let mut own = shape_of(constant)?;
    if let Some(instruction) = instruction {
        take_layouts(&mut own, instruction);
    }
    literal_of_shape(constant, &own)
}

/// Gives arrays the dimension order of the arrays in another type.
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

fn literal_of_shape(constant: &Constant, own: &Shape) -> Result<LiteralProto, String> {
    let mut proto = LiteralProto {
        shape: Some(shape(own)?),
        ..LiteralProto::default()
    };
    match (constant, own) {
        (Constant::Array(literal), Shape::Array(array)) => {
            let bytes = stored(literal, array.layout.as_ref());
            write_elements(&mut proto, literal.element_type(), &bytes);
        }
        (Constant::Splat { shape, element }, _) => {
            let count = shape.element_count();
            if count.saturating_mul(element.bytes().len()) > LARGEST_SPLAT {
                return Err(format!(
                    "a constant of {count} elements is too large to be written"
                ));
            }
            let bytes = element.bytes().repeat(count);
            write_elements(&mut proto, element.element_type(), &bytes);
        }
        (Constant::Tuple(values), Shape::Tuple(shapes)) => {
            let parts = values.iter().zip(shapes);
            let parts = parts.map(|(value, own)| literal_of_shape(value, own));
            proto.tuple_literals = parts.collect::<Result<_, String>>()?;
        }
        _ => {}
    }
    Ok(proto)
}

/// The elements of a literal in the order of a layout.
fn stored<'a>(literal: &'a Literal, layout: Option<&Layout>) -> Cow<'a, [u8]> {
    match layout {
        Some(layout) if !is_row_major(&layout.minor_to_major) => {
            in_order(literal, &layout.minor_to_major).into()
        }
        _ => literal.bytes().into(),
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
    let sizes = shape.dims().iter().map(|size| Dimension::Static(*size as i64));
    Ok(Shape::Array(ArrayShape {
        element_type: shape.element_type(),
        dimensions: sizes.collect(),
        layout: None,
    }))
}

fn write_elements(proto: &mut LiteralProto, element_type: ElementType, bytes: &[u8]) {
    fn numbers<T, const N: usize>(bytes: &[u8], number: impl Fn([u8; N]) -> T) -> Vec<T> {
        let chunks = bytes.as_chunks::<N>().0.iter();
        chunks.map(|chunk| number(*chunk)).collect()
    }
    match element_type {
        ElementType::I1 => proto.preds = numbers(bytes, |[byte]| byte != 0),
        ElementType::I32 => proto.s32s = numbers(bytes, i32::from_le_bytes),
        ElementType::I64 => proto.s64s = numbers(bytes, i64::from_le_bytes),
        ElementType::Ui32 => proto.u32s = numbers(bytes, u32::from_le_bytes),
        ElementType::Ui64 => proto.u64s = numbers(bytes, u64::from_le_bytes),
        ElementType::F32 => proto.f32s = numbers(bytes, f32::from_le_bytes),
        ElementType::F64 => proto.f64s = numbers(bytes, f64::from_le_bytes),
        ElementType::Complex64 => proto.c64s = numbers(bytes, f32::from_le_bytes),
        ElementType::Complex128 => proto.c128s = numbers(bytes, f64::from_le_bytes),
        _ => {
            if let Some(field) = bytes_field(proto, element_type) {
                *field = masked(element_type, bytes);
            }
        }
    }
}

/// Elements narrower than a byte are at its low end, with zero bits above them.
fn masked(element_type: ElementType, bytes: &[u8]) -> Vec<u8> {
    let width = element_type.bit_width();
    if width >= 8 {
        return bytes.to_vec();
    }
    let mask = (1_u8 << width) - 1;
    bytes.iter().map(|byte| byte & mask).collect()
}
