//! Helpers for passes: dominance, symbol tables, analyses, walks, nested pipelines, options.

use super::*;
use halo_ir::{
    Dominance, SymbolTable, Template, diagnostics, pass::Analysis, pass::Statistic, pipeline,
    pipeline::upstream, prelude::*, template,
};

pub fn pipeline_after_erasing(pass: &mut PassInvocation) -> Outcome {
    let op = find(pass.operation(), "arith.muli");
    with_builder(op, |b| b.erase(op));
    let block = find(pass.operation(), "cf.br");
    block.parent().unwrap().take_region(0);
    let empty = block.parent().unwrap_or(block);
    read(empty);
    // The function without a body is a declaration; upstream frees and folds.
    find_named(pass.operation(), "g").set_attribute(
        "sym_visibility",
        string_attribute(pass.operation().context(), "private"),
    );
    pass.run_pipeline(&pipeline![upstream("canonicalize"), upstream("cse")])?;
    churn(pass.operation());
    pass.run_pipeline(&pipeline![upstream("symbol-dce"), upstream("canonicalize")])
}

fn find_named<'c>(root: Operation<'c>, name: &str) -> Operation<'c> {
    let found = root.collect_nested(|op| {
        op.attribute("sym_name").and_then(Attribute::string_value) == Some(name)
    });
    found[0]
}

pub fn pattern_captures_state(pass: &mut PassInvocation) -> Outcome {
    let names = RefCell::new(Vec::new());
    let note = Pattern::named("arith.addi", |b, op| {
        names.borrow_mut().push(op.to_string());
        b.replace(op, &[op.operands()[0]]);
        Ok(())
    });
    apply_greedily(pass, &[note.clone(), note.clone().benefit(7)])?;
    apply_patterns_once(pass.operation(), &[note])?;
    assert_eq!(names.borrow().len(), 1);
    Ok(())
}

pub fn stale_in_dominance(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let dominance = Dominance::of(root);
    let (op, user) = (find(root, "arith.muli"), find(root, "arith.cmpi"));
    let conditional = find(root, "scf.if");
    let inner = find(root, "arith.subi");
    let result = op.results()[0];
    assert!(dominance.properly_dominates(op, user));
    with_builder(op, |b| b.erase(op));
    churn(root);
    panics("was erased", || {
        assert!(dominance.properly_dominates(op, user))
    });
    panics("may have been erased", || {
        assert!(dominance.dominates(user, op))
    });
    panics("was erased", || {
        assert!(dominance.value_dominates(result, user))
    });
    panics("may have been erased", || {
        assert!(dominance.dominates(user, root))
    });
    let block = inner.block().unwrap();
    let constant = find(root, "arith.constant");
    with_builder(conditional, |b| {
        b.replace(conditional, &[constant.results()[0]])
    });
    // Ops in an erased op are not in the program.
    panics("may have been erased", || {
        assert!(dominance.dominates(user, inner))
    });
    panics("outside of the program", || {
        assert!(dominance.block_dominates(user.block().unwrap(), block));
    });
    assert!(!dominance.block_dominates(block, user.block().unwrap()));
    elsewhere(|_, other| {
        let other = find(other, "arith.cmpi");
        panics("not in the op", || {
            assert!(Dominance::of(root).dominates(user, other))
        });
        assert!(!Dominance::of(root).dominates(other, user));
    });
    Ok(())
}

/// Control flow is computed on the first query, and later results are wrong at worst.
pub fn changed_under_dominance(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let dominance = Dominance::of(root);
    let branch = find(root, "cf.br");
    let function = branch.parent().unwrap();
    let blocks: Vec<Block> = function.blocks();
    assert!(dominance.block_properly_dominates(blocks[0], blocks[1]));
    let added = blocks[0].append_sibling().unwrap();
    let _ = dominance.block_properly_dominates(blocks[0], added);
    let _ = dominance.block_properly_dominates(added, blocks[1]);
    let private = string_attribute(root.context(), "private");
    function.set_attribute("sym_visibility", private);
    drop(function.take_region(0));
    churn(root);
    panics("outside of the program", || {
        assert!(dominance.block_dominates(blocks[0], blocks[2]));
    });
    assert!(dominance.dominates(find(root, "arith.muli"), find(root, "arith.cmpi")));
    drop(dominance);
    Ok(())
}

pub fn stale_in_symbol_table(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let mut symbols = SymbolTable::of(root).unwrap();
    let function = symbols.lookup("h").unwrap();
    with_builder(function, |b| b.erase(function));
    churn(root);
    assert!(symbols.lookup("h").is_none());
    fails(
        symbols.rename(function, "g"),
        "is not a symbol of the table",
    );
    fails(symbols.insert(function), "is not a symbol of the table");
    fails(symbols.erase(function), "is not a symbol of the table");
    fails(symbols.uses(function), "is not a symbol of the table");
    fails(symbols.uses(root), "is not a symbol of the table");
    fails(
        SymbolTable::of(find(root, "scf.if")).map(drop),
        "is not a symbol table",
    );
    let g = symbols.lookup("g").unwrap();
    assert_eq!(symbols.rename(g, "").unwrap(), "");
    assert_eq!(symbols.rename(g, "a b\0").unwrap(), "a b\0");
    assert_eq!(symbols.rename(g, "g").unwrap(), "g");
    fn with<'a>(root: Operation<'a>, other: Operation<'a>) {
        let mut symbols = SymbolTable::of(root).unwrap();
        let of_other = find(other, "func.func");
        fails(symbols.insert(of_other), "is not a symbol of the table");
        fails(
            symbols.rename(of_other, "x"),
            "is not a symbol of the table",
        );
    }
    elsewhere(|_, other| with(root, other));
    Ok(())
}

