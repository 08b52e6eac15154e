//! A pass, as a plug-in.

use halo::{Plugin, ir::dense_number, prelude::*};

static DOUBLE: PassDeclaration =
    PassDeclaration::new("double", "Multiply by 2 in place of x + x", |pass| {
        let double = Pattern::new::<stablehlo::AddOp>(|b, add| {
            if add.lhs() != add.rhs() {
                return Err(no_match("the operands differ"));
            }
            let two = dense_number(add.lhs().ty(), 2.0);
            let two = stablehlo::constant(b, two.ok_or(no_match("the shape is dynamic"))?);
            b.replace(*add, &[stablehlo::multiply(b, add.lhs(), two)]);
            Ok(())
        });
        apply_greedily(pass, &[double])
    });

pub fn plugin() -> Plugin {
    Plugin::new("first", "0.1.0").pass(&DOUBLE)
}

halo::plugin!(plugin);
