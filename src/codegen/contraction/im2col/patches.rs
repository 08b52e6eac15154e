//! Patches that are not materialized: where their elements are in the image.

use crate::{
    contraction::shape::{Lines, PatchShape, Window},
    loops::prelude::*,
};
use halo_ir::prelude::*;
use std::ops::Range;

/// The maximum stride of vector loads of columns.
const MOST_STRIDE: i64 = 2;

/// Patches that are not materialized.
pub struct Patches<'c> {
    /// The operand that the patches are: lhs or rhs.
    pub(super) operand: usize,
    /// The image, and a view of it with one dimension.
    pub(super) image: Value<'c>,
    pub(super) flat: Value<'c>,
    /// The index along each dimension of the image as a function of the dimensions of the patches.
    pub(super) indices: Vec<Expr>,
    /// The padding value, if any index is out of bounds.
    pub(super) padding: Option<Value<'c>>,
    /// The dimensions of the patches: batch, rows of lhs, k, and columns of rhs.
    pub(super) sizes: Vec<i64>,
    /// The number of batch dimensions: feature groups, or images.
    pub(super) batch: usize,
    /// The range of the k dimensions in `sizes`.
    pub(super) k: Range<usize>,
    /// Elements with a constant stride in the image: along k in lhs, along columns in rhs.
    pub(super) run: Run,
    /// The ops that compute the patches, each before its operands.
    pub(super) producers: Vec<Operation<'c>>,
}

/// Elements with a constant stride.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) length: i64,
    pub(super) stride: i64,
}

/// The position of an element in the image.
pub(super) struct Address<'c> {
    /// The index in the flat view.
    pub(super) start: Value<'c>,
    /// The indices that may be out of bounds, with the sizes of their dimensions.
    pub(super) bounded: Vec<(Value<'c>, i64)>,
}

impl<'c> Patches<'c> {
    /// The longest run of elements of k that are contiguous in the image.
    pub(super) fn run_of_k(&self) -> Option<Run> {
        let mut run = 1;
        for dim in self.k.clone().rev() {
            let size = self.sizes[dim];
            if size == 1 {
                continue;
            }
            if self.stride(dim)? != run || self.crosses_edge(dim) {
                break;
            }
            run *= size;
        }
        Some(Run {
            length: run,
            stride: 1,
        })
    }

    /// The longest run of columns with a constant stride in the image.
    pub(super) fn run_of_columns(&self, lanes: i64) -> Option<Run> {
        let mut run: Option<Run> = None;
        for dim in (self.k.end..self.sizes.len()).rev() {
            let (size, stride) = (self.sizes[dim], self.stride(dim)?);
            match &mut run {
                _ if size == 1 => {}
                None => {
                    run = Some(Run {
                        length: size,
                        stride,
                    });
                }
                Some(run) if run.length * run.stride == stride => run.length *= size,
                Some(_) => break,
            }
        }
        let elements: i64 = self.image.ty().static_shape()?.iter().product();
        let is_small = |position| {
            let (least, most) = self.range(position)?;
            Some(i32::try_from(least).is_ok() && i32::try_from(most).is_ok())
        };
        run.filter(|run| {
            (1..=MOST_STRIDE).contains(&run.stride)
                && elements >= lanes * run.stride
                && i32::try_from(elements).is_ok()
                && (0..self.indices.len()).all(|position| is_small(position) == Some(true))
        })
    }

    pub(super) fn strides(&self) -> Option<Vec<i64>> {
        self.image.ty().strides()?.0.into_iter().collect()
    }

    /// The least and the greatest index along a dimension of the image.
    pub(super) fn range(&self, position: usize) -> Option<(i64, i64)> {
        let size = |dim: usize| self.sizes.get(dim).copied();
        self.indices[position].range(&size)
    }

    /// Whether some indices along a dimension of the image are out of bounds.
    pub(super) fn is_padded(&self, position: usize) -> bool {
        let size = self.image.ty().static_shape().map_or(0, |shape| shape[position]);
        let is_inside = self.range(position).is_some_and(|(least, most)| least >= 0 && most < size);
        self.padding.is_some() && !is_inside
    }

