//===- CheckDialect.cpp - The check dialect -------------------------------===//

#include "CheckDialect.h"

#include "AssemblyFormat.h"
#include "StablehloInlining.h"

using namespace mlir;
using namespace mlir::check;

#include "CheckDialect.cpp.inc"

#define GET_OP_CLASSES
#include "CheckOps.cpp.inc"

void CheckDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "CheckOps.cpp.inc"
      >();
  addInterfaces<halo::InlinesEverywhere>();
}
