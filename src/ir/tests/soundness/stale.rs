//! Handles to erased IR.

use super::*;
use halo_ir::prelude::*;

pub fn stale_operation(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "arith.muli");
    let (result, operands) = (op.results()[0], op.operands());
    with_builder(op, |b| b.erase(op));
    churn(root);
    read(op);
    read_value(result);
    operands.into_iter().for_each(read_value);
    assert_eq!(op.name(), "arith.muli");
    assert_eq!(op.operands().len(), 2);
    assert_eq!(op.result_types(), [integer_type(op.context(), 32)]);
    assert!(op.block().is_none());
    Ok(())
}

pub fn stale_after_replace(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "scf.if");
    let nested = find(root, "arith.subi");
    let constant = find(root, "arith.constant").results()[0];
    with_builder(op, |b| b.replace(op, &[constant]));
    churn(root);
    read(op);
    read(nested);
    assert_eq!(nested.parent().unwrap().name(), "scf.if");
    assert!(nested.operands().iter().all(|value| *value != constant));
    // Attributes of an erased op can be changed.
    nested.set_attribute("test.note", bool_attribute(op.context(), true));
    nested.remove_attribute("test.note");
    Ok(())
}

pub fn stale_in_the_next_pattern(pass: &mut PassInvocation) -> Outcome {
    thread_local! { static NAMES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) }; }
    fn note<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
        let (operand, result) = (op.operands()[0], op.results()[0]);
        b.replace(op, &[operand]);
        read(op);
        read_value(result);
        NAMES.with_borrow_mut(|names| names.push(op.name().to_owned()));
        Ok(())
    }
    apply_greedily(pass, &[Pattern::named("arith.addi", note)])?;
    assert_eq!(NAMES.take(), ["arith.addi"]);
    Ok(())
}

pub fn stale_value_in_a_new_op(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "arith.muli");
    let stale = op.results()[0];
    let inner = op.operands()[0];
    with_builder(op, |b| b.erase(op));
    churn(root);
    let live = find(root, "arith.addi");
    let placeholder = op.operands()[0];
    assert_ne!(placeholder, inner);
    with_builder(live, |b| {
        for value in [stale, placeholder] {
            panics("was erased", || {
                _ = b.value("arith.addi", &[value, value], value.ty())
            });
            panics("was erased", || b.replace(live, &[value]));
            panics("was erased", || live.set_operand(0, value));
            panics("was erased", || live.results()[0].replace_uses_with(value));
            panics("was erased", || b.replace_uses(live.results()[0], value));
        }
    });
    Ok(())
}

pub fn stale_nested_value_in_a_live_op(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "scf.if");
    let nested = find(root, "arith.subi").results()[0];
    let constant = find(root, "arith.constant").results()[0];
    with_builder(op, |b| b.replace(op, &[constant]));
    // The op that defines the value is still in a detached block.
    let live = find(root, "arith.addi");
    live.set_operand(0, nested);
    Ok(())
}

pub fn stale_block(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "scf.if");
    let block = op.body(0).unwrap();
    let yielded = find(root, "scf.yield");
    with_builder(op, |b| {
        let values = b.inline_before(block, op, &[]);
        assert_eq!(values.len(), 1);
        churn(root);
        read_block(block);
        read(yielded);
        b.set_to_end(block);
        panics("insertion point", || _ = b.op("scf.yield").insert());
        b.set_to_start(block);
        panics("insertion point", || _ = b.op("scf.yield").insert());
        b.set_before(yielded);
        panics("insertion point", || _ = b.op("scf.yield").insert());
        b.set_after(yielded);
        panics("insertion point", || _ = b.op("scf.yield").insert());
        panics("was erased", || drop(b.inline_before(block, op, &[])));
        b.replace(op, &values);
    });
    assert!(block.parent().is_none());
    assert!(block.append_sibling().is_none());
    let _ = block.add_argument(Type::index(root.context()), root.location());
    Ok(())
}

pub fn stale_nested_block(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "scf.if");
    let block = op.body(0).unwrap();
    let constant = find(root, "arith.constant").results()[0];
    let live = find(root, "arith.muli");
    with_builder(op, |b| {
        b.replace(op, &[constant]);
        // Into the erased op, from the program, and out of it.
        b.set_to_start(block);
        let made = b.value("arith.addi", &[constant, constant], constant.ty());
        read_value(made);
        live.move_before(block.terminator().unwrap());
    });
    churn(root);
    read(live);
    let moved = block.operations()[1];
    moved.move_before(find(root, "arith.addi"));
    // It has no live operands, so it must be erased.
    with_builder(moved, |b| b.erase(moved));
    Ok(())
}

