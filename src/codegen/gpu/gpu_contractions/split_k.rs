//! Few tiles with long sums: k is divided among blocks.
//!
//! A contraction with a small result and a long k has fewer tiles than a device
//! has multiprocessors. Each of several parts of k becomes a product of a
//! batch, and the results of all parts are added up afterwards:
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
use halo_ir::prelude::*;

/// Blocks that keep a device busy.
const BLOCKS: i64 = 132;
/// The least length of a part.
const LEAST: i64 = 256;
/// The shortest sum that is divided: half of it takes as long as to launch the kernel that
/// adds up the parts.
const SHORTEST: i64 = 1024;
/// The most parts.
const MOST: i64 = 16;
/// Parts start at multiples of this, so that copies keep their width.
const ALIGNMENT: i64 = 32;

/// The parts of a contraction.
pub struct Parts<'c> {
    /// All parts, as a batch. The result is that of the whole contraction.
    contraction: Contraction<'c>,
    count: i64,
    shape: Vec<i64>,
}

/// The parts to divide a contraction into, if profitable.
pub fn parts_of<'c>(contraction: &Contraction<'c>, tensor_cores: bool) -> Option<Parts<'c>> {
    let (Strategy::TensorCore(tile) | Strategy::Registers(tile)) =
        Strategy::of(contraction, tensor_cores)?
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
        blocks.saturating_mul(*count) <= BLOCKS
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
    /// Allocates the results of the parts; returns the contraction that writes
    /// them.
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

    /// Adds the results of the parts to the result.
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
