//! `--stablehlo-refine-arguments`: refines the argument types of the main function.
//!
//! The new types are at least as specific as the old ones. Every argument whose type changes is
//! wrapped in a custom call with the old type, so that the program stays valid until
//! `--stablehlo-refine-shapes` has propagated the new types. An entry may also be a constant,
//! `dense<4> : tensor<i64>`: then the argument stays, but the constant replaces its uses. This
//! substitutes sizes that a program takes as arguments.
//!
//! ```mlir
//! // {types=tensor<5x10xf32>}
//! func.func @main(%a: tensor<?x10xf32>) -> tensor<?x10xf32> {
//!   return %a : tensor<?x10xf32>
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! func.func @main(%a: tensor<5x10xf32>) -> tensor<?x10xf32> {
//!   %c = stablehlo.constant dense<[5, 10]> : tensor<2xi64>
//!   %0 = stablehlo.custom_call @stablehlo.shape_refinement_operand_wrapper(%a, %c)
//!     {indices_of_shape_operands = dense<1> : tensor<1xi64>}
//!     : (tensor<5x10xf32>, tensor<2xi64>) -> tensor<?x10xf32>
//!   return %0 : tensor<?x10xf32>
//! }
//! ```

use super::stablehlo_refine_shapes::{
    OPERAND_WRAPPER, SHAPE_OPERANDS, function_results, main_function, set_function_type,
};
use crate::semantics::types_agree;
use halo_ir::prelude::*;
use melior::ir::attribute::DenseElementsAttribute;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// The new types of all arguments, separated by commas; or constants
        types: String = "",
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "stablehlo-refine-arguments",
    "Give the arguments of the main function more specific types",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["stablehlo"])
.options::<Options>();

/// The new type of an argument.
#[derive(Clone, Copy)]
enum Entry<'c> {
    Type(Type<'c>),
    Constant(Attribute<'c>),
}

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let module = pass.operation();
    let main = main_function(module)?;
    refine(main, &pass.options::<Options>().types)
        .map_err(|message| PassFailure::at(main, &message))
}

/// Refines the arguments of a function by a list of types or constants.
///
/// # Errors
/// Returns the error in the list.
pub fn refine(main: Operation, types: &str) -> Result<(), String> {
    let Some(body) = main.body(0) else {
        return Ok(());
    };
    let arguments = body.arguments();
    let entries = split(types);
    if entries.len() != arguments.len() {
        return Err(format!(
            "number of refinements must match number of op operands {} vs {}",
            entries.len(),
            arguments.len()
        ));
    }
    let entries = entries
        .into_iter()
        .zip(&arguments)
        .enumerate()
        .map(|(number, (text, argument))| {
            let (entry, ty) = entry(main, text)?;
            match mismatch(argument.ty(), ty) {
                None => Ok(entry),
                Some(reason) => Err(format!(
                    "invalid refinement for argument {number}, refinement {reason} in {} -> {ty}",
                    argument.ty()
                )),
            }
        })
        .collect::<Result<Vec<_>, _>>()?;
    if let Some(first) = body.operations().first() {
        for (argument, entry) in arguments.iter().zip(entries) {
            apply(*first, *argument, entry);
        }
    }
    let types = arguments.types();
    set_function_type(main, &types, &function_results(main));
    Ok(())
}

/// The parts of a list, separated by commas outside of brackets.
fn split(list: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_i32, 0);
    for (index, letter) in list.char_indices() {
        match letter {
            '<' | '[' | '(' | '{' => depth += 1,
            '>' | ']' | ')' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(list[start..index].trim());
                start = index + 1;
            }
            _ => {}
        }
    }
    let last = list[start..].trim();
    if !last.is_empty() || !parts.is_empty() {
        parts.push(last);
    }
    parts
}

/// The refinement in an entry of the list, with its type.
fn entry<'c>(main: Operation<'c>, text: &str) -> Result<(Entry<'c>, Type<'c>), String> {
    let context = main.context();
    if text.starts_with("dense<") {
        let constant = Attribute::parse(context, text)
            .filter(|attribute| attribute.cast::<DenseElementsAttribute>().is_some())
            .ok_or_else(|| format!("'{text}' is not a constant"))?;
        return Ok((Entry::Constant(constant), constant.ty()));
    }
    let ty = Type::parse(context, text).ok_or_else(|| format!("Invalid type string: {text}"))?;
    Ok((Entry::Type(ty), ty))
}

/// The reason why a type does not refine another one.
fn mismatch(old: Type, new: Type) -> Option<&'static str> {
    if old == new {
        return None;
    }
    let is_ranked = new.is_tensor();
    // The element type of a tensor differs from the tensor type.
    if !is_ranked && new.element_type() == new || !old.is_tensor() && old.element_type() == old {
        return Some("must be a tensor");
    }
    if old.element_type() != new.element_type() {
        return Some("element types must match");
    }
    let Some(refined) = new.shape().filter(|_| is_ranked) else {
        return Some("must be ranked");
    };
    // An unranked tensor accepts any shape of its elements.
    let dims = old.shape()?;
    if dims.len() != refined.len() {
        return Some("rank must match operand rank");
    }
    let keeps_sizes = dims.iter().zip(&refined).all(|(old, new)| old.is_none() || old == new);
    if !keeps_sizes {
        return Some("dimension sizes must match for static dimensions");
    }
    (!types_agree(old, new)).then_some("bounds must match")
}

/// Sets the new type of an argument, and gives its users a value of the old one.
fn apply<'c>(first: Operation<'c>, argument: Value<'c>, entry: Entry<'c>) {
    with_builder(first, |b| {
        let old = argument.ty();
        match entry {
            Entry::Constant(value) => {
                let constant = stablehlo::constant(b, value);
                argument.set_type(value.ty());
                argument.replace_uses_with(constant);
            }
            Entry::Type(ty) if ty != old => {
                // The wrapper must be the only use of the argument.
                let placeholder = wrapper(b, argument, ty, old);
                let (wrapper, result) = placeholder;
                argument.replace_uses_with(result);
                wrapper.set_operand(0, argument);
                argument.set_type(ty);
            }
            Entry::Type(_) => {}
        }
    })
}

/// The custom call that converts an argument of the new type to the old one.
fn wrapper<'c>(
    b: &Builder<'c>,
    argument: Value<'c>,
    new: Type<'c>,
    old: Type<'c>,
) -> (Operation<'c>, Value<'c>) {
    let sizes: Vec<i64> = new
        .shape()
        .unwrap_or_default()
        .into_iter()
        .map(|size| size.unwrap_or(-1))
        .collect();
    let i64_type = integer_type(b.context(), 64);
    let vector = |values: &[i64]| -> Attribute<'c> {
        let ty = tensor_type(&[values.len() as i64], i64_type);
        DenseElementsAttribute::i64_values(ty, values).into()
    };
    let shape = stablehlo::constant(b, vector(&sizes));
    let call = stablehlo::CustomCallOp::build(b, &[argument, shape], OPERAND_WRAPPER, &[old])
        .attribute(SHAPE_OPERANDS, vector(&[1]))
        .insert();
    (call.operation(), call.results()[0])
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn commas_inside_of_brackets_do_not_separate() {
        assert_eq!(
            split("tensor<?xf32, #stablehlo.bounds<4>>, dense<[1, 2]> : tensor<2xi64>"),
            [
                "tensor<?xf32, #stablehlo.bounds<4>>",
                "dense<[1, 2]> : tensor<2xi64>"
            ]
        );
        assert!(split(" ").is_empty());
    }
}
