//! Each reduction on a program of a few ops.

use crate::{program::Program, reductions::ALL, session::Reduction};
use halo::{melior::Context, runtime::Program as Source};
use std::ops::Range;

fn context() -> Context {
    halo::compiler::context()
}

fn program<'c>(context: &'c Context, text: &str) -> Program<'c> {
    let source = Source {
        name: "a.mlir".to_owned(),
        code: text.into(),
    };
    let mut program = Program::read(context, &source).unwrap();
    program.select_entry(&source, None).unwrap();
    program
}

fn named(name: &str) -> &'static Reduction {
    ALL.iter().find(|reduction| reduction.name == name).unwrap()
}

fn text(program: &Program) -> String {
    String::from_utf8(program.text()).unwrap()
}

/// The body of a program after a reduction at some of its sites.
#[track_caller]
fn after(name: &str, sites: Range<usize>, before: &str) -> String {
    let context = context();
    let program = program(&context, before);
    let reduction = named(name);
    let count = (reduction.sites)(&program);
    assert!(sites.end <= count, "{count} sites");
    let changed = program.changed(|draft| (reduction.apply)(draft, sites));
    text(&changed.expect("it does not apply"))
}

#[track_caller]
fn makes(name: &str, sites: Range<usize>, before: &str, expected: &str) {
    let context = context();
    let expected = text(&program(&context, expected));
    assert_eq!(after(name, sites, before), expected);
}

const CHAIN: &str = "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.sine %a : tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  %2 = stablehlo.cosine %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}";

#[test]
fn ops_become_arguments_and_results() {
    makes(
        "remove ops of functions",
        0..1,
        CHAIN,
        "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
          %1 = stablehlo.negate %a : tensor<4xf32>
          %2 = stablehlo.cosine %1 : tensor<4xf32>
          return %2 : tensor<4xf32>
        }",
    );
    makes(
        "remove ops of functions",
        1..3,
        CHAIN,
        "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
          %0 = stablehlo.sine %a : tensor<4xf32>
          return %0 : tensor<4xf32>
        }",
    );
    makes(
        "remove ops of functions",
        0..3,
        CHAIN,
        "func.func @main() { return }",
    );
}

#[test]
fn attributes_of_arguments_go_with_them() {
    makes(
        "remove ops of functions",
        0..1,
        "func.func @main(%a: tensor<4xf32> {mhlo.sharding = \"x\"}, %b: tensor<4xf32> \
         {mhlo.sharding = \"y\"}) -> (tensor<4xf32> {jax.result_info = \"r\"}) {
          %0 = stablehlo.sine %a : tensor<4xf32>
          %1 = stablehlo.add %0, %b : tensor<4xf32>
          return %1 : tensor<4xf32>
        }",
        "func.func @main(%b: tensor<4xf32> {mhlo.sharding = \"y\"}, %c: tensor<4xf32>) \
         -> (tensor<4xf32> {jax.result_info = \"r\"}) {
          %1 = stablehlo.add %c, %b : tensor<4xf32>
          return %1 : tensor<4xf32>
        }",
    );
}

const LOOP: &str = "func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0:2 = stablehlo.while(%i = %a, %j = %b) : tensor<f32>, tensor<f32>
    cond {
      %1 = stablehlo.compare LT, %i, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %j : tensor<f32>
      stablehlo.return %1, %j : tensor<f32>, tensor<f32>
    }
  return %0#0 : tensor<f32>
}";

#[test]
fn regions_get_arguments_of_the_entry() {
    makes(
        "remove ops of regions",
        2..3,
        LOOP,
        "func.func @main(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>) -> tensor<f32> {
          %0:2 = stablehlo.while(%i = %a, %j = %b) : tensor<f32>, tensor<f32>
            cond {
              %1 = stablehlo.compare LT, %i, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
              stablehlo.return %1 : tensor<i1>
            } do {
              stablehlo.return %c, %j : tensor<f32>, tensor<f32>
            }
          return %0#0 : tensor<f32>
        }",
    );
}

