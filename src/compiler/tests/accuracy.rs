//! The errors of functions of f32 that `docs/numerics.md` states, in compiled code: of samples, and
//! of all arguments by `make test-accuracy`.
//!
//! The expected values are computed in f64, by the system's library, and for the error function by
//! a series and a continued fraction.

use halo_backend::{CompileOptions, Program, Registry};
use halo_core::Literal;
use halo_runtime::Executable;
use std::{f64::consts::PI, thread};

/// A function of f32.
struct Function {
    /// The ops on `%x` of type `T` that compute `%r`.
    code: &'static str,
    /// The maximal error in ULP that the book states.
    ulps: f64,
    expected: fn(f64) -> f64,
}

const FUNCTIONS: &[Function] = &[
    Function {
        code: "%r = chlo.erf %x : T -> T",
        ulps: 4.0,
        expected: |x| 1.0_f64.copysign(x) * erf(x.abs()),
    },
    Function {
        code: "%r = chlo.erfc %x : T -> T",
        ulps: 4.0,
        expected: erfc,
    },
    Function {
        code: "%r = stablehlo.exponential %x : T",
        ulps: 1.1,
        expected: f64::exp,
    },
    Function {
        code: "%r = stablehlo.exponential_minus_one %x : T",
        ulps: 1.7,
        expected: f64::exp_m1,
    },
    Function {
        code: "%r = stablehlo.log %x : T",
        ulps: 1.0,
        expected: f64::ln,
    },
    Function {
        code: "%r = stablehlo.log_plus_one %x : T",
        ulps: 1.2,
        expected: f64::ln_1p,
    },
    Function {
        code: "%r = stablehlo.tanh %x : T",
        ulps: 3.0,
        expected: f64::tanh,
    },
    Function {
        code: "%r = stablehlo.logistic %x : T",
        ulps: 2.5,
        expected: |x| 1.0 / (1.0 + (-x).exp()),
    },
    Function {
        code: "%r = stablehlo.sine %x : T",
        ulps: 1.6,
        expected: f64::sin,
    },
    Function {
        code: "%r = stablehlo.cosine %x : T",
        ulps: 1.6,
        expected: f64::cos,
    },
    Function {
        code: "%r = stablehlo.rsqrt %x : T",
        ulps: 1.5,
        expected: |x| 1.0 / x.sqrt(),
    },
];

/// `erf(x)` of a number that is not negative: a series of positive terms.
fn erf(x: f64) -> f64 {
    if x.is_nan() || x > 6.0 {
        return x.clamp(0.0, 1.0);
    }
    let (mut term, mut sum, mut number) = (x, 0.0, 0.0);
    while sum + term != sum {
        sum += term;
        number += 1.0;
        term *= 2.0 * x * x / (2.0 * number + 1.0);
    }
    2.0 / PI.sqrt() * (-x * x).exp() * sum
}

/// `erfc(x)`: beyond 2 a continued fraction.
fn erfc(x: f64) -> f64 {
    if x < 0.0 {
        return 2.0 - erfc(-x);
    }
    if x < 2.0 || x.is_nan() {
        return 1.0 - erf(x);
    }
    let fraction = (1..80).rev().fold(x, |rest, number| x + f64::from(number) / 2.0 / rest);
    (-x * x).exp() / (PI.sqrt() * fraction)
}

/// The number of elements of a program.
const COUNT: usize = 1 << 20;

fn compile(function: &Function, count: usize) -> Box<dyn Executable> {
    let tensor = format!("tensor<{count}xf32>");
    let body = function.code.replace('T', &tensor);
    let code =
        format!("func.func @main(%x: {tensor}) -> {tensor} {{ {body} return %r : {tensor} }}");
    let mut registry = Registry::new();
    halo_compiler::backends::register(&mut registry);
    let program = Program {
        name: "function.mlir".into(),
        code: code.into_bytes(),
    };
    let cpu = registry.backend("cpu").unwrap();
    cpu.compiler.compile(&program, &CompileOptions::default()).unwrap()
}

fn results(executable: &dyn Executable, arguments: &[f32]) -> Vec<f32> {
    let input = Literal::from_slice(&[arguments.len()], arguments).unwrap();
    executable.run(&[input]).unwrap().remove(0).as_slice::<f32>().unwrap().to_vec()
}

