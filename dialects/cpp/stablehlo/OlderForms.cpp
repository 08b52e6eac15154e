//===- OlderForms.cpp - Ops as older versions of StableHLO wrote them -----===//

#include "OlderForms.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/MemoryBufferRef.h"

using namespace mlir;

// MLIR's bytecode reader calls the ops on the thread that called it.
static thread_local bool readsOlder = false;

bool halo::readsOlderForms() { return readsOlder; }

OwningOpRef<ModuleOp> halo::parse(MLIRContext &context, llvm::StringRef code,
                                  llvm::StringRef name) {
  bool hasOlderForms = isBytecode(llvm::MemoryBufferRef(code, name)) &&
                       (code.contains("collective_broadcast") ||
                        code.contains("top_k"));
  if (!hasOlderForms)
    return parseSourceString<ModuleOp>(code, ParserConfig(&context), name);

  // Bytecode of an older form never parses as the current form: it ends too early.
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  SmallVector<Diagnostic> diagnostics;
  OwningOpRef<ModuleOp> module;
  {
    ScopedDiagnosticHandler kept(&context, [&](Diagnostic &diagnostic) {
      diagnostics.push_back(std::move(diagnostic));
      return success();
    });
    module = parseSourceString<ModuleOp>(code, config, name);
  }
  if (!module) {
    readsOlder = true;
    auto done = llvm::make_scope_exit([] { readsOlder = false; });
    ScopedDiagnosticHandler quiet(&context,
                                  [](Diagnostic &) { return success(); });
    module = parseSourceString<ModuleOp>(code, config, name);
  }
  if (!module)
    for (Diagnostic &diagnostic : diagnostics)
      context.getDiagEngine().emit(std::move(diagnostic));
  if (!module || failed(verify(*module)))
    return nullptr;
  return module;
}
