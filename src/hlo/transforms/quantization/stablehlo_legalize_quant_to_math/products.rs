//! Products and convolutions of quantized tensors, on their stored integers.
//!
//! With zero points `z` and scales `s`, a sum of products of the expressed values is
//! `s_lhs * s_rhs * sum((lhs - z_lhs) * (rhs - z_rhs))`. The sum is computed in integers, with the
//! zero points factored out:
//!
//! ```text
//! sum(lhs * rhs) - z_rhs * sum(lhs) - z_lhs * sum(rhs - z_rhs)
//! ```
//!
//! so that the product itself reads 8-bit elements, and the other terms are sums of each operand,
//! for weights a constant. The result is quantized from the sum in floats, or is the sum if its
//! scale is the product of both scales.
//!
//! Float products represent the same sums up to 2^24, and are several times as fast on devices
//! without products of bytes: [`Sums::Floats`].

use super::{
    Parameters, broadcast, cast, stored_type,
    window::{self, Window},
};
use crate::{
    matchers::{ensure, operands, result_type},
    semantics::quantization::Quantized,
};
use halo_ir::{prelude::*, stablehlo::attributes::DotDimensionNumbers};

pass_options! {
    /// The accumulation type of products.
    pub enum Sums {
        /// Integers, on the stored ones.
        Integers = "integers",
        /// Floats, on the stored integers minus their zero points: for devices with faster float
        /// products. Sums that the result stores directly remain integers if floats cannot
        /// represent them.
        Floats = "floats",
        /// Matrix products and [most convolutions](Self::of_convolution) in integers, others in
        /// floats: for processors with dot products on groups of integers.
        IntegerGroups = "integer-groups",
    }
}

impl Sums {
    /// The accumulation of matrix products.
    pub fn of_matrices(self) -> Self {
        match self {
            Self::IntegerGroups => Self::Integers,
            sums => sums,
        }
    }

    /// The accumulation of a convolution. Terms are multiplied in groups, of which at least one
    /// must be full, but not for depthwise convolutions. A zero point of the kernel would widen the
    /// integers of both operands.
    pub fn of_convolution(self, op: stablehlo::ConvolutionOp) -> Self {
        if self != Self::IntegerGroups {
            return self;
        }
        let (rhs, numbers) = (op.rhs(), op.dimension_numbers());
        let channels = numbers.kernel_input_feature_dimension;
        let terms = [&numbers.kernel_spatial_dimensions[..], &[channels]].concat();
        let [channels, terms] = [&[channels], &terms[..]].map(|of| size_of(rhs.ty(), of));
        let is_depthwise = op.feature_group_count() > 1 && channels == Some(1);
        let has_groups = terms.is_some_and(|terms| terms >= GROUP)
            && !is_depthwise
            && op.batch_group_count() == 1;
        let kernel = Quantized::of(rhs.ty().element_type());
        if has_groups && kernel.is_some_and(Quantized::is_symmetric) {
            Self::Integers
        } else {
            Self::Floats
        }
    }
}

/// The number of 8-bit products that an instruction adds to each sum.
const GROUP: i64 = 4;

/// An operand of a product.
pub struct Factor<'c> {
    /// The stored integers.
    pub stored: Value<'c>,
    pub zero: i64,
}

/// Lhs and rhs, with the properties of their product.
struct Product<'c> {
    lhs: Factor<'c>,
    rhs: Factor<'c>,
    /// The accumulation type.
    sum: Type<'c>,
    result: Parameters<'c>,
    result_type: Type<'c>,
    /// The scales of the sum: one, or one per scale of the right operand, along this dimension of
    /// the result.
    scales: Vec<f64>,
    axis: Option<i64>,
    /// Set if the result stores sums directly, except for zero points.
    is_sum: bool,
}

