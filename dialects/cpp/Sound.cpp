//===- Sound.cpp - Damaged bytecode ---------------------------------------===//

#include "Sound.h"
#include "OlderForms.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/MemoryBufferRef.h"

#ifdef __unix__
#include <csignal>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>
#endif

using namespace mlir;

// How long the reader may take before it counts as lost, in seconds.
static constexpr unsigned limit = 20;

// Whether dense attributes have as many elements as their types say, which the
// reader does not check and all that use them rely on.
static bool holdsItsElements(ModuleOp module) {
  bool sound = true;
  AttrTypeWalker walker;
  walker.addWalk([&](DenseIntOrFPElementsAttr attribute) {
    bool splat = false;
    if (!DenseElementsAttr::isValidRawBuffer(attribute.getType(),
                                             attribute.getRawData(), splat))
      sound = false;
  });
  module->walk([&](Operation *op) {
    for (NamedAttribute attribute : op->getAttrs())
      walker.walk(attribute.getValue());
  });
  return sound;
}

bool halo::isSound(llvm::StringRef code, const DialectRegistry &registry) {
  if (!isBytecode(llvm::MemoryBufferRef(code, "")))
    return true;
#ifdef __unix__
  pid_t child = fork();
  if (child < 0)
    return true;
  if (child == 0) {
    for (int number : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL})
      std::signal(number, SIG_DFL);
    alarm(limit);
    // What the reader or the allocator has to say helps nobody.
    std::freopen("/dev/null", "w", stderr);
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    context.getDiagEngine().registerHandler(
        [](Diagnostic &) { return success(); });
    auto module = parse(context, code, "");
    _exit(!module || holdsItsElements(module.release()) ? EXIT_SUCCESS
                                                        : EXIT_FAILURE);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return true;
  return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
#else
  return true;
#endif
}
