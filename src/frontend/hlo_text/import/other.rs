//! Random numbers, batch normalization, tokens and barriers, top k.

use super::{
    failure::{Failure, failure},
    instruction::Instruction,
    types::leaves,
    values::Tree,
};
use halo_core::ElementType;
use halo_hlo_text::{Opcode, Shape, Value as AttributeValue};
use halo_ir::{
    prelude::*,
    stablehlo::attributes::{ComparisonDirection, ComparisonType, RngAlgorithm, RngDistribution},
};

/// `batch-norm-*`
pub fn batch_norm<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let epsilon = i.float("epsilon")?;
    let feature = i.expected_integer("feature_index")?;
    let (b, types) = (&i.builder, i.result_types()?);
    match i.source.opcode {
        Opcode::BatchNormGrad => {
            let [operand, scale, mean, variance, gradient] = i.fixed()?;
            let op = stablehlo::BatchNormGradOp::build(
                b, operand, scale, mean, variance, gradient, epsilon, feature,
            );
            i.many(op.result_types(&types))
        }
        Opcode::BatchNormInference => {
            let [operand, scale, offset, mean, variance] = i.fixed()?;
            let op = stablehlo::BatchNormInferenceOp::build(
                b, operand, scale, offset, mean, variance, epsilon, feature,
            );
            i.many(op.result_types(&types))
        }
        _ => {
            let [operand, scale, offset] = i.fixed()?;
            let op =
                stablehlo::BatchNormTrainingOp::build(b, operand, scale, offset, epsilon, feature);
            i.many(op.result_types(&types))
        }
    }
}

/// `rng`: the sizes of the shape become an operand.
pub fn rng<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let distribution = match i.word("distribution")? {
        Some("rng_uniform") => RngDistribution::Uniform,
        Some("rng_normal") => RngDistribution::Normal,
        _ => {
            return Err(failure(
                "the distribution must be rng_uniform or rng_normal",
            ));
        }
    };
    let sizes = super::types::static_sizes(i.result_array()?);
    let sizes = sizes.ok_or_else(|| failure("rng has a result of known size"))?;
    // Further operands are ignored: XLA reads two.
    let [a, b, ..] = i.values()?[..] else {
        return Err(failure("rng has two operands"));
    };
    let shape = i.importer.integers(&i.builder, &sizes)?;
    let ty = i.result_type()?;
    i.one(stablehlo::RngOp::build(
        &i.builder,
        a,
        b,
        shape,
        distribution,
        ty,
    ))
}

/// `rng-bit-generator`. If the result is an array, the new state is dropped. An instruction whose
/// algorithm has no such state becomes a custom call: XLA reads it, too, and has no code for it.
pub fn rng_bit_generator<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let state = i.operand_array(0)?;
    let words: &[i64] = match i.source.attributes.get("algorithm") {
        Some(AttributeValue::Word(word)) if word == "rng_three_fry" => &[2],
        Some(AttributeValue::Word(word)) if word == "rng_philox" => &[2, 3],
        _ => &[],
    };
    if let Some([count]) = super::types::static_sizes(state).as_deref()
        && state.element_type == ElementType::Ui64
        && !(words.is_empty() || words.contains(count))
    {
        return super::attributes::as_custom_call(i);
    }
    let algorithm = match i.word("algorithm")? {
        Some("rng_default") => RngAlgorithm::Default,
        Some("rng_three_fry") => RngAlgorithm::ThreeFry,
        Some("rng_philox") => RngAlgorithm::Philox,
        _ => {
            return Err(failure(
                "the algorithm must be rng_default, rng_three_fry or rng_philox",
            ));
        }
    };
    let [state] = i.fixed()?;
    let generator = |state_type, output_type| {
        stablehlo::RngBitGeneratorOp::build(&i.builder, algorithm, state, state_type, output_type)
    };
    if let Shape::Tuple(_) = i.source.shape {
        let [state_type, output_type] = i.result_types()?[..] else {
            return Err(failure("rng-bit-generator has two results"));
        };
        return i.many(generator(state_type, output_type));
    }
    let operation = i.finish(generator(state.ty(), i.result_type()?))?;
    match operation.results()[..] {
        [_, output] => Ok(Tree::Value(output)),
        _ => Err(failure("rng-bit-generator has two results")),
    }
}

