//===- Base.cpp - What the generated dialect code calls -------------------===//

#include "Base.h"
#include "Fold.h"

#include "Hooks.h"
#include "StablehloAttrs.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"

#include <atomic>

using namespace mlir;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool halo::isStaticOrSingleBounded(RankedTensorType type) {
  if (type.hasStaticShape())
    return true;
  auto bounds =
      dyn_cast_or_null<stablehlo::TypeExtensionsAttr>(type.getEncoding());
  return type.getNumDynamicDims() == 1 && bounds &&
         llvm::any_of(bounds.getBounds(), [](int64_t bound) {
           return !ShapedType::isDynamic(bound);
         });
}

LogicalResult halo::inferOperandTypes(bool oneResult, unsigned first,
                                      ValueRange operands,
                                      SmallVectorImpl<Type> &types) {
  if (operands.size() < first + (oneResult ? 1 : 0))
    return failure();
  operands = operands.drop_front(first);
  llvm::append_range(types, (oneResult ? operands.take_front() : operands)
                                .getTypes());
  return success();
}

//===----------------------------------------------------------------------===//
// Hooks
//===----------------------------------------------------------------------===//

// Written once, before the first context is created; read by verifiers on any thread.
static std::atomic<HaloVerifyHook> verifyHook{nullptr};
static std::atomic<HaloVerifyHook> verifySymbolUsesHook{nullptr};
static std::atomic<HaloFoldHook> foldHook{nullptr};
static std::atomic<HaloInferHook> inferHook{nullptr};
static std::atomic<HaloVerifyDotAlgorithmHook> verifyDotAlgorithmHook{nullptr};
static std::atomic<HaloSpeculateHook> speculateHook{nullptr};
static std::atomic<HaloVerifyAttributeHook> verifyAttributeHook{nullptr};
static std::atomic<HaloVerifyCalleeHook> verifyCalleeHook{nullptr};

void haloSetSemanticsHooks(const HaloSemanticsHooks *hooks) {
  verifyHook.store(hooks->verify);
  verifySymbolUsesHook.store(hooks->verifySymbolUses);
  foldHook.store(hooks->fold);
  inferHook.store(hooks->infer);
  verifyDotAlgorithmHook.store(hooks->verifyDotAlgorithm);
  speculateHook.store(hooks->speculate);
  verifyAttributeHook.store(hooks->verifyAttribute);
  verifyCalleeHook.store(hooks->verifyCallee);
}

static void appendText(MlirStringRef text, void *data) {
  static_cast<std::string *>(data)->append(text.data, text.length);
}

static LogicalResult callVerifyHook(HaloVerifyHook hook, Operation *op) {
  if (!hook)
    return success();
  std::string message;
  if (hook(wrap(op), appendText, &message))
    return success();
  return op->emitOpError(message);
}

LogicalResult
halo::verifyDotAlgorithm(function_ref<InFlightDiagnostic()> emitError,
                         Type lhsPrecisionType, Type rhsPrecisionType,
                         Type accumulationType, int64_t lhsComponentCount,
                         int64_t rhsComponentCount,
                         int64_t numPrimitiveOperations,
                         bool allowImpreciseAccumulation) {
  HaloVerifyDotAlgorithmHook hook =
      verifyDotAlgorithmHook.load(std::memory_order_relaxed);
  if (!hook)
    return success();
  HaloDotAlgorithm algorithm = {wrap(lhsPrecisionType),
                                wrap(rhsPrecisionType),
                                wrap(accumulationType),
                                lhsComponentCount,
                                rhsComponentCount,
                                numPrimitiveOperations,
                                allowImpreciseAccumulation};
  std::string message;
  if (hook(&algorithm, appendText, &message))
    return success();
  return emitError() << message;
}

bool halo::infersTypes() {
  return inferHook.load(std::memory_order_relaxed) != nullptr;
}

DictionaryAttr halo::withProperties(MLIRContext *context,
                                    DictionaryAttr attributes,
                                    Attribute properties) {
  NamedAttrList merged;
  if (attributes)
    merged.append(attributes.getValue());
  if (auto dictionary = dyn_cast_or_null<DictionaryAttr>(properties))
    for (NamedAttribute attribute : dictionary)
      merged.set(attribute.getName(), attribute.getValue());
  return merged.getDictionary(context);
}

LogicalResult halo::inferSemantics(MLIRContext *context,
                                   std::optional<Location> location,
                                   StringRef name, ValueRange operands,
                                   DictionaryAttr attributes,
                                   RegionRange regions,
                                   SmallVectorImpl<Type> &types) {
  HaloInferHook hook = inferHook.load(std::memory_order_relaxed);
  if (!hook)
    return failure();
  SmallVector<MlirValue> values(llvm::map_range(
      operands, [](Value operand) { return wrap(operand); }));
  SmallVector<MlirRegion> bodies(llvm::map_range(
      regions, [](Region *region) { return wrap(region); }));
  HaloOpParts parts = {wrap(context),
                       wrap(name),
                       static_cast<intptr_t>(values.size()),
                       values.data(),
                       wrap(static_cast<Attribute>(attributes)),
                       static_cast<intptr_t>(bodies.size()),
                       bodies.data()};
  auto append = [](MlirType type, void *data) {
    static_cast<SmallVectorImpl<Type> *>(data)->push_back(unwrap(type));
  };
  SmallVector<Type> inferred;
  std::string message;
  if (!hook(&parts, append, &inferred, appendText, &message))
    return emitOptionalError(location, "'", name, "' op ", message);
  llvm::append_range(types, inferred);
  return success();
}

