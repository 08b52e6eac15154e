//===- StablehloBytecode.cpp - Bytecode of the stablehlo dialect ----------===//

#include "BytecodeMembers.h"
#include "StablehloAttrs.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::stablehlo;

static LogicalResult readMeshAxes(DialectBytecodeReader &reader,
                                  SmallVectorImpl<MeshAxisAttr> &axes) {
  ArrayAttr list;
  if (failed(reader.readAttribute(list)))
    return failure();
  for (Attribute attribute : list) {
    auto axis = dyn_cast<MeshAxisAttr>(attribute);
    if (!axis)
      return reader.emitError() << "expected a mesh axis, but got: "
                                << attribute;
    axes.push_back(axis);
  }
  return success();
}

static void writeMeshAxes(DialectBytecodeWriter &writer,
                          MeshAttr mesh) {
  SmallVector<Attribute> axes(mesh.getAxes().begin(), mesh.getAxes().end());
  writer.writeAttribute(ArrayAttr::get(mesh.getContext(), axes));
}

// A type without members.
template <typename T> static T get(MLIRContext *context) {
  return T::get(context);
}

namespace {

#include "StablehloBytecode.cpp.inc"

struct Interface : BytecodeDialectInterface {
  explicit Interface(Dialect *dialect) : BytecodeDialectInterface(dialect) {}

  Attribute readAttribute(DialectBytecodeReader &reader) const final {
    return ::readAttribute(getContext(), reader);
  }
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

void StablehloDialect::registerBytecode() { addInterfaces<Interface>(); }
