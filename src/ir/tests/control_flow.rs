//! Calls, branches, regions and effects on values of ops that are declared in Rust, in upstream's
//! passes.

use halo_ir::{
    declare_op,
    diagnostics::{parse_module, with_diagnostics},
    dialect::{
        DialectDeclaration, MemoryEffect, OpDeclaration, OpTrait, RegionBranch,
        RegionSuccessor::{Parent, Region},
        register,
    },
    ops::codec,
    pass::run_pipeline,
    upstream,
};
use melior::{Context, dialect::DialectRegistry};
use std::sync::Once;

declare_op! {
    /// Calls a function.
    pub struct CallOp = "flow.call" {
        operands { arguments: Variadic(Any) }
        results { results: Variadic(Any) }
        attributes { callee: Required(codec::Symbol) }
    }
    .call("callee", "arguments")
    .assembly("$callee `(` $arguments `)` attr-dict `:` functional-type($arguments, results)")
}

declare_op! {
    /// Calls a function that is not inlined, on the operands after the first.
    pub struct SpawnOp = "flow.spawn" {
        operands { priority: One(Index), arguments: Variadic(Any) }
        attributes { function: Required(codec::Symbol) }
    }
    .traits(&[OpTrait::NoInline])
    .call("function", "arguments")
    .assembly("$function `at` $priority `(` $arguments `)` attr-dict `:` type($arguments)")
}

declare_op! {
    /// Returns from a function or a region.
    pub struct ReturnOp = "flow.return" { operands { values: Variadic(Any) } }
    .traits(&[OpTrait::Terminator, OpTrait::ReturnLike, OpTrait::Pure])
    .assembly("($values^ `:` type($values))? attr-dict")
}

declare_op! {
    /// Branches.
    pub struct BrOp = "flow.br" {
        operands { arguments: Variadic(Any) }
        successors { dest: One }
    }
    .traits(&[OpTrait::Terminator, OpTrait::Pure])
    .branch(&["arguments"])
    .assembly("$dest (`(` $arguments^ `:` type($arguments) `)`)? attr-dict")
}

declare_op! {
    /// Branches to one of two blocks.
    pub struct CondBrOp = "flow.cond_br" {
        operands { condition: One(Integer(1)), yes_arguments: Variadic(Any), no_arguments: Variadic(Any) }
        successors { yes: One, no: One }
    }
    .traits(&[OpTrait::Terminator, OpTrait::Pure])
    .branch(&["yes_arguments", "no_arguments"])
    .assembly(
        "$condition `,` $yes (`(` $yes_arguments^ `:` type($yes_arguments) `)`)? `,` $no \
         (`(` $no_arguments^ `:` type($no_arguments) `)`)? attr-dict",
    )
}

declare_op! {
    /// Runs one of two regions.
    pub struct IfOp = "flow.if" {
        operands { condition: One(Integer(1)) }
        results { results: Variadic(Any) }
        regions { yes: One, no: One }
    }
    .traits(&[OpTrait::SingleBlock, OpTrait::RecursiveEffects])
    .region_branch(RegionBranch {
        entry: &[Region("yes"), Region("no")],
        exits: &[&[Parent], &[Parent]],
        inputs: None,
        produced_arguments: 0,
    })
    .assembly("$condition (`->` type($results)^)? $yes `else` $no attr-dict")
}

declare_op! {
    /// Runs its body a number of times, with the iteration number as argument.
    pub struct LoopOp = "flow.loop" {
        operands { count: One(Index), inits: Variadic(Any) }
        results { results: Variadic(Any) }
        regions { body: One }
    }
    .traits(&[OpTrait::SingleBlock, OpTrait::RecursiveEffects])
    .region_branch(RegionBranch {
        entry: &[Region("body"), Parent],
        exits: &[&[Region("body"), Parent]],
        inputs: Some("inits"),
        produced_arguments: 1,
    })
    .assembly("$count (`with` $inits^ `:` type($inits))? (`->` type($results)^)? $body attr-dict")
}

