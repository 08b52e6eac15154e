//! Reductions whose body selects one of two elements, such as `argmax`.
//!
//! The elements are tuples, such as a value and its index. No single op of the body combines them:
//! the body compares, combines the results of comparisons, and selects. Such a body depends only on
//! the order of its operands, so three values of each type, and NaN, represent all values.
//! Evaluating the body for all tuples of them decides whether elements may be combined in another
//! order.
//!
//! ```mlir
//! ^bb0(%x: f32, %out: f32, %out_index: i32):
//!   %index = ... // of linalg.index
//!   %0 = arith.cmpf ogt, %out, %x : f32
//!   %1 = arith.cmpf oeq, %out, %x : f32
//!   %2 = arith.cmpi slt, %out_index, %index : i32
//!   %3 = arith.andi %1, %2 : i1
//!   %4 = arith.ori %0, %3 : i1
//!   %5 = arith.select %0, %out, %x : f32
//!   %6 = arith.select %4, %out_index, %index : i32
//!   linalg.yield %5, %6 : f32, i32
//! ```

use super::loop_nest::LoopNest;
use halo_ir::prelude::*;
use std::collections::{HashMap, HashSet};

/// The maximum number of results of an analyzed reduction.
const MOST_RESULTS: usize = 3;

/// A body that selects between the outputs and an element.
pub struct Selection<'c> {
    /// The ops that depend on the outputs, in order.
    pub operations: Vec<Operation<'c>>,
    /// The value of the body that is compared with each output.
    pub elements: Vec<Value<'c>>,
    /// The effect of NaN.
    pub nans: Nans,
}

/// The effect of NaN on a selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nans {
    /// The order of elements does not matter.
    AnyOrder,
    /// The order matters, and a float result is NaN exactly if one of its elements is.
    Kept,
}

impl<'c> Selection<'c> {
    /// The selection that the body of a nest computes, if elements other than NaN may be combined
    /// in any order, and repeatedly.
    pub fn of(nest: &LoopNest<'c>) -> Option<Self> {
        let outputs = nest.body.arguments().split_off(nest.input_count);
        let end = nest.body.terminator()?;
        let mut kinds = Kinds::default();
        let mut depends: HashSet<usize> = outputs.iter().map(|output| output.key()).collect();
        let mut operations = Vec::new();
        let mut leaves: Vec<Value> = Vec::new();
        for op in nest.body.operations() {
            let operands = op.operands();
            let is_dependent = |value: &Value| depends.contains(&value.key());
            if op == end || !operands.iter().any(is_dependent) {
                continue;
            }
            for operand in &operands {
                let is_known = is_dependent(operand) || leaves.contains(operand);
                if !is_known && truth(*operand).is_none() {
                    leaves.push(*operand);
                }
            }
            kinds.visit(op)?;
            for result in op.results() {
                depends.insert(result.key());
            }
            operations.push(op);
        }
        let yielded = end.operands();
        for (output, value) in outputs.iter().zip(&yielded) {
            kinds.join(*output, *value);
        }
        let ordered = |value: &Value| is_ordered(*value);
        if outputs.is_empty()
            || outputs.len() > MOST_RESULTS
            || leaves.len() != outputs.len()
            || !outputs.iter().chain(&leaves).all(ordered)
        {
            return None;
        }
        let elements = outputs
            .iter()
            .map(|output| kinds.only_one(*output, &leaves, &outputs))
            .collect::<Option<Vec<_>>>()?;
        let mut selection = Self {
            operations,
            elements,
            nans: Nans::AnyOrder,
        };
        selection.nans = Table::of(&selection, &outputs, &yielded)?.nans()?;
        Some(selection)
    }
}

/// Whether one comparison totally orders the values of a type.
fn is_ordered(value: Value) -> bool {
    let ty = value.ty();
    let bits = ty.bit_width().unwrap_or_default();
    if ty.is_float() {
        ty.float_kind().is_some() && bits >= 16
    } else {
        ty.is_integer() && bits >= 8
    }
}

/// The value of a constant of type i1.
fn truth(value: Value) -> Option<bool> {
    (value.ty().bit_width() == Some(1))
        .then(|| arith::constant_integer(value))?
        .map(|bit| bit.unsigned() != 0)
}

/// Classes of values that are compared with each other or selected.
#[derive(Default)]
struct Kinds {
    /// The representative of another value of the class (union-find).
    parents: HashMap<usize, usize>,
    /// Whether values are compared as signed integers.
    signed: HashMap<usize, bool>,
}

impl Kinds {
    fn find(&self, mut key: usize) -> usize {
        while let Some(parent) = self.parents.get(&key) {
            key = *parent;
        }
        key
    }

    fn join(&mut self, left: Value, right: Value) {
        let (left, right) = (self.find(left.key()), self.find(right.key()));
        if left != right {
            self.parents.insert(left, right);
        }
    }

