//===- StablehloReductionOps.cpp - Ops of dialects/stablehlo/ReductionOps.td -----===//

#include "StablehloReductionOps.h"

using namespace mlir;
using namespace mlir::stablehlo;

#define GET_OP_CLASSES
#include "StablehloReductionOps.cpp.inc"

void StablehloDialect::registerReductionOps() {
  addOperations<
#define GET_OP_LIST
#include "StablehloReductionOps.cpp.inc"
      >();
}
