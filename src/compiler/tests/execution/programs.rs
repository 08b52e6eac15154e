//! The programs in `src/compiler/tests/programs/`, on every backend.
//!
//! A public function is a case: it computes something from constants, and ops of the dialect
//! `check` state the results. The compiled function takes the constants that are marked as `input`
//! as arguments, and returns the values that are checked. So the compiler knows no input, and
//! results are stored where the caller wants them. The interpreter evaluates the checks.

use super::{compile::compilations_as, options};
use halo_core::Literal;
use halo_core::compare::{Rule, compare};
use halo_hlo::interpreter::{Environment, Evaluator, Value};
use halo_hlo::literals::{literal_for, literal_of};
use halo_ir::diagnostics::{bytecode_of, file_line_column};
use halo_ir::ops::{Op as _, OperationExt, check, func, stablehlo};
use halo_ir::{
    BuildError, Operation, add_argument, arguments_of, attribute_of, body_of, collect_operations,
    discardable_attributes, edit_module, name_of, operands_of, operations_of, parent_operation,
    replace_uses, result_types_of, results_of, root_of, terminator_of, with_builder,
};
use halo_runtime::{CompileOptions, Program};
use melior::ir::operation::OperationLike;
use melior::ir::{Type, ValueLike, r#type::FunctionType};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The attribute of a constant that the compiled function takes as an argument.
const INPUT: &str = "input";
/// The attribute of a function whose constants are folded, as the compiler does by default.
const FOLDS_CONSTANTS: &str = "folds_constants";

/// Makes a test of each file.
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
    branches
    complex
    conversions
    custom_calls
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
    let file = format!("{name}.mlir");
    let code = std::fs::read_to_string(folder().join(&file)).unwrap();
    let errors = errors_of(&format!("src/compiler/tests/programs/{file}"), &code);
    assert!(errors.is_empty(), "\n{}", errors.join("\n"));
}

/// The mistakes in a file, or else the failures of its cases on all backends.
fn errors_of(name: &str, code: &str) -> Vec<String> {
    let context = halo_compiler::context();
    let mut program = Program {
        name: name.to_owned(),
        code: code.into(),
    };
    let parse = || halo_frontend::parse(&context, &program);
    let (module, mut compiled) = match (parse(), parse()) {
        (Ok(module), Ok(copy)) => (module, copy),
        (Err(error), _) | (_, Err(error)) => return vec![error.to_string()],
    };
    let cases = cases_of(root_of(&module));
    let mistakes = mistakes(root_of(&module), &cases, name, code);
    if !mistakes.is_empty() {
        return mistakes;
    }
    edit_module(&mut compiled, |root| {
        cases_of(root)
            .into_iter()
            .try_for_each(pass_inputs_and_results)
    })
    .and_then(|outcome| outcome)
    .unwrap();
    program.code = bytecode_of(&compiled);
    let environment = Environment::new(root_of(&module), Arc::default());
    let texts = cases_of(root_of(&compiled))
        .into_iter()
        .map(|function| function.to_string());
    let cases = cases.into_iter().zip(texts);
    cases
        .flat_map(|(function, text)| Case::new(function).failures(&program, &text, &environment))
        .collect()
}

