//! Ops with a computation on elements, and normalizations.

use super::computation::ComputationBuilder;
use super::data_movement::flag;
use super::elementwise::{integer, integers};
use super::failure::failure;
use halo_hlo::semantics::op::Op;
use halo_hlo_text::{Opcode, Value, Window, WindowDimension};
use halo_ir::{ops::Op as _, prelude::*};
use halo_runtime::Error;

pub fn reduce<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let body = builder.region(op, 0)?;
    let instruction = builder
        .instruction(op, Opcode::Reduce)?
        .with("dimensions", Value::Integers(integers(op, "dimensions")?))
        .with("to_apply", Value::Computation(body));
    builder.define(op, instruction)
}

/// The parameters of a window; absent ones have their defaults.
pub struct WindowParts {
    pub sizes: Vec<i64>,
    pub strides: Option<Vec<i64>>,
    pub base_dilations: Option<Vec<i64>>,
    pub window_dilations: Option<Vec<i64>>,
    pub reversal: Option<Vec<bool>>,
}

/// The window of an op, with the padding of its attribute.
///
/// # Errors
/// Returns an error if an attribute has not one entry for each dimension.
pub fn window(op: Operation, parts: WindowParts) -> Result<Window, Error> {
    let rank = parts.sizes.len();
    let padding = Op::Built(op).integer_elements("padding");
    let padding = padding.map_or(vec![0; 2 * rank], |(_, values)| values);
    let ones = |values: Option<Vec<i64>>| values.unwrap_or_else(|| vec![1; rank]);
    let strides = ones(parts.strides);
    let base_dilations = ones(parts.base_dilations);
    let window_dilations = ones(parts.window_dilations);
    let reversal = parts.reversal.unwrap_or_else(|| vec![false; rank]);
    let fits = padding.len() == 2 * rank
        && [&strides, &base_dilations, &window_dilations]
            .iter()
            .all(|values| values.len() == rank)
        && reversal.len() == rank;
    if !fits {
        return Err(failure(op, "has a window of several ranks"));
    }
    let dimension = |position: usize| WindowDimension {
        size: parts.sizes[position],
        stride: strides[position],
        padding_low: padding[2 * position],
        padding_high: padding[2 * position + 1],
        base_dilation: base_dilations[position],
        window_dilation: window_dilations[position],
        window_reversal: reversal[position],
    };
    Ok(Window {
        dimensions: (0..rank).map(dimension).collect(),
    })
}

pub fn reduce_window<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let parts = Op::Built(op);
    let window = window(
        op,
        WindowParts {
            sizes: integers(op, "window_dimensions")?,
            strides: parts.optional_integers("window_strides"),
            base_dilations: parts.optional_integers("base_dilations"),
            window_dilations: parts.optional_integers("window_dilations"),
            reversal: None,
        },
    )?;
    let body = builder.region(op, 0)?;
    let instruction = builder
        .instruction(op, Opcode::ReduceWindow)?
        .with("window", Value::Window(window))
        .with("to_apply", Value::Computation(body));
    builder.define(op, instruction)
}

pub fn select_and_scatter<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let operand = op.operands().first().copied();
    let rank = operand.and_then(|operand| operand.ty().shape());
    let rank = rank.ok_or_else(|| failure(op, "has no operand"))?.len();
    let parts = Op::Built(op);
    let sizes = parts.optional_integers("window_dimensions");
    let window = window(
        op,
        WindowParts {
            sizes: sizes.unwrap_or_else(|| vec![1; rank]),
            strides: parts.optional_integers("window_strides"),
            base_dilations: None,
            window_dilations: None,
            reversal: None,
        },
    )?;
    let (select, scatter) = (builder.region(op, 0)?, builder.region(op, 1)?);
    let instruction = builder
        .instruction(op, Opcode::SelectAndScatter)?
        .with("window", Value::Window(window))
        .with("select", Value::Computation(select))
        .with("scatter", Value::Computation(scatter));
    builder.define(op, instruction)
}

pub fn sort<'c>(builder: &mut ComputationBuilder<'_, 'c>, op: Operation<'c>) -> Result<(), Error> {
    let operand = op.operands().first().copied();
    let rank = operand.and_then(|operand| operand.ty().shape());
    let rank = rank.ok_or_else(|| failure(op, "has no operand"))?.len() as i64;
    let dimension = match Op::Built(op).integer("dimension").unwrap_or(-1) {
        dimension if dimension < 0 => dimension + rank,
        dimension => dimension,
    };
    let comparator = builder.region(op, 0)?;
    let instruction = builder
        .instruction(op, Opcode::Sort)?
        .with("dimensions", Value::Integers(vec![dimension]))
        .with_some("is_stable", flag(op, "is_stable"))
        .with("to_apply", Value::Computation(comparator));
    builder.define(op, instruction)
}

pub fn map<'c>(builder: &mut ComputationBuilder<'_, 'c>, op: Operation<'c>) -> Result<(), Error> {
    let body = builder.region(op, 0)?;
    let instruction = builder
        .instruction(op, Opcode::Map)?
        .with("dimensions", Value::Integers(integers(op, "dimensions")?))
        .with("to_apply", Value::Computation(body));
    builder.define(op, instruction)
}

pub fn top_k<'c>(builder: &mut ComputationBuilder<'_, 'c>, op: Operation<'c>) -> Result<(), Error> {
    let instruction = builder
        .instruction(op, Opcode::Topk)?
        .with("k", integer(op, "k")?)
        .with("largest", Value::Bool(true));
    builder.define(op, instruction)
}

/// The results are the outputs and then the carries, as in HLO.
pub fn scan<'c>(builder: &mut ComputationBuilder<'_, 'c>, op: Operation<'c>) -> Result<(), Error> {
    let Value::Integer(dimension) = integer(op, "dimension")? else {
        return Err(failure(op, "has no dimension"));
    };
    let segments = Op::Built(op).operand_segments();
    let carries = segments.and_then(|segments| segments.get(1).copied());
    let carries = carries.ok_or_else(|| failure(op, "has no operand segments"))?;
    let body = builder.region(op, 0)?;
    let instruction = builder
        .instruction(op, Opcode::Scan)?
        .with("dimensions", Value::Integers(vec![dimension]))
        .with("num_carries", Value::Integer(carries as i64))
        .with_some("is_reverse", flag(op, "is_reverse"))
        .with_some("is_associative", flag(op, "is_associative"))
        .with("to_apply", Value::Computation(body));
    builder.define(op, instruction)
}

pub fn batch_norm<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let opcode = match op.name() {
        stablehlo::BatchNormGradOp::NAME => Opcode::BatchNormGrad,
        stablehlo::BatchNormInferenceOp::NAME => Opcode::BatchNormInference,
        _ => Opcode::BatchNormTraining,
    };
    let epsilon = op.attribute("epsilon").and_then(Attribute::float_value);
    let epsilon = epsilon.ok_or_else(|| failure(op, "has no epsilon"))?;
    let instruction = builder
        .instruction(op, opcode)?
        .with("epsilon", Value::Float(epsilon))
        .with("feature_index", integer(op, "feature_index")?);
    builder.define(op, instruction)
}
