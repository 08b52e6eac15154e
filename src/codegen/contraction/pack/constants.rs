//! Packs constant rhs operands, such as the weights of a trained model, at compile time.
//!
//! ```mlir
//! memref.global "private" constant @w : memref<256x64xf32> = dense<...>
//! %w = memref.get_global @w : memref<256x64xf32>
//! linalg.matmul ins(%x, %w) outs(%y)
//! ```
//!
//! The panels are a new constant, which the kernel reads instead of the original. The original is
//! erased if it has no other uses.

use crate::{contraction::matmul::Matmul, loops::prelude::*};
use halo_ir::{dense_attribute, prelude::*};
use std::{cell::RefCell, collections::HashSet};

/// The maximum size of the panels of one constant.
pub const MOST_BYTES: i64 = 64 << 20;

/// A constant rhs of a product.
pub struct ConstantRhs<'c> {
    global: memref::GlobalOp<'c>,
    /// The strides along k and along n.
    strides: [i64; 2],
}

/// The constants that were packed.
#[derive(Default)]
pub struct PackedConstants<'c> {
    sources: RefCell<Vec<memref::GlobalOp<'c>>>,
}

impl<'c> ConstantRhs<'c> {
    /// The constant that rhs is or views, if its elements are packed without conversion.
    pub fn of(matmul: &Matmul<'c>) -> Option<Self> {
        let access = matmul.access(RHS);
        let operand = &matmul.contraction.operands[RHS];
        if operand.conversion.is_some()
            || matmul.has_patches(RHS)
            || matmul.computed(RHS).is_some()
            || matmul.batch_size() != 1
            || operand.element().bit_width()? % 8 != 0
        {
            return None;
        }
        let mut value = access.value;
        let reference = loop {
            let operation = value.defining_op()?;
            match operation.cast::<memref::GetGlobalOp>() {
                Some(reference) => break reference,
                None if is_reshape(operation) => value = view_source(operation)?,
                None => return None,
            }
        };
        let global = global_of(reference)?;
        let type_ = global.type_();
        let size = size_in_bytes(type_)?;
        (global.constant() && size == bytes_of(global)?.len() as u64).then_some(Self {
            global,
            strides: [matmul.k, matmul.n].map(|dim| access.stride(dim)),
        })
    }
}

impl<'c> PackedConstants<'c> {
    /// The constant with panels of `width` columns, which is created on first use.
    pub fn pack(
        &self,
        builder: &Builder<'c>,
        matmul: &Matmul<'c>,
        rhs: &ConstantRhs<'c>,
        width: i64,
    ) -> Value<'c> {
        let ConstantRhs { global, strides } = *rhs;
        let element = global.type_().element_type();
        let (columns, depth) = (matmul.columns(), matmul.depth());
        let dims = [(columns + width - 1) / width, depth, width];
        let ty = memref_type(&dims, element);
        let [stride_k, stride_n] = strides;
        let name = format!("{}_panels_{width}_{stride_k}_{stride_n}", global.sym_name());
        let existing = global
            .operation()
            .parent()
            .and_then(|module| lookup(module, &name))
            .filter(|panels| panels.type_() == ty);
        if existing.is_none() {
            let size = element.byte_width().unwrap_or(1) as usize;
            let source = bytes_of(global).unwrap_or_default();
            let mut bytes = Vec::with_capacity(size * dims.iter().product::<i64>() as usize);
            for panel in 0..dims[0] {
                for k in 0..depth {
                    for column in panel * width..(panel + 1) * width {
                        let first = (k * stride_k + column * stride_n) as usize * size;
                        match source.get(first..first + size).filter(|_| column < columns) {
                            Some(number) => bytes.extend_from_slice(number),
                            None => bytes.resize(bytes.len() + size, 0),
                        }
                    }
                }
            }
            let value = dense_attribute(tensor_type(&dims, element), &bytes)
                .unwrap_or_else(|| bug("the panels of a constant are no attribute"));
            with_builder(global.operation(), |builder| {
                memref::GlobalOp::build(builder, &name, ty)
                    .sym_visibility("private")
                    .initial_value(value)
                    .constant(true)
                    .alignment(64)
                    .insert()
            });
        }
        let mut sources = self.sources.borrow_mut();
        if !sources.contains(&global) {
            sources.push(global);
        }
        memref::get_global(builder, &name, ty)
    }

    /// Erases the original constants without uses.
    pub fn erase_unused(&self) {
        let sources = self.sources.borrow();
        let Some(module) = sources.first().and_then(|global| global.parent()) else {
            return;
        };
        let references = module.collect_nested(|op| op.isa::<memref::GetGlobalOp>());
        let used: HashSet<&str> = references
            .into_iter()
            .filter_map(|op| op.cast::<memref::GetGlobalOp>())
            .map(|reference| reference.name())
            .collect();
        for global in sources.iter() {
            if !used.contains(global.sym_name()) {
                with_builder(global.operation(), |builder| {
                    builder.erase(global.operation())
                });
            }
        }
    }
}

/// Erases the chain of views that computes a value from a constant, as far as it has no other uses.
pub fn erase_views<'c>(builder: &Builder<'c>, mut value: Value<'c>) {
    while let Some(operation) = value.defining_op()
        && (is_reshape(operation) || operation.isa::<memref::GetGlobalOp>())
        && value.uses().is_empty()
    {
        let source = view_source(operation);
        builder.erase(operation);
        let Some(source) = source else {
            break;
        };
        value = source;
    }
}

/// Whether an op reshapes a contiguous buffer.
fn is_reshape(operation: Operation) -> bool {
    operation.isa::<memref::CollapseShapeOp>() || operation.isa::<memref::ExpandShapeOp>()
}

/// The global that an op refers to.
fn global_of<'c>(reference: memref::GetGlobalOp<'c>) -> Option<memref::GlobalOp<'c>> {
    let function = reference.operation().enclosing::<func::FuncOp>()?;
    lookup(function.parent()?, reference.name())
}

fn lookup<'c>(module: Operation<'c>, name: &str) -> Option<memref::GlobalOp<'c>> {
    module
        .body(0)?
        .operations()
        .into_iter()
        .filter_map(|op| op.cast::<memref::GlobalOp>())
        .find(|global| global.sym_name() == name)
}

/// The bytes of a constant that is not a splat.
fn bytes_of<'c>(global: memref::GlobalOp<'c>) -> Option<&'c [u8]> {
    let value = global.initial_value()?;
    global.type_().has_identity_layout().then_some(())?;
    global.type_().static_shape()?;
    match value.dense_data() {
        Some(data) => (!data.splat).then_some(data.bytes),
        None => value.dense_resource_data(),
    }
}
