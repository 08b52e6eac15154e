//! A dialect declared in Rust works in text, bytecode, verification, passes and builders, and an
//! invalid one is rejected with one message.

#[path = "dialect/defaults.rs"]
mod defaults;
#[path = "dialect/tile.rs"]
mod tile;

use halo_ir::{
    diagnostics::{bytecode_of, parse_module, with_diagnostics},
    dialect::{
        BlockCount, DialectDeclaration, OpDeclaration, OpRegion, OpTrait, Parameter, ParameterKind,
        TypeConstraint, TypeDeclaration, declaration_of, operand_group, register, result_group,
    },
    edit_module,
    ops::{Arity, Group, Groups, OpInfo},
    pass::{PipelineError, run_pipeline},
    prelude::*,
    root_of, type_attribute, upstream,
};
use melior::ir::operation::OperationLike;
use melior::{Context, dialect::DialectRegistry, ir::Module};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Once,
};
use tile::{
    AddOp, ConstantOp, DoubleOp, LAYOUT, LoopOp, MatmulOp, TILE, TILE_TYPE, TOKEN, YieldOp,
};

fn context() -> Context {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        upstream::register_passes();
        register(&TILE).unwrap();
    });
    let registry = DialectRegistry::new();
    upstream::register_dialects(&registry);
    Context::new_with_registry(&registry, false)
}

/// A module, or the errors of its text.
fn parse<'c>(context: &'c Context, text: &str) -> Result<Module<'c>, Vec<String>> {
    let (module, errors) =
        with_diagnostics(context, || parse_module(context, text.as_bytes(), "t.mlir"));
    module.ok_or_else(|| errors.iter().map(ToString::to_string).collect())
}

const PROGRAM: &str = r#"module {
  func.func @f(%arg0: tensor<8x8xf32>, %arg1: index, %arg2: !tile.tile<4x8, f32>, %arg3: i8) -> !tile.tile<4x8, f32> {
    %0 = tile.load %arg0[%arg1, %arg1] layout = #tile.layout<"row", 16> : none : tensor<8x8xf32> -> !tile.tile<8x8, f32>
    %1 = tile.load %arg0 {note = "x"} : tensor<8x8xf32> -> !tile.tile<8x8, f32>
    %2 = tile.matmul %arg2, %0 steps 4 unlabelled : !tile.tile<4x8, f32>, !tile.tile<8x8, f32>
    %3 = tile.matmul %2, %1 bias %arg2 : !tile.tile<4x8, f32> with %2, %arg1 : !tile.tile<4x8, f32>, index transposed steps -1 label "last" {tag} : !tile.tile<4x8, f32>, !tile.tile<8x8, f32>
    %4 = tile.loop %arg1 -> index {
      %6 = tile.constant 7 : i32 : i32
      %7 = tile.add %6, %6 : i32
      tile.yield %arg1 : index
    }
    tile.loop %arg1 {
      tile.yield
    } attributes {unrolled}
    tile.store %3, %arg3 : !tile.tile<4x8, f32>, i8
    %5:3 = "tile.opaque"(%4) <{resultSegmentSizes = array<i32: 1, 2>}> : (index) -> (index, i8, i32)
    return %3 : !tile.tile<4x8, f32>
  }
  func.func private @g(!tile.token) attributes {layout = #tile.layout<"column", 1>}
  func.func @h() {
    tile.goto ^bb1
  ^bb1:  // pred: ^bb0
    return
  }
  tile.kernel @k entry @inner of !tile.token attributes {fast} {
    tile.kernel @inner {
    }
  }
}
"#;

