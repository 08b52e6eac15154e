//! Custom calls and composites.

use super::{buffers::buffers, op::Op, prelude::*, types_agree};
use halo_ir::{
    prelude::*,
    stablehlo::attributes::{CustomCallApiVersion, OutputOperandAlias},
};
use melior::ir::{
    attribute::DenseElementsAttribute,
    r#type::{FunctionType, TupleType},
};

/// Section `custom_call`: layouts, aliases and the form of `backend_config`.
pub fn custom_call(op: Op) -> VerifyResult {
    backend_config(op)?;
    layouts(op)?;
    tilings(op)?;
    aliases(op)?;
    buffers(op)
}

/// Results in tiles, which StableHLO has since 1.18, are not supported.
fn tilings(op: Op) -> VerifyResult {
    let tilings = op.attribute("result_tilings").map(Attribute::array_elements);
    if tilings.is_none_or(|tilings| tilings.is_empty()) {
        return Ok(());
    }
    Err("attribute 'result_tilings' is not supported: results cannot have tiled layouts".to_owned())
}

/// Typed calls take a dictionary, all others a string.
fn backend_config(op: Op) -> VerifyResult {
    let Some(config) = op.attribute("backend_config") else {
        return Ok(());
    };
    let version = op
        .attribute("api_version")
        .and_then(CustomCallApiVersion::from_attribute)
        .unwrap_or_default();
    let typed = version == CustomCallApiVersion::TypedFfi;
    if typed != config.string_value().is_some() {
        return Ok(());
    }
    Err(format!(
        "attribute 'backend_config' is {config}, but with api version {} it must be a {}",
        version as u32,
        if typed { "dictionary" } else { "string" }
    ))
}

/// The values with layouts: a single tuple result represents its elements.
fn laid_out(values: Vec<(Subject, Type)>, results: bool) -> Vec<(Subject, Type)> {
    if let [(subject, ty)] = values[..]
        && results
        && let Some(tuple) = ty.cast::<TupleType>()
    {
        return (0..tuple.type_count())
            .filter_map(|index| Some((subject, tuple.r#type(index).ok()?)))
            .collect();
    }
    values
}

/// Layouts exist for all operands and results or for none, and order the dimensions of each.
fn layouts(op: Op) -> VerifyResult {
    let names = ["operand_layouts", "result_layouts"];
    let (operands, results) = match names.map(|name| op.attribute(name)) {
        [None, None] => return Ok(()),
        [Some(operands), Some(results)] => (operands, results),
        [present, _] => {
            let (present, absent) = if present.is_some() { (0, 1) } else { (1, 0) };
            return Err(format!(
                "has attribute '{}', but no attribute '{}'",
                names[present], names[absent]
            ));
        }
    };
    for (name, layouts, values) in [
        (names[0], operands, laid_out(op.operands().collect(), false)),
        (names[1], results, laid_out(op.results().collect(), true)),
    ] {
        let layouts = layouts.array_elements();
        if layouts.len() != values.len() {
            return Err(format!(
                "attribute '{name}' has {} layouts, but there are {} values",
                layouts.len(),
                values.len()
            ));
        }
        for (layout, (subject, ty)) in layouts.into_iter().zip(values) {
            layout_fits(layout, subject, ty)?;
        }
    }
    Ok(())
}

fn layout_fits(layout: Attribute, subject: Subject, ty: Type) -> VerifyResult {
    let size = layout.ty().shape().and_then(|shape| *shape.first()?).unwrap_or_default();
    if ty.cast::<TupleType>().is_some() {
        return Err(format!(
            "{subject} has type {ty}, but tuples have no layouts"
        ));
    }
    let rank = if ty.is_tensor() {
        dims_of(ty).map_or(0, |dims| dims.len())
    } else {
        0
    };
    let fits = size == rank as i64 && is_permutation(layout, rank);
    if fits {
        return Ok(());
    }
    Err(format!(
        "{subject} has type {ty}, but its layout {layout} does not order {rank} dimensions"
    ))
}

/// Returns true if a vector of `index` is a permutation of the numbers below `count`.
fn is_permutation(layout: Attribute, count: usize) -> bool {
    let Some(elements) = layout.cast::<DenseElementsAttribute>() else {
        return false;
    };
    let mut seen = vec![false; count];
    for index in 0..elements.len() {
        // The elements of `index` are stored as 64 bits.
        let Ok(value) = elements.i64_element(index) else {
            return false;
        };
        match usize::try_from(value).ok().and_then(|value| seen.get_mut(value)) {
            Some(entry) if !*entry => *entry = true,
            _ => return false,
        }
    }
    seen.into_iter().all(|entry| entry)
}

/// The element of a nested tuple type at an index path.
fn part<'c>(ty: Type<'c>, indices: &[i64]) -> Option<Type<'c>> {
    indices.iter().try_fold(ty, |ty, index| {
        let tuple = ty.cast::<TupleType>()?;
        tuple.r#type(usize::try_from(*index).ok()?).ok()
    })
}

/// Outputs that share buffers with operands have the same types.
fn aliases(op: Op) -> VerifyResult {
    let name = "output_operand_aliases";
    let Some(aliases) = op.attribute(name) else {
        return Ok(());
    };
    for attribute in aliases.array_elements() {
        let Some(alias) = OutputOperandAlias::from_attribute(attribute) else {
            continue;
        };
        let operand = usize::try_from(alias.operand_index)
            .ok()
            .and_then(|number| op.operand_type(number).ok());
        let Some(operand) = operand else {
            return Err(format!(
                "attribute '{name}' has operand {}, but there are {} operands",
                alias.operand_index,
                op.operand_count()
            ));
        };
        let operand = part(operand, &alias.operand_tuple_indices);
        let output = match op.result_count() {
            1 => part(op.result_type(0)?, &alias.output_tuple_indices),
            _ => alias.output_tuple_indices.split_first().and_then(|(number, rest)| {
                part(op.result_type(usize::try_from(*number).ok()?).ok()?, rest)
            }),
        };
        let (Some(operand), Some(output)) = (operand, output) else {
            return Err(format!(
                "attribute '{name}' has {attribute}, whose indices lead out of a tuple"
            ));
        };
        if !types_agree(operand, output) {
            return Err(format!(
                "attribute '{name}' joins an operand of type {operand} and an output of type \
                 {output}"
            ));
        }
    }
    Ok(())
}

/// Section `composite`: the name consists of a namespace, which is a dialect's, and a name in it.
pub fn composite(op: Op) -> VerifyResult {
    let name = op.required("name", Attribute::string_value)?;
    let is_word = |word: &str| {
        word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && word
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '$'))
    };
    let mut words = name.split('.');
    let namespace = words.next().unwrap_or_default();
    let rest: Vec<&str> = words.collect();
    let valid = is_word(namespace)
        && !rest.is_empty()
        && rest.iter().all(|word| {
            !word.is_empty()
                && word
                    .chars()
                    .all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '$'))
        });
    if valid {
        return Ok(());
    }
    Err(format!(
        "attribute 'name' is \"{name}\", but must be a namespace and a name with a point between \
         them"
    ))
}

