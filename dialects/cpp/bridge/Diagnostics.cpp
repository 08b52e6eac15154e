// Diagnostics of any severity with notes. MLIR's C interface emits errors only.

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

extern "C" {

// A note of a diagnostic.
struct HaloNote {
  MlirLocation location;
  MlirStringRef message;
};

// Emits a diagnostic with severity 0 (error), 1 (warning) or 2 (remark).
void haloEmitDiagnostic(MlirLocation location, int severity,
                        MlirStringRef message, const HaloNote *notes,
                        size_t noteCount) {
  auto begin = [&] {
    switch (severity) {
    case 0:
      return emitError(unwrap(location));
    case 1:
      return emitWarning(unwrap(location));
    default:
      return emitRemark(unwrap(location));
    }
  };
  InFlightDiagnostic diagnostic = begin();
  diagnostic << unwrap(message);
  for (size_t i = 0; i < noteCount; ++i)
    diagnostic.attachNote(unwrap(notes[i].location))
        << unwrap(notes[i].message);
}

} // extern "C"
