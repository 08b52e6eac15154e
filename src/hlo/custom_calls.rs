//! The attributes of custom calls.

use halo_core::{ElementType, Layout, Scalar, Shape};
use halo_ir::{
    diagnostics::file_line_column, i64_array_attribute, prelude::*,
    stablehlo::attributes::OutputOperandAlias,
};
use halo_runtime::{CustomCallSite, custom_call};
use melior::ir::attribute::BoolAttribute;

/// The target for conditions on shapes in exported dynamic programs.
pub const SHAPE_ASSERTION: &str = "shape_assertion";

/// Returns true for a target that only annotates its operand, such as its placement, or orders its
/// operands; on one device it has no effect. Shardy's targets have a second name in builds of
/// TensorFlow.
pub fn is_annotation(target: &str) -> bool {
    matches!(
        target.strip_prefix("local_").unwrap_or(target),
        "AssumeGatherIndicesInBound"
            | "InspectSharding"
            | "LayoutConstraint"
            | "MoveToDevice"
            | "MoveToHost"
            | "PinToDevice"
            | "PinToDeviceSram"
            | "SPMDFullToShardShape"
            | "SPMDShardToFullShape"
            | "ShardBarrierFrom"
            | "ShardBarrierTo"
            | "Sharding"
            | "annotate_device_placement"
            | "control_dep"
            | "xla.sdy.FuncResultSharding"
            | "xla.sdy.GlobalToLocalShape"
            | "xla.sdy.LocalToGlobalShape"
            | "xla.sdy.PropagationBarrier"
            | "xla.sdy.ShardingGroup"
    )
}

/// The attribute `error_message` of an assertion: an attribute of the op, or an
/// entry of its configuration.
pub fn error_message<'c>(operation: Operation<'c>) -> Option<&'c str> {
    if let Some(message) = operation.attribute("error_message") {
        return message.string_value();
    }
    let config = operation.attribute("backend_config")?;
    config.dictionary_entry("error_message")?.string_value()
}

/// The data from which the runtime finds and calls the function of a custom call, or of an
/// equivalent op: the name, the shapes of the tensors, the attributes.
///
/// # Errors
/// Returns an error if layouts do not match the shapes.
pub fn site(
    op: Operation,
    target: &str,
    operands: Vec<Shape>,
    results: Vec<Shape>,
) -> Result<CustomCallSite, String> {
    let layouts = |name: &str, shapes: &[Shape]| {
        let ranks = shapes.iter().map(Shape::rank);
        layouts(op.attribute(name), ranks)
    };
    Ok(CustomCallSite {
        operand_layouts: layouts("operand_layouts", &operands)?,
        result_layouts: layouts("result_layouts", &results)?,
        backend_config: configuration(op).unwrap_or_default(),
        attributes: plain_attributes(attributes(op)),
        location: file_line_column(op.location()).unwrap_or_default(),
        ..CustomCallSite::new(target, operands, results)
    })
}

/// The text of `backend_config`, and of additional attributes of the op, in which checks have their
/// limits; for a shape assertion its message. `None` for other ops than `custom_call`, whose
/// attributes are complete.
pub fn configuration(operation: Operation) -> Option<String> {
    let call = operation.cast::<stablehlo::CustomCallOp>()?;
    if call.call_target_name() == SHAPE_ASSERTION
        && let Some(message) = error_message(operation)
    {
        return Some(message.to_owned());
    }
    let mut parts = Vec::new();
    for (name, attribute) in operation.attributes() {
        let name = name.to_owned();
        let own = [
            "call_target_name",
            "has_side_effect",
            "api_version",
            "called_computations",
            "operand_layouts",
            "result_layouts",
            ALIASES,
            "value",
        ];
        if own.contains(&name.as_str()) {
            continue;
        }
        if name == "backend_config" {
            match attribute.string_value() {
                Some("") => continue,
                Some(text) => return Some(text.to_owned()),
                None => return Some(attribute.to_string()),
            }
        }
        parts.push(format!("{name} = {attribute}"));
    }
    Some(format!("{{{}}}", parts.join(", ")))
}

/// Returns true if a call may have effects, which is the default.
pub fn may_have_effects(call: stablehlo::CustomCallOp) -> bool {
    call.operation()
        .attribute("has_side_effect")
        .and_then(Attribute::cast::<BoolAttribute>)
        .is_none_or(|flag| flag.value())
}

/// The attribute of a call that aliases results with operands.
const ALIASES: &str = "output_operand_aliases";

