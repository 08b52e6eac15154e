//! Products and convolutions of quantized tensors, on their stored integers.
//!
//! With zero points `z` and scales `s`, a sum of products of what the elements
//! stand for is `s_lhs * s_rhs * sum((lhs - z_lhs) * (rhs - z_rhs))`. The sum is
//! one of integers, and the zero points come out of it:
//!
//! ```text
//! sum(lhs * rhs) - z_rhs * sum(lhs) - z_lhs * sum(rhs - z_rhs)
//! ```
//!
//! so that the product itself reads 8 bits an element, and the rest is a sum of
//! each operand, that of weights a constant. The result is quantized from the
//! sum in floats, or is the sum where its scale is the product of both.

use super::{CAST, Parameters, stored_type};
use crate::{
    ir::{
        Builder, Operation, RewriteError, Type, Value, attribute_of, bits_of, dense_from_integers,
        dense_integers, element_type, i64_array_attribute, i64_array_value, integer_type, name_of,
        result_types_of, results_of, set_attribute, shape_of, tensor_type, with_element_type,
    },
    passes::{
        emit,
        matchers::{ensure, operands, result_type},
    },
    semantics::quantization::Quantized,
};
use halo_dialects::attributes::{ConvDimensionNumbers, DotDimensionNumbers, bounded_tensor_type};
use melior::ir::ValueLike;

/// An operand of a product.
struct Factor<'c> {
    quantized: Quantized<'c>,
    /// The stored integers.
    stored: Value<'c>,
    zero: i64,
}

/// Both factors, with what is known of their product before it is built.
struct Product<'c> {
    lhs: Factor<'c>,
    rhs: Factor<'c>,
    /// The integers in which products are summed up.
    sum: Type<'c>,
    result: Type<'c>,
}

