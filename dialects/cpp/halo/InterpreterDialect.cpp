//===- InterpreterDialect.cpp - The interpreter dialect -------------------===//

#include "InterpreterDialect.h"

#include "StablehloInlining.h"

using namespace mlir;
using namespace mlir::stablehlo::interpreter;

#include "InterpreterDialect.cpp.inc"

#define GET_OP_CLASSES
#include "InterpreterOps.cpp.inc"

void InterpreterDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "InterpreterOps.cpp.inc"
      >();
  addInterfaces<halo::InlinesEverywhere>();
}
