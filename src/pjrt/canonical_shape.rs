//! Shapes as XLA's `ShapeProto`.

use std::ffi::c_char;

use halo_core::{ElementType, Layout};
use prost::Message;

use crate::buffer::creation::layout_of;
use crate::c_api;
use crate::element_type;
use crate::handle;
use crate::memory::KINDS;
use crate::status::{Result, Status};

/// `xla.ShapeProto`.
#[derive(Clone, PartialEq, Message)]
pub struct Shape {
    #[prost(int32, tag = "2")]
    element_type: i32,
    #[prost(int64, repeated, tag = "3")]
    dimensions: Vec<i64>,
    #[prost(message, repeated, tag = "4")]
    tuple_shapes: Vec<Shape>,
    #[prost(message, optional, tag = "5")]
    layout: Option<ShapeLayout>,
    #[prost(bool, repeated, tag = "6")]
    is_dynamic_dimension: Vec<bool>,
}

impl Shape {
    /// The shape of a row-major array.
    ///
    /// # Errors
    /// Returns an unimplemented error if XLA lacks the element type.
    pub fn new(element_type: ElementType, dimensions: &[i64]) -> Result<Self> {
        Ok(Self {
            element_type: primitive_type(element_type)?,
            dimensions: dimensions.to_vec(),
            layout: Some(ShapeLayout {
                minor_to_major: (0..dimensions.len() as i64).rev().collect(),
            }),
            is_dynamic_dimension: vec![false; dimensions.len()],
            ..Self::default()
        })
    }

    pub fn tuple(tuple_shapes: Vec<Self>) -> Self {
        Self {
            element_type: TUPLE,
            tuple_shapes,
            ..Self::default()
        }
    }
}

/// The number of tuples in `xla.PrimitiveType`.
const TUPLE: i32 = 13;

/// `xla.LayoutProto`.
#[derive(Clone, PartialEq, Message)]
pub struct ShapeLayout {
    #[prost(int64, repeated, tag = "1")]
    minor_to_major: Vec<i64>,
}

/// The number of an element type in `xla.PrimitiveType`.
fn primitive_type(element_type: ElementType) -> Result<i32> {
    use ElementType::*;
    Ok(match element_type {
        I1 => 1,
        I8 => 2,
        I16 => 3,
        I32 => 4,
        I64 => 5,
        Ui8 => 6,
        Ui16 => 7,
        Ui32 => 8,
        Ui64 => 9,
        F16 => 10,
        F32 => 11,
        F64 => 12,
        Complex64 => 15,
        BF16 => 16,
        Complex128 => 18,
        F8E5M2 => 19,
        F8E4M3FN => 20,
        I4 => 21,
        Ui4 => 22,
        F8E4M3B11FNUZ => 23,
        F8E5M2FNUZ => 24,
        F8E4M3FNUZ => 25,
        I2 => 26,
        Ui2 => 27,
        F8E4M3 => 28,
        F8E3M4 => 29,
        F4E2M1FN => 32,
        F8E8M0FNU => 33,
        other => {
            let message = format!("XLA's PrimitiveType has no number for {other}");
            return Err(Status::unimplemented(message));
        }
    })
}

/// The number of bytes precedes them, for the function that frees them.
const HEADER: usize = size_of::<usize>();

unsafe extern "C" fn delete(bytes: *const c_char) {
    if bytes.is_null() {
        return;
    }
    // SAFETY: the bytes come from `make`.
    unsafe {
        let start = bytes.cast::<u8>().sub(HEADER).cast_mut();
        let size = start.cast::<usize>().read_unaligned();
        drop(Box::from_raw(std::ptr::slice_from_raw_parts_mut(
            start,
            HEADER + size,
        )));
    }
}

/// All memories have any order of the dimensions, and row-major by default.
pub unsafe fn make(
    arguments: &mut c_api::TopologyDescriptionMakeCanonicalShapeForMemorySpaceArgs,
) -> Result<()> {
    let kind = usize::try_from(arguments.memory_space_kind_id).ok();
    if kind.is_none_or(|kind| kind >= KINDS.len()) {
        let message = format!("{} is no kind of memory", arguments.memory_space_kind_id);
        return Err(Status::invalid(message));
    }
    // SAFETY: the caller passes sizes and a layout.
    let (shape, dims, layout) = unsafe {
        let (dims, rank) = (arguments.dims, arguments.num_dims);
        let shape = element_type::shape(arguments.element_type, dims, rank)?;
        let layout = layout_of(&shape, arguments.layout)?;
        (shape, handle::slice(dims, rank)?, layout)
    };
    let layout = layout.unwrap_or_else(|| Layout::row_major(shape.rank()));
    let order = layout.minor_to_major().iter();
    let proto = Shape {
        element_type: primitive_type(shape.element_type())?,
        dimensions: dims.to_vec(),
        layout: Some(ShapeLayout {
            minor_to_major: order.map(|dimension| *dimension as i64).collect(),
        }),
        is_dynamic_dimension: vec![false; dims.len()],
        ..Shape::default()
    };
    let proto = proto.encode_to_vec();
    let bytes: Box<[u8]> = [&proto.len().to_ne_bytes(), &proto[..]].concat().into();
    let bytes = Box::into_raw(bytes);
    let (data, size) = (
        &mut arguments.serialized_shape,
        &mut arguments.serialized_shape_size,
    );
    // SAFETY: the header is a part of the bytes.
    *data = unsafe { bytes.cast::<u8>().add(HEADER) }.cast();
    *size = proto.len();
    arguments.serialized_shape_deleter = Some(delete);
    Ok(())
}
