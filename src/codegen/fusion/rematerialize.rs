//! `--halo-rematerialize`: recomputes values that are cheaper to compute than to keep in memory.
//!
//! The backward pass of a program reads values of its forward pass, such as an activation and its
//! square. Both are kept in memory in between. If a user reads a value from which a few cheap ops
//! compute another operand, it recomputes that operand:
//!
//! ```mlir
//! %0:2 = linalg.generic ins(%x) outs(%e0, %e1) { %t = addf; %s = mulf %t, %t; yield %t, %s }
//! %1 = linalg.generic ins(%g, %0#0, %0#1) outs(%e2) { ^bb0(%g: f32, %t: f32, %s: f32, ...): ... }
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = linalg.generic ins(%x) outs(%e0) { %t = addf; yield %t }
//! %1 = linalg.generic ins(%g, %0) outs(%e2) { ^bb0(%g: f32, %t: f32, ...): %s = mulf %t, %t; ... }
//! ```
//!
//! The value is not stored, and the user reads no more than before. A value is kept unless all
//! users can recompute it. The option `explain` emits a remark for each recomputed value, and the
//! reason for each value that could be computed from others but is kept.

use super::blocks_around_loops;
use crate::{
    explain::{Outcome, Reason},
    loops::elementwise::{Elementwise, generic},
};
use halo_ir::{ops::math, prelude::*};
use std::collections::HashSet;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Report recomputed values, and why others are kept
        explain: bool = false,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-rematerialize",
    "Recompute values that are cheaper to compute than to store",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["linalg", "tensor"])
.options::<Options>();

/// The maximal ops that recompute a value.
const FEW_OPS: usize = 4;
/// The maximal ops in the body of a user after the rewrite.
const LONGEST_BODY: usize = 128;

/// Ops that cost no more than a load.
const CHEAP: &[&str] = &[
    arith::AddFOp::NAME,
    arith::AddIOp::NAME,
    arith::AndIOp::NAME,
    arith::CmpFOp::NAME,
    arith::CmpIOp::NAME,
    arith::ExtFOp::NAME,
    arith::MaximumFOp::NAME,
    arith::MinimumFOp::NAME,
    arith::MulFOp::NAME,
    arith::NegFOp::NAME,
    arith::OrIOp::NAME,
    arith::SelectOp::NAME,
    arith::SubFOp::NAME,
    arith::SubIOp::NAME,
    arith::XOrIOp::NAME,
    math::AbsFOp::NAME,
];

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let explains = pass.options::<Options>().explain;
    for block in blocks_around_loops(pass.operation()) {
        for op in block.operations() {
            let mut producer = Elementwise::of(op);
            while let Some((number, formula)) = producer.as_ref().and_then(cheap_result) {
                if let Some(producer) = producer.as_ref().filter(|_| explains) {
                    explain_dropped(pass, producer, number, &formula);
                }
                let rest = producer.take().map(|producer| drop_result(&producer, number, &formula));
                producer = rest.and_then(Elementwise::of);
            }
            if let Some(producer) = producer.filter(|_| explains) {
                explain_kept(pass, &producer);
            }
        }
    }
    Ok(())
}

/// Emits a remark for a result that is recomputed.
fn explain_dropped(pass: &PassInvocation, producer: &Elementwise, number: usize, by: &Formula) {
    let ops = match by.ops.len() {
        1 => "one cheap op",
        _ => "a few cheap ops",
    };
    let message =
        format!("result #{number} is not stored: its users compute it again, by {ops} from others");
    let users = users_of(producer, producer.op.results()[number]).unwrap_or_default();
    let remark = pass.remark(producer.op, message);
    users.iter().fold(remark, |remark, user| remark.note(user.op, "a user"));
}

/// Emits remarks for results that could be computed from others, but are stored.
fn explain_kept(pass: &PassInvocation, producer: &Elementwise) {
    let results = producer.op.results();
    for (number, result) in results.iter().enumerate() {
        if !result.is_unused()
            && follows_from_others(producer, number)
            && let Err(reason) = formula_for_users(producer, number)
        {
            let decision = Outcome::NotRecomputed.because(reason);
            decision.remark_as(pass, producer.op, format!("result #{number} {decision}"));
        }
    }
}

