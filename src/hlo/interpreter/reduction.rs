//! Reductions over dimensions and windows, and `map`.

use super::{
    body::Body,
    dot::BLOCK,
    indexing::{for_each_index, position_in, strides},
    prelude::*,
};
use crate::{matchers, semantics::op::Op};
use halo_core::{Complex, ElementType, Literal, Scalar, Shape};

/// Section `reduce`: from the initial values, element by element in row-major order. Long sums are
/// computed in blocks.
pub fn reduce(call: &Call) -> Evaluated {
    let count = call.operands.len() / 2;
    let inputs = call.tensors(0..count)?;
    let initial = call.tensors(count..2 * count)?;
    let first = inputs.first().ok_or("has no operand")?;
    let dimensions = call.dimensions("dimensions")?;
    let kept: Vec<usize> =
        (0..first.shape().rank()).filter(|dim| !dimensions.contains(dim)).collect();
    let dims: Vec<usize> = kept.iter().map(|dim| first.dims()[*dim]).collect();
    let terms = dimensions.iter().map(|dim| first.dims()[*dim]).product();
    let mut folder = Folder::new(call, &initial, &dims, terms)?;
    let result_strides = strides(&dims);
    for_each_index(first.dims(), |from, index| {
        let to = kept.iter().zip(&result_strides).map(|(dim, stride)| index[*dim] * stride).sum();
        let values = inputs.iter().map(|input| input.get(from));
        folder.add(to, values)
    })?;
    Ok(folder.finish())
}

/// Results under construction, which the body of the op combines with more values.
struct Folder<'b, 'a, 'e, 'c> {
    body: Body<'b, 'a, 'e, 'c>,
    results: Vec<Literal>,
    /// The number of terms in a block of a sum.
    block: usize,
    /// For each element of a sum in blocks, the number of terms in the current block and the sum of
    /// earlier blocks.
    blocks: Vec<(usize, Complex<f64>)>,
}

/// The block size, if sums of this many terms are computed in blocks. Sums of narrow floats are
/// computed in `f64`.
fn block_of_sums(element: ElementType, terms: usize) -> Option<usize> {
    match element {
        ElementType::F32 | ElementType::Complex64 => (terms > BLOCK).then_some(BLOCK),
        narrow if narrow.is_float() && narrow.bit_width() < 32 => Some(1),
        _ => None,
    }
}

impl<'b, 'a, 'e, 'c> Folder<'b, 'a, 'e, 'c> {
    /// Results of these dimensions, initialized, to be combined with this many terms each.
    fn new(
        call: &'b Call<'a, 'e, 'c>,
        initial: &[&Literal],
        dims: &[usize],
        terms: usize,
    ) -> Result<Self, Failure> {
        let elements: Vec<ElementType> = (0..initial.len())
            .map(|number| call.result_element(number))
            .collect::<Result<_, _>>()?;
        let results = elements
            .iter()
            .zip(initial)
            .map(|(element, initial)| {
                let mut result = Literal::try_zeros(Shape::new(*element, dims)?)?;
                let value =
                    super::scalar::convert(initial.get(0), initial.element_type(), *element);
                for position in 0..result.element_count() {
                    result.set(position, value);
                }
                Ok(result)
            })
            .collect::<Result<Vec<Literal>, Failure>>()?;
        let is_sum = call.op.block(0).is_some_and(matchers::is_sum);
        let block = match elements[..] {
            [element] if is_sum => block_of_sums(element, terms),
            _ => None,
        };
        let count = block.map_or(0, |_| results[0].element_count());
        Ok(Self {
            body: Body::new(call, 0, elements.repeat(2)),
            results,
            block: block.unwrap_or(terms),
            blocks: vec![(0, NOTHING); count],
        })
    }

