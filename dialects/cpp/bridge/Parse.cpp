// Parsing with a file name, which MLIR's C interface does not support.

#include "OlderForms.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

extern "C" {

// Parses text or bytecode and verifies it. `name` is the file name in locations. Bytecode has been
// validated, because MLIR's reader trusts it. On failure, emits diagnostics and returns null.
MlirModule haloParseModule(MlirContext context, MlirStringRef code,
                           MlirStringRef name) {
  return wrap(
      halo::parse(*unwrap(context), unwrap(code), unwrap(name)).release());
}

} // extern "C"
