//! Random literals: the same seed results in the same bits on every machine.
//!
//! The generator is PCG64, whose stream is fixed by its definition. Its numbers are converted by
//! exact arithmetic, without a mathematical library.

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64;

use crate::element_type::Class;
use crate::{ElementType, Literal, Result, Scalar, Shape};

/// A source of random literals.
pub struct Generator(Pcg64);

impl Generator {
    pub fn new(seed: u64) -> Self {
        Self(Pcg64::seed_from_u64(seed))
    }

    /// 64 independent bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// One of 2^53 equally spaced numbers in [0, 1).
    pub fn unit_interval(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A literal of independent elements:
    /// - floats and the components of complex numbers are uniform in [-1, 1), with the resolution
    ///   of the element type (and therefore up to 1 if that is coarser than 2^-24); `f8E8M0FNU`,
    ///   which has only positive powers of two, gets one of 2^-4 to 2^3;
    /// - signed integers are in the range of four bits, -8 to 7, unsigned ones 0 to 15, less if the
    ///   type is narrower;
    /// - `i1` is true or false.
    ///
    /// # Errors
    /// Returns an error if memory is exhausted.
    pub fn literal(&mut self, shape: &Shape) -> Result<Literal> {
        let mut literal = Literal::try_zeros(shape.clone())?;
        if let Ok(elements) = literal.as_mut_slice::<f32>() {
            elements.fill_with(|| self.unit(24) as f32);
            return Ok(literal);
        }
        let element_type = shape.element_type();
        for position in 0..shape.element_count() {
            literal.set(position, self.scalar(element_type));
        }
        Ok(literal)
    }

    fn scalar(&mut self, element_type: ElementType) -> Scalar {
        let bits = match element_type.real_part() {
            ElementType::F64 => 53,
            _ => 24,
        };
        match element_type.class() {
            Class::Boolean => (self.0.next_u64() >> 63 != 0).into(),
            // The conversion to a narrower type keeps the low bits.
            Class::Signed => (self.0.next_u64() as i64 >> 60).into(),
            Class::Unsigned => i128::from(self.0.next_u64() >> 60).into(),
            Class::Float if element_type == ElementType::F8E8M0FNU => {
                let exponent = (self.0.next_u64() as i64 >> 61) as i32;
                2.0_f64.powi(exponent).into()
            }
            Class::Float => self.unit(bits).into(),
            Class::Complex => {
                let re = self.unit(bits);
                num_complex::Complex::new(re, self.unit(bits)).into()
            }
        }
    }

    /// One of 2^bits equally spaced numbers in [-1, 1).
    fn unit(&mut self, bits: u32) -> f64 {
        let integer = self.0.next_u64() as i64 >> (64 - bits);
        integer as f64 / (1_i64 << (bits - 1)) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literal(seed: u64, shape: &str) -> Literal {
        Generator::new(seed).literal(&shape.parse().unwrap()).unwrap()
    }

    #[test]
    fn a_seed_fixes_every_bit() {
        for element_type in ElementType::ALL {
            let shape = format!("tensor<5x7x{element_type}>");
            assert!(literal(1, &shape) == literal(1, &shape));
        }
        assert!(literal(1, "tensor<64xf32>") != literal(2, "tensor<64xf32>"));
    }

    #[test]
    fn what_does_not_fit_into_memory_is_an_error() {
        let shape = "tensor<1000000000000000xf32>".parse().unwrap();
        let error = Generator::new(0).literal(&shape).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("there is no memory for a value of {shape}")
        );
    }

    #[test]
    fn floats_are_uniform_around_zero() {
        for shape in [
            "tensor<10000xf32>",
            "tensor<10000xf64>",
            "tensor<10000xf16>",
        ] {
            let literal = literal(7, shape);
            let values: Vec<f64> = (0..10000).map(|i| literal.get_f64(i)).collect();
            assert!(values.iter().all(|value| value.abs() <= 1.0));
            // Standard errors are 0.006 for the mean, 0.003 for the square.
            let mean = values.iter().sum::<f64>() / 1e4;
            let square = values.iter().map(|value| value * value).sum::<f64>() / 1e4;
            assert!(mean.abs() < 0.03, "{mean}");
            assert!((square - 1.0 / 3.0).abs() < 0.015, "{square}");
        }
    }

    #[test]
    fn integers_are_small_and_take_every_value() {
        for (element_type, low, high) in [
            ("i1", 0, 1),
            ("i2", -2, 1),
            ("ui2", 0, 3),
            ("i4", -8, 7),
            ("i64", -8, 7),
            ("ui32", 0, 15),
        ] {
            let literal = literal(3, &format!("tensor<1000x{element_type}>"));
            let mut values: Vec<i128> = (0..1000).map(|i| literal.get_i128(i)).collect();
            values.sort_unstable();
            values.dedup();
            assert_eq!(
                values,
                (low..=high).collect::<Vec<i128>>(),
                "{element_type}"
            );
        }
    }

    #[test]
    fn no_format_gets_nan() {
        for element_type in ElementType::ALL {
            let literal = literal(5, &format!("tensor<1000x{element_type}>"));
            assert!(
                (0..1000).all(|i| !literal.get_f64(i).is_nan()),
                "{element_type}"
            );
        }
    }
}