#[test]
fn text_generic_form_and_bytecode_round_trip() {
    let context = context();
    let module = parse(&context, PROGRAM).unwrap();
    assert_eq!(module.as_operation().to_string(), PROGRAM);

    let bytecode = bytecode_of(&module);
    let read = parse_module(&context, &bytecode, "t.mlirbc").unwrap();
    assert_eq!(read.as_operation().to_string(), PROGRAM);
    let first = root_of(&read).collect_nested(|op| op.isa::<MatmulOp>())[0];
    assert_eq!(first.location().to_string(), r#"loc("t.mlir":5:10)"#);

    let flags = melior::ir::operation::OperationPrintingFlags::new().print_generic_operation_form();
    let generic = module.as_operation().to_string_with_flags(flags).unwrap();
    assert!(
        generic.contains(
            "\"tile.matmul\"(%arg2, %0) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, steps = 4 : i64}>"
        ),
        "{generic}"
    );
    let read = parse(&context, &generic).unwrap();
    assert_eq!(read.as_operation().to_string(), PROGRAM);
    // The attributes of the op may also be in the attribute dictionary.
    let loose = r#"%0:2 = "test.op"() : () -> (!tile.tile<1x1, f32>, index)
      %1 = "tile.matmul"(%0#0, %0#0) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, steps = 4} : (!tile.tile<1x1, f32>, !tile.tile<1x1, f32>) -> !tile.tile<1x1, f32>"#;
    context.set_allow_unregistered_dialects(true);
    let text = parse(&context, loose).unwrap().as_operation().to_string();
    assert!(
        text.contains("tile.matmul %0#0, %0#0 steps 4 unlabelled :"),
        "{text}"
    );
}

#[test]
fn invalid_programs_are_refused_with_one_message() {
    let context = context();
    context.set_allow_unregistered_dialects(true);
    let values = "%t, %u, %f, %i, %b = \"test.op\"() : () -> (!tile.tile<4x8, f32>, !tile.tile<3x1, f32>, f32, index, i8)\n";
    for (text, message) in [
        (
            r#""tile.matmul"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, steps = 1}> : (!tile.tile<4x8, f32>) -> f32"#,
            "operand 'rhs' cannot stand for 0 values",
        ),
        (
            r#""tile.matmul"(%t, %t) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (!tile.tile<4x8, f32>, !tile.tile<4x8, f32>) -> f32"#,
            "'tile.matmul' op requires attribute 'steps'",
        ),
        (
            r#""tile.matmul"(%t, %t) <{operandSegmentSizes = array<i32: 1, 1, 0, 3>, steps = 1}> : (!tile.tile<4x8, f32>, !tile.tile<4x8, f32>) -> f32"#,
            "operandSegmentSizes",
        ),
        (
            r#""tile.matmul"(%t, %t) <{operandSegmentSizes = 7 : i32, steps = 1}> : (!tile.tile<4x8, f32>, !tile.tile<4x8, f32>) -> f32"#,
            "must be an array of 32-bit integers",
        ),
        (
            r#""tile.matmul"(%t, %t) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, steps = 1 : i32}> : (!tile.tile<4x8, f32>, !tile.tile<4x8, f32>) -> f32"#,
            "attribute 'steps' must be 64-bit integer, but is 1 : i32",
        ),
        (
            r#""tile.matmul"(%t, %t) <7 : i32> : (!tile.tile<4x8, f32>, !tile.tile<4x8, f32>) -> f32"#,
            "expected DictionaryAttr",
        ),
        (
            "%0 = tile.matmul %t, %u steps 1 unlabelled : !tile.tile<4x8, f32>, !tile.tile<3x1, f32>",
            "expects 8 : i64 rows in rhs, but has 3 : i64",
        ),
        (
            r#""tile.load"(%t) : (!tile.tile<4x8, f32>) -> !tile.tile<4x8, f32>"#,
            "operand #0 ('source') must be tensor of float, but has type '!tile.tile<4x8, f32>'",
        ),
        (
            r#"%0 = "test.op"() : () -> tensor<2xf64> %1 = tile.load %0 : tensor<2xf64> -> !tile.tile<4x8, f32>"#,
            "'tile.load' op expects elements of one type",
        ),
        (
            r#""tile.add"(%b) : (i8) -> i8"#,
            "expects 2 operands, but has 1",
        ),
        (
            "tile.load %x layout = 3 : tensor<2xf32> -> !tile.tile<4x8, f32>",
            "not valid for specified type",
        ),
        (
            r#"%0 = "test.op"() : () -> tensor<2xf32> %1 = "tile.load"(%0) <{layout = 3}> : (tensor<2xf32>) -> !tile.tile<4x8, f32>"#,
            "attribute 'layout' must be a layout, but is 3 : i64",
        ),
        (
            r#""tile.add"(%b, %b) : (i8, i8) -> i32"#,
            "requires the same type for all operands and results",
        ),
        (
            "%0 = tile.matmul %t, %t steps 1 unlabelled {steps = 2} : !tile.tile<4x8, f32>, !tile.tile<4x8, f32>",
            "attribute 'steps' occurs more than once",
        ),
        (
            "tile.add %b, %b : index",
            "expects different type than prior uses",
        ),
        ("tile.add %b : i8", "expected ','"),
        (
            r#""tile.loop"(%i) : (index) -> ()"#,
            "expects 1 regions, but has 0",
        ),
        (
            "tile.loop %i {\n^a:\n  tile.goto ^b\n^b:\n tile.yield\n}",
            "expects region #0 to have 0 or 1 blocks",
        ),
        (
            "tile.yield\n\"test.op\"() : () -> ()",
            "must be the last operation in the parent block",
        ),
        (
            "tile.kernel @k { \"test.op\"(%i) : (index) -> () }",
            "using value defined outside the region",
        ),
        (
            "tile.kernel @k { tile.kernel @a {} tile.kernel @a {} }",
            "redefinition of symbol named 'a'",
        ),
        (
            r#""tile.kernel"() ({ }) : () -> ()"#,
            "requires attribute 'sym_name'",
        ),
        (
            "%0 = \"test.op\"() : () -> !tile.tile<0x1, f32>",
            "expects sizes above zero",
        ),
        (
            "%0 = \"test.op\"() : () -> !tile.tile<1, f32>",
            "expected 2 sizes, but got 1",
        ),
        (
            "%0 = \"test.op\"() : () -> !tile.nothing",
            "dialect 'tile' has no type 'nothing'",
        ),
        (
            "\"test.op\"() {a = #tile.nothing} : () -> ()",
            "dialect 'tile' has no attribute 'nothing'",
        ),
        (
            "\"test.op\"() {a = #tile.layout<3, 4>} : () -> ()",
            "expected string",
        ),
        (
            "%0 = tile.round sideways(%f,%f)[%i] or up : f32",
            "expected 'mode' to be one of down, up",
        ),
        (
            "%0 = tile.round up(%f,%f)[%i] or 3 : f32",
            "expected 'value' to be one of down, up",
        ),
        (
            "%w = \"test.op\"() : () -> si8 %0 = \"tile.round\"(%f, %f, %w) <{mode = 3 : i32}> : (f32, f32, si8) -> f32",
            "attribute 'mode' must be one of down, up, but is 3 : i32",
        ),
        (
            "%w = \"test.op\"() : () -> si8 %0 = \"tile.round\"(%f, %b, %w) <{mode = 5 : i32}> : (f32, i8, si8) -> f32",
            "expects 'lhs' and 'rhs' to have one type, but they have 'f32' and 'i8'",
        ),
        (
            "%0 = \"tile.round\"(%f, %f, %b) <{mode = 5 : i32}> : (f32, f32, i8) -> f32",
            "operand #2 ('width') must be si8, but has type 'i8'",
        ),
        (
            "tile.stage { }",
            "'tile.stage' op expects parent op 'tile.loop' or 'tile.kernel'",
        ),
        (
            "tile.kernel @k { \"tile.stage\"() ({ }) : () -> () }",
            "expects region #0 ('body') to have 1 blocks, but it has 0",
        ),
        (
            "%0:2 = \"test.op\"() : () -> (tensor<2xf32>, f64) tile.kernel @k { %1:2 = \"test.op\"() : () -> (tensor<2xf32>, f64) tile.stage %1#0, %1#1 : tensor<2xf32>, f64 { } }",
            "requires the same element type for all operands",
        ),
        (
            "\"tile.pipeline\"() ({ \"test.op\"() : () -> () }) : () -> ()",
            "'tile.pipeline' op expects regions to end with 'tile.yield'",
        ),
        (
            "tile.pipeline {\n^a(%x: f32):\n}",
            "region should have no arguments",
        ),
        ("tile.unknown", "custom op 'tile.unknown' is unknown"),
        (
            "\"tile.unknown\"() : () -> ()",
            "unregistered operation 'tile.unknown' found in dialect ('tile')",
        ),
        (
            "tile.opaque",
            "'tile.opaque' op has no assembly format; write its generic form",
        ),
        (
            "tile.verify_panics",
            "'tile.verify_panics' op internal error: no such luck",
        ),
    ] {
        let Err(errors) = parse(&context, &format!("{values}{text}")) else {
            panic!("{text} is accepted");
        };
        let [error] = &errors[..] else {
            panic!("{text}: {errors:#?}");
        };
        assert!(
            error.contains(message) && error.starts_with("t.mlir:"),
            "{text}: {error}"
        );
    }
}

fn after(pipeline: &str, text: &str) -> (Result<(), PipelineError>, Vec<String>, String) {
    let context = context();
    context.set_allow_unregistered_dialects(true);
    let mut module = parse(&context, text).unwrap();
    let (result, errors) = with_diagnostics(&context, || run_pipeline(&mut module, pipeline));
    let errors = errors.iter().map(ToString::to_string).collect();
    (result, errors, module.as_operation().to_string())
}

#[test]
fn passes_see_traits_folders_and_rewrites() {
    let (result, errors, text) = after(
        "canonicalize,cse",
        "func.func @f(%a: i32, %i: index, %t: tensor<2x2xf32>) -> (i32, i32, i32, i32, i32) {
           %c1 = tile.constant 1 : i32 : i32
           %c2 = tile.constant 2 : i32 : i32
           %c0 = tile.constant 0 : i32 : i32
           %0 = tile.add %c1, %c2 : i32
           %1 = tile.add %c0, %a : i32
           %2 = tile.add %c2, %a : i32
           %3 = tile.add %a, %a : i32
           %4 = tile.double %a : i32
           %5 = tile.load %t : tensor<2x2xf32> -> !tile.tile<2x2, f32>
           %6 = tile.matmul %5, %5 steps 1 unlabelled : !tile.tile<2x2, f32>, !tile.tile<2x2, f32>
           tile.loop %i {
             %7 = tile.add %a, %c1 : i32
             tile.yield
           }
           %8:2 = \"tile.opaque\"() <{resultSegmentSizes = array<i32: 0, 2>}> : () -> (i8, i8)
           return %0, %1, %2, %3, %4 : i32, i32, i32, i32, i32
         }",
    );
    assert_eq!((result, &errors[..]), (Ok(()), &[][..]), "{text}");
    let body = text.split_once("{\n  func.func").unwrap().1;
    let lines: Vec<_> = body.lines().skip(1).map(str::trim).take(6).collect();
    // Constants are made by the dialect and move after other operands; an unused load and a loop of
    // pure ops are erased, an op of unknown effects is not.
    assert_eq!(
        lines,
        [
            "%0 = tile.constant 2 : i32 : i32",
            "%1 = tile.constant 3 : i32 : i32",
            "%2 = tile.add %arg0, %0 : i32",
            "%3 = tile.double %arg0 : i32",
            "%4:2 = \"tile.opaque\"() <{resultSegmentSizes = array<i32: 0, 2>}> : () -> (i8, i8)",
            "return %1, %arg0, %2, %3, %3 : i32, i32, i32, i32, i32",
        ],
        "{text}"
    );

    let (result, errors, text) = after(
        "inline,symbol-dce",
        "func.func private @g(%a: i32) -> i32 {
           %0 = tile.double %a : i32
           return %0 : i32
         }
         func.func @f(%a: i32) -> i32 {
           %0 = call @g(%a) : (i32) -> i32
           return %0 : i32
         }
         func.func private @halts() {
           tile.goto ^bb1
         ^bb1:
           tile.goto ^bb1
         }
         func.func @calls() {
           call @halts() : () -> ()
           return
         }",
    );
    assert_eq!((result, &errors[..]), (Ok(()), &[][..]), "{text}");
    assert!(
        text.contains("%0 = tile.double %arg0") && !text.contains("@g"),
        "{text}"
    );
    assert!(text.contains("call @halts"), "{text}");

    let (result, _, text) = after(
        "func.func(loop-invariant-code-motion)",
        "func.func @f(%a: i32, %i: index, %c: index) {
           scf.for %j = %c to %i step %c {
             %0 = tile.double %a : i32
             \"tile.opaque\"(%0) <{resultSegmentSizes = array<i32: 0, 0>}> : (i32) -> ()
           }
           return
         }",
    );
    assert_eq!(result, Ok(()), "{text}");
    assert!(text.find("tile.double") < text.find("scf.for"), "{text}");
}

