//! Types that hold in all iterations of a loop, and for all branches of a conditional.

use super::{Refinement, refine_values};
use crate::semantics::{Dim, dims_of, refine_type, tensor_of, types_agree};
use halo_ir::prelude::*;

/// How often the types of a loop are widened before those that it declares are taken.
const MOST_WIDENINGS: usize = 2;

impl<'c> Refinement<'c> {
    /// Refines a loop by the types of its operands. If its body returns other types, it is
    /// refined again, by types that hold for both, until they hold for what the body returns.
    pub(super) fn while_loop(&mut self, operation: Operation<'c>) -> Result<(), PassFailure> {
        let declared = operation.body(0).map(Block::arguments).unwrap_or_default().types();
        let inits = operation.operands().types();
        let mut types = refined(&declared, &inits);
        let mut current = operation;
        for _ in 0..MOST_WIDENINGS {
            if types == declared {
                break;
            }
            let original = with_builder(current, |b| b.copy(current));
            self.iterations(current, &types)?;
            let returned = returned_types(current, 1);
            let holds = types.iter().zip(&returned).all(|(all, one)| is_instance(*one, *all));
            if holds && returned.len() == types.len() {
                with_builder(original, |b| b.erase(original));
                reconcile(current);
                return Ok(());
            }
            let joined = types.iter().zip(&returned).map(|(left, right)| joined(*left, *right));
            types = refined(&declared, &joined.collect::<Vec<_>>());
            with_builder(current, |b| b.replace(current, &original.results()));
            current = original;
        }
        self.iterations(current, &declared)?;
        reconcile(current);
        Ok(())
    }

    /// Refines the regions of a loop for types of its values, which its results have too.
    fn iterations(
        &mut self,
        operation: Operation<'c>,
        types: &[Type<'c>],
    ) -> Result<(), PassFailure> {
        for block in operation.blocks() {
            refine_values(&block.arguments(), types);
            self.block(block)?;
        }
        refine_values(&operation.results(), types);
        Ok(())
    }
}

/// Converts the values that enter a loop, and those that its body returns, to types that hold
/// for both, where they contradict each other.
fn convert_carried<'c>(operation: Operation<'c>, types: &[Type<'c>]) {
    let returned = returned_types(operation, 1);
    let inits = operation.operands().types();
    let Some(terminator) = operation.body(1).and_then(Block::terminator) else {
        return;
    };
    for (number, ty) in types.iter().enumerate() {
        let (Some(init), Some(last)) = (inits.get(number), returned.get(number)) else {
            continue;
        };
        if !types_agree(*last, *init) {
            convert_operand(operation, number, *ty);
            convert_operand(terminator, number, *ty);
        }
    }
}

/// Converts the values that the branches of a conditional return, where their types contradict
/// each other, to one that holds for all.
fn join_branches(operation: Operation) {
    let branches: Vec<Vec<Type>> = (0..operation.region_count())
        .map(|region| returned_types(operation, region))
        .collect();
    for (number, declared) in operation.result_types().into_iter().enumerate() {
        let returned: Vec<Type> =
            branches.iter().filter_map(|branch| branch.get(number).copied()).collect();
        let Some((first, rest)) = returned.split_first() else {
            continue;
        };
        if rest.iter().all(|ty| types_agree(*first, *ty)) {
            continue;
        }
        let all = rest.iter().fold(*first, |all, one| joined(all, *one));
        let all = refine_type(declared, all).unwrap_or(declared);
        for region in 0..branches.len() {
            if let Some(terminator) = operation.body(region).and_then(Block::terminator) {
                convert_operand(terminator, number, all);
            }
        }
    }
}

/// Converts the values that enter a loop or leave a region of it, or of a conditional, where
/// their types contradict each other.
pub fn reconcile(operation: Operation) {
    if operation.isa::<stablehlo::WhileOp>() {
        let arguments = operation.body(1).map(Block::arguments).unwrap_or_default();
        convert_carried(operation, &arguments.types())
    } else if operation.isa::<stablehlo::IfOp>() || operation.isa::<stablehlo::CaseOp>() {
        join_branches(operation)
    }
}

/// Converts the operand of an op that sets a size beyond the one that was found for the operand,
/// as it may within the bound, to a type of that bound.
pub(super) fn keep_bound(cut: stablehlo::SetDimensionSizeOp) {
    let (operand, result) = (cut.operand().ty(), cut.result().ty());
    let (Some(mut dims), Some(to)) = (dims_of(operand), dims_of(result)) else {
        return;
    };
    let at = usize::try_from(cut.dimension()).unwrap_or(usize::MAX);
    let limits = [&dims, &to].map(|dims| dims.get(at).and_then(|dim| dim.limit()));
    if let ([Some(own), Some(limit)], Some(dim)) = (limits, dims.get_mut(at))
        && own < limit
    {
        *dim = Dim::Bounded(limit);
        convert_operand(cut.operation(), 0, tensor_of(&dims, operand.element_type()));
    }
}

/// The value before a conversion of nothing but its shape.
pub fn without_shape_cast(value: Value<'_>) -> Value<'_> {
    shape_cast(value).map_or(value, |convert| convert.operand())
}

/// The conversion of nothing but the shape that a value is.
fn shape_cast(value: Value<'_>) -> Option<stablehlo::ConvertOp<'_>> {
    let convert = value.defined_by::<stablehlo::ConvertOp>()?;
    let elements = [convert.operand(), value].map(|value| value.ty().element_type());
    (elements[0] == elements[1]).then_some(convert)
}

fn convert_operand<'c>(operation: Operation<'c>, number: usize, ty: Type<'c>) {
    let Some(value) = operation.operands().get(number).copied() else {
        return;
    };
    if value.ty() == ty {
        return;
    }
    // The one of an earlier run was refined.
    if shape_cast(value).is_some() && value.uses().len() == 1 {
        value.set_type(ty);
        return;
    }
    let converted = with_builder(operation, |b| stablehlo::convert(b, value, ty));
    operation.set_operand(number, converted);
}

fn returned_types(operation: Operation<'_>, region: usize) -> Vec<Type<'_>> {
    let terminator = operation.body(region).and_then(Block::terminator);
    terminator.map(Operation::operands).unwrap_or_default().types()
}

/// Declared types, refined by others as far as they agree.
fn refined<'c>(declared: &[Type<'c>], by: &[Type<'c>]) -> Vec<Type<'c>> {
    let pairs = declared.iter().zip(by);
    pairs
        .map(|(declared, by)| refine_type(*declared, *by).unwrap_or(*declared))
        .collect()
}

/// The type that holds for values of two types.
fn joined<'c>(left: Type<'c>, right: Type<'c>) -> Type<'c> {
    match (dims_of(left), dims_of(right)) {
        (Some(dims), Some(others)) if left != right && dims.len() == others.len() => {
            let dims: Vec<Dim> =
                dims.into_iter().zip(others).map(|(dim, other)| dim.join(other)).collect();
            tensor_of(&dims, left.element_type())
        }
        _ => left,
    }
}

/// Whether each value of a type has another one, too.
fn is_instance<'c>(one: Type<'c>, of: Type<'c>) -> bool {
    one == of
        || match (dims_of(one), dims_of(of)) {
            (Some(one), Some(of)) => {
                one.len() == of.len()
                    && one.iter().zip(&of).all(|(one, of)| match of {
                        Dim::Static(size) => one.size() == Some(*size),
                        Dim::Bounded(bound) => one.limit().is_some_and(|limit| limit <= *bound),
                        Dim::Dynamic => true,
                    })
            }
            (None, Some(_)) => false,
            _ => true,
        }
}
