//! Duplicates the results of an elementwise op that is stored in several destinations.
//!
//! A loop may carry a value and also collect it in a tensor, such as the hidden state of a
//! recurrent cell. Without this rewrite, it would compute the value in one destination and copy it
//! to the other. An elementwise op stores it in both:
//!
//! ```mlir
//! %1 = linalg.generic ins(%x) outs(%e) { math.tanh }
//! %2 = tensor.insert_slice %1 into %all[%i, 0] [1, 8] [1, 1]
//! scf.yield %1, %2
//! ```
//!
//! becomes
//!
//! ```mlir
//! %1:2 = linalg.generic ins(%x) outs(%e0, %e1) { %t = math.tanh; yield %t, %t }
//! %2 = tensor.insert_slice %1#1 into %all[%i, 0] [1, 8] [1, 1]
//! scf.yield %1#0, %2
//! ```
//!
//! A constant that is the initial value of several loops, products or results is filled once for
//! each.

use super::forward::destination_operand;
use crate::loops::{
    elementwise::{self, Elementwise},
    fill::filled_with,
    order::is_defined_before,
};
use halo_ir::prelude::*;

/// The maximal number of results of an op. Each is a stream of stores.
const MOST_RESULTS: usize = 8;

/// An operand by which an op stores a value.
type Store<'c> = (Operation<'c>, usize);

/// Duplicates the values of a module that are stored several times.
pub fn duplicate_stored(module: Operation) {
    for op in module.collect_nested(Operation::is_structured) {
        match filled_with(op) {
            Some(_) => duplicate_fill(op),
            None => add_results(op),
        }
    }
}

/// Fills a separate tensor for each result, loop and product whose initial value is the fill.
fn duplicate_fill(fill: Operation) {
    let operands = fill.operands();
    let (Some(place), [result]) = (operands.last(), &fill.results()[..]) else {
        return;
    };
    let Some(empty) = empty_of(*place) else {
        return;
    };
    let is_start = |op: Operation, number: usize| {
        let mut starts =
            (0..op.results().len()).filter_map(|result| destination_operand(op, op.name(), result));
        op.isa::<scf::WhileOp>() || starts.any(|start| start == number)
    };
    let stores = result
        .uses()
        .into_iter()
        .filter(|(op, number)| is_store(*op, *number) || is_start(*op, *number));
    for (user, number) in all_but_one(stores.collect()) {
        with_builder(user, |b| {
            let mut map = Default::default();
            b.clone_op(empty, &mut map);
            let copy = b.clone_op(fill, &mut map);
            user.set_operand(number, copy.results()[0]);
        });
    }
}

/// Gives an elementwise op one result per store of its results.
fn add_results(op: Operation) {
    let Some(producer) = Elementwise::of(op).filter(Elementwise::has_empty_outputs) else {
        return;
    };
    let (inputs, places, maps) = (&producer.inputs, &producer.outputs, &producer.maps);
    let mut added: Vec<(usize, Store)> = Vec::new();
    for (number, result) in op.results().into_iter().enumerate() {
        let stores = result
            .uses()
            .into_iter()
            .filter(|(user, operand)| user.block() == op.block() && is_store(*user, *operand))
            .filter(|(user, _)| is_place_before(*user, op));
        let others = all_but_one(stores.collect());
        added.extend(others.into_iter().map(|store| (number, store)));
    }
    added.truncate(MOST_RESULTS.saturating_sub(places.len()));
    if added.is_empty() {
        return;
    }
    with_builder(op, |b| {
        let mut outputs = places.clone();
        let mut all = maps.clone();
        for (number, _) in &added {
            outputs.push(new_place(b, places[*number]));
            all.push(maps[inputs.len() + number]);
        }
        let new = elementwise::generic(b, inputs, &outputs, &all, |b, elements| {
            let mut values = producer.inline(b, &elements[..inputs.len() + places.len()]);
            for (number, _) in &added {
                values.push(values[*number]);
            }
            values
        });
        let results = new.results();
        let (kept, others) = results.split_at(places.len());
        for ((_, (user, operand)), result) in added.iter().zip(others) {
            user.set_operand(*operand, *result);
        }
        b.replace(op, kept)
    })
}

/// The stores that need a separate value: all but one. The last one, preferably not a store to a
/// slice, keeps the value that other ops read.
fn all_but_one(mut stores: Vec<Store>) -> Vec<Store> {
    stores.sort_by_key(|(op, _)| !op.isa::<tensor::InsertSliceOp>());
    stores.pop();
    stores
}

/// Returns true if an op stores an operand, possibly with another shape.
fn is_store(op: Operation, number: usize) -> bool {
    match op.name() {
        scf::YieldOp::NAME | func::ReturnOp::NAME => true,
        tensor::InsertSliceOp::NAME => number == 0,
        tensor::ExpandShapeOp::NAME | tensor::CollapseShapeOp::NAME => {
            let reshaped = op.results()[0];
            reshaped.has_one_use()
                && reshaped.uses().into_iter().all(|(user, number)| is_store(user, number))
        }
        _ => false,
    }
}

/// Returns true if the destination of a store is defined before the op that computes the value.
/// This is false for the second operand of a concatenation, which is inserted into the result of
/// the first insertion.
fn is_place_before(store: Operation, op: Operation) -> bool {
    if store.isa::<tensor::ExpandShapeOp>() || store.isa::<tensor::CollapseShapeOp>() {
        let users = store.results()[0].uses();
        return users.into_iter().all(|(user, _)| is_place_before(user, op));
    }
    !store.isa::<tensor::InsertSliceOp>()
        || store.operands()[1..].iter().all(|value| is_defined_before(*value, op))
}

fn empty_of(place: Value<'_>) -> Option<Operation<'_>> {
    place.defining_op().filter(|op| op.isa::<tensor::EmptyOp>())
}

/// A clone of a destination that is a `tensor.empty`; other destinations are returned unchanged.
fn new_place<'c>(b: &Builder<'c>, place: Value<'c>) -> Value<'c> {
    empty_of(place).map_or(place, |empty| b.copy(empty).results()[0])
}