pub fn stale_successor(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let branch = find(root, "cf.br");
    let target = branch.successors()[0];
    with_builder(branch, |b| {
        let end = branch.parent().unwrap().region(0).unwrap().blocks()[2].operations()[0];
        let before = branch.block().unwrap().operations()[0];
        panics("branched to", || {
            drop(b.inline_before(target, before, &[branch.operands()[0]]))
        });
        b.erase(branch);
        read(branch);
        b.set_to_end(target);
        let stale = branch.successors()[0];
        assert!(stale != target);
        panics("erased", || _ = b.op("cf.br").successors(&[stale]).insert());
        b.set_before(end);
        b.set_to_end(target.parent().unwrap().region(0).unwrap().blocks()[0]);
        b.op("func.return").insert();
    });
    Ok(())
}

pub fn stale_argument(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let branch = find(root, "cf.br");
    let block = branch.block().unwrap();
    panics("it is used", || block.erase_argument(0));
    panics("not there", || block.erase_argument(7));
    let i32 = integer_type(root.context(), 32);
    let first = block.add_argument(i32, root.location());
    let second = block.add_argument(i32, root.location());
    block.erase_argument(1);
    churn(root);
    read_value(first);
    read_value(second);
    assert_eq!(second.as_block_argument().unwrap().1, 1);
    panics("was erased", || branch.set_operand(0, first));
    first.set_type(Type::index(root.context()));
    block.erase_argument(1);
    read_value(second);
    Ok(())
}

pub fn stale_region(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "arith.addi");
    let i32 = integer_type(root.context(), 32);
    with_builder(op, |b| {
        let mut leaked = Vec::new();
        let failed = b.region(&[i32], |b, arguments| {
            leaked.push(arguments[0]);
            leaked.push(b.value("arith.addi", &[arguments[0], arguments[0]], i32));
            Err::<(), BuildError>(BuildError::new("nothing"))
        });
        assert!(failed.is_err());
        let dropped = b.region(&[i32], |_, arguments| {
            leaked.push(arguments[0]);
            Ok::<_, BuildError>(())
        });
        drop(dropped);
        drop(halo_ir::Region::new());
        // A region of an op that cannot be created.
        let region = b.region(&[i32], |_, arguments| {
            leaked.push(arguments[0]);
            Ok::<_, BuildError>(())
        });
        let spec = b.op("scf.if").region(region.unwrap());
        panics("does not allow 0 operands", || _ = spec.insert());
        let region = b.region(&[i32], |_, arguments| {
            leaked.push(arguments[0]);
            Ok::<_, BuildError>(())
        });
        let spec = b.op("stablehlo.while").region(region.unwrap()).infer_results();
        assert!(with_diagnostics(b.context(), || spec.try_insert()).0.is_err());
        churn(root);
        for value in leaked {
            read_value(value);
        }
    });
    let conditional = find(root, "scf.if");
    let block = conditional.body(0).unwrap();
    drop(conditional.take_region(0));
    assert!(conditional.take_region(7).is_none());
    churn(root);
    read_block(block);
    read(conditional);
    let constant = find(root, "arith.constant").results()[0];
    with_builder(conditional, |b| b.replace(conditional, &[constant]));
    Ok(())
}

pub fn stale_builder(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "arith.addi");
    let leaked = with_builder(op, |b| *b);
    churn(root);
    panics("arith.constant", || {
        _ = leaked.op("arith.constant").insert()
    });
    leaked.set_before(op);
    leaked.with_insertion_point(|b| b.set_after(op));
    let unused = find(root, "arith.muli");
    leaked.erase(unused);
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
        b.with_insertion_point(|b| b.erase(op));
        let made = b.copy(find(root, "arith.constant"));
        assert_eq!(made.next_in_block(), Some(next));
        b.erase(made);
        // If the op after the insertion point is erased, the next one replaces it.
        let made = b.copy(find(root, "arith.constant"));
        b.set_before(made);
        b.erase(made);
        let made = b.copy(find(root, "arith.constant"));
        assert_eq!(made.next_in_block(), Some(next));
        // The block of the insertion point is erased.
        let conditional = find(root, "scf.if");
        let block = conditional.body(0).unwrap();
        b.set_to_start(block);
        let values = b.with_insertion_point(|b| b.inline_before(block, conditional, &[]));
        panics("arith.constant", || _ = b.op("arith.constant").insert());
        b.replace(conditional, &values);
    });
    with_builder(op, |b| {
        panics("insertion point", || _ = b.op("func.return").insert())
    });
    with_builder(root, |b| {
        panics("insertion point", || _ = b.op("func.return").insert())
    });
    Ok(())
}

pub fn erased_and_put_back(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "arith.muli");
    let next = op.next_in_block().unwrap();
    with_builder(op, |b| {
        b.erase(op);
        panics("erased before", || b.erase(op));
        panics("erased before", || b.replace(op, &next.results()));
        let copy = b.copy(next);
        b.erase(copy);
        panics("erased before", || b.erase(copy));
    });
    panics("in no block", || op.move_before(next));
    panics("in no block", || next.move_before(op));
    assert!(op.split_block_after().is_none());
    assert!(!op.is_before(next) && !next.is_before(op));
    Ok(())
}
