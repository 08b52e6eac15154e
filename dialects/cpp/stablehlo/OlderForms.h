//===- OlderForms.h - Ops as older versions of StableHLO wrote them -------===//

#ifndef HALO_DIALECTS_OLDERFORMS_H
#define HALO_DIALECTS_OLDERFORMS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"

namespace halo {

// Returns true if the attributes of an op being read from bytecode lack the ones that later
// versions of StableHLO added. Bytecode stores attributes in alphabetical order, without names.
bool readsOlderForms();

// Parses text or bytecode and verifies it. Bytecode that does not match the current op definitions
// is read again with the older forms.
mlir::OwningOpRef<mlir::ModuleOp>
parse(mlir::MLIRContext &context, llvm::StringRef code, llvm::StringRef name);

} // namespace halo

#endif // HALO_DIALECTS_OLDERFORMS_H
