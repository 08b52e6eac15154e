//! The dialect `vendor`: `vendor.saturating_add %x, %y : tensor<4xi32>`.

use halo::{
    hlo::interpreter::{Call, Evaluated},
    ir::{declare_op, dialect::*},
    prelude::*,
};

declare_op! {
    /// Adds integers; a sum that the type cannot hold becomes its least or greatest value.
    pub struct SaturatingAddOp = "vendor.saturating_add" {
        operands { x: One(Tensor), y: One(Tensor) }
        results { sum: One(Tensor) }
    }
    .traits(&[OpTrait::Pure, OpTrait::Commutative, OpTrait::SameOperandsAndResultType])
    .assembly("$x `,` $y attr-dict `:` type($sum)")
    .verify(|op| {
        let element = op.result_types().first().map(|sum| sum.element_type());
        let is_i32 = element.is_some_and(|element| element.is_signless() && element.integer_width() == Some(32));
        if is_i32 { Ok(()) } else { Err("adds elements of type i32".into()) }
    })
}

pub static VENDOR: DialectDeclaration =
    DialectDeclaration::new("vendor", "Ops of the vendor's processor")
        .ops(&[SaturatingAddOp::DECLARATION]);

/// What the interpreter computes.
pub fn evaluate(call: &Call) -> Evaluated {
    let (x, y) = (call.tensor(0)?, call.tensor(1)?);
    let mut sum = x.clone();
    for at in 0..sum.element_count() {
        let exact = x.get_i128(at) + y.get_i128(at);
        sum.set(at, exact.clamp(i32::MIN.into(), i32::MAX.into()));
    }
    Ok(vec![sum.into()])
}
