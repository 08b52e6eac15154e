//! `--stablehlo-convert-to-signless`: every integer type without a sign.
//!
//! For dialects that keep no signs in their types. Constants keep their bits.
//! The signedness of an op's operands is lost: the pass is for programs whose
//! ops were lowered, or whose ops do the same to both kinds.
//!
//! ```mlir
//! %c = stablehlo.constant dense<[1, 255]> : tensor<2xui8>
//! %0 = stablehlo.add %a, %c : tensor<2xui8>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %c = stablehlo.constant dense<[1, -1]> : tensor<2xi8>
//! %0 = stablehlo.add %a, %c : tensor<2xi8>
//! ```

use halo_ir::ops::{OperationExt, builtin};
use halo_ir::pass::{PassDeclaration, PassFailure, PassInvocation};
use halo_ir::{
    Attribute, Operation, Type, arguments_of, array_attribute, attribute_list, attribute_type,
    attributes_of, blocks_of, collect_operations, context_of, dense_elements_as,
    dictionary_attribute, dictionary_entries, element_type, integer_attribute,
    integer_attribute_value, integer_type, integer_width, is_signless, operands_of, results_of,
    set_attribute, set_type, type_attribute, with_builder, with_integers_signless,
};
use melior::{
    Context,
    ir::{
        ValueLike,
        attribute::{ArrayAttribute, IntegerAttribute, TypeAttribute},
        operation::OperationLike,
    },
};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "stablehlo-convert-to-signless",
    "Make all integer types of a program signless",
    run,
)
.on::<builtin::ModuleOp>()
.source(include_str!("stablehlo_convert_to_signless.rs"));

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let module = pass.operation();
    let operations = collect_operations(module, |_| true);
    for operation in &operations {
        convert(*operation);
    }
    // Casts between what has become one type.
    for operation in operations.into_iter().rev() {
        if operation.isa::<builtin::UnrealizedConversionCastOp>() {
            let (operands, results) = (operands_of(operation), results_of(operation));
            let idle = operands.len() == results.len()
                && operands
                    .iter()
                    .zip(&results)
                    .all(|(operand, result)| operand.r#type() == result.r#type());
            if idle {
                with_builder(operation, |b| b.replace(operation, &operands))
                    .map_err(|error| PassFailure::internal(operation, error))?;
            }
        }
    }
    Ok(())
}

fn convert(operation: Operation) {
    let context = context_of(operation);
    for result in results_of(operation) {
        set_type(result, signless(context, result.r#type()));
    }
    for block in operation.regions().flat_map(blocks_of) {
        for argument in arguments_of(block) {
            set_type(argument, signless(context, argument.r#type()));
        }
    }
    for (name, attribute) in attributes_of(operation) {
        if let Some(converted) = convert_attribute(context, attribute) {
            set_attribute(operation, name, converted);
        }
    }
}

fn signless<'c>(context: &'c Context, r#type: Type<'c>) -> Type<'c> {
    with_integers_signless(context, r#type)
}

/// The attribute with signless types; `None` where it has no others.
fn convert_attribute<'c>(context: &'c Context, attribute: Attribute<'c>) -> Option<Attribute<'c>> {
    if let Some(named) = halo_ir::attribute_as::<TypeAttribute>(attribute) {
        let converted = signless(context, named.value());
        return (converted != named.value()).then(|| type_attribute(converted));
    }
    if halo_ir::attribute_as::<ArrayAttribute>(attribute).is_some() {
        let mut changed = false;
        let elements: Vec<Attribute> = attribute_list(attribute)
            .into_iter()
            .map(|element| match convert_attribute(context, element) {
                Some(converted) => {
                    changed = true;
                    converted
                }
                None => element,
            })
            .collect();
        return changed.then(|| array_attribute(context, &elements));
    }
    let entries = dictionary_entries(attribute);
    if !entries.is_empty() {
        let mut changed = false;
        let entries: Vec<(&str, Attribute)> = entries
            .into_iter()
            .map(|(name, entry)| match convert_attribute(context, entry) {
                Some(converted) => {
                    changed = true;
                    (name, converted)
                }
                None => (name, entry),
            })
            .collect();
        return changed.then(|| dictionary_attribute(context, &entries));
    }
    if let Some(integer) = halo_ir::attribute_as::<IntegerAttribute>(attribute) {
        let r#type = attribute_type(attribute);
        let width = integer_width(r#type).filter(|_| !is_signless(r#type))?;
        let value = integer_attribute_value(integer.into())?;
        return Some(integer_attribute(integer_type(context, width), value));
    }
    let r#type = attribute_type(attribute);
    if integer_width(element_type(r#type)).is_none() || is_signless(element_type(r#type)) {
        return None;
    }
    dense_elements_as(attribute, signless(context, r#type))
}
