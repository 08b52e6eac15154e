//===- ChloOtherOps.cpp - Ops of dialects/chlo/OtherOps.td ----------------===//

#include "ChloOtherOps.h"
#include "OlderForms.h"

#include "mlir/Bytecode/BytecodeImplementation.h"

using namespace mlir;
using namespace mlir::chlo;

#define GET_OP_CLASSES
#include "ChloOtherOps.cpp.inc"

LogicalResult TopKOp::readProperties(DialectBytecodeReader &reader,
                                     OperationState &state) {
  auto &properties = state.getOrAddProperties<Properties>();
  if (!halo::readsOlderForms() &&
      failed(reader.readOptionalAttribute(properties.is_stable)))
    return failure();
  return reader.readAttribute(properties.k);
}

void TopKOp::writeProperties(DialectBytecodeWriter &writer) {
  auto &properties = getProperties();
  writer.writeOptionalAttribute(properties.is_stable);
  writer.writeAttribute(properties.k);
}

void ChloDialect::registerOtherOps() {
  addOperations<
#define GET_OP_LIST
#include "ChloOtherOps.cpp.inc"
      >();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }
