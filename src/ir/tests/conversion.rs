//! Dialect conversion: legality, blocks, types that become several, materializations, and
//! lowerings that are wrong.

use halo_ir::{
    conversion::{Conversion, Legality, Lowered, OpConversion},
    declare_op,
    diagnostics::{parse_module, with_diagnostics},
    dialect::{DialectDeclaration, OpTrait, Parameter, ParameterKind, TypeDeclaration, register},
    ops::{cf, codec},
    pass::{PipelineError, register_pass, run_pipeline},
    prelude::*,
    upstream,
};
use melior::{Context, dialect::DialectRegistry, ir::attribute::TypeAttribute};
use std::sync::Once;

pub static PAIR_TYPE: TypeDeclaration =
    TypeDeclaration::new("pair.pair", "Two values").parameters(&[
        Parameter::new("first", ParameterKind::Type),
        Parameter::new("second", ParameterKind::Type),
    ]);

pub static EMPTY_TYPE: TypeDeclaration = TypeDeclaration::new("pair.empty", "No value");

declare_op! {
    /// Makes a pair.
    pub struct MakeOp = "pair.make" {
        operands { first: One(Any), second: One(Any) }
        results { pair: One(Of(&PAIR_TYPE)) }
    }
    .traits(&[OpTrait::Pure])
    .assembly("$first `,` $second attr-dict `:` functional-type(operands, $pair)")
}

declare_op! {
    /// Swaps the components of a pair.
    pub struct SwapOp = "pair.swap" {
        operands { pair: One(Of(&PAIR_TYPE)) }
        results { swapped: One(Of(&PAIR_TYPE)) }
    }
    .traits(&[OpTrait::Pure])
    .assembly("$pair attr-dict `:` functional-type($pair, $swapped)")
}

declare_op! {
    /// The first component of a pair.
    pub struct FirstOp = "pair.first" {
        operands { pair: One(Of(&PAIR_TYPE)) }
        results { first: One(Any) }
        attributes { keep: Optional(codec::Unit) }
    }
    .traits(&[OpTrait::Pure])
    .assembly("(`keep` $keep^)? $pair attr-dict `:` functional-type($pair, $first)")
}

declare_op! {
    /// Makes a value without contents.
    pub struct NothingOp = "pair.nothing" { results { nothing: One(Of(&EMPTY_TYPE)) } }
    .traits(&[OpTrait::Pure])
    .assembly("attr-dict `:` type($nothing)")
}

declare_op! {
    /// Chooses between two numbers by a loop of blocks.
    pub struct ChooseOp = "pair.choose" {
        operands { condition: One(Integer(1)), yes: One(Any), no: One(Any) }
        results { chosen: One(Any) }
    }
    .traits(&[OpTrait::Pure])
    .assembly("$condition `,` $yes `,` $no attr-dict `:` functional-type(operands, $chosen)")
}

declare_op! {
    /// Jumps, if a number is not zero.
    pub struct JumpOp = "pair.jump" {
        operands { condition: One(Integer(1)) }
        successors { on_true: One, on_false: One }
    }
    .traits(&[OpTrait::Terminator])
    .assembly("$condition `,` $on_true `,` $on_false attr-dict")
}

declare_op! {
    /// Runs its body.
    pub struct RunOp = "pair.run" {
        operands { input: One(Any) }
        results { output: One(Any) }
        regions { body: One }
    }
    .assembly("$input $body attr-dict `:` functional-type($input, $output)")
}

declare_op! {
    /// Ends a body.
    pub struct YieldOp = "pair.yield" { operands { value: One(Any) } }
    .traits(&[OpTrait::Terminator, OpTrait::Pure])
    .assembly("$value attr-dict `:` type($value)")
}

static PAIR: DialectDeclaration = DialectDeclaration::new("pair", "Pairs of values")
    .ops(&[
        MakeOp::DECLARATION,
        SwapOp::DECLARATION,
        FirstOp::DECLARATION,
        NothingOp::DECLARATION,
        ChooseOp::DECLARATION,
        JumpOp::DECLARATION,
        RunOp::DECLARATION,
        YieldOp::DECLARATION,
    ])
    .types(&[&PAIR_TYPE, &EMPTY_TYPE]);

