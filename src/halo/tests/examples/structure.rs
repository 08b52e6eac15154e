use halo::{
    compiler,
    ir::{Dominance, SymbolNames, SymbolTable, diagnostics::parse_module, edit_module, root_of},
    prelude::*,
};

const PROGRAM: &[u8] = b"
func.func @main(%p: i1, %x: i32) -> i32 {
  cf.cond_br %p, ^then, ^else
^then:
  %sum = arith.addi %x, %x : i32
  %called = call @helper(%sum) : (i32) -> i32
  return %called : i32
^else:
  return %x : i32
}
func.func private @helper(%x: i32) -> i32 {
  return %x : i32
}";

/// The existing ops, in which order, and their parents.
fn walks(root: Operation) {
    let sum = root.collect_nested(|op| op.isa::<arith::AddIOp>())[0];
    let value = sum.results()[0];
    assert_eq!(value.users(), sum.users());
    let function = sum.enclosing::<func::FuncOp>().map(|function| function.sym_name());
    assert_eq!(function, Some("main"));
    let mut count = 0;
    root.visit(&mut |_| count += 1);
    assert_eq!(count, 9);
    // A walk may stop, or skip the contents of an op.
    let found = root.walk(WalkOrder::PreOrder, |op| match op.name() {
        "func.func" if op != root => WalkResult::Advance,
        "func.call" => WalkResult::Interrupt,
        _ => WalkResult::Advance,
    });
    assert_eq!(found, WalkResult::Interrupt);
}

/// Dominance: the ops that have run whenever an op runs.
fn dominance(root: Operation) -> Option<()> {
    let function = root.collect_nested(|op| op.isa::<func::FuncOp>())[0];
    let dominance = Dominance::of(function);
    let find = |name: &str| function.collect_nested(|op| op.name() == name)[0];
    let (branch, sum, call) = (find("cf.cond_br"), find("arith.addi"), find("func.call"));
    assert!(dominance.dominates(branch, call) && dominance.dominates(sum, sum));
    assert!(dominance.properly_dominates(sum, call) && !dominance.properly_dominates(sum, sum));
    assert!(dominance.value_dominates(sum.results()[0], call));
    let blocks = function.region(0)?.blocks();
    assert!(dominance.block_dominates(blocks[0], blocks[0]));
    assert!(!dominance.block_properly_dominates(blocks[1], blocks[2]));
    Some(())
}

/// Functions by their names, and names that are free.
fn symbols(root: Operation) -> Result<(), BuildError> {
    let mut symbols = SymbolTable::of(root)?;
    let helper = symbols.lookup("helper").ok_or(BuildError::because("no helper"))?;
    assert_eq!(symbols.uses(helper)?.len(), 1);
    // The call is updated with it.
    assert_eq!(symbols.rename(helper, "main")?, "main_0");
    for call in symbols.uses(helper)? {
        assert!(symbols.erase(helper).is_err(), "{} calls it", call.name());
    }
    let mut names = SymbolNames::of(root);
    assert!(!names.claim("main") && names.claim("other"));
    assert_ne!(names.fresh("main"), "main");
    Ok(())
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context = compiler::context();
    let mut module = parse_module(&context, PROGRAM, "a.mlir").ok_or("no program")?;
    walks(root_of(&module));
    dominance(root_of(&module)).ok_or("no body")?;
    edit_module(&mut module, symbols)??;
    Ok(())
}
