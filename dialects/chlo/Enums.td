//===- Enums.td - Enumerations of the chlo dialect ------------------------===//

#ifndef HALO_CHLO_ENUMS
#define HALO_CHLO_ENUMS

include "mlir/IR/EnumAttr.td"
include "chlo/Dialect.td"

class Chlo_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::mlir::chlo";
}

class Chlo_EnumAttr<EnumAttrInfo info, string mnemonic>
    : EnumAttr<Chlo_Dialect, info, mnemonic> {
  let assemblyFormat = "$value";
}

def Chlo_ComparisonDirection : Chlo_Enum<"ComparisonDirection",
    "The relation that a comparison tests", [
      I32EnumAttrCase<"EQ", 0>, I32EnumAttrCase<"NE", 1>,
      I32EnumAttrCase<"GE", 2>, I32EnumAttrCase<"GT", 3>,
      I32EnumAttrCase<"LE", 4>, I32EnumAttrCase<"LT", 5>]>;
def Chlo_ComparisonDirectionAttr
    : Chlo_EnumAttr<Chlo_ComparisonDirection, "comparison_direction">;

def Chlo_ComparisonType : Chlo_Enum<"ComparisonType",
    "The order that a comparison uses", [
      I32EnumAttrCase<"NOTYPE", 0>, I32EnumAttrCase<"FLOAT", 1>,
      I32EnumAttrCase<"TOTALORDER", 2>, I32EnumAttrCase<"SIGNED", 3>,
      I32EnumAttrCase<"UNSIGNED", 4>]>;
def Chlo_ComparisonTypeAttr
    : Chlo_EnumAttr<Chlo_ComparisonType, "comparison_type">;

def Chlo_Precision : Chlo_Enum<"Precision",
    "How much accuracy a backend may trade for speed on one operand", [
      I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"HIGH", 1>,
      I32EnumAttrCase<"HIGHEST", 2>]>;
def Chlo_PrecisionAttr : Chlo_EnumAttr<Chlo_Precision, "precision">;
def Chlo_PrecisionConfigAttr
    : TypedArrayAttrBase<Chlo_PrecisionAttr, "precision config attribute">;

#endif // HALO_CHLO_ENUMS
