//! Products of tensors, convolutions and linear algebra.

use super::computation::ComputationBuilder;
use super::data_movement::flag;
use super::elementwise::{integer, integers, word};
use super::failure::failure;
use super::reductions::{WindowParts, window};
use halo_core::ElementType;
use halo_hlo::literals::element_type_of;
use halo_hlo::semantics::op::Op;
use halo_hlo_text::{ConvolutionDimensionNumbers, Opcode, Value};
use halo_ir::{
    prelude::*,
    stablehlo::attributes::{
        ConvDimensionNumbers, DotAlgorithm, DotDimensionNumbers, FftType, Precision,
        RaggedDotDimensionNumbers, Transpose,
    },
};
use halo_runtime::Error;

pub fn dot<'c>(builder: &mut ComputationBuilder<'_, 'c>, op: Operation<'c>) -> Result<(), Error> {
    let lhs = op.operands().first().copied();
    let rank = lhs.and_then(|lhs| lhs.ty().shape());
    let rank = rank.ok_or_else(|| failure(op, "has an operand of unknown rank"))?;
    let last = (rank.len() as i64 - 1).max(0);
    let instruction = builder
        .instruction(op, Opcode::Dot)?
        .with("lhs_contracting_dims", Value::Integers(vec![last]))
        .with("rhs_contracting_dims", Value::Integers(vec![0]))
        .with_some("operand_precision", precision(op));
    builder.define(op, instruction)
}

pub fn dot_general<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let numbers = op
        .attribute("dot_dimension_numbers")
        .and_then(DotDimensionNumbers::from_attribute)
        .ok_or_else(|| failure(op, "has no dimension numbers"))?;
    let algorithm = op.attribute("algorithm").and_then(DotAlgorithm::from_attribute);
    let algorithm = algorithm.map(|algorithm| {
        algorithm_name(&algorithm)
            .map(|name| word(&name))
            .ok_or_else(|| failure(op, "has an algorithm that HLO has no name for"))
    });
    let batched = !numbers.lhs_batching_dimensions.is_empty();
    let mut instruction = builder.instruction(op, Opcode::Dot)?;
    for (name, dimensions, written) in [
        ("lhs_batch_dims", numbers.lhs_batching_dimensions, batched),
        (
            "lhs_contracting_dims",
            numbers.lhs_contracting_dimensions,
            true,
        ),
        ("rhs_batch_dims", numbers.rhs_batching_dimensions, batched),
        (
            "rhs_contracting_dims",
            numbers.rhs_contracting_dimensions,
            true,
        ),
    ] {
        if written {
            instruction = instruction.with(name, Value::Integers(dimensions));
        }
    }
    let instruction = instruction
        .with_some("operand_precision", precision(op))
        .with_some("algorithm", algorithm.transpose()?);
    builder.define(op, instruction)
}

pub fn ragged_dot<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let numbers = op
        .attribute("ragged_dot_dimension_numbers")
        .and_then(RaggedDotDimensionNumbers::from_attribute)
        .ok_or_else(|| failure(op, "has no dimension numbers"))?;
    let mut instruction = builder.instruction(op, Opcode::RaggedDot)?;
    for (name, dimensions) in [
        ("lhs_batch_dims", numbers.lhs_batching_dimensions),
        ("lhs_contracting_dims", numbers.lhs_contracting_dimensions),
        ("rhs_batch_dims", numbers.rhs_batching_dimensions),
        ("rhs_contracting_dims", numbers.rhs_contracting_dimensions),
        ("lhs_ragged_dims", numbers.lhs_ragged_dimensions),
        ("rhs_group_dims", numbers.rhs_group_dimensions),
    ] {
        if !dimensions.is_empty() {
            instruction = instruction.with(name, Value::Integers(dimensions));
        }
    }
    builder.define(
        op,
        instruction.with_some("operand_precision", precision(op)),
    )
}

pub fn convolution<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let numbers = op
        .attribute("dimension_numbers")
        .and_then(ConvDimensionNumbers::from_attribute)
        .ok_or_else(|| failure(op, "has no dimension numbers"))?;
    let kernel = op.operands().get(1).copied();
    let kernel = kernel.and_then(|kernel| kernel.ty().shape());
    let kernel = kernel.ok_or_else(|| failure(op, "has a kernel of unknown rank"))?;
    let spatial = numbers.kernel_spatial_dimensions.iter();
    let sizes: Option<Vec<i64>> = spatial
        .map(|dimension| kernel.get(*dimension as usize).copied().flatten())
        .collect();
    let sizes = sizes.ok_or_else(|| failure(op, "has a kernel of unknown size"))?;
    let parts = Op::Built(op);
    let window = window(
        op,
        WindowParts {
            sizes,
            strides: parts.optional_integers("window_strides"),
            base_dilations: parts.optional_integers("lhs_dilation"),
            window_dilations: parts.optional_integers("rhs_dilation"),
            reversal: parts.booleans("window_reversal"),
        },
    )?;
    let groups = |name: &str| match integer(op, name)? {
        Value::Integer(1) => Ok(None),
        count => Ok::<_, Error>(Some(count)),
    };
    let instruction = builder
        .instruction(op, Opcode::Convolution)?
        .with_some(
            "window",
            (!window.dimensions.is_empty()).then_some(Value::Window(window)),
        )
        .with(
            "dim_labels",
            Value::ConvolutionDimensionNumbers(ConvolutionDimensionNumbers {
                input_batch: numbers.input_batch_dimension,
                input_feature: numbers.input_feature_dimension,
                input_spatial: numbers.input_spatial_dimensions,
                kernel_input_feature: numbers.kernel_input_feature_dimension,
                kernel_output_feature: numbers.kernel_output_feature_dimension,
                kernel_spatial: numbers.kernel_spatial_dimensions,
                output_batch: numbers.output_batch_dimension,
                output_feature: numbers.output_feature_dimension,
                output_spatial: numbers.output_spatial_dimensions,
            }),
        )
        .with_some("feature_group_count", groups("feature_group_count")?)
        .with_some("batch_group_count", groups("batch_group_count")?)
        .with_some("operand_precision", precision(op));
    builder.define(op, instruction)
}

