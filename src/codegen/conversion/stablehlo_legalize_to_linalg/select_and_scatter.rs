//! `select_and_scatter`: loops over the windows, each of which selects an element and updates the
//! result at its index.
//!
//! The written index depends on the data, and several windows may select one index. Therefore the
//! loops run in order on a carried tensor, unless a backend uses the permission of the attribute
//! `halo.scatter` to combine the updates of an index in any order:
//!
//! ```mlir
//! %0 = scf.for %i = %c0 to %windows step %c1 iter_args(%out = %filled) -> tensor<..> {
//!   %found:3 = scf.for %w = %c0 to %size step %c1
//!                iter_args(%any = %false, %best = %zero, %place = %c0) -> (i1, f32, index) {
//!     %p = the place of element %w of window %i
//!     %inside = %p is within the operand
//!     scf.if %inside { the better one of %best and %operand[%p], by the region `select` }
//!   }
//!   scf.if %found#0 { %out[%found#2], to which the region `scatter` adds %source[%i] }
//! }
//! ```

use super::{Lowered, Lowering, region};
use halo_hlo::semantics::WindowDim;
use halo_ir::{ops::halo, prelude::*};

impl<'c> Lowering<'_, 'c> {
    pub(super) fn select_and_scatter(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let (operand, source) = (self.operand(0)?, self.operand(1)?);
        let result = self.result()?;
        let init = self.initial_values(&b)?;
        let filled = structured::filled(&b, init[0], result);
        let (sizes, windows) = (operand.ty().sizes(), source.ty().sizes());
        if sizes.contains(&0) || windows.contains(&0) {
            return Ok(vec![filled]);
        }
        let op = self.op_as::<stablehlo::SelectAndScatterOp>()?;
        let shape = op.window_dimensions().unwrap_or_else(|| vec![1; sizes.len()]);
        let window = self.window(shape.clone())?.dims;
        // Windows may be partially out of bounds along these dimensions.
        let checked: Vec<bool> = window
            .iter()
            .zip(&shape)
            .zip(windows.iter().zip(&sizes))
            .map(|((window, size), (count, whole))| {
                let last = (count - 1) * window.stride + size - 1 - window.padding.0;
                window.padding.0 > 0 || last >= *whole
            })
            .collect();
        let original = self.original_elements();
        let scatter = self.body(1)?;
        let results = scf::nest(&b, &windows, &[filled], |b, at, carried| {
            let found = self.select(b, at, &shape, &window, &checked)?;
            let (any, index) = (found[0], &found[2..]);
            let add = |b: &Builder<'c>| {
                let old = tensor::extract(b, carried[0], index);
                let added = tensor::extract(b, source, at);
                // The value of the source is the first argument.
                let added = region::promoted(b, added, original[1], old.ty())?;
                let values = self.scalar_region(b, scatter, &[added, old])?;
                let value = values
                    .first()
                    .copied()
                    .ok_or_else(|| no_match("its region returns nothing"))?;
                Ok::<_, RewriteError>(vec![tensor::insert(b, value, carried[0], index)])
            };
            if checked.contains(&true) {
                Ok(scf::if_else(b, any, add, |_| Ok(vec![carried[0]]))?.results())
            } else {
                add(b)
            }
        })?;
        let are_apart = window.iter().zip(&shape).all(|(window, size)| window.stride >= *size);
        let kind = if are_apart {
            halo::Scatter::Unique
        } else {
            halo::Scatter::Combine
        };
        // A number has no loop.
        if !windows.is_empty() {
            self.mark(&results, kind);
        }
        Ok(results)
    }

    /// The condition that a window has an element, the element that the region selects, and its
    /// index.
    fn select(
        &self,
        b: &Builder<'c>,
        at: &[Value<'c>],
        shape: &[i64],
        window: &[WindowDim],
        checked: &[bool],
    ) -> RewriteResult<Vec<Value<'c>>> {
        let operand = self.operand(0)?;
        let element = operand.ty().element_type();
        let bit = integer_type(b.context(), 1);
        let body = self.body(0)?;
        let sizes = operand.ty().sizes();
        let mut initial = vec![arith::constant(b, bit, 0), arith::number(b, element, 0)];
        for _ in shape {
            initial.push(index::constant(b, 0));
        }
        scf::nest(b, shape, &initial, |b, offset, carried| {
            let mut indices = Vec::new();
            let mut inside = None;
            for (dimension, window) in window.iter().enumerate() {
                let stride = index::constant(b, window.stride);
                let first = arith::muli(b, at[dimension], stride);
                let low = index::constant(b, -window.padding.0);
                let first = arith::addi(b, first, low);
                let index = arith::addi(b, first, offset[dimension]);
                indices.push(index);
                if checked[dimension] {
                    // A negative index is large as an unsigned number.
                    let size = index::constant(b, sizes[dimension]);
                    let fits = arith::cmpi(b, CmpIPredicate::Ult, index, size);
                    inside = Some(match inside {
                        Some(others) => arith::andi(b, others, fits),
                        None => fits,
                    });
                }
            }
            let choose = |b: &Builder<'c>| {
                let candidate = tensor::extract(b, operand, &indices);
                let keeps = self.scalar_region(b, body, &[carried[1], candidate])?;
                let keeps =
                    keeps.first().copied().ok_or_else(|| no_match("its region returns nothing"))?;
                let keeps = arith::andi(b, carried[0], keeps);
                let mut next = vec![arith::constant(b, bit, 1)];
                next.push(arith::select(b, keeps, carried[1], candidate));
                for (old, new) in carried[2..].iter().zip(&indices) {
                    next.push(arith::select(b, keeps, *old, *new));
                }
                Ok::<_, RewriteError>(next)
            };
            match inside {
                Some(inside) => {
                    Ok(scf::if_else(b, inside, choose, |_| Ok(carried.to_vec()))?.results())
                }
                None => choose(b),
            }
        })
    }
}
