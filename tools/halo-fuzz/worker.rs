//! Runs cases, and reports each on standard output before it starts.

use crate::Options;
use crate::cases::{Case, Corpus, Kind, edit_bytes};
use crate::divided;
use crate::generate::{
    Precision,
    dynamic::{Sizes, input_shapes},
};
use crate::pick::Pick;
use crate::tools::{Runner, Running};
use halo_backend::{Backend, CompileOptions, Program, Registry, Specialize};
use halo_core::{ElementType, Literal, Rule, Shape, compare, random::Generator};
use halo_hlo::transforms::simplify::{
    stablehlo_aggressive_folder, stablehlo_aggressive_simplification,
};
use halo_ir::{
    pipeline,
    pipeline::{Pipeline, upstream},
};
use halo_runtime::Error;
use halo_vhlo::Version;
use std::io::Write;

/// The passes that must not change the results of a program.
pub fn simplification() -> Pipeline {
    pipeline![
        upstream("canonicalize"),
        &stablehlo_aggressive_simplification::PASS,
        &stablehlo_aggressive_folder::PASS,
        upstream("canonicalize"),
        upstream("cse"),
    ]
}

/// Runs the cases that the options select.
pub fn run(options: &Options, corpus: &Corpus) {
    let mut registry = Registry::new();
    halo_compiler::backends::register(&mut registry);
    let running = Running::default();
    end_with_parent(running.clone());
    let thread = std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(halo_ir::limits::STACK_BYTES)
            .spawn_scoped(scope, || run_cases(options, corpus, &registry, running))
            .map(std::thread::ScopedJoinHandle::join)
    });
    if !matches!(thread, Ok(Ok(Ok(())))) {
        std::process::exit(1);
    }
}

fn run_cases(
    options: &Options,
    corpus: &Corpus,
    registry: &Registry,
    running: Running,
) -> std::io::Result<()> {
    let tools = if options.tools {
        Some(Runner::new(options, corpus, registry, running)?)
    } else {
        None
    };
    let last = options.first.saturating_add(options.count);
    let step = usize::try_from(options.step.max(1)).unwrap_or(usize::MAX);
    for number in (options.first..last).step_by(step) {
        let mut out = std::io::stdout();
        writeln!(out, "case {number}")?;
        out.flush()?;
        let outcome = match &tools {
            Some(tools) => tools.check(number),
            None => check(&mut corpus.case(number), registry, options).inspect_err(|_| {
                let _ = crate::keep(&options.out, number, corpus);
            }),
        };
        if let Err(message) = outcome {
            writeln!(out, "failure {}", message.replace('\n', " | "))?;
        }
    }
    Ok(())
}

/// Ends the process and its children when standard input is closed, because the parent holds the
/// other end.
fn end_with_parent(running: Running) {
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        running.kill();
        std::process::exit(1);
    });
}

fn check(case: &mut Case, registry: &Registry, options: &Options) -> Result<(), String> {
    let reference = registry.backend("interpreter").map_err(|error| error.to_string())?;
    match case.kind {
        Kind::Valid => {
            let expected = evaluate(reference, &case.code, true)
                .map_err(|error| format!("refused: {error}"))?;
            let simplified = simplify(&case.code).map_err(|error| format!("passes: {error}"))?;
            let actual = evaluate(reference, &simplified, true)
                .map_err(|error| format!("simplified, refused: {error}"))?;
            same(&actual, &expected, &case.results, "simplified")?;
            if let Some(name) = &options.backend {
                let backend = registry.backend(name).map_err(|error| error.to_string())?;
                // Without folding, so that the compiled code runs.
                let actual = evaluate(backend, &case.code, false)
                    .map_err(|error| format!("{name}: {error}"))?;
                same(&actual, &expected, &case.results, name)?;
            }
            Ok(())
        }
        Kind::Divided(mesh) => {
            let name = options.backend.as_deref().unwrap_or("interpreter");
            let backend = registry.backend(name).map_err(|error| error.to_string())?;
            divided::check(case, mesh, reference, backend)
        }
        Kind::AllShapes(sizes) => {
            let name = options.backend.as_deref().unwrap_or("cpu");
            let backend = registry.backend(name).map_err(|error| error.to_string())?;
            all_shapes(case, &sizes, reference, backend)
        }
        Kind::Hostile => {
            let named = options.backend.as_deref().map(|name| registry.backend(name));
            let named = named.transpose().map_err(|error| error.to_string())?;
            hostile(reference, named, &case.code)
        }
        Kind::Artifact => {
            let Some(mut code) = artifact(&case.code, &mut case.pick) else {
                return Ok(());
            };
            edit_bytes(&mut code, &mut case.pick, 0);
            // A file that is no longer recognized is treated as bytecode.
            if !halo_vhlo::is_portable_artifact(&code) {
                return Ok(());
            }
            load(&code)
        }
        Kind::Bytecode => {
            let Some(mut code) = bytecode(&case.code) else {
                return Ok(());
            };
            edit_bytes(&mut code, &mut case.pick, 0);
            hostile(reference, None, &code)
        }
    }
}