/// Returns true if a result can be computed from other results alone, at any cost.
fn follows_from_others(producer: &Elementwise, number: usize) -> bool {
    let Some(end) = producer.op.body(0).and_then(Block::terminator) else {
        return false;
    };
    let yielded = end.operands();
    let is_other = |value: &Value| {
        yielded.iter().enumerate().any(|(at, other)| at != number && other == value)
    };
    let (mut pending, mut seen) = (vec![yielded[number]], HashSet::new());
    let mut reads_other = false;
    while let Some(next) = pending.pop() {
        if is_other(&next) {
            reads_other = true;
            continue;
        }
        match next.defining_op() {
            Some(op) if op.block() == end.block() => {
                if seen.insert(op.key()) {
                    pending.extend(op.operands());
                }
            }
            // A constant.
            Some(_) => {}
            None => return false,
        }
    }
    reads_other && !seen.is_empty()
}

const OTHER_VALUES: Reason = Reason::UsersLackOperands;

/// The computation of a result from other results.
struct Formula<'c> {
    /// The ops of the body that compute it, in order.
    ops: Vec<Operation<'c>>,
    /// The values of the body that the ops read, each with its result number.
    read: Vec<(Value<'c>, usize)>,
    /// The computed value.
    value: Value<'c>,
}

/// A result that all of its users can compute from other results that they read.
fn cheap_result<'c>(producer: &Elementwise<'c>) -> Option<(usize, Formula<'c>)> {
    let mut numbers = (0..producer.outputs.len()).rev();
    numbers.find_map(|number| Some((number, formula_for_users(producer, number).ok()?)))
}

/// The formula by which all users of a result can compute it from other results that they read,
/// else the reason.
fn formula_for_users<'c>(producer: &Elementwise<'c>, number: usize) -> Result<Formula<'c>, Reason> {
    let results = producer.op.results();
    if results.len() < 2 {
        return Err(OTHER_VALUES);
    }
    if !producer.has_places() {
        return Err(Reason::OpReadsWhatItOverwrites);
    }
    let end = producer.op.body(0).and_then(Block::terminator);
    let yielded = end.map(Operation::operands).unwrap_or_default();
    let users = users_of(producer, results[number]).ok_or(Reason::UsersNotElementwise)?;
    let is_read_by_all = |other: usize| {
        other != number && users.iter().all(|user| element_of(user, results[other]).is_some())
    };
    let shared: Vec<usize> = (0..results.len()).filter(|at| is_read_by_all(*at)).collect();
    let formula = formula(&yielded, number, &shared)?;
    let fits = |user: &Elementwise<'c>| user.length() + formula.ops.len() <= LONGEST_BODY;
    if users.iter().all(fits) {
        Ok(formula)
    } else {
        Err(Reason::UserLoopTooLong)
    }
}

/// The users of a result, if all are elementwise ops of the same block that read it by an identity
/// map.
fn users_of<'c>(producer: &Elementwise<'c>, result: Value<'c>) -> Option<Vec<Elementwise<'c>>> {
    let mut users: Vec<Elementwise> = Vec::new();
    for (user, operand) in result.uses() {
        let user = Elementwise::of(user).filter(|user| {
            user.op.block() == producer.op.block()
                && user.maps[operand].is_identity()
                && operand < user.inputs.len()
        })?;
        if users.iter().all(|known| known.op != user.op) {
            users.push(user);
        }
    }
    (!users.is_empty()).then_some(users)
}

/// The position of an input that is a value and is read by an identity map.
fn element_of<'c>(user: &Elementwise<'c>, value: Value<'c>) -> Option<usize> {
    let mut inputs = user.inputs.iter().zip(&user.maps);
    inputs.position(|(input, map)| *input == value && map.is_identity())
}

