//! Walks, symbol tables and dominance.

use super::{context, outcome, pass};
use halo_ir::{
    Dominance, SymbolTable,
    diagnostics::{parse_module, with_diagnostics},
    pass::run_pipeline,
    prelude::*,
};

const PROGRAM: &str = r#"
func.func private @g(%x: i32, %p: i1) -> i32 {
  %s = arith.addi %x, %x : i32
  %r = scf.if %p -> (i32) {
    %a = arith.subi %x, %s : i32
    scf.yield %a : i32
  } else {
    scf.yield %s : i32
  }
  %t = arith.muli %r, %s : i32
  return %t : i32
}
func.func @f(%x: i32, %p: i1) -> i32 {
  %c = arith.constant 7 : i32
  cf.cond_br %p, ^bb1, ^bb2
^bb1:
  %a = func.call @g(%x, %p) : (i32, i1) -> i32
  cf.br ^bb3(%a : i32)
^bb2:
  cf.br ^bb3(%c : i32)
^bb3(%y: i32):
  return %y : i32
}
"#;

fn find<'c>(pass: &'c PassInvocation, name: &str) -> Operation<'c> {
    let found = pass.operation().collect_nested(|op| op.name() == name);
    *found.first().unwrap_or_else(|| panic!("no '{name}'"))
}

static WALKS: PassDeclaration = pass("test-walks", &[], |pass| {
    let g = find(pass, "func.func");
    let names = |order, stop: &dyn Fn(&str) -> WalkResult| {
        let mut names = Vec::new();
        let result = g.walk(order, |op| {
            names.push(op.name().split_once('.').unwrap().1);
            stop(op.name())
        });
        (result, names.join(" "))
    };
    let advance = |_: &str| WalkResult::Advance;
    assert_eq!(
        names(WalkOrder::PreOrder, &advance),
        (
            WalkResult::Advance,
            "func addi if subi yield yield muli return".into()
        )
    );
    assert_eq!(
        names(WalkOrder::PostOrder, &advance),
        (
            WalkResult::Advance,
            "addi subi yield yield if muli return func".into()
        )
    );
    let skip = |name: &str| match name {
        "scf.if" => WalkResult::Skip,
        _ => WalkResult::Advance,
    };
    assert_eq!(
        names(WalkOrder::PreOrder, &skip),
        (WalkResult::Advance, "func addi if muli return".into())
    );
    let stop = |name: &str| match name {
        "arith.subi" => WalkResult::Interrupt,
        _ => WalkResult::Advance,
    };
    assert_eq!(
        names(WalkOrder::PreOrder, &stop),
        (WalkResult::Interrupt, "func addi if subi".into())
    );
    assert_eq!(
        names(WalkOrder::PostOrder, &stop),
        (WalkResult::Interrupt, "addi subi".into())
    );
    let sum = find(pass, "arith.addi");
    let mut of_sum: Vec<&str> = sum.users().into_iter().map(Operation::name).collect();
    of_sum.sort_unstable();
    assert_eq!(of_sum, ["arith.muli", "arith.subi", "scf.yield"]);
    // It uses the argument twice.
    assert_eq!(sum.operands()[0].users().len(), 2);
    let inner = find(pass, "arith.subi");
    assert!(inner.enclosing::<scf::IfOp>().is_some());
    assert!(inner.enclosing::<func::FuncOp>().is_some_and(|found| found.operation() == g));
    assert!(g.enclosing::<func::FuncOp>().is_none());
    Ok(())
});

/// Erases ops that a walk has yet to visit, and the visited one.
static WALKS_AND_ERASES: PassDeclaration = pass("test-walks-and-erases", &[], |pass| {
    let g = find(pass, "func.func");
    for order in [WalkOrder::PreOrder, WalkOrder::PostOrder] {
        let g = with_builder(g, |b| b.copy(g));
        let mut seen = Vec::new();
        g.walk(order, |op| {
            seen.push(op.name());
            if op.name() == "arith.addi"
                && let Some(conditional) = op.next_in_block()
                && conditional.isa::<scf::IfOp>()
            {
                with_builder(conditional, |b| b.replace(conditional, &op.results()));
            }
        });
        assert!(
            !seen.contains(&"arith.subi") && !seen.contains(&"scf.if"),
            "{seen:?}"
        );
        with_builder(g, |b| b.erase(g));
        assert!(seen.contains(&"arith.muli"), "{seen:?}");
    }
    let mut seen = 0;
    pass.operation().walk(WalkOrder::PreOrder, |op| {
        seen += 1;
        if op.isa::<func::FuncOp>() {
            with_builder(op, |b| b.erase(op));
        }
    });
    assert_eq!(seen, 3);
    Ok(())
});

