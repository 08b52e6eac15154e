// Printing EmitC as C, which has no C interface.

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Target/Cpp/CppEmitter.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

using namespace mlir;

extern "C" {

// Prints a module of EmitC. On failure, emits diagnostics and returns false.
bool haloPrintC(MlirOperation module, MlirStringCallback emit, void *userData) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (failed(emitc::translateToCpp(unwrap(module), stream)))
    return false;
  emit(mlirStringRefCreate(text.data(), text.size()), userData);
  return true;
}

// The pointee type of a pointer; null for any other type.
MlirType haloEmitCPointee(MlirType type) {
  auto pointer = dyn_cast<emitc::PointerType>(unwrap(type));
  return wrap(pointer ? pointer.getPointee() : Type());
}

} // extern "C"
