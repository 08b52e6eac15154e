//===- UnaryOps.td - Elementwise ops of one operand ----------------------===//

#ifndef HALO_STABLEHLO_UNARY_OPS
#define HALO_STABLEHLO_UNARY_OPS

include "stablehlo/Attrs.td"
include "stablehlo/Dialect.td"

// One operand, one result of the same shape.
class Stablehlo_ElementwiseUnaryOp<string mnemonic, list<Trait> traits,
                                   Type operandType,
                                   Type resultType = operandType>
    : Stablehlo_Op<mnemonic, traits # [
        NoMemoryEffect]> {
  let arguments = (ins operandType:$operand);
  let results = (outs resultType:$result);
  let assemblyFormat = [{
    $operand attr-dict
    `:` custom<SameOperandsAndResultType>(type($operand), type($result))
  }];
}

class Stablehlo_UnaryOp<string mnemonic, Type operandType>
    : Stablehlo_ElementwiseUnaryOp<mnemonic, [Hlo_InfersOperandTypes],
                                   operandType>;

// A transcendental function with an optional accuracy.
class Stablehlo_FunctionOp<string mnemonic>
    : Stablehlo_UnaryOp<mnemonic, Hlo_QFpOrComplexTensor> {
  let arguments = (ins
    Hlo_QFpOrComplexTensor:$operand,
    DefaultValuedOptionalAttr<Stablehlo_ResultAccuracyAttr, "DEFAULT">
        :$result_accuracy);
}

//===----------------------------------------------------------------------===//
// Rounding, bits and signs
//===----------------------------------------------------------------------===//

def Stablehlo_AbsOp : Stablehlo_ElementwiseUnaryOp<"abs", [Hlo_InfersTypes],
    Hlo_QSIntFpOrComplexTensor, Hlo_QSIntOrFpTensor> {
  let summary = "Absolute value";
  let description = [{
    Computes the magnitude of every element, a real number for a complex one.
    Specification: `abs`.
  }];
}

def Stablehlo_CeilOp : Stablehlo_UnaryOp<"ceil", Hlo_QFpTensor> {
  let summary = "Round up to an integral value";
  let description = [{
    Rounds every element towards positive infinity.
    Specification: `ceil`.
  }];
}

def Stablehlo_ClzOp : Stablehlo_UnaryOp<"count_leading_zeros", Hlo_IntTensor> {
  let summary = "Number of leading zero bits";
  let description = [{
    Counts the zero bits above the highest set bit of every element; all bits
    for zero.
    Specification: `count_leading_zeros`.
  }];
}

def Stablehlo_FloorOp : Stablehlo_UnaryOp<"floor", Hlo_QFpTensor> {
  let summary = "Round down to an integral value";
  let description = [{
    Rounds every element towards negative infinity.
    Specification: `floor`.
  }];
}

def Stablehlo_NegOp : Stablehlo_UnaryOp<"negate", Hlo_QIntFpOrComplexTensor> {
  let summary = "Negation";
  let description = [{
    Negates every element; integers wrap around.
    Specification: `negate`.
  }];
}

def Stablehlo_NotOp : Stablehlo_UnaryOp<"not", Hlo_PredOrIntTensor> {
  let summary = "Logical or bitwise complement";
  let description = [{
    Flips booleans, and every bit of integers.
    Specification: `not`.
  }];
}

def Stablehlo_PopulationCountOp : Stablehlo_UnaryOp<"popcnt", Hlo_IntTensor> {
  let summary = "Number of set bits";
  let description = [{
    Counts the set bits of every element.
    Specification: `popcnt`.
  }];
}

def Stablehlo_RoundNearestEvenOp : Stablehlo_UnaryOp<"round_nearest_even", Hlo_QFpTensor> {
  let summary = "Round to the nearest integral value, ties to even";
  let description = [{
    Rounds every element to the nearest integral value, and halfway cases to
    the even one.
    Specification: `round_nearest_even`.
  }];
}

def Stablehlo_RoundOp : Stablehlo_UnaryOp<"round_nearest_afz", Hlo_QFpTensor> {
  let summary = "Round to the nearest integral value, ties away from zero";
  let description = [{
    Rounds every element to the nearest integral value, and halfway cases away
    from zero.
    Specification: `round_nearest_afz`.
  }];
}

def Stablehlo_SignOp : Stablehlo_UnaryOp<"sign", Hlo_QSIntFpOrComplexTensor> {
  let summary = "Sign";
  let description = [{
    Returns -1, 0 or 1 with the sign of the element, NaN for NaN, and `x / |x|`
    for a complex `x`.
    Specification: `sign`.
  }];
}

//===----------------------------------------------------------------------===//
// Transcendental functions
//===----------------------------------------------------------------------===//

def Stablehlo_CbrtOp : Stablehlo_FunctionOp<"cbrt"> {
  let summary = "Cube root";
  let description = [{
    Computes the cube root of every element.
    Specification: `cbrt`.
  }];
}

def Stablehlo_CosineOp : Stablehlo_FunctionOp<"cosine"> {
  let summary = "Cosine";
  let description = [{
    Computes the cosine of every element.
    Specification: `cosine`.
  }];
}

def Stablehlo_ExpOp : Stablehlo_FunctionOp<"exponential"> {
  let summary = "Exponential";
  let description = [{
    Computes `e^x` of every element.
    Specification: `exponential`.
  }];
}

