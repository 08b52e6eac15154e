//! Neighbouring windows of a convolution in one innermost loop.
//!
//! Windows overlap, and read one kernel. Where the innermost loop computes a few
//! results side by side, each element is loaded once for all of them: a depthwise
//! convolution of 3x3 has 27 loads for 4 results in place of 72.
//!
//! ```mlir
//! scf.parallel (%block) = (%c0) to (%c784) step (%c1) {  // 56 rows of 14 blocks
//!   scf.for %c = %c0 to %c128 step %c1 {
//!     ... // the window of column 4 * %block, then those of the next three
//!   }
//! }
//! ```
//!
//! If elements may be padding, a block in which all are inside is one loop; the results
//! of others are computed one by one, with comparisons.

use super::{Schedule, innermost::MOST_OPS};
use crate::loops::{
    access::Access,
    loop_nest::Extent,
    loop_ops::{self, Emitted},
};
use halo_ir::{
    Builder, Value, arguments_of, is_unused, operations_of,
    ops::{arith, scf},
};

impl<'c> Schedule<'c> {
    /// How many iterations of the last of the outer loops are worth computing together.
    pub(super) fn neighbours(&self, outer: &[usize]) -> Option<i64> {
        let (dim, innermost) = (*outer.last()?, self.innermost?);
        let Extent::Fixed(size) = self.nest.dims[dim].extent else {
            return None;
        };
        let moves = |access: &Access| {
            let mut indices = access.indices.iter();
            indices.any(|index| {
                index.mentions(dim) && self.reductions.iter().any(|other| index.mentions(*other))
            })
        };
        let windows = self.reductions.iter().map(|dim| self.size(*dim));
        let ops = windows.product::<i64>() * operations_of(self.nest.body).len() as i64;
        // An interior that is a range of the innermost loop has versions of that.
        let is_simple = match self.interior() {
            Some(interior) => interior.has_no_range(),
            None => (self.nest.accesses.iter()).all(|access| access.padding.is_none()),
        };
        // A maximum of loaded elements takes longer than its loads.
        let arguments = arguments_of(self.nest.body);
        let mut read = self.nest.inputs().iter().zip(&arguments);
        let reads_kernel = read.any(|(input, argument)| {
            !is_unused(*argument)
                && !input.mentions(dim)
                && self.reductions.iter().any(|other| input.mentions(*other))
        });
        let is_contiguous = |access: &Access| matches!(access.stride(innermost), 0 | 1);
        let applies = self.unrolls
            && reads_kernel
            && is_simple
            && self.nest.accesses.iter().all(is_contiguous)
            && self.nest.inputs().iter().any(moves)
            && self
                .nest
                .outputs()
                .iter()
                .all(|output| output.mentions(dim));
        let fits = |count: &i64| size % count == 0 && ops.saturating_mul(*count) <= MOST_OPS;
        applies.then(|| [4, 2].into_iter().find(fits)).flatten()
    }

    /// A parallel loop over blocks of neighbours.
    pub(super) fn emit_neighbours(
        &self,
        builder: &Builder<'c>,
        outer: &[usize],
        mut ivs: Vec<Value<'c>>,
        neighbours: i64,
    ) -> Emitted<()> {
        let Some(dim) = outer.last().copied() else {
            return Ok(());
        };
        let mut blocked = self.clone();
        blocked.nest.dims[dim].extent = Extent::Fixed(self.size(dim) / neighbours);
        let count = blocked.count(builder, outer)?;
        loop_ops::parallel(builder, count, |builder, iv| {
            blocked.delinearize(builder, outer, iv, &mut ivs)?;
            let first = loop_ops::scale(builder, ivs[dim], neighbours)?;
            let at = |builder: &Builder<'c>, number: Value<'c>| {
                let mut ivs = ivs.clone();
                ivs[dim] = loop_ops::add(builder, first, number)?;
                Emitted::Ok(ivs)
            };
            let Some(interior) = self.interior() else {
                return self.emit_together(builder, &at, neighbours);
            };
            let last = loop_ops::index(builder, neighbours - 1)?;
            let start = loop_ops::index(builder, 0)?;
            let ends = [at(builder, start)?, at(builder, last)?];
            let of_first = interior.is_inside(builder, &ends[0])?;
            let of_last = interior.is_inside(builder, &ends[1])?;
            let (Some(of_first), Some(of_last)) = (of_first, of_last) else {
                return interior.schedule.emit_together(builder, &at, neighbours);
            };
            let is_inside = arith::andi(builder, of_first, of_last)?;
            let together = |builder: &Builder<'c>| {
                (interior.schedule).emit_together(builder, &at, neighbours)?;
                Emitted::Ok(Vec::new())
            };
            let apart = |builder: &Builder<'c>| {
                loop_ops::for_range(builder, neighbours, 1, |builder, number| {
                    let mut ivs = at(builder, number)?;
                    self.emit_innermost(builder, &mut ivs, None)
                })?;
                Ok(Vec::new())
            };
            scf::if_else(builder, is_inside, together, apart)?;
            Ok(())
        })?;
        Ok(())
    }

    /// The innermost loop of all neighbours.
    fn emit_together(
        &self,
        builder: &Builder<'c>,
        at: &impl Fn(&Builder<'c>, Value<'c>) -> Emitted<Vec<Value<'c>>>,
        neighbours: i64,
    ) -> Emitted<()> {
        let Some(innermost) = self.innermost else {
            return Ok(());
        };
        let numbers = (0..neighbours).map(|number| loop_ops::index(builder, number));
        let numbers = numbers.collect::<Emitted<Vec<_>>>()?;
        let windows = numbers.into_iter().map(|number| at(builder, number));
        let windows = windows.collect::<Emitted<Vec<_>>>()?;
        let bounds = (
            loop_ops::index(builder, 0)?,
            self.nest.extent(builder, innermost)?,
            loop_ops::index(builder, 1)?,
        );
        let op = scf::for_(builder, bounds, &[], |builder, iv, _| {
            // Nothing is stored between loads of the same element, so that they are one.
            let mut results = Vec::new();
            for mut ivs in windows {
                ivs[innermost] = iv;
                let values = self.emit_window(builder, &ivs)?;
                results.push((ivs, values));
            }
            for (ivs, values) in results {
                self.store(builder, &ivs, &values)?;
            }
            Emitted::Ok(Vec::new())
        })?;
        self.mark(builder, innermost, op);
        Ok(())
    }
}
