//! The programs in `src/compiler/tests/programs/`, on every backend.
//!
//! A public function is a case: it computes something from constants, and ops of the dialect
//! `check` state the results. The compiled function takes the constants that are marked as `input`
//! as arguments, and returns the checked values. So no input can be folded, and results are stored
//! to the caller's buffers. The interpreter evaluates the checks.

use super::{compile::compilations_as, options};
use halo_backend::{CompileOptions, Program, bisection::Bisection};
use halo_core::Literal;
use halo_core::compare::{Rule, compare};
use halo_hlo::interpreter::{Environment, Evaluator, Value};
use halo_hlo::literals::{literal_for, literal_of};
use halo_ir::{
    diagnostics::{bytecode_of, file_line_column},
    edit_module,
    ops::{Op as _, check},
    prelude::*,
    root_of,
};
use melior::Context;

use melior::ir::{Module, r#type::FunctionType};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The attribute of a constant that the compiled function takes as an argument.
const INPUT: &str = "input";
/// The attribute of a function whose constants are folded, as the compiler does by default.
const FOLDS_CONSTANTS: &str = "folds_constants";

/// Defines a test for each file.
macro_rules! programs {
    ($($name:ident)*) => {
        const FILES: &[&str] = &[$(stringify!($name)),*];
        $(
            #[test]
            fn $name() {
                expect_to_pass(stringify!($name));
            }
        )*
    };
}

programs! {
    arithmetic
    bounded_control_flow
    branches
    complex
    conversions
    custom_calls
    dynamic
    empty
    indexing
    lapack
    loops
    narrow_floats
    narrow_integers
    padding
    products
    quantization
    reductions
    results
    shape_programs
    windows
}

#[test]
fn all_files_are_listed() {
    let entries = std::fs::read_dir(folder()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    let listed = FILES.iter().map(|name| format!("{name}.mlir"));
    assert_eq!(names, listed.collect::<Vec<_>>());
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs")
}

fn expect_to_pass(name: &str) {
    let errors = errors_in(name, options());
    assert!(errors.is_empty(), "\n{}", errors.join("\n"));
}

fn errors_in(name: &str, options: CompileOptions) -> Vec<String> {
    let file = format!("{name}.mlir");
    let code = std::fs::read_to_string(folder().join(&file)).unwrap();
    errors_of(
        &format!("src/compiler/tests/programs/{file}"),
        &code,
        options,
    )
}

/// Passes that a bisection disables are optimizations.
#[test]
fn optional_passes_can_be_disabled() {
    let options = CompileOptions {
        bisection: Some(Arc::new(Bisection::new(0, u64::MAX, true, |_| {}))),
        ..options()
    };
    let names = ["branches", "dynamic", "loops", "products", "reductions"];
    let errors = names.iter().flat_map(|name| errors_in(name, options.clone()));
    let errors: Vec<String> = errors.collect();
    assert!(errors.is_empty(), "\n{}", errors.join("\n"));
}

/// Returns the mistakes in a file, or else the failures of its cases on all backends.
fn errors_of(name: &str, code: &str, options: CompileOptions) -> Vec<String> {
    let context = halo_compiler::context();
    let program = Program {
        name: name.to_owned(),
        code: code.into(),
    };
    let module = match halo_frontend::parse(&context, &program) {
        Ok(module) => module,
        Err(error) => return vec![error.to_string()],
    };
    let cases = cases_of(root_of(&module));
    let mistakes = mistakes(root_of(&module), &cases, name, code);
    if !mistakes.is_empty() {
        return mistakes;
    }
    let compiled = compiled_form(&context, &program);
    let program = Program {
        code: bytecode_of(&compiled),
        ..program
    };
    let environment = Environment::new(root_of(&module), Arc::default());
    let functions = cases_of(root_of(&compiled));
    let programs = programs_of(cases.into_iter().map(Case::new).zip(functions));
    programs
        .iter()
        .flat_map(|(text, cases)| failures(cases, &program, text, (&environment, &options)))
        .collect()
}

/// The program, whose functions take inputs and return results.
fn compiled_form<'c>(context: &'c Context, program: &Program) -> Module<'c> {
    let mut module = halo_frontend::parse(context, program).unwrap();
    edit_module(&mut module, |root| {
        cases_of(root).into_iter().for_each(pass_inputs_and_results)
    })
    .unwrap();
    module
}

