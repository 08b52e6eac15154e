//! Windows over a tensor: the number of their positions.

use super::{dims::ShapeText, prelude::*};

/// The motion of a window along one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowDim {
    /// Elements in the window; `None` if it is dynamic.
    pub size: Option<i64>,
    /// Elements from one position to the next.
    pub stride: i64,
    /// Elements added before and after.
    pub padding: (i64, i64),
    /// Distance of adjacent elements after base dilation.
    pub base_dilation: i64,
    /// Distance of adjacent elements within the window.
    pub dilation: i64,
}

impl WindowDim {
    /// A window of this size that moves by single elements.
    pub fn new(size: Option<i64>) -> Self {
        Self {
            size,
            stride: 1,
            padding: (0, 0),
            base_dilation: 1,
            dilation: 1,
        }
    }

    /// `num_windows` of the specification.
    pub fn positions(self, dim: Dim) -> Dim {
        let Some(size) = self.size else {
            return Dim::Dynamic;
        };
        // Sizes and dilations may be any numbers, so products need twice the bits.
        let dilated = |size: i64, dilation: i64| {
            if size == 0 {
                0
            } else {
                (i128::from(size) - 1) * i128::from(dilation) + 1
            }
        };
        let window = dilated(size, self.dilation);
        dim.map(|size| {
            let padding = i128::from(self.padding.0) + i128::from(self.padding.1);
            let base = dilated(size, self.base_dilation) + padding;
            if base <= 0 || window > base {
                0
            } else {
                let count = (base - window) / i128::from(self.stride.max(1)) + 1;
                i64::try_from(count).unwrap_or(i64::MAX)
            }
        })
    }
}

/// A window that contains all elements up to its position along one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scan {
    pub dimension: usize,
    /// From the last element to the first.
    pub is_reversed: bool,
}

/// A window over all dimensions of a tensor.
#[derive(Clone, Debug)]
pub struct Window {
    /// The window along each dimension.
    pub dims: Vec<WindowDim>,
    /// Set if attributes may have more entries than dimensions. Surplus entries are ignored.
    pub allows_surplus: bool,
}

impl Window {
    /// The window in the attributes of a `reduce_window` over a tensor of this rank.
    pub fn read<O: Op>(op: O, rank: usize, sizes: Vec<i64>) -> Result<Self, String> {
        Self::new(rank, "window_dimensions", sizes)?
            .with_strides(op, "window_strides")?
            .with_base_dilations(op, "base_dilations")?
            .with_dilations(op, "window_dilations")?
            .with_padding(op, "padding")
    }

    /// The scan that the window computes over a tensor of these sizes, if it is one.
    pub fn scan(&self, sizes: &[i64]) -> Option<Scan> {
        let mut found = None;
        for (dimension, (window, size)) in self.dims.iter().zip(sizes).enumerate() {
            let plain = WindowDim::new(window.size);
            if *window == plain && window.size == Some(1) {
                continue;
            }
            let before = window.size? - 1;
            let unpadded = WindowDim {
                padding: (0, 0),
                ..*window
            };
            let is_reversed = match window.padding {
                (low, 0) if low == before => false,
                (0, high) if high == before => true,
                _ => return None,
            };
            if unpadded != plain || before + 1 < *size || found.is_some() {
                return None;
            }
            found = Some(Scan {
                dimension,
                is_reversed,
            });
        }
        found
    }

    /// A window of sizes from an attribute.
    pub fn new(rank: usize, name: &str, sizes: Vec<i64>) -> Result<Self, String> {
        expect_size(name, sizes.len(), rank, "operand 0 has rank")?;
        expect_at_least(name, &sizes, 1)?;
        Ok(Self {
            dims: sizes.into_iter().map(|size| WindowDim::new(Some(size))).collect(),
            allows_surplus: false,
        })
    }

    /// Sets the strides from an optional attribute.
    pub fn with_strides<O: Op>(self, op: O, name: &str) -> Result<Self, String> {
        self.with_factors(op, name, |dim| &mut dim.stride)
    }