LogicalResult halo::verifySemantics(Operation *op) {
  return callVerifyHook(verifyHook.load(std::memory_order_relaxed), op);
}

LogicalResult halo::verifySymbolUses(Operation *op) {
  return callVerifyHook(verifySymbolUsesHook.load(std::memory_order_relaxed),
                        op);
}

LogicalResult halo::verifyCallee(Operation *op, Operation *callee) {
  HaloVerifyCalleeHook hook = verifyCalleeHook.load(std::memory_order_relaxed);
  if (!hook)
    return success();
  std::string message;
  if (hook(wrap(op), wrap(callee), appendText, &message))
    return success();
  return op->emitOpError(message);
}

static LogicalResult callVerifyAttributeHook(Operation *op,
                                             HaloAttributeBearer bearer,
                                             unsigned number,
                                             NamedAttribute attribute) {
  HaloVerifyAttributeHook hook =
      verifyAttributeHook.load(std::memory_order_relaxed);
  if (!hook)
    return success();
  std::string message;
  if (hook(wrap(op), bearer, number, wrap(attribute.getName().getValue()),
           wrap(attribute.getValue()), appendText, &message))
    return success();
  return op->emitOpError(message);
}

LogicalResult halo::verifyAttribute(Operation *op, NamedAttribute attribute) {
  return callVerifyAttributeHook(op, HaloOnOperation, 0, attribute);
}

LogicalResult halo::verifyArgumentAttribute(Operation *op, unsigned number,
                                            NamedAttribute attribute) {
  return callVerifyAttributeHook(op, HaloOnArgument, number, attribute);
}

LogicalResult halo::verifyResultAttribute(Operation *op, unsigned number,
                                          NamedAttribute attribute) {
  return callVerifyAttributeHook(op, HaloOnResult, number, attribute);
}

Speculation::Speculatability halo::speculatability(Operation *op) {
  HaloSpeculateHook hook = speculateHook.load(std::memory_order_relaxed);
  switch (hook ? hook(wrap(op)) : HaloNotSpeculatable) {
  case HaloSpeculatable:
    return Speculation::Speculatable;
  case HaloRecursivelySpeculatable:
    return Speculation::RecursivelySpeculatable;
  case HaloNotSpeculatable:
    return Speculation::NotSpeculatable;
  }
  return Speculation::NotSpeculatable;
}

bool haloGetSpeculatability(MlirOperation op, HaloSpeculatability *result) {
  auto speculatable = dyn_cast<ConditionallySpeculatable>(unwrap(op));
  if (!speculatable)
    return false;
  switch (speculatable.getSpeculatability()) {
  case Speculation::Speculatable:
    *result = HaloSpeculatable;
    break;
  case Speculation::RecursivelySpeculatable:
    *result = HaloRecursivelySpeculatable;
    break;
  case Speculation::NotSpeculatable:
    *result = HaloNotSpeculatable;
    break;
  }
  return true;
}

LogicalResult halo::foldBy(FoldCallback fold, Operation *op,
                           ArrayRef<Attribute> operands,
                           SmallVectorImpl<OpFoldResult> &results) {
  SmallVector<MlirAttribute> constants(llvm::map_range(
      operands, [](Attribute attribute) { return wrap(attribute); }));
  auto append = [](MlirAttribute attribute, MlirValue value, void *data) {
    auto *out = static_cast<SmallVectorImpl<OpFoldResult> *>(data);
    if (value.ptr)
      out->push_back(unwrap(value));
    else
      out->push_back(unwrap(attribute));
  };
  SmallVector<OpFoldResult> folded;
  if (!fold(constants.size(), constants.data(), append, &folded) ||
      folded.size() != op->getNumResults() || folded.empty())
    return failure();
  // Replacing an op by itself is not a fold, and types must match.
  for (auto [result, value] : llvm::zip_equal(op->getResults(), folded)) {
    if (value.isNull())
      return failure();
    auto other = dyn_cast<Value>(value);
    if (other && (other == result || other.getType() != result.getType()))
      return failure();
  }
  llvm::append_range(results, folded);
  return success();
}

LogicalResult halo::foldSemantics(Operation *op, ArrayRef<Attribute> operands,
                                  SmallVectorImpl<OpFoldResult> &results) {
  HaloFoldHook hook = foldHook.load(std::memory_order_relaxed);
  if (!hook)
    return failure();
  auto fold = [&](intptr_t count, const MlirAttribute *constants,
                  HaloFoldResultCallback append, void *data) {
    return hook(wrap(op), count, constants, append, data);
  };
  return foldBy(fold, op, operands, results);
}