/// Cases of one program with different inputs, which share an executable. The key is the text of
/// the function.
fn programs_of<'m>(
    cases: impl Iterator<Item = (Case<'m>, Operation<'m>)>,
) -> Vec<(String, Vec<Case<'m>>)> {
    let mut programs: Vec<(String, Vec<Case>)> = Vec::new();
    for (case, function) in cases {
        let name = format!("@{}", case.function.sym_name());
        let text = function.to_string().replacen(&name, "@", 1);
        match programs.iter_mut().find(|(other, _)| *other == text) {
            Some((_, cases)) => cases.push(case),
            None => programs.push((text, vec![case])),
        }
    }
    programs
}

/// The public functions of a module.
fn cases_of(root: Operation<'_>) -> Vec<Operation<'_>> {
    root.collect_nested(is_case)
}

fn is_case(op: Operation) -> bool {
    let function = op.cast::<func::FuncOp>();
    function.is_some_and(|function| function.sym_visibility() != Some("private"))
}

fn is_input(op: Operation) -> bool {
    op.isa::<stablehlo::ConstantOp>() && op.has_attribute(INPUT)
}

fn is_check(op: Operation) -> bool {
    op.name().starts_with("check.")
}

fn ops_of(function: Operation<'_>) -> Vec<Operation<'_>> {
    function.body(0).map(Block::operations).unwrap_or_default()
}

/// The location of an op in the file.
fn place(op: Operation) -> String {
    file_line_column(op.location()).unwrap_or_default()
}

/// The mistakes in a file that would leave it untested.
fn mistakes(root: Operation, cases: &[Operation], name: &str, code: &str) -> Vec<String> {
    let mut found = directives(name, code);
    if cases.is_empty() {
        found.push(format!(
            "{name}: error: no public function, which would be a case"
        ));
    }
    let mut mistake = |op, message: &str| found.push(format!("{}: error: {message}", place(op)));
    for case in cases {
        if !ops_of(*case).into_iter().any(is_check) {
            mistake(*case, "a case without a check");
        }
        if !case.body(0).is_some_and(|body| body.arguments().is_empty()) {
            mistake(
                *case,
                "a case with arguments: inputs are constants with the attribute 'input'",
            );
        }
    }
    for op in root.collect_nested(|_| true) {
        let is_in_case = op.parent().is_some_and(is_case);
        if !is_in_case && (is_check(op) || is_input(op)) {
            mistake(
                op,
                "a check or an input outside of a case, or nested in an op of it",
            );
        }
        let known = if op.isa::<stablehlo::ConstantOp>() {
            INPUT
        } else if op.isa::<func::FuncOp>() {
            FOLDS_CONSTANTS
        } else {
            continue;
        };
        for (attribute, _) in op.discardable_attributes() {
            if attribute != known {
                mistake(
                    op,
                    &format!("unknown attribute '{attribute}', expected '{known}'"),
                );
            }
        }
    }
    found
}

/// Comments such as `RUN:` of lit tests, which do nothing here.
fn directives(name: &str, code: &str) -> Vec<String> {
    let directive = |line: &'_ str| {
        let (word, _) = line.trim_start().strip_prefix("//")?.split_once(':')?;
        let is_of_word = |letter: u8| letter.is_ascii_uppercase() || b"-_".contains(&letter);
        let word = word.trim_start();
        (!word.is_empty() && word.bytes().all(is_of_word)).then(|| word.to_owned())
    };
    let lines = code.lines().enumerate();
    lines
        .filter_map(|(number, line)| {
            let word = directive(line)?;
            Some(format!(
                "{name}:{}: error: unknown directive '{word}:'",
                number + 1
            ))
        })
        .collect()
}

/// Turns the inputs of a case into arguments, and the checked values into results instead of the
/// checks. Removes casts of inputs and of results to static types, so that both may be dynamic.
fn pass_inputs_and_results(function: Operation) {
    let (Some(body), Some(function)) = (function.body(0), function.cast::<func::FuncOp>()) else {
        return;
    };
    let erase = |op| with_builder(op, |b| b.erase(op));
    for input in body.operations().into_iter().filter(|op| is_input(*op)) {
        let value = input.results()[0];
        let casts = casts_of(value);
        let ty = casts.first().map_or(value.ty(), |cast| cast.dest().ty());
        let argument = body.add_argument(ty, input.location());
        for cast in casts {
            cast.dest().replace_uses_with(argument);
            erase(cast.operation());
        }
        value.replace_uses_with(argument);
        erase(input);
    }
    let mut results = Vec::new();
    for check in body.operations().into_iter().filter(|op| is_check(*op)) {
        results.extend(check.operands().into_iter().map(before_cast));
        erase(check);
    }
    for cast in body.operations() {
        if cast.isa::<tensor::CastOp>() && cast.results()[0].is_unused() {
            erase(cast);
        }
    }
    if let Some(end) = body.terminator() {
        with_builder(end, |b| {
            func::return_(b, &results);
            b.erase(end)
        });
    }
    let inputs = body.arguments().types();
    let context = function.context();
    let ty = FunctionType::new(context, &inputs, &results.types());
    function.set_function_type(ty.into());
}

/// Returns the casts of an input, if all its users are casts to one type.
fn casts_of(input: halo_ir::Value<'_>) -> Vec<tensor::CastOp<'_>> {
    let users = input.uses().into_iter();
    let casts = users.map(|(user, _)| user.cast::<tensor::CastOp>());
    let casts: Vec<_> = casts.collect::<Option<_>>().unwrap_or_default();
    let are_alike = |pair: &[tensor::CastOp]| pair[0].dest().ty() == pair[1].dest().ty();
    if casts.windows(2).all(are_alike) {
        casts
    } else {
        Vec::new()
    }
}

fn before_cast(value: halo_ir::Value<'_>) -> halo_ir::Value<'_> {
    let cast = value.defined_by::<tensor::CastOp>();
    cast.map_or(value, |cast| cast.source())
}

/// A function with the inputs of its runs, and the expected results.
struct Case<'m> {
    function: func::FuncOp<'m>,
    inputs: Vec<Literal>,
    checks: Vec<Operation<'m>>,
}

impl<'m> Case<'m> {
    fn new(function: Operation<'m>) -> Self {
        let ops = ops_of(function);
        let inputs = ops.iter().copied().filter(|op| is_input(*op));
        Self {
            function: function.cast().unwrap(),
            inputs: inputs.map(|op| literal_of(op.attribute("value").unwrap()).unwrap()).collect(),
            checks: ops.into_iter().filter(|op| is_check(*op)).collect(),
        }
    }

    /// Returns the failed checks of a run.
    fn mismatches(&self, results: Vec<Literal>, environment: &Environment<'m>) -> Vec<String> {
        let mut results = results.into_iter();
        let checks = self.checks.iter();
        checks
            .filter_map(|check| {
                let operands = results.by_ref().take(check.operand_count()).collect();
                mismatch(*check, operands, environment)
            })
            .collect()
    }
}

/// The failures of cases whose function is compiled once, on the machines whose sample its text
/// is in.
fn failures<'m>(
    cases: &[Case<'m>],
    program: &Program,
    text: &str,
    (environment, options): (&Environment<'m>, &CompileOptions),
) -> Vec<String> {
    let function = cases[0].function;
    let options = CompileOptions {
        entry: Some(function.sym_name().to_owned()),
        no_constant_folding: function.attribute(FOLDS_CONSTANTS).is_none(),
        ..options.clone()
    };
    let mut failures = Vec::new();
    for (backend, executable) in compilations_as(text, program, &options) {
        for case in cases {
            let run = executable.as_ref().map(|executable| executable.run(&case.inputs));
            let errors = match run {
                Ok(Ok(results)) => case.mismatches(results, environment),
                Ok(Err(error)) => vec![error.to_string()],
                Err(error) => vec![error.to_string()],
            };
            let name = case.function.sym_name();
            let of_case = |error| format!("{error}\n  in @{name} on {backend}");
            failures.extend(errors.into_iter().map(of_case));
        }
    }
    failures
}

fn mismatch<'m>(
    check: Operation<'m>,
    operands: Vec<Literal>,
    environment: &Environment<'m>,
) -> Option<String> {
    let values: Vec<Value> = operands.iter().cloned().map(Value::from).collect();
    if let Err(error) = Evaluator::new(environment).evaluate(check, &values) {
        return Some(error.to_string());
    }
    // To the ops, zeros of both signs are equal.
    let expected = if check.isa::<check::ExpectEqOp>() {
        operands[1].clone()
    } else if check.isa::<check::ExpectEqConstOp>() {
        let value = check.attribute("value").unwrap();
        literal_for(value, check.operands()[0].ty()).unwrap()
    } else {
        return None;
    };
    let comparison = compare(&operands[0], &expected, Rule::EXACT.with_signed_zeros()).unwrap();
    (!comparison.passed()).then(|| format!("{}: error: {comparison}", place(check)))
}

#[test]
fn wrong_results_are_errors_on_all_backends() {
    let code = "func.func @negates() {
                  %x = stablehlo.constant {input} dense<[1.0, 0.0]> : tensor<2xf32>
                  %0 = stablehlo.negate %x : tensor<2xf32>
                  check.expect_eq_const %0, dense<[-1.0, -0.0]> : tensor<2xf32>
                  check.expect_eq_const %0, dense<[-1.0, 0.0]> : tensor<2xf32>
                  check.expect_close %0, %x : tensor<2xf32>, tensor<2xf32>
                  %size = stablehlo.constant {input} dense<3> : tensor<1xi32>
                  %1 = stablehlo.dynamic_iota %size, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
                  %2 = tensor.cast %1 : tensor<?xi32> to tensor<2xi32>
                  check.expect_eq_const %2, dense<[0, 1]> : tensor<2xi32>
                  return
                }";
    let errors = errors_of("a.mlir", code, options());
    for backend in ["cpu", "interpreter", "c", "cuda-emulator"] {
        let of_backend = errors.iter().filter_map(|error| {
            let error = error.strip_suffix(&format!("\n  in @negates on {backend}"))?;
            Some(error.split("; worst at").next().unwrap_or(error))
        });
        assert_eq!(
            of_backend.collect::<Vec<_>>(),
            [
                "a.mlir:5:19: error: 1 of 2 elements differ (exact)",
                "a.mlir:6:19: error: 'check.expect_close' op 1 of 2 elements differ (at most 3 ULP)",
                "a.mlir:10:19: error: 'check.expect_eq_const' op shapes differ: tensor<3xi32> against tensor<2xi32>",
            ],
            "{backend}: {errors:?}"
        );
    }
}

/// The compiled function has the types to which cases cast, and no input. All its cases share it.
#[test]
fn inputs_and_results_are_those_of_a_function() {
    let case = |name: &str, elements: &str, size: usize| {
        format!(
            "func.func @{name}() {{
               %x0 = stablehlo.constant {{input}} dense<{elements}> : tensor<{size}xi32>
               %x = tensor.cast %x0 : tensor<{size}xi32> to tensor<?xi32>
               %0 = stablehlo.abs %x : tensor<?xi32>
               %1 = tensor.cast %0 : tensor<?xi32> to tensor<{size}xi32>
               check.expect_eq_const %1, dense<[5, 6]> : tensor<{size}xi32>
               return
             }}\n"
        )
    };
    let code = case("one", "[-5, 6]", 2) + &case("other", "[-5, -6]", 2);
    let context = halo_compiler::context();
    let program = Program {
        name: "a.mlir".into(),
        code: code.into(),
    };
    let module = halo_frontend::parse(&context, &program).unwrap();
    let compiled = compiled_form(&context, &program);
    let functions = [&module, &compiled].map(|module| cases_of(root_of(module)));
    let [cases, functions] = functions;
    let programs = programs_of(cases.into_iter().map(Case::new).zip(functions));
    let texts: Vec<&str> = programs.iter().map(|(text, _)| &**text).collect();
    assert_eq!(
        texts,
        ["func.func @(%arg0: tensor<?xi32>) -> tensor<?xi32> {
  %0 = stablehlo.abs %arg0 : tensor<?xi32>
  return %0 : tensor<?xi32>
}"]
    );
}

