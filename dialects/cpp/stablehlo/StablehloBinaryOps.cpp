//===- StablehloBinaryOps.cpp - Ops of dialects/stablehlo/BinaryOps.td -----===//

#include "StablehloBinaryOps.h"

using namespace mlir;
using namespace mlir::stablehlo;

#define GET_OP_CLASSES
#include "StablehloBinaryOps.cpp.inc"

void StablehloDialect::registerBinaryOps() {
  addOperations<
#define GET_OP_LIST
#include "StablehloBinaryOps.cpp.inc"
      >();
}
