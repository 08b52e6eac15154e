//===- Base.td - Constraints and traits shared by Halo's dialects ---------===//
//
// The type constraints restate the type grammar of the StableHLO specification (section "Types") as
// ODS predicates, so that one name describes the operands of an op. Constraints that ODS cannot
// express (shapes that depend on attributes, quantization parameters, bodies of regions) are
// checked by the semantics hook, which every op calls through the trait Hlo_Semantics.
//
//===----------------------------------------------------------------------===//

#ifndef HALO_STABLEHLO_BASE
#define HALO_STABLEHLO_BASE

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

def Hlo_Pred : TypeAlias<I1, "bool">;

// Signed integers are signless in MLIR: `i8` is the specification's `si8`.
def Hlo_SInt : SignlessIntOfWidths<[2, 4, 8, 16, 32, 64]>;
def Hlo_UInt : UnsignedIntOfWidths<[2, 4, 8, 16, 32, 64]>;
def Hlo_Int : AnyTypeOf<[Hlo_SInt, Hlo_UInt], "2/4/8/16/32/64-bit integer">;

def Hlo_Float : AnyTypeOf<[
    F4E2M1FN, F6E2M3FN, F6E3M2FN, F8E3M4, F8E4M3, F8E4M3FN, F8E4M3FNUZ,
    F8E4M3B11FNUZ, F8E5M2, F8E5M2FNUZ, F8E8M0FNU, F16, BF16, F32, F64
  ], "4/6/8/16/32/64-bit float">;

def Hlo_Float32Or64 : AnyTypeOf<[F32, F64], "32/64-bit float">;
def Hlo_Complex : Complex<Hlo_Float32Or64>;

