//! Mismatched parts: numbers, kinds, contexts, indices.

use super::*;
use halo_ir::prelude::*;

pub fn wrong_counts(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "arith.addi");
    let (value, i32) = (op.results()[0], integer_type(op.context(), 32));
    with_builder(op, |b| {
        for count in [0, 1, 3] {
            let made = b.op("arith.addi").operands(&vec![op.operands()[0]; count]);
            panics("operands", || _ = made.result(i32).insert());
        }
        let both = op.operands();
        panics("results", || {
            _ = b.op("arith.addi").operands(&both).insert()
        });
        panics("results", || {
            _ = b.op("arith.addi").operands(&both).results(&[i32, i32]).insert()
        });
        panics("operands", || {
            _ = b.op("arith.addi").operands(&both[1..]).infer_results().insert()
        });
        let condition =
            b.op("arith.constant").attribute("value", bool_attribute(b.context(), true));
        let condition = condition.infer_results().value();
        panics("regions", || {
            _ = b.op("scf.if").operands(&[condition]).insert()
        });
        panics("successors", || _ = b.op("cf.br").insert());
        let sizes = Attribute::parse(b.context(), "array<i32: 1, 7, 0>").unwrap();
        let segmented = b.op("cf.cond_br").operands(&[condition]);
        let block = op.block().unwrap();
        let segmented = segmented.successors(&[block, block]);
        panics("sizes of groups", || {
            _ = segmented.attribute("operandSegmentSizes", sizes).insert()
        });
        b.erase(condition.defining_op().unwrap());
        for values in [vec![], vec![both[0]; 2]] {
            panics("1 results, but", || b.replace(op, &values));
        }
        panics("made by the op itself", || b.replace(op, &[value]));
        let conditional = find(root, "scf.if");
        let nested = find(root, "arith.subi").results()[0];
        panics("made by the op itself", || {
            b.replace(conditional, &[nested])
        });
    });
    Ok(())
}

pub fn wrong_uses(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    for name in ["arith.addi", "arith.constant", "scf.if"] {
        let op = find(root, name);
        panics("uses its result 0", || with_builder(op, |b| b.erase(op)));
        read(op);
    }
    Ok(())
}

pub fn wrong_roots(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    with_builder(find(root, "arith.addi"), |b| {
        panics("outermost", || b.erase(root));
        panics("outermost", || b.replace(root, &[]));
    });
    panics("in no block", || root.move_before(find(root, "arith.addi")));
    let part = Module::new(root.location());
    panics("in no block", || with_operations_in(&part, &[root], || ()));
    Ok(())
}

/// Another context, with a module that has an addition.
pub fn elsewhere(function: impl for<'c> FnOnce(&'c Context, Operation<'c>)) {
    let context = context();
    let module: Module = parse_module(&context, PROGRAM.as_bytes(), "other.mlir").unwrap();
    function(&context, root_of(&module));
}

