//! Panics, changes and endless rewriting in callbacks of MLIR.

use super::*;
use halo_ir::prelude::*;

pub fn erasing_while_visiting(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let mut seen = 0;
    root.visit(&mut |op| {
        read(op);
        seen += 1;
        if op != root {
            with_builder(op, |b| {
                for result in op.results() {
                    for (user, _) in result.uses() {
                        if user.results().into_iter().all(Value::is_unused) {
                            b.erase(user);
                        }
                    }
                }
                b.erase(op);
            });
        }
    });
    assert!(seen > 3);
    // The result may be anything but a crash.
    let functions = root.collect_nested(|op| op.name() == "func.func");
    for function in functions {
        with_builder(function, |b| b.erase(function));
    }
    Ok(())
}

pub fn pass_panics(_: &mut PassInvocation) -> Outcome {
    panic!("on purpose")
}

pub fn panicking<'c>(_: &Builder<'c>, _: Operation<'c>) -> RewriteResult {
    panic!("on purpose")
}

pub fn pattern_panics(pass: &mut PassInvocation) -> Outcome {
    apply_greedily(pass, &[Pattern::named("arith.addi", panicking)])
}

pub fn pattern_once_panics(pass: &mut PassInvocation) -> Outcome {
    apply_patterns_once(pass.operation(), &[Pattern::named("arith.addi", panicking)])
}

pub fn visitor_panics(pass: &mut PassInvocation) -> Outcome {
    pass.operation().visit(&mut |_| panic!("on purpose"));
    Ok(())
}

pub fn builder_panics(pass: &mut PassInvocation) -> Outcome {
    let op = find(pass.operation(), "arith.muli");
    with_builder(op, |b| {
        b.erase(op);
        b.with_insertion_point(|_| panic!("on purpose"))
    })
}

pub fn region_panics(pass: &mut PassInvocation) -> Outcome {
    let op = find(pass.operation(), "arith.muli");
    with_builder(op, |b| {
        let _ = b.region(&[], |_, _| -> Result<(), BuildError> {
            panic!("on purpose")
        });
    });
    Ok(())
}

pub fn diagnosed_panics(pass: &mut PassInvocation) -> Outcome {
    let context = pass.operation().context();
    let (outcome, _) = with_diagnostics(context, || -> Outcome { panic!("on purpose") });
    outcome
}

pub fn edit_panics(pass: &mut PassInvocation) -> Outcome {
    let context = pass.operation().context();
    let mut module = parse_module(context, PROGRAM.as_bytes(), "inner.mlir").unwrap();
    edit_module(&mut module, |root| {
        let op = find(root, "arith.muli");
        with_builder(op, |b| b.erase(op));
        panic!("on purpose")
    })
    .unwrap()
}

pub fn rule_panics(pass: &mut PassInvocation) -> Outcome {
    fuse_elementwise(pass, |_, _, _| panic!("on purpose"));
    Ok(())
}

pub fn rule_changes(pass: &mut PassInvocation) -> Outcome {
    fuse_elementwise(pass, |producer, consumer, _| {
        let changed = with_builder(consumer, |b| b.try_erase(producer));
        panic!("{}", changed.unwrap_err());
    });
    Ok(())
}

pub fn pattern_without_end(pass: &mut PassInvocation) -> Outcome {
    fn again<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
        let same = b.copy(op);
        b.replace(op, &same.results());
        Ok(())
    }
    apply_greedily(pass, &[Pattern::named("arith.addi", again)])
}

pub fn pattern_erases_all(pass: &mut PassInvocation) -> Outcome {
    /// Erases as much as possible, before and after the op.
    fn all<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
        let mut ops = op.block().ok_or(RewriteError::NoMatch)?.operations();
        ops.reverse();
        for op in ops {
            b.erase(op);
            read(op);
        }
        b.set_to_end(op.parent().unwrap_or(op).body(0).ok_or(RewriteError::NoMatch)?);
        Ok(())
    }
    fn add_end<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
        let block = op.block().ok_or(RewriteError::NoMatch)?;
        all(b, op).ok();
        b.set_to_end(block);
        b.op("ub.unreachable").insert();
        Ok(())
    }
    apply_greedily(pass, &[Pattern::named("arith.addi", add_end)])
}

