//! `--vendor-dot`: products of f32 matrices become calls of a vendor's library.
//!
//! ```mlir
//! %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = stablehlo.custom_call @vendor.dot(%a, %b)
//! ```

use halo::{
    ir::{
        FloatKind, Pattern, apply_greedily, element_type, float_kind, no_match,
        ops::stablehlo,
        pass::PassDeclaration,
    },
    prelude::*,
    runtime::custom_call::CustomCall,
};

pub static PASS: PassDeclaration =
    PassDeclaration::new("vendor-dot", "Call the vendor's library for products", |pass| {
        let dot = Pattern::new::<stablehlo::DotGeneralOp>(|b, dot| {
            let numbers = dot.dot_dimension_numbers();
            let contracting = (
                &numbers.lhs_contracting_dimensions[..],
                &numbers.rhs_contracting_dimensions[..],
            );
            if contracting != (&[1], &[0]) || !numbers.lhs_batching_dimensions.is_empty() {
                return Err(no_match("the library multiplies matrices in the order of rows"));
            }
            let mut values = [dot.lhs(), dot.rhs(), dot.result()].into_iter();
            if !values.all(|value| float_kind(element_type(value.r#type())) == Some(FloatKind::F32)) {
                return Err(no_match("the library multiplies f32"));
            }
            let (operands, result) = ([dot.lhs(), dot.rhs()], dot.result().r#type());
            let call = stablehlo::custom_call(b, &operands, "vendor.dot", &[result])?;
            b.replace(dot.operation(), &call.results())?;
            Ok(())
        });
        apply_greedily(pass, &[dot])
    });

/// The library: a product in the order of rows.
pub fn dot(call: &mut CustomCall) -> Result<(), String> {
    let (a, b) = (&call.operands[0], &call.operands[1]);
    let (depth, columns) = (b.shape.dims()[0], b.shape.dims()[1]);
    let (a, b) = (a.as_slice::<f32>()?, b.as_slice::<f32>()?);
    let results = call.results[0].as_mut_slice::<f32>()?;
    for (position, result) in results.iter_mut().enumerate() {
        let (row, column) = (position / columns, position % columns);
        let products = (0..depth).map(|k| a[row * depth + k] * b[k * columns + column]);
        *result = products.sum();
    }
    Ok(())
}
