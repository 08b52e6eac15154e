//! The results of the emulator for each model, compared with the interpreter's.

use super::{
    backend, for_each,
    models::{MODELS, Model},
};
use halo_backend::{Backend, CompileOptions};
use halo_core::{
    ElementType, Literal,
    compare::{Rule, compare},
};
use std::time::Instant;

/// Runs the kernels with all memory accesses checked: no races, and nothing out of bounds.
#[test]
fn emulated_kernels_compute_what_the_interpreter_does() {
    let (emulator, interpreter) = (backend("cuda-emulator"), backend("interpreter"));
    for_each(MODELS, |model| {
        agrees(model, &emulator, &interpreter).map_err(|error| format!("{}: {error}", model.name))
    });
}

fn agrees(model: &Model, emulator: &Backend, interpreter: &Backend) -> Result<(), String> {
    let start = Instant::now();
    let program = model.program();
    let outputs = |backend: &Backend| -> Result<Vec<Literal>, String> {
        let mut options = CompileOptions::default();
        if backend.name == emulator.name {
            options.backend.set("checks", "accesses");
        }
        let executable = backend.compiler.compile(&program, &options);
        let executable = executable.map_err(|error| format!("{}: {error}", backend.name))?;
        let arguments = model.arguments(&executable.signature().inputs);
        let outputs = executable.run(&arguments);
        outputs.map_err(|error| format!("{}: {error}", backend.name))
    };
    let (expected, actual) = (outputs(interpreter)?, outputs(emulator)?);
    assert_eq!(actual.len(), expected.len());
    for (number, (actual, expected)) in actual.iter().zip(&expected).enumerate() {
        let comparison = compare(actual, expected, rule(expected));
        let comparison = comparison.map_err(|error| error.to_string())?;
        if !comparison.passed() {
            return Err(format!("result {number}: {comparison}"));
        }
    }
    let time = start.elapsed().as_secs_f64();
    println!("{:24} agrees, {time:5.2} s", model.name);
    Ok(())
}

/// The tolerance of results: integers are equal, floats differ by the order of
/// sums, and bfloat16 by one rounding.
fn rule(expected: &Literal) -> Rule {
    let element_type = expected.element_type();
    if element_type.is_integer() || element_type == ElementType::I1 {
        return Rule::EXACT;
    }
    let magnitudes = (0..expected.element_count()).map(|position| {
        let value = expected.get_complex(position);
        value.re.hypot(value.im)
    });
    let scale = magnitudes.fold(0.0, f64::max);
    let relative = match element_type {
        ElementType::BF16 => 1.0 / 128.0,
        _ => 1e-4,
    };
    Rule::close(relative, 1e-5 * scale)
}
