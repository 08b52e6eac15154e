//===- ChloOtherOps.cpp - Ops of dialects/chlo/OtherOps.td ----------------===//

#include "ChloOtherOps.h"

using namespace mlir;
using namespace mlir::chlo;

#define GET_OP_CLASSES
#include "ChloOtherOps.cpp.inc"

void ChloDialect::registerOtherOps() {
  addOperations<
#define GET_OP_LIST
#include "ChloOtherOps.cpp.inc"
      >();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }
