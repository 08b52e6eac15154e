//! Types: `f32[2,<=3]{1,0:T(8,128)}`, `(f32[], token[])`.

use super::{
    cursor::{Cursor, Item},
    grammar::Rule,
    tree::{integer, numbers},
};
use crate::ParseError;
use crate::{
    ArrayShape, Dimension, Layout, ProgramShape, Shape, SplitConfig, Tile,
    element_type::element_type_of_name, validity,
};

/// Reads a type.
pub(super) fn take(cursor: &mut Cursor) -> Result<Shape, ParseError> {
    cursor.check_nesting()?;
    let item = cursor.take(Rule::shape)?;
    of(cursor, &item)
}

/// Reads `{(f32[2])->f32[]}`.
pub(super) fn take_program_shape(cursor: &mut Cursor) -> Result<ProgramShape, ParseError> {
    cursor.check_nesting()?;
    let item = cursor.take(Rule::program_shape)?;
    let mut shape = ProgramShape {
        parameters: Vec::new(),
        result: Shape::default(),
    };
    for part in item.children() {
        match part.rule() {
            Rule::parameter_shapes => shape.parameters = list(cursor, &part)?,
            _ => shape.result = of(cursor, &part)?,
        }
    }
    Ok(shape)
}

/// The types in an item.
pub(super) fn list(cursor: &Cursor, item: &Item) -> Result<Vec<Shape>, ParseError> {
    item.children().map(|part| of(cursor, &part)).collect()
}

/// The type that a `shape` of the grammar denotes.
pub(super) fn of(cursor: &Cursor, item: &Item) -> Result<Shape, ParseError> {
    let inner = item.only_child(cursor)?;
    match inner.rule() {
        Rule::plain_shape => plain_shape(cursor, &inner),
        Rule::tuple_shape => Ok(Shape::Tuple(list(cursor, &inner)?)),
        Rule::buffer_shape => {
            let array = inner.only_child(cursor)?;
            match array_shape(cursor, &array)? {
                Shape::Array(array) => Ok(Shape::Buffer(array)),
                _ => Err(cursor.error_at(array.offset(), "a buffer holds an array")),
            }
        }
        _ => array_shape(cursor, &inner),
    }
}

/// `f32[2,3]{1,0}`
fn plain_shape(cursor: &Cursor, item: &Item) -> Result<Shape, ParseError> {
    let mut name = None;
    let mut dimensions = Vec::new();
    let mut layout = None;
    for part in item.children() {
        match part.rule() {
            Rule::element_type => name = Some(part),
            Rule::plain_dimensions => {
                let sizes = numbers(cursor, &part)?;
                dimensions = sizes.into_iter().map(Dimension::Static).collect();
            }
            _ => {
                let plain = Layout {
                    minor_to_major: numbers(cursor, &part)?,
                    ..Layout::default()
                };
                validity::of_layout(&plain, dimensions.len())
                    .map_err(|wrong| cursor.error_at(part.offset(), wrong))?;
                layout = Some(plain);
            }
        }
    }
    match name {
        Some(name) => of_parts(cursor, item, &name, dimensions, layout),
        None => Err(cursor.expected_at(item.offset(), "a type")),
    }
}

/// A type with these components.
fn of_parts(
    cursor: &Cursor,
    item: &Item,
    name: &Item,
    dimensions: Vec<Dimension>,
    layout: Option<Layout>,
) -> Result<Shape, ParseError> {
    let opaque = match name.text() {
        "token" => Shape::Token,
        "opaque" => Shape::Opaque,
        text => {
            let shape = ArrayShape {
                element_type: named_element_type(cursor, name, text)?,
                dimensions,
                layout,
            };
            return match validity::of_shape(&shape) {
                Ok(()) => Ok(Shape::Array(shape)),
                Err(message) => Err(cursor.error_at(item.offset(), message)),
            };
        }
    };
    if !dimensions.is_empty() {
        return Err(cursor.error_at(item.offset(), "this type has no dimensions"));
    }
    Ok(opaque)
}

