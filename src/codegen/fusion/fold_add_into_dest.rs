//! `--halo-fold-add-into-dest`: adds products up in one accumulator.
//!
//! A recurrent cell computes `x W + h U + b`. The two products would be two matrices in
//! memory, which a third loop reads to add them up. A product adds to what its
//! destination holds, so the second one starts from the first in place of zeros:
//!
//! ```mlir
//! %1 = linalg.generic (m, n, k) ins(%x, %w) outs(%zeros)
//! %2 = linalg.generic (m, n, k) ins(%h, %u) outs(%zeros)
//! %3 = linalg.generic (m, n) ins(%1, %2, %b) { tanh(addf(addf(%1, %2), %b)) }
//! ```
//!
//! becomes
//!
//! ```mlir
//! %1 = linalg.generic (m, n, k) ins(%x, %w) outs(%zeros)
//! %2 = linalg.generic (m, n, k) ins(%h, %u) outs(%1)
//! %3 = linalg.generic (m, n) ins(%2, %b) { tanh(addf(%2, %b)) }
//! ```
//!
//! What is added to a product may also be a formula of another one and of rows and
//! columns, as in `(x W + b) + h U`. It becomes an op of its own, which the lowering of
//! contractions computes with the first product's tiles.
//!
//! Upstream's `linalg-fold-add-into-dest` does the same for `linalg.add` alone. The option
//! `explain` makes a remark of each reason why two products that are added stay apart.

use super::blocks_around_loops;
use crate::{
    explain::{Outcome, Reason},
    loops::{
        elementwise,
        fill::{filled_with, is_zero},
    },
};
use halo_ir::{clone_body, prelude::*};

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Say why products that are added stay apart
        explain: bool = false,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-fold-add-into-dest",
    "Start a product from what is added to it",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["linalg", "tensor"])
.options::<Options>();

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    for block in blocks_around_loops(pass.operation()) {
        for op in operations_of(block) {
            let mut user = Some(op);
            while let Some((op, sum)) = user.and_then(|op| Some((op, Sum::of(op)?.ok()?))) {
                user = with_builder(op, |b| sum.fold(b))
                    .map_err(|error: BuildError| PassFailure::internal(op, error))?;
            }
            if let Some(op) = user
                && pass.options::<Options>().explain
                && let Some(Err((product, reason))) = Sum::of(op)
            {
                let decision = Outcome::NotAddedUp.because(reason);
                (decision.remark(pass, product)).note(op, "the sum");
            }
        }
    }
    Ok(())
}

/// A matrix product.
struct Product<'c> {
    op: Operation<'c>,
    /// The op that adds to an element.
    add: &'static str,
    starts_from_zero: bool,
}

impl<'c> Product<'c> {
    fn of(value: Value<'c>) -> Option<Self> {
        let (op, _) = defining_operation(value)?;
        let generic = op.cast::<linalg::GenericOp>()?;
        let maps = indexing_maps(op)?;
        let kinds = generic.iterator_types();
        let (inputs, outputs) = (generic.inputs(), generic.outputs());
        let is_product = inputs.len() == 2
            && outputs.len() == 1
            && kinds.contains(&IteratorType::Reduction)
            && maps.iter().all(AffineMap::is_projected_permutation);
        let fill = defining_operation(*outputs.first()?).and_then(|(fill, _)| filled_with(fill));
        Some(Self {
            op,
            add: addition(op)?,
            starts_from_zero: fill.is_some_and(is_zero),
        })
        .filter(|_| is_product)
    }
}

/// The op by which the body of a reduction adds to its one result.
fn addition(op: Operation) -> Option<&'static str> {
    let body = body_of(op, 0)?;
    let result = *arguments_of(body).last()?;
    let [yielded] = operands_of(terminator_of(body)?)[..] else {
        return None;
    };
    let (add, _) = defining_operation(yielded)?;
    let name = [arith::AddFOp::NAME, arith::AddIOp::NAME]
        .into_iter()
        .find(|name| name_of(add) == *name)?;
    (has_one_use(result) && operands_of(add).contains(&result)).then_some(name)
}

/// The sum of a product and of something else in the body of an elementwise op.
struct Sum<'c> {
    op: Operation<'c>,
    body: Block<'c>,
    /// The op that adds the product.
    add: Operation<'c>,
    /// The position of the product among the inputs.
    product: usize,
    addend: Addend<'c>,
}

/// What a product is added to.
enum Addend<'c> {
    /// Another product, the input in this position.
    Product(usize),
    /// The result of these ops of the body, on another product and on less than matrices.
    Formula(Vec<Operation<'c>>),
}

/// A product that is not added up with another one, and why.
type Left<'c> = (Operation<'c>, Reason);