declare_op! {
    /// Allocates a buffer.
    pub struct AllocOp = "flow.alloc" { results { buffer: One(MemRef) } }
    .effects(&[("buffer", MemoryEffect::Allocates)])
    .assembly("attr-dict `:` type($buffer)")
}

declare_op! {
    /// Reads the first element of a buffer.
    pub struct LoadOp = "flow.load" {
        operands { buffer: One(MemRef) }
        results { value: One(F32) }
    }
    .effects(&[("buffer", MemoryEffect::Reads)])
    .assembly("$buffer attr-dict `:` type($buffer)")
}

declare_op! {
    /// Writes the first element of a buffer.
    pub struct StoreOp = "flow.store" {
        operands { value: One(F32), buffer: One(MemRef) }
    }
    .effects(&[("buffer", MemoryEffect::Writes)])
    .assembly("$value `,` $buffer attr-dict `:` type($buffer)")
}

declare_op! {
    /// Frees a buffer.
    pub struct FreeOp = "flow.free" { operands { buffer: One(MemRef) } }
    .effects(&[("buffer", MemoryEffect::Frees)])
    .assembly("$buffer attr-dict `:` type($buffer)")
}

static FLOW: DialectDeclaration = DialectDeclaration::new("flow", "Control flow").ops(&[
    CallOp::DECLARATION,
    SpawnOp::DECLARATION,
    ReturnOp::DECLARATION,
    BrOp::DECLARATION,
    CondBrOp::DECLARATION,
    IfOp::DECLARATION,
    LoopOp::DECLARATION,
    AllocOp::DECLARATION,
    LoadOp::DECLARATION,
    StoreOp::DECLARATION,
    FreeOp::DECLARATION,
]);

fn context() -> Context {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        upstream::register_passes();
        register(&FLOW).unwrap();
    });
    let registry = DialectRegistry::new();
    upstream::register_dialects(&registry);
    let context = Context::new_with_registry(&registry, false);
    context.set_allow_unregistered_dialects(true);
    context
}

/// A program after a pipeline, without indentation and comments.
fn after(pipeline: &str, program: &str) -> String {
    let context = context();
    let mut module = parse_module(&context, program.as_bytes(), "f.mlir").unwrap();
    let (result, errors) = with_diagnostics(&context, || run_pipeline(&mut module, pipeline));
    assert_eq!((result, errors), (Ok(()), Vec::new()));
    let text = module.as_operation().to_string();
    let lines: Vec<&str> = text
        .lines()
        .map(|line| line.split("  //").next().unwrap_or_default().trim())
        .collect();
    lines[1..lines.len() - 1].join("\n")
}

#[test]
fn calls_are_inlined_into_blocks() {
    let program = "func.func private @g(%c: i1, %x: i32) -> i32 {
           flow.cond_br %c, ^bb1(%x : i32), ^bb2
         ^bb1(%y: i32):
           flow.return %y : i32
         ^bb2:
           %0 = arith.addi %x, %x : i32
           flow.br ^bb1(%0 : i32)
         }
         func.func private @h(%x: i32) -> i32 {
           %0 = arith.muli %x, %x : i32
           flow.return %0 : i32
         }
         func.func private @effect(%x: i32) {
           \"test.effect\"(%x) : (i32) -> ()
           return
         }
         func.func @f(%c: i1, %x: i32, %i: index) -> i32 {
           %0 = flow.call @g(%c, %x) : (i1, i32) -> i32
           %1 = flow.call @h(%0) : (i32) -> i32
           flow.spawn @effect at %i(%1) : i32
           return %1 : i32
         }";
    assert_eq!(
        after("inline", program),
        "func.func private @effect(%arg0: i32) {
\"test.effect\"(%arg0) : (i32) -> ()
return
}
func.func @f(%arg0: i1, %arg1: i32, %arg2: index) -> i32 {
flow.cond_br %arg0, ^bb1(%arg1 : i32), ^bb2
^bb1(%0: i32):
%1 = arith.muli %0, %0 : i32
flow.spawn @effect at %arg2(%1) : i32
return %1 : i32
^bb2:
%2 = arith.addi %arg1, %arg1 : i32
flow.br ^bb1(%2 : i32)
}"
    );
}

