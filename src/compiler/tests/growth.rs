//! The compiler's work grows linearly with the program. The tests count ops instead of measuring
//! time: the ops after each phase, and the ops that canonicalization inspects.

use halo_backend::Program;
use halo_compiler::pipelines::cpu;
use halo_ir::{
    cleanup::canonicalize, pass::register_pass, pipeline, pipeline::upstream, prelude::*,
};
use melior::ir::Module;
use std::{
    fmt::Write,
    sync::atomic::{AtomicUsize, Ordering},
};

/// Rounds of threefry on one element: each sum has two users.
fn rounds(n: usize) -> String {
    let mut text =
        "func.func @main(%x0: tensor<1xui32>, %y0: tensor<1xui32>) -> tensor<64x128xui32> {
      %left = stablehlo.constant dense<13> : tensor<1xui32>
      %right = stablehlo.constant dense<19> : tensor<1xui32>\n"
            .to_owned();
    for i in 0..n {
        let next = i + 1;
        write!(
            text,
            "%x{next} = stablehlo.add %x{i}, %y{i} : tensor<1xui32>
            %l{i} = stablehlo.shift_left %y{i}, %left : tensor<1xui32>
            %r{i} = stablehlo.shift_right_logical %y{i}, %right : tensor<1xui32>
            %o{i} = stablehlo.or %l{i}, %r{i} : tensor<1xui32>
            %y{next} = stablehlo.xor %x{next}, %o{i} : tensor<1xui32>\n"
        )
        .unwrap();
    }
    write!(
        text,
        "%b = stablehlo.broadcast_in_dim %y{n}, dims = [1] : (tensor<1xui32>) -> tensor<64x128xui32>
        return %b : tensor<64x128xui32>\n}}"
    )
    .unwrap();
    text
}

/// Initial values of parameters with different shapes: a function for each, with a loop of rounds.
fn parameters(n: usize) -> String {
    let (mut calls, mut functions) = (String::new(), String::new());
    for i in 0..n {
        let ty = format!("tensor<{}x{}xui32>", 16 + i, 128 + 3 * i);
        writeln!(calls, "%p{i} = call @p{i}(%key) : (tensor<ui32>) -> {ty}").unwrap();
        write!(
            functions,
            "func.func private @p{i}(%key: tensor<ui32>) -> {ty} {{
              %zero = stablehlo.constant dense<0> : tensor<i32>
              %one = stablehlo.constant dense<1> : tensor<i32>
              %end = stablehlo.constant dense<5> : tensor<i32>
              %shift = stablehlo.constant dense<13> : tensor<ui32>
              %shifts = stablehlo.broadcast_in_dim %shift, dims = [] : (tensor<ui32>) -> {ty}
              %keys = stablehlo.broadcast_in_dim %key, dims = [] : (tensor<ui32>) -> {ty}
              %iota = stablehlo.iota dim = 1 : {ty}
              %0:3 = stablehlo.while(%i = %zero, %x = %iota, %y = %keys) : tensor<i32>, {ty}, {ty}
              cond {{
                %1 = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
                stablehlo.return %1 : tensor<i1>
              }} do {{
                %1 = stablehlo.add %i, %one : tensor<i32>
                %2 = stablehlo.add %x, %y : {ty}
                %3 = stablehlo.shift_left %y, %shifts : {ty}
                %4 = stablehlo.xor %2, %3 : {ty}
                stablehlo.return %1, %2, %4 : tensor<i32>, {ty}, {ty}
              }}
              return %0#2 : {ty}
            }}\n"
        )
        .unwrap();
    }
    let types: Vec<String> =
        (0..n).map(|i| format!("tensor<{}x{}xui32>", 16 + i, 128 + 3 * i)).collect();
    let values: Vec<String> = (0..n).map(|i| format!("%p{i}")).collect();
    let (types, values) = (types.join(", "), values.join(", "));
    format!(
        "func.func @main(%key: tensor<ui32>) -> ({types}) {{\n{calls}return {values} : {types}\n}}
        {functions}"
    )
}

/// Products by sums of constants, which canonicalization folds one by one.
fn sums_of_constants(n: usize) -> String {
    let mut text = "func.func @main(%x0: tensor<f32>) -> tensor<f32> {\n".to_owned();
    for i in 0..n {
        let next = i + 1;
        write!(
            text,
            "%a{i} = stablehlo.constant dense<{i}.5> : tensor<f32>
            %b{i} = stablehlo.constant dense<{i}.25> : tensor<f32>
            %s{i} = stablehlo.add %a{i}, %b{i} : tensor<f32>
            %x{next} = stablehlo.multiply %x{i}, %s{i} : tensor<f32>\n"
        )
        .unwrap();
    }
    write!(text, "return %x{n} : tensor<f32>\n}}").unwrap();
    text
}

/// A program of a size.
type Family = fn(usize) -> String;

/// A program of each family, and of twice its size.
fn programs() -> impl Iterator<Item = (&'static str, [String; 2])> {
    let families: [(_, Family, _); 3] = [
        ("rounds", rounds, 40),
        ("parameters", parameters, 10),
        ("sums of constants", sums_of_constants, 100),
    ];
    families.into_iter().map(|(name, family, n)| (name, [n, 2 * n].map(family)))
}

fn parse<'c>(context: &'c Context, code: &str) -> Module<'c> {
    let program = Program {
        name: "growth.mlir".to_owned(),
        code: code.as_bytes().to_vec(),
    };
    let mut module = halo_frontend::parse(context, &program).unwrap();
    halo_frontend::select_entry(&mut module, &program, None).unwrap();
    module
}

/// Checks that twice the program takes at most 2.3 times the work, with the remark `about`.
fn is_linear(once: usize, twice: usize, about: &str) {
    assert!(10 * twice <= 23 * once, "{about}: {once} and {twice} ops");
}

#[test]
fn each_phase_is_linear_in_the_program() {
    for (name, pair) in programs() {
        let [once, twice] = pair.map(|code| {
            let context = halo_compiler::context();
            let mut module = parse(&context, &code);
            let phases = cpu::phases(&cpu::Parameters::REFERENCE);
            let count = phases.iter().map(|phase| {
                halo_hlo::run_pipeline(&context, &mut module, &phase.pipeline).unwrap();
                let ops = module.as_operation().collect_nested(|_| true).len();
                (phase.name.clone(), ops)
            });
            count.collect::<Vec<_>>()
        });
        for ((phase, once), (_, twice)) in once.into_iter().zip(twice) {
            is_linear(once, twice, &format!("{name} after {phase}"));
        }
    }
}

static INSPECTED: AtomicUsize = AtomicUsize::new(0);
static COUNTING: PassDeclaration = PassDeclaration::new(
    "counting-canonicalize",
    "Canonicalize, and count the inspected ops",
    |pass| {
        INSPECTED.fetch_add(canonicalize(pass), Ordering::Relaxed);
        Ok(())
    },
)
.dependent_dialects(&["halo"]);

/// Changes in a function must not inspect all of its ops again.
#[test]
fn canonicalization_is_linear_in_the_program() {
    register_pass(&COUNTING).unwrap();
    for (name, pair) in programs() {
        let [once, twice] = pair.map(|code| {
            let context = halo_compiler::context();
            let mut module = parse(&context, &code);
            let inline = upstream("inline").option("default-pipeline", "");
            INSPECTED.store(0, Ordering::Relaxed);
            halo_hlo::run_pipeline(&context, &mut module, &pipeline![inline, &COUNTING]).unwrap();
            INSPECTED.load(Ordering::Relaxed)
        });
        is_linear(once, twice, name);
    }
}
