//===- ChloBytecode.cpp - Bytecode of the chlo dialect --------------------===//

#include "BytecodeMembers.h"
#include "ChloDialect.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::chlo;

namespace {

#include "ChloBytecode.cpp.inc"

struct Interface : BytecodeDialectInterface {
  explicit Interface(Dialect *dialect) : BytecodeDialectInterface(dialect) {}

  Attribute readAttribute(DialectBytecodeReader &reader) const final {
    return ::readAttribute(getContext(), reader);
  }
  // Attributes without an upstream code are written as text.
  LogicalResult writeAttribute(Attribute attribute,
                               DialectBytecodeWriter &writer) const final {
    return ::writeAttribute(attribute, writer);
  }
  Type readType(DialectBytecodeReader &reader) const final {
    return ::readType(getContext(), reader);
  }
  LogicalResult writeType(Type type,
                          DialectBytecodeWriter &writer) const final {
    return ::writeType(type, writer);
  }
};

} // namespace

void ChloDialect::registerBytecode() { addInterfaces<Interface>(); }
