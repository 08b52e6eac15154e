// Upstream's language server, with everything of MLIR and Halo registered.

#include "mlir/CAPI/IR.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

#include "Register.h"

using namespace mlir;

extern "C" {

void haloRegisterAllDialects(MlirDialectRegistry wrapped);

// Serves one client on standard input and output, and returns the exit code: 0 if the client
// requested the shutdown.
int haloLanguageServerMain(int argc, char **argv) {
  DialectRegistry registry;
  haloRegisterAllDialects(wrap(&registry));
  return failed(MlirLspServerMain(argc, argv, registry)) ? EXIT_FAILURE
                                                         : EXIT_SUCCESS;
}

} // extern "C"