/// A pair becomes its two components, `pair.empty` nothing, other types stay.
fn split() -> Conversion {
    Conversion::new()
        .one_to_many_types(|_, ty| {
            if EMPTY_TYPE.parameters_of(ty).is_some() {
                return Some(Vec::new());
            }
            let parts = PAIR_TYPE.parameters_of(ty)?.into_iter();
            parts.map(|part| Some(part.cast::<TypeAttribute>()?.value())).collect()
        })
        .lowering::<MakeOp>(0, |op, _| Ok(op.operands))
        .lowering::<NothingOp>(0, |_, _| Ok(Vec::new()))
        .lowering::<SwapOp>(0, |op, _| Ok(op.parts(0)?.iter().rev().copied().collect()))
        .lowering::<FirstOp>(0, |op, first| match first.keep() {
            None => Ok(op.parts(0)?[..1].to_vec()),
            Some(_) => Err(no_match("it is kept")),
        })
        .lowering::<ChooseOp>(0, |op, _| choose(&op))
        .lowering::<JumpOp>(0, |op, _| {
            let (b, to) = (&op.builder, &op.successors);
            cf::cond_br(b, op.operand(0)?, &[], &[], to[0], to[1]);
            Ok(Vec::new())
        })
        .lowering::<RunOp>(1, |op, _| match op.results.len() {
            1 => {
                let body = op.convert_region(0)?;
                let run = RunOp::build(&op.builder, op.operand(0)?, body);
                let run = run.result_types(&op.results);
                let seen = unit_attribute(op.builder.context());
                Ok(vec![run.attribute("seen", seen).value()])
            }
            _ => Err(no_match("its result is a pair")),
        })
}

/// Branches to a block for each value, and continues after them.
fn choose<'c>(op: &OpConversion<'_, 'c>) -> Lowered<'c> {
    let b = &op.builder;
    let start = b.block().ok_or_else(|| no_match("there is no block"))?;
    let add = || start.append_sibling().ok_or_else(|| no_match("there is no region"));
    let (yes, no, end) = (add()?, add()?, add()?);
    let chosen = end.add_argument(op.result()?, b.location());
    cf::cond_br(b, op.operand(0)?, &[], &[], yes, no);
    for (block, number) in [(yes, 1), (no, 2)] {
        b.set_to_end(block);
        cf::br(b, &[op.operand(number)?], end);
    }
    b.set_to_end(end);
    Ok(vec![chosen])
}

/// Casts between a pair and its components.
fn from_parts<'c>(
    b: &Builder<'c>,
    ty: Type<'c>,
    parts: &[Value<'c>],
) -> Result<Value<'c>, RewriteError> {
    let spec = b.op("builtin.unrealized_conversion_cast").operands(parts);
    Ok(spec.result(ty).value())
}

fn to_parts<'c>(b: &Builder<'c>, value: Value<'c>, types: &[Type<'c>]) -> Lowered<'c> {
    let spec = b.op("builtin.unrealized_conversion_cast").operands(&[value]);
    Ok(spec.results(types).insert().results())
}

fn materializing() -> Conversion {
    split().source_materialization(from_parts).target_materialization(to_parts)
}

const fn pass(
    name: &'static str,
    run: fn(&mut PassInvocation) -> Result<(), PassFailure>,
) -> PassDeclaration {
    PassDeclaration::new(name, "A pass of this test", run)
        .on::<builtin::ModuleOp>()
        .dependent_dialects(&["arith", "cf", "func", "pair"])
}

/// A conversion of additions by an incorrect lowering.
fn adding(lower: impl for<'a, 'c> Fn(OpConversion<'a, 'c>) -> Lowered<'c> + 'static) -> Conversion {
    Conversion::new().illegal::<arith::AddIOp>().lowering_of("arith.addi", 0, lower)
}

