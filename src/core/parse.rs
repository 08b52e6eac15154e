//! Parsing of literals, as entered on a command line.
//!
//! It supports all that [`Literal::display`] prints without eliding (a NaN as the canonical one of
//! its format), and shorter syntax if the type is given: `dense<[1.0, 2.5]>`, `[1, 2]`, or a bare
//! `1.5`, which fills the whole shape.

use num_complex::Complex;

use crate::element_type::Class;
use crate::{ElementType, Error, Literal, Result, Scalar, Shape};

impl Literal {
    /// Parses a literal. If the text has no type, it has the type `expected`; otherwise it has the
    /// type of the text, which the caller may compare.
    ///
    /// # Errors
    /// Returns an error if the text is not a literal, its nesting does not match its type, or an
    /// element does not fit its type.
    pub fn parse(text: &str, expected: Option<&Shape>) -> Result<Self> {
        let fail = |message: &str| {
            // If the whole text is wrong, it is named once.
            let message = message.strip_prefix(&format!("'{text}' is ")).unwrap_or(message);
            Error::InvalidLiteral(format!("'{text}': {message}"))
        };
        let (value, shape) = match text.rsplit_once(':') {
            Some((value, shape)) => (value, shape.parse()?),
            None => {
                let shape = expected.ok_or_else(|| fail("it has no type"))?;
                (text, shape.clone())
            }
        };
        let value = value.trim();
        let value = match value.strip_prefix("dense<") {
            Some(inner) => {
                inner.strip_suffix('>').ok_or_else(|| fail("expected '>' at the end"))?
            }
            None => value,
        };
        let mut parser = Parser {
            rest: value,
            element_type: shape.element_type(),
            elements: Vec::new(),
        };
        parser.skip_space();
        let nested = if parser.rest.is_empty() && shape.element_count() == 0 {
            true
        } else if parser.rest.starts_with('[') {
            parser.list(shape.dims()).map_err(|m| fail(&m))?;
            true
        } else {
            parser.element().map_err(|m| fail(&m))?;
            false
        };
        if !parser.rest.is_empty() {
            return Err(fail("expected the end of the literal"));
        }
        let elements = parser.elements;
        Ok(Self::from_fn(shape, |position| {
            elements[if nested { position } else { 0 }]
        }))
    }
}

struct Parser<'a> {
    rest: &'a str,
    element_type: ElementType,
    elements: Vec<Scalar>,
}

