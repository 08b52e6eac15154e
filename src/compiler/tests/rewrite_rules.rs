//! Each rewrite rule of HLO preserves the bits of all results.
//!
//! Each rule of `--stablehlo-aggressive-simplification` and `--stablehlo-aggressive-folder` is
//! applied alone: to ops of each element type on special values (signed zeros, subnormals,
//! infinities, NaN, the limits of integers), and to the programs of the passes' lit files, also
//! with other element types. The interpreter runs both sides. A rule that no program triggers is an
//! error.

mod values;

use halo_codegen::cleanup;
use halo_core::ElementType;
use halo_hlo::interpreter::Environment;
use halo_hlo::transforms::simplify::{
    stablehlo_aggressive_folder::{self, Options},
    stablehlo_aggressive_simplification,
};
use halo_ir::{apply_patterns_once, edit_module, pipeline, prelude::*};
use melior::{Context, ir::Module};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use values::{Function, Outcome, difference, functions, outcome, special_splats};

const OPTIONS: Options = Options {
    element_limit: 65536,
    floats: true,
    no_undeclared_effects: true,
};

/// Rules for ops that the interpreter cannot evaluate, with the reason.
static WITHOUT_VALUES: &[(&str, &str)] = &[
    ("backend_config_of_mhlo", "it moves an attribute of a call"),
    ("shape_of_dynamic_reshape", "shapes are no tensors"),
];

/// A rule and the programs that it was applied to.
struct Rule {
    pattern: Pattern<'static>,
    /// For example `stablehlo.add: elementwise::zero_on_the_right`.
    name: String,
}

fn rules() -> Vec<Rule> {
    let patterns = [
        stablehlo_aggressive_simplification::patterns(OPTIONS),
        stablehlo_aggressive_folder::patterns(OPTIONS),
    ];
    let named = |pattern: Pattern<'static>| {
        let path = pattern.rule().replace("::{{closure}}", "");
        let path: Vec<&str> = path.rsplit("::").take(2).collect();
        let name = format!("{}: {}::{}", pattern.root(), path[1], path[0]);
        Rule { pattern, name }
    };
    patterns.into_iter().flatten().map(named).collect()
}

/// The function of a rule, which several ops may share.
fn function_of(rule: &str) -> &str {
    rule.rsplit(": ").next().unwrap_or(rule)
}

/// A program with the results of its functions, computed on demand.
struct Subject<'c> {
    context: &'c Context,
    place: String,
    code: String,
    module: Module<'c>,
    functions: Vec<(Function, Option<Outcome>)>,
}

impl<'c> Subject<'c> {
    /// `None` if the program is invalid.
    fn new(context: &'c Context, place: String, code: String) -> Option<Self> {
        let module = Module::parse(context, &code)?;
        let functions = functions(&module);
        let functions = functions.into_iter().map(|function| (function, None));
        Some(Self {
            context,
            place,
            code,
            functions: functions.collect(),
            module,
        })
    }

    fn copy(&self) -> Module<'c> {
        Module::parse(self.context, &self.code).unwrap()
    }
}

/// The findings about the rules.
#[derive(Default)]
struct Findings {
    /// The number of functions that were compared, by rule.
    compared: BTreeMap<String, usize>,
    mismatches: BTreeMap<String, Vec<String>>,
}

impl Findings {
    /// Compares the results of the functions that a rule has rewritten.
    fn compare(&mut self, name: &str, subject: &mut Subject, after: &Module) {
        let texts = functions(after);
        let old = subject.functions.iter().map(|(function, _)| &function.text);
        if old.eq(texts.iter().map(|function| &function.text)) {
            return;
        }
        let is_valid = after.as_operation().verify();
        let [old, new] = [&subject.module, after]
            .map(|module| Environment::new(module.as_operation(), Arc::default()));
        for (function, expected) in &mut subject.functions {
            let changed = texts.iter().find(|other| other.name == function.name);
            if changed.is_none_or(|changed| changed.text == function.text) {
                continue;
            }
            let expected = expected.get_or_insert_with(|| outcome(&old, function));
            let Some(expected) = expected else {
                continue;
            };
            *self.compared.entry(name.to_owned()).or_default() += 1;
            let message = match is_valid.then(|| outcome(&new, function)) {
                Some(Some(found)) => difference(expected, &found),
                // The interpreter has no ops on `index`.
                Some(None) if changed.is_some_and(|new| new.text.contains("arith.index_cast")) => {
                    None
                }
                Some(None) => Some("it is not evaluated".to_owned()),
                None => Some("it is not valid".to_owned()),
            };
            let Some(message) = message else {
                continue;
            };
            let text = format!("{}: @{}: {message}", subject.place, function.name);
            let messages = self.mismatches.entry(name.to_owned()).or_default();
            messages.push(text);
        }
    }

