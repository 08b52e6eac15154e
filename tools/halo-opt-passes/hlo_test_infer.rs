//! `--hlo-test-infer`: the inferred results of ops, for test ops that request
//! them.
//!
//! For tests, with the syntax of StableHLO's pass of this name;
//! [`--halo-test-infer`](crate::test_infer) shows more, for all ops. An op whose types cannot be
//! inferred is left unchanged, and so are queries of computed shapes.
//!
//! ```mlir
//! %0 = stablehlo.abs %a : (tensor<2xf32>) -> tensor<?xf32>
//! %1 = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> tensor<?xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = stablehlo.abs %a : (tensor<2xf32>) -> tensor<?xf32>
//! %1 = "hlo_test_infer.return_types"(%0) {types0 = tensor<2xf32>} : (tensor<?xf32>) -> tensor<?xf32>
//! ```

use crate::test_infer::with_inferred;
use halo_ir::{prelude::*, type_attribute};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "hlo-test-infer",
    "Answer hlo_test_infer.get_return_types with the inferred types, for tests",
    run,
)
.source(include_str!("hlo_test_infer.rs"));

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let questions = pass
        .operation()
        .collect_nested(|op| op.name() == "hlo_test_infer.get_return_types");
    for question in questions {
        answer(question).map_err(|message| {
            emit_error(question.location(), &message);
            PassFailure
        })?;
    }
    Ok(())
}

fn answer(question: Operation) -> Result<(), String> {
    let [operand] = question.operands()[..] else {
        return Ok(());
    };
    let Some(asked) = operand.defining_op() else {
        return Ok(());
    };
    with_inferred(asked, |_, inferred| {
        let Ok(inferred) = inferred else {
            return Ok(());
        };
        with_builder(question, |b| {
            let answer = b.rebuild(
                question,
                "hlo_test_infer.return_types",
                &[operand],
                &question.result_types(),
            );
            for (number, ty) in inferred.iter().enumerate() {
                answer.set_attribute(&format!("types{number}"), type_attribute(*ty));
            }
            b.replace(question, &answer.results())
        });
        Ok(())
    })
}
