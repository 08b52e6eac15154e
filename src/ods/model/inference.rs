//! Inference of result types from the parts of an op.
//!
//! This mirrors `mlir-tblgen`: if it adds the interface for type inference to an op, MLIR infers
//! the types, and the generated builder has no parameters for them. If all results have the type of
//! one operand, the builder does not need to call MLIR.

use super::decorated;
use crate::{error::Error, names::snake, records::Record};
use std::collections::HashSet;

/// The source of a builder's result types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultTypes {
    /// The caller passes them.
    Given,
    /// All have the type of the operand with this Rust name.
    OfOperand(String),
    /// All have the type of the attribute with this Rust name.
    OfAttribute(String),
    /// MLIR infers them.
    Inferred,
}

/// The source of an op builder's result types.
pub fn result_types(op: Record, traits: &[Record]) -> Result<ResultTypes, Error> {
    let results = op.dag("results")?;
    if results.is_empty() {
        return Ok(ResultTypes::Given);
    }
    let explicit = traits.iter().any(|record| {
        record.name() == "InferTypeOpInterface"
            || record.text("cppInterfaceName") == Some("InferTypeOpInterface")
    });
    let variable = |record: Record| record.is_a("Variadic") || record.is_a("Optional");
    let fixed = results.iter().all(|(constraint, _)| !variable(decorated(*constraint)));
    if !fixed {
        return Ok(if explicit {
            ResultTypes::Inferred
        } else {
            ResultTypes::Given
        });
    }

    // Typed arguments: operands and attributes.
    let mut operands = Vec::new();
    let mut attributes = Vec::new();
    for (constraint, name) in op.dag("arguments")? {
        let constraint = decorated(constraint);
        let Some(name) = name else { continue };
        if constraint.is_a("Attr") {
            attributes.push(name);
        } else if constraint.is_a("TypeConstraint") && !variable(constraint) {
            operands.push(name);
        }
    }
    let of_one_type = traits.iter().any(|record| record.name() == "SameOperandsAndResultType");
    if let (true, Some(first)) = (of_one_type, operands.first()) {
        return Ok(ResultTypes::OfOperand(snake(first)));
    }
    // MLIR may infer something other than a match by a custom interface.
    if explicit {
        return Ok(ResultTypes::Inferred);
    }
    // Ops implement the interface only if the file declares it.
    if !op.knows("InferTypeOpInterface") {
        return Ok(ResultTypes::Given);
    }
    let equal: Vec<Vec<&str>> = traits
        .iter()
        .filter(|record| record.is_a("AllTypesMatch"))
        .map(|record| record.texts("values"))
        .collect();
    if let [(_, Some(result))] = &results[..] {
        for names in equal.iter().filter(|names| names.contains(result)) {
            if let Some(operand) = operands.iter().find(|name| names.contains(*name)) {
                return Ok(ResultTypes::OfOperand(snake(operand)));
            }
            if let Some(attribute) = attributes.iter().find(|name| names.contains(*name)) {
                return Ok(ResultTypes::OfAttribute(snake(attribute)));
            }
        }
    }
    let mut known: HashSet<&str> = operands.iter().chain(&attributes).copied().collect();
    let mut steps: Vec<(&str, &str)> = Vec::new();
    for names in &equal {
        steps.extend(names.iter().flat_map(|from| names.iter().map(move |to| (*from, *to))));
    }
    for record in traits.iter().filter(|record| record.is_a("TypesMatchWith")) {
        if let (Some(from), Some(to)) = (record.text("lhs"), record.text("rhs")) {
            steps.push((from, to));
        }
    }
    for (constraint, name) in &results {
        let constraint = decorated(*constraint);
        if let (Some(_), Some(name)) = (constraint.text("builderCall"), name) {
            known.insert(name);
        }
    }
    loop {
        let before = known.len();
        for (from, to) in &steps {
            if known.contains(from) {
                known.insert(to);
            }
        }
        if known.len() == before {
            break;
        }
    }
    let all = results.iter().all(|(constraint, name)| match name {
        Some(name) => known.contains(name),
        None => decorated(*constraint).text("builderCall").is_some(),
    });
    Ok(if all {
        ResultTypes::Inferred
    } else {
        ResultTypes::Given
    })
}
