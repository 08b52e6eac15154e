//! Tries to crash from safe Rust.
//!
//! Each case is a pass over [`PROGRAM`]. It does what MLIR asserts not to be done, or
//! keeps handles to what is gone, and reads them. The cases run in a process of their own
//! with `MALLOC_PERTURB_`, by which glibc fills freed memory, so that a read of it is
//! seen: a pointer of 0xA5 bytes.

use halo_ir::{
    Attribute, Block, BuildError, Builder, Operation, Pattern, RewriteError, RewriteResult, Type,
    Value, add_argument, apply_greedily, apply_patterns_once, arguments_of, attribute_of,
    block_argument, bool_attribute, collect_operations, complex_type, context_of,
    defining_operation, dense_attribute,
    diagnostics::{parse_module, with_diagnostics},
    edit_module, erase_argument, float_attribute,
    fusion::fuse_elementwise,
    index_type, integer_attribute, integer_type, is_before, is_unused, memref_type, move_before,
    name_of, operands_of, operations_of,
    opt::register_everything,
    owner_of, parent_block, parent_operation,
    pass::{
        PassDeclaration, PassFailure, PassInvocation, PipelineError, register_pass,
        register_upstream_passes, run_pipeline,
    },
    remove_attribute, replace_uses, result_types_of, results_of, root_of,
    semantics::{SemanticsHooks, install_hooks},
    set_attribute, set_location, set_operand, set_type, splat_attribute, split_after,
    string_attribute, take_region, tensor_type, terminator_of, type_attribute,
    unranked_tensor_type, uses_of, vector_type, visit, with_builder,
};
use melior::{
    Context,
    dialect::DialectRegistry,
    ir::{Location, Module, ValueLike, operation::OperationLike},
};
use std::{cell::RefCell, env, process::Command};

const PROGRAM: &str = r#"
func.func @f(%x: i32, %p: i1) -> i32 {
  %c = arith.constant 7 : i32
  %unused = arith.muli %x, %c : i32
  %s = arith.addi %x, %c : i32
  %r = scf.if %p -> (i32) {
    %a = arith.subi %x, %s : i32
    scf.yield %a : i32
  } else {
    scf.yield %c : i32
  }
  %t = arith.cmpi slt, %r, %s : i32
  return %r : i32
}
func.func @g(%x: i32) {
  cf.br ^bb1(%x : i32)
^bb1(%y: i32):
  return
^bb2:
  return
}
#map = affine_map<(d0) -> (d0)>
func.func @h(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%a: f32, %o: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
  } -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%a: f32, %o: f32):
      %n = arith.addf %a, %a : f32
      linalg.yield %n : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
"#;

type Outcome = Result<(), PassFailure>;

/// A pass, and a part of the error that it ends with; nothing where it succeeds.
struct Case {
    name: &'static str,
    run: fn(&mut PassInvocation) -> Outcome,
    error: &'static str,
}

macro_rules! cases {
    ($($name:ident: $error:literal)*) => {
        &[$(Case { name: stringify!($name), run: $name, error: $error }),*]
    };
}

const CASES: &[Case] = cases! {
    stale_operation: ""
    stale_after_replace: ""
    stale_in_the_next_pattern: ""
    stale_value_in_a_new_op: ""
    stale_nested_value_in_a_live_op: "internal error in pass 'stale_nested_value_in_a_live_op': the op uses a value or block that was erased"
    stale_block: ""
    stale_nested_block: ""
    stale_successor: ""
    stale_argument: ""
    stale_region: ""
    stale_builder: ""
    stale_insertion_point: ""
    erased_and_put_back: ""
    wrong_counts: ""
    wrong_uses: ""
    wrong_roots: ""
    wrong_contexts: ""
    wrong_types: ""
    wrong_types_of_attributes: ""
    wrong_positions: ""
    wrong_attributes: ""
    defaults_of_attributes: ""
    wrong_moves: ""
    wrong_inlining: ""
    erasing_while_visiting: ""
    foreign_attribute: "internal error in pass 'foreign_attribute': a part for 'arith.addi' op is of another context"
    foreign_location: "internal error in pass 'foreign_location': a part for 'arith.addi' op is of another context"
    pass_panics: "internal error in pass 'pass_panics': on purpose"
    pattern_panics: "internal error: on purpose"
    pattern_once_panics: "internal error: on purpose"
    visitor_panics: "internal error in pass 'visitor_panics': on purpose"
    builder_panics: "internal error in pass 'builder_panics': on purpose"
    region_panics: "internal error in pass 'region_panics': on purpose"
    diagnosed_panics: "internal error in pass 'diagnosed_panics': on purpose"
    edit_panics: "internal error in pass 'edit_panics': on purpose"
    rule_panics: "internal error in pass 'rule_panics': on purpose"
    rule_changes: "internal error in pass 'rule_changes': cannot erase 'linalg.generic' op: this function can only read the program"
    pattern_without_end: "rewriting does not end: 'arith.addi' still matches"
    pattern_erases_all: ""
    pattern_erases_around: ""
    pattern_once_erases_others: ""
    pattern_leaves_a_stale_use: "internal error: the op uses a value or block that a pattern erased"
    pattern_builds_wrong_ops: "internal error: cannot create op 'arith.addi': its definition does not allow 1 operands"
    nested_pipeline: ""
    another_context_within: ""
};