struct Changes(String);

impl Analysis for Changes {
    fn of(root: Operation) -> Self {
        let op = find(root, "arith.muli");
        with_builder(op, |b| b.erase(op));
        Self(op.to_string())
    }
}

pub fn analysis_changes(pass: &mut PassInvocation) -> Outcome {
    let analysis = pass.analysis::<Changes>();
    churn(pass.operation());
    assert!(pass.analysis::<Changes>().0.contains("arith.muli"));
    pass.preserve_all();
    drop(analysis);
    Ok(())
}

struct PanicsAtItsEnd;

impl Analysis for PanicsAtItsEnd {
    fn of(_: Operation) -> Self {
        Self
    }
}

impl Drop for PanicsAtItsEnd {
    fn drop(&mut self) {
        panic!("on purpose");
    }
}

pub fn analysis_panics_at_its_end(pass: &mut PassInvocation) -> Outcome {
    let analysis = pass.analysis::<PanicsAtItsEnd>();
    drop(analysis);
    Ok(())
}

pub fn walk_erases_around(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    for order in [WalkOrder::PostOrder, WalkOrder::PreOrder] {
        root.walk(order, |op| {
            read(op);
            let around = op.parent().filter(|around| around.name() == "func.func");
            if let Some(around) = around {
                with_builder(around, |b| {
                    let copy = b.copy(around);
                    if order == WalkOrder::PreOrder {
                        b.erase(around);
                        b.erase(copy);
                    } else {
                        b.erase(copy);
                    }
                });
                read(around);
            }
        });
    }
    assert!(root.collect_nested(|_| true).is_empty());
    Ok(())
}

pub fn report_from_elsewhere(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "arith.muli");
    with_builder(op, |b| b.erase(op));
    let (_, errors) = with_diagnostics(root.context(), || {
        elsewhere(|_, other| {
            drop(pass.error(op, "a\0b").note(other, "").note(op.results()[0], "x"));
            drop(diagnostics::remark(find(other, "arith.muli"), "").note(op, ""));
        });
    });
    assert!(errors[0].message.contains("a\\0b"), "{errors:?}");
    Ok(())
}

pass_options! {
    struct Undeclared {
        /// Not an option of any pass
        number: i64 = 1,
    }
}

pub fn wrong_options(pass: &mut PassInvocation) -> Outcome {
    assert_eq!(pass.options::<Undeclared>().number, 1);
    Ok(())
}

pub fn wrong_statistic(pass: &mut PassInvocation) -> Outcome {
    pass.count(&Statistic::new("n", ""), 1);
    Ok(())
}

/// A template results only in consistent ops without references to other IR.
pub fn wrong_templates(pass: &mut PassInvocation) -> Outcome {
    let root = pass.operation();
    let op = find(root, "arith.muli");
    let x = op.operands()[0];
    with_builder(op, |b| {
        let i32 = integer_type(b.context(), 32);
        let with = |text: &'static str| {
            Template::new(text, "a.rs", 1).build(b, &[("x", x.into()), ("t", i32.into())])
        };
        let made = with("%c = arith.constant 1 : $t\n%d = arith.addi %c, $x : $t");
        churn(root);
        read_value(made[0]);
        op.set_operand(0, made[0]);
        assert!(with("").is_empty());
        for text in [
            "%d = arith.addi $x, %y : i32",
            "%d = arith.addi $x, %x : i32",
            "%d = arith.addi $x, $x : $s",
            "%d = arith.addi $x, $x : $",
            "%d = arith.addi $x, $x : i64",
            "return\n}\nfunc.func @f(%y: i32) {\n%d = arith.addi %y, %y : i32",
            "return\n}\nfunc.func @f() {",
            "cf.br ^bb1\n^bb1:",
            "cf.br ^bb1($x : i32)\n^bb1(%y: i32):\n%d = arith.addi %y, %y : i32",
            "return",
            "}",
        ] {
            panics("invalid template at a.rs:", || _ = with(text));
        }
        with_builder(op, |b| b.erase(find(root, "arith.cmpi")));
        let result = op.results()[0];
        b.erase(op);
        b.set_before(find(root, "scf.if"));
        panics("was erased", || {
            drop(template!(b, "%d = arith.addi $result, $result : i32"))
        });
        fn with_other<'a>(b: &Builder<'a>, x: Value<'a>) {
            panics("another context", || {
                drop(template!(b, "%d = arith.addi $x, $x : i32"))
            });
        }
        elsewhere(|_, other| with_other(b, find(other, "arith.muli").operands()[0]));
    });
    Ok(())
}
