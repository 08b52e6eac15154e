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

/// An optimizer's step over parameters with different shapes, in one function.
fn optimizer(n: usize) -> String {
    let types: Vec<String> =
        (0..n).map(|i| format!("tensor<{}x{}xf32>", 4 + i % 7, 8 + i)).collect();
    let (mut arguments, mut results, mut text) = (Vec::new(), Vec::new(), String::new());
    for (i, ty) in types.iter().enumerate() {
        arguments.extend(["p", "m", "v", "g"].map(|name| format!("%{name}{i}: {ty}")));
        results.extend(["q", "k", "w"].map(|name| format!("%{name}{i}")));
        write!(
            text,
            "%b{i} = stablehlo.constant dense<0.9> : {ty}
            %c{i} = stablehlo.constant dense<0.1> : {ty}
            %0{i} = stablehlo.multiply %b{i}, %m{i} : {ty}
            %1{i} = stablehlo.multiply %c{i}, %g{i} : {ty}
            %k{i} = stablehlo.add %0{i}, %1{i} : {ty}
            %2{i} = stablehlo.multiply %1{i}, %g{i} : {ty}
            %3{i} = stablehlo.multiply %b{i}, %v{i} : {ty}
            %w{i} = stablehlo.add %2{i}, %3{i} : {ty}
            %4{i} = stablehlo.sqrt %w{i} : {ty}
            %5{i} = stablehlo.divide %k{i}, %4{i} : {ty}
            %q{i} = stablehlo.subtract %p{i}, %5{i} : {ty}\n"
        )
        .unwrap();
    }
    let of_results: Vec<&str> = types.iter().flat_map(|ty| [&**ty; 3]).collect();
    let (arguments, results) = (arguments.join(", "), results.join(", "));
    let of_results = of_results.join(", ");
    format!(
        "func.func @main({arguments}) -> ({of_results}) {{\n{text}return {results} : {of_results}\n}}"
    )
}

/// Layers of a graph network: messages along edges, their sums at nodes, and a product.
fn graph_layers(n: usize) -> String {
    let mut text = "func.func @main(%x0: tensor<20x8xf32>, %from: tensor<30x1xi32>,
            %to: tensor<30x1xi32>, %w: tensor<8x8xf32>) -> tensor<20x8xf32> {
      %zero = stablehlo.constant dense<0.0> : tensor<20x8xf32>\n"
        .to_owned();
    for i in 0..n {
        let next = i + 1;
        write!(
            text,
            "%m{i} = \"stablehlo.gather\"(%x{i}, %from) <{{
              dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
                start_index_map = [0], index_vector_dim = 1>,
              slice_sizes = array<i64: 1, 8>
            }}> : (tensor<20x8xf32>, tensor<30x1xi32>) -> tensor<30x8xf32>
            %s{i} = \"stablehlo.scatter\"(%zero, %to, %m{i}) <{{
              scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
                inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
                index_vector_dim = 1>
            }}> ({{
            ^bb0(%a: tensor<f32>, %b: tensor<f32>):
              %c = stablehlo.add %a, %b : tensor<f32>
              stablehlo.return %c : tensor<f32>
            }}) : (tensor<20x8xf32>, tensor<30x1xi32>, tensor<30x8xf32>) -> tensor<20x8xf32>
            %d{i} = stablehlo.dot_general %s{i}, %w, contracting_dims = [1] x [0]
              : (tensor<20x8xf32>, tensor<8x8xf32>) -> tensor<20x8xf32>
            %x{next} = stablehlo.tanh %d{i} : tensor<20x8xf32>\n"
        )
        .unwrap();
    }
    write!(text, "return %x{n} : tensor<20x8xf32>\n}}").unwrap();
    text
}

/// A concatenation of slices of different sizes.
fn ragged(n: usize) -> String {
    let (mut text, mut begin, mut operands, mut types) = (String::new(), 0, vec![], vec![]);
    for i in 0..n {
        let size = 1 + 7 * i % 13;
        let ty = format!("tensor<{size}xf32>");
        let end = begin + size;
        write!(
            text,
            "%s{i} = stablehlo.slice %x [{begin}:{end}] : (tensor<{}xf32>) -> {ty}
            %y{i} = stablehlo.sine %s{i} : {ty}\n",
            13 * n
        )
        .unwrap();
        operands.push(format!("%y{i}"));
        types.push(ty);
        begin = end;
    }
    let (operands, types, ty) = (
        operands.join(", "),
        types.join(", "),
        format!("tensor<{begin}xf32>"),
    );
    format!(
        "func.func @main(%x: tensor<{}xf32>) -> {ty} {{\n{text}
        %c = stablehlo.concatenate {operands}, dim = 0 : ({types}) -> {ty}
        return %c : {ty}\n}}",
        13 * n
    )
}

