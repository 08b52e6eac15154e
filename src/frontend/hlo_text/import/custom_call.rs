//! Custom calls.

use super::{
    attributes::{dictionary, text_of},
    custom_targets,
    failure::{Failure, failure},
    importer::Importer,
    instruction::Instruction,
    types,
    values::Tree,
};
use halo_hlo_text::{Alias, Shape, Value as AttributeValue};
use halo_ir::stablehlo::attributes::{CustomCallApiVersion, OutputOperandAlias};
use halo_ir::{
    Attribute,
    ops::{Build, stablehlo},
};

type Call<'m> = Build<'m, stablehlo::CustomCallOp<'m>>;

/// `custom-call`: the op of its target, or a call of the target.
pub fn custom_call<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let target = i.word("custom_call_target")?.unwrap_or_default();
    if let Some(tree) = custom_targets::operation(i, target)? {
        return Ok(tree);
    }
    let importer = i.importer;
    let mut values = Vec::new();
    for operand in &i.operands {
        values.push(importer.whole(&i.builder, operand)?);
    }
    let types = [importer.type_of(&i.source.shape)?];
    let mut op = stablehlo::CustomCallOp::build(&i.builder, &values, target, &types);
    let version = api_version(i)?;
    if version != CustomCallApiVersion::Original {
        op = op.api_version(version);
    }
    op = with_configuration(i, op, version);
    if i.boolean("custom_call_has_side_effect")? {
        op = op.has_side_effect(true);
    }
    let mut callees = i.computations("called_computations")?;
    if i.source.attributes.get("to_apply").is_some() {
        callees.extend(i.computations("to_apply")?);
    }
    if !callees.is_empty() {
        let names = callees.into_iter().map(|callee| importer.function(callee));
        let names: Vec<String> = names.collect();
        let names: Vec<&str> = names.iter().map(|name| &name[..]).collect();
        op = op.called_computations(&names);
    }
    match i.attribute("output_to_operand_aliasing") {
        None => {}
        // That these alias operand and result is their meaning.
        Some(AttributeValue::Aliases(_)) if matches!(target, "Pin" | "Unpin") => {}
        Some(AttributeValue::Aliases(aliases)) => {
            let aliases = operand_aliases(aliases);
            op = op.output_operand_aliases(&aliases.iter().collect::<Vec<_>>());
        }
        Some(_) => return Err(failure("output_to_operand_aliasing must be aliases")),
    }
    let (op, spaces) = with_layouts(i, op)?;
    let tree = i.one(op)?;
    for (name, values) in spaces {
        if values.iter().any(|space| *space != 0) {
            i.keep(
                name,
                halo_ir::i64_array_attribute(importer.context, &values),
            );
        }
    }
    Ok(tree)
}

fn api_version(i: &Instruction) -> Result<CustomCallApiVersion, Failure> {
    use CustomCallApiVersion as V;
    Ok(match i.word("api_version")? {
        None | Some("API_VERSION_ORIGINAL") => V::Original,
        Some("API_VERSION_UNSPECIFIED") => V::Unspecified,
        Some("API_VERSION_STATUS_RETURNING") => V::StatusReturning,
        Some("API_VERSION_STATUS_RETURNING_UNIFIED") => V::StatusReturningUnified,
        Some("API_VERSION_TYPED_FFI") => V::TypedFfi,
        Some(other) => {
            return Err(failure(format!(
                "there is no API version '{other}' of custom calls"
            )));
        }
    })
}

/// The configuration: a dictionary for typed calls, a string for all others. If the text of a typed
/// call does not parse as a dictionary of MLIR, it is kept as an attribute.
fn with_configuration<'m>(
    i: &Instruction<'_, 'm>,
    op: Call<'m>,
    version: CustomCallApiVersion,
) -> Call<'m> {
    let importer = i.importer;
    let text = configuration(i);
    if version != CustomCallApiVersion::TypedFfi {
        i.attribute("backend_config");
        return op.backend_config(importer.string(&text.unwrap_or_default()));
    }
    let dictionary = text.and_then(|text| dictionary(importer.context, &text));
    match dictionary {
        Some(dictionary) => {
            i.attribute("backend_config");
            op.backend_config(dictionary)
        }
        None => op,
    }
}

/// The text of `backend_config`.
pub fn configuration(i: &Instruction) -> Option<String> {
    match i.source.attributes.get("backend_config")? {
        AttributeValue::String(text)
        | AttributeValue::Dictionary(text)
        | AttributeValue::Raw(text) => Some(text.clone()),
        other => Some(text_of(other)),
    }
}

fn operand_aliases(aliases: &[Alias]) -> Vec<OutputOperandAlias> {
    let aliases = aliases.iter().map(|alias| OutputOperandAlias {
        output_tuple_indices: alias.output_index.clone(),
        operand_index: alias.parameter,
        operand_tuple_indices: alias.parameter_index.clone(),
    });
    aliases.collect()
}

type MemorySpaces = Vec<(&'static str, Vec<i64>)>;

/// The layouts of operands and results, if the text constrains them, and their memory spaces.
/// Tuples have no layouts: constraints on them are kept as discardable attributes.
fn with_layouts<'m>(
    i: &Instruction<'_, 'm>,
    op: Call<'m>,
) -> Result<(Call<'m>, MemorySpaces), Failure> {
    const NAME: &str = "operand_layout_constraints";
    let Some(AttributeValue::Shapes(operands)) = i.source.attributes.get(NAME) else {
        return Ok((op, Vec::new()));
    };
    let results = match &i.source.shape {
        Shape::Tuple(elements) => elements.iter().collect(),
        shape => vec![shape],
    };
    let operands: Vec<&Shape> = operands.iter().collect();
    let nested = |shape: &&Shape| matches!(shape, Shape::Tuple(_));
    if operands.iter().any(nested)
        || results.iter().any(nested)
        || operands.len() != i.operands.len()
    {
        return Ok((op, Vec::new()));
    }
    i.attribute(NAME);
    let layouts = |shapes: &[&Shape]| {
        let layouts = shapes.iter().map(|shape| layout(i.importer, shape));
        layouts.collect::<Result<Vec<_>, Failure>>()
    };
    let spaces = |shapes: &[&Shape]| shapes.iter().map(|shape| memory_space(shape)).collect();
    let op = op.operand_layouts(&layouts(&operands)?).result_layouts(&layouts(&results)?);
    let spaces = vec![
        ("mhlo.operand_memory_spaces", spaces(&operands)),
        ("mhlo.result_memory_spaces", spaces(&results)),
    ];
    Ok((op, spaces))
}

fn layout<'m>(importer: &Importer<'m>, shape: &Shape) -> Result<Attribute<'m>, Failure> {
    match shape {
        Shape::Array(array) => importer.index_vector(&types::minor_to_major(array)),
        _ => importer.index_vector(&[]),
    }
}

fn memory_space(shape: &Shape) -> i64 {
    match shape {
        Shape::Array(array) | Shape::Buffer(array) => {
            let layout = array.layout.as_ref();
            layout.and_then(|it| it.memory_space).unwrap_or_default()
        }
        _ => 0,
    }
}
