//! Custom calls, and ops that are exported as one.

use super::attributes::hlo_value;
use super::calls::computation_of;
use super::computation::ComputationBuilder;
use super::failure::failure;
use super::types::layout;
use halo_hlo::semantics::op::Op;
use halo_hlo_text::{Alias, Constant, Opcode, Shape, Value};
use halo_ir::{
    ops::{OPERAND_SEGMENT_SIZES, Op as _},
    prelude::*,
    stablehlo::attributes::{CustomCallApiVersion, OutputOperandAlias},
};
use halo_runtime::Error;

pub fn custom_call<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let target = op.attribute("call_target_name").and_then(Attribute::string_value);
    let target = target.ok_or_else(|| failure(op, "has no target"))?;
    if let Some(opcode) = instruction_of(target) {
        return own_instruction(builder, op, opcode);
    }
    let computations = op.attribute("called_computations").map(Attribute::array_elements);
    let computations = computations.unwrap_or_default().into_iter();
    let computations = computations
        .filter_map(Attribute::symbol_value)
        .map(|symbol| computation_of(builder, op, symbol))
        .collect::<Result<Vec<_>, _>>()?;
    let mut instruction = builder
        .instruction(op, Opcode::CustomCall)?
        .with("custom_call_target", Value::String(target.to_owned()));
    if let Some(layouts) = layout_list(op, "result_layouts") {
        let shape = &mut instruction.0.shape;
        match shape {
            Shape::Tuple(elements) if elements.len() == layouts.len() => {
                for (element, layout) in elements.iter_mut().zip(layouts) {
                    set_layout(element, layout);
                }
            }
            single => {
                if let Some(layout) = layouts.into_iter().next() {
                    set_layout(single, layout);
                }
            }
        }
    }
    if let Some(layouts) = layout_list(op, "operand_layouts") {
        let mut shapes = Vec::new();
        for (value, layout) in op.operands().into_iter().zip(layouts) {
            let mut shape = builder.shape_of(op, value)?;
            set_layout(&mut shape, layout);
            shapes.push(shape);
        }
        instruction = instruction.with("operand_layout_constraints", Value::Shapes(shapes));
    }
    let spaces = |name| op.attribute(name).and_then(Attribute::i64_array_value);
    if let (Some(spaces), Some(Value::Shapes(shapes))) = (
        spaces("mhlo.operand_memory_spaces"),
        instruction.get_mut("operand_layout_constraints"),
    ) {
        for (shape, space) in shapes.iter_mut().zip(spaces) {
            set_memory_space(shape, space);
        }
    }
    if let Some(spaces) = spaces("mhlo.result_memory_spaces") {
        let shapes = match &mut instruction.0.shape {
            Shape::Tuple(elements) => elements.as_mut_slice(),
            single => std::slice::from_mut(single),
        };
        for (shape, space) in shapes.iter_mut().zip(spaces) {
            set_memory_space(shape, space);
        }
    }
    if !computations.is_empty() {
        instruction = instruction.with("called_computations", Value::Computations(computations));
    }
    if Op::Built(op).flag("has_side_effect") {
        instruction = instruction.with("custom_call_has_side_effect", Value::Bool(true));
    }
    if let Some(aliases) = aliases(op) {
        instruction = instruction.with("output_to_operand_aliasing", aliases);
    }
    if let Some(version) = op.attribute("api_version").and_then(api_version) {
        instruction = instruction.with("api_version", Value::Word(version.to_owned()));
    }
    if let Some(config) = op.attribute("backend_config").and_then(backend_config) {
        instruction = instruction.with("backend_config", config);
    }
    builder.define(op, instruction)
}

/// The instruction that was imported as a call of a target.
fn instruction_of(target: &str) -> Option<Opcode> {
    match target {
        "ragged_all_to_all" => Some(Opcode::RaggedAllToAll),
        _ => target.strip_prefix("xla.")?.parse().ok(),
    }
}

/// The attributes of the instruction are the configuration of the call.
fn own_instruction<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
    opcode: Opcode,
) -> Result<(), Error> {
    let mut instruction = builder.instruction(op, opcode)?;
    if opcode == Opcode::Constant {
        // Its value was elided in the imported text.
        instruction = instruction.constant(Constant::Elided);
    }
    let config = op.attribute("backend_config").map(Attribute::dictionary_entries);
    for (name, value) in config.unwrap_or_default() {
        let symbols = value.array_elements().into_iter().map(Attribute::symbol_value);
        let symbols = symbols.collect::<Option<Vec<_>>>().unwrap_or_default();
        let value = if let Some(symbol) = value.symbol_value() {
            Value::Computation(computation_of(builder, op, symbol)?)
        } else if !symbols.is_empty() {
            let names = symbols.into_iter();
            let names = names.map(|symbol| computation_of(builder, op, symbol));
            Value::Computations(names.collect::<Result<_, _>>()?)
        } else {
            hlo_value(name, value)
                .ok_or_else(|| failure(op, format!("has '{name}' that has no HLO equivalent")))?
        };
        instruction = instruction.with(name, value);
    }
    builder.define(op, instruction)
}

