//===- StablehloDynamicOps.cpp - Ops of dialects/stablehlo/DynamicOps.td -----===//

#include "StablehloDynamicOps.h"

using namespace mlir;
using namespace mlir::stablehlo;

#define GET_OP_CLASSES
#include "StablehloDynamicOps.cpp.inc"

void StablehloDialect::registerDynamicOps() {
  addOperations<
#define GET_OP_LIST
#include "StablehloDynamicOps.cpp.inc"
      >();
}