static SYMBOLS: PassDeclaration = pass("test-symbols", &[], |pass| {
    let module = pass.operation();
    let f = module.collect_nested(|op| op.isa::<func::FuncOp>())[1];
    assert!(SymbolTable::of(f).is_err());
    let mut symbols = SymbolTable::of(module).unwrap();
    let g = symbols.lookup("g").unwrap();
    assert!(symbols.lookup("h").is_none());
    let users = symbols.uses(g).unwrap();
    assert_eq!(
        users.into_iter().map(Operation::name).collect::<Vec<_>>(),
        ["func.call"]
    );
    assert_eq!(symbols.uses(f).unwrap(), []);
    let error = symbols.erase(g).unwrap_err().to_string();
    assert!(
        error.contains("symbol 'g' cannot be erased: 'func.call' uses it"),
        "{error}"
    );
    // The name is taken, so that it gets a number.
    let copy = with_builder(f, |b| b.copy(g));
    assert_eq!(symbols.insert(copy).unwrap(), "g_0");
    assert_eq!(symbols.insert(copy).unwrap(), "g_0");
    assert_eq!(symbols.lookup("g_0"), Some(copy));
    assert_eq!(symbols.rename(g, "f").unwrap(), "f_0");
    assert_eq!(symbols.lookup("f_0"), Some(g));
    assert!(symbols.lookup("g").is_none());
    let call = find(pass, "func.call");
    assert!(call.to_string().contains("@f_0("), "{call}");
    symbols.erase(copy).unwrap();
    assert!(symbols.lookup("g_0").is_none());
    for outside in [call, copy] {
        assert!(symbols.insert(outside).is_err());
        assert!(symbols.rename(outside, "x").is_err());
        assert!(symbols.uses(outside).is_err());
        assert!(symbols.erase(outside).is_err());
    }
    // Symbols that were erased otherwise are not found.
    with_builder(f, |b| b.erase(f));
    assert!(symbols.lookup("f").is_none());
    Ok(())
});

static DOMINATES: PassDeclaration = pass("test-dominates", &[], |pass| {
    let module = pass.operation();
    let dominance = Dominance::of(module);
    let (sum, inner) = (find(pass, "arith.addi"), find(pass, "arith.subi"));
    let (product, conditional) = (find(pass, "arith.muli"), find(pass, "scf.if"));
    assert!(dominance.properly_dominates(sum, product));
    assert!(!dominance.properly_dominates(product, sum));
    assert!(!dominance.properly_dominates(sum, sum) && dominance.dominates(sum, sum));
    assert!(dominance.properly_dominates(sum, inner));
    assert!(!dominance.properly_dominates(inner, product));
    assert!(dominance.value_dominates(sum.results()[0], inner));
    assert!(!dominance.value_dominates(inner.results()[0], product));
    // An op dominates the ops in it, but they cannot use its result.
    assert!(dominance.properly_dominates(conditional, inner));
    assert!(!dominance.value_dominates(conditional.results()[0], inner));
    let f = module.collect_nested(|op| op.isa::<func::FuncOp>())[1];
    let blocks: Vec<Block> = f.blocks();
    for (one, other, expected) in [
        (0, 1, true),
        (0, 3, true),
        (1, 3, false),
        (2, 1, false),
        (3, 3, false),
        (3, 0, false),
    ] {
        let (one, other) = (blocks[one], blocks[other]);
        assert_eq!(dominance.block_properly_dominates(one, other), expected);
        assert_eq!(
            dominance.block_dominates(one, other),
            expected || one == other
        );
    }
    let end = blocks[3].operations()[0];
    assert!(dominance.value_dominates(find(pass, "arith.constant").results()[0], end));
    assert!(!dominance.value_dominates(find(pass, "func.call").results()[0], end));
    assert!(dominance.value_dominates(end.operands()[0], end));
    Ok(())
});

pub static PASSES: &[&PassDeclaration] = &[&WALKS, &WALKS_AND_ERASES, &SYMBOLS, &DOMINATES];

fn succeeds(pipeline: &str) {
    let context = context();
    let mut module = parse_module(&context, PROGRAM.as_bytes(), "p.mlir").unwrap();
    let (result, errors) = with_diagnostics(&context, || run_pipeline(&mut module, pipeline));
    assert_eq!((result, errors), (Ok(()), vec![]));
}

#[test]
fn walks_skip_and_stop() {
    succeeds("test-walks");
}

#[test]
fn walks_leave_out_what_was_erased() {
    succeeds("test-walks-and-erases");
}

#[test]
fn symbols_are_found_renamed_and_erased() {
    succeeds("test-symbols");
    // There are no such functions in the other program: a panic names the pass.
    let (result, errors) = outcome("test-symbols");
    assert!(result.is_err());
    assert!(
        errors[0].contains("internal error in pass 'test-symbols'"),
        "{errors:?}"
    );
}

#[test]
fn dominance_between_ops_blocks_and_values() {
    succeeds("test-dominates");
}
