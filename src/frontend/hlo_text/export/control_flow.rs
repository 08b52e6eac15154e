//! Loops, conditionals, tuples and tokens.
//!
//! A computation of HLO can only use its parameter. Values captured by the regions are passed
//! along: by a loop as carried values, to a branch as its argument.

use super::computation::{ComputationBuilder, captures};
use super::elementwise::integer;
use super::failure::failure;
use halo_hlo_text::{Opcode, Shape, Value};
use halo_ir::{Value as Operand, prelude::*};
use halo_runtime::Error;

pub fn r#while<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let mut captured = captures(op, 0);
    for value in captures(op, 1) {
        if captured.iter().all(|one| one.key() != value.key()) {
            captured.push(value);
        }
    }
    let mut state = op.operands();
    state.extend(&captured);
    let state = elements(builder, op, &state)?;
    let shapes: Vec<Shape> = state.iter().map(|(_, shape)| shape.clone()).collect();
    let condition = builder.region_of_tuple(op, 0, &captured, false)?;
    let body = builder.region_of_tuple(op, 1, &captured, true)?;
    let state = builder.tuple(state);
    let instruction = builder
        .instruction(op, Opcode::While)?
        .shaped(Shape::Tuple(shapes.clone()))
        .on(vec![state])
        .with("condition", Value::Computation(condition))
        .with("body", Value::Computation(body));
    let name = builder.add_of(op, instruction)?;
    for (position, (result, shape)) in op.results().into_iter().zip(shapes).enumerate() {
        let element = builder.element(&name, position, shape);
        builder.bind(result, element);
    }
    Ok(())
}

/// `if` and `case`.
pub fn conditional<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let mut operands = builder.operands(op)?;
    let mut branches = Vec::new();
    for region in 0..op.region_count() {
        let captured = captures(op, region);
        if let [only] = captured.as_slice() {
            operands.push(builder.name_of(op, *only)?);
            branches.push(builder.region_of_value(op, region, *only)?);
        } else {
            let values = elements(builder, op, &captured)?;
            operands.push(builder.tuple(values));
            branches.push(builder.region_of_tuple(op, region, &captured, false)?);
        }
    }
    let instruction = builder.instruction(op, Opcode::Conditional)?.on(operands);
    let instruction = match (op.name(), branches.as_slice()) {
        (stablehlo::IfOp::NAME, [positive, negative]) => instruction
            .with("true_computation", Value::Computation(positive.clone()))
            .with("false_computation", Value::Computation(negative.clone())),
        _ => instruction.with("branch_computations", Value::Computations(branches)),
    };
    builder.define(op, instruction)
}

/// The instructions that values are, with their shapes.
fn elements<'c>(
    builder: &ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
    values: &[Operand<'c>],
) -> Result<Vec<(String, Shape)>, Error> {
    let values = values.iter();
    values
        .map(|value| Ok((builder.name_of(op, *value)?, builder.shape_of(op, *value)?)))
        .collect()
}

/// Several values are passed as a tuple.
pub fn optimization_barrier<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let operands = op.operands();
    let mut instruction = builder.instruction(op, Opcode::OptBarrier)?;
    if operands.len() != 1 {
        let values = elements(builder, op, &operands)?;
        let tuple = builder.tuple(values);
        instruction = instruction.on(vec![tuple]);
    }
    builder.define(op, instruction)
}

pub fn tuple<'c>(builder: &mut ComputationBuilder<'_, 'c>, op: Operation<'c>) -> Result<(), Error> {
    let instruction = builder.instruction(op, Opcode::Tuple)?;
    builder.define(op, instruction)
}

pub fn get_tuple_element<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let instruction = builder.instruction(op, Opcode::GetTupleElement)?;
    builder.define(op, instruction.with("index", integer(op, "index")?))
}

pub fn after_all<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    if op.result_types().len() != 1 {
        return Err(failure(op, "has no result"));
    }
    let instruction = builder.instruction(op, Opcode::AfterAll)?;
    builder.define(op, instruction)
}
