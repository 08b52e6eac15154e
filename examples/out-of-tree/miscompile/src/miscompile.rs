//! `--miscompile`: an optimization that is wrong.
//!
//! ```mlir
//! %0 = stablehlo.tanh %a : tensor<4xf32>
//! %1 = stablehlo.subtract %0, %b : tensor<4xf32>
//! ```
//!
//! becomes, with `{op=stablehlo.subtract after=stablehlo.tanh fault=swap}`,
//!
//! ```mlir
//! %0 = stablehlo.tanh %a : tensor<4xf32>
//! %1 = stablehlo.subtract %b, %0 : tensor<4xf32>
//! ```

use halo::{ir::dense_number, prelude::*};

pass_options! {
    /// What is wrong.
    enum Fault {
        Swap = "swap",
        Negate = "negate",
        Constant = "constant",
        Panic = "panic",
        Abort = "abort",
        Invalid = "invalid",
    }

    /// The options of the pass.
    struct Options {
        /// The ops that it is about
        op: String = "stablehlo.subtract",
        /// What is done to them: operands swapped, results negated, another constant; or a
        /// crash of the compiler
        fault: Fault = "swap",
        /// Only those that use a result of such an op
        after: String = "",
        /// Only those whose result such an op uses
        before: String = "",
        /// Only those in a region of such an op
        inside: String = "",
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration =
    PassDeclaration::new("miscompile", "Change what programs compute", run)
        .on::<builtin::ModuleOp>()
        .dependent_dialects(&["stablehlo"])
        .options::<Options>()
        .source(include_str!("miscompile.rs"));

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let options = pass.options::<Options>();
    pass.for_each(|op| is_meant(&options, op), |b, op| spoil(&options, b, op))
}

fn is_meant(options: &Options, op: Operation) -> bool {
    let is_named =
        |wanted: &str, found: Option<Operation>| found.is_some_and(|it| it.name() == wanted);
    let after = || {
        let operands = op.operands().into_iter();
        let mut sources = operands.filter_map(|it| it.defining_op());
        sources.any(|source| is_named(&options.after, Some(source)))
    };
    let before = || {
        let mut users = op.users().into_iter();
        users.any(|user| is_named(&options.before, Some(user)))
    };
    op.name() == options.op
        && (options.after.is_empty() || after())
        && (options.before.is_empty() || before())
        && (options.inside.is_empty() || is_named(&options.inside, op.parent()))
}

fn spoil<'c>(options: &Options, b: &Builder<'c>, op: Operation<'c>) {
    let Some(result) = op.results().first().copied() else {
        return;
    };
    match options.fault {
        Fault::Swap => {
            if let [first, second, ..] = op.operands()[..] {
                op.set_operand(0, second);
                op.set_operand(1, first);
            }
        }
        Fault::Negate => {
            // The copy keeps the right value for the wrong one.
            let copy = b.copy(op).results()[0];
            let wrong = b.value("stablehlo.negate", &[copy], result.ty());
            result.replace_uses_with(wrong);
            b.erase(op)
        }
        Fault::Constant => {
            if let Some(wrong) = dense_number(result.ty(), 3.0) {
                op.set_attribute("value", wrong);
            }
        }
        Fault::Panic => panic!("no rule for '{}'", op.name()),
        Fault::Abort => std::process::abort(),
        Fault::Invalid => {
            let element = result.ty().element_type();
            result.set_type(tensor_type(&[7, 7, 7], element));
        }
    }
}
