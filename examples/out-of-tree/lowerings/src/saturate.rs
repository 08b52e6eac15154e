//! `--saturating-legalize-to-linalg`: Halo's lowering to linalg, but additions of i32
//! saturate.
//!
//! ```mlir
//! %0 = stablehlo.add %x, %y : tensor<4xi32>
//! ```
//!
//! becomes a `linalg.generic` that adds 64-bit integers and clamps the sum.

use halo::{
    codegen::conversion::{
        stablehlo_legalize_to_linalg::{self, Options, PRIORITY, conversion},
        structured::{gather_elements, projection, type_dims},
    },
    ir::{
        element_type, integer_type, integer_width, is_signless, no_match,
        ops::{arith, builtin, stablehlo},
        pass::PassDeclaration,
    },
    prelude::*,
};

pub static PASS: PassDeclaration = PassDeclaration::new(
    "saturating-legalize-to-linalg",
    "Lower StableHLO to linalg, with additions of i32 that saturate",
    |pass| {
        conversion(&Options::default())
            .lowering::<stablehlo::AddOp>(PRIORITY + 1, |op, add| {
                let original = element_type(add.result().r#type());
                if !is_signless(original) || integer_width(original) != Some(32) {
                    return Err(no_match("only i32 saturates"));
                }
                let (b, result) = (&op.builder, op.result()?);
                let rank = type_dims(result)?.len();
                let dims: Vec<usize> = (0..rank).collect();
                let map = projection(b, rank, &dims);
                let inputs = op.operands.iter().map(|operand| (*operand, map)).collect();
                let sum = gather_elements(b, inputs, result, |b, elements| {
                    let wide = integer_type(b.context(), 64);
                    let x = arith::extsi(b, elements[0], wide)?;
                    let y = arith::extsi(b, elements[1], wide)?;
                    let sum = arith::addi(b, x, y)?;
                    let least = arith::constant(b, wide, i32::MIN)?;
                    let greatest = arith::constant(b, wide, i32::MAX)?;
                    let sum = arith::maxsi(b, arith::minsi(b, sum, greatest)?, least)?;
                    Ok(arith::trunci(b, sum, element_type(result))?)
                })?;
                Ok(vec![sum])
            })
            .run(pass)
    },
)
.on::<builtin::ModuleOp>()
.dependent_dialects(stablehlo_legalize_to_linalg::PASS.dependent_dialects);