    /// Applies a rule, and compares the results if it rewrites something.
    fn apply(&mut self, rule: &Rule, subject: &mut Subject) {
        let mut after = subject.copy();
        let patterns = [rule.pattern.clone()];
        let result = edit_module(&mut after, |module| apply_patterns_once(module, &patterns));
        let place = &subject.place;
        assert!(matches!(result, Ok(Ok(()))), "{}: {place}", rule.name);
        self.compare(&rule.name, subject, &after);
    }

    /// Applies all rules and folds until nothing changes.
    fn simplify(&mut self, subject: &mut Subject) {
        let pipeline = pipeline![
            &stablehlo_aggressive_simplification::PASS,
            &cleanup::canonicalize::PASS,
            &stablehlo_aggressive_folder::PASS,
            &cleanup::canonicalize::PASS,
        ];
        let mut after = subject.copy();
        halo_hlo::run_pipeline(subject.context, &mut after, &pipeline)
            .unwrap_or_else(|error| panic!("{}: {error}", subject.place));
        self.compare("all rules and folds: passes", subject, &after);
    }
}

/// Functions of an op on special values of an element type: with constants, with itself, twice.
fn program_of(op: &str, element: ElementType) -> String {
    let splats = special_splats(element);
    let count = values::special(element).element_count();
    let (scalar, tensor) = (
        format!("tensor<{element}>"),
        format!("tensor<{count}x{element}>"),
    );
    let mask = format!("tensor<{count}xi1>");
    let mut functions = Vec::new();
    let mut function = |body: String, result: &str| {
        let number = functions.len();
        functions.push(format!(
            "func.func @f{number}(%x: {tensor}, %y: {tensor}, %p: {mask}, %s: tensor<i1>) -> {result} {{\n{body}\n  return %r : {result}\n}}"
        ));
    };
    let constant = |name: &str, text: &str| {
        format!("  %{name} = stablehlo.constant dense<{text}> : {tensor}\n")
    };
    match op {
        "stablehlo.compare" => {
            for direction in ["EQ", "NE", "LT", "LE", "GT", "GE"] {
                for kind in ["", ", TOTALORDER"] {
                    let mut compare = |before: &str, left: &str, right: &str| {
                        function(
                            format!(
                                "{before}  %r = stablehlo.compare {direction}, %{left}, %{right}{kind} : ({tensor}, {tensor}) -> {mask}"
                            ),
                            &mask,
                        );
                    };
                    compare("", "x", "x");
                    for text in &splats {
                        let before = constant("c", text);
                        compare(&before, "x", "c");
                        compare(&before, "c", "x");
                    }
                }
            }
        }
        "stablehlo.select" => {
            let mut select = |before: &str, predicate: &str, of: &str, outcomes: &str| {
                function(
                    format!(
                        "{before}  %r = stablehlo.select {predicate}, {outcomes} : {of}, {tensor}"
                    ),
                    &tensor,
                );
            };
            for outcomes in ["%x, %y", "%x, %x"] {
                select("", "%p", &mask, outcomes);
                for truth in ["true", "false"] {
                    let before = format!("  %t = stablehlo.constant dense<{truth}> : {mask}\n");
                    select(&before, "%t", &mask, outcomes);
                }
            }
            select(
                &format!("  %t = stablehlo.not %p : {mask}\n"),
                "%t",
                &mask,
                "%x, %y",
            );
            select(
                &format!(
                    "  %n = stablehlo.not %s : tensor<i1>\n  %t = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<i1>) -> {mask}\n"
                ),
                "%t",
                &mask,
                "%x, %y",
            );
            let choices: Vec<&str> =
                (0..count).map(|number| ["true", "false"][number % 2]).collect();
            for (first, second) in splats.iter().zip(splats.iter().skip(1)) {
                let before = format!(
                    "  %t = stablehlo.constant dense<[{}]> : {mask}\n{}{}",
                    choices.join(", "),
                    constant("c", first),
                    constant("d", second)
                );
                select(&before, "%t", &mask, "%c, %d");
            }
        }
        "stablehlo.complex" | "stablehlo.real" | "stablehlo.imag" => {
            let complex = format!("tensor<{count}xcomplex<{element}>>");
            let pair = format!(
                "  %z = stablehlo.complex %x, %y : {complex}\n  %w = stablehlo.complex %y, %x : {complex}\n  %a = stablehlo.real %z : ({complex}) -> {tensor}\n  %b = stablehlo.imag %z : ({complex}) -> {tensor}\n  %c = stablehlo.imag %w : ({complex}) -> {tensor}\n"
            );
            if op == "stablehlo.complex" {
                for parts in ["%a, %b", "%a, %c", "%b, %a"] {
                    let body = format!("{pair}  %r = {op} {parts} : {complex}");
                    function(body, &complex);
                }
            } else {
                let body = format!("{pair}  %r = {op} %z : ({complex}) -> {tensor}");
                function(body, &tensor);
                let body = format!("  %r = {op} %x : ({tensor}) -> {tensor}");
                function(body, &tensor);
            }
        }
        "stablehlo.convert" => {
            let body = format!("  %r = {op} %x : ({tensor}) -> {tensor}");
            function(body, &tensor);
        }
        "stablehlo.negate" | "stablehlo.not" => {
            let body = format!("  %0 = {op} %x : {tensor}\n  %r = {op} %0 : {tensor}");
            function(body, &tensor);
        }
        "stablehlo.clamp" => {
            for text in &splats {
                let bound = format!("  %c = stablehlo.constant dense<{text}> : {scalar}\n");
                for operands in ["%c, %x, %y", "%x, %y, %c"] {
                    let body = format!("{bound}  %r = \"{op}\"({operands}) : (...) -> {tensor}");
                    let types = operands
                        .split(", ")
                        .map(|name| if name == "%c" { &scalar } else { &tensor });
                    let types: Vec<&str> = types.map(String::as_str).collect();
                    function(body.replace("...", &types.join(", ")), &tensor);
                }
            }
        }
        _ => {
            let mut binary = |before: &str, left: &str, right: &str| {
                let body = format!("{before}  %r = {op} %{left}, %{right} : {tensor}");
                function(body, &tensor);
            };
            binary("", "x", "x");
            binary("", "x", "y");
            for text in &splats {
                let before = constant("c", text);
                binary(&before, "x", "c");
                binary(&before, "c", "x");
            }
            let before = constant("c", &splats[0]) + &constant("d", &splats[1]);
            binary(&before, "c", "d");
        }
    }
    functions.join("\n")
}

