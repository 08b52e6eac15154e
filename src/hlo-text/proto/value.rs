//! Types and literals of protocol buffers.

use halo_core::{ElementType, Literal};

use super::schema::{self, LiteralProto, ShapeProto, enumerations::PRIMITIVE_TYPE};
use crate::{
    ArrayShape, Constant, Dimension, Layout, ProgramShape, Shape, SplitConfig, Tile,
    element_type::element_type_of_name, validity,
};

pub(super) fn shape(proto: ShapeProto) -> Result<Shape, String> {
    match PRIMITIVE_TYPE.name(proto.element_type)? {
        "TUPLE" => shapes(proto.tuple_shapes).map(Shape::Tuple),
        "TOKEN" => Ok(Shape::Token),
        "OPAQUE_TYPE" => Ok(Shape::Opaque),
        "BUFFER" => match proto.tuple_shapes.into_iter().next().map(shape) {
            Some(Ok(Shape::Array(array))) => Ok(Shape::Buffer(array)),
            Some(Err(error)) => Err(error),
            _ => Err("a buffer holds an array".to_owned()),
        },
        _ => array_shape(proto).map(Shape::Array),
    }
}

pub(super) fn shapes(protos: Vec<ShapeProto>) -> Result<Vec<Shape>, String> {
    protos.into_iter().map(shape).collect()
}

fn array_shape(proto: ShapeProto) -> Result<ArrayShape, String> {
    let element_type = element_type(proto.element_type)?;
    let mut is_dynamic = proto.is_dynamic_dimension.into_iter();
    let dimensions = proto.dimensions.into_iter().map(|size| match is_dynamic.next() {
        Some(true) if size == i64::MIN => Dimension::Unbounded,
        Some(true) => Dimension::Bounded(size),
        _ => Dimension::Static(size),
    });
    let mut shape = ArrayShape {
        element_type: element_type.ok_or("the type has no 'element_type'")?,
        dimensions: dimensions.collect(),
        layout: None,
    };
    validity::of_shape(&shape)?;
    if let Some(proto) = proto.layout {
        let layout = layout(proto)?;
        validity::of_layout(&layout, shape.dimensions.len())?;
        shape.layout = Some(layout).filter(|layout| *layout != Layout::default());
    }
    Ok(shape)
}

fn element_type(number: i32) -> Result<Option<ElementType>, String> {
    match PRIMITIVE_TYPE.name(number)? {
        "PRIMITIVE_TYPE_INVALID" => Ok(None),
        name => match element_type_of_name(&name.to_ascii_lowercase()) {
            Some(element_type) => Ok(Some(element_type)),
            None => Err(format!("there is no element type '{name}'")),
        },
    }
}

fn layout(proto: schema::LayoutProto) -> Result<Layout, String> {
    // Protocol buffers treat 0 as absent.
    let some = |number: i64| Some(number).filter(|number| *number != 0);
    let tile = |proto: schema::TileProto| {
        let sizes = proto.dimensions.into_iter();
        Tile(sizes.map(|size| (size >= 0).then_some(size)).collect())
    };
    let split_config = |proto: schema::SplitConfigProto| SplitConfig {
        dimension: proto.dimension,
        split_indices: proto.split_indices,
    };
    let physical_shape = proto.physical_shape.map(|physical| shape(*physical));
    Ok(Layout {
        minor_to_major: proto.minor_to_major,
        tiles: proto.tiles.into_iter().map(tile).collect(),
        tail_padding_alignment_in_elements: some(proto.tail_padding_alignment_in_elements)
            .filter(|padding| *padding != 1),
        index_primitive_type: element_type(proto.index_primitive_type)?,
        pointer_primitive_type: element_type(proto.pointer_primitive_type)?,
        element_size_in_bits: some(proto.element_size_in_bits),
        memory_space: some(proto.memory_space),
        split_configs: proto.split_configs.into_iter().map(split_config).collect(),
        physical_shape: physical_shape.transpose()?.map(Box::new),
        dynamic_shape_metadata_prefix_bytes: some(proto.dynamic_shape_metadata_prefix_bytes),
    })
}

