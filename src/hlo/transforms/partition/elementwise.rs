//! Ops whose results at a position depend on their operands at the same position.
//!
//! A tile of the result of such an op is the op on tiles. So a tensor that is computed of
//! gathered ones, one element at a time, is in the same tiles, and nothing need be gathered
//! for it:
//!
//! ```text
//! cut(multiply(gather(a), b))  =  multiply(a, cut(b))
//! ```

use halo_ir::ops::OperationExt;
use halo_ir::{
    Operation, Value, defining_operation, operands_of, result_types_of, static_shape_of,
};
use melior::ir::ValueLike;

/// The op that computes a value of several dimensions element by element.
pub fn definition(value: Value<'_>) -> Option<Operation<'_>> {
    let (op, _) = defining_operation(value)?;
    let [result] = result_types_of(op)[..] else {
        return None;
    };
    let shape = static_shape_of(result).filter(|shape| !shape.is_empty())?;
    let fits = |operand: &Value| {
        static_shape_of(operand.r#type()).is_some_and(|own| own.is_empty() || own == shape)
    };
    (is_elementwise(op) && operands_of(op).iter().all(fits)).then_some(op)
}

/// Whether an operand of such an op is one number for all elements.
pub fn is_scalar(operand: Value) -> bool {
    static_shape_of(operand.r#type()).is_some_and(|shape| shape.is_empty())
}

macro_rules! any_of {
    ($op:ident: $($dialect:ident { $($name:ident)* })*) => {
        $($($op.isa::<halo_ir::ops::$dialect::$name>())||*)||*
    };
}

/// Whether an op computes each element of its result of the operands' elements at its position.
pub fn is_elementwise(op: Operation) -> bool {
    any_of! { op:
        stablehlo {
            AbsOp AddOp AndOp Atan2Op CbrtOp CeilOp ClampOp ClzOp CompareOp ComplexOp ConvertOp
            CosineOp DivOp ExpOp Expm1Op FloorOp ImagOp IsFiniteOp Log1pOp LogOp LogisticOp MaxOp
            MinOp MulOp NegOp NotOp OrOp PopulationCountOp PowOp RealOp ReducePrecisionOp RemOp
            RoundNearestEvenOp RoundOp RsqrtOp SelectOp ShiftLeftOp ShiftRightArithmeticOp
            ShiftRightLogicalOp SignOp SineOp SqrtOp SubtractOp TanOp TanhOp XorOp
        }
        chlo {
            AcosOp AcoshOp AsinOp AsinhOp AtanOp AtanhOp CoshOp DigammaOp ErfInvOp ErfOp ErfcOp
            LgammaOp SinhOp
        }
    }
}
