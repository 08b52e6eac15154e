//! The function that combines two partial results of a reduction, from the body of its loop nest.
//!
//! The body of a reduction is `f(accumulators, elements)`, where the elements depend on inputs and
//! loop indices. The order of `stablehlo.reduce` is up to the implementation, so that `f` also
//! combines the results of adjacent parts: `f(left, right)`.
//!
//! ```mlir
//! ^bb0(%x: f32, %value: f32, %number: i32):  // the accumulators %value and %number
//!   %i = linalg.index 0 : index
//!   %own = arith.index_cast %i : index to i32
//!   %greater = arith.cmpf ogt, %x, %value : f32
//!   %0 = arith.select %greater, %x, %value : f32
//!   %1 = arith.select %greater, %own, %number : i32
//!   linalg.yield %0, %1 : f32, i32
//! ```
//!
//! has the elements `%x` and `%own`, which the results select instead of the accumulators. All other
//! values of the body must be functions of accumulators and elements.

use super::{
    loop_nest::{LoopNest, index_dimension},
    reduction::is_associative,
};
use halo_ir::prelude::*;
use std::collections::HashSet;

/// A reduction whose partial results can be combined.
pub struct Reducer<'c> {
    body: Block<'c>,
    accumulators: Vec<Value<'c>>,
    /// The value of the body that is combined with each accumulator.
    elements: Vec<Value<'c>>,
}

impl<'c> Reducer<'c> {
    /// The reducer of a nest that reduces every output over all reduction loops.
    pub fn of(nest: &LoopNest<'c>) -> Option<Self> {
        let reductions = (0..nest.dims.len()).filter(|dim| nest.dims[*dim].reduction);
        let is_reduced = |dim: usize| nest.outputs().iter().all(|output| output.stride(dim) == 0);
        if !reductions.into_iter().all(is_reduced) {
            return None;
        }
        let arguments = nest.body.arguments();
        let accumulators = arguments[nest.input_count..].to_vec();
        let dependent = dependent_values(nest.body, &accumulators);
        let results = nest.body.terminator()?.operands();
        let elements = accumulators
            .iter()
            .zip(results)
            .map(|(accumulator, result)| element_of(nest.body, (*accumulator, result), &dependent))
            .collect::<Option<_>>()?;
        let reducer = Self {
            body: nest.body,
            accumulators,
            elements,
        };
        reducer.is_complete().then_some(reducer)
    }

    /// The types of the results.
    pub fn types(&self) -> Vec<Type<'c>> {
        self.accumulators.iter().map(|accumulator| accumulator.ty()).collect()
    }

    /// The elements in a copy of the body.
    pub fn elements_in(&self, copy: &ValueMap<'c>) -> Vec<Value<'c>> {
        self.elements.iter().map(|element| mapped(copy, *element)).collect()
    }

    /// Combines the results of two adjacent parts.
    pub fn combine(
        &self,
        builder: &Builder<'c>,
        left: &[Value<'c>],
        right: &[Value<'c>],
    ) -> Vec<Value<'c>> {
        let mut map = ValueMap::new();
        for (own, value) in
            self.accumulators.iter().zip(left).chain(self.elements.iter().zip(right))
        {
            map.insert(own.key(), *value);
        }
        for operation in self.body.operations() {
            if self.is_computable(operation, &|value| map.contains_key(&value.key())) {
                builder.clone_op(operation, &mut map);
            }
        }
        self.yielded().into_iter().map(|value| mapped(&map, value)).collect()
    }

    fn yielded(&self) -> Vec<Value<'c>> {
        self.body.terminator().map(Operation::operands).unwrap_or_default()
    }

    /// Returns true if the results are functions of the accumulators and the elements.
    fn is_complete(&self) -> bool {
        let given = self.accumulators.iter().chain(&self.elements);
        let mut known: HashSet<usize> = given.map(|value| value.key()).collect();
        if known.len() != 2 * self.accumulators.len() {
            return false;
        }
        for operation in self.body.operations() {
            if self.is_computable(operation, &|value| known.contains(&value.key())) {
                known.extend(operation.results().into_iter().map(Value::key));
            }
        }
        self.yielded()
            .into_iter()
            .all(|value| known.contains(&value.key()) || !is_local(self.body, value))
    }

    /// Returns true if an op computes values from known ones.
    fn is_computable(
        &self,
        operation: Operation<'c>,
        is_known: &dyn Fn(Value<'c>) -> bool,
    ) -> bool {
        let is_new = !operation.results().into_iter().any(is_known);
        is_new
            && Some(operation) != self.body.terminator()
            && operation.collect_nested(|nested| index_dimension(nested).is_some()).is_empty()
            && used_by(operation)
                .into_iter()
                .all(|value| is_known(value) || !is_local(self.body, value))
            && index_dimension(operation).is_none()
    }
}

/// Returns true if a value is an argument of a block, or computed in it.
fn is_local<'c>(body: Block<'c>, value: Value<'c>) -> bool {
    match value.as_block_argument() {
        Some((block, _)) => block == body,
        None => value.defining_op().is_some_and(|operation| operation.block() == Some(body)),
    }
}

/// The operands of an op and of the ops inside of it.
fn used_by<'c>(operation: Operation<'c>) -> Vec<Value<'c>> {
    let mut used = Vec::new();
    operation.visit(&mut |nested| used.extend(nested.operands()));
    used
}

/// The accumulators and the values of a body that depend on them.
fn dependent_values<'c>(body: Block<'c>, accumulators: &[Value<'c>]) -> HashSet<usize> {
    let mut dependent: HashSet<usize> = accumulators.iter().map(|value| value.key()).collect();
    for operation in body.operations() {
        if used_by(operation).iter().any(|value| dependent.contains(&value.key())) {
            dependent.extend(operation.results().into_iter().map(Value::key));
        }
    }
    dependent
}

/// The value that is combined with an accumulator: the other value that selections choose from, or
/// the other operand of an associative op. Other ops may have absorbed a computation of the element:
/// `addi(sum, muli(%x, -1))` is `subi(sum, %x)`.
fn element_of<'c>(
    body: Block<'c>,
    (accumulator, result): (Value<'c>, Value<'c>),
    dependent: &HashSet<usize>,
) -> Option<Value<'c>> {
    let mut found = Vec::new();
    let mut pending = vec![result];
    while let Some(value) = pending.pop() {
        if value == accumulator {
            continue;
        }
        if !dependent.contains(&value.key()) {
            found.push(value);
            continue;
        }
        let operation = value.defining_op()?;
        match operation.cast::<arith::SelectOp>() {
            Some(select) => pending.extend([select.true_value(), select.false_value()]),
            None if is_associative(operation) && operation.operands().contains(&accumulator) => {
                pending.extend(operation.operands())
            }
            None => return None,
        }
    }
    found.dedup();
    let [element] = found[..] else {
        return None;
    };
    is_local(body, element).then_some(element)
}