#[test]
fn a_branch_becomes_the_program() {
    makes(
        "enter a region",
        0..1,
        "func.func @main(%p: tensor<i1>, %a: tensor<4xf32>) -> tensor<4xf32> {
          %0 = stablehlo.sine %a : tensor<4xf32>
          %1 = \"stablehlo.if\"(%p) ({
            %2 = stablehlo.negate %0 : tensor<4xf32>
            %3 = stablehlo.add %2, %a : tensor<4xf32>
            stablehlo.return %3 : tensor<4xf32>
          }, {
            stablehlo.return %a : tensor<4xf32>
          }) : (tensor<i1>) -> tensor<4xf32>
          return %1 : tensor<4xf32>
        }",
        "func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
          %2 = stablehlo.negate %b : tensor<4xf32>
          %3 = stablehlo.add %2, %a : tensor<4xf32>
          return %3 : tensor<4xf32>
        }",
    );
}

#[test]
fn neighbours_are_kept() {
    let ops: String = (1..9)
        .map(|number| {
            format!(
                "%{number} = stablehlo.sine %{} : tensor<4xf32>\n",
                number - 1
            )
        })
        .collect();
    let program = format!(
        "func.func @main(%0: tensor<4xf32>) -> tensor<4xf32> {{\n{}return %v8 : tensor<4xf32>\n}}",
        ops.replace('%', "%v").replace("%v0", "%0")
    );
    let text = after("keep neighbours of functions", 1..2, &program);
    assert_eq!(text.matches("stablehlo.sine").count(), 4, "{text}");
    assert_eq!(text.matches("%arg0").count(), 2, "{text}");
}

/// A region returns as many values as before: the last kept one.
#[test]
fn neighbours_in_regions_are_kept() {
    let ops: String = (1..9)
        .map(|number| {
            format!(
                "%v{number} = stablehlo.sine %v{} : tensor<f32>\n",
                number - 1
            )
        })
        .collect();
    let program = LOOP.replace(
        "%1 = stablehlo.add %i, %j : tensor<f32>\n      stablehlo.return %1, %j",
        &format!("{}stablehlo.return %v8, %j", ops.replace("%v0", "%i")),
    );
    // The first four of the body; the condition has too few for windows.
    let text = after("keep neighbours of regions", 0..1, &program);
    assert_eq!(text.matches("stablehlo.sine").count(), 4, "{text}");
    assert!(text.contains("stablehlo.sine %iterArg"), "{text}");
}

#[test]
fn a_loop_becomes_a_turn() {
    makes(
        "inline regions",
        0..1,
        LOOP,
        "func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
          %0 = stablehlo.add %a, %b : tensor<f32>
          return %0 : tensor<f32>
        }",
    );
}

#[test]
fn a_reduction_becomes_its_body() {
    makes(
        "inline regions",
        0..1,
        "func.func @main(%a: tensor<4xf32>, %b: tensor<f32>) -> tensor<f32> {
          %0 = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0]
            : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
          return %0 : tensor<f32>
        }",
        "func.func @main(%b: tensor<f32>) -> tensor<f32> {
          %0 = stablehlo.add %b, %b : tensor<f32>
          return %0 : tensor<f32>
        }",
    );
}

#[test]
fn loops_carry_less() {
    makes(
        "drop carried values",
        1..2,
        LOOP,
        "func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
          %0 = stablehlo.while(%i = %a) : tensor<f32>
            cond {
              %1 = stablehlo.compare LT, %i, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
              stablehlo.return %1 : tensor<i1>
            } do {
              %1 = stablehlo.add %i, %b : tensor<f32>
              stablehlo.return %1 : tensor<f32>
            }
          return %0 : tensor<f32>
        }",
    );
}

#[test]
fn ops_become_operands() {
    makes(
        "replace ops by operands",
        1..2,
        CHAIN,
        "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
          %0 = stablehlo.sine %a : tensor<4xf32>
          %2 = stablehlo.cosine %0 : tensor<4xf32>
          return %2 : tensor<4xf32>
        }",
    );
}

const CALL: &str = "func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.sine %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}";

#[test]
fn functions_go_with_their_calls() {
    makes(
        "remove functions",
        0..1,
        CALL,
        "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
          %1 = stablehlo.sine %a : tensor<4xf32>
          return %1 : tensor<4xf32>
        }",
    );
}

#[test]
fn a_function_becomes_the_entry() {
    makes(
        "enter a function",
        0..1,
        CALL,
        "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
          %0 = stablehlo.negate %a : tensor<4xf32>
          return %0 : tensor<4xf32>
        }",
    );
}