pub fn wrong_contexts(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    fn with<'a>(root: Operation<'a>, other: &'a Context, foreign: Operation<'a>) {
        let op = find(root, "arith.addi");
        let foreign = find(foreign, "arith.addi");
        let value = foreign.results()[0];
        let i32 = integer_type(op.context(), 32);
        let theirs = integer_type(other, 32);
        with_builder(op, |b| {
            panics("another context", || {
                _ = b.value("arith.addi", &[value, value], i32)
            });
            let both = op.operands();
            panics("another context", || {
                _ = b.value("arith.addi", &both, theirs)
            });
            let constant = b.op("arith.constant").result(i32);
            let constant = constant.attribute("value", integer_attribute(theirs, 7));
            panics("another context", || _ = constant.insert());
            panics("another context", || b.replace(op, &[value]));
            panics("another context", || b.erase(foreign));
            panics("another context", || b.replace(foreign, &both[..1]));
            panics("another context", || {
                drop(b.region(&[theirs], |_, _| Ok::<_, BuildError>(())))
            });
            panics("another context", || {
                b.copy(foreign);
            });
            panics("another context", || b.replace_uses(op.results()[0], value));
        });
        with_builder(op, |b| {
            b.set_before(foreign);
            panics("another context", || {
                _ = b.value("arith.addi", &op.operands(), i32)
            });
            panics("no insertion point", || {
                b.copy(op);
            });
            b.set_before(op);
            let elsewhere = b.at(foreign.location());
            panics("another context", || {
                _ = elsewhere.value("arith.addi", &op.operands(), i32)
            });
            let region = with_builder(foreign, |b| {
                b.region(&[theirs], |_, _| Ok::<_, BuildError>(()))
            });
            let spec = b.op("scf.if").operands(&op.operands()[..1]).region(region.unwrap());
            panics("another context", || _ = spec.insert());
            let block = foreign.block().unwrap();
            panics("another context", || {
                _ = b.op("cf.br").successors(&[block]).insert()
            });
            let theirs = find(foreign.parent().unwrap(), "scf.if").body(0);
            panics("another context", || {
                drop(b.inline_before(theirs.unwrap(), op, &[]))
            });
        });
        let context = op.context();
        let text = string_attribute(other, "theirs");
        panics("another context", || {
            drop(halo_ir::array_attribute(context, &[text]).to_string())
        });
        panics("another context", || {
            drop(halo_ir::dictionary_attribute(context, &[("a", text)]).to_string());
        });
        panics("another context", || {
            drop(halo_ir::fused_location(context, &[foreign.location()], None).to_string());
        });
        panics("another context", || {
            drop(halo_ir::fused_location(context, &[op.location()], Some(text)).to_string());
        });
        panics("another context", || {
            drop(tensor_type(&[2], i32).with_element_type(theirs).to_string());
        });
        panics("another context", || op.set_operand(0, value));
        panics("another context", || {
            op.results()[0].replace_uses_with(value)
        });
        panics("another context", || op.results()[0].set_type(theirs));
        panics("another context", || op.move_before(foreign));
        let part = Module::new(foreign.location());
        panics("another context", || {
            with_operations_in(&part, &[op], || ())
        });
        panics("another context", || {
            op.block().unwrap().add_argument(theirs, op.location());
        });
        panics("another context", || {
            op.block().unwrap().add_argument(theirs, foreign.location());
        });
    }
    // A lifetime that both contexts have.
    elsewhere(|other, foreign| with(root, other, foreign));
    Ok(())
}

pub fn foreign_attribute(pass: &mut PassInvocation) -> Outcome {
    fn set<'a>(op: Operation<'a>, attribute: Attribute<'a>) {
        op.set_attribute("test.note", attribute);
    }
    let op = find(pass.operation(), "arith.addi");
    elsewhere(|other, _| set(op, string_attribute(other, "theirs")));
    Ok(())
}

pub fn foreign_location(pass: &mut PassInvocation) -> Outcome {
    let op = find(pass.operation(), "arith.addi");
    elsewhere(|_, foreign| op.set_location(foreign.location()));
    Ok(())
}

