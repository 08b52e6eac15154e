//! Matrix products whose rows form groups.
//!
//! If groups divide a free or contracting dimension, each group gets a separate product, in which
//! the rows of other groups are zero. Over a free dimension each product uses its group's part of
//! `rhs`, and the products are added; over a contracting one the products become a dimension of the
//! result. Groups of a batching dimension have no effect.
//!
//! `one_product` handles a dynamic number of groups.

mod one_product;

use crate::transforms::shapes::mixed_sizes::{self, MixedSize, MixedSizes};
use halo_ir::{
    prelude::*,
    stablehlo::attributes::{DotDimensionNumbers, RaggedDotDimensionNumbers},
};

/// A `chlo.ragged_dot` whose ragged dimension is free or contracting.
struct RaggedDot<'c> {
    op: chlo::RaggedDotOp<'c>,
    lhs: Value<'c>,
    rhs: Value<'c>,
    /// The sizes of the groups as i64.
    sizes: Value<'c>,
    numbers: RaggedDotDimensionNumbers,
    ragged: i64,
    /// The dimensions of `lhs` that correspond to the leading ones of the sizes.
    prefix: Vec<i64>,
    result: Type<'c>,
}

/// Replaces `chlo.ragged_dot` by one `stablehlo.dot_general` for each group.
pub fn decompose<'c>(b: &Builder<'c>, op: chlo::RaggedDotOp<'c>) -> RewriteResult {
    let (lhs, rhs, sizes) = (op.lhs(), op.rhs(), op.group_sizes());
    let numbers = op.ragged_dot_dimension_numbers();
    let &[ragged] = &numbers.lhs_ragged_dimensions[..] else {
        return Err(RewriteError::Invalid(
            "'chlo.ragged_dot' needs exactly one ragged dimension".to_owned(),
        ));
    };
    let result = op.result().ty();
    if numbers.lhs_batching_dimensions.contains(&ragged) {
        let dot = DotDimensionNumbers {
            lhs_batching_dimensions: numbers.lhs_batching_dimensions,
            rhs_batching_dimensions: numbers.rhs_batching_dimensions,
            lhs_contracting_dimensions: numbers.lhs_contracting_dimensions,
            rhs_contracting_dimensions: numbers.rhs_contracting_dimensions,
        };
        let value = dot_general(b, op, lhs, rhs, &dot, result)?;
        b.replace(op.operation(), &[value]);
        return Ok(());
    }
    let dot = RaggedDot {
        op,
        lhs,
        rhs,
        sizes: stablehlo::convert_elements(b, sizes, integer_type(b.context(), 64)),
        prefix: checked_prefix(&numbers, ragged, sizes)?,
        numbers,
        ragged,
        result,
    };
    let is_contracted = dot.numbers.lhs_contracting_dimensions.contains(&ragged);
    let value = match (dot.groups(is_contracted), is_contracted) {
        (Some(groups), true) => dot.products(b, groups)?,
        (Some(groups), false) => dot.sum(b, groups)?,
        (None, _) => one_product::decompose(b, &dot)?,
    };
    b.replace(op.operation(), &[value]);
    Ok(())
}

impl<'c> RaggedDot<'c> {
    /// The number of groups, if it is static.
    fn groups(&self, is_contracted: bool) -> Option<i64> {
        let of_sizes = self.sizes.ty().shape()?.last().copied().flatten();
        let other = || {
            if is_contracted {
                return *self.result.shape()?.first()?;
            }
            let dimension = usize::try_from(self.group_dimension().ok()?).ok()?;
            *self.rhs.ty().shape()?.get(dimension)?
        };
        of_sizes.or_else(other)
    }

    /// The group dimension of `rhs`.
    fn group_dimension(&self) -> RewriteResult<i64> {
        match self.numbers.rhs_group_dimensions[..] {
            [dimension] => Ok(dimension),
            _ => Err(RewriteError::Invalid(
                "'chlo.ragged_dot' needs one group dimension of rhs where the ragged dimension \
                 is free"
                    .to_owned(),
            )),
        }
    }