/// `after-all`; without operands it creates a token.
pub fn after_all<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    if i.operands.is_empty() {
        i.plain::<stablehlo::CreateTokenOp>()
    } else {
        i.plain::<stablehlo::AfterAllOp>()
    }
}

/// `opt-barrier`, over the elements of a tuple.
pub fn opt_barrier<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let values = i.parts(0)?;
    let types = values.types();
    let op = stablehlo::OptimizationBarrierOp::build(&i.builder, &values);
    i.many(op.result_types(&types))
}

/// `add-dependency`: the value, once the token is available.
pub fn add_dependency<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let mut values = i.parts(0)?;
    let count = values.len();
    values.push(i.value(1)?);
    let types = values.types();
    let op = stablehlo::OptimizationBarrierOp::build(&i.builder, &values);
    let operation = i.finish(op.result_types(&types))?;
    i.mark(operation);
    let results = operation.results();
    let shape = i.operand_shape(0)?;
    i.importer.assemble(shape, results.get(..count).unwrap_or_default())
}

/// `topk`: the largest entries of the last dimension, or the smallest.
pub fn top_k<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let k = i.expected_integer("k")?;
    let largest = i.attribute("largest").is_none() || i.boolean("largest")?;
    largest_or_smallest(i, k, largest)
}

/// The first `k` entries of each row in descending or ascending order, and their indices.
pub fn largest_or_smallest<'m>(
    i: &Instruction<'_, 'm>,
    k: i64,
    largest: bool,
) -> Result<Tree<'m>, Failure> {
    if !largest {
        return smallest(i, k);
    }
    let op = chlo::TopKOp::build(&i.builder, i.value(0)?, k);
    i.many(op.result_types(&i.result_types()?))
}

fn smallest<'m>(i: &Instruction<'_, 'm>, k: i64) -> Result<Tree<'m>, Failure> {
    let importer = i.importer;
    let value = i.value(0)?;
    let array = i.operand_array(0)?;
    let sizes = super::types::static_sizes(array);
    let sizes = sizes.ok_or_else(|| failure("topk has an operand of known size"))?;
    let Some(last) = sizes.len().checked_sub(1) else {
        return Err(failure("topk has an operand with dimensions"));
    };
    let positions = importer.tensor_of(&sizes, ElementType::I32)?;
    let iota = stablehlo::IotaOp::build(&i.builder, last as i64, positions);
    let iota = i.step(iota)?;
    let element = importer.tensor_of(&[], array.element_type)?;
    let number = importer.tensor_of(&[], ElementType::I32)?;
    let order = if array.element_type.is_float() {
        ComparisonType::TotalOrder
    } else {
        ComparisonType::NoType
    };
    let comparator = i.builder.region(
        &[element, element, number, number],
        |builder, arguments| -> Result<(), Failure> {
            let [one, other, ..] = arguments else {
                return Err(failure("expected two elements"));
            };
            let less = stablehlo::CompareOp::build(builder, *one, *other, ComparisonDirection::Lt)
                .compare_type(order)
                .value();
            stablehlo::return_(builder, &[less]);
            Ok(())
        },
    )?;
    let op = stablehlo::SortOp::build(&i.builder, &[value, iota], comparator)
        .dimension(last as i64)
        .is_stable(true)
        .result_types(&[value.ty(), positions]);
    let sorted = i.create(op)?.results();
    let mut limits = sizes.clone();
    if let Some(limit) = limits.last_mut() {
        *limit = k;
    }
    let (starts, strides) = (vec![0; sizes.len()], vec![1; sizes.len()]);
    let mut found = Vec::new();
    for (value, part) in sorted.into_iter().zip(leaves(&i.source.shape)) {
        let op = stablehlo::SliceOp::build(&i.builder, value, &starts, &limits, &strides)
            .result_types(&[importer.type_of(part)?]);
        found.extend(i.finish(op)?.results());
    }
    importer.assemble(&i.source.shape, &found)
}
