//! Updates at listed positions in parallel: a thread for each index vector, or
//! a block if the innermost loop of its window is long enough; a thread for each element of the
//! window of a single index vector.
//!
//! Updates of the same element use atomic operations that devices support. Other combiners, or
//! several results, become sequential code of one thread.

use crate::{
    gpu::launch::{BLOCK, Dimensions, WARP, global_x, guard, launch},
    loops::order::is_defined_inside,
};
use halo_ir::{
    ops::{
        Codec,
        arith::{AtomicRMWKind, constant_index},
        halo,
    },
    prelude::*,
};

/// Shorter windows are updated by one thread.
const SHORTEST_WINDOW: i64 = 8;

/// Returns true if a loop is the outermost one of a scatter.
pub(in crate::gpu) fn is_scatter(operation: Operation) -> bool {
    operation.isa::<scf::ForOp>() && operation.has_attribute(halo::SCATTER)
}

/// Replaces a scatter by a kernel, with the conditional around it. Keeps a scatter that is not
/// supported.
pub(super) fn lower<'c>(builder: &Builder<'c>, outermost: Operation<'c>) {
    let condition = condition_of(outermost);
    let replaced = condition.map_or(outermost, |around| around.operation());
    builder.set_before(replaced);
    let condition = condition.map(|around| around.condition());
    if launch_updates(builder, outermost, condition).is_some() {
        builder.erase(replaced);
    }
}

/// The conditional that contains only this loop.
fn condition_of(outermost: Operation<'_>) -> Option<scf::IfOp<'_>> {
    let around = outermost.parent()?.cast::<scf::IfOp>()?;
    let op = around.operation();
    let count = |region| op.body(region).map_or(0, |block| block.operations().len());
    // The loop and a terminator, or only a terminator.
    (op.result_count() == 0 && count(0) == 2 && count(1) <= 1).then_some(around)
}

/// Inserts the kernel of a scatter, which makes the updates under a condition.
fn launch_updates<'c>(
    builder: &Builder<'c>,
    outermost: Operation<'c>,
    condition: Option<Value<'c>>,
) -> Option<()> {
    let batch = Batch::of(outermost)?;
    let unique = outermost.attribute(halo::SCATTER).and_then(halo::ScatterAttr::read)
        == Some(halo::Scatter::Unique);
    let stores = outermost.collect_nested(|op| op.isa::<memref::StoreOp>());
    let [store] = stores[..] else {
        return None;
    };
    let store = store.cast::<memref::StoreOp>()?;
    let update = if unique {
        Update::Plain
    } else {
        Update::of(store, outermost)?
    };
    let count: i64 = batch.sizes.iter().product();
    let window = window_loop(store.operation(), batch.innermost);
    let threads = match window.and_then(length) {
        Some(length) if length >= SHORTEST_WINDOW => ((length + WARP - 1) / WARP * WARP).min(BLOCK),
        _ => 1,
    };
    let dimensions = match threads {
        1 => Dimensions::linear(count),
        _ => Dimensions {
            grid: [count, 1, 1],
            block: [threads, 1, 1],
        },
    };
    let exact = threads > 1 || dimensions.threads_x() == count;
    launch(builder, "scatter", dimensions, &[], |builder, place, _| {
        let id = match threads {
            1 => global_x(builder, dimensions, place),
            _ => place.block[0],
        };
        guard(builder, (id, count, exact), |builder| {
            let mut map = ValueMap::new();
            let numbers = index::delinearize(builder, id, &batch.sizes);
            for (counter, number) in batch.counters.iter().zip(numbers) {
                map.insert(counter.key(), number);
            }
            let condition = batch.ranges.iter().fold(condition, |all, (counter, lower, upper)| {
                let number = halo_ir::mapped(&map, *counter);
                let after = arith::cmpi(builder, CmpIPredicate::Sge, number, *lower);
                let before = arith::cmpi(builder, CmpIPredicate::Slt, number, *upper);
                let inside = arith::andi(builder, after, before);
                Some(all.map_or(inside, |all| arith::andi(builder, all, inside)))
            });
            scf::when(builder, condition, |builder| {
                // Only constants are between the loops.
                for operation in &batch.between {
                    builder.clone_op(*operation, &mut map);
                }
                let mut copies = Vec::new();
                let terminator = batch.body.terminator();
                for operation in batch.body.operations() {
                    if Some(operation) != terminator {
                        copies.push(builder.clone_op(operation, &mut map));
                    }
                }
                if threads > 1 {
                    share(&copies, place.thread[0], threads);
                }
                for store in stores_in(&copies) {
                    with_builder(store.operation(), |builder| update.apply(builder, store));
                }
            });
        })
    });
    Some(())
}

