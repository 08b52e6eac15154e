//! Special values of element types, and programs run on them.

use halo_core::{Complex, ElementType, Literal, Scalar, Shape, float_format::SpecialValues};
use halo_hlo::{
    interpreter::{Environment, Evaluator, Value},
    literals,
};
use halo_ir::prelude::*;
use melior::ir::Module;

use ElementType as E;

/// The element types. There is one short float type for each kind of special values.
pub static ELEMENTS: &[ElementType] = &[
    E::I1,
    E::I2,
    E::I4,
    E::I8,
    E::I16,
    E::I32,
    E::I64,
    E::Ui2,
    E::Ui4,
    E::Ui8,
    E::Ui16,
    E::Ui32,
    E::Ui64,
    E::F4E2M1FN,
    E::F6E2M3FN,
    E::F8E4M3FN,
    E::F8E4M3FNUZ,
    E::F8E5M2,
    E::F8E8M0FNU,
    E::BF16,
    E::F16,
    E::F32,
    E::F64,
    E::Complex64,
    E::Complex128,
];

/// The bits of signed zeros, subnormals, the limits, infinities, NaN and some other floats, or of
/// all floats of a short type.
fn floats(element: ElementType) -> Vec<u64> {
    let format = element.float_format().unwrap();
    if format.bit_width() <= 6 {
        return (0..1 << format.bit_width()).collect();
    }
    let normal = 1 << format.mantissa_bits;
    let one = format.from_f64(1.0);
    let mut bits = vec![
        0,
        1,
        normal - 1,
        normal,
        one,
        one + 1,
        format.from_f64(2.5),
        format.max_finite(),
        format.from_f64(0.3),
    ];
    if format.special == SpecialValues::Ieee {
        bits.extend([format.max_finite() + 1, format.nan()]);
    }
    let negative = bits.clone();
    bits.extend(negative.into_iter().map(|number| number | format.sign_bit()));
    bits
}

/// The minimum, the maximum and some other integers, or all of a short type.
fn integers(element: ElementType) -> Vec<i128> {
    let width = element.bit_width();
    let (least, most) = if element.is_signed_integer() {
        (-(1 << (width - 1)), (1 << (width - 1)) - 1)
    } else {
        (0, (1_i128 << width) - 1)
    };
    if width <= 4 {
        return (least..=most).collect();
    }
    let half = 1 << (width - 1);
    let near = [
        least,
        least + 1,
        0,
        1,
        2,
        5,
        half - 1,
        half,
        most - 1,
        most,
        -1,
        -2,
        -7,
    ];
    let mut kept: Vec<i128> = near.into_iter().filter(|n| (least..=most).contains(n)).collect();
    kept.dedup();
    kept
}

/// The texts of elements that rules may handle specially: zeros, ones, limits.
pub fn special_splats(element: ElementType) -> Vec<String> {
    let hexadecimal = |element: ElementType, number: f64| {
        let format = element.float_format().unwrap();
        let digits = format.bit_width().div_ceil(4) as usize;
        format!("0x{:0digits$X}", format.from_f64(number))
    };
    let numbers = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        0.5,
    ];
    match element {
        E::I1 => vec!["true".to_owned(), "false".to_owned()],
        E::Complex64 | E::Complex128 => {
            let part = match element {
                E::Complex64 => E::F32,
                _ => E::F64,
            };
            let pairs = [
                (0.0, 0.0),
                (-0.0, -0.0),
                (0.0, -0.0),
                (-0.0, 0.0),
                (1.0, 0.0),
                (1.0, -0.0),
                (-1.0, 0.0),
                (f64::INFINITY, 0.0),
                (f64::NAN, 0.0),
                (0.0, f64::NAN),
            ];
            let text = |(real, imaginary)| {
                format!(
                    "({}, {})",
                    hexadecimal(part, real),
                    hexadecimal(part, imaginary)
                )
            };
            pairs.map(text).to_vec()
        }
        _ if element.is_integer() => integers(element).iter().map(ToString::to_string).collect(),
        _ => numbers.map(|number| hexadecimal(element, number)).to_vec(),
    }
}

/// A vector of special values of a type.
pub fn special(element: ElementType) -> Literal {
    let vector = |count: usize| Shape::new(element, [count]).unwrap();
    match element {
        E::I1 => Literal::from_bools(&[2], &[false, true]).unwrap(),
        E::Complex64 | E::Complex128 => {
            let infinity = f64::INFINITY;
            let parts = [0.0, -0.0, 1.0, -1.0, 2.5, infinity, -infinity, f64::NAN];
            Literal::from_fn(vector(64), |at| Complex::new(parts[at / 8], parts[at % 8]))
        }
        _ if element.is_integer() => {
            let numbers = integers(element);
            Literal::from_fn(vector(numbers.len()), |at| numbers[at])
        }
        _ => {
            let width = element.byte_width();
            let bits = floats(element);
            let bytes: Vec<u8> =
                bits.iter().flat_map(|bits| bits.to_le_bytes()[..width].to_vec()).collect();
            Literal::from_bytes(vector(bits.len()), &bytes).unwrap()
        }
    }
}

