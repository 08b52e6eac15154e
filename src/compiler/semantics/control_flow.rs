//! Branches, loops, tuples and barriers.

use super::{
    body::Body,
    op::Op,
    tensor::{Subject, Verdict, expect_same_type},
};
use halo_dialects::ir::Type;
use melior::ir::{operation::OperationLike, r#type::TupleType};

/// Fails unless the two lists of types are as long and agree one by one.
fn expect_types<'c>(
    values: Vec<(Subject, Type<'c>)>,
    others: Vec<(Subject, Type<'c>)>,
    what: [&str; 2],
) -> Verdict {
    if values.len() != others.len() {
        return Err(format!(
            "{} {} values, but {} {}",
            what[0],
            values.len(),
            what[1],
            others.len()
        ));
    }
    values
        .into_iter()
        .zip(others)
        .try_for_each(|(value, other)| expect_same_type(value, other))
}

/// Section `if`: (C1) to (C3). Section `case`: (C1) to (C4).
pub fn branches(op: Op) -> Verdict {
    op.operand(0)?.expect_rank(0)?;
    let count = op.0.region_count();
    if count == 0 {
        return Err("has no branches".to_string());
    }
    let first = Body::new(op, 0)?;
    for region in 0..count {
        let branch = Body::new(op, region)?;
        branch.expect_argument_count(0)?;
        if region > 0 {
            expect_types(
                branch.returned(),
                first.returned(),
                [&format!("region {region} returns"), "region 0 returns"],
            )?;
        }
    }
    expect_types(
        op.results().collect(),
        first.returned(),
        ["the op gives", "region 0 returns"],
    )
}

/// Section `while`: (C1) to (C3).
pub fn while_loop(op: Op) -> Verdict {
    let operands: Vec<_> = op.operands().collect();
    for region in 0..2 {
        let body = Body::new(op, region)?;
        body.expect_argument_count(operands.len())?;
        body.expect_arguments(operands.iter().copied())?;
    }
    Body::new(op, 0)?.expect_predicate()?;
    expect_types(
        Body::new(op, 1)?.returned(),
        operands.clone(),
        ["region 1 returns", "the number of operands is"],
    )?;
    expect_types(
        op.results().collect(),
        operands,
        ["the op gives", "the number of operands is"],
    )
}

/// Section `optimization_barrier`: (C1), (C2).
pub fn optimization_barrier(op: Op) -> Verdict {
    expect_types(
        op.results().collect(),
        op.operands().collect(),
        ["the op gives", "the number of operands is"],
    )
}

/// Section `tuple`: (C1), (C2).
pub fn tuple(op: Op) -> Verdict {
    let r#type = op.result_type(0)?;
    let Ok(elements) = TupleType::try_from(r#type) else {
        return Err(format!("result 0 has type {type}, which is no tuple"));
    };
    if elements.type_count() != op.operand_count() {
        return Err(format!(
            "has {} operands, but result 0 has type {type}",
            op.operand_count()
        ));
    }
    for (number, (subject, operand)) in op.operands().enumerate() {
        if let Ok(element) = elements.r#type(number)
            && !super::tensor::types_agree(operand, element)
        {
            return Err(format!(
                "{subject} has type {operand}, but element {number} of result 0 has type {element}"
            ));
        }
    }
    Ok(())
}

/// Section `get_tuple_element`: (C1), (C2).
pub fn get_tuple_element(op: Op) -> Verdict {
    let r#type = op.operand_type(0)?;
    let Ok(elements) = TupleType::try_from(r#type) else {
        return Err(format!("operand 0 has type {type}, which is no tuple"));
    };
    let index = op.integer("index")?;
    let element = usize::try_from(index)
        .ok()
        .and_then(|index| elements.r#type(index).ok());
    let Some(element) = element else {
        return Err(format!(
            "attribute 'index' is {index}, but operand 0 has {} elements",
            elements.type_count()
        ));
    };
    let result = op.result_type(0)?;
    if super::tensor::types_agree(result, element) {
        return Ok(());
    }
    Err(format!(
        "result 0 has type {result}, but element {index} of operand 0 has type {element}"
    ))
}