/// The error in units of the last place of the expected number; infinite if one of both is not
/// finite and the other one is not the same.
fn error(result: f32, expected: f64) -> f64 {
    let rounded = expected as f32;
    if !rounded.is_finite() || !result.is_finite() {
        let is_same = result == rounded || result.is_nan() && rounded.is_nan();
        return if is_same { 0.0 } else { f64::INFINITY };
    }
    let exponent = (rounded.abs().to_bits() >> 23).max(1) as i32 - 127 - 23;
    (f64::from(result) - expected).abs() / 2_f64.powi(exponent)
}

/// The argument with the largest error.
fn worst(function: &Function, arguments: &[f32], results: &[f32]) -> (f64, f32) {
    arguments.iter().zip(results).fold((0.0, 0.0), |worst, (&x, &result)| {
        let error = error(result, (function.expected)(f64::from(x)));
        if error > worst.0 { (error, x) } else { worst }
    })
}

fn assert_exact(function: &Function, (ulps, x): (f64, f32)) {
    let code = function.code;
    assert!(
        ulps <= function.ulps,
        "{code} of {x:?} ({:#x}): {ulps} ULP",
        x.to_bits()
    );
}

/// Arguments at equal distances in their bits, and all close to the ends of formulas.
fn samples() -> Vec<f32> {
    let ends = [
        0.0,
        f32::MIN_POSITIVE,
        f32::EPSILON / 4.0,
        f32::EPSILON,
        0.25,
        0.5,
        0.625,
        2.0 / 3.0,
        1.0,
        4.0 / 3.0,
        1.5,
        2.0,
        3.919_206,
        4.0,
        9.01,
        10.0,
        10.05,
        10.1,
        20.0,
        87.33,
        88.0,
        88.722_84,
        89.0,
        103.97,
        104.0,
        f32::MAX,
    ];
    let near = ends.iter().flat_map(|end| {
        let bits = end.to_bits();
        bits.saturating_sub(200)..=(bits + 200).min(f32::INFINITY.to_bits())
    });
    let mut all: Vec<f32> =
        near.flat_map(|bits| [f32::from_bits(bits), -f32::from_bits(bits)]).collect();
    all.extend([f32::NAN, -f32::NAN]);
    let stride = (1_u64 << 32).div_ceil((COUNT - all.len()) as u64) as u32 | 1;
    all.extend(
        (0..(COUNT - all.len()) as u32).map(|number| f32::from_bits(number.wrapping_mul(stride))),
    );
    all
}

#[test]
fn samples_have_the_stated_errors() {
    let arguments = samples();
    for function in FUNCTIONS {
        let results = results(&*compile(function, COUNT), &arguments);
        assert_exact(function, worst(function, &arguments, &results));
    }
}

/// The scalar code of remainder loops has the same formulas as vector code.
#[test]
fn scalar_code_has_the_bits_of_vector_code() {
    let arguments = samples();
    for function in FUNCTIONS {
        let vectors = results(&*compile(function, COUNT), &arguments);
        let scalar = compile(function, 1);
        for number in (0..COUNT).step_by(1009) {
            let result = results(&*scalar, &arguments[number..=number])[0];
            let expected = vectors[number];
            let is_same = result.to_bits() == expected.to_bits() || result.is_nan();
            assert!(
                is_same,
                "{} of {:?}: {result:?}, {expected:?}",
                function.code, arguments[number]
            );
        }
    }
}

/// An hour or two on one core.
#[test]
#[ignore = "all arguments: make test-accuracy"]
fn all_arguments_have_the_stated_errors() {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    for function in FUNCTIONS {
        let executable = compile(function, COUNT);
        let chunks = (1_u64 << 32) / COUNT as u64;
        let worst_of_chunk = |chunk: u64| {
            let first = (chunk * COUNT as u64) as u32;
            let bits = first..=first + (COUNT as u32 - 1);
            let arguments: Vec<f32> = bits.map(f32::from_bits).collect();
            let results = results(&*executable, &arguments);
            worst(function, &arguments, &results)
        };
        let maxima: Vec<(f64, f32)> = thread::scope(|scope| {
            let of_thread = |thread: usize| {
                let worst_of_chunk = &worst_of_chunk;
                scope.spawn(move || {
                    let own = (thread as u64..chunks).step_by(threads);
                    own.map(worst_of_chunk).fold((0.0, 0.0), |a, b| if b.0 > a.0 { b } else { a })
                })
            };
            let all: Vec<_> = (0..threads).map(of_thread).collect();
            all.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let worst = maxima.into_iter().fold((0.0, 0.0), |a, b| if b.0 > a.0 { b } else { a });
        println!("{}: {:.2} ULP at {:?}", function.code, worst.0, worst.1);
        assert_exact(function, worst);
    }
}
