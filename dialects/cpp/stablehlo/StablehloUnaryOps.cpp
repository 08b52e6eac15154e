//===- StablehloUnaryOps.cpp - Ops of dialects/stablehlo/UnaryOps.td -----===//

#include "StablehloUnaryOps.h"

using namespace mlir;
using namespace mlir::stablehlo;

#define GET_OP_CLASSES
#include "StablehloUnaryOps.cpp.inc"

void StablehloDialect::registerUnaryOps() {
  addOperations<
#define GET_OP_LIST
#include "StablehloUnaryOps.cpp.inc"
      >();
}