// A quantized element type whose storage is an integer of a width that the
// specification admits.
class Hlo_QuantizedElement<string cppType, string text> : Type<
    And<[CPred<"::llvm::isa<::mlir::quant::" # cppType # ">($_self)">,
         Or<!foreach(width, [2, 4, 8, 16, 32],
            CPred<"::llvm::cast<::mlir::quant::QuantizedType>($_self)"
                  ".getStorageTypeIntegralWidth() == " # width>)>]>, text>;

def Hlo_PerTensorQuantized : Hlo_QuantizedElement<
    "UniformQuantizedType", "per-tensor integer quantized">;
def Hlo_PerAxisQuantized : Hlo_QuantizedElement<
    "UniformQuantizedPerAxisType", "per-axis integer quantized">;

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

defvar Hlo_PlainElements = [Hlo_Float, Hlo_Pred, Hlo_Int, Hlo_Complex];
defvar Hlo_TensorElements = Hlo_PlainElements # [Hlo_PerTensorQuantized];
defvar Hlo_AllElements = Hlo_TensorElements # [Hlo_PerAxisQuantized];

// The most common operand: any element type except per-axis quantized ones, which
// only some ops take.
def Hlo_Tensor : RankedTensorOf<Hlo_TensorElements>;
def Hlo_TensorOrPerAxis : RankedTensorOf<Hlo_AllElements>;
def Hlo_PlainTensor : RankedTensorOf<Hlo_PlainElements>;

def Hlo_PredTensor : RankedTensorOf<[Hlo_Pred]>;
def Hlo_IntTensor : RankedTensorOf<[Hlo_Int]>;
def Hlo_PredOrIntTensor : RankedTensorOf<[Hlo_Pred, Hlo_Int]>;
def Hlo_FpTensor : RankedTensorOf<[Hlo_Float]>;
def Hlo_Fp32Or64Tensor : RankedTensorOf<[Hlo_Float32Or64]>;
def Hlo_ComplexTensor : RankedTensorOf<[Hlo_Complex]>;
def Hlo_FpOrComplexTensor : RankedTensorOf<[Hlo_Float, Hlo_Complex]>;
def Hlo_IntOrFpTensor : RankedTensorOf<[Hlo_Int, Hlo_Float]>;
def Hlo_PredIntOrFpTensor : RankedTensorOf<[Hlo_Pred, Hlo_Int, Hlo_Float]>;
def Hlo_QuantizedTensor
    : RankedTensorOf<[Hlo_PerTensorQuantized, Hlo_PerAxisQuantized]>;
def Hlo_PerAxisQuantizedTensor : RankedTensorOf<[Hlo_PerAxisQuantized]>;

// With per-tensor quantized elements in addition to the ones in the name.
def Hlo_QFpTensor : RankedTensorOf<[Hlo_Float, Hlo_PerTensorQuantized]>;
def Hlo_QFpOrComplexTensor
    : RankedTensorOf<[Hlo_Float, Hlo_Complex, Hlo_PerTensorQuantized]>;
def Hlo_QIntFpOrComplexTensor
    : RankedTensorOf<[Hlo_Int, Hlo_Float, Hlo_Complex, Hlo_PerTensorQuantized]>;
def Hlo_QSIntFpOrComplexTensor
    : RankedTensorOf<[Hlo_SInt, Hlo_Float, Hlo_Complex, Hlo_PerTensorQuantized]>;
def Hlo_QSIntOrFpTensor
    : RankedTensorOf<[Hlo_SInt, Hlo_Float, Hlo_PerTensorQuantized]>;

def Hlo_I32Tensor : RankedTensorOf<[I32]>;
def Hlo_UI32Tensor : RankedTensorOf<[UI32]>;
def Hlo_IndexTensor : RankedTensorOf<[AnyInteger, Index]>;
def Hlo_ScalarIntTensor : 0DTensorOf<[Hlo_Int]>;
def Hlo_ScalarTensor : 0DTensorOf<Hlo_TensorElements>;
def Hlo_ScalarPredIntOrFpTensor : 0DTensorOf<[Hlo_Pred, Hlo_Int, Hlo_Float]>;
def Hlo_QFpVector : 1DTensorOf<[Hlo_Float, Hlo_PerTensorQuantized]>;

// Tensors that hold a shape or one number per dimension.
def Hlo_DimensionVector : 1DTensorOf<[Index, Hlo_Int]>;
def Hlo_StaticDimensionVector
    : RankedTensorOf<[Index, Hlo_Int], [HasStaticShapePred, HasAnyRankOfPred<[1]>],
                     "statically shaped 1-dimensional tensor">;
def Hlo_StaticIntVector
    : RankedTensorOf<[Hlo_Int], [HasStaticShapePred, HasAnyRankOfPred<[1]>],
                     "statically shaped 1-dimensional integer tensor">;
def Hlo_StaticIntMatrix
    : RankedTensorOf<[Hlo_Int], [HasStaticShapePred, HasAnyRankOfPred<[2]>],
                     "statically shaped 2-dimensional integer tensor">;

def Hlo_StaticTensor : StaticShapeTensorOf<Hlo_TensorElements>;
def Hlo_StaticTensorOrPerAxis : StaticShapeTensorOf<Hlo_AllElements>;
def Hlo_StaticIntOrFpTensor : StaticShapeTensorOf<[Hlo_Int, Hlo_Float]>;
defvar Hlo_IotaElements =
    [Hlo_Int, Hlo_Float, Hlo_Complex, Hlo_PerTensorQuantized];
def Hlo_IotaTensor : RankedTensorOf<Hlo_IotaElements>;
def Hlo_StaticIotaTensor : StaticShapeTensorOf<Hlo_IotaElements>;

// A static shape, except that one dimension may be dynamic with a bound.
def Hlo_StaticOrBoundedTensor : RankedTensorOf<
    Hlo_AllElements,
    [CPred<"::halo::isStaticOrSingleBounded("
           "::llvm::cast<::mlir::RankedTensorType>($_self))">],
    "statically shaped or single bounded dimension tensor">;

// CHLO and custom calls admit unranked tensors.
def Hlo_AnyTensor : TensorOf<Hlo_AllElements>;
def Hlo_AnyPredTensor : TensorOf<[Hlo_Pred]>;
def Hlo_AnyPredOrIntTensor : TensorOf<[Hlo_Pred, Hlo_Int]>;
def Hlo_AnyFpTensor : TensorOf<[Hlo_Float]>;
def Hlo_AnyComplexTensor : TensorOf<[Hlo_Complex]>;
def Hlo_AnyFpOrComplexTensor : TensorOf<[Hlo_Float, Hlo_Complex]>;

//===----------------------------------------------------------------------===//
// Values that are not tensors
//===----------------------------------------------------------------------===//

def Hlo_Token
    : Type<CPred<"::llvm::isa<::mlir::stablehlo::TokenType>($_self)">, "token">;
def Hlo_Future
    : Type<CPred<"::llvm::isa<::mlir::stablehlo::FutureType>($_self)">, "future">;

// A buffer that a custom call reads or writes in place.
def Hlo_Buffer : MemRefOf<Hlo_TensorElements>;

def Hlo_Tuple : NestedTupleOf<
    [Hlo_Tensor, Hlo_Buffer, Hlo_PerAxisQuantizedTensor, Hlo_Token]>;
def Hlo_AnyTuple : NestedTupleOf<[Hlo_AnyTensor, Hlo_Buffer, Hlo_Token]>;

def Hlo_TensorOrToken : AnyTypeOf<[Hlo_Tensor, Hlo_Token]>;
def Hlo_BranchValue
    : AnyTypeOf<[Hlo_Tensor, Hlo_PerAxisQuantizedTensor, Hlo_Token]>;
def Hlo_LoopValue : AnyTypeOf<
    [Hlo_Tensor, Hlo_PerAxisQuantizedTensor, Hlo_Token, Hlo_Buffer]>;
def Hlo_CompositeValue : AnyTypeOf<
    [Hlo_Tensor, Hlo_PerAxisQuantizedTensor, Hlo_Token, Hlo_Tuple]>;
def Hlo_TupleElement : AnyTypeOf<
    [Hlo_Tensor, Hlo_PerAxisQuantizedTensor, Hlo_Token, Hlo_Tuple, Hlo_Buffer]>;
def Hlo_ReturnValue : AnyTypeOf<
    [Hlo_Tensor, Hlo_PerAxisQuantizedTensor, Hlo_Token, Hlo_Tuple, Hlo_Buffer]>;
def Hlo_CustomCallValue : AnyTypeOf<
    [Hlo_AnyTensor, Hlo_Buffer, Hlo_Token, Hlo_AnyTuple, Hlo_Future]>;
def Hlo_StaticTensorOrToken
    : AnyTypeOf<[Hlo_StaticTensor, Hlo_StaticTensorOrPerAxis, Hlo_Token]>;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

// A dimension number. Negative numbers are not allowed.
def Hlo_DimensionAttr : ConfinedAttr<I64Attr, [IntNonNegative]>;
def Hlo_IndexAttr : ConfinedAttr<I32Attr, [IntNonNegative]>;

//===----------------------------------------------------------------------===//
// Traits
//===----------------------------------------------------------------------===//

// Delegates verification and folding of the op to the semantics hook.
def Hlo_Semantics : NativeOpTrait<"Semantics"> {
  let cppNamespace = "::halo::OpTrait";
}

// The semantics hook determines whether the op may be speculated. Freedom from effects is a
// separate trait.
def Hlo_SpeculatabilityHook : NativeOpTrait<"Speculatability"> {
  let cppNamespace = "::halo::OpTrait";
}
def Hlo_Speculatability : TraitList<[
    ConditionallySpeculatable, Hlo_SpeculatabilityHook]>;

// A native trait that only adds declarations to the op's class.
class Hlo_Declares<string name, code declarations, code definitions = [{}]>
    : NativeOpTrait<name, [], declarations, definitions> {
  let cppNamespace = "::halo::OpTrait";
}

// The semantics hook infers the result types for builders and parsers. MLIR's verification of the
// interface is disabled: the hook compares declared and inferred types when it verifies the op.
class Hlo_InfersTypesBy<code definition> : TraitList<[
    InferTypeOpInterface,
    Hlo_Declares<"InfersTypes", [{
      static ::llvm::LogicalResult
      inferReturnTypes(::mlir::MLIRContext *context,
                       ::std::optional<::mlir::Location> location,
                       ::mlir::ValueRange operands,
                       ::mlir::DictionaryAttr attributes,
                       ::mlir::OpaqueProperties properties,
                       ::mlir::RegionRange regions,
                       ::llvm::SmallVectorImpl<::mlir::Type> &types);
      static ::llvm::LogicalResult
      refineReturnTypes(::mlir::MLIRContext *, ::std::optional<::mlir::Location>,
                        ::mlir::ValueRange, ::mlir::DictionaryAttr,
                        ::mlir::OpaqueProperties, ::mlir::RegionRange,
                        ::llvm::SmallVectorImpl<::mlir::Type> &) {
        return ::llvm::success();
      }
      static bool isCompatibleReturnTypes(::mlir::TypeRange inferred,
                                          ::mlir::TypeRange actual) {
        return inferred.size() == actual.size();
      }
    }], [{
      ::llvm::LogicalResult
      $cppClass::inferReturnTypes(::mlir::MLIRContext *context,
                       ::std::optional<::mlir::Location> location,
                       ::mlir::ValueRange operands,
                       ::mlir::DictionaryAttr attributes,
                       ::mlir::OpaqueProperties properties,
                       ::mlir::RegionRange regions,
                       ::llvm::SmallVectorImpl<::mlir::Type> &types) {
    }] # definition # [{
        return ::halo::inferTypes<$cppClass>(context, location, operands,
                                             attributes, properties, regions,
                                             types);
      }
    }]>
  ]>;
