//! Tries to crash from safe Rust.
//!
//! Each case is a pass over [`PROGRAM`]. It violates assertions of MLIR, or keeps handles to erased
//! IR and reads them. The cases run in a separate process with `MALLOC_PERTURB_`, with which glibc
//! fills freed memory, so that reads of it are detected: a pointer of 0xA5 bytes.

mod callbacks;
mod helpers;
mod stale;
mod wrong;

use callbacks::*;
use helpers::*;
use stale::*;
use wrong::*;

use halo_ir::{
    apply_patterns_once, bool_attribute, complex_type, dense_attribute,
    diagnostics::{parse_module, with_diagnostics},
    edit_module, float_attribute,
    fusion::fuse_elementwise,
    pass::{PipelineError, register_pass, run_pipeline},
    prelude::*,
    root_of,
    semantics::{SemanticsHooks, install_hooks},
    splat_attribute, type_attribute, unranked_tensor_type, upstream, with_operations_in,
};
use melior::{
    Context,
    dialect::DialectRegistry,
    ir::{Location, Module},
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

/// A pass, and a part of its error; `None` if it succeeds.
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
    foreign_attribute: "internal error in pass 'foreign_attribute': attribute 'test.note' of 'arith.addi' op is of another context"
    foreign_location: "internal error in pass 'foreign_location': a part for 'arith.addi' op is of another context"
    pass_panics: "internal error in pass 'pass_panics': on purpose"
    pattern_panics: "internal error in pass 'pattern_panics', in the pattern for 'arith.addi': on purpose"
    pattern_once_panics: "internal error in pass 'pattern_once_panics', in the pattern for 'arith.addi': on purpose"
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
    pattern_builds_wrong_ops: "in the pattern for 'arith.addi': cannot create op 'arith.addi': its definition does not allow 1 operands"
    pattern_leaves_out_an_attribute: "in the pattern for 'arith.addi': cannot create op 'arith.cmpi': attribute 'predicate' is missing"
    nested_pipeline: ""
    pipeline_after_erasing: ""
    pattern_captures_state: ""
    stale_in_dominance: ""
    changed_under_dominance: ""
    stale_in_symbol_table: ""
    analysis_changes: ""
    analysis_panics_at_its_end: ""
    walk_erases_around: ""
    report_from_elsewhere: ""
    wrong_templates: ""
    wrong_options: "internal error in pass 'wrong_options': pass 'wrong_options' does not declare '"
    wrong_statistic: "internal error in pass 'wrong_statistic': pass 'wrong_statistic' does not declare statistic 'n'"
    another_context_within: ""
};

/// The first op of a name.
fn find<'c>(root: Operation<'c>, name: &str) -> Operation<'c> {
    let found = root.collect_nested(|op| op.name() == name);
    *found.first().unwrap_or_else(|| panic!("no '{name}'"))
}

/// Allocates memory, so that freed memory is reused.
fn churn(root: Operation) {
    let first = find(root, "arith.constant");
    with_builder(first, |b| {
        for number in 0..500 {
            let i32 = integer_type(b.context(), 32);
            let value = integer_attribute(i32, number);
            let made = b.op("arith.constant").attribute("value", value);
            let made = made.result(i32).insert();
            if number % 2 == 0 {
                b.erase(made);
            }
        }
    });
}

/// Reads all of an op.
fn read(op: Operation) {
    let _ = (op.name(), op.to_string(), op.location().to_string());
    for value in op.operands().into_iter().chain(op.results()) {
        read_value(value);
    }
    let _ = (op.result_types(), op.block(), op.parent());
    let _ = with_diagnostics(op.context(), || op.verify());
    let _ = op.next_in_block();
    for block in op.blocks() {
        read_block(block);
    }
    let _ = op.attributes();
    let _: Vec<_> = op.successors().into_iter().map(Block::arguments).collect();
    let _ = (op.is_before(op), op.operand(99), op.result(99));
    let _ = (
        op.region(99),
        op.successors().get(99).is_none(),
        op.attribute("none"),
    );
}

fn read_value(value: Value) {
    let _ = (value.ty().to_string(), value.to_string());
    let _ = (value.uses(), value.is_unused());
    let _ = value.location().to_string();
    if let Some(op) = value.defining_op() {
        let _ = op.name();
    }
    if let Some((block, _)) = value.as_block_argument() {
        let _ = (block.arguments(), block.parent());
    }
}

fn read_block(block: Block) {
    block.arguments().into_iter().for_each(read_value);
    block.operations().into_iter().for_each(read);
    let _ = (block.parent(), block.terminator());
}

/// Checks that something fails, and the reason.
#[track_caller]
fn fails<T>(outcome: Result<T, BuildError>, reason: &str) {
    let Err(error) = outcome else {
        panic!("succeeded, but should have failed: {reason}");
    };
    let error = error.to_string();
    assert!(error.contains(reason), "{error}");
}

/// Checks that a function panics, and the message.
#[track_caller]
fn panics(reason: &str, function: impl FnOnce()) {
    let panic = halo_core::panics::catch(function).expect_err(reason);
    assert!(panic.message().contains(reason), "{panic}");
}

fn context() -> Context {
    let registry = DialectRegistry::new();
    upstream::register_dialects(&registry);
    let context = Context::new_with_registry(&registry, false);
    context.load_all_available_dialects();
    context
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
    upstream::register_passes();
    for case in CASES {
        let declaration = PassDeclaration::new(case.name, "A pass of this test", case.run)
            .on::<builtin::ModuleOp>()
            .dependent_dialects(&["arith", "cf", "scf", "ub"]);
        let declaration = Box::leak(Box::new(declaration));
        register_pass(declaration).unwrap();
    }
    let mut failed = Vec::new();
    for case in CASES {
        println!("case {}", case.name);
        let context = context();
        let mut module = parse_module(&context, PROGRAM.as_bytes(), "p.mlir").unwrap();
        let (outcome, errors) = with_diagnostics(&context, || run_pipeline(&mut module, case.name));
        let expected = if case.error.is_empty() {
            Ok(())
        } else {
            Err(PipelineError::PassFailed(case.name.to_owned()))
        };
        let told = match &errors[..] {
            [] => case.error.is_empty(),
            [error] => !case.error.is_empty() && error.to_string().contains(case.error),
            _ => false,
        };
        if outcome != expected || !told {
            failed.push(format!("{}: {outcome:?}: {errors:?}", case.name));
        }
        // The output of a pass can be printed, and freed.
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