    /// Sets the base dilations from an optional attribute.
    pub fn with_base_dilations<O: Op>(self, op: O, name: &str) -> Result<Self, String> {
        self.with_factors(op, name, |dim| &mut dim.base_dilation)
    }

    /// Sets the window dilations from an optional attribute.
    pub fn with_dilations<O: Op>(self, op: O, name: &str) -> Result<Self, String> {
        self.with_factors(op, name, |dim| &mut dim.dilation)
    }

    /// Sets one positive number for each dimension.
    fn with_factors<O: Op>(
        mut self,
        op: O,
        name: &str,
        field: impl Fn(&mut WindowDim) -> &mut i64,
    ) -> Result<Self, String> {
        if let Some(mut factors) = op.optional_integers(name) {
            if self.allows_surplus {
                factors.truncate(self.dims.len());
            }
            expect_size(name, factors.len(), self.dims.len(), "the window has rank")?;
            expect_at_least(name, &factors, 1)?;
            for (dim, factor) in self.dims.iter_mut().zip(factors) {
                *field(dim) = factor;
            }
        }
        Ok(self)
    }

    /// Sets the padding from an optional attribute: two numbers for each dimension.
    pub fn with_padding<O: Op>(mut self, op: O, name: &str) -> Result<Self, String> {
        if let Some((shape, values)) = op.integer_elements(name) {
            expect_padding_shape(name, &shape, self.dims.len())?;
            self = self.padded(&values);
        }
        Ok(self)
    }

    /// Sets the padding: two numbers for each dimension.
    pub fn padded(mut self, values: &[i64]) -> Self {
        for (dim, pair) in self.dims.iter_mut().zip(values.chunks_exact(2)) {
            dim.padding = (pair[0], pair[1]);
        }
        self
    }

    /// The number of window positions along each dimension of a shape.
    pub fn positions(&self, shape: &[Dim]) -> Vec<Dim> {
        self.dims
            .iter()
            .zip(shape)
            .map(|(window, dim)| window.positions(*dim))
            .collect()
    }
}

/// Fails unless padding has two numbers for each dimension of a window.
fn expect_padding_shape(name: &str, shape: &[i64], rank: usize) -> VerifyResult {
    if *shape == [rank as i64, 2] {
        return Ok(());
    }
    let shape: Vec<Dim> = shape.iter().map(|size| Dim::Static(*size)).collect();
    Err(format!(
        "attribute '{name}' has shape {}, but the window needs shape {rank}x2",
        ShapeText(&shape)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_of_a_plain_window() {
        let window = WindowDim::new(Some(3));
        assert_eq!(window.positions(Dim::Static(5)), Dim::Static(3));
        assert_eq!(window.positions(Dim::Static(2)), Dim::Static(0));
        assert_eq!(window.positions(Dim::Dynamic), Dim::Dynamic);
        assert_eq!(window.positions(Dim::Bounded(5)), Dim::Bounded(3));
    }

    #[test]
    fn positions_with_strides_padding_and_dilations() {
        // 3 elements dilated to 5, padded to 8; a window of 2 dilated to 4 fits at 0 and 4.
        let window = WindowDim {
            size: Some(2),
            stride: 4,
            padding: (2, 1),
            base_dilation: 2,
            dilation: 3,
        };
        assert_eq!(window.positions(Dim::Static(3)), Dim::Static(2));
    }

    #[test]
    fn huge_numbers_do_not_overflow() {
        let window = WindowDim {
            size: Some(i64::MAX),
            stride: 1,
            padding: (i64::MAX, i64::MAX),
            base_dilation: i64::MAX,
            dilation: i64::MAX,
        };
        assert_eq!(window.positions(Dim::Static(3)), Dim::Static(0));
        let small = WindowDim {
            size: Some(1),
            ..window
        };
        assert_eq!(small.positions(Dim::Static(3)), Dim::Static(i64::MAX));
    }

    #[test]
    fn an_empty_base_has_no_positions_unless_padded() {
        let mut window = WindowDim::new(Some(1));
        assert_eq!(window.positions(Dim::Static(0)), Dim::Static(0));
        window.padding = (1, 1);
        assert_eq!(window.positions(Dim::Static(0)), Dim::Static(2));
    }
}
