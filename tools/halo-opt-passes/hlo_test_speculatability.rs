//! `--hlo-test-speculatability`: whether ops may run where the program would not
//! have run them, for test ops that ask for it.
//!
//! For tests, with the syntax of StableHLO's pass of this name. A question that is
//! answered with yes goes away with the op that it asks about, and with constants
//! that only that op used; one that is not stays, and so does one about an op that
//! is used elsewhere.
//!
//! ```mlir
//! %0 = stablehlo.abs %a : (tensor<?xf32>) -> tensor<2xf32>
//! "hlo_test_speculatability.is_not_speculatable"(%0) : (tensor<2xf32>) -> ()
//! %1 = stablehlo.abs %b : tensor<2xf32>
//! "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<2xf32>) -> ()
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = stablehlo.abs %b : tensor<2xf32>
//! "hlo_test_speculatability.is_not_speculatable"(%0) : (tensor<2xf32>) -> ()
//! ```

use halo_ir::ops::{OperationExt, stablehlo};
use halo_ir::pass::{PassDeclaration, PassFailure, PassInvocation};
use halo_ir::semantics::{Speculatability, speculatability_of};
use halo_ir::{
    BuildError, Operation, collect_operations, defining_operation, is_unused, name_of, operands_of,
    results_of, uses_of, with_builder,
};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "hlo-test-speculatability",
    "Answer hlo_test_speculatability.is_[not_|recursively_]speculatable, for tests",
    run,
)
.source(include_str!("hlo_test_speculatability.rs"));

/// The claim of a test op about the definition of its operand.
fn claim(name: &str) -> Option<Speculatability> {
    Some(match name.strip_prefix("hlo_test_speculatability.")? {
        "is_not_speculatable" => Speculatability::NotSpeculatable,
        "is_recursively_speculatable" => Speculatability::RecursivelySpeculatable,
        "is_speculatable" => Speculatability::Speculatable,
        _ => return None,
    })
}

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    for question in collect_operations(pass.operation(), |op| claim(name_of(op)).is_some()) {
        answer(question).map_err(|error| PassFailure::internal(question, error))?;
    }
    Ok(())
}

fn answer(question: Operation) -> Result<(), BuildError> {
    let [operand] = operands_of(question)[..] else {
        return Ok(());
    };
    let Some((asked, _)) = defining_operation(operand) else {
        return Ok(());
    };
    let uses: usize = results_of(asked).into_iter().map(|result| uses_of(result).len()).sum();
    // Questions inside of the two are still to be answered.
    let is_question = |op: Operation| claim(name_of(op)).is_some();
    let inside = [asked, question].map(|op| collect_operations(op, is_question).len());
    if uses != 1 || inside != [0, 0] || speculatability_of(asked) != claim(name_of(question)) {
        return Ok(());
    }
    let operands = operands_of(asked);
    with_builder(question, |b| {
        b.erase(question)?;
        b.erase(asked)?;
        for operand in operands {
            if let Some((definition, _)) = defining_operation(operand)
                && definition.isa::<stablehlo::ConstantOp>()
                && is_unused(operand)
            {
                b.erase(definition)?;
            }
        }
        Ok(())
    })
}
