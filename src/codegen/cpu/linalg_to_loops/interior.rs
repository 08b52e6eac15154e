//! Loop versioning for padded operands: an interior version, in which all reads of an iteration are
//! in bounds, and a version with bounds checks.
//!
//! Most iterations are in the interior, whose innermost loop has no comparisons.
//!
//! ```mlir
//! scf.for %x = %c0 to %c56 step %c1 {
//!   %is_inside = ... // of all indices that do not move with the innermost loop
//!   scf.if %is_inside {
//!     scf.for %c = ... { loads }
//!   } else {
//!     scf.for %c = ... { loads at indices that are inside, and selects }
//!   }
//! }
//! ```
//!
//! If an index depends on the innermost loop, the loop is split: the first and the last iterations
//! use the version with bounds checks.

use super::{Piece, Schedule};
use crate::loops::prelude::*;
use halo_ir::prelude::*;

/// The bounds checks of padded operands.
pub(super) struct Interior<'c> {
    /// The schedule of the interior version.
    pub(super) schedule: Schedule<'c>,
    /// The indices that do not depend on the innermost loop.
    outer: Vec<Bound>,
    /// The range of the innermost loop in which the other indices are in bounds.
    range: Option<(i64, i64)>,
}

/// An index in a padded dimension.
struct Bound {
    /// The index in the first iteration of the reductions.
    index: Expr,
    /// The least and the greatest offset from it in the other iterations.
    least: i64,
    most: i64,
    /// The size of the dimension.
    size: i64,
}

impl<'c> Schedule<'c> {
    /// The interior of padded operands, if it is not empty.
    pub(super) fn interior(&self) -> Option<Interior<'c>> {
        let innermost = self.innermost?;
        let paddings = self.nest.accesses.iter().filter_map(|access| access.padding.as_ref());
        let (mut outer, mut range) = (Vec::new(), None);
        for (index, size) in paddings.flat_map(|padding| &padding.bounds) {
            let bound = self.bound(index, *size)?;
            if self.nest.dims[innermost].reduction || !index.mentions(innermost) {
                outer.push(bound);
                continue;
            }
            let (first, end) = self.range_inside(&bound, innermost)?;
            let (least, most) = range.unwrap_or((first, end));
            range = Some((least.max(first), most.min(end)));
        }
        if outer.is_empty() && range.is_none() || range.is_some_and(|(first, end)| first >= end) {
            return None;
        }
        let mut schedule = self.clone();
        for access in &mut schedule.nest.accesses {
            access.padding = None;
        }
        Some(Interior {
            schedule,
            outer,
            range,
        })
    }

    /// The offsets that the reductions add to an index; `None` if it is out of bounds in some
    /// reduction iteration for all indices of the other loops.
    fn bound(&self, index: &Expr, size: i64) -> Option<Bound> {
        let (mut least, mut most) = (0_i64, 0_i64);
        let mut first = index.clone();
        for (dim, own) in self.nest.dims.iter().enumerate() {
            if !own.reduction || !index.mentions(dim) {
                continue;
            }
            let Extent::Fixed(count) = own.extent else {
                return None;
            };
            let last = match index.coefficient(dim) {
                IRREGULAR => return None,
                coefficient => coefficient.checked_mul(count - 1)?,
            };
            least = least.checked_add(last.min(0))?;
            most = most.checked_add(last.max(0))?;
        }
        let dims = &self.nest.dims;
        first.rename(&|dim| {
            if dims[dim].reduction {
                Expr::Constant(0)
            } else {
                Expr::Dim(dim)
            }
        });
        (most - least < size).then_some(Bound {
            index: first,
            least,
            most,
            size,
        })
    }

    /// The iterations of the innermost loop in which an index is in bounds, if no other loop except
    /// the reductions affects it.
    fn range_inside(&self, bound: &Bound, innermost: usize) -> Option<(i64, i64)> {
        let Extent::Fixed(count) = self.nest.dims[innermost].extent else {
            return None;
        };
        let others = (0..self.nest.dims.len()).filter(|dim| *dim != innermost);
        let coefficient = bound.index.coefficient(innermost);
        let start = bound.index.range(&|dim| (dim == innermost).then_some(1))?.0;
        if others.into_iter().any(|dim| bound.index.mentions(dim))
            || coefficient == IRREGULAR
            || coefficient <= 0
        {
            return None;
        }
        // The least i with start + i * coefficient + least >= 0, and the first one with
        // start + i * coefficient + most >= size.
        let at_least = |number: i64| (number + coefficient - 1).div_euclid(coefficient).max(0);
        let first = at_least(-(start + bound.least));
        let end = at_least(bound.size - start - bound.most).min(count);
        Some((first, end))
    }

    /// Emits the loops inside of the parallel loops, in both versions.
    pub(super) fn emit_versions(
        &self,
        builder: &Builder<'c>,
        interior: &Interior<'c>,
        ivs: &mut [Value<'c>],
        piece: Option<Piece<'c>>,
    ) {
        let is_inside = interior.is_inside(builder, ivs);
        let Some(is_inside) = is_inside else {
            return self.emit_range(builder, interior, ivs, piece);
        };
        let mut of_then = ivs.to_vec();
        let then = |builder: &Builder<'c>| {
            self.emit_range(builder, interior, &mut of_then, piece);
            Vec::new()
        };
        let otherwise = |builder: &Builder<'c>| {
            self.emit_innermost(builder, ivs, piece);
            Vec::new()
        };
        scf::if_else(builder, is_inside, then, otherwise);
    }

    /// Emits the innermost loop, if the other indices are in bounds.
    fn emit_range(
        &self,
        builder: &Builder<'c>,
        interior: &Interior<'c>,
        ivs: &mut [Value<'c>],
        piece: Option<Piece<'c>>,
    ) {
        let (Some((first, end)), Some(innermost)) = (interior.range, self.innermost) else {
            return interior.schedule.emit_innermost(builder, ivs, piece);
        };
        let (lower, upper) = match piece {
            Some((_, lower, upper)) => (lower, upper),
            None => (
                index::constant(builder, 0),
                self.nest.extent(builder, innermost),
            ),
        };
        let within = |number: i64| {
            let number = index::constant(builder, number);
            let number = arith::maxsi(builder, number, lower);
            arith::minsi(builder, number, upper)
        };
        let (first, end) = (within(first), within(end));
        self.emit_innermost(builder, ivs, Some((innermost, lower, first)));
        interior.schedule.emit_innermost(builder, ivs, Some((innermost, first, end)));
        self.emit_innermost(builder, ivs, Some((innermost, end, upper)))
    }
}

impl<'c> Interior<'c> {
    /// Whether no index depends on the innermost loop, so that it is not split.
    pub(super) fn has_no_range(&self) -> bool {
        self.range.is_none()
    }

    /// Whether the indices that do not depend on the innermost loop are in bounds; `None` if all
    /// indices depend on it.
    pub(super) fn is_inside(&self, builder: &Builder<'c>, ivs: &[Value<'c>]) -> Option<Value<'c>> {
        let mut is_inside: Option<Value> = None;
        for bound in &self.outer {
            let index = bound.index.emit(builder, ivs);
            let index = index::add(builder, index, bound.least);
            let own = index::compare(
                builder,
                CmpIPredicate::Ult,
                index,
                bound.size - (bound.most - bound.least),
            );
            is_inside = Some(match is_inside {
                Some(others) => arith::andi(builder, others, own),
                None => own,
            });
        }
        is_inside
    }
}