    /// Combines the results at a position with values.
    fn add(&mut self, to: usize, values: impl Iterator<Item = Scalar>) -> Result<(), Failure> {
        let arguments: Vec<Scalar> =
            self.results.iter().map(|result| result.get(to)).chain(values).collect();
        let combined = self.body.apply(&arguments)?;
        for (result, value) in self.results.iter_mut().zip(combined) {
            result.set(to, value);
        }
        if let (Some((terms, sum)), [result]) = (self.blocks.get_mut(to), &mut self.results[..]) {
            *terms += 1;
            if *terms == self.block {
                *terms = 0;
                *sum += result.get(to).to_complex();
                result.set(to, scalar(result, NOTHING));
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Vec<super::Value> {
        if let [result] = &mut self.results[..] {
            for (position, (_, sum)) in self.blocks.iter().enumerate() {
                let sum = sum + result.get(position).to_complex();
                result.set(position, scalar(result, sum));
            }
        }
        self.results.into_iter().map(Into::into).collect()
    }
}

/// The neutral element of addition.
const NOTHING: Complex<f64> = Complex::new(-0.0, -0.0);

/// A number as an element of a tensor.
fn scalar(tensor: &Literal, number: Complex<f64>) -> Scalar {
    if tensor.element_type().is_complex() {
        Scalar::Complex(number)
    } else {
        Scalar::Float(number.re)
    }
}

/// The motion of a window over a tensor, by dimension.
pub struct Window {
    pub sizes: Vec<usize>,
    pub strides: Vec<usize>,
    pub base_dilations: Vec<usize>,
    pub dilations: Vec<usize>,
    pub padding: Vec<[i64; 2]>,
}

impl Window {
    /// The window in the attributes of an op.
    pub fn read(op: Op, rank: usize) -> Result<Self, Failure> {
        let sizes = super::call::to_sizes(&op.integers("window_dimensions")?)?;
        let numbers = |name: &str| match op.optional_integers(name) {
            Some(numbers) => super::call::to_sizes(&numbers),
            None => Ok(vec![1; rank]),
        };
        let window = Self {
            strides: numbers("window_strides")?,
            base_dilations: numbers("base_dilations")?,
            dilations: numbers("window_dilations")?,
            padding: padding(op, rank),
            sizes,
        };
        let lengths = [
            window.sizes.len(),
            window.strides.len(),
            window.base_dilations.len(),
            window.dilations.len(),
            window.padding.len(),
        ];
        if lengths.iter().any(|length| *length != rank) || window.strides.contains(&0) {
            return Err(format!("has a window that does not fit rank {rank}").into());
        }
        Ok(window)
    }

    /// The number of positions of the window along each dimension: `num_windows`
    /// of the specification.
    pub fn positions(&self, dims: &[usize]) -> Vec<usize> {
        (0..dims.len())
            .map(|dim| {
                // Dilations and padding may be any numbers.
                let dilated = |size: usize, by: usize| match size {
                    0 => 0,
                    size => (size as i128 - 1) * by as i128 + 1,
                };
                let [low, high] = self.padding[dim].map(i128::from);
                let base = dilated(dims[dim], self.base_dilations[dim]) + low + high;
                let window = dilated(self.sizes[dim], self.dilations[dim]);
                if base <= 0 || window > base {
                    return 0;
                }
                let count = (base - window) / self.strides[dim] as i128 + 1;
                usize::try_from(count).unwrap_or(usize::MAX)
            })
            .collect()
    }

    /// The tensor index under an element of the window; `None` over padding or between dilated
    /// elements.
    pub fn source(&self, at: &[usize], offset: &[usize], dims: &[usize]) -> Option<usize> {
        let mut index = vec![0; dims.len()];
        for dim in 0..dims.len() {
            let product = |count: usize, by: usize| count as i128 * by as i128;
            let position = product(at[dim], self.strides[dim])
                + product(offset[dim], self.dilations[dim])
                - i128::from(self.padding[dim][0]);
            let dilation = self.base_dilations[dim].max(1) as i128;
            if position % dilation != 0 {
                return None;
            }
            index[dim] = i64::try_from(position / dilation).ok()?;
        }
        position_in(&index, dims)
    }
}

/// The `padding` attribute, a row of two for each dimension.
pub fn padding(op: Op, rank: usize) -> Vec<[i64; 2]> {
    match op.integer_elements("padding") {
        Some((_, values)) => values.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect(),
        None => vec![[0; 2]; rank],
    }
}

/// Section `reduce_window`. Padding counts as initial values.
pub fn reduce_window(call: &Call) -> Evaluated {
    let count = call.operands.len() / 2;
    let inputs = call.tensors(0..count)?;
    let initial = call.tensors(count..2 * count)?;
    let first = inputs.first().ok_or("has no operand")?;
    let window = Window::read(call.op, first.shape().rank())?;
    let positions = window.positions(first.dims());
    let terms = window.sizes.iter().product();
    let mut folder = Folder::new(call, &initial, &positions, terms)?;
    for_each_index(&positions, |to, at| {
        for_each_index(&window.sizes, |_, offset| {
            let from = window.source(at, offset, first.dims());
            let values = inputs.iter().zip(&initial).map(|(input, initial)| match from {
                Some(from) => input.get(from),
                None => initial.get(0),
            });
            folder.add(to, values)
        })
    })?;
    Ok(folder.finish())
}

/// Section `select_and_scatter`: each element of `source` is combined, in row-major order, into the
/// element that `select` chose from its window.
pub fn select_and_scatter(call: &Call) -> Evaluated {
    let (operand, source, initial) = (call.tensor(0)?, call.tensor(1)?, call.tensor(2)?);
    let rank = operand.shape().rank();
    let ones = || vec![1; rank];
    let numbers = |name: &str| match call.op.optional_integers(name) {
        Some(numbers) => super::call::to_sizes(&numbers),
        None => Ok(ones()),
    };
    let window = Window {
        sizes: numbers("window_dimensions")?,
        strides: numbers("window_strides")?,
        base_dilations: ones(),
        dilations: ones(),
        padding: padding(call.op, rank),
    };
    let element = operand.element_type();
    let select = Body::new(call, 0, vec![element; 2]);
    let result_element = call.result_element(0)?;
    let scatter = Body::new(call, 1, vec![result_element; 2]);
    let mut result = Literal::try_zeros(Shape::new(result_element, operand.dims())?)?;
    for position in 0..result.element_count() {
        result.set(position, initial.get(0));
    }
    for_each_index(source.dims(), |from, at| {
        let mut selected: Option<usize> = None;
        for_each_index(&window.sizes, |_, offset| {
            let Some(candidate) = window.source(at, offset, operand.dims()) else {
                return Ok(());
            };
            let keeps = match selected {
                Some(current) => select.holds(&[operand.get(current), operand.get(candidate)])?,
                None => false,
            };
            if !keeps {
                selected = Some(candidate);
            }
            Ok(())
        })?;
        let Some(to) = selected else {
            return Ok(());
        };
        let combined = scatter.apply(&[source.get(from), result.get(to)])?;
        let value = combined.first().ok_or("has a body without a result")?;
        result.set(to, *value);
        Ok(())
    })?;
    Ok(vec![result.into()])
}

/// Section `map`.
pub fn map(call: &Call) -> Evaluated {
    let inputs = call.tensors(0..call.operands.len())?;
    let first = inputs.first().ok_or("has no operand")?;
    let elements = inputs.iter().map(|input| input.element_type()).collect();
    let body = Body::new(call, 0, elements);
    let mut result = Literal::try_zeros(call.result_of(0, first.dims())?)?;
    for position in 0..result.element_count() {
        let arguments: Vec<Scalar> = inputs.iter().map(|input| input.get(position)).collect();
        let values = body.apply(&arguments)?;
        result.set(
            position,
            *values.first().ok_or("has a body without a result")?,
        );
    }
    Ok(vec![result.into()])
}
