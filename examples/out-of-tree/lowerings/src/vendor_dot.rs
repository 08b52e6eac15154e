//! `--vendor-dot`: products of f32 matrices, `stablehlo.dot_general`, become calls of a
//! vendor's library, `stablehlo.custom_call @vendor.dot`.

use halo::ir::ops::stablehlo::{self, DotGeneralOp};
use halo::ir::{FloatKind, Pattern, apply_greedily, element_type, float_kind, no_match};
use halo::{ir::pass::PassDeclaration, prelude::*, runtime::custom_call::CustomCall};

pub static PASS: PassDeclaration = PassDeclaration::new(
    "vendor-dot",
    "Call the vendor's library for products",
    |pass| {
        let dot = Pattern::new::<DotGeneralOp>(|b, dot| {
            let numbers = dot.dot_dimension_numbers();
            let (lhs, rhs) = (
                numbers.lhs_contracting_dimensions,
                numbers.rhs_contracting_dimensions,
            );
            let types = [dot.lhs(), dot.rhs(), dot.result()].map(|value| value.r#type());
            let is_f32 = |r#type| float_kind(element_type(r#type)) == Some(FloatKind::F32);
            if lhs != [1] || rhs != [0] || !numbers.lhs_batching_dimensions.is_empty() {
                return Err(no_match(
                    "the library multiplies matrices in the order of rows",
                ));
            } else if !types.into_iter().all(is_f32) {
                return Err(no_match("the library multiplies f32"));
            }
            let call =
                stablehlo::custom_call(b, &[dot.lhs(), dot.rhs()], "vendor.dot", &types[2..])?;
            b.replace(dot.operation(), &call.results())?;
            Ok(())
        });
        apply_greedily(pass, &[dot])
    },
);

/// The library: a product in the order of rows.
pub fn dot(call: &mut CustomCall) -> Result<(), String> {
    let (depth, columns) = (
        call.operands[1].shape.dims()[0],
        call.results[0].shape.dims()[1],
    );
    let (a, b) = (
        call.operands[0].as_slice::<f32>()?,
        call.operands[1].as_slice::<f32>()?,
    );
    for (at, sum) in call.results[0]
        .as_mut_slice::<f32>()?
        .iter_mut()
        .enumerate()
    {
        let (row, column) = (at / columns, at % columns);
        *sum = (0..depth)
            .map(|k| a[row * depth + k] * b[k * columns + column])
            .sum();
    }
    Ok(())
}
