//! Branches, loops, tuples and barriers.

use super::{inferred::least_specific, prelude::*};

/// Fails unless two lists of types have the same length and are compatible one by one.
fn expect_types<T: Ty>(
    values: Vec<(Subject, T)>,
    others: Vec<(Subject, T)>,
    what: [&str; 2],
) -> VerifyResult {
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

/// Section `if`: (C1) to (C3). Section `case`: (C1) to (C4). A result may come from any branch.
pub fn branches<O: Op>(op: O) -> Inference<O::Type> {
    op.operand(0)?.expect_rank(0)?;
    let count = op.region_count();
    if count == 0 {
        return Err("has no branches".to_string());
    }
    let mut returned = Vec::with_capacity(count);
    for region in 0..count {
        let branch = op.function(region)?;
        branch.expect_argument_count(0)?;
        returned.push(branch.returned());
        if region > 0 {
            expect_types(
                returned[region].clone(),
                returned[0].clone(),
                [&format!("region {region} returns"), "region 0 returns"],
            )?;
        }
    }
    let first = &returned[0];
    Ok(first
        .iter()
        .enumerate()
        .map(|(number, (subject, ty))| {
            let choices = returned
                .iter()
                .map(|values| Tensor::new(values[number].0, values[number].1))
                .collect::<Result<Vec<_>, _>>();
            choices
                .ok()
                .and_then(|choices| least_specific(&choices))
                .unwrap_or(Inferred::Like(*subject, *ty))
        })
        .collect())
}

/// Section `while`: (C1) to (C3).
pub fn while_loop<O: Op>(op: O) -> Inference<O::Type> {
    let operands = op.operands();
    for region in 0..2 {
        let body = op.function(region)?;
        body.expect_argument_count(operands.len())?;
        body.expect_arguments(operands.iter().copied())?;
    }
    op.function(0)?.expect_predicate()?;
    expect_types(
        op.function(1)?.returned(),
        operands,
        ["region 1 returns", "the number of operands is"],
    )?;
    operand_types(op)
}

/// Section `optimization_barrier`: (C1), (C2).
pub fn operand_types<O: Op>(op: O) -> Inference<O::Type> {
    Ok(op
        .operands()
        .into_iter()
        .map(|(subject, ty)| Inferred::Like(subject, ty))
        .collect())
}

/// Sections `after_all`, `outfeed` and `send`; the op `create_token`.
pub fn token<O: Op>(op: O) -> Inference<O::Type> {
    one(Inferred::Type(op.token_type()))
}

/// Section `tuple`: (C1), (C2).
pub fn infer_tuple<O: Op>(op: O) -> Inference<O::Type> {
    let types: Vec<O::Type> = op.operands().into_iter().map(|(_, ty)| ty).collect();
    one(Inferred::Default(op.tuple_type(&types)))
}

/// Section `tuple`: (C1), (C2).
pub fn tuple<O: Op>(op: O) -> VerifyResult {
    let ty = op.result_type(0)?;
    let Some(elements) = ty.tuple_types() else {
        return Err(format!("result 0 has type {ty}, which is not a tuple"));
    };
    if elements.len() != op.operand_count() {
        return Err(format!(
            "has {} operands, but result 0 has type {ty}",
            op.operand_count()
        ));
    }
    for (number, (subject, operand)) in op.operands().into_iter().enumerate() {
        if let Some(element) = elements.get(number).copied()
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
pub fn get_tuple_element<O: Op>(op: O) -> Inference<O::Type> {
    let ty = op.operand_type(0)?;
    let Some(elements) = ty.tuple_types() else {
        return Err(format!("operand 0 has type {ty}, which is not a tuple"));
    };
    let index = op.integer("index")?;
    let element = usize::try_from(index).ok().and_then(|index| elements.get(index).copied());
    match element {
        Some(element) => one(Inferred::Default(element)),
        None => Err(format!(
            "attribute 'index' is {index}, but operand 0 has {} elements",
            elements.len()
        )),
    }
}

/// Section `get_tuple_element`: (C2).
pub fn tuple_element<O: Op>(op: O) -> VerifyResult {
    let (result, index) = (op.result_type(0)?, op.integer("index")?);
    let element = op
        .operand_type(0)?
        .tuple_types()
        .zip(usize::try_from(index).ok())
        .and_then(|(tuple, index)| tuple.get(index).copied());
    match element {
        Some(element) if !super::tensor::types_agree(result, element) => Err(format!(
            "result 0 has type {result}, but element {index} of operand 0 has type {element}"
        )),
        _ => Ok(()),
    }
}
