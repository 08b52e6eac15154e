//! `--halo-nontemporal-stores`: writes results that exceed the caches with non-temporal stores.
//!
//! A store to an uncached line first reads the line from memory, so writing a large result costs
//! twice its bytes. Non-temporal stores of whole lines do not read, and do not evict data that is
//! read again. LLVM does not vectorize scalar non-temporal stores, because they only have the
//! alignment of an element. So a loop writes its part of a row to a stack buffer, which stays in
//! the L1 cache, and a second loop copies whole lines.
//!
//! ```mlir
//! scf.parallel (%i) = (%c0) to (%c4096) step (%c1) {
//!   scf.for %j = %c0 to %c1024 step %c1 {
//!     ...
//!     memref.store %x, %result[%i, %j] : memref<4096x1024xf32>
//!   }
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! scf.parallel (%i) = (%c0) to (%c4096) step (%c1) {
//!   %row = memref.alloca() {alignment = 64 : i64} : memref<1024xf32>
//!   scf.for %j = %c0 to %c1024 step %c1 {
//!     ...
//!     memref.store %x, %row[%j] : memref<1024xf32>
//!   }
//!   scf.for %j = %c0 to %c1024 step %c16 {
//!     %line = vector.load %row[%j] : memref<1024xf32>, vector<16xf32>
//!     vector.store %line, %result[%i, %j] {nontemporal = true, alignment = 64 : i64}
//!         : memref<4096x1024xf32>, vector<16xf32>
//!   }
//! }
//! ```
//!
//! Only results of the entry without other uses qualify: results that a later kernel reads should
//! stay in a cache. Compute-bound loops are not changed, because their stores are hidden.
//! `transpose.rs` emits its own non-temporal stores, and `outline_kernels.rs` ends a kernel with a
//! fence, because non-temporal stores are weakly ordered.

use crate::loops::{
    aliases::{Aliases, is_parallel_loop, root_of, users_of_memory},
    bounds::{exact_trip_count, is_multiple},
    order::is_defined_inside,
    prelude::*,
};
use halo_core::machine::Machine;
use halo_cost::cpu::cost_of;
use halo_ir::{ops::halo, prelude::*};

pass_options! {
    /// The options of the pass.
    struct Options {
        /// The machine that code is for; results of at most half of its last cache are stored there
        machine: Machine = "x86-64-v3",
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-nontemporal-stores",
    "Store results that are larger than the caches past them",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["arith", "memref", "scf", "vector"])
.options::<Options>();

/// The bytes of a line of the cache, at a multiple of which each buffer begins.
pub const LINE: i64 = 64;
/// The maximum ratio of a loop's compute time to its memory time: computation overlaps with stores
/// to the caches, but not with non-temporal stores.
const MOST_COMPUTING: f64 = 0.3;

/// The maximum number of uses of a result of one op, including its views.
const MOST_USES: usize = 16;

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let function = pass.operation();
    let machine = &pass.options::<Options>().machine;
    let arguments = function.body(0).map(Block::arguments).unwrap_or_default();
    if !(arguments.iter()).any(|argument| is_larger(*argument, machine)) {
        return Ok(());
    }
    for loop_ in function.collect_nested(is_parallel_loop) {
        let cost = cost_of(loop_, machine);
        if cost.computing > MOST_COMPUTING * machine.time_of_moving(cost.bytes) {
            continue;
        }
        let stores = loop_.collect_nested(|op| op.isa::<memref::StoreOp>());
        for store in stores.into_iter().filter_map(|op| op.cast()) {
            if let Some(row) = Row::of(store, loop_, machine) {
                row.stage(loop_);
            }
        }
    }
    Ok(())
}

/// Whether a buffer has a static size that exceeds the caches.
fn is_larger(buffer: Value, machine: &Machine) -> bool {
    size_in_bytes(buffer.ty()).is_some_and(|size| size > machine.kept_bytes() as u64)
}

/// The uses of a result of an entry that exceeds the caches.
fn uses_of_large_result<'c>(buffer: Value<'c>, machine: &Machine) -> Option<Aliases<'c>> {
    large_result_of(buffer, machine).and_then(users_of_memory)
}

/// The result of an entry that contains a buffer, if it exceeds the caches.
fn large_result_of<'c>(buffer: Value<'c>, machine: &Machine) -> Option<Value<'c>> {
    let root = root_of(buffer);
    let function = root.as_block_argument()?.0.parent()?;
    (is_larger(root, machine) && function.has_attribute(halo::ENTRY)).then_some(root)
}

/// Whether a buffer is a result of an entry that exceeds the caches and has one user.
pub fn is_large_result_of_one_op(buffer: Value, machine: &Machine) -> bool {
    // A result of one op has few views, but one that is written in slices may have thousands of users.
    let root = large_result_of(buffer, machine).filter(|root| !root.has_n_uses_or_more(MOST_USES));
    root.and_then(users_of_memory).is_some_and(|uses| {
        let accesses = uses.users.into_iter().filter(|op| view_source(*op).is_none());
        accesses.count() == 1
    })
}

