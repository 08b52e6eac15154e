//! Valid programs of random ops.
//!
//! A program is one function without arguments: constants, and then ops on existing values, chosen
//! so that their constraints hold. All unused values are returned.
//!
//! Two implementations of a program may differ by rounding, and the difference grows: the floors of
//! 2.9999999 and of 3 are not close. So each value has a [`Precision`], and an inexact value is an
//! operand only of ops that do not amplify the difference.

mod bounded;
mod calls;
mod combining;
mod control;
pub mod dynamic;
mod elementwise;
mod indexing;
mod linear;
mod movement;
mod rows;
mod shapes;
mod sharding;
mod weights;

use crate::pick::Pick;
use sharding::Division;
pub use sharding::{Divided, Mesh};

/// The maximum distance between the results of two implementations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Precision {
    /// The same bits, including signs of zeros, except for the payload of NaN.
    Exact,
    /// The same numbers: a maximum of zeros may have either sign.
    Equal,
    /// A few units in the last place: one function of exact values.
    Rounded,
    /// Close relative to the largest element: a sum in some order.
    Summed,
}

/// A program, and the precision of its results.
pub struct Program {
    pub text: String,
    pub results: Vec<Precision>,
}

/// A value of the program.
#[derive(Clone, Debug)]
struct Value {
    name: String,
    /// Its index among all values.
    id: usize,
    element: &'static str,
    dims: Vec<i64>,
    precision: Precision,
    /// Set if the bits of NaN are defined: arithmetic gives it any sign.
    bits: bool,
}

impl Value {
    fn r#type(&self) -> String {
        type_of(self.element, &self.dims)
    }

    fn is_float(&self) -> bool {
        is_float(self.element)
    }

    fn is_complex(&self) -> bool {
        self.element.starts_with("complex")
    }

    fn is_integer(&self) -> bool {
        !self.is_float() && !self.is_complex() && self.element != "i1"
    }

    fn is_unsigned(&self) -> bool {
        self.element.starts_with("ui")
    }

    fn is_exact(&self) -> bool {
        self.precision == Precision::Exact
    }

    fn is_empty(&self) -> bool {
        self.dims.contains(&0)
    }
}

fn is_float(element: &str) -> bool {
    element.starts_with('f') || element == "bf16"
}

/// Returns true if arithmetic on these floats is usually native.
fn is_wide_float(element: &str) -> bool {
    matches!(element, "f16" | "bf16" | "f32" | "f64")
}

fn type_of(element: &str, dims: &[i64]) -> String {
    let dims: String = dims.iter().map(|dim| format!("{dim}x")).collect();
    format!("tensor<{dims}{element}>")
}

/// `array<i64: ...>`.
fn array(values: &[i64]) -> String {
    match values {
        [] => "array<i64>".to_owned(),
        _ => format!("array<i64: {}>", list(values)),
    }
}

fn list(values: &[i64]) -> String {
    let texts: Vec<String> = values.iter().map(ToString::to_string).collect();
    texts.join(", ")
}

/// `dense<...> : tensor<Nx2xi64>`, as in padding.
fn pairs(values: &[(i64, i64)]) -> String {
    let texts: Vec<String> = values.iter().map(|(a, b)| format!("[{a}, {b}]")).collect();
    let text = match values {
        [] => String::new(),
        _ => format!("[{}]", texts.join(", ")),
    };
    format!("dense<{text}> : tensor<{}x2xi64>", values.len())
}

/// Ops that move elements and preserve their bits.
const MOVES: &[&str] = &[
    "broadcast_in_dim",
    "concatenate",
    "constant",
    "dynamic_broadcast_in_dim",
    "dynamic_pad",
    "dynamic_reshape",
    "dynamic_slice",
    "dynamic_update_slice",
    "gather",
    "iota",
    "pad",
    "real_dynamic_slice",
    "reshape",
    "reverse",
    "slice",
    "transpose",
];

/// Element types; common ones are repeated.
const ELEMENTS: &[&str] = &[
    "i1",
    "i1",
    "i2",
    "i4",
    "i8",
    "i16",
    "i32",
    "i32",
    "i32",
    "i64",
    "i64",
    "ui2",
    "ui4",
    "ui8",
    "ui8",
    "ui16",
    "ui32",
    "ui32",
    "ui64",
    "f16",
    "bf16",
    "bf16",
    "f32",
    "f32",
    "f32",
    "f32",
    "f32",
    "f64",
    "f64",
    "complex<f32>",
    "complex<f64>",
    "f8E4M3FN",
    "f8E5M2",
    "f8E4M3",
    "f8E3M4",
    "f8E4M3FNUZ",
    "f8E5M2FNUZ",
    "f8E4M3B11FNUZ",
    "f6E2M3FN",
    "f6E3M2FN",
    "f4E2M1FN",
];

