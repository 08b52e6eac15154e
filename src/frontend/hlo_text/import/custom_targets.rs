//! Custom calls that represent ops which HLO lacks.
//!
//! Exporters write an op without an opcode in HLO as a call of its name, with the op's attributes
//! as configuration:
//!
//! ```text
//! custom-call(x, sizes), custom_call_target="mhlo.dynamic_broadcast_in_dim",
//!   backend_config={broadcast_dimensions=[0,1]}
//! ```

use super::{
    attributes::dictionary,
    custom_call::configuration,
    failure::{Failure, failure},
    instruction::Instruction,
    other, types,
    values::Tree,
};
use halo_hlo_text::{Opcode, Shape};
use halo_ir::prelude::*;
use melior::ir::attribute::TypeAttribute;

/// The op of a target; `None` for any other target.
pub fn operation<'m>(i: &Instruction<'_, 'm>, target: &str) -> Result<Option<Tree<'m>>, Failure> {
    match target {
        "TopK" | "__gpu$TopK" => top_k(i),
        "ApproxTopK" | "PartialReduce" => first_by_comparator(i),
        "SliceToDynamic" => slice_to_dynamic(i),
        "mhlo.uniform_quantize" | stablehlo::UniformQuantizeOp::NAME => quantize(i).map(Some),
        "mhlo.uniform_dequantize" | stablehlo::UniformDequantizeOp::NAME => dequantize(i).map(Some),
        "mhlo.topk" => named(i, chlo::TopKOp::NAME),
        _ => {
            let Some((dialect, name)) = target.split_once('.') else {
                return Ok(None);
            };
            let candidates: &[&str] = match dialect {
                "mhlo" => &["stablehlo", "chlo"],
                "stablehlo" => &["stablehlo"],
                "chlo" => &["chlo"],
                _ => return Ok(None),
            };
            for dialect in candidates {
                let name = format!("{dialect}.{name}");
                if i.importer.context.is_registered_operation(&name) {
                    return named(i, &name);
                }
            }
            Ok(None)
        }
    }
}

/// The op of a name, with the attributes of the configuration. A call that does not fit the op
/// stays a call.
fn named<'m>(i: &Instruction<'_, 'm>, name: &str) -> Result<Option<Tree<'m>>, Failure> {
    let context = i.importer.context;
    let config = configuration(i);
    let entries = match &config {
        Some(text) => match dictionary(context, text) {
            Some(dictionary) => dictionary.dictionary_entries(),
            None => return Ok(None),
        },
        None => Vec::new(),
    };
    if !i.computations("called_computations")?.is_empty() {
        return Ok(None);
    }
    let mut op = i.op(name).operands(&i.values()?).results(&i.result_types()?);
    for (name, value) in entries {
        op = op.attribute(name, plain(i, value));
    }
    let Ok(operation) = i.finish(op) else {
        return Ok(None);
    };
    for name in ["api_version", "backend_config"] {
        i.attribute(name);
    }
    let results = operation.results();
    i.importer.assemble(&i.source.shape, &results).map(Some)
}

/// Lists of integers are array attributes in the ops.
fn plain<'m>(i: &Instruction<'_, 'm>, value: Attribute<'m>) -> Attribute<'m> {
    let elements = value.array_elements();
    let numbers: Option<Vec<i64>> =
        elements.iter().map(|element| element.integer_value()).collect();
    match numbers {
        Some(numbers)
            if !numbers.is_empty() || value == array_attribute(i.importer.context, &[]) =>
        {
            halo_ir::i64_array_attribute(i.importer.context, &numbers)
        }
        _ => value,
    }
}

