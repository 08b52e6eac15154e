//! Types and literals of protocol buffers.

use crate::ParseError;
use halo_core::{ElementType, Literal};

use super::message::Message;
use crate::{
    ArrayShape, Constant, Dimension, Layout, ProgramShape, Shape, SplitConfig, Tile,
    element_type::element_type_of_name, validity,
};

/// `ShapeProto`
pub(super) fn shape(message: &Message) -> Result<Shape, ParseError> {
    match message.word("element_type") {
        Some("TUPLE") => {
            let shapes = message.messages("tuple_shapes").map(shape);
            Ok(Shape::Tuple(shapes.collect::<Result<_, ParseError>>()?))
        }
        Some("TOKEN") => Ok(Shape::Token),
        Some("OPAQUE_TYPE") => Ok(Shape::Opaque),
        Some("BUFFER") => match message.message("tuple_shapes").map(shape) {
            Some(Ok(Shape::Array(array))) => Ok(Shape::Buffer(array)),
            Some(Err(error)) => Err(error),
            _ => Err(message.error("a buffer holds an array")),
        },
        _ => array_shape(message).map(Shape::Array),
    }
}

fn array_shape(message: &Message) -> Result<ArrayShape, ParseError> {
    let Some(element_type) = element_type(message, "element_type")? else {
        return Err(message.error("the type has no 'element_type'"));
    };
    let mut is_dynamic = message.flags("is_dynamic_dimension")?.into_iter();
    let sizes = message.integers("dimensions")?.into_iter();
    let dimensions = sizes.map(|size| match is_dynamic.next() {
        Some(true) if size == i64::MIN => Dimension::Unbounded,
        Some(true) => Dimension::Bounded(size),
        _ => Dimension::Static(size),
    });
    let mut shape = ArrayShape {
        element_type,
        dimensions: dimensions.collect(),
        layout: None,
    };
    validity::of_shape(&shape).map_err(|wrong| message.error(wrong))?;
    if let Some(message) = message.message("layout") {
        let layout = layout(message)?;
        let rank = shape.dimensions.len();
        validity::of_layout(&layout, rank).map_err(|wrong| message.error(wrong))?;
        shape.layout = Some(layout).filter(|layout| *layout != Layout::default());
    }
    Ok(shape)
}

fn element_type(message: &Message, field: &str) -> Result<Option<ElementType>, ParseError> {
    let name = match message.word(field) {
        None | Some("PRIMITIVE_TYPE_INVALID") => return Ok(None),
        Some(name) => name,
    };
    match element_type_of_name(&name.to_ascii_lowercase()) {
        Some(element_type) => Ok(Some(element_type)),
        None => Err(message.error(format!("there is no element type '{name}'"))),
    }
}

fn layout(message: &Message) -> Result<Layout, ParseError> {
    // Protocol buffers treat 0 as absent.
    let number = |field| Ok(message.integer(field)?.filter(|number| *number != 0));
    let tiles = message.messages("tiles").map(|tile| {
        let sizes = tile.integers("dimensions")?.into_iter();
        Ok(Tile(
            sizes.map(|size| (size >= 0).then_some(size)).collect(),
        ))
    });
    let split_configs = message.messages("split_configs").map(|config| {
        Ok(SplitConfig {
            dimension: config.number("dimension")?,
            split_indices: config.integers("split_indices")?,
        })
    });
    let physical_shape = message.message("physical_shape").map(shape).transpose()?;
    let padding = number("tail_padding_alignment_in_elements")?;
    Ok(Layout {
        minor_to_major: message.integers("minor_to_major")?,
        tiles: tiles.collect::<Result<_, ParseError>>()?,
        tail_padding_alignment_in_elements: padding.filter(|padding| *padding != 1),
        index_primitive_type: element_type(message, "index_primitive_type")?,
        pointer_primitive_type: element_type(message, "pointer_primitive_type")?,
        element_size_in_bits: number("element_size_in_bits")?,
        memory_space: number("memory_space")?,
        split_configs: split_configs.collect::<Result<_, ParseError>>()?,
        physical_shape: physical_shape.map(Box::new),
        dynamic_shape_metadata_prefix_bytes: number("dynamic_shape_metadata_prefix_bytes")?,
    })
}

