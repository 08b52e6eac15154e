//! Convolutions, whose padding is an attribute or an operand.

use super::{
    dot::{precision_config, quantized_product},
    op::ConvDimensionNumbers,
    prelude::*,
    window::{Window, WindowDim},
};

/// Section `convolution`: (C1) to (C27).
pub fn infer_convolution<O: Op>(op: O) -> Inference<O::Type> {
    infer(op, true)
}

/// Section `dynamic_conv`: the same, with padding in operand 2. The lists of (C3), (C5), (C7) and
/// (C9) may be longer: entries for missing dimensions are ignored.
pub fn infer_dynamic_conv<O: Op>(op: O) -> Inference<O::Type> {
    infer(op, false)
}

fn infer<O: Op>(op: O, static_padding: bool) -> Inference<O::Type> {
    let (lhs, rhs) = (op.operand(0)?, op.operand(1)?);
    let rank = lhs.rank();
    if rhs.rank() != rank {
        return Err(format!(
            "operand 1 has rank {}, but operand 0 has rank {rank}",
            rhs.rank()
        ));
    }
    if rank < 2 {
        return Err(format!(
            "operand 0 has rank {rank}, but needs a batch and a feature dimension"
        ));
    }
    let numbers = required("dimension_numbers", op.conv_dimension_numbers())?;
    dimension_numbers(&numbers, rank)?;
    let features = op.integer("feature_group_count")?;
    let batches = op.integer("batch_group_count")?;
    groups(&lhs, &rhs, &numbers, features, batches)?;
    if lhs.element.quantized().is_none() && rhs.element.quantized().is_none() {
        rhs.expect_element_of(&lhs)?;
    }
    precision_config(op)?;
    let window = window(op, &rhs, &numbers, static_padding)?;
    let mut shape = vec![Dim::Dynamic; rank];
    let at = |dims: &[Dim], index: i64| dims[index as usize];
    shape[numbers.output_batch_dimension as usize] =
        at(&lhs.dims, numbers.input_batch_dimension).map(|size| size / batches);
    shape[numbers.output_feature_dimension as usize] =
        at(&rhs.dims, numbers.kernel_output_feature_dimension);
    if let Some(window) = window {
        for (index, window) in window.dims.iter().enumerate() {
            let input = at(&lhs.dims, numbers.input_spatial_dimensions[index]);
            shape[numbers.output_spatial_dimensions[index] as usize] = window.positions(input);
        }
    }
    one(Inferred::shape(shape))
}

/// Sections `convolution` and `dynamic_conv`: (C28) to (C34).
pub fn quantization<O: Op>(op: O) -> VerifyResult {
    let (lhs, rhs, result) = (op.operand(0)?, op.operand(1)?, op.result(0)?);
    let numbers = required("dimension_numbers", op.conv_dimension_numbers())?;
    quantized_axes(&lhs, &rhs, &result, &numbers)
}

/// (C13), (C14), (C18) to (C21): each dimension of each tensor has one role.
fn dimension_numbers(numbers: &ConvDimensionNumbers, rank: usize) -> VerifyResult {
    for (name, pair, spatial) in [
        (
            "input dimensions",
            [
                numbers.input_batch_dimension,
                numbers.input_feature_dimension,
            ],
            &numbers.input_spatial_dimensions,
        ),
        (
            "kernel dimensions",
            [
                numbers.kernel_input_feature_dimension,
                numbers.kernel_output_feature_dimension,
            ],
            &numbers.kernel_spatial_dimensions,
        ),
        (
            "output dimensions",
            [
                numbers.output_batch_dimension,
                numbers.output_feature_dimension,
            ],
            &numbers.output_spatial_dimensions,
        ),
    ] {
        let all: Vec<i64> = pair.iter().chain(spatial).copied().collect();
        expect_size(name, all.len(), rank, "operand 0 has rank")?;
        expect_dimensions(name, &all, rank, "operand 0")?;
        expect_unique(name, &all)?;
    }
    Ok(())
}