impl<'c> Sum<'c> {
    /// The first sum of two products in an op that can be one accumulator, else why the
    /// first of all cannot; `None` if there is none.
    fn of(op: Operation<'c>) -> Option<Result<Self, Left<'c>>> {
        let generic = op.cast::<linalg::GenericOp>()?;
        let maps = indexing_maps(op)?;
        let body = body_of(op, 0)?;
        let kinds = generic.iterator_types();
        let outputs = &maps[generic.inputs().len()..];
        if !kinds.iter().all(|kind| *kind == IteratorType::Parallel)
            || !outputs.iter().all(AffineMap::is_identity)
        {
            return None;
        }
        let mut left = None;
        for add in operations_of(body) {
            let [one, other] = operands_of(add)[..] else {
                continue;
            };
            // Of two products, the second one starts from the first.
            for (last, first) in [(other, one), (one, other)] {
                match Self::by((op, body, add), last, first) {
                    Some(Ok(sum)) => return Some(Ok(sum)),
                    Some(Err(reason)) => {
                        left.get_or_insert(reason);
                    }
                    None => {}
                }
            }
        }
        left.map(Err)
    }

    /// The sum by which an op adds a product to what is computed before it.
    fn by(
        (op, body, add): (Operation<'c>, Block<'c>, Operation<'c>),
        last: Value<'c>,
        first: Value<'c>,
    ) -> Option<Result<Self, Left<'c>>> {
        let (product, found, verdict) = product_of(op, last)?;
        if name_of(add) != found.add {
            return None;
        }
        let addend = match product_of(op, first) {
            Some((_, earlier, Err(reason))) => Err((earlier.op, reason)),
            Some((other, earlier, Ok(()))) if earlier.op.is_before_in_block(found.op) => {
                Ok(Addend::Product(other))
            }
            Some(_) => return None,
            None => formula(op, body, add, first)?
                .map(Addend::Formula)
                .map_err(|reason| (found.op, reason)),
        };
        let verdict = if found.starts_from_zero {
            verdict
        } else {
            Err(Reason::StartsFromNonZero)
        };
        let verdict = verdict.map_err(|reason| (found.op, reason));
        Some(verdict.and(addend).map(|addend| Self {
            op,
            body,
            add,
            product,
            addend,
        }))
    }

    /// Rewrites the two products and the op, and returns the op that takes its place, if
    /// there is one.
    fn fold(&self, b: &Builder<'c>) -> Result<Option<Operation<'c>>, BuildError> {
        let inputs = operands_of(self.op);
        let old = inputs[self.product];
        let start = match &self.addend {
            Addend::Product(position) => inputs[*position],
            Addend::Formula(ops) => self.compute(b, ops, old)?,
        };
        let Some((product, _)) = defining_operation(old) else {
            return Ok(None);
        };
        let zeros = operands_of(product)[2];
        let mut map = ValueMap::from([(value_key(zeros), start)]);
        let sum = results_of(clone_operation(b, product, &mut map))[0];
        let element = arguments_of(self.body)[self.product];
        b.replace_uses(results_of(self.add)[0], element);
        b.erase(self.add)?;
        if let Addend::Formula(ops) = &self.addend {
            for op in ops.iter().rev() {
                b.erase(*op)?;
            }
        }
        let yielded = terminator_of(self.body).map(operands_of);
        if yielded.is_some_and(|yielded| yielded == [element]) {
            b.replace(self.op, &[sum])?;
            b.erase(product)?;
            return Ok(None);
        }
        let rest = self.rebuild(b, sum)?;
        b.erase(product)?;
        Ok(Some(rest))
    }

    /// The value of a formula for all elements.
    fn compute(
        &self,
        b: &Builder<'c>,
        ops: &[Operation<'c>],
        like: Value<'c>,
    ) -> Result<Value<'c>, BuildError> {
        let empty = tensor::empty(b, &[], like.r#type())?;
        let read: Vec<Value> = ops.iter().flat_map(|op| operands_of(*op)).collect();
        let maps = indexing_maps(self.op).unwrap_or_default();
        let arguments = arguments_of(self.body);
        let kept: Vec<usize> = (0..arguments.len())
            .filter(|position| read.contains(&arguments[*position]))
            .collect();
        let inputs: Vec<Value> =
            (kept.iter()).map(|position| operands_of(self.op)[*position]).collect();
        let places = maps.last().copied();
        let maps: Vec<AffineMap> =
            (kept.iter().map(|position| maps[*position])).chain(places).collect();
        let generic = elementwise::generic(b, &inputs, &[empty], &maps, |b, elements| {
            let mut map = ValueMap::new();
            for (position, element) in kept.iter().zip(elements) {
                map.insert(value_key(arguments[*position]), *element);
            }
            for op in ops {
                clone_operation(b, *op, &mut map);
            }
            let last = ops.last().map(|op| mapped(&map, results_of(*op)[0]));
            last.into_iter().collect()
        })?;
        Ok(results_of(generic)[0])
    }

    /// The op with the sum for the product, without the inputs that are not read any more.
    fn rebuild(&self, b: &Builder<'c>, sum: Value<'c>) -> Result<Operation<'c>, BuildError> {
        let arguments = arguments_of(self.body);
        let operands = operands_of(self.op);
        let outputs = results_of(self.op).len();
        let maps = indexing_maps(self.op).unwrap_or_default();
        let kept: Vec<usize> = (0..operands.len() - outputs)
            .filter(|position| !is_unused(arguments[*position]))
            .collect();
        let inputs: Vec<Value> = (kept.iter())
            .map(|position| {
                if *position == self.product {
                    sum
                } else {
                    operands[*position]
                }
            })
            .collect();
        let places = operands.len() - outputs..operands.len();
        let maps: Vec<AffineMap> = (kept.iter().copied().chain(places.clone()))
            .map(|position| maps[position])
            .collect();
        let outputs = &operands[places.clone()];
        let rest = elementwise::generic(b, &inputs, outputs, &maps, |b, elements| {
            let mut values = arguments.clone();
            for (position, element) in kept.iter().copied().chain(places).zip(elements) {
                values[position] = *element;
            }
            clone_body(b, self.body, &values)
        })?;
        b.replace(self.op, &results_of(rest))?;
        Ok(rest)
    }
}

/// The product that an element in the body of an op is of, its position among the inputs,
/// and whether the op reads it there only and element by element.
fn product_of<'c>(
    op: Operation<'c>,
    element: Value<'c>,
) -> Option<(usize, Product<'c>, Result<(), Reason>)> {
    let (_, position) =
        block_argument(element).filter(|(body, _)| body_of(op, 0) == Some(*body))?;
    let input = *op.cast::<linalg::GenericOp>()?.inputs().get(position)?;
    let is_element = indexing_maps(op)?.get(position)?.is_identity();
    let product = Product::of(input)?;
    let verdict = if product.op.block() != op.block() {
        Err(Reason::ComputedOutsideOfLoop)
    } else if !has_one_use(input) || !has_one_use(element) {
        Err(Reason::UsedElsewhere)
    } else if !is_element {
        Err(Reason::SumPermutesElements)
    } else {
        Ok(())
    };
    Some((position, product, verdict))
}

/// The ops that compute a value in the body of an op from a product, in order, if nothing
/// else needs them and they can be computed with the product's tiles, or why not; `None` if
/// the value does not depend on a product.
fn formula<'c>(
    op: Operation<'c>,
    body: Block<'c>,
    add: Operation<'c>,
    value: Value<'c>,
) -> Option<Result<Vec<Operation<'c>>, Reason>> {
    let is_of_body = |value: Value<'c>| {
        defining_operation(value)
            .map(|(op, _)| op)
            .filter(|op| op.block() == Some(body))
    };
    let sizes = static_shape_of(results_of(op).first()?.r#type())?;
    let mut verdict = if sizes.contains(&1) {
        Err(Reason::VectorHasNoTiles)
    } else {
        Ok(())
    };
    let maps = indexing_maps(op)?;
    let mut pending: Vec<Operation> = is_of_body(value).into_iter().collect();
    let mut ops = Vec::new();
    let mut products = 0;
    while let Some(next) = pending.pop() {
        if ops.contains(&next) {
            continue;
        }
        ops.push(next);
        let is_alone = matches!(results_of(next)[..], [result] if has_one_use(result));
        if !is_alone || next.region_count() > 0 || !next.is_before_in_block(add) {
            verdict = verdict.and(Err(Reason::AddendUsedElsewhere));
        }
        for operand in operands_of(next) {
            pending.extend(is_of_body(operand));
            let is_matrix = block_argument(operand)
                .is_some_and(|(block, position)| block == body && maps[position].is_identity());
            match product_of(op, operand) {
                Some((_, _, own)) if own.is_ok() || is_matrix => {
                    products += 1;
                    verdict = verdict.and(own);
                }
                None if is_matrix => {
                    verdict = verdict.and(Err(Reason::AddendReadsMatrix));
                }
                _ => {}
            }
        }
    }
    if products > 1 {
        verdict = verdict.and(Err(Reason::AddedToSeveralProducts));
    }
    ops.sort_by_key(|op| operations_of(body).iter().position(|other| other == op));
    (products > 0).then(|| verdict.map(|()| ops))
}
