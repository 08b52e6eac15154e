// Parsing with the name of the file, which MLIR's C interface leaves out.

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/MemoryBufferRef.h"

using namespace mlir;

extern "C" {

// Parses text or bytecode and verifies it. `name` stands for the file in
// locations. The result is null where diagnostics say why.
MlirModule haloParseModule(MlirContext context, MlirStringRef code,
                           MlirStringRef name) {
  ParserConfig config(unwrap(context));
  OwningOpRef<ModuleOp> module;
  auto parse = [&] {
    module = parseSourceString<ModuleOp>(unwrap(code), config, unwrap(name));
  };
  if (!isBytecode(llvm::MemoryBufferRef(unwrap(code), unwrap(name)))) {
    parse();
    return wrap(module.release());
  }
  // The bytecode reader trusts what it reads, and goes astray where that was
  // damaged.
  llvm::CrashRecoveryContext::Enable();
  bool survived = llvm::CrashRecoveryContext().RunSafely(parse);
  llvm::CrashRecoveryContext::Disable();
  if (survived)
    return wrap(module.release());
  auto file = StringAttr::get(unwrap(context), unwrap(name));
  emitError(FileLineColLoc::get(file, 0, 0), "this bytecode is damaged");
  return {nullptr};
}

} // extern "C"