static PASSES: &[PassDeclaration] = &[
    pass("test-split", |pass| split().apply_partial(pass)),
    pass("test-split-all", |pass| {
        split().illegal_dialect("pair").apply_partial(pass)
    }),
    pass("test-split-fully", |pass| {
        let legal = split().legal_dialect("cf").legal_dialect("func");
        legal.legal::<arith::ConstantOp>().apply_full(pass)
    }),
    pass("test-materialize", |pass| {
        materializing().apply_partial(pass)
    }),
    pass("test-materialize-source", |pass| {
        split().source_materialization(from_parts).apply_partial(pass)
    }),
    pass("test-materialize-wrongly", |pass| {
        split()
            .source_materialization(|b, _, _| Ok(arith::constant(b, Type::index(b.context()), 0)))
            .apply_partial(pass)
    }),
    pass("test-dynamic", |pass| {
        Conversion::new()
            .dynamically_legal::<arith::ConstantOp>(|op| op.value().integer_value() != Some(7))
            .legality("test", Legality::Illegal)
            .legality("test.b", Legality::dynamic(|op| op.has_attribute("ok")))
            .lowering::<arith::ConstantOp>(0, |op, _| {
                Ok(vec![arith::constant(&op.builder, op.result()?, 8)])
            })
            .apply_partial(pass)
    }),
    pass("test-returns-too-few", |pass| {
        adding(|_| Ok(Vec::new())).apply_partial(pass)
    }),
    pass("test-returns-other-types", |pass| {
        adding(|op| {
            Ok(vec![arith::constant(
                &op.builder,
                Type::index(op.builder.context()),
                0,
            )])
        })
        .apply_partial(pass)
    }),
    pass("test-panics", |pass| {
        adding(|_| panic!("no such luck")).apply_partial(pass)
    }),
    pass("test-returns-the-old-value", |pass| {
        adding(|op| Ok(op.op.results())).apply_partial(pass)
    }),
    pass("test-makes-itself", |pass| {
        adding(|op| {
            Ok(vec![arith::addi(
                &op.builder,
                op.operand(0)?,
                op.operand(1)?,
            )])
        })
        .apply_partial(pass)
    }),
    pass("test-asks-for-too-much", |pass| {
        adding(|op| Ok(vec![op.operand(2)?])).apply_partial(pass)
    }),
    pass("test-erases", |pass| {
        adding(|op| {
            op.builder.erase(op.op);
            Ok(op.operands[..1].to_vec())
        })
        .apply_partial(pass)
    }),
    pass("test-maps-wrongly", |pass| {
        adding(|op| {
            op.map(&op.operands, &op.operands[..1])?;
            Ok(op.operands[..1].to_vec())
        })
        .apply_partial(pass)
    }),
    pass("test-leaves-the-block", |pass| {
        adding(|op| {
            // Ops created after this point belong to the converted region, and are erased with it.
            op.builder.set_before(op.op);
            Ok(op.operands[..1].to_vec())
        })
        .apply_partial(pass)
    }),
    pass("test-types-of-another-context", |pass| {
        Conversion::new()
            .types(|_, _| {
                let other: &'static Context = Box::leak(Box::new(Context::new()));
                Type::index(other)
            })
            .apply_partial(pass)
    }),
    pass("test-on-a-function", |pass| {
        Conversion::new().apply_partial(pass)
    })
    .on::<func::FuncOp>(),
];

fn context() -> Context {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        register(&PAIR).unwrap();
        for declaration in PASSES {
            register_pass(declaration).unwrap();
        }
    });
    let registry = DialectRegistry::new();
    upstream::register_dialects(&registry);
    let context = Context::new_with_registry(&registry, false);
    context.set_allow_unregistered_dialects(true);
    context
}

/// The functions of a program after a pass, without indentation.
fn converted(pass: &str, program: &str) -> String {
    let context = context();
    let mut module = parse_module(&context, program.as_bytes(), "c.mlir").unwrap();
    let (result, errors) = with_diagnostics(&context, || run_pipeline(&mut module, pass));
    assert_eq!((result, errors), (Ok(()), Vec::new()));
    let text = module.as_operation().to_string();
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines[1..lines.len() - 1].join("\n")
}

