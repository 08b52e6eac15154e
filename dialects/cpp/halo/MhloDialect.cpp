//===- MhloDialect.cpp - The mhlo dialect ---------------------------------===//

#include "MhloDialect.h"

#include "StablehloInlining.h"

using namespace mlir;
using namespace mlir::mhlo;

#include "MhloDialect.cpp.inc"

#define GET_OP_CLASSES
#include "MhloOps.cpp.inc"

void MhloDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "MhloOps.cpp.inc"
      >();
  addInterfaces<halo::InlinesEverywhere>();
}
