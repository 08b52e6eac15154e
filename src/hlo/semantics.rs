//! The static semantics of StableHLO and CHLO ops: verification and type inference.
//!
//! MLIR calls a hook for every op that has passed the checks of its ODS definition, and another for
//! the result types of new ops. The rules of StableHLO are in `halo_stablehlo::semantics`, which
//! needs no MLIR; `semantics/mlir.rs` gives them access to IR. The functions here are for the
//! other dialects, and for custom calls and symbols.
//!
//! Verification runs after every pass on every op.

mod buffers;
mod checks;
mod chlo;
pub(crate) mod custom_call;
mod halo;
mod mlir;
pub mod op;
mod prelude;
pub mod quantization;
mod rules;
mod sharding;
mod spans;
mod speculation;

use halo_ir::{
    ops::{interpreter, sdy},
    prelude::*,
    semantics::{OpParts, SemanticsHooks, VerifyError, install_hooks},
    stablehlo::attributes::DotAlgorithm,
};
use halo_stablehlo::semantics as general;
pub use halo_stablehlo::semantics::{Dim, Scan, Window, WindowDim, precision_config};
pub use mlir::{MlirType, dims_of, refine_type, tensor_of, types_agree};
use op::Op;
use prelude::Inferred;
use rules::rule_of;

/// Returns the error of an invalid op. Ops of other dialects are valid.
pub fn verify(operation: Operation) -> Result<(), String> {
    let op = Op::Built(operation);
    general::verify(op, rule_of(operation.name()))
}

/// The inferred results of an op, from its operands, attributes and regions, if its family has a
/// function.
fn infer(op: Op<'_>) -> Result<Option<Vec<Inferred<'_>>>, String> {
    match rule_of(op.name()).and_then(|rule| rule.infer) {
        Some(infer) => infer(op).map(Some),
        None => Ok(None),
    }
}

/// The result types of an op that does not exist yet. Fails if its parts are invalid, or if the
/// types cannot be inferred.
pub fn infer_return_types<'c>(parts: &'c OpParts<'c>) -> Result<Vec<Type<'c>>, String> {
    infer(Op::Planned(parts))?
        .and_then(|results| results.into_iter().map(|result| Some(result.into_type()?.0)).collect())
        .ok_or_else(|| "has results whose types do not follow from its operands".to_string())
}

/// The result types of an existing op, refined by the sizes and bounds of its operands. A type is
/// unchanged if nothing more is known, or if the op is invalid.
pub fn refine_result_types(operation: Operation<'_>) -> Vec<Type<'_>> {
    let mut types = operation.result_types();
    if let Ok(Some(inferred)) = infer(Op::Built(operation)) {
        for (ty, inferred) in types.iter_mut().zip(inferred) {
            if let Some(refined) = inferred.refine(MlirType(*ty)) {
                *ty = refined.0;
            }
        }
    }
    if operation.isa::<stablehlo::ReshapeOp>()
        && let [ty] = &mut types[..]
        && let Some(refined) = general::refine_reshape(Op::Built(operation))
    {
        *ty = refined.0;
    }
    let refined = match operation.name() {
        stablehlo::AllGatherOp::NAME => general::refine_all_gather(Op::Built(operation)),
        stablehlo::ReduceScatterOp::NAME => general::refine_reduce_scatter(Op::Built(operation)),
        _ => None,
    };
    for (ty, refined) in types.iter_mut().zip(refined.unwrap_or_default()) {
        if let Some(refined) = refine_type(*ty, refined.0) {
            *ty = refined;
        }
    }
    types
}

/// The sizes of the slice of `real_dynamic_slice`, if they are constants and
/// its strides are one.
pub fn constant_slice_sizes(operation: Operation) -> Option<Vec<i64>> {
    spans::constant_spans(Op::Built(operation))
}

/// Returns true if results of ops of this name can be inferred.
pub fn infers(name: &str) -> bool {
    rule_of(name).is_some_and(|rule| rule.infer.is_some())
}

/// Returns the error of invalid symbols in an op.
fn verify_symbol_uses(operation: Operation) -> Result<(), String> {
    match operation.name() {
        interpreter::RunParallelOp::NAME => checks::run_parallel_symbols(Op::Built(operation)),
        sdy::ManualComputationOp::NAME => sharding::manual_computation(operation),
        sdy::ReshardOp::NAME | sdy::ShardingConstraintOp::NAME => sharding::constraint(operation),
        stablehlo::CompositeOp::NAME => custom_call::composite_symbols(Op::Built(operation)),
        _ => Ok(()),
    }
}

/// Returns the error of an invalid algorithm of a product.
fn dot_algorithm(algorithm: &DotAlgorithm) -> Result<(), String> {
    general::dot_algorithm(&general::DotAlgorithm {
        lhs_precision_type: MlirType(algorithm.lhs_precision_type),
        rhs_precision_type: MlirType(algorithm.rhs_precision_type),
        accumulation_type: MlirType(algorithm.accumulation_type),
        lhs_component_count: algorithm.lhs_component_count,
        rhs_component_count: algorithm.rhs_component_count,
        num_primitive_operations: algorithm.num_primitive_operations,
        allow_imprecise_accumulation: algorithm.allow_imprecise_accumulation,
    })
}

/// Makes MLIR call [`verify`] for every op, and [`infer_return_types`] for omitted types. Later
/// calls do nothing.
pub fn install() {
    let hooks = SemanticsHooks {
        verify: |operation| verify(operation).map_err(VerifyError::new),
        verify_symbol_uses: |operation| verify_symbol_uses(operation).map_err(VerifyError::new),
        fold: crate::folding::fold,
        infer: |parts| infer_return_types(parts).map_err(VerifyError::new),
        verify_dot_algorithm: |algorithm| dot_algorithm(algorithm).map_err(VerifyError::new),
        verify_attribute: |operation, bearer, name, value| {
            halo::attribute(operation, bearer, name, value).map_err(VerifyError::new)
        },
        verify_callee: |operation, callee| {
            halo::callee(operation, callee).map_err(VerifyError::new)
        },
        speculate: |operation| speculation::speculatability(Op::Built(operation)),
    };
    // An earlier call has installed the same hooks.
    let _ = install_hooks(hooks);
}