/// A chain of updates in place, each of elements that an earlier one has written.
fn updates(n: usize) -> String {
    let mut text = "func.func @main(%x0: tensor<4096xf32>, %i0: tensor<i32>) -> tensor<4096xf32> {
      %one = stablehlo.constant dense<1> : tensor<i32>\n"
        .to_owned();
    for i in 0..n {
        let next = i + 1;
        write!(
            text,
            "%s{i} = stablehlo.slice %x{i} [{}:{}] : (tensor<4096xf32>) -> tensor<10xf32>
            %u{i} = stablehlo.sine %s{i} : tensor<10xf32>
            %i{next} = stablehlo.add %i{i}, %one : tensor<i32>
            %x{next} = stablehlo.dynamic_update_slice %x{i}, %u{i}, %i{next}
              : (tensor<4096xf32>, tensor<10xf32>, tensor<i32>) -> tensor<4096xf32>\n",
            3 * i,
            3 * i + 10
        )
        .unwrap();
    }
    write!(text, "return %x{n} : tensor<4096xf32>\n}}").unwrap();
    text
}

/// `while` loops of vectors, each element of which has a separate condition.
fn batched_loops(n: usize) -> String {
    let mut text = "func.func @main(%x0: tensor<64xf32>) -> tensor<64xf32> {
      %limit = stablehlo.constant dense<100.0> : tensor<64xf32>
      %false = stablehlo.constant dense<false> : tensor<i1>\n"
        .to_owned();
    for i in 0..n {
        let next = i + 1;
        write!(
            text,
            "%x{next} = stablehlo.while(%x = %x{i}) : tensor<64xf32>
            cond {{
              %0 = stablehlo.compare LT, %x, %limit : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xi1>
              %1 = stablehlo.reduce(%0 init: %false) applies stablehlo.or across dimensions = [0]
                : (tensor<64xi1>, tensor<i1>) -> tensor<i1>
              stablehlo.return %1 : tensor<i1>
            }} do {{
              %0 = stablehlo.compare LT, %x, %limit : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xi1>
              %1 = stablehlo.exponential %x : tensor<64xf32>
              %2 = stablehlo.select %0, %1, %x : tensor<64xi1>, tensor<64xf32>
              stablehlo.return %2 : tensor<64xf32>
            }}\n"
        )
        .unwrap();
    }
    write!(text, "return %x{n} : tensor<64xf32>\n}}").unwrap();
    text
}

/// A long loop over scalars with a body of many small ops.
fn scalar_loop(n: usize) -> String {
    let mut text = "func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %end = stablehlo.constant dense<1000> : tensor<i32>
      %0:3 = stablehlo.while(%i = %zero, %x0 = %a, %y0 = %b)
        : tensor<i32>, tensor<f32>, tensor<f32>
      cond {
        %1 = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %1 : tensor<i1>
      } do {
        %next = stablehlo.add %i, %one : tensor<i32>\n"
        .to_owned();
    for i in 0..n {
        let next = i + 1;
        write!(
            text,
            "%c{i} = stablehlo.compare LT, %x{i}, %y{i} : (tensor<f32>, tensor<f32>) -> tensor<i1>
            %p{i} = stablehlo.multiply %x{i}, %y{i} : tensor<f32>
            %y{next} = stablehlo.select %c{i}, %p{i}, %x{i} : tensor<i1>, tensor<f32>
            %x{next} = stablehlo.subtract %y{i}, %p{i} : tensor<f32>\n"
        )
        .unwrap();
    }
    write!(
        text,
        "stablehlo.return %next, %x{n}, %y{n} : tensor<i32>, tensor<f32>, tensor<f32>
      }}
      return %0#1 : tensor<f32>\n}}"
    )
    .unwrap();
    text
}

/// A program of a size.
type Family = fn(usize) -> String;

/// A program of each family, and of twice its size.
fn programs() -> impl Iterator<Item = (&'static str, [String; 2])> {
    let families: [(_, Family, _); 9] = [
        ("rounds", rounds, 40),
        ("parameters", parameters, 10),
        ("sums of constants", sums_of_constants, 100),
        ("optimizer", optimizer, 10),
        ("graph layers", graph_layers, 10),
        ("ragged", ragged, 40),
        ("updates", updates, 20),
        ("batched loops", batched_loops, 10),
        ("scalar loop", scalar_loop, 50),
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