    /// Whether some elements along a dimension of the patches are out of bounds of the image.
    pub(super) fn crosses_edge(&self, dim: usize) -> bool {
        let mut positions = 0..self.indices.len();
        positions.any(|at| self.is_padded(at) && self.indices[at].mentions(dim))
    }

    /// The stride in the image along a dimension of the patches.
    pub(super) fn stride(&self, dim: usize) -> Option<i64> {
        let strides = self.strides()?;
        let steps = self.indices.iter().zip(strides);
        Some(steps.map(|(index, stride)| index.coefficient(dim) * stride).sum())
    }

    /// The properties on which plans depend.
    pub fn shape(&self) -> PatchShape {
        PatchShape {
            operand: self.operand,
            run: (self.operand == LHS).then_some(self.run.length),
            window: self.window(),
        }
    }

    /// The lines of a panel with `rows` rows.
    pub fn lines(&self, rows: i64) -> Option<Lines> {
        self.window()?.lines(rows)
    }

    /// The lines of the window, if rows of lhs that are adjacent in the image share elements.
    fn window(&self) -> Option<Window> {
        if self.operand != LHS {
            return None;
        }
        let place = (0..self.k.start).rev().find(|dim| self.sizes[*dim] != 1)?;
        let position = (0..self.indices.len()).find(|at| self.indices[*at].mentions(place))?;
        // The channels, then the dimension along the window.
        let mut dims = self.k.clone().rev().filter(|dim| self.sizes[*dim] != 1);
        let mut pixel = 1;
        let tap = loop {
            let dim = dims.next()?;
            if self.indices[position].mentions(dim) {
                break dim;
            }
            if self.stride(dim)? != pixel || self.crosses_edge(dim) {
                return None;
            }
            pixel *= self.sizes[dim];
        };
        let distance = self.stride(tap)?;
        let step = self.stride(place)?.checked_div(distance)?;
        (distance >= pixel && self.stride(place)? == step * distance).then_some(Window {
            pixel,
            taps: self.sizes[tap],
            step,
            places: self.sizes[place],
            are_apart: self.is_padded(position) || distance != pixel,
            place,
            tap,
        })
    }

    /// Whether the patches are a given operand.
    pub fn is_operand(&self, operand: usize) -> bool {
        self.operand == operand
    }

    /// Builds the flat view at the insertion point, outside of the loops.
    pub fn build_view(&mut self, builder: &Builder<'c>) {
        let ty = self.image.ty();
        let shape = ty.static_shape().unwrap_or_default();
        if shape.len() > 1 {
            let dims: Vec<i64> = (0..shape.len() as i64).collect();
            let flat = memref_type(&[shape.iter().product()], ty.element_type());
            self.flat = memref::collapse_shape(builder, self.image, &[&dims], flat);
        }
    }

    /// The image that contains the patches.
    pub fn image(&self) -> Value<'c> {
        self.image
    }

    /// Erases the ops that computed the patches, after the product.
    pub fn erase_producers(&self, builder: &Builder<'c>) {
        let producers = self.producers.iter();
        producers.for_each(|producer| builder.erase(*producer))
    }

    /// The address in the flat view of an element at given indices of the patches, and the indices
    /// of the image that may be out of bounds.
    pub(super) fn address(&self, builder: &Builder<'c>, ivs: &[Value<'c>]) -> Address<'c> {
        let mut address = Address {
            start: index::constant(builder, 0),
            bounded: Vec::new(),
        };
        let shape = self.image.ty().static_shape().unwrap_or_default();
        let strides = self.strides().unwrap_or_default();
        for (position, (size, stride)) in shape.iter().zip(strides).enumerate() {
            let index = self.indices[position].emit(builder, ivs);
            let offset = index::mul(builder, index, stride);
            address.start = index::add(builder, address.start, offset);
            if self.is_padded(position) {
                address.bounded.push((index, *size));
            }
        }
        address
    }
}
