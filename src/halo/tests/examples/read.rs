use halo::{
    compiler,
    ir::{
        diagnostics::{bytecode_of, parse_module},
        limits, register_dialects, root_of,
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

    // A tool may register fewer dialects in its context.
    let registry = DialectRegistry::new();
    register_dialects(&registry);
    let bare = Context::new();
    bare.append_dialect_registry(&registry);
    assert!(bare.registered_dialect_count() < context.registered_dialect_count());

    // From an op to its regions, blocks and ops.
    let function: Operation = root_of(&module).body(0).ok_or("empty")?.operations()[0];
    let body: Block = function.region(0).ok_or("no region")?.blocks()[0];
    let ops = body.operations();
    let names: Vec<&str> = ops.iter().copied().map(Operation::name).collect();
    assert_eq!(names, ["stablehlo.add", "stablehlo.negate", "func.return"]);

    // An op of a type has its parts by name, any op by number.
    let add = ops[0].cast::<stablehlo::AddOp>().ok_or("no sum")?;
    assert_eq!(ops[0].operands(), [add.lhs(), add.rhs()]);
    assert_eq!(ops[0].result_types(), [add.result().ty()]);
    assert_eq!((ops[0].operand_count(), ops[0].result_count()), (2, 1));
    assert!(function.region_count() == 1 && function.has_attribute("sym_name"));
    assert_eq!(
        function.region(0).and_then(RegionExt::first_block),
        Some(body)
    );
    assert!(body.argument_count() == 1 && body.first_operation() == Some(ops[0]));
    assert!(ops[0].next_in_block() == Some(ops[1]) && ops[2].next_in_block().is_none());

    // From a value to its definition and its uses.
    let x: Value = add.lhs();
    let (block, number) = x.as_block_argument().ok_or("no argument")?;
    assert!(block == body && number == 0 && x.defining_op().is_none());
    assert_eq!(
        (x.owner(), add.result().owner()),
        (Some(function), Some(ops[0]))
    );
    assert_eq!(
        (x.parent_block(), add.result().parent_block()),
        (Some(body), Some(body))
    );
    // The last added use comes first.
    assert_eq!(x.uses(), [(ops[0], 1), (ops[0], 0)]);
    assert!(add.result().has_one_use() && !x.has_one_use() && !x.is_unused());
    let negated = ops[1].results()[0];
    assert!(negated.defined_by::<stablehlo::NegOp>().is_some());
    assert_eq!(negated.defining_op(), Some(ops[1]));
    assert_eq!(negated.as_result(), Some((ops[1], 0)));

    // Keys identify ops and values in maps.
    let positions: HashMap<usize, usize> =
        ops.iter().enumerate().map(|(position, op)| (op.key(), position)).collect();
    assert_eq!(positions[&ops[2].key()], 2);

    // A program is text or bytecode, and text beyond the limits of MLIR's parser is rejected.
    assert!(limits::is_bytecode(&bytecode_of(&module)));
    let deep = "(".repeat(limits::MAX_NESTING + 1);
    let excess: limits::Excess = limits::check(deep.as_bytes()).unwrap_err();
    assert_eq!(excess.limit, limits::Limit::Nesting);
    Ok(())
}
