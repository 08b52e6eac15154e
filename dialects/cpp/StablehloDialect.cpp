//===- StablehloDialect.cpp - The stablehlo dialect -----------------------===//

#include "StablehloShapeOps.h"

#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mlir::stablehlo;

#include "StablehloDialect.cpp.inc"

namespace {

/// A function's body may be copied to its call wherever that stands: the ops
/// have no state, and regions see the values around them.
struct StablehloInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Operation *, bool) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};

} // namespace

void StablehloDialect::initialize() {
  registerTypes();
  registerAttributes();
  registerUnaryOps();
  registerBinaryOps();
  registerShapeOps();
  registerDynamicOps();
  registerLinearAlgebraOps();
  registerReductionOps();
  registerControlFlowOps();
  registerCommunicationOps();
  addInterfaces<StablehloInlinerInterface>();
}

Operation *StablehloDialect::materializeConstant(OpBuilder &builder,
                                                 Attribute value, Type type,
                                                 Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!elements || !tensor || !tensor.hasStaticShape())
    return nullptr;
  return ConstantOp::create(builder, loc, tensor, elements);
}