/// The loops over the index vectors.
struct Batch<'c> {
    sizes: Vec<i64>,
    counters: Vec<Value<'c>>,
    /// The counters of loops whose bounds are computed, with the bounds.
    ranges: Vec<(Value<'c>, Value<'c>, Value<'c>)>,
    between: Vec<Operation<'c>>,
    innermost: Operation<'c>,
    body: Block<'c>,
}

impl<'c> Batch<'c> {
    fn of(outermost: Operation<'c>) -> Option<Self> {
        let mut batch = Self {
            sizes: Vec::new(),
            counters: Vec::new(),
            ranges: Vec::new(),
            between: Vec::new(),
            innermost: outermost,
            body: outermost.body(0)?,
        };
        loop {
            let counted = batch.innermost;
            batch.sizes.push(extent(counted, outermost)?);
            batch.body = counted.body(0)?;
            let counter = *batch.body.arguments().first()?;
            batch.counters.push(counter);
            if let [lower, upper, _] = counted.operands()[..]
                && !fixed(counted)
            {
                batch.ranges.push((counter, lower, upper));
            }
            let mut operations = batch.body.operations();
            operations.pop();
            let (loops, others): (Vec<_>, Vec<_>) =
                operations.into_iter().partition(|operation| operation.isa::<scf::ForOp>());
            let constants = others.iter().all(|op| op.isa::<arith::ConstantOp>());
            match loops[..] {
                // A loop over a window has the same structure, and may be lowered in the same way.
                [next] if constants && extent(next, outermost).is_some() => {
                    batch.between.extend(others);
                    batch.innermost = next;
                }
                _ => return Some(batch),
            }
        }
    }
}

/// A bound of the counter of a loop without carried values that starts at zero or later and whose
/// bounds are computed before the outermost loop.
fn extent(counted: Operation, outermost: Operation) -> Option<i64> {
    let [lower, upper, step] = counted.operands()[..] else {
        return None;
    };
    let is_natural = |value| constant_index(value).is_some_and(|number| number >= 0);
    let clamped = lower.defined_by::<arith::MaxSIOp>();
    let is_clamped = clamped.is_some_and(|max| is_natural(max.lhs()) || is_natural(max.rhs()));
    let is_outside = |value| !is_defined_inside(value, outermost);
    (counted.result_count() == 0
        && constant_index(step) == Some(1)
        && (is_natural(lower) || is_clamped)
        && is_outside(lower)
        && is_outside(upper))
    .then(|| length(counted))?
}

fn fixed(counted: Operation) -> bool {
    let bounds: Vec<_> = counted.operands().into_iter().map(constant_index).collect();
    matches!(bounds[..], [Some(0), Some(_), Some(1)])
}

/// The loop directly around the store, inside the loops over the index vectors.
fn window_loop<'c>(store: Operation<'c>, innermost: Operation<'c>) -> Option<Operation<'c>> {
    let parent = store.parent()?;
    let inside = parent != innermost && parent.is_inside(innermost);
    (inside && parent.isa::<scf::ForOp>()).then_some(parent)
}

/// The maximum trip count of a loop, if known.
fn length(counted: Operation) -> Option<i64> {
    let upper = counted.operands().get(1).copied()?;
    if let Some(constant) = constant_index(upper) {
        return Some(constant);
    }
    let minimum = upper.defined_by::<arith::MinSIOp>()?;
    [minimum.lhs(), minimum.rhs()].into_iter().find_map(constant_index)
}