/// An op with dynamic sizes becomes a call that keeps its attributes.
pub fn dynamic<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let name = op.name();
    // The reference importer uses the older names of these three.
    let target = match name {
        stablehlo::DynamicBroadcastInDimOp::NAME => "mhlo.dynamic_broadcast_in_dim",
        stablehlo::DynamicReshapeOp::NAME => "mhlo.dynamic_reshape",
        stablehlo::RealDynamicSliceOp::NAME => "mhlo.real_dynamic_slice",
        other => other,
    };
    let entries: Vec<String> = op
        .attributes()
        .into_iter()
        .filter(|(key, _)| !key.contains('.') && *key != OPERAND_SEGMENT_SIZES)
        .map(|(key, value)| match value.i64_array_value() {
            Some(values) => format!("{key}={values:?}").replace(' ', ""),
            None => format!("{key}={value}"),
        })
        .collect();
    let mut instruction = builder
        .instruction(op, Opcode::CustomCall)?
        .with("custom_call_target", Value::String(target.to_owned()));
    if !entries.is_empty() {
        let config = format!("{{{}}}", entries.join(","));
        instruction = instruction.with("backend_config", Value::Dictionary(config));
    }
    builder.define(op, instruction)
}

fn layout_list(op: Operation, name: &str) -> Option<Vec<Vec<i64>>> {
    let list = op.attribute(name).map(Attribute::array_elements)?.into_iter();
    list.map(Attribute::dense_i64s).collect()
}

fn set_layout(shape: &mut Shape, minor_to_major: Vec<i64>) {
    if let Shape::Array(array) | Shape::Buffer(array) = shape {
        array.layout = (!minor_to_major.is_empty()).then(|| layout(minor_to_major));
    }
}

fn set_memory_space(shape: &mut Shape, space: i64) {
    if let Shape::Array(array) | Shape::Buffer(array) = shape
        && space != 0
    {
        let rank = array.dimensions.len() as i64;
        let layout = array.layout.get_or_insert_with(|| layout((0..rank).rev().collect()));
        layout.memory_space = Some(space);
    }
}

fn aliases(op: Operation) -> Option<Value> {
    let list = op.attribute("output_operand_aliases").map(Attribute::array_elements)?;
    let list = list.into_iter();
    let aliases: Vec<Alias> = list
        .filter_map(OutputOperandAlias::from_attribute)
        .map(|alias| Alias {
            output_index: alias.output_tuple_indices,
            parameter: alias.operand_index,
            parameter_index: alias.operand_tuple_indices,
            kind: None,
        })
        .collect();
    (!aliases.is_empty()).then_some(Value::Aliases(aliases))
}

/// The name in XLA of a version other than the original one.
fn api_version(attribute: Attribute) -> Option<&'static str> {
    match CustomCallApiVersion::from_attribute(attribute)? {
        CustomCallApiVersion::Unspecified | CustomCallApiVersion::Original => None,
        CustomCallApiVersion::StatusReturning => Some("API_VERSION_STATUS_RETURNING"),
        CustomCallApiVersion::StatusReturningUnified => {
            Some("API_VERSION_STATUS_RETURNING_UNIFIED")
        }
        CustomCallApiVersion::TypedFfi => Some("API_VERSION_TYPED_FFI"),
    }
}

fn backend_config(attribute: Attribute) -> Option<Value> {
    if let Some(text) = attribute.string_value() {
        return (!text.is_empty()).then(|| match text {
            // A JSON dictionary needs no quotes.
            _ if is_dictionary(text) => Value::Dictionary(text.to_owned()),
            _ => Value::String(text.to_owned()),
        });
    }
    let empty = attribute.dictionary_entries().is_empty();
    (attribute.is_dictionary() && !empty).then(|| Value::Dictionary(attribute.to_string()))
}

/// Returns true if a text is one dictionary in matching braces.
fn is_dictionary(text: &str) -> bool {
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut escaped = false;
    for (position, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' => depth += 1,
            b'}' => {
                let Some(less) = depth.checked_sub(1) else {
                    return false;
                };
                depth = less;
                if depth == 0 && position + 1 != text.len() {
                    return false;
                }
            }
            _ => {}
        }
        if position == 0 && byte != b'{' {
            return false;
        }
    }
    depth == 0 && !in_string && !text.is_empty()
}

#[cfg(test)]
mod tests {
    use super::is_dictionary;

    #[test]
    fn dictionaries_are_told_from_other_texts() {
        assert!(is_dictionary(r#"{"a": {"b": "}"}}"#));
        for text in ["", "a", "{", "{}}", "{} {}", r#"{"a}"#, "a{}"] {
            assert!(!is_dictionary(text), "{text}");
        }
    }
}
