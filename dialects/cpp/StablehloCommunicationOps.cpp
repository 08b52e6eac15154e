//===- StablehloCommunicationOps.cpp - Ops of dialects/stablehlo/CommunicationOps.td -----===//

#include "StablehloCommunicationOps.h"

using namespace mlir;
using namespace mlir::stablehlo;

#define GET_OP_CLASSES
#include "StablehloCommunicationOps.cpp.inc"

void StablehloDialect::registerCommunicationOps() {
  addOperations<
#define GET_OP_LIST
#include "StablehloCommunicationOps.cpp.inc"
      >();
}
