//! Types of instructions that move elements.

use halo_core::ElementType;

use super::{Untyped, array, at, resized, size_of};
use crate::{Dimension, Shape, Value};

impl Untyped<'_> {
    pub(super) fn concatenate(&self) -> Option<Shape> {
        let [dimension] = self.integers("dimensions")? else {
            return None;
        };
        let first = self.array(0)?;
        let mut sum = 0_i64;
        for number in 0..self.operands.len() {
            let size = at(&self.array(number)?.dimensions, *dimension)?;
            sum = sum.checked_add(size_of(size)?)?;
        }
        let mut dimensions = first.dimensions.clone();
        let size = dimensions.get_mut(usize::try_from(*dimension).ok()?)?;
        *size = resized(*size, sum);
        Some(array(first.element_type, dimensions))
    }

    pub(super) fn transpose(&self) -> Option<Shape> {
        let operand = self.array(0)?;
        let order = self.integers("dimensions")?;
        if order.len() != operand.dimensions.len() {
            return None;
        }
        let dimensions = order.iter().map(|from| at(&operand.dimensions, *from));
        Some(array(
            operand.element_type,
            dimensions.collect::<Option<_>>()?,
        ))
    }

    pub(super) fn pad(&self) -> Option<Shape> {
        let operand = self.array(0)?;
        let Value::Padding(padding) = self.attribute("padding")? else {
            return None;
        };
        if padding.len() != operand.dimensions.len() {
            return None;
        }
        let pairs = operand.dimensions.iter().zip(padding);
        let dimensions = pairs.map(|(dimension, padding)| {
            let size = size_of(*dimension)?;
            let gaps = size.saturating_sub(1).max(0).checked_mul(padding.interior)?;
            let size = size.checked_add(gaps)?;
            let size = size.checked_add(padding.low)?.checked_add(padding.high)?;
            Some(resized(*dimension, size))
        });
        Some(array(
            operand.element_type,
            dimensions.collect::<Option<_>>()?,
        ))
    }

    /// The sizes of the window stand at `offset_dims`, the sizes of the indices around them.
    pub(super) fn gather(&self) -> Option<Shape> {
        let operand = self.array(0)?;
        let indices = self.array(1)?;
        let offset = self.integers("offset_dims")?;
        let sizes = self.integers("slice_sizes")?;
        let vector = self.integer("index_vector_dim")?;
        let gone = [
            self.integers("collapsed_slice_dims")?,
            self.integers("operand_batching_dims")?,
        ]
        .concat();
        let mut window = (0_i64..).zip(sizes).filter(|(at, _)| !gone.contains(at));
        let mut batch = (0_i64..).zip(&indices.dimensions).filter(|(at, _)| *at != vector);
        let batch_rank = batch.clone().count();
        let rank = i64::try_from(batch_rank.checked_add(offset.len())?).ok()?;
        let dimensions = (0..rank).map(|at| {
            if offset.contains(&at) {
                window.next().map(|(_, size)| Dimension::Static(*size))
            } else {
                batch.next().map(|(_, dimension)| *dimension)
            }
        });
        Some(array(
            operand.element_type,
            dimensions.collect::<Option<_>>()?,
        ))
    }

    pub(super) fn set_dimension_size(&self) -> Option<Shape> {
        let operand = self.array(0)?;
        let [dimension] = self.integers("dimensions")? else {
            return None;
        };
        let mut dimensions = operand.dimensions.clone();
        let size = dimensions.get_mut(usize::try_from(*dimension).ok()?)?;
        *size = Dimension::Bounded(size_of(*size)?);
        Some(array(operand.element_type, dimensions))
    }

    pub(super) fn top_k(&self) -> Option<Shape> {
        let operand = self.array(0)?;
        let mut dimensions = operand.dimensions.clone();
        *dimensions.last_mut()? = Dimension::Static(self.integer("k")?);
        Some(Shape::Tuple(vec![
            array(operand.element_type, dimensions.clone()),
            array(ElementType::I32, dimensions),
        ]))
    }

    /// The normalized array or its gradient, and two vectors of its features.
    pub(super) fn batch_norm(&self) -> Option<Shape> {
        let operand = self.array(0)?;
        let feature = at(&operand.dimensions, self.integer("feature_index")?)?;
        let vector = array(operand.element_type, vec![feature]);
        let whole = array(operand.element_type, operand.dimensions.clone());
        Some(Shape::Tuple(vec![whole, vector.clone(), vector]))
    }
}