impl Parser<'_> {
    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn accept(&mut self, token: char) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                self.skip_space();
                true
            }
            None => false,
        }
    }

    fn list(&mut self, dims: &[usize]) -> Result<(), String> {
        let Some((&dim, inner)) = dims.split_first() else {
            return Err("deeper nesting than dimensions".to_owned());
        };
        if !self.accept('[') {
            return Err("less nesting than dimensions".to_owned());
        }
        let mut count = 0;
        while !self.accept(']') {
            if count > 0 && !self.accept(',') {
                return Err("expected ',' or ']'".to_owned());
            }
            if inner.is_empty() {
                self.element()?;
            } else {
                self.list(inner)?;
            }
            count += 1;
        }
        if count == dim {
            Ok(())
        } else {
            Err(format!("{count} entries where the type has {dim}"))
        }
    }

    fn element(&mut self) -> Result<(), String> {
        if self.rest.starts_with('[') {
            return Err("deeper nesting than dimensions".to_owned());
        }
        let value = match self.element_type.class() {
            Class::Complex if self.accept('(') => {
                let re = self.float()?;
                if !self.accept(',') {
                    return Err("expected ',' in a complex number".to_owned());
                }
                let im = self.float()?;
                if !self.accept(')') {
                    return Err("expected ')' after a complex number".to_owned());
                }
                Complex::new(re, im).into()
            }
            Class::Complex => Complex::new(self.float()?, 0.0).into(),
            Class::Float => self.float()?.into(),
            Class::Boolean => match self.word() {
                "true" | "1" => true.into(),
                "false" | "0" => false.into(),
                word => return Err(unfit(word, ElementType::I1)),
            },
            Class::Signed | Class::Unsigned => {
                let element_type = self.element_type;
                let word = self.word();
                let value = match word.strip_prefix("0x") {
                    Some(digits) => i128::from_str_radix(digits, 16).ok(),
                    None => word.parse().ok(),
                };
                value
                    .filter(|value| fits(element_type, *value))
                    .ok_or_else(|| unfit(word, element_type))?
                    .into()
            }
        };
        self.elements.push(value);
        Ok(())
    }

    fn float(&mut self) -> Result<f64, String> {
        let part = self.element_type.real_part();
        let word = self.word();
        let fail = || unfit(word, part);
        let format = part.float_format().ok_or_else(fail)?;
        if let Some(digits) = word.strip_prefix("0x") {
            let bits = u64::from_str_radix(digits, 16).map_err(|_| fail())?;
            return if bits >> (format.bit_width() - 1) > 1 {
                Err(fail())
            } else {
                Ok(format.to_f64(bits))
            };
        }
        // Through f64, a decimal would be rounded to f32 twice.
        let value = match part {
            ElementType::F32 => word.parse::<f32>().map(f64::from),
            _ => word.parse::<f64>(),
        };
        let value = value.map_err(|_| fail())?;
        let is_number = word.contains(|letter: char| letter.is_ascii_digit());
        if is_number && !format.holds(value) {
            return Err(format!("'{word}' is out of the range of {part}"));
        }
        Ok(value)
    }

    /// The characters up to the next delimiter.
    fn word(&mut self) -> &str {
        let delimiter = |c: char| c.is_whitespace() || ",[]()".contains(c);
        let end = self.rest.find(delimiter).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        word
    }
}

fn unfit(word: &str, element_type: ElementType) -> String {
    match word {
        "" => format!("expected a value of {element_type}"),
        _ => format!("'{word}' is not a value of {element_type}"),
    }
}

