//! `--halo-fold-add-into-dest`: accumulates sums of products in one destination.
//!
//! A recurrent cell computes `x W + h U + b`. The two products would be two matrices in memory,
//! which a third loop adds. A contraction accumulates into its destination, so that the second one
//! can start from the first instead of zeros:
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
//! The addend may also be an elementwise function of another product and of rows and columns, as in
//! `(x W + b) + h U`. It becomes a separate op, which the lowering of contractions fuses into the
//! first product as its epilogue.
//!
//! Upstream's `linalg-fold-add-into-dest` does the same, but only for `linalg.add`. The option
//! `explain` emits a remark with the reason for each sum of two products that stays separate.

use super::blocks_around_loops;
use crate::{
    explain::{Outcome, Reason},
    loops::{
        elementwise,
        fill::{filled_with, is_zero},
    },
};
use halo_ir::prelude::*;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Report why added products do not share an accumulator
        explain: bool = false,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-fold-add-into-dest",
    "Accumulate sums of products in one destination",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["linalg", "tensor"])
.options::<Options>();

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    for block in blocks_around_loops(pass.operation()) {
        for op in block.operations() {
            let mut user = Some(op);
            while let Some((op, sum)) = user.and_then(|op| Some((op, Sum::of(op)?.ok()?))) {
                user = with_builder(op, |b| sum.fold(b));
            }
            if let Some(op) = user
                && pass.options::<Options>().explain
                && let Some(Err((product, reason))) = Sum::of(op)
            {
                let decision = Outcome::NotAddedUp.because(reason);
                decision.remark(pass, product).note(op, "the sum");
            }
        }
    }
    Ok(())
}

/// A matrix product.
struct Product<'c> {
    op: Operation<'c>,
    /// The op that accumulates.
    add: &'static str,
    starts_from_zero: bool,
}

impl<'c> Product<'c> {
    fn of(value: Value<'c>) -> Option<Self> {
        let op = value.defining_op()?;
        let generic = op.cast::<linalg::GenericOp>()?;
        let maps = op.indexing_maps()?;
        let kinds = generic.iterator_types();
        let (inputs, outputs) = (generic.inputs(), generic.outputs());
        let is_product = inputs.len() == 2
            && outputs.len() == 1
            && kinds.contains(&IteratorType::Reduction)
            && maps.iter().all(AffineMap::is_projected_permutation);
        let fill = outputs.first()?.defining_op().and_then(|fill| filled_with(fill));
        Some(Self {
            op,
            add: addition(op)?,
            starts_from_zero: fill.is_some_and(is_zero),
        })
        .filter(|_| is_product)
    }
}

/// The op that accumulates in the body of a reduction with one result.
fn addition(op: Operation) -> Option<&'static str> {
    let body = op.body(0)?;
    let result = *body.arguments().last()?;
    let [yielded] = body.terminator()?.operands()[..] else {
        return None;
    };
    let add = yielded.defining_op()?;
    let name = [arith::AddFOp::NAME, arith::AddIOp::NAME]
        .into_iter()
        .find(|name| add.name() == *name)?;
    (result.has_one_use() && add.operands().contains(&result)).then_some(name)
}

/// The sum of a product and an addend in the body of an elementwise op.
struct Sum<'c> {
    op: Operation<'c>,
    body: Block<'c>,
    /// The op that adds the product.
    add: Operation<'c>,
    /// The position of the product among the inputs.
    product: usize,
    addend: Addend<'c>,
}

/// The addend of a product.
enum Addend<'c> {
    /// Another product, the input in this position.
    Product(usize),
    /// The result of these ops of the body, on another product and on operands smaller than
    /// matrices.
    Formula(Vec<Operation<'c>>),
}

/// A product that cannot accumulate into another one, with the reason.
type Left<'c> = (Operation<'c>, Reason);

