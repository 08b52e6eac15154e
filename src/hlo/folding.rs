//! Folding of ops: the values that MLIR's canonicalizer, constant propagation
//! and inliner replace results by.
//!
//! Folding is cheap and always valid. An op that changes nothing is replaced by
//! its operand, a branch on a constant by the results of the branch, and an op
//! on small constants by the interpreter's result, unless the result would be
//! much larger than the operands; a module may restrict or disable the
//! evaluation. Passes do the transforms that cost more or lose information.

pub mod constants;

use crate::{interpreter, matchers::is_iota};
use constants::Limits;
use halo_ir::{dense_from_integers, ops::halo, prelude::*, semantics::FoldResult, splat_attribute};

/// The limits of evaluation.
const LIMITS: Limits = Limits {
    elements: 1024,
    growth: 16,
};

/// The limits of evaluation for an op.
fn limits_of(op: Operation) -> Option<Limits> {
    let mut outermost = op;
    while let Some(parent) = outermost.parent() {
        outermost = parent;
    }
    let limit = outermost.attribute(halo::FOLD_ELEMENT_LIMIT).and_then(Attribute::integer_value);
    match limit {
        None => Some(LIMITS),
        Some(elements) => (elements > 0).then_some(Limits { elements, ..LIMITS }),
    }
}

type Folded<'c> = Option<Vec<FoldResult<'c, 'c>>>;

/// Returns true if ops of this name are ever folded.
pub fn folds(name: &str) -> bool {
    let structural = [
        chlo::ConstantLikeOp::NAME,
        stablehlo::CaseOp::NAME,
        stablehlo::GetTupleElementOp::NAME,
        stablehlo::IfOp::NAME,
        stablehlo::WhileOp::NAME,
    ];
    structural.contains(&name)
        || (name != stablehlo::ConstantOp::NAME && interpreter::is_pure(name))
}

/// The folded results of an op, given the values of its constant operands.
pub fn fold<'c>(op: Operation<'c>, constants: &[Option<Attribute<'c>>]) -> Folded<'c> {
    if let Some(like) = op.cast::<chlo::ConstantLikeOp>() {
        return constant_like(like);
    }
    let structural = fold_structure(op, constants);
    if structural.is_some() {
        return structural;
    }
    let operands = constants.iter().copied().collect::<Option<Vec<_>>>()?;
    if operands.is_empty() {
        return None;
    }
    let results = constants::evaluate(op, &operands, limits_of(op)?)?;
    Some(results.into_iter().map(FoldResult::Attribute).collect())
}

/// The folds without evaluation.
fn fold_structure<'c>(op: Operation<'c>, constants: &[Option<Attribute<'c>>]) -> Folded<'c> {
    match op.name() {
        stablehlo::BitcastConvertOp::NAME
        | stablehlo::ConvertOp::NAME
        | stablehlo::ReshapeOp::NAME => identity(op),
        stablehlo::BroadcastInDimOp::NAME => {
            let broadcast = op.cast::<stablehlo::BroadcastInDimOp>()?;
            is_iota(&broadcast.broadcast_dimensions()).then(|| identity(op))?
        }
        stablehlo::CaseOp::NAME | stablehlo::IfOp::NAME => branch(op, constants),
        stablehlo::ConcatenateOp::NAME if op.operand_count() == 1 => identity(op),
        stablehlo::GetDimensionSizeOp::NAME => dimension_size(op.cast()?),
        stablehlo::GetTupleElementOp::NAME => tuple_element(op.cast()?),
        stablehlo::PadOp::NAME => pad(op.cast()?),
        stablehlo::ReverseOp::NAME => {
            let reverse = op.cast::<stablehlo::ReverseOp>()?;
            reverse.dimensions().is_empty().then(|| identity(op))?
        }
        stablehlo::SelectOp::NAME => select(op.cast()?, constants),
        stablehlo::SliceOp::NAME => whole_slice(op.cast()?),
        stablehlo::TransposeOp::NAME => {
            let transpose = op.cast::<stablehlo::TransposeOp>()?;
            is_iota(&transpose.permutation()).then(|| identity(op))?
        }
        stablehlo::WhileOp::NAME => loop_without_iteration(op.cast()?),
        _ => None,
    }
}

/// The value, if it has the type of the op's result.
fn same_type<'c>(result: Value<'c>, value: Value<'c>) -> Folded<'c> {
    (result.ty() == value.ty()).then(|| vec![FoldResult::Value(value)])
}

/// The values, if they have the types of the op's results.
fn same_types<'c>(results: &[Value<'c>], values: Vec<Value<'c>>) -> Folded<'c> {
    let agree = values.len() == results.len()
        && values.iter().zip(results).all(|(value, result)| value.ty() == result.ty());
    agree.then(|| values.into_iter().map(FoldResult::Value).collect())
}

/// The first operand, if it has the type of the result.
fn identity<'c>(op: Operation<'c>) -> Folded<'c> {
    let operand = op.operands().first().copied()?;
    (op.result_types() == [operand.ty()]).then(|| vec![FoldResult::Value(operand)])
}