    /// Records the comparisons and selections of an op; `None` for other ops.
    fn visit(&mut self, op: Operation) -> Option<()> {
        let operands = op.operands();
        let is_truth = |value: &Value| value.ty().bit_width() == Some(1);
        match op.name() {
            arith::CmpFOp::NAME => self.join(operands[0], operands[1]),
            arith::CmpIOp::NAME if !operands.iter().any(is_truth) => {
                self.join(operands[0], operands[1]);
            }
            arith::AndIOp::NAME | arith::OrIOp::NAME | arith::XOrIOp::NAME => {
                return operands.iter().all(is_truth).then_some(());
            }
            arith::SelectOp::NAME => {
                let result = op.results()[0];
                if !is_truth(&result) {
                    self.join(operands[1], operands[2]);
                    self.join(result, operands[1]);
                }
            }
            arith::MaximumFOp::NAME
            | arith::MinimumFOp::NAME
            | arith::MaxNumFOp::NAME
            | arith::MinNumFOp::NAME => {
                self.join(operands[0], operands[1]);
                self.join(op.results()[0], operands[0]);
            }
            arith::MaxSIOp::NAME
            | arith::MinSIOp::NAME
            | arith::MaxUIOp::NAME
            | arith::MinUIOp::NAME
                if !operands.iter().any(is_truth) =>
            {
                self.join(operands[0], operands[1]);
                self.join(op.results()[0], operands[0]);
            }
            _ => return None,
        }
        if let Some(signed) = signedness(op) {
            for operand in operands {
                let key = operand.key();
                if *self.signed.entry(key).or_insert(signed) != signed {
                    return None;
                }
            }
        }
        Some(())
    }

    /// The only leaf in the class of an output, if the class has no other output. Integers with
    /// both signed and unsigned comparisons have two orders.
    fn only_one<'c>(
        &self,
        output: Value<'c>,
        leaves: &[Value<'c>],
        outputs: &[Value<'c>],
    ) -> Option<Value<'c>> {
        let kind = self.find(output.key());
        let of_kind = |value: &&Value<'c>| self.find(value.key()) == kind;
        let mut signs = self.signed.iter().filter(|(key, _)| self.find(**key) == kind);
        let sign = signs.next();
        let mut found = leaves.iter().filter(of_kind);
        let leaf = *found.next()?;
        (found.next().is_none()
            && outputs.iter().filter(of_kind).count() == 1
            && leaf.ty() == output.ty()
            && signs.all(|other| Some(other.1) == sign.map(|sign| sign.1)))
        .then_some(leaf)
    }
}

/// Whether an op compares integers as signed; `None` for other ops.
fn signedness(op: Operation) -> Option<bool> {
    match op.name() {
        arith::MaxSIOp::NAME | arith::MinSIOp::NAME => Some(true),
        arith::MaxUIOp::NAME | arith::MinUIOp::NAME => Some(false),
        _ => match op.cast::<arith::CmpIOp>()?.predicate() {
            CmpIPredicate::Eq | CmpIPredicate::Ne => None,
            CmpIPredicate::Slt | CmpIPredicate::Sle | CmpIPredicate::Sgt | CmpIPredicate::Sge => {
                Some(true)
            }
            _ => Some(false),
        },
    }
}

/// The results of a selection for each pair of tuples of few values.
struct Table {
    /// The tuples.
    tuples: Vec<Vec<f64>>,
    /// The number of the tuple that is selected from two.
    selected: Vec<Vec<usize>>,
}

impl Table {
    fn of(selection: &Selection, outputs: &[Value], yielded: &[Value]) -> Option<Self> {
        let mut tuples = vec![Vec::new()];
        for output in outputs {
            let values: &[f64] = if output.ty().is_float() {
                &[0.0, 1.0, 2.0, f64::NAN]
            } else {
                &[0.0, 1.0, 2.0]
            };
            let longer = tuples.iter().flat_map(|tuple: &Vec<f64>| {
                values.iter().map(|value| [&tuple[..], &[*value]].concat())
            });
            tuples = longer.collect();
        }
        let mut selected = Vec::new();
        for left in &tuples {
            let mut row = Vec::new();
            for right in &tuples {
                let mut values: HashMap<usize, f64> = HashMap::new();
                let pairs = outputs.iter().zip(left);
                for (value, number) in pairs.chain(selection.elements.iter().zip(right)) {
                    values.insert(value.key(), *number);
                }
                for op in &selection.operations {
                    let result = evaluate(*op, &values)?;
                    values.insert(op.results()[0].key(), result);
                }
                let result = yielded
                    .iter()
                    .map(|value| values.get(&value.key()).copied())
                    .collect::<Option<Vec<_>>>()?;
                row.push(tuples.iter().position(|tuple| equal(tuple, &result))?);
            }
            selected.push(row);
        }
        Some(Self { tuples, selected })
    }

