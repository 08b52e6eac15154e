// Entry points of upstream's drivers, with everything of MLIR registered.

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Dialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#include "Register.h"

using namespace mlir;

extern "C" {

// Adds every upstream dialect and extension, the translations to LLVM IR and
// Halo's dialects.
void haloRegisterEverything(MlirDialectRegistry wrapped) {
  DialectRegistry &registry = *unwrap(wrapped);
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  haloRegisterDialects(wrapped);
}

// Adds every upstream pass and pipeline to the program-wide registry.
void haloRegisterUpstreamPasses() { registerAllPasses(); }

// Runs an opt-like tool and returns its exit code.
int haloOptMain(int argc, char **argv, MlirStringRef toolName) {
  DialectRegistry registry;
  haloRegisterEverything(wrap(&registry));
  return asMainReturnCode(MlirOptMain(argc, argv, unwrap(toolName), registry));
}

} // extern "C"
