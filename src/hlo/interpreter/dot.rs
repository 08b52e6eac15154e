//! Sums of products: `dot_general` and the ops that are defined by it.

use super::{
    indexing::{for_each_index, position, strides},
    prelude::*,
    shape::permute,
};
use halo_core::element_type::Class;
use halo_core::{Complex, ElementType, Literal, Scalar, Shape};
use halo_ir::{prelude::*, stablehlo::attributes::DotDimensionNumbers};

/// The number of terms in a block; longer sums are added in `f64`.
pub const BLOCK: usize = 512;

/// A sum of products of elements. Floats narrower than `f32` are accumulated in `f32`; otherwise
/// products and sums are rounded to the element type, sequentially. Sums of whole blocks are not
/// rounded, so that the error does not grow with the number of terms.
pub struct Sum {
    value: Scalar,
    element: ElementType,
    /// The number of terms.
    terms: usize,
    /// The sum of earlier blocks, as a complex number.
    blocks: Complex<f64>,
}

impl Sum {
    /// The empty sum, for a result of this type.
    pub fn new(element: ElementType) -> Self {
        Self {
            value: match element.class() {
                Class::Boolean => false.into(),
                Class::Signed | Class::Unsigned => 0_i128.into(),
                Class::Float => 0.0.into(),
                Class::Complex => Complex::new(0.0, 0.0).into(),
            },
            element: match element.class() {
                Class::Float if element != ElementType::F64 => ElementType::F32,
                _ => element,
            },
            terms: 0,
            blocks: Complex::new(-0.0, -0.0),
        }
    }

    fn rounded(&self, value: f64) -> f64 {
        match self.element {
            ElementType::F32 | ElementType::Complex64 => f64::from(value as f32),
            _ => value,
        }
    }

    /// Adds a product.
    pub fn add(&mut self, left: Scalar, right: Scalar) {
        if self.terms > 0 && self.terms.is_multiple_of(BLOCK) {
            self.end_block();
        }
        self.terms += 1;
        let rounded = |value: f64| self.rounded(value);
        self.value = match self.value {
            Scalar::Bool(sum) => (sum | left.to_bool() & right.to_bool()).into(),
            Scalar::Int(sum) => {
                let product = left.to_i128().wrapping_mul(right.to_i128());
                sum.wrapping_add(product).into()
            }
            Scalar::Float(sum) => rounded(sum + rounded(left.to_f64() * right.to_f64())).into(),
            Scalar::Complex(sum) => {
                let (left, right) = (left.to_complex(), right.to_complex());
                let re = rounded(left.re * right.re) - rounded(left.im * right.im);
                let im = rounded(left.re * right.im) + rounded(left.im * right.re);
                Complex::new(rounded(sum.re + rounded(re)), rounded(sum.im + rounded(im))).into()
            }
        };
    }

    /// Adds the current block to the earlier ones.
    fn end_block(&mut self) {
        self.value = match self.value {
            Scalar::Float(sum) => {
                self.blocks.re += sum;
                Scalar::Float(-0.0)
            }
            Scalar::Complex(sum) => {
                self.blocks += sum;
                Complex::new(-0.0, -0.0).into()
            }
            exact => exact,
        };
    }

    /// The sum.
    pub fn value(self) -> Scalar {
        match self.value {
            Scalar::Float(sum) => self.rounded(self.blocks.re + sum).into(),
            Scalar::Complex(sum) => {
                let sum = self.blocks + sum;
                Complex::new(self.rounded(sum.re), self.rounded(sum.im)).into()
            }
            exact => exact,
        }
    }
}

/// Section `dot_general`.
pub fn dot_general(call: &Call) -> Evaluated {
    let numbers = call.op.required("dot_dimension_numbers", DotDimensionNumbers::from_attribute)?;
    single(contract(call, &numbers)?)
}

/// `dot`: contracts the last dimension of the left operand with the first of the right one.
pub fn dot(call: &Call) -> Evaluated {
    let rank = call.tensor(0)?.shape().rank();
    let numbers = DotDimensionNumbers {
        lhs_batching_dimensions: Vec::new(),
        rhs_batching_dimensions: Vec::new(),
        lhs_contracting_dimensions: vec![rank.saturating_sub(1) as i64],
        rhs_contracting_dimensions: vec![0],
    };
    single(contract(call, &numbers)?)
}

fn contract(call: &Call, numbers: &DotDimensionNumbers) -> Result<Literal, Failure> {
    let (left, left_sizes) = arrange(
        call.tensor(0)?,
        &numbers.lhs_batching_dimensions,
        &numbers.lhs_contracting_dimensions,
    )?;
    let (right, right_sizes) = arrange(
        call.tensor(1)?,
        &numbers.rhs_batching_dimensions,
        &numbers.rhs_contracting_dimensions,
    )?;
    let batches: usize = left_sizes.batch.iter().product();
    let depth: usize = left_sizes.contracting.iter().product();
    if left_sizes.batch != right_sizes.batch || left_sizes.contracting != right_sizes.contracting {
        return Err("has operands whose dimensions do not agree".into());
    }
    let rows: usize = left_sizes.free.iter().product();
    let columns: usize = right_sizes.free.iter().product();
    let dims = [left_sizes.batch, left_sizes.free, right_sizes.free].concat();
    let element = call.result_element(0)?;
    let mut result = Literal::try_zeros(Shape::new(element, dims)?)?;
    let elements = |literal: &Literal| -> Vec<Scalar> {
        (0..literal.element_count()).map(|position| literal.get(position)).collect()
    };
    let (left, right) = (elements(&left), elements(&right));
    for batch in 0..batches {
        for row in 0..rows {
            let row_elements = &left[(batch * rows + row) * depth..][..depth];
            for column in 0..columns {
                let column_elements = &right[(batch * columns + column) * depth..][..depth];
                let mut sum = Sum::new(element);
                for (left, right) in row_elements.iter().zip(column_elements) {
                    sum.add(*left, *right);
                }
                result.set((batch * rows + row) * columns + column, sum.value());
            }
        }
    }
    Ok(result)
}

