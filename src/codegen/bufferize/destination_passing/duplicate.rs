//! Computes a value once for each place that it is stored in.
//!
//! A loop that carries a value and collects it too, such as the hidden state of a
//! recurrent cell, would compute it in one of the places and copy it to the other. An
//! elementwise op stores it in both:
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
//! A constant that several loops, products or results start from is filled in for each of
//! them.

use super::forward::destination_operand;
use crate::loops::{
    elementwise::{self, Elementwise},
    fill::filled_with,
    order::is_defined_before,
};
use halo_ir::prelude::*;

/// The most results of an op: each is a stream of stores.
const MOST_RESULTS: usize = 8;

/// An operand by which an op stores a value.
type Store<'c> = (Operation<'c>, usize);

/// Duplicates what is stored several times in a module.
pub fn duplicate_stored(module: Operation) {
    for op in module.collect_nested(Operation::is_structured) {
        match filled_with(op) {
            Some(_) => duplicate_fill(op),
            None => add_results(op),
        }
    }
}

/// Fills a tensor of its own for each result, loop and product that starts from it.
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

/// Gives an elementwise op a result for each place that one of its results is stored in.
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

/// The stores that need a value of their own. What else reads the value finds it best in
/// memory that is no slice.
fn all_but_one(mut stores: Vec<Store>) -> Vec<Store> {
    stores.sort_by_key(|(op, _)| !op.isa::<tensor::InsertSliceOp>());
    stores.pop();
    stores
}

/// Whether an op stores an operand, maybe in another shape.
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

/// Whether the place where a value is stored is known before an op that computes it. The
/// second part of a concatenation is inserted into what the first one was inserted into.
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

/// Another place like one that is empty.
fn new_place<'c>(b: &Builder<'c>, place: Value<'c>) -> Value<'c> {
    empty_of(place).map_or(place, |empty| b.copy(empty).results()[0])
}
