//! Elements of arguments that sizes are computed from.
//!
//! A caller reads them before the run, as it does sizes. They are i64 arguments, whatever the type of
//! the element, and `halo.size_elements` lists their arguments and positions:
//!
//! ```mlir
//! func.func @main(%n: tensor<i32>) -> tensor<?xf32> {
//!   %0 = tensor.extract %n[] : tensor<i32>
//!   %1 = arith.index_cast %0 : i32 to index
//!   %2 = tensor.empty(%1) : tensor<?xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! func.func @main(%n: tensor<i32>, %e: i64) -> tensor<?xf32>
//!     attributes {halo.size_elements = array<i64: 0, 0>} {
//!   %0 = arith.trunci %e : i64 to i32
//!   %1 = arith.index_cast %0 : i32 to index
//!   halo.plan_sizes(%1)
//!   %2 = tensor.empty(%1) : tensor<?xf32>
//! ```

use super::dynamic_dimensions;
use crate::function::append_argument;
use halo_ir::{
    i64_array_attribute,
    ops::{arith::constant_index, halo::SIZE_ELEMENTS},
    prelude::*,
};
use std::collections::{BTreeMap, HashSet};

/// An element: the number of the argument, and the position in row-major order.
type Element = (i64, i64);

/// Makes the elements arguments that planned sizes, or sizes of other tensors, are computed from.
/// Returns these arguments.
pub fn bind<'c>(entry: Operation<'c>, planned: &[Value<'c>]) -> Option<Vec<Value<'c>>> {
    let mut pending = planned.to_vec();
    let sized = entry.collect_nested(|op| {
        op.name().starts_with("tensor.")
            && !op.isa::<tensor::ExtractSliceOp>()
            && op.result_types().into_iter().any(|ty| !dynamic_dimensions(ty).is_empty())
    });
    let operands = sized.into_iter().flat_map(Operation::operands);
    pending.extend(operands.filter(|operand| operand.ty().is_index()));
    let mut seen = HashSet::new();
    let mut needed: BTreeMap<Element, Option<Value>> = BTreeMap::new();
    while let Some(value) = pending.pop() {
        let Some(op) = value.defining_op().filter(|_| seen.insert(value.key())) else {
            continue;
        };
        if let Some(element) = element_of(op) {
            needed.insert(element, None);
        } else if op.name().starts_with("arith.") {
            pending.extend(op.operands());
        }
    }
    if needed.is_empty() {
        return Some(Vec::new());
    }
    let i64 = integer_type(entry.context(), 64);
    for argument in needed.values_mut() {
        *argument = Some(append_argument(entry, i64)?);
    }
    for op in entry.collect_nested(|op| op.isa::<tensor::ExtractOp>()) {
        let Some(argument) = element_of(op).and_then(|element| *needed.get(&element)?) else {
            continue;
        };
        with_builder(op, |b| {
            let ty = op.results()[0].ty();
            let element = if ty == i64 {
                argument
            } else {
                arith::cast(b, arith::trunci, argument, ty)
            };
            b.replace(op, &[element]);
        });
    }
    let listed: Vec<i64> =
        needed.keys().flat_map(|(number, position)| [*number, *position]).collect();
    entry.set_attribute(SIZE_ELEMENTS, i64_array_attribute(entry.context(), &listed));
    needed.into_values().collect()
}

/// The element of an integer argument of static shape that an op loads.
fn element_of(op: Operation<'_>) -> Option<Element> {
    let extract = op.cast::<tensor::ExtractOp>()?;
    let (block, number) = extract.tensor().as_block_argument()?;
    let ty = extract.tensor().ty();
    let is_of_entry = block.parent().is_some_and(|parent| parent.isa::<func::FuncOp>());
    let is_integer = ty.element_type().integer_width().is_some_and(|width| width <= 64);
    if !is_of_entry || !is_integer {
        return None;
    }
    let indices = extract.indices();
    let mut position = 0;
    for (size, index) in ty.static_shape()?.into_iter().zip(indices) {
        let index = constant_index(index).filter(|index| (0..size).contains(index))?;
        position = position * size + index;
    }
    Some((number as i64, position))
}