/// The only message of a pass that fails.
fn error(pass: &str, program: &str) -> String {
    let context = context();
    let mut module = parse_module(&context, program.as_bytes(), "c.mlir").unwrap();
    let (result, errors) = with_diagnostics(&context, || run_pipeline(&mut module, pass));
    let is_failed = matches!(result, Err(PipelineError::PassFailed(_)));
    assert!(is_failed, "{pass}: {result:?}\n{}", module.as_operation());
    let [error] = &errors[..] else {
        panic!("{pass}: {errors:#?}");
    };
    error.to_string()
}

#[test]
fn blocks_are_converted_with_their_arguments_and_branches() {
    // The third block precedes the second, whose values it uses; the last is unreachable.
    let text = converted(
        "test-split-all",
        "func.func @f(%a: i32 {test.a}, %p: !pair.pair<i32, f32> {test.p}, %e: !pair.empty, %c: i1)
             -> (!pair.pair<f32, i32>, i1) attributes {test.f} {
           cf.br ^second(%p, %e : !pair.pair<i32, f32>, !pair.empty)
         ^third:
           pair.jump %c, ^second_again, ^end
         ^second(%q: !pair.pair<i32, f32>, %g: !pair.empty):
           %r = pair.swap %q : (!pair.pair<i32, f32>) -> !pair.pair<f32, i32>
           cf.switch %a : i32, [
             default: ^second(%p, %g : !pair.pair<i32, f32>, !pair.empty),
             1: ^join(%r, %c : !pair.pair<f32, i32>, i1),
             2: ^third
           ]
         ^second_again:
           cf.cond_br %c, ^second(%q, %e : !pair.pair<i32, f32>, !pair.empty), ^end
         ^join(%s: !pair.pair<f32, i32>, %d: i1):
           return %s, %d : !pair.pair<f32, i32>, i1
         ^end:
           return %r, %c : !pair.pair<f32, i32>, i1
         ^unreachable:
           %u = pair.make %a, %a : (i32, i32) -> !pair.pair<i32, i32>
           cf.br ^end
         }",
    );
    assert_eq!(
        text,
        "func.func @f(%arg0: i32 {test.a}, %arg1: i32 {test.p}, %arg2: f32, %arg3: i1) -> (f32, i32, i1) attributes {test.f} {
cf.br ^bb2(%arg1, %arg2 : i32, f32)
^bb1:  // pred: ^bb2
cf.cond_br %arg3, ^bb3, ^bb5
^bb2(%0: i32, %1: f32):  // 3 preds: ^bb0, ^bb2, ^bb3
cf.switch %arg0 : i32, [
default: ^bb2(%arg1, %arg2 : i32, f32),
1: ^bb4(%1, %0, %arg3 : f32, i32, i1),
2: ^bb1
]
^bb3:  // pred: ^bb1
cf.cond_br %arg3, ^bb2(%0, %1 : i32, f32), ^bb5
^bb4(%2: f32, %3: i32, %4: i1):  // pred: ^bb2
return %2, %3, %4 : f32, i32, i1
^bb5:  // 2 preds: ^bb1, ^bb3
return %1, %0, %arg3 : f32, i32, i1
}"
    );
}

