//! `--halo-expand-math`: expands elementary functions to straight-line arithmetic.
//!
//! A call in a loop prevents its vectorization, and the accuracy of libm is unspecified. Therefore
//! the functions of the math dialect become polynomials, selects and bit operations (see
//! [`crate::math`]):
//!
//! ```mlir
//! %y = math.exp %x : f32
//! ```
//!
//! becomes (abbreviated)
//!
//! ```mlir
//! %z = math.fma %x, %log2e, %magic : f32       // to the nearest multiple
//! %n = arith.subf %z, %magic : f32             // of ln(2) ...
//! %r = math.fma %n, %minus_ln2, %x : f32
//! %p = math.fma %r2, %q, %r : f32              // ... e^r by a polynomial ...
//! %k = arith.bitcast ...                       // ... times 2^n
//! ```
//!
//! f16 and bf16 are computed in f32. For f64, the pass expands atan, atan2, cbrt, cos, erf, erfc,
//! exp, expm1, log, log1p, rsqrt, sin, tan and tanh; other functions call libm. With the option
//! `doubles`, for devices without libm, it also expands exp2, log10, log2 and powf. Rounding f32 to bf16 is
//! expanded too, since the instructions of processors flush subnormal numbers; NVIDIA's GPUs do not
//! flush them, and `bf16-rounding=false` keeps `arith.truncf`.

use crate::{
    formula::{Formula, Number},
    math::{double, double_arctangent, double_power, double_trigonometric, single, trigonometric},
};
use halo_ir::{ops::math, prelude::*};

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Expand libm functions of f64 too, for devices without libm
        doubles: bool = false,
        /// Round f32 to bf16 by integer arithmetic, for devices without an exact instruction
        bf16_rounding: bool = true,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-expand-math",
    "Expand elementary functions into vectorizable arithmetic",
    run,
)
.dependent_dialects(&["arith", "math"])
.options::<Options>();

/// A function of one argument.
type Unary = for<'f, 'c> fn(Number<'f, 'c>) -> Number<'f, 'c>;
/// A function of two arguments.
type Binary = for<'f, 'c> fn(Number<'f, 'c>, Number<'f, 'c>) -> Number<'f, 'c>;

/// The expansion of an f32 function.
#[derive(Clone, Copy)]
enum Method {
    /// In f32.
    Native(Unary),
    /// The same of two arguments.
    NativeBinary(Binary),
    /// In f64, with a rounded result.
    Wide(Unary),
    /// The same of two arguments.
    WideBinary(Binary),
}

/// The functions of f32.
const OF_SINGLE: &[(&str, Method)] = &[
    (math::AcosOp::NAME, Method::Wide(double::acos)),
    (math::AcoshOp::NAME, Method::Wide(double::acosh)),
    (math::AsinOp::NAME, Method::Wide(double::asin)),
    (math::AsinhOp::NAME, Method::Wide(double::asinh)),
    (math::AtanOp::NAME, Method::Wide(double::atan)),
    (math::Atan2Op::NAME, Method::WideBinary(double::atan2)),
    (math::AtanhOp::NAME, Method::Wide(double::atanh)),
    (math::CbrtOp::NAME, Method::Native(single::cbrt)),
    (math::CosOp::NAME, Method::Native(trigonometric::cos)),
    (math::CoshOp::NAME, Method::Wide(double::cosh)),
    (math::ErfOp::NAME, Method::Native(single::erf)),
    (math::ErfcOp::NAME, Method::Native(single::erfc)),
    (math::ExpOp::NAME, Method::Native(single::exp)),
    (math::Exp2Op::NAME, Method::Native(single::exp2)),
    (math::ExpM1Op::NAME, Method::Native(single::expm1)),
    (math::LogOp::NAME, Method::Native(single::log)),
    (math::Log10Op::NAME, Method::Wide(double::log10)),
    (math::Log1pOp::NAME, Method::Native(single::log1p)),
    (math::Log2Op::NAME, Method::Wide(double::log2)),
    (math::PowFOp::NAME, Method::NativeBinary(single::pow)),
    (math::RsqrtOp::NAME, Method::Native(single::rsqrt)),
    (math::SinOp::NAME, Method::Native(trigonometric::sin)),
    (math::SinhOp::NAME, Method::Wide(double::sinh)),
    (math::TanOp::NAME, Method::Native(trigonometric::tan)),
    (math::TanhOp::NAME, Method::Native(single::tanh)),
];

