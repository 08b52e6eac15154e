// Parsing with the name of the file, which MLIR's C interface leaves out.

#include "OlderForms.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

extern "C" {

// Parses text or bytecode and verifies it. `name` stands for the file in
// locations. Bytecode has been validated, since MLIR's reader trusts it. The
// result is null where diagnostics say why.
MlirModule haloParseModule(MlirContext context, MlirStringRef code,
                           MlirStringRef name) {
  return wrap(
      halo::parse(*unwrap(context), unwrap(code), unwrap(name)).release());
}

} // extern "C"
