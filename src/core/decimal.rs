//! Floats as decimal digits, identical to LLVM's output.
//!
//! Rust's own formatting rounds correctly, which differs from LLVM: it cuts the exact decimal
//! expansion down by a power of ten estimated from the number of bits, and rounds only the
//! remaining digits half up, so that some numbers of few bits come out one lower in the last place
//! (`0.1` as `f16` is `9.997550e-02`). A literal should look the same here and in a program.

/// A number as decimal digits: `d1.d2d3... * 10^exponent`.
pub struct Decimal {
    negative: bool,
    /// Significant digits, without zeros at the end.
    digits: Vec<u8>,
    /// The power of ten of the first digit.
    exponent: i32,
    /// The requested number of digits.
    precision: i32,
}

impl Decimal {
    /// `value`, finite and not zero, rounded to `digits` digits as LLVM does.
    pub fn new(value: f64, digits: u32) -> Self {
        // value = integer * 2^binary_exponent, the integer odd.
        let bits = value.abs().to_bits();
        let fraction = bits & ((1 << 52) - 1);
        let (integer, binary_exponent) = match (bits >> 52) as i32 {
            0 => (fraction, -1074),
            biased => (fraction | (1 << 52), biased - 1075),
        };
        let zeros = integer.trailing_zeros();
        let binary_exponent = binary_exponent + zeros as i32;
        let mut number = Natural::new(integer >> zeros);

        // value = number * 10^exponent, since 2^-e = 5^e * 10^-e.
        let mut exponent = binary_exponent.min(0);
        for _ in 0..binary_exponent.max(0) {
            number.multiply(2);
        }
        for _ in 0..-exponent {
            number.multiply(5);
        }

        // 196/59 is a little more than the bits of a decimal digit.
        let bits_needed = (digits * 196).div_ceil(59);
        let removable = number.bits().saturating_sub(bits_needed) * 59 / 196;
        for _ in 0..removable {
            number.divide(10);
        }
        exponent += removable as i32;

        let mut text = Vec::new();
        while !number.is_zero() {
            text.push(b'0' + number.divide(10) as u8);
        }
        text.reverse();
        let first = exponent + text.len() as i32 - 1;
        let carried = round_half_up(&mut text, digits as usize);
        while text.last() == Some(&b'0') {
            text.pop();
        }
        Self {
            negative: value.is_sign_negative(),
            digits: text,
            exponent: first + i32::from(carried),
            precision: digits as i32,
        }
    }

    fn sign(&self) -> &'static str {
        if self.negative { "-" } else { "" }
    }

    fn text(&self, range: std::ops::Range<usize>) -> String {
        self.digits[range].iter().copied().map(char::from).collect()
    }

    /// `-1.250000e+01`: seven digits at least, and two of exponent.
    pub fn scientific(&self) -> String {
        let fraction = self.text(1..self.digits.len());
        let exponent_sign = if self.exponent < 0 { '-' } else { '+' };
        format!(
            "{}{}.{fraction:0<6}e{exponent_sign}{:02}",
            self.sign(),
            self.text(0..1),
            self.exponent.abs()
        )
    }

    /// `0.33333334`, `1234.5`, and `1.25E-7` if it would otherwise need more than three zeros as
    /// padding.
    pub fn shortened(&self) -> String {
        const MAX_PADDING: i32 = 3;
        let count = self.digits.len() as i32;
        let sign = self.sign();
        let padding = self.exponent - (count - 1);
        if (0..=MAX_PADDING).contains(&padding) && self.exponent < self.precision {
            // A whole number: not the syntax of a float.
            let zeros = "0".repeat(padding as usize);
            return format!("{sign}{}{zeros}", self.text(0..self.digits.len()));
        }
        if (0..count - 1).contains(&self.exponent) {
            let point = self.exponent as usize + 1;
            return format!(
                "{sign}{}.{}",
                self.text(0..point),
                self.text(point..self.digits.len())
            );
        }
        if (-MAX_PADDING..0).contains(&self.exponent) {
            let zeros = "0".repeat((-self.exponent - 1) as usize);
            return format!("{sign}0.{zeros}{}", self.text(0..self.digits.len()));
        }
        let fraction = match self.text(1..self.digits.len()) {
            empty if empty.is_empty() => "0".to_owned(),
            fraction => fraction,
        };
        let exponent_sign = if self.exponent < 0 { '-' } else { '+' };
        format!(
            "{sign}{}.{fraction}E{exponent_sign}{}",
            self.text(0..1),
            self.exponent.abs()
        )
    }
}

/// Truncates a number to its first `count` digits, rounding half up; true if all of them were nines
/// and the result is a one with the next higher power.
fn round_half_up(digits: &mut Vec<u8>, count: usize) -> bool {
    let up = digits.get(count).is_some_and(|next| *next >= b'5');
    digits.truncate(count);
    if !up {
        return false;
    }
    while let Some(last) = digits.pop() {
        if last != b'9' {
            digits.push(last + 1);
            return false;
        }
    }
    digits.push(b'1');
    true
}

/// A natural number of any size, in words from the least significant on.
struct Natural(Vec<u32>);

impl Natural {
    fn new(value: u64) -> Self {
        let mut natural = Self(vec![value as u32, (value >> 32) as u32]);
        natural.trim();
        natural
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of bits up to the highest one.
    fn bits(&self) -> u32 {
        match self.0.last() {
            Some(high) => self.0.len() as u32 * 32 - high.leading_zeros(),
            None => 0,
        }
    }

    fn multiply(&mut self, factor: u32) {
        let mut carry = 0;
        for word in &mut self.0 {
            carry += u64::from(*word) * u64::from(factor);
            *word = carry as u32;
            carry >>= 32;
        }
        if carry != 0 {
            self.0.push(carry as u32);
        }
    }

    /// Divides in place and returns the remainder.
    fn divide(&mut self, divisor: u32) -> u32 {
        let mut remainder = 0;
        for word in self.0.iter_mut().rev() {
            remainder = (remainder << 32) | u64::from(*word);
            *word = (remainder / u64::from(divisor)) as u32;
            remainder %= u64::from(divisor);
        }
        self.trim();
        remainder as u32
    }
}