impl<'c> Product<'c> {
    /// The factors of an op, of which `terms` products each are summed up, if
    /// these sums fit into integers. Of the right operand alone may slices have
    /// scales of their own, and then no zero points.
    fn of(b: &Builder<'c>, op: Operation<'c>, terms: Option<i64>) -> Result<Self, RewriteError> {
        let [lhs, rhs] = operands(op)?;
        let result = result_type(op)?;
        let quantized =
            |r#type: Type<'c>| Quantized::of(element_type(r#type)).ok_or(RewriteError::NoMatch);
        let (left, right) = (quantized(lhs.r#type())?, quantized(rhs.r#type())?);
        ensure(left.axis().is_none() && (right.axis().is_none() || right.is_symmetric()))?;
        ensure(quantized(result)?.expressed() == left.expressed())?;
        let sum = integer_type(b.context(), sum_width(left, right, terms)?);
        let factor = |value: Value<'c>, quantized: Quantized<'c>| {
            let stored = stored_type(b.context(), value.r#type());
            Ok::<_, RewriteError>(Factor {
                quantized,
                stored: b.value(CAST, &[value], stored)?,
                zero: quantized.parameters(0).1,
            })
        };
        Ok(Self {
            lhs: factor(lhs, left)?,
            rhs: factor(rhs, right)?,
            sum,
            result,
        })
    }

    /// The scales of the sum, along a dimension of the result.
    fn scales(&self) -> Vec<f64> {
        let left = self.lhs.quantized.parameters(0).0;
        (0..self.rhs.quantized.scale_count())
            .map(|number| left * self.rhs.quantized.parameters(number).0)
            .collect()
    }

    /// Replaces an op by its sum, as the result stores it. `axis` is the
    /// dimension of the result that the scales of the right operand run along.
    fn finish(
        &self,
        b: &Builder<'c>,
        op: Operation<'c>,
        sum: Value<'c>,
        axis: Option<i64>,
    ) -> Result<(), RewriteError> {
        let scales = self.scales();
        let target = Parameters::of(self.result)?;
        let value = if self.is_result(&target, &scales, axis) {
            let zero = emit::integers(b, target.shaped(self.sum), &target.zero_points())?;
            let value = if target.quantized.is_symmetric() {
                sum
            } else {
                target.apply(b, "chlo.broadcast_add", sum, zero)?
            };
            let stored = stored_type(b.context(), self.result);
            let value = emit::convert(b, value, element_type(stored))?;
            b.value(CAST, &[value], self.result)?
        } else {
            let expressed = target.quantized.expressed();
            let value = emit::convert(b, sum, expressed)?;
            let shape: Vec<i64> = axis.map(|_| scales.len() as i64).into_iter().collect();
            let scales = emit::floats(b, tensor_type(&shape, expressed), &scales)?;
            let value = broadcast(b, "chlo.broadcast_multiply", value, scales, axis.as_slice())?;
            b.value("stablehlo.uniform_quantize", &[value], self.result)?
        };
        b.replace(op, &[value]);
        Ok(())
    }

    /// Whether the result stores the sum as it is, but for zero points: its
    /// scales are those of the sum, and its integers as wide.
    fn is_result(&self, target: &Parameters<'c>, scales: &[f64], axis: Option<i64>) -> bool {
        let quantized = target.quantized;
        let bits = bits_of(self.sum);
        quantized.axis() == axis
            && quantized.scale_count() == scales.len()
            && scales
                .iter()
                .enumerate()
                .all(|(number, scale)| quantized.parameters(number).0 as f32 == *scale as f32)
            && quantized.is_signed()
            && bits == Some(32)
            && quantized.range() == (i32::MIN.into(), i32::MAX.into())
            && target.zero_points().iter().all(|zero| zero.abs() < SPARE)
    }
}

/// How far below the largest integers sums stay, so that a zero point may be
/// added.
const SPARE: i64 = 1 << 16;

/// The width of integers that hold every sum of `terms` products; where their
/// number is not known, of as many as 8-bit integers allow in 32 bits.
fn sum_width(left: Quantized, right: Quantized, terms: Option<i64>) -> Result<u32, RewriteError> {
    let largest = |quantized: Quantized| {
        let (minimum, maximum) = quantized.range();
        let distance = |zero: i64| maximum.abs_diff(zero).max(minimum.abs_diff(zero));
        (0..quantized.scale_count())
            .map(|number| distance(quantized.parameters(number).1))
            .max()
            .and_then(|distance| i64::try_from(distance).ok())
    };
    let bytes = left.storage_width() <= 8 && right.storage_width() <= 8;
    let terms = match terms {
        Some(terms) => terms,
        None if bytes => 1,
        None => return Err(RewriteError::NoMatch),
    };
    let bound = largest(left)
        .zip(largest(right))
        .and_then(|(left, right)| left.checked_mul(right)?.checked_mul(terms.max(1)))
        .ok_or(RewriteError::NoMatch)?;
    Ok(if bound < i64::from(i32::MAX) - SPARE {
        32
    } else {
        64
    })
}

/// `name(tensor, small)`, the latter along dimensions of the former.
fn broadcast<'c>(
    b: &Builder<'c>,
    name: &str,
    tensor: Value<'c>,
    small: Value<'c>,
    dimensions: &[i64],
) -> Result<Value<'c>, RewriteError> {
    let mut spec = b
        .op(name)
        .operands(&[tensor, small])
        .result(tensor.r#type());
    if shape_of(small.r#type()).is_some_and(|shape| !shape.is_empty()) {
        spec = spec.attribute(
            "broadcast_dimensions",
            i64_array_attribute(b.context(), dimensions),
        );
    }
    Ok(spec.value()?)
}

/// A number times the sums of a tensor over some dimensions.
fn scaled_sums<'c>(
    b: &Builder<'c>,
    tensor: Value<'c>,
    dimensions: &[i64],
    number: i64,
) -> Result<Value<'c>, RewriteError> {
    let element = element_type(tensor.r#type());
    let kept: Vec<Option<i64>> = shape_of(tensor.r#type())
        .ok_or(RewriteError::NoMatch)?
        .into_iter()
        .zip(0..)
        .filter(|(_, dimension)| !dimensions.contains(dimension))
        .map(|(size, _)| size)
        .collect();
    let sums = emit::sum(b, tensor, dimensions, dynamic_type(&kept, element))?;
    let number = emit::integers(b, tensor_type(&[], element), &[number])?;
    broadcast(b, "chlo.broadcast_multiply", sums, number, &[])
}

/// A tensor type of which some sizes are not known.
fn dynamic_type<'c>(sizes: &[Option<i64>], element: Type<'c>) -> Type<'c> {
    bounded_tensor_type(sizes, &vec![None; sizes.len()], element)
}