#[test]
fn calls_and_structured_control_flow_pass_the_parts_on() {
    let text = converted(
        "test-split-all",
        "func.func private @g(!pair.pair<i32, f32> {test.x}) -> (!pair.empty, !pair.pair<i32, f32> {test.y})
         func.func @f(%c: i1, %p: !pair.pair<i32, f32>) -> i32 {
           %0:2 = call @g(%p) : (!pair.pair<i32, f32>) -> (!pair.empty, !pair.pair<i32, f32>)
           %1 = scf.if %c -> !pair.pair<i32, f32> {
             scf.yield %0#1 : !pair.pair<i32, f32>
           } else {
             %2 = pair.swap %p : (!pair.pair<i32, f32>) -> !pair.pair<f32, i32>
             %3 = pair.swap %2 : (!pair.pair<f32, i32>) -> !pair.pair<i32, f32>
             scf.yield %3 : !pair.pair<i32, f32>
           }
           %4 = pair.first %1 : (!pair.pair<i32, f32>) -> i32
           %5 = arith.addi %4, %4 : i32
           return %5 : i32
         }",
    );
    assert_eq!(
        text,
        "func.func private @g(i32 {test.x}, f32) -> (i32 {test.y}, f32)
func.func @f(%arg0: i1, %arg1: i32, %arg2: f32) -> i32 {
%0:2 = call @g(%arg1, %arg2) : (i32, f32) -> (i32, f32)
%1:2 = scf.if %arg0 -> (i32, f32) {
scf.yield %0#0, %0#1 : i32, f32
} else {
scf.yield %arg1, %arg2 : i32, f32
}
%2 = arith.addi %1#0, %1#0 : i32
return %2 : i32
}"
    );
}

#[test]
fn a_lowering_may_leave_the_block() {
    let text = converted(
        "test-split-all",
        "func.func @f(%c: i1, %x: i32, %y: i32) -> i32 {
           %0 = pair.choose %c, %x, %y : (i1, i32, i32) -> i32
           %1 = pair.choose %c, %0, %y : (i1, i32, i32) -> i32
           return %1 : i32
         }",
    );
    assert_eq!(
        text,
        "func.func @f(%arg0: i1, %arg1: i32, %arg2: i32) -> i32 {
cf.cond_br %arg0, ^bb1, ^bb2
^bb1:  // pred: ^bb0
cf.br ^bb3(%arg1 : i32)
^bb2:  // pred: ^bb0
cf.br ^bb3(%arg2 : i32)
^bb3(%0: i32):  // 2 preds: ^bb1, ^bb2
cf.cond_br %arg0, ^bb4, ^bb5
^bb4:  // pred: ^bb3
cf.br ^bb6(%0 : i32)
^bb5:  // pred: ^bb3
cf.br ^bb6(%arg2 : i32)
^bb6(%1: i32):  // 2 preds: ^bb4, ^bb5
return %1 : i32
}"
    );
}

const MIXED: &str = "func.func @f(%a: i32, %f: f32) -> (i32, i32) {
  %0 = pair.make %a, %f : (i32, f32) -> !pair.pair<i32, f32>
  %1 = \"test.use\"(%0, %a) : (!pair.pair<i32, f32>, i32) -> !pair.pair<f32, i32>
  %2 = pair.swap %1 : (!pair.pair<f32, i32>) -> !pair.pair<i32, f32>
  %3 = pair.first %2 : (!pair.pair<i32, f32>) -> i32
  \"test.use\"(%1) : (!pair.pair<f32, i32>) -> ()
  %4 = pair.first keep %2 : (!pair.pair<i32, f32>) -> i32
  %5 = pair.run %0 {
  ^bb0(%x: !pair.pair<i32, f32>):
    %6 = pair.first %x : (!pair.pair<i32, f32>) -> i32
    %7 = pair.make %6, %f : (i32, f32) -> !pair.pair<i32, f32>
    pair.yield %7 : !pair.pair<i32, f32>
  } : (!pair.pair<i32, f32>) -> !pair.pair<i32, f32>
  %8 = pair.run %a {
  ^bb0(%x: i32):
    pair.yield %x : i32
  } : (i32) -> i32
  return %3, %4 : i32, i32
}";

