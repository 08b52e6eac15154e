//===- UnaryOps.td - CHLO functions of one operand ------------------------===//

#ifndef HALO_CHLO_UNARY_OPS
#define HALO_CHLO_UNARY_OPS

include "chlo/Dialect.td"

class Chlo_ElementwiseUnaryOp<string mnemonic, list<Trait> traits,
                              Type operandType, Type resultType>
    : Chlo_Op<mnemonic, traits # [
        Pure]> {
  let arguments = (ins operandType:$operand);
  let results = (outs resultType:$result);
  let assemblyFormat = [{
    $operand attr-dict `:` type($operand) `->` type($result)
  }];
}

class Chlo_UnaryOp<string mnemonic, Type type>
    : Chlo_ElementwiseUnaryOp<mnemonic, [Hlo_InfersOperandTypes], type, type>;

class Chlo_PredicateOp<string mnemonic>
    : Chlo_ElementwiseUnaryOp<mnemonic, [Hlo_InfersTypes], Hlo_AnyFpTensor,
                              Hlo_AnyPredTensor>;

def Chlo_AcosOp : Chlo_UnaryOp<"acos", Hlo_AnyFpOrComplexTensor> {
  let summary = "Inverse cosine";
  let description = [{
    Computes the angle between 0 and pi whose cosine is the element.
  }];
}

def Chlo_AcoshOp : Chlo_UnaryOp<"acosh", Hlo_AnyFpOrComplexTensor> {
  let summary = "Inverse hyperbolic cosine";
  let description = [{
    Computes `log(x + sqrt(x^2 - 1))`.
  }];
}

def Chlo_AsinAcosKernelOp
    : Chlo_UnaryOp<"_asin_acos_kernel", Hlo_AnyComplexTensor> {
  let summary = "Common part of the complex asin and acos";
  let description = [{
    Computes, for `z = x + yi`, the common part of the expansions of `asin`,
    `acos`, `asinh` and `acosh`. Occurs only while these are expanded.
  }];
}

def Chlo_AsinOp : Chlo_UnaryOp<"asin", Hlo_AnyFpOrComplexTensor> {
  let summary = "Inverse sine";
  let description = [{
    Computes the angle between -pi/2 and pi/2 whose sine is the element.
  }];
}

def Chlo_AsinhOp : Chlo_UnaryOp<"asinh", Hlo_AnyFpOrComplexTensor> {
  let summary = "Inverse hyperbolic sine";
  let description = [{
    Computes `log(x + sqrt(x^2 + 1))`.
  }];
}

def Chlo_AtanOp : Chlo_UnaryOp<"atan", Hlo_AnyFpOrComplexTensor> {
  let summary = "Inverse tangent";
  let description = [{
    Computes the angle between -pi/2 and pi/2 whose tangent is the element.
  }];
}

def Chlo_AtanhOp : Chlo_UnaryOp<"atanh", Hlo_AnyFpOrComplexTensor> {
  let summary = "Inverse hyperbolic tangent";
  let description = [{
    Computes `(log(1 + x) - log(1 - x)) / 2`.
  }];
}

def Chlo_BesselI1eOp : Chlo_UnaryOp<"bessel_i1e", Hlo_AnyFpOrComplexTensor> {
  let summary = "Scaled modified Bessel function of order one";
  let description = [{
    Computes `I1(x) * e^-|x|`.
  }];
}

def Chlo_ConjOp : Chlo_UnaryOp<"conj", Hlo_AnyFpOrComplexTensor> {
  let summary = "Complex conjugate";
  let description = [{
    Negates the imaginary part of every element.
  }];
}

def Chlo_CoshOp : Chlo_UnaryOp<"cosh", Hlo_AnyFpOrComplexTensor> {
  let summary = "Hyperbolic cosine";
  let description = [{
    Computes `(e^x + e^-x) / 2`.
  }];
}

def Chlo_DigammaOp : Chlo_UnaryOp<"digamma", Hlo_AnyFpTensor> {
  let summary = "Digamma function";
  let description = [{
    Computes the derivative of `lgamma`.
  }];
}

def Chlo_ErfOp : Chlo_UnaryOp<"erf", Hlo_AnyFpTensor> {
  let summary = "Error function";
  let description = [{
    Computes `2 / sqrt(pi)` times the integral of `e^(-t^2)` from 0 to the
    element.
  }];
}

def Chlo_ErfInvOp : Chlo_UnaryOp<"erf_inv", Hlo_AnyFpTensor> {
  let summary = "Inverse error function";
  let description = [{
    Computes the number whose error function is the element.
  }];
}

def Chlo_ErfcOp : Chlo_UnaryOp<"erfc", Hlo_AnyFpTensor> {
  let summary = "Complementary error function";
  let description = [{
    Computes `1 - erf(x)`, accurately for large elements.
  }];
}

def Chlo_LgammaOp : Chlo_UnaryOp<"lgamma", Hlo_AnyFpTensor> {
  let summary = "Logarithm of the gamma function";
  let description = [{
    Computes `log(|gamma(x)|)`.
  }];
}

def Chlo_SinhOp : Chlo_UnaryOp<"sinh", Hlo_AnyFpOrComplexTensor> {
  let summary = "Hyperbolic sine";
  let description = [{
    Computes `(e^x - e^-x) / 2`.
  }];
}

def Chlo_SquareOp : Chlo_UnaryOp<"square", Hlo_AnyFpOrComplexTensor> {
  let summary = "Square";
  let description = [{
    Multiplies every element by itself.
  }];
}

def Chlo_TanOp : Chlo_UnaryOp<"tan", Hlo_AnyFpOrComplexTensor> {
  let summary = "Tangent";
  let description = [{
    Computes the tangent of every element.
  }];
}

def Chlo_IsInfOp : Chlo_PredicateOp<"is_inf"> {
  let summary = "Test for infinities";
  let description = [{
    Tests whether each element is infinite.
  }];
}

def Chlo_IsNegInfOp : Chlo_PredicateOp<"is_neg_inf"> {
  let summary = "Test for negative infinity";
  let description = [{
    Tests whether each element is negative infinity.
  }];
}

def Chlo_IsPosInfOp : Chlo_PredicateOp<"is_pos_inf"> {
  let summary = "Test for positive infinity";
  let description = [{
    Tests whether each element is positive infinity.
  }];
}

#endif // HALO_CHLO_UNARY_OPS
