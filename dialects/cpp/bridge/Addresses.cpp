// Addresses of elements in the LLVM dialect.

#include "Addresses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace halo {

std::optional<int64_t> constantOf(Value index) {
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

bool isWholeBytes(Type element) {
  return element.isIntOrFloat() &&
         llvm::is_contained({8u, 16u, 32u, 64u}, element.getIntOrFloatBitWidth());
}

Layout::Layout(MemRefType type) {
  hasStrides = succeeded(type.getStridesAndOffset(strides, offset)) &&
               llvm::none_of(strides, ShapedType::isDynamic);
}

size_t Varying::hash() const {
  llvm::hash_code hash =
      llvm::hash_combine(block, buffer.getAsOpaquePointer(), isInside);
  for (auto [value, stride] : terms)
    hash = llvm::hash_combine(hash, value.getAsOpaquePointer(), stride);
  return hash;
}

const Layout &Accesses::layout(MemRefType type) {
  std::unique_ptr<Layout> &layout = layouts[type];
  if (!layout)
    layout = std::make_unique<Layout>(type);
  return *layout;
}

Value &Accesses::address(Varying varying) {
  std::pair<Varying, Value> &known = addresses[varying.hash()];
  if (!(known.first == varying))
    known = {std::move(varying), Value()};
  return known.second;
}

// Returns true if an index is loop-invariant in the loop around a block. The loop is converted
// before its body, so its induction variable is an argument of the body, or of the block with the
// loop condition that branches to the body.
static bool isInvariant(Value index, Block *body) {
  Block *block = index.getParentBlock();
  bool hasIndex = body->getNumArguments() != 0;
  return block != body && (hasIndex || block != body->getUniquePredecessor());
}

static Value sum(ArrayRef<std::pair<Value, int64_t>> terms, bool isInside,
                 Location location, const AddressParts &parts, OpBuilder &builder) {
  auto overflows =
      isInside ? LLVM::IntegerOverflowFlags::nsw | LLVM::IntegerOverflowFlags::nuw
               : LLVM::IntegerOverflowFlags::none;
  Value sum;
  for (auto [term, stride] : terms) {
    if (stride != 1)
      term =
          LLVM::MulOp::create(builder, location, term, parts.constant(stride), overflows);
    sum = sum ? LLVM::AddOp::create(builder, location, sum, term, overflows) : term;
  }
  return sum;
}

Value addressOf(const Access &access, const AddressParts &parts, Accesses &accesses,
                OpBuilder &builder) {
  const Layout &layout = access.layout;
  Location location = access.location;
  SmallVector<std::pair<Value, int64_t>> terms;
  int64_t constant = ShapedType::isDynamic(layout.offset) ? 0 : layout.offset;
  bool isInside = access.isScalar;
  for (auto [index, value, stride] :
       llvm::zip_equal(access.indices, access.converted, layout.strides)) {
    if (std::optional<int64_t> number = constantOf(index)) {
      constant += *number * stride;
      continue;
    }
    Value term = value;
    auto sum = index.getDefiningOp<arith::AddIOp>();
    std::optional<int64_t> number = sum ? constantOf(sum.getRhs()) : std::nullopt;
    Value other = number ? parts.remapped(sum.getLhs()) : Value();
    if (other && (!access.isScalar || isInvariant(other, access.block))) {
      term = other;
      constant += *number * stride;
      isInside = false;
    }
    terms.emplace_back(term, stride);
  }
  isInside &= constant >= 0;
  LLVM::GEPNoWrapFlags inBuffer =
      LLVM::GEPNoWrapFlags::inbounds | LLVM::GEPNoWrapFlags::nuw;
  auto wraps = isInside ? inBuffer : LLVM::GEPNoWrapFlags::none;
  Value &known = accesses.address({access.block, access.buffer, terms, isInside});
  // Reuses the address of in-bounds accesses in the block: constant offsets are relative to it.
  if (!known && !isInside)
    known = accesses.address({access.block, access.buffer, terms, /*isInside=*/true});
  if (!known) {
    Value pointer = parts.pointer();
    Value varying = sum(terms, isInside, location, parts, builder);
    known = varying ? LLVM::GEPOp::create(builder, location, pointer.getType(),
                                          access.element, pointer, varying, wraps)
                    : pointer;
  }
  Value address = known;
  Type pointer = address.getType();
  // A constant index in the instruction has fewer bits than its type.
  if (constant != 0 && llvm::isInt<LLVM::kGEPConstantBitWidth>(constant))
    return LLVM::GEPOp::create(builder, location, pointer, access.element, address,
                               LLVM::GEPArg(static_cast<int32_t>(constant)), wraps);
  if (constant != 0)
    return LLVM::GEPOp::create(builder, location, pointer, access.element, address,
                               parts.constant(constant), wraps);
  return address;
}

} // namespace halo