/// Runs one code for inputs of several sizes. Sizes that the interpreter refuses need not run.
fn all_shapes(
    case: &Case,
    sizes: &[Sizes],
    reference: &Backend,
    backend: &Backend,
) -> Result<(), String> {
    let message = |error: Error| error.to_string();
    let options = CompileOptions {
        specialize: Specialize::Never,
        ..CompileOptions::default()
    };
    let compile = |backend: &Backend| backend.compiler.compile(&program(&case.code), &options);
    let expected = compile(reference).map_err(|error| format!("refused: {error}"))?;
    let actual = compile(backend).map_err(message)?;
    for sizes in sizes {
        let mut generator = Generator::new(1);
        let patterns = expected.signature().inputs.iter();
        let inputs = patterns.zip(input_shapes(*sizes)).map(|(pattern, dims)| {
            let shape =
                Shape::new(pattern.element_type(), dims).map_err(|error| error.to_string())?;
            generator.literal(&shape).map_err(|error| error.to_string())
        });
        let inputs = inputs.collect::<Result<Vec<Literal>, String>>()?;
        let Ok(expected) = expected.run(&inputs) else {
            continue;
        };
        let actual = actual.run(&inputs).map_err(|error| format!("sizes {sizes:?}: {error}"))?;
        same(
            &actual,
            &expected,
            &case.results,
            &format!("sizes {sizes:?}"),
        )?;
    }
    Ok(())
}

/// Runs arbitrary input, also on the backend of the options: errors are allowed, except for
/// internal errors.
fn hostile(reference: &Backend, named: Option<&Backend>, code: &[u8]) -> Result<(), String> {
    let mut outcomes = vec![
        evaluate(reference, code, true).map(|_| ()),
        simplify(code).map(|_| ()),
        serialize(code),
    ];
    outcomes.extend(named.map(|backend| evaluate(backend, code, true).map(|_| ())));
    for outcome in outcomes {
        match outcome {
            Err(Error::Internal(message)) => return Err(format!("internal error: {message}")),
            Err(error) if error.to_string().contains("internal error") => {
                return Err(error.to_string());
            }
            _ => {}
        }
    }
    Ok(())
}

/// Parses arbitrary bytes, and writes the resulting program.
fn load(code: &[u8]) -> Result<(), String> {
    let context = halo_compiler::context();
    match halo_frontend::parse(&context, &program(code)) {
        Ok(module) => {
            let _ = module.as_operation().to_string();
            let _ = halo_frontend::portable_artifact::serialize(&module, Version::CURRENT);
            Ok(())
        }
        Err(Error::Internal(message)) => Err(format!("internal error: {message}")),
        Err(error) if error.to_string().contains("error: ") => Ok(()),
        Err(error) => Err(format!("no diagnostic: {error}")),
    }
}

pub fn program(code: &[u8]) -> Program {
    Program {
        name: "case.mlir".to_owned(),
        code: code.to_vec(),
    }
}

