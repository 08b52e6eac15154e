//! The difference of an op's results.

use std::fmt;

use halo_core::{Literal, Rule, compare};
use halo_runtime::{Error, Result};

use super::lockstep::Step;
use crate::observation::{Elements, Observed};

/// The difference that floats may have.
#[derive(Clone, Copy, Debug)]
pub struct Tolerance {
    pub relative: f64,
    pub absolute: f64,
}

impl fmt::Display for Tolerance {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { relative, absolute } = self;
        write!(formatter, "rtol {relative:e}, atol {absolute:e}")
    }
}

/// The executions of an op.
pub struct OpErrors {
    pub location: String,
    /// The name, with the number of the result if it is not the first one.
    pub op: String,
    pub shape: String,
    pub executions: u64,
    /// The first execution whose results differ, counted from 1.
    pub first: Option<u64>,
    /// The greatest difference by the tolerance.
    pub worst: Option<ElementError>,
}

/// The element of a result that differs most.
#[derive(Clone, Debug)]
pub struct ElementError {
    /// The execution of the op, counted from 1.
    pub execution: u64,
    pub index: Vec<usize>,
    pub values: [String; 2],
    /// The distance in units in the last place; `None` for NaN or an infinity on one side only, and
    /// for integers.
    pub ulp: Option<u64>,
    pub is_special: bool,
    /// The difference, divided by the greater magnitude.
    pub relative: f64,
    /// The relative error of the operands that the element depends on.
    pub of_operands: f64,
    /// The difference, divided by the tolerance.
    severity: f64,
}

impl ElementError {
    pub fn values(&self) -> [&str; 2] {
        self.values.each_ref().map(|value| &value[..])
    }

    /// Returns true if the operands are equal.
    pub fn begins(&self) -> bool {
        self.of_operands == 0.0
    }

    /// The error, divided by the error of the operands.
    pub fn factor(&self) -> Option<f64> {
        let is_finite = self.relative.is_finite() && self.of_operands.is_finite();
        (is_finite && !self.begins()).then(|| self.relative / self.of_operands)
    }
}

impl OpErrors {
    pub fn of(step: &Step) -> Self {
        let attributes = &step.site.attributes;
        let name = attributes.text("op").unwrap_or_default();
        Self {
            location: step.site.location.clone(),
            op: match step.key.1 {
                0 => name.to_owned(),
                result => format!("{name}#{result}"),
            },
            shape: step.values.first().map_or_else(String::new, |value| value.shape().to_string()),
            executions: 0,
            first: None,
            worst: None,
        }
    }

    /// Returns true if a result exceeds the tolerance.
    pub fn exceeds(&self) -> bool {
        self.severity() > 1.0
    }

    /// The greatest difference, divided by the tolerance.
    pub fn severity(&self) -> f64 {
        self.worst.as_ref().map_or(0.0, |worst| worst.severity)
    }

    /// Compares an execution.
    ///
    /// # Errors
    /// Returns an error if the shapes differ.
    pub fn compare(&mut self, step: &Step, expected: &Step, tolerance: Tolerance) -> Result<()> {
        self.executions += 1;
        let (Some(actual), Some(wanted)) = (step.values.first(), expected.values.first()) else {
            return Ok(());
        };
        if actual.bytes() == wanted.bytes() && actual.shape() == wanted.shape() {
            return Ok(());
        }
        let ty = actual.element_type();
        let is_float = ty.real_part().float_format().is_some();
        // A relative tolerance would let large integers differ.
        let rule = if is_float {
            Rule::close(tolerance.relative, tolerance.absolute)
        } else {
            Rule::EXACT
        };
        let comparison = compare(actual, wanted, rule)
            .map_err(|error| Error::execution_at(&self.location, error.to_string()))?;
        let Some(worst) = comparison.worst else {
            return Ok(());
        };
        self.first.get_or_insert(self.executions);
        let dims = actual.dims().iter().zip(&worst.index);
        let position = dims.fold(0, |position, (size, index)| position * size + index);
        let magnitude = worst.expected.to_complex().norm();
        let is_special = worst.ulp == u64::MAX;
        let severity = if is_special || !is_float {
            f64::INFINITY
        } else {
            worst.absolute / (tolerance.absolute + tolerance.relative * magnitude)
        };
        if severity <= self.severity() {
            return Ok(());
        }
        let (observed, reference) = (step.observed()?, expected.observed()?);
        let text = |observed: &Observed<'_>| observed.result.text(position);
        self.worst = Some(ElementError {
            execution: self.executions,
            values: [text(&observed), text(&reference)],
            ulp: (is_float && !is_special).then_some(worst.ulp),
            is_special: is_special && is_float,
            relative: relative_error(actual, wanted, &[position]),
            of_operands: error_of_operands((step, &observed), expected, position),
            index: worst.index,
            severity,
        });
        Ok(())
    }
}

/// The greatest relative error of the operands that an element of the result depends on.
fn error_of_operands(
    (step, observed): (&Step, &Observed<'_>),
    expected: &Step,
    position: usize,
) -> f64 {
    let operands = step.values.iter().zip(&expected.values).skip(1).enumerate();
    let errors = operands.map(|(number, (operand, wanted))| {
        if operand.bytes() == wanted.bytes() || operand.shape() != wanted.shape() {
            return 0.0;
        }
        let positions = observed.positions(number, position);
        if positions.is_empty() {
            let all: Vec<usize> = (0..Elements::from(operand).count()).collect();
            relative_error(operand, wanted, &all)
        } else {
            relative_error(operand, wanted, &positions)
        }
    });
    errors.fold(0.0, f64::max)
}

/// The greatest difference of some elements, divided by their greatest magnitude; infinite if an
/// element is NaN or infinite on one side only.
fn relative_error(one: &Literal, other: &Literal, positions: &[usize]) -> f64 {
    let (mut difference, mut magnitude) = (0.0_f64, 0.0_f64);
    for position in positions {
        let (a, b) = (
            one.get(*position).to_complex(),
            other.get(*position).to_complex(),
        );
        let (greater, distance) = (a.norm().max(b.norm()), (a - b).norm());
        if greater.is_finite() {
            magnitude = magnitude.max(greater);
        }
        if a == b || a.is_nan() && b.is_nan() {
            continue;
        }
        if !distance.is_finite() {
            return f64::INFINITY;
        }
        difference = difference.max(distance);
    }
    if difference == 0.0 {
        0.0
    } else {
        difference / magnitude
    }
}
