// Addresses of elements in the LLVM dialect: the sum of what varies and of a constant, which is
// part of an instruction. Elements that are a constant apart have the rest in common.

#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinTypes.h"
#include <memory>
#include <optional>
#include <unordered_map>

namespace halo {

// The constant of an index, if it is one.
std::optional<int64_t> constantOf(mlir::Value index);

// Whether elements of a type in the LLVM dialect are at addresses of their own.
bool isWholeBytes(mlir::Type element);

// Whether an access is to one element.
inline bool isScalar(mlir::Operation *access) {
  return mlir::isa<mlir::memref::LoadOp, mlir::memref::StoreOp>(access);
}

// The bytes that an access is aligned to; 0 if LLVM derives them from the type. `element` is
// of the LLVM dialect.
template <typename Op>
uint64_t alignmentOf(Op access, mlir::Type element) {
  return access.getAlignment().value_or(
      isScalar(access) ? 0 : element.getIntOrFloatBitWidth() / 8);
}

// Where the elements of a buffer are. MLIR computes it by affine expressions.
struct Layout {
  llvm::SmallVector<int64_t> strides;
  int64_t offset = 0;
  bool hasStrides = false;

  explicit Layout(mlir::MemRefType type);
};

// What varies in the address of an access: the sum of indices by strides.
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

// What the accesses of a program have in common. It has many of them and few types of
// buffers, and in an unrolled loop they are a constant apart.
class Accesses {
public:
  const Layout &layout(mlir::MemRefType type);

  // The address of what varies, if an access before it in its block has the same. Ops are
  // converted in the order of the block.
  mlir::Value &address(Varying varying);

private:
  llvm::DenseMap<mlir::Type, std::unique_ptr<Layout>> layouts;
  std::unordered_map<size_t, std::pair<Varying, mlir::Value>> addresses;
};

// An access to elements of a buffer, on its way to the LLVM dialect.
struct Access {
  mlir::Location location;
  // The block where its address is computed.
  mlir::Block *block;
  const Layout &layout;
  // The type of an element in the LLVM dialect.
  mlir::Type element;
  // Whether the op is on one element.
  bool isScalar;
  // The indices before the conversion, and behind it.
  mlir::ValueRange indices;
  mlir::ValueRange converted;
  // The buffer behind the conversion, which may be a descriptor.
  mlir::Value buffer;
};

// How a conversion makes what addresses consist of.
struct AddressParts {
  // What a value has become.
  llvm::function_ref<mlir::Value(mlir::Value)> remapped;
  // The pointer to which indices are added.
  llvm::function_ref<mlir::Value()> pointer;
  // A number as an index.
  llvm::function_ref<mlir::Value(int64_t)> constant;
};

// The address of an access.
//
// A scalar op's element is inside of its buffer, and so is the one at the same indices but
// zeros for the constants. Without a constant that is added to an index, an address may be
// outside. LLVM knows least of such addresses, so scalar ops have them only where the
// index is the same in all iterations of the loop around: a loop's own index decides whether
// it is vectorized.
mlir::Value addressOf(const Access &access, const AddressParts &parts, Accesses &accesses,
                      mlir::OpBuilder &builder);

} // namespace halo
