//! Calls of the runtime on views: slices, columns, transposes, broadcasts and elements of buffers
//! that other ops also read.
//!
//! A call on a view returns the same results as the call on an argument with the elements of the
//! view, which is created here.

use super::communication::on_grid;
use super::{
    Literal,
    compile::{self, compilations_as},
    options,
};
use halo_backend::CompileOptions;
use halo_core::{ElementType, PrintOptions, Shape};
use halo_runtime::{CustomCallRegistry, Process};
use std::sync::Arc;

/// A view of a buffer.
struct View {
    /// The dimensions of the buffer.
    source: &'static [usize],
    /// Code that defines `%v` as a view of a buffer `%b` with elements of type `T`.
    code: &'static str,
    /// The offset of an element of the view in the buffer.
    position: fn(usize) -> usize,
}

const fn view(source: &'static [usize], code: &'static str, position: fn(usize) -> usize) -> View {
    View {
        source,
        code,
        position,
    }
}

/// Views of 4 by 4 elements.
const MATRICES: &[View] = &[
    view(
        &[6, 4],
        "%v = stablehlo.slice %b [0:4, 0:4] : (tensor<6x4xT>) -> tensor<4x4xT>",
        |it| it,
    ),
    view(
        &[6, 4],
        "%v = stablehlo.slice %b [1:5, 0:4] : (tensor<6x4xT>) -> tensor<4x4xT>",
        |it| it + 4,
    ),
    view(
        &[8, 4],
        "%v = stablehlo.slice %b [0:8:2, 0:4] : (tensor<8x4xT>) -> tensor<4x4xT>",
        |it| it / 4 * 8 + it % 4,
    ),
    view(
        &[4, 6],
        "%v = stablehlo.slice %b [0:4, 0:4] : (tensor<4x6xT>) -> tensor<4x4xT>",
        |it| it / 4 * 6 + it % 4,
    ),
    view(
        &[4, 8],
        "%v = stablehlo.slice %b [0:4, 1:8:2] : (tensor<4x8xT>) -> tensor<4x4xT>",
        |it| 2 * it + 1,
    ),
    view(
        &[20],
        "%w = stablehlo.slice %b [0:16] : (tensor<20xT>) -> tensor<16xT>
         %v = stablehlo.reshape %w : (tensor<16xT>) -> tensor<4x4xT>",
        |it| it,
    ),
    view(
        &[4, 4],
        "%v = stablehlo.transpose %b, dims = [1, 0] : (tensor<4x4xT>) -> tensor<4x4xT>",
        |it| it % 4 * 4 + it / 4,
    ),
    view(
        &[4],
        "%v = stablehlo.broadcast_in_dim %b, dims = [0] : (tensor<4xT>) -> tensor<4x4xT>",
        |it| it / 4,
    ),
    view(
        &[3, 4, 4],
        "%w = stablehlo.slice %b [1:2, 0:4, 0:4] : (tensor<3x4x4xT>) -> tensor<1x4x4xT>
         %v = stablehlo.reshape %w : (tensor<1x4x4xT>) -> tensor<4x4xT>",
        |it| it + 16,
    ),
    view(
        &[4, 4, 3],
        "%w = stablehlo.slice %b [0:4, 0:4, 0:1] : (tensor<4x4x3xT>) -> tensor<4x4x1xT>
         %v = stablehlo.reshape %w : (tensor<4x4x1xT>) -> tensor<4x4xT>",
        |it| 3 * it,
    ),
    view(
        &[6, 4],
        "%v = stablehlo.dynamic_slice %b, %one, %zero, sizes = [4, 4]
           : (tensor<6x4xT>, tensor<i32>, tensor<i32>) -> tensor<4x4xT>",
        |it| it + 4,
    ),
];

/// Views of 4 elements.
const VECTORS: &[View] = &[
    view(
        &[6],
        "%v = stablehlo.slice %b [0:4] : (tensor<6xT>) -> tensor<4xT>",
        |it| it,
    ),
    view(
        &[6],
        "%v = stablehlo.slice %b [1:5] : (tensor<6xT>) -> tensor<4xT>",
        |it| it + 1,
    ),
    view(
        &[8],
        "%v = stablehlo.slice %b [0:8:2] : (tensor<8xT>) -> tensor<4xT>",
        |it| 2 * it,
    ),
    view(
        &[3, 4],
        "%w = stablehlo.slice %b [0:1, 0:4] : (tensor<3x4xT>) -> tensor<1x4xT>
         %v = stablehlo.reshape %w : (tensor<1x4xT>) -> tensor<4xT>",
        |it| it,
    ),
    view(
        &[4, 3],
        "%w = stablehlo.slice %b [0:4, 1:2] : (tensor<4x3xT>) -> tensor<4x1xT>
         %v = stablehlo.reshape %w : (tensor<4x1xT>) -> tensor<4xT>",
        |it| 3 * it + 1,
    ),
    view(
        &[2, 2],
        "%v = stablehlo.reshape %b : (tensor<2x2xT>) -> tensor<4xT>",
        |it| it,
    ),
    view(
        &[],
        "%v = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<T>) -> tensor<4xT>",
        |_| 0,
    ),
    view(
        &[6],
        "%v = stablehlo.dynamic_slice %b, %one, sizes = [4]
           : (tensor<6xT>, tensor<i32>) -> tensor<4xT>",
        |it| it + 1,
    ),
];

