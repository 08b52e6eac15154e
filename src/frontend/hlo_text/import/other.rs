//! Random numbers, batch normalization, tokens and barriers, top k.

use super::{Result, failure, instruction::Instruction, types::leaves, values::Tree};
use halo_core::ElementType;
use halo_hlo_text::{Shape, Value as AttributeValue};
use halo_ir::stablehlo::attributes::{
    ComparisonDirection, ComparisonType, RngAlgorithm, RngDistribution,
};
use halo_ir::{Type, results_of};
use melior::ir::ValueLike;

/// `batch-norm-*`
pub fn batch_norm<'m>(i: &Instruction<'_, 'm>, name: &str) -> Result<Tree<'m>> {
    let epsilon = halo_ir::float_attribute(Type::float32(i.importer.context), i.float("epsilon")?);
    let feature = i.expected_integer("feature_index")?;
    let op = i
        .op(name)
        .operands(&i.values()?)
        .attribute("epsilon", epsilon)
        .attribute("feature_index", i.importer.integer_attribute(64, feature));
    i.many(op.results(&i.result_types()?))
}

/// `rng`: the sizes, which the shape says, are an operand.
pub fn rng<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
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
    let mut operands = i.values()?;
    // What more there is has no meaning: XLA reads two.
    operands.truncate(2);
    operands.push(i.importer.integers(&i.builder, &sizes)?);
    let op = i.op("stablehlo.rng").operands(&operands).attribute(
        "rng_distribution",
        distribution.to_attribute(i.importer.context),
    );
    i.one(op.result(i.result_type()?))
}

/// `rng-bit-generator`. Where the result is an array, the new state is dropped.
/// A state that the algorithm does not have stays what it is: XLA reads it, too,
/// and has no code for it.
pub fn rng_bit_generator<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
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
    let op = i
        .op("stablehlo.rng_bit_generator")
        .operands(&i.values()?)
        .attribute("rng_algorithm", algorithm.to_attribute(i.importer.context));
    if let Shape::Tuple(_) = i.source.shape {
        return i.many(op.results(&i.result_types()?));
    }
    let state = i.value(0)?.r#type();
    let operation = i.finish(op.results(&[state, i.result_type()?]))?;
    match results_of(operation)[..] {
        [_, output] => Ok(Tree::Value(output)),
        _ => Err(failure("rng-bit-generator has two results")),
    }
}

/// `after-all`; without operands it makes a token.
pub fn after_all<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    i.plain(if i.operands.is_empty() {
        "stablehlo.create_token"
    } else {
        "stablehlo.after_all"
    })
}

/// `opt-barrier`, over the parts of a tuple.
pub fn opt_barrier<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    let values = i.parts(0)?;
    let types: Vec<Type> = values.iter().map(|value| value.r#type()).collect();
    let op = i.op("stablehlo.optimization_barrier").operands(&values);
    i.many(op.results(&types))
}

/// `add-dependency`: the value, once the token is there.
pub fn add_dependency<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    let mut values = i.parts(0)?;
    let count = values.len();
    values.push(i.value(1)?);
    let types: Vec<Type> = values.iter().map(|value| value.r#type()).collect();
    let op = i.op("stablehlo.optimization_barrier").operands(&values);
    let operation = i.finish(op.results(&types))?;
    i.mark(operation);
    let results = results_of(operation);
    let shape = i.operand_shape(0)?;
    i.importer
        .assemble(shape, results.get(..count).unwrap_or_default())
}

/// `topk`: the largest entries of the last dimension, or the smallest.
pub fn top_k<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    let k = i.expected_integer("k")?;
    let largest = i.attribute("largest").is_none() || i.boolean("largest")?;
    largest_or_smallest(i, k, largest)
}

/// The first `k` entries of each row in falling or rising order, and where they
/// stood.
pub fn largest_or_smallest<'m>(i: &Instruction<'_, 'm>, k: i64, largest: bool) -> Result<Tree<'m>> {
    if !largest {
        return smallest(i, k);
    }
    let op = i
        .op("chlo.top_k")
        .operands(&[i.value(0)?])
        .attribute("k", i.importer.integer_attribute(64, k));
    i.many(op.results(&i.result_types()?))
}

fn smallest<'m>(i: &Instruction<'_, 'm>, k: i64) -> Result<Tree<'m>> {
    let importer = i.importer;
    let context = importer.context;
    let value = i.value(0)?;
    let array = i.operand_array(0)?;
    let sizes = super::types::static_sizes(array);
    let sizes = sizes.ok_or_else(|| failure("topk has an operand of known size"))?;
    let Some(last) = sizes.len().checked_sub(1) else {
        return Err(failure("topk has an operand with dimensions"));
    };
    let last_dimension = importer.integer_attribute(64, last as i64);
    let positions = importer.tensor_of(&sizes, ElementType::I32)?;
    let op = i.op("stablehlo.iota");
    let op = op.attribute("iota_dimension", last_dimension);
    let iota = i.step(op.result(positions))?;
    let element = importer.tensor_of(&[], array.element_type)?;
    let number = importer.tensor_of(&[], ElementType::I32)?;
    let predicate = importer.tensor_of(&[], ElementType::I1)?;
    let order = if array.element_type.is_float() {
        ComparisonType::TotalOrder
    } else {
        ComparisonType::NoType
    };
    let comparator = i.builder.region(
        &[element, element, number, number],
        |builder, arguments| -> Result<()> {
            let op = builder
                .op("stablehlo.compare")
                .operands(arguments.get(..2).unwrap_or_default())
                .attribute(
                    "comparison_direction",
                    ComparisonDirection::Lt.to_attribute(context),
                )
                .attribute("compare_type", order.to_attribute(context));
            let less = op.result(predicate).value()?;
            builder.op("stablehlo.return").operands(&[less]).insert()?;
            Ok(())
        },
    )?;
    let op = i
        .op("stablehlo.sort")
        .operands(&[value, iota])
        .attribute("dimension", last_dimension)
        .attribute("is_stable", halo_ir::bool_attribute(context, true))
        .region(comparator)
        .results(&[value.r#type(), positions]);
    let sorted = results_of(i.create(op)?);
    let mut limits = sizes.clone();
    if let Some(limit) = limits.last_mut() {
        *limit = k;
    }
    let list = |numbers: &[i64]| halo_ir::i64_array_attribute(context, numbers);
    let mut found = Vec::new();
    for (value, part) in sorted.into_iter().zip(leaves(&i.source.shape)) {
        let op = i
            .op("stablehlo.slice")
            .operands(&[value])
            .attribute("start_indices", list(&vec![0; sizes.len()]))
            .attribute("limit_indices", list(&limits))
            .attribute("strides", list(&vec![1; sizes.len()]))
            .result(importer.type_of(part)?);
        found.extend(results_of(i.finish(op)?));
    }
    importer.assemble(&i.source.shape, &found)
}
