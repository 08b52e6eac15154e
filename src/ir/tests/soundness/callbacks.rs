//! Panics, changes and endless rewriting in what MLIR calls.

use super::*;

pub fn erasing_while_visiting(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let mut seen = 0;
    visit(root, &mut |op| {
        read(op);
        seen += 1;
        if op != root {
            with_builder(op, |b| {
                for result in results_of(op) {
                    for (user, _) in uses_of(result) {
                        if results_of(user).into_iter().all(is_unused) {
                            let _ = b.erase(user);
                        }
                    }
                }
                let _ = b.erase(op);
            });
        }
    });
    assert!(seen > 3);
    // What is left may be anything but a crash.
    let functions = collect_operations(root, |op| name_of(op) == "func.func");
    for function in functions {
        with_builder(function, |b| b.erase(function)).unwrap();
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
    visit(pass.operation(), &mut |_| panic!("on purpose"));
    Ok(())
}

pub fn builder_panics(pass: &mut PassInvocation) -> Outcome {
    let op = find(pass.operation(), "arith.muli");
    with_builder(op, |b| {
        b.erase(op).unwrap();
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
    let context = context_of(pass.operation());
    let (outcome, _) = with_diagnostics(context, || -> Outcome { panic!("on purpose") });
    outcome
}

pub fn edit_panics(pass: &mut PassInvocation) -> Outcome {
    let context = context_of(pass.operation());
    let mut module = parse_module(context, PROGRAM.as_bytes(), "inner.mlir").unwrap();
    edit_module(&mut module, |root| {
        let op = find(root, "arith.muli");
        with_builder(op, |b| b.erase(op)).unwrap();
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
        let changed = with_builder(consumer, |b| b.erase(producer));
        panic!("{}", changed.unwrap_err());
    });
    Ok(())
}

pub fn pattern_without_end(pass: &mut PassInvocation) -> Outcome {
    fn again<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
        let same = b.copy(op);
        b.replace(op, &results_of(same))?;
        Ok(())
    }
    apply_greedily(pass, &[Pattern::named("arith.addi", again)])
}

pub fn pattern_erases_all(pass: &mut PassInvocation) -> Outcome {
    /// Erases what can be, behind and before the op.
    fn all<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
        let mut ops = operations_of(parent_block(op).ok_or(RewriteError::NoMatch)?);
        ops.reverse();
        for op in ops {
            let _ = b.erase(op);
            read(op);
        }
        b.set_to_end(
            halo_ir::body_of(parent_operation(op).unwrap_or(op), 0).ok_or(RewriteError::NoMatch)?,
        );
        Ok(())
    }
    fn add_end<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
        let block = parent_block(op).ok_or(RewriteError::NoMatch)?;
        all(b, op).ok();
        b.set_to_end(block);
        b.op("ub.unreachable").insert()?;
        Ok(())
    }
    apply_greedily(pass, &[Pattern::named("arith.addi", add_end)])
}

pub fn pattern_erases_around(pass: &mut PassInvocation) -> Outcome {
    fn around<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
        let conditional = parent_operation(op).ok_or(RewriteError::NoMatch)?;
        let first = operands_of(op)[0];
        b.replace(conditional, &[first])?;
        read(op);
        read(conditional);
        Ok(())
    }
    apply_greedily(pass, &[Pattern::named("arith.subi", around)])
}

pub fn pattern_once_erases_others(pass: &mut PassInvocation) -> Outcome {
    fn next<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
        let next = op.next_in_block().ok_or(RewriteError::NoMatch)?;
        let operand = operands_of(next).pop().ok_or(RewriteError::NoMatch)?;
        if let [result] = results_of(next)[..]
            && result.r#type() == operand.r#type()
        {
            b.replace(next, &[operand])?;
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
        let conditional = parent_operation(op).ok_or(RewriteError::NoMatch)?;
        let terminator = terminator_of(parent_block(conditional).ok_or(RewriteError::NoMatch)?);
        let first = operands_of(op)[0];
        b.replace(conditional, &[first])?;
        set_operand(
            terminator.ok_or(RewriteError::NoMatch)?,
            0,
            results_of(op)[0],
        );
        Ok(())
    }
    apply_greedily(pass, &[Pattern::named("arith.subi", leave)])
}

pub fn pattern_builds_wrong_ops(pass: &mut PassInvocation) -> Outcome {
    fn wrong<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
        let first = operands_of(op)[0];
        let value = b.value("arith.addi", &[first], first.r#type())?;
        b.replace(op, &[value])?;
        Ok(())
    }
    apply_greedily(pass, &[Pattern::named("arith.addi", wrong)])
}

/// The greedy driver would fold the op at once.
pub fn pattern_leaves_out_an_attribute(pass: &mut PassInvocation) -> Outcome {
    fn leave_out<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
        let [x, y] = operands_of(op)[..] else {
            return Err(RewriteError::NoMatch);
        };
        let i1 = integer_type(b.context(), 1);
        b.value("arith.cmpi", &[x, y], i1)?;
        Ok(())
    }
    apply_greedily(pass, &[Pattern::named("arith.addi", leave_out)])
}

pub fn nested_pipeline(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "arith.muli");
    with_builder(op, |b| b.erase(op)).unwrap();
    let mut module = parse_module(context_of(root), PROGRAM.as_bytes(), "inner.mlir").unwrap();
    run_pipeline(&mut module, "stale_operation,canonicalize,stale_region").unwrap();
    let inner = find(root_of(&module), "func.func");
    with_builder(inner, |b| b.erase(inner)).unwrap();
    read(inner);
    drop(module);
    read(op);
    Ok(())
}

pub fn another_context_within(pass: &mut PassInvocation) -> Outcome {
    let op = find(pass.operation(), "arith.muli");
    with_builder(op, |b| b.erase(op)).unwrap();
    elsewhere(|_, root| {
        let op = find(root, "arith.muli");
        with_builder(op, |b| b.erase(op)).unwrap();
        read(op);
    });
    read(op);
    Ok(())
}

/// A hook that panics makes no more than an error.
pub fn hooks_panic() {
    let text = "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n  \
                %0 = stablehlo.abs %x : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n";
    let context = context();
    let (module, errors) = with_diagnostics(&context, || {
        parse_module(&context, text.as_bytes(), "h.mlir")
    });
    assert!(module.is_none());
    assert!(
        errors[0].contains("internal error: verify on purpose"),
        "{errors:?}"
    );
    let op = Location::unknown(&context);
    let mut module = Module::new(op);
    halo_ir::fill_module(&mut module, &(), |b, _, ()| {
        let half = float_attribute(Type::float32(b.context()), 0.5);
        let tensor = tensor_type(&[2], Type::float32(b.context()));
        let constant = b.op("arith.constant").attribute("value", splat_attribute(tensor, half));
        let constant = constant.infer_results().value().unwrap();
        let spec = b.op("stablehlo.abs").operands(&[constant]).infer_results();
        let (made, errors) = with_diagnostics(b.context(), || spec.insert());
        assert!(made.is_err());
        assert!(errors[0].contains("infer on purpose"), "{errors:?}");
    })
    .unwrap();
}