#[test]
fn mistakes_are_errors() {
    for (code, error) in [
        (
            "",
            "a.mlir: error: no public function, which would be a case",
        ),
        (
            "func.func @f() { return }",
            "a.mlir:1:1: error: a case without a check",
        ),
        (
            "func.func @f(%x: tensor<i32>) { check.expect_eq %x, %x : tensor<i32> return }",
            "a.mlir:1:1: error: a case with arguments: inputs are constants with the attribute 'input'",
        ),
        (
            "func.func @f() {
               %x = stablehlo.constant {inputs} dense<1> : tensor<i32>
               check.expect_eq %x, %x : tensor<i32>
               return
             }",
            "a.mlir:2:21: error: unknown attribute 'inputs', expected 'input'",
        ),
        (
            "func.func @f() {
               %x = stablehlo.constant dense<1> : tensor<i32>
               check.expect_eq %x, %x : tensor<i32>
               call @g(%x) : (tensor<i32>) -> ()
               return
             }
             func.func private @g(%x: tensor<i32>) {
               check.expect_eq %x, %x : tensor<i32>
               return
             }",
            "a.mlir:8:16: error: a check or an input outside of a case, or nested in an op of it",
        ),
        (
            "// RUN: halo-run %s
             func.func @f() {
               %x = stablehlo.constant dense<1> : tensor<i32>
               check.expect_eq %x, %x : tensor<i32>
               return
             }",
            "a.mlir:1: error: unknown directive 'RUN:'",
        ),
    ] {
        assert_eq!(errors_of("a.mlir", code, options()), [error], "{code}");
    }
}
