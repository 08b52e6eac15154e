//===- StablehloDialect.cpp - The stablehlo dialect -----------------------===//

#include "StablehloInlining.h"
#include "StablehloShapeOps.h"

using namespace mlir;
using namespace mlir::stablehlo;

#include "StablehloDialect.cpp.inc"

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
  registerBytecode();
  addInterfaces<halo::InlinesEverywhere>();
}

Operation *StablehloDialect::materializeConstant(OpBuilder &builder,
                                                 Attribute value, Type type,
                                                 Location loc) {
  return ConstantOp::materialize(builder, value, type, loc);
}