/// `TopK`: the comparison that it calls determines the order.
fn top_k<'m>(i: &Instruction<'_, 'm>) -> Result<Option<Tree<'m>>, Failure> {
    let [Shape::Array(values), Shape::Array(_)] = types::leaves(&i.source.shape)[..] else {
        return Ok(None);
    };
    let Some(k) = types::static_sizes(values).and_then(|sizes| sizes.last().copied()) else {
        return Ok(None);
    };
    if i.operands.len() != 1 {
        return Ok(None);
    }
    let comparators = i.computations("called_computations")?;
    let largest = match comparators.first().and_then(|it| it.root()) {
        Some(root) if root.opcode == Opcode::Compare => {
            root.attributes.get("direction") != Some(&halo_hlo_text::Value::Word("LT".into()))
        }
        Some(_) => return Ok(None),
        None => true,
    };
    i.attribute("api_version");
    other::largest_or_smallest(i, k, largest).map(Some)
}

/// `ApproxTopK` and `PartialReduce`: the first entries in the order of the computation that they
/// call, as many as fit into the result. XLA may miss some of them; here the result is exact and
/// sorted.
fn first_by_comparator<'m>(i: &Instruction<'_, 'm>) -> Result<Option<Tree<'m>>, Failure> {
    let count = i.operands.len() / 2;
    let shapes = types::leaves(&i.source.shape);
    let (Some(config), [comparator]) = (
        configuration(i),
        &i.computations("called_computations")?[..],
    ) else {
        return Ok(None);
    };
    let Some(dimension) = number_in(&config, "reduction_dim") else {
        return Ok(None);
    };
    let values = i.values()?;
    let arrays = values.get(..count).unwrap_or_default();
    if count == 0 || shapes.len() != count {
        return Ok(None);
    }
    for name in ["api_version", "backend_config"] {
        i.attribute(name);
    }
    let types = arrays.types();
    let comparator = i.importer.region(&i.builder, comparator)?;
    let op = stablehlo::SortOp::build(&i.builder, arrays, comparator)
        .dimension(dimension)
        .is_stable(true)
        .result_types(&types);
    let sorted = i.create(op)?.results();
    let mut found = Vec::new();
    for (value, part) in sorted.into_iter().zip(shapes) {
        let Shape::Array(array) = part else {
            return Ok(None);
        };
        let Some(limits) = types::static_sizes(array) else {
            return Ok(None);
        };
        let (starts, strides) = (vec![0; limits.len()], vec![1; limits.len()]);
        let op = stablehlo::SliceOp::build(&i.builder, value, &starts, &limits, &strides)
            .result_types(&[i.importer.type_of(part)?]);
        found.extend(i.finish(op)?.results());
    }
    i.importer.assemble(&i.source.shape, &found).map(Some)
}

/// The number under a name of a configuration in JSON or in MLIR's syntax.
fn number_in(config: &str, name: &str) -> Option<i64> {
    let (_, rest) = config.split_once(name)?;
    let rest = rest.trim_start_matches(['"', ':', '=', ' ']);
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '-');
    rest.get(..end.unwrap_or(rest.len()))?.parse().ok()
}

/// `SliceToDynamic`: an array cut to the sizes given by further operands.
fn slice_to_dynamic<'m>(i: &Instruction<'_, 'm>) -> Result<Option<Tree<'m>>, Failure> {
    let values = i.values()?;
    let target = i.result_array()?;
    let Some((value, sizes)) = values.split_first() else {
        return Ok(None);
    };
    let mut value = *value;
    let mut array = i.operand_array(0)?.clone();
    if sizes.len() != array.dimensions.len() || target.dimensions.len() != sizes.len() {
        return Ok(None);
    }
    for (number, (size, dimension)) in sizes.iter().zip(&target.dimensions).enumerate() {
        let Some(known) = array.dimensions.get_mut(number) else {
            return Ok(None);
        };
        if known == dimension {
            continue;
        }
        *known = *dimension;
        let ty = i.importer.type_of(&Shape::Array(array.clone()))?;
        let op = stablehlo::SetDimensionSizeOp::build(&i.builder, value, *size, number as i64);
        let operation = i.finish(op.result_types(&[ty]))?;
        value = operation.results().first().copied().unwrap_or(value);
    }
    Ok(Some(Tree::Value(value)))
}