fn stores_in<'c>(roots: &[Operation<'c>]) -> Vec<memref::StoreOp<'c>> {
    let mut found = Vec::new();
    for root in roots {
        found.extend(root.cast::<memref::StoreOp>());
        let nested = root.collect_nested(|nested| nested.isa::<memref::StoreOp>());
        found.extend(nested.into_iter().filter_map(|op| op.cast::<memref::StoreOp>()));
    }
    found
}

/// Returns true if a load is of the element that a store writes.
fn loads_what_is_stored(load: memref::LoadOp, store: memref::StoreOp) -> bool {
    load.memref() == store.memref() && load.indices() == store.indices()
}

/// Distributes the iterations of the loop around the store over the threads of
/// a block.
fn share<'c>(copies: &[Operation<'c>], thread: Value<'c>, threads: i64) {
    for store in stores_in(copies) {
        let Some(counted) = store.parent() else {
            continue;
        };
        with_builder(counted, |builder| {
            let lower = counted.operands()[0];
            counted.set_operand(0, index::add(builder, lower, thread));
            counted.set_operand(2, index::constant(builder, threads));
        });
    }
}

/// The kind of update of an element.
enum Update {
    /// A plain store: it is overwritten, or no other thread updates it.
    Plain,
    /// An atomic operation.
    Atomic(AtomicRMWKind),
}

impl Update {
    /// The update that a store applies to a loaded element.
    fn of(store: memref::StoreOp, outermost: Operation) -> Option<Self> {
        let value = store.value();
        let loads: Vec<Operation> = store
            .memref()
            .uses()
            .into_iter()
            .map(|(user, _)| user)
            .filter(|user| user.is_inside(outermost) && *user != store.operation())
            .collect();
        let old = match loads[..] {
            [] => return Some(Self::Plain),
            [user] => {
                let load = user.cast::<memref::LoadOp>()?;
                (load.indices() == store.indices()).then(|| load.result())?
            }
            _ => return None,
        };
        let uses = old.uses();
        if uses.is_empty() {
            return Some(Self::Plain);
        }
        let operation = value.defining_op()?;
        let [(user, _)] = uses[..] else {
            return None;
        };
        if user != operation || operation.operands().len() != 2 {
            return None;
        }
        let ty = value.ty();
        let bits = ty.bit_width()?;
        use AtomicRMWKind as K;
        let kind = match operation.name() {
            arith::AddFOp::NAME => K::Addf,
            arith::AddIOp::NAME => K::Addi,
            arith::AndIOp::NAME => K::Andi,
            arith::MaximumFOp::NAME => K::Maximumf,
            arith::MaxSIOp::NAME => K::Maxs,
            arith::MaxUIOp::NAME => K::Maxu,
            arith::MinimumFOp::NAME => K::Minimumf,
            arith::MinSIOp::NAME => K::Mins,
            arith::MinUIOp::NAME => K::Minu,
            arith::OrIOp::NAME => K::Ori,
            arith::XOrIOp::NAME => K::Xori,
            _ => return None,
        };
        (bits >= 32 || (ty.is_float() && bits == 16 && kind == K::Addf))
            .then_some(Self::Atomic(kind))
    }

    fn apply<'c>(&self, builder: &Builder<'c>, store: memref::StoreOp<'c>) {
        let Self::Atomic(kind) = self else {
            return;
        };
        let Some(combined) = store.value().defining_op() else {
            return;
        };
        let is_old = |value: &Value<'c>| {
            let load = value.defined_by::<memref::LoadOp>();
            load.is_some_and(|load| loads_what_is_stored(load, store))
        };
        let sides = combined.operands();
        let (old, update) = match sides[..] {
            [left, right] if is_old(&left) => (left, right),
            [left, right] => (right, left),
            _ => return,
        };
        memref::atomic_rmw(builder, *kind, update, store.memref(), &store.indices());
        builder.erase(store.operation());
        builder.erase(combined);
        if let Some(load) = old.defining_op() {
            builder.erase(load);
        }
    }
}
