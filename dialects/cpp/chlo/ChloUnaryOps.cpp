//===- ChloUnaryOps.cpp - Ops of dialects/chlo/UnaryOps.td ----------------===//

#include "ChloUnaryOps.h"

using namespace mlir;
using namespace mlir::chlo;

#define GET_OP_CLASSES
#include "ChloUnaryOps.cpp.inc"

void ChloDialect::registerUnaryOps() {
  addOperations<
#define GET_OP_LIST
#include "ChloUnaryOps.cpp.inc"
      >();
}
