//! `--halo-test-infer`: the inferred results of ops, as attributes.
//!
//! For tests. Types are inferred from the parts of each op, as if a builder were
//! about to create it. Where they do not follow from these, the attribute says
//! why; a second one has the types that shape refinement would give the op's
//! results, if they say more than the declared ones.
//!
//! ```mlir
//! %0 = stablehlo.add %a, %b : (tensor<?xf32>, tensor<3xf32>) -> tensor<?xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = stablehlo.add %a, %b {inferred = [tensor<3xf32>], refined = [tensor<3xf32>]} : (tensor<?xf32>, tensor<3xf32>) -> tensor<?xf32>
//! ```

use halo_hlo::semantics::{infer_return_types, refine_result_types};
use halo_ir::{
    Attribute, Operation, Type, array_attribute, collect_operations, context_of,
    dictionary_attribute, name_of, operands_of,
    pass::{PassDeclaration, PassFailure, PassInvocation},
    result_types_of,
    semantics::OpParts,
    set_attribute, string_attribute, type_attribute,
};
use melior::{
    Context,
    ir::{Identifier, operation::OperationLike},
};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-test-infer",
    "Attach the inferred types of results as attributes, for tests",
    run,
)
.source(include_str!("test_infer.rs"));

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    for operation in collect_operations(pass.operation(), has_results) {
        let context = context_of(operation);
        let declared = result_types_of(operation);
        let refined = refine_result_types(operation);
        with_inferred(operation, |context, inferred| {
            let inferred = match inferred {
                Ok(inferred) => types(context, &inferred),
                Err(reason) => string_attribute(context, &reason),
            };
            set_attribute(operation, "inferred", inferred);
        });
        if refined != declared {
            set_attribute(operation, "refined", types(context, &refined));
        }
    }
    Ok(())
}

fn has_results(operation: Operation) -> bool {
    let name = name_of(operation);
    let ours = name.starts_with("stablehlo.") || name.starts_with("chlo.");
    ours && operation.result_count() > 0
}

/// Calls a function with the inferred results of an op, from its parts.
pub fn with_inferred<T>(
    operation: Operation,
    function: impl for<'c> FnOnce(&'c Context, Result<Vec<Type<'c>>, String>) -> T,
) -> T {
    let context = context_of(operation);
    let parts = OpParts {
        context,
        name: name_of(operation),
        operands: operands_of(operation),
        attributes: Some(dictionary(context, operation)),
        regions: operation.regions().collect(),
    };
    function(context, infer_return_types(&parts))
}

fn types<'c>(context: &'c Context, types: &[Type<'c>]) -> Attribute<'c> {
    let types: Vec<Attribute> = types.iter().map(|r#type| type_attribute(*r#type)).collect();
    array_attribute(context, &types)
}

/// All attributes of an op.
fn dictionary<'c>(context: &'c Context, operation: Operation<'c>) -> Attribute<'c> {
    let attributes: Vec<(Identifier, Attribute)> = operation.attributes().collect();
    let names: Vec<_> = attributes.iter().map(|(name, _)| name.as_string_ref()).collect();
    let entries: Vec<(&str, Attribute)> = names
        .iter()
        .zip(&attributes)
        .filter_map(|(name, (_, attribute))| Some((name.as_str().ok()?, *attribute)))
        .collect();
    dictionary_attribute(context, &entries)
}
