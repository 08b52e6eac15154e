//! Regions on scalars: the bodies of reduce, map and their like.

use super::{Lowering, constant, elementwise::Description, structured};
use crate::{
    conversion::scalar::is_elementwise,
    ir::{
        Block, Builder, Operation, RewriteError, Value, arguments_of, element_type, name_of,
        operands_of, operations_of, result_types_of, shape_of, unsigned_to_signless, value_key,
    },
};
use melior::ir::operation::OperationLike;
use std::collections::HashMap;

impl<'c> Lowering<'_, 'c> {
    /// Lowers the ops of a region, whose values are tensors of rank 0, on the
    /// elements that stand for its arguments. Returns what the region returns.
    pub(super) fn scalar_region(
        &self,
        b: &Builder<'c>,
        block: Block<'c>,
        arguments: &[Value<'c>],
    ) -> Result<Vec<Value<'c>>, RewriteError> {
        let mut elements: HashMap<usize, Value<'c>> = arguments_of(block)
            .into_iter()
            .map(value_key)
            .zip(arguments.iter().copied())
            .collect();
        let mut operations = operations_of(block);
        let terminator = operations.pop().ok_or(RewriteError::NoMatch)?;
        for op in operations {
            let b = b.at(op.location());
            let operands = self.elements_of(&b, op, &elements)?;
            let value = lower_scalar(&b, op, &operands)?;
            if let Ok(result) = op.result(0) {
                elements.insert(value_key(result.into()), value);
            }
        }
        self.elements_of(b, terminator, &elements)
    }

    fn elements_of(
        &self,
        b: &Builder<'c>,
        op: Operation<'c>,
        elements: &HashMap<usize, Value<'c>>,
    ) -> Result<Vec<Value<'c>>, RewriteError> {
        operands_of(op)
            .into_iter()
            .map(|operand| match elements.get(&value_key(operand)) {
                Some(element) => Ok(*element),
                // A value from outside the region: a tensor of rank 0.
                None => structured::extract_scalar(b, self.converter.lookup(operand)),
            })
            .collect()
    }
}

fn lower_scalar<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    operands: &[Value<'c>],
) -> Result<Value<'c>, RewriteError> {
    let name = name_of(op);
    let result = result_types_of(op).first().copied().ok_or_else(|| {
        RewriteError::Invalid(format!("'{name}' has no meaning in a region on elements"))
    })?;
    let lowered = unsigned_to_signless(b.context(), result);
    if shape_of(result).is_none_or(|shape| !shape.is_empty()) {
        return Err(RewriteError::Invalid(format!(
            "'{name}' makes {result} in a region on elements, where values have rank 0"
        )));
    }
    match name {
        "stablehlo.constant" => {
            let attribute = constant::scalar_value(b.context(), op)?;
            Ok(crate::conversion::arithmetic::constant(
                b,
                attribute,
                element_type(lowered),
            )?)
        }
        // Between tensors of rank 0 these move nothing.
        "stablehlo.reshape" | "stablehlo.broadcast_in_dim" | "stablehlo.optimization_barrier" => {
            operands.first().copied().ok_or(RewriteError::NoMatch)
        }
        _ if is_elementwise(name) || name == "stablehlo.bitcast_convert" => {
            Description::new(op, lowered)?.lower(b, operands)
        }
        _ => Err(RewriteError::Invalid(format!(
            "the CPU backend has no lowering for '{name}' in a region on elements"
        ))),
    }
}
