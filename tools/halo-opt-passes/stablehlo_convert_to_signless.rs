//! `--stablehlo-convert-to-signless`: every integer type without a sign.
//!
//! For dialects with signless types. Constants keep their bits. The signedness of an op's operands
//! is lost: the pass is for programs whose ops were lowered, or whose ops do not depend on
//! signedness.
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

use halo_ir::{dictionary_attribute, prelude::*, type_attribute};
use melior::{
    Context,
    ir::attribute::{ArrayAttribute, IntegerAttribute, TypeAttribute},
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
    let operations = module.collect_nested(|_| true);
    for operation in &operations {
        convert(*operation);
    }
    // Casts between types that have become equal.
    for operation in operations.into_iter().rev() {
        if operation.isa::<builtin::UnrealizedConversionCastOp>() {
            let (operands, results) = (operation.operands(), operation.results());
            let idle = operands.len() == results.len()
                && operands
                    .iter()
                    .zip(&results)
                    .all(|(operand, result)| operand.ty() == result.ty());
            if idle {
                with_builder(operation, |b| b.replace(operation, &operands));
            }
        }
    }
    Ok(())
}

fn convert(operation: Operation) {
    let context = operation.context();
    for result in operation.results() {
        result.set_type(signless(context, result.ty()));
    }
    for block in operation.blocks() {
        for argument in block.arguments() {
            argument.set_type(signless(context, argument.ty()));
        }
    }
    for (name, attribute) in operation.attributes() {
        if let Some(converted) = convert_attribute(context, attribute) {
            operation.set_attribute(name, converted);
        }
    }
}

fn signless<'c>(context: &'c Context, ty: Type<'c>) -> Type<'c> {
    ty.integers_signless(context)
}

/// The attribute with signless types; `None` if it does not change.
fn convert_attribute<'c>(context: &'c Context, attribute: Attribute<'c>) -> Option<Attribute<'c>> {
    if let Some(named) = attribute.cast::<TypeAttribute>() {
        let converted = signless(context, named.value());
        return (converted != named.value()).then(|| type_attribute(converted));
    }
    if attribute.cast::<ArrayAttribute>().is_some() {
        let mut changed = false;
        let elements: Vec<Attribute> = attribute
            .array_elements()
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
    let entries = attribute.dictionary_entries();
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
    if let Some(integer) = attribute.cast::<IntegerAttribute>() {
        let ty = attribute.ty();
        let width = ty.integer_width().filter(|_| !ty.is_signless())?;
        let value = Attribute::from(integer).integer_value()?;
        return Some(integer_attribute(integer_type(context, width), value));
    }
    let ty = attribute.ty();
    if ty.element_type().integer_width().is_none() || ty.element_type().is_signless() {
        return None;
    }
    attribute.bitcast_dense(signless(context, ty))
}
