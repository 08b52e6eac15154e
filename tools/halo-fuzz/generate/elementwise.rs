//! Ops on single elements.

use super::{Precision, Value, Writer, is_wide_float};

const EXACT_REAL: &[&str] = &[
    "abs",
    "negate",
    "sign",
    "floor",
    "ceil",
    "round_nearest_even",
    "round_nearest_afz",
    "sqrt",
    "is_finite",
];

const ROUNDED_REAL: &[&str] = &[
    "cbrt",
    "cosine",
    "exponential",
    "exponential_minus_one",
    "log",
    "log_plus_one",
    "logistic",
    "rsqrt",
    "sine",
    "tan",
    "tanh",
];

const ROUNDED_COMPLEX: &[&str] = &[
    "cosine",
    "exponential",
    "exponential_minus_one",
    "log",
    "log_plus_one",
    "logistic",
    "rsqrt",
    "sine",
    "sqrt",
    "tan",
    "tanh",
    "abs",
];

/// Functions of CHLO on reals of 32 and 64 bits.
const CHLO: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "cosh",
    "erf",
    "erfc",
    "sinh",
    "square",
    "tan",
    "is_inf",
    "is_neg_inf",
    "is_pos_inf",
];

/// The component type of a complex type.
fn part(element: &str) -> Option<&'static str> {
    match element {
        "complex<f32>" => Some("f32"),
        "complex<f64>" => Some("f64"),
        _ => None,
    }
}