#[test]
fn ops_of_called_functions_become_what_there_is() {
    let text = after("remove ops of functions", 0..1, CALL);
    assert!(text.contains("return %arg0 : tensor<4xf32>"), "{text}");
    assert!(text.contains("func.func private @f(%arg0: tensor<4xf32>) -> tensor<4xf32>"));
}

#[test]
fn results_are_dropped() {
    makes(
        "drop results",
        0..1,
        "func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
          %0 = stablehlo.sine %a : tensor<4xf32>
          return %a, %0 : tensor<4xf32>, tensor<4xf32>
        }",
        "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
          %0 = stablehlo.sine %a : tensor<4xf32>
          return %0 : tensor<4xf32>
        }",
    );
}

const CONSTANT: &str = "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %1 = stablehlo.add %a, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}";

#[test]
fn constants_become_arguments() {
    makes(
        "constants to arguments",
        0..1,
        CONSTANT,
        "func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
          %1 = stablehlo.add %a, %b : tensor<4xf32>
          return %1 : tensor<4xf32>
        }",
    );
}

#[test]
fn constants_become_ones() {
    let text = after("simplify constants", 0..1, CONSTANT);
    assert!(
        text.contains("dense<1.000000e+00> : tensor<4xf32>"),
        "{text}"
    );
}

#[test]
fn sizes_shrink_with_constants() {
    let context = context();
    let program = program(&context, CONSTANT);
    // The first alternative replaces all sizes by one.
    let reduction = named("shrink shapes");
    let changed = program.changed(|draft| (reduction.apply)(draft, 1..2)).unwrap();
    let text = text(&changed);
    assert!(
        text.contains("dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>"),
        "{text}"
    );
    assert!(!text.contains("4x"), "{text}");
}

#[test]
fn sizes_in_attributes_shrink() {
    makes(
        "shrink shapes",
        1..2,
        "func.func @main(%a: tensor<64x8xf32>) -> tensor<64x2xf32> {
          %0 = stablehlo.slice %a [0:64, 0:2] : (tensor<64x8xf32>) -> tensor<64x2xf32>
          return %0 : tensor<64x2xf32>
        }",
        "func.func @main(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
          %0 = stablehlo.slice %a [0:2, 0:2] : (tensor<2x2xf32>) -> tensor<2x2xf32>
          return %0 : tensor<2x2xf32>
        }",
    );
}

#[test]
fn elements_become_simple() {
    makes(
        "simplify element types",
        0..2,
        "func.func @main(%a: tensor<4xbf16>, %i: tensor<4xi64>) -> tensor<4xbf16> {
          %0 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xbf16>
          %1 = stablehlo.add %a, %0 : tensor<4xbf16>
          %2 = stablehlo.convert %i : (tensor<4xi64>) -> tensor<4xbf16>
          %3 = stablehlo.add %1, %2 : tensor<4xbf16>
          return %3 : tensor<4xbf16>
        }",
        "func.func @main(%a: tensor<4xf32>, %i: tensor<4xi32>) -> tensor<4xf32> {
          %0 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
          %1 = stablehlo.add %a, %0 : tensor<4xf32>
          %2 = stablehlo.convert %i : (tensor<4xi32>) -> tensor<4xf32>
          %3 = stablehlo.add %1, %2 : tensor<4xf32>
          return %3 : tensor<4xf32>
        }",
    );
}

#[test]
fn attributes_are_removed() {
    let text = after(
        "remove attributes",
        0..2,
        "module @name attributes {mhlo.num_replicas = 1 : i32} {
          func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
            return %a : tensor<4xf32>
          }
        }",
    );
    assert!(text.starts_with("module {"), "{text}");
}

/// Given inputs stay with their arguments.
#[test]
fn inputs_follow_arguments() {
    let context = context();
    let mut program = program(
        &context,
        "func.func @main(%a: tensor<4xf32>, %t: !stablehlo.token, %b: tensor<4xf32>) \
         -> tensor<4xf32> {
          %0 = stablehlo.sine %a : tensor<4xf32>
          %1 = stablehlo.add %0, %b : tensor<4xf32>
          return %1 : tensor<4xf32>
        }",
    );
    program.given = vec![0, 1];
    let reduction = named("remove ops of functions");
    let changed = program.changed(|draft| (reduction.apply)(draft, 0..1)).unwrap();
    assert_eq!(changed.given, [1]);
}
