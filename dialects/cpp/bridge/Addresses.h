// Addresses of elements in the LLVM dialect: a variable part plus a constant offset, which is
// encoded in the instruction. Elements at constant distances share the variable part.

#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinTypes.h"
#include <memory>
#include <optional>
#include <unordered_map>

namespace halo {

// Returns the constant value of an index, if it is constant.
std::optional<int64_t> constantOf(mlir::Value index);

// Returns true if elements of a type in the LLVM dialect are byte-addressable.
bool isWholeBytes(mlir::Type element);

// Returns true if an access is to one element.
inline bool isScalar(mlir::Operation *access) {
  return mlir::isa<mlir::memref::LoadOp, mlir::memref::StoreOp>(access);
}

// Returns the alignment of an access in bytes, or 0 if LLVM derives it from the type. `element` is
// a type of the LLVM dialect.
template <typename Op>
uint64_t alignmentOf(Op access, mlir::Type element) {
  return access.getAlignment().value_or(
      isScalar(access) ? 0 : element.getIntOrFloatBitWidth() / 8);
}

// The layout of a buffer. MLIR represents it by affine maps.
struct Layout {
  llvm::SmallVector<int64_t> strides;
  int64_t offset = 0;
  bool hasStrides = false;

  explicit Layout(mlir::MemRefType type);
};

// The variable part of the address of an access: the sum of indices times strides.
struct Varying {
  mlir::Block *block = nullptr;
  mlir::Value buffer;
  llvm::SmallVector<std::pair<mlir::Value, int64_t>> terms;
  bool isInside = false;

  bool operator==(const Varying &other) const {
    return block == other.block && buffer == other.buffer && terms == other.terms &&
           isInside == other.isInside;
  }

  size_t hash() const;
};

// Layouts and addresses shared by the accesses of a program. A program has many accesses, but few
// buffer types, and accesses in unrolled loops differ by constants.
class Accesses {
public:
  const Layout &layout(mlir::MemRefType type);

  // Returns the address of the variable part, which earlier accesses of the block may have
  // computed. Ops are converted in block order.
  mlir::Value &address(Varying varying);

private:
  llvm::DenseMap<mlir::Type, std::unique_ptr<Layout>> layouts;
  std::unordered_map<size_t, std::pair<Varying, mlir::Value>> addresses;
};

// An access to elements of a buffer that is being converted to the LLVM dialect.
struct Access {
  mlir::Location location;
  // The block in which the address is computed.
  mlir::Block *block;
  const Layout &layout;
  // The type of an element in the LLVM dialect.
  mlir::Type element;
  // Whether the op is on one element.
  bool isScalar;
  // The indices before and after the conversion.
  mlir::ValueRange indices;
  mlir::ValueRange converted;
  // The converted buffer, which may be a descriptor.
  mlir::Value buffer;
};

// Callbacks by which a conversion provides the parts of addresses.
struct AddressParts {
  // Maps a value to its conversion.
  llvm::function_ref<mlir::Value(mlir::Value)> remapped;
  // The pointer to which indices are added.
  llvm::function_ref<mlir::Value()> pointer;
  // Creates an index constant.
  llvm::function_ref<mlir::Value(int64_t)> constant;
};

// Returns the address of an access.
//
// The element of a scalar op is inside of its buffer, and so is the element at the same indices
// with zeros instead of the constants. Unless a constant is added to an index, an address may be
// out of bounds. LLVM analyzes such addresses worse, so scalar ops use them only for loop-invariant
// indices: the index of the innermost loop decides whether it is vectorized.
mlir::Value addressOf(const Access &access, const AddressParts &parts, Accesses &accesses,
                      mlir::OpBuilder &builder);

} // namespace halo
