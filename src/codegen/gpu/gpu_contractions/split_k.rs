//! Split-k: divides a long k among blocks if there are few tiles.
//!
//! A contraction with a small result and a long k has fewer tiles than a device has
//! multiprocessors. Each slice of k becomes a product of a batch, and their results are added
//! afterwards:
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
//! gpu.launch { ... }                      // the sums of each quarter of k
//! linalg.generic (m, n, part) ins(%parts) outs(%c) { %c + %parts }
//! ```
//!
//! The order of the sums is fixed, so that results are deterministic.

use super::{epilogue::add, strategy::Strategy};
use crate::loops::{
    contraction::{Loop, Operand},
    prelude::*,
};
use halo_core::machine::Gpu;
use halo_ir::prelude::*;

/// The minimal length of a slice of k.
const LEAST: i64 = 256;
/// The shortest k that is split: computing half of it takes as long as launching the kernel that
/// adds the partial results.
const SHORTEST: i64 = 1024;
/// The maximal number of slices.
const MOST: i64 = 16;
/// Slices start at multiples of this, so that copies keep their width.
const ALIGNMENT: i64 = 32;

/// The slices of a contraction along k.
pub struct Parts<'c> {
    /// All slices, as a batch, with the result of the whole contraction.
    contraction: Contraction<'c>,
    count: i64,
    shape: Vec<i64>,
}

/// Splits a contraction along k, if profitable.
pub fn parts_of<'c>(contraction: &Contraction<'c>, gpu: &Gpu) -> Option<Parts<'c>> {
    let (Strategy::TensorCore(tile) | Strategy::Registers(tile)) = Strategy::of(contraction, gpu)?
    else {
        return None;
    };
    let c = contraction.operands.get(RESULT)?;
    let shape = c.value.ty().static_shape()?;
    if c.element() != contraction.accumulator || !c.value.ty().has_identity_layout() || c.start != 0
    {
        return None;
    }
    let (blocks, k) = (tile.blocks(contraction), contraction.size(Group::K));
    if k < SHORTEST {
        return None;
    }
    let (number, longest) =
        contraction.loops.k.iter().enumerate().max_by_key(|(_, inner)| inner.size)?;
    let count = (2..=MOST).rev().find(|count| {
        blocks.saturating_mul(*count) <= gpu.multiprocessors
            && k / count >= LEAST
            && longest.size % (count * ALIGNMENT) == 0
    })?;
    let elements = shape.iter().try_fold(1_i64, |all, size| all.checked_mul(*size))?;
    let mut divided = contraction.clone();
    let inner = divided.loops.k.get_mut(number)?;
    inner.size /= count;
    let times = |strides: &[i64]| -> Option<Vec<i64>> {
        let scaled = strides.iter().map(|stride| stride.checked_mul(inner.size));
        scaled.collect()
    };
    let (mut strides, steps) = (times(&inner.strides)?, times(&inner.steps)?);
    *strides.get_mut(RESULT)? = elements;
    divided.loops.batch.insert(
        0,
        Loop {
            size: count,
            strides,
            steps,
        },
    );
    Some(Parts {
        contraction: divided,
        count,
        shape,
    })
}

impl<'c> Parts<'c> {
    /// Allocates the partial results; returns the contraction that writes them.
    pub fn contraction(&self, builder: &Builder<'c>) -> Contraction<'c> {
        let mut dims = vec![self.count];
        dims.extend(&self.shape);
        let value = memref::alloc_aligned(builder, &dims, self.contraction.accumulator);
        let mut contraction = self.contraction.clone();
        contraction.operands[RESULT] = Operand {
            value,
            start: 0,
            conversion: None,
        };
        contraction
    }

    /// Adds the partial results to the result.
    pub fn add_up(&self, builder: &Builder<'c>, divided: &Contraction<'c>) {
        let rank = self.shape.len();
        let dims: Vec<Expr> = (0..rank).map(Expr::Dim).collect();
        let mut indices = vec![Expr::Dim(rank)];
        indices.extend(dims.iter().cloned());
        let operands = [
            Access::of_memref(divided.operands[RESULT].value, indices),
            Access::of_memref(self.contraction.operands[RESULT].value, dims),
        ];
        let mut reductions = vec![false; rank];
        reductions.push(true);
        access::generic(builder, &operands, 1, &reductions, |builder, values| {
            vec![add(builder, values[1], values[0])]
        });
    }
}