/// The dictionary of a typed call; for any other op its attributes. A call whose results share
/// memory with operands also has `output_operand_aliases`: pairs of a result's and an operand's
/// index.
pub fn attributes<'c>(operation: Operation<'c>) -> Vec<(&'c str, halo_ir::Attribute<'c>)> {
    if !operation.isa::<stablehlo::CustomCallOp>() {
        return operation.attributes();
    }
    let mut entries = ["mhlo.backend_config", "backend_config"]
        .into_iter()
        .filter_map(|name| operation.attribute(name))
        .find(|config| config.string_value().is_none())
        .map(Attribute::dictionary_entries)
        .unwrap_or_default();
    let aliases = operation.attribute(ALIASES).filter(|all| !all.array_elements().is_empty());
    if let Some(all) = aliases {
        // Elements of nested tuples have no indices: handlers get the text of the attribute.
        let pairs = alias_pairs(all);
        let pairs = pairs.map(|pairs| i64_array_attribute(operation.context(), &pairs));
        entries.push((ALIASES, pairs.unwrap_or(all)));
    }
    entries
}

fn alias_pairs(aliases: halo_ir::Attribute) -> Option<Vec<i64>> {
    let aliases = aliases.array_elements().into_iter().map(|alias| {
        let alias = OutputOperandAlias::from_attribute(alias)?;
        let result = match alias.output_tuple_indices[..] {
            [] => 0,
            [index] => index,
            _ => return None,
        };
        let is_whole = alias.operand_tuple_indices.is_empty();
        is_whole.then_some([result, alias.operand_index])
    });
    Some(aliases.collect::<Option<Vec<_>>>()?.concat())
}

/// Attributes without MLIR.
pub fn plain_attributes(entries: Vec<(&str, halo_ir::Attribute)>) -> custom_call::Attributes {
    let entries = entries.into_iter();
    let plain = entries.map(|(name, value)| (name.to_owned(), plain_attribute(value)));
    custom_call::Attributes(plain.collect())
}

/// A number, text, list or dictionary; any other attribute is its text.
fn plain_attribute(attribute: halo_ir::Attribute) -> custom_call::Attribute {
    use custom_call::Attribute::{Dictionary, List, Number, Text};
    if let Some(text) = attribute.string_value() {
        return Text(text.to_owned());
    }
    if let Some(values) = attribute.i64_array_value() {
        let number = |value| Number(ElementType::I64, Scalar::Int(i128::from(value)));
        return List(values.into_iter().map(number).collect());
    }
    let ty = attribute.ty();
    let element = ty.element_type().to_string().parse::<ElementType>();
    if let Some(value) = attribute.integer_value() {
        let element = element.unwrap_or(ElementType::I64);
        let value = match element {
            ElementType::I1 => Scalar::Bool(value != 0),
            // Unsigned integers are sign-extended.
            _ => Scalar::Int(value.into()).stored_as(element),
        };
        return Number(element, value);
    }
    if let Some(value) = attribute.float_value() {
        return Number(element.unwrap_or(ElementType::F64), Scalar::Float(value));
    }
    if let Ok(literal) = crate::literals::literal_of(attribute) {
        let number = |position| Number(literal.element_type(), literal.get(position));
        return List((0..literal.element_count()).map(number).collect());
    }
    let text = attribute.to_string();
    match text.chars().next() {
        Some('[') => {
            let values = attribute.array_elements().into_iter();
            List(values.map(plain_attribute).collect())
        }
        Some('{') => Dictionary(plain_attributes(attribute.dictionary_entries())),
        _ if attribute.is_unit() => Number(ElementType::I1, Scalar::Bool(true)),
        // `#stablehlo<transpose ADJOINT>`, `#halo.grouping<cross_replica>`
        _ => {
            let case = text.strip_suffix('>').and_then(|text| text.rsplit_once([' ', '<']));
            Text(case.map_or(&text[..], |(_, case)| case).to_owned())
        }
    }
}

/// The layouts that an op requests under a name, for values of these ranks; row-major by default.
///
/// # Errors
/// Returns an error if one is not a permutation of the dimensions of its value.
pub fn layouts(
    attribute: Option<halo_ir::Attribute>,
    ranks: impl Iterator<Item = usize>,
) -> Result<Vec<Layout>, String> {
    let given = attribute.map(Attribute::array_elements).unwrap_or_default();
    ranks
        .enumerate()
        .map(|(number, rank)| {
            let Some(layout) = given.get(number) else {
                return Ok(Layout::row_major(rank));
            };
            let dims = layout.dense_i64s().or_else(|| layout.i64_array_value());
            let dims: Vec<usize> = dims.into_iter().flatten().map(|dim| dim as usize).collect();
            let layout = Layout::new(dims).ok().filter(|layout| layout.rank() == rank);
            layout.ok_or_else(|| format!("layout {number} does not order {rank} dimensions"))
        })
        .collect()
}