/// Subtracts a value whose dimensions are some of another one's, in any order.
fn subtract_along<'c>(
    b: &Builder<'c>,
    tensor: Value<'c>,
    small: Value<'c>,
    places: &[i64],
) -> Result<Value<'c>, RewriteError> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by_key(|index| places[*index]);
    let sorted: Vec<i64> = order.iter().map(|index| places[*index]).collect();
    let small = if order.is_sorted() {
        small
    } else {
        let shape = shape_of(small.r#type()).ok_or(RewriteError::NoMatch)?;
        let sizes: Vec<Option<i64>> = order.iter().map(|index| shape[*index]).collect();
        let permutation: Vec<i64> = order.iter().map(|index| *index as i64).collect();
        let r#type = dynamic_type(&sizes, element_type(small.r#type()));
        emit::transpose(b, small, &permutation, r#type)?
    };
    broadcast(b, "chlo.broadcast_subtract", tensor, small, &sorted)
}

/// The stored integers of a factor, widened, less its zero point.
fn centred<'c>(
    b: &Builder<'c>,
    factor: &Factor<'c>,
    element: Type<'c>,
) -> Result<Value<'c>, RewriteError> {
    let wide = emit::convert(b, factor.stored, element)?;
    if factor.zero == 0 {
        return Ok(wide);
    }
    let zero = emit::integers(b, tensor_type(&[], element), &[factor.zero])?;
    broadcast(b, "chlo.broadcast_subtract", wide, zero, &[])
}

