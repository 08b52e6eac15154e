//! A dialect that is declared in Rust passes through the front end, as text and as bytecode, and
//! through the passes to the interpreter; a backend without a lowering for an op reports an error
//! at its location.

use super::{options, outcomes};
use halo_backend::{Program, Registry};
use halo_core::Literal;
use halo_hlo::interpreter::register_evaluation;
use halo_ir::{
    declare_op,
    diagnostics::{bytecode_of, parse_module},
    dialect::{DialectDeclaration, OpTrait, register},
    ops::codec,
    prelude::*,
};
use std::sync::Once;

declare_op! {
    /// Adds a number to each element.
    struct OffsetOp = "grid.offset" {
        operands { input: One(Tensor) }
        results { output: One(Tensor) }
        attributes { by: Required(codec::Signless<64>) }
    }
    .traits(&[OpTrait::Pure, OpTrait::SameOperandsAndResultType])
    .assembly("$input `by` $by attr-dict `:` type($input)")
}

declare_op! {
    /// Waits for other threads.
    struct FenceOp = "grid.fence" {}
    .traits(&[OpTrait::Reads, OpTrait::Writes])
    .assembly("attr-dict")
}

static GRID: DialectDeclaration = DialectDeclaration::new("grid", "A dialect of a test")
    .ops(&[OffsetOp::DECLARATION, FenceOp::DECLARATION]);

fn register_grid() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| register(&GRID).unwrap());
}

const PROGRAM: &str = "func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = call @twice(%x) : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func private @twice(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = grid.offset %x by 3 : tensor<2xi32>
  %1 = stablehlo.add %0, %0 : tensor<2xi32>
  return %1 : tensor<2xi32>
}";

#[test]
fn declared_ops_reach_the_interpreter() {
    register_grid();
    register_evaluation("grid.offset", |call| {
        let offset = call.operation()?.cast::<OffsetOp>().ok_or("is another op")?;
        let mut output = call.tensor(0)?.clone();
        for position in 0..output.element_count() {
            output.set(
                position,
                output.get_i128(position) + i128::from(offset.by()),
            );
        }
        Ok(vec![output.into()])
    })
    .unwrap();
    let input = Literal::from_slice(&[2], &[1i32, -3]).unwrap();
    // (1 + 3) * 2 and (-3 + 3) * 2
    let expected = Literal::from_slice(&[2], &[8i32, 0]).unwrap();
    for (backend, outcome) in outcomes(PROGRAM, std::slice::from_ref(&input), &options()) {
        match backend {
            "interpreter" => assert_eq!(outcome.unwrap()[0].bytes(), expected.bytes()),
            _ => {
                let error = outcome.unwrap_err();
                let expected = "test.mlir:6:8: error: 'grid.offset' op has no lowering: ";
                assert!(error.starts_with(expected), "{backend}: {error}");
            }
        }
    }

    let context = halo_hlo::context();
    let module = parse_module(&context, PROGRAM.as_bytes(), "test.mlir").unwrap();
    let mut registry = Registry::new();
    halo_compiler::backends::register(&mut registry);
    let program = Program {
        name: "test.mlirbc".into(),
        code: bytecode_of(&module),
    };
    let compiler = &registry.backend("interpreter").unwrap().compiler;
    let executable = compiler.compile(&program, &options()).unwrap();
    let outputs = executable.run(&[input]).unwrap();
    assert_eq!(outputs[0].bytes(), expected.bytes());
}

#[test]
fn an_op_without_a_lowering_is_named_at_its_place() {
    register_grid();
    let program = "func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
  grid.fence
  return %x : tensor<2xi32>
}";
    let input = Literal::from_slice(&[2], &[1i32, -3]).unwrap();
    for (backend, outcome) in outcomes(program, std::slice::from_ref(&input), &options()) {
        let reason = match backend {
            "interpreter" => "is not interpreted",
            "c" => "has no lowering to C",
            _ => "has no lowering to the LLVM dialect",
        };
        let expected = format!("test.mlir:2:3: error: 'grid.fence' op {reason}");
        assert_eq!(outcome.unwrap_err(), expected, "{backend}");
    }
}