/// Whether an op may use non-temporal stores for an output, in aligned vectors of `lanes` elements
/// along a loop: the output is a large result without other uses.
pub fn stores_past_caches(
    nest: &LoopNest,
    output: &Access,
    (along, lanes): (usize, i64),
    machine: &Machine,
) -> bool {
    let mut others = (0..nest.dims.len()).filter(|dim| *dim != along);
    is_large_result_of_one_op(output.value, machine)
        && is_at_line(output.value, lanes)
        && others.all(|dim| output.stride(dim) % lanes == 0)
}

/// A part of a row that a loop writes element by element.
struct Row<'c> {
    store: memref::StoreOp<'c>,
    inner: scf::ForOp<'c>,
    /// The number of elements, in whole lines.
    size: i64,
    /// The elements of a line.
    lanes: i64,
}

impl<'c> Row<'c> {
    /// The row that a store in a parallel loop writes, if it belongs to a large result and consists
    /// of whole lines.
    fn of(store: memref::StoreOp<'c>, parallel: Operation<'c>, machine: &Machine) -> Option<Self> {
        let buffer = store.memref();
        let aliases = uses_of_large_result(buffer, machine)?;
        let mut users = aliases.users.into_iter();
        let is_written_only = users.all(|user| {
            view_source(user).is_some() || user.isa::<memref::StoreOp>() && user.is_inside(parallel)
        });
        let inner = store.parent()?.cast::<scf::ForOp>()?;
        let element = buffer.ty().element_type();
        let lanes = LINE / i64::try_from(element.byte_width()?).ok()?;
        let size = exact_trip_count(inner)?;
        let is_lines = lanes > 0
            && size >= lanes
            && size % lanes == 0
            && size * (LINE / lanes) <= machine.half_of_first_cache()
            && is_at_line(buffer, lanes)
            && is_multiple(inner.lower_bound(), lanes)
            && constant_index(inner.step()) == Some(1);
        let body = inner.operation().body(0)?;
        let iv = body.arguments().first().copied()?;
        let indices = store.indices();
        let (last, outer) = indices.split_last()?;
        let is_along_row = *last == iv
            && !(outer.iter()).any(|index| is_defined_inside(*index, inner.operation()))
            && !is_defined_inside(buffer, inner.operation());
        let others = inner.collect_nested(|op| {
            op.isa::<memref::StoreOp>() && op.operands().get(1) == Some(&buffer)
        });
        (is_written_only && is_lines && is_along_row && others.len() == 1).then_some(Self {
            store,
            inner,
            size,
            lanes,
        })
    }

    fn stage(&self, parallel: Operation<'c>) {
        let (buffer, inner) = (self.store.memref(), self.inner.operation());
        let element = buffer.ty().element_type();
        let staged = with_builder(first_op(parallel).unwrap_or(inner), |b| {
            memref::AllocaOp::build(b, &[], &[], memref_type(&[self.size], element))
                .alignment(LINE)
                .value()
        });
        let lower = self.inner.lower_bound();
        let indices = self.store.indices();
        let (iv, outer) = indices.split_last().map_or((lower, &[][..]), |(iv, outer)| (*iv, outer));
        with_builder(self.store.operation(), |b| {
            let index = index::sub(b, iv, lower);
            memref::store(b, self.store.value(), staged, &[index]);
            b.erase(self.store.operation())
        });
        with_builder(inner, |b| {
            b.set_after(inner);
            let line = vector_type(&[self.lanes], element);
            scf::for_range(b, self.size, self.lanes, |b, index| {
                let elements = vector::load(b, staged, &[index], line);
                let column = index::add(b, lower, index);
                vector::StoreOp::build(b, elements, buffer, &[outer, &[column]].concat())
                    .nontemporal(true)
                    .alignment(LINE)
                    .insert();
            })
        })
    }
}

fn first_op(parallel: Operation<'_>) -> Option<Operation<'_>> {
    parallel.body(0)?.operations().first().copied()
}

/// Whether the rows of a buffer, or of a view, are aligned to `lanes` elements.
fn is_at_line(buffer: Value, lanes: i64) -> bool {
    let strides_fit = |view: Value| {
        let strides = view.ty().strides().map(|(strides, _)| strides);
        strides.and_then(|strides| {
            let (last, outer) = strides.split_last()?;
            let is_line = |stride: &Option<i64>| stride.is_some_and(|stride| stride % lanes == 0);
            Some(*last == Some(1) && outer.iter().all(is_line))
        })
    };
    if strides_fit(buffer) != Some(true) {
        return false;
    }
    let offset = buffer.ty().strides().and_then(|(_, offset)| offset);
    match buffer.defining_op() {
        None => offset == Some(0),
        Some(view) if view.isa::<memref::ViewOp>() => false,
        Some(view) => match (offset, view.cast::<memref::SubViewOp>()) {
            (Some(offset), _) => offset % lanes == 0,
            // A subview of the same rank has the strides of its source.
            (None, Some(view)) => {
                let offset = view.static_offsets().last().copied();
                let rank = |value: Value| value.ty().shape().map(|shape| shape.len());
                rank(buffer) == rank(view.source())
                    && offset.is_some_and(|offset| offset >= 0 && offset % lanes == 0)
                    && is_at_line(view.source(), lanes)
            }
            (None, None) => false,
        },
    }
}