/// Views of one element.
const SCALARS: &[View] = &[
    view(
        &[3],
        "%w = stablehlo.slice %b [0:1] : (tensor<3xT>) -> tensor<1xT>
         %v = stablehlo.reshape %w : (tensor<1xT>) -> tensor<T>",
        |_| 0,
    ),
    view(
        &[3, 2],
        "%w = stablehlo.slice %b [2:3, 1:2] : (tensor<3x2xT>) -> tensor<1x1xT>
         %v = stablehlo.reshape %w : (tensor<1x1xT>) -> tensor<T>",
        |_| 5,
    ),
    view(
        &[3],
        "%w = stablehlo.dynamic_slice %b, %one, sizes = [1] : (tensor<3xT>, tensor<i32>) -> tensor<1xT>
         %v = stablehlo.reshape %w : (tensor<1xT>) -> tensor<T>",
        |_| 1,
    ),
];

/// The origin of the buffer of a view.
#[derive(Clone, Copy)]
enum Origin {
    Argument,
    /// The result of a call.
    Temporary,
    Constant,
}

/// A call on a view `%v` of type `VIEW` with the result `%r`, and the type of the result.
struct Call(&'static str, &'static str);

const ON_ANY: &[Call] = &[
    Call(
        "%r = stablehlo.custom_call @test.copy(%v) : (VIEW) -> VIEW",
        "VIEW",
    ),
    Call(
        "check.expect_eq %v, %v : VIEW
         %r = stablehlo.custom_call @test.copy(%v, %v) : (VIEW, VIEW) -> VIEW",
        "VIEW",
    ),
    Call(
        "%r = \"stablehlo.collective_permute\"(%v) {
           source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (VIEW) -> VIEW",
        "VIEW",
    ),
    Call(
        "%r = \"stablehlo.collective_broadcast\"(%v) {
           replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (VIEW) -> VIEW",
        "VIEW",
    ),
    Call(
        "%r = \"stablehlo.all_reduce\"(%v) ({
         ^bb0(%p: tensor<T>, %q: tensor<T>):
           %s = stablehlo.add %p, %q : tensor<T>
           stablehlo.return %s : tensor<T>
         }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (VIEW) -> VIEW",
        "VIEW",
    ),
    Call(
        "%t = stablehlo.create_token : !stablehlo.token
         %u = \"stablehlo.send\"(%v, %t) {
           channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
           source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}
           : (VIEW, !stablehlo.token) -> !stablehlo.token
         %r, %w = \"stablehlo.recv\"(%u) {
           channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
           source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}
           : (!stablehlo.token) -> (VIEW, !stablehlo.token)
         %x = \"stablehlo.outfeed\"(%v, %w) {outfeed_config = \"\"}
           : (VIEW, !stablehlo.token) -> !stablehlo.token",
        "VIEW",
    ),
];

const ON_VECTOR: &[Call] = &[
    Call(
        "%r = \"stablehlo.all_gather\"(%v) {all_gather_dim = 0 : i64,
           replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xT>) -> tensor<8xT>",
        "tensor<8xT>",
    ),
    Call(
        "%r = \"stablehlo.all_to_all\"(%v) {split_dimension = 0 : i64, concat_dimension = 0 : i64,
           split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
           : (tensor<4xT>) -> tensor<4xT>",
        "tensor<4xT>",
    ),
    Call(
        "%r = \"stablehlo.reduce_scatter\"(%v) ({
         ^bb0(%p: tensor<T>, %q: tensor<T>):
           %s = stablehlo.add %p, %q : tensor<T>
           stablehlo.return %s : tensor<T>
         }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
           : (tensor<4xT>) -> tensor<2xT>",
        "tensor<2xT>",
    ),
];

const ON_COMPLEX_VECTOR: &[Call] = &[Call(
    "%r = stablehlo.fft %v, type = FFT, length = [4] : (tensor<4xT>) -> tensor<4xT>",
    "tensor<4xT>",
)];

const ON_REAL_VECTOR: &[Call] = &[Call(
    "%r = stablehlo.fft %v, type = RFFT, length = [4] : (tensor<4xT>) -> tensor<3xcomplex<T>>",
    "tensor<3xcomplex<T>>",
)];

