//! Types of instructions that apply a computation to elements.

use super::{Untyped, array, resized, size_of};
use crate::{ArrayShape, Shape, Value, WindowDimension};

impl Untyped<'_> {
    /// The elements have the type of the computation's result.
    pub(super) fn map(&self) -> Option<Shape> {
        match self.called("to_apply")? {
            Shape::Array(result) => self.like(0, result.element_type),
            _ => None,
        }
    }

    /// The arrays that are reduced, the first half of the operands, each with
    /// the type of the result of the computation.
    fn reduced(&self, dimensions: impl Fn(&ArrayShape) -> Option<Shape>) -> Option<Shape> {
        let count = self.operands.len() / 2;
        let results = match self.called("to_apply")? {
            Shape::Tuple(results) => results,
            single => vec![single],
        };
        if results.len() != count {
            return None;
        }
        let shapes = results.iter().enumerate().map(|(number, result)| {
            let Shape::Array(result) = result else {
                return None;
            };
            dimensions(&ArrayShape {
                element_type: result.element_type,
                ..self.array(number)?.clone()
            })
        });
        self.joined(shapes.collect::<Option<_>>()?)
    }

    pub(super) fn reduce(&self) -> Option<Shape> {
        let gone = self.integers("dimensions")?;
        self.reduced(|operand| {
            let all = (0_i64..).zip(&operand.dimensions);
            let kept = all.filter(|(position, _)| !gone.contains(position));
            let kept = kept.map(|(_, dimension)| *dimension).collect();
            Some(array(operand.element_type, kept))
        })
    }

    pub(super) fn reduce_window(&self) -> Option<Shape> {
        let Value::Window(window) = self.attribute("window")? else {
            return None;
        };
        self.reduced(|operand| {
            if window.dimensions.len() != operand.dimensions.len() {
                return None;
            }
            let pairs = operand.dimensions.iter().zip(&window.dimensions);
            let dimensions = pairs.map(|(dimension, window)| {
                Some(resized(*dimension, windowed(size_of(*dimension)?, window)?))
            });
            Some(array(
                operand.element_type,
                dimensions.collect::<Option<_>>()?,
            ))
        })
    }
}

/// The number of positions of a window.
pub(super) fn windowed(size: i64, window: &WindowDimension) -> Option<i64> {
    let dilated = |size: i64, factor: i64| match size {
        0 => Some(0),
        _ => size.checked_sub(1)?.checked_mul(factor)?.checked_add(1),
    };
    let base = dilated(size, window.base_dilation)?;
    let padded = base.checked_add(window.padding_low)?.checked_add(window.padding_high)?;
    let window_size = dilated(window.size, window.window_dilation)?;
    if padded < window_size || window_size <= 0 {
        return Some(0);
    }
    let last = padded.checked_sub(window_size)?;
    last.checked_div(window.stride)?.checked_add(1)
}