#[test]
fn values_are_materialized_for_ops_that_stay() {
    assert_eq!(
        converted("test-materialize", MIXED),
        "func.func @f(%arg0: i32, %arg1: f32) -> (i32, i32) {
%0 = builtin.unrealized_conversion_cast %arg0, %arg1 : i32, f32 to !pair.pair<i32, f32>
%1 = \"test.use\"(%0, %arg0) : (!pair.pair<i32, f32>, i32) -> !pair.pair<f32, i32>
%2:2 = builtin.unrealized_conversion_cast %1 : !pair.pair<f32, i32> to f32, i32
\"test.use\"(%1) : (!pair.pair<f32, i32>) -> ()
%3 = builtin.unrealized_conversion_cast %2#1, %2#0 : i32, f32 to !pair.pair<i32, f32>
%4 = pair.first keep %3 : (!pair.pair<i32, f32>) -> i32
%5 = builtin.unrealized_conversion_cast %arg0, %arg1 : i32, f32 to !pair.pair<i32, f32>
%6 = pair.run %5 {
^bb0(%arg2: !pair.pair<i32, f32>):
%8:2 = builtin.unrealized_conversion_cast %arg2 : !pair.pair<i32, f32> to i32, f32
%9 = builtin.unrealized_conversion_cast %8#0, %arg1 : i32, f32 to !pair.pair<i32, f32>
pair.yield %9 : !pair.pair<i32, f32>
} : (!pair.pair<i32, f32>) -> !pair.pair<i32, f32>
%7 = pair.run %arg0 {
^bb0(%arg2: i32):
pair.yield %arg2 : i32
} {seen} : (i32) -> i32
return %2#1, %4 : i32, i32
}"
    );
}

#[test]
fn a_value_that_cannot_be_materialized_is_an_error_at_the_op() {
    assert_eq!(
        error("test-split", MIXED),
        "c.mlir:3:8: error: 'test.use' stays, but its operand 0 of type !pair.pair<i32, f32> became 2 values, and the conversion has no source materialization"
    );
    let result = "func.func @f() {\n  %0 = \"test.use\"() : () -> !pair.empty\n  return\n}";
    assert_eq!(
        error("test-split", result),
        "c.mlir:2:8: error: 'test.use' stays, but its result 0 of type !pair.empty becomes 0 values, and the conversion has no target materialization"
    );
    assert_eq!(
        error("test-materialize-source", MIXED),
        "c.mlir:4:8: error: a value of type !pair.pair<f32, i32> is needed as (f32, i32), and the conversion has no target materialization"
    );
    assert_eq!(
        error("test-materialize-wrongly", MIXED),
        "c.mlir:3:8: error: 'test.use' stays, but internal error: the source materialization returned a value of type index for a result of type !pair.pair<i32, f32>"
    );
}

#[test]
fn partial_conversion_leaves_what_no_lowering_takes() {
    let program = "func.func @f(%p: i32) -> i32 {
       %0 = \"test.unknown\"() : () -> i32
       %1 = arith.addi %p, %0 : i32
       return %1 : i32
     }";
    let text = converted("test-split", program);
    assert!(
        text.contains("\"test.unknown\"()") && text.contains("arith.addi"),
        "{text}"
    );
    assert_eq!(
        error("test-split-fully", program),
        "c.mlir:2:13: error: 'test.unknown' is not declared legal, and there is no lowering for 'test.unknown'"
    );
    let kept = "func.func @f(%p: !pair.pair<i32, i32>) -> i32 {
       %1 = pair.first keep %p : (!pair.pair<i32, i32>) -> i32
       return %1 : i32
     }";
    assert_eq!(
        error("test-split-all", kept),
        "c.mlir:2:13: error: there is no lowering for 'pair.first': it is kept"
    );
    assert_eq!(
        error("test-split-fully", kept),
        "c.mlir:2:13: error: 'pair.first' is not declared legal, and there is no lowering for 'pair.first': it is kept"
    );
    let full = "func.func @f(%p: !pair.pair<i32, i32>) -> i32 {
       %1 = pair.first %p : (!pair.pair<i32, i32>) -> i32
       return %1 : i32
     }";
    let text = converted("test-split-fully", full);
    assert!(!text.contains("pair."), "{text}");
}