/// Section `composite`: (C1) to (C4), the decomposition is a function with the op's types.
pub fn composite_symbols(op: Op) -> VerifyResult {
    let Some(operation) = op.operation() else {
        return Ok(());
    };
    let name = op.required("decomposition", Attribute::symbol_value)?;
    let Some(function) = function_type(operation, name) else {
        return Err(format!(
            "attribute 'decomposition' is @{name}, which is not a function"
        ));
    };
    let inputs = (0..function.input_count()).map_while(|index| function.input(index).ok());
    let results = (0..function.result_count()).map_while(|index| function.result(index).ok());
    let whose = format!("@{name}");
    let (inputs, results) = (inputs.collect::<Vec<_>>(), results.collect::<Vec<_>>());
    expect_values(op.operands().collect(), &inputs, "operands", &whose)?;
    expect_values(op.results().collect(), &results, "results", &whose)
}

/// Fails unless values have the types in the signature of a function, described by `whose`.
pub fn expect_values(
    values: Vec<(Subject, Type)>,
    types: &[Type],
    kind: &str,
    whose: &str,
) -> VerifyResult {
    if values.len() != types.len() {
        return Err(format!(
            "has {} {kind}, but {whose} has {}",
            values.len(),
            types.len()
        ));
    }
    for ((subject, value), ty) in values.into_iter().zip(types) {
        if !types_agree(value, *ty) {
            return Err(format!(
                "{subject} has type {value}, but that of {whose} has type {ty}"
            ));
        }
    }
    Ok(())
}

/// The type of the function of this name in the module around an op.
pub fn function_type<'c>(operation: Operation<'c>, name: &str) -> Option<FunctionType<'c>> {
    function_named(operation, name)?.function_type().cast::<FunctionType>()
}

/// The function of this name in the module around an op, or in a module.
pub(crate) fn function_named<'c>(operation: Operation<'c>, name: &str) -> Option<func::FuncOp<'c>> {
    let mut module = operation;
    while !module.isa::<builtin::ModuleOp>() {
        module = module.parent()?;
    }
    module
        .body(0)?
        .operations()
        .into_iter()
        .filter_map(|function| function.cast::<func::FuncOp>())
        .find(|function| function.sym_name() == name)
}