/// The cheap ops that compute a yielded value from other yielded values.
fn formula<'c>(
    yielded: &[Value<'c>],
    number: usize,
    others: &[usize],
) -> Result<Formula<'c>, Reason> {
    let value = *yielded.get(number).ok_or(OTHER_VALUES)?;
    let body = value.defining_op().and_then(|op| op.block());
    let body = body.ok_or(OTHER_VALUES)?;
    let mut formula = Formula {
        ops: Vec::new(),
        read: Vec::new(),
        value,
    };
    let mut pending = vec![value];
    while let Some(next) = pending.pop() {
        let other = others.iter().find(|other| yielded[**other] == next);
        if let Some(other) = other {
            formula.read.push((next, *other));
            continue;
        }
        let op = match next.defining_op() {
            Some(op) if op.block() == Some(body) => op,
            // A constant.
            Some(_) => continue,
            // An element of an input, which the users do not read.
            None => return Err(OTHER_VALUES),
        };
        if !formula.ops.contains(&op) {
            formula.ops.push(op);
            pending.extend(op.operands());
        }
        let is_cheap = CHEAP.contains(&op.name());
        if !is_cheap || formula.ops.len() > FEW_OPS {
            return Err(Reason::ExpensiveToRecompute);
        }
    }
    let order: Vec<usize> = body.operations().into_iter().map(Operation::key).collect();
    formula.ops.sort_by_key(|op| order.iter().position(|key| *key == op.key()));
    if formula.read.is_empty() || formula.ops.is_empty() {
        Err(OTHER_VALUES)
    } else {
        Ok(formula)
    }
}

/// Recomputes a result in its users, and returns the op that computes the other results.
fn drop_result<'c>(
    producer: &Elementwise<'c>,
    number: usize,
    formula: &Formula<'c>,
) -> Operation<'c> {
    let results = producer.op.results();
    let users = users_of(producer, results[number]).unwrap_or_default();
    for user in users.into_iter().map(|user| user.op) {
        // A user may read another user, which has been rebuilt.
        let Some(user) = Elementwise::of(user) else {
            continue;
        };
        with_builder(user.op, |b| {
            compute_in_user(b, &user, (&results, number), formula)
        });
    }
    with_builder(producer.op, |b| {
        let kept: Vec<usize> = (0..results.len()).filter(|at| *at != number).collect();
        let inputs = producer.inputs.len();
        let outputs: Vec<Value> = kept.iter().map(|at| producer.outputs[*at]).collect();
        let maps: Vec<AffineMap> = (0..inputs)
            .chain(kept.iter().map(|at| inputs + at))
            .map(|at| producer.maps[at])
            .collect();
        let rest = generic(b, &producer.inputs, &outputs, &maps, |b, elements| {
            let mut values = elements[..inputs].to_vec();
            // Destinations are not read: any value can replace the removed one.
            let places = &elements[inputs..];
            values.extend((0..results.len()).map(|at| places[at.min(places.len() - 1)]));
            let computed = producer.inline(b, &values);
            kept.iter().map(|at| computed[*at]).collect()
        });
        for (at, result) in kept.iter().zip(rest.results()) {
            b.replace_uses(results[*at], result);
        }
        b.erase(producer.op);
        rest
    })
}

/// Rebuilds a user so that it computes a result of the producer from others.
fn compute_in_user<'c>(
    b: &Builder<'c>,
    user: &Elementwise<'c>,
    (results, number): (&[Value<'c>], usize),
    formula: &Formula<'c>,
) {
    let kept: Vec<usize> = (0..user.inputs.len())
        .filter(|at| user.inputs[*at] != results[number])
        .collect();
    let inputs: Vec<Value> = kept.iter().map(|at| user.inputs[*at]).collect();
    let places = user.inputs.len()..user.maps.len();
    let maps: Vec<AffineMap> = kept.iter().copied().chain(places).map(|at| user.maps[at]).collect();
    let new = generic(b, &inputs, &user.outputs, &maps, |b, elements| {
        let mut map = ValueMap::new();
        for (value, result) in &formula.read {
            let position = element_of(user, results[*result]);
            let position = position.and_then(|at| kept.iter().position(|kept| *kept == at));
            if let Some(position) = position {
                map.insert(value.key(), elements[position]);
            }
        }
        for op in &formula.ops {
            b.clone_op(*op, &mut map);
        }
        let computed = mapped(&map, formula.value);
        let mut rest = elements.iter();
        let values: Vec<Value> = (0..user.maps.len())
            .filter_map(|at| {
                if kept.contains(&at) || at >= user.inputs.len() {
                    rest.next().copied()
                } else {
                    Some(computed)
                }
            })
            .collect();
        user.inline(b, &values)
    });
    b.replace(user.op, &new.results())
}