/// The distribution of an integer argument.
#[derive(Clone, Copy)]
enum Integers {
    Special,
    /// Numbers from 0 to 3, with which loops end soon.
    Small,
    /// 3, as all dynamic sizes.
    Size,
}

/// An argument of a type: special values cyclically, with a different start for each argument.
fn argument(ty: Type, number: usize, integers: Integers) -> Option<Literal> {
    let dims = ty.shape()?.into_iter();
    let dims: Vec<usize> = dims.map(|size| size.unwrap_or(3) as usize).collect();
    let element = literals::element_type_of(ty.element_type()).ok()?;
    let values = special(element);
    let shape = Shape::new(element, dims).ok()?;
    let is_integer = element.is_integer() && element != E::I1;
    Some(Literal::from_fn(shape, |at| match integers {
        Integers::Small if is_integer => Scalar::from(((at + number) % 4) as i128),
        Integers::Size if is_integer => Scalar::from(3_i128),
        _ => values.get((at + 5 * number) % values.element_count()),
    }))
}

/// A function of a program.
pub struct Function {
    pub name: String,
    pub text: String,
}

/// The functions of a module, with their text, which is printed once.
pub fn functions(module: &Module) -> Vec<Function> {
    let text = module.as_operation().to_string();
    let named = |text: &str| {
        let (_, name) = text.split_once('@')?;
        let (name, _) = name.split_once('(')?;
        Some(Function {
            name: name.to_owned(),
            text: text.to_owned(),
        })
    };
    text.split("func.func ").skip(1).filter_map(named).collect()
}

/// Returns arguments for a function, or `None` if one is not a tensor.
fn inputs(function: halo_ir::Operation, text: &str) -> Option<Vec<Value>> {
    let integers = match (text.contains('?'), text.contains("stablehlo.while")) {
        (true, _) => Integers::Size,
        (_, true) => Integers::Small,
        _ => Integers::Special,
    };
    let arguments = function.body(0)?.arguments().into_iter().enumerate();
    let inputs =
        arguments.map(|(number, value)| argument(value.ty(), number, integers).map(Value::from));
    inputs.collect()
}

/// The results of a function, or `None` if it is not evaluated.
pub type Outcome = Option<Vec<Value>>;

/// Evaluates a function of a program, or of its rewritten form.
pub fn outcome(environment: &Environment, function: &Function) -> Outcome {
    let operation = environment.function(&function.name)?;
    let inputs = inputs(operation, &function.text)?;
    let results = Evaluator::new(environment).call(&function.name, &inputs);
    results.ok().filter(|values| has_result_types(operation, values))
}

/// Returns true if values have the sizes stated by the result types. They do not if arguments are
/// inconsistent sizes.
fn has_result_types(function: halo_ir::Operation, values: &[Value]) -> bool {
    let terminator = function.body(0).and_then(Block::terminator);
    let returned = terminator.map(Operation::operands).unwrap_or_default();
    returned.iter().zip(values).all(|(result, value)| {
        let Value::Tensor(literal) = value else {
            return true;
        };
        let sizes = result.ty().shape().unwrap_or_default();
        let fits =
            |(size, dim): (&Option<i64>, &usize)| size.is_none_or(|size| size == *dim as i64);
        sizes.len() == literal.dims().len() && sizes.iter().zip(literal.dims()).all(fits)
    })
}

/// Returns the first difference between results: an element with other bits, unless both are NaN.
pub fn difference(expected: &[Value], found: &[Value]) -> Option<String> {
    let pairs = expected.iter().zip(found);
    let message = (expected.len() != found.len()).then(|| "other results".to_owned());
    message.or_else(|| pairs.clone().find_map(|(old, new)| difference_of(old, new)))
}

fn difference_of(expected: &Value, found: &Value) -> Option<String> {
    match (expected, found) {
        (Value::Tensor(expected), Value::Tensor(found)) => {
            if expected.shape() != found.shape() {
                return Some(format!(
                    "expected {}, got {}",
                    expected.shape(),
                    found.shape()
                ));
            }
            let position = (0..expected.element_count())
                .find(|at| !same(expected.get(*at), found.get(*at)))?;
            let (expected, found) = (expected.get(position), found.get(position));
            Some(format!(
                "element {position}: expected {expected:?}, got {found:?}"
            ))
        }
        (Value::Tuple(expected), Value::Tuple(found)) => difference(expected, found),
        (Value::Token, Value::Token) => None,
        _ => Some("expected another kind of value".to_owned()),
    }
}

fn same(expected: Scalar, found: Scalar) -> bool {
    let is_same = |a: f64, b: f64| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    match (expected, found) {
        (Scalar::Float(a), Scalar::Float(b)) => is_same(a, b),
        (Scalar::Complex(a), Scalar::Complex(b)) => is_same(a.re, b.re) && is_same(a.im, b.im),
        _ => expected == found,
    }
}
