//! Handles to what was erased.

use super::*;

pub fn stale_operation(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "arith.muli");
    let (result, operands) = (results_of(op)[0], operands_of(op));
    with_builder(op, |b| b.erase(op)).unwrap();
    churn(root);
    read(op);
    read_value(result);
    operands.into_iter().for_each(read_value);
    assert_eq!(name_of(op), "arith.muli");
    assert_eq!(operands_of(op).len(), 2);
    assert_eq!(result_types_of(op), [integer_type(context_of(op), 32)]);
    assert!(parent_block(op).is_none());
    Ok(())
}

pub fn stale_after_replace(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "scf.if");
    let nested = find(root, "arith.subi");
    let constant = results_of(find(root, "arith.constant"))[0];
    with_builder(op, |b| b.replace(op, &[constant])).unwrap();
    churn(root);
    read(op);
    read(nested);
    assert_eq!(name_of(parent_operation(nested).unwrap()), "scf.if");
    assert!(operands_of(nested).iter().all(|value| *value != constant));
    // Attributes of a dead op can be changed.
    set_attribute(nested, "test.note", bool_attribute(context_of(op), true));
    remove_attribute(nested, "test.note");
    Ok(())
}

pub fn stale_in_the_next_pattern(pass: &mut PassInvocation) -> Outcome {
    thread_local! { static NAMES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) }; }
    fn note<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
        let (operand, result) = (operands_of(op)[0], results_of(op)[0]);
        b.replace(op, &[operand])?;
        read(op);
        read_value(result);
        NAMES.with_borrow_mut(|names| names.push(name_of(op).to_owned()));
        Ok(())
    }
    apply_greedily(pass, &[Pattern::named("arith.addi", note)])?;
    assert_eq!(NAMES.take(), ["arith.addi"]);
    Ok(())
}

pub fn stale_value_in_a_new_op(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "arith.muli");
    let stale = results_of(op)[0];
    let inner = operands_of(op)[0];
    with_builder(op, |b| b.erase(op)).unwrap();
    churn(root);
    let live = find(root, "arith.addi");
    let placeholder = operands_of(op)[0];
    assert_ne!(placeholder, inner);
    with_builder(live, |b| {
        for value in [stale, placeholder] {
            let made = b.value("arith.addi", &[value, value], value.r#type());
            fails(made, "was erased");
            fails(b.replace(live, &[value]), "was erased");
            panics("was erased", || set_operand(live, 0, value));
            panics("was erased", || replace_uses(results_of(live)[0], value));
            panics("was erased", || b.replace_uses(results_of(live)[0], value));
        }
    });
    Ok(())
}

pub fn stale_nested_value_in_a_live_op(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "scf.if");
    let nested = results_of(find(root, "arith.subi"))[0];
    let constant = results_of(find(root, "arith.constant"))[0];
    with_builder(op, |b| b.replace(op, &[constant])).unwrap();
    // The op that made the value is still in a block, which is in no program.
    let live = find(root, "arith.addi");
    set_operand(live, 0, nested);
    Ok(())
}

pub fn stale_block(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "scf.if");
    let block = halo_ir::body_of(op, 0).unwrap();
    let yielded = find(root, "scf.yield");
    with_builder(op, |b| {
        let values = b.inline_before(block, op, &[]).unwrap();
        assert_eq!(values.len(), 1);
        churn(root);
        read_block(block);
        read(yielded);
        b.set_to_end(block);
        fails(b.op("scf.yield").insert(), "insertion point");
        b.set_to_start(block);
        fails(b.op("scf.yield").insert(), "insertion point");
        b.set_before(yielded);
        fails(b.op("scf.yield").insert(), "insertion point");
        b.set_after(yielded);
        fails(b.op("scf.yield").insert(), "insertion point");
        fails(b.inline_before(block, op, &[]), "was erased");
        b.replace(op, &values).unwrap();
    });
    assert!(owner_of(block).is_none());
    assert!(halo_ir::add_block_behind(block).is_none());
    let _ = add_argument(block, index_type(context_of(root)), root.location());
    Ok(())
}

pub fn stale_nested_block(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "scf.if");
    let block = halo_ir::body_of(op, 0).unwrap();
    let constant = results_of(find(root, "arith.constant"))[0];
    let live = find(root, "arith.muli");
    with_builder(op, |b| {
        b.replace(op, &[constant]).unwrap();
        // Into the erased op, from the program, and out of it.
        b.set_to_start(block);
        let made = b.value("arith.addi", &[constant, constant], constant.r#type());
        read_value(made.unwrap());
        move_before(live, terminator_of(block).unwrap());
    });
    churn(root);
    read(live);
    let moved = operations_of(block)[1];
    move_before(moved, find(root, "arith.addi"));
    // It has no operands that live, so that it must not stay.
    with_builder(moved, |b| b.erase(moved)).unwrap();
    Ok(())
}

