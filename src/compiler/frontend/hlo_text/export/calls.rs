//! Calls of functions.

use super::computation::ComputationBuilder;
use super::{failure, symbol_named};
use crate::ir::{
    Operation, attribute_list, attribute_of, integer_attribute_value, name_of, string_value,
    symbol_value,
};
use halo_hlo_text::{Opcode, Value};
use halo_runtime::Error;

/// The functions that an op names.
pub fn callees<'c>(op: Operation<'c>) -> Vec<&'c str> {
    let attribute = |name: &str| attribute_of(op, name).and_then(symbol_value);
    match name_of(op) {
        "func.call" => attribute("callee").into_iter().collect(),
        "stablehlo.composite" => attribute("decomposition").into_iter().collect(),
        "stablehlo.custom_call" => {
            let list = attribute_of(op, "called_computations").map(attribute_list);
            let list = list.unwrap_or_default().into_iter();
            list.filter_map(symbol_value).collect()
        }
        _ => Vec::new(),
    }
}

/// The computation that a function has become.
pub fn computation_of<'c>(
    builder: &ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
    symbol: &str,
) -> Result<String, Error> {
    let name = builder.exporter.exported.get(symbol).cloned();
    name.ok_or_else(|| failure(op, format!("calls '{symbol}', which is not there")))
}

/// A call; one that was a fusion is one again.
pub fn call<'c>(builder: &mut ComputationBuilder<'_, 'c>, op: Operation<'c>) -> Result<(), Error> {
    let callee = computation_of(builder, op, symbol_named(op, "callee")?)?;
    let callee = Value::Computation(callee);
    let marked = attribute_of(op, "mhlo.opcode").and_then(string_value);
    let instruction = if marked == Some(Opcode::Fusion.name()) {
        builder
            .instruction(op, Opcode::Fusion)?
            .with("calls", callee)
    } else {
        builder
            .instruction(op, Opcode::Call)?
            .with("to_apply", callee)
    };
    builder.define(op, instruction)
}

/// A call that says in its frontend attributes what it stands for.
pub fn composite<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let callee = computation_of(builder, op, symbol_named(op, "decomposition")?)?;
    let name = attribute_of(op, "name").and_then(string_value);
    let name = name.ok_or_else(|| failure(op, "has no name"))?;
    let attributes = attribute_of(op, "composite_attributes");
    let attributes = attributes.map_or_else(|| "{}".to_owned(), |value| value.to_string());
    let version = attribute_of(op, "version").and_then(integer_attribute_value);
    let frontend = vec![
        ("composite.attributes".to_owned(), attributes),
        ("composite.name".to_owned(), name.to_owned()),
        (
            "composite.version".to_owned(),
            version.unwrap_or_default().to_string(),
        ),
    ];
    let instruction = builder
        .instruction(op, Opcode::Call)?
        .with("to_apply", Value::Computation(callee))
        .with("is_composite", Value::Bool(true))
        .with("frontend_attributes", Value::FrontendAttributes(frontend));
    builder.define(op, instruction)
}