pub fn evaluate(backend: &Backend, code: &[u8], fold: bool) -> Result<Vec<Literal>, Error> {
    let mut options = CompileOptions {
        no_constant_folding: !fold,
        ..CompileOptions::default()
    };
    // Kernels must not race, even if the results are correct.
    if backend
        .compiler
        .description()
        .options
        .iter()
        .any(|option| option.name == "checks")
    {
        options.backend.set("checks", "accesses");
    }
    let executable = backend.compiler.compile(&program(code), &options)?;
    let mut generator = halo_core::random::Generator::new(1);
    let inputs: Vec<Literal> = executable
        .signature()
        .inputs
        .iter()
        .filter_map(|pattern| pattern.to_shape().ok())
        .filter(|shape| shape.element_count() < 1 << 20)
        .filter_map(|shape| generator.literal(&shape).ok())
        .collect();
    executable.run(&inputs)
}

fn simplify(code: &[u8]) -> Result<Vec<u8>, Error> {
    let context = halo_compiler::context();
    let mut module = halo_frontend::parse(&context, &program(code))?;
    halo_hlo::run_pipeline(&context, &mut module, &simplification())?;
    Ok(module.as_operation().to_string().into_bytes())
}

fn bytecode(code: &[u8]) -> Option<Vec<u8>> {
    let context = halo_compiler::context();
    let module = halo_frontend::parse(&context, &program(code)).ok()?;
    Some(halo_ir::diagnostics::bytecode_of(&module))
}

/// Writes a program as an artifact of each version that [`artifact`] does.
fn serialize(code: &[u8]) -> Result<(), Error> {
    let context = halo_compiler::context();
    let module = halo_frontend::parse(&context, &program(code))?;
    TARGETS.iter().try_for_each(|version| {
        halo_frontend::portable_artifact::serialize(&module, *version).map(|_| ())
    })
}

const TARGETS: [Version; 5] = [
    Version::MINIMUM,
    Version::new(0, 14),
    Version::new(1, 0),
    Version::new(1, 9),
    Version::CURRENT,
];

/// The artifact of a program for some version; `None` if it is rejected, or has ops that artifacts
/// do not support.
fn artifact(code: &[u8], pick: &mut Pick) -> Option<Vec<u8>> {
    let context = halo_compiler::context();
    let module = halo_frontend::parse(&context, &program(code)).ok()?;
    halo_frontend::portable_artifact::serialize(&module, *pick.one(&TARGETS)).ok()
}

/// Compares each result with its precision.
pub fn same(
    actual: &[Literal],
    expected: &[Literal],
    precisions: &[Precision],
    what: &str,
) -> Result<(), String> {
    for (number, (actual, expected)) in actual.iter().zip(expected).enumerate() {
        let precision = precisions.get(number).copied();
        let rule = rule(precision.unwrap_or(Precision::Exact), expected);
        let comparison = compare(actual, expected, rule).map_err(|error| error.to_string())?;
        if !comparison.passed() {
            return Err(format!("{what}, result {number}: {comparison}"));
        }
    }
    Ok(())
}

/// The tolerance of a result. A sum of n terms in another order differs by about n units of the
/// largest term; programs are small.
fn rule(precision: Precision, expected: &Literal) -> Rule {
    match precision {
        Precision::Exact => Rule::EXACT.with_signed_zeros(),
        Precision::Equal => Rule::EXACT,
        Precision::Rounded => Rule::ulp(4).with_signed_zeros(),
        Precision::Summed => {
            let relative = match expected.element_type() {
                ElementType::F64 | ElementType::Complex128 => 1e-11,
                ElementType::F32 | ElementType::Complex64 => 1e-4,
                ElementType::F16 => 1e-2,
                ElementType::BF16 => 6e-2,
                _ => 0.5,
            };
            Rule::close(relative, relative * largest(expected).max(1.0))
        }
    }
}

/// The largest finite modulus among the elements.
fn largest(literal: &Literal) -> f64 {
    (0..literal.element_count())
        .map(|position| literal.get_complex(position).norm())
        .filter(|modulus| modulus.is_finite())
        .fold(0.0, f64::max)
}
