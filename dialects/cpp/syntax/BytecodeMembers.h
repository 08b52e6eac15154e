//===- BytecodeMembers.h - Members of attributes in bytecode --------------===//
//
// The C++ used by stablehlo/BytecodeBase.td.
//
//===----------------------------------------------------------------------===//

#ifndef HALO_DIALECTS_BYTECODE_MEMBERS_H
#define HALO_DIALECTS_BYTECODE_MEMBERS_H

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace halo {

/// A case of an enumeration, by its number.
template <typename Enum>
llvm::LogicalResult readCase(mlir::DialectBytecodeReader &reader, Enum &value,
                             std::optional<Enum> (*symbolize)(uint32_t)) {
  uint64_t number = 0;
  if (failed(reader.readVarInt(number)))
    return llvm::failure();
  std::optional<Enum> known;
  if (number <= std::numeric_limits<uint32_t>::max())
    known = symbolize(static_cast<uint32_t>(number));
  if (!known)
    return reader.emitError() << "unknown case of an enumeration: " << number;
  value = *known;
  return llvm::success();
}

inline llvm::LogicalResult readDouble(mlir::DialectBytecodeReader &reader,
                                      llvm::FailureOr<llvm::APFloat> &value) {
  value = reader.readAPFloatWithKnownSemantics(llvm::APFloat::IEEEdouble());
  return value;
}

inline llvm::LogicalResult
readAttributeList(mlir::DialectBytecodeReader &reader, mlir::ArrayAttr &list) {
  llvm::SmallVector<mlir::Attribute> attributes;
  if (failed(reader.readAttributes(attributes)))
    return llvm::failure();
  list = mlir::ArrayAttr::get(reader.getContext(), attributes);
  return llvm::success();
}

/// An optional attribute, preceded by a presence byte.
template <typename Attribute>
llvm::LogicalResult readFlagged(mlir::DialectBytecodeReader &reader,
                                Attribute &attribute) {
  bool isThere = false;
  if (failed(reader.readBool(isThere)))
    return llvm::failure();
  return isThere ? reader.readAttribute(attribute) : llvm::success();
}

inline void writeFlagged(mlir::DialectBytecodeWriter &writer,
                         mlir::Attribute attribute) {
  writer.writeOwnedBool(static_cast<bool>(attribute));
  if (attribute)
    writer.writeAttribute(attribute);
}

} // namespace halo

#endif // HALO_DIALECTS_BYTECODE_MEMBERS_H
