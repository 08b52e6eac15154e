//! The hooks decide which ops are valid and which fold. They are installed once for the process, so
//! one test has all cases.

use halo_ir::{
    diagnostics::with_diagnostics,
    pass::{PipelineError, run_pipeline},
    prelude::*,
    semantics::{FoldResult, SemanticsHooks, Speculatability, VerifyError, install_hooks},
    upstream,
};
use melior::{
    Context,
    dialect::DialectRegistry,
    ir::{
        Attribute, Module,
        operation::{OperationLike, OperationRef},
    },
};

fn verify(op: OperationRef) -> Result<(), VerifyError> {
    if op.has_attribute("test.panic") {
        panic!("a bug in the verifier");
    }
    if op.has_attribute("test.invalid") {
        return Err(format!("{} regions", op.region_count()).into());
    }
    Ok(())
}

fn verify_symbol_uses(op: OperationRef) -> Result<(), VerifyError> {
    if op.has_attribute("test.unknown_symbol") {
        return Err("unknown symbol".into());
    }
    Ok(())
}

/// Folds `x + constant` to the constant and `-x` to `x`: wrong, but visible in a test.
fn fold<'c, 'a>(
    op: OperationRef<'c, 'a>,
    operands: &[Option<Attribute<'c>>],
) -> Option<Vec<FoldResult<'c, 'a>>> {
    match op.name() {
        "stablehlo.add" => Some(vec![FoldResult::Attribute(operands[1]?)]),
        "stablehlo.negate" => Some(vec![FoldResult::Value(
            OperationLike::operand(&op, 0).ok()?,
        )]),
        "stablehlo.sign" => panic!("a bug in the folder"),
        _ => None,
    }
}

fn messages_of(context: &Context, text: &str) -> Vec<String> {
    let messages = std::sync::Mutex::new(Vec::new());
    let id = context.attach_diagnostic_handler(|diagnostic| {
        messages.lock().unwrap().push(diagnostic.to_string());
        true
    });
    let module = Module::parse(context, text);
    context.detach_diagnostic_handler(id);
    let messages = messages.into_inner().unwrap();
    assert_eq!(module.is_none(), !messages.is_empty());
    messages
}

#[test]
fn hooks_verify_and_fold() {
    let registry = DialectRegistry::new();
    upstream::register_dialects(&registry);
    let hooks = SemanticsHooks {
        verify,
        verify_symbol_uses,
        fold,
        speculate: |op| match op.name() {
            "stablehlo.cosine" => panic!("a bug in the rule"),
            _ => Speculatability::Speculatable,
        },
        ..SemanticsHooks::default()
    };
    install_hooks(hooks).unwrap();
    assert!(install_hooks(hooks).is_err());
    let context = Context::new();
    context.append_dialect_registry(&registry);

    let program =
        |op: &str| format!("func.func @f(%a: tensor<2xf32>, %p: tensor<i1>) {{ {op} return }}");
    assert!(messages_of(&context, &program("%0 = stablehlo.abs %a : tensor<2xf32>")).is_empty());
    assert_eq!(
        messages_of(
            &context,
            &program("%0 = stablehlo.abs %a {test.invalid} : tensor<2xf32>")
        ),
        ["'stablehlo.abs' op 0 regions"]
    );
    assert_eq!(
        messages_of(
            &context,
            &program("%0 = stablehlo.abs %a {test.panic} : tensor<2xf32>")
        ),
        ["'stablehlo.abs' op internal error: a bug in the verifier"]
    );
    // An op is verified before the ops inside.
    assert_eq!(
        messages_of(
            &context,
            &program(
                "\"stablehlo.if\"(%p) ({ %0 = stablehlo.abs %a {test.invalid} : tensor<2xf32> \
                 stablehlo.return }, { stablehlo.return }) {test.invalid} : (tensor<i1>) -> ()"
            )
        ),
        ["'stablehlo.if' op 2 regions"]
    );
    assert_eq!(
        messages_of(
            &context,
            &program(
                "%0 = stablehlo.composite \"a.b\" %a {decomposition = @g, test.unknown_symbol} \
                 : (tensor<2xf32>) -> tensor<2xf32>"
            )
        ),
        ["'stablehlo.composite' op unknown symbol"]
    );
    // An op that TableGen's verifier rejects never reaches the hook.
    let messages = messages_of(
        &context,
        &program("%0 = stablehlo.abs %p {test.panic} : tensor<i1>"),
    );
    assert_eq!(messages.len(), 1);
    assert!(
        messages[0].contains("operand #0 must be ranked tensor"),
        "{messages:?}"
    );

    let mut module = Module::parse(
        &context,
        "func.func @f(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
           %c = stablehlo.constant dense<3.0> : tensor<2xf32>
           %0 = stablehlo.add %a, %c : tensor<2xf32>
           %1 = stablehlo.negate %a : tensor<2xf32>
           %2 = stablehlo.sign %a : tensor<2xf32>
           return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
         }",
    )
    .unwrap();
    // One message, though the folder is called more than once.
    upstream::register_passes();
    let (result, errors) =
        with_diagnostics(&context, || run_pipeline(&mut module, "canonicalize,cse"));
    assert_eq!(
        result,
        Err(PipelineError::PassFailed("canonicalize".to_owned()))
    );
    let [error] = &errors[..] else {
        panic!("{errors:?}");
    };
    let folder = "error: internal error: the folder of 'stablehlo.sign' op panicked: \
                  a bug in the folder";
    assert!(error.to_string().ends_with(folder), "{error}");
    let text = module.as_operation().to_string();
    assert!(
        text.contains("%cst = stablehlo.constant dense<3.000000e+00>"),
        "{text}"
    );
    assert!(text.contains("%0 = stablehlo.sign %arg0"), "{text}");
    assert!(text.contains("return %cst, %arg0, %0"), "{text}");

    let mut module = Module::parse(
        &context,
        "func.func @f(%a: tensor<2xf32>, %n: index) {
           %zero = arith.constant 0 : index
           %one = arith.constant 1 : index
           scf.for %i = %zero to %n step %one {
             %0 = stablehlo.cosine %a : tensor<2xf32>
             func.call @g(%0) : (tensor<2xf32>) -> ()
           }
           return
         }
         func.func private @g(tensor<2xf32>)",
    )
    .unwrap();
    let moved = with_diagnostics(&context, || {
        run_pipeline(&mut module, "loop-invariant-code-motion")
    });
    let (Err(PipelineError::PassFailed(pass)), [error]) = (&moved.0, &moved.1[..]) else {
        panic!("{moved:?}");
    };
    assert_eq!(pass, "loop-invariant-code-motion");
    let rule = "error: internal error: the rule for speculation of 'stablehlo.cosine' op \
                panicked: a bug in the rule";
    assert!(error.to_string().ends_with(rule), "{error}");
}
