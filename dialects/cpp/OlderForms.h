//===- OlderForms.h - Ops as older versions of StableHLO wrote them -------===//

#ifndef HALO_DIALECTS_OLDERFORMS_H
#define HALO_DIALECTS_OLDERFORMS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"

namespace halo {

// Whether the attributes of an op that are being read from bytecode lack those
// that later versions of StableHLO added. Bytecode has them in alphabetical
// order, without names.
bool readsOlderForms();

// Parses text or bytecode and verifies it. Bytecode that says something else
// than the ops of today is read once more in their older forms.
mlir::OwningOpRef<mlir::ModuleOp>
parse(mlir::MLIRContext &context, llvm::StringRef code, llvm::StringRef name);

} // namespace halo

#endif // HALO_DIALECTS_OLDERFORMS_H