/// The limit of rewrites grows with the program: 5 ops may be rewritten 105,000 times.
#[test]
fn many_rewrites_are_not_endless() {
    let count = 260_000;
    let body = "tile.settle\n".repeat(count);
    let (result, errors, text) = after(
        "canonicalize",
        &format!("func.func @f() {{\n{body}return\n}}"),
    );
    assert_eq!((result, &errors[..]), (Ok(()), &[][..]));
    assert_eq!(text.matches("tile.settle settled\n").count(), count);
}

#[test]
fn hooks_that_fail_are_reported_once() {
    let with_results =
        |op: &str| format!("%0 = {op}\n  %1 = {op}\n  \"test.use\"(%0, %1) : (index, index) -> ()");
    let twice = |op: &str| format!("{op}\n  {op}");
    for (body, message) in [
        (
            with_results("tile.fold_panics"),
            "internal error: the folder of 'tile.fold_panics' op panicked: no such luck",
        ),
        (
            with_results("tile.fold_edits"),
            "internal error: the folder of 'tile.fold_edits' op panicked: ",
        ),
        (
            twice("tile.rewrite_panics"),
            "internal error: the rewrite of 'tile.rewrite_panics' op panicked: no such luck",
        ),
        (twice("tile.rewrite_panics fails"), "cannot be rewritten"),
        (
            twice("tile.endless"),
            "rewriting does not end: 'tile.endless' still matches after 105000 rewrites",
        ),
    ] {
        let text = format!("func.func @f() {{\n  {body}\n  return\n}}");
        let (result, errors, _) = after("canonicalize", &text);
        let failed = PipelineError::PassFailed("canonicalize".to_owned());
        assert_eq!(result, Err(failed), "{body}");
        let [error] = &errors[..] else {
            panic!("{body}: {errors:#?}");
        };
        let holds = error.contains(message) && error.starts_with("t.mlir:");
        assert!(holds, "{body}: {error}");
    }
    // A fold to a value of another type is rejected.
    let (result, errors, text) = after(
        "canonicalize",
        "func.func @f(%a: i32) -> index {
           %0 = tile.mistyped %a : i32
           return %0 : index
         }",
    );
    assert_eq!((result, &errors[..]), (Ok(()), &[][..]));
    assert!(text.contains("tile.mistyped"), "{text}");
}