pub fn wrong_types(pass: &mut PassInvocation) -> Outcome {
    let context = pass.operation().context();
    let i32 = integer_type(context, 32);
    let none = Type::parse(context, "none").unwrap();
    let function = Type::parse(context, "() -> ()").unwrap();
    panics("wider", || drop(integer_type(context, 1 << 24).to_string()));
    panics("wider", || {
        drop(integer_type(context, u32::MAX).to_string())
    });
    panics("not a type", || {
        drop(complex_type(Type::index(context)).to_string())
    });
    let quietly = |function: &dyn Fn() -> String| {
        let ((), errors) =
            with_diagnostics(context, || panics("is not a type", || drop(function())));
        assert_eq!(errors.len(), 1);
    };
    quietly(&|| vector_type(&[0], i32).to_string());
    quietly(&|| vector_type(&[-3], i32).to_string());
    quietly(&|| vector_type(&[i64::MIN], i32).to_string());
    quietly(&|| vector_type(&[2], none).to_string());
    quietly(&|| tensor_type(&[-7], i32).to_string());
    quietly(&|| tensor_type(&[2], function).to_string());
    quietly(&|| unranked_tensor_type(function).to_string());
    quietly(&|| memref_type(&[-7], i32).to_string());
    quietly(&|| memref_type(&[2], function).to_string());
    quietly(&|| tensor_type(&[2], i32).with_element_type(function).to_string());
    let _ = vector_type(&[], i32).to_string();
    let _ = integer_type(context, 0).to_string();
    Ok(())
}

pub fn wrong_types_of_attributes(pass: &mut PassInvocation) -> Outcome {
    let context = pass.operation().context();
    let (i32, f32) = (integer_type(context, 32), Type::float32(context));
    let one = integer_attribute(i32, 1);
    let tensor = tensor_type(&[2], i32);
    panics("not a number", || {
        drop(integer_attribute(f32, 1).to_string())
    });
    panics("not a number", || {
        drop(integer_attribute(tensor, 1).to_string())
    });
    panics("not a number", || {
        drop(float_attribute(i32, 1.0).to_string())
    });
    panics("not a number", || {
        drop(float_attribute(tensor, 1.0).to_string())
    });
    panics("not an element", || {
        drop(splat_attribute(i32, one).to_string())
    });
    panics("not an element", || {
        drop(splat_attribute(tensor_type(&[2], f32), one).to_string())
    });
    panics("not an element", || {
        drop(splat_attribute(tensor_type(&[i64::MIN], i32), one).to_string())
    });
    panics("not an element", || {
        drop(splat_attribute(unranked_tensor_type(i32), one).to_string())
    });
    let text = string_attribute(context, "one");
    panics("not an element", || {
        drop(splat_attribute(tensor, text).to_string())
    });
    let complex = tensor_type(&[2], complex_type(f32));
    panics("not an element", || {
        drop(splat_attribute(complex, one).to_string())
    });
    for ty in [
        i32,
        unranked_tensor_type(i32),
        tensor_type(&[i64::MIN], i32),
    ] {
        assert!(dense_attribute(ty, &[0; 8]).is_none());
        assert!(splat_attribute(tensor, one).bitcast_dense(ty).is_none());
    }
    assert!(dense_attribute(tensor, &[0; 7]).is_none());
    Ok(())
}

pub fn wrong_positions(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "arith.addi");
    panics("operand 2 of 2", || op.set_operand(2, op.operands()[0]));
    assert!(op.operand(2).is_none() && op.result(1).is_err() && op.region(0).is_none());
    assert!(op.successors().is_empty() && op.region(9).is_none());
    assert!(op.body(0).is_none() && op.take_region(0).is_none());
    Ok(())
}

