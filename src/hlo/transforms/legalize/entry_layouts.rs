//! `--halo-entry-layouts`: makes arguments and results with layouts row-major.
//!
//! All tensors of a program are row-major. JAX writes `mhlo.layout_mode = "{0,1}"` on an argument
//! or a result of the entry whose elements have another order in memory, here column-major
//! (`jax.experimental.layout`). The type of such a value becomes the row-major tensor with the same
//! memory, and a transposition is inserted inside, which is fused into the users or the producer of
//! the value.
//!
//! ```mlir
//! func.func @main(%a: tensor<2x3xf32> {mhlo.layout_mode = "{0,1}"}) -> tensor<2x3xf32> {
//!   return %a : tensor<2x3xf32>
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! func.func @main(%a: tensor<3x2xf32>) -> tensor<2x3xf32> {
//!   %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
//!   return %0 : tensor<2x3xf32>
//! }
//! ```
//!
//! The modes `auto`, the compiler's choice, and `default` are row-major. An argument and a result
//! that share memory must have the same sizes in memory. Shardings refer to dimensions of the
//! tensor, so a program must be partitioned before.

use super::entry_attributes;
use crate::transforms::shapes::stablehlo_refine_shapes::{entry_function, set_function_type};
use halo_core::Layout;
use halo_ir::prelude::*;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// The entry; by default `main`, or the only public function
        entry: String = "",
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-entry-layouts",
    "Make arguments and results of the entry row-major as they lie in memory",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["stablehlo"])
.options::<Options>();

/// The layout of a value of the entry.
pub const LAYOUT_MODE: &str = "mhlo.layout_mode";

/// The layouts of an entry's arguments (`arg_attrs`) or results (`res_attrs`); others are
/// row-major.
///
/// # Errors
/// Returns a message for an attribute that is not a layout.
pub fn layouts(entry: Operation<'_>, attributes: &str) -> Result<Vec<Option<Layout>>, String> {
    let all = entry.attribute(attributes).map(Attribute::array_elements);
    let layout =
        |own: Attribute| match own.dictionary_entry(LAYOUT_MODE).map(Attribute::string_value) {
            None | Some(Some("default" | "auto")) => Ok(None),
            Some(Some(text)) => match text.parse::<Layout>() {
                Ok(layout) => Ok(Some(layout)),
                Err(error) => Err(format!("'{LAYOUT_MODE}': {error}")),
            },
            Some(None) => Err(format!("'{LAYOUT_MODE}' must be a string")),
        };
    all.unwrap_or_default().into_iter().map(layout).collect()
}

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let module = pass.operation();
    let options = pass.options::<Options>();
    let Some(main) = entry_function(module, &options.entry)? else {
        return Ok(());
    };
    transpose(main).map_err(|message| PassFailure::at(main, &message))
}

fn transpose<'c>(main: Operation<'c>) -> Result<(), String> {
    let Some(body) = main.body(0) else {
        return Ok(());
    };
    let (first, last) = (body.operations().first().copied(), body.terminator());
    let (Some(first), Some(last)) = (first, last) else {
        return Ok(());
    };
    let (inputs, outputs) = (layouts(main, "arg_attrs")?, layouts(main, "res_attrs")?);
    for (number, (argument, layout)) in body.arguments().into_iter().zip(inputs).enumerate() {
        let ty = in_memory(argument.ty(), layout.as_ref());
        let ty = ty.map_err(|message| format!("argument {number}: {message}"))?;
        let (Some(ty), Some(layout)) = (ty, layout) else {
            continue;
        };
        let uses = argument.uses();
        argument.set_type(ty);
        let tensor = transposed(first, argument, &layout.from_major_to_minor());
        for (user, position) in uses {
            user.set_operand(position, tensor);
        }
    }
    for (number, (result, layout)) in last.operands().into_iter().zip(outputs).enumerate() {
        let ty = in_memory(result.ty(), layout.as_ref());
        let ty = ty.map_err(|message| format!("result {number}: {message}"))?;
        if let (Some(_), Some(layout)) = (ty, layout) {
            let written = transposed(last, result, &layout.major_to_minor());
            last.set_operand(number, written);
        }
    }
    let types = |values: Vec<Value<'c>>| -> Vec<Type<'c>> {
        values.iter().map(|value| value.ty()).collect()
    };
    let (arguments, results) = (types(body.arguments()), types(last.operands()));
    set_function_type(main, &arguments, &results);
    entry_attributes::update(main, &arguments, &results, &[LAYOUT_MODE]);
    Ok(())
}

fn transposed<'c>(before: Operation<'c>, value: Value<'c>, permutation: &[usize]) -> Value<'c> {
    let permutation: Vec<i64> = permutation.iter().map(|dim| *dim as i64).collect();

    with_builder(before, |b| {
        stablehlo::TransposeOp::build(b, value, &permutation).value()
    })
}

/// The row-major type with the same memory, if it differs.
fn in_memory<'c>(ty: Type<'c>, layout: Option<&Layout>) -> Result<Option<Type<'c>>, String> {
    let Some(layout) = layout else {
        return Ok(None);
    };
    let sizes = ty.shape().filter(|_| ty.is_tensor());
    let sizes = sizes.filter(|sizes| sizes.len() == layout.rank());
    let sizes = sizes.ok_or_else(|| format!("'{ty}' cannot have the layout {layout}"))?;
    if layout.is_row_major() {
        return Ok(None);
    }
    let order = layout.major_to_minor();
    let sizes: Option<Vec<i64>> = order.iter().map(|dim| sizes[*dim]).collect();
    let sizes = sizes.ok_or_else(|| {
        format!("'{ty}' cannot have the layout {layout}: its sizes are not known")
    })?;
    let element = ty.element_type();
    Ok(Some(tensor_type(&sizes, element)))
}
