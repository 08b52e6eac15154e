//! Buffers of kernels: views, workgroup and private memory, and asynchronous copies.

use crate::loops::prelude::*;
use halo_ir::{
    ops::{halo, nvgpu},
    prelude::*,
};
use melior::ir::{Attribute, r#type::MemRefType};

/// Returns true if a view can be cloned inside a kernel, so that the kernel's argument is a
/// contiguous buffer.
pub fn is_reachable(value: Value) -> bool {
    contiguous_source(value).is_some()
}

/// The views from a value down to its contiguous buffer, the last first.
fn contiguous_source<'c>(value: Value<'c>) -> Option<Vec<halo_ir::Operation<'c>>> {
    let mut views = Vec::new();
    let mut current = value;
    while !current.ty().has_identity_layout() {
        let operation = current.defining_op()?;
        current = view_source(operation)?;
        views.push(operation);
    }
    Some(views)
}

const NOT_STRIDED: &str = "a buffer in a kernel is not strided";

/// A one-dimensional buffer of the elements that a buffer spans, for use in a kernel.
pub fn flat<'c>(builder: &Builder<'c>, buffer: Value<'c>) -> Value<'c> {
    let mut map = ValueMap::new();
    let mut value = buffer;
    for view in contiguous_source(buffer).unwrap_or_else(|| bug(NOT_STRIDED)).into_iter().rev() {
        let copy = builder.clone_op(view, &mut map);
        value = copy.results()[0];
    }
    let context = builder.context();
    let ty = value.ty();
    let (strides, offset) = ty.strides().unwrap_or_else(|| bug(NOT_STRIDED));
    let shape = ty.static_shape().unwrap_or_else(|| bug(NOT_STRIDED));
    let mut span = 1_i64;
    for (size, stride) in shape.iter().zip(&strides) {
        let stride = stride.unwrap_or_else(|| bug(NOT_STRIDED));
        span = span.saturating_add((size - 1).saturating_mul(stride.abs()));
    }
    let element = ty.element_type();
    let layout = match offset {
        Some(0) => String::new(),
        Some(offset) => format!(", strided<[1], offset: {offset}>"),
        None => ", strided<[1], offset: ?>".to_owned(),
    };
    let result = Type::parse(context, &format!("memref<{span}x{element}{layout}>"))
        .unwrap_or_else(|| bug(NOT_STRIDED));
    let (source, dynamic) = match offset {
        Some(_) => (value, Vec::new()),
        None => {
            let metadata = memref::extract_strided_metadata(builder, value);
            (metadata.base_buffer(), vec![metadata.offset()])
        }
    };
    let offset = offset.unwrap_or(i64::MIN);
    memref::reinterpret_cast(
        builder,
        source,
        &dynamic,
        &[],
        &[],
        &[offset],
        &[span],
        &[1],
        result,
    )
}

/// The type of a memref in workgroup memory.
pub fn shared_type<'c>(builder: &Builder<'c>, dims: &[i64], element: Type<'c>) -> Type<'c> {
    MemRefType::new(element, dims, None, workgroup_space(builder)).into()
}

/// The type of a memref, moved to workgroup memory.
pub fn in_workgroup_memory<'c>(builder: &Builder<'c>, ty: Type<'c>) -> Type<'c> {
    let memref = ty.cast::<MemRefType>();
    let (Some(memref), Some(dims)) = (memref, ty.static_shape()) else {
        return ty;
    };
    let layout = (!ty.has_identity_layout()).then(|| memref.layout());
    MemRefType::new(ty.element_type(), &dims, layout, workgroup_space(builder)).into()
}

/// Returns true if a memref is not in the default memory space.
pub fn is_in_workgroup_memory(ty: Type) -> bool {
    ty.without_memory_space() != ty
}

fn workgroup_space<'c>(builder: &Builder<'c>) -> Option<Attribute<'c>> {
    Attribute::parse(builder.context(), "#gpu.address_space<workgroup>")
}

/// Allocates a memref in the private memory of each thread.
pub fn private<'c>(builder: &Builder<'c>, dims: &[i64], element: Type<'c>) -> Value<'c> {
    memref::alloca(builder, &[], &[], halo_ir::memref_type(dims, element))
}

/// The conjunction of two conditions, where `None` is true.
pub fn both<'c>(
    builder: &Builder<'c>,
    lhs: Option<Value<'c>>,
    rhs: Option<Value<'c>>,
) -> Option<Value<'c>> {
    match (lhs, rhs) {
        (Some(lhs), Some(rhs)) => Some(arith::andi(builder, lhs, rhs)),
        (lhs, rhs) => lhs.or(rhs),
    }
}

/// `nvgpu.device_async_copy` of adjacent elements; elements after the optional number of elements
/// to read are zero.
pub fn copy_async<'c>(
    builder: &Builder<'c>,
    (source, from): (Value<'c>, Value<'c>),
    (target, to): (Value<'c>, Value<'c>),
    count: i64,
    read: Option<Value<'c>>,
) {
    let bits = i64::from(source.ty().element_type().bit_width().unwrap_or(8));
    let copy = nvgpu::DeviceAsyncCopyOp::build(builder, target, &[to], source, &[from], count)
        // Whole lines can bypass the L1 cache.
        .bypass_l1(count * bits == 128);
    match read {
        Some(read) => copy.src_elements(read).insert(),
        None => copy.insert(),
    };
}

/// `nvgpu.device_async_create_group` of the copies since the last group. The op needs an attribute:
/// without one, the parser would parse the result on the next line as an operand.
pub fn commit<'c>(builder: &Builder<'c>) -> Value<'c> {
    nvgpu::DeviceAsyncCreateGroupOp::build(builder, &[])
        .attribute(halo::GROUP, unit_attribute(builder.context()))
        .value()
}

/// Waits until at most this number of groups of copies is pending.
pub fn wait<'c>(builder: &Builder<'c>, token: Value<'c>, groups: i64) {
    nvgpu::DeviceAsyncWaitOp::build(builder, token).num_groups(groups).insert();
}