pub(super) fn program_shape(proto: schema::ProgramShapeProto) -> Result<ProgramShape, String> {
    Ok(ProgramShape {
        parameters: shapes(proto.parameters)?,
        result: proto.result.map(shape).transpose()?.unwrap_or_default(),
    })
}

/// The value of a literal, and its type.
pub(super) fn literal(mut proto: LiteralProto) -> Result<(Constant, Shape), String> {
    let Some(shape_proto) = proto.shape.take() else {
        return Err("the literal has no 'shape'".to_owned());
    };
    let shape = shape(shape_proto)?;
    let constant = match &shape {
        Shape::Array(array) => Constant::Array(array_literal(proto, array)?),
        Shape::Tuple(shapes) => {
            let parts = proto.tuple_literals.into_iter().map(literal);
            let parts: Vec<_> = parts.collect::<Result<_, String>>()?;
            let mut pairs = parts.iter().zip(shapes);
            let fits = pairs.all(|((_, own), shape)| crate::parser::is_compatible(own, shape));
            if parts.len() != shapes.len() || !fits {
                return Err("the literal does not have the parts of its type".to_owned());
            }
            Constant::Tuple(parts.into_iter().map(|(part, _)| part).collect())
        }
        _ => return Err("a value of this type cannot be written".to_owned()),
    };
    Ok((constant, shape))
}

fn array_literal(proto: LiteralProto, array: &ArrayShape) -> Result<Literal, String> {
    let sizes = array.dimensions.iter().map(|dimension| match dimension {
        Dimension::Static(size) | Dimension::Bounded(size) => usize::try_from(*size).ok(),
        Dimension::Unbounded => None,
    });
    let sizes = sizes.collect::<Option<Vec<usize>>>();
    let sizes = sizes.ok_or("a constant has a type of known size")?;
    let core = halo_core::Shape::new(array.element_type, sizes);
    let core = core.map_err(|_| "the literal is too large")?;
    let bytes = elements(proto, array.element_type, core.element_count());
    if bytes.len() != core.byte_size() {
        return Err("the literal does not have as many elements as its type".to_owned());
    }
    let bytes = match &array.layout {
        Some(layout) if !is_row_major(&layout.minor_to_major) => {
            row_major(&core, &layout.minor_to_major, &bytes)
        }
        _ => bytes,
    };
    Literal::from_bytes(core, &bytes).map_err(|error| error.to_string())
}

/// Returns true if the layout is row-major.
pub(super) fn is_row_major(minor_to_major: &[i64]) -> bool {
    minor_to_major.is_sorted_by(|one, next| one > next)
}

/// Reorders elements from a layout to row-major order.
fn row_major(shape: &halo_core::Shape, minor_to_major: &[i64], bytes: &[u8]) -> Vec<u8> {
    let width = shape.element_type().byte_width();
    let mut ordered = Vec::with_capacity(bytes.len());
    for position in positions(shape, minor_to_major) {
        let element = bytes.get(position * width..(position + 1) * width);
        ordered.extend_from_slice(element.unwrap_or_default());
    }
    ordered
}

/// The elements of a literal in the order of a layout.
pub(super) fn in_order(literal: &Literal, minor_to_major: &[i64]) -> Vec<u8> {
    let width = literal.element_type().byte_width();
    let mut ordered = vec![0; literal.bytes().len()];
    let elements = literal.bytes().chunks(width.max(1));
    let offsets = positions(literal.shape(), minor_to_major);
    for (position, element) in offsets.into_iter().zip(elements) {
        if let Some(target) = ordered.get_mut(position * width..(position + 1) * width) {
            target.copy_from_slice(element);
        }
    }
    ordered
}

/// The position of each element in a layout, in row-major order.
fn positions(shape: &halo_core::Shape, minor_to_major: &[i64]) -> Vec<usize> {
    let mut strides = vec![0; shape.rank()];
    let mut stride = 1;
    for dimension in minor_to_major {
        let entry = usize::try_from(*dimension).ok();
        let entry = entry.and_then(|at| Some((strides.get_mut(at)?, shape.dims().get(at)?)));
        if let Some((entry, size)) = entry {
            *entry = stride;
            stride *= size;
        }
    }
    let offset = |index: Vec<usize>| index.iter().zip(&strides).map(|(at, by)| at * by).sum();
    shape.indices().map(|index| offset(index.to_vec())).collect()
}

