//===- Fold.h - Folders in Rust --------------------------------------------===//

#ifndef HALO_DIALECTS_FOLD_H
#define HALO_DIALECTS_FOLD_H

#include "Hooks.h"

#include "mlir/IR/OpDefinition.h"

namespace halo {

/// Gets the constants among the operands of an op, and passes the folded results to a callback.
using FoldCallback = llvm::function_ref<bool(
    intptr_t, const MlirAttribute *, HaloFoldResultCallback, void *)>;

/// Folds an op by a function in Rust. Fails unless there is a value of the right type for each
/// result.
llvm::LogicalResult foldBy(FoldCallback fold, mlir::Operation *op,
                           llvm::ArrayRef<mlir::Attribute> operands,
                           llvm::SmallVectorImpl<mlir::OpFoldResult> &results);

} // namespace halo

#endif // HALO_DIALECTS_FOLD_H