fn fits(element_type: ElementType, value: i128) -> bool {
    let bits = element_type.bit_width();
    let (low, high) = if element_type.is_signed_integer() {
        (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    } else {
        (0, (1 << bits) - 1)
    };
    (low..=high).contains(&value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PrintOptions;

    fn parse(text: &str, expected: &str) -> Result<Literal> {
        let expected: Option<Shape> = expected.parse().ok();
        Literal::parse(text, expected.as_ref())
    }

    fn message(text: &str, expected: &str) -> String {
        parse(text, expected).unwrap_err().to_string()
    }

    #[test]
    fn what_is_printed_is_read_back() {
        let mut generator = crate::random::Generator::new(1);
        for element_type in ElementType::ALL {
            for dims in [vec![], vec![1], vec![3], vec![2, 3], vec![2, 0]] {
                let literal = generator.literal(&Shape::new(element_type, dims).unwrap()).unwrap();
                let text = literal.display(PrintOptions::ALL).to_string();
                assert_eq!(Literal::parse(&text, None).unwrap(), literal, "{text}");
            }
        }
        for text in [
            "dense<[0x7F800000, 0xFFC00000, 1.000000e+00]> : tensor<3xf32>",
            "dense<0x7C00> : tensor<f16>",
        ] {
            let literal = Literal::parse(text, None).unwrap();
            assert!(literal.get_f64(0).is_infinite(), "{text}");
        }
    }

    #[test]
    fn the_expected_type_fills_in() {
        let one = Literal::from_slice(&[2], &[1.5_f32, 2.0]).unwrap();
        for text in ["[1.5, 2]", "dense<[1.5,2.0]>", " dense<[ 1.5 , 2e0 ]> "] {
            assert_eq!(parse(text, "tensor<2xf32>").unwrap(), one);
        }
        let splat = Literal::from_slice(&[2], &[7_i64, 7]).unwrap();
        assert_eq!(parse("7", "tensor<2xi64>").unwrap(), splat);
        let typed = parse("dense<1> : tensor<i8>", "tensor<2xi64>").unwrap();
        assert_eq!(typed, Literal::scalar(1_i8));
        let complex = parse("(1, -2.5)", "tensor<complex<f64>>").unwrap();
        assert_eq!(complex.get_complex(0), Complex::new(1.0, -2.5));
        assert!(parse("true", "tensor<i1>").unwrap().get_bool(0));
        assert!(parse("nan", "tensor<f32>").unwrap().get_f64(0).is_nan());
    }

    #[test]
    fn wrong_text_is_told() {
        let cases = [
            ("1.5", "", "invalid literal '1.5': it has no type"),
            (
                "[1, 2]",
                "tensor<3xi32>",
                "invalid literal '[1, 2]': 2 entries where the type has 3",
            ),
            (
                "[[1]]",
                "tensor<1xi32>",
                "invalid literal '[[1]]': deeper nesting than dimensions",
            ),
            (
                "[1]",
                "tensor<1x1xi32>",
                "invalid literal '[1]': less nesting than dimensions",
            ),
            (
                "[1]",
                "tensor<i32>",
                "invalid literal '[1]': deeper nesting than dimensions",
            ),
            (
                "128",
                "tensor<i8>",
                "invalid literal '128': not a value of i8",
            ),
            (
                "-1",
                "tensor<ui8>",
                "invalid literal '-1': not a value of ui8",
            ),
            (
                "1.5",
                "tensor<i32>",
                "invalid literal '1.5': not a value of i32",
            ),
            ("2", "tensor<i1>", "invalid literal '2': not a value of i1"),
            (
                "0x1FF",
                "tensor<f8E5M2>",
                "invalid literal '0x1FF': not a value of f8E5M2",
            ),
            (
                "1 2",
                "tensor<2xi32>",
                "invalid literal '1 2': expected the end of the literal",
            ),
            (
                "dense<1",
                "tensor<i32>",
                "invalid literal 'dense<1': expected '>' at the end",
            ),
            ("1 : tensor<i31>", "", "unknown element type 'i31'"),
        ];
        for (text, expected, error) in cases {
            assert_eq!(message(text, expected), error);
        }
        for text in ["[", "[1", "[1,", "[1 2]", "(1", "", "dense<>", "[,]"] {
            assert!(parse(text, "tensor<2xi32>").is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_out_of_range_are_errors() {
        for (text, element_type) in [
            ("1e400", "f64"),
            ("-1e39", "f32"),
            ("3.4028236e38", "f32"),
            ("65520", "f16"),
            ("465", "f8E4M3FN"),
            ("6.5", "f4E2M1FN"),
            ("-1", "f8E8M0FNU"),
            ("0", "f8E8M0FNU"),
        ] {
            assert_eq!(
                message(text, &format!("tensor<{element_type}>")),
                format!("invalid literal '{text}': out of the range of {element_type}")
            );
        }
        // Values that round to the largest number, and infinity by its name.
        for (text, element_type, value) in [
            ("65519", "f16", 65504.0),
            ("460", "f8E4M3FN", 448.0),
            ("3.4028235e38", "f32", f64::from(f32::MAX)),
            ("inf", "f32", f64::INFINITY),
            ("-inf", "f16", f64::NEG_INFINITY),
            ("1e-400", "f64", 0.0),
        ] {
            let literal = parse(text, &format!("tensor<{element_type}>")).unwrap();
            assert_eq!(literal.get_f64(0), value, "{text}");
        }
    }

    #[test]
    fn f32_is_rounded_once() {
        // Halfway between two f32, plus a difference below the precision of f64.
        let text = "1.00000005960464477539062500000000001";
        let literal = parse(text, "tensor<f32>").unwrap();
        assert_eq!(literal.get_f64(0), f64::from(1.0_f32.next_up()));
    }
}
