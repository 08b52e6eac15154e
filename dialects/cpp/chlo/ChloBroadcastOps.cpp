//===- ChloBroadcastOps.cpp - Ops of dialects/chlo/BroadcastOps.td ----------------===//

#include "ChloBroadcastOps.h"

using namespace mlir;
using namespace mlir::chlo;

#define GET_OP_CLASSES
#include "ChloBroadcastOps.cpp.inc"

void ChloDialect::registerBroadcastOps() {
  addOperations<
#define GET_OP_LIST
#include "ChloBroadcastOps.cpp.inc"
      >();
}
