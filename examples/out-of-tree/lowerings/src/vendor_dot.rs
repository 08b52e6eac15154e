//! `--vendor-dot`: products of f32 matrices, `stablehlo.dot_general`, become calls of a
//! vendor's library, `stablehlo.custom_call @vendor.dot`.

use halo::{
    ir::apply_greedily,
    ir::ops::stablehlo::{self, DotGeneralOp},
    prelude::*,
    runtime::custom_call::CustomCall,
};

pub static PASS: PassDeclaration = PassDeclaration::new(
    "vendor-dot",
    "Call the vendor's library for products",
    |pass| {
        let dot = Pattern::new::<DotGeneralOp>(|b, dot| {
            let numbers = dot.dot_dimension_numbers();
            let types = [dot.lhs(), dot.rhs(), dot.result()].map(|value| value.ty());
            if numbers.lhs_contracting_dimensions != [1]
                || numbers.rhs_contracting_dimensions != [0]
                || !numbers.lhs_batching_dimensions.is_empty()
                || !types.iter().all(|ty| ty.element_type().is_f32())
            {
                return Err(no_match("the library multiplies matrices of f32"));
            }
            let operands = [dot.lhs(), dot.rhs()];
            let call = stablehlo::custom_call(b, &operands, "vendor.dot", &types[2..]);
            b.replace(dot.operation(), &call.results());
            Ok(())
        });
        apply_greedily(pass, &[dot])
    },
)
.source(include_str!("vendor_dot.rs"));

/// The library: a product in the order of rows.
pub fn dot(call: &mut CustomCall) -> Result<(), String> {
    let (a, b) = (&call.operands[0], &call.operands[1]);
    let (depth, columns) = (a.shape.dims()[1], call.results[0].shape.dims()[1]);
    let (a, b) = (a.as_slice::<f32>()?, b.as_slice::<f32>()?);
    for (at, sum) in (call.results[0].as_mut_slice::<f32>()?.iter_mut()).enumerate() {
        let (row, column) = (at / columns, at % columns);
        let products = (0..depth).map(|k| a[row * depth + k] * b[k * columns + column]);
        *sum = products.sum();
    }
    Ok(())
}