#[test]
fn ops_outside_of_functions_are_converted() {
    // A legal op may use the results of an illegal one.
    let text = converted(
        "test-split-all",
        "%0 = pair.nothing : !pair.empty
         %1 = \"test.number\"() : () -> i32
         %2 = pair.make %1, %1 : (i32, i32) -> !pair.pair<i32, i32>
         %3 = pair.first %2 : (!pair.pair<i32, i32>) -> i32
         \"test.use\"(%3) : (i32) -> ()
         module @inner {
           func.func private @f(!pair.pair<i32, i32>)
         }
         \"test.body\"() ({
           %4 = pair.nothing : !pair.empty
           \"test.end\"() : () -> ()
         }) : () -> ()",
    );
    assert_eq!(
        text,
        "%0 = \"test.number\"() : () -> i32
\"test.use\"(%0) : (i32) -> ()
module @inner {
func.func private @f(i32, i32)
}
\"test.body\"() ({
\"test.end\"() : () -> ()
}) : () -> ()"
    );
}

#[test]
fn legality_may_depend_on_the_op() {
    let text = converted(
        "test-dynamic",
        "func.func @f() -> (i32, i32) {
           %0 = arith.constant 7 : i32
           %1 = arith.constant 3 : i32
           \"test.b\"() {ok} : () -> ()
           return %0, %1 : i32, i32
         }",
    );
    assert_eq!(
        text,
        "func.func @f() -> (i32, i32) {
%c8_i32 = arith.constant 8 : i32
%c3_i32 = arith.constant 3 : i32
\"test.b\"() {ok} : () -> ()
return %c8_i32, %c3_i32 : i32, i32
}"
    );
    for op in ["test.a", "test.b"] {
        let program = format!("func.func @f() {{\n  \"{op}\"() : () -> ()\n  return\n}}");
        assert_eq!(
            error("test-dynamic", &program),
            format!("c.mlir:2:3: error: there is no lowering for '{op}'")
        );
    }
}

#[test]
fn lowerings_that_are_wrong_are_errors_at_the_op() {
    const PROGRAM: &str = "func.func @f(%a: i32, %c: i1) -> i32 {
  %0 = scf.if %c -> i32 {
    %1 = arith.addi %a, %a : i32
    %2 = arith.muli %1, %1 : i32
    scf.yield %2 : i32
  } else {
    scf.yield %a : i32
  }
  return %0 : i32
}";
    for (pass, message) in [
        (
            "test-returns-too-few",
            "c.mlir:3:10: error: internal error: a lowering of 'arith.addi' returned 0 values for 1 results",
        ),
        (
            "test-returns-other-types",
            "c.mlir:3:10: error: internal error: a lowering of 'arith.addi' returned a value of type index for a result of type i32",
        ),
        (
            "test-panics",
            "c.mlir:3:10: error: internal error in pass 'test-panics', in a lowering of 'arith.addi': no such luck",
        ),
        (
            "test-returns-the-old-value",
            "internal error in pass 'test-returns-the-old-value': the op uses a value or block that was erased",
        ),
        (
            "test-makes-itself",
            "c.mlir:3:10: error: 'arith.addi' is illegal behind the conversion, and a lowering made it",
        ),
        (
            "test-asks-for-too-much",
            "c.mlir:3:10: error: 'arith.addi' lacks operand 2",
        ),
        (
            "test-erases",
            "internal error in pass 'test-erases', in a lowering of 'arith.addi': cannot erase",
        ),
        (
            "test-maps-wrongly",
            "c.mlir:3:10: error: internal error: 1 values cannot stand for 2 values, which become 2",
        ),
        (
            "test-types-of-another-context",
            "internal error in pass 'test-types-of-another-context': a part is of another context",
        ),
        (
            "func.func(test-on-a-function)",
            "c.mlir:1:1: error: a conversion runs on what functions are in, not on a function",
        ),
    ] {
        let error = error(pass, PROGRAM);
        assert!(error.contains(message), "{pass}: {error}");
    }
    // The verifier detects misplaced ops.
    let context = context();
    let mut module = parse_module(&context, PROGRAM.as_bytes(), "c.mlir").unwrap();
    let pass = "test-leaves-the-block";
    let (result, errors) = with_diagnostics(&context, || run_pipeline(&mut module, pass));
    assert_eq!(result, Err(PipelineError::Invalid(pass.to_owned())));
    assert_eq!(errors.len(), 1, "{errors:#?}");
}