/// The ops that are rewritten by rules for single elements.
static ELEMENTWISE: &[&str] = &[
    "stablehlo.add",
    "stablehlo.and",
    "stablehlo.clamp",
    "stablehlo.compare",
    "stablehlo.complex",
    "stablehlo.convert",
    "stablehlo.divide",
    "stablehlo.imag",
    "stablehlo.maximum",
    "stablehlo.minimum",
    "stablehlo.multiply",
    "stablehlo.negate",
    "stablehlo.not",
    "stablehlo.or",
    "stablehlo.power",
    "stablehlo.real",
    "stablehlo.remainder",
    "stablehlo.select",
    "stablehlo.shift_left",
    "stablehlo.shift_right_arithmetic",
    "stablehlo.shift_right_logical",
    "stablehlo.subtract",
    "stablehlo.xor",
];

/// The lit files of the passes, and programs of this test.
fn corpus() -> Vec<(String, String)> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");
    let transforms = format!("{root}lit-tests/hlo/transforms/simplify");
    let mut files = vec![
        format!("{transforms}/stablehlo_aggressive_folder.mlir"),
        format!("{root}src/compiler/tests/rewrite_rules/programs.mlir"),
    ];
    let folder = format!("{transforms}/stablehlo_aggressive_simplification");
    let entries = std::fs::read_dir(&folder).unwrap();
    files.extend(entries.map(|entry| entry.unwrap().path().display().to_string()));
    files.sort();
    let parts = |file: &String| {
        let text = std::fs::read_to_string(file).unwrap();
        let name = file.rsplit('/').next().unwrap_or_default().to_owned();
        let lines = |part: &str| -> String {
            let kept = part.lines().filter(|line| !line.trim_start().starts_with("//"));
            kept.map(|line| format!("{line}\n")).collect()
        };
        text.split("\nfunc.func ")
            .skip(1)
            .map(|part| (name.clone(), format!("func.func {}", lines(part))))
            .collect::<Vec<_>>()
    };
    files.iter().flat_map(parts).collect()
}

