//! `--hlo-legalize-to-stablehlo`: converts ops of the mhlo dialect to StableHLO and CHLO.
//!
//! XLA's exporter writes ops without a StableHLO counterpart in mhlo, such as the copies in
//! TensorFlow's recurrent layers. A copy is replaced by its operand; a function by the CHLO op of
//! the same name.
//!
//! An instruction without an mhlo op is exported as `mhlo.unknown`, without the opcode.
//! `dynamic-reshape` is the only such instruction on an array and one scalar for each dimension of
//! its result, so an unknown op with these operands is converted; any other is rejected.
//!
//! ```mlir
//! %0 = mhlo.copy %x : tensor<4xf32>
//! %1 = mhlo.erf %0 : tensor<4xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %1 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
//! ```

use crate::semantics::{Dim, dims_of};
use halo_ir::{
    ops::{UnaryFn, mhlo},
    prelude::*,
};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "hlo-legalize-to-stablehlo",
    "Express ops of the mhlo dialect by those of StableHLO and CHLO",
    run,
)
.dependent_dialects(&["chlo", "stablehlo"]);

const DIALECT: &str = "mhlo.";

/// Returns true if a program has ops of the mhlo dialect.
pub fn is_needed(module: Operation) -> bool {
    !module.collect_nested(is_mhlo).is_empty()
}

fn is_mhlo(operation: Operation) -> bool {
    operation.name().starts_with(DIALECT)
}

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    for operation in pass.operation().collect_nested(is_mhlo) {
        let legalized = with_builder(operation, |b| legalize(b, operation));
        if !legalized {
            let message = "'mhlo.unknown' is an instruction of HLO that XLA's exporter has no op \
                           for, and does not say which; export the program as HLO instead";
            return Err(PassFailure::at(operation, message));
        }
    }
    Ok(())
}

/// Replaces an op; returns false if its meaning is unknown.
fn legalize<'c>(b: &Builder<'c>, operation: Operation<'c>) -> bool {
    let function: UnaryFn = match operation.name() {
        mhlo::AcosOp::NAME => chlo::acos,
        mhlo::AcoshOp::NAME => chlo::acosh,
        mhlo::AsinOp::NAME => chlo::asin,
        mhlo::AsinhOp::NAME => chlo::asinh,
        mhlo::AtanhOp::NAME => chlo::atanh,
        mhlo::CopyOp::NAME => |_, operand| operand,
        mhlo::CoshOp::NAME => chlo::cosh,
        mhlo::ErfOp::NAME => chlo::erf,
        mhlo::SinhOp::NAME => chlo::sinh,
        _ => {
            let value = match operation.cast::<mhlo::UnknownOp>() {
                Some(unknown) => dynamic_reshape(b, unknown),
                None => None,
            };
            return match value {
                Some(value) => {
                    b.replace(operation, &[value]);
                    true
                }
                None => false,
            };
        }
    };
    let Some(operand) = operation.operands().first().copied() else {
        return false;
    };
    b.replace(operation, &[function(b, operand)]);
    true
}

/// Recognizes a `dynamic_reshape` in an unknown op.
fn dynamic_reshape<'c>(b: &Builder<'c>, unknown: mhlo::UnknownOp<'c>) -> Option<Value<'c>> {
    let (inputs, outputs) = (unknown.inputs(), unknown.outputs());
    let (Some((array, sizes)), [output]) = (inputs.split_first(), &outputs[..]) else {
        return None;
    };
    let result = output.ty();
    let (Some(_), Some(dims)) = (dims_of(array.ty()), dims_of(result)) else {
        return None;
    };
    let index = integer_type(b.context(), 32);
    let scalar = tensor_type(&[], index);
    let is_reshape = dims.len() == sizes.len()
        && dims.iter().any(|dim| !matches!(dim, Dim::Static(_)))
        && array.ty().element_type() == result.element_type()
        && sizes.iter().all(|size| size.ty() == scalar);
    if !is_reshape {
        return None;
    }
    let single = tensor_type(&[1], index);
    let sizes = sizes
        .iter()
        .map(|size| stablehlo::reshape(b, *size, single))
        .collect::<Vec<_>>();
    let sizes = stablehlo::concatenate(b, &sizes, 0);
    Some(stablehlo::dynamic_reshape(b, *array, sizes, result))
}