#[test]
fn ops_are_built_and_read_by_name() {
    let context = context();
    let mut module = parse(
        &context,
        "func.func @f(%t: !tile.tile<4x8, f32>, %u: !tile.tile<8x2, f32>, %i: index, %n: i32) { return }",
    )
    .unwrap();
    edit_module(&mut module, |root| {
        with_builder(root, |b| {
            let function = root.collect_nested(|op| op.name() == "func.func")[0];
            let block = function.region(0).unwrap().blocks()[0];
            b.set_to_start(block);
            let values = block.arguments();
            let (t, u, i, n) = (values[0], values[1], values[2], values[3]);

            let product =
                MatmulOp::build(b, t, u, None, &[i, i], Some(true), 3, Some("m")).insert();
            assert_eq!(product.product().ty().to_string(), "!tile.tile<4x2, f32>");
            assert_eq!(
                (product.lhs(), product.bias(), product.more()),
                (t, None, vec![i, i])
            );
            assert_eq!((product.steps(), product.label()), (3, Some("m")));
            assert_eq!(product.transposed(), Some(true));
            assert_eq!(operand_group(product.operation(), "more"), Some(vec![i, i]));
            assert_eq!(operand_group(product.operation(), "label"), None);
            let results = result_group(product.operation(), "product");
            assert_eq!(results, Some(vec![product.product()]));
            let columns = TILE_TYPE.parameter(product.product().ty(), "columns");
            assert_eq!(columns.and_then(Attribute::integer_value), Some(2));

            let double = DoubleOp::build(b, n).value();
            assert!(double.defined_by::<DoubleOp>().is_some());
            assert!(double.defined_by::<AddOp>().is_none());
            let body = b.region(&[], |b, _| _ = YieldOp::build(b, &[]).insert());
            let repeated = LoopOp::build(b, i, body).result_types(&[]).insert();
            assert_eq!(repeated.body().blocks().len(), 1);
            // Without attributes and types, by name.
            let sum = b.op("tile.add").operands(&[n, double]).infer_results().value();
            assert_eq!(sum.ty(), n.ty());

            // Invalid parts are errors before MLIR is called.
            let fails = |result: Result<Operation, BuildError>, message: &str| {
                let error = result.unwrap_err().to_string();
                assert!(error.contains(message), "{error}");
            };
            let sizes = Attribute::parse(b.context(), "array<i32: 1, 1, 0, 0>").unwrap();
            let matmul = || b.op("tile.matmul").operands(&[t, u]).result(t.ty());
            fails(
                matmul().attribute("operandSegmentSizes", sizes).try_insert(),
                "attribute 'steps' is missing",
            );
            fails(
                b.op("tile.add").operands(&[n]).result(n.ty()).try_insert(),
                "does not allow 1 operands",
            );
            fails(
                b.op("tile.loop").operands(&[i]).try_insert(),
                "other regions",
            );
            let text = string_attribute(b.context(), "four");
            let (_, errors) = with_diagnostics(&context, || {
                let wrong =
                    matmul().attribute("operandSegmentSizes", sizes).attribute("steps", text);
                assert!(wrong.try_insert().is_err());
            });
            assert_eq!(errors.len(), 1, "{errors:?}");
            assert!(product.try_set_attribute("steps", text).is_err());
            assert!(product.try_set_attribute("operandSegmentSizes", sizes).is_err());
            product
                .operation()
                .set_attribute("steps", integer_attribute(integer_type(b.context(), 64), 5));
            assert_eq!(product.steps(), 5);
            let removed = catch_unwind(AssertUnwindSafe(|| product.remove_attribute("steps")));
            assert!(removed.is_err());

            let error = TILE_TYPE.get(b.context(), &[]).unwrap_err().to_string();
            assert_eq!(
                error,
                "cannot make 'tile.tile': expects 3 parameters, but has 0"
            );
            let zero = integer_attribute(integer_type(b.context(), 64), 0);
            let element = type_attribute(n.ty());
            let error = TILE_TYPE.get(b.context(), &[zero, zero, element]).unwrap_err().to_string();
            assert_eq!(error, "cannot make 'tile.tile': expects sizes above zero");
            let error =
                TILE_TYPE.get(b.context(), &[element, zero, element]).unwrap_err().to_string();
            assert_eq!(
                error,
                "cannot make 'tile.tile': expects parameter 'rows' to be an integer"
            );
            let layout = LAYOUT.get(b.context(), &[string_attribute(b.context(), "row"), zero])?;
            assert_eq!(layout.to_string(), "#tile.layout<\"row\", 0>");
            assert!(LAYOUT.is(layout) && !LAYOUT.is(zero));
            let other = Context::new();
            assert!(TOKEN.get(&other, &[]).unwrap_err().to_string().contains("is not loaded"));
            Ok::<_, BuildError>(())
        })
    })
    .unwrap()
    .unwrap();
    assert!(module.as_operation().verify(), "{}", module.as_operation());
}

