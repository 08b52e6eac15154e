//! Regions on scalars: the bodies of reduce, map and similar ops.
//!
//! A value of rank 0 in HLO becomes one element. In addition to elementwise ops, a body may contain
//! control flow, which becomes scf on scalars, and ops on tensors that are the identity for rank 0,
//! which are replaced by their operands. The conversion lowers each op, so that lowerings of other
//! crates apply too.

use super::{Lowered, Lowering, constant, elementwise::Description};
use crate::conversion::scalar::{self, is_elementwise, storage};
use halo_ir::prelude::*;

impl<'c> Lowering<'_, 'c> {
    /// Lowers the ops of a region, whose values are tensors of rank 0, on the
    /// elements that replace its arguments. Returns the results of the region.
    pub(super) fn scalar_region(
        &self,
        b: &Builder<'c>,
        block: Block<'c>,
        arguments: &[Value<'c>],
    ) -> Lowered<'c> {
        self.map(&block.arguments(), arguments)?;
        let mut operations = block.operations();
        let terminator = operations.pop().ok_or_else(|| no_match("a block has no terminator"))?;
        for op in operations {
            let b = b.at(op.location());
            has_rank_zero(op)?;
            let operands = self.elements_of(&b, op)?;
            let values = self.lower_on_elements(&b, op, &operands)?;
            self.map(&op.results(), &values)?;
        }
        self.elements_of(b, terminator)
    }

    /// Lowers the body of a reduction, which combines accumulators with values. An accumulator may
    /// have a wider type than the values, whose types in HLO are `original`.
    pub(super) fn accumulate(
        &self,
        b: &Builder<'c>,
        block: Block<'c>,
        sums: &[Value<'c>],
        elements: &[Value<'c>],
        original: &[Type<'c>],
    ) -> Lowered<'c> {
        let mut arguments = sums.to_vec();
        let parameters = block.arguments();
        let wanted = parameters.iter().skip(sums.len());
        for ((element, parameter), from) in elements.iter().zip(wanted).zip(original) {
            let to = parameter.ty().element_type();
            arguments.push(promoted(b, *element, *from, to)?);
        }
        self.scalar_region(b, block, &arguments)
    }

    /// The scalar initial values of reductions, in the types of the results.
    pub(super) fn initial_values(&self, b: &Builder<'c>) -> Lowered<'c> {
        let count = self.results.len();
        let inits = self.operands[self.operands.len() - count..].iter();
        let original = self.original_elements();
        let original = &original[original.len() - count..];
        inits
            .zip(original)
            .zip(&self.op.result_types())
            .map(|((init, from), result)| {
                let scalar = tensor::extract(b, *init, &[]);
                promoted(b, scalar, *from, result.element_type())
            })
            .collect()
    }

    /// The element types of the operands in HLO.
    pub(super) fn original_elements(&self) -> Vec<Type<'c>> {
        self.original.clone()
    }

    fn elements_of(&self, b: &Builder<'c>, op: Operation<'c>) -> Lowered<'c> {
        let operands = op.operands().into_iter();
        operands
            .map(|operand| {
                let value = self.lookup(operand)?;
                if value.ty().is_tensor() {
                    // A value from outside the region: a tensor of rank 0.
                    Ok(tensor::extract(b, value, &[]))
                } else {
                    Ok(value)
                }
            })
            .collect()
    }

    /// Lowers an op on elements.
    pub(super) fn lower_scalar(&self) -> Lowered<'c> {
        let (b, op, operands) = (&self.builder, self.op, &self.operands[..]);
        let name = op.name();
        let operand = |index: usize| self.operand(index);
        let body = |index: usize| self.body(index);
        match (name, &self.results[..]) {
            (stablehlo::ConstantOp::NAME, [ty]) => {
                let attribute = constant::scalar_value(b.context(), op)?;
                Ok(vec![arith::constant_of(b, attribute, *ty)])
            }
            (stablehlo::OptimizationBarrierOp::NAME, _) => Ok(operands.to_vec()),
            // These ops are the identity on tensors of rank 0.
            (
                stablehlo::BroadcastOp::NAME
                | stablehlo::BroadcastInDimOp::NAME
                | stablehlo::DynamicSliceOp::NAME
                | stablehlo::PadOp::NAME
                | stablehlo::ReshapeOp::NAME
                | stablehlo::ReverseOp::NAME
                | stablehlo::SliceOp::NAME
                | stablehlo::TransposeOp::NAME,
                _,
            ) => Ok(vec![operand(0)?]),
            (stablehlo::DynamicUpdateSliceOp::NAME, _) => Ok(vec![operand(1)?]),
            (stablehlo::MapOp::NAME, _) => self.scalar_region(b, body(0)?, operands),
            // A reduction of one element combines it with the initial value once.
            (stablehlo::ReduceOp::NAME | stablehlo::ReduceWindowOp::NAME, _) => {
                let (inputs, inits) = operands.split_at(operands.len() / 2);
                let original = &self.original;
                let mut arguments = Vec::new();
                let types: Vec<Type> =
                    op.result_types().into_iter().map(Type::element_type).collect();
                let results = types.iter().chain(&types);
                for ((value, from), to) in inits
                    .iter()
                    .chain(inputs)
                    .zip(original[inputs.len()..].iter().chain(original))
                    .zip(results)
                {
                    arguments.push(promoted(b, *value, *from, *to)?);
                }
                self.scalar_region(b, body(0)?, &arguments)
            }
            (stablehlo::IfOp::NAME, _) => {
                let (on_true, on_false) = (body(0)?, body(1)?);
                Ok(scf::if_else(
                    b,
                    operand(0)?,
                    |b| self.scalar_region(b, on_true, &[]),
                    |b| self.scalar_region(b, on_false, &[]),
                )?
                .results())
            }
            (stablehlo::CaseOp::NAME, _) => {
                let branches = (0..op.region_count()).map(body).collect::<Result<Vec<_>, _>>()?;
                self.scalar_case(b, (operand(0)?, 0), &branches)
            }
            (stablehlo::WhileOp::NAME, _) => {
                let (condition, body) = (body(0)?, body(1)?);
                Ok(scf::while_(
                    b,
                    operands,
                    |b, values| {
                        let goes_on = self.scalar_region(b, condition, values)?;
                        let goes_on = goes_on.first().copied();
                        let goes_on =
                            goes_on.ok_or_else(|| no_match("its region returns nothing"))?;
                        Ok((goes_on, values.to_vec()))
                    },
                    |b, values| self.scalar_region(b, body, values),
                )?
                .results())
            }
            (_, [ty]) if is_elementwise(name) || name == stablehlo::BitcastConvertOp::NAME => {
                Ok(vec![Description::new(op, *ty)?.lower(b, operands)?])
            }
            _ => Err(no_match("elements have no such op")),
        }
    }

    /// The branch of an index. The last branch is the default.
    fn scalar_case(
        &self,
        b: &Builder<'c>,
        (selector, number): (Value<'c>, i64),
        branches: &[Block<'c>],
    ) -> Lowered<'c> {
        let (branch, rest) = branches.split_first().ok_or_else(|| no_match("it has no branch"))?;
        if rest.is_empty() {
            return self.scalar_region(b, *branch, &[]);
        }
        let label = arith::constant(b, selector.ty(), number);
        let chosen = arith::cmpi(b, CmpIPredicate::Eq, selector, label);
        Ok(scf::if_else(
            b,
            chosen,
            |b| self.scalar_region(b, *branch, &[]),
            |b| self.scalar_case(b, (selector, number + 1), rest),
        )?
        .results())
    }
}

/// Checks that the results of an op in a region on elements have rank 0.
fn has_rank_zero(op: Operation) -> RewriteResult {
    let results = op.result_types().into_iter();
    let mut others = results.filter(|result| result.shape().is_none_or(|shape| !shape.is_empty()));
    match others.next() {
        None => Ok(()),
        Some(result) => Err(RewriteError::Invalid(format!(
            "'{}' makes {result} in a region on elements, where values have rank 0",
            op.name()
        ))),
    }
}

/// Widens an element. `from` is its type in HLO, which has the signedness; `to` is a type in HLO or
/// a storage type.
pub(super) fn promoted<'c>(
    b: &Builder<'c>,
    value: Value<'c>,
    from: Type<'c>,
    to: Type<'c>,
) -> RewriteResult<Value<'c>> {
    let stored = storage::stored_type(b.context(), to);
    if value.ty() == stored && (from == to || !storage::is_encoded(to)) {
        return Ok(value);
    }
    scalar::convert(b, value, from, to, stored)
}