/// `ProgramShapeProto`
pub(super) fn program_shape(message: &Message) -> Result<ProgramShape, ParseError> {
    let parameters = message.messages("parameters").map(shape);
    let result = message.message("result").map(shape).transpose()?;
    Ok(ProgramShape {
        parameters: parameters.collect::<Result<_, ParseError>>()?,
        result: result.unwrap_or_default(),
    })
}

/// `LiteralProto`
pub(super) fn literal(message: &Message) -> Result<Constant, ParseError> {
    let Some(shape_message) = message.message("shape") else {
        return Err(message.error("the literal has no 'shape'"));
    };
    let array = match shape(shape_message)? {
        Shape::Array(array) => array,
        Shape::Tuple(shapes) => {
            let values = message.messages("tuple_literals");
            let types = values
                .clone()
                .map(|value| value.message("shape").map(shape));
            let types: Vec<Shape> = types.flatten().collect::<Result<_, ParseError>>()?;
            let mut pairs = types.iter().zip(&shapes);
            let fits = pairs.all(|(one, other)| crate::parser::is_compatible(one, other));
            if types.len() != shapes.len() || !fits {
                return Err(message.error("the literal does not have the parts of its type"));
            }
            return Ok(Constant::Tuple(
                values.map(literal).collect::<Result<_, ParseError>>()?,
            ));
        }
        _ => return Err(message.error("a value of this type cannot be written")),
    };
    let sizes = array.dimensions.iter().map(|dimension| match dimension {
        Dimension::Static(size) | Dimension::Bounded(size) => usize::try_from(*size).ok(),
        Dimension::Unbounded => None,
    });
    let Some(sizes) = sizes.collect::<Option<Vec<usize>>>() else {
        return Err(message.error("a constant has a type of known size"));
    };
    let order = array.layout.map(|layout| layout.minor_to_major);
    let core = halo_core::Shape::new(array.element_type, sizes);
    let core = core.map_err(|_| message.error("the literal is too large"))?;
    let bytes = elements(message, array.element_type, core.element_count())?;
    if bytes.len() != core.byte_size() {
        let wrong = "the literal does not have as many elements as its type";
        return Err(message.error(wrong));
    }
    let bytes = match order {
        Some(order) if !order.is_sorted_by(|one, next| one > next) => {
            row_major(&core, &order, &bytes)
        }
        _ => bytes,
    };
    let literal = Literal::from_bytes(core, &bytes);
    literal
        .map(Constant::Array)
        .map_err(|error| message.error(error.to_string()))
}

/// The elements in row-major order, given those in the order of a layout.
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

/// Where each element stands in a layout, in row-major order.
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
    shape
        .indices()
        .map(|index| offset(index.to_vec()))
        .collect()
}

/// The elements as a literal stores them, in the order of the text.
fn elements(
    message: &Message,
    element_type: ElementType,
    count: usize,
) -> Result<Vec<u8>, ParseError> {
    let name = crate::element_type::element_type_name(element_type);
    let field = format!("{name}s");
    let numbers = match element_type {
        ElementType::I1 => "preds",
        ElementType::I32
        | ElementType::I64
        | ElementType::Ui32
        | ElementType::Ui64
        | ElementType::F32
        | ElementType::F64
        | ElementType::Complex64
        | ElementType::Complex128 => field.as_str(),
        // The others are strings of bytes.
        _ => {
            let bytes = message.bytes(&field)?.unwrap_or_default();
            return Ok(unpacked(element_type, bytes, count));
        }
    };
    message.elements(numbers, element_type.real_part())
}

/// One element to a byte, where integers of 2 or 4 bits may share one: the
/// first is at the low end. Elements of a byte or more are stored as in literals.
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
        .map(|element| match element_type.is_signed_integer() {
            true => (((element << unused) as i8) >> unused) as u8,
            false => (element << unused) >> unused,
        });
    let limit = if is_packed { count } else { usize::MAX };
    elements.take(limit).collect()
}