pub fn wrong_attributes(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let context = root.context();
    let text = string_attribute(context, "text");
    let compare = find(root, "arith.cmpi");
    panics("not of the kind", || {
        compare.set_attribute("predicate", text)
    });
    panics("must have attribute", || {
        compare.remove_attribute("predicate")
    });
    let constant = find(root, "arith.constant");
    panics("must have attribute", || constant.remove_attribute("value"));
    let function = find(root, "func.func");
    panics("must have attribute", || {
        function.remove_attribute("function_type")
    });
    panics("must have attribute", || {
        function.remove_attribute("sym_name")
    });
    panics("not of the kind", || {
        function.set_attribute("function_type", text)
    });
    let i32 = type_attribute(integer_type(context, 32));
    panics("not of the kind", || {
        function.set_attribute("function_type", i32)
    });
    with_builder(compare, |b| {
        let (made, errors) = with_diagnostics(context, || {
            let spec = b.op("func.func").region(halo_ir::Region::new());
            let spec = spec.attribute("function_type", i32);
            spec.attribute("sym_name", string_attribute(context, "bad")).try_insert()
        });
        fails(made, "attribute");
        assert!(
            errors[0].message.contains("type attribute of function type"),
            "{errors:?}"
        );
        let spec = b.op("arith.cmpi").operands(&compare.operands());
        let spec = spec.result(integer_type(context, 1));
        panics("'predicate' is of the wrong kind", || {
            _ = spec.attribute("predicate", text).insert()
        });
        let spec = b.op("arith.cmpi").operands(&compare.operands());
        let spec = spec.result(integer_type(context, 1));
        panics("attribute 'predicate' is missing", || _ = spec.insert());
        let spec = b.op("arith.constant").result(integer_type(context, 32));
        panics("attribute 'value' is missing", || _ = spec.insert());
        // An op with groups, whose sizes must add up.
        let (op, sizes) = (compare.operands()[0], "operandSegmentSizes");
        let i1 = compare.results()[0];
        b.set_after(compare);
        let block = compare.block().unwrap().append_sibling().unwrap();
        b.set_to_end(block);
        let good = Attribute::parse(context, "array<i32: 1, 1, 0>").unwrap();
        let branch = b.op("cf.cond_br").operands(&[i1, op]).successors(&[block, block]);
        let branch = branch.attribute(sizes, good).insert();
        for bad in [
            "array<i32: 1, 0, 0>",
            "array<i32: 1, 2, -1>",
            "array<i32: 2>",
            "7",
        ] {
            let bad = Attribute::parse(context, bad).unwrap();
            panics("not of the kind", || branch.set_attribute(sizes, bad));
        }
        panics("must have", || branch.remove_attribute(sizes));
        b.erase(branch);
        b.op("ub.unreachable").insert();
    });
    Ok(())
}

pub fn defaults_of_attributes(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let context = root.context();
    for op in root.collect_nested(|_| true) {
        for (name, attribute) in op.attributes() {
            let caught = std::panic::catch_unwind(|| op.remove_attribute(name));
            read(op);
            op.set_attribute(name, attribute);
            assert_eq!(op.attribute(name), Some(attribute), "{caught:?}");
            for other in [
                "unit",
                "7 : i8",
                "\"text\"",
                "[]",
                "{}",
                "array<i32: 3>",
                "i32",
                "@f",
            ] {
                let other = Attribute::parse(context, other).unwrap();
                let set = std::panic::AssertUnwindSafe(|| op.set_attribute(name, other));
                let _ = std::panic::catch_unwind(set);
                read(op);
            }
            op.set_attribute(name, attribute);
        }
    }
    let sum = find(root, "arith.addi");
    sum.remove_attribute("overflowFlags");
    sum.remove_attribute("no such");
    read(sum);
    Ok(())
}

pub fn wrong_moves(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let (outer, inner) = (find(root, "scf.if"), find(root, "arith.subi"));
    panics("into itself", || outer.move_before(inner));
    outer.move_before(outer);
    let function = find(root, "func.func");
    panics("into itself", || function.move_before(inner));
    inner.results()[0].replace_uses_with(inner.results()[0]);
    Ok(())
}

pub fn wrong_inlining(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "scf.if");
    let block = op.body(0).unwrap();
    let inner = find(root, "arith.subi");
    let value = find(root, "arith.constant").results()[0];
    let body = op.block().unwrap();
    with_builder(op, |b| {
        panics("0 arguments, but 1", || {
            drop(b.inline_before(block, op, &[value]))
        });
        panics("in the block", || drop(b.inline_before(block, inner, &[])));
        panics("in the block", || {
            drop(b.inline_before(body, inner, &[value, value]))
        });
        panics("erased", || drop(b.inline_before(block, root, &[])));
    });
    Ok(())
}