    /// The sum of the products of all groups with their parts of `rhs`.
    fn sum(&self, b: &Builder<'c>, groups: i64) -> RewriteResult<Value<'c>> {
        let dimension = self.group_dimension()?;
        let without_groups = |dimensions: &[i64]| {
            let behind = |other: i64| if other > dimension { other - 1 } else { other };
            dimensions.iter().copied().map(behind).collect()
        };
        let numbers = DotDimensionNumbers {
            lhs_batching_dimensions: self.numbers.lhs_batching_dimensions.clone(),
            rhs_batching_dimensions: without_groups(&self.numbers.rhs_batching_dimensions),
            lhs_contracting_dimensions: self.numbers.lhs_contracting_dimensions.clone(),
            rhs_contracting_dimensions: without_groups(&self.numbers.rhs_contracting_dimensions),
        };
        let mut rows = Rows::new(b, self)?;
        let mut sum = None;
        for group in 0..groups {
            let lhs = rows.of_group(group)?;
            let rhs = part(b, self.rhs, dimension, group)?;
            let product = dot_general(b, self.op, lhs, rhs, &numbers, self.result)?;
            sum = Some(match sum {
                Some(sum) => stablehlo::add(b, sum, product),
                None => product,
            });
        }
        match sum {
            Some(sum) => Ok(sum),
            None => self.nothing(b),
        }
    }

    /// The concatenated products of all groups.
    fn products(&self, b: &Builder<'c>, groups: i64) -> RewriteResult<Value<'c>> {
        let numbers = DotDimensionNumbers {
            lhs_batching_dimensions: self.numbers.lhs_batching_dimensions.clone(),
            rhs_batching_dimensions: self.numbers.rhs_batching_dimensions.clone(),
            lhs_contracting_dimensions: self.numbers.lhs_contracting_dimensions.clone(),
            rhs_contracting_dimensions: self.numbers.rhs_contracting_dimensions.clone(),
        };
        let shape = self.result.shape().ok_or_else(|| no_match("a tensor is unranked"))?;
        let sizes = shape.iter().map(|size| size.unwrap_or(i64::MIN));
        let mut sizes: Vec<i64> = sizes.collect();
        let element = self.result.element_type();
        let one_product = tensor_type(sizes.get(1..).unwrap_or_default(), element);
        if let Some(first) = sizes.first_mut() {
            *first = 1;
        }
        let one_group = tensor_type(&sizes, element);
        let mut rows = Rows::new(b, self)?;
        let products = (0..groups).map(|group| {
            let lhs = rows.of_group(group)?;
            dot_general(b, self.op, lhs, self.rhs, &numbers, one_product)
        });
        let products = products.collect::<Result<Vec<_>, _>>()?;
        let parts = products.into_iter().map(|product| {
            if sizes.iter().all(|size| *size >= 0) {
                return Ok(stablehlo::reshape(b, product, one_group));
            }
            let mut parts = vec![mixed_sizes::integers(b, &[1], 1)];
            for dimension in 0..sizes.len() - 1 {
                parts.push(mixed_sizes::part(
                    b,
                    mixed_sizes::size_of(b, product, dimension),
                ));
            }
            let shape = mixed_sizes::join(b, &parts);
            Ok(stablehlo::dynamic_reshape(b, product, shape, one_group))
        });
        let parts = parts.collect::<RewriteResult<Vec<_>>>()?;
        if parts.is_empty() {
            return self.nothing(b);
        }
        let products = stablehlo::ConcatenateOp::build(b, &parts, 0);
        Ok(products.result_types(&[self.result]).value())
    }

    /// The result for zero groups.
    fn nothing(&self, b: &Builder<'c>) -> RewriteResult<Value<'c>> {
        one_product::decompose(b, self)
    }
}

/// The rows of `lhs` by groups, which are visited in order.
struct Rows<'a, 'c> {
    b: &'a Builder<'c>,
    dot: &'a RaggedDot<'c>,
    mixed_sizes: MixedSizes<'c>,
    /// The position of each row.
    row: Value<'c>,
    zeros: Value<'c>,
    /// The start of the next group.
    start: Value<'c>,
}

impl<'a, 'c> Rows<'a, 'c> {
    fn new(b: &'a Builder<'c>, dot: &'a RaggedDot<'c>) -> RewriteResult<Self> {
        let index = integer_type(b.context(), 64);
        let mut leading = MixedSizes::of(b, dot.sizes)?;
        leading.0.pop();
        let start = leading.zeros(b, index)?;
        let mixed_sizes = MixedSizes::of(b, dot.lhs)?;
        let ragged =
            usize::try_from(dot.ragged).map_err(|_| no_match("a dimension is out of range"))?;
        let length = *mixed_sizes
            .0
            .get(ragged)
            .ok_or_else(|| no_match("a dimension is out of range"))?;
        let mut alone = MixedSizes(vec![MixedSize::Static(1); mixed_sizes.0.len()]);
        alone.0[ragged] = length;
        let row = alone.iota(b, index, ragged);
        let zeros = mixed_sizes.zeros(b, dot.lhs.ty().element_type())?;
        Ok(Self {
            b,
            dot,
            mixed_sizes,
            row,
            zeros,
            start,
        })
    }

    /// `lhs` with zeros for the rows of all other groups.
    fn of_group(&mut self, group: i64) -> RewriteResult<Value<'c>> {
        let (b, dot) = (self.b, self.dot);
        let size = part(b, dot.sizes, dot.prefix.len() as i64, group)?;
        let start = self.start;
        self.start = stablehlo::add(b, start, size);
        let all: Vec<i64> = (0..self.mixed_sizes.0.len() as i64).collect();
        let first = self.mixed_sizes.broadcast(b, start, &dot.prefix);
        let limit = self.mixed_sizes.broadcast(b, self.start, &dot.prefix);
        let row = self.mixed_sizes.broadcast(b, self.row, &all);
        let behind = stablehlo::compare(b, row, first, ComparisonDirection::Ge);
        let before = stablehlo::compare(b, row, limit, ComparisonDirection::Lt);
        let inside = stablehlo::and(b, behind, before);
        let rows = stablehlo::SelectOp::build(b, inside, dot.lhs, self.zeros);
        Ok(rows.result_types(&[self.zeros.ty()]).value())
    }
}

/// The slice of a tensor at an index of a dimension, without the dimension.
fn part<'c>(
    b: &Builder<'c>,
    value: Value<'c>,
    dimension: i64,
    index: i64,
) -> RewriteResult<Value<'c>> {
    let dimension =
        usize::try_from(dimension).map_err(|_| no_match("a dimension is out of range"))?;
    let mut mixed_sizes = MixedSizes::of(b, value)?;
    if dimension >= mixed_sizes.0.len() {
        return Err(no_match("a dimension is out of range"));
    }
    let rank = mixed_sizes.0.len();
    let element = value.ty().element_type();
    let (mut start, strides) = (vec![0; rank], vec![1; rank]);
    start[dimension] = index;
    let mut limits = mixed_sizes.clone();
    limits.0[dimension] = MixedSize::Static(index + 1);
    mixed_sizes.0[dimension] = MixedSize::Static(1);
    let sliced = mixed_sizes.ty(element);
    let slice = match limits.known() {
        Some(limits) => stablehlo::slice(b, value, &start, &limits, &strides),
        None => {
            let vector = tensor_type(&[rank as i64], integer_type(b.context(), 64));
            let start = stablehlo::integers(b, vector, &start)?;
            let strides = stablehlo::integers(b, vector, &strides)?;
            let limits = limits.tensor(b);
            stablehlo::real_dynamic_slice(b, value, start, limits, strides, sliced)
        }
    };
    mixed_sizes.0.remove(dimension);
    let result = mixed_sizes.ty(element);
    Ok(if mixed_sizes.known().is_some() {
        stablehlo::reshape(b, slice, result)
    } else {
        stablehlo::dynamic_reshape(b, slice, mixed_sizes.tensor(b), result)
    })
}