fn pad<'c>(op: stablehlo::PadOp<'c>) -> Folded<'c> {
    let amounts = [
        op.edge_padding_low(),
        op.edge_padding_high(),
        op.interior_padding(),
    ];
    let is_nothing = amounts.iter().flatten().all(|amount| *amount == 0);
    is_nothing.then(|| identity(op.operation()))?
}

fn whole_slice<'c>(op: stablehlo::SliceOp<'c>) -> Folded<'c> {
    op.operand().ty().element_count()?;
    identity(op.operation())
}

fn tuple_element<'c>(op: stablehlo::GetTupleElementOp<'c>) -> Folded<'c> {
    let tuple = op.operand().defined_by::<stablehlo::TupleOp>()?;
    let value = *tuple.val().get(usize::try_from(op.index()).ok()?)?;
    same_type(op.result(), value)
}

fn dimension_size<'c>(op: stablehlo::GetDimensionSizeOp<'c>) -> Folded<'c> {
    let shape = op.operand().ty().shape()?;
    let size = (*shape.get(usize::try_from(op.dimension()).ok()?)?)?;
    let value = dense_from_integers(op.result().ty(), &[size])?;
    Some(vec![FoldResult::Attribute(value)])
}

fn select<'c>(op: stablehlo::SelectOp<'c>, constants: &[Option<Attribute<'c>>]) -> Folded<'c> {
    let (on_true, on_false) = (op.on_true(), op.on_false());
    let chosen = if on_true == on_false || (*constants.first()?)?.splat_integer()? != 0 {
        on_true
    } else {
        on_false
    };
    same_type(op.result(), chosen)
}

/// A branch on a constant that only returns captured values. The true branch of `if` is the first;
/// an index out of range selects the last.
fn branch<'c>(op: Operation<'c>, constants: &[Option<Attribute<'c>>]) -> Folded<'c> {
    let number = (*constants.first()?)?.splat_integer()?;
    let count = op.region_count();
    let chosen = if op.isa::<stablehlo::IfOp>() {
        usize::from(number == 0)
    } else {
        usize::try_from(number)
            .ok()
            .filter(|number| *number < count)
            .unwrap_or(count.checked_sub(1)?)
    };
    let body = op.body(chosen)?;
    let [terminator] = body.operations()[..] else {
        return None;
    };
    same_types(&op.results(), terminator.operands())
}

/// A loop whose condition is the constant false.
fn loop_without_iteration<'c>(op: stablehlo::WhileOp<'c>) -> Folded<'c> {
    let condition = op.operation().body(0)?;
    let operations = condition.operations();
    let (terminator, before) = operations.split_last()?;
    let goes_on = *terminator.operands().first()?;
    let constant = goes_on.defined_by::<stablehlo::ConstantOp>()?;
    if before.iter().any(|op| !op.isa::<stablehlo::ConstantOp>())
        || constant.value().splat_integer()? != 0
    {
        return None;
    }
    same_types(&op.results(), op.operand())
}

/// `chlo.constant_like` of a known shape.
fn constant_like<'c>(op: chlo::ConstantLikeOp<'c>) -> Folded<'c> {
    let ty = op.result().ty();
    ty.element_count()?;
    let element = ty.element_type();
    let number = constants::element_of(op.context(), op.value(), element)?;
    let constant = splat_attribute(ty, number);
    Some(vec![FoldResult::Attribute(constant)])
}
