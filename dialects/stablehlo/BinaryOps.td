//===- BinaryOps.td - Elementwise ops of two or three operands -----------===//

#ifndef HALO_STABLEHLO_BINARY_OPS
#define HALO_STABLEHLO_BINARY_OPS

include "stablehlo/Attrs.td"
include "stablehlo/Dialect.td"

// Two operands and a result of one shape, which the semantics hook checks: its messages name the
// operand and the shapes, the messages of MLIR's traits do not.
class Stablehlo_BinaryOp<string mnemonic, list<Trait> traits, Type operandType,
                         Type resultType = operandType>
    : Stablehlo_Op<mnemonic, traits # [
        NoMemoryEffect, Hlo_InfersOperandTypes]> {
  let arguments = (ins operandType:$lhs, operandType:$rhs);
  let results = (outs resultType:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:`
    custom<SameOperandsAndResultType>(type($lhs), type($rhs), type($result))
  }];
}

def Stablehlo_AddOp : Stablehlo_BinaryOp<"add", [Commutative], Hlo_TensorOrPerAxis> {
  let summary = "Addition";
  let description = [{
    Adds integers modulo their width, floats and complex numbers; logical or
    for booleans.
    Specification: `add`.
  }];
}

def Stablehlo_AndOp : Stablehlo_BinaryOp<"and", [Commutative], Hlo_PredOrIntTensor, Hlo_Tensor> {
  let summary = "Logical or bitwise and";
  let description = [{
    Logical and of booleans, bitwise and of integers.
    Specification: `and`.
  }];
}

def Stablehlo_Atan2Op : Stablehlo_BinaryOp<"atan2", [], Hlo_QFpOrComplexTensor> {
  let summary = "Angle of a point";
  let description = [{
    Computes the angle of the point `(rhs, lhs)`, in the quadrant given by the
    signs.
    Specification: `atan2`.
  }];
}

def Stablehlo_DivOp : Stablehlo_BinaryOp<"divide", [], Hlo_QIntFpOrComplexTensor> {
  let summary = "Division";
  let description = [{
    Divides `lhs` by `rhs`; integer quotients are rounded towards zero.
    Specification: `divide`.
  }];
}

def Stablehlo_MaxOp : Stablehlo_BinaryOp<"maximum", [Commutative], Hlo_Tensor> {
  let summary = "Maximum";
  let description = [{
    Takes the larger element; NaN if either is NaN, logical or for booleans,
    lexicographic order for complex numbers.
    Specification: `maximum`.
  }];
}

def Stablehlo_MinOp : Stablehlo_BinaryOp<"minimum", [Commutative], Hlo_Tensor> {
  let summary = "Minimum";
  let description = [{
    Takes the smaller element; NaN if either is NaN, logical and for booleans,
    lexicographic order for complex numbers.
    Specification: `minimum`.
  }];
}

def Stablehlo_MulOp : Stablehlo_BinaryOp<"multiply", [Commutative], Hlo_Tensor> {
  let summary = "Multiplication";
  let description = [{
    Multiplies integers modulo their width, floats and complex numbers;
    logical and for booleans.
    Specification: `multiply`.
  }];
}

def Stablehlo_OrOp : Stablehlo_BinaryOp<"or", [Commutative], Hlo_PredOrIntTensor, Hlo_Tensor> {
  let summary = "Logical or bitwise or";
  let description = [{
    Logical or of booleans, bitwise or of integers.
    Specification: `or`.
  }];
}

def Stablehlo_PowOp : Stablehlo_BinaryOp<"power", [], Hlo_QIntFpOrComplexTensor> {
  let summary = "Power";
  let description = [{
    Raises `lhs` to the power `rhs`.
    Specification: `power`.
  }];
}

def Stablehlo_RemOp : Stablehlo_BinaryOp<"remainder", [], Hlo_QIntFpOrComplexTensor> {
  let summary = "Remainder";
  let description = [{
    Computes the remainder of a division rounded towards zero; it has the sign
    of `lhs`.
    Specification: `remainder`.
  }];
}

def Stablehlo_ShiftLeftOp : Stablehlo_BinaryOp<"shift_left", [], Hlo_IntTensor> {
  let summary = "Left shift";
  let description = [{
    Shifts `lhs` left by `rhs` bits; zero if that is the width or more.
    Specification: `shift_left`.
  }];
}

def Stablehlo_ShiftRightArithmeticOp : Stablehlo_BinaryOp<"shift_right_arithmetic", [],
    Hlo_IntTensor> {
  let summary = "Arithmetic right shift";
  let description = [{
    Shifts `lhs` right by `rhs` bits and fills with the sign bit.
    Specification: `shift_right_arithmetic`.
  }];
}

def Stablehlo_ShiftRightLogicalOp : Stablehlo_BinaryOp<"shift_right_logical", [],
    Hlo_IntTensor> {
  let summary = "Logical right shift";
  let description = [{
    Shifts `lhs` right by `rhs` bits and fills with zeros.
    Specification: `shift_right_logical`.
  }];
}

def Stablehlo_SubtractOp : Stablehlo_BinaryOp<"subtract", [], Hlo_QIntFpOrComplexTensor> {
  let summary = "Subtraction";
  let description = [{
    Subtracts `rhs` from `lhs`; integers wrap around.
    Specification: `subtract`.
  }];
}

def Stablehlo_XorOp : Stablehlo_BinaryOp<"xor", [Commutative], Hlo_PredOrIntTensor, Hlo_Tensor> {
  let summary = "Logical or bitwise exclusive or";
  let description = [{
    Exclusive or of booleans, bitwise of integers.
    Specification: `xor`.
  }];
}

def Stablehlo_ComplexOp : Stablehlo_Op<"complex", [
    NoMemoryEffect, Hlo_InfersTypes]> {
  let summary = "Complex numbers from their parts";
  let description = [{
    Creates the complex number `lhs + rhs * i`.
    Specification: `complex`.
  }];

  let arguments = (ins Hlo_Fp32Or64Tensor:$lhs, Hlo_Fp32Or64Tensor:$rhs);
  let results = (outs Hlo_ComplexTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict
    `:` custom<ComplexOpType>(type($lhs), type($rhs), type($result))
  }];
}

def Stablehlo_CompareOp : Stablehlo_Op<"compare", [
    NoMemoryEffect, Hlo_InfersTypes]> {
  let summary = "Comparison";
  let description = [{
    Tests whether each pair of elements satisfies the relation. `compare_type`
    selects the IEEE-754 partial or total order of floats.
    Specification: `compare`.
  }];

  let arguments = (ins
    Hlo_Tensor:$lhs, Hlo_Tensor:$rhs,
    Stablehlo_ComparisonDirectionAttr:$comparison_direction,
    OptionalAttr<Stablehlo_ComparisonTypeAttr>:$compare_type);
  let results = (outs Hlo_PredTensor:$result);
  let assemblyFormat = [{
    `` $comparison_direction `,` $lhs `,` $rhs (`,` `` $compare_type^)? attr-dict
    `:` functional-type(operands, results)
  }];
}

def Stablehlo_SelectOp : Stablehlo_Op<"select", [NoMemoryEffect, Hlo_InfersTypeOf<1>]> {
  let summary = "Choice between two tensors";
  let description = [{
    Selects each element from `on_true` or `on_false` by `pred`; a scalar `pred`
    selects for all elements.
    Specification: `select`.
  }];

  let arguments = (ins
    Hlo_PredTensor:$pred, Hlo_Tensor:$on_true, Hlo_Tensor:$on_false);
  let results = (outs Hlo_Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:`
    custom<SelectOpType>(type($pred), type($on_true), type($on_false),
                         type($result))
  }];
}

def Stablehlo_ClampOp : Stablehlo_Op<"clamp", [
    NoMemoryEffect, SameOperandsAndResultElementType, Hlo_InfersTypeOf<1>]> {
  let summary = "Restriction to an interval";
  let description = [{
    Clamps every element to the interval from `min` to `max`, which may be
    scalars.
    Specification: `clamp`.
  }];

  let arguments = (ins
    Hlo_Tensor:$min, Hlo_Tensor:$operand, Hlo_Tensor:$max);
  let results = (outs Hlo_Tensor:$result);
  let assemblyFormat = [{
    $min `,` $operand `,` $max attr-dict `:`
    custom<SameOperandsAndResultType>(type($min), type($operand), type($max),
                                      type($result))
  }];
}

#endif // HALO_STABLEHLO_BINARY_OPS
