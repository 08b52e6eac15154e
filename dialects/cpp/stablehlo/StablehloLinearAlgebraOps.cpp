//===- StablehloLinearAlgebraOps.cpp - Ops of dialects/stablehlo/LinearAlgebraOps.td -----===//

#include "StablehloLinearAlgebraOps.h"

using namespace mlir;
using namespace mlir::stablehlo;

#define GET_OP_CLASSES
#include "StablehloLinearAlgebraOps.cpp.inc"

void StablehloDialect::registerLinearAlgebraOps() {
  addOperations<
#define GET_OP_LIST
#include "StablehloLinearAlgebraOps.cpp.inc"
      >();
}
