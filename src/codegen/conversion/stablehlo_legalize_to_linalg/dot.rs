//! `dot_general` and `dot`: a `linalg.generic` with loops in the order batch,
//! m, n, k.
//!
//! Dimensions of one kind are collapsed to one, which is free if they are adjacent. The operands
//! keep their dimension order: the indexing maps identify the dimensions, and the kernel reads
//! operands without transposes.
//!
//! The attribute `halo.precision` of the op has the requested precision of an f32 product unless it
//! is the default: `"tf32"` or `"highest"`. Backends for devices whose fast products are less
//! precise than f32 read it.

use super::{Lowered, Lowering, region};
use halo_hlo::semantics::{op::Op, precision_config};
use halo_ir::{
    ops::{BinaryFn, Codec, complex, halo},
    prelude::*,
    stablehlo::attributes::{DotAlgorithm, DotDimensionNumbers},
};

/// An operand whose dimensions are collapsed by kind.
struct Joined<'c> {
    value: Value<'c>,
    /// The loop of each of its dimensions.
    loops: Vec<usize>,
}

impl<'c> Lowering<'_, 'c> {
    pub(super) fn dot(&mut self) -> Lowered<'c> {
        let left_rank = self.operand(0)?.ty().shape().map_or(0, |shape| shape.len()) as i64;
        let numbers = DotDimensionNumbers {
            lhs_batching_dimensions: Vec::new(),
            rhs_batching_dimensions: Vec::new(),
            lhs_contracting_dimensions: vec![left_rank - 1],
            rhs_contracting_dimensions: vec![0],
        };
        self.contract(&numbers)
    }

    pub(super) fn dot_general(&mut self) -> Lowered<'c> {
        let dot = self.op_as::<stablehlo::DotGeneralOp>()?;
        self.contract(&dot.dot_dimension_numbers())
    }

    fn contract(&mut self, numbers: &DotDimensionNumbers) -> Lowered<'c> {
        let original = self.original_elements();
        let [left, right] =
            [0, 1].map(|number| Ok::<_, RewriteError>((self.operand(number)?, original[number])));
        let precision = Precision::of(Op::Built(self.op));
        let operands = (left?, right?);
        let result = self.product_shape(numbers)?;
        let value = product(&self.builder, operands, numbers, &[], &result, precision)?;
        Ok(vec![value])
    }

    /// The shape of a product: the batch dimensions, and the free dimensions of both operands.
    fn product_shape(&self, numbers: &DotDimensionNumbers) -> RewriteResult<Shape<'c>> {
        let pairs = |left: &[i64], right: &[i64]| {
            let agreed = left
                .iter()
                .zip(right)
                .map(|(left, right)| self.agreed_size((0, *left as usize), (1, *right as usize)));
            agreed.collect::<RewriteResult<Vec<_>>>()
        };
        let (of_left, of_right) = (
            &numbers.lhs_contracting_dimensions,
            &numbers.rhs_contracting_dimensions,
        );
        pairs(of_left, of_right)?;
        let batch = (
            &numbers.lhs_batching_dimensions,
            &numbers.rhs_batching_dimensions,
        );
        let mut sizes = pairs(batch.0, batch.1)?;
        for (operand, listed) in [[batch.0, of_left], [batch.1, of_right]].iter().enumerate() {
            let free = self.sizes(operand)?.into_iter().enumerate();
            let free = free
                .filter(|(dim, _)| !listed.iter().any(|listed| listed.contains(&(*dim as i64))));
            sizes.extend(free.map(|(_, size)| size));
        }
        self.result_shape(0, &sizes)
    }
}

/// The precision of an f32 product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// The fastest one with at least two 11-bit (TF32) numbers per factor.
    Default,
    /// Factors may be rounded to TF32.
    Tf32,
    /// The precision of f32.
    Highest,
}