const ON_MATRIX: &[Call] = &[
    Call(
        "%r = stablehlo.cholesky %v, lower = true : tensor<4x4xT>",
        "tensor<4x4xT>",
    ),
    Call(
        "%r = \"stablehlo.triangular_solve\"(%v, %v) {left_side = true, lower = true,
           unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}
           : (tensor<4x4xT>, tensor<4x4xT>) -> tensor<4x4xT>",
        "tensor<4x4xT>",
    ),
];

/// With equal bounds, all random numbers equal the bound.
const ON_REAL_SCALAR: &[Call] = &[Call(
    "%h = stablehlo.constant dense<3> : tensor<1xi64>
     %r = \"stablehlo.rng\"(%v, %v, %h) {rng_distribution = #stablehlo<rng_distribution UNIFORM>}
       : (tensor<T>, tensor<T>, tensor<1xi64>) -> tensor<3xT>",
    "tensor<3xT>",
)];

/// A program with calls, each in a function, on views or on arguments.
#[derive(Default)]
struct Program {
    functions: String,
    arguments: Vec<String>,
    inputs: Vec<Literal>,
    body: String,
    results: Vec<String>,
    types: Vec<String>,
}

impl Program {
    fn argument(&mut self, ty: &str, value: Literal) -> String {
        let name = format!("%a{}", self.inputs.len());
        self.arguments.push(format!("{name}: {ty}"));
        self.inputs.push(value);
        name
    }

    fn result(&mut self, name: String, ty: &str) {
        self.results.push(name);
        self.types.push(ty.to_owned());
    }

    /// Calls on `%v{number}`, whose elements another op also reads.
    fn call_all(&mut self, number: usize, ty: &str, results: &[String]) {
        for (call, result) in results.iter().enumerate() {
            let name = format!("%r{number}_{call}");
            self.body += &format!("{name} = call @call{call}(%v{number}) : ({ty}) -> {result}\n");
            self.result(name, result);
        }
        let twice = format!("%twice{number}");
        self.body += &format!("{twice} = stablehlo.add %v{number}, %v{number} : {ty}\n");
        self.result(twice, ty);
    }

    fn text(&self) -> String {
        let Self {
            functions, body, ..
        } = self;
        let [arguments, results, types] =
            [&self.arguments, &self.results, &self.types].map(|list| list.join(", "));
        format!(
            "func.func @main({arguments}) -> ({types}) {{
               {body}
               return {results} : {types}
             }}
             {functions}"
        )
    }
}

fn type_of(dims: &[usize], element: ElementType) -> String {
    let dims: String = dims.iter().map(|dim| format!("{dim}x")).collect();
    format!("tensor<{dims}{element}>")
}

/// Elements that differ from each other, if the type has enough values.
fn elements(ty: &str) -> Literal {
    let is_bool = ty.ends_with("i1>");
    Literal::from_fn(ty.parse::<Shape>().unwrap(), |at| {
        if is_bool {
            f64::from(at % 3 == 1)
        } else {
            (at % 50) as f64 + 1.0
        }
    })
}

/// The elements of a view.
fn elements_of(view: &View, whole: &Literal, ty: &str) -> Literal {
    let mut part = elements(ty);
    let width = whole.element_type().byte_width();
    for at in 0..part.element_count() {
        let from = &whole.bytes()[(view.position)(at) * width..][..width];
        part.bytes_mut()[at * width..][..width].copy_from_slice(from);
    }
    part
}

/// The program of some calls on some views, and the one on arguments.
fn programs(
    (views, dims): (&[View], &[usize]),
    (element, origin): (ElementType, Origin),
    calls: &[&Call],
) -> [Program; 2] {
    let ty = type_of(dims, element);
    let typed = |code: &str| {
        let code = code.replace("xT>", &format!("x{element}>"));
        code.replace("<T>", &format!("<{element}>")).replace("VIEW", &ty)
    };
    let results: Vec<String> = calls.iter().map(|call| typed(call.1)).collect();
    let mut functions = String::new();
    for (number, (call, result)) in calls.iter().zip(&results).enumerate() {
        let code = typed(call.0);
        functions += &format!(
            "func.func private @call{number}(%v: {ty}) -> {result} {{
               {code}
               return %r : {result}
             }}\n"
        );
    }
    let mut on_views = Program::default();
    let mut on_arguments = Program {
        functions: functions.clone(),
        ..Program::default()
    };
    let one = on_views.argument("tensor<i32>", Literal::scalar(1_i32));
    for (number, view) in views.iter().enumerate() {
        let source = type_of(view.source, element);
        let whole = elements(&source);
        let part = on_arguments.argument(&ty, elements_of(view, &whole, &ty));
        let barrier = format!("%v{number} = stablehlo.optimization_barrier {part} : {ty}\n");
        on_arguments.body += &barrier;
        on_arguments.call_all(number, &ty, &results);
        let shown = whole.display(PrintOptions::default()).to_string();
        let argument = on_views.argument(&source, whole);
        let buffer = match origin {
            Origin::Argument => format!("stablehlo.optimization_barrier {argument} : {source}"),
            Origin::Temporary => {
                format!("stablehlo.custom_call @test.copy({argument}) : ({source}) -> {source}")
            }
            Origin::Constant => format!("stablehlo.constant {shown}"),
        };
        on_views.body += &format!(
            "%b{number} = {buffer}
             %v{number} = call @view{number}(%b{number}, {one}) : ({source}, tensor<i32>) -> {ty}\n"
        );
        on_views.call_all(number, &ty, &results);
        let code = typed(view.code);
        on_views.functions += &format!(
            "func.func private @view{number}(%b: {source}, %one: tensor<i32>) -> {ty} {{
               %zero = stablehlo.constant dense<0> : tensor<i32>
               {code}
               return %v : {ty}
             }}\n"
        );
    }
    on_views.functions += &functions;
    [on_views, on_arguments]
}

