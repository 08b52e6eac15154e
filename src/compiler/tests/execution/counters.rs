//! Loops whose induction variables are near the limits of their types.

use super::expect;
use std::fmt::Write;

/// A loop that counts its iterations, with a counter of any integer type.
struct Counter {
    element: &'static str,
    start: i128,
    step: i128,
    direction: &'static str,
    bound: i128,
}

const fn counter(
    element: &'static str,
    start: i128,
    step: i128,
    direction: &'static str,
    bound: i128,
) -> Counter {
    Counter {
        element,
        start,
        step,
        direction,
        bound,
    }
}

const MAX: i128 = u64::MAX as i128;

static COUNTERS: &[Counter] = &[
    counter("ui2", 0, 1, "LT", 3),
    counter("ui2", 1, 1, "NE", 0),
    counter("ui4", 0, 1, "LT", 9),
    counter("ui4", 15, -1, "GE", 8),
    counter("ui4", 3, 5, "LT", 13),
    counter("ui8", 0, 1, "LT", 200),
    counter("ui8", 0, 1, "LE", 254),
    counter("ui8", 127, 1, "LT", 129),
    counter("ui8", 250, 1, "LE", 254),
    counter("ui8", 250, 5, "LT", 255),
    counter("ui8", 255, -1, "GT", 250),
    counter("ui8", 255, 255, "GE", 200),
    counter("ui8", 200, 1, "LT", 100),
    counter("ui8", 100, 50, "NE", 44),
    counter("ui8", 250, 10, "GT", 100),
    counter("ui16", 32766, 1, "LT", 32770),
    counter("ui16", 65535, -3, "GT", 65520),
    counter("ui32", 4294967290, 1, "LT", 4294967295),
    counter("ui32", 2147483646, 2, "LE", 2147483650),
    counter("ui32", 3, -1, "NE", 4294967295),
    counter("ui64", MAX - 3, 1, "LT", MAX),
    counter("ui64", MAX, -1, "GE", MAX - 4),
    counter("ui64", (1 << 63) - 2, 1, "LT", (1 << 63) + 2),
    counter("i2", -2, 1, "LT", 1),
    counter("i4", 7, -1, "GT", -8),
    counter("i8", -128, 1, "LT", -120),
    counter("i8", 121, 3, "LT", 127),
    counter("i8", -120, -4, "GE", -127),
    counter("i8", 100, 1, "NE", -100),
    counter("i8", 5, 1, "EQ", 5),
    counter("i8", 5, 1, "EQ", 6),
    counter("i8", 126, 1, "GT", 100),
    counter("i16", 32760, 1, "LE", 32766),
    counter("i64", i64::MAX as i128 - 3, 1, "LT", i64::MAX as i128),
    counter("i64", i64::MIN as i128 + 3, -1, "GT", i64::MIN as i128),
];

impl Counter {
    fn width(&self) -> u32 {
        self.element.trim_start_matches(['u', 'i']).parse().unwrap()
    }

    /// The number wrapped to the type.
    fn wrapped(&self, number: i128) -> i128 {
        let modulus = 1_i128 << self.width();
        let low = number.rem_euclid(modulus);
        if self.element.starts_with('i') && low >= modulus / 2 {
            low - modulus
        } else {
            low
        }
    }

    /// The number of iterations, and the last value of the counter.
    fn simulated(&self) -> (i32, i128) {
        let (mut value, mut count) = (self.start, 0);
        let bound = self.bound;
        while match self.direction {
            "LT" => value < bound,
            "LE" => value <= bound,
            "GT" => value > bound,
            "GE" => value >= bound,
            "NE" => value != bound,
            _ => value == bound,
        } {
            value = self.wrapped(value + self.step);
            count += 1;
            assert!(count < 1000, "an endless loop");
        }
        (count, value)
    }

    /// The loop, from constants or arguments, with the bound at the left if `swapped`.
    fn program(&self, number: usize, swapped: bool) -> String {
        let element = self.element;
        let direction = match (swapped, self.direction) {
            (true, "LT") => "GT",
            (true, "LE") => "GE",
            (true, "GT") => "LT",
            (true, "GE") => "LE",
            (_, direction) => direction,
        };
        let operands = if swapped { "%bound, %i" } else { "%i, %bound" };
        format!(
            "  %start{number} = stablehlo.constant dense<{start}> : tensor<{element}>
  %loop{number}:2 = stablehlo.while(%i = %start{number}, %n = %zero) : tensor<{element}>, tensor<i32>
  cond {{
    %bound = stablehlo.constant dense<{bound}> : tensor<{element}>
    %goes_on = stablehlo.compare {direction}, {operands} : (tensor<{element}>, tensor<{element}>) -> tensor<i1>
    stablehlo.return %goes_on : tensor<i1>
  }} do {{
    %step = stablehlo.constant dense<{step}> : tensor<{element}>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %step : tensor<{element}>
    %more = stablehlo.add %n, %one : tensor<i32>
    stablehlo.return %next, %more : tensor<{element}>, tensor<i32>
  }}
",
            start = self.start,
            bound = self.bound,
            step = self.wrapped(self.step),
        )
    }
}

#[track_caller]
fn expect_counters(swapped: bool) {
    let mut body = "  %zero = stablehlo.constant dense<0> : tensor<i32>\n".to_owned();
    let (mut values, mut types, mut expected) = (Vec::new(), Vec::new(), Vec::new());
    for (number, counter) in COUNTERS.iter().enumerate() {
        body += &counter.program(number, swapped);
        let element = counter.element;
        values.push(format!("%loop{number}#1, %loop{number}#0"));
        types.push(format!("tensor<i32>, tensor<{element}>"));
        let (count, last) = counter.simulated();
        expected.push(format!("dense<{count}> : tensor<i32>"));
        expected.push(format!("dense<{last}> : tensor<{element}>"));
    }
    let (values, types) = (values.join(", "), types.join(", "));
    let mut code = String::new();
    let _ = write!(
        code,
        "func.func @main() -> ({types}) {{\n{body}  return {values} : {types}\n}}"
    );
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    expect(&code, &[], &expected);
}

#[test]
fn counters_reach_the_limits_of_their_types() {
    expect_counters(false);
}

#[test]
fn bounds_stand_at_the_left() {
    expect_counters(true);
}