impl Writer<'_> {
    pub(super) fn unary(&mut self) {
        let value = self.any();
        let (names, precision): (&[&str], _) = if !value.is_exact() {
            // Ops that preserve the distance of two values.
            match value.element {
                "i1" => (&["not"], value.precision),
                _ if value.is_float() || value.is_complex() => (&["negate"], value.precision),
                _ => return,
            }
        } else if value.element == "i1" {
            (&["not"], Precision::Exact)
        } else if value.is_unsigned() {
            (&["not", "popcnt", "count_leading_zeros"], Precision::Exact)
        } else if value.is_integer() {
            let names = &[
                "abs",
                "negate",
                "not",
                "sign",
                "popcnt",
                "count_leading_zeros",
            ];
            (names, Precision::Exact)
        } else if value.is_complex() {
            if self.pick.once_in(2) {
                (&["negate"], Precision::Exact)
            } else {
                (ROUNDED_COMPLEX, Precision::Summed)
            }
        } else if self.pick.once_in(2) {
            (EXACT_REAL, Precision::Exact)
        } else {
            (ROUNDED_REAL, Precision::Rounded)
        };
        let name = *self.pick.one(names);
        let element = match name {
            "is_finite" => "i1",
            "abs" => part(value.element).unwrap_or(value.element),
            _ => value.element,
        };
        let result = (element, value.dims.clone());
        self.emit(name, &[&value], "", "", result, precision);
    }

    pub(super) fn chlo_unary(&mut self) {
        let holds = |value: &Value| matches!(value.element, "f32" | "f64");
        let value = self.exact_with(("f32", &[5]), holds);
        let name = *self.pick.one(CHLO);
        let (element, precision) = match name {
            "is_inf" | "is_neg_inf" | "is_pos_inf" => ("i1", Precision::Exact),
            "square" => (value.element, Precision::Exact),
            // Decompositions with an error of some tens of units in the last place.
            _ => (value.element, Precision::Summed),
        };
        let result = (element, value.dims.clone());
        self.emit(
            &format!("chlo.{name}"),
            &[&value],
            "",
            "",
            result,
            precision,
        );
    }

    pub(super) fn binary(&mut self) {
        let left = self.exact_with(("f32", &[2, 3]), |_| true);
        let right = self.like(&left);
        let exact = Precision::Exact;
        let choices: &[(&str, Precision)] = match left.element {
            "i1" => &[
                ("and", exact),
                ("or", exact),
                ("xor", exact),
                ("add", exact),
                ("multiply", exact),
                ("maximum", exact),
                ("minimum", exact),
            ],
            _ if left.is_complex() => &[
                ("add", exact),
                ("subtract", exact),
                ("multiply", Precision::Summed),
                ("divide", Precision::Summed),
                ("power", Precision::Summed),
            ],
            _ if left.is_integer() => &[
                ("add", exact),
                ("subtract", exact),
                ("multiply", exact),
                ("divide", exact),
                ("remainder", exact),
                ("maximum", exact),
                ("minimum", exact),
                ("and", exact),
                ("or", exact),
                ("xor", exact),
                ("shift_left", exact),
                ("shift_right_logical", exact),
                ("shift_right_arithmetic", exact),
                ("power", exact),
            ],
            _ => &[
                ("add", exact),
                ("subtract", exact),
                ("multiply", exact),
                ("divide", exact),
                ("remainder", exact),
                ("maximum", exact),
                ("minimum", exact),
                ("atan2", Precision::Rounded),
                ("power", Precision::Rounded),
            ],
        };
        let (name, precision) = *self.pick.one(choices);
        let result = (left.element, left.dims.clone());
        self.emit(name, &[&left, &right], "", "", result, precision);
    }

    pub(super) fn compare_and_select(&mut self) {
        let left = self.exact_with(("i32", &[2, 3]), |_| true);
        let right = self.like(&left);
        let directions: &[&str] = if left.is_complex() {
            &["EQ", "NE"]
        } else {
            &["EQ", "NE", "LT", "LE", "GT", "GE"]
        };
        let direction = *self.pick.one(directions);
        let mut attributes =
            format!("comparison_direction = #stablehlo<comparison_direction {direction}>");
        if is_wide_float(left.element) && left.bits && right.bits && self.pick.once_in(4) {
            attributes += ", compare_type = #stablehlo<comparison_type TOTALORDER>";
        }
        let dims = left.dims.clone();
        let mask = self.emit(
            "compare",
            &[&left, &right],
            &attributes,
            "",
            ("i1", dims.clone()),
            Precision::Exact,
        );
        let chosen = self.any_with((left.element, &dims), |value| value.dims == dims);
        if chosen.dims != dims {
            return;
        }
        let other = self.like(&chosen);
        self.emit(
            "select",
            &[&mask, &chosen, &other],
            "",
            "",
            (chosen.element, dims),
            chosen.precision,
        );
    }

    pub(super) fn convert(&mut self) {
        let value = self.exact_with(("i32", &[2, 3]), |_| true);
        let element = *self.pick.one(super::ELEMENTS);
        let result = (element, value.dims.clone());
        self.emit("convert", &[&value], "", "", result, Precision::Exact);
    }

    pub(super) fn complex_parts(&mut self) {
        let value = self.any_with(("f32", &[2, 2]), |value| {
            value.is_complex() || matches!(value.element, "f32" | "f64")
        });
        if let Some(element) = part(value.element) {
            let name = *self.pick.one(&["real", "imag"]);
            let result = (element, value.dims.clone());
            self.emit(name, &[&value], "", "", result, value.precision);
            return;
        }
        let imaginary = self.like(&value);
        let element = match value.element {
            "f32" => "complex<f32>",
            _ => "complex<f64>",
        };
        let result = (element, value.dims.clone());
        let operands = [&value, &imaginary];
        self.emit("complex", &operands, "", "", result, value.precision);
    }

    pub(super) fn clamp(&mut self) {
        let value = self.exact_with(("f32", &[2, 3]), |value| !value.is_complex());
        let scalar = self.pick.once_in(2);
        let bound = |writer: &mut Self| {
            if scalar {
                writer.constant_of(value.element, vec![])
            } else {
                writer.like(&value)
            }
        };
        let (low, high) = (bound(self), bound(self));
        let result = (value.element, value.dims.clone());
        let operands = [&low, &value, &high];
        self.emit("clamp", &operands, "", "", result, Precision::Exact);
    }

    /// Without mantissa bits, a NaN becomes an infinity of its sign, and the sign of NaN is
    /// undefined.
    pub(super) fn reduce_precision(&mut self) {
        let value = self.exact_with(("f32", &[2, 3]), |value| is_wide_float(value.element));
        let attributes = format!(
            "exponent_bits = {} : i32, mantissa_bits = {} : i32",
            self.pick.between(2, 9),
            self.pick.between(1, 12)
        );
        let result = (value.element, value.dims.clone());
        let name = "reduce_precision";
        self.emit(name, &[&value], &attributes, "", result, Precision::Exact);
    }

    /// The bits of NaN are undefined, so only integers are reinterpreted.
    pub(super) fn bitcast_convert(&mut self) {
        let holds =
            |value: &Value| matches!(value.element, "i8" | "i16" | "i32" | "ui32" | "i64" | "ui8");
        let value = self.exact_with(("i32", &[2, 4]), holds);
        let same: &[&'static str] = match value.element {
            "i8" | "ui8" => &["i8", "ui8", "i4"],
            "i16" => &["ui16", "i8"],
            "i32" | "ui32" => &["ui32", "i16", "i8"],
            _ => &["ui64", "i32"],
        };
        let element = *self.pick.one(same);
        let bits = |element: &str| -> i64 {
            let digits: String = element.chars().filter(char::is_ascii_digit).collect();
            digits.parse().unwrap_or(8)
        };
        let mut dims = value.dims.clone();
        let ratio = bits(value.element) / bits(element);
        if ratio > 1 {
            dims.push(ratio);
        }
        let precision = Precision::Exact;
        let result = (element, dims);
        self.emit("bitcast_convert", &[&value], "", "", result, precision);
    }
}