/// The first op of a name.
fn find<'c>(root: Operation<'c>, name: &str) -> Operation<'c> {
    let found = collect_operations(root, |op| name_of(op) == name);
    *found.first().unwrap_or_else(|| panic!("no '{name}'"))
}

/// Uses memory, so that what was freed is used again.
fn churn(root: Operation) {
    let first = find(root, "arith.constant");
    with_builder(first, |b| {
        for number in 0..500 {
            let i32 = integer_type(b.context(), 32);
            let value = integer_attribute(i32, number);
            let made = b.op("arith.constant").attribute("value", value);
            let made = made.result(i32).insert().unwrap();
            if number % 2 == 0 {
                b.erase(made).unwrap();
            }
        }
    });
}

/// Reads all of an op.
fn read(op: Operation) {
    let _ = (name_of(op), op.to_string(), op.location().to_string());
    for value in operands_of(op).into_iter().chain(results_of(op)) {
        read_value(value);
    }
    let _ = (result_types_of(op), parent_block(op), parent_operation(op));
    let _ = with_diagnostics(context_of(op), || op.verify());
    let _ = op.next_in_block();
    for block in op.regions().flat_map(halo_ir::blocks_of) {
        read_block(block);
    }
    let _ = halo_ir::attributes_of(op);
    let _: Vec<_> = op.successors().map(arguments_of).collect();
    let _ = (is_before(op, op), op.operand(99), op.result(99));
    let _ = (op.region(99), op.successor(99), op.attribute("none"));
}

fn read_value(value: Value) {
    let _ = (value.r#type().to_string(), value.to_string());
    let _ = (uses_of(value), is_unused(value), value == value);
    let _ = halo_ir::location_of_value(value).to_string();
    if let Some((op, _)) = defining_operation(value) {
        let _ = name_of(op);
    }
    if let Some((block, _)) = block_argument(value) {
        let _ = (arguments_of(block), owner_of(block));
    }
}

fn read_block(block: Block) {
    arguments_of(block).into_iter().for_each(read_value);
    operations_of(block).into_iter().for_each(read);
    let _ = (owner_of(block), terminator_of(block));
}

/// That something fails, and why.
#[track_caller]
fn fails<T>(outcome: Result<T, BuildError>, reason: &str) {
    let Err(error) = outcome else {
        panic!("succeeded, but should have failed: {reason}");
    };
    let error = error.to_string();
    assert!(error.contains(reason), "{error}");
}

/// That a function panics, and what with.
#[track_caller]
fn panics(reason: &str, function: impl FnOnce()) {
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(function));
    let payload = caught.expect_err(reason);
    let message = halo_ir::pass::panic_message(payload.as_ref());
    assert!(message.contains(reason), "{message}");
}

fn stale_operation(pass: &mut PassInvocation) -> Outcome {
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

fn stale_after_replace(pass: &mut PassInvocation) -> Outcome {
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

fn stale_in_the_next_pattern(pass: &mut PassInvocation) -> Outcome {
    thread_local! { static NAMES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) }; }
    fn note<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
        let (operand, result) = (operands_of(op)[0], results_of(op)[0]);
        b.replace(op, &[operand])?;
        read(op);
        read_value(result);
        NAMES.with_borrow_mut(|names| names.push(name_of(op).to_owned()));
        Ok(())
    }
    apply_greedily(pass, &[Pattern::new("arith.addi", note)])?;
    assert_eq!(NAMES.take(), ["arith.addi"]);
    Ok(())
}