/// The quantized element type that a configuration describes.
fn quantized<'m>(i: &Instruction<'_, 'm>) -> Result<Type<'m>, Failure> {
    let context = i.importer.context;
    let config = configuration(i).unwrap_or_default();
    let config = dictionary(context, &config)
        .ok_or_else(|| failure(format!("the quantization is not a dictionary: {config}")))?;
    let entry = |name: &str| {
        config
            .dictionary_entry(name)
            .ok_or_else(|| failure(format!("the quantization must say '{name}'")))
    };
    let integer = |name: &str| {
        let value = entry(name)?.integer_value();
        value.ok_or_else(|| failure(format!("'{name}' must be an integer")))
    };
    let element = |name: &str| {
        let value = entry(name)?.cast::<TypeAttribute>();
        let value = value.ok_or_else(|| failure(format!("'{name}' must be a type")))?;
        Ok::<_, super::failure::Failure>(value.value().to_string())
    };
    let numbers = |name: &str| {
        let list = entry(name)?.array_elements();
        let text = |it: &Attribute| {
            let text = it.to_string();
            text.split_once(" :").map_or_else(|| text.clone(), |it| it.0.to_owned())
        };
        Ok::<Vec<String>, super::failure::Failure>(list.iter().map(text).collect())
    };
    let (scales, zeros) = (numbers("scale")?, numbers("zero_point")?);
    let pairs = scales.iter().zip(&zeros);
    let pairs: Vec<String> = pairs.map(|(scale, zero)| format!("{scale}:{zero}")).collect();
    let storage = format!(
        "{}<{}:{}>:{}",
        element("storage_type")?,
        integer("storage_min")?,
        integer("storage_max")?,
        element("expressed_type")?
    );
    let text = match (
        &pairs[..],
        config.dictionary_entry("quantization_dimension"),
    ) {
        ([one], None) => format!("!quant.uniform<{storage}, {one}>"),
        (several, dimension) => {
            let dimension = dimension.and_then(Attribute::integer_value);
            let dimension = dimension.unwrap_or_default();
            let several = several.join(", ");
            format!("!quant.uniform<{storage}:{dimension}, {{{several}}}>")
        }
    };
    let parse = || Type::parse(context, &text);
    let (parsed, _) = halo_ir::diagnostics::with_diagnostics(context, parse);
    parsed.ok_or_else(|| failure(format!("'{text}' is not a quantized type")))
}

/// `mhlo.uniform_quantize`: the result is an array of the stored integers.
fn quantize<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let element = quantized(i)?;
    for name in ["api_version", "backend_config"] {
        i.attribute(name);
    }
    let stored = i.result_type()?;
    let value = i.value(0)?;
    let ty = value.ty().with_element_type(element);
    let op = stablehlo::UniformQuantizeOp::build(&i.builder, value, ty);
    let quantized = i.step(op)?;
    i.one(stablehlo::BitcastConvertOp::build(
        &i.builder, quantized, stored,
    ))
}

/// `mhlo.uniform_dequantize`
fn dequantize<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let element = quantized(i)?;
    for name in ["api_version", "backend_config"] {
        i.attribute(name);
    }
    let value = i.value(0)?;
    let ty = value.ty().with_element_type(element);
    let value = match stored_of(value).filter(|it| it.ty() == ty) {
        Some(quantized) => quantized,
        None => {
            let op = stablehlo::BitcastConvertOp::build(&i.builder, value, ty);
            i.step(op)?
        }
    };
    let op = stablehlo::UniformDequantizeOp::build(&i.builder, value);
    i.one(op.result_types(&[i.result_type()?]))
}

/// The quantized value whose integers a value is.
fn stored_of(value: Value<'_>) -> Option<Value<'_>> {
    let read = value.defined_by::<stablehlo::BitcastConvertOp>()?;
    Some(read.operand())
}
