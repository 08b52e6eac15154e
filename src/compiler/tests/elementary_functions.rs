//! The accuracy of elementary functions through whole pipelines: on the CPU, where
//! `--halo-expand-math` leaves functions of f64 to libm, and in kernels of a GPU,
//! where it leaves none.
//!
//! `elementary_functions.txt` has a line for each value: the function, the bits of the arguments
//! and of the result, rounded from 120 digits of mpmath; special values follow IEEE 754. 8 digits
//! are f32, 16 are f64.

use halo_backend::{CompileOptions, Program, Registry};
use halo_core::Literal;
use std::collections::BTreeMap;

/// Functions of f64 for which the CPU code calls libm, so the digits depend on libm.
const OF_LIBM: &[&str] = &["exp2", "log10", "log2", "powf"];

/// The allowed difference to the correctly rounded result, in ULP.
fn allowed_ulps(name: &str, width: u32) -> i64 {
    match (name, width) {
        ("cbrt" | "exp" | "expm1" | "log" | "log1p" | "rsqrt" | "tanh", 64) => 2,
        _ => 1,
    }
}

struct Case {
    arguments: Vec<u64>,
    /// `None` represents NaN.
    expected: Option<u64>,
}

/// The cases by function and width.
fn cases() -> BTreeMap<(String, u32), Vec<Case>> {
    let bits = |text: &str| u64::from_str_radix(text, 16).unwrap();
    let mut cases: BTreeMap<_, Vec<Case>> = BTreeMap::new();
    for line in include_str!("elementary_functions.txt").lines() {
        let [name, arguments, expected] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("malformed line: {line}");
        };
        let arguments: Vec<&str> = arguments.split(',').collect();
        let width = 4 * arguments[0].len() as u32;
        cases.entry((name.to_owned(), width)).or_default().push(Case {
            arguments: arguments.into_iter().map(bits).collect(),
            expected: (expected != "nan").then(|| bits(expected)),
        });
    }
    cases
}

fn program(name: &str, float: &str, arguments: usize, count: usize) -> String {
    let list =
        |item: &dyn Fn(usize) -> String| (0..arguments).map(item).collect::<Vec<_>>().join(", ");
    let tensor = format!("tensor<{count}x{float}>");
    format!(
        "func.func @main({parameters}) -> {tensor} {{
           %init = tensor.empty() : {tensor}
           %0 = linalg.generic {{
               indexing_maps = [{maps}, affine_map<(i) -> (i)>], iterator_types = [\"parallel\"]}}
               ins({inputs} : {types}) outs(%init : {tensor}) {{
           ^bb0({elements}, %out: {float}):
             %1 = math.{name} {operands} : {float}
             linalg.yield %1 : {float}
           }} -> {tensor}
           return %0 : {tensor}
         }}",
        parameters = list(&|number| format!("%a{number}: {tensor}")),
        maps = list(&|_| "affine_map<(i) -> (i)>".to_owned()),
        inputs = list(&|number| format!("%a{number}")),
        types = list(&|_| tensor.clone()),
        elements = list(&|number| format!("%x{number}: {float}")),
        operands = list(&|number| format!("%x{number}")),
    )
}

fn run(backend: &str, code: String, inputs: &[Literal]) -> Literal {
    let mut registry = Registry::new();
    halo_compiler::backends::register(&mut registry);
    let backend = registry.backend(backend).unwrap();
    let program = Program {
        name: "function.mlir".into(),
        code: code.into_bytes(),
    };
    let executable = backend.compiler.compile(&program, &CompileOptions::default()).unwrap();
    executable.run(inputs).unwrap().remove(0)
}

/// A float as an integer such that adjacent floats differ by one.
fn rank(bits: u64, width: u32) -> i64 {
    let sign = 1_u64 << (width - 1);
    let size = (bits & (sign - 1)) as i64;
    if bits & sign == 0 { size } else { -size - 1 }
}

#[test]
fn functions_are_as_exact_as_promised() {
    check("cpu", |name, width| width == 32 || !OF_LIBM.contains(&name));
}

#[test]
fn kernels_compute_functions_without_libm() {
    check("cuda-emulator", |_, _| true);
}

/// Compares the functions that a backend implements itself.
fn check(backend: &str, answers_for: fn(&str, u32) -> bool) {
    let mut failures = Vec::new();
    for ((name, width), cases) in cases() {
        if !answers_for(&name, width) {
            continue;
        }
        let arguments = cases[0].arguments.len();
        let dims = [cases.len()];
        let column = |number: usize| {
            let bits = cases.iter().map(|case| case.arguments[number]);
            if width == 32 {
                let values: Vec<f32> = bits.map(|bits| f32::from_bits(bits as u32)).collect();
                Literal::from_slice(&dims, &values).unwrap()
            } else {
                let values: Vec<f64> = bits.map(f64::from_bits).collect();
                Literal::from_slice(&dims, &values).unwrap()
            }
        };
        let inputs: Vec<Literal> = (0..arguments).map(column).collect();
        let code = program(&name, &format!("f{width}"), arguments, cases.len());
        let result = run(backend, code, &inputs);
        let bits: Vec<u64> = if width == 32 {
            let values = result.as_slice::<f32>().unwrap();
            values.iter().map(|value| u64::from(value.to_bits())).collect()
        } else {
            let values = result.as_slice::<f64>().unwrap();
            values.iter().map(|value| value.to_bits()).collect()
        };
        let allowed = allowed_ulps(&name, width);
        let infinity = if width == 32 {
            0x7f80_0000
        } else {
            0x7ff << 52
        };
        for (case, bits) in cases.iter().zip(bits) {
            let size = bits & !(1 << (width - 1));
            let right = match case.expected {
                None => size > infinity,
                // Compares the signs of zeros, and infinities exactly.
                Some(expected) if size == 0 || size == infinity => bits == expected,
                Some(expected) => (rank(bits, width) - rank(expected, width)).abs() <= allowed,
            };
            if !right {
                failures.push(format!(
                    "{name} of {:x?} is {bits:x}, expected {:x?}",
                    case.arguments, case.expected
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