impl<'c> Product<'c> {
    /// The operands of an op that sums `terms` products each. Only slices of the right operand may
    /// have separate scales, and then no zero points; these are along dimension `axis` of the
    /// result.
    fn of(
        b: &Builder<'c>,
        op: Operation<'c>,
        terms: Option<i64>,
        axis: impl FnOnce(i64) -> Option<i64>,
        sums: Sums,
    ) -> RewriteResult<Self> {
        let [lhs, rhs] = operands(op)?;
        let result_type = result_type(op)?;
        let quantized = |ty: Type<'c>| {
            Quantized::of(ty.element_type()).ok_or_else(|| no_match("an operand is not quantized"))
        };
        let (left, right) = (quantized(lhs.ty())?, quantized(rhs.ty())?);
        ensure(
            left.axis().is_none() && (right.axis().is_none() || right.is_symmetric()),
            "an operand is quantized along a dimension",
        )?;
        let result = Parameters::of(result_type)?;
        ensure(
            result.quantized.expressed() == left.expressed(),
            "the operands and the result express different types",
        )?;
        let axis = match right.axis() {
            Some(dimension) => Some(
                axis(dimension).ok_or_else(|| no_match("the quantized dimension is summed up"))?,
            ),
            None => None,
        };
        let scales: Vec<f64> = (0..right.scale_count())
            .map(|number| left.parameters(0).0 * right.parameters(number).0)
            .collect();
        let is_sum = stores_sums(&result, &scales, axis);
        let largest = largest_sum(left, right, terms);
        let is_exact = largest.is_some_and(|largest| largest <= LARGEST_IN_F32);
        let sum = if sums == Sums::Floats && (is_exact || !is_sum) {
            sum_of_floats(b, left.expressed())
        } else {
            integer_type(b.context(), sum_width(left, right, largest)?)
        };
        let factor = |value: Value<'c>, quantized: Quantized<'c>| {
            let stored = stored_type(b.context(), value.ty());
            Ok::<_, RewriteError>(Factor {
                stored: cast(b, value, stored),
                zero: quantized.parameters(0).1,
            })
        };
        Ok(Self {
            lhs: factor(lhs, left)?,
            rhs: factor(rhs, right)?,
            sum,
            result,
            result_type,
            scales,
            axis,
            is_sum,
        })
    }

    fn sums_floats(&self) -> bool {
        self.sum.is_float()
    }

    /// Both operands minus their zero points, in the accumulation type.
    fn centred(&self, b: &Builder<'c>) -> RewriteResult<[Value<'c>; 2]> {
        Ok([
            centred(b, &self.lhs, self.sum)?,
            centred(b, &self.rhs, self.sum)?,
        ])
    }

    /// The type of the result before it is stored.
    fn sum_type(&self) -> Type<'c> {
        self.result_type.with_element_type(self.sum)
    }

    /// The op on other operands, with sums as its result.
    fn build(
        &self,
        b: &Builder<'c>,
        op: Operation<'c>,
        name: &str,
        factors: &[Value<'c>],
    ) -> RewriteResult<(Operation<'c>, Value<'c>)> {
        let new = b.rebuild(op, name, factors, &[self.sum_type()]);
        let sum = new.results().first().copied();
        Ok((new, sum.ok_or_else(|| no_match("there is no sum"))?))
    }

    /// Replaces an op by its sum, in the result's form.
    fn finish(&self, b: &Builder<'c>, op: Operation<'c>, sum: Value<'c>) -> RewriteResult {
        let value = if self.is_sum && self.sum.bit_width() == Some(32) {
            let mut value = stablehlo::convert_elements(b, sum, integer_type(b.context(), 32));
            if !self.result.quantized.is_symmetric() {
                let ty = self.result.shaped(value.ty().element_type());
                let zero = stablehlo::integers(b, ty, &self.result.zero_points())?;
                value = self.result.apply::<chlo::BroadcastAddOp>(b, value, zero)?;
            }
            cast(b, value, self.result_type)
        } else {
            // Floats narrower than 32 bits cannot represent the range of sums.
            let expressed = self.result.quantized.expressed();
            let wide = sum_of_floats(b, expressed);
            let value = stablehlo::convert_elements(b, sum, wide);
            let shape: Vec<i64> = self.axis.map(|_| self.scales.len() as i64).into_iter().collect();
            let scales = stablehlo::floats(b, tensor_type(&shape, wide), &self.scales)?;
            let axis = self.axis.as_slice();
            let value = broadcast::<chlo::BroadcastMulOp>(b, value, scales, axis)?;
            let value = stablehlo::convert_elements(b, value, expressed);
            stablehlo::uniform_quantize(b, value, self.result_type)
        };
        b.replace(op, &[value]);
        Ok(())
    }
}

/// The float type in which numbers of a type are accumulated.
fn sum_of_floats<'c>(b: &Builder<'c>, element: Type<'c>) -> Type<'c> {
    if element.float_kind() == Some(FloatKind::F64) {
        element
    } else {
        Type::float32(b.context())
    }
}

/// Returns true if a result stores sums of these scales directly, except for zero points: it has
/// the same scales, and 32-bit integers.
fn stores_sums(result: &Parameters, scales: &[f64], axis: Option<i64>) -> bool {
    let quantized = result.quantized;
    quantized.axis() == axis
        && quantized.scale_count() == scales.len()
        && scales
            .iter()
            .enumerate()
            .all(|(number, scale)| quantized.parameters(number).0 as f32 == *scale as f32)
        && quantized.is_signed()
        && quantized.range() == (i32::MIN.into(), i32::MAX.into())
        && result.zero_points().iter().all(|zero| zero.abs() < SPARE)
}