    /// The effect of NaN, if the order of other elements does not matter.
    fn nans(&self) -> Option<Nans> {
        let all: Vec<usize> = (0..self.tuples.len()).collect();
        if self.is_any_order(&all) {
            return Some(Nans::AnyOrder);
        }
        let is_number = |tuple: &usize| !self.tuples[*tuple].iter().any(|value| value.is_nan());
        let numbers: Vec<usize> = all.iter().copied().filter(is_number).collect();
        let keeps = |left: usize, right: usize| {
            let results = &self.tuples[self.selected[left][right]];
            let pairs = self.tuples[left].iter().zip(&self.tuples[right]);
            results
                .iter()
                .zip(pairs)
                .all(|(result, (left, right))| result.is_nan() == (left.is_nan() || right.is_nan()))
        };
        let keeps_all = all.iter().all(|left| all.iter().all(|right| keeps(*left, *right)));
        (keeps_all && self.is_any_order(&numbers)).then_some(Nans::Kept)
    }

    /// Whether the selection, restricted to some tuples, is idempotent, commutative and
    /// associative.
    fn is_any_order(&self, tuples: &[usize]) -> bool {
        let select = |left: usize, right: usize| self.selected[left][right];
        tuples.iter().all(|a| {
            select(*a, *a) == *a
                && tuples.iter().all(|b| {
                    let ab = select(*a, *b);
                    ab == select(*b, *a)
                        && tuples.iter().all(|c| select(ab, *c) == select(*a, select(*b, *c)))
                })
        })
    }
}

fn equal(left: &[f64], right: &[f64]) -> bool {
    let mut pairs = left.iter().zip(right);
    pairs.all(|(left, right)| left == right || left.is_nan() && right.is_nan())
}

/// Evaluates an op of a selection; 1 is true.
fn evaluate(op: Operation, values: &HashMap<usize, f64>) -> Option<f64> {
    let numbers = op
        .operands()
        .into_iter()
        .map(|operand| match values.get(&operand.key()) {
            Some(number) => Some(*number),
            None => truth(operand).map(|truth| f64::from(u8::from(truth))),
        })
        .collect::<Option<Vec<_>>>()?;
    let (a, b) = (*numbers.first()?, *numbers.get(1)?);
    let is_nan = a.is_nan() || b.is_nan();
    let of_truth = |truth: bool| f64::from(u8::from(truth));
    Some(match op.name() {
        arith::CmpFOp::NAME => of_truth(compare_floats(
            op.cast::<arith::CmpFOp>()?.predicate(),
            (a, b),
        )),
        arith::CmpIOp::NAME => of_truth(match op.cast::<arith::CmpIOp>()?.predicate() {
            CmpIPredicate::Eq => a == b,
            CmpIPredicate::Ne => a != b,
            CmpIPredicate::Slt | CmpIPredicate::Ult => a < b,
            CmpIPredicate::Sle | CmpIPredicate::Ule => a <= b,
            CmpIPredicate::Sgt | CmpIPredicate::Ugt => a > b,
            CmpIPredicate::Sge | CmpIPredicate::Uge => a >= b,
        }),
        arith::AndIOp::NAME => of_truth(a != 0.0 && b != 0.0),
        arith::OrIOp::NAME => of_truth(a != 0.0 || b != 0.0),
        arith::XOrIOp::NAME => of_truth((a != 0.0) != (b != 0.0)),
        arith::SelectOp::NAME if a != 0.0 => b,
        arith::SelectOp::NAME => *numbers.get(2)?,
        arith::MaximumFOp::NAME | arith::MinimumFOp::NAME if is_nan => f64::NAN,
        arith::MaximumFOp::NAME
        | arith::MaxNumFOp::NAME
        | arith::MaxSIOp::NAME
        | arith::MaxUIOp::NAME => a.max(b),
        arith::MinimumFOp::NAME
        | arith::MinNumFOp::NAME
        | arith::MinSIOp::NAME
        | arith::MinUIOp::NAME => a.min(b),
        _ => return None,
    })
}

fn compare_floats(predicate: CmpFPredicate, (a, b): (f64, f64)) -> bool {
    let is_nan = a.is_nan() || b.is_nan();
    match predicate {
        CmpFPredicate::AlwaysFalse => false,
        CmpFPredicate::Oeq => a == b,
        CmpFPredicate::Ogt => a > b,
        CmpFPredicate::Oge => a >= b,
        CmpFPredicate::Olt => a < b,
        CmpFPredicate::Ole => a <= b,
        CmpFPredicate::One => !is_nan && a != b,
        CmpFPredicate::Ord => !is_nan,
        CmpFPredicate::Ueq => is_nan || a == b,
        CmpFPredicate::Ugt => is_nan || a > b,
        CmpFPredicate::Uge => is_nan || a >= b,
        CmpFPredicate::Ult => is_nan || a < b,
        CmpFPredicate::Ule => is_nan || a <= b,
        CmpFPredicate::Une => a != b,
        CmpFPredicate::Uno => is_nan,
        CmpFPredicate::AlwaysTrue => true,
    }
}