/// The results of a program on two processes, in the cells for another program.
fn outcomes(other: &Program, program: &Program) -> Vec<(&'static str, Vec<Vec<String>>)> {
    let mut handlers = CustomCallRegistry::default();
    handlers.register("test.copy", |call| {
        call.results[0].bytes.copy_from_slice(call.operands[0].bytes);
        Ok(())
    });
    let options = CompileOptions {
        custom_calls: Arc::new(handlers),
        ..options()
    };
    let code = program.text();
    let run = |(backend, executable): (&'static str, super::Compilation)| {
        let executable = executable.unwrap_or_else(|error| panic!("{backend}: {error}\n{code}"));
        let processes = Process::grid(2, 1);
        let _outfeeds: Vec<_> = processes.iter().map(|it| it.cluster.open_outfeed()).collect();
        let inputs = [program.inputs.clone(), program.inputs.clone()];
        let outputs = on_grid(&*executable, &processes, &inputs);
        let outputs = outputs
            .into_iter()
            .map(|it| it.unwrap_or_else(|error| panic!("{backend}: {error}\n{code}")));
        (backend, outputs.collect())
    };
    compilations_as(&other.text(), &compile::program(&code), &options)
        .into_iter()
        .map(run)
        .collect()
}

#[track_caller]
fn check(views: (&[View], &[usize]), (element, origin): (ElementType, Origin), calls: &[&[Call]]) {
    let calls: Vec<&Call> = calls.iter().copied().flatten().collect();
    let [on_views, on_arguments] = programs(views, (element, origin), &calls);
    let expected = outcomes(&on_views, &on_arguments);
    assert_eq!(
        outcomes(&on_views, &on_views),
        expected,
        "{}",
        on_views.text()
    );
}

/// Element types, each with the origin of its buffers.
const TYPES: &[(ElementType, Origin)] = &[
    (ElementType::F32, Origin::Argument),
    (ElementType::F32, Origin::Constant),
    (ElementType::F64, Origin::Temporary),
    (ElementType::BF16, Origin::Argument),
    (ElementType::Complex64, Origin::Temporary),
    (ElementType::Complex128, Origin::Constant),
    (ElementType::I8, Origin::Argument),
    (ElementType::I1, Origin::Temporary),
    (ElementType::Ui64, Origin::Argument),
];

/// Checks some calls with all types, and calls that take any type with the first one.
fn check_all(
    views: (&[View], &[usize]),
    on_any: &[&[Call]],
    on_some: fn(ElementType) -> &'static [Call],
) {
    for &of in TYPES {
        check(views, of, &[&ON_ANY[..1], on_some(of.0)]);
    }
    check(views, (ElementType::F32, Origin::Temporary), on_any);
}

#[test]
fn matrices() {
    use ElementType::{Complex64, Complex128, F32, F64};
    check_all((MATRICES, &[4, 4]), &[ON_ANY], |element| match element {
        F32 | F64 | Complex64 | Complex128 => ON_MATRIX,
        _ => &[],
    });
}

#[test]
fn vectors() {
    use ElementType::{Complex64, Complex128, F32, F64};
    check_all(
        (VECTORS, &[4]),
        &[ON_ANY, ON_VECTOR],
        |element| match element {
            F32 | F64 => ON_REAL_VECTOR,
            Complex64 | Complex128 => ON_COMPLEX_VECTOR,
            _ => &[],
        },
    );
}

#[test]
fn scalars() {
    use ElementType::{F32, F64};
    check_all((SCALARS, &[]), &[ON_ANY], |element| match element {
        F32 | F64 => ON_REAL_SCALAR,
        _ => &[],
    });
}
