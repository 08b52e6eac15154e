//! Ops of test programs: assertions and instructions for the interpreter.

use super::{op::Op, prelude::*};
use halo_ir::prelude::*;

/// The op `check.expect_close`: operands of one type if both are ranked, and a nonempty range of
/// differences.
pub fn expect_close(op: Op) -> VerifyResult {
    let ranked: Vec<Tensor> = op
        .operands()
        .filter_map(|(subject, ty)| Tensor::new(subject, ty.into()).ok())
        .collect();
    if let [actual, expected] = &ranked[..] {
        expected.expect_element_of(actual)?;
        expected.expect_shape_of(actual)?;
    }
    // The bits of an unsigned number.
    let limit = |name: &str, default: u64| {
        op.attribute(name)
            .and_then(Attribute::integer_value)
            .map_or(default, |limit| limit as u64)
    };
    let (minimum, maximum) = (
        limit("min_ulp_difference", 0),
        limit("max_ulp_difference", 3),
    );
    if minimum <= maximum {
        return Ok(());
    }
    Err(format!(
        "attribute 'min_ulp_difference' is {minimum}, but attribute 'max_ulp_difference' is \
         {maximum}"
    ))
}

/// The function names of each process, by replica and partition.
fn programs(op: Op<'_>) -> Result<Vec<Vec<&str>>, String> {
    let rows = op.required("programs", |rows| Some(rows.array_elements()))?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let names = row.array_elements().into_iter();
            names.filter_map(Attribute::symbol_value).collect()
        })
        .collect())
}

/// The op `interpreter.run_parallel`: programs are rows of one length.
pub fn run_parallel(op: Op) -> VerifyResult {
    let programs = programs(op)?;
    let partitions = programs.first().map_or(0, Vec::len);
    if partitions == 0 {
        return Err("attribute 'programs' has no function to run".to_string());
    }
    for (replica, row) in programs.iter().enumerate() {
        if row.len() != partitions {
            return Err(format!(
                "attribute 'programs' has {} functions for replica {replica}, but {partitions} for \
                 replica 0",
                row.len()
            ));
        }
    }
    Ok(())
}

/// The op `interpreter.run_parallel`: its attribute names functions, and its operands and results
/// match the functions' signatures.
pub fn run_parallel_symbols(op: Op) -> VerifyResult {
    let Some(operation) = op.operation() else {
        return Ok(());
    };
    let infeed = op.attribute("infeed").map(Attribute::array_elements);
    for name in infeed.into_iter().flatten().filter_map(Attribute::symbol_value) {
        if super::custom_call::function_type(operation, name).is_none() {
            return Err(format!(
                "attribute 'infeed' has @{name}, which is not a function"
            ));
        }
    }
    let (mut inputs, mut results) = (Vec::new(), Vec::new());
    for name in programs(op)?.into_iter().flatten() {
        let Some(function) = super::custom_call::function_type(operation, name) else {
            return Err(format!(
                "attribute 'programs' has @{name}, which is not a function"
            ));
        };
        inputs.extend((0..function.input_count()).map_while(|index| function.input(index).ok()));
        results.extend((0..function.result_count()).map_while(|index| function.result(index).ok()));
    }
    super::custom_call::expect_values(
        op.operands().collect(),
        &inputs,
        "operands",
        "attribute 'programs'",
    )?;
    super::custom_call::expect_values(
        op.results().collect(),
        &results,
        "results",
        "attribute 'programs'",
    )
}