impl Precision {
    /// The precision that a product requests.
    pub fn of(op: Op) -> Self {
        if let Some(algorithm) = op.attribute("algorithm").and_then(DotAlgorithm::from_attribute) {
            let is_of = |name| {
                let types = [algorithm.lhs_precision_type, algorithm.rhs_precision_type];
                types.iter().all(|factor| factor.to_string() == name)
            };
            return match algorithm.num_primitive_operations {
                1 if is_of("tf32") => Self::Tf32,
                1 if is_of("f32") => Self::Highest,
                _ => Self::Default,
            };
        }
        match precision_config(op) {
            Ok(config) if config.contains(&"HIGHEST") => Self::Highest,
            _ => Self::Default,
        }
    }

    /// Sets the attribute `halo.precision` of the op that defines an f32 product.
    pub fn annotate<'c>(self, b: &Builder<'c>, products: Value<'c>) {
        let precision = match self {
            Self::Default => return,
            Self::Tf32 => halo::Precision::Tf32,
            Self::Highest => halo::Precision::Highest,
        };
        if products.ty().element_type().float_kind() == Some(FloatKind::F32)
            && let Some(operation) = products.defining_op()
            && let Some(precision) = halo::PrecisionAttr::write(b.context(), precision)
        {
            operation.set_attribute(halo::PRECISION, precision);
        }
    }
}

/// `dot_general` of two tensors, each with its element type in HLO. The dimensions `outer` of the
/// right one, which are neither batched nor contracted, come first in the result.
pub fn product<'c>(
    b: &Builder<'c>,
    ((left, from_left), (right, from_right)): ((Value<'c>, Type<'c>), (Value<'c>, Type<'c>)),
    numbers: &DotDimensionNumbers,
    outer: &[i64],
    result: &Shape<'c>,
    precision: Precision,
) -> RewriteResult<Value<'c>> {
    let (left_dims, right_dims) = (Size::all(b, left), Size::all(b, right));
    let free = |dims: &[Size], batch: &[i64], contracted: &[i64]| -> Vec<i64> {
        (0..dims.len() as i64)
            .filter(|dimension| !batch.contains(dimension) && !contracted.contains(dimension))
            .collect()
    };
    let left_free = free(
        &left_dims,
        &numbers.lhs_batching_dimensions,
        &numbers.lhs_contracting_dimensions,
    );
    let right_free = free(
        &right_dims,
        &[&numbers.rhs_batching_dimensions[..], outer].concat(),
        &numbers.rhs_contracting_dimensions,
    );
    let size = |dims: &[Size<'c>], which: &[i64]| -> Size<'c> {
        let sizes: Vec<Size> = which.iter().map(|dimension| dims[*dimension as usize]).collect();
        sizes::product(b, &sizes)
    };
    let outer_size = size(&right_dims, outer);
    let batch = size(&left_dims, &numbers.lhs_batching_dimensions);
    let m = size(&left_dims, &left_free);
    let n = size(&right_dims, &right_free);
    // Kinds that are absent have no loop.
    let present = [
        !outer.is_empty(),
        !numbers.lhs_batching_dimensions.is_empty(),
        !left_free.is_empty(),
        !right_free.is_empty(),
        !numbers.lhs_contracting_dimensions.is_empty(),
    ];
    let mut loops = [0; 5];
    let mut count = 0;
    for (kind, there) in present.iter().enumerate() {
        loops[kind] = count;
        count += usize::from(*there);
    }
    let joined_left = join(
        b,
        left,
        &[
            (loops[1], &numbers.lhs_batching_dimensions),
            (loops[2], &left_free),
            (loops[4], &numbers.lhs_contracting_dimensions),
        ],
    );
    let joined_right = join(
        b,
        right,
        &[
            (loops[0], outer),
            (loops[1], &numbers.rhs_batching_dimensions),
            (loops[3], &right_free),
            (loops[4], &numbers.rhs_contracting_dimensions),
        ],
    );
    let sizes: Vec<Size> = [outer_size, batch, m, n]
        .into_iter()
        .zip(present)
        .filter_map(|(size, there)| there.then_some(size))
        .collect();
    let target = result.element;
    let accumulator = accumulator_type(b, target);
    let zero = arith::number(b, accumulator, 0);
    let start = structured::filled(b, zero, Shape::new(sizes.clone(), accumulator));
    let mut iterators = vec![IteratorType::Parallel; count];
    if present[4] {
        iterators[count - 1] = IteratorType::Reduction;
    }
    let output_loops: Vec<usize> = (0..sizes.len()).collect();
    let generic = structured::Generic {
        inputs: vec![
            (
                joined_left.value,
                structured::projection(b, count, &joined_left.loops),
            ),
            (
                joined_right.value,
                structured::projection(b, count, &joined_right.loops),
            ),
        ],
        outputs: vec![(start, structured::projection(b, count, &output_loops))],
        iterators,
    };
    let products = generic.build(b, |b, arguments| {
        let left = region::promoted(b, arguments[0], from_left, accumulator)?;
        let right = region::promoted(b, arguments[1], from_right, accumulator)?;
        Ok::<_, RewriteError>(vec![multiply_add(b, left, right, arguments[2])])
    })?;
    precision.annotate(b, products[0]);
    let value = rounded(b, products[0], target);
    Ok(structured::reshape_to(b, value, &result.sizes))
}

