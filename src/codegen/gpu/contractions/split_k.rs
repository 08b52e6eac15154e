//! Few tiles with long sums: k is divided among blocks.
//!
//! A product with a small C and a long k has fewer tiles than a device has
//! multiprocessors. A part of k makes each of several products, as if of a batch,
//! whose results are added up behind:
//!
//! ```mlir
//! linalg.fill ins(%zero) outs(%c)
//! linalg.generic (m, n, k) ins(%a, %b) outs(%c) { ... }
//! ```
//!
//! becomes
//!
//! ```mlir
//! linalg.fill ins(%zero) outs(%c)
//! %parts = memref.alloc() : memref<4x49x512xf32>
//! gpu.launch { ... }                      // C of each quarter of k
//! linalg.generic (m, n, part) ins(%parts) outs(%c) { %c + %parts }
//! ```
//!
//! The order of the sums is fixed, so that results are the same each time.

use super::{
    epilogue::add,
    product::{C, Group, Loop, Operand, Product},
    strategy::Strategy,
};
use crate::loops::{
    emit::{self, Emitted},
    loop_nest::{Access, Expr},
};
use halo_ir::{Builder, has_identity_layout, static_shape_of};
use melior::ir::ValueLike;

/// Blocks that keep a device busy.
const BLOCKS: i64 = 132;
/// The least length of a part.
const LEAST: i64 = 256;
/// The most parts.
const MOST: i64 = 16;
/// Parts start at multiples of this, so that copies stay as wide as they are.
const ALIGNMENT: i64 = 32;

/// The parts of a product.
pub struct Parts<'c> {
    /// The products of all parts. C is still that of the whole.
    product: Product<'c>,
    count: i64,
    shape: Vec<i64>,
}

/// The parts to divide a product into, where that pays.
pub fn parts_of<'c>(product: &Product<'c>) -> Option<Parts<'c>> {
    let (Strategy::TensorCore(tile) | Strategy::Registers(tile)) = Strategy::of(product)? else {
        return None;
    };
    let c = product.operands.get(C)?;
    let shape = static_shape_of(c.value.r#type())?;
    if c.element() != product.accumulator || !has_identity_layout(c.value.r#type()) || c.start != 0
    {
        return None;
    }
    let (blocks, k) = (tile.blocks(product), product.size(Group::K));
    let (number, longest) = (product.k.iter().enumerate()).max_by_key(|(_, inner)| inner.size)?;
    let count = (2..=MOST).rev().find(|count| {
        blocks.saturating_mul(*count) <= BLOCKS
            && k / count >= LEAST
            && longest.size % (count * ALIGNMENT) == 0
    })?;
    let elements = shape
        .iter()
        .try_fold(1_i64, |all, size| all.checked_mul(*size))?;
    let mut divided = product.clone();
    let inner = divided.k.get_mut(number)?;
    inner.size /= count;
    let mut strides: Vec<i64> = (inner.strides.iter())
        .map(|stride| stride.checked_mul(inner.size))
        .collect::<Option<_>>()?;
    *strides.get_mut(C)? = elements;
    divided.batch.insert(
        0,
        Loop {
            size: count,
            strides,
        },
    );
    Some(Parts {
        product: divided,
        count,
        shape,
    })
}

impl<'c> Parts<'c> {
    /// Makes room for the results of the parts; returns the product that writes
    /// there.
    pub fn product(&self, builder: &Builder<'c>) -> Emitted<Product<'c>> {
        let mut dims = vec![self.count];
        dims.extend(&self.shape);
        let value = emit::alloc(builder, &dims, self.product.accumulator)?;
        let mut product = self.product.clone();
        product.operands[C] = Operand {
            value,
            start: 0,
            conversion: None,
        };
        Ok(product)
    }

    /// Adds the results of the parts to C.
    pub fn add_up(&self, builder: &Builder<'c>, divided: &Product<'c>) -> Emitted<()> {
        let rank = self.shape.len();
        let dims: Vec<Expr> = (0..rank).map(Expr::Dim).collect();
        let mut indices = vec![Expr::Dim(rank)];
        indices.extend(dims.iter().cloned());
        let access = |value, indices| Access {
            value,
            indices,
            scalar: false,
        };
        let operands = [
            access(divided.operands[C].value, indices),
            access(self.product.operands[C].value, dims),
        ];
        let mut reductions = vec![false; rank];
        reductions.push(true);
        emit::generic(builder, &operands, 1, &reductions, |builder, values| {
            Ok(vec![add(builder, values[1], values[0])?])
        })?;
        Ok(())
    }
}
