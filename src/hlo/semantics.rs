//! The static semantics of StableHLO and CHLO ops: verification and type inference.
//!
//! MLIR calls a hook for every op that has passed the checks of its ODS definition, and another for
//! the result types of new ops. The functions here implement the constraints of the StableHLO
//! specification, one file for each family of ops; each names its section and constraints, `(C1)`
//! and so on. Checks of ODS are not repeated.
//!
//! A function that infers verifies operands, attributes and regions, and
//! returns the types of the results, or only their shapes if the program
//! chooses the elements. Verification compares these with the declared types;
//! builders use them; shape refinement writes the more specific ones into the
//! program.
//!
//! Dynamic dimensions are compatible with any size, bounded ones with sizes within the bound.
//! Quantized element types are compatible if they have the same storage and expressed types,
//! because scales may differ.
//!
//! Verification runs after every pass on every op, so it only inspects types and small attributes,
//! never the elements of a tensor, and builds text only for messages. The only constants that it
//! reads are computed shapes.
//!
//! Constraints that upstream's verifier does not check are checked only if a violating program has
//! no meaning: `docs/verification.md` lists them.

mod body;
mod buffers;
mod checks;
mod chlo;
mod communication;
mod control_flow;
mod convolution;
pub(crate) mod custom_call;
mod dims;
pub mod dot;
mod dynamic;
mod einsum;
mod elementwise;
mod gather_scatter;
mod halo;
mod inferred;
mod linear_algebra;
pub mod op;
mod prelude;
pub mod quantization;
mod reduction;
mod rules;
mod shape;
mod sharding;
mod slicing;
mod speculation;
pub mod tensor;
pub mod window;

pub use dims::Dim;
use halo_ir::{
    ops::{interpreter, sdy},
    prelude::*,
    semantics::{OpParts, SemanticsHooks, VerifyError, install_hooks},
};
use inferred::{Inferred, expect_results};
pub use inferred::{refine_type, tensor_of};
use op::Op;
use rules::rule_of;
pub use tensor::{dims_of, types_agree};

/// Returns the error of an invalid op. Ops of other dialects are valid.
pub fn verify(operation: Operation) -> Result<(), String> {
    let op = Op::Built(operation);
    for (subject, ty) in op.operands().chain(op.results()) {
        tensor::expect_countable(subject, ty)?;
    }
    let Some(rule) = rule_of(operation.name()) else {
        return Ok(());
    };
    for (subject, ty) in op.operands().chain(op.results()) {
        quantization::expect_wellformed(subject, ty)?;
    }
    if let Some(infer) = rule.infer {
        expect_results(op, &infer(op)?)?;
    }
    match rule.check {
        Some(check) => check(op),
        None => Ok(()),
    }
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
        .and_then(|results| results.into_iter().map(Inferred::into_type).collect())
        .ok_or_else(|| "has results whose types do not follow from its operands".to_string())
}

/// The result types of an existing op, refined by the sizes and bounds of its operands. A type is
/// unchanged if nothing more is known, or if the op is invalid.
pub fn refine_result_types(operation: Operation<'_>) -> Vec<Type<'_>> {
    let mut types = operation.result_types();
    if let Ok(Some(inferred)) = infer(Op::Built(operation)) {
        for (ty, inferred) in types.iter_mut().zip(inferred) {
            if let Some(refined) = inferred.refine(*ty) {
                *ty = refined;
            }
        }
    }
    if operation.isa::<stablehlo::ReshapeOp>()
        && let [ty] = &mut types[..]
        && let Some(refined) = shape::refine_reshape(Op::Built(operation))
    {
        *ty = refined;
    }
    let refined = match operation.name() {
        stablehlo::AllGatherOp::NAME => communication::refine_all_gather(Op::Built(operation)),
        stablehlo::ReduceScatterOp::NAME => {
            communication::refine_reduce_scatter(Op::Built(operation))
        }
        _ => None,
    };
    for (ty, refined) in types.iter_mut().zip(refined.unwrap_or_default()) {
        if let Some(refined) = refine_type(*ty, refined) {
            *ty = refined;
        }
    }
    types
}

/// The sizes of the slice of `real_dynamic_slice`, if they are constants and
/// its strides are one.
pub fn constant_slice_sizes(operation: Operation) -> Option<Vec<i64>> {
    dynamic::constant_spans(Op::Built(operation))
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

/// Makes MLIR call [`verify`] for every op, and [`infer_return_types`] for omitted types. Later
/// calls do nothing.
pub fn install() {
    let hooks = SemanticsHooks {
        verify: |operation| verify(operation).map_err(VerifyError::new),
        verify_symbol_uses: |operation| verify_symbol_uses(operation).map_err(VerifyError::new),
        fold: crate::folding::fold,
        infer: |parts| infer_return_types(parts).map_err(VerifyError::new),
        verify_dot_algorithm: |algorithm| dot::dot_algorithm(algorithm).map_err(VerifyError::new),
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
