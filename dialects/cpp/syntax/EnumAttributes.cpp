//===- EnumAttributes.cpp - Enum attributes of all dialects, in C ---------===//
//
// Each enum attribute of a dialect is a separate class, which MLIR's C interface does not expose.
// EnumAttributes.inc lists the ones used by typed ops; the line number is the ordinal that
// src/ir/ops/codec.rs passes.
//
//===----------------------------------------------------------------------===//

#include "HaloDialect.h"
#include "mlir-c/IR.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cstdint>

namespace {

struct EnumAttribute {
  const char *dialect;
  bool (*read)(mlir::Attribute attribute, uint64_t &value);
  mlir::Attribute (*build)(mlir::MLIRContext *context, uint64_t value);
};

template <typename AttributeT, typename EnumT>
constexpr EnumAttribute describe(const char *dialect) {
  return {dialect,
          [](mlir::Attribute attribute, uint64_t &value) {
            auto typed = llvm::dyn_cast<AttributeT>(attribute);
            if (typed)
              value = static_cast<uint64_t>(typed.getValue());
            return static_cast<bool>(typed);
          },
          [](mlir::MLIRContext *context, uint64_t value) -> mlir::Attribute {
            return AttributeT::get(context, static_cast<EnumT>(value));
          }};
}

constexpr EnumAttribute enumAttributes[] = {
#define HALO_ENUM_ATTRIBUTE(dialect, attribute, type)                          \
  describe<attribute, type>(#dialect),
#include "EnumAttributes.inc"
#undef HALO_ENUM_ATTRIBUTE
};

} // namespace

extern "C" bool haloEnumAttributeRead(MlirAttribute attribute, uint32_t ordinal,
                                      uint64_t *value) {
  return enumAttributes[ordinal].read(unwrap(attribute), *value);
}

// Returns null if the dialect is not loaded.
extern "C" MlirAttribute haloEnumAttributeBuild(MlirContext context,
                                                uint32_t ordinal,
                                                uint64_t value) {
  const EnumAttribute &kind = enumAttributes[ordinal];
  if (!unwrap(context)->getLoadedDialect(kind.dialect))
    return wrap(mlir::Attribute());
  return wrap(kind.build(unwrap(context), value));
}
