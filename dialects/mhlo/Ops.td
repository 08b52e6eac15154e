//===- Ops.td - Ops of the mhlo dialect that XLA exports ------------------===//
//
// XLA's StableHLO exporter keeps instructions without a StableHLO op in the MHLO dialect,
// StableHLO's predecessor. These are the ones that occur in framework models;
// --hlo-legalize-to-stablehlo lowers them.
//
//===----------------------------------------------------------------------===//

#ifndef HALO_MHLO_OPS
#define HALO_MHLO_OPS

include "stablehlo/Base.td"

def Mhlo_Dialect : Dialect {
  let name = "mhlo";
  let cppNamespace = "::mlir::mhlo";
  let summary = "Ops in programs exported by XLA that StableHLO lacks";
}

class Mhlo_UnaryOp<string mnemonic, Type type>
    : Op<Mhlo_Dialect, mnemonic, [Pure, SameOperandsAndResultType]> {
  let arguments = (ins type:$operand);
  let results = (outs type:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

def Mhlo_AcosOp : Mhlo_UnaryOp<"acos", Hlo_AnyFpOrComplexTensor> {
  let summary = "Inverse cosine";
}

def Mhlo_AcoshOp : Mhlo_UnaryOp<"acosh", Hlo_AnyFpOrComplexTensor> {
  let summary = "Inverse hyperbolic cosine";
}

def Mhlo_AsinOp : Mhlo_UnaryOp<"asin", Hlo_AnyFpOrComplexTensor> {
  let summary = "Inverse sine";
}

def Mhlo_AsinhOp : Mhlo_UnaryOp<"asinh", Hlo_AnyFpOrComplexTensor> {
  let summary = "Inverse hyperbolic sine";
}

def Mhlo_AtanhOp : Mhlo_UnaryOp<"atanh", Hlo_AnyFpOrComplexTensor> {
  let summary = "Inverse hyperbolic tangent";
}

def Mhlo_CopyOp : Op<Mhlo_Dialect, "copy", [Pure, SameOperandsAndResultType]> {
  let summary = "Copy of the operand";
  // The attribute never occurs in valid programs, but bytecode has a field for it.
  let arguments = (ins Hlo_AnyTensor:$operand,
                   OptionalAttr<I32Attr>:$cross_program_prefetch_index);
  let results = (outs Hlo_AnyTensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

def Mhlo_CoshOp : Mhlo_UnaryOp<"cosh", Hlo_AnyFpOrComplexTensor> {
  let summary = "Hyperbolic cosine";
}

def Mhlo_ErfOp : Mhlo_UnaryOp<"erf", Hlo_AnyFpTensor> {
  let summary = "Error function";
}

def Mhlo_SinhOp : Mhlo_UnaryOp<"sinh", Hlo_AnyFpOrComplexTensor> {
  let summary = "Hyperbolic sine";
}

def Mhlo_UnknownOp : Op<Mhlo_Dialect, "unknown", []> {
  let summary = "An instruction without its opcode, which the exporter omits";
  let arguments = (ins Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$outputs);
}

#endif // HALO_MHLO_OPS
