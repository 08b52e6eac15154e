// Parsing with the name of the file, which MLIR's C interface leaves out.

#include "OlderForms.h"
#include "Sound.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

extern "C" {

// Parses text or bytecode and verifies it. `name` stands for the file in
// locations. The result is null where diagnostics say why.
MlirModule haloParseModule(MlirContext context, MlirStringRef code,
                           MlirStringRef name) {
  MLIRContext &target = *unwrap(context);
  SmallVector<halo::Complaint> complaints;
  if (!halo::isSound(unwrap(code), unwrap(name), target.getDialectRegistry(),
                     complaints)) {
    ArrayRef<halo::Complaint> rest = complaints;
    auto place = [&](const halo::Complaint &complaint) -> Location {
      return FileLineColLoc::get(&target, complaint.file, complaint.line,
                                 complaint.column);
    };
    while (!rest.empty()) {
      InFlightDiagnostic error = emitError(place(rest[0])) << rest[0].message;
      for (rest = rest.drop_front(); !rest.empty() && rest[0].isNote;
           rest = rest.drop_front())
        error.attachNote(place(rest[0])) << rest[0].message;
    }
    return {nullptr};
  }
  return wrap(
      halo::parse(target, unwrap(code), unwrap(name)).release());
}

} // extern "C"