/// The margin below the largest integers that sums keep, so that a zero point may be added.
const SPARE: i64 = 1 << 16;

/// f32 represents every integer up to this.
const LARGEST_IN_F32: i64 = 1 << 24;

/// An upper bound of a sum of `terms` products, if it is known.
fn largest_sum(left: Quantized, right: Quantized, terms: Option<i64>) -> Option<i64> {
    let largest = |quantized: Quantized| {
        let (minimum, maximum) = quantized.range();
        let distance = |zero: i64| maximum.abs_diff(zero).max(minimum.abs_diff(zero));
        (0..quantized.scale_count())
            .map(|number| distance(quantized.parameters(number).1))
            .max()
            .and_then(|distance| i64::try_from(distance).ok())
    };
    largest(left)?.checked_mul(largest(right)?)?.checked_mul(terms?.max(1))
}

/// The width of integers for the sums; for an unknown number of terms, as many as 8-bit integers
/// allow in 32 bits are assumed.
fn sum_width(left: Quantized, right: Quantized, largest: Option<i64>) -> RewriteResult<u32> {
    let bytes = left.storage_width() <= 8 && right.storage_width() <= 8;
    match largest {
        Some(largest) if largest < i64::from(i32::MAX) - SPARE => Ok(32),
        Some(_) => Ok(64),
        None if bytes => Ok(32),
        None => Err(no_match("the number of terms is not known")),
    }
}

/// Scaled sums of a tensor over some dimensions.
fn scaled_sums<'c>(
    b: &Builder<'c>,
    tensor: Value<'c>,
    dimensions: &[i64],
    number: i64,
) -> RewriteResult<Value<'c>> {
    let element = tensor.ty().element_type();
    let sums = stablehlo::sum(b, tensor, dimensions)?;
    let number = stablehlo::integers(b, tensor_type(&[], element), &[number])?;
    broadcast::<chlo::BroadcastMulOp>(b, sums, number, &[])
}

/// Subtracts a value whose dimensions are some dimensions of another one, in any order.
fn subtract_along<'c>(
    b: &Builder<'c>,
    tensor: Value<'c>,
    small: Value<'c>,
    dimensions: &[i64],
) -> RewriteResult<Value<'c>> {
    let mut order: Vec<usize> = (0..dimensions.len()).collect();
    order.sort_by_key(|index| dimensions[*index]);
    let sorted: Vec<i64> = order.iter().map(|index| dimensions[*index]).collect();
    let small = if order.is_sorted() {
        small
    } else {
        let permutation: Vec<i64> = order.iter().map(|index| *index as i64).collect();
        stablehlo::transpose(b, small, &permutation)
    };
    broadcast::<chlo::BroadcastSubOp>(b, tensor, small, &sorted)
}

/// The stored integers of an operand, widened, minus its zero point.
fn centred<'c>(
    b: &Builder<'c>,
    factor: &Factor<'c>,
    element: Type<'c>,
) -> RewriteResult<Value<'c>> {
    let wide = stablehlo::convert_elements(b, factor.stored, element);
    if factor.zero == 0 {
        return Ok(wide);
    }
    let zero = stablehlo::number(b, tensor_type(&[], element), factor.zero as f64)?;
    broadcast::<chlo::BroadcastSubOp>(b, wide, zero, &[])
}

/// The product of the sizes of some dimensions.
fn size_of(ty: Type, dimensions: &[i64]) -> Option<i64> {
    let shape = ty.shape()?;
    dimensions.iter().try_fold(1_i64, |product, dimension| {
        product.checked_mul((*shape.get(usize::try_from(*dimension).ok()?)?)?)
    })
}