pub fn stale_successor(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let branch = find(root, "cf.br");
    let target = branch.successor(0).unwrap();
    with_builder(branch, |b| {
        let end = operations_of(
            halo_ir::blocks_of(parent_operation(branch).unwrap().region(0).unwrap())[2],
        )[0];
        let before = operations_of(parent_block(branch).unwrap())[0];
        fails(
            b.inline_before(target, before, &[operands_of(branch)[0]]),
            "branched to",
        );
        b.erase(branch).unwrap();
        read(branch);
        b.set_to_end(target);
        let stale = branch.successor(0).unwrap();
        assert!(stale != target);
        fails(b.op("cf.br").successors(&[stale]).insert(), "erased");
        b.set_before(end);
        b.set_to_end(halo_ir::blocks_of(owner_of(target).unwrap().region(0).unwrap())[0]);
        b.op("func.return").insert().unwrap();
    });
    Ok(())
}

pub fn stale_argument(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let branch = find(root, "cf.br");
    let block = parent_block(branch).unwrap();
    panics("it is used", || erase_argument(block, 0));
    panics("not there", || erase_argument(block, 7));
    let i32 = integer_type(context_of(root), 32);
    let first = add_argument(block, i32, root.location());
    let second = add_argument(block, i32, root.location());
    erase_argument(block, 1);
    churn(root);
    read_value(first);
    read_value(second);
    assert_eq!(block_argument(second).unwrap().1, 1);
    panics("was erased", || set_operand(branch, 0, first));
    set_type(first, index_type(context_of(root)));
    erase_argument(block, 1);
    read_value(second);
    Ok(())
}

pub fn stale_region(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "arith.addi");
    let i32 = integer_type(context_of(root), 32);
    with_builder(op, |b| {
        let mut leaked = Vec::new();
        let failed = b.region(&[i32], |b, arguments| {
            leaked.push(arguments[0]);
            leaked.push(b.value("arith.addi", &[arguments[0], arguments[0]], i32)?);
            Err::<(), BuildError>(BuildError::new("nothing"))
        });
        assert!(failed.is_err());
        let dropped = b.region(&[i32], |_, arguments| {
            leaked.push(arguments[0]);
            Ok::<_, BuildError>(())
        });
        drop(dropped);
        drop(halo_ir::Region::new());
        // A region of an op that cannot be made.
        let region = b.region(&[i32], |_, arguments| {
            leaked.push(arguments[0]);
            Ok::<_, BuildError>(())
        });
        let spec = b.op("scf.if").region(region.unwrap());
        fails(spec.insert(), "does not allow 0 operands");
        let region = b.region(&[i32], |_, arguments| {
            leaked.push(arguments[0]);
            Ok::<_, BuildError>(())
        });
        let spec = b.op("stablehlo.while").region(region.unwrap()).infer_results();
        assert!(with_diagnostics(b.context(), || spec.insert()).0.is_err());
        churn(root);
        for value in leaked {
            read_value(value);
        }
    });
    let conditional = find(root, "scf.if");
    let block = halo_ir::body_of(conditional, 0).unwrap();
    drop(take_region(conditional, 0));
    assert!(take_region(conditional, 7).is_none());
    churn(root);
    read_block(block);
    read(conditional);
    let constant = results_of(find(root, "arith.constant"))[0];
    with_builder(conditional, |b| b.replace(conditional, &[constant])).unwrap();
    Ok(())
}

pub fn stale_builder(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "arith.addi");
    let leaked = with_builder(op, |b| *b);
    churn(root);
    fails(leaked.op("arith.constant").insert(), "arith.constant");
    leaked.set_before(op);
    leaked.with_insertion_point(|b| b.set_after(op));
    let unused = find(root, "arith.muli");
    leaked.erase(unused).unwrap();
    panics("insertion point", || {
        leaked.set_before(unused);
        leaked.copy(op);
    });
    Ok(())
}

pub fn stale_insertion_point(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "arith.muli");
    let next = op.next_in_block().unwrap();
    with_builder(op, |b| {
        b.with_insertion_point(|b| b.erase(op)).unwrap();
        let made = b.copy(find(root, "arith.constant"));
        assert_eq!(made.next_in_block(), Some(next));
        b.erase(made).unwrap();
        // Where the op before which is inserted goes, the next one takes its place.
        let made = b.copy(find(root, "arith.constant"));
        b.set_before(made);
        b.erase(made).unwrap();
        let made = b.copy(find(root, "arith.constant"));
        assert_eq!(made.next_in_block(), Some(next));
        // The block of the insertion point goes.
        let conditional = find(root, "scf.if");
        let block = halo_ir::body_of(conditional, 0).unwrap();
        b.set_to_start(block);
        let values = b.with_insertion_point(|b| b.inline_before(block, conditional, &[]));
        fails(b.op("arith.constant").insert(), "arith.constant");
        b.replace(conditional, &values.unwrap()).unwrap();
    });
    with_builder(op, |b| {
        fails(b.op("func.return").insert(), "insertion point")
    });
    with_builder(root, |b| {
        fails(b.op("func.return").insert(), "insertion point")
    });
    Ok(())
}

pub fn erased_and_put_back(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "arith.muli");
    let next = op.next_in_block().unwrap();
    with_builder(op, |b| {
        b.erase(op).unwrap();
        fails(b.erase(op), "erased before");
        fails(b.replace(op, &results_of(next)), "erased before");
        let copy = b.copy(next);
        b.erase(copy).unwrap();
        fails(b.erase(copy), "erased before");
    });
    panics("in no block", || move_before(op, next));
    panics("in no block", || move_before(next, op));
    assert!(split_after(op).is_none());
    assert!(!is_before(op, next) && !is_before(next, op));
    Ok(())
}
