//===- Base.h - What the generated dialect code calls ---------------------===//
//
// The ODS files refer to these names from dialects/stablehlo/Base.td. This is the C++ that MLIR
// requires; it implements no semantics. Verification and folding call the hooks of Hooks.h.
//
//===----------------------------------------------------------------------===//

#ifndef HALO_DIALECTS_BASE_H
#define HALO_DIALECTS_BASE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::stablehlo {
class ResultAccuracyAttr;
} // namespace mlir::stablehlo

namespace halo {

/// True for a static shape, or one whose only dynamic dimension has a bound.
bool isStaticOrSingleBounded(mlir::RankedTensorType type);

/// Appends the type of operand `first`. For an op with a variadic number of results, appends the
/// types of all operands from `first` on.
llvm::LogicalResult
inferOperandTypes(bool oneResult, unsigned first, mlir::ValueRange operands,
                  llvm::SmallVectorImpl<mlir::Type> &types);

/// True if there is a semantics hook for inference.
bool infersTypes();

/// Appends the result types that the semantics hook infers for an op with these parts. Fails
/// without a hook.
llvm::LogicalResult
inferSemantics(mlir::MLIRContext *context,
               std::optional<mlir::Location> location, llvm::StringRef name,
               mlir::ValueRange operands, mlir::DictionaryAttr attributes,
               mlir::RegionRange regions,
               llvm::SmallVectorImpl<mlir::Type> &types);

/// Returns the attributes, including those stored as properties.
mlir::DictionaryAttr withProperties(mlir::MLIRContext *context,
                                    mlir::DictionaryAttr attributes,
                                    mlir::Attribute properties);

/// Adapts `inferSemantics` to the signature of the interface method.
template <typename ConcreteOp>
llvm::LogicalResult
inferTypes(mlir::MLIRContext *context, std::optional<mlir::Location> location,
           mlir::ValueRange operands, mlir::DictionaryAttr attributes,
           mlir::OpaqueProperties properties, mlir::RegionRange regions,
           llvm::SmallVectorImpl<mlir::Type> &types) {
  if constexpr (ConcreteOp::hasProperties()) {
    if (properties)
      attributes = withProperties(
          context, attributes,
          ConcreteOp::getPropertiesAsAttr(
              context, *properties.as<typename ConcreteOp::Properties *>()));
  }
  return inferSemantics(context, location, ConcreteOp::getOperationName(),
                        operands, attributes, regions, types);
}

/// The default accuracy of a function.
mlir::stablehlo::ResultAccuracyAttr
defaultResultAccuracy(mlir::MLIRContext *context);

// These call the semantics hooks; without hooks they accept everything.
llvm::LogicalResult
verifyDotAlgorithm(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                   mlir::Type lhsPrecisionType, mlir::Type rhsPrecisionType,
                   mlir::Type accumulationType, int64_t lhsComponentCount,
                   int64_t rhsComponentCount, int64_t numPrimitiveOperations,
                   bool allowImpreciseAccumulation);
llvm::LogicalResult verifySemantics(mlir::Operation *op);
llvm::LogicalResult verifySymbolUses(mlir::Operation *op);
llvm::LogicalResult verifyCallee(mlir::Operation *op, mlir::Operation *callee);
llvm::LogicalResult verifyAttribute(mlir::Operation *op,
                                    mlir::NamedAttribute attribute);
llvm::LogicalResult verifyArgumentAttribute(mlir::Operation *op,
                                            unsigned number,
                                            mlir::NamedAttribute attribute);
llvm::LogicalResult verifyResultAttribute(mlir::Operation *op, unsigned number,
                                          mlir::NamedAttribute attribute);
/// Without a hook, no op is speculatable.
mlir::Speculation::Speculatability speculatability(mlir::Operation *op);
llvm::LogicalResult
foldSemantics(mlir::Operation *op, llvm::ArrayRef<mlir::Attribute> operands,
              llvm::SmallVectorImpl<mlir::OpFoldResult> &results);

namespace OpTrait {

/// Every op of Halo's dialects has this trait, as its last one. An op with regions is verified
/// before the ops inside: the hook checks the arguments and the types of the values that a body
/// returns, and must not rely on its ops.
template <typename ConcreteOp>
struct Semantics : mlir::OpTrait::TraitBase<ConcreteOp, Semantics> {
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifySemantics(op);
  }
  static llvm::LogicalResult
  foldTrait(mlir::Operation *op, llvm::ArrayRef<mlir::Attribute> operands,
            llvm::SmallVectorImpl<mlir::OpFoldResult> &results) {
    return foldSemantics(op, operands, results);
  }
};

/// Implements the method of ConditionallySpeculatable.
template <typename ConcreteOp>
struct Speculatability : mlir::OpTrait::TraitBase<ConcreteOp, Speculatability> {
  mlir::Speculation::Speculatability getSpeculatability() {
    return speculatability(this->getOperation());
  }
};

/// ODS declares the methods in the op class.
template <typename ConcreteOp>
struct InfersTypes : mlir::OpTrait::TraitBase<ConcreteOp, InfersTypes> {};
template <typename ConcreteOp>
struct NamesSymbols : mlir::OpTrait::TraitBase<ConcreteOp, NamesSymbols> {};
template <typename ConcreteOp>
struct RunsRegions : mlir::OpTrait::TraitBase<ConcreteOp, RunsRegions> {};

} // namespace OpTrait
} // namespace halo

#endif // HALO_DIALECTS_BASE_H