/// The sizes of some dimensions, multiplied.
fn size_of(r#type: Type, dimensions: &[i64]) -> Option<i64> {
    let shape = shape_of(r#type)?;
    dimensions.iter().try_fold(1_i64, |product, dimension| {
        product.checked_mul((*shape.get(usize::try_from(*dimension).ok()?)?)?)
    })
}

/// `dot` and `dot_general` as a product of integers.
pub fn dot<'c>(b: &Builder<'c>, op: Operation<'c>) -> Result<(), RewriteError> {
    let [lhs, rhs] = operands(op)?;
    let ranks = [lhs, rhs].map(|value| shape_of(value.r#type()).map(|shape| shape.len() as i64));
    let [Some(left_rank), Some(right_rank)] = ranks else {
        return Err(RewriteError::NoMatch);
    };
    let numbers = match attribute_of(op, "dot_dimension_numbers") {
        Some(numbers) => {
            DotDimensionNumbers::from_attribute(numbers).ok_or(RewriteError::NoMatch)?
        }
        None => DotDimensionNumbers {
            lhs_batching_dimensions: Vec::new(),
            rhs_batching_dimensions: Vec::new(),
            lhs_contracting_dimensions: vec![left_rank - 1],
            rhs_contracting_dimensions: vec![0],
        },
    };
    // An algorithm is one for floats.
    ensure(attribute_of(op, "algorithm").is_none())?;
    let terms = size_of(lhs.r#type(), &numbers.lhs_contracting_dimensions)
        .or_else(|| size_of(rhs.r#type(), &numbers.rhs_contracting_dimensions));
    let batch = numbers.lhs_batching_dimensions.len() as i64;
    let left = Places::new(
        left_rank,
        &numbers.lhs_batching_dimensions,
        &numbers.lhs_contracting_dimensions,
        batch,
    );
    let left_free = left_rank - batch - numbers.lhs_contracting_dimensions.len() as i64;
    let right = Places::new(
        right_rank,
        &numbers.rhs_batching_dimensions,
        &numbers.rhs_contracting_dimensions,
        batch + left_free,
    );
    let product = Product::of(b, op, terms)?;
    let axis = match product.rhs.quantized.axis() {
        Some(axis) => Some(right.of(axis).ok_or(RewriteError::NoMatch)?),
        None => None,
    };
    let r#type = with_element_type(product.result, product.sum);
    let factors = [product.lhs.stored, product.rhs.stored];
    let new = emit::rebuild(b, op, "stablehlo.dot_general", &factors, &[r#type])?;
    set_attribute(
        new,
        "dot_dimension_numbers",
        numbers.to_attribute(b.context()),
    );
    let mut sum = results_of(new)
        .first()
        .copied()
        .ok_or(RewriteError::NoMatch)?;
    if product.rhs.zero != 0 {
        let wide = emit::convert(b, product.lhs.stored, product.sum)?;
        let contracting = &numbers.lhs_contracting_dimensions;
        let offset = scaled_sums(b, wide, contracting, product.rhs.zero)?;
        sum = subtract_along(b, sum, offset, &left.kept())?;
    }
    if product.lhs.zero != 0 {
        let wide = centred(b, &product.rhs, product.sum)?;
        let contracting = &numbers.rhs_contracting_dimensions;
        let offset = scaled_sums(b, wide, contracting, product.lhs.zero)?;
        sum = subtract_along(b, sum, offset, &right.kept())?;
    }
    product.finish(b, op, sum, axis)
}

/// Where the dimensions of an operand that stay are in the result: batching
/// ones in front, then those of the left and of the right operand.
struct Places(Vec<Option<i64>>);

impl Places {
    fn new(rank: i64, batching: &[i64], contracting: &[i64], mut next: i64) -> Self {
        let place = |dimension: i64| {
            if contracting.contains(&dimension) {
                return None;
            }
            if let Some(place) = batching.iter().position(|other| *other == dimension) {
                return Some(place as i64);
            }
            next += 1;
            Some(next - 1)
        };
        Self((0..rank).map(place).collect())
    }

    fn kept(&self) -> Vec<i64> {
        self.0.iter().copied().flatten().collect()
    }

    fn of(&self, dimension: i64) -> Option<i64> {
        *self.0.get(usize::try_from(dimension).ok()?)?
    }
}

/// `convolution` as one of integers. Where the left operand has a zero point,
/// padding and the gaps of a dilation are filled with it before.
pub fn convolution<'c>(b: &Builder<'c>, op: Operation<'c>) -> Result<(), RewriteError> {
    let [lhs, rhs] = operands(op)?;
    let numbers = attribute_of(op, "dimension_numbers")
        .and_then(ConvDimensionNumbers::from_attribute)
        .ok_or(RewriteError::NoMatch)?;
    let rank = shape_of(lhs.r#type()).ok_or(RewriteError::NoMatch)?.len();
    let window = Window::of(op, &numbers, rank)?;
    let mut reduced = numbers.kernel_spatial_dimensions.clone();
    reduced.push(numbers.kernel_input_feature_dimension);
    let terms = size_of(rhs.r#type(), &reduced);
    if let Some(axis) = Quantized::of(element_type(rhs.r#type())).and_then(Quantized::axis) {
        ensure(axis == numbers.kernel_output_feature_dimension)?;
    }
    let product = Product::of(b, op, terms)?;
    let feature = numbers.output_feature_dimension;
    let axis = product.rhs.quantized.axis().map(|_| feature);
    let r#type = with_element_type(product.result, product.sum);
    let (image, kernel, is_padded) = if product.rhs.zero != 0 {
        let image = centred(b, &product.lhs, product.sum)?;
        (image, centred(b, &product.rhs, product.sum)?, false)
    } else if product.lhs.zero != 0 && !window.is_plain() {
        (window.pad(b, &product.lhs)?, product.rhs.stored, true)
    } else {
        (product.lhs.stored, product.rhs.stored, false)
    };
    let new = emit::rebuild(b, op, name_of(op), &[image, kernel], &[r#type])?;
    if is_padded {
        window.make_plain(b, new)?;
    }
    let mut sum = results_of(new)
        .first()
        .copied()
        .ok_or(RewriteError::NoMatch)?;
    if product.lhs.zero != 0 && product.rhs.zero == 0 {
        let wide = emit::convert(b, product.rhs.stored, product.sum)?;
        let offset = scaled_sums(b, wide, &reduced, product.lhs.zero)?;
        sum = subtract_along(b, sum, offset, &[feature])?;
    }
    product.finish(b, op, sum, axis)
}

/// What is around the elements of a convolution's left operand, for each of
/// its dimensions.
struct Window {
    low: Vec<i64>,
    high: Vec<i64>,
    interior: Vec<i64>,
}

impl Window {
    fn of(
        op: Operation,
        numbers: &ConvDimensionNumbers,
        rank: usize,
    ) -> Result<Self, RewriteError> {
        let spatial = &numbers.input_spatial_dimensions;
        let padding = match attribute_of(op, "padding") {
            Some(padding) => dense_integers(padding).ok_or(RewriteError::NoMatch)?,
            None => vec![0; 2 * spatial.len()],
        };
        let dilation = match attribute_of(op, "lhs_dilation") {
            Some(dilation) => i64_array_value(dilation).ok_or(RewriteError::NoMatch)?,
            None => vec![1; spatial.len()],
        };
        let mut window = Self {
            low: vec![0; rank],
            high: vec![0; rank],
            interior: vec![0; rank],
        };
        for (number, dimension) in spatial.iter().enumerate() {
            let entry = usize::try_from(*dimension).map_err(|_| RewriteError::NoMatch)?;
            let at =
                |list: &[i64], index: usize| list.get(index).copied().ok_or(RewriteError::NoMatch);
            ensure(entry < rank)?;
            window.low[entry] = at(&padding, 2 * number)?;
            window.high[entry] = at(&padding, 2 * number + 1)?;
            window.interior[entry] = at(&dilation, number)? - 1;
        }
        Ok(window)
    }

    /// Whether there is nothing around the elements.
    fn is_plain(&self) -> bool {
        [&self.low, &self.high, &self.interior]
            .into_iter()
            .all(|list| list.iter().all(|amount| *amount == 0))
    }

    /// The stored integers with the zero point around them.
    fn pad<'c>(&self, b: &Builder<'c>, factor: &Factor<'c>) -> Result<Value<'c>, RewriteError> {
        let element = element_type(factor.stored.r#type());
        let zero = emit::integers(b, tensor_type(&[], element), &[factor.zero])?;
        let array = |list: &[i64]| i64_array_attribute(b.context(), list);
        Ok(b.op("stablehlo.pad")
            .operands(&[factor.stored, zero])
            .attribute("edge_padding_low", array(&self.low))
            .attribute("edge_padding_high", array(&self.high))
            .attribute("interior_padding", array(&self.interior))
            .infer_results()
            .value()?)
    }

    /// Makes a convolution one without padding and dilation of its left operand.
    fn make_plain<'c>(&self, b: &Builder<'c>, op: Operation<'c>) -> Result<(), RewriteError> {
        debug_assert_eq!(result_types_of(op).len(), 1);
        if let Some(padding) = attribute_of(op, "padding") {
            let r#type = crate::ir::attribute_type(padding);
            let zeros = vec![0; dense_integers(padding).unwrap_or_default().len()];
            let zeros = dense_from_integers(r#type, &zeros).ok_or(RewriteError::NoMatch)?;
            set_attribute(op, "padding", zeros);
        }
        if let Some(dilation) = attribute_of(op, "lhs_dilation").and_then(i64_array_value) {
            let ones = i64_array_attribute(b.context(), &vec![1; dilation.len()]);
            set_attribute(op, "lhs_dilation", ones);
        }
        Ok(())
    }
}
