//! Properties of a whole program that backends rely on.

use crate::diagnostics::error_at;
use halo_hlo::transforms::{
    collectives::expand_communication,
    legalize::{flatten_tuples, stablehlo_legalize_composite_to_call},
    shapes::align_bounded_operands,
};
use halo_ir::{
    pipeline,
    pipeline::{Pipeline, upstream},
    prelude::*,
};
use halo_runtime::Result;
use melior::ir::Module;

/// Inlines a program of dynamic shapes into one function.
pub fn inline() -> Pipeline {
    pipeline![
        &stablehlo_legalize_composite_to_call::PASS,
        upstream("inline"),
        upstream("symbol-dce"),
        &align_bounded_operands::PASS,
    ]
}

/// Flattens the entry's arguments and results to tensors, as in its signature.
pub fn flatten() -> Pipeline {
    pipeline![&expand_communication::PASS, &flatten_tuples::PASS]
}

/// Returns true if all arguments and results of the entry are tensors, as in its signature.
pub fn takes_tensors_only(module: &Module) -> Result<bool> {
    let entry = halo_frontend::entry_of(module)?;
    let (arguments, results) = halo_codegen::function::signature(entry).unwrap_or_default();
    let mut types = arguments.into_iter().chain(results);
    Ok(types.all(Type::is_tensor))
}

/// Fails at the first call of a function without a body, which cannot be linked, and at a
/// function with an invalid name.
pub fn expect_bodies(module: &Module) -> Result<()> {
    let root = halo_ir::root_of(module);
    let mut names: Vec<&str> = Vec::new();
    for function in root.collect_nested(|op| op.isa::<func::FuncOp>()) {
        match function.attribute("sym_name").and_then(Attribute::string_value) {
            Some(name) if function.body(0).is_none() => names.push(name),
            Some(_) => {}
            None => {
                let message = "'func.func' op has attribute 'sym_name', which is not valid UTF-8";
                return Err(error_at(function, message));
            }
        }
    }
    if names.is_empty() {
        return Ok(());
    }
    let calls = root.collect_nested(|op| {
        let call = op.cast::<func::CallOp>();
        call.is_some_and(|call| names.contains(&call.callee()))
    });
    let Some(call) = calls.first().and_then(|op| op.cast::<func::CallOp>()) else {
        return Ok(());
    };
    let message = format!(
        "'func.call' op calls @{}, which has no body; functions of the application are called \
         by 'stablehlo.custom_call'",
        call.callee()
    );
    Err(error_at(call.operation(), message))
}