/// (C11), (C12), (C15) to (C17), (C22) to (C24): features and batches are divisible by the groups.
fn groups<T: Ty>(
    lhs: &Tensor<T>,
    rhs: &Tensor<T>,
    numbers: &ConvDimensionNumbers,
    features: i64,
    batches: i64,
) -> VerifyResult {
    for (name, count) in [
        ("feature_group_count", features),
        ("batch_group_count", batches),
    ] {
        if count < 1 {
            return Err(format!(
                "attribute '{name}' is {count}, but must be at least 1"
            ));
        }
    }
    if features > 1 && batches > 1 {
        return Err(format!(
            "attribute 'feature_group_count' is {features} and 'batch_group_count' is {batches}, \
             but one of them must be 1"
        ));
    }
    for (tensor, dimension, name, count) in [
        (
            lhs,
            numbers.input_batch_dimension,
            "batch_group_count",
            batches,
        ),
        (
            lhs,
            numbers.input_feature_dimension,
            "feature_group_count",
            features,
        ),
        (
            rhs,
            numbers.kernel_output_feature_dimension,
            "batch_group_count",
            batches,
        ),
        (
            rhs,
            numbers.kernel_output_feature_dimension,
            "feature_group_count",
            features,
        ),
    ] {
        if let Some(size) = tensor.dim(dimension).and_then(Dim::size)
            && size % count != 0
        {
            return Err(format!(
                "dimension {dimension} of {} has size {size}, but attribute '{name}' is {count}, \
                 which does not divide it",
                tensor.subject
            ));
        }
    }
    let input = lhs.dims[numbers.input_feature_dimension as usize].map(|size| size / features);
    let kernel = rhs.dims[numbers.kernel_input_feature_dimension as usize];
    if !kernel.agrees_with(input) {
        return Err(format!(
            "dimension {} of operand 1 has size {kernel}, but a group of input features has size \
             {input}",
            numbers.kernel_input_feature_dimension
        ));
    }
    Ok(())
}

/// (C3) to (C10): the motion of the kernel over the spatial dimensions; `None` if the padding is
/// unknown.
fn window<O: Op>(
    op: O,
    rhs: &Tensor<O::Type>,
    numbers: &ConvDimensionNumbers,
    static_padding: bool,
) -> Result<Option<Window>, String> {
    let spatial = &numbers.kernel_spatial_dimensions;
    let mut dims = Vec::with_capacity(spatial.len());
    for dimension in spatial {
        let size = rhs.dims[*dimension as usize].size();
        if size == Some(0) {
            return Err(format!(
                "dimension {dimension} of operand 1 has size 0, but a window has at least one \
                 element"
            ));
        }
        dims.push(WindowDim::new(size));
    }
    let count = dims.len();
    let window = Window {
        dims,
        allows_surplus: !static_padding,
    };
    let window = window
        .with_strides(op, "window_strides")?
        .with_base_dilations(op, "lhs_dilation")?
        .with_dilations(op, "rhs_dilation")?;
    if let Some(size) = op.bool_array_size("window_reversal")
        && (static_padding || size < count)
    {
        expect_size("window_reversal", size, count, "the window has rank")?;
    }
    if static_padding {
        return window.with_padding(op, "padding").map(Some);
    }
    let padding = op.operand(2)?;
    padding.expect_shape(
        &[Dim::Static(count as i64), Dim::Static(2)],
        "the window needs",
    )?;
    let constant = op.constant_elements(2);
    Ok(constant.map(|(_, values)| window.padded(&values)))
}

/// (C28) to (C34): quantized dimensions are output feature dimensions.
fn quantized_axes<T: Ty>(
    lhs: &Tensor<T>,
    rhs: &Tensor<T>,
    result: &Tensor<T>,
    numbers: &ConvDimensionNumbers,
) -> VerifyResult {
    quantized_product(lhs, rhs, result)?;
    for (tensor, dimension) in [
        (rhs, numbers.kernel_output_feature_dimension),
        (result, numbers.output_feature_dimension),
    ] {
        if let Some(axis) = tensor.element.quantized().and_then(|quantized| quantized.axis)
            && axis != dimension
        {
            return Err(format!(
                "{} is quantized along dimension {axis}, but its output features are dimension \
                 {dimension}",
                tensor.subject
            ));
        }
    }
    Ok(())
}
