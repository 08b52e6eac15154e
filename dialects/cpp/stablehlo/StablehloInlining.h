//===- StablehloInlining.h - Inlining of functions of Halo's ops ----------===//

#ifndef HALO_DIALECTS_STABLEHLO_INLINING_H
#define HALO_DIALECTS_STABLEHLO_INLINING_H

#include "mlir/Transforms/InliningUtils.h"

namespace halo {

/// A function's body may be inlined into any call: the ops have no state, and regions can capture
/// values.
struct InlinesEverywhere : mlir::DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(mlir::Operation *, mlir::Operation *,
                       bool) const final {
    return true;
  }
  bool isLegalToInline(mlir::Region *, mlir::Region *, bool,
                       mlir::IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(mlir::Operation *, mlir::Region *, bool,
                       mlir::IRMapping &) const final {
    return true;
  }
};

} // namespace halo

#endif // HALO_DIALECTS_STABLEHLO_INLINING_H
