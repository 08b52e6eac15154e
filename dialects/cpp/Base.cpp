//===- Base.cpp - What the generated dialect code calls -------------------===//

#include "Base.h"

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

// Written once, before the first context; read by verifiers on any thread.
static std::atomic<HaloVerifyHook> verifyHook{nullptr};
static std::atomic<HaloVerifyHook> verifySymbolUsesHook{nullptr};
static std::atomic<HaloFoldHook> foldHook{nullptr};

void haloSetSemanticsHooks(const HaloSemanticsHooks *hooks) {
  verifyHook.store(hooks->verify);
  verifySymbolUsesHook.store(hooks->verifySymbolUses);
  foldHook.store(hooks->fold);
}

static LogicalResult callVerifyHook(HaloVerifyHook hook, Operation *op) {
  if (!hook)
    return success();
  std::string message;
  auto append = [](MlirStringRef text, void *data) {
    static_cast<std::string *>(data)->append(text.data, text.length);
  };
  if (hook(wrap(op), append, &message))
    return success();
  return op->emitOpError(message);
}

LogicalResult halo::verifySemantics(Operation *op) {
  return callVerifyHook(verifyHook.load(std::memory_order_relaxed), op);
}

LogicalResult halo::verifySymbolUses(Operation *op) {
  return callVerifyHook(verifySymbolUsesHook.load(std::memory_order_relaxed),
                        op);
}

LogicalResult halo::foldSemantics(Operation *op, ArrayRef<Attribute> operands,
                                  SmallVectorImpl<OpFoldResult> &results) {
  HaloFoldHook hook = foldHook.load(std::memory_order_relaxed);
  if (!hook)
    return failure();
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
  if (!hook(wrap(op), constants.size(), constants.data(), append, &folded) ||
      folded.size() != op->getNumResults())
    return failure();
  // An op that stands for itself has not folded.
  for (auto [result, value] : llvm::zip_equal(op->getResults(), folded))
    if (value.isNull() || dyn_cast<Value>(value) == result)
      return failure();
  llvm::append_range(results, folded);
  return success();
}