/// The elements in the storage format of Halo's literals, in the order of the message.
fn elements(mut proto: LiteralProto, element_type: ElementType, count: usize) -> Vec<u8> {
    fn stored<T, const N: usize>(elements: Vec<T>, bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
        elements.into_iter().flat_map(bytes).collect()
    }
    match element_type {
        ElementType::I1 => stored(proto.preds, |element| [element.into()]),
        ElementType::I32 => stored(proto.s32s, i32::to_le_bytes),
        ElementType::I64 => stored(proto.s64s, i64::to_le_bytes),
        ElementType::Ui32 => stored(proto.u32s, u32::to_le_bytes),
        ElementType::Ui64 => stored(proto.u64s, u64::to_le_bytes),
        ElementType::F32 => stored(proto.f32s, f32::to_le_bytes),
        ElementType::F64 => stored(proto.f64s, f64::to_le_bytes),
        ElementType::Complex64 => stored(proto.c64s, f32::to_le_bytes),
        ElementType::Complex128 => stored(proto.c128s, f64::to_le_bytes),
        _ => {
            let bytes = bytes_field(&mut proto, element_type).map(std::mem::take);
            unpacked(element_type, bytes.unwrap_or_default(), count)
        }
    }
}

/// The field of elements that are stored as a string of bytes.
pub(super) fn bytes_field(
    proto: &mut LiteralProto,
    element_type: ElementType,
) -> Option<&mut Vec<u8>> {
    Some(match element_type {
        ElementType::I2 => &mut proto.s2s,
        ElementType::I4 => &mut proto.s4s,
        ElementType::I8 => &mut proto.s8s,
        ElementType::I16 => &mut proto.s16s,
        ElementType::Ui2 => &mut proto.u2s,
        ElementType::Ui4 => &mut proto.u4s,
        ElementType::Ui8 => &mut proto.u8s,
        ElementType::Ui16 => &mut proto.u16s,
        ElementType::F4E2M1FN => &mut proto.f4e2m1fns,
        ElementType::F8E3M4 => &mut proto.f8e3m4s,
        ElementType::F8E4M3 => &mut proto.f8e4m3s,
        ElementType::F8E4M3FN => &mut proto.f8e4m3fns,
        ElementType::F8E4M3FNUZ => &mut proto.f8e4m3fnuzs,
        ElementType::F8E4M3B11FNUZ => &mut proto.f8e4m3b11fnuzs,
        ElementType::F8E5M2 => &mut proto.f8e5m2s,
        ElementType::F8E5M2FNUZ => &mut proto.f8e5m2fnuzs,
        ElementType::F8E8M0FNU => &mut proto.f8e8m0fnus,
        ElementType::BF16 => &mut proto.bf16s,
        ElementType::F16 => &mut proto.f16s,
        _ => return None,
    })
}

/// Unpacks integers of 2 or 4 bits, which may share a byte, to one per byte: the first is at the
/// low end. Elements of a byte or more are stored as in literals.
fn unpacked(element_type: ElementType, bytes: Vec<u8>, count: usize) -> Vec<u8> {
    let width = element_type.bit_width();
    if width >= 8 {
        return bytes;
    }
    let is_packed = element_type.is_integer() && bytes.len() < count;
    let per_byte = if is_packed { 8 / width } else { 1 };
    let unused = 8 - width;
    let elements = bytes
        .iter()
        .flat_map(|byte| (0..per_byte).map(move |position| byte >> (position * width)))
        .map(|element| {
            if element_type.is_signed_integer() {
                (((element << unused) as i8) >> unused) as u8
            } else {
                (element << unused) >> unused
            }
        });
    let limit = if is_packed { count } else { usize::MAX };
    elements.take(limit).collect()
}
