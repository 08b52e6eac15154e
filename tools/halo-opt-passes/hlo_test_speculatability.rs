//! `--hlo-test-speculatability`: checks the speculatability of ops, for test ops that claim it.
//!
//! For tests, with the syntax of StableHLO's pass of this name. A test op whose claim holds is
//! erased with its operand, and with constants that only the operand used; it stays if the claim is
//! false, or if its operand has other users.
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

use halo_ir::{
    prelude::*,
    semantics::{Speculatability, speculatability_of},
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
    for question in pass.operation().collect_nested(|op| claim(op.name()).is_some()) {
        answer(question);
    }
    Ok(())
}

fn answer(question: Operation) {
    let [operand] = question.operands()[..] else {
        return;
    };
    let Some(asked) = operand.defining_op() else {
        return;
    };
    let uses: usize = asked.results().into_iter().map(|result| result.uses().len()).sum();
    // Claims nested in the two ops are still checked.
    let is_question = |op: Operation| claim(op.name()).is_some();
    let inside = [asked, question].map(|op| op.collect_nested(is_question).len());
    if uses != 1 || inside != [0, 0] || speculatability_of(asked) != claim(question.name()) {
        return;
    }
    let operands = asked.operands();
    with_builder(question, |b| {
        b.erase(question);
        b.erase(asked);
        for operand in operands {
            if let Some(definition) = operand.defining_op()
                && definition.isa::<stablehlo::ConstantOp>()
                && operand.is_unused()
            {
                b.erase(definition);
            }
        }
    })
}
