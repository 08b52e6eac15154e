use halo::{
    compiler,
    ir::{
        self, Block, Operation, Value, block_argument, blocks_of, defining_operation,
        diagnostics::{bytecode_of, parse_module},
        has_one_use, is_unused, limits, name_of, operands_of, operation_key, operations_of,
        ops::{OperationExt, ValueExt, stablehlo},
        region_of, register_dialects, result_types_of, results_of, root_of, uses_of,
    },
    melior::{Context, dialect::DialectRegistry},
    prelude::*,
};
use std::collections::HashMap;

const PROGRAM: &[u8] = b"
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %sum = stablehlo.add %x, %x : tensor<3xf32>
  %negated = stablehlo.negate %sum : tensor<3xf32>
  return %negated : tensor<3xf32>
}";

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A context owns the types, attributes and ops of the modules made in it.
    let context = compiler::context();
    let module = parse_module(&context, PROGRAM, "a.mlir").ok_or("no program")?;

    // A tool's own context may know less.
    let registry = DialectRegistry::new();
    register_dialects(&registry);
    let bare = Context::new();
    bare.append_dialect_registry(&registry);
    assert!(bare.registered_dialect_count() < context.registered_dialect_count());

    // From an op to its regions, blocks and ops.
    let function: Operation = operations_of(ir::body_of(root_of(&module), 0).ok_or("empty")?)[0];
    let body: Block = blocks_of(region_of(function, 0).ok_or("no region")?)[0];
    let ops = operations_of(body);
    let names: Vec<&str> = ops.iter().copied().map(name_of).collect();
    assert_eq!(names, ["stablehlo.add", "stablehlo.negate", "func.return"]);

    // An op of a kind has its parts by name, any op by number.
    let add = ops[0].cast::<stablehlo::AddOp>().ok_or("no sum")?;
    assert_eq!(operands_of(ops[0]), [add.lhs(), add.rhs()]);
    assert_eq!(result_types_of(ops[0]), [add.result().r#type()]);

    // From a value to its definition and its uses.
    let x: Value = add.lhs();
    let (block, number) = block_argument(x).ok_or("no argument")?;
    assert!(block == body && number == 0 && defining_operation(x).is_none());
    // The use that was made last comes first.
    assert_eq!(uses_of(x), [(ops[0], 1), (ops[0], 0)]);
    assert!(has_one_use(add.result()) && !has_one_use(x) && !is_unused(x));
    let negated = results_of(ops[1])[0];
    assert!(negated.defined_by::<stablehlo::NegOp>().is_some());
    assert_eq!(defining_operation(negated), Some((ops[1], 0)));

    // Keys stand for ops and values in maps.
    let positions: HashMap<usize, usize> = (ops.iter().enumerate())
        .map(|(position, op)| (operation_key(*op), position))
        .collect();
    assert_eq!(positions[&operation_key(ops[2])], 2);

    // A program is text or bytecode, and text that MLIR could not stand is refused.
    assert!(limits::is_bytecode(&bytecode_of(&module)));
    let deep = "(".repeat(limits::MAX_NESTING + 1);
    let excess: limits::Excess = limits::check(deep.as_bytes()).unwrap_err();
    assert_eq!(excess.limit, limits::Limit::Nesting);
    Ok(())
}
