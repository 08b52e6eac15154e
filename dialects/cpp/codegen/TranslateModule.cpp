// Translation of a module of the LLVM dialect to LLVM IR on a busy thread.
//
// MLIR's C API verifies the result, which takes a sixth of the translation. The threads that
// compile it wait for the translation, so they verify it themselves.

#include "mlir-c/Target/LLVMIR.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace mlir;

extern "C" {

// On failure, emits diagnostics and returns null. The caller owns the module.
LLVMModuleRef haloTranslateUnverified(MlirOperation module, LLVMContextRef context) {
  return llvm::wrap(translateModuleToLLVMIR(unwrap(module), *llvm::unwrap(context),
                                            "LLVMDialectModule",
                                            /*disableVerification=*/true)
                        .release());
}

} // extern "C"
