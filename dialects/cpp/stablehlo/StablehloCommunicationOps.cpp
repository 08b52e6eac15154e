//===- StablehloCommunicationOps.cpp - Ops of dialects/stablehlo/CommunicationOps.td -----===//

#include "OlderForms.h"
#include "StablehloCommunicationOps.h"

#include "mlir/Bytecode/BytecodeImplementation.h"

using namespace mlir;
using namespace mlir::stablehlo;

#define GET_OP_CLASSES
#include "StablehloCommunicationOps.cpp.inc"

LogicalResult
CollectiveBroadcastOp::readProperties(DialectBytecodeReader &reader,
                                      OperationState &state) {
  auto &properties = state.getOrAddProperties<Properties>();
  if (failed(reader.readOptionalAttribute(properties.channel_handle)) ||
      (!halo::readsOlderForms() &&
       failed(reader.readOptionalAttribute(properties.has_dynamic_root))))
    return failure();
  return reader.readAttribute(properties.replica_groups);
}

void CollectiveBroadcastOp::writeProperties(DialectBytecodeWriter &writer) {
  auto &properties = getProperties();
  writer.writeOptionalAttribute(properties.channel_handle);
  writer.writeOptionalAttribute(properties.has_dynamic_root);
  writer.writeAttribute(properties.replica_groups);
}

void StablehloDialect::registerCommunicationOps() {
  addOperations<
#define GET_OP_LIST
#include "StablehloCommunicationOps.cpp.inc"
      >();
}
