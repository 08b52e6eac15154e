//! Types of products, convolutions and Fourier transforms.

use halo_core::ElementType;

use super::{Untyped, array, at, reductions::windowed, resized, size_of};
use crate::{Dimension, Shape, Value, Window};

impl Untyped<'_> {
    /// Batch dimensions, then the remaining dimensions of the two operands.
    pub(super) fn dot(&self) -> Option<Shape> {
        let (lhs, rhs) = (self.array(0)?, self.array(1)?);
        let batch = self.integers("lhs_batch_dims")?;
        let left = self.integers("lhs_contracting_dims")?;
        let right = self.integers("rhs_contracting_dims")?;
        let right_batch = self.integers("rhs_batch_dims")?;
        let mut dimensions = Vec::new();
        for dimension in batch {
            dimensions.push(at(&lhs.dimensions, *dimension)?);
        }
        for (operand, gone) in [(lhs, [batch, left]), (rhs, [right_batch, right])] {
            for (position, dimension) in (0_i64..).zip(&operand.dimensions) {
                if !gone.iter().any(|list| list.contains(&position)) {
                    dimensions.push(*dimension);
                }
            }
        }
        (lhs.element_type == rhs.element_type).then(|| array(lhs.element_type, dimensions))
    }

    pub(super) fn convolution(&self) -> Option<Shape> {
        let (lhs, rhs) = (self.array(0)?, self.array(1)?);
        let Value::ConvolutionDimensionNumbers(numbers) = self.attribute("dim_labels")? else {
            return None;
        };
        let window = match self.attribute("window") {
            None => Window::default(),
            Some(Value::Window(window)) => window.clone(),
            Some(_) => return None,
        };
        let groups = self.integer("batch_group_count").unwrap_or(1);
        let batch = size_of(at(&lhs.dimensions, numbers.input_batch)?)?;
        let batch = Dimension::Static(batch.checked_div(groups)?);
        let features = at(&rhs.dimensions, numbers.kernel_output_feature)?;
        if window.dimensions.len() != numbers.input_spatial.len() {
            return None;
        }
        let mut dimensions = vec![Dimension::Static(0); lhs.dimensions.len()];
        let mut put = |position: i64, dimension: Dimension| {
            let target = usize::try_from(position).ok();
            let target = target.and_then(|position| dimensions.get_mut(position));
            target.map(|target| *target = dimension)
        };
        put(numbers.output_batch, batch)?;
        put(numbers.output_feature, features)?;
        let spatial = numbers.input_spatial.iter().zip(&numbers.output_spatial);
        for ((from, to), window) in spatial.zip(&window.dimensions) {
            let dimension = at(&lhs.dimensions, *from)?;
            put(
                *to,
                resized(dimension, windowed(size_of(dimension)?, window)?),
            )?;
        }
        (lhs.element_type == rhs.element_type).then(|| array(lhs.element_type, dimensions))
    }

    pub(super) fn fft(&self) -> Option<Shape> {
        let operand = self.array(0)?;
        let lengths = self.integers("fft_length")?;
        let Value::Word(kind) = self.attribute("fft_type")? else {
            return None;
        };
        let mut dimensions = operand.dimensions.clone();
        let length = *lengths.last()?;
        use ElementType::{Complex64, Complex128, F32, F64};
        let element_type = match (&kind[..], operand.element_type) {
            ("FFT" | "IFFT", complex) => complex,
            ("RFFT", F32) => Complex64,
            ("RFFT", F64) => Complex128,
            ("IRFFT", Complex64) => F32,
            ("IRFFT", Complex128) => F64,
            _ => return None,
        };
        match &kind[..] {
            "RFFT" => *dimensions.last_mut()? = Dimension::Static(length / 2 + 1),
            "IRFFT" => *dimensions.last_mut()? = Dimension::Static(length),
            _ => {}
        }
        Some(array(element_type, dimensions))
    }
}