pub fn cholesky<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let instruction = builder.instruction(op, Opcode::Cholesky)?;
    builder.define(op, instruction.with_some("lower", flag(op, "lower")))
}

pub fn triangular_solve<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let transpose = op.attribute("transpose_a").and_then(Transpose::from_attribute);
    let transpose = transpose.ok_or_else(|| failure(op, "has no 'transpose_a'"))?;
    let instruction = builder
        .instruction(op, Opcode::TriangularSolve)?
        .with_some("left_side", flag(op, "left_side"))
        .with_some("lower", flag(op, "lower"))
        .with_some("unit_diagonal", flag(op, "unit_diagonal"))
        .with("transpose_a", word(transpose.as_str()));
    builder.define(op, instruction)
}

pub fn fft<'c>(builder: &mut ComputationBuilder<'_, 'c>, op: Operation<'c>) -> Result<(), Error> {
    let kind = op.attribute("fft_type").and_then(FftType::from_attribute);
    let kind = kind.ok_or_else(|| failure(op, "has no type"))?;
    let instruction = builder
        .instruction(op, Opcode::Fft)?
        .with("fft_type", word(kind.as_str()))
        .with("fft_length", Value::Integers(integers(op, "fft_length")?));
    builder.define(op, instruction)
}

/// `operand_precision={...}` if any is not the default.
fn precision(op: Operation) -> Option<Value> {
    let list = op.attribute("precision_config").map(Attribute::array_elements)?;
    let read = |attribute: Attribute| Precision::from_attribute(attribute);
    let precisions: Vec<Precision> = list.into_iter().filter_map(read).collect();
    let name = |precision: &Precision| precision.as_str().to_ascii_lowercase();
    precisions
        .iter()
        .any(|precision| *precision != Precision::Default)
        .then(|| Value::Words(precisions.iter().map(name).collect()))
}

/// The name of an algorithm in XLA's `PrecisionConfig.Algorithm`.
fn algorithm_name(algorithm: &DotAlgorithm) -> Option<String> {
    // tf32 is a type without values.
    let name = |ty: halo_ir::Type| match element_type_of(ty) {
        Ok(ElementType::F16) => Some("f16"),
        Ok(ElementType::BF16) => Some("bf16"),
        Ok(ElementType::F32) => Some("f32"),
        Ok(ElementType::F64) => Some("f64"),
        _ => (ty.to_string() == "tf32").then_some("tf32"),
    };
    let accumulation = name(algorithm.accumulation_type)?;
    if algorithm.lhs_component_count != 1 || algorithm.rhs_component_count != 1 {
        return None;
    }
    let width = |ty: halo_ir::Type| {
        let element = element_type_of(ty).ok()?;
        (element.is_float() && element.bit_width() == 8).then_some(())
    };
    if width(algorithm.lhs_precision_type).is_some()
        && width(algorithm.rhs_precision_type).is_some()
    {
        let fast = if algorithm.allow_imprecise_accumulation {
            "_fast_accum"
        } else {
            ""
        };
        return (algorithm.num_primitive_operations == 1 && accumulation == "f32")
            .then(|| format!("dot_any_f8_any_f8_f32{fast}"));
    }
    let (lhs, rhs) = (
        name(algorithm.lhs_precision_type)?,
        name(algorithm.rhs_precision_type)?,
    );
    let times = match algorithm.num_primitive_operations {
        1 => String::new(),
        count => format!("_x{count}"),
    };
    let name = format!("dot_{lhs}_{rhs}_{accumulation}{times}");
    const KNOWN: &[&str] = &[
        "dot_f16_f16_f16",
        "dot_f16_f16_f32",
        "dot_bf16_bf16_bf16",
        "dot_bf16_bf16_f32",
        "dot_bf16_bf16_f32_x3",
        "dot_bf16_bf16_f32_x6",
        "dot_bf16_bf16_f32_x9",
        "dot_tf32_tf32_f32",
        "dot_tf32_tf32_f32_x3",
        "dot_f32_f32_f32",
        "dot_f64_f64_f64",
    ];
    KNOWN.contains(&name.as_str()).then_some(name)
}