#[test]
fn constants_go_along_branches_and_through_regions() {
    let program = "func.func @f(%c: i1, %n: index) -> (i32, i32, i32, i32) {
           %0 = arith.constant 7 : i32
           flow.cond_br %c, ^bb1(%0, %n : i32, index), ^bb2
         ^bb1(%x: i32, %unused: index):
           %1 = flow.if %c -> i32 {
             flow.return %x : i32
           } else {
             flow.return %0 : i32
           }
           %2:2 = flow.loop %n with %x, %x : i32, i32 -> i32, i32 {
           ^bb0(%i: index, %a: i32, %b: i32):
             %sum = arith.addi %a, %b : i32
             flow.return %x, %sum : i32, i32
           }
           return %x, %1, %2#0, %2#1 : i32, i32, i32, i32
         ^bb2:
           flow.br ^bb1(%0, %n : i32, index)
         }";
    // The sum changes in the loop.
    assert_eq!(
        after("sccp,canonicalize", program),
        "func.func @f(%arg0: i1, %arg1: index) -> (i32, i32, i32, i32) {
%c7_i32 = arith.constant 7 : i32
flow.cond_br %arg0, ^bb1, ^bb2
^bb1:
%0:2 = flow.loop %arg1 with %c7_i32, %c7_i32 : i32, i32 -> i32, i32 {
^bb0(%arg2: index, %arg3: i32, %arg4: i32):
%1 = arith.addi %arg4, %c7_i32 : i32
flow.return %c7_i32, %1 : i32, i32
}
return %c7_i32, %c7_i32, %c7_i32, %0#1 : i32, i32, i32, i32
^bb2:
flow.br ^bb1
}"
    );
}

#[test]
fn effects_are_those_on_values() {
    let program = "func.func @f(%m: memref<4xf32>, %x: f32) -> (f32, f32, f32) {
           %unused = flow.alloc : memref<2xf32>
           %0 = flow.load %m : memref<4xf32>
           %1 = flow.load %m : memref<4xf32>
           flow.store %x, %m : memref<4xf32>
           %2 = flow.load %m : memref<4xf32>
           %3 = flow.load %m : memref<4xf32>
           %kept = flow.alloc : memref<2xf32>
           flow.free %kept : memref<2xf32>
           return %0, %1, %2 : f32, f32, f32
         }";
    assert_eq!(
        after("cse,canonicalize", program),
        "func.func @f(%arg0: memref<4xf32>, %arg1: f32) -> (f32, f32, f32) {
%0 = flow.load %arg0 : memref<4xf32>
flow.store %arg1, %arg0 : memref<4xf32>
%1 = flow.load %arg0 : memref<4xf32>
%2 = flow.alloc : memref<2xf32>
flow.free %2 : memref<2xf32>
return %0, %0, %1 : f32, f32, f32
}"
    );
}