/// The public functions of a module.
fn cases_of(root: Operation<'_>) -> Vec<Operation<'_>> {
    collect_operations(root, is_case)
}

fn is_case(op: Operation) -> bool {
    let function = op.cast::<func::FuncOp>();
    function.is_some_and(|function| function.sym_visibility() != Some("private"))
}

fn is_input(op: Operation) -> bool {
    op.isa::<stablehlo::ConstantOp>() && attribute_of(op, INPUT).is_some()
}

fn is_check(op: Operation) -> bool {
    name_of(op).starts_with("check.")
}

fn ops_of(function: Operation<'_>) -> Vec<Operation<'_>> {
    body_of(function, 0).map(operations_of).unwrap_or_default()
}

/// Where an op is in the file.
fn place(op: Operation) -> String {
    file_line_column(op.location()).unwrap_or_default()
}

/// What a file says that would not be tested.
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
        if !body_of(*case, 0).is_some_and(|body| arguments_of(body).is_empty()) {
            mistake(
                *case,
                "a case with arguments: inputs are constants with the attribute 'input'",
            );
        }
    }
    for op in collect_operations(root, |_| true) {
        let is_in_case = parent_operation(op).is_some_and(is_case);
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
        for (attribute, _) in discardable_attributes(op) {
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

/// Makes arguments of the inputs of a case, and results of what it checks, in place of the checks.
fn pass_inputs_and_results(function: Operation) -> Result<(), BuildError> {
    let (Some(body), Some(function)) = (body_of(function, 0), function.cast::<func::FuncOp>())
    else {
        return Ok(());
    };
    let mut results = Vec::new();
    for op in operations_of(body) {
        if is_input(op) {
            let argument = add_argument(body, result_types_of(op)[0], op.location());
            replace_uses(results_of(op)[0], argument);
        } else if is_check(op) {
            results.extend(operands_of(op));
        } else {
            continue;
        }
        with_builder(op, |b| b.erase(op))?;
    }
    if let Some(end) = terminator_of(body) {
        with_builder(end, |b| {
            func::return_(b, &results)?;
            b.erase(end)
        })?;
    }
    let inputs = types_of(&arguments_of(body));
    let context = halo_ir::context_of(function.operation());
    let r#type = FunctionType::new(context, &inputs, &types_of(&results));
    function.set_function_type(r#type.into());
    Ok(())
}

fn types_of<'c>(values: &[halo_ir::Value<'c>]) -> Vec<Type<'c>> {
    values.iter().map(|value| value.r#type()).collect()
}

/// A function with what its runs are given, and what they must give.
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
            inputs: inputs
                .map(|op| literal_of(attribute_of(op, "value").unwrap()).unwrap())
                .collect(),
            checks: ops.into_iter().filter(|op| is_check(*op)).collect(),
        }
    }

    /// The failures of the case in a program, on the machines whose sample its text is in.
    fn failures(
        &self,
        program: &Program,
        text: &str,
        environment: &Environment<'m>,
    ) -> Vec<String> {
        let name = self.function.sym_name();
        let options = CompileOptions {
            entry: Some(name.to_owned()),
            no_constant_folding: attribute_of(self.function.operation(), FOLDS_CONSTANTS).is_none(),
            ..options()
        };
        let mut failures = Vec::new();
        for (backend, executable) in compilations_as(text, program, &options) {
            let outcome = executable.and_then(|executable| executable.run(&self.inputs));
            let errors = match outcome {
                Ok(results) => self.mismatches(results, environment),
                Err(error) => vec![error.to_string()],
            };
            let of_case = |error| format!("{error}\n  in @{name} on {backend}");
            failures.extend(errors.into_iter().map(of_case));
        }
        failures
    }

    /// The checks that results of a run do not pass.
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
        let value = attribute_of(check, "value").unwrap();
        literal_for(value, operands_of(check)[0].r#type()).unwrap()
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
                  return
                }";
    let errors = errors_of("a.mlir", code);
    for backend in ["cpu", "interpreter", "c", "cuda-emulator"] {
        let of_backend = errors.iter().filter_map(|error| {
            let error = error.strip_suffix(&format!("\n  in @negates on {backend}"))?;
            error.split_once("; worst at").map(|(start, _)| start)
        });
        assert_eq!(
            of_backend.collect::<Vec<_>>(),
            [
                "a.mlir:5:19: error: 1 of 2 elements differ (exact)",
                "a.mlir:6:19: error: 'check.expect_close' op 1 of 2 elements differ (at most 3 ULP)",
            ],
            "{backend}: {errors:?}"
        );
    }
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
        assert_eq!(errors_of("a.mlir", code), [error], "{code}");
    }
}
