//===- Enums.td - Enumerations of the stablehlo dialect -------------------===//

#ifndef HALO_STABLEHLO_ENUMS
#define HALO_STABLEHLO_ENUMS

include "mlir/IR/EnumAttr.td"
include "stablehlo/Dialect.td"

class Stablehlo_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::mlir::stablehlo";
}

// Prints as `#stablehlo<mnemonic VALUE>`, and as the bare value inside an op. The
// printer prints the space before the value, so assembly formats must not.
class Stablehlo_EnumAttr<EnumAttrInfo info, string mnemonic>
    : EnumAttr<Stablehlo_Dialect, info, mnemonic> {
  let assemblyFormat = "$value";
}

def Stablehlo_Precision : Stablehlo_Enum<"Precision",
    "How much accuracy a backend may trade for speed on one operand", [
      I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"HIGH", 1>,
      I32EnumAttrCase<"HIGHEST", 2>]>;
def Stablehlo_PrecisionAttr
    : Stablehlo_EnumAttr<Stablehlo_Precision, "precision">;
def Stablehlo_PrecisionConfigAttr
    : TypedArrayAttrBase<Stablehlo_PrecisionAttr, "precision config attribute">;

def Stablehlo_ResultAccuracyMode : Stablehlo_Enum<"ResultAccuracyMode",
    "How the accuracy of a result is asked for", [
      I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"HIGHEST", 1>,
      I32EnumAttrCase<"TOLERANCE", 2>]>;
def Stablehlo_ResultAccuracyModeAttr
    : EnumAttr<Stablehlo_Dialect, Stablehlo_ResultAccuracyMode,
               "result_accuracy_mode"> {
  let assemblyFormat = "`<` $value `>`";
}

def Stablehlo_FftType : Stablehlo_Enum<"FftType",
    "Direction and element kind of a Fourier transform", [
      I32EnumAttrCase<"FFT", 0>, I32EnumAttrCase<"IFFT", 1>,
      I32EnumAttrCase<"RFFT", 2>, I32EnumAttrCase<"IRFFT", 3>]>;
def Stablehlo_FftTypeAttr : Stablehlo_EnumAttr<Stablehlo_FftType, "fft_type">;

def Stablehlo_ComparisonDirection : Stablehlo_Enum<"ComparisonDirection",
    "The relation that a comparison tests", [
      I32EnumAttrCase<"EQ", 0>, I32EnumAttrCase<"NE", 1>,
      I32EnumAttrCase<"GE", 2>, I32EnumAttrCase<"GT", 3>,
      I32EnumAttrCase<"LE", 4>, I32EnumAttrCase<"LT", 5>]>;
def Stablehlo_ComparisonDirectionAttr
    : Stablehlo_EnumAttr<Stablehlo_ComparisonDirection, "comparison_direction">;

def Stablehlo_ComparisonType : Stablehlo_Enum<"ComparisonType",
    "The order that a comparison uses", [
      I32EnumAttrCase<"NOTYPE", 0>, I32EnumAttrCase<"FLOAT", 1>,
      I32EnumAttrCase<"TOTALORDER", 2>, I32EnumAttrCase<"SIGNED", 3>,
      I32EnumAttrCase<"UNSIGNED", 4>]>;
def Stablehlo_ComparisonTypeAttr
    : Stablehlo_EnumAttr<Stablehlo_ComparisonType, "comparison_type">;

def Stablehlo_Transpose : Stablehlo_Enum<"Transpose",
    "What triangular_solve does to its matrix first", [
      I32EnumAttrCase<"TRANSPOSE_INVALID", 0>,
      I32EnumAttrCase<"NO_TRANSPOSE", 1>, I32EnumAttrCase<"TRANSPOSE", 2>,
      I32EnumAttrCase<"ADJOINT", 3>]>;
def Stablehlo_TransposeAttr
    : Stablehlo_EnumAttr<Stablehlo_Transpose, "transpose">;

def Stablehlo_RngDistribution : Stablehlo_Enum<"RngDistribution",
    "The distribution that rng draws from", [
      I32EnumAttrCase<"UNIFORM", 1>, I32EnumAttrCase<"NORMAL", 2>]>;
def Stablehlo_RngDistributionAttr
    : Stablehlo_EnumAttr<Stablehlo_RngDistribution, "rng_distribution">;

def Stablehlo_RngAlgorithm : Stablehlo_Enum<"RngAlgorithm",
    "The generator behind rng_bit_generator", [
      I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"THREE_FRY", 1>,
      I32EnumAttrCase<"PHILOX", 2>]>;
def Stablehlo_RngAlgorithmAttr
    : Stablehlo_EnumAttr<Stablehlo_RngAlgorithm, "rng_algorithm">;

// An integer attribute with named values: prints as `4 : i32`.
def Stablehlo_CustomCallApiVersionAttr : I32EnumAttr<"CustomCallApiVersion",
    "The calling convention of a custom call's target", [
      I32EnumAttrCase<"API_VERSION_UNSPECIFIED", 0>,
      I32EnumAttrCase<"API_VERSION_ORIGINAL", 1>,
      I32EnumAttrCase<"API_VERSION_STATUS_RETURNING", 2>,
      I32EnumAttrCase<"API_VERSION_STATUS_RETURNING_UNIFIED", 3>,
      I32EnumAttrCase<"API_VERSION_TYPED_FFI", 4>]> {
  let cppNamespace = "::mlir::stablehlo";
}

#endif // HALO_STABLEHLO_ENUMS
