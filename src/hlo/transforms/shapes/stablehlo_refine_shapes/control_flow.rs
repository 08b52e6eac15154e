//! Types that are valid in all iterations of a loop, and for all branches of a conditional.

use super::{Refinement, values::refine_values};
use crate::semantics::{Dim, dims_of, refine_type, tensor_of, types_agree};
use halo_ir::prelude::*;

/// The number of times that the types of a loop are widened before the declared ones are used.
const MOST_WIDENINGS: usize = 2;

impl<'c> Refinement<'c> {
    /// Refines a loop by the types of its operands. If its body returns other types, it is refined
    /// again with joined types, until they include the body's results.
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

    /// Refines the regions of a loop for types of its carried values, which its results have too.
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

/// Converts the initial and returned values of a loop to joined types, if they contradict each
/// other.
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

/// Converts the branch results of a conditional to a joined type, if they contradict each other.
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

/// Converts values that enter or leave a region of a loop or conditional, if their types contradict
/// each other.
pub fn reconcile(operation: Operation) {
    if operation.isa::<stablehlo::WhileOp>() {
        let arguments = operation.body(1).map(Block::arguments).unwrap_or_default();
        convert_carried(operation, &arguments.types())
    } else if operation.isa::<stablehlo::IfOp>() || operation.isa::<stablehlo::CaseOp>() {
        join_branches(operation)
    }
}

/// Converts the operand of an op that sets a size beyond the refined one, which is valid within the
/// bound, to a type with the bound.
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

/// The value before a shape-only conversion.
pub fn without_shape_cast(value: Value<'_>) -> Value<'_> {
    shape_cast(value).map_or(value, |convert| convert.operand())
}

/// The shape-only conversion that defines a value.
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
    // The conversion of an earlier run is outdated.
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

/// Declared types, refined by other types where compatible.
fn refined<'c>(declared: &[Type<'c>], by: &[Type<'c>]) -> Vec<Type<'c>> {
    let pairs = declared.iter().zip(by);
    pairs
        .map(|(declared, by)| refine_type(*declared, *by).unwrap_or(*declared))
        .collect()
}

/// The joined type of two types.
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

/// Returns true if each value of one type also has the other type.
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
