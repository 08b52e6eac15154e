//! `--hlo-legalize-to-stablehlo`: ops of the mhlo dialect in StableHLO and CHLO.
//!
//! XLA's exporter writes in mhlo what StableHLO has no op for, such as the copies
//! that TensorFlow's recurrent layers contain. A copy is its operand; a function
//! is the one of CHLO of the same name.
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

use crate::ir::{
    Operation, collect_operations, name_of, operands_of, result_types_of, with_builder,
};
use halo_dialects::pass::{PassDeclaration, PassFailure, PassInvocation, emit_error};
use melior::ir::operation::OperationLike;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration {
    argument: "hlo-legalize-to-stablehlo",
    summary: "Express ops of the mhlo dialect by those of StableHLO and CHLO",
    anchor: "",
    dependent_dialects: &["chlo", "stablehlo"],
    options: &[],
    run,
};

const DIALECT: &str = "mhlo.";

/// Whether a program has ops of the mhlo dialect.
pub fn is_needed(module: Operation) -> bool {
    !collect_operations(module, is_mhlo).is_empty()
}

fn is_mhlo(operation: Operation) -> bool {
    name_of(operation).starts_with(DIALECT)
}

fn run(pass: &PassInvocation) -> Result<(), PassFailure> {
    for operation in collect_operations(pass.operation(), is_mhlo) {
        let operands = operands_of(operation);
        let name = name_of(operation).trim_start_matches(DIALECT);
        let legalized = with_builder(operation, |b| {
            let value = match name {
                "copy" => operands[0],
                function => b.value(
                    &format!("chlo.{function}"),
                    &operands,
                    result_types_of(operation)[0],
                )?,
            };
            b.replace(operation, &[value]);
            Ok::<_, crate::ir::BuildError>(())
        });
        if let Err(error) = legalized {
            emit_error(operation.location(), &format!("internal error: {error}"));
            return Err(PassFailure);
        }
    }
    Ok(())
}