/// `dot` and `dot_general` as a product of stored integers.
pub fn dot<'c>(b: &Builder<'c>, op: Operation<'c>, sums: Sums) -> RewriteResult {
    let [lhs, rhs] = operands(op)?;
    let ranks = [lhs, rhs].map(|value| value.ty().shape().map(|shape| shape.len() as i64));
    let [Some(left_rank), Some(right_rank)] = ranks else {
        return Err(no_match("a tensor is unranked"));
    };
    let general = op.cast::<stablehlo::DotGeneralOp>();
    // The algorithm attribute is for floats.
    ensure(
        general.is_none_or(|dot| dot.algorithm().is_none()),
        "it names an algorithm",
    )?;
    let numbers = match general {
        Some(dot) => dot.dot_dimension_numbers(),
        None => DotDimensionNumbers {
            lhs_batching_dimensions: Vec::new(),
            rhs_batching_dimensions: Vec::new(),
            lhs_contracting_dimensions: vec![left_rank - 1],
            rhs_contracting_dimensions: vec![0],
        },
    };
    let terms = size_of(lhs.ty(), &numbers.lhs_contracting_dimensions)
        .or_else(|| size_of(rhs.ty(), &numbers.rhs_contracting_dimensions));
    let batch = numbers.lhs_batching_dimensions.len() as i64;
    let left = DimensionMap::new(
        left_rank,
        &numbers.lhs_batching_dimensions,
        &numbers.lhs_contracting_dimensions,
        batch,
    );
    let left_free = left_rank - batch - numbers.lhs_contracting_dimensions.len() as i64;
    let right = DimensionMap::new(
        right_rank,
        &numbers.rhs_batching_dimensions,
        &numbers.rhs_contracting_dimensions,
        batch + left_free,
    );
    let product = Product::of(b, op, terms, |axis| right.of(axis), sums)?;
    let factors = if product.sums_floats() {
        product.centred(b)?
    } else {
        [product.lhs.stored, product.rhs.stored]
    };
    let [x, y] = factors;
    let new = stablehlo::DotGeneralOp::build(b, x, y, &numbers, product.sum_type());
    let new = match (general, op.cast::<stablehlo::DotOp>()) {
        (Some(dot), _) => new.attributes_of(dot),
        (None, Some(dot)) => new
            .maybe(dot.precision_config(), |new, precision| {
                new.precision_config(&precision)
            })
            .discardable_attributes_of(op),
        (None, None) => return Err(no_match("it is no product")),
    };
    let mut sum = new.value();
    if product.sums_floats() {
        return product.finish(b, op, sum);
    }
    if product.rhs.zero != 0 {
        let wide = stablehlo::convert_elements(b, product.lhs.stored, product.sum);
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
    product.finish(b, op, sum)
}

/// The positions of an operand's free and batching dimensions in the result: batching ones first,
/// then those of lhs and rhs.
struct DimensionMap(Vec<Option<i64>>);

impl DimensionMap {
    fn new(rank: i64, batching: &[i64], contracting: &[i64], mut next: i64) -> Self {
        let position = |dimension: i64| {
            if contracting.contains(&dimension) {
                return None;
            }
            if let Some(position) = batching.iter().position(|other| *other == dimension) {
                return Some(position as i64);
            }
            next += 1;
            Some(next - 1)
        };
        Self((0..rank).map(position).collect())
    }

    fn kept(&self) -> Vec<i64> {
        self.0.iter().copied().flatten().collect()
    }

    fn of(&self, dimension: i64) -> Option<i64> {
        *self.0.get(usize::try_from(dimension).ok()?)?
    }
}

/// `convolution` on integers. If the left operand has a zero point, padding and dilation gaps are
/// first filled with it.
pub fn convolution<'c>(
    b: &Builder<'c>,
    op: stablehlo::ConvolutionOp<'c>,
    sums: Sums,
) -> RewriteResult {
    let (lhs, rhs, numbers) = (op.lhs(), op.rhs(), op.dimension_numbers());
    let rank = lhs.ty().shape().ok_or_else(|| no_match("a tensor is unranked"))?.len();
    let window = Window::of(op, &numbers, rank)?;
    let op = op.operation();
    let mut reduced = numbers.kernel_spatial_dimensions.clone();
    reduced.push(numbers.kernel_input_feature_dimension);
    let terms = size_of(rhs.ty(), &reduced);
    if let Some(axis) = Quantized::of(rhs.ty().element_type()).and_then(Quantized::axis) {
        ensure(
            axis == numbers.kernel_output_feature_dimension,
            "the kernel is quantized along another dimension",
        )?;
    }
    let feature = numbers.output_feature_dimension;
    let product = Product::of(b, op, terms, |_| Some(feature), sums)?;
    if product.sums_floats() || product.rhs.zero != 0 {
        let (_, sum) =
            product.build(b, op, stablehlo::ConvolutionOp::NAME, &product.centred(b)?)?;
        return product.finish(b, op, sum);
    }
    let is_padded = product.lhs.zero != 0 && !window.is_plain();
    let image = if is_padded {
        window.pad(b, &product.lhs)?
    } else {
        product.lhs.stored
    };
    let factors = [image, product.rhs.stored];
    let (new, mut sum) = product.build(b, op, stablehlo::ConvolutionOp::NAME, &factors)?;
    if let Some(new) = new.cast().filter(|_| is_padded) {
        window::remove(new)?;
    }
    if product.lhs.zero != 0 {
        let wide = stablehlo::convert_elements(b, product.rhs.stored, product.sum);
        let offset = scaled_sums(b, wide, &reduced, product.lhs.zero)?;
        sum = subtract_along(b, sum, offset, &[feature])?;
    }
    product.finish(b, op, sum)
}