def Stablehlo_Expm1Op : Stablehlo_FunctionOp<"exponential_minus_one"> {
  let summary = "Exponential minus one";
  let description = [{
    Computes `e^x - 1` of every element, accurately near zero.
    Specification: `exponential_minus_one`.
  }];
}

def Stablehlo_LogOp : Stablehlo_FunctionOp<"log"> {
  let summary = "Natural logarithm";
  let description = [{
    Computes the natural logarithm of every element.
    Specification: `log`.
  }];
}

def Stablehlo_Log1pOp : Stablehlo_FunctionOp<"log_plus_one"> {
  let summary = "Logarithm of one plus the operand";
  let description = [{
    Computes `log(1 + x)` of every element, accurately near zero.
    Specification: `log_plus_one`.
  }];
}

def Stablehlo_LogisticOp : Stablehlo_FunctionOp<"logistic"> {
  let summary = "Logistic function";
  let description = [{
    Computes `1 / (1 + e^-x)` of every element.
    Specification: `logistic`.
  }];
}

def Stablehlo_RsqrtOp : Stablehlo_FunctionOp<"rsqrt"> {
  let summary = "Reciprocal square root";
  let description = [{
    Computes `1 / sqrt(x)` of every element.
    Specification: `rsqrt`.
  }];
}

def Stablehlo_SineOp : Stablehlo_FunctionOp<"sine"> {
  let summary = "Sine";
  let description = [{
    Computes the sine of every element.
    Specification: `sine`.
  }];
}

def Stablehlo_SqrtOp : Stablehlo_FunctionOp<"sqrt"> {
  let summary = "Square root";
  let description = [{
    Computes the square root of every element.
    Specification: `sqrt`.
  }];
}

def Stablehlo_TanOp : Stablehlo_FunctionOp<"tan"> {
  let summary = "Tangent";
  let description = [{
    Computes the tangent of every element.
    Specification: `tan`.
  }];
}

def Stablehlo_TanhOp : Stablehlo_FunctionOp<"tanh"> {
  let summary = "Hyperbolic tangent";
  let description = [{
    Computes the hyperbolic tangent of every element.
    Specification: `tanh`.
  }];
}

//===----------------------------------------------------------------------===//
// Changes of element type
//===----------------------------------------------------------------------===//

def Stablehlo_ConvertOp : Stablehlo_ElementwiseUnaryOp<"convert", [],
    Hlo_PlainTensor, Hlo_PlainTensor> {
  let summary = "Conversion to another element type";
  let description = [{
    Converts every element to the element type of the result.
    Specification: `convert`.
  }];
}

def Stablehlo_ImagOp : Stablehlo_ElementwiseUnaryOp<"imag", [Hlo_InfersTypes],
    Hlo_FpOrComplexTensor, Hlo_FpTensor> {
  let summary = "Imaginary part";
  let description = [{
    Extracts the imaginary part of every element; zero for real elements.
    Specification: `imag`.
  }];
}

def Stablehlo_RealOp : Stablehlo_ElementwiseUnaryOp<"real", [Hlo_InfersTypes],
    Hlo_FpOrComplexTensor, Hlo_FpTensor> {
  let summary = "Real part";
  let description = [{
    Extracts the real part of every element.
    Specification: `real`.
  }];
}

def Stablehlo_IsFiniteOp : Stablehlo_Op<"is_finite", [
    NoMemoryEffect, Hlo_InfersTypes]> {
  let summary = "Test for finite values";
  let description = [{
    Tests whether each element is neither infinite nor NaN.
    Specification: `is_finite`.
  }];

  let arguments = (ins Hlo_QFpTensor:$x);
  let results = (outs Hlo_PredTensor:$y);
  let assemblyFormat = "$x attr-dict `:` functional-type(operands, results)";
}

def Stablehlo_ReducePrecisionOp : Stablehlo_Op<"reduce_precision", [
    NoMemoryEffect, Hlo_InfersOperandTypes]> {
  let summary = "Rounding to a narrower float format";
  let description = [{
    Rounds every element to a float of `exponent_bits` and `mantissa_bits`,
    kept in the type of the operand.
    Specification: `reduce_precision`.
  }];

  let arguments = (ins
    Hlo_QFpTensor:$operand,
    ConfinedAttr<I32Attr, [IntPositive]>:$exponent_bits,
    ConfinedAttr<I32Attr, [IntNonNegative]>:$mantissa_bits);
  let results = (outs Hlo_QFpTensor:$output);
  let assemblyFormat = [{
    $operand `,` `format` `=`
    custom<ExponentMantissa>($exponent_bits, $mantissa_bits) attr-dict
    `:` custom<SameOperandsAndResultType>(type($operand), type($output))
  }];
}

def Stablehlo_UniformDequantizeOp : Stablehlo_ElementwiseUnaryOp<"uniform_dequantize", [Hlo_InfersTypes],
    Hlo_QuantizedTensor, Hlo_FpTensor> {
  let summary = "Quantized values to floats";
  let description = [{
    Computes `(stored - zero_point) * scale` of every element.
    Specification: `uniform_dequantize`.
  }];
}

def Stablehlo_UniformQuantizeOp : Stablehlo_ElementwiseUnaryOp<"uniform_quantize", [],
    RankedTensorOf<[Hlo_Float, Hlo_PerTensorQuantized, Hlo_PerAxisQuantized]>, Hlo_QuantizedTensor> {
  let summary = "Floats or quantized values to quantized values";
  let description = [{
    Expresses every element in the scale, zero point and storage type of the
    result.
    Specification: `uniform_quantize`.
  }];
}

#endif // HALO_STABLEHLO_UNARY_OPS