/// The sizes of an operand's dimensions by role.
struct Sizes {
    batch: Vec<usize>,
    free: Vec<usize>,
    contracting: Vec<usize>,
}

/// The operand with batch dimensions first and contracting ones last.
fn arrange(
    operand: &Literal,
    batch: &[i64],
    contracting: &[i64],
) -> Result<(Literal, Sizes), Failure> {
    let rank = operand.shape().rank();
    let free = (0..rank as i64).filter(|dim| !batch.contains(dim) && !contracting.contains(dim));
    let sizes = |dims: &[i64]| -> Result<Vec<usize>, Failure> {
        dims.iter()
            .map(|dim| {
                let size = usize::try_from(*dim).ok().and_then(|dim| operand.dims().get(dim));
                size.copied().ok_or_else(|| format!("has no dimension {dim}").into())
            })
            .collect()
    };
    let free: Vec<i64> = free.collect();
    let all = Sizes {
        batch: sizes(batch)?,
        free: sizes(&free)?,
        contracting: sizes(contracting)?,
    };
    let permutation: Vec<usize> = [batch, &free, contracting]
        .concat()
        .into_iter()
        .map(|dim| dim as usize)
        .collect();
    Ok((permute(operand, &permutation)?, all))
}

/// `einsum` of two operands.
pub fn einsum(call: &Call) -> Evaluated {
    sum_by_labels(call)
}

/// `unary_einsum`.
pub fn unary_einsum(call: &Call) -> Evaluated {
    sum_by_labels(call)
}

/// Einstein summation: a letter for each dimension; products are summed over the letters that the
/// result lacks.
fn sum_by_labels(call: &Call) -> Evaluated {
    let config = call.op.required("einsum_config", Attribute::string_value)?;
    let (inputs, output) = config
        .split_once("->")
        .ok_or_else(|| format!("has configuration '{config}' without '->'"))?;
    let inputs: Vec<Vec<char>> = inputs.split(',').map(labels).collect();
    let output = labels(output);
    let operands = call.tensors(0..call.operands.len())?;
    if inputs.len() != operands.len() {
        return Err(format!(
            "has configuration '{config}' for {} operands",
            operands.len()
        )
        .into());
    }
    let mut names: Vec<char> = output.clone();
    let mut sizes = vec![None; names.len()];
    for (labels, operand) in inputs.iter().zip(&operands) {
        if labels.len() != operand.shape().rank() {
            return Err(format!("has configuration '{config}' for {}", operand.shape()).into());
        }
        for (label, size) in labels.iter().zip(operand.dims()) {
            let number = names.iter().position(|name| name == label).unwrap_or_else(|| {
                names.push(*label);
                sizes.push(None);
                names.len() - 1
            });
            if sizes[number].replace(*size).is_some_and(|other| other != *size) {
                return Err(format!("has two sizes for '{label}'").into());
            }
        }
    }
    let sizes: Vec<usize> = sizes
        .into_iter()
        .collect::<Option<_>>()
        .ok_or_else(|| format!("has a result of letters that no operand has: '{config}'"))?;
    let shape = call.result_of(0, &sizes[..output.len()])?;
    let element = shape.element_type();
    let mut sums: Vec<Sum> = (0..shape.element_count()).map(|_| Sum::new(element)).collect();
    let result_strides = strides(shape.dims());
    let positions: Vec<Vec<usize>> = inputs
        .iter()
        .map(|labels| {
            labels
                .iter()
                .filter_map(|label| names.iter().position(|name| name == label))
                .collect()
        })
        .collect();
    let one = Scalar::Int(1);
    for_each_index(&sizes, |_, index| {
        let to = position(&index[..output.len()], &result_strides);
        let mut factors = operands.iter().zip(&positions).map(|(operand, positions)| {
            let at: Vec<usize> = positions.iter().map(|position| index[*position]).collect();
            operand.get(position(&at, &strides(operand.dims())))
        });
        let left = factors.next().unwrap_or(one);
        sums[to].add(left, factors.next().unwrap_or(one));
        Ok(())
    })?;
    let mut result = Literal::try_zeros(shape)?;
    for (position, sum) in sums.into_iter().enumerate() {
        result.set(position, sum.value());
    }
    single(result)
}

fn labels(text: &str) -> Vec<char> {
    text.chars().filter(|letter| !letter.is_whitespace()).collect()
}