#[test]
fn a_dialect_that_is_not_loaded_makes_no_ops() {
    let context = context();
    let mut module = parse(&context, "func.func @f() { return }").unwrap();
    edit_module(&mut module, |root| {
        with_builder(root, |b| {
            let body = root.region(0).unwrap().blocks()[0];
            b.set_to_start(body);
            let error = YieldOp::build(b, &[]).try_insert().map(drop).unwrap_err();
            let message = "cannot create op 'tile.yield': its dialect is not loaded";
            assert_eq!(error.to_string(), message);
        });
    })
    .unwrap();
}

const fn info(name: &'static str, operands: &'static [Group]) -> OpInfo {
    OpInfo {
        name,
        operands: Groups::new(operands),
        results: Groups::new(&[]),
        required: &[],
    }
}

macro_rules! op {
    ($name:literal $(. $method:ident ( $($argument:tt)* ))*) => {{
        static INFO: OpInfo = info($name, &[]);
        static OP: OpDeclaration = OpDeclaration::new(&INFO, "") $(. $method($($argument)*))*;
        &OP
    }};
}

#[test]
fn wrong_declarations_are_one_message() {
    drop(context());
    fn fails(declaration: DialectDeclaration, message: &str) {
        let name = declaration.name;
        let error = register(Box::leak(Box::new(declaration))).unwrap_err();
        assert_eq!(error.to_string(), format!("dialect '{name}': {message}"));
    }
    let dialect = |name| DialectDeclaration::new(name, "");
    let taken = "there is a dialect of this name already";
    for name in ["tile", "arith", "builtin", "stablehlo", "halo"] {
        fails(dialect(name), taken);
    }
    fails(dialect("a b"), "'a b' is not the name of a dialect");
    fails(dialect(""), "'' is not the name of a dialect");
    fails(dialect("a.b"), "'a.b' is not the name of a dialect");
    fails(
        dialect("w").dependent_dialects(&["nothing"]),
        "depends on dialect 'nothing', which does not exist",
    );
    let ops = |ops: Vec<&'static OpDeclaration>| dialect("w").ops(Vec::leak(ops));
    fails(
        ops(vec![op!("v.a")]),
        "op 'v.a' does not have the prefix 'w.'",
    );
    fails(
        ops(vec![op!("w.a b")]),
        "op 'w.a b' has a name that is not an identifier",
    );
    fails(
        ops(vec![op!("w.a"), op!("w.a")]),
        "op 'w.a' is declared twice",
    );
    fails(
        ops(vec![op!("w.a").regions_twice()]),
        "op 'w.a' has two parts 'r'",
    );
    fails(
        ops(vec![op!("w.a".traits(&[OpTrait::Pure, OpTrait::Writes]))]),
        "op 'w.a' is pure, but has effects",
    );
    fails(
        ops(vec![op!("w.a".traits(&[OpTrait::Symbol]))]),
        "op 'w.a' is a symbol without a required attribute 'sym_name'",
    );
    fails(
        ops(vec![op!("w.a".traits(&[OpTrait::ConstantLike]))]),
        "op 'w.a' is like a constant, but has operands, a folder, or not just one result and a \
         required attribute 'value'",
    );
    fails(
        ops(vec![op!(
            "w.a".traits(&[OpTrait::NoMemoryEffect, OpTrait::Reads])
        )]),
        "op 'w.a' is pure, but has effects",
    );
    fails(
        ops(vec![op!("w.a".traits(&[OpTrait::Idempotent]))]),
        "op 'w.a' is idempotent or an involution, but does not map one type to itself",
    );
    fails(
        ops(vec![op!("w.a".implicit_terminator("w.b"))]),
        "op 'w.a' ends its regions with 'w.b', which must be a terminator of this dialect that \
         takes nothing, and the regions must have single blocks",
    );
    fails(
        ops(vec![op!("w.a".all_types_match(&[&["x", "y"]]))]),
        "op 'w.a' has no operand or result 'x' to have the type of others",
    );
    fails(
        ops(vec![op!("w.a")]).constant(ConstantOp::DECLARATION),
        "op 'tile.constant' cannot make the constants of this dialect",
    );

    for (format, message) in [
        ("", "has 0 'attr-dict', but needs one"),
        ("`a attr-dict", "at 0: '`' is not closed"),
        (
            "`a b` attr-dict",
            "at 0: 'a b' is neither a keyword nor punctuation",
        ),
        (
            "attr-dict $w",
            "at 10: there is no operand, attribute, region or successor 'w'",
        ),
        ("attr-dict frob", "at 10: unknown word 'frob'"),
        ("attr-dict %", "at 10: unexpected '%'"),
        ("attr-dict attr-dict", "has 2 'attr-dict', but needs one"),
        ("attr-dict", "does not have operand 'x'"),
        ("$y attr-dict", "does not tell the type of operand 'y'"),
        ("$y $y attr-dict `:` type($y)", "has operand 'y' 2 times"),
        (
            "$y attr-dict `:` type($z)",
            "at 22: there is no operand or result 'z'",
        ),
        ("$y attr-dict `:` type $y", "at 22: expected '('"),
        (
            "$y (`a`)? attr-dict",
            "at 8: an optional group needs an anchor: an element with '^'",
        ),
        (
            "$y (`a`^)? attr-dict",
            "at 11: the anchor must be something that the op may lack",
        ),
        ("$y (`a`^ attr-dict", "at 18: unexpected end"),
        ("((`a`)?)?", "at 1: optional groups cannot be nested"),
        ("attr-dict )", "at 10: unexpected ')'"),
        (
            "$y attr-dict `:` functional-type($y)",
            "at 35: expected ','",
        ),
    ] {
        static Y: OpInfo = info(
            "w.a",
            &[Group {
                name: "y",
                arity: Arity::One,
            }],
        );
        static X: OpInfo = info(
            "w.a",
            &[Group {
                name: "x",
                arity: Arity::One,
            }],
        );
        let info = if format.contains("$y") { &Y } else { &X };
        static CONSTRAINTS: &[TypeConstraint] = &[TypeConstraint::Any];
        let op = OpDeclaration::new(info, "").operands(CONSTRAINTS).assembly(format);
        let op: &'static OpDeclaration = Box::leak(Box::new(op));
        fails(
            ops(vec![op]),
            &format!("op 'w.a' has a wrong assembly format: {message}"),
        );
    }

    let types = |one: TypeDeclaration| {
        let one: &'static TypeDeclaration = Box::leak(Box::new(one));
        dialect("w").types(Vec::leak(vec![one]))
    };
    static PARAMETERS: &[Parameter] = &[Parameter::new("a", ParameterKind::Type)];
    for (format, message) in [
        ("$a", "must begin with '<' and end with '>'"),
        ("`<` `>`", "has parameter 'a' 0 times, but needs it once"),
        ("`<` $b `>`", "at 4: there is no parameter 'b'"),
    ] {
        let one = TypeDeclaration::new("w.t", "").parameters(PARAMETERS).assembly(format);
        fails(
            types(one),
            &format!("type 'w.t' has a wrong assembly format: {message}"),
        );
    }
    fails(
        types(TypeDeclaration::new("t", "")),
        "type 't' does not have the prefix 'w.'",
    );
    // None of these was registered.
    assert!(declaration_of("w.a").is_none());
    register(Box::leak(Box::new(
        dialect("w").ops(Vec::leak(vec![op!("w.a")])),
    )))
    .unwrap();
    assert!(declaration_of("w.a").is_some());
}

/// A declaration that cannot be `const`.
trait Twice {
    fn regions_twice(&self) -> &'static OpDeclaration;
}

impl Twice for OpDeclaration {
    fn regions_twice(&self) -> &'static OpDeclaration {
        static REGIONS: [OpRegion; 2] = [OpRegion {
            name: "r",
            arity: Arity::One,
            blocks: BlockCount::Any,
        }; 2];
        Box::leak(Box::new(self.regions(&REGIONS)))
    }
}