/// Replaces one of a program's element types by another type.
fn with_element(code: &str, from: &str, to: &str) -> String {
    let mut text = code.to_owned();
    for before in ["<", "x", "complex<"] {
        text = text.replace(&format!("{before}{from}>"), &format!("{before}{to}>"));
    }
    text
}

const FLOATS: &[&str] = &["f64", "f32", "bf16", "f8E5M2FNUZ"];
const INTEGERS: &[&str] = &["i64", "i32", "i8", "ui8", "ui64", "i1"];

fn variants(code: &str) -> Vec<String> {
    let mut variants = vec![code.to_owned()];
    for types in [FLOATS, INTEGERS] {
        for from in types {
            if !code.contains(&format!("x{from}>")) && !code.contains(&format!("<{from}>")) {
                continue;
            }
            let others = types.iter().filter(|to| *to != from);
            variants.extend(others.map(|to| with_element(code, from, to)));
            if FLOATS.contains(from) {
                variants.push(with_element(code, from, "complex<f32>"));
            }
        }
    }
    variants
}

#[test]
fn rules_keep_the_bits_of_all_results() {
    let context = halo_compiler::context();
    // Element types that the program does not support.
    context.attach_diagnostic_handler(|_| true);
    let rules = rules();
    let elementwise = rules.iter().filter(|rule| rule.name.contains(": elementwise::"));
    let roots = elementwise.map(|rule| rule.pattern.root());
    let unlisted: BTreeSet<&str> = roots.filter(|op| !ELEMENTWISE.contains(op)).collect();
    assert!(unlisted.is_empty(), "expected in ELEMENTWISE: {unlisted:?}");
    let mut without_program: BTreeSet<&str> = ELEMENTWISE.iter().copied().collect();
    let mut findings = Findings::default();
    let start = std::time::Instant::now();
    for element in values::ELEMENTS {
        for op in ELEMENTWISE {
            // They commute by their trait, although the left operand is the result if NaN or the
            // signs of zeros make the order significant.
            if element.is_complex() && matches!(*op, "stablehlo.maximum" | "stablehlo.minimum") {
                continue;
            }
            let (place, code) = (format!("{op} of {element}"), program_of(op, *element));
            let Some(mut subject) = Subject::new(&context, place, code) else {
                continue;
            };
            without_program.remove(op);
            for rule in rules.iter().filter(|rule| rule.pattern.root() == *op) {
                findings.apply(rule, &mut subject);
            }
            findings.simplify(&mut subject);
        }
    }
    println!("elementwise: {:?}", start.elapsed());
    assert!(
        without_program.is_empty(),
        "expected a valid program of 'program_of' for {without_program:?}"
    );
    for (file, code) in corpus() {
        for code in variants(&code) {
            let Some(mut subject) = Subject::new(&context, file.clone(), code) else {
                continue;
            };
            for rule in &rules {
                if subject.code.contains(rule.pattern.root()) {
                    findings.apply(rule, &mut subject);
                }
            }
        }
    }
    let names: BTreeSet<&str> = rules.iter().map(|rule| rule.name.as_str()).collect();
    let functions: BTreeSet<&str> = names.iter().map(|name| function_of(name)).collect();
    for (rule, messages) in &findings.mismatches {
        println!("{rule}: {} wrong", messages.len());
        for message in messages.iter().take(5) {
            println!("  {message}");
        }
    }
    println!(
        "{} rules of {} functions, {} functions compared; wrong: {:?}",
        names.len(),
        functions.len(),
        findings.compared.values().sum::<usize>(),
        findings.mismatches.keys(),
    );
    let compared: BTreeSet<&str> = findings.compared.keys().map(|name| function_of(name)).collect();
    let is_known =
        |function: &&&str| WITHOUT_VALUES.iter().any(|(name, _)| function.ends_with(name));
    let missing: Vec<&&str> = functions
        .iter()
        .filter(|function| !compared.contains(**function) && !is_known(function))
        .collect();
    assert!(missing.is_empty(), "no program reaches {missing:?}");
    let elementwise = names
        .iter()
        .filter(|name| name.contains(": elementwise::") && !findings.compared.contains_key(**name));
    let elementwise: Vec<&&str> = elementwise.collect();
    assert!(elementwise.is_empty(), "no program reaches {elementwise:?}");
    assert!(findings.mismatches.is_empty(), "rules change results");
}