fn array_shape(cursor: &Cursor, item: &Item) -> Result<Shape, ParseError> {
    let mut name = None;
    let mut dimensions = Vec::new();
    let mut layout = None;
    for part in item.children() {
        match part.rule() {
            Rule::element_type => name = Some(part),
            Rule::dimension => dimensions.push(dimension(cursor, &part)?),
            _ => layout = read_layout(cursor, &part, dimensions.len())?,
        }
    }
    match name {
        Some(name) => of_parts(cursor, item, &name, dimensions, layout),
        None => Err(cursor.expected_at(item.offset(), "a type")),
    }
}

fn named_element_type(
    cursor: &Cursor,
    item: &Item,
    name: &str,
) -> Result<halo_core::ElementType, ParseError> {
    element_type_of_name(name).ok_or_else(|| {
        let message = match name {
            "s1" | "u1" => format!("values of type '{name}' are not supported"),
            _ => format!("there is no element type '{name}'"),
        };
        cursor.error_at(item.offset(), message)
    })
}

fn dimension(cursor: &Cursor, item: &Item) -> Result<Dimension, ParseError> {
    let text = item.text();
    if text == "?" {
        return Ok(Dimension::Unbounded);
    }
    let (make, digits): (fn(i64) -> Dimension, _) = match text.strip_prefix("<=") {
        Some(digits) => (Dimension::Bounded, digits),
        None => (Dimension::Static, text),
    };
    let size = integer(cursor, item.offset(), digits.trim())?;
    Ok(make(size))
}

fn read_layout(cursor: &Cursor, item: &Item, rank: usize) -> Result<Option<Layout>, ParseError> {
    let mut layout = Layout::default();
    let mut is_empty = true;
    for part in item.children() {
        is_empty = false;
        let number = || {
            let inner = part.only_child(cursor)?;
            inner.integer(cursor).map(Some)
        };
        let index_type = || {
            let inner = part.only_child(cursor)?;
            named_element_type(cursor, &inner, inner.text()).map(Some)
        };
        match part.rule() {
            Rule::integer => layout.minor_to_major.push(part.integer(cursor)?),
            Rule::tiles => {
                for tile in part.children() {
                    layout.tiles.push(read_tile(cursor, &tile)?);
                }
            }
            Rule::tail_padding => layout.tail_padding_alignment_in_elements = number()?,
            Rule::index_type => layout.index_primitive_type = index_type()?,
            Rule::pointer_type => layout.pointer_primitive_type = index_type()?,
            Rule::element_size => layout.element_size_in_bits = number()?,
            Rule::memory_space => layout.memory_space = number()?,
            Rule::split_configs => {
                for config in part.children() {
                    let numbers = config.integers(cursor)?;
                    if let [dimension, split_indices @ ..] = numbers.as_slice() {
                        layout.split_configs.push(SplitConfig {
                            dimension: *dimension,
                            split_indices: split_indices.to_vec(),
                        });
                    }
                }
            }
            Rule::physical_shape => {
                let shape = of(cursor, &part.only_child(cursor)?)?;
                layout.physical_shape = Some(Box::new(shape));
            }
            Rule::metadata_prefix => layout.dynamic_shape_metadata_prefix_bytes = number()?,
            // XLA also parses the kinds of levels, and ignores them.
            _ => {}
        }
    }
    // `{}` has no effect.
    if is_empty && rank == 0 {
        return Ok(None);
    }
    if let Err(message) = validity::of_layout(&layout, rank) {
        return Err(cursor.error_at(item.offset(), message));
    }
    Ok(Some(layout))
}

fn read_tile(cursor: &Cursor, item: &Item) -> Result<Tile, ParseError> {
    let sizes = item.children().map(|size| match size.text() {
        "*" => Ok(None),
        _ => size.integer(cursor).map(Some),
    });
    Ok(Tile(sizes.collect::<Result<_, ParseError>>()?))
}