/// The functions of f64.
const OF_DOUBLE: &[(&str, Unary)] = &[
    (math::AtanOp::NAME, double_arctangent::atan),
    (math::CbrtOp::NAME, double::cbrt),
    (math::CosOp::NAME, double_trigonometric::cos),
    (math::ErfOp::NAME, double::erf),
    (math::ErfcOp::NAME, double::erfc),
    (math::ExpOp::NAME, double::exp),
    (math::ExpM1Op::NAME, double::expm1),
    (math::LogOp::NAME, double::log),
    (math::Log1pOp::NAME, double::log1p),
    (math::RsqrtOp::NAME, single::rsqrt),
    (math::SinOp::NAME, double_trigonometric::sin),
    (math::TanOp::NAME, double_trigonometric::tan),
    (math::TanhOp::NAME, double::tanh),
];

/// The functions of f64 that call libm if the target has one.
const OF_DOUBLE_WITHOUT_LIBM: &[(&str, Unary)] = &[
    (math::Exp2Op::NAME, double_power::exp2),
    (math::Log10Op::NAME, double_power::log10),
    (math::Log2Op::NAME, double_power::log2),
];

fn find<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    table.iter().find(|(known, _)| *known == name).map(|(_, entry)| *entry)
}

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let options = pass.options::<Options>();
    pass.for_each(
        |operation| {
            (find(OF_SINGLE, operation.name()).is_some()
                || options.bf16_rounding && rounds_to_bf16(operation))
                && is_on_scalars_or_vectors(operation)
        },
        |builder, operation| {
            let formula = Formula::new(builder);
            if let Some(number) = expand(&formula, operation, &options) {
                builder.replace(operation, &[formula.finish(number)]);
            }
        },
    )
}

fn rounds_to_bf16(operation: Operation) -> bool {
    let kind_of = |value: &Value| value.ty().element_type().float_kind();
    operation.isa::<arith::TruncFOp>()
        && operation.operands().first().and_then(kind_of) == Some(FloatKind::F32)
        && operation.results().first().and_then(kind_of) == Some(FloatKind::BF16)
}

fn is_on_scalars_or_vectors(operation: Operation) -> bool {
    let is_scalar_or_vector = |ty: Type| ty.is_vector() || ty.shape().is_none();
    operation.results().into_iter().all(|result| is_scalar_or_vector(result.ty()))
}

fn expand<'f, 'c>(
    formula: &'f Formula<'c>,
    operation: Operation<'c>,
    options: &Options,
) -> Option<Number<'f, 'c>> {
    let name = operation.name();
    let operands = operation.operands();
    let operands: Vec<Number> =
        operands.into_iter().map(|operand| formula.number(operand)).collect();
    if rounds_to_bf16(operation) {
        return Some(operands[0].to_bf16());
    }
    let element = operation.results()[0].ty().element_type();
    match element.bit_width().filter(|_| element.is_float())? {
        64 => expand_double(name, &operands, options.doubles),
        32 => expand_single(name, &operands),
        width if width < 32 => {
            let single = Type::float32(operation.context());
            let wide: Vec<Number> =
                operands.into_iter().map(|operand| operand.convert_float(single)).collect();
            let value = expand_single(name, &wide)?;
            Some(match element.float_kind() {
                Some(FloatKind::BF16) if options.bf16_rounding => value.to_bf16(),
                _ => value.convert_float(element),
            })
        }
        _ => None,
    }
}

fn expand_double<'f, 'c>(
    name: &str,
    operands: &[Number<'f, 'c>],
    without_libm: bool,
) -> Option<Number<'f, 'c>> {
    if let Some(function) = find(OF_DOUBLE, name) {
        return Some(function(operands[0]));
    }
    match name {
        math::Atan2Op::NAME => Some(double_arctangent::atan2(operands[0], operands[1])),
        math::PowFOp::NAME if without_libm => Some(double_power::pow(operands[0], operands[1])),
        _ if without_libm => Some(find(OF_DOUBLE_WITHOUT_LIBM, name)?(operands[0])),
        _ => None,
    }
}

fn expand_single<'f, 'c>(name: &str, operands: &[Number<'f, 'c>]) -> Option<Number<'f, 'c>> {
    Some(match find(OF_SINGLE, name)? {
        Method::Native(function) => function(operands[0]),
        Method::NativeBinary(function) => function(operands[0], operands[1]),
        Method::Wide(function) => function(operands[0].with_width(64)).with_width(32),
        Method::WideBinary(function) => {
            function(operands[0].with_width(64), operands[1].with_width(64)).with_width(32)
        }
    })
}