impl<'c> Sum<'c> {
    /// The first sum of two products in an op that can share an accumulator, else the reason for
    /// the first sum that cannot; `None` if the op has no such sum.
    fn of(op: Operation<'c>) -> Option<Result<Self, Left<'c>>> {
        let generic = op.cast::<linalg::GenericOp>()?;
        let maps = op.indexing_maps()?;
        let body = op.body(0)?;
        let kinds = generic.iterator_types();
        let outputs = &maps[generic.inputs().len()..];
        if !kinds.iter().all(|kind| *kind == IteratorType::Parallel)
            || !outputs.iter().all(AffineMap::is_identity)
        {
            return None;
        }
        let mut left = None;
        for add in body.operations() {
            let [one, other] = add.operands()[..] else {
                continue;
            };
            // The second of two products accumulates into the first.
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

    /// The sum by which an op adds a product to an earlier value.
    fn by(
        (op, body, add): (Operation<'c>, Block<'c>, Operation<'c>),
        last: Value<'c>,
        first: Value<'c>,
    ) -> Option<Result<Self, Left<'c>>> {
        let (product, found, verdict) = product_of(op, last)?;
        if add.name() != found.add {
            return None;
        }
        let addend = match product_of(op, first) {
            Some((_, earlier, Err(reason))) => Err((earlier.op, reason)),
            Some((other, earlier, Ok(()))) if earlier.op.is_before(found.op) => {
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

    /// Rewrites the two products and the op. Returns the replacement of the op, if any.
    fn fold(&self, b: &Builder<'c>) -> Option<Operation<'c>> {
        let inputs = self.op.operands();
        let old = inputs[self.product];
        let start = match &self.addend {
            Addend::Product(position) => inputs[*position],
            Addend::Formula(ops) => self.compute(b, ops, old),
        };
        let product = old.defining_op()?;
        let zeros = product.operands()[2];
        let mut map = ValueMap::from([(zeros.key(), start)]);
        let sum = b.clone_op(product, &mut map).results()[0];
        let element = self.body.arguments()[self.product];
        b.replace_uses(self.add.results()[0], element);
        b.erase(self.add);
        if let Addend::Formula(ops) = &self.addend {
            for op in ops.iter().rev() {
                b.erase(*op);
            }
        }
        let yielded = self.body.terminator().map(Operation::operands);
        if yielded.is_some_and(|yielded| yielded == [element]) {
            b.replace(self.op, &[sum]);
            b.erase(product);
            return None;
        }
        let rest = self.rebuild(b, sum);
        b.erase(product);
        Some(rest)
    }

    /// Computes a formula for all elements.
    fn compute(&self, b: &Builder<'c>, ops: &[Operation<'c>], like: Value<'c>) -> Value<'c> {
        let empty = tensor::empty(b, &[], like.ty());
        let read: Vec<Value> = ops.iter().flat_map(|op| op.operands()).collect();
        let maps = self.op.indexing_maps().unwrap_or_default();
        let arguments = self.body.arguments();
        let kept: Vec<usize> = (0..arguments.len())
            .filter(|position| read.contains(&arguments[*position]))
            .collect();
        let inputs: Vec<Value> =
            kept.iter().map(|position| self.op.operands()[*position]).collect();
        let places = maps.last().copied();
        let maps: Vec<AffineMap> =
            kept.iter().map(|position| maps[*position]).chain(places).collect();
        let generic = elementwise::generic(b, &inputs, &[empty], &maps, |b, elements| {
            let mut map = ValueMap::new();
            for (position, element) in kept.iter().zip(elements) {
                map.insert(arguments[*position].key(), *element);
            }
            for op in ops {
                b.clone_op(*op, &mut map);
            }
            let last = ops.last().map(|op| mapped(&map, op.results()[0]));
            last.into_iter().collect()
        });
        generic.results()[0]
    }

    /// Rebuilds the op with the sum instead of the product, without unused inputs.
    fn rebuild(&self, b: &Builder<'c>, sum: Value<'c>) -> Operation<'c> {
        let arguments = self.body.arguments();
        let operands = self.op.operands();
        let outputs = self.op.results().len();
        let maps = self.op.indexing_maps().unwrap_or_default();
        let kept: Vec<usize> = (0..operands.len() - outputs)
            .filter(|position| !arguments[*position].is_unused())
            .collect();
        let inputs: Vec<Value> = kept
            .iter()
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
            b.clone_body(self.body, &values)
        });
        b.replace(self.op, &rest.results());
        rest
    }
}

/// The product that a body argument of an op reads, its position among the inputs, and an error
/// unless the op reads it only there and element by element.
fn product_of<'c>(
    op: Operation<'c>,
    element: Value<'c>,
) -> Option<(usize, Product<'c>, Result<(), Reason>)> {
    let (_, position) =
        element.as_block_argument().filter(|(body, _)| op.body(0) == Some(*body))?;
    let input = *op.cast::<linalg::GenericOp>()?.inputs().get(position)?;
    let is_element = op.indexing_map(position)?.is_identity();
    let product = Product::of(input)?;
    let verdict = if product.op.block() != op.block() {
        Err(Reason::ComputedOutsideOfLoop)
    } else if !input.has_one_use() || !element.has_one_use() {
        Err(Reason::UsedElsewhere)
    } else if !is_element {
        Err(Reason::SumPermutesElements)
    } else {
        Ok(())
    };
    Some((position, product, verdict))
}

/// The ops that compute a value in the body of an op from a product, in order. They must have no
/// other uses and be computable per tile of the product, else the error has the reason. `None` if
/// the value does not depend on a product.
fn formula<'c>(
    op: Operation<'c>,
    body: Block<'c>,
    add: Operation<'c>,
    value: Value<'c>,
) -> Option<Result<Vec<Operation<'c>>, Reason>> {
    let is_of_body = |value: Value<'c>| value.defining_op().filter(|op| op.block() == Some(body));
    let sizes = op.results().first()?.ty().static_shape()?;
    let mut verdict = if sizes.contains(&1) {
        Err(Reason::VectorHasNoTiles)
    } else {
        Ok(())
    };
    let maps = op.indexing_maps()?;
    let mut pending: Vec<Operation> = is_of_body(value).into_iter().collect();
    let mut ops = Vec::new();
    let mut products = 0;
    while let Some(next) = pending.pop() {
        if ops.contains(&next) {
            continue;
        }
        ops.push(next);
        let is_alone = matches!(next.results()[..], [result] if result.has_one_use());
        if !is_alone || next.region_count() > 0 || !next.is_before(add) {
            verdict = verdict.and(Err(Reason::AddendUsedElsewhere));
        }
        for operand in next.operands() {
            pending.extend(is_of_body(operand));
            let is_matrix = operand
                .as_block_argument()
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
    ops.sort_by_key(|op| body.operations().iter().position(|other| other == op));
    (products > 0).then(|| verdict.map(|()| ops))
}