pub fn pattern_erases_around(pass: &mut PassInvocation) -> Outcome {
    fn around<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
        let conditional = op.parent().ok_or(RewriteError::NoMatch)?;
        let first = op.operands()[0];
        b.replace(conditional, &[first]);
        read(op);
        read(conditional);
        Ok(())
    }
    apply_greedily(pass, &[Pattern::named("arith.subi", around)])
}

pub fn pattern_once_erases_others(pass: &mut PassInvocation) -> Outcome {
    fn next<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
        let next = op.next_in_block().ok_or(RewriteError::NoMatch)?;
        let operand = next.operands().pop().ok_or(RewriteError::NoMatch)?;
        if let [result] = next.results()[..]
            && result.ty() == operand.ty()
        {
            b.replace(next, &[operand]);
        }
        read(next);
        Ok(())
    }
    let names = [
        "arith.addi",
        "arith.muli",
        "arith.constant",
        "scf.if",
        "arith.subi",
    ];
    apply_patterns_once(
        pass.operation(),
        &names.map(|name| Pattern::named(name, next)),
    )
}

pub fn pattern_leaves_a_stale_use(pass: &mut PassInvocation) -> Outcome {
    fn leave<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
        let conditional = op.parent().ok_or(RewriteError::NoMatch)?;
        let terminator = conditional.block().ok_or(RewriteError::NoMatch)?.terminator();
        let first = op.operands()[0];
        b.replace(conditional, &[first]);
        terminator.ok_or(RewriteError::NoMatch)?.set_operand(0, op.results()[0]);
        Ok(())
    }
    apply_greedily(pass, &[Pattern::named("arith.subi", leave)])
}

pub fn pattern_builds_wrong_ops(pass: &mut PassInvocation) -> Outcome {
    fn wrong<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
        let first = op.operands()[0];
        let value = b.value("arith.addi", &[first], first.ty());
        b.replace(op, &[value]);
        Ok(())
    }
    apply_greedily(pass, &[Pattern::named("arith.addi", wrong)])
}

/// The greedy driver would fold the op at once.
pub fn pattern_leaves_out_an_attribute(pass: &mut PassInvocation) -> Outcome {
    fn leave_out<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
        let [x, y] = op.operands()[..] else {
            return Err(RewriteError::NoMatch);
        };
        let i1 = integer_type(b.context(), 1);
        b.value("arith.cmpi", &[x, y], i1);
        Ok(())
    }
    apply_greedily(pass, &[Pattern::named("arith.addi", leave_out)])
}

pub fn nested_pipeline(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "arith.muli");
    with_builder(op, |b| b.erase(op));
    let mut module = parse_module(root.context(), PROGRAM.as_bytes(), "inner.mlir").unwrap();
    run_pipeline(&mut module, "stale_operation,canonicalize,stale_region").unwrap();
    let inner = find(root_of(&module), "func.func");
    with_builder(inner, |b| b.erase(inner));
    read(inner);
    drop(module);
    read(op);
    Ok(())
}

pub fn another_context_within(pass: &mut PassInvocation) -> Outcome {
    let op = find(pass.operation(), "arith.muli");
    with_builder(op, |b| b.erase(op));
    elsewhere(|_, root| {
        let op = find(root, "arith.muli");
        with_builder(op, |b| b.erase(op));
        read(op);
    });
    read(op);
    Ok(())
}

/// A hook that panics only causes an error.
pub fn hooks_panic() {
    let text = "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n  \
                %0 = stablehlo.abs %x : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n";
    let context = context();
    let (module, errors) = with_diagnostics(&context, || {
        parse_module(&context, text.as_bytes(), "h.mlir")
    });
    assert!(module.is_none());
    assert!(
        errors[0].message.contains("internal error: verify on purpose"),
        "{errors:?}"
    );
    let op = Location::unknown(&context);
    let mut module = Module::new(op);
    halo_ir::fill_module(&mut module, &(), |b, _, ()| {
        let half = float_attribute(Type::float32(b.context()), 0.5);
        let tensor = tensor_type(&[2], Type::float32(b.context()));
        let constant = b.op("arith.constant").attribute("value", splat_attribute(tensor, half));
        let constant = constant.infer_results().value();
        let spec = b.op("stablehlo.abs").operands(&[constant]).infer_results();
        let (made, errors) = with_diagnostics(b.context(), || spec.try_insert());
        assert!(made.is_err());
        assert!(errors[0].message.contains("infer on purpose"), "{errors:?}");
    })
    .unwrap();
}