def Hlo_InfersTypes : Hlo_InfersTypesBy<[{}]>;

// The same; without a hook, a result has the type of one operand or, for an op of several results,
// the results have the types of all operands from that one on.
class Hlo_InfersTypeOf<int operand> : Hlo_InfersTypesBy<[{
        if (!::halo::infersTypes())
          return ::halo::inferOperandTypes(
              hasTrait<::mlir::OpTrait::OneResult>(), }] # operand # [{,
              operands, types);
}]>;
def Hlo_InfersOperandTypes : Hlo_InfersTypeOf<0>;

// Control flow between an op and its regions, for upstream's analyses. The hook determines how far
// the types of forwarded values may differ.
def Hlo_RunsRegions : TraitList<[
    DeclareOpInterfaceMethods<RegionBranchOpInterface>,
    Hlo_Declares<"RunsRegions", [{
      bool areTypesCompatible(::mlir::Type, ::mlir::Type) { return true; }
    }]>
  ]>;

// Symbols named by attributes of the op are verified with the symbol table.
def Hlo_SymbolUser : TraitList<[
    SymbolUserOpInterface,
    Hlo_Declares<"NamesSymbols", [{
      ::llvm::LogicalResult
      verifySymbolUses(::mlir::SymbolTableCollection &symbols) {
        return ::halo::verifySymbolUses(getOperation());
      }
    }]>
  ]>;

// Reads and writes state outside the program: never moved, merged or erased.
def Hlo_ExternalEffects : MemoryEffects<[MemRead, MemWrite]>;

#endif // HALO_STABLEHLO_BASE