fn stale_value_in_a_new_op(pass: &mut PassInvocation) -> Outcome {
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

fn stale_nested_value_in_a_live_op(pass: &mut PassInvocation) -> Outcome {
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

fn stale_block(pass: &mut PassInvocation) -> Outcome {
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

fn stale_nested_block(pass: &mut PassInvocation) -> Outcome {
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

fn stale_successor(pass: &mut PassInvocation) -> Outcome {
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

fn stale_argument(pass: &mut PassInvocation) -> Outcome {
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

fn stale_region(pass: &mut PassInvocation) -> Outcome {
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
        let spec = b
            .op("stablehlo.while")
            .region(region.unwrap())
            .infer_results();
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

fn stale_builder(pass: &mut PassInvocation) -> Outcome {
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

fn stale_insertion_point(pass: &mut PassInvocation) -> Outcome {
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

fn erased_and_put_back(pass: &mut PassInvocation) -> Outcome {
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

fn wrong_counts(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "arith.addi");
    let (value, i32) = (results_of(op)[0], integer_type(context_of(op), 32));
    with_builder(op, |b| {
        for count in [0, 1, 3] {
            let made = b
                .op("arith.addi")
                .operands(&vec![operands_of(op)[0]; count]);
            fails(made.result(i32).insert(), "operands");
        }
        let both = operands_of(op);
        fails(b.op("arith.addi").operands(&both).insert(), "results");
        fails(
            b.op("arith.addi")
                .operands(&both)
                .results(&[i32, i32])
                .insert(),
            "results",
        );
        fails(
            b.op("arith.addi")
                .operands(&both[1..])
                .infer_results()
                .insert(),
            "operands",
        );
        let condition = b
            .op("arith.constant")
            .attribute("value", bool_attribute(b.context(), true));
        let condition = condition.infer_results().value().unwrap();
        fails(b.op("scf.if").operands(&[condition]).insert(), "regions");
        fails(b.op("cf.br").insert(), "successors");
        let sizes = Attribute::parse(b.context(), "array<i32: 1, 7, 0>").unwrap();
        let segmented = b.op("cf.cond_br").operands(&[condition]);
        let block = parent_block(op).unwrap();
        let segmented = segmented.successors(&[block, block]);
        fails(
            segmented.attribute("operandSegmentSizes", sizes).insert(),
            "sizes of groups",
        );
        b.erase(defining_operation(condition).unwrap().0).unwrap();
        for values in [vec![], vec![both[0]; 2]] {
            fails(b.replace(op, &values), "1 results, but");
        }
        fails(b.replace(op, &[value]), "made by the op itself");
        let conditional = find(root, "scf.if");
        let nested = results_of(find(root, "arith.subi"))[0];
        fails(b.replace(conditional, &[nested]), "made by the op itself");
    });
    Ok(())
}

fn wrong_uses(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    for name in ["arith.addi", "arith.constant", "scf.if"] {
        let op = find(root, name);
        fails(with_builder(op, |b| b.erase(op)), "uses its result 0");
        read(op);
    }
    Ok(())
}

fn wrong_roots(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    with_builder(find(root, "arith.addi"), |b| {
        fails(b.erase(root), "outermost");
        fails(b.replace(root, &[]), "outermost");
    });
    panics("in no block", || {
        move_before(root, find(root, "arith.addi"))
    });
    Ok(())
}

/// Another context, with a module that has an addition.
fn elsewhere(function: impl for<'c> FnOnce(&'c Context, Operation<'c>)) {
    let context = context();
    let module: Module = parse_module(&context, PROGRAM.as_bytes(), "other.mlir").unwrap();
    function(&context, root_of(&module));
}

fn wrong_contexts(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    fn with<'a>(root: Operation<'a>, other: &'a Context, foreign: Operation<'a>) {
        let op = find(root, "arith.addi");
        let foreign = find(foreign, "arith.addi");
        let value = results_of(foreign)[0];
        let i32 = integer_type(context_of(op), 32);
        let theirs = integer_type(other, 32);
        with_builder(op, |b| {
            fails(
                b.value("arith.addi", &[value, value], i32),
                "another context",
            );
            let both = operands_of(op);
            fails(b.value("arith.addi", &both, theirs), "another context");
            let constant = b.op("arith.constant").result(i32);
            let constant = constant.attribute("value", integer_attribute(theirs, 7));
            fails(constant.insert(), "another context");
            fails(b.replace(op, &[value]), "another context");
            fails(b.erase(foreign), "another context");
            fails(b.replace(foreign, &both[..1]), "another context");
            panics("another context", || {
                drop(b.region(&[theirs], |_, _| Ok::<_, BuildError>(())))
            });
            panics("another context", || {
                b.copy(foreign);
            });
            panics("another context", || {
                b.replace_uses(results_of(op)[0], value)
            });
        });
        with_builder(op, |b| {
            b.set_before(foreign);
            fails(
                b.value("arith.addi", &operands_of(op), i32),
                "another context",
            );
            panics("no insertion point", || {
                b.copy(op);
            });
            b.set_before(op);
            let elsewhere = b.at(foreign.location());
            fails(
                elsewhere.value("arith.addi", &operands_of(op), i32),
                "another context",
            );
            let region = with_builder(foreign, |b| {
                b.region(&[theirs], |_, _| Ok::<_, BuildError>(()))
            });
            let spec = b
                .op("scf.if")
                .operands(&operands_of(op)[..1])
                .region(region.unwrap());
            fails(spec.insert(), "another context");
            let block = parent_block(foreign).unwrap();
            fails(
                b.op("cf.br").successors(&[block]).insert(),
                "another context",
            );
            let theirs = halo_ir::body_of(find(parent_operation(foreign).unwrap(), "scf.if"), 0);
            fails(b.inline_before(theirs.unwrap(), op, &[]), "another context");
        });
        let context = context_of(op);
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
            drop(halo_ir::with_element_type(tensor_type(&[2], i32), theirs).to_string());
        });
        panics("another context", || set_operand(op, 0, value));
        panics("another context", || replace_uses(results_of(op)[0], value));
        panics("another context", || set_type(results_of(op)[0], theirs));
        panics("another context", || move_before(op, foreign));
        panics("another context", || {
            add_argument(parent_block(op).unwrap(), theirs, op.location());
        });
        panics("another context", || {
            add_argument(parent_block(op).unwrap(), theirs, foreign.location());
        });
    }
    // A lifetime that both contexts have.
    elsewhere(|other, foreign| with(root, other, foreign));
    Ok(())
}

fn foreign_attribute(pass: &mut PassInvocation) -> Outcome {
    fn set<'a>(op: Operation<'a>, attribute: Attribute<'a>) {
        set_attribute(op, "test.note", attribute);
    }
    let op = find(pass.operation(), "arith.addi");
    elsewhere(|other, _| set(op, string_attribute(other, "theirs")));
    Ok(())
}

fn foreign_location(pass: &mut PassInvocation) -> Outcome {
    let op = find(pass.operation(), "arith.addi");
    elsewhere(|_, foreign| set_location(op, foreign.location()));
    Ok(())
}

fn wrong_types(pass: &mut PassInvocation) -> Outcome {
    let context = context_of(pass.operation());
    let i32 = integer_type(context, 32);
    let none = Type::parse(context, "none").unwrap();
    let function = Type::parse(context, "() -> ()").unwrap();
    panics("wider", || drop(integer_type(context, 1 << 24).to_string()));
    panics("wider", || {
        drop(integer_type(context, u32::MAX).to_string())
    });
    panics("no type", || {
        drop(complex_type(index_type(context)).to_string())
    });
    let quietly = |function: &dyn Fn() -> String| {
        let ((), errors) = with_diagnostics(context, || panics("is no type", || drop(function())));
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
    quietly(&|| halo_ir::with_element_type(tensor_type(&[2], i32), function).to_string());
    let _ = vector_type(&[], i32).to_string();
    let _ = integer_type(context, 0).to_string();
    Ok(())
}

fn wrong_types_of_attributes(pass: &mut PassInvocation) -> Outcome {
    let context = context_of(pass.operation());
    let (i32, f32) = (integer_type(context, 32), Type::float32(context));
    let one = integer_attribute(i32, 1);
    let tensor = tensor_type(&[2], i32);
    panics("no number", || drop(integer_attribute(f32, 1).to_string()));
    panics("no number", || {
        drop(integer_attribute(tensor, 1).to_string())
    });
    panics("no number", || drop(float_attribute(i32, 1.0).to_string()));
    panics("no number", || {
        drop(float_attribute(tensor, 1.0).to_string())
    });
    panics("no element", || drop(splat_attribute(i32, one).to_string()));
    panics("no element", || {
        drop(splat_attribute(tensor_type(&[2], f32), one).to_string())
    });
    panics("no element", || {
        drop(splat_attribute(tensor_type(&[i64::MIN], i32), one).to_string())
    });
    panics("no element", || {
        drop(splat_attribute(unranked_tensor_type(i32), one).to_string())
    });
    let text = string_attribute(context, "one");
    panics("no element", || {
        drop(splat_attribute(tensor, text).to_string())
    });
    let complex = tensor_type(&[2], complex_type(f32));
    panics("no element", || {
        drop(splat_attribute(complex, one).to_string())
    });
    for r#type in [
        i32,
        unranked_tensor_type(i32),
        tensor_type(&[i64::MIN], i32),
    ] {
        assert!(dense_attribute(r#type, &[0; 8]).is_none());
        assert!(halo_ir::dense_elements_as(splat_attribute(tensor, one), r#type).is_none());
    }
    assert!(dense_attribute(tensor, &[0; 7]).is_none());
    Ok(())
}

fn wrong_positions(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "arith.addi");
    panics("operand 2 of 2", || set_operand(op, 2, operands_of(op)[0]));
    assert!(op.operand(2).is_err() && op.result(1).is_err() && op.region(0).is_err());
    assert!(op.successor(0).is_err() && halo_ir::region_of(op, 9).is_none());
    assert!(halo_ir::body_of(op, 0).is_none() && take_region(op, 0).is_none());
    Ok(())
}

fn wrong_attributes(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let context = context_of(root);
    let text = string_attribute(context, "text");
    let compare = find(root, "arith.cmpi");
    panics("not of the kind", || {
        set_attribute(compare, "predicate", text)
    });
    panics("must have attribute", || {
        remove_attribute(compare, "predicate")
    });
    let constant = find(root, "arith.constant");
    panics("must have attribute", || {
        remove_attribute(constant, "value")
    });
    let function = find(root, "func.func");
    panics("must have attribute", || {
        remove_attribute(function, "function_type")
    });
    panics("must have attribute", || {
        remove_attribute(function, "sym_name")
    });
    panics("not of the kind", || {
        set_attribute(function, "function_type", text)
    });
    let i32 = type_attribute(integer_type(context, 32));
    panics("not of the kind", || {
        set_attribute(function, "function_type", i32)
    });
    with_builder(compare, |b| {
        let (made, errors) = with_diagnostics(context, || {
            let spec = b.op("func.func").region(halo_ir::Region::new());
            let spec = spec.attribute("function_type", i32);
            spec.attribute("sym_name", string_attribute(context, "bad"))
                .insert()
        });
        fails(made, "attribute");
        assert!(
            errors[0].contains("type attribute of function type"),
            "{errors:?}"
        );
        let spec = b.op("arith.cmpi").operands(&operands_of(compare));
        let spec = spec.result(integer_type(context, 1));
        fails(
            spec.attribute("predicate", text).insert(),
            "'predicate' is of the wrong kind",
        );
        // One that has groups, the sizes of which must add up.
        let (op, sizes) = (operands_of(compare)[0], "operandSegmentSizes");
        let i1 = results_of(compare)[0];
        b.set_after(compare);
        let block = halo_ir::add_block_behind(parent_block(compare).unwrap()).unwrap();
        b.set_to_end(block);
        let good = Attribute::parse(context, "array<i32: 1, 1, 0>").unwrap();
        let branch = b
            .op("cf.cond_br")
            .operands(&[i1, op])
            .successors(&[block, block]);
        let branch = branch.attribute(sizes, good).insert().unwrap();
        for bad in [
            "array<i32: 1, 0, 0>",
            "array<i32: 1, 2, -1>",
            "array<i32: 2>",
            "7",
        ] {
            let bad = Attribute::parse(context, bad).unwrap();
            panics("not of the kind", || set_attribute(branch, sizes, bad));
        }
        panics("must have", || remove_attribute(branch, sizes));
        b.erase(branch).unwrap();
        b.op("ub.unreachable").insert().unwrap();
    });
    Ok(())
}

fn defaults_of_attributes(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let context = context_of(root);
    for op in collect_operations(root, |_| true) {
        for (name, attribute) in halo_ir::attributes_of(op) {
            let caught = std::panic::catch_unwind(|| remove_attribute(op, name));
            read(op);
            set_attribute(op, name, attribute);
            assert_eq!(attribute_of(op, name), Some(attribute), "{caught:?}");
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
                let set = std::panic::AssertUnwindSafe(|| set_attribute(op, name, other));
                let _ = std::panic::catch_unwind(set);
                read(op);
            }
            set_attribute(op, name, attribute);
        }
    }
    let sum = find(root, "arith.addi");
    remove_attribute(sum, "overflowFlags");
    remove_attribute(sum, "no such");
    read(sum);
    Ok(())
}

fn wrong_moves(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let (outer, inner) = (find(root, "scf.if"), find(root, "arith.subi"));
    panics("into itself", || move_before(outer, inner));
    move_before(outer, outer);
    let function = find(root, "func.func");
    panics("into itself", || move_before(function, inner));
    replace_uses(results_of(inner)[0], results_of(inner)[0]);
    Ok(())
}

fn wrong_inlining(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "scf.if");
    let block = halo_ir::body_of(op, 0).unwrap();
    let inner = find(root, "arith.subi");
    let value = results_of(find(root, "arith.constant"))[0];
    let body = parent_block(op).unwrap();
    with_builder(op, |b| {
        fails(b.inline_before(block, op, &[value]), "0 arguments, but 1");
        fails(b.inline_before(block, inner, &[]), "in the block");
        fails(
            b.inline_before(body, inner, &[value, value]),
            "in the block",
        );
        fails(b.inline_before(block, root, &[]), "erased");
    });
    Ok(())
}

fn erasing_while_visiting(pass: &mut PassInvocation) -> Outcome {
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

fn pass_panics(_: &mut PassInvocation) -> Outcome {
    panic!("on purpose")
}

fn panicking<'c>(_: &Builder<'c>, _: Operation<'c>) -> RewriteResult {
    panic!("on purpose")
}

fn pattern_panics(pass: &mut PassInvocation) -> Outcome {
    apply_greedily(pass, &[Pattern::new("arith.addi", panicking)])
}

fn pattern_once_panics(pass: &mut PassInvocation) -> Outcome {
    apply_patterns_once(pass.operation(), &[Pattern::new("arith.addi", panicking)])
}

fn visitor_panics(pass: &mut PassInvocation) -> Outcome {
    visit(pass.operation(), &mut |_| panic!("on purpose"));
    Ok(())
}

fn builder_panics(pass: &mut PassInvocation) -> Outcome {
    let op = find(pass.operation(), "arith.muli");
    with_builder(op, |b| {
        b.erase(op).unwrap();
        b.with_insertion_point(|_| panic!("on purpose"))
    })
}

fn region_panics(pass: &mut PassInvocation) -> Outcome {
    let op = find(pass.operation(), "arith.muli");
    with_builder(op, |b| {
        let _ = b.region(&[], |_, _| -> Result<(), BuildError> {
            panic!("on purpose")
        });
    });
    Ok(())
}

fn diagnosed_panics(pass: &mut PassInvocation) -> Outcome {
    let context = context_of(pass.operation());
    let (outcome, _) = with_diagnostics(context, || -> Outcome { panic!("on purpose") });
    outcome
}

fn edit_panics(pass: &mut PassInvocation) -> Outcome {
    let context = context_of(pass.operation());
    let mut module = parse_module(context, PROGRAM.as_bytes(), "inner.mlir").unwrap();
    edit_module(&mut module, |root| {
        let op = find(root, "arith.muli");
        with_builder(op, |b| b.erase(op)).unwrap();
        panic!("on purpose")
    })
    .unwrap()
}

fn rule_panics(pass: &mut PassInvocation) -> Outcome {
    fuse_elementwise(pass, |_, _, _| panic!("on purpose"));
    Ok(())
}

fn rule_changes(pass: &mut PassInvocation) -> Outcome {
    fuse_elementwise(pass, |producer, consumer, _| {
        let changed = with_builder(consumer, |b| b.erase(producer));
        panic!("{}", changed.unwrap_err());
    });
    Ok(())
}

fn pattern_without_end(pass: &mut PassInvocation) -> Outcome {
    fn again<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
        let same = b.copy(op);
        b.replace(op, &results_of(same))?;
        Ok(())
    }
    apply_greedily(pass, &[Pattern::new("arith.addi", again)])
}

fn pattern_erases_all(pass: &mut PassInvocation) -> Outcome {
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
    apply_greedily(pass, &[Pattern::new("arith.addi", add_end)])
}

fn pattern_erases_around(pass: &mut PassInvocation) -> Outcome {
    fn around<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
        let conditional = parent_operation(op).ok_or(RewriteError::NoMatch)?;
        let first = operands_of(op)[0];
        b.replace(conditional, &[first])?;
        read(op);
        read(conditional);
        Ok(())
    }
    apply_greedily(pass, &[Pattern::new("arith.subi", around)])
}

fn pattern_once_erases_others(pass: &mut PassInvocation) -> Outcome {
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
        &names.map(|name| Pattern::new(name, next)),
    )
}

fn pattern_leaves_a_stale_use(pass: &mut PassInvocation) -> Outcome {
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
    apply_greedily(pass, &[Pattern::new("arith.subi", leave)])
}

fn pattern_builds_wrong_ops(pass: &mut PassInvocation) -> Outcome {
    fn wrong<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
        let first = operands_of(op)[0];
        let value = b.value("arith.addi", &[first], first.r#type())?;
        b.replace(op, &[value])?;
        Ok(())
    }
    apply_greedily(pass, &[Pattern::new("arith.addi", wrong)])
}

fn nested_pipeline(pass: &mut PassInvocation) -> Outcome {
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

fn another_context_within(pass: &mut PassInvocation) -> Outcome {
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

fn context() -> Context {
    let registry = DialectRegistry::new();
    register_everything(&registry);
    let context = Context::new_with_registry(&registry, false);
    context.load_all_available_dialects();
    context
}

/// A hook that panics makes no more than an error.
fn hooks_panic() {
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
    let module = Module::new(op);
    halo_ir::fill_module(&module, |b| {
        let half = float_attribute(Type::float32(b.context()), 0.5);
        let tensor = tensor_type(&[2], Type::float32(b.context()));
        let constant = b
            .op("arith.constant")
            .attribute("value", splat_attribute(tensor, half));
        let constant = constant.infer_results().value().unwrap();
        let spec = b.op("stablehlo.abs").operands(&[constant]).infer_results();
        let (made, errors) = with_diagnostics(b.context(), || spec.insert());
        assert!(made.is_err());
        assert!(errors[0].contains("infer on purpose"), "{errors:?}");
    });
}

/// All cases in this process, which [`nothing_crashes`] starts.
#[test]
fn cases() {
    if env::var_os("HALO_SOUNDNESS").is_none() {
        return;
    }
    install_hooks(SemanticsHooks {
        verify: |_| panic!("verify on purpose"),
        infer: |_| panic!("infer on purpose"),
        ..SemanticsHooks::default()
    })
    .unwrap();
    register_upstream_passes();
    for case in CASES {
        let declaration = Box::leak(Box::new(PassDeclaration {
            argument: case.name,
            summary: "A pass of this test",
            anchor: "builtin.module",
            dependent_dialects: &["arith", "cf", "scf", "ub"],
            options: &[],
            run: case.run,
        }));
        register_pass(declaration).unwrap();
    }
    let mut failed = Vec::new();
    for case in CASES {
        println!("case {}", case.name);
        let context = context();
        let mut module = parse_module(&context, PROGRAM.as_bytes(), "p.mlir").unwrap();
        let (outcome, errors) = with_diagnostics(&context, || run_pipeline(&mut module, case.name));
        let expected = match case.error.is_empty() {
            true => Ok(()),
            false => Err(PipelineError::PassFailed(case.name.to_owned())),
        };
        let told = match &errors[..] {
            [] => case.error.is_empty(),
            [error] => !case.error.is_empty() && error.contains(case.error),
            _ => false,
        };
        if outcome != expected || !told {
            failed.push(format!("{}: {outcome:?}: {errors:?}", case.name));
        }
        // What a pass left can be printed, and freed.
        let _ = module.as_operation().to_string();
    }
    println!("case hooks_panic");
    hooks_panic();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    println!("all cases");
}

#[test]
fn nothing_crashes() {
    let output = Command::new(env::current_exe().unwrap())
        .args(["--exact", "cases", "--nocapture", "--test-threads=1"])
        .env("HALO_SOUNDNESS", "1")
        .env("MALLOC_PERTURB_", "165")
        .output()
        .unwrap();
    let (said, errors) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    let last = said.rsplit_once("case ").map(|(_, case)| case.trim());
    assert!(
        output.status.success() && said.contains("all cases"),
        "{:?} at '{}':\n{errors}",
        output.status,
        last.unwrap_or_default(),
    );
}