fn dot_general<'c>(
    b: &Builder<'c>,
    op: chlo::RaggedDotOp<'c>,
    lhs: Value<'c>,
    rhs: Value<'c>,
    numbers: &DotDimensionNumbers,
    result: Type<'c>,
) -> RewriteResult<Value<'c>> {
    Ok(stablehlo::DotGeneralOp::build(b, lhs, rhs, numbers, result)
        .maybe(op.precision_config(), |dot, precision| {
            dot.precision_config(&precision)
        })
        .value())
}

/// The dimensions of `lhs` that correspond to the leading dimensions of the group sizes, if there
/// are any.
fn checked_prefix(
    numbers: &RaggedDotDimensionNumbers,
    ragged: i64,
    sizes: Value,
) -> RewriteResult<Vec<i64>> {
    let rank = sizes.ty().shape().map_or(0, |shape| shape.len());
    let Some(leading) = rank.checked_sub(1) else {
        return Err(RewriteError::Invalid(
            "the group sizes of 'chlo.ragged_dot' are a scalar".to_owned(),
        ));
    };
    let prefix = match leading {
        0 => Vec::new(),
        _ => prefix(numbers, ragged),
    };
    if prefix.len() != leading {
        return Err(RewriteError::Invalid(format!(
            "the group sizes of 'chlo.ragged_dot' have {leading} leading dimensions instead of {}",
            prefix.len()
        )));
    }
    Ok(prefix)
}

/// The dimensions of `lhs` that correspond to the leading dimensions of the group sizes: the
/// batching ones, then the ones of the ragged dimension's kind before it.
fn prefix(numbers: &RaggedDotDimensionNumbers, ragged: i64) -> Vec<i64> {
    let batching = &numbers.lhs_batching_dimensions;
    let contracting = &numbers.lhs_contracting_dimensions;
    let before: Vec<i64> = if contracting.contains(&ragged) {
        contracting
            .iter()
            .copied()
            .take_while(|dimension| *dimension != ragged)
            .collect()
    } else {
        (0..ragged)
            .filter(|dimension| !batching.contains(dimension) && !contracting.contains(dimension))
            .collect()
    };
    batching.iter().copied().chain(before).collect()
}