#[test]
fn wrong_control_flow_is_an_error_at_the_op() {
    let context = context();
    for (text, message) in [
        (
            "flow.call @nothing() : () -> ()\nreturn",
            "f.mlir:3:1: error: 'flow.call' op calls @nothing, which is no function",
        ),
        (
            "flow.call @g(%i) : (index) -> ()\nreturn",
            "f.mlir:3:1: error: 'flow.call' op calls @g with ('index'), but it takes ('i32')",
        ),
        (
            "%0 = flow.call @g(%x) : (i32) -> i32\nreturn",
            "f.mlir:3:6: error: 'flow.call' op has results ('i32'), but @g returns ()",
        ),
        (
            "flow.br ^bb1(%i : index)\n^bb1(%y: i32):\nreturn",
            "type mismatch for bb argument #0 of successor #0",
        ),
        (
            "flow.br ^bb1\n^bb1(%y: i32):\nreturn",
            "branch has 0 operands for successor #0, but target block has 1",
        ),
        (
            "flow.return %x : i32",
            "f.mlir:3:1: error: 'flow.return' op returns ('i32') from a function that returns ()",
        ),
        (
            "%0 = flow.if %c -> i32 {\nflow.return %i : index\n} else {\nflow.return %x : i32\n}\nreturn",
            "'flow.if' op along control flow edge",
        ),
        (
            "%0 = flow.loop %i with %x : i32 -> i32 {\n^bb0(%n: index):\nflow.return %x : i32\n}\nreturn",
            "'flow.loop' op along control flow edge",
        ),
    ] {
        let text = format!(
            "func.func private @g(%x: i32)\nfunc.func @f(%c: i1, %x: i32, %i: index) {{\n{text}\n}}"
        );
        let (module, errors) = with_diagnostics(&context, || {
            parse_module(&context, text.as_bytes(), "f.mlir")
        });
        assert!(module.is_none(), "{text}");
        let [error] = &errors[..] else {
            panic!("{text}: {errors:#?}");
        };
        assert!(error.to_string().contains(message), "{text}: {error}");
    }
}

#[test]
fn interfaces_that_do_not_fit_the_op_are_refused() {
    macro_rules! refused {
        ($name:literal, $declaration:expr, $message:literal) => {{
            const OP: &OpDeclaration = &$declaration;
            static DIALECT: DialectDeclaration = DialectDeclaration::new($name, "").ops(&[OP]);
            let error = register(&DIALECT).unwrap_err().to_string();
            let op = OP.name();
            assert_eq!(
                error,
                format!("dialect '{}': op '{op}' {}", $name, $message)
            );
        }};
    }
    declare_op! {
        /// Has parts that match none of the interfaces.
        struct WrongOp = "wrong.op" {
            operands { one: One(Any), all: Variadic(Any) }
            results { result: One(Any) }
            attributes { callee: Optional(codec::Symbol) }
            regions { body: One }
            successors { dest: One }
        }
        .traits(&[OpTrait::Terminator])
    }
    const WRONG: OpDeclaration = *WrongOp::DECLARATION;
    refused!(
        "wrong",
        WRONG.call("callee", "all"),
        "is a call without a required attribute 'callee'"
    );
    refused!(
        "wrong",
        WRONG.call("callee", "none"),
        "has no operand 'none' for an interface"
    );
    refused!(
        "wrong",
        WRONG.branch(&[]),
        "does not tell the operands of each of its successors"
    );
    refused!(
        "wrong",
        WRONG.branch(&["one"]),
        "passes 'one' to a successor, which is no variadic operand of its own"
    );
    refused!(
        "wrong",
        WRONG.region_branch(RegionBranch {
            entry: &[Region("bodies")],
            exits: &[&[Parent]],
            inputs: None,
            produced_arguments: 0,
        }),
        "does not tell where control goes from each of its regions"
    );
    refused!(
        "wrong",
        WRONG.effects(&[("nothing", MemoryEffect::Reads)]),
        "has an effect on 'nothing', which it lacks"
    );
    refused!(
        "wrong",
        WRONG.traits(&[OpTrait::Terminator, OpTrait::ReturnLike]),
        "returns its operands, but is no terminator, or has results, successors or several groups of any size"
    );
    refused!(
        "wrong",
        WRONG
            .traits(&[OpTrait::Terminator, OpTrait::Pure])
            .effects(&[("one", MemoryEffect::Reads)]),
        "is pure, but has effects"
    );
}
