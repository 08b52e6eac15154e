//! Sections `convolution` and `dynamic_conv`.

use super::{
    dot::Sum,
    indexing::{for_each_index, position, position_in, strides},
    prelude::*,
    reduction::padding,
};
use halo_core::{Literal, Scalar, Shape};
use halo_ir::stablehlo::attributes::ConvDimensionNumbers;

/// Section `convolution`.
pub fn convolution(call: &Call) -> Evaluated {
    let rank = call.tensor(0)?.shape().rank().saturating_sub(2);
    single(convolve(call, padding(call.op, rank))?)
}

/// Section `dynamic_conv`: `convolution` whose padding is an operand.
pub fn dynamic_conv(call: &Call) -> Evaluated {
    let values = call.integers(2)?;
    let padding = values.chunks_exact(2).map(|pair| [pair[0], pair[1]]);
    single(convolve(call, padding.collect())?)
}

fn convolve(call: &Call, padding: Vec<[i64; 2]>) -> Result<Literal, Failure> {
    let (lhs, rhs) = (call.tensor(0)?, call.tensor(1)?);
    let numbers = call.op.required("dimension_numbers", ConvDimensionNumbers::from_attribute)?;
    let groups = call.op.integer("feature_group_count")?.max(1) as usize;
    let batch_groups = call.op.integer("batch_group_count")?.max(1) as usize;
    let rank = numbers.input_spatial_dimensions.len();
    // Lists of `dynamic_conv` may be longer than the window.
    let or_ones = |name: &str| {
        let mut factors = call.op.optional_integers(name).unwrap_or(vec![1; rank]);
        factors.truncate(rank);
        factors
    };
    let strides_of_window = or_ones("window_strides");
    let lhs_dilation = or_ones("lhs_dilation");
    let rhs_dilation = or_ones("rhs_dilation");
    let mut reversal = call.op.booleans("window_reversal").unwrap_or(vec![false; rank]);
    reversal.truncate(rank);
    let lengths = [
        padding.len(),
        strides_of_window.len(),
        lhs_dilation.len(),
        rhs_dilation.len(),
        reversal.len(),
        numbers.kernel_spatial_dimensions.len(),
        numbers.output_spatial_dimensions.len(),
    ];
    if lengths.iter().any(|length| *length != rank) {
        return Err(format!("has a window that does not fit {rank} spatial dimensions").into());
    }
    let size = |literal: &Literal, dim: i64| -> Result<usize, Failure> {
        let size = usize::try_from(dim).ok().and_then(|dim| literal.dims().get(dim));
        size.copied().ok_or_else(|| format!("has no dimension {dim}").into())
    };
    let sizes = |literal: &Literal, dims: &[i64]| -> Result<Vec<usize>, Failure> {
        dims.iter().map(|dim| size(literal, *dim)).collect()
    };
    let input = sizes(lhs, &numbers.input_spatial_dimensions)?;
    let kernel = sizes(rhs, &numbers.kernel_spatial_dimensions)?;
    // Dilations and padding may be any numbers.
    let spread = |size: usize, by: i64| match size {
        0 => 0,
        size => (size as i128 - 1) * i128::from(by) + 1,
    };
    // The spatial dimensions of the result: (C25) and `num_windows`.
    let output: Vec<usize> = (0..rank)
        .map(|dim| {
            let [low, high] = padding[dim].map(i128::from);
            let base = spread(input[dim], lhs_dilation[dim]) + low + high;
            let window = spread(kernel[dim], rhs_dilation[dim]);
            if base <= 0 || window > base {
                return 0;
            }
            let count = (base - window) / i128::from(strides_of_window[dim].max(1)) + 1;
            usize::try_from(count).unwrap_or(usize::MAX)
        })
        .collect();
    let batches = size(lhs, numbers.input_batch_dimension)? / batch_groups;
    let features = size(rhs, numbers.kernel_output_feature_dimension)?;
    let depth = size(rhs, numbers.kernel_input_feature_dimension)?;
    let mut dims = vec![0; rank + 2];
    dims[numbers.output_batch_dimension as usize] = batches;
    dims[numbers.output_feature_dimension as usize] = features;
    for (dim, size) in numbers.output_spatial_dimensions.iter().zip(&output) {
        dims[*dim as usize] = *size;
    }
    let element = call.result_element(0)?;
    let mut result = Literal::try_zeros(Shape::new(element, dims.as_slice())?)?;
    let zero = Scalar::Int(0).stored_as(lhs.element_type());
    let rhs_strides = strides(rhs.dims());
    let (mut at, mut tap) = (vec![0; rank + 2], vec![0; rank + 2]);
    for_each_index(&dims, |to, index| {
        let feature = index[numbers.output_feature_dimension as usize];
        let batch = index[numbers.output_batch_dimension as usize];
        // Output features come in as many blocks as there are groups.
        let group = feature / (features / groups).max(1);
        let batch_group = feature / (features / batch_groups).max(1);
        at[numbers.input_batch_dimension as usize] = (batch_group * batches + batch) as i64;
        tap[numbers.kernel_output_feature_dimension as usize] = feature;
        let mut sum = Sum::new(element);
        for_each_index(&kernel, |_, offset| {
            // Positions beyond the input are zeros, which are multiplied too: with an infinity they
            // give NaN. The zeros between its elements are skipped.
            let mut is_between = false;
            for dim in 0..rank {
                let out = index[numbers.output_spatial_dimensions[dim] as usize];
                let product = |count: usize, by: i64| count as i128 * i128::from(by);
                let position = product(out, strides_of_window[dim])
                    + product(offset[dim], rhs_dilation[dim])
                    - i128::from(padding[dim][0]);
                let dilation = i128::from(lhs_dilation[dim].max(1));
                is_between |= position % dilation != 0;
                // A position that does not fit is outside of the input, like -1.
                let position = i64::try_from(position / dilation).unwrap_or(-1);
                at[numbers.input_spatial_dimensions[dim] as usize] = position;
                let tap_index = if reversal[dim] {
                    kernel[dim] - 1 - offset[dim]
                } else {
                    offset[dim]
                };
                tap[numbers.kernel_spatial_dimensions[dim] as usize] = tap_index;
            }
            if is_between {
                return Ok(());
            }
            for channel in 0..depth {
                at[numbers.input_feature_dimension as usize] = (group * depth + channel) as i64;
                tap[numbers.kernel_input_feature_dimension as usize] = channel;
                let from = position_in(&at, lhs.dims());
                let weight = rhs.get(position(&tap, &rhs_strides));
                sum.add(from.map_or(zero, |from| lhs.get(from)), weight);
            }
            Ok(())
        })?;
        result.set(to, sum.value());
        Ok(())
    })?;
    Ok(result)
}