struct Writer<'p> {
    pick: &'p mut Pick,
    lines: Vec<String>,
    values: Vec<Value>,
    used: Vec<bool>,
    /// The partitioning of the program, if any.
    division: Option<Division>,
}

/// A random program.
pub fn program(pick: &mut Pick) -> Program {
    let mut writer = Writer::new(pick);
    writer.ops();
    writer.finish()
}

/// A random partitioned program.
pub fn divided(pick: &mut Pick) -> Divided {
    let mut writer = Writer::new(pick);
    writer.choose_mesh();
    writer.ops();
    writer.finish_divided()
}

impl<'p> Writer<'p> {
    fn new(pick: &'p mut Pick) -> Self {
        Self {
            pick,
            lines: Vec::new(),
            values: Vec::new(),
            used: Vec::new(),
            division: None,
        }
    }
}

impl Writer<'_> {
    fn ops(&mut self) {
        for _ in 0..=self.pick.below(3) {
            self.constant();
        }
        for _ in 0..=self.pick.below(14) {
            if self.division.is_some() && self.pick.once_in(2) {
                self.constrain();
            }
            self.op();
        }
    }

    fn finish(self) -> Program {
        let results: Vec<&Value> =
            self.values.iter().filter(|value| !self.used[value.id]).collect();
        let types: Vec<String> = results.iter().map(|value| value.r#type()).collect();
        let names: Vec<&str> = results.iter().map(|value| value.name.as_str()).collect();
        let text = format!(
            "func.func @main() -> ({types}) {{\n{body}\n  return {names} : {types}\n}}\n",
            types = types.join(", "),
            body = self.lines.join("\n"),
            names = names.join(", "),
        );
        Program {
            text,
            results: results.iter().map(|value| value.precision).collect(),
        }
    }

    fn op(&mut self) {
        match self.pick.below(60) {
            0..4 => self.unary(),
            4..8 => self.binary(),
            8 => self.compare_and_select(),
            9 => self.convert(),
            10 => self.complex_parts(),
            11 => self.clamp(),
            12 => self.reduce_precision(),
            13 => self.bitcast_convert(),
            14 => self.chlo_unary(),
            15..17 => self.broadcast(),
            17 => self.reshape(),
            18 => self.transpose(),
            19 => self.reverse(),
            20 => self.slice(),
            21 => self.pad(),
            22 => self.concatenate(),
            23 => self.iota(),
            24..26 => self.reduce(),
            26 => self.reduce_pair(),
            27..29 => self.reduce_window(),
            29 => self.scan(),
            30 => self.select_and_scatter(),
            31 if self.division.is_none() && self.pick.once_in(2) => self.low_bit_product(),
            31..33 => self.dot(),
            33..35 => self.convolution(),
            35..37 => self.sort(),
            37 => self.top_k(),
            38..40 => self.gather(),
            40..42 => self.scatter(),
            42 => self.dynamic_slice(),
            43 => self.conditional(),
            44 => self.case(),
            45 if self.pick.once_in(2) => self.nested_loops(),
            45 => self.while_loop(),
            46 => self.map(),
            47 => self.fft(),
            48 => self.factorization(),
            49 => self.batch_norm(),
            50 => self.rng_bit_generator(),
            51..53 if self.division.is_none() => self.call_on_view(),
            53 | 54 => self.counted_loop(),
            // Too slow for several partitions.
            55..57 if self.division.is_none() => self.rows(),
            57..59 if self.division.is_none() => self.bounded_control_flow(),
            // Sizes that are arguments are not constant.
            _ if self.division.is_some() => self.dot(),
            _ => self.dynamic_shape(),
        }
    }

    /// An op in generic form with one result.
    fn emit(
        &mut self,
        name: &str,
        operands: &[&Value],
        attributes: &str,
        region: &str,
        (element, dims): (&'static str, Vec<i64>),
        precision: Precision,
    ) -> Value {
        let results = vec![(element, dims, precision)];
        self.emit_all(name, operands, attributes, region, results).remove(0)
    }

    /// An op in generic form. `region` is the text within its braces.
    fn emit_all(
        &mut self,
        name: &str,
        operands: &[&Value],
        attributes: &str,
        region: &str,
        results: Vec<(&'static str, Vec<i64>, Precision)>,
    ) -> Vec<Value> {
        for operand in operands {
            self.mark_used(operand);
        }
        let names: Vec<&str> = operands.iter().map(|value| value.name.as_str()).collect();
        let types: Vec<String> = operands.iter().map(|value| value.r#type()).collect();
        let region = match region {
            "" => String::new(),
            region => format!("({{\n{region}\n  }}) "),
        };
        let bits = MOVES.contains(&name) && operands.iter().all(|operand| operand.bits);
        let name = if name.contains('.') {
            name.to_owned()
        } else {
            format!("stablehlo.{name}")
        };
        let first = self.values.len();
        let several = results.len() > 1;
        let values: Vec<Value> = results
            .into_iter()
            .enumerate()
            .map(|(number, (element, dims, precision))| Value {
                name: if several {
                    format!("%{first}#{number}")
                } else {
                    format!("%{first}")
                },
                id: first + number,
                element,
                dims,
                precision,
                bits,
            })
            .collect();
        let outputs: Vec<String> = values.iter().map(Value::r#type).collect();
        let count = if several {
            format!(":{}", values.len())
        } else {
            String::new()
        };
        self.lines.push(format!(
            "  %{first}{count} = \"{name}\"({}) {region}{{{attributes}}} : ({}) -> ({})",
            names.join(", "),
            types.join(", "),
            outputs.join(", "),
        ));
        self.values.extend(values.iter().cloned());
        self.used.resize(self.values.len(), false);
        values
    }

    fn mark_used(&mut self, value: &Value) {
        self.used[value.id] = true;
    }

    fn dims(&mut self) -> Vec<i64> {
        let rank = self.pick.below(4);
        (0..rank).map(|_| self.size()).collect()
    }

    fn size(&mut self) -> i64 {
        if self.division.is_some() && !self.pick.once_in(8) {
            return self.size_to_divide();
        }
        match self.pick.below(40) {
            0 | 1 => 0,
            2..12 => 1,
            12 => self.pick.between(5, 40),
            _ => self.pick.between(2, 5),
        }
    }

    fn constant(&mut self) -> Value {
        let element = *self.pick.one(ELEMENTS);
        let dims = self.dims();
        self.constant_of(element, dims)
    }

    fn constant_of(&mut self, element: &'static str, dims: Vec<i64>) -> Value {
        let text = if !dims.contains(&0) && self.pick.once_in(4) {
            self.known_element(element).to_owned()
        } else {
            self.elements(element, &dims, Self::scalar)
        };
        self.constant_text(&text, element, dims)
    }

    /// An element that rewrites treat as neutral or absorbing, or that looks like one.
    fn known_element(&mut self, element: &str) -> &'static str {
        let texts: &[&str] = match element {
            "complex<f32>" | "complex<f64>" => &[
                "(0.0, 0.0)",
                "(-0.0, 0.0)",
                "(0.0, -0.0)",
                "(-0.0, -0.0)",
                "(1.0, 0.0)",
            ],
            "i1" => &["false", "true"],
            _ if is_float(element) => &["0.0", "-0.0", "1.0", "-1.0"],
            "i2" => &["0", "1", "-1"],
            "ui2" => &["0", "1", "3"],
            _ if element.starts_with('u') => &["0", "1", "15"],
            _ => &["0", "1", "-1"],
        };
        self.pick.one::<&str>(texts)
    }

    fn constant_text(&mut self, text: &str, element: &'static str, dims: Vec<i64>) -> Value {
        if self.division.is_some() && self.pick.once_in(2) {
            return self.argument(element, &dims, text);
        }
        let attributes = format!("value = dense<{text}> : {}", type_of(element, &dims));
        let result = (element, dims);
        self.emit("constant", &[], &attributes, "", result, Precision::Exact)
    }

    /// A constant of integers in a range, inclusive.
    fn integers(
        &mut self,
        element: &'static str,
        dims: Vec<i64>,
        (low, high): (i64, i64),
    ) -> Value {
        let text = self.elements(element, &dims, |writer, _| {
            writer.pick.between(low, high).to_string()
        });
        self.constant_text(&text, element, dims)
    }

    fn elements(
        &mut self,
        element: &str,
        dims: &[i64],
        scalar: impl Fn(&mut Self, &str) -> String + Copy,
    ) -> String {
        if dims.contains(&0) {
            return String::new();
        }
        match dims {
            [] => scalar(self, element),
            [size, inner @ ..] => {
                let parts: Vec<String> =
                    (0..*size).map(|_| self.elements(element, inner, scalar)).collect();
                format!("[{}]", parts.join(", "))
            }
        }
    }

    fn scalar(&mut self, element: &str) -> String {
        let special = self.pick.once_in(12);
        let number = self.pick.between(-9, 9);
        let one_of = |pick: &mut Pick, texts: &[&str]| pick.one(texts).to_string();
        match element {
            "i1" => (number > 0).to_string(),
            "i2" => self.pick.between(-2, 1).to_string(),
            "ui2" => self.pick.between(0, 3).to_string(),
            "i4" => self.pick.between(-8, 7).to_string(),
            "ui4" => self.pick.between(0, 15).to_string(),
            "i8" if special => one_of(self.pick, &["127", "-128"]),
            "i16" if special => one_of(self.pick, &["32767", "-32768"]),
            "i32" if special => one_of(self.pick, &["2147483647", "-2147483648"]),
            "i64" if special => one_of(self.pick, &["-9223372036854775808", "9223372036854775807"]),
            "ui8" if special => one_of(self.pick, &["255", "128", "200"]),
            "ui16" if special => one_of(self.pick, &["65535", "32768"]),
            "ui32" if special => one_of(self.pick, &["4294967295", "2147483648"]),
            "ui64" if special => {
                one_of(self.pick, &["18446744073709551615", "9223372036854775808"])
            }
            "ui8" | "ui16" | "ui32" | "ui64" => number.unsigned_abs().to_string(),
            "f32" if special => one_of(
                self.pick,
                &[
                    "0x7F800000",
                    "0xFF800000",
                    "0x7FC00000",
                    "-0.0",
                    "0x00000001",
                ],
            ),
            "f64" if special => one_of(
                self.pick,
                &["0xFFF0000000000000", "0x7FF8000000000000", "-0.0", "1.0e30"],
            ),
            "f16" if special => one_of(self.pick, &["0x7C00", "0xFE00", "-0.0", "0x0001"]),
            "bf16" if special => one_of(self.pick, &["0x7F80", "0xFFC0", "-0.0", "0x0001"]),
            "complex<f32>" | "complex<f64>" => {
                let imaginary = self.pick.between(-3, 3);
                format!(
                    "({:.1}, {:.1})",
                    number as f64 / 2.0,
                    imaginary as f64 / 2.0
                )
            }
            "f16" | "bf16" | "f32" | "f64" => format!("{:.2}", number as f64 / 4.0),
            _ if is_float(element) => format!("{:.1}", self.pick.between(-8, 8) as f64 / 2.0),
            _ => number.to_string(),
        }
    }

    fn any(&mut self) -> Value {
        let number = self.pick.below(self.values.len());
        self.values[number].clone()
    }

    /// An exact value that satisfies the predicate, or a new constant with this element type and,
    /// unless the predicate rejects them, these sizes.
    fn exact_with(
        &mut self,
        (element, dims): (&'static str, &[i64]),
        holds: impl Fn(&Value) -> bool,
    ) -> Value {
        let fitting: Vec<Value> = self
            .values
            .iter()
            .filter(|value| value.is_exact() && holds(value))
            .cloned()
            .collect();
        if !fitting.is_empty() && !self.pick.once_in(6) {
            return self.pick.one(&fitting).clone();
        }
        let random = self.dims();
        let value = self.constant_of(element, random);
        if holds(&value) {
            value
        } else {
            self.constant_of(element, dims.to_vec())
        }
    }

    /// A value of any precision that satisfies the predicate.
    fn any_with(
        &mut self,
        (element, dims): (&'static str, &[i64]),
        holds: impl Fn(&Value) -> bool,
    ) -> Value {
        let fitting: Vec<Value> =
            self.values.iter().filter(|value| holds(value)).cloned().collect();
        if fitting.is_empty() || self.pick.once_in(8) {
            self.exact_with((element, dims), holds)
        } else {
            self.pick.one(&fitting).clone()
        }
    }

    /// An exact value of the same type as another one.
    fn like(&mut self, value: &Value) -> Value {
        let same: Vec<Value> = self
            .values
            .iter()
            .filter(|other| other.is_exact() && other.r#type() == value.r#type())
            .cloned()
            .collect();
        if !same.is_empty() && self.pick.once_in(2) {
            self.pick.one(&same).clone()
        } else {
            self.constant_of(value.element, value.dims.clone())
        }
    }

    /// A value with at least one dimension.
    fn ranked(&mut self) -> Value {
        let element = *self.pick.one(ELEMENTS);
        self.any_with((element, &[2, 3]), |value| !value.dims.is_empty())
    }

    fn order(&mut self, count: usize) -> Vec<i64> {
        let mut order: Vec<i64> = (0..count as i64).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, self.pick.below(last + 1));
        }
        order
    }

    fn some_dims(&mut self, value: &Value) -> Vec<i64> {
        (0..value.dims.len() as i64).filter(|_| self.pick.once_in(2)).collect()
    }
}
