//! Unrolls short loops in long ones, such as over the three coordinates of points, so that LLVM
//! vectorizes the long loop: vectors along the short one would have two or four lanes.
//!
//! ```mlir
//! scf.for %j = %c0 to %c1000 step %c1 {
//!   %sum = scf.for %k = %c0 to %c3 step %c1 iter_args(%acc = %zero) -> (f32) {
//!     %x = memref.load %points[%j, %k] : memref<1000x3xf32>
//!     ...
//!   } {halo.parallel}
//!   memref.store %sum, %sums[%j] : memref<1000xf32>
//! }
//! ```

use crate::loops::{bounds::exact_trip_count, prelude::*};
use halo_ir::{ops::halo, prelude::*};

/// The most iterations of a short loop, and the fewest of the loop around it, if they are known.
const SHORT: i64 = 4;
const LONG: i64 = 32;

/// Unrolls the short loops of a function whose enclosing loops have no other loops.
pub(super) fn unroll_short_loops(function: Operation) {
    for long in function.collect_nested(|op| op.isa::<scf::ForOp>()) {
        let is_short = long.cast().and_then(exact_trip_count).is_some_and(|trips| trips < LONG);
        let Some(block) = long.body(0).filter(|_| !is_short) else {
            continue;
        };
        let inside = block.operations();
        let inside = inside.into_iter().filter(|op| op.body(0).is_some());
        if let Some(loops) = inside.map(ShortLoop::of).collect::<Option<Vec<_>>>() {
            for short in loops {
                with_builder(short.op.operation(), |builder| short.unroll(builder));
            }
        }
    }
}

/// An innermost loop of few independent iterations.
struct ShortLoop<'c> {
    op: scf::ForOp<'c>,
    trips: i64,
}

impl<'c> ShortLoop<'c> {
    fn of(operation: Operation<'c>) -> Option<Self> {
        let op: scf::ForOp = operation.cast()?;
        let trips = exact_trip_count(op).filter(|trips| *trips <= SHORT)?;
        let is_innermost = operation.collect_nested(|op| op.body(0).is_some()).is_empty();
        (operation.has_attribute(halo::PARALLEL)
            && constant_index(op.step()) == Some(1)
            && is_innermost)
            .then_some(Self { op, trips })
    }

    fn unroll(&self, builder: &Builder<'c>) {
        let mut carried = self.op.init_args();
        if let Some(block) = self.op.operation().body(0) {
            for iteration in 0..self.trips {
                let iv = index::add(builder, self.op.lower_bound(), iteration);
                carried = builder.clone_body(block, &[&[iv], &carried[..]].concat());
            }
        }
        builder.replace(self.op.operation(), &carried);
    }
}
