//! The op `chlo.scan`, which runs a body on the slices of its inputs in turn.

use crate::semantics::{op::Op, prelude::*};
use halo_ir::{ops::OPERAND_SEGMENT_SIZES, prelude::*};
use halo_stablehlo::semantics::expect_same_type;

/// All inputs have the same size along `dimension`; the body takes a slice of
/// each and the carried values, and returns slices of the outputs and the next
/// carried values.
pub fn scan(op: Op) -> Inference {
    let operands = op.tensors()?;
    let counts = op.operand_segments().unwrap_or_default();
    let [input_count, carry_count] = counts[..] else {
        return Err(format!(
            "has no attribute '{OPERAND_SEGMENT_SIZES}' of the kind that it needs"
        ));
    };
    let inputs = operands.get(..input_count).unwrap_or_default();
    let dimension = op.integer("dimension")?;
    let declared = op.attribute("scan_dim_size").and_then(Attribute::integer_value);
    let mut size = declared.map_or(Dim::Dynamic, Dim::Static);
    for input in inputs {
        let subject = input.subject.to_string();
        expect_dimensions("dimension", &[dimension], input.rank(), &subject)?;
        let dim = input.dims[dimension as usize];
        if !dim.agrees_with(size) {
            return Err(format!(
                "dimension {dimension} of {subject} has size {dim}, but the scan is over {size}"
            ));
        }
        size = size.meet(dim);
    }

    let body = op.function(0)?;
    body.expect_argument_count(operands.len())?;
    for (number, operand) in operands.iter().enumerate() {
        let argument = body.argument(number)?;
        if number >= inputs.len() {
            expect_same_type(
                (argument.subject, argument.ty),
                (operand.subject, operand.ty),
            )?;
            continue;
        }
        let mut slice = operand.clone();
        slice.dims.remove(dimension as usize);
        argument.expect_element_of(&slice)?;
        argument.expect_shape(&slice.dims, "a slice of the input has")?;
    }

    let returned = body.returned();
    let Some(output_count) = returned.len().checked_sub(carry_count) else {
        return Err(format!(
            "region 0 returns {} values, but {carry_count} are carried",
            returned.len()
        ));
    };
    if inputs.is_empty() && output_count == 0 {
        return Err("has neither inputs nor outputs".to_string());
    }
    returned
        .into_iter()
        .enumerate()
        .map(|(number, (subject, ty))| {
            if number >= output_count {
                return Ok(Inferred::Like(subject, ty));
            }
            let slice = Tensor::new(subject, ty)?;
            let at = usize::try_from(dimension).ok().filter(|at| *at <= slice.rank());
            let Some(at) = at else {
                return Err(format!(
                    "attribute 'dimension' is {dimension}, but {subject} has rank {}",
                    slice.rank()
                ));
            };
            let mut dims = slice.dims;
            dims.insert(at, size);
            Ok(Inferred::tensor(dims, slice.element))
        })
        .collect()
}
