//! `--halo-test-infer`: the inferred results of ops, as attributes.
//!
//! For tests. Types are inferred from the operands, attributes and regions of each op, as if a
//! builder were about to create it. If they cannot be inferred, the attribute has the reason; a
//! second attribute has the types after shape refinement, if they are more precise than the
//! declared ones.
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
use halo_ir::{dictionary_attribute, prelude::*, semantics::OpParts, type_attribute};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-test-infer",
    "Attach the inferred types of results as attributes, for tests",
    run,
)
.source(include_str!("test_infer.rs"));

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    for operation in pass.operation().collect_nested(has_results) {
        let context = operation.context();
        let declared = operation.result_types();
        let refined = refine_result_types(operation);
        with_inferred(operation, |context, inferred| {
            let inferred = match inferred {
                Ok(inferred) => types(context, &inferred),
                Err(reason) => string_attribute(context, &reason),
            };
            operation.set_attribute("inferred", inferred);
        });
        if refined != declared {
            operation.set_attribute("refined", types(context, &refined));
        }
    }
    Ok(())
}

fn has_results(operation: Operation) -> bool {
    let name = operation.name();
    let ours = name.starts_with("stablehlo.") || name.starts_with("chlo.");
    ours && operation.result_count() > 0
}

/// Calls a function with the inferred results of an op.
pub fn with_inferred<T>(
    operation: Operation,
    function: impl for<'c> FnOnce(&'c Context, Result<Vec<Type<'c>>, String>) -> T,
) -> T {
    let context = operation.context();
    let parts = OpParts {
        context,
        name: operation.name(),
        operands: operation.operands(),
        attributes: Some(dictionary(context, operation)),
        regions: operation.regions().into_iter().collect(),
    };
    function(context, infer_return_types(&parts))
}

fn types<'c>(context: &'c Context, types: &[Type<'c>]) -> Attribute<'c> {
    let types: Vec<Attribute> = types.iter().map(|ty| type_attribute(*ty)).collect();
    array_attribute(context, &types)
}

/// All attributes of an op.
fn dictionary<'c>(context: &'c Context, operation: Operation<'c>) -> Attribute<'c> {
    dictionary_attribute(context, &operation.attributes())
}
