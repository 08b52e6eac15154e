//! `--stablehlo-legalize-composite-to-call`: composites, as calls of what they
//! consist of.
//!
//! ```mlir
//! %0 = stablehlo.composite "ns.f" %a {decomposition = @f} : (tensor<f32>) -> tensor<f32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = func.call @f(%a) : (tensor<f32>) -> tensor<f32>
//! ```
//!
//! Composites whose names `except` lists stay, for a backend that knows them.

use halo_ir::pass::{
    OptionKind, PassDeclaration, PassFailure, PassInvocation, PassOption, emit_error,
};
use halo_ir::{
    Operation, attribute_of, collect_operations, name_of, operands_of, result_types_of, results_of,
    string_value, with_builder,
};
use melior::ir::operation::OperationLike;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration {
    argument: "stablehlo-legalize-composite-to-call",
    summary: "Replace composites with calls of their decompositions",
    anchor: "",
    dependent_dialects: &["func"],
    options: &[PassOption {
        name: "except",
        description: "Names of composites that stay, separated by commas",
        default: "",
        kind: OptionKind::String,
    }],
    run,
};

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let except: Vec<&str> = pass.option("except").split(',').map(str::trim).collect();
    let composites = collect_operations(pass.operation(), |op| {
        name_of(op) == "stablehlo.composite"
            && !attribute_of(op, "name")
                .and_then(string_value)
                .is_some_and(|name| except.contains(&name))
    });
    for composite in composites {
        call(composite)?;
    }
    Ok(())
}

fn call(composite: Operation) -> Result<(), PassFailure> {
    let fail = |message: &str| {
        emit_error(composite.location(), message);
        PassFailure
    };
    let callee = attribute_of(composite, "decomposition")
        .ok_or_else(|| fail("composite names no decomposition"))?;
    with_builder(composite, |b| {
        let call = b
            .op("func.call")
            .operands(&operands_of(composite))
            .results(&result_types_of(composite))
            .attribute("callee", callee)
            .insert()
            .map_err(|error| fail(&error.to_string()))?;
        b.replace(composite, &results_of(call))
            .map_err(|error| PassFailure::internal(composite, error))
    })
}
