//! Convolution patches, packed directly from the image (implicit im2col).
//!
//! A convolution is a product of patches and filters. Its lowering copies the image with its
//! padding, and then all patches; packing would copy them once more. [`Patches`] recognizes these
//! copies if the product is their only reader. Panels are then packed from the image, and the
//! copies are erased:
//!
//! ```mlir
//! linalg.fill ins(%zero) outs(%padded : memref<1x58x58x64xf32>)
//! %inside = memref.subview %padded[0, 1, 1, 0] [1, 56, 56, 64] [1, 1, 1, 1]
//! memref.copy %image, %inside
//! linalg.generic (b, y, x, i, j, c) -> (b, y + i, x + j, c)
//!   ins(%padded) outs(%patches : memref<1x56x56x3x3x64xf32>) { yield }
//! %lhs = memref.collapse_shape %patches [[0, 1, 2], [3, 4, 5]]
//! linalg.matmul ins(%lhs, %filters) outs(%result)
//! ```
//!
//! Feature groups are a batch of products. Patches are the lhs if the channels of the image are its
//! last dimension (`rows.rs`), and the rhs if the channels precede the spatial dimensions
//! (`columns.rs`). Rows of lhs that are adjacent in the image share most of their elements
//! (`lines.rs`).

mod columns;
mod lines;
pub mod patches;
mod recognition;
mod rows;

use super::pack::Panel;
use crate::loops::prelude::*;
use halo_ir::prelude::*;
use patches::Patches;
pub use recognition::is_own_copy;

impl<'c> Patches<'c> {
    /// Packs a panel over a range of k.
    pub fn pack(
        &self,
        builder: &Builder<'c>,
        panel: &Panel<'_, 'c>,
        range: (Value<'c>, Value<'c>),
        block_k: i64,
    ) {
        match self.operand {
            LHS => self.pack_rows(builder, panel, range, block_k),
            _ => self.pack_columns(builder, panel, range),
        }
    }

    /// The indices along the dimensions of the batch.
    fn batch_indices(&self, builder: &Builder<'c>, panel: &Panel<'_, 'c>) -> Vec<Value<'c>> {
        let access = panel.matmul.access(self.operand);
        let (indices, sizes) = (&access.indices, access.ty().static_shape());
        let rank = indices.len() - 2;
        let mut number = index::constant(builder, 0);
        for (index, size) in indices.iter().zip(sizes.unwrap_or_default()).take(rank) {
            number = index::mul(builder, number, size);
            number = index::add(builder, number, index.emit(builder, panel.ivs));
        }
        index::delinearize(builder, number, &self.sizes[..self.batch])
    }

    /// The leading indices of a row of lhs, before the indices of k.
    fn place_of_row(
        &self,
        builder: &Builder<'c>,
        panel: &Panel<'_, 'c>,
        row: Value<'c>,
    ) -> Vec<Value<'c>> {
        let mut place = self.batch_indices(builder, panel);
        let sizes = &self.sizes[self.batch..self.k.start];
        place.extend(index::delinearize(builder, row, sizes));
        place
    }

    /// Elements of the image, with the padding out of bounds, in the accumulator type or as numbers
    /// of groups.
    fn padded(
        &self,
        builder: &Builder<'c>,
        panel: &Panel<'_, 'c>,
        mut value: Value<'c>,
        is_inside: Option<Value<'c>>,
    ) -> Value<'c> {
        if let (Some(is_inside), Some(padding)) = (is_inside, self.padding) {
            let padding = vector::broadcast(builder, padding, value.ty());
            value = arith::select(builder, is_inside, value, padding);
        }
        let matmul = panel.matmul;
        if let Some(group) = panel.group {
            return group.numbers(builder, matmul, self.operand, value);
        }
        let lanes = value.ty().static_shape().unwrap_or_default();
        let ty = vector_type(&lanes, matmul.accumulator());
        matmul.convert(builder, self.operand, value, ty)
    }
}