/// Rounds accumulated sums to the element type of the result.
pub fn rounded<'c>(b: &Builder<'c>, value: Value<'c>, target: Type<'c>) -> Value<'c> {
    if value.ty().element_type() == target {
        return value;
    }
    let sizes = Size::all(b, value);
    let identity: Vec<usize> = (0..sizes.len()).collect();
    let map = structured::projection(b, sizes.len(), &identity);
    let result = Shape::new(sizes, target);
    structured::gather_elements(b, vec![(value, map)], result, |b, arguments| {
        arith::resize_float(b, arguments[0], target)
    })
}

/// Sums of narrow floats are accumulated in f32 and rounded once.
pub fn accumulator_type<'c>(b: &Builder<'c>, target: Type<'c>) -> Type<'c> {
    match target.float_kind() {
        Some(FloatKind::BF16 | FloatKind::F16 | FloatKind::Narrow) => Type::float32(b.context()),
        _ => target,
    }
}

pub fn multiply_add<'c>(
    b: &Builder<'c>,
    left: Value<'c>,
    right: Value<'c>,
    sum: Value<'c>,
) -> Value<'c> {
    let ty = sum.ty();
    if ty.complex_element().is_some() {
        return complex::add_parts(b, sum, complex::multiply_parts(b, left, right));
    }
    let (multiply, add): (BinaryFn, BinaryFn) = if ty.float_kind().is_some() {
        (arith::mulf, arith::addf)
    } else if ty.integer_width() == Some(1) {
        (arith::andi, arith::ori)
    } else {
        (arith::muli, arith::addi)
    };
    let product = multiply(b, left, right);
    add(b, sum, product)
}

/// Collapses the dimensions of each kind to one, after a transpose if they are not adjacent in the
/// listed order.
fn join<'c>(b: &Builder<'c>, value: Value<'c>, kinds: &[(usize, &[i64])]) -> Joined<'c> {
    let present: Vec<(usize, &[i64])> =
        kinds.iter().filter(|(_, dimensions)| !dimensions.is_empty()).copied().collect();
    let adjacent = present
        .iter()
        .all(|(_, dimensions)| dimensions.windows(2).all(|pair| pair[1] == pair[0] + 1));
    let (value, order) = if adjacent {
        let mut order = present;
        order.sort_by_key(|(_, dimensions)| dimensions[0]);
        (value, order)
    } else {
        let permutation: Vec<i64> =
            present.iter().flat_map(|(_, dimensions)| dimensions.iter().copied()).collect();
        (structured::transpose(b, value, &permutation), present)
    };
    let sizes = Size::all(b, value);
    let mut next = 0;
    let mut joined = Vec::new();
    for (_, dimensions) in &order {
        joined.push(sizes::product(b, &sizes[next..next + dimensions.len()]));
        next += dimensions.len();
    }
    Joined {
        value: structured::reshape_to(b, value, &joined),
        loops: order.iter().map(|(index, _)| *index).collect(),
    }
}
